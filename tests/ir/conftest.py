"""The corpus: C and C++ sources compiled by the bundled clang, and LLVM's own reading and printing of a text."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from enzyme_magic.backend.ir.module import Module
from enzyme_magic.backend.ir.text.parser import parse
from enzyme_magic.backend.llvm import binding

SOURCES = Path(__file__).parent / "sources"
CORPUS = sorted(path.name for path in SOURCES.iterdir())
OPTIONS = "-fno-discard-value-names -fno-math-errno -fno-sanitize=all -fno-stack-protector -fomit-frame-pointer -w -g"
ALWAYS = OPTIONS.split()
LEVELS = {
    "canonical": ["-O2", "-Xclang", "-disable-llvm-passes"],
    **{level: [level] for level in ("-O0", "-O1", "-O2", "-O3")},
}


def read_by_llvm(text: str) -> str:
    """`text` parsed, verified and printed by LLVM, in a context of its own so that no type is renamed."""
    llvm = binding.llvm()
    with binding.guard, llvm.create_context() as context, llvm.parse_assembly(text, context) as module:
        module.verify()
        return str(module)


@pytest.fixture(scope="session")
def clang(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path, list[str]], str]:
    """Compiles a file to LLVM text with the given options."""
    import ziglang

    folder = tmp_path_factory.mktemp("clang")
    zig = str(Path(ziglang.__file__).parent / "zig")
    environment = os.environ | {"ZIG_GLOBAL_CACHE_DIR": str(folder / "zig"), "ZIG_LOCAL_CACHE_DIR": str(folder / "zig")}

    def compile_file(source: Path, options: list[str]) -> str:
        driver, language = ("c++", "c++") if source.suffix == ".cpp" else ("cc", "c")
        output = folder / f"{source.name}.ll"
        command = [zig, driver, "-x", language, str(source), "-target", f"{platform.machine()}-linux-gnu", *ALWAYS]
        done = subprocess.run(
            [*command, *options, "-S", "-emit-llvm", "-o", str(output)],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return output.read_text()

    return compile_file


@pytest.fixture(scope="session")
def corpus(clang: Callable[[Path, list[str]], str]) -> Callable[[str, str], str]:
    """`corpus("relu3.c", "-O2")`: a source at a level, as LLVM prints it; compiled once in a session."""
    known: dict[tuple[str, str], str] = {}

    def text(name: str, level: str) -> str:
        key = (name, level)
        if key not in known:
            known[key] = read_by_llvm(clang(SOURCES / name, LEVELS[level]))
        return known[key]

    return text


@pytest.fixture
def relu3(corpus: Callable[[str, str], str]) -> Module:
    return parse(corpus("relu3.c", "canonical"))

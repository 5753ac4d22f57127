"""C to LLVM IR for the tests of the LLVM layer, and loaded functions out of IR text. Needs only the bundled clang."""

import ctypes
import hashlib
import os
import subprocess
from pathlib import Path

import pytest
import ziglang

from enzyme_magic.backend.llvm import binding, optimize
from enzyme_magic.backend.llvm.objects import jit

ZIG = str(Path(ziglang.__file__).with_name("zig"))
FLAGS = [
    *(
        "-O2",
        "-Xclang",
        "-disable-llvm-passes",
        "-g",
        "-fno-discard-value-names",
        "-fno-math-errno",
        "-fno-sanitize=all",
    ),
    *("-fno-stack-protector", "-fomit-frame-pointer", "-S", "-emit-llvm"),
]


@pytest.fixture(scope="session")
def clang(tmp_path_factory):
    """clang(source, *flags, language="c") -> LLVM IR text with target attributes stripped; compiled once per session."""
    folder = tmp_path_factory.mktemp("clang")
    caches = folder / "caches"

    def run(source: str, *flags: str, language: str = "c") -> str:
        base = folder / hashlib.sha256(repr((source, flags, language)).encode()).hexdigest()[:16]
        made = base.with_suffix(".ll")
        if not made.exists():
            file = base.with_suffix("." + language)
            file.write_text(source)
            driver = [ZIG, "c++" if language == "cpp" else "cc"]
            target = ["-target", f"{os.uname().machine}-linux-gnu"]
            environment = {**os.environ, "ZIG_GLOBAL_CACHE_DIR": str(caches), "ZIG_LOCAL_CACHE_DIR": str(caches)}
            done = subprocess.run(
                [*driver, str(file), *target, *FLAGS, *flags, "-o", str(made)],
                env=environment,
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == 0, done.stderr
        return binding.strip_attributes(made.read_text())

    return run


@pytest.fixture(scope="session")
def load():
    """load(texts, exports, needs=(), symbols=None, level=3) -> Library of optimized texts (text or several)."""

    def run(texts, exports, needs=(), symbols=None, level=3):
        texts = [texts] if isinstance(texts, str) else texts
        objects = [jit.compile_object(optimize.post_ad(text, level)) for text in texts]
        return jit.Library.load(objects, exports, needs, symbols)

    return run


DOUBLE, INT, VOID, POINTER = ctypes.c_double, ctypes.c_int, None, ctypes.c_void_p


@pytest.fixture(scope="session")
def call():
    """call(library, name, *arguments, result=c_double): floats pass as double, ints as int, ctypes objects as they are."""

    def run(library, name, *arguments, result=ctypes.c_double):
        kinds = [DOUBLE if isinstance(a, float) else INT if isinstance(a, int) else type(a) for a in arguments]
        return ctypes.CFUNCTYPE(result, *kinds)(library.address(name))(*arguments)

    return run

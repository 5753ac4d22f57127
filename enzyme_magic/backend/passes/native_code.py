"""The native code that derivatives call: written in C (runtime/native/c), kept beside it as the LLVM text that clang makes of it.

Invariant: a module gets the parts that define what it mentions and does not define, what these mention, and nothing else; of a part
only what is called stays. The texts are current: a test compiles the C again, for every processor that is supported, and
compares.

    python3 dev.py native        compile the C and write the texts

Not here: the run-time library, which is loaded once per process (runtime/native/support.py); code that depends on types of the
program (tangents, releases by other allocators).
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Collection
from functools import cache
from pathlib import Path

from enzyme_magic.backend.autodiff.memory import shadow_heap
from enzyme_magic.backend.llvm import binding, optimize
from enzyme_magic.backend.llvm.objects import code_ranges
from enzyme_magic.backend.runtime.native import constants, support
from enzyme_magic.backend.runtime.native.texts import FOLDER, text_of

MACHINES = ("x86_64", "aarch64")  # with one text where that is the same
FOLLOWED = ("nested", "realloc", "require", "tape")  # a derivative of a derivative has their bodies (passes/nesting.py)
OPAQUE = ("arena", "heap")  # and knows of these what they do (analysis/calls/runtime_calls.py)
PARTS = ("kept", "statics", *FOLLOWED, *OPAQUE)
RUNTIME = (*support.PARTS, "objects")  # loaded once per process (runtime/native/support.py, runtime/calls/direct.py)
WHOLE = ("checkpoints", "kinds")  # linked as they are, with statics of their own, by who writes the calls
BODIES = ("sorting",)  # of functions of the C library, joined to programs (passes/library_bodies.py)
# What Python knows too.
CONSTANTS = {
    "HEADER": shadow_heap.HEADER,
    "SIZE_AT": shadow_heap.SIZE_AT,
    **{name: value for name, value in vars(constants).items() if name.isupper() and isinstance(value, int)},
    "GUARD_MARK": f"{code_ranges.GUARD}ul",
    **{f"KIND_{name.upper()}": value for name, value in constants.KINDS.items()},
}

_MENTIONED = re.compile(r"@(em\.[\w.]+)\(")
_DEFINED = re.compile(r"^define [^@\n]*@(em\.[\w.]+)\(", re.MULTILINE)
_PASSES = (
    *("always-inline", "sroa", "simplifycfg", "instcombine", "newgvn", "simplifycfg", "instcombine", "simplifycfg"),
    *("adce", "strip-dead-prototypes"),
)
_FLAGS = (
    *("-S", "-emit-llvm", "-O1", "-Xclang", "-disable-llvm-passes", "-fno-discard-value-names", "-fno-stack-protector"),
    *("-fno-asynchronous-unwind-tables", "-fno-sanitize=all", "-Xclang", "-no-enable-noundef-analysis", "-Wall"),
    *("-Werror", "-Wno-unused-command-line-argument"),
)
# What says where and by whom the text was made, and what holds of whole programs only.
_ABOUT = re.compile(r"^(?:source_filename|target |; |!llvm\.).*\n", re.MULTILINE)
_METADATA = re.compile(r"^!(\d+) = .*\n", re.MULTILINE)


def needed(text: str, parts: Collection[str] = PARTS) -> list[str]:
    """The texts of those among `parts` that define what `text` mentions, and what they mention."""
    missing = set(_MENTIONED.findall(text))
    missing -= set(_DEFINED.findall(text)) if missing else set()
    found: dict[str, str] = {}
    while missing:
        new = {part: text_of(part) for part in parts if part not in found and _names(part) & missing}
        found |= new
        missing = {name for other in new.values() for name in _MENTIONED.findall(other)}
    return [found[part] for part in parts if part in found]


def defined(parts: Collection[str]) -> frozenset[str]:
    """The functions of some parts."""
    return frozenset().union(*map(_names, parts))


@cache
def _names(part: str) -> frozenset[str]:
    return frozenset(_DEFINED.findall(text_of(part)))


def compiled(part: str, machine: str) -> str:
    """The LLVM text of a part, from its C, for a processor."""
    from enzyme_magic.backend.frontend.clang import toolchain
    from enzyme_magic.config import settings

    path = toolchain.find(settings(), None).path
    constants = (f"-D{name}={value}" for name, value in CONSTANTS.items())
    words = [path, "cc", "-target", f"{machine}-linux-gnu", *_FLAGS, *constants, str(FOLDER / f"{part}.c")]
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "out.ll"
        subprocess.run([*words, "-o", str(output)], check=True)
        ir = output.read_text(encoding="utf-8")
    plain = _ABOUT.sub("", binding.strip_attributes(optimize.strip_debug(ir)))
    text = _ABOUT.sub("", optimize.passes(plain, _PASSES))
    if part in PARTS:  # every derivative may have a copy
        text = text.replace("\ndefine ", "\ndefine linkonce_odr ")
    return _without_unused_metadata(text).strip() + "\n"


def _without_unused_metadata(text: str) -> str:
    while True:
        unused = [m for m in _METADATA.finditer(text) if len(re.findall(rf"!{m[1]}\b", text)) == 1]
        if not unused:
            return text
        for found in reversed(unused):
            text = text[: found.start()] + text[found.end() :]


def write() -> None:
    """The texts of all files."""
    for part in (*PARTS, *RUNTIME, *WHOLE, *BODIES):
        found = {machine: compiled(part, machine) for machine in MACHINES}
        same = len(set(found.values())) == 1
        for machine, text in found.items():
            (FOLDER / (f"{part}.ll" if same else f"{part}.{machine}.ll")).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()

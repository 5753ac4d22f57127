"""The native code that is written in C (folder `c`), as the LLVM text that is kept beside each file.

Where processors need texts of their own, these have the processor's name (kinds.aarch64.ll). Who makes the texts, and proves that
they are current: passes/native_code.py. Not here: what is written as LLVM text.
"""

from __future__ import annotations

import platform
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "c"


@cache
def text_of(part: str, machine: str = "") -> str:
    """The text of a C file, by its name without suffix, for a processor ("x86_64", "aarch64"; this one without)."""
    own = FOLDER / f"{part}.{machine or platform.machine().lower()}.ll"
    return (own if own.exists() else FOLDER / f"{part}.ll").read_text(encoding="utf-8")

"""The native code that is written in C (folder `c`), as the LLVM text that is kept beside each file.

Who makes the texts, and proves that they are current: passes/native_code.py. Not here: what is written as LLVM text.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "c"


@cache
def text_of(part: str) -> str:
    """The text of a C file, by its name without suffix."""
    return (FOLDER / f"{part}.ll").read_text(encoding="utf-8")

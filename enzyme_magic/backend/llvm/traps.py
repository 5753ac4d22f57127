"""A trap before every `unreachable`, so that what C leaves undefined ends in a signal and nowhere else.

Invariant: after `add`, no block is empty of code. LLVM makes nothing of an `unreachable`: a function that the optimizer emptied (an
endless loop without effects, a store through a null pointer, `__builtin_unreachable()`) has no code at all, which the linker of the
JIT does not survive, and a block without code runs on into whatever lies behind it. Pure text, after optimization: for the
optimizer a trap would be an effect.
"""

from __future__ import annotations

import re

_UNREACHABLE = re.compile(r"^(?P<margin>[ \t]+)unreachable(?P<location>, !dbg !\d+)?(?=[ \t]*(?:,|;|$))", re.MULTILINE)
_DECLARED = re.compile(r"^declare [^\n]*@llvm\.trap\(\)", re.MULTILINE)


def add(text: str) -> str:
    """`text` with `call void @llvm.trap()` before each `unreachable`; the same text where there is none."""
    trapped, count = _UNREACHABLE.subn(_trap, text)
    if not count or _DECLARED.search(text):
        return trapped
    return f"{trapped}\ndeclare void @llvm.trap()\n"


def _trap(found: re.Match[str]) -> str:
    call = f"{found['margin']}call void @llvm.trap(){found['location'] or ''}"
    return f"{call}\n{found.group()}"

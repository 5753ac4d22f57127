"""A trap before every `unreachable`, and in place of a loop of nothing, so that what C leaves undefined ends in a signal and
nowhere else.

Invariant: after `add`, no block is empty of code. LLVM makes nothing of an `unreachable`: a function that the optimizer emptied (an
endless loop without effects, a store through a null pointer, `__builtin_unreachable()`) has no code at all, which the linker of the
JIT does not survive, and a block without code runs on into whatever lies behind it. Pure text, after optimization: for the
optimizer a trap would be an effect. No trap is merged with another when code is made, so that each keeps its own C line.

A block that only goes to itself is what the optimizer leaves of a loop whose condition it knows to be always true, because C leaves
undefined what would end it (`double a[4]; … for (i = 0; i < 9; i++) a[i] = x;`), or of `for (;;);`.
"""

from __future__ import annotations

import re

_UNREACHABLE = re.compile(r"^(?P<margin>[ \t]+)unreachable(?P<location>, !dbg !\d+)?(?=[ \t]*(?:,|;|$))", re.MULTILINE)
_LOOP_OF_NOTHING = re.compile(
    r"^(?P<label>[-\w$.]+|\"[^\"\n]*\"):(?P<rest>[^\n]*\n(?:[ \t]+#dbg_[^\n]*\n)*)(?P<margin>[ \t]+)br label %(?P=label)"
    r"(?P<location>, !dbg !\d+)?(?:, ![\w.]+ !\d+)*$",
    re.MULTILINE,
)
_CALLED = re.compile(
    r"^(?P<call>[ \t]+(?:tail |notail )?call void @llvm\.(?:ubsan|debug)?trap\((?:i8 [^()\n]*)?\))(?! nomerge)",
    re.MULTILINE,
)
_DECLARED = re.compile(r"^declare [^\n]*@llvm\.trap\(\)", re.MULTILINE)


def add(text: str) -> str:
    """`text` with `call void @llvm.trap()` before each `unreachable` and in each block that only goes to itself; the same
    text where there is none. Those that are there already are not merged, either."""
    ended = _LOOP_OF_NOTHING.sub(_end, text)
    trapped, count = _UNREACHABLE.subn(_trap, ended) if "unreachable" in ended else (ended, 0)
    apart = _CALLED.sub(r"\g<call> nomerge", trapped) if "trap(" in trapped else trapped
    if not count or _DECLARED.search(text):
        return apart
    return f"{apart}\ndeclare void @llvm.trap()\n"


def _end(found: re.Match[str]) -> str:
    return f"{found['label']}:{found['rest']}{found['margin']}unreachable{found['location'] or ''}"


def _trap(found: re.Match[str]) -> str:
    call = f"{found['margin']}call void @llvm.trap(){found['location'] or ''}"
    return f"{call}\n{found.group()}"

"""Where code that this package compiled from a user's program lies in memory.

Invariant: between `add` and the end of what it returned, the table holds [start, end) of that code; native signal handlers read it
without a lock, so an entry is empty (start 0) while it is written. Only the user's code and its derivatives are in it, and the
guards that call it; never the runtime's own functions: those may be in the middle of something. The two are never taken for each
other: addresses of guards have bit 63 set.

The table is one block of memory that never moves: a count, then pairs of addresses. Names are kept on this side.
"""

from __future__ import annotations

import contextlib
import ctypes
import mmap
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache

from enzyme_magic.backend.llvm import binding
from enzyme_magic.errors import Span

CAPACITY = 1 << 18
GUARD = 1 << 63  # no address of a process has it
_free: list[int] = []
_known: dict[int, CodeRange] = {}  # by slot


@dataclass(frozen=True, slots=True)
class CodeRange:
    """One executable section in memory. functions: (address, bytes, name). line: the place in the C text of an instruction, by
    the function's name and the offset in its code; it may take as long as to compile the code.
    of: the function that a loop is around: messages name that one."""

    start: int
    end: int
    functions: tuple[tuple[int, int, str], ...]
    line: Callable[[str, int], Span | None] = field(default=lambda name, offset: None, compare=False, repr=False)
    of: str = ""


@cache
def _table() -> tuple[mmap.mmap, ctypes.Array[ctypes.c_uint64]]:
    memory = mmap.mmap(-1, 16 * (CAPACITY + 1))  # pages are real when they are written
    return memory, (ctypes.c_uint64 * (2 * (CAPACITY + 1))).from_buffer(memory)


def address() -> int:
    """Of the table: {count, 0, start, end, start, end, …}, 64 bits each."""
    return ctypes.addressof(_table()[1])


def add(codes: Iterable[CodeRange], *, guards: bool = False) -> tuple[int, ...]:
    """Enter code; the slots are for `remove`. A full table takes no more: such code is not known."""
    slots = []
    mark = GUARD if guards else 0
    words = _table()[1]
    with binding.guard:
        for code in codes:
            slot = _free.pop() if _free else int(words[0])
            if slot >= CAPACITY:
                break
            words[2 * slot + 3] = code.end | mark
            words[2 * slot + 2] = code.start | mark
            words[0] = max(int(words[0]), slot + 1)
            if not guards:
                _known[slot] = code
            slots.append(slot)
    return tuple(slots)


def remove(slots: Iterable[int]) -> None:
    """Forget code that is about to be unloaded."""
    words = _table()[1]
    with binding.guard:
        for slot in slots:
            words[2 * slot + 2] = words[2 * slot + 3] = 0
            _known.pop(slot, None)
            _free.append(slot)


def function_at(place: int) -> str | None:
    """The name of the function whose code holds the address, as its object file has it; in a loop, that of what it calls."""
    found = _found(place)
    return (found[0].of or found[1]) if found is not None else None


def line_at(place: int) -> Span | None:
    """The place in the C text of the instruction at the address; None where it is not known. Not quick."""
    found = _found(place)
    if found is None:
        return None
    code, name, offset = found
    with contextlib.suppress(Exception):  # whoever asks tells of a fault, which must be told in any case
        return code.line(name, offset)
    return None


def _found(place: int) -> tuple[CodeRange, str, int] | None:
    with binding.guard:
        found = next((code for code in _known.values() if code.start <= place < code.end), None)
    for start, size, name in found.functions if found is not None else ():
        if found is not None and start <= place < start + max(size, 1):
            return found, name, place - start
    return None

"""What the runtime's functions do that written derivatives call: needed where a derivative is differentiated again.

The arena is seen as the derivative sees it: `em.allocate` gives fresh memory, and its place in the arena is a state that no pointer
of the program reaches. `em.release` ends the life of blocks, as `free` does, but nothing it is given points to them: whoever writes
a sweep over it must keep them alive (autodiff/cache/arena_calls.py).

Shadows of the heap are blocks of their own with a header that nobody reads but the runtime: `em.shadow.allocate` gives one, zeroed,
`em.heap.release` frees one and, where the header says that the program freed it, the memory it belongs to.

A tape that C code holds is a block with an arena in it, and the frame from which its derivative starts: `em.run.tape_close` ends
the life of all its memory, as `em.release` does.

The kinds of bytes (runtime/native/c/kinds.c) are a state that no pointer of the program reaches; what their functions do to the
memory whose kinds they know is what is said of them here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from enzyme_magic.backend.analysis.types.type_tree import BYTES
from enzyme_magic.backend.ir.types import Type
from enzyme_magic.backend.library.libc import TANGENT
from enzyme_magic.backend.library.summary import NEW, NOTHING, Summary, anything, argument, reachable

ALLOCATE, MARK, RELEASE, CHECK_STACK, CURRENT = (
    "em.allocate", "em.mark", "em.release", "em.check_stack", "em.run.arena_current",
)  # fmt: skip
SHADOW_ALLOCATE, SHADOW_FREE, HEAP_FREED, HEAP_RELEASE = (
    "em.shadow.allocate", "em.shadow.free", "em.heap.freed", "em.heap.release",
)  # fmt: skip
HEAP_SIZE = "em.heap.size"  # of a shadow: the bytes that were asked for
HEAP_RELEASE_BY = "em.heap.release.by."  # and the types of the function that releases
TAPE_NEW, TAPE_OPEN, TAPE_CLOSE = "em.run.tape_new", "em.run.tape_open", "em.run.tape_close"
RESERVE = "em.tape.reserve"  # (arena, where the array is, its capacity, elements used, wanted, their size)
TAPE_BYTES = 128  # of a tape that C code holds: an arena, the frame, a word (runtime/native/c/arena.h)
DATA = "em-data"  # at a call of `em.allocate`: the block is a variable of the program, no tape; `described`
FRAME = "em-frame"  # at a parameter: the frame of a split pair, made by `em.allocate` in the other function
ARENA, SHADOW, TAPE = "arena", "shadow", "tape"  # kinds of allocation
_PREFIXES = ("em.",)
KINDS = "em.kinds."
_STATE = replace(NOTHING, repeatable=False, reason="it belongs to the runtime")
_BLOCK = replace(_STATE, returns=frozenset([NEW]), may_exit=True, reason="it gives fresh memory")
_KINDS = replace(_STATE, may_exit=True)
_FIRST = frozenset([argument(0)])
_BOTH = frozenset([argument(0), argument(1)])
_UPDATE = replace(_KINDS, reads=_FIRST, writes=_FIRST)
_OF_KINDS = {
    "add": _UPDATE,
    "take": _UPDATE,
    "move": replace(_KINDS, reads=_BOTH, writes=_BOTH),
    "clear": replace(_KINDS, reads=_FIRST, writes=_FIRST),
    "note": replace(_KINDS, reads=_FIRST),
    "no_pointers": _KINDS,
    "fresh": _KINDS,
    "copied": _KINDS,
    "wash": _KINDS,
    "wash_block": _KINDS,
    "point": replace(_KINDS, reads=_FIRST, writes=_FIRST, stores=frozenset([(argument(0), argument(1))])),
    "copy_pointers": replace(_KINDS, reads=_BOTH, writes=_FIRST, stores=frozenset([(argument(0), reachable(1))])),
    # A stain lies where an adjoint would lie: so whoever asks where derivatives go learns that one goes there.
    "stain": _UPDATE,
    "pass_stain": replace(_KINDS, reads=frozenset([argument(0), argument(2)]), writes=frozenset([argument(2)])),
    "forget": _KINDS,
    "forget_marks": _KINDS,
    "none_stained": _KINDS,
    "are_numbers": _KINDS,
    "suspect": _KINDS,
    "no_suspect": _KINDS,
}
_ADDRESSES_OF_KINDS: dict[str, tuple[int, ...]] = {  # which point to memory whose kinds they know
    **dict.fromkeys(("forget", "forget_marks", "none_stained", "are_numbers", "suspect", "no_suspect"), ()),
    **dict.fromkeys(("add", "take", "clear", "point", "stain", "wash", "wash_block", "pointed"), (0,)),
    **dict.fromkeys(("fresh", "note", "no_pointers"), (0,)),
    **dict.fromkeys(("move", "copied", "copy_pointers"), (0, 1)),
    "pass_stain": (0, 2),
}
_SIZES_OF_KINDS = {  # which of their arguments say how many bytes
    **dict.fromkeys(("fresh", "clear", "wash", "no_pointers", "stain"), (1,)),
    **dict.fromkeys(("move", "copied", "copy_pointers"), (2,)),
    "pass_stain": (1, 3),
}
_KNOWN = {
    ALLOCATE: replace(_BLOCK, allocates=ARENA),
    "em.run.shadow_block": replace(_BLOCK, allocates="aligned_alloc"),
    MARK: replace(_STATE, returns=frozenset([NEW])),
    RELEASE: _STATE,
    CURRENT: replace(_STATE, returns=frozenset([NEW])),
    CHECK_STACK: replace(_STATE, may_exit=True),
    SHADOW_ALLOCATE: replace(_BLOCK, allocates=SHADOW),
    SHADOW_FREE: replace(_STATE, frees=frozenset([argument(1)])),
    HEAP_FREED: _STATE,
    HEAP_SIZE: _STATE,
    HEAP_RELEASE: replace(_STATE, frees=frozenset([argument(0), argument(1)])),
    TAPE_NEW: replace(_BLOCK, allocates=TAPE),
    TAPE_OPEN: replace(_STATE, returns=frozenset([NEW]), may_exit=True),
    TAPE_CLOSE: replace(_STATE, frees=frozenset([argument(0)])),
    RESERVE: replace(
        _STATE,
        reads=frozenset([argument(1), reachable(1), argument(2)]),
        writes=frozenset([argument(1), argument(2), NEW]),
        stores=frozenset([(argument(1), NEW)]),
        may_exit=True,
    ),
    "em.run.kept": replace(_STATE, may_exit=True),
    "em.run.check_block": replace(_STATE, may_exit=True),
    "em.run.too_deep": replace(_STATE, may_exit=True),
}


def is_runtime(name: str) -> bool:
    """Whether a function without body belongs to the runtime."""
    return (name in _KNOWN or name.startswith(_PREFIXES)) and not name.startswith(TANGENT)


def keeps_state(name: str) -> bool:
    """Whether it is one of the runtime's functions that keep what all threads see: the kinds of bytes."""
    return name.startswith(KINDS)


def operation_on_kinds(name: str) -> str:
    """What a function that keeps the kinds of bytes does: "add", "move", …"""
    return name.removeprefix(KINDS).partition(".")[0]


def addresses_on_kinds(name: str) -> tuple[int, ...]:
    """Which arguments of a function that keeps the kinds of bytes point to the memory whose kinds it knows. What `point` stores
    there is no such address."""
    return _ADDRESSES_OF_KINDS.get(operation_on_kinds(name), ()) if keeps_state(name) else ()


def knows_kinds(name: str) -> bool:
    """Whether a function that keeps the kinds of bytes is one that can be differentiated (autodiff/memory/nested_kinds.py)."""
    return keeps_state(name) and operation_on_kinds(name) in _ADDRESSES_OF_KINDS


def sizes_on_kinds(name: str) -> tuple[int, ...]:
    """Which arguments of a function that keeps the kinds of bytes say how many bytes they are."""
    return _SIZES_OF_KINDS.get(operation_on_kinds(name), ()) if keeps_state(name) else ()


def summary_of(name: str) -> Summary | None:
    """The summary of one of the runtime's functions; None for any other function."""
    if not is_runtime(name):
        return None
    if keeps_state(name) and operation_on_kinds(name) in _OF_KINDS:
        return _OF_KINDS[operation_on_kinds(name)]
    if name.startswith(HEAP_RELEASE_BY):
        return _KNOWN[HEAP_RELEASE]
    return _KNOWN.get(name, replace(anything("it belongs to a derivative that the program asks for"), prints=False))


def described(size: int, parts: Sequence[tuple[int, Type]]) -> str:
    """Text for (offset, type) of all scalars of an object: "double" where it is one of these or several, else
    "24: 0 double, 8 i32, 16 double"."""
    kinds = {str(type_) for _, type_ in parts}
    if len(kinds) == 1 and kinds <= BYTES.keys() and len(parts) * BYTES[next(iter(kinds))] == size:
        return kinds.pop()
    return f"{size}: " + ", ".join(f"{offset} {type_}" for offset, type_ in parts)

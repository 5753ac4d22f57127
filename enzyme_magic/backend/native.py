"""How a native function made by this package is called: the agreement between autodiff, which writes it, and runtime,
which calls it.

Invariant: frozen plain data with a JSON form, so that a compiled derivative can be kept on disk. Native parameters
are passed in the order of `Entry.slots`, C ABI, scalars and pointers only. What is no plain scalar or pointer in C
never reaches this interface (the front end's uniform entry turns it into pointers).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

EVERY = -1  # instead of a lane
SlotKind = Literal[
    "arena",
    "primal",
    "shadow",
    "tangent",
    "seed",
    "results",
    "count",
    "stride",
    "arguments",
    "shadow-arguments",
    "shadow-results",
]
FieldKind = Literal["value", "gradient", "tangent"]
SANITIZER_PREFIX = (
    "sanitizer: "  # of the words of a failed check: passes/sanitizing.py writes them, runtime/exits.py reads them
)
PYTHON_HANDLER = "em.python."  # what C code calls and Python answers: runtime/calls/handlers.py


@dataclass(frozen=True, slots=True)
class Slot:
    """One native parameter.

    kind: "arena" (this thread's tape), "primal" (the C argument itself), "shadow" (pointer to the adjoint or tangent
    memory of a pointer parameter, same extent), "tangent" (the tangent of a scalar parameter, by value), "seed"
    (adjoint of the scalar result, by value), "results" (pointer to the block described by `Entry.fields`), "count"
    and "stride" (of `map` loops). parameter: index of the C parameter for primal, shadow and tangent.

    Of a uniform entry: "arguments" (array of pointers to the arguments' values, in C order), "results" (memory of the C
    result), "shadow-arguments" (array of pointers to cells as large as the values: adjoints or tangents of scalars and
    structs; for a pointer a cell with a pointer to its shadow memory), "shadow-results" (memory of the result's type:
    seeds in, or tangents out).

    lane: of a function for several sweeps at once, to which of them a shadow, tangent or seed belongs.
    """

    kind: SlotKind
    parameter: int | None = None
    lane: int = 0


@dataclass(frozen=True, slots=True)
class ResultField:
    """One scalar the function gives back. kind: "value", "gradient", "tangent". `type` is LLVM's word: float, double,
    x86_fp80. lane: the sweep it belongs to; EVERY where all give the same."""

    kind: FieldKind
    type: str
    parameter: int | None = None
    offset: int = 0
    lane: int = 0


@dataclass(frozen=True, slots=True)
class Static:
    """`size` bytes, `offset` behind the start of a static variable of the program. each_threads: each thread has a variable of its
    own, whose address is asked for with `symbol` (prepare/each_thread.py)."""

    symbol: str
    offset: int
    size: int
    each_threads: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """A native function.

    result: the single field returned by value, None when the function returns nothing by value; then `fields`
    describes the memory the "results" slot points to (`size` bytes, naturally aligned). may_exit: it can reach exit,
    abort or a failed assert; prints: it can write to C's stdout; takes_turns: it writes static data, of which there is one copy;
    statics: which, as far as a later call may read it; puts_back: whoever calls leaves that as it found it.
    """

    symbol: str
    slots: tuple[Slot, ...]
    result: ResultField | None = None
    fields: tuple[ResultField, ...] = ()
    size: int = 0
    may_exit: bool = False
    prints: bool = False
    takes_turns: bool = False
    statics: tuple[Static, ...] = ()
    puts_back: bool = False


@dataclass(frozen=True, slots=True)
class MemoryNeed:
    """How much memory a call is certain to touch: `size` bytes behind pointer parameter `parameter`, if every one of `when` is 0
    or more. Both are Python expressions of the integer parameters `names` (integers, + - * // max, and / where it is exact), valid
    for numbers from 0 up to half their types' ranges. elements: the size in elements, for people; place: the access
    ("line 3 reads x[i], i < n")."""

    parameter: int
    size: str
    when: tuple[str, ...]
    names: tuple[str, ...]
    elements: str
    place: str

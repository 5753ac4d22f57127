"""What a function that Python calls directly takes and gives: frozen records.

Invariant: plain data; two functions with equal records share one piece of native code. calls/direct.py fills them in,
direct_text.py writes what they say.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

BLOCK = (
    "target",
    "times",
    "kind",
)  # then a word for each parameter's dtype, then one for each parameter's result array

# A formula of integer parameters: a number, a parameter's index in a tuple of its own, or an operator and its operands.
Formula = int | tuple[object, ...]


@dataclass(frozen=True, slots=True)
class ByValue:
    """A parameter passed by value. word: LLVM's type with its extension; low, high: of integers."""

    word: str
    low: int = 0
    high: int = 0


@dataclass(frozen=True, slots=True)
class Memory:
    """A pointer parameter. extents: as declared, None for one that is not known; result: where its adjoints lie ("" for none,
    "given" for an array of the caller's, "fresh")."""

    itemsize: int
    written: bool
    extents: tuple[Formula | None, ...] = ()
    result: str = ""


@dataclass(frozen=True, slots=True)
class Least:
    """Bytes that a parameter's memory has at least, where the parameters of `names` lie in 0 <= value < limit and no `when` is
    negative."""

    parameter: int
    size: Formula
    when: tuple[Formula, ...]
    names: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of the result. kind: "number" (of LLVM type `word`, at `offset` of the results block or returned by value) or "memory"
    (the result array of parameter `offset`)."""

    kind: Literal["number", "memory"]
    word: str = ""
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Direct:
    """One function. slots: native parameters, as (kind, C parameter). sizes: parameters that may be left out. result: LLVM's type
    of what is returned by value; block: bytes of the results block. pieces: what the user gets, as one object, or, where `several`,
    as a tuple of the type in the block's "kind"; value: what comes before them in a pair. handlers: Python may have been called.
    lock: whether the interpreter lock is "free" during the call, "kept", or kept where such calls were short ("measured")."""

    parameters: tuple[ByValue | Memory, ...]
    sizes: frozenset[int]
    checked: bool
    least: tuple[Least, ...]
    slots: tuple[tuple[str, int], ...]
    words: tuple[str, ...]
    result: str
    block: int
    pieces: tuple[Piece, ...]
    several: bool
    value: Piece | None
    handlers: bool
    lock: str

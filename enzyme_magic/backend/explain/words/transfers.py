"""Copies and fills of memory: `u[1 … n - 2] = next[1 … n - 2]`, `p = q`, `copy of 8*n bytes from a to b`.

LLVM makes one block transfer of a loop that copies, clang of an assignment of structs: nobody wrote `memcpy` there.

Invariant: the text names the bytes that are moved, no more and no fewer: places where all ends have words, else
their number.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from enzyme_magic.backend.analysis.counts.affine import Polynomial, add, constant
from enzyme_magic.backend.explain.words.places import Places
from enzyme_magic.backend.ir.instructions import Call
from enzyme_magic.backend.ir.intrinsics import Transfer
from enzyme_magic.backend.ir.values import ConstantInt, Value

Spell = Callable[[Value], str]
RANGE = re.compile(r"\[[^\]]* … [^\]]*\]")  # a[1 … n - 2]: the dots stand for elements, not for a value without a name


def transferred(call: Call, kind: Transfer, places: Places | None, spell: Spell) -> str:
    """What a block transfer does. spell: writes a value."""
    target, source, length = call.arguments[:3]
    fills = kind == "memset"
    if places is not None and (not fills or (isinstance(source, ConstantInt) and not source.value)):
        ends = [target] if fills else [target, source]
        named = _objects(ends, length, places) or _ranges(ends, places.evolution.integer(length), places)
        if named:
            return f"{named[0]} = {'0' if fills else named[1]}"
    if fills:
        return f"fill of {spell(length)} bytes at {spell(target)} with {spell(source)}"
    return f"copy of {spell(length)} bytes from {spell(source)} to {spell(target)}"


def _objects(ends: list[Value], length: Value, places: Places) -> list[str] | None:
    """Single objects of that size."""
    if not isinstance(length, ConstantInt):
        return None
    found = [places.whole(end, length.value) for end in ends]
    named = [text for text in found if text is not None]
    return named if len(named) == len(found) else None


def _ranges(ends: list[Value], length: Polynomial, places: Places) -> list[str] | None:
    """`a[1 … n]`: from the first element to the last."""
    found: list[str] = []
    for end in ends:
        size = places.element_size(end)
        if size is None or any(coefficient % size for coefficient in length.values()):
            return None
        first, last = places.place(end, size), places.beyond(end, add(length, constant(size), -1), size)
        joined = _joined(first, last) if first is not None and last is not None else None
        if joined is None:
            return None
        found.append(joined)
    return found


def _joined(first: str, last: str) -> str | None:
    """`a[1]` and `a[n]` as one range."""
    if not (first.endswith("]") and last.endswith("]")):
        return None
    (array, _, start), (other, _, stop) = first[:-1].rpartition("["), last[:-1].rpartition("[")
    return f"{array}[{start} … {stop}]" if array and array == other else None

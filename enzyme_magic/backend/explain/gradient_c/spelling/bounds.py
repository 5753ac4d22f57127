"""How large a whole number can be: where a product of two ints is a long, nothing is lost, and C needs no cast.

Invariant: |value| is at most the bound, in every call. Bounds follow from the widths of what a number is converted from and from
what counters of loops run between; of all else nothing is known (None).
"""

from __future__ import annotations

from collections.abc import Iterable

from enzyme_magic.backend.explain.gradient_c.counted import CountedLoop
from enzyme_magic.backend.ir.instructions import Binary, Cast, Freeze, Instruction, Phi
from enzyme_magic.backend.ir.types import IntType
from enzyme_magic.backend.ir.values import ConstantInt, Value

DEEPEST = 6


def fits(i: Binary, counted: Iterable[CountedLoop]) -> bool:
    """Whether a sum, difference or product is never beyond its signed type."""
    return _within(_bound(i, _counters(counted), DEEPEST), i)


def leaves_room(i: Binary, parts: Iterable[Value], counted: Iterable[CountedLoop]) -> bool:
    """Whether these numbers and 1 may be added up and taken off in any order within the type of `i`."""
    bounds = [_bound(part, _counters(counted), DEEPEST) for part in parts]
    return None not in bounds and _within(1 + sum(filter(None, bounds)), i)


def _counters(counted: Iterable[CountedLoop]) -> dict[Phi, CountedLoop]:
    return {count.counter: count for count in counted}


def _within(bound: int | None, i: Binary) -> bool:
    assert isinstance(i.type, IntType)
    return bound is not None and bound < 1 << (i.type.bits - 1)


def _bound(value: Value, counted: dict[Phi, CountedLoop], depth: int) -> int | None:
    if isinstance(value, ConstantInt):
        return abs(value.value)
    if not depth or not isinstance(value, Instruction):
        return None
    if isinstance(value, Cast):
        return _converted(value)
    if isinstance(value, Freeze):
        return _bound(value.operands[0], counted, depth)
    if isinstance(value, Phi):
        count = counted.get(value)
        ends = [_bound(end, counted, depth - 1) for end in (count.start, count.end)] if count is not None else [None]
        return max(filter(None, ends), default=0) + 1 if None not in ends else None
    return _computed(value, counted, depth) if isinstance(value, Binary) else None


def _converted(cast: Cast) -> int | None:
    """By the width of what is made wider."""
    narrow = cast.operands[0].type
    if cast.opcode not in ("sext", "zext") or not isinstance(narrow, IntType):
        return None
    return 1 << (narrow.bits - (cast.opcode == "sext" or "nneg" in cast.flags))


def _computed(i: Binary, counted: dict[Phi, CountedLoop], depth: int) -> int | None:
    """Of a result that is never beyond its type, for else the numbers that LLVM has would not be these."""
    bounds = [_bound(operand, counted, depth - 1) for operand in i.operands]
    match i.opcode, bounds:
        case "add" | "sub", [int(a), int(b)]:
            found = a + b
        case "mul", [int(a), int(b)]:
            found = a * b
        case _:
            return None
    return found if _within(found, i) else None

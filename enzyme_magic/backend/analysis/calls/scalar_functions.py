"""Functions that give back an integer made of integers and nothing else: `int smaller(int a, int b)`, a checked sum.

What such a call gives back depends on what this call is given, and on nothing that other callers pass. So one caller that passes
the bits of a number makes no numbers of what the others get.

Not summarized: functions that touch memory, call others, or have floating numbers, and those that move parts of what they are
given to other places.
"""

from __future__ import annotations

from dataclasses import dataclass

from enzyme_magic.backend.ir.instructions import (
    Binary,
    Branch,
    Cast,
    Compare,
    Freeze,
    Instruction,
    Phi,
    Return,
    Select,
    Switch,
    Unreachable,
)
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import IntType
from enzyme_magic.backend.ir.values import Argument, Constant, ConstantInt, Value

_ALLOWED = (Binary, Branch, Cast, Compare, Freeze, Phi, Return, Select, Switch, Unreachable)
_CASTS = ("trunc", "zext", "sext")
_COMPUTES = ("add", "sub", "mul", "udiv", "sdiv", "urem", "srem")


@dataclass(frozen=True, slots=True)
class ScalarFunction:
    """moved: the parameters whose lowest bytes may be the result; computes: whether it may be computed from them."""

    moved: frozenset[int]
    computes: bool


def summary(function: Function) -> ScalarFunction | None:
    """None where the function is not of this kind."""
    integers = [*(a.type for a in function.arguments), function.function_type.result]
    if function.is_declaration or not all(isinstance(type_, IntType) for type_ in integers):
        return None
    if not all(map(_is_allowed, function.instructions())):
        return None
    found = _Walk()
    last = (block.instructions[-1] for block in function.blocks)
    whole = all(found.follow(i.operands[0], _bits(i.operands[0])) for i in last if isinstance(i, Return))
    return ScalarFunction(frozenset(found.moved), found.computes) if whole else None


def _is_allowed(i: Instruction) -> bool:
    if isinstance(i, Cast):
        return i.opcode in _CASTS
    return isinstance(i, _ALLOWED) and all(isinstance(v.type, IntType) for v in (i, *i.operands) if _is_value(v))


def _is_value(value: Value) -> bool:
    return isinstance(value, (Argument, Constant, Binary, Cast, Compare, Freeze, Phi, Select))


def _bits(value: Value) -> int:
    return value.type.bits if isinstance(value.type, IntType) else 0


class _Walk:
    """From what is returned back to what it is made of."""

    def __init__(self) -> None:
        self.moved: set[int] = set()
        self.computes = False
        self._seen: set[tuple[Value, int]] = set()

    def follow(self, value: Value, bits: int) -> bool:
        """The `bits` lowest bits of a value; False where other bits of a parameter may be among them."""
        if (value, bits) in self._seen or isinstance(value, Constant):
            return True
        self._seen.add((value, bits))
        if isinstance(value, Argument):
            self.moved.add(value.index)
            return _bits(value) >= bits
        if isinstance(value, (Phi, Freeze)):
            return all(self.follow(v, bits) for v in value.operands)
        if isinstance(value, Select):
            return all(self.follow(v, bits) for v in value.operands[1:])
        if isinstance(value, Cast):
            return self.follow(value.operands[0], bits)
        self.computes = True
        return isinstance(value, Compare) or (isinstance(value, Binary) and _only_computes(value))


def _only_computes(i: Binary) -> bool:
    """Whether no bytes of an operand are those of the result."""
    if i.opcode in ("shl", "lshr", "ashr"):
        return not isinstance(i.operands[1], Constant)
    return i.opcode in _COMPUTES and not any(map(_leaves_bytes, i.operands))


def _leaves_bytes(value: Value) -> bool:
    """Whether the lowest bytes may be zero, so that a sum has those of the other operand."""
    shifted = isinstance(value, Binary) and value.opcode == "shl"
    return shifted or (isinstance(value, ConstantInt) and value.unsigned % 256 == 0)

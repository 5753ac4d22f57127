"""What the shadow of a constant global holds: shadows of the pointers in its initializer.

    static const struct { int n; double *p; } box = {2, table};   has the shadow   {0, shadow of table}

A constant never changes, so its pointers are known when the derivative is written. A variable with an initializer may hold other
pointers by the time the derivative runs: its shadow starts as zeros, and what is loaded from there is guarded (PrimalCopy).

Invariant: numbers are zero; what they become while a derivative runs is nobody's derivative.
"""

from __future__ import annotations

from collections.abc import Callable

from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.module import Function, GlobalVariable
from enzyme_magic.backend.ir.values import (
    BlockAddress,
    ConstantAggregate,
    ConstantExpression,
    ConstantFloat,
    ConstantInt,
    ConstantKeyword,
    ConstantSplat,
    ConstantString,
    Value,
)

_WITHOUT_POINTERS = (ConstantInt, ConstantFloat, ConstantKeyword, ConstantString, BlockAddress)


def is_known(value: Value | None) -> bool:
    """Whether it is a constant of which every pointer is known."""
    if not isinstance(value, GlobalVariable) or not value.constant or value.initializer is None:
        return False
    return _is_readable(value.initializer)


def image(variable: GlobalVariable, shadow_of: Callable[[GlobalVariable], GlobalVariable]) -> Value | None:
    """The initializer of a constant's shadow; None where there are no pointers in it, or they are not known."""
    if not is_known(variable):
        return None
    assert variable.initializer is not None
    made = _image(variable.initializer, shadow_of)
    return made if _has_pointers(made) else None


def _is_readable(value: Value) -> bool:
    if isinstance(value, ConstantAggregate):
        return all(map(_is_readable, value.elements))
    if isinstance(value, ConstantSplat):
        return _is_readable(value.element)
    if isinstance(value, ConstantExpression):
        return value.opcode == "getelementptr" and all(map(_is_readable, value.operands))
    return isinstance(value, (*_WITHOUT_POINTERS, GlobalVariable, Function))


def _has_pointers(value: Value) -> bool:
    if isinstance(value, ConstantAggregate):
        return any(map(_has_pointers, value.elements))
    return isinstance(value, (ConstantExpression, GlobalVariable, Function))


def _image(value: Value, shadow_of: Callable[[GlobalVariable], GlobalVariable]) -> Value:
    if isinstance(value, GlobalVariable):
        return shadow_of(value)
    if isinstance(value, Function):
        return value
    if isinstance(value, ConstantAggregate):
        return ConstantAggregate(value.type, tuple(_image(element, shadow_of) for element in value.elements))
    if isinstance(value, ConstantExpression):
        base = _image(value.operands[0], shadow_of)
        return ConstantExpression(value.type, value.opcode, (base, *value.operands[1:]), (), value.source_type)
    return constants.zero(value.type)

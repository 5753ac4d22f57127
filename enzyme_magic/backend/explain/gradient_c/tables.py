"""Constant arrays of numbers that a gradient reads, as definitions of the C text: weights, nodes of a quadrature.

Invariant: the program can write to none of them. They have one dimension here, as addresses have.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from enzyme_magic.backend.explain.gradient_c.spelling.scalars import c_type, scalar
from enzyme_magic.backend.frontend.c_types import Scalar
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.instructions import GetElementPtr, Instruction, Load
from enzyme_magic.backend.ir.module import Function, GlobalVariable
from enzyme_magic.backend.ir.types import DOUBLE, FLOAT, I8, I16, I32, I64, ArrayType, Type
from enzyme_magic.backend.ir.values import (
    ConstantAggregate,
    ConstantFloat,
    ConstantInt,
    ConstantKeyword,
    ConstantString,
    Value,
)

LONGEST = 64  # numbers; more would hide the gradient
_WIDE = 100  # columns
_NUMBERS: tuple[Type, ...] = (DOUBLE, FLOAT, I8, I16, I32, I64)


@dataclass(frozen=True, slots=True)
class ConstantTable:
    element: Scalar
    numbers: tuple[Value, ...]

    def definition(self, name: str, said: Callable[[Value], str]) -> str:
        """said(constant): its text."""
        whole = f"static const {self.element} {name}[{len(self.numbers)}] = {{{', '.join(map(said, self.numbers))}}};"
        return "\n".join(textwrap.wrap(whole, _WIDE, subsequent_indent="    ", break_on_hyphens=False))


def tables(function: Function) -> dict[GlobalVariable, ConstantTable]:
    """Those that a function reads, element by element."""
    uses: dict[Value, list[Instruction]] = {}
    for instruction in function.instructions():
        for operand in instruction.operands:
            if isinstance(operand, (GlobalVariable, GetElementPtr)):
                uses.setdefault(operand, []).append(instruction)
    variables = [value for value in uses if isinstance(value, GlobalVariable) and _is_read(value, uses)]
    found = {variable: table(variable) for variable in variables}
    return {variable: known for variable, known in found.items() if known is not None}


def _is_read(pointer: Value, uses: Mapping[Value, Sequence[Instruction]]) -> bool:
    """Whether nothing but reads is done with an address: no variable holds it."""
    return all(
        isinstance(user, Load) or (isinstance(user, GetElementPtr) and _is_read(user, uses))
        for user in uses.get(pointer, ())
    )


def table(variable: GlobalVariable) -> ConstantTable | None:
    type_: Type = variable.value_type
    count = 1
    while isinstance(type_, ArrayType):
        count *= type_.count
        type_ = type_.element
    if not variable.constant or variable.initializer is None or type_ not in _NUMBERS or not 0 < count <= LONGEST:
        return None
    numbers = _numbers(variable.initializer)
    return ConstantTable(scalar(c_type(type_)), tuple(numbers)) if len(numbers) == count else None


def _numbers(value: Value) -> list[Value]:
    """Each number of an array; none of what is no number."""
    if isinstance(value, ConstantAggregate):
        return [number for element in value.elements for number in _numbers(element)]
    if isinstance(value, ConstantKeyword) and value.keyword == "zeroinitializer" and isinstance(value.type, ArrayType):
        return value.type.count * _numbers(constants.zero(value.type.element))
    if isinstance(value, ConstantString):
        return [ConstantInt(I8, byte - 256 if byte > 127 else byte) for byte in value.data]
    return [value] if isinstance(value, (ConstantInt, ConstantFloat)) else []

"""Forward mode for integers that are computed with (asked_integers.py): tangents are the bits of shadow memory.

An integer that is none has no tangent: its bits are zero. Where they are not, an operation computes with the bits of a number (or
with a pointer to memory that carries derivatives). If the result is certain to be wanted, the call ends there. Otherwise the
optimizer may have moved the operation to where nobody asks for it; its tangent is then NaN, all bits set, and the entry ends the
call should that come to the result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_magic.backend.autodiff import asked_integers
from enzyme_magic.backend.autodiff.memory import kinds
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.instructions import Instruction
from enzyme_magic.backend.ir.types import FloatType, IntType
from enzyme_magic.backend.ir.values import Value

if TYPE_CHECKING:
    from enzyme_magic.backend.autodiff.sweeps.forward import TangentWriter


def write(writer: TangentWriter, builder: Builder, i: Instruction) -> None:
    """The tangent of an operation on integers."""
    if asked_integers.is_written(i):
        tangent = writer.tangent(i.operands[0])
        if tangent is not None:
            writer.set_tangent(i, (), builder.cast("bitcast", tangent, i.type))
    elif isinstance(i.type, FloatType):
        tangent = writer.tangent(i.operands[0])
        if tangent is not None:
            arrived = _arrived(writer, builder, i, tangent)
            nothing, lost = constants.zero(i.type), constants.float_constant(i.type, float("nan"))
            writer.set_tangent(i, (), builder.select(arrived, lost, nothing))
    else:
        _bytes(writer, builder, i)


def _arrived(writer: TangentWriter, builder: Builder, i: Instruction, tangent: Value) -> Value:
    """Whether there is a tangent; noted, or the end of the call."""
    arrived = builder.icmp("ne", tangent, constants.zero(tangent.type))
    note = kinds.suspect if i in writer.subject.demand.conditional else kinds.are_numbers
    note(writer.context, builder, i, arrived)
    return arrived


def _bytes(writer: TangentWriter, builder: Builder, i: Instruction) -> None:
    assert isinstance(i.type, IntType)
    total: Value | None = None
    for part in asked_integers.parts(writer.context.layout, i):
        tangent = writer.tangent(part.operand)
        if tangent is None:
            continue
        kept = (1 << 8 * part.length) - 1 << 8 * part.start
        if part.moved:
            moved = _resized(builder, _shifted(builder, tangent, -part.origin), i.type)
            found = _shifted(builder, moved, part.start)
        else:
            found = builder.sext(_arrived(writer, builder, i, tangent), i.type)
        found = builder.and_(found, constants.int_constant(i.type, kept))
        total = found if total is None else builder.or_(total, found)
    if total is not None:
        writer.set_tangent(i, (), total)


def _shifted(builder: Builder, value: Value, by: int) -> Value:
    """Bytes up, or down where `by` is negative."""
    if not by:
        return value
    amount = constants.int_constant(value.type, 8 * abs(by))
    return builder.shl(value, amount) if by > 0 else builder.lshr(value, amount)


def _resized(builder: Builder, value: Value, type_: IntType) -> Value:
    assert isinstance(value.type, IntType)
    if value.type.bits == type_.bits:
        return value
    return builder.trunc(value, type_) if value.type.bits > type_.bits else builder.zext(value, type_)

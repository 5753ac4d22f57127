"""Forward mode for integers that are computed with (asked_integers.py): tangents are the bits of shadow memory.

An integer that is none has no tangent: its bits are zero. Where they are not, an operation computes with the bits of a number (or
with a pointer to memory that carries derivatives). If the result is certain to be wanted, the call ends there. Otherwise the
optimizer may have moved the operation to where nobody asks for it; its tangent is then NaN, all bits set, and the entry ends the
call should that come to the result.

Of a tangent, some bytes may be zero while others are not. So an integer that may be a part of a number (the low half of one) has a
truth value beside its tangent: whether there is one in the rest (`Rest`). Where the rest did not come along, nobody can tell; who
computes with that is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from enzyme_magic.backend.autodiff import asked_integers
from enzyme_magic.backend.autodiff.memory import kinds
from enzyme_magic.backend.autodiff.subject import Subject
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.instructions import Freeze, Instruction, Load, Phi, Select, Store
from enzyme_magic.backend.ir.types import I1, I64, FloatType, IntType
from enzyme_magic.backend.ir.values import Block, Value

if TYPE_CHECKING:
    from enzyme_magic.backend.autodiff.context import SweepContext
    from enzyme_magic.backend.autodiff.sweeps.forward import TangentWriter


UNTOLD = (
    "a part of a floating number may have been put here without the rest, so that forward mode cannot tell whether an integer is"
    " none"
)
HINT = "move whole numbers, or use reverse mode"


@dataclass(slots=True, repr=False)
class Rest:
    """Of asked integers: whether numbers of which they may be a part have a tangent elsewhere."""

    context: SweepContext
    subject: Subject
    carried: AbstractSet[Value]
    tangent: Callable[[Value], Value | None]
    known: dict[Value, Value] = field(default_factory=dict)
    _alone: frozenset[Value] | None = None  # of which nobody can tell

    def of(self, value: Value) -> Value:
        return self.known.get(value) or constants.int_constant(I1, 0)

    def is_alone(self, value: Value) -> bool:
        """Whether a value may be a part of a number that was moved without the rest."""
        if self._alone is None:
            self._alone = _alone(self.subject)
        return value in self._alone

    def _follows(self, i: Instruction) -> bool:
        return self.context.asks and (i in self.subject.asked or i in self.carried)

    def store(self, builder: Builder, i: Store, place: Value) -> None:
        """Bytes that leave the rest behind must say whether there is a tangent, those of integers that there is none. place: the
        shadow of where they go."""
        rest, tangent = self.known.get(i.value), self.tangent(i.value)
        if rest is not None and tangent is not None:
            hidden = builder.and_(rest, builder.icmp("eq", tangent, constants.zero(tangent.type)))
            kinds.piece(self.context, builder, place, self._size(i.value), hidden)
        elif tangent is None and self._is_none(i.value):
            kinds.integer(self.context, builder, place, self._size(i.value))
        else:
            self.overwrite(builder, i.value, place)

    def overwrite(self, builder: Builder, value: Value, place: Value) -> None:
        """What was known of bytes holds no more."""
        kinds.piece(self.context, builder, place, self._size(value))

    def _size(self, value: Value) -> Value:
        return constants.int_constant(I64, self.subject.facts.alias.layout.store_size(value.type))

    def _is_none(self, value: Value) -> bool:
        """Whether an integer is certainly no number with a tangent."""
        return isinstance(value.type, IntType) and value not in self.carried and not self.subject.activity.active(value)

    def load(self, builder: Builder, i: Load, place: Value) -> None:
        """`place`: the shadow of what is loaded."""
        if self._follows(i) and asked_integers.is_whole(i):
            width = self.subject.facts.types.widest_number(i)
            count = self.subject.facts.alias.layout.store_size(i.type)
            if width > count:
                self.known[i] = kinds.in_word(builder, place, count, 8 if width < 16 else 16)

    def select(self, builder: Builder, i: Instruction, condition: Value) -> None:
        if self._follows(i) and any(v in self.known for v in i.operands[1:]):
            self.known[i] = builder.select(condition, self.of(i.operands[1]), self.of(i.operands[2]))

    def move(self, i: Instruction) -> None:
        if isinstance(i, Freeze) and i.operands[0] in self.known:
            self.known[i] = self.known[i.operands[0]]

    def open_phi(self, i: Phi, primal: Phi) -> None:
        if self._follows(i) and asked_integers.is_whole(i) and primal.parent is not None:
            self.known[i] = Builder(primal.parent).phi(I1)

    def close_phis(self, block_of: Callable[[Block], Block]) -> None:
        """Where all else is written."""
        for i, made in self.known.items():
            if isinstance(i, Phi) and isinstance(made, Phi):
                for value, block in i.incoming:
                    Builder(block_of(block)).add_incoming(made, self.of(value), block_of(block))


def _alone(subject: Subject) -> frozenset[Value]:
    found: set[Value] = {i for i in subject.asked if isinstance(i, Load) and subject.facts.types.is_cut(i)}
    pending = [i for i in subject.asked if isinstance(i, Instruction) and not isinstance(i, Load)]
    while new := [i for i in pending if i not in found and any(v in found for v in _handed_on(subject, i))]:
        found.update(new)
    return frozenset(found)


def _handed_on(subject: Subject, i: Instruction) -> list[Value]:
    """The operands of which bytes are in the result."""
    if isinstance(i, asked_integers.MERGES):
        return list(i.operands[isinstance(i, Select) :])
    if not isinstance(i.type, IntType) or not asked_integers.is_operation(i):
        return []
    return [part.operand for part in asked_integers.parts(subject.facts.alias.layout, i) if part.moved]


def write(writer: TangentWriter, builder: Builder, i: Instruction) -> None:
    """The tangent of an operation on integers."""
    if asked_integers.is_written(i):
        tangent = writer.tangent(i.operands[0])
        if tangent is not None:
            writer.set_tangent(i, (), builder.cast("bitcast", tangent, i.type))
    elif isinstance(i.type, FloatType):
        tangent = writer.tangent(i.operands[0])
        if tangent is not None:
            arrived = _arrived(writer, builder, i, i.operands[0], tangent)
            nothing, lost = constants.zero(i.type), constants.float_constant(i.type, float("nan"))
            writer.set_tangent(i, (), builder.select(arrived, lost, nothing))
    else:
        _bytes(writer, builder, i)


def _arrived(writer: TangentWriter, builder: Builder, i: Instruction, operand: Value, tangent: Value) -> Value:
    """Whether there is a tangent; noted, or the end of the call."""
    if writer.rest.is_alone(operand):
        raise writer.context.fail(i, UNTOLD, HINT, "EM223")
    arrived: Value = builder.icmp("ne", tangent, constants.zero(tangent.type))
    if operand in writer.rest.known:
        arrived = builder.or_(arrived, writer.rest.known[operand])
    note = kinds.suspect if i in writer.subject.demand.conditional else kinds.are_numbers
    note(writer.context, builder, i, arrived)
    return arrived


def _bytes(writer: TangentWriter, builder: Builder, i: Instruction) -> None:
    assert isinstance(i.type, IntType)
    total: Value | None = None
    rest: Value | None = None
    for part in asked_integers.parts(writer.context.layout, i):
        tangent = writer.tangent(part.operand)
        if tangent is None:
            continue
        kept = (1 << 8 * part.length) - 1 << 8 * part.start
        if part.moved:
            moved = _resized(builder, _shifted(builder, tangent, -part.origin), i.type)
            found = _shifted(builder, moved, part.start)
            beside = _beside(writer, builder, part, tangent)
            rest = beside if rest is None else builder.or_(rest, beside)
        else:
            found = builder.sext(_arrived(writer, builder, i, part.operand, tangent), i.type)
        found = builder.and_(found, constants.int_constant(i.type, kept))
        total = found if total is None else builder.or_(total, found)
    if total is not None:
        writer.set_tangent(i, (), total)
    if rest is not None:
        writer.rest.known[i] = rest


def _beside(writer: TangentWriter, builder: Builder, part: asked_integers.BytePart, tangent: Value) -> Value:
    """Whether a number that an operand's bytes are a part of has a tangent."""
    width = writer.subject.facts.types.widest_number(part.operand) or 1
    low, high = part.origin // width * width, -(-(part.origin + part.length) // width) * width
    kept = (1 << 8 * high) - (1 << 8 * low) & (1 << 8 * writer.context.layout.store_size(tangent.type)) - 1
    around = builder.and_(tangent, constants.int_constant(tangent.type, kept))
    found = builder.icmp("ne", around, constants.zero(tangent.type))
    known = writer.rest.known.get(part.operand)
    return found if known is None else builder.or_(found, known)


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

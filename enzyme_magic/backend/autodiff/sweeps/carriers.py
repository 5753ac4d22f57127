"""Integers of unknown content that are only moved: `char t = p[i]; p[i] = q[i]; q[i] = t;`.

They may hold a number, a part of one, or anything else. In forward mode their tangent is the bits of the shadow. In reverse mode
their adjoint is memory of its own, with the kinds of its bytes (memory/kinds.py): a store moves marked bytes from the shadow of
where it stores into it, a load moves them on to the shadow of where it loads from.

Theorem of `carried`: the greatest set of active integers without known leaves that are loaded, or merged from members of the
set, and that go nowhere but into stores, comparisons and members of the set. So no derivative can leave it but through memory.

Not carried: shadow pointers in reverse mode; where the bytes are some, the call ends with an error.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from enzyme_magic.backend.analysis.types.type_tree import Unknown
from enzyme_magic.backend.autodiff.cache.recompute import ReversePrimals
from enzyme_magic.backend.autodiff.context import SweepContext
from enzyme_magic.backend.autodiff.memory import kinds
from enzyme_magic.backend.autodiff.subject import Subject
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.instructions import Compare, Freeze, Instruction, Load, Phi, Select, Store
from enzyme_magic.backend.ir.types import I8, I64, ArrayType, IntType
from enzyme_magic.backend.ir.values import Argument, Block, Value

MERGES = (Phi, Select, Freeze)


def carried(subject: Subject) -> frozenset[Value]:
    """The integers of one function that are moved without its being known what they hold."""
    users: dict[Value, list[Instruction]] = defaultdict(list)
    found: set[Value] = set()
    for i in subject.prepared.function.instructions():
        for operand in i.operands:
            users[operand].append(i)
        if isinstance(i, (Load, *MERGES)) and _is_whole(i) and subject.activity.active(i):
            found |= {i} if isinstance(subject.leaves(i), Unknown) else set()
    while True:
        stays = {v for v in found if _is_closed(subject, v, found, users)}
        if len(stays) == len(found):
            return frozenset(found)
        found = stays


def _is_whole(i: Instruction) -> bool:
    plain = not isinstance(i, Load) or not (i.volatile or i.ordering)
    return plain and isinstance(i.type, IntType) and i.type.bits % 8 == 0


def _is_closed(subject: Subject, value: Value, found: set[Value], users: dict[Value, list[Instruction]]) -> bool:
    arms = merged(value)
    if any(
        arm not in found and isinstance(arm, (Instruction, Argument)) and subject.activity.active(arm) for arm in arms
    ):
        return False
    return all(isinstance(u, Compare) or u in found or _keeps(u, value) for u in users[value])


def _keeps(user: Instruction, value: Value) -> bool:
    return isinstance(user, Store) and user.value is value and not (user.volatile or user.ordering)


def merged(value: Value) -> list[Value]:
    """What a merge chooses from."""
    if not isinstance(value, MERGES):
        return []
    return list(value.operands[1:] if isinstance(value, Select) else value.operands)


@dataclass(slots=True, repr=False)
class CarriedAdjoints:
    """Adjoints of carried integers in reverse mode. prologue: the first instructions of the function with the reverse sweep."""

    context: SweepContext
    subject: Subject
    primals: ReversePrimals
    prologue: Builder
    values: frozenset[Value]
    _slots: dict[tuple[Value, str], Value] = field(default_factory=dict)

    def write(self, builder: Builder, i: Instruction) -> bool:
        """The adjoint of a load, select, freeze or store of a carried integer; False where it is nothing of the kind."""
        if isinstance(i, Store) and i.value in self.values:
            if any(self.subject.activity.active(o) for o in self.subject.alias.base_objects(i.pointer)):
                shadow = self.primals.shadow(builder, i.pointer)
                self._move(builder, i, shadow, self._slot(i.value), i.value)
        elif i not in self.values:
            return False
        elif isinstance(i, Load):
            self._move(builder, i, self._slot(i), self.primals.shadow(builder, i.pointer), i)
        elif isinstance(i, Freeze):
            self._give(builder, i, self._slot(i), i.operands[0])
        elif isinstance(i, Select):
            self._select(builder, i)
        return True

    def _select(self, builder: Builder, i: Select) -> None:
        condition, *arms = i.operands
        nowhere = self._slot(i, "dropped")
        chosen = [self._slot(arm) if arm in self.values else nowhere for arm in arms]
        place = builder.select(self.primals.primal(builder, condition), chosen[0], chosen[1])
        self._move(builder, i, self._slot(i), place, i)
        kinds.clear(self.context, builder, i, nowhere, self._size(i))

    def take(self, builder: Builder, phi: Phi) -> None:
        """Read the adjoint of a phi before any other phi of its block gives its own on."""
        self._move(builder, phi, self._slot(phi), self._slot(phi, "taken"), phi)

    def pass_on(self, builder: Builder, phi: Phi, predecessor: Block) -> None:
        """Along the edge that was taken."""
        self._give(builder, phi, self._slot(phi, "taken"), phi.value_from(predecessor))

    def _give(self, builder: Builder, user: Instruction, slot: Value, to: Value) -> None:
        if to in self.values:
            self._move(builder, user, slot, self._slot(to), to)
        else:
            kinds.clear(self.context, builder, user, slot, self._size(user))

    def _move(self, builder: Builder, user: Instruction, target: Value, source: Value, of: Value) -> None:
        kinds.move(self.context, builder, user, target, source, self._size(of))

    def _size(self, value: Value) -> Value:
        return constants.int_constant(I64, self.context.layout.store_size(value.type))

    def _slot(self, value: Value, what: str = "adjoint") -> Value:
        slot = self._slots.get((value, what))
        if slot is None:
            type_ = ArrayType(self.context.layout.store_size(value.type), I8)
            slot = self._slots[value, what] = self.prologue.alloca(type_, align=16)
            self.context.zero_memory(self.prologue, slot, self._size(value))
            kinds.fresh(self.context, self.prologue, slot, self._size(value))
        return slot

"""Integers of unknown content that are only moved: `char t = p[i]; p[i] = q[i]; q[i] = t;`.

They may hold a number, a pointer, a part of one, or anything else. In forward mode their tangent is the bits of the shadow. In
reverse mode their adjoint is memory of its own, with the kinds of its bytes (memory/kinds.py): a store moves marked bytes from the
shadow of where it stores into it, a load moves them on to the shadow of where it loads from. In the forward sweep shadow pointers
go the other way, from where is loaded to where is stored; not through merges, where the call ends with an error should there be
one.

Theorem of `carried`: the greatest set of integers that are active without known leaves, or are loaded where pointers to memory
with derivatives may lie, or merged from members of the set, and that go nowhere but into stores, numbers, comparisons and members
of the set; and those that are computed with (asked_integers.py). So no derivative and no shadow can leave it but through memory.
Of it go those that are without derivative and in no way to memory: nothing of them would be missed.
`lost_pointers` tells what of pointers leaves it otherwise.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from enzyme_magic.backend.analysis.memory import tbaa
from enzyme_magic.backend.analysis.types.type_tree import INTEGER, Contents, Unknown
from enzyme_magic.backend.autodiff import asked_integers
from enzyme_magic.backend.autodiff.asked_integers import MERGES, is_read, is_whole, is_written, leads_on
from enzyme_magic.backend.autodiff.cache.recompute import ReversePrimals
from enzyme_magic.backend.autodiff.context import SweepContext
from enzyme_magic.backend.autodiff.memory import kinds
from enzyme_magic.backend.autodiff.memory.memory_adjoints import advance
from enzyme_magic.backend.autodiff.subject import Subject
from enzyme_magic.backend.autodiff.sweeps.adjoints import Adjoints
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.instructions import (
    Call,
    Cast,
    Compare,
    Freeze,
    Instruction,
    Load,
    Phi,
    Select,
    Store,
    Switch,
)
from enzyme_magic.backend.ir.types import I8, I64, ArrayType, IntType, Type
from enzyme_magic.backend.ir.values import Argument, Block, Value

if TYPE_CHECKING:
    from enzyme_magic.backend.autodiff.sweeps.primal_copy import PrimalCopy

LOOKS = (Compare, Switch)  # where a derivative and a shadow end


def carried(subject: Subject) -> frozenset[Value]:
    """The integers of one function that are moved without its being known what they hold."""
    users = _users(subject)
    asked = {v for v in subject.asked if isinstance(v.type, IntType)}
    found: set[Value] = set(asked)
    for i in users.instructions:
        if isinstance(i, (Load, *MERGES)) and _is_whole(i) and subject.activity.active(i):
            found |= {i} if _is_unknown(subject, i) else set()
    doubtful = frozenset(_pointer_bytes(subject, users, storage=True))
    pending: list[Instruction] = [*doubtful]
    while pending:
        value = pending.pop()
        if value not in found:
            found.add(value)
            pending += [
                u for u in users.of[value] if isinstance(u, MERGES) and _is_whole(u) and not subject.activity.active(u)
            ]
    merging = _merging(subject, found, users)
    found |= merging
    while True:
        stays = {
            v
            for v in found
            if v in asked
            or ((v in doubtful or v in merging or _is_unknown(subject, v)) and _is_closed(subject, v, found, users))
        }
        if len(stays) == len(found):
            return frozenset(found - _looked_at(subject, found - asked, users))
        found = stays


def _looked_at(subject: Subject, found: set[Value], users: _Users) -> set[Value]:
    """Members without derivative that are compared or computed with, and nothing else: no store takes what they hold to memory."""
    while True:
        stays = {
            v
            for v in found
            if not subject.activity.active(v)
            and all(isinstance(u, LOOKS) or u in found or _is_lost(subject, v, u, users) for u in users.of[v])
        }
        if len(stays) == len(found):
            return found
        found = stays


def _merging(subject: Subject, found: set[Value], users: _Users) -> set[Value]:
    """Merges of members: what a type says of one is no more certain than what it chooses from."""
    reached: set[Value] = set()
    pending = list(found)
    while pending:
        merges = (u for u in users.of[pending.pop()] if isinstance(u, MERGES) and _is_whole(u))
        new = [u for u in merges if u not in reached and subject.activity.active(u)]
        reached.update(new)
        pending += new
    return reached - found


def mixed(subject: Subject) -> frozenset[Value]:
    """Merges of numbers with bits of integers, by type all numbers, that go nowhere but into memory: so optimizers store the
    members of a union."""
    users = _users(subject)
    merges = [i for i in users.instructions if isinstance(i, MERGES) and kinds.are_marked([i.type])]
    found: set[Value] = {i for i in merges if subject.activity.active(i)}
    while True:
        stays = {v for v in found if all(isinstance(u, LOOKS) or u in found or _keeps(u, v) for u in users.of[v])}
        if len(stays) == len(found):
            break
        found = stays
    reached: set[Value] = set()
    while new := {v for v in found - reached if any(is_read(o) or o in reached for o in _instructions(merged(v)))}:
        reached |= new
    return frozenset(reached)


def _instructions(values: list[Value]) -> list[Instruction]:
    return [v for v in values if isinstance(v, Instruction)]


def lost_pointers(subject: Subject, carried: frozenset[Value]) -> Load | None:
    """A load of what may be a part of a pointer, that something else than a move puts where pointers may lie."""
    users = _users(subject)
    return next((i for i in _pointer_bytes(subject, users) if i not in carried and _returns(subject, i, users)), None)


@dataclass(frozen=True, slots=True, repr=False)
class _Users:
    instructions: list[Instruction]
    of: dict[Value, list[Instruction]]


def _users(subject: Subject) -> _Users:
    users: dict[Value, list[Instruction]] = defaultdict(list)
    instructions = list(subject.prepared.function.instructions())
    for i in instructions:
        for operand in i.operands:
            users[operand].append(i)
    return _Users(instructions, users)


def _pointer_bytes(subject: Subject, users: _Users, *, storage: bool = False) -> list[Load]:
    """Loads of integers, which C does not call such, where pointers to memory with derivatives may lie. storage: where there are
    characters, too."""
    return [
        i
        for i in users.instructions
        if isinstance(i, Load)
        and _is_whole(i)
        and any(not isinstance(u, LOOKS) for u in users.of[i])
        and _may_hold_pointers(subject, i.pointer, i.type, tbaa.scalar_name(i), storage=storage)
    ]


def _may_hold_pointers(
    subject: Subject, pointer: Value, type_: Type, name: str | None, *, storage: bool = False
) -> bool:
    """name: what C calls the access, where that is known."""
    if not subject.leads_to_active(pointer):
        return False
    types, size = subject.facts.types, subject.facts.alias.layout.store_size(type_)
    integer = name in tbaa.INTEGERS
    if types.steps_through_integers(pointer, size):
        return False
    if integer or types.holds_pointer(pointer, size, integer=False):
        return not integer or types.holds_pointer(pointer, size, integer=True)
    found = types.loaded_from(pointer, size)
    if isinstance(found, Contents) and found.only() == INTEGER:
        return storage and types.is_storage(pointer, size)
    return isinstance(found, Unknown) or bool(found.pointers) or types.may_hold_pointer(pointer, size)


def _returns(subject: Subject, start: Instruction, users: _Users) -> bool:
    pending: list[Value] = [start]
    seen: set[Value] = set(pending)
    while pending:
        value = pending.pop()
        for user in users.of[value]:
            if isinstance(user, Store):
                name = tbaa.scalar_name(user)
                if user.value is value and _may_hold_pointers(subject, user.pointer, value.type, name):
                    return True
            elif (
                isinstance(user.type, IntType)
                and user.type.bits >= 8
                and not isinstance(user, (Load, Call))
                and user not in seen
            ):
                seen.add(user)
                pending.append(user)
    return False


def _is_whole(i: Instruction) -> bool:
    return is_whole(i) and (not isinstance(i, Load) or not (i.volatile or i.ordering))


def _is_unknown(subject: Subject, value: Value) -> bool:
    leaves = subject.leaves(value)
    return not subject.activity.active(value) or isinstance(leaves, Unknown) or not leaves


def _is_closed(subject: Subject, value: Value, found: set[Value], users: _Users) -> bool:
    active = subject.activity.active
    if any(v not in found and isinstance(v, (Instruction, Argument)) and active(v) for v in merged(value)):
        return False
    return all(
        isinstance(u, LOOKS) or u in found or _keeps(u, value) or is_read(u) or _is_end(subject, value, u, users)
        for u in users.of[value]
    )


def _is_end(subject: Subject, value: Value, user: Instruction, users: _Users) -> bool:
    """Whether an integer is computed with, and neither a derivative nor a shadow pointer would go on."""
    computed = isinstance(user.type, IntType) and not isinstance(user, (Load, Call))
    return computed and not leads_on(subject, value, user) and not _returns(subject, user, users)


def _is_lost(subject: Subject, value: Value, user: Instruction, users: _Users) -> bool:
    return not isinstance(user, MERGES) and _is_end(subject, value, user, users)


def _keeps(user: Instruction, value: Value) -> bool:
    return isinstance(user, Store) and user.value is value and not (user.volatile or user.ordering)


def merged(value: Value) -> list[Value]:
    """What a merge chooses from."""
    if not isinstance(value, MERGES):
        return []
    return list(value.operands[1:] if isinstance(value, Select) else value.operands)


def chosen(value: Value) -> set[Value]:
    """What a value is, through all merges."""
    found, pending = set[Value](), [value]
    while pending:
        one = pending.pop()
        if one not in found:
            found.add(one)
            pending += merged(one)
    return {one for one in found if not isinstance(one, MERGES)}


@dataclass(slots=True, repr=False)
class CarriedAdjoints:
    """Adjoints of carried integers in reverse mode. prologue: the first instructions of the function with the reverse sweep."""

    context: SweepContext
    subject: Subject
    primals: ReversePrimals
    prologue: Builder
    values: frozenset[Value]
    forward: PrimalCopy
    adjoints: Adjoints
    _slots: dict[tuple[Value, str], Value] = field(default_factory=dict)

    def copy_pointers(self) -> None:
        """The forward sweep: shadow pointers among what is carried."""
        held: dict[Value, Value] = {}
        users = _users(self.subject).of
        for i in self.subject.prepared.function.instructions():
            if isinstance(i, Load) and i in self.values and self.subject.leads_to_active(i.pointer):
                builder, shadow = self.forward.after(i), self.forward.shadows.of(i.pointer)
                if any(self._is_merge(u) or self._passes_pointers(i, u) for u in users[i]):
                    kinds.no_pointers(self.context, builder, i, shadow, self._size(i))
                else:
                    held[i] = self._new_slot(self.forward.prologue(), i)
                    kinds.copy_pointers(self.context, builder, i, held[i], shadow, self._size(i))
        for i in self.subject.prepared.function.instructions():
            if isinstance(i, Store) and i.value in held and self.subject.leads_to_active(i.pointer):
                shadow = self.forward.shadows.of(i.pointer)
                kinds.copy_pointers(self.context, self.forward.after(i), i, shadow, held[i.value], self._size(i.value))

    def _is_merge(self, user: Instruction) -> bool:
        return isinstance(user, MERGES) and user in self.values

    def _passes_pointers(self, i: Load, user: Instruction) -> bool:
        """Whether an operation may make something of the bytes of a pointer that is one again."""
        return user in self.values and user in self.subject.asked and _returns(self.subject, i, _users(self.subject))

    def write(self, builder: Builder, i: Instruction) -> bool:
        """The adjoint of a load, select, freeze, store or operation of carried integers; False where it is nothing of the kind."""
        if isinstance(i, Store) and i.value in self.values:
            self._store(builder, i)
        elif isinstance(i, Load) and i in self.subject.asked and i not in self.values:
            self._move(builder, i, self._slot(i), self.primals.shadow(builder, i.pointer), i)
            return False  # its adjoint as a number goes there, too
        elif asked_integers.computes(self.subject, i):
            self._operation(builder, i)
        elif is_read(i) and i.operands[0] in self.values:
            self._read(builder, i)
        elif i not in self.values:
            return False
        elif not self.subject.activity.active(i):
            return True
        elif isinstance(i, Load):
            self._move(builder, i, self._slot(i), self.primals.shadow(builder, i.pointer), i)
        elif isinstance(i, Freeze):
            self._give(builder, i, self._slot(i), i.operands[0])
        elif isinstance(i, Select):
            self._select(builder, i)
        return True

    def _read(self, builder: Builder, i: Instruction) -> None:
        if self.subject.activity.active(i) and self.subject.activity.active(i.operands[0]):
            parts = self.adjoints.take(builder, i)
            flags = self.adjoints.flags(builder, i, parts)
            for path, part in parts.items():
                flag = flags.get(path)
                kept = part if flag is None else builder.select(flag, part, constants.zero(part.type))
                kinds.Marked(self.context).add(builder, i, self._slot(i.operands[0]), kept)

    def _store(self, builder: Builder, i: Store) -> None:
        if any(self.subject.activity.active(o) for o in self.subject.alias.base_objects(i.pointer)):
            shadow = self.primals.shadow(builder, i.pointer)
            if self.subject.activity.active(i.value):
                self._move(builder, i, shadow, self._slot(i.value), i.value)
            else:
                kinds.clear(self.context, builder, i, shadow, self._size(i.value))

    def _operation(self, builder: Builder, i: Instruction) -> None:
        """An operation on integers has no derivative: the adjoint that arrives there leaves a stain, should it be a number's."""
        if not self.subject.activity.active(i):
            return
        number = i.operands[0]
        if is_written(i) and number in self.subject.asked:
            self._move(builder, i, self._slot(i), self._slot(number), i)
        elif is_written(i):
            adjoint = kinds.Marked(self.context).take(builder, i, self._slot(i), number.type)
            if self.subject.activity.active(number):
                self.adjoints.add(builder, number, (), adjoint, None)
        elif i in self.values:
            self._bytes(builder, i)
        else:
            parts = self.adjoints.take(builder, i)
            flags = self.adjoints.flags(builder, i, parts)
            for path, part in parts.items():
                slot, size = self._slot(i.operands[0]), self._size(i.operands[0])
                kinds.stain(self.context, builder, i, slot, size, part, flags.get(path))

    def _bytes(self, builder: Builder, i: Instruction) -> None:
        parts = [p for p in asked_integers.parts(self.context.layout, i) if p.operand in self.values]
        for part in (p for p in parts if not p.moved):
            result = advance(builder, self._slot(i), part.start), constants.int_constant(I64, part.length)
            operand = self._slot(part.operand), self._size(part.operand)
            kinds.pass_stain(self.context, builder, i, result, operand)
        for part in (p for p in parts if p.moved):
            source, target = advance(builder, self._slot(i), part.start), self._slot(part.operand)
            length = constants.int_constant(I64, part.length)
            kinds.move(self.context, builder, i, source, advance(builder, target, part.origin), length)
        kinds.clear(self.context, builder, i, self._slot(i), self._size(i))

    def _select(self, builder: Builder, i: Select) -> None:
        condition, *arms = i.operands
        chosen = [self._slot(i, f"arm {k}") for k, _ in enumerate(arms)]
        place = builder.select(self.primals.primal(builder, condition), chosen[0], chosen[1])
        self._move(builder, i, self._slot(i), place, i)
        for slot, arm in zip(chosen, arms, strict=True):
            self._give(builder, i, slot, arm)

    def take(self, builder: Builder, phi: Phi) -> None:
        """Read the adjoint of a phi before any other phi of its block gives its own on."""
        self._move(builder, phi, self._slot(phi), self._slot(phi, "taken"), phi)

    def pass_on(self, builder: Builder, phi: Phi, predecessor: Block) -> None:
        """Along the edge that was taken."""
        self._give(builder, phi, self._slot(phi, "taken"), phi.value_from(predecessor))

    def _give(self, builder: Builder, user: Instruction, slot: Value, to: Value) -> None:
        if to in self.values:
            self._move(builder, user, slot, self._slot(to), to)
        elif isinstance(to, Cast) and is_read(to) and to.operands[0] in self.values:
            self._move(builder, user, slot, self._slot(to.operands[0]), to)
        elif kinds.are_marked([to.type]) and self.subject.activity.active(to):
            adjoint = kinds.Marked(self.context).take(builder, user, slot, to.type)
            self.adjoints.add(builder, to, (), adjoint, None)
        else:
            kinds.clear(self.context, builder, user, slot, self._size(user))

    def _move(self, builder: Builder, user: Instruction, target: Value, source: Value, of: Value) -> None:
        kinds.move(self.context, builder, user, target, source, self._size(of))

    def _size(self, value: Value) -> Value:
        return constants.int_constant(I64, self.context.layout.store_size(value.type))

    def _slot(self, value: Value, what: str = "adjoint") -> Value:
        slot = self._slots.get((value, what))
        if slot is None:
            slot = self._slots[value, what] = self._new_slot(self.prologue, value)
        return slot

    def _new_slot(self, prologue: Builder, value: Value) -> Value:
        slot = prologue.alloca(ArrayType(self.context.layout.store_size(value.type), I8), align=16)
        self.context.zero_memory(prologue, slot, self._size(value))
        kinds.fresh(self.context, prologue, slot, self._size(value))
        return slot

"""Registers that hold a number or a pointer, and only the run knows which.

    typedef union { double d; double *v; } U;        *r = k ? *a : *b;

Optimizers move a union in a register of the type of any of its members, and merge there what was written as one member and what
was written as another. Nobody follows a pointer in a `double`, and where an integer is followed, it has to be one or the other.
In memory the bytes are what was put there (prepare/bits/mixed_memory.py).

The groups of the union-find over loads of one word, phis, selects and freezes, joined where one takes another, also by casts that
keep all bits. A group is mixed where a number and a pointer go into it, or what is loaded from memory that may hold either, as a
number or an integer, or as a pointer of which C does not say that it is one; and where it goes on as both: into memory that may
hold either, or by a copy of which C does not say what it copies; or by a cast as the other; or followed elsewhere than where it
was made (optimizers load before the program asks what it is). So is a pointer in a register of another type, where it is stored
into memory that may hold either.

What no group has (vectors, parts of a word, volatile accesses) is refused where it is a number that may be an address and goes on
so (`MixedUses.of`). Not found: what lies in aggregates, and numbers that are loaded as pointers (types/moved_bytes.py).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import Enum, auto
from typing import Protocol

from enzyme_magic.backend.analysis.memory import tbaa
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.graphs import loops
from enzyme_magic.backend.ir.graphs.def_use import users
from enzyme_magic.backend.ir.graphs.loops import Loops
from enzyme_magic.backend.ir.instructions import (
    Branch,
    Call,
    Cast,
    ExtractElement,
    Freeze,
    InsertElement,
    Instruction,
    Load,
    Phi,
    Select,
    ShuffleVector,
    Store,
    Switch,
)
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.types import I1, I64, POINTER, FloatType, IntType, PointerType, Type
from enzyme_magic.backend.ir.values import Argument, Constant, ConstantKeyword, Value
from enzyme_magic.backend.prepare.bits.mixed_memory import before_loops, is_word, origin

_MERGES = (Phi, Select, Freeze)
_LANES = (ExtractElement, InsertElement, ShuffleVector)


class _Nature(Enum):
    NUMBER = auto()
    POINTER = auto()
    EITHER = auto()
    OTHER = auto()


_BOTH = {_Nature.NUMBER, _Nature.POINTER}
Users = dict[Value, list[Instruction]]


class WordTypes(Protocol):
    """What the type analysis says of words."""

    sizes: DataLayout

    def may_hold_either(self, pointer: Value, size: int, *, declared: bool = True) -> bool: ...
    def may_be_either(self, value: Value, at: int, size: int) -> bool: ...
    def may_be_pointer(self, value: Value, at: int, size: int) -> bool: ...


def mixed_registers(function: Function, types: WordTypes) -> frozenset[Instruction]:
    """The loads and merges of `function` that are mixed; and stores of numbers as pointers, or of pointers as numbers."""
    used, around = users(function), loops.find(function)
    found = {i for group in _groups(function) if _is_mixed(group, used, around, types) for i in group}
    return frozenset(found | {i for i in function.instructions() if isinstance(i, Store) and _stores_other(i)})


def _stores_other(store: Store) -> bool:
    stored, is_ = _nature_of(store.value.type), _nature_of(origin(store.value).type)
    return not (store.volatile or store.ordering) and stored != is_ and _Nature.OTHER not in (stored, is_)


def choices(merge: Instruction) -> list[Value]:
    """The operands of a merge that are what it may be."""
    return merge.operands[1:] if isinstance(merge, Select) else merge.operands


# --- groups


def _groups(function: Function) -> Iterable[list[Instruction]]:
    """Loads and merges of words, in groups in which one takes another."""
    members = [i for i in function.instructions() if is_word(i) and (_is_plain_load(i) or _is_merge(i))]
    parent: dict[Value, Value] = {i: i for i in members}

    def root(value: Value) -> Value:
        while parent[value] is not value:
            parent[value] = value = parent[parent[value]]
        return value

    for i in members:
        for taken in map(origin, choices(i)) if not isinstance(i, Load) else ():
            if taken in parent:
                parent[root(i)] = root(taken)
    groups: dict[Value, list[Instruction]] = defaultdict(list)
    for i in members:
        groups[root(i)].append(i)
    return groups.values()


def _is_plain_load(value: Value) -> bool:
    return isinstance(value, Load) and not (value.volatile or value.ordering)


def _is_merge(value: Value) -> bool:
    if isinstance(value, Select):
        return value.operands[0].type == I1
    if isinstance(value, Phi):
        return all(isinstance(block.instructions[-1], (Branch, Switch)) for block in value.blocks)
    return isinstance(value, Freeze)


def _is_mixed(group: Collection[Instruction], used: Users, around: Loops, types: WordTypes) -> bool:
    natures = {nature for member in group for nature in _natures(member, group, types)}
    both = natures >= _BOTH
    hidden = _Nature.POINTER in natures and any(member.type != POINTER for member in group)
    if not (_Nature.EITHER in natures or both or hidden):
        return False
    for member in group:
        for user, value in _uses(member, used):
            if _goes_on(user, value, types, hidden and not both):
                return True
            followed = value.type == POINTER and user not in group and not isinstance(user, Phi)
            if followed and (both or (not hidden and before_loops(user, member, around).parent is not member.parent)):
                return True
    return False


def _natures(member: Instruction, group: Collection[Instruction], types: WordTypes) -> Iterator[_Nature]:
    """What goes into a group by one of its members."""
    if isinstance(member, Load):
        yield _Nature.EITHER if _may_be_either(member, types) else _nature_of(member.type)
        return
    for value in map(origin, choices(member)):
        if not (isinstance(value, ConstantKeyword) or constants.is_zero(value) or value in group):
            yield _nature_of(value.type)


def _nature_of(type_: Type) -> _Nature:
    if type_ == POINTER:
        return _Nature.POINTER
    return _Nature.OTHER if isinstance(type_, IntType) else _Nature.NUMBER


def _uses(value: Value, used: Users) -> Iterator[tuple[Instruction, Value]]:
    """Who uses a value, also by casts that keep its bits, and as which value."""
    for user in used.get(value, ()):
        yield user, value
        if isinstance(user, Cast) and origin(user) is not user:
            yield from _uses(user, used)


def _goes_on(user: Instruction, value: Value, types: WordTypes, hidden: bool) -> bool:
    """Whether a use of `value` lets the bits be what they are, a number or a pointer. hidden: a pointer, in another register."""
    if isinstance(user, Cast):
        other = user.opcode == "inttoptr" or (user.opcode == "bitcast" and isinstance(user.type, FloatType))
        return other and origin(user) is not user and not hidden
    if not isinstance(user, Store) or user.value is not value or user.volatile or user.ordering:
        return False
    return (_is_untyped(user) and not hidden) or types.may_hold_either(user.pointer, types.sizes.store_size(value.type))


def _is_untyped(access: Instruction) -> bool:
    """Whether C does not say what is stored, or loaded: it may be a copy of anything."""
    return tbaa.scalar_name(access) is None


def _may_be_either(load: Load, types: WordTypes) -> bool:
    """Whether a number or a pointer is loaded. Where C says that it is a pointer, it is one."""
    if load.type == POINTER and not _is_untyped(load):
        return False
    integer = isinstance(load.type, IntType)
    return types.may_hold_either(load.pointer, types.sizes.store_size(load.type), declared=not integer)


# --- what is in no group


@dataclass(frozen=True, slots=True, eq=False)
class MixedUses:
    """Where numbers of a program may be addresses, or pointers numbers, and go on as such: as the types of the whole program say,
    before a function is looked at by itself. uses: stores and casts by which they do, with the parameters among what they use."""

    types: WordTypes
    uses: dict[Instruction, frozenset[Value]]

    @classmethod
    def of_program(cls, module: Module, types: WordTypes) -> MixedUses:
        given = _given(module, types)
        uses: dict[Instruction, frozenset[Value]] = {}
        for i in (i for function in module.definitions() for i in function.instructions()):
            found = frozenset(_going_on(i, given, types))
            if found:
                uses[i] = found
        return cls(types, uses)

    def of(self, i: Instruction) -> bool:
        """Whether a number that may be an address goes on as what it is, or a pointer that may be a number."""
        return i in self.uses

    def of_passed(self, function: Function, value: Value, at: int, type_: Type) -> bool:
        """Whether a parameter, or an integer at a place of a result, may be a number or an address, and goes on as what it is."""
        if isinstance(type_, (FloatType, PointerType)):
            return isinstance(value, Argument) and any(value in found for found in self.uses.values())
        if type_ != I64 or isinstance(value, Constant):
            return False
        size = self.types.sizes.store_size(type_)
        return self.types.may_be_pointer(value, at, size) or self.types.may_be_either(value, at, size)


def _given(module: Module, types: WordTypes) -> frozenset[Value]:
    """The parameters that are given what may be a number or an address."""
    given = [
        (formal, origin(actual))
        for caller in module.definitions()
        for call in caller.instructions()
        if isinstance(call, Call) and call.called_function is not None
        for formal, actual in zip(call.called_function.arguments, call.arguments, strict=False)
        if isinstance(formal.type, (FloatType, PointerType))
    ]
    found: set[Value] = {
        formal for formal, actual in given if isinstance(actual, Load) and _may_be_either(actual, types)
    }
    while more := {formal for formal, actual in given if actual in found and formal not in found}:
        found |= more
    return frozenset(found)


def _going_on(i: Instruction, given: AbstractSet[Value], types: WordTypes) -> Iterator[Value]:
    """What goes on as what its type does not say."""
    if isinstance(i, Cast):
        yield from (v for v in _sources(i) if _is_other(v, i.type)) if origin(i) is not i else ()
    elif isinstance(i, Store):
        found = [v for v in _sources(i.value) if v in given or (isinstance(v, Load) and _is_either_word(v, types))]
        size = types.sizes.store_size(i.value.type)
        yield from found if found and (_is_untyped(i) or types.may_hold_either(i.pointer, size)) else ()


def _is_either_word(load: Load, types: WordTypes) -> bool:
    return isinstance(load.type.scalar, (FloatType, PointerType)) and _may_be_either(load, types)


def _is_other(value: Value, type_: Type) -> bool:
    """Whether what is cast, at last, is a number that is followed, or a pointer of a caller that is read as a number."""
    if isinstance(type_, PointerType):
        return isinstance(value.type.scalar, FloatType)
    return isinstance(type_, FloatType) and isinstance(value, Argument) and isinstance(value.type, PointerType)


def _sources(value: Value) -> Iterator[Value]:
    """What a value was before it was merged, or put beside others."""
    pending, seen = [value], {value}
    while pending:
        found = origin(pending.pop())
        if not isinstance(found, (*_MERGES, *_LANES)):
            yield found
            continue
        new = [v for v in found.operands if v not in seen]
        seen.update(new)
        pending += new

"""Integers that are addresses, or parts of one, in any function of a program.

An address is an integer where `ptrtoint` makes it one, a call gives it, or a pointer's bytes, which lie in memory, are computed
with as an integer (that they are moved is the business of carriers.py); from there it is followed through every operation of which
it may come out again. It ends in differences of two addresses, comparisons, remainders, the lowest bits where they stand, and
`inttoptr`; and in floating numbers, where no function makes integers of such. Bytes taken one by one are followed.

Not decided here: whether it matters that an integer is kept (integer_addresses.py).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from enzyme_magic.backend.analysis.calls.effects import Effects
from enzyme_magic.backend.analysis.memory import tbaa
from enzyme_magic.backend.analysis.types.computed_bits import is_narrow_integer
from enzyme_magic.backend.analysis.types.inference import Types
from enzyme_magic.backend.ir.instructions import (
    AtomicRMW,
    Binary,
    Call,
    Cast,
    Compare,
    CompareExchange,
    Freeze,
    Instruction,
    Load,
    Phi,
    Return,
    Select,
    Store,
)
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import FloatType, IntType, PointerType, VoidType
from enzyme_magic.backend.ir.values import ConstantInt, Value
from enzyme_magic.backend.library.summary import ARGUMENT, argument

MOVES = (Phi, Select, Freeze)
BYTE = 8
_TO_NUMBERS = ("sitofp", "uitofp")
REMAINDERS = ("urem", "srem")
LOWEST = 4096  # below: alignments, tags
NARROWEST = 16  # bits of a part that may be a tag
POINTER_BITS = 64


@dataclass(slots=True, eq=False, repr=False)
class AddressIntegers:
    """Answers for one program, whose functions may be asked for as they are or prepared."""

    effects: Effects
    types: Types
    sizes: DataLayout
    _kept: dict[tuple[Function, bool], list[Instruction]] = field(default_factory=dict)
    _some: dict[tuple[Function, bool], list[Instruction]] = field(default_factory=dict)
    _given: dict[tuple[Function, bool], bool] = field(default_factory=dict)
    _digits: bool | None = None
    _open: list[tuple[Function, bool]] = field(default_factory=list)  # asked for and not yet known

    def begins(self, i: Instruction) -> bool:
        """Whether an address becomes an integer here."""
        if not isinstance(i, Call):
            return _is_cast(i)
        if isinstance(i.type, PointerType | VoidType) or not _is_defined(i):
            return False
        return bool(self.effects.call(i).returns) and self._gives(i, passed=False)

    def loads(self, function: Function) -> Iterator[Load]:
        """Integers in whose bytes a pointer may lie."""
        for i in function.instructions():
            if isinstance(i, Load) and isinstance(i.type, IntType) and i.type.bits >= BYTE and self._is_pointer(i):
                yield i

    def _is_pointer(self, load: Load) -> bool:
        integer = tbaa.scalar_name(load) in tbaa.INTEGERS
        return self.types.holds_pointer(load.pointer, self.sizes.store_size(load.type), integer=integer)

    def given(self, function: Function, loads: Iterable[Load]) -> Iterator[tuple[Value, Instruction]]:
        """What becomes of loaded integers that are not merely moved: calls that get them, uses of what is made of them. To where C
        says that narrow integers lie, nothing is merely moved: nobody looks for pointers there."""
        made: list[Value] = []
        for value, user in self.uses(function, loads, moved=True):
            if isinstance(user, Call) or (isinstance(user, Store) and self._is_hidden(function, value, user)):
                yield value, user
            if not isinstance(user, MOVES) and self._goes_on(user, value):
                made.append(user)
        yield from self.uses(function, made)

    def _is_hidden(self, function: Function, value: Value, store: Store) -> bool:
        """Whether bytes of pointers go from one object to another, to where integers are declared that have no room for one."""
        if not self._is_narrow(store):
            return False
        known = self.effects.points_to(function)
        into = known.base_objects(store.pointer)
        return len(into) != 1 or not isinstance(value, Load) or known.base_objects(value.pointer) != into

    def _is_narrow(self, store: Store) -> bool:
        places = self.types.seeds.places(store.pointer)
        return tbaa.scalar_name(store) in tbaa.NARROW or any(is_narrow_integer(*place) for place in places)

    def addresses_in(self, i: Instruction) -> list[Value]:
        """The values of which what begins here may be the address."""
        if not isinstance(i, Call):
            return [i.operands[0]]
        returns = self.effects.call(i).returns
        given = [v for k, v in enumerate(i.arguments) if argument(k) in returns]
        return [*given, i] if any(place.kind != ARGUMENT for place in returns) else given

    def uses(
        self, function: Function, begins: Iterable[Value], *, moved: bool = False
    ) -> Iterator[tuple[Value, Instruction]]:
        """Each use of these values, and of what they can be made of again; or, moved, of what they merely are."""
        users: dict[Value, list[Instruction]] = defaultdict(list)
        pending = list(begins)
        if pending:
            for i in function.instructions():
                for operand in i.operands:
                    users[operand].append(i)
        seen = set(pending)
        while pending:
            value = pending.pop()
            for user in users[value]:
                yield value, user
                if user not in seen and (isinstance(user, MOVES) if moved else self._goes_on(user, value)):
                    seen.add(user)
                    pending.append(user)

    def keeps_some(self, function: Function, is_harmless: Callable[[Instruction], bool], *, made: bool) -> bool:
        """Whether a call of a function may put parts of addresses into memory. made: of those that it makes of pointers; else also
        of what it finds in memory. (Of what is put where pointers have room, or is passed on whole, points-to sets tell where it
        leads.)"""
        key = function, made
        if key not in self._some:
            reached = self.effects.callgraph.reachable(function)
            self._some[key] = [user for f in reached if f.blocks for user in self._kept_by(f, made)]
        return not all(map(is_harmless, self._some[key]))

    def _kept_by(self, function: Function, made: bool) -> list[Instruction]:
        key = function, made
        if key not in self._kept:
            found = () if made else self.given(function, self.loads(function))
            begins = [i for i in function.instructions() if (_is_cast(i) if made else self.begins(i))]
            kept = ((value, user) for value, user in (*self.uses(function, begins), *found) if self.keeps(user, value))
            self._kept[key] = [user for value, user in kept if self.is_part(user, value)]
        return self._kept[key]

    def is_part(self, user: Instruction, value: Value) -> bool:
        """Whether what is kept has no room for a pointer: points-to sets do not tell where it leads."""
        if isinstance(user, Store):
            return self._is_narrow(user)
        return not isinstance(user, Call) or (isinstance(value.type, IntType) and value.type.bits < POINTER_BITS)

    def keeps(self, user: Instruction, value: Value) -> bool:
        """Whether an instruction puts the address into memory, itself or in the function it calls."""
        if isinstance(user, Store):
            return user.value is value
        if isinstance(user, Call) and _is_defined(user):
            summary = self.effects.call(user)
            places = [argument(k) for k, v in enumerate(user.arguments) if v is value]
            captured = any(summary.captures_argument(place.index) for place in places)
            return captured or any(pointee in places for _, pointee in summary.stores)
        return isinstance(user, (AtomicRMW, CompareExchange))

    def is_integer(self, user: Instruction) -> bool:
        """Whether an integer is stored that C calls one, where no pointer lies."""
        if not isinstance(user, Store) or tbaa.scalar_name(user) not in tbaa.INTEGERS:
            return False
        return not self.types.holds_pointer(user.pointer, self.sizes.store_size(user.value.type), integer=True)

    def _goes_on(self, user: Instruction, value: Value) -> bool:
        """Whether the address, or something it can be made of again, is in the result."""
        if isinstance(user.type, PointerType | VoidType) or isinstance(user, Compare | Load):
            return False
        if isinstance(user, Binary):
            return not _is_no_address(user)
        if isinstance(user, Cast):
            if user.opcode in _TO_NUMBERS:
                return self._numbers_become_integers()
            narrow = isinstance(user.type, IntType) and user.type.bits < NARROWEST
            return not (narrow and _is_unshifted(user.operands[0]))
        if isinstance(user, Call) and _is_defined(user):
            passed = [argument(k) for k, v in enumerate(user.arguments) if v is value]
            return not self.effects.call(user).returns.isdisjoint(passed) and self._gives(user, passed=True)
        return not isinstance(user, Call) or getattr(user.callee, "name", "").startswith("llvm.")

    def _numbers_become_integers(self) -> bool:
        if self._digits is None:
            functions = self.effects.callgraph.module.definitions()
            self._digits = any(_is_of_number(i) for function in functions for i in function.instructions())
        return self._digits

    def _gives(self, call: Call, *, passed: bool) -> bool:
        """Whether the called function may return an address as an integer. passed: one that it gets; else one that it makes."""
        function = call.called_function
        if not isinstance(function, Function):
            return True
        key = function, passed
        if key not in self._given:
            self._given[key] = False
            self._open.append(key)
            if len(self._open) == 1:
                self._settle()
        return self._given[key]

    def _settle(self) -> None:
        """The least fixpoint: functions that call each other give no address unless one of them begins with one."""
        state: list[bool] = []
        while state != (found := [self._given[key] for key in self._open]):
            state = found
            for function, passed in list(self._open):
                begins: list[Value] = [*self.loads(function), *(i for i in function.instructions() if self.begins(i))]
                begins += [a for a in function.arguments if passed and not isinstance(a.type, PointerType)]
                self._given[function, passed] |= any(isinstance(u, Return) for _, u in self.uses(function, begins))
        self._open.clear()


def _is_of_number(i: Instruction) -> bool:
    """Whether an integer is made of a floating number."""
    integer = isinstance(i.type.scalar, IntType) and not isinstance(i, Compare | Load)
    return integer and any(isinstance(v.type.scalar, FloatType) for v in i.operands)


def _is_defined(call: Call) -> bool:
    return not (isinstance(call.called_function, Function) and call.called_function.is_declaration)


def _is_cast(value: Value) -> bool:
    return isinstance(value, Cast) and value.opcode in ("ptrtoint", "ptrtoaddr")


def _is_no_address(operation: Binary) -> bool:
    """A difference of addresses, a remainder, the lowest bits: none of them is the part of an address that tells where it leads."""
    if operation.opcode == "sub" and all(map(_is_cast, operation.operands)):
        return True
    lowest = any(isinstance(v, ConstantInt) and 0 <= v.value < LOWEST for v in operation.operands)
    if operation.opcode in REMAINDERS or (operation.opcode == "and" and lowest):
        return all(isinstance(v, ConstantInt) or _is_unshifted(v) for v in operation.operands[: 2 if lowest else 1])
    return False


def _is_unshifted(value: Value) -> bool:
    """Whether the lowest bits of it are those of an address: not where it was shifted, as bytes are taken one by one."""
    pending = [value]
    while pending:
        value = pending.pop()
        if isinstance(value, Binary) and value.opcode in ("add", "sub", "or", "xor"):
            pending += [v for v in value.operands if not isinstance(v, ConstantInt)]
        elif not _is_cast(value):
            return False
    return True

"""Integers that functions are given, or return, and that may hold the bits of numbers, as far as types tell.

    typedef struct { int tag; union { double d; long i; } u; } Value;      double as_number(Value v)

Such a struct travels in registers. Of memory the run can be asked what it holds, so these integers are passed in memory
(prepare/bits/in_memory.py). So are numbers that may be addresses: optimizers pass what a function loads from a union.

Not found: integers of which a type says that they hold no number, and those of functions that are called through pointers only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol

from enzyme_magic.backend.analysis.types.type_tree import Contents, Unknown
from enzyme_magic.backend.ir.graphs.def_use import users
from enzyme_magic.backend.ir.instructions import Binary, Call, Cast, Return
from enzyme_magic.backend.ir.layout import DataLayout, scalars
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.types import FloatType, IntType, PointerType, Type
from enzyme_magic.backend.ir.values import Value
from enzyme_magic.backend.prepare.bits.in_memory import RESULT, PassedPart, Passing, Passings

_TO_NUMBER = ("sitofp", "uitofp")


IsAddress = Callable[[Function, Value, int, Type], bool]  # of what is passed at a place of a value


def _none(function: Function, value: Value, at: int, type_: Type) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class PassedInteger:
    """What is passed, and what it holds; address: it may be a number or an address."""

    part: PassedPart
    holds: Contents | Unknown
    address: bool


class BitTypes(Protocol):
    """What the type analysis says of bits."""

    def of_bits(self, value: Value, offset: int = 0, size: int | None = None) -> Contents | Unknown: ...
    def holds_number(self, value: Value) -> bool: ...


def passed_integers(
    module: Module,
    types: BitTypes,
    layout: DataLayout,
    addresses: Mapping[str, Set[int]] = MappingProxyType({}),
    may_be_address: IsAddress = _none,
) -> Passings:
    """What of the functions that are called should be passed in memory. What is known to be a number is among it, because that and
    what is not known may meet. addresses: the parameters that a function uses as addresses and nothing else. may_be_address:
    whether what is passed may be a number or an address."""
    found = _passed(module, types, layout, may_be_address)
    return {name: _passing(passed, addresses.get(name, frozenset())) for name, passed in found.items()}


def _passing(found: list[PassedInteger], addresses: Set[int]) -> Passing:
    taken = [one for one in found if _may_be_number(one.holds) and one.part.parameter not in addresses]
    return Passing(frozenset(one.part for one in taken), frozenset(one.part for one in taken if one.address))


def pass_unknown(module: Module, types: BitTypes, layout: DataLayout, may_be_address: IsAddress = _none) -> bool:
    """Whether functions are given, or return, integers of which it is not known whether they are numbers; or are given some that
    are numbers on one way and computed with on another, of which the run has to be asked as well."""
    found = _passed(module, types, layout, may_be_address)
    unknown = any(isinstance(one.holds, Unknown) for passed in found.values() for one in passed)
    return unknown or any(_have_two_uses(module.functions[name]) for name, passed in found.items() if passed)


def _have_two_uses(function: Function) -> bool:
    """Whether an integer parameter is taken for the bits of a number here, and for a whole number there."""
    used = users(function)
    for argument in (a for a in function.arguments if isinstance(a.type, IntType)):
        same: list[Value] = [argument]
        for value in same:
            same += [i for i in used.get(value, ()) if isinstance(i, Cast) and i.opcode == "bitcast" and i not in same]
        uses = [i for value in same if isinstance(value.type, IntType) for i in used.get(value, ())]
        whole = any(isinstance(i, Binary) or (isinstance(i, Cast) and i.opcode in _TO_NUMBER) for i in uses)
        if whole and any(isinstance(value.type, FloatType) for value in same):
            return True
    return False


def _passed(
    module: Module, types: BitTypes, layout: DataLayout, may_be_address: IsAddress
) -> dict[str, list[PassedInteger]]:
    called = {i.called_function for f in module.definitions() for i in f.instructions() if isinstance(i, Call)}
    changed = (f for f in module.definitions() if f in called and _may_change(f))
    return {f.name: list(_parts(f, types, layout, may_be_address)) for f in changed}


def _may_change(function: Function) -> bool:
    return not function.function_type.variadic


def _parts(
    function: Function, types: BitTypes, layout: DataLayout, may_be_address: IsAddress
) -> Iterator[PassedInteger]:
    """The integers that are passed, with what is known of them."""
    returned = [b.instructions[-1] for b in function.blocks if isinstance(b.instructions[-1], Return)]
    found: list[tuple[PassedPart, Value, Type]] = [(PassedPart(a.index, 0), a, a.type) for a in function.arguments]
    found += [
        (PassedPart(RESULT, at), value, part)
        for i in returned
        for value in i.operands
        for at, part in scalars(layout, value.type)
    ]
    for part, value, type_ in found:
        if may_be_address(function, value, part.at, type_):
            yield PassedInteger(part, Unknown("it may be a number or an address"), address=True)
        elif (holds := _holds(types, value, part, type_, layout)) is not None:
            yield PassedInteger(part, holds, address=False)


def _holds(
    types: BitTypes, value: Value, part: PassedPart, type_: Type, layout: DataLayout
) -> Contents | Unknown | None:
    """None: no integer of whole bytes, and no pointer that may be a number."""
    if isinstance(type_, PointerType):
        number = value.type == type_ and types.holds_number(value)
        return Unknown("a pointer may be the bits of a number") if number else None
    if not isinstance(type_, IntType) or type_.bits % 8:
        return None
    return types.of_bits(value, part.at, layout.store_size(type_))


def _may_be_number(holds: Contents | Unknown) -> bool:
    return isinstance(holds, Unknown) or bool(holds.floats)

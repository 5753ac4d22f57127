"""Integers that functions are given, or return, and that may hold the bits of numbers, as far as types tell.

    typedef struct { int tag; union { double d; long i; } u; } Value;      double as_number(Value v)

Such a struct travels in registers. Of memory the run can be asked what it holds, so these integers are passed in memory
(prepare/bits/in_memory.py).

Not found: integers of which a type says that they hold no number, and those of functions that are called through pointers only.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
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


class BitTypes(Protocol):
    """What the type analysis says of bits."""

    def of_bits(self, value: Value, offset: int = 0, size: int | None = None) -> Contents | Unknown: ...
    def holds_number(self, value: Value) -> bool: ...


def passed_integers(
    module: Module, types: BitTypes, layout: DataLayout, addresses: Mapping[str, Set[int]] = MappingProxyType({})
) -> Passings:
    """What of the functions that are called should be passed in memory. What is known to be a number is among it, because that and
    what is not known may meet. addresses: the parameters that a function uses as addresses and nothing else."""
    found = _passed(module, types, layout)
    return {
        name: Passing(
            frozenset(
                part for part, holds in parts if _may_be_number(holds) and part.parameter not in addresses.get(name, ())
            )
        )
        for name, parts in found.items()
    }


def pass_unknown(module: Module, types: BitTypes, layout: DataLayout) -> bool:
    """Whether functions are given, or return, integers of which it is not known whether they are numbers; or are given some that
    are numbers on one way and computed with on another, of which the run has to be asked as well."""
    found = _passed(module, types, layout)
    unknown = any(isinstance(holds, Unknown) for parts in found.values() for _, holds in parts)
    return unknown or any(_have_two_uses(module.functions[name]) for name, parts in found.items() if parts)


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
    module: Module, types: BitTypes, layout: DataLayout
) -> dict[str, list[tuple[PassedPart, Contents | Unknown]]]:
    called = {i.called_function for f in module.definitions() for i in f.instructions() if isinstance(i, Call)}
    return {f.name: _parts(f, types, layout) for f in module.definitions() if f in called and _may_change(f)}


def _may_change(function: Function) -> bool:
    return not function.function_type.variadic and not any("sret" in a.attributes for a in function.arguments)


def _parts(function: Function, types: BitTypes, layout: DataLayout) -> list[tuple[PassedPart, Contents | Unknown]]:
    """The integers that are passed, with what is known of them."""
    returned = [b.instructions[-1] for b in function.blocks if isinstance(b.instructions[-1], Return)]
    found: list[tuple[PassedPart, Value, Type]] = [(PassedPart(a.index, 0), a, a.type) for a in function.arguments]
    found += [
        (PassedPart(RESULT, at), value, part)
        for i in returned
        for value in i.operands
        for at, part in scalars(layout, value.type)
    ]
    known = [(part, _holds(types, value, part, type_, layout)) for part, value, type_ in found]
    return [(part, holds) for part, holds in known if holds is not None]


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

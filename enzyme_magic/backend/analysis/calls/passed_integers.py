"""Integers that functions are given, or return, and that may hold the bits of numbers, as far as types tell.

    typedef struct { int tag; union { double d; long i; } u; } Value;      double as_number(Value v)

Such a struct travels in registers. Of memory the run can be asked what it holds, so these integers are passed in memory
(prepare/bits/in_memory.py).

Not found: integers of which a type says that they hold no number, and those of functions that are called through pointers only.
"""

from __future__ import annotations

from enzyme_magic.backend.analysis.types.inference import Types
from enzyme_magic.backend.analysis.types.type_tree import Unknown
from enzyme_magic.backend.ir.instructions import Call, Return
from enzyme_magic.backend.ir.layout import DataLayout, scalars
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.types import IntType, Type
from enzyme_magic.backend.ir.values import Value
from enzyme_magic.backend.prepare.bits.in_memory import Passing, Passings


def passed_integers(module: Module, types: Types, layout: DataLayout) -> Passings:
    """What of the functions that are called should be passed in memory."""
    called = {i.called_function for f in module.definitions() for i in f.instructions() if isinstance(i, Call)}
    found = {f: _passing(f, types, layout) for f in module.definitions() if f in called and _may_change(f)}
    return {function.name: passing for function, passing in found.items() if passing != Passing()}


def _may_change(function: Function) -> bool:
    return not function.function_type.variadic and not any("sret" in a.attributes for a in function.arguments)


def _passing(function: Function, types: Types, layout: DataLayout) -> Passing:
    arguments = (
        a.index for a in function.arguments if _is_whole(a.type) and _may_be_number(types, a, 0, a.type, layout)
    )
    returned = [b.instructions[-1] for b in function.blocks if isinstance(b.instructions[-1], Return)]
    values = [value for instruction in returned for value in instruction.operands]
    results = (
        at
        for value in values
        for at, part in scalars(layout, value.type)
        if _is_whole(part) and _may_be_number(types, value, at, part, layout)
    )
    return Passing(frozenset(arguments), frozenset(results))


def _may_be_number(types: Types, value: Value, at: int, type_: Type, layout: DataLayout) -> bool:
    found = types.of_bits(value, at, layout.store_size(type_))
    return isinstance(found, Unknown) or bool(found.floats)


def _is_whole(type_: Type) -> bool:
    return isinstance(type_, IntType) and type_.bits % 8 == 0

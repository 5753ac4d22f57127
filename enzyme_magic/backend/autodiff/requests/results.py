"""How the results of a derivative become what the C prototype of the request returns.

Enzyme's rule: the results stand in a struct, in order. A prototype that returns a scalar gets the first one, a struct of the same
layout all of them (in registers or in memory: what the compiler makes of a small struct has the layout of the struct), `void` none.

Invariant: a number lands in a place of its own type; everything else is an error at the C line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from enzyme_magic.backend.autodiff.requests.parse import Refusals
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.instructions import Call
from enzyme_magic.backend.ir.layout import DataLayout, scalars
from enzyme_magic.backend.ir.types import (
    I32,
    FloatType,
    IntType,
    PointerType,
    StructType,
    Type,
    VoidType,
)
from enzyme_magic.backend.ir.values import Value

DROPPED: Final = "dropped"
FIRST: Final = "first"
MEMORY: Final = "memory"
REGISTERS: Final = "registers"


@dataclass(frozen=True, slots=True)
class ResultForm:
    """How results are given back. type: the struct of all of them; place: the type of the prototype's own memory or registers."""

    kind: Literal["dropped", "first", "memory", "registers"]
    type: StructType
    place: Type


def memory_of_result(call: Call) -> Type | None:
    """The struct a prototype returns in memory the caller passes."""
    attribute = call.argument_attributes[0].get("sret") if call.argument_attributes else None
    return attribute.type if attribute is not None else None


def form(call: Call, types: Sequence[Type], is_used: bool, layout: DataLayout, refuse: Refusals) -> ResultForm:
    """Decide how results of `types` are given back by `call`."""
    whole = StructType(tuple(types))
    memory = memory_of_result(call)
    place = memory or call.type
    if isinstance(place, VoidType) or (not types and not is_used and memory is None):
        return ResultForm(DROPPED, whole, place)
    given = ", ".join(map(str, types)) or "nothing"
    if not types:
        raise refuse.error("it gives nothing back here", "declare it void", "EM145")
    if memory is None and place == types[0]:
        return ResultForm(FIRST, whole, place)
    if not _same_layout(layout, whole, place):
        raise refuse.error(
            f"it gives back {given}, and the prototype returns {layout.resolve(place)}",
            f"declare a result with {'these fields' if len(types) > 1 else 'this type'}, in this order",
            "EM145",
        )
    return ResultForm(MEMORY if memory is not None else REGISTERS, whole, place)


def _same_layout(layout: DataLayout, given: StructType, place: Type) -> bool:
    """Whether each result has a place of its type at its offset. An integer register may hold several small fields."""
    values, slots = scalars(layout, given), scalars(layout, place)
    if layout.size_of(given) > _round_up(layout.size_of(place), 8):
        return False
    floats = {(at, type_) for at, type_ in slots if isinstance(type_, FloatType)}
    wide = [(at, at + layout.size_of(type_)) for at, type_ in slots if not isinstance(type_, FloatType)]
    used: set[tuple[int, int]] = set()
    for at, type_ in values:
        end = at + layout.size_of(type_)
        home = next((w for w in wide if w[0] <= at and end <= w[1]), None)
        if isinstance(type_, FloatType) and (at, type_) in floats:
            floats.discard((at, type_))
        elif home is None or (isinstance(type_, FloatType) and not _has_integer(layout, values, home)):
            return False
        else:
            used.add(home)
    return not floats and used == set(wide)


def _has_integer(layout: DataLayout, values: Sequence[tuple[int, Type]], home: tuple[int, int]) -> bool:
    return any(home[0] <= at < home[1] and isinstance(type_, (IntType, PointerType)) for at, type_ in values)


def give(builder: Builder, form: ResultForm, values: Sequence[Value], layout: DataLayout, memory: Value | None) -> None:
    """Return `values` as `form` says; `memory`: where a struct in memory goes."""
    if form.kind == DROPPED:  # a result that nobody looks at is zero
        builder.ret(None if isinstance(form.place, VoidType) else constants.zero(form.place))
    elif form.kind == FIRST:
        builder.ret(values[0])
    elif form.kind == MEMORY:
        assert memory is not None
        _store(builder, form, values, memory)
        builder.ret()
    else:
        larger = form.type if layout.size_of(form.type) >= layout.size_of(form.place) else form.place
        cell = builder.alloca(larger, align=16)
        _store(builder, form, values, cell)
        builder.ret(builder.load(form.place, cell, align=16))


def _store(builder: Builder, form: ResultForm, values: Sequence[Value], memory: Value) -> None:
    for k, value in enumerate(values):
        indices = [constants.int_constant(I32, 0), constants.int_constant(I32, k)]
        builder.store(value, builder.gep(form.type, memory, indices), align=1)


def _round_up(size: int, align: int) -> int:
    return -(-size // align) * align

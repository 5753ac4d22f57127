"""Integers that are passed in memory: `f(v)` becomes `t = v; f(&t)`, and `r = f()` becomes `f(&t); r = t`.

A C struct or union of up to 16 bytes travels in registers, and so do bits that a program keeps in an integer. What such a register
holds, only the run may know, and the run is asked of memory (autodiff/memory/kinds.py). Which integers these are is decided in
analysis/derivatives/passed_integers.py.

Invariant: a function keeps its name and its parameters; a copy beside it takes them in memory, and every direct call is a call of
the copy. The copy stands in the engine's own module only: a derivative that calls it brings it along (`is_own`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.attributes import EMPTY, Attribute, AttributeSet
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.clone import clone_function
from enzyme_magic.backend.ir.graphs.def_use import replace_uses
from enzyme_magic.backend.ir.instructions import Call, InsertValue, Return
from enzyme_magic.backend.ir.layout import DataLayout, scalars
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.types import (
    I8,
    I64,
    POINTER,
    VOID,
    ArrayType,
    FunctionType,
    IntType,
    Type,
)
from enzyme_magic.backend.ir.values import Argument, ConstantKeyword, Value
from enzyme_magic.backend.prepare import aggregates
from enzyme_magic.backend.prepare.aggregates import Path, members
from enzyme_magic.backend.prepare.bits import as_integers, extrema, parts

PREFIX = "em.passed."
IN_MEMORY = "em-passed-in-memory"  # an attribute of the copy's parameters
_POINTER, _INTEGER = "pointer", "integer"
_OF_FUNCTIONS = ("memory", "readnone", "readonly", "writeonly", "argmemonly", "speculatable")
_ALIGN = 16


RESULT = -1  # for the number of a parameter


class PassedPart(NamedTuple):
    """An integer that is passed: a parameter, by its number, or one of the result, by its place in bytes."""

    parameter: int
    at: int


@dataclass(frozen=True, slots=True)
class Passing:
    """What of a function is passed in memory, because only the run knows whether it is a number. The other integers go with it:
    parts of one struct stay together. addresses: which of the parts may be an address instead, not an integer."""

    parts: frozenset[PassedPart] = frozenset()
    addresses: frozenset[PassedPart] = frozenset()

    @property
    def result(self) -> bool:
        return any(part.parameter == RESULT for part in self.parts)

    def told(self, parameter: int, scalars: Iterable[tuple[int, Type]]) -> Iterator[tuple[int, Type, str]]:
        """The parts of a parameter, given all its scalars: place, type and what it may be instead of a number."""
        for at, type_ in scalars:
            part = PassedPart(parameter, at)
            if part in self.parts:
                integer = isinstance(type_, IntType) and part not in self.addresses
                yield at, type_, _INTEGER if integer else _POINTER


Passings = dict[str, Passing]  # by the names of the functions


def joined(a: Mapping[str, Passing], b: Mapping[str, Passing]) -> Passings:
    """What either passes in memory. The names of copies are those of their functions."""
    found = dict(a)
    for name, passing in b.items():
        name = name.removeprefix(PREFIX)
        known = found.get(name, Passing())
        found[name] = Passing(known.parts | passing.parts, known.addresses | passing.addresses)
    return {name: passing for name, passing in found.items() if passing.parts}


def is_own(name: str) -> bool:
    """Whether it is the name of such a copy."""
    return name.startswith(PREFIX)


def pass_in_memory(module: Module, chosen: Mapping[str, Passing], layout: DataLayout) -> None:
    """Rewrite the direct calls of the functions of `chosen`, in place, and add the copies."""
    passings = {module.functions[name]: passing for name, passing in chosen.items()}
    copies = {function: _copy(function, passing, layout) for function, passing in passings.items()}
    for made in copies.values():
        module.add(made)
    for caller in module.definitions():
        replaced: dict[Value, Value] = {}
        for call in [i for i in caller.instructions() if isinstance(i, Call)]:
            function = call.called_function
            copy = copies.get(function) if function is not None else None
            if copy is not None and function is not None and call.function_type == function.function_type:
                replaced[call] = _rewrite(caller, call, copy, passings[function], layout)
        replace_uses(caller, replaced)
    aggregates.split_merges(module, layout)
    aggregates.take_apart(module)
    extrema.to_choices(module, of_memory=True)
    for function in module.definitions():
        parts.take_apart(function)
        as_integers.move(function)


def _copy(function: Function, passing: Passing, layout: DataLayout) -> Function:
    values: dict[Value, Value] = {}
    new = clone_function(function, PREFIX + function.name, values)
    new.metadata = dict(function.metadata)
    new.linkage = "internal"
    new.attributes = function.attributes.without(_OF_FUNCTIONS)
    builder = Builder(new.entry, new.entry.instructions[0])
    loads: dict[Value, Value] = {}
    for k in [a.index for a in new.arguments if _is_passed(a, passing)]:
        old = new.arguments[k]
        size = layout.store_size(old.type)
        place = new.arguments[k] = Argument(
            POINTER,
            old.name,
            _attributes(size, passing.told(k, [(0, old.type)]), layout),
            k,
        )
        loads[old] = builder.load(old.type, place, align=1, name=f"{old.name}.passed")
    replace_uses(new, loads)
    if passing.result:
        result = new.function_type.result
        size = layout.size_of(result)
        told = passing.told(RESULT, scalars(layout, result))
        place = Argument(POINTER, "result", _attributes(size, told, layout), len(new.arguments))
        new.arguments.append(place)
        new.result_attributes = EMPTY
        for block in new.blocks:
            if isinstance(block.instructions[-1], Return):
                _return_in(block.instructions[-1], place, layout)
    parameters = tuple(a.type for a in new.arguments)
    new.function_type = FunctionType(VOID if passing.result else function.function_type.result, parameters)
    return new


def unknown_parts(argument: Argument) -> Iterator[tuple[int, int, bool]]:
    """Places and sizes in bytes of what only the run knows in memory that is passed so; and whether it is a number or a pointer,
    and not a number or an integer."""
    attribute = argument.attributes.get(IN_MEMORY)
    for words in attribute.value.split() if attribute is not None and attribute.value else ():
        at, size, what = words.split(":")
        yield int(at), int(size), what == _POINTER


def _is_passed(argument: Argument, passing: Passing) -> bool:
    integer = isinstance(argument.type, IntType) and argument.type.bits % 8 == 0
    return integer or PassedPart(argument.index, 0) in passing.parts


def _attributes(size: int, told: Iterable[tuple[int, Type, str]], layout: DataLayout) -> AttributeSet:
    """Those of a pointer to memory that is the call's alone."""
    said = (f"{at}:{layout.store_size(type_)}:{what}" for at, type_, what in told)
    words = (Attribute("noalias"), Attribute("nonnull"), Attribute("dereferenceable", str(size)))
    return AttributeSet((*words, Attribute(IN_MEMORY, " ".join(said), quoted=True)))


def _return_in(returned: Return, place: Value, layout: DataLayout) -> None:
    block = returned.parent
    assert block is not None
    (value,) = returned.operands
    builder = Builder(block, returned)
    builder.debug_location = returned.metadata.get("dbg")
    for path, at, _ in members(layout, value.type):
        builder.store(_member(builder, value, path), _address(builder, place, at), align=1)
    builder.ret()
    block.instructions.remove(returned)


def _rewrite(caller: Function, call: Call, copy: Function, passing: Passing, layout: DataLayout) -> Value:
    """The result of a call of the copy instead of `call`, which goes."""
    block = call.parent
    assert block is not None
    before, slots = Builder(block, call), Builder(caller.entry, caller.entry.instructions[0])
    before.debug_location = call.metadata.get("dbg")
    arguments, attributes = list(call.arguments), list(call.argument_attributes)
    for k in [a.index for a in copy.arguments[: len(arguments)] if IN_MEMORY in a.attributes]:
        size = layout.store_size(arguments[k].type)
        slot = slots.alloca(ArrayType(size, I8), align=_ALIGN, name=f"{copy.arguments[k].name}.slot")
        before.store(arguments[k], slot, align=1)
        arguments[k], attributes[k] = slot, EMPTY
    place = None
    if passing.result:
        place = slots.alloca(ArrayType(layout.size_of(call.type), I8), align=_ALIGN, name=f"{call.name}.slot")
        arguments.append(place)
        attributes.append(EMPTY)
    made = _call(before, call, copy, arguments, attributes)
    result = made if place is None else _loaded(before, place, call.type, layout)
    block.instructions.remove(call)
    return result


def _call(builder: Builder, old: Call, copy: Function, arguments: list[Value], attributes: list[AttributeSet]) -> Call:
    made = Call(
        "call",
        copy.function_type.result,
        [*arguments, copy],
        "" if copy.function_type.result == VOID else old.name,
        old.flags,
        function_type=copy.function_type,
        calling_convention=old.calling_convention,
        argument_attributes=attributes,
        attributes=old.attributes.without(_OF_FUNCTIONS),
    )
    made.metadata = {kind: node for kind, node in old.metadata.items() if kind == "dbg"}
    return builder.insert(made)


def _loaded(builder: Builder, place: Value, type_: Type, layout: DataLayout) -> Value:
    made: Value = ConstantKeyword(type_, "poison")
    for path, at, part in members(layout, type_):
        pointer = _address(builder, place, at)
        if not path:
            return builder.load(type_, pointer, align=1)
        member = builder.load(part, pointer, align=1)
        made = builder.insert(InsertValue("insertvalue", type_, [made, member], indices=path))
    return made


def _address(builder: Builder, place: Value, at: int) -> Value:
    return builder.gep(I8, place, [constants.int_constant(I64, at)]) if at else place


def _member(builder: Builder, value: Value, path: Path) -> Value:
    return builder.extract_value(value, *path) if path else value

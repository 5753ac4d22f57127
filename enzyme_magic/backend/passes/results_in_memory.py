"""Structs with pointers are returned through memory, before anything is optimized.

A front end returns a small struct in registers, as one LLVM aggregate. A pointer that has passed through an aggregate is hard to
follow: what it points to, and where the shadow of that is, are questions about memory everywhere else. So `{i64, ptr} @f(…)`
becomes `void @f(ptr sret, …)`, as for large structs, and everything that is known about memory applies. After inlining nothing
of it is left.

Invariant: the program computes what it computed. Only functions all of whose uses are direct calls change; those whose address
is taken, and declarations, keep their type. Not for pointers in phis of aggregates, which no front end writes.
"""

from __future__ import annotations

import re
from dataclasses import replace

from enzyme_magic.backend.analysis.types.coerced import has_several
from enzyme_magic.backend.analysis.types.debug_types import DECLARED_TYPE, DebugTypes, signature_types
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.attributes import EMPTY, Attribute, AttributeSet
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.graphs import def_use
from enzyme_magic.backend.ir.graphs.direct_uses import only_called
from enzyme_magic.backend.ir.instructions import Call, ExtractValue, Instruction, Load, Return, Store
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.metadata import MDRecord
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.text import parser, printer
from enzyme_magic.backend.ir.types import (
    I8,
    I64,
    POINTER,
    VOID,
    ArrayType,
    NamedType,
    PointerType,
    StructType,
    Type,
)
from enzyme_magic.backend.ir.values import Argument, Block, Value
from enzyme_magic.backend.prepare.aggregates import Path, members

AGGREGATE_RESULT = re.compile(r"\ndefine [^@\n]*[{%\[][^@\n]*@")
UNTRUE = ("memory", "readnone", "readonly", "speculatable")  # of a function that now writes its result to memory
Parts = dict[Path, Load]


def lower(text: str) -> str:
    """IR in which no function with a body returns a pointer inside an aggregate; the same text where there is none."""
    if not AGGREGATE_RESULT.search(f"\n{text}"):
        return text
    module = parser.parse(text)
    layout = DataLayout.of(module)
    found = _functions(module, layout)
    if not found:
        return text
    for function in found:
        _return_through_memory(function, layout)
    types = DebugTypes()
    for function in list(module.definitions()):
        _pass_memory(function, found, layout, types)
    return printer.print_module(module)


def _functions(module: Module, layout: DataLayout) -> dict[Function, Type]:
    """The functions to change, with what they return."""
    results = {f: f.function_type.result for f in only_called(module)}
    return {function: result for function, result in results.items() if _has_pointer(result, layout)}


def _has_pointer(type_: Type, layout: DataLayout) -> bool:
    if isinstance(type_, NamedType):
        type_ = layout.resolve(type_)
    if isinstance(type_, StructType):
        return any(isinstance(e, PointerType) or _has_pointer(e, layout) for e in type_.elements)
    return isinstance(type_, ArrayType) and (
        isinstance(type_.element, PointerType) or _has_pointer(type_.element, layout)
    )


def _return_through_memory(function: Function, layout: DataLayout) -> None:
    type_ = function.function_type.result
    place = Argument(POINTER, "result.memory", _sret(type_), 0)
    function.arguments.insert(0, place)
    for index, argument in enumerate(function.arguments):
        argument.index = index
    old = function.function_type
    function.function_type = replace(old, result=VOID, parameters=(POINTER, *old.parameters))
    function.result_attributes = EMPTY
    function.attributes = function.attributes.without(UNTRUE)
    users = def_use.users(function)
    for block in function.blocks:
        last = block.instructions[-1]
        if isinstance(last, Return) and last.operands:
            value, last.operands = last.operands[0], []
            _store(value, place, last, layout)
            if isinstance(value, Load) and value.parent is block and users[value] == [last]:
                block.instructions.remove(value)  # a front end loads it for this alone


def _store(value: Value, place: Value, before: Instruction, layout: DataLayout) -> None:
    """Put an aggregate into memory member by member; one that was just loaded is copied from there."""
    block = before.parent
    assert block is not None
    builder = _builder(block, before, before)
    for path, offset, type_ in members(layout, value.type):
        if isinstance(value, Load) and value.parent is block:
            at_load = _builder(block, value, before)
            part: Value = at_load.load(type_, _at(at_load, value.operands[0], offset))
        else:
            part = builder.extract_value(value, *path)
        builder.store(part, _at(builder, place, offset))


def _pass_memory(function: Function, changed: dict[Function, Type], layout: DataLayout, types: DebugTypes) -> None:
    calls = [i for i in function.instructions() if isinstance(i, Call) and i.called_function in changed]
    if not calls:
        return
    users = def_use.users(function)
    replaced: dict[Value, Value] = {}
    for call in calls:
        callee = call.called_function
        assert callee is not None
        parts, builder = _with_memory(function, call, changed[callee], layout, types)
        able = [user for user in users[call] if _can_take_parts(user, call, parts)]
        if len(able) < len(users[call]):  # before a user that the builder stands at leaves its block
            replaced[call] = _together(builder, changed[callee], parts)
        for user in able:
            _take_parts(user, call, changed[callee], parts, replaced, layout)
    def_use.replace_uses(function, replaced)


def _with_memory(
    function: Function, call: Call, type_: Type, layout: DataLayout, types: DebugTypes
) -> tuple[Parts, Builder]:
    """Make `call` write its result to memory and load its members from there. The builder goes on behind the loads. Of a union the
    type of the registers says nothing."""
    assert call.parent is not None
    declared = _declared_result(call)
    union = declared is not None and has_several(types.layout(declared))
    room, align = (ArrayType(layout.size_of(type_), I8), layout.align_of(type_)) if union else (type_, None)
    entry = Builder(function.entry, before=function.entry.instructions[0])
    place = entry.alloca(room, align=align, name="result.memory")
    if declared is not None:
        place.metadata[DECLARED_TYPE] = declared
    call.operands.insert(0, place)
    call.argument_attributes.insert(0, _sret(type_))
    old = call.function_type
    call.function_type = replace(old, result=VOID, parameters=(POINTER, *old.parameters))
    call.type, call.result_attributes = VOID, EMPTY
    call.attributes = call.attributes.without(UNTRUE)
    call.tail = "" if call.tail == "tail" else call.tail
    following = call.parent.instructions[call.parent.instructions.index(call) + 1]
    builder = _builder(call.parent, following, call)
    parts = {path: builder.load(part, _at(builder, place, at)) for path, at, part in members(layout, type_)}
    return parts, builder


def _declared_result(call: Call) -> MDRecord | None:
    callee = call.called_function
    types = signature_types(callee.subprogram if callee is not None else None)
    return types[0] if types else None


def _can_take_parts(user: Instruction, call: Call, parts: Parts) -> bool:
    """Whether a user of the whole result can use its members."""
    if isinstance(user, ExtractValue):
        return user.indices in parts
    return isinstance(user, Store) and user.operands[0] is call


def _take_parts(
    user: Instruction, call: Call, type_: Type, parts: Parts, replaced: dict[Value, Value], layout: DataLayout
) -> None:
    """Let a user of the whole result use its members. It leaves its block then."""
    block = user.parent
    assert block is not None
    if isinstance(user, ExtractValue):
        replaced[user] = parts[user.indices]
    elif isinstance(user, Store):
        builder = _builder(block, user, user)
        for path, offset, _ in members(layout, type_):
            builder.store(parts[path], _at(builder, user.pointer, offset))
    block.instructions.remove(user)


def _together(builder: Builder, type_: Type, parts: Parts) -> Value:
    whole: Value = constants.poison(type_)
    for path, part in parts.items():
        whole = builder.insert_value(whole, part, *path)
    return whole


def _builder(block: Block, before: Instruction, line_of: Instruction) -> Builder:
    builder = Builder(block, before=before)
    builder.debug_location = line_of.metadata.get("dbg")
    return builder


def _at(builder: Builder, pointer: Value, offset: int) -> Value:
    return builder.gep(I8, pointer, [constants.int_constant(I64, offset)], flags=("inbounds",)) if offset else pointer


def _sret(type_: Type) -> AttributeSet:
    return AttributeSet((Attribute("noalias"), Attribute("sret", type=type_)))

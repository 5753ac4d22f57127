"""Two floats that travel in the register of a double travel as two floats, before anything is optimized.

    typedef union { struct { float x, y, z, w; }; __m128 v; } V4;      V4 add(V4 a, V4 b)

On x86-64 a front end passes each half of such a union as a double (System V ABI, 3.2.3: class SSE). A double of which each half is
a number is one for nobody but the register; `<2 x float>`, as a struct of floats is passed, lies in the same register, so callers
and callees that are compiled elsewhere see no difference.

Invariant: the program computes what it computed. Only what debug information declares as two floats changes. A call through a
pointer changes with the functions of its type whose addresses are taken, where all of these take the same pairs: two complex
numbers travel as two such unions do.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from enzyme_magic.backend.analysis.types.coerced import REGISTER, coerced
from enzyme_magic.backend.analysis.types.debug_types import DebugTypes, signature_types
from enzyme_magic.backend.analysis.types.layouts import Layout
from enzyme_magic.backend.analysis.types.type_tree import floating
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.attributes import EMPTY
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.graphs import def_use
from enzyme_magic.backend.ir.graphs.direct_uses import address_taken, called_otherwise
from enzyme_magic.backend.ir.instructions import Call, ExtractValue, Instruction, Load, Return, Store
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.text import parser, printer
from enzyme_magic.backend.ir.types import DOUBLE, FLOAT, VOID, FunctionType, StructType, Type, VectorType
from enzyme_magic.backend.ir.values import InlineAsm, Value
from enzyme_magic.backend.prepare.aggregates import members

COERCED = "coerce"  # in the names that clang gives to values in such registers
PAIR = VectorType(2, FLOAT)
_FLOAT, _FLOAT_SIZE = floating("float"), 4


@dataclass(frozen=True, slots=True)
class PairedFunction:
    """Which parameters are pairs, and what it returns then (None: as before)."""

    parameters: frozenset[int]
    result: Type | None


@dataclass(frozen=True, slots=True)
class Chosen:
    """What changes: functions, and calls through pointers by their types."""

    functions: dict[Function, PairedFunction]
    pointers: dict[FunctionType, PairedFunction]

    def of(self, i: Instruction) -> PairedFunction | None:
        """What changes in a call."""
        if not isinstance(i, Call) or isinstance(i.callee, InlineAsm):
            return None
        function = i.called_function
        return self.functions.get(function) if function is not None else self.pointers.get(i.function_type)


def lower(text: str) -> str:
    """IR in which no double between functions is declared to be two floats; the same text where there is none."""
    if COERCED not in text:
        return text
    module = parser.parse(text)
    layout = DataLayout.of(module)
    found = _chosen(module, layout)
    if not found.functions:
        return text
    calls = {
        f: [(i, pairs) for i in f.instructions() if (pairs := found.of(i)) is not None] for f in module.definitions()
    }
    for function, pairs in found.functions.items():
        _take_pairs(function, pairs, layout)
    for function, changed in calls.items():
        _pass_pairs(function, changed, layout)
    return printer.print_module(module)


def _chosen(module: Module, layout: DataLayout) -> Chosen:
    types = DebugTypes()
    declared = {f: pairs for f in module.definitions() if (pairs := _pairs(f, types, layout)) is not None}
    if not declared:
        return Chosen({}, {})
    taken, refused = address_taken(module), called_otherwise(module)
    by_type: dict[FunctionType, set[PairedFunction | None]] = {}
    for function in (f for f in module.functions.values() if f in taken):
        by_type.setdefault(function.function_type, set()).add(None if function in refused else declared.get(function))
    pointers = {type_: pairs for type_, (pairs, *others) in by_type.items() if pairs is not None and not others}
    kept = {f: p for f, p in declared.items() if f not in refused and (f not in taken or f.function_type in pointers)}
    return Chosen(kept, pointers)


def _pairs(function: Function, types: DebugTypes, layout: DataLayout) -> PairedFunction | None:
    declared = [types.layout(type_) for type_ in signature_types(function.subprogram)]
    if not declared:
        return None
    parameters = frozenset(
        argument.index
        for argument, struct, offset in coerced(function.arguments, declared[1:], layout)
        if argument.type == DOUBLE and _is_pair(struct, offset)
    )
    result = _paired(function.function_type.result, declared[0], layout)
    return PairedFunction(parameters, result) if parameters or result is not None else None


def _is_pair(struct: Layout, offset: int) -> bool:
    """Whether two floats, and nothing else, are declared at `offset`."""
    found = [struct.leaf_at(at) for at in (offset, offset + _FLOAT_SIZE)]
    starts = [leaf[0] for leaf in found if leaf is not None and leaf[1].concrete == _FLOAT]
    return offset + REGISTER <= struct.size and starts == [offset, offset + _FLOAT_SIZE]


def _paired(result: Type, declared: Layout | None, layout: DataLayout) -> Type | None:
    """The type of a result with pairs; None where none of it is one."""
    if declared is None or result == VOID or declared.size < layout.store_size(result):
        return None
    parts = list(members(layout, result))
    new = [PAIR if part == DOUBLE and _is_pair(declared, at) else part for _, at, part in parts]
    if PAIR not in new or any(len(path) > 1 for path, _, _ in parts):
        return None
    return PAIR if result == DOUBLE else StructType(tuple(new))


def _take_pairs(function: Function, pairs: PairedFunction, layout: DataLayout) -> None:
    """Change what `function` takes and returns."""
    users = def_use.users(function)
    for index in sorted(pairs.parameters):
        argument = function.arguments[index]
        argument.type = PAIR
        others = [user for user in users[argument] if not _stores(user, argument)]
        if others:
            _replace_in(
                others, argument, Builder(function.entry, function.entry.instructions[0]).bitcast(argument, DOUBLE)
            )
    old = function.function_type
    parameters = tuple(argument.type for argument in function.arguments)
    function.function_type = replace(old, result=pairs.result or old.result, parameters=parameters)
    if pairs.result is None:
        return
    function.result_attributes = EMPTY
    for block in function.blocks:
        last = block.instructions[-1]
        if isinstance(last, Return):
            last.operands[0] = _as(last.operands[0], pairs.result, last, users, layout)


def _pass_pairs(function: Function, calls: list[tuple[Instruction, PairedFunction]], layout: DataLayout) -> None:
    """Change calls in `function`."""
    users = def_use.users(function) if calls else {}
    for call, pairs in calls:
        assert isinstance(call, Call)
        for index in sorted(pairs.parameters):
            call.operands[index] = _as(call.operands[index], PAIR, call, users, layout)
        old = call.type
        call.type = pairs.result or old
        call.function_type = replace(
            call.function_type, result=call.type, parameters=tuple(argument.type for argument in call.arguments)
        )
        if pairs.result is not None:
            call.result_attributes = EMPTY
            _use_pairs(call, old, users[call], users, layout)


def _as(
    value: Value, type_: Type, user: Instruction, users: dict[Value, list[Instruction]], layout: DataLayout
) -> Value:
    """`value`, with doubles in it, as `type_`. What is loaded for `user` alone is loaded so."""
    if isinstance(value, Load) and not value.ordering and users.get(value) == [user]:
        value.type = type_
        value.metadata = {kind: node for kind, node in value.metadata.items() if kind == "dbg"}
        return value
    assert user.parent is not None
    builder = Builder(user.parent, user)
    builder.debug_location = user.metadata.get("dbg")
    return _reinterpreted(builder, value, type_, layout)


def _use_pairs(
    call: Call, old: Type, uses: list[Instruction], users: dict[Value, list[Instruction]], layout: DataLayout
) -> None:
    """Let the users of a call's result, which was of type `old`, use one with pairs."""
    for user in uses:
        if isinstance(user, ExtractValue) and user.type == DOUBLE and _member(call.type, user.indices) == PAIR:
            user.type = PAIR
            others = [u for u in users[user] if not _stores(u, user)]
            if others:
                _replace_in(others, user, _behind(user).bitcast(user, DOUBLE))
    kept = (*(u for u in uses if isinstance(u, ExtractValue)), *(u for u in uses if _stores(u, call)))
    rest = [u for u in uses if u not in kept]
    if rest:
        _replace_in(rest, call, _reinterpreted(_behind(call), call, old, layout))


def _member(type_: Type, indices: tuple[int, ...]) -> Type | None:
    return type_.elements[indices[0]] if isinstance(type_, StructType) and len(indices) == 1 else None


def _reinterpreted(builder: Builder, value: Value, type_: Type, layout: DataLayout) -> Value:
    if not isinstance(type_, StructType):
        return builder.bitcast(value, type_)
    made: Value = constants.poison(type_)
    for (path, _, part), new in zip(members(layout, value.type), type_.elements, strict=True):
        taken = builder.extract_value(value, *path)
        made = builder.insert_value(made, taken if part == new else builder.bitcast(taken, new), *path)
    return made


def _behind(instruction: Instruction) -> Builder:
    block = instruction.parent
    assert block is not None
    builder = Builder(block, block.instructions[block.instructions.index(instruction) + 1])
    builder.debug_location = instruction.metadata.get("dbg")
    return builder


def _stores(user: Instruction, value: Value) -> bool:
    """Whether it puts `value` into memory, which takes the bytes of either type."""
    return isinstance(user, Store) and user.value is value and user.pointer is not value


def _replace_in(users: list[Instruction], old: Value, new: Value) -> None:
    for user in users:
        def_use.map_operands(user, {old: new})

"""Functions with variable arguments take them in memory: `sum(3, x, y)` becomes `t = {x, y}; sum(3, &t)`.

    double sum(int n, ...) { va_list a; va_start(a, n); … va_arg(a, double) … }

`va_start` makes a list that has used up its registers, so that what clang writes for `va_arg` goes on in that memory, and so does a
C library's `vprintf` (System V ABI for x86-64, 3.5.7). Derivatives then flow through it as through any other memory.

Invariant: a function keeps its name and its parameters; a copy beside it takes the memory, and every direct call is a call of the
copy. The copy stands in the engine's own module only: a derivative that calls it brings it along (`is_own`).

Not done: other processors, whose lists are laid out otherwise; functions with rules of their own; those that nobody calls directly;
programs that read from a list what is aligned to more than a word (`long double`, `__m128`, structs with `_Alignas`): such a struct
may come in registers, of which nobody says that they are one, and would be looked for at another place.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from enzyme_magic.backend.ir import constants, intrinsics
from enzyme_magic.backend.ir.attributes import EMPTY, AttributeSet
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.clone import clone_function
from enzyme_magic.backend.ir.graphs.def_use import replace_uses
from enzyme_magic.backend.ir.instructions import Call
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.types import I1, I8, I32, I64, POINTER, VOID, ArrayType, FunctionType, Type
from enzyme_magic.backend.ir.values import Argument, Value

PREFIX = "em.variadic."
_START, _COPY, _END = "llvm.va_start.", "llvm.va_copy.", "llvm.va_end."
_WORD, _ALIGN = 8, 16
_LIST = ((0, I32, 48), (4, I32, 176))  # what is used up of the registers for integers and for numbers
_AREA, _REGISTERS = 8, 16
_BLOCK_COPY = "llvm.memcpy.p0.p0.i64"
_OF_FUNCTIONS = ("memory", "readnone", "readonly", "writeonly", "argmemonly", "speculatable")


def is_own(name: str) -> bool:
    """Whether it is the name of such a copy."""
    return name.startswith(PREFIX)


def pass_in_memory(module: Module, apart: AbstractSet[str]) -> None:
    """Rewrite the direct calls of the module's functions with variable arguments, in place, and add the copies. apart: functions
    that stay as they are."""
    if not module.triple.startswith("x86_64") or "windows" in module.triple or _rounds_addresses(module):
        return
    layout = DataLayout.of(module)
    for function in module.definitions():
        if not function.function_type.variadic:
            _write_copies(function)
    called = {call.called_function for caller in module.definitions() for call in _direct(caller)}
    chosen = [f for f in module.definitions() if f in called and f.name not in apart]
    copies = {function: _copy(function) for function in chosen}
    for made in copies.values():
        module.add(made)
    for caller in list(module.definitions()):
        replaced: dict[Value, Value] = {}
        for call in list(_direct(caller)):
            copy = copies.get(call.called_function) if call.called_function is not None else None
            if copy is not None:
                replaced[call] = _rewrite(module, caller, call, copy, layout)
        replace_uses(caller, replaced)


def _rounds_addresses(module: Module) -> bool:
    """Whether addresses are rounded up anywhere, as `va_arg` does for what is aligned to more than a word."""
    calls = (i for f in module.definitions() for i in f.instructions() if isinstance(i, Call))
    return any(intrinsics.word(getattr(call.called_function, "name", "")) == "ptrmask" for call in calls)


def _direct(caller: Function) -> list[Call]:
    """The calls of functions with variable arguments whose bodies are known."""
    calls = [i for i in caller.instructions() if isinstance(i, Call)]
    return [
        call
        for call in calls
        if (function := call.called_function) is not None
        and function.function_type.variadic
        and function.blocks
        and call.function_type == function.function_type
    ]


def _copy(function: Function) -> Function:
    new = clone_function(function, PREFIX + function.name, {})
    new.metadata = dict(function.metadata)
    new.linkage = "internal"
    new.attributes = function.attributes.without(_OF_FUNCTIONS)
    area = Argument(POINTER, "variable.arguments", EMPTY, len(new.arguments))
    new.arguments.append(area)
    new.function_type = FunctionType(function.function_type.result, tuple(a.type for a in new.arguments))
    for call in [i for i in new.instructions() if isinstance(i, Call)]:
        name = getattr(call.called_function, "name", "")
        if name.startswith((_START, _COPY, _END)):
            _on_list(call, name, area)
    return new


def _on_list(call: Call, name: str, area: Value) -> None:
    block = call.parent
    assert block is not None
    builder = Builder(block, call)
    builder.debug_location = call.metadata.get("dbg")
    place = call.arguments[0]
    if name.startswith(_START):
        for at, type_, number in _LIST:
            builder.store(constants.int_constant(type_, number), _address(builder, place, at))
        builder.store(area, _address(builder, place, _AREA))
        builder.store(constants.zero(POINTER), _address(builder, place, _REGISTERS))
    elif name.startswith(_COPY):
        _copy_list(builder, place, call.arguments[1])
    block.instructions.remove(call)


def _write_copies(function: Function) -> None:
    """`va_copy` of a list that the function was handed: four members are copied, whatever the list leads to."""
    for call in [i for i in function.instructions() if isinstance(i, Call)]:
        block = call.parent
        if block is not None and getattr(call.called_function, "name", "").startswith(_COPY):
            builder = Builder(block, call)
            builder.debug_location = call.metadata.get("dbg")
            _copy_list(builder, call.arguments[0], call.arguments[1])
            block.instructions.remove(call)


def _copy_list(builder: Builder, to: Value, list_: Value) -> None:
    words: list[tuple[int, Type]] = [(0, I32), (4, I32), (_AREA, POINTER), (_REGISTERS, POINTER)]
    held = [builder.load(type_, _address(builder, list_, at)) for at, type_ in words]
    for (at, _), value in zip(words, held, strict=True):
        builder.store(value, _address(builder, to, at))


def _rewrite(module: Module, caller: Function, call: Call, copy: Function, layout: DataLayout) -> Value:
    """The result of a call of the copy instead of `call`, which goes."""
    block = call.parent
    assert block is not None
    builder = Builder(block, call)
    builder.debug_location = call.metadata.get("dbg")
    fixed = len(copy.arguments) - 1
    given = list(zip(call.arguments[fixed:], call.argument_attributes[fixed:], strict=True))
    places, size = _places(given, layout)
    slots = Builder(caller.entry, caller.entry.instructions[0])
    area = slots.alloca(ArrayType(max(size, _WORD), I8), align=_ALIGN, name=f"{call.name or 'call'}.arguments")
    for (value, attributes), at in zip(given, places, strict=True):
        struct, place = _in_memory(attributes), _address(builder, area, at)
        if struct is None:
            builder.store(value, place, align=_WORD)
        else:
            length = constants.int_constant(I64, layout.size_of(struct))
            builder.call(_block_copy(module), [place, value, length, constants.FALSE])
    made = Call(
        "call",
        call.type,
        [*call.arguments[:fixed], area, copy],
        call.name,
        call.flags,
        function_type=copy.function_type,
        calling_convention=call.calling_convention,
        argument_attributes=[*call.argument_attributes[:fixed], EMPTY],
        attributes=call.attributes.without(_OF_FUNCTIONS),
    )
    made.metadata = {kind: node for kind, node in call.metadata.items() if kind == "dbg"}
    builder.insert(made)
    block.instructions.remove(call)
    return made


def _places(given: list[tuple[Value, AttributeSet]], layout: DataLayout) -> tuple[list[int], int]:
    """Where each argument lies in the memory, and how large that is. The program looks for none beyond the next word; a C library's
    `vprintf` does for a `long double`."""
    found, at = [], 0
    for value, attributes in given:
        type_ = _in_memory(attributes) or value.type
        align = _ALIGN if type_ is value.type and layout.align_of(type_) >= _ALIGN else _WORD
        at = -(-at // align) * align
        found.append(at)
        at += -(-layout.size_of(type_) // _WORD) * _WORD
    return found, at


def _in_memory(attributes: AttributeSet) -> Type | None:
    """The type of a struct that is passed in memory anyway."""
    attribute = attributes.get("byval")
    return attribute.type if attribute is not None else None


def _block_copy(module: Module) -> Function:
    known = module.functions.get(_BLOCK_COPY)
    if known is None:
        types = (POINTER, POINTER, I64, I1)
        arguments = [Argument(type_, "", EMPTY, k) for k, type_ in enumerate(types)]
        known = Function(_BLOCK_COPY, function_type=FunctionType(VOID, types), arguments=arguments)
        module.add(known)
    return known


def _address(builder: Builder, place: Value, at: int) -> Value:
    return builder.gep(I8, place, [constants.int_constant(I64, at)]) if at else place

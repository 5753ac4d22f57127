"""The native function Python calls: C arguments in, gradients out.

It calls the written derivative with the arena and, if asked, the seed 1.0 folded in. One result comes back by value,
several through a block of memory. Shadow globals are zeroed at each call.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from enzyme_magic.backend.autodiff.calls import run_answers
from enzyme_magic.backend.autodiff.calls.request import ACTIVE
from enzyme_magic.backend.autodiff.calls.signature import Parameters, function_type, packed, unpacked
from enzyme_magic.backend.autodiff.context import SweepContext
from enzyme_magic.backend.autodiff.memory import kept_blocks
from enzyme_magic.backend.autodiff.sweeps import tangent_rules
from enzyme_magic.backend.autodiff.sweeps.forward import ForwardDerivative
from enzyme_magic.backend.autodiff.sweeps.leaves import leaves
from enzyme_magic.backend.autodiff.sweeps.reverse import Derivative
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.attributes import EMPTY, Attribute, AttributeSet
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import I8, I64, POINTER, VOID, FloatType, Type
from enzyme_magic.backend.ir.values import Argument, Block, Value
from enzyme_magic.backend.native import Entry, FieldKind, ResultField, Slot


@dataclass(slots=True, repr=False)
class _Call:
    """The entry under construction: its parameters with their meaning, and what to pass on."""

    arguments: list[Argument]
    slots: list[Slot]
    passed: list[Value]

    def take(self, slot: Slot, like: Argument, *, own: bool = False) -> None:
        attributes = abi_attributes(like.attributes)
        attributes = attributes.with_(Attribute("noalias")) if own else attributes
        argument = Argument(like.type, like.name, attributes, len(self.arguments))
        self.arguments.append(argument)
        self.slots.append(slot)
        self.passed.append(argument)


def abi_attributes(attributes: AttributeSet) -> AttributeSet:
    kept: tuple[Attribute, ...] = tuple(a for a in attributes if a.name in ("signext", "zeroext"))
    return AttributeSet(kept)


def write_entry(
    context: SweepContext,
    derivative: Derivative | ForwardDerivative,
    symbol: str,
    seed: str,
    slots: Sequence[tuple[Slot, Slot]],
    *,
    own_shadows: bool = False,
) -> Entry:
    """Add the entry `symbol` to the module. slots[k]: what primal argument k is to the caller, and what its shadow is.
    own_shadows: nothing but its parameter leads to the memory of a shadow, as the caller promises."""
    call = _Call([], [], [])
    own = own_shadows and not (run_answers.asks(context) or context.asks)
    _pass_parameters(context, call, derivative.parameters, seed, slots, own)
    fields = fields_of(derivative, [slot.parameter for slot, _ in slots])
    single = fields[0] if len(fields) == 1 else None
    block_argument = None
    if len(fields) > 1:
        block_argument = Argument(POINTER, "results", AttributeSet((Attribute("noalias"),)), len(call.arguments))
        call.arguments.append(block_argument)
        call.slots.append(Slot("results"))
    result_type: Type = derivative.returned[0] if single else VOID
    function = Function(
        symbol, function_type=function_type(call.arguments, result_type), arguments=call.arguments, attributes=EMPTY
    )
    context.module.add(function)
    block = Block("entry", parent=function)
    function.blocks.append(block)
    builder = Builder(block)
    zero_shadow_globals(context, builder)
    kept = kept_blocks.begin(context, builder)
    run_answers.begin(context, builder)
    result: Value = builder.call(derivative.function, call.passed)
    if kept:
        kept_blocks.end(context, builder, forward=isinstance(derivative, ForwardDerivative))
    _answer(context, builder, derivative, result, fields)
    if isinstance(derivative, ForwardDerivative) and tangent_rules.is_used(context.module):
        result = _plain_zeros(builder, result, fields, derivative.returned)
    if block_argument is not None:
        fields, size = store_results(context, builder, block_argument, result, fields, derivative.returned)
    else:
        size = 0
    builder.ret(result if single else None)
    return Entry(symbol, tuple(call.slots), single, tuple(fields) if not single else (), size)


def _answer(
    context: SweepContext,
    builder: Builder,
    derivative: Derivative | ForwardDerivative,
    result: Value,
    fields: Sequence[ResultField],
) -> None:
    """The derivative is done: what the run had to say of bytes."""
    forward = isinstance(derivative, ForwardDerivative)
    values = unpacked(builder, result, len(fields)) if context.suspects else []
    tangents = [value for value, field in zip(values, fields, strict=False) if field.kind == "tangent"]
    run_answers.end(context, builder, tangents, forward=forward)


def _plain_zeros(builder: Builder, result: Value, fields: Sequence[ResultField], types: Sequence[Type]) -> Value:
    """Results in which a tangent that is zero is 0.0, whether it was there or absent."""
    values = unpacked(builder, result, len(types))
    for k, field in enumerate(fields):
        if field.kind == "tangent" and isinstance(values[k].type, FloatType):
            values[k] = builder.fadd(values[k], constants.zero(values[k].type))
    return values[0] if len(values) == 1 else packed(builder, values)


def _pass_parameters(
    context: SweepContext,
    call: _Call,
    made: Parameters,
    seed: str,
    slots: Sequence[tuple[Slot, Slot]],
    own_shadows: bool,
) -> None:
    if made.passes_arena and context.uses_arena:
        call.take(Slot("arena"), made.arena)
    elif made.passes_arena:
        call.passed.append(constants.poison(POINTER))
    for k, argument in enumerate(made.primal):
        slot, shadow = slots[k]
        call.take(slot, argument)
        if k in made.shadow:
            call.take(shadow, made.shadow[k], own=own_shadows)
        for (index, _), tangent in made.tangents.items():
            if index == k:
                call.take(Slot("tangent", slot.parameter), tangent)
    for argument in made.seeds.values():
        if seed == "one":
            call.passed.append(constants.float_constant(argument.type, 1.0))
        else:
            call.take(Slot("seed"), argument)


def fields_of(derivative: Derivative | ForwardDerivative, parameters: Sequence[int | None]) -> list[ResultField]:
    request = derivative.subject.request
    if isinstance(derivative, ForwardDerivative):
        kinds: list[FieldKind] = ["value"] if request.value else []
        kinds += ["tangent" for _ in derivative.result_leaves]
        return [ResultField(kind, str(type_)) for kind, type_ in zip(kinds, derivative.returned, strict=True)]
    fields = [ResultField("value", str(leaf.type)) for leaf in derivative.sweep.result_leaves] if request.value else []
    arguments = derivative.subject.prepared.function.arguments
    for k, (argument, kind) in enumerate(zip(arguments, request.activities, strict=True)):
        if kind == ACTIVE:
            fields += [
                ResultField("gradient", str(leaf.type), parameters[k])
                for leaf in leaves(argument.type, derivative.sweep.context.layout.resolve)
            ]
    return fields


def store_results(
    context: SweepContext,
    builder: Builder,
    memory: Argument,
    result: Value,
    fields: Sequence[ResultField],
    types: Sequence[Type],
) -> tuple[list[ResultField], int]:
    placed: list[ResultField] = []
    offset = 0
    for field, type_, value in zip(fields, types, unpacked(builder, result, len(types)), strict=True):
        align = context.layout.align_of(type_)
        offset = -(-offset // align) * align
        builder.store(value, builder.gep(I8, memory, [constants.int_constant(I64, offset)]))
        placed.append(replace(field, offset=offset))
        offset += context.layout.size_of(type_)
    return placed, offset


def zero_shadow_globals(context: SweepContext, builder: Builder) -> None:
    """Set every shadow global to zero, those of constant pointers to the shadows of these."""
    for shadow in context.shadow_globals.values():
        size = constants.int_constant(I64, context.layout.size_of(shadow.value_type))
        image = context.shadow_images.get(shadow.name)
        if image is None:
            context.zero_memory(builder, shadow, size)
        else:
            context.copy_memory(builder, shadow, image, size)

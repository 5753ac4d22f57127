"""The native function Python calls for several sweeps at once: C arguments in, derivatives of each lane out.

Parameters are those of the entry for one sweep, each varying one N times side by side. All results come back through a block of
memory. Seeds are parameters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from enzyme_magic.backend.autodiff.calls.entry_points import (
    abi_attributes,
    fields_of,
    store_results,
    zero_shadow_globals,
)
from enzyme_magic.backend.autodiff.calls.signature import Parameters, function_type
from enzyme_magic.backend.autodiff.context import SweepContext
from enzyme_magic.backend.autodiff.lanes.lane_writer import Wide
from enzyme_magic.backend.autodiff.memory import kept_blocks
from enzyme_magic.backend.autodiff.sweeps.forward import ForwardDerivative
from enzyme_magic.backend.autodiff.sweeps.reverse import Derivative
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.attributes import EMPTY, Attribute, AttributeSet
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import POINTER, VOID, StructType, VoidType
from enzyme_magic.backend.ir.values import Argument, Block, Value
from enzyme_magic.backend.native import EVERY, Entry, Slot


def write(
    context: SweepContext,
    derivative: Derivative | ForwardDerivative,
    wide: Wide,
    symbol: str,
    slots: Sequence[tuple[Slot, Slot]],
) -> Entry:
    """Add the entry `symbol` to the module. slots[k]: what primal argument k is to the caller, and what its shadow is."""
    meanings = _meanings(derivative.parameters, slots)
    arguments: list[Argument] = []
    native: list[Slot] = []
    passed: list[Value] = []
    for parameter, varies in wide.parameters:
        slot = meanings[parameter]
        if slot.kind == "arena" and not context.uses_arena:
            passed.append(constants.poison(POINTER))
            continue
        for lane in range(wide.width if varies else 1):
            arguments.append(
                Argument(parameter.type, parameter.name, abi_attributes(parameter.attributes), len(arguments))
            )
            native.append(replace(slot, lane=lane))
            passed.append(arguments[-1])
    fields = [
        replace(field, lane=lane)
        for field, varies in zip(
            fields_of(derivative, [slot.parameter for slot, _ in slots]), wide.results, strict=True
        )
        for lane in (range(wide.width) if varies else (EVERY,))
    ]
    memory = Argument(POINTER, "results", AttributeSet((Attribute("noalias"),)), len(arguments))
    if fields:
        arguments.append(memory)
        native.append(Slot("results"))
    function = Function(symbol, function_type=function_type(arguments, VOID), arguments=arguments, attributes=EMPTY)
    context.module.add(function)
    block = Block("entry", parent=function)
    function.blocks.append(block)
    builder = Builder(block)
    zero_shadow_globals(context, builder)
    kept = kept_blocks.begin(context, builder)
    result = builder.call(wide.function, passed)
    if kept:
        kept_blocks.end(context, builder, forward=isinstance(derivative, ForwardDerivative))
    size = 0
    if fields:
        type_ = wide.function.function_type.result
        types = type_.elements if isinstance(type_, StructType) else (type_,)
        fields, size = store_results(context, builder, memory, result, fields, types)
    assert fields or isinstance(result.type, VoidType)
    builder.ret()
    return Entry(symbol, tuple(native), None, tuple(fields), size)


def _meanings(made: Parameters, slots: Sequence[tuple[Slot, Slot]]) -> dict[Argument, Slot]:
    meanings = {made.arena: Slot("arena")}
    for k, argument in enumerate(made.primal):
        meanings[argument] = slots[k][0]
        if k in made.shadow:
            meanings[made.shadow[k]] = slots[k][1]
    for (k, _), tangent in made.tangents.items():
        meanings[tangent] = Slot("tangent", slots[k][0].parameter)
    meanings.update(dict.fromkeys(made.seeds.values(), Slot("seed")))
    return meanings

"""Which bytes an instruction may write: one record per access.

Invariant: the records of an instruction together cover everything it may write or free. An access through a pointer
says which bytes around it: from `low` (None: unboundedly below) up to `high` (None: unboundedly above).
"""

from __future__ import annotations

from dataclasses import dataclass

from enzyme_magic.backend.analysis.memory import tbaa
from enzyme_magic.backend.analysis.memory.memory_objects import PointsTo
from enzyme_magic.backend.ir import intrinsics
from enzyme_magic.backend.ir.instructions import AtomicRMW, Call, CompareExchange, Instruction, Store, VAArg
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.values import ConstantInt, Value
from enzyme_magic.backend.library.summary import ARGUMENT, Summary, TouchedBytes


@dataclass(frozen=True, slots=True, eq=False)
class Access:
    """`mask`: the objects it may touch. `pointer` None: anywhere in them. `frees`: the memory is given back."""

    instruction: Instruction
    mask: int
    pointer: Value | None = None
    low: int | None = None
    high: int | None = None
    tag: tbaa.Tag | None = None
    frees: bool = False


def writes_of(
    instruction: Instruction, points_to: PointsTo, summary: Summary | None, layout: DataLayout
) -> list[Access]:
    """Everything `instruction` may write or free. `summary` is needed for calls."""
    tag = tbaa.tag_of(instruction)
    if isinstance(instruction, Store):
        size = layout.store_size(instruction.value.type)
        return [Access(instruction, points_to.mask(instruction.pointer), instruction.pointer, 0, size, tag)]
    if isinstance(instruction, (AtomicRMW, CompareExchange)):
        size = layout.store_size(instruction.operands[1].type)
        pointer = instruction.operands[0]
        return [Access(instruction, points_to.mask(pointer), pointer, 0, size, tag)]
    if isinstance(instruction, VAArg):
        return [Access(instruction, points_to.mask(instruction.operands[0]))]
    if isinstance(instruction, Call) and summary is not None and (summary.writes or summary.frees):
        return _of_call(instruction, points_to, summary, tag)
    return []


def _of_call(call: Call, points_to: PointsTo, summary: Summary, tag: tbaa.Tag | None) -> list[Access]:
    result: list[Access] = []
    arguments = call.arguments
    extents = {e.index: e for e in summary.write_extents}
    elsewhere = freed = 0
    if intrinsics.transfer(call) is None:
        tag = None
    for place in summary.writes:
        if place.kind == ARGUMENT and place.index in extents and place.index < len(arguments):
            pointer = arguments[place.index]
            size = extent_size(extents[place.index], arguments)
            result.append(Access(call, points_to.mask(pointer), pointer, 0, size, tag))
        else:
            elsewhere |= points_to.place_mask(place, arguments, call)
    for place in summary.frees:
        freed |= points_to.place_mask(place, arguments, call)
    if elsewhere:
        result.append(Access(call, elsewhere))
    if freed:
        result.append(Access(call, freed, frees=True))
    return result


def extent_size(extent: TouchedBytes, arguments: list[Value]) -> int | None:
    """The byte count when all factors are constants."""
    size = extent.constant
    for index in extent.factors:
        factor = arguments[index] if index < len(arguments) else None
        if not isinstance(factor, ConstantInt):
            return None
        size *= factor.unsigned
    return size if extent.exact else None

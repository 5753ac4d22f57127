"""Who uses a value, inside one function.

Invariant: the answer is a snapshot; it is not kept up to date when the function changes. Constants and globals are not keys
(their users may lie anywhere in the module).
"""

from __future__ import annotations

from collections.abc import Mapping

from enzyme_magic.backend.ir.instructions import Instruction, Phi
from enzyme_magic.backend.ir.metadata import DebugRecord, MDRecord, Metadata, ValueAsMetadata
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.values import Argument, MetadataOperand, Value


def users(function: Function) -> dict[Value, list[Instruction]]:
    """Every argument, block and instruction of `function` with the instructions that use it, in textual order; an
    instruction that uses a value twice is listed twice. A block's users are the terminators that go to it and the phis
    that name it. Debug records are no uses."""
    result: dict[Value, list[Instruction]] = {argument: [] for argument in function.arguments}
    for block in function.blocks:
        result[block] = []
        result.update((instruction, []) for instruction in block.instructions)
    for instruction in function.instructions():
        for operand in instruction.operands:
            if isinstance(operand, (Argument, Instruction)):
                result.setdefault(operand, []).append(instruction)
        for block in instruction.blocks if isinstance(instruction, Phi) else instruction.successors:
            result.setdefault(block, []).append(instruction)
    return result


def replace_uses(function: Function, replacements: Mapping[Value, Value]) -> None:
    """Every operand of `function` that is a key becomes its value (one pass: chains are not followed). Debug records and
    metadata operands follow; blocks are left alone, see `cfg.redirect`."""
    for instruction in function.instructions():
        map_operands(instruction, replacements)


def map_operands(instruction: Instruction, values: Mapping[Value, Value]) -> None:
    """Operands and debug records of one instruction, replaced in place."""
    operands = instruction.operands
    for position, operand in enumerate(operands):
        if isinstance(operand, MetadataOperand):
            mapped = map_metadata(operand.metadata, values)
            if mapped is not operand.metadata:
                operands[position] = MetadataOperand(mapped)
        else:
            operands[position] = values.get(operand, operand)
    for record in instruction.debug_records:
        record.operands = [map_metadata(operand, values) for operand in record.operands]


def map_metadata(node: Metadata, values: Mapping[Value, Value]) -> Metadata:
    """`node` with the function-local values it names replaced: a value itself, or the values of a DIArgList. Every other
    node is shared, so it comes back as it is."""
    if isinstance(node, ValueAsMetadata):
        new = values.get(node.value)
        return node if new is None or new is node.value else ValueAsMetadata(new)
    if isinstance(node, MDRecord) and node.name == "DIArgList":
        arguments = tuple(map_metadata(a, values) if isinstance(a, Metadata) else a for a in node.arguments)
        if arguments != node.arguments:
            return MDRecord(node.name, {}, arguments)
    return node


def copy_record(record: DebugRecord) -> DebugRecord:
    return DebugRecord(record.kind, list(record.operands))

"""Members that are taken out of an aggregate built right before: `extractvalue (insertvalue %a, %x, 1), 1` is %x.

What inlining leaves of functions that return several values. Optimizers fold it; at level 0 nobody did. Unused insertions stay:
they compute nothing that anybody reads.
"""

from __future__ import annotations

from enzyme_magic.backend.ir.graphs.def_use import replace_uses
from enzyme_magic.backend.ir.instructions import ExtractValue, InsertValue
from enzyme_magic.backend.ir.module import Module
from enzyme_magic.backend.ir.values import Value


def take_apart(module: Module) -> int:
    """Fold such extractions in the definitions of `module`, in place; gives back how many."""
    count = 0
    for function in module.definitions():
        found: dict[Value, Value] = {}
        for instruction in function.instructions():
            if isinstance(instruction, ExtractValue):
                member = _member(instruction.operands[0], instruction.indices, found)
                if member is not None:
                    found[instruction] = member
        if found:
            for block in function.blocks:
                block.instructions = [i for i in block.instructions if i not in found]
            replace_uses(function, {old: _last(new, found) for old, new in found.items()})
            count += len(found)
    return count


def _member(aggregate: Value, indices: tuple[int, ...], found: dict[Value, Value]) -> Value | None:
    """What was put at `indices` of an aggregate; None where that is not seen."""
    aggregate = _last(aggregate, found)
    while isinstance(aggregate, InsertValue):
        if aggregate.indices == indices:
            return aggregate.operands[1]
        common = min(len(aggregate.indices), len(indices))
        if aggregate.indices[:common] == indices[:common]:
            return None  # a part of it, or it is a part
        aggregate = _last(aggregate.operands[0], found)
    return None


def _last(value: Value, found: dict[Value, Value]) -> Value:
    while value in found:
        value = found[value]
    return value

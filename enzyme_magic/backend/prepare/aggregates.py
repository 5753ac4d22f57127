"""Members that are taken out of an aggregate built right before: `extractvalue (insertvalue %a, %x, 1), 1` is %x.

What inlining leaves of functions that return several values. Optimizers fold it; at level 0 nobody did. Members of constants are
known, too. Unused insertions stay: they compute nothing that anybody reads.
"""

from __future__ import annotations

from collections.abc import Iterator

from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.graphs.def_use import replace_uses
from enzyme_magic.backend.ir.instructions import ExtractValue, InsertValue, Phi, Select
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Module
from enzyme_magic.backend.ir.types import ArrayType, NamedType, StructType, Type
from enzyme_magic.backend.ir.values import Block, ConstantAggregate, ConstantKeyword, Value

Path = tuple[int, ...]


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


def split_merges(module: Module, layout: DataLayout) -> None:
    """Phis and selects of aggregates, in the definitions of `module`, become one of each member, and the aggregate of these."""
    for function in module.definitions():
        merges = [i for i in function.instructions() if isinstance(i, (Phi, Select)) and _is_aggregate(layout, i.type)]
        made: dict[Value, Value] = {merge: _split(merge, layout) for merge in merges}
        replace_uses(function, made)
        for block in function.blocks:
            block.instructions[:] = [i for i in block.instructions if i not in made]


def _is_aggregate(layout: DataLayout, type_: Type) -> bool:
    return isinstance(type_, (StructType, ArrayType, NamedType)) and isinstance(
        layout.resolve(type_), (StructType, ArrayType)
    )


def _split(merge: Phi | Select, layout: DataLayout) -> Value:
    block = merge.parent
    assert block is not None
    place = next(i for i in block.instructions if not isinstance(i, Phi)) if isinstance(merge, Phi) else merge
    builder = Builder(block, place)
    made: Value = ConstantKeyword(merge.type, "poison")
    for path, _, type_ in members(layout, merge.type):
        part = _phi_of(merge, block, path, type_) if isinstance(merge, Phi) else _choice_of(merge, builder, path)
        made = builder.insert(InsertValue("insertvalue", merge.type, [made, part], indices=path))
    return made


def _phi_of(merge: Phi, block: Block, path: Path, type_: Type) -> Value:
    made = Builder(block, block.instructions[0]).phi(type_)
    for value, source in zip(merge.operands, merge.blocks, strict=True):
        made.operands.append(Builder(source, source.instructions[-1]).extract_value(value, *path))
        made.blocks.append(source)
    return made


def _choice_of(merge: Select, builder: Builder, path: Path) -> Value:
    condition, one, other = merge.operands
    return builder.select(condition, builder.extract_value(one, *path), builder.extract_value(other, *path))


def members(layout: DataLayout, type_: Type, path: Path = (), at: int = 0) -> Iterator[tuple[Path, int, Type]]:
    """The members of an aggregate that are none themselves, with their places in memory and types; a value that is no aggregate
    is its only member."""
    found = layout.resolve(type_)
    if isinstance(found, StructType):
        for k, element in enumerate(found.elements):
            yield from members(layout, element, (*path, k), at + layout.field_offset(found, k))
    elif isinstance(found, ArrayType):
        for k in range(found.count):
            yield from members(layout, found.element, (*path, k), at + k * layout.size_of(found.element))
    else:
        yield path, at, type_


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
    for index in indices:
        if not isinstance(aggregate, ConstantAggregate):
            return None
        aggregate = aggregate.elements[index]
    return aggregate


def _last(value: Value, found: dict[Value, Value]) -> Value:
    while value in found:
        value = found[value]
    return value

"""Which accesses touch memory that the program uses under several types, one after the other?

    node->value = x; … node->value*node->value …; *(void **)node = free_list;      a pool, an arena, a scratch block

C's rules on types (6.5) say that an access of one type meets no object of another. They do not say that memory is not used again: a
store into a heap block gives it another type. What the block held before is then gone, so a value that was read there cannot be
read again in the reverse sweep, whatever the types of the read and of the store.

Theorem: two accesses that may touch the same bytes lie in one region (`analysis/types/regions.py`), at places that overlap. An
access is *retyped* where another access of its region overlaps it and the tags of the two claim that they cannot meet.

Invariant: what is not known counts as overlapping: no place in the region, a step that says only what is left of a division.
Where a region has too many accesses to compare, all are taken for retyped. Not seen: copies of memory, which carry no tags.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import combinations
from math import gcd

from enzyme_magic.backend.analysis.memory import tbaa
from enzyme_magic.backend.analysis.memory.tbaa import Tag
from enzyme_magic.backend.analysis.types.inference import Types
from enzyme_magic.backend.analysis.types.regions import AliasClass
from enzyme_magic.backend.ir.instructions import Instruction, Load, Store
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Module

MOST_USES = 400  # different ones in one region


@dataclass(frozen=True, slots=True)
class _Use:
    """`size` bytes of a region from `start` on (None: anywhere), or every `step` bytes from there, by accesses with `tag`."""

    start: int | None
    step: int
    size: int
    tag: Tag
    writes: bool

    def contradicts(self, other: _Use) -> bool:
        """Whether both may touch one byte, one of them writes it, and their tags claim that they do not."""
        return (self.writes or other.writes) and self._meets(other) and not tbaa.may_alias(self.tag, other.tag)

    def _meets(self, other: _Use) -> bool:
        if self.start is None or other.start is None:
            return True
        apart, step = other.start - self.start, gcd(self.step, other.step)
        if step:
            apart %= step
            return apart < self.size or step - apart < other.size
        return -other.size < apart < self.size


def retyped(module: Module, types: Types, layout: DataLayout) -> frozenset[Instruction]:
    """The loads and stores of a module to whose memory another one with a contradicting tag comes."""
    uses: dict[AliasClass, dict[_Use, list[Instruction]]] = {}
    for function in module.definitions():
        for i in function.instructions():
            for region, use in _uses(i, types, layout):
                uses.setdefault(region, {}).setdefault(use, []).append(i)
    return frozenset(i for found in uses.values() for use in _contradicted(found) for i in found[use])


def _uses(i: Instruction, types: Types, layout: DataLayout) -> Iterator[tuple[AliasClass, _Use]]:
    tag = tbaa.tag_of(i) if isinstance(i, (Load, Store)) else None
    if tag is None or not isinstance(i, (Load, Store)):
        return
    size = layout.store_size(i.type if isinstance(i, Load) else i.value.type)
    for node, offset, step in types.seeds.places(i.pointer, i):
        region, place = types.seeds.graph.regions.of(node)
        yield region, _Use(None if place is None else place + offset, step, size, tag, isinstance(i, Store))


def _contradicted(uses: Collection[_Use]) -> Collection[_Use]:
    if len(uses) > MOST_USES:
        return uses
    return {use for pair in combinations(uses, 2) if pair[0].contradicts(pair[1]) for use in pair}

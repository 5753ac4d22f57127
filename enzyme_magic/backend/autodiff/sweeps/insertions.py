"""Instructions to be put between those of a sweep, collected first and merged in one pass.

Invariant: what is collected at one place keeps its order; `flush` puts every collection where it belongs and costs
time linear in the function, however many there are. Phis are not collected: they go to the top of their block at
once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.graphs.def_use import replace_uses
from enzyme_magic.backend.ir.instructions import Instruction, Phi
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.values import Block, Value


@dataclass(slots=True, repr=False)
class Insertions:
    """Places in `function`: before and behind an instruction, at the top of a block (behind its phis), before its end."""

    function: Function
    _after: dict[Instruction, Builder] = field(default_factory=dict)
    _before: dict[Instruction, Builder] = field(default_factory=dict)
    _first: dict[Block, Builder] = field(default_factory=dict)
    _top: dict[Block, Builder] = field(default_factory=dict)
    _last: dict[Block, Builder] = field(default_factory=dict)
    _dropped: dict[Value, Value | None] = field(default_factory=dict)

    def after(self, value: Value, block: Block) -> Builder:
        """Right behind the definition of `value`; for a phi, an argument or a constant at the top of `block`."""
        if isinstance(value, Instruction) and not isinstance(value, Phi):
            builder = self._after.get(value)
            if builder is None:
                builder = self._after[value] = self._collection()
            return builder
        return self._at(self._top, block)

    def before(self, instruction: Instruction) -> Builder:
        """Right before an instruction of the function, behind what was collected for those above it."""
        builder = self._before.get(instruction)
        if builder is None:
            builder = self._before[instruction] = self._collection()
        return builder

    def first(self, block: Block) -> Builder:
        """At the top of `block`, before what `after` puts there."""
        return self._at(self._first, block)

    def last(self, block: Block) -> Builder:
        """Before the terminator of `block`."""
        return self._at(self._last, block)

    def drop(self, instruction: Instruction, replacement: Value | None) -> None:
        """Leave `instruction` out; its users get `replacement`."""
        self._dropped[instruction] = replacement

    def collected(self) -> Iterator[Instruction]:
        """Every instruction collected so far."""
        for places in (self._after, self._before, self._first, self._top, self._last):
            for builder in places.values():
                yield from builder.block.instructions

    def _at(self, places: dict[Block, Builder], block: Block) -> Builder:
        builder = places.get(block)
        if builder is None:
            builder = places[block] = self._collection()
        return builder

    def _collection(self) -> Builder:
        return Builder(Block("", parent=self.function))

    def flush(self) -> None:
        """Merge everything collected into the function. Once."""
        for block in self.function.blocks:
            if block in self._first or block in self._top or block in self._last or self._touched(block):
                self._merge(block)
        replaced = {old: new for old, new in self._dropped.items() if new is not None}
        if replaced:
            replace_uses(self.function, replaced)

    def _touched(self, block: Block) -> bool:
        return any(i in self._after or i in self._before or i in self._dropped for i in block.instructions)

    def _merge(self, block: Block) -> None:
        old = block.instructions
        phis = [i for i in old if isinstance(i, Phi)]
        merged: list[Instruction] = [*phis, *self._taken(self._first, block), *self._taken(self._top, block)]
        for instruction in old[len(phis) : -1]:
            before = self._before.pop(instruction, None)
            if before is not None:
                merged += self._expanded(before.block.instructions)
            if instruction not in self._dropped:
                merged.append(instruction)
            merged += self._following(instruction)
        merged += self._taken(self._last, block)
        block.instructions = [*merged, old[-1]]
        for instruction in block.instructions:
            instruction.parent = block

    def _taken(self, places: dict[Block, Builder], block: Block) -> list[Instruction]:
        builder = places.pop(block, None)
        return self._expanded(builder.block.instructions) if builder is not None else []

    def _following(self, instruction: Instruction) -> list[Instruction]:
        builder = self._after.pop(instruction, None)
        return self._expanded(builder.block.instructions) if builder is not None else []

    def _expanded(self, collected: list[Instruction]) -> list[Instruction]:
        """Collected instructions may have collections of their own behind them."""
        result: list[Instruction] = []
        pending = list(reversed(collected))
        while pending:
            instruction = pending.pop()
            result.append(instruction)
            builder = self._after.pop(instruction, None)
            if builder is not None:
                pending.extend(reversed(builder.block.instructions))
        return result

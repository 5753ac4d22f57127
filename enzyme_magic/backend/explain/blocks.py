"""The activity graph: the optimized function block by block, each instruction with its verdict, rule and C line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from enzyme_magic.backend.explain.scene import Scene
from enzyme_magic.backend.explain.verdicts import Verdicts
from enzyme_magic.backend.explain.words import conditions
from enzyme_magic.backend.explain.words.c_text import UNNAMED
from enzyme_magic.backend.ir import locations
from enzyme_magic.backend.ir.instructions import Instruction, Load, Phi, Return, Store
from enzyme_magic.backend.ir.text import printer
from enzyme_magic.backend.ir.values import Argument, Block, Value
from enzyme_magic.backend.rules import registry
from enzyme_magic.report import ActivityGraph, BlockRow, InstructionRow

# What the reverse sweep does for operations that move data; arithmetic says it by its rule.
MOVES: dict[type[Instruction], str] = {
    Load: "adjoint of the memory += d",
    Store: "adjoint of the value += adjoint of the memory; that becomes 0",
    Phi: "d goes to the value that was taken",
    Return: "d starts with the seed, 1 for a gradient",
}
Runs = Callable[[Block], str | None]


@dataclass(slots=True)
class Blocks:
    """`slots`: cache slot by program value; `runs`: how often a block of the program runs."""

    scene: Scene
    verdicts: Verdicts
    slots: dict[Value, str]
    runs: Runs

    def graph(self) -> ActivityGraph:
        scene = self.scene
        blocks = tuple(self._block(block) for block in scene.function.blocks)
        copies = {copy: scene.names.of(own)[1:] for copy, own in self._copied_blocks()}
        prepared = scene.prepared
        return ActivityGraph(blocks, conditions.edges(prepared.function, scene.loops, scene.text, copies))

    def _copied_blocks(self) -> list[tuple[Block, Block]]:
        pairs = [(self.scene.copies.get(block), block) for block in self.scene.function.blocks]
        return [(copy, own) for copy, own in pairs if isinstance(copy, Block)]

    def _block(self, block: Block) -> BlockRow:
        rows = tuple(self._row(instruction) for instruction in block.instructions)
        line = next((row.line for row in rows if row.line is not None), None)
        return BlockRow(self.scene.names.of(block)[1:], rows, self.runs(block), line, self._call(block))

    def _call(self, block: Block) -> str:
        """The call in this function that all located instructions of a block were inlined from; "" where that is no one call."""
        found = {locations.called_from(i) for i in block.instructions if locations.inlined_chain(i)}
        call = found.pop() if len(found) == 1 else None
        return f"{call[0]}, called at line {call[1]}" if call is not None else ""

    def _row(self, instruction: Instruction) -> InstructionRow:
        scene = self.scene
        verdict = self.verdicts.of(instruction)
        span = locations.span(instruction)
        copy = scene.copy_of(instruction)
        active = verdict.active and isinstance(copy, Instruction)
        return InstructionRow(
            identifier=scene.identifiers[instruction],
            text=printer.short(instruction, scene.names),
            llvm=printer.line(instruction, scene.names),
            opcode=instruction.opcode,
            verdict=verdict,
            result=scene.names.get(instruction),
            line=scene.line(instruction),
            column=(span.column or None) if span is not None else None,
            operands=tuple(self._identified(instruction.operands)),
            slot=self.slots.get(instruction),
            rule=self._rule(copy) if active and isinstance(copy, Instruction) else None,
            primals_needed=tuple(self._needed(copy)) if active and isinstance(copy, Instruction) else (),
            c=self._in_c(copy),
        )

    def _in_c(self, copy: Value | None) -> str:
        text = self.scene.text.statement(copy) if isinstance(copy, Instruction) else ""
        return "" if text == UNNAMED else text

    def _identified(self, values: list[Value]) -> list[str]:
        known = (self.scene.identifier(v) for v in values if isinstance(v, (Instruction, Argument)))
        return list(dict.fromkeys(identifier for identifier in known if identifier is not None))

    def _rule(self, copy: Instruction) -> str | None:
        rule = registry.rule_for(copy)
        return rule.formula if rule is not None else MOVES.get(type(copy))

    def _needed(self, copy: Instruction) -> list[str]:
        """The values the adjoint of `copy` reads, learnt by running its rule dry."""
        return self._identified(primals_needed(copy, self.scene))


def primals_needed(copy: Instruction, scene: Scene) -> list[Value]:
    """The values of the forward sweep that the rule of `copy` reads for its active operands."""
    rule = registry.rule_for(copy)
    if rule is None:
        return []
    found: dict[Value, None] = {}
    for operand in sorted(rule.active_operands):
        if not scene.activity.active(copy.operands[operand]):
            continue
        for result in range(rule.results):
            for read in sorted(rule.needed(copy, result, operand), key=str):
                found[copy if isinstance(read, str) else copy.operands[read]] = None
    return list(found)

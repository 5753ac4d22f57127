"""Instructions that are added to a function while it is read, and put in all at once.

Invariant: the function is unchanged until `apply`, which costs time linear in its size. A check that fails goes to a block that
does not come back, so that what follows is reached only where the check holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.graphs.cfg import phis
from enzyme_magic.backend.ir.instructions import Alloca, Instruction
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.values import Block, Value


@dataclass(frozen=True, slots=True)
class InstructionCheck:
    """`holds` (i1) is known before the instruction that is checked; `fail` writes what is done where it is false."""

    holds: Value
    fail: Callable[[Builder], None]


class Instrumentation:
    """What comes before and behind the instructions of one function. Blocks without a name are lists of instructions."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self._entry = Block("")
        self._before: dict[Instruction, list[Block | InstructionCheck]] = {}
        self._behind: dict[Instruction, Block] = {}

    def at_entry(self) -> Builder:
        """A builder of instructions that come behind the variables which the function begins with."""
        return Builder(self._entry)

    def behind(self, instruction: Instruction) -> Builder:
        """A builder of instructions that come behind `instruction`. Behind a phi come phis only."""
        return Builder(self._behind.setdefault(instruction, Block("")))

    def before(self, instruction: Instruction) -> Builder:
        """A builder of instructions that come before `instruction`, behind what was added there already."""
        block = Block("")
        self._before.setdefault(instruction, []).append(block)
        return Builder(block)

    def check(self, instruction: Instruction, check: InstructionCheck) -> None:
        """`instruction` is reached only where `check` holds."""
        self._before.setdefault(instruction, []).append(check)

    def apply(self) -> None:
        function = self.function
        first = next(i for i in function.entry.instructions if not isinstance(i, Alloca))
        self._before.setdefault(first, []).insert(0, self._entry)
        whole = list(function.blocks)
        function.blocks.clear()
        ends = {block: self._rebuild(block) for block in whole}
        for block in whole:
            for phi in phis(block):
                phi.blocks[:] = [ends[origin] for origin in phi.blocks]

    def _rebuild(self, block: Block) -> Block:
        """Puts `block` into the function again, in pieces where there are checks; the last one."""
        instructions, block.instructions = block.instructions, []
        here = block
        failing: list[Block] = []
        self.function.blocks.append(block)
        for instruction in instructions:
            for added in self._before.get(instruction, ()):
                if isinstance(added, Block):
                    _append(here, added.instructions)
                else:
                    here = self._checked(here, added, instruction, failing)
            here.append(instruction)
            if instruction in self._behind:
                _append(here, self._behind[instruction].instructions)
        self.function.blocks += failing
        return here

    def _checked(self, here: Block, check: InstructionCheck, instruction: Instruction, failing: list[Block]) -> Block:
        failed, rest = Block("failed", parent=self.function), Block("checked", parent=self.function)
        place = instruction.metadata.get("dbg")
        builder = Builder(here)
        builder.debug_location = place
        builder.cond_br(check.holds, rest, failed)
        builder = Builder(failed)
        builder.debug_location = place
        check.fail(builder)
        builder.unreachable()
        failing.append(failed)
        self.function.blocks.append(rest)
        return rest


def _append(block: Block, instructions: Iterable[Instruction]) -> None:
    for instruction in instructions:
        block.append(instruction)

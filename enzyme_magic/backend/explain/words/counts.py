"""How often loops and blocks run, in words: "runs n times", "n*(n+1)/2", "iterations of the loop at line 4"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from enzyme_magic.backend.analysis.counts.executions import Executions, Runs
from enzyme_magic.backend.analysis.counts.formula import Formula, largest
from enzyme_magic.backend.analysis.counts.formula_text import text
from enzyme_magic.backend.explain.scene import Scene
from enzyme_magic.backend.ir import locations
from enzyme_magic.backend.ir.graphs.loops import Loop
from enzyme_magic.backend.ir.instructions import Instruction
from enzyme_magic.backend.ir.values import Argument, Block, Value

_LONG = re.compile(r"[ ()]")  # a sum, or a choice


@dataclass(slots=True)
class Counts:
    scene: Scene
    executions: Executions

    @classmethod
    def of(cls, scene: Scene) -> Counts:
        evolution = scene.subject.alias.evolution

        def called(argument: Argument) -> str:
            return scene.text.value(argument)

        return cls(scene, Executions(scene.prepared.function, evolution, called))

    def stored(self, value: Value, repeated: Sequence[Loop] = ()) -> Formula | None:
        """How many copies of a value the tape gets: one per run of its block where every iteration of its loop passes that, else
        one per iteration; one for all iterations of the loops `repeated`. None where that is not known before the call."""
        if not isinstance(value, Instruction) or value.parent is None:
            return None
        return self.executions.kept(value.parent, repeated)

    def recorded(self, loop: Loop, repeated: Sequence[Loop] = ()) -> str:
        """Words for a number that is only known afterwards; with the most that it can be, where that has a short form. Of the loops
        `repeated` around it only first iterations count: all others share what they keep."""
        line, runs = self.line(loop), self.executions.of_header(loop.header)
        counted = "tests" if self._is_tested_first(loop, line) else "iterations"
        words = f"{counted} of the loop at line {line}" if line is not None else f"{counted} of a loop"
        if repeated:
            words += f" in first iterations of {self.loops(repeated)}"
        if runs is None:
            return words
        most = largest(runs.formula)
        limit = self.written(runs.formula) if most is None else str(most)
        return f"{words} (at most {limit})" if not _LONG.search(limit) else words

    def loops(self, some: Sequence[Loop]) -> str:
        """ "the loop at line 3", "the loops at lines 3 and 5"."""
        lines = list(dict.fromkeys(line for loop in some if (line := self.line(loop)) is not None))
        where = f"at line{'s' if lines[1:] else ''} {' and '.join(map(str, lines))}" if lines else "around it"
        return f"the loop{'s' if some[1:] else ''} {where}"

    def _is_tested_first(self, loop: Loop, line: int | None) -> bool:
        """Whether the loop begins with its test, as clang writes it and LLVM does not leave it: it is asked once more than the body
        runs."""
        asked = (block for block, _ in loop.exits if block is not loop.latch)
        return not self.scene.program.options.opt and any(self.scene.line(block.terminator) == line for block in asked)

    def line(self, loop: Loop) -> int | None:
        """The C line of a loop: where clang says that it begins, else that of its first test."""
        latches = (self.scene.prepared.origin.get(loop.latch.terminator), loop.latch.terminator)
        begins = (locations.loop_line(i, self.scene.source.name) for i in latches if isinstance(i, Instruction))
        if (line := next(filter(None, begins), None)) is not None:
            return line
        tests = [block.terminator for block, _ in loop.exits]
        own = [i for i in tests if locations.stands_in_own_line(self.scene.prepared.origin.get(i, i))]
        if own:  # of `goto`: the first that is asked
            return min((line for i in own if (line := self.scene.line(i)) is not None), default=None)
        others = (i for block in (loop.header, loop.latch) for i in block.instructions)
        lines = (self.scene.line(i) for i in (*tests, *others))
        return next((line for line in lines if line is not None), None)

    def written(self, formula: Formula) -> str:
        return text(formula, [parameter.name for parameter in self.scene.signature.parameters])

    def runs(self, block: Block) -> str | None:
        """ "runs n times", for a block of the program; None where it is not known, or runs once at most."""
        copy = self.scene.copies.get(block)
        found = self.executions.of(copy) if isinstance(copy, Block) and copy.parent is not None else None
        if found is None or self.scene.loops.of(copy) is None:  # type: ignore[arg-type]
            return None
        return self._words(found)

    def _words(self, runs: Runs) -> str:
        count = self.written(runs.formula)
        times = "once" if count == "1" else f"{count} times"
        return f"runs {times}" if runs.exact else f"runs at most {times}"

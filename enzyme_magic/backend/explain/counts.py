"""How often loops and blocks run, in the function's own parameters, or in recorded counts where that is not known beforehand."""

from __future__ import annotations

from dataclasses import dataclass

from enzyme_magic.backend.analysis.loops import Loop
from enzyme_magic.backend.explain.scene import Scene
from enzyme_magic.backend.ir.values import Block


@dataclass(slots=True)
class Counts:
    scene: Scene

    def iterations(self, loop: Loop | None) -> str:
        """How often the body of `loop` runs in one call of the function: "n", or "iterations of the loop at line 4"."""
        if loop is None:
            return "1"
        line = self.line(loop)
        return f"iterations of the loop at line {line}" if line is not None else "iterations of a loop"

    def line(self, loop: Loop) -> int | None:
        """The C line of a loop: that of its first instruction with a line."""
        lines = (self.scene.line(i) for block in (loop.header, loop.latch) for i in block.instructions)
        return next((line for line in lines if line is not None), None)

    def runs(self, block: Block) -> str | None:
        """ "runs n times", for a block of the program."""
        return None

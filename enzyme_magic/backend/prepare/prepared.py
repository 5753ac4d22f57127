"""The function the analyses and the derivative writer agree on. Made by `prepare/preprocess.py`, which states its
form.

Invariants: one return block; loop-simplify form and LCSSA; `counters[loop]` is an i64 phi that starts at 0 and grows
by 1; `exit_counts[loop, block]` is its value in the iteration from which `block` was reached; `arrivals[block]`
numbers the predecessor taken, in the order of `predecessors[block]`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from enzyme_magic.backend.ir.graphs.dominators import DominatorTree, PostDominatorTree
from enzyme_magic.backend.ir.graphs.loops import Loop, Loops
from enzyme_magic.backend.ir.instructions import Instruction, Phi
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.values import Block, Value


@dataclass(slots=True, eq=False, repr=False)
class Prepared:
    """See the module's text. `predecessors` lists each predecessor once; `origin` leads back to the program's own
    values. joined: for each loop that was several, the lines of these."""

    function: Function
    source: Function
    origin: dict[Value, Value]
    loops: Loops
    dominators: DominatorTree
    post_dominators: PostDominatorTree
    predecessors: dict[Block, list[Block]]
    order: list[Block]
    return_block: Block | None
    counters: dict[Loop, Phi] = field(default_factory=dict)
    exit_counts: dict[tuple[Loop, Block], Phi] = field(default_factory=dict)
    arrivals: dict[Block, Phi] = field(default_factory=dict)
    joined: tuple[tuple[int | None, ...], ...] = ()

    def counter_phis(self) -> dict[Value, Loop]:
        return {phi: loop for loop, phi in self.counters.items()}

    def counter_of(self, value: Value) -> Loop | None:
        """The loop whose iterations `value` counts."""
        loop = self.loop_of(value)
        return loop if loop is not None and self.counters.get(loop) is value else None

    def loop_of(self, value: Value) -> Loop | None:
        """The innermost loop in which `value` is defined; None for arguments, constants and values outside loops."""
        return self.loops.of(value.parent) if isinstance(value, Instruction) else None

"""What a watched call leaves: the graph of dependences, walked back from the result, as frozen counts.

A node is one execution of one instruction whose result (or whose stored bytes) depends on an active input in a differentiable
way; its parents are the nodes it came from. An instruction *carried* a derivative in a call when a node of it reaches an
output: varies and matters, as they were in this call.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from enzyme_magic.backend.ir.instructions import Instruction

COMPARISON, ROUNDING, ADDRESS, INTEGER = "comparison", "rounding", "address", "integer arithmetic"


class NotDecided(Exception):
    """The run ends without an answer; the text is the reason, for people."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class WatchedRun:
    """One watched call.

    executed, varied, carried: executions by instruction: all, those that depended on an active input, and those that also
    reached an output. lost: where a dependence ended in something that is no number, by (instruction, COMPARISON, …).
    decisions: branches and switches in their order, with the side taken. value, tangent: of the result, for a function with a
    number as result; the tangent along the directions that the inputs were given, None where it was not followed.
    """

    executed: Counter[Instruction]
    varied: Counter[Instruction]
    carried: Counter[Instruction]
    lost: Counter[tuple[Instruction, str]]
    decisions: tuple[tuple[Instruction, int], ...]
    value: float | None
    tangent: float | None
    reached: int  # active inputs that reach an output: bit k for parameter k


@dataclass(slots=True)
class DependenceRecorder:
    """Collects nodes; node 0 is "depends on nothing active"."""

    limit: int
    instructions: list[Instruction | None] = field(default_factory=lambda: [None])
    parents: list[tuple[int, ...]] = field(default_factory=lambda: [()])
    inputs: dict[int, int] = field(default_factory=dict)  # node -> parameter
    executed: Counter[Instruction] = field(default_factory=Counter)
    lost: Counter[tuple[Instruction, str]] = field(default_factory=Counter)
    decisions: list[tuple[Instruction, int]] = field(default_factory=list)

    def input(self, parameter: int) -> int:
        """A new node: one number of an active parameter."""
        node = self._new(None, ())
        self.inputs[node] = parameter
        return node

    def node(self, instruction: Instruction, parents: Iterable[int]) -> int:
        """The node of this execution; 0 when no parent depends on anything active."""
        found = tuple(p for p in dict.fromkeys(parents) if p)
        return self._new(instruction, found) if found else 0

    def lose(self, instruction: Instruction, how: str, *marks: int) -> None:
        """A dependence ends here."""
        if any(marks):
            self.lost[instruction, how] += 1

    def _new(self, instruction: Instruction | None, parents: tuple[int, ...]) -> int:
        self.instructions.append(instruction)
        self.parents.append(parents)
        if len(self.parents) > self.limit:
            raise NotDecided(f"the call takes more than {self.limit:,} steps that depend on an input")
        return len(self.parents) - 1

    def finish(self, outputs: Iterable[int], value: float | None, tangent: float | None) -> WatchedRun:
        """The answers, from the nodes of the outputs backwards."""
        seen = {node for node in outputs if node}
        pending = list(seen)
        while pending:
            for parent in self.parents[pending.pop()]:
                if parent not in seen:
                    seen.add(parent)
                    pending.append(parent)
        reached = 0
        for node in seen & self.inputs.keys():
            reached |= 1 << self.inputs[node]
        return WatchedRun(
            self.executed,
            Counter(i for i in self.instructions if i is not None),
            Counter(i for node in seen if (i := self.instructions[node]) is not None),
            self.lost,
            tuple(self.decisions),
            value,
            tangent,
            reached,
        )

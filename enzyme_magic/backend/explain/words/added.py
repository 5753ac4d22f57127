"""Words for what preprocessing added to a function: loop counters, how often a loop ran, from which side a block was reached."""

from __future__ import annotations

from dataclasses import dataclass, field

from enzyme_magic.backend.analysis.derivatives.branch_taken import changes
from enzyme_magic.backend.explain.scene import Scene
from enzyme_magic.backend.explain.words.c_text import UNNAMED
from enzyme_magic.backend.explain.words.counts import Counts
from enzyme_magic.backend.ir.graphs.loops import Loop
from enzyme_magic.backend.ir.instructions import Branch, Instruction, Phi
from enzyme_magic.backend.ir.values import Block, Value

AGAIN = "each iteration decides it anew"
SAME_WAY = "the reverse sweep must take the same way back"


@dataclass(frozen=True, slots=True)
class AddedWords:
    """`reason`: why it has to be stored inside a loop. place: a jump of the loop or branch that it tells of. counts: iterations,
    from 0. ways: what the numbers mean that are no such count."""

    text: str
    line: int | None
    reason: str = ""
    place: Instruction | None = None
    counts: str = ""
    ways: tuple[str, ...] = ()

    def said(self, number: str) -> str:
        """What such a number means: "left in iteration 3", "yes", "x > 0 is true"."""
        place = {"false": 0, "true": 1}.get(number, int(number) if number.isdigit() else -1)
        if self.counts:
            return f"{self.counts} {place + 1}"
        return self.ways[place] if 0 <= place < len(self.ways) else number


@dataclass(slots=True)
class Added:
    """What has no counterpart in the program, by value."""

    scene: Scene
    counts: Counts
    words: dict[Value, AddedWords] = field(default_factory=dict)

    def __post_init__(self) -> None:
        prepared = self.scene.prepared
        for (loop, _), phi in prepared.exit_counts.items():
            self._say(
                phi,
                "how often the loop",
                self.counts.line(loop),
                " ran",
                "it may differ each time the loop is reached",
                loop,
                counts="left in iteration",
            )
        for loop, counter in prepared.counters.items():
            self._say(
                counter,
                "the number of the iteration of the loop",
                self.counts.line(loop),
                "",
                "each iteration changes it",
                loop,
                counts="iteration",
            )
        guards = self._guards()
        for phi in prepared.arrivals.values():
            decided = self._decided_by(phi)
            why = self._why_kept(phi, decided)
            ran = guards.get(decided) if decided is not None else None
            if ran is not None and (left := self._left(phi, ran)) is not None:
                ways = tuple("yes" if self._leads(left, way, phi) else "no" for way in self._numbered(phi))
                self._say(phi, "whether the loop", self.counts.line(left), " ran", why, left, ways=ways)
            else:
                head, line, tail = self._branch(phi, decided)
                self._say(phi, head, line, tail, why, decided, ways=self._sides(phi, decided))

    def _branch(self, phi: Phi, decided: Block | None) -> tuple[str, int | None, str]:
        """Words for what decided; where clang notes in between where to go on, for what made it note that."""
        dominators = self.scene.prepared.dominators
        while decided is not None and self.scene.line(decided.terminator) is None:
            decided = dominators.idom.get(decided)
        loop = self.scene.loops.of(decided) if decided is not None else None
        if loop is not None and len(loop.exits) > 1 and phi.parent not in loop.blocks:
            return "how the loop", self.counts.line(loop), " was left"
        return "which branch was taken", self.scene.line(decided.terminator) if decided is not None else None, ""

    def _why_kept(self, phi: Phi, decided: Block | None) -> str:
        """Whether iterations decide it one by one: the condition is computed in the loop, from something computed there."""
        prepared = self.scene.prepared
        loop = prepared.loop_of(phi)
        branch = decided.terminator if decided is not None else None
        if isinstance(branch, Branch) and branch.operands and loop is not None:
            return AGAIN if changes(branch.operands[0], loop, prepared) else SAME_WAY
        return SAME_WAY

    def _numbered(self, phi: Phi) -> list[Block]:
        """The ways to the block of a phi, in the order of their numbers."""
        assert phi.parent is not None
        return self.scene.prepared.predecessors[phi.parent]

    def _sides(self, phi: Phi, decided: Block | None) -> tuple[str, ...]:
        """What each way says of the condition that decided; which one it is, where both sides lead to one of them."""
        ways = self._numbered(phi)
        branch = decided.terminator if decided is not None else None
        known = [self._side(phi, way, branch) for way in ways] if isinstance(branch, Branch) and branch.operands else []
        if not known or None in known:
            return tuple(f"way {k} of {len(ways)}" for k in range(1, len(ways) + 1))
        words = self.scene.text.condition(branch.operands[0])  # type: ignore[union-attr]
        words = "its condition" if UNNAMED in words else words
        return tuple(f"{words} is {'true' if side else 'false'}" for side in known)

    def _side(self, phi: Phi, way: Block, branch: Branch) -> bool | None:
        """Whether who arrives that way found the condition of the branch true; None where that is not sure."""
        first, second = branch.targets
        dominators, prepared = self.scene.prepared.dominators, self.scene.prepared
        found = [
            way is branch.parent
            if side is phi.parent
            else len(prepared.predecessors[side]) == 1 and dominators.dominates(side, way)
            for side in (first, second)
        ]
        return found[0] if found.count(True) == 1 else None

    def _say(
        self,
        value: Value,
        head: str,
        line: int | None,
        tail: str,
        reason: str,
        of: Loop | Block | None,
        counts: str = "",
        ways: tuple[str, ...] = (),
    ) -> None:
        where = f" at line {line}" if line is not None else ""
        block = of.header if isinstance(of, Loop) else of
        self.words[value] = AddedWords(
            f"{head}{where}{tail}", line, reason, block.terminator if block is not None else None, counts, ways
        )

    def _guards(self) -> dict[Block, Loop]:
        """Blocks whose branch only decides whether a loop is visited."""
        found: dict[Block, Loop] = {}
        for loop in self.scene.loops.loops:
            deciding = self.counts.executions.decided_by(loop.header)
            if deciding is not None and deciding is not loop.preheader:
                found.setdefault(deciding, loop)
        for loop in self.scene.loops.loops:  # also where it is not known how often it runs
            before = self._deciding_about(loop)
            if before is not None:
                found.setdefault(before, loop)
        return found

    def _deciding_about(self, loop: Loop) -> Block | None:
        """The block whose branch leads to the loop or past it."""
        ways = self.scene.prepared.predecessors[loop.preheader] if loop.preheader is not None else []
        sides = set(ways[0].successors) if len(ways) == 1 else set()
        return ways[0] if len(sides) == 2 and isinstance(ways[0].terminator, Branch) else None

    def _left(self, phi: Phi, decided: Loop) -> Loop | None:
        """The loop that ran where `phi` arrives on one way, and did not where it arrives on another; `decided`, if it is one."""
        loops = [loop for loop in self.scene.loops.loops if any(self._leads(loop, way, phi) for _, way in phi.incoming)]
        return decided if decided in loops else loops[0] if len(loops) == 1 and len(phi.incoming) > 1 else None

    def _leads(self, loop: Loop, way: Block, phi: Phi) -> bool:
        """Whether who leaves the loop, leaves it to that block, and comes from there to `phi`."""
        return all(target is way for _, target in loop.exits) and all(block is phi.parent for block in way.successors)

    def _decided_by(self, phi: Phi) -> Block | None:
        """The block whose branch decides from where the block of `phi` is reached: the nearest that dominates it."""
        return self.scene.prepared.dominators.idom.get(phi.parent) if phi.parent is not None else None

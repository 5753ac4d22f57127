"""Natural loops of a function in loop-simplify form.

Theorem: in a reducible function every cycle is a natural loop, that is the set of blocks that reach a back edge latch
→ header without passing the header, where the header dominates the latch (Hecht and Ullman, 1974). A retreating edge
whose target does not dominate its source proves irreducibility; such functions are reported, not analysed.

Loop-simplify form (LLVM's word) is checked, not made: one preheader, one latch, exit blocks reached from inside only.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from enzyme_magic.backend.ir.graphs import cfg
from enzyme_magic.backend.ir.graphs.dominators import DominatorTree
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.values import Block


@dataclass(slots=True, eq=False, repr=False)
class Loop:
    """One natural loop. `depth` is 1 for an outermost loop. `blocks` includes those of inner loops."""

    header: Block
    latches: list[Block]
    blocks: set[Block]
    parent: Loop | None = None
    children: list[Loop] = field(default_factory=list)
    depth: int = 1
    preheader: Block | None = None
    exits: list[tuple[Block, Block]] = field(default_factory=list)  # (exiting block inside, exit block outside)

    @property
    def latch(self) -> Block:
        return self.latches[0]

    @property
    def exit_behind_latch(self) -> Block | None:
        """The block behind a loop that is left from its latch only."""
        return self.exits[0][1] if len(self.exits) == 1 and self.exits[0][0] is self.latch else None

    def encloses(self, other: Loop | None) -> bool:
        """Whether `other` is this loop or lies inside it."""
        while other is not None:
            if other is self:
                return True
            other = other.parent
        return False


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Loops:
    """All loops of a function; outer loops come before inner ones."""

    loops: tuple[Loop, ...]
    innermost: dict[Block, Loop]
    irreducible: Block | None  # a block entered by a retreating edge that it does not dominate

    def of(self, block: Block | None) -> Loop | None:
        """The innermost loop around `block`."""
        return self.innermost.get(block) if block is not None else None

    def depth(self, block: Block | None) -> int:
        loop = self.of(block)
        return loop.depth if loop else 0

    def left_by(self, source: Block, target: Block) -> list[Loop]:
        """The loops that the edge source → target leaves, innermost first."""
        left: list[Loop] = []
        loop = self.of(source)
        while loop is not None and target not in loop.blocks:
            left.append(loop)
            loop = loop.parent
        return left


def find(function: Function, dominators: DominatorTree | None = None) -> Loops:
    """The loops of `function`."""
    dominators = dominators or DominatorTree.of(function)
    predecessors = cfg.predecessors(function)
    order = cfg.reverse_postorder(function)
    position = {block: k for k, block in enumerate(order)}
    latches: dict[Block, list[Block]] = {}
    irreducible = None
    for block in order:
        for successor in dict.fromkeys(block.successors):
            if position[successor] <= position[block]:
                if dominators.dominates(successor, block):
                    latches.setdefault(successor, []).append(block)
                else:
                    irreducible = irreducible or successor
    loops = [_natural_loop(header, latches[header], predecessors, position) for header in order if header in latches]
    innermost = _nest(loops)
    for loop in loops:
        _find_borders(loop, predecessors, position)
    return Loops(tuple(loops), innermost, irreducible)


def _natural_loop(
    header: Block, latches: list[Block], predecessors: dict[Block, list[Block]], position: dict[Block, int]
) -> Loop:
    blocks = {header}
    pending = [latch for latch in latches if latch is not header]
    while pending:
        block = pending.pop()
        if block in blocks:
            continue
        blocks.add(block)
        pending.extend(p for p in predecessors[block] if p not in blocks and p in position)
    return Loop(header, latches, blocks)


def _nest(loops: list[Loop]) -> dict[Block, Loop]:
    """Set parents, children and depths (headers come in reverse postorder: outer before inner)."""
    innermost: dict[Block, Loop] = {}
    for loop in loops:
        loop.parent = innermost.get(loop.header)
        if loop.parent is not None:
            loop.parent.children.append(loop)
            loop.depth = loop.parent.depth + 1
        for block in loop.blocks:
            innermost[block] = loop
    return innermost


def _find_borders(loop: Loop, predecessors: dict[Block, list[Block]], position: dict[Block, int]) -> None:
    outside = list(dict.fromkeys(p for p in predecessors[loop.header] if p not in loop.blocks and p in position))
    if len(outside) == 1 and len(set(outside[0].successors)) == 1:
        loop.preheader = outside[0]
    for block in sorted(loop.blocks, key=position.__getitem__):
        for successor in dict.fromkeys(block.successors):
            if successor not in loop.blocks:
                loop.exits.append((block, successor))


def simplify_violation(loops: Loops, function: Function) -> str | None:
    """What keeps `function` from loop-simplify form, in words; None when it is in that form."""
    if loops.irreducible is not None:
        return f"block %{loops.irreducible.name} is entered by a jump into the middle of a loop"
    predecessors = cfg.predecessors(function)
    reachable = cfg.reachable(function)
    for loop in loops.loops:
        if loop.preheader is None:
            return f"loop %{loop.header.name} has no preheader"
        if len(loop.latches) != 1:
            return f"loop %{loop.header.name} has {len(loop.latches)} latches"
        for _, target in loop.exits:
            if any(p not in loop.blocks for p in predecessors[target] if p in reachable):
                return f"exit block %{target.name} of loop %{loop.header.name} is also entered from outside"
    return None

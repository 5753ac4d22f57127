"""Control flow as nested statements: a function's blocks as a tree of runs, ifs and loops.

After Ramsey, "Beyond Relooper" (2022): the dominator tree gives the nesting, merge blocks follow what merges, a loop is followed by
what it leaves to. Nothing is guessed: an edge is a fall-through, `break`, `continue`, or a jump to a label (`goto`). No jump leads
into an `if` or a loop, but to the beginning of a loop: what is jumped to stands where the block is that dominates it, and that
dominates all who jump there. Jumps are made only where they are allowed; NotInC is raised where one would be needed and is not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from enzyme_magic.backend.explain.gradient_c.refusal import refuse
from enzyme_magic.backend.explain.passes.words import WORDS
from enzyme_magic.backend.ir.graphs import cfg
from enzyme_magic.backend.ir.graphs import loops as natural_loops
from enzyme_magic.backend.ir.graphs.dominators import DominatorTree
from enzyme_magic.backend.ir.graphs.loops import Loop
from enzyme_magic.backend.ir.instructions import Branch, Return, Switch, Unreachable
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.values import Block, Value


@dataclass(frozen=True, slots=True, eq=False)
class StraightRun:
    """The instructions of a block, without phis and terminator."""

    block: Block


@dataclass(frozen=True, slots=True, eq=False)
class Along:
    """The assignments to the phis of `target` on the way from `source`."""

    source: Block
    target: Block


@dataclass(frozen=True, slots=True, eq=False)
class IfNode:
    """`if`: the truth value `test`, or where `equals` is given, whether `test` has that value."""

    test: Value
    equals: Value | None
    then: list[Node]
    otherwise: list[Node]
    block: Block


@dataclass(frozen=True, slots=True, eq=False)
class Repeat:
    """An endless loop, left by `Break` or `Give`."""

    loop: Loop
    body: list[Node]


@dataclass(frozen=True, slots=True, eq=False)
class Break:
    """Leaves the innermost loop."""


@dataclass(frozen=True, slots=True, eq=False)
class Continue:
    """The next iteration of the innermost loop."""


@dataclass(frozen=True, slots=True, eq=False)
class Give:
    """The return."""

    instruction: Return


@dataclass(frozen=True, slots=True, eq=False)
class Goto:
    """A jump to the beginning of a block."""

    target: Block


Node = StraightRun | Along | IfNode | Repeat | Break | Continue | Give | Goto


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """A function's body, its loops, and the blocks that jumps lead to."""

    nodes: list[Node]
    loops: natural_loops.Loops
    labelled: frozenset[Block]


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """What falling off the end reaches, and the innermost loop with what follows it."""

    next: Block | None
    loop: Loop | None = None
    after: Block | None = None


@dataclass(slots=True, eq=False)
class _Structurer:
    dominators: DominatorTree
    order: dict[Block, int]
    merges: set[Block]
    headers: dict[Block, Loop] = field(default_factory=dict)
    jumps: bool = False  # whether they are allowed
    labelled: set[Block] = field(default_factory=set)

    def block(self, block: Block, place: _Place) -> list[Node]:
        """`block` and all it dominates, but what stands behind the loop around it."""
        loop = self.headers.get(block)
        here = [b for b in self.dominators.children[block] if b in self.merges]
        if loop is None:
            return self._within(block, self._sorted(here, place.loop), place)
        left = [b for b, above in self.dominators.idom.items() if above in loop.blocks]
        outside = self._sorted([b for b in here + left if b not in loop.blocks], place.loop)
        if len(outside) > 1 and not self.jumps:
            raise refuse("a loop is left to several places, which C can say with goto only")
        inside = _Place(block, loop, outside[0] if outside else place.next)
        made: list[Node] = [Repeat(loop, self._within(block, self._sorted(here, loop), inside))]
        for behind, after in zip(outside, [*outside[1:], place.next], strict=False):
            made += self.block(behind, _Place(after, place.loop, place.after))
        return made

    def _sorted(self, blocks: list[Block], loop: Loop | None) -> list[Block]:
        """In the order of the text, those inside `loop` only."""
        kept = dict.fromkeys(b for b in blocks if loop is None or b in loop.blocks)
        return sorted(kept, key=self.order.__getitem__)

    def _within(self, block: Block, followers: list[Block], place: _Place) -> list[Node]:
        """`block` and what it dominates, the merge blocks last."""
        if followers:
            last = followers[-1]
            before = self._within(block, followers[:-1], _Place(last, place.loop, place.after))
            return before + self.block(last, place)
        made: list[Node] = [StraightRun(block)]
        terminator = block.terminator
        if isinstance(terminator, Return):
            return [*made, Give(terminator)]
        if isinstance(terminator, Unreachable):
            return made
        if isinstance(terminator, Branch) and len(terminator.targets) == 1:
            return made + self._edge(block, terminator.targets[0], place)
        if isinstance(terminator, Branch):
            then, otherwise = (self._edge(block, target, place) for target in terminator.targets)
            return [*made, IfNode(terminator.operands[0], None, then, otherwise, block)]
        if isinstance(terminator, Switch):
            return made + self._cases(block, terminator, place)
        raise refuse(f"its control flow needs {WORDS.get(terminator.opcode, terminator.opcode)}")

    def _cases(self, block: Block, switch: Switch, place: _Place) -> list[Node]:
        chain = self._edge(block, switch.targets[0], place)
        for value, target in reversed(list(zip(switch.cases, switch.targets[1:], strict=True))):
            if target not in self.merges and switch.targets.count(target) > 1:
                raise refuse("several cases of a switch share a block")
            chain = [IfNode(switch.operands[0], value, self._edge(block, target, place), chain, block)]
        return chain

    def _edge(self, source: Block, target: Block, place: _Place) -> list[Node]:
        made: list[Node] = [Along(source, target)]
        if target is place.next:
            return made
        if place.loop is not None and target is place.loop.header:
            return [*made, Continue()]
        if place.loop is not None and target is place.after:
            return [*made, Break()]
        leaves = place.loop is not None and target not in place.loop.blocks
        merges = target in self.merges or (target in self.headers and self.dominators.idom[target] is not source)
        if not (leaves or merges):
            return made + self.block(target, place)
        if not self.jumps:
            left = "several loops are left at once" if leaves else "its control flow is no nest of ifs and loops"
            raise refuse(f"{left}, which C can say with goto only")
        self.labelled.add(target)
        return [*made, Goto(target)]


def structure(function: Function, *, jumps: bool = False) -> Tree:
    """The function's body as a tree. Blocks that cannot be reached are left out. jumps: whether there may be some."""
    dominators = DominatorTree.of(function)
    loops = natural_loops.find(function, dominators)
    if loops.irreducible is not None and not jumps:
        raise refuse("the optimizer gave a loop of the gradient two entries, which C can say with goto only")
    order = {block: k for k, block in enumerate(cfg.reverse_postorder(function))}
    merges = set(_merges(order, dominators, jumps))
    headers = {loop.header: loop for loop in loops.loops}
    structurer = _Structurer(dominators, order, merges, headers, jumps)
    return Tree(structurer.block(function.entry, _Place(None)), loops, frozenset(structurer.labelled))


def _merges(order: dict[Block, int], dominators: DominatorTree, jumps: bool) -> Iterator[Block]:
    """What several edges lead forward to; with jumps, also the entries of a loop that has several, and shared cases of a switch."""
    forward: dict[Block, int] = dict.fromkeys(order, 0)
    for block in order:
        for target in block.successors:
            shared = jumps and isinstance(block.terminator, Switch) and block.terminator.targets.count(target) > 1
            if order[target] > order[block]:
                forward[target] += 2 if shared else 1
            elif jumps and not dominators.dominates(target, block):
                yield target
    yield from (block for block, count in forward.items() if count > 1)

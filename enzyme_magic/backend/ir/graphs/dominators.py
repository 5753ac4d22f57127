"""Dominator and post-dominator trees.

Semi-NCA (Georgiadis, "Linear-time algorithms for dominators and related problems", 2005): semidominators by depth-first search
with path compression, then the nearest common ancestor on the tree built so far. Nearly linear, and iterative throughout.

Invariant: a block the search does not reach has no entry in `idom`; it is dominated by every block, as LLVM has it, and
dominates itself only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from enzyme_magic.backend.ir.graphs.cfg import exits, postorder, predecessors, reverse_postorder
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.values import Block


@dataclass(frozen=True, slots=True)
class _Tree:
    """`idom[b]` is None for a root. `order` lists the blocks with parents before children."""

    idom: dict[Block, Block | None]
    children: dict[Block, list[Block]]
    roots: tuple[Block, ...]
    order: tuple[Block, ...]
    _interval: dict[Block, tuple[int, int]]

    def dominates(self, a: Block, b: Block) -> bool:
        """Whether every way to `b` (from it, for post-dominance) passes `a`; a block dominates itself."""
        if a is b:
            return True
        inner = self._interval.get(b)
        if inner is None:
            return True
        outer = self._interval.get(a)
        return outer is not None and outer[0] <= inner[0] and inner[1] <= outer[1]

    def strictly_dominates(self, a: Block, b: Block) -> bool:
        return a is not b and self.dominates(a, b)

    def nearest_common(self, a: Block, b: Block) -> Block | None:
        """The deepest block that dominates both; None when only the virtual root does."""
        common: Block | None = a
        while common is not None and not self.dominates(common, b):
            common = self.idom[common]
        return common


@dataclass(frozen=True, slots=True)
class DominatorTree(_Tree):
    """Dominance from the entry."""

    @classmethod
    def of(cls, function: Function) -> DominatorTree:
        idom = _immediate(function.blocks[:1], lambda block: block.successors)
        return cls(*_finish(idom))


@dataclass(frozen=True, slots=True)
class PostDominatorTree(_Tree):
    """Dominance towards a virtual exit behind every block without successors. A region that never leaves gets an edge to
    the virtual exit from its last block in reverse postorder, so that every reachable block has a place in the tree."""

    @classmethod
    def of(cls, function: Function) -> PostDominatorTree:
        before = predecessors(function)
        roots = _exits_with_endless(function, before)
        idom = _immediate(roots, lambda block: before[block])
        return cls(*_finish(idom))


def _exits_with_endless(function: Function, before: dict[Block, list[Block]]) -> list[Block]:
    roots = exits(function)
    seen = set(postorder(roots, lambda block: before[block]))
    for block in reversed(reverse_postorder(function)):
        if block not in seen:
            roots.append(block)
            seen.update(_flood(block, before, seen))
    return roots


def _flood(start: Block, before: dict[Block, list[Block]], seen: set[Block]) -> set[Block]:
    found = {start}
    pending = [start]
    while pending:
        for block in before[pending.pop()]:
            if block not in seen and block not in found:
                found.add(block)
                pending.append(block)
    return found


def _immediate(roots: Iterable[Block], successors: Callable[[Block], list[Block]]) -> dict[Block, Block | None]:
    """Immediate dominators in depth-first preorder, None standing for a virtual root above all `roots`."""
    blocks, parent, before = _search(list(roots), successors)
    count = len(blocks)
    semi = list(range(count))
    label = list(range(count))
    ancestor = list(parent)
    idom = list(parent)
    for number in range(count - 1, 0, -1):
        for predecessor in before[number]:
            best = _evaluate(predecessor, number, ancestor, label, semi)
            semi[number] = min(semi[number], semi[best])
    for number in range(1, count):
        candidate = idom[number]
        while candidate > semi[number]:
            candidate = idom[candidate]
        idom[number] = candidate
    result: dict[Block, Block | None] = {}
    for number in range(1, count):
        block = blocks[number]
        assert block is not None
        result[block] = blocks[idom[number]]
    return result


def _search(
    roots: list[Block], successors: Callable[[Block], list[Block]]
) -> tuple[list[Block | None], list[int], list[list[int]]]:
    """Depth-first numbering with the virtual root as number 0: blocks, tree parents, predecessors by number."""
    blocks: list[Block | None] = [None]
    parent = [0]
    before: list[list[int]] = [[]]
    numbers: dict[Block, int] = {}
    stack = [(0, iter(roots))]
    while stack:
        above, pending = stack[-1]
        for block in pending:
            number = numbers.get(block)
            if number is not None:
                before[number].append(above)
                continue
            number = numbers[block] = len(blocks)
            blocks.append(block)
            parent.append(above)
            before.append([above])
            stack.append((number, iter(successors(block))))
            break
        else:
            stack.pop()
    return blocks, parent, before


def _evaluate(node: int, last: int, ancestor: list[int], label: list[int], semi: list[int]) -> int:
    """The node with the least semidominator on the linked path above `node`; nodes up to `last` are not linked yet."""
    if node <= last:
        return label[node]
    path = []
    while ancestor[node] > last:
        path.append(node)
        node = ancestor[node]
    best = label[node]
    top = ancestor[node]
    for step in reversed(path):
        if semi[best] < semi[label[step]]:
            label[step] = best
        else:
            best = label[step]
        ancestor[step] = top
    return best


def _finish(
    idom: dict[Block, Block | None],
) -> tuple[
    dict[Block, Block | None],
    dict[Block, list[Block]],
    tuple[Block, ...],
    tuple[Block, ...],
    dict[Block, tuple[int, int]],
]:
    children: dict[Block, list[Block]] = {block: [] for block in idom}
    roots = []
    for block, parent in idom.items():
        if parent is None:
            roots.append(block)
        else:
            children[parent].append(block)
    order: list[Block] = []
    interval: dict[Block, tuple[int, int]] = {}
    starts: dict[Block, int] = {}
    stack = [(block, False) for block in reversed(roots)]
    while stack:
        block, done = stack.pop()
        if done:
            interval[block] = (starts[block], len(order))
            continue
        starts[block] = len(order)
        order.append(block)
        stack.append((block, True))
        stack.extend((child, False) for child in reversed(children[block]))
    return idom, children, tuple(roots), tuple(order), interval

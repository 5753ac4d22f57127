"""Which block can execute after which.

`after(a, b)`: some path with at least one edge leads from a to b. `same_iteration(a, b, loop)`: one does so without
beginning a new iteration of `loop`. The closure is computed on the condensed graph, one bit mask per component.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from enzyme_magic.backend.ir.graphs.loops import Loop
from enzyme_magic.backend.ir.graphs.scc import components
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.values import Block


@dataclass(slots=True, eq=False)
class Reach:
    """Answers for one function."""

    position: dict[Block, int]
    _masks: list[int]
    _components: list[int]
    _within: dict[tuple[Block, Block], frozenset[Block]] = field(default_factory=dict)

    @classmethod
    def of(cls, function: Function) -> Reach:
        position = {block: k for k, block in enumerate(function.blocks)}
        successors = [[position[s] for s in block.successors] for block in function.blocks]
        component, members = components(successors)
        return cls(position, _closure(successors, component, members), component)

    def after(self, a: Block, b: Block) -> bool:
        return bool(self._masks[self.position[a]] >> self.position[b] & 1)

    def component(self, block: Block) -> int:
        """Number of the strongly connected component of a block."""
        return self._components[self.position[block]]

    def in_cycle(self, block: Block) -> bool:
        return self.after(block, block)

    def same_iteration(self, a: Block, b: Block, loop: Loop | None) -> bool:
        """Whether b can follow a (by at least one edge) within one iteration of `loop`; both lie in it."""
        if loop is None:
            return self.after(a, b)
        key = (a, loop.header)
        found = self._within.get(key)
        if found is None:
            found = self._within[key] = _flood(a, loop)
        return b in found


def _flood(start: Block, loop: Loop) -> frozenset[Block]:
    seen: set[Block] = set()
    pending = [start]
    while pending:
        for block in pending.pop().successors:
            if block is not loop.header and block in loop.blocks and block not in seen:
                seen.add(block)
                pending.append(block)
    return frozenset(seen)


def _closure(successors: list[list[int]], component: list[int], members: list[list[int]]) -> list[int]:
    masks = [0] * len(members)
    for number, blocks in enumerate(members):  # components come successors first
        inside = 0
        for block in blocks:
            inside |= 1 << block
        cyclic = len(blocks) > 1 or blocks[0] in successors[blocks[0]]
        reached = inside if cyclic else 0
        for block in blocks:
            for following in successors[block]:
                other = component[following]
                if other != number:
                    reached |= masks[other] | 1 << following
        masks[number] = reached
    return [masks[component[k]] for k in range(len(successors))]

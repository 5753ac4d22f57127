"""Strongly connected components (Tarjan, 1972), without recursion.

Invariant: components come successors first, so that one pass over the result sees what a component leads to before
the component itself. Deterministic: it depends on the order of the lists alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(slots=True)
class _Search:
    successors: Sequence[Sequence[int]]
    order: list[int]  # discovery time, -1 before
    low: list[int]
    component: list[int]  # -1 while open
    members: list[list[int]] = field(default_factory=list)
    open: list[int] = field(default_factory=list)
    clock: int = 0

    def run(self, root: int) -> None:
        self.enter(root)
        work = [(root, 0)]
        while work:
            node, edge = work.pop()
            child = self.next_child(node, edge)
            if child is not None:
                work += [(node, child + 1), (self.successors[node][child], 0)]
                self.enter(self.successors[node][child])
                continue
            if self.low[node] == self.order[node]:
                self.close(node)
            if work:
                parent = work[-1][0]
                self.low[parent] = min(self.low[parent], self.low[node])

    def enter(self, node: int) -> None:
        self.order[node] = self.low[node] = self.clock
        self.clock += 1
        self.open.append(node)

    def next_child(self, node: int, edge: int) -> int | None:
        """The next edge to a new node; edges to open nodes before it lower `low`."""
        following = self.successors[node]
        for k in range(edge, len(following)):
            target = following[k]
            if self.order[target] < 0:
                return k
            if self.component[target] < 0:
                self.low[node] = min(self.low[node], self.order[target])
        return None

    def close(self, node: int) -> None:
        found: list[int] = []
        while not found or found[-1] != node:
            found.append(self.open.pop())
            self.component[found[-1]] = len(self.members)
        self.members.append(found)


def components(successors: Sequence[Sequence[int]]) -> tuple[list[int], list[list[int]]]:
    """(number of the component of each node, nodes of each component)."""
    count = len(successors)
    search = _Search(successors, [-1] * count, [0] * count, [-1] * count)
    for root in range(count):
        if search.order[root] < 0:
            search.run(root)
    return search.component, search.members

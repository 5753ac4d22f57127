"""Minimum cut between two nodes of a small directed graph.

Dinic's algorithm (1970): augment along shortest residual paths found level by level. Capacities are exact integers,
edges are visited in the order they were added, so the cut is deterministic: it is the one nearest to the source.
Iterative, so that long chains do not meet Python's recursion limit.
"""

from __future__ import annotations

from collections import deque

INFINITE = 1 << 200


class FlowNetwork:
    """Nodes are 0 … n-1. Edge e and e ^ 1 are a pair (forward, residual)."""

    def __init__(self, nodes: int) -> None:
        self._edges: list[list[int]] = [[] for _ in range(nodes)]
        self._target: list[int] = []
        self._capacity: list[int] = []

    def add_edge(self, source: int, target: int, capacity: int) -> None:
        for start, end, room in ((source, target, capacity), (target, source, 0)):
            self._edges[start].append(len(self._target))
            self._target.append(end)
            self._capacity.append(room)

    def source_side(self, source: int, sink: int) -> set[int]:
        """The nodes on the source's side of the minimum cut."""
        while (levels := self._levels(source))[sink] >= 0:
            self._saturate(source, sink, levels)
        return {node for node, level in enumerate(levels) if level >= 0}

    def _levels(self, source: int) -> list[int]:
        levels = [-1] * len(self._edges)
        levels[source] = 0
        pending = deque([source])
        while pending:
            node = pending.popleft()
            for edge in self._edges[node]:
                target = self._target[edge]
                if self._capacity[edge] and levels[target] < 0:
                    levels[target] = levels[node] + 1
                    pending.append(target)
        return levels

    def _saturate(self, source: int, sink: int, levels: list[int]) -> None:
        """Push a blocking flow through the level graph, one path at a time."""
        position = [0] * len(self._edges)
        path: list[int] = []
        node = source
        while True:
            if node == sink:
                room = min(self._capacity[edge] for edge in path)
                for edge in path:
                    self._capacity[edge] -= room
                    self._capacity[edge ^ 1] += room
                cut = next(k for k, edge in enumerate(path) if not self._capacity[edge])
                node = self._target[path[cut] ^ 1]
                del path[cut:]
            elif (onward := self._next_edge(node, position, levels)) is not None:
                path.append(onward)
                node = self._target[onward]
            elif path:
                levels[node] = -1
                node = self._target[path.pop() ^ 1]
            else:
                return

    def _next_edge(self, node: int, position: list[int], levels: list[int]) -> int | None:
        edges = self._edges[node]
        while position[node] < len(edges):
            edge = edges[position[node]]
            if self._capacity[edge] and levels[self._target[edge]] == levels[node] + 1:
                return edge
            position[node] += 1
        return None

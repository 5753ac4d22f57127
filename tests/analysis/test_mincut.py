"""The minimum cut against networkx on random networks, and the two properties the cache plan relies on."""

from __future__ import annotations

import networkx
from hypothesis import given
from hypothesis import strategies as st

from enzyme_magic.backend.analysis.derivatives.mincut import INFINITE, FlowNetwork

NODES = 7
EDGES = st.lists(
    st.tuples(st.integers(0, NODES - 1), st.integers(0, NODES - 1), st.integers(0, 9) | st.just(INFINITE)), max_size=24
)


def _side(edges: list[tuple[int, int, int]]) -> set[int]:
    network = FlowNetwork(NODES)
    for edge in edges:
        network.add_edge(*edge)
    return network.source_side(0, NODES - 1)


def _across(edges: list[tuple[int, int, int]], side: set[int]) -> int:
    return sum(capacity for source, target, capacity in edges if source in side and target not in side)


def _reference(edges: list[tuple[int, int, int]]) -> int:
    graph = networkx.DiGraph()
    graph.add_nodes_from(range(NODES))
    for source, target, capacity in edges:
        if graph.has_edge(source, target):
            graph[source][target]["capacity"] += capacity
        else:
            graph.add_edge(source, target, capacity=capacity)
    return int(networkx.minimum_cut_value(graph, 0, NODES - 1))


@given(EDGES)
def test_the_cut_is_as_cheap_as_the_reference(edges: list[tuple[int, int, int]]) -> None:
    expected = _reference(edges)
    if expected >= INFINITE:
        return  # no finite cut: the cache plan never asks for one, because everything can be stored
    side = _side(edges)
    assert 0 in side
    assert NODES - 1 not in side
    assert _across(edges, side) == expected


@given(EDGES)
def test_of_equal_cuts_it_is_the_one_nearest_to_the_source(edges: list[tuple[int, int, int]]) -> None:
    cheapest = _reference(edges)
    if cheapest >= INFINITE:
        return
    side = _side(edges)
    others = [{node for node in range(NODES) if bits >> node & 1} for bits in range(1, 1 << (NODES - 1), 2)]
    assert all(side <= other for other in others if _across(edges, other) == cheapest)


def test_flow_that_was_pushed_is_taken_back() -> None:
    """Over 1 the sink is reached first; that 1 is on the source's side is seen only backwards from 2, which 4 reaches."""
    edges = [(0, 1, 1), (1, 2, 1), (2, NODES - 1, 1), (0, 3, 1), (3, 4, 1), (4, 2, 1)]
    side = _side(edges)
    assert side == {0, 1, 2, 3, 4}
    assert _across(edges, side) == _reference(edges) == 1


def test_a_long_chain_needs_no_recursion() -> None:
    length = 20_000
    network = FlowNetwork(length)
    for node in range(length - 1):
        network.add_edge(node, node + 1, 1 if node == 12_345 else 2)
    assert network.source_side(0, length - 1) == set(range(12_346))

"""Things C programs do, beyond the known traps: overlapping arguments, heap structures, kept buffers, sorting, recursion with local
memory, libm with pointer results, vectors, long loops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from enzyme_magic.errors import ExecutionError

from .harness import check
from .runs import source

SOURCE = source("constructs.c")

X = np.array([0.35, 0.85, 0.15, 0.95, 0.55, 0.25, 0.75])
Y = np.array([0.45, 1.15, 0.65, 0.3, 0.8, 1.2, 0.5])
INDEX = np.array([2, 0, 6, 1, 3, 3, 5], np.int32)
LOWER = np.tril(np.linspace(0.3, 0.9, 16).reshape(4, 4) + np.eye(4)).reshape(-1)
PLAN = np.frombuffer(b"+*s+s**+\0", np.int8)

CASES: dict[str, list[list[Any]]] = {
    "overlapping_up": [[X, 7]],
    "overlapping_down": [[X, 7]],
    "overlapping_same": [[X, 7]],
    "restricted": [[X, Y, 7]],
    "two_names_for_one": [[X, 0], [X, 1]],
    "long_nested": [[0.7, 400]],
    "many_ways": [[0.7, 10], [0.7, 160]],
    "deep_nest": [[0.7]],
    "growing_vector": [[X, 7], [X, 0]],
    "conditional_allocation": [[X, 3], [X, 7]],
    "realloc_smaller": [[X]],
    "search_tree": [[X, 7], [X, 0]],
    "insertion_sort": [[X, 7]],
    "sorted_by_rank": [[X, 7]],
    "global_struct": [[X, 7]],
    "constant_tables": [[0.7, 0], [0.7, 1]],
    "recursion_with_array": [[X, 4], [X, 0]],
    "recursion_with_vla": [[X, 4]],
    "sorted_weights": [[X, 7]],
    "recursive_fft": [[X[:4], Y[:4]]],
    "splits": [[0.7], [-2.3]],
    "signed_gamma": [[0.83], [2.63]],
    "several_results": [[0.83], [2.63]],
    "both_at_once": [[0.7]],
    "rounding_family": [[0.7], [-2.3]],
    "classified": [[0.7], [-0.7]],
    "asserted": [[0.7]],
    "exits": [[0.7]],
    "asserted_in_loop": [[X, 7]],
    "vector_type": [[X]],
    "vector_loop": [[X, 7], [X, 3]],
    "bit_fields": [[0.7, 3], [0.7, 6]],
    "booleans": [[0.7, 0.4], [-0.7, 0.4], [0.7, -0.4]],
    "characters": [[X, PLAN]],
    "strings": [[0.7]],
    "packed_index": [[X, 0b1010111], [X, 0]],
    "random_walk": [[0.7, 12345, 20]],
    "division_of_counts": [[X, 7]],
    "interpolated": [[X, 2.3]],
    "backward_differences": [[X, 7]],
    "scatter": [[X, INDEX, 7]],
    "gather": [[X, INDEX, 7]],
    "triangular_solve": [[LOWER, X[:4], 4]],
    "stencil_in_place": [[X, 7, 3]],
    "accumulates_into_argument": [[0.7, X[:1]]],
    "returned_pointer_chain": [[X[:2], Y[:2], k] for k in range(4)],
    "merged_lists": [[0.7, 0.4, 5], [0.7, -0.4, 5], [-0.7, 0.4, 0]],
    "counted_power": [[X, 5], [X, 0]],
    "matrix_structs": [[X]],
    "everything_copied": [[X[:2]]],
    "shifted_blocks": [[X, 4]],
    "pointer_to_pointer": [[X[:3], Y[:3], 3], [X[:3], Y[:3], 2]],
}


@pytest.mark.parametrize("function", CASES)
def test_construct(function: str) -> None:
    for arguments in CASES[function]:
        check(SOURCE, function, arguments)


def test_many_iterations() -> None:
    """More than fits the tape's first arrays, by far."""
    check(SOURCE, "long_loop", [0.7, 50_000], levels=(0, 2))


def test_buffer_that_an_earlier_call_allocated() -> None:
    """The primal ran first, so the memory has no shadow: the right gradient, or an error that says so; never zeros."""
    try:
        check(SOURCE, "kept_buffer", [X, 7])
    except ExecutionError as raised:
        error = raised
    else:
        return
    assert "shadow" in str(error)

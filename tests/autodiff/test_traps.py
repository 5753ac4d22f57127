"""Every construct that is known to break derivative compilers, one test each, named by the construct."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .harness import LEVELS, check, checked_or_refused
from .runs import source

SOURCE = source("traps.c")

X = np.array([0.35, 0.85, 0.15, 0.95, 0.55, 0.25, 0.75])
Y = np.array([0.45, 1.15, 0.65, 0.3, 0.8, 1.2, 0.5])
F = X[:4].astype(np.float32)
L = X[:4].astype(np.longdouble)
BODY = np.dtype([("v", float, 3), ("w", float)], align=True)
BODIES = np.array([(X[:3], 0.4), (Y[:3], 0.7), (X[3:6], 0.9)], BODY)
PADDED_TYPE = np.dtype(
    [("tag", np.int8), ("x", float), ("y", np.float32), ("k", np.int32), ("z", float, 2)], align=True
)
PADDED = np.array([(1, 0.7, 0.5, 3, (0.4, 0.9))], PADDED_TYPE)

CASES: dict[str, list[list[Any]]] = {
    "multiplies_itself": [[X, 7], [X, 1], [X, 0]],
    "multiplies_itself_void": [[X, 7], [X, 0]],
    "overwrites_with_constant": [[X, 7]],
    "overwritten_after_use": [[X, 7]],
    "store_of_inactive_value": [[X, Y, 7]],
    "prefix_sum": [[X, 7], [X, 1]],
    "relax": [[X, 7, 3], [X, 7, 0], [X, 2, 3]],
    "exchange": [[X, 1, 4], [X, 2, 2]],
    "reverse_array": [[X, 7], [X, 6]],
    "out_parameter_result": [[0.7, X[:1]]],
    "out_parameters": [[0.7, 1.3, X[:1], Y[:1]]],
    "writes_then_reads_argument": [[X[:2]]],
    "swap_phis": [[0.7, 0.4, 5], [0.7, 0.4, 0]],
    "used_in_two_predecessors": [[0.7, 0], [0.7, 1], [0.7, 2]],
    "zero_trips": [[X, 0], [X, 3]],
    "negative_length": [[X, -1], [X, -(2**31)]],
    "index_by_int": [[X, -2, 3], [X, 1, 0], [X, -2, -2]],
    "early_return_in_nest": [[X, 7], [Y, 7], [X, 0]],
    "shared_switch_targets": [[X, 7]],
    "select_of_pointers": [[X[:2], Y[:2], 0], [X[:2], Y[:2], 1]],
    "phi_of_pointers": [[X, Y, 7], [X, Y, 2]],
    "pointer_walk": [[X, 7], [X, 0]],
    "pointer_in_memory": [[X, Y, 7]],
    "pointer_overwritten_later": [[X[:2], Y[:2]]],
    "pingpong": [[X, 7, 3], [X, 7, 2]],
    "drives_double_pointer": [[X[:6], 2, 3]],
    "same_array_twice": [[X, Y, 7]],
    "drives_same_array": [[X, 7], [X, 6]],
    "writes_const_through_alias": [[X, 7]],
    "free_before_reverse": [[X, 7]],
    "calloc_accumulates": [[X, 7]],
    "realloc_grows": [[X, 7], [X, 1]],
    "malloc_in_loop": [[X, 7]],
    "malloc_zero": [[X, 7]],
    "free_null": [[0.7]],
    "null_check": [[X, 7]],
    "aligned": [[X, 7]],
    "posix_aligned": [[X, 7]],
    "memmove_overlap": [[X, 7]],
    "memmove_overlap_down": [[X, 7]],
    "memcpy_of_doubles": [[X, 7]],
    "memcpy_of_floats": [[F, 4]],
    "memcpy_of_one": [[X]],
    "memcpy_two_floats": [[F]],
    "memcpy_through_bits": [[0.7]],
    "memcpy_out": [[X, Y, 7]],
    "memcpy_over": [[X, Y, 7]],
    "memset_zero": [[X, 7]],
    "memset_of_two_floats": [[F]],
    "memset_of_one_double": [[X]],
    "memset_of_two_doubles": [[X, 4]],
    "struct_cleared": [[PADDED]],
    "copied_by_loop": [[X, Y, 7]],
    "struct_copy_with_padding": [[X]],
    "struct_by_value": [[0.7, 0.4]],
    "struct_array": [[np.concatenate([X, Y]), 4]],
    "struct_pointer": [[BODIES, 3]],
    "struct_assignment_in_loop": [[X, 7]],
    "union_of_float_and_int": [[0.7, 0], [0.7, 1]],
    "union_sign_bit": [[0.7], [-0.7]],
    "constant_table": [[X]],
    "global_array": [[X, 7]],
    "global_scalar": [[X, 7]],
    "global_read_only": [[0.7]],
    "static_local": [[0.7]],
    "calls_pure": [[0.7]],
    "calls_pure_in_loop": [[X, 7]],
    "calls_writing": [[X, 7]],
    "calls_out_parameter": [[0.7]],
    "calls_returning_pointer": [[X, 7]],
    "calls_returning_memory": [[X, 7]],
    "tail_recursion": [[0.7, 5, 1.1], [0.7, 0, 1.1]],
    "recursion": [[0.7, 4], [0.7, 0]],
    "tree_recursion": [[X, 0, 7], [X, 2, 3]],
    "recursion_in_place": [[X, 7], [X, 0]],
    "mutual_recursion": [[0.7, 5], [0.7, 4]],
    "function_pointer": [[0.7, 0], [0.7, 1]],
    "function_table": [[X, 7]],
    "callback": [[0.7]],
    "printed_to_buffer": [[0.7]],
    "condition_overwritten": [[X, 7]],
    "index_overwritten": [[X, np.array([2, 0, 6, 1, 3, 3, 5], np.int32), 7]],
    "bound_overwritten": [[X, np.array([7], np.int32)]],
    "returns_literal_on_one_branch": [[0.7], [-0.7]],
    "while_data": [[0.7]],
    "break_and_continue": [[X, 7], [Y, 7]],
    "goto_state_machine": [[0.7, 6], [0.7, 0]],
    "nan_on_untaken_branch": [[0.7], [-0.7]],
    "in_long_double": [[0.7, 3]],
    "long_double_inside": [[0.7]],
    "long_double_array": [[L, 4]],
    "float_array_in_double": [[F, 4]],
    "integer_round_trip": [[0.72, 0.4]],
    "integer_loop_variable": [[0.7]],
    "local_array": [[X, 7]],
    "local_array_reused": [[X, 7]],
    "two_dimensional": [[X]],
    "variable_length_array": [[X, 7]],
    "variable_length_array_in_loop": [[X, 7]],
    "uninitialised_parts": [[X, 7], [X, 1]],
    "linked_list": [[X, 7], [X, 0]],
    "linked_list_on_stack": [[X]],
}
SINGLE: dict[str, list[list[Any]]] = {"casts": [[0.625, 0.75]], "float_from_double_array": [[F.astype(float), 4]]}


@pytest.mark.parametrize("function", CASES)
def test_construct(function: str) -> None:
    for arguments in CASES[function]:
        check(SOURCE, function, arguments)


@pytest.mark.parametrize("function", SINGLE)
def test_construct_in_single_precision(function: str) -> None:
    for arguments in SINGLE[function]:
        check(SOURCE, function, arguments, single=True)


def test_printing_an_active_value(capfd: pytest.CaptureFixture[str]) -> None:
    check(SOURCE, "printing", [0.7, 1])


def test_nan_and_infinity_propagate() -> None:
    check(SOURCE, "nan_on_untaken_branch", [-1.0], expected=[1.0], exact=True)
    check(SOURCE, "nan_on_untaken_branch", [0.0], expected=[1.0], exact=True)


@pytest.mark.parametrize("level", LEVELS)
def test_double_array_read_as_integers(level: int) -> None:
    """C's aliasing rules forbid it: the right number or a refusal, at each level, and nothing else."""
    error = checked_or_refused(SOURCE, "copied_as_integers", [X, 7], level)
    if error is not None:
        assert error.code in ("EM223", "EM224")
        assert error.line is not None
        assert error.hint

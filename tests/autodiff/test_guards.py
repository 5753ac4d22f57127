"""Guards: where the code does not take an arm, that arm's derivative has no say, whatever O2 made of the branch.

At and beyond each guard point all levels and plans give the same number; around it the differences decide.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from .harness import check
from .runs import source

SOURCE = source("guards.c")

INF, NAN = math.inf, math.nan

# function: arguments, gradient by the code that ran
AT_GUARDS = [
    ("guarded_sqrt", (0.0,), (0.0,)),
    ("guarded_sqrt", (-0.0,), (0.0,)),
    ("guarded_sqrt", (-1.0,), (0.0,)),
    ("guarded_sqrt", (NAN,), (0.0,)),
    ("guarded_reciprocal", (0.0,), (0.0,)),
    ("guarded_reciprocal", (-0.0,), (0.0,)),
    ("guarded_log", (0.0,), (0.0,)),
    ("guarded_log_of_call", (0.0,), (0.0,)),
    ("guarded_log", (-2.0,), (0.0,)),
    ("guarded_log_other", (0.0,), (1.0,)),
    ("guarded_log_other", (-2.0,), (1.0,)),
    ("guarded_pow", (0.0,), (-1.0,)),
    ("guarded_pow", (-3.0,), (-1.0,)),
    ("guarded_asin", (1.0,), (2.0,)),
    ("guarded_asin", (-1.0,), (2.0,)),
    ("guarded_asin", (5.0,), (2.0,)),
    ("guarded_acos", (1.0,), (0.0,)),
    ("guarded_acos", (7.0,), (0.0,)),
    ("guarded_acosh", (1.0,), (0.0,)),
    ("guarded_acosh", (-4.0,), (0.0,)),
    ("guarded_hypot", (0.0, 0.0), (0.0, 0.0)),
    ("guarded_hypot", (0.0, -0.0), (0.0, 0.0)),
    ("guarded_norm", (0.0, 0.0), (0.0, 0.0)),
    ("entropy", (0.0,), (0.0,)),
    ("entropy", (-1.0,), (0.0,)),
    ("guarded_atan2", (0.0, 0.0), (0.0, 0.0)),
    ("guarded_cbrt", (0.0,), (0.0,)),
    ("sinc", (0.0,), (0.0,)),
    ("guarded_power_of", (0.0, 2.0), (0.0, 0.0)),
    ("guarded_power_of", (0.0, -1.0), (0.0, 0.0)),
    ("guarded_power_of", (-1.0, 0.5), (0.0, 0.0)),
    ("nested", (0.0, 1.0), (0.0, 1.0)),
    ("nested", (4.0, 4.0), (0.25, 1.0)),
    ("nested", (-1.0, -1.0), (0.0, 1.0)),
    ("nested_selects", (0.0, 0.0), (0.0, 1.0)),
    ("nested_selects", (0.0, 2.0), (0.0, -0.25)),
    ("nested_selects", (2.0, 0.0), (0.5, 0.0)),
    ("both", (0.0, 0.0), (1.0, 2.0)),
    ("both", (0.0, 3.0), (1.0, 2.0)),
    ("both", (3.0, 0.0), (1.0, 2.0)),
    ("both", (-1.0, -1.0), (1.0, 2.0)),
    ("either", (0.0, 0.0), (1.0, 0.0)),
    ("either", (2.0, 0.0), (1.0, 0.0)),
    ("either", (0.0, 2.0), (1.0, 0.0)),
    ("either", (-1.0, -1.0), (1.0, 0.0)),
    ("not_first", (0.0, 3.0), (0.0, 1.0)),
    ("not_first", (NAN, 3.0), (0.0, 1.0)),
    ("chain", (0.0,), (0.0,)),
    ("chain", (-1.0,), (0.0,)),
    ("chain", (1.0,), (1.0,)),
    ("chain", (2.0,), (-0.25,)),
    ("guard_of_guard", (0.0,), (0.0,)),
    ("guard_of_guard", (-1.0,), (0.0,)),
    ("clamp", (0.0,), (0.5,)),
    ("clamp", (1.0,), (-0.5,)),
    ("clamp", (-1.0,), (0.0,)),
    ("clamp", (2.0,), (0.0,)),
    ("clamp_then_root", (0.0,), (3.0,)),
    ("clamp_then_root", (-1.0,), (3.0,)),
    ("shared", (0.0, 5.0), (0.0, 0.0)),
    ("shared", (0.0, 0.0), (0.0, 0.0)),
    ("shared", (-1.0, 2.0), (-8.0, 4.0)),
    ("shared_arms", (1.0, 1.0), (0.0, 0.0)),
    ("shared_arms", (1.0, 2.0), (0.5, -0.5)),
    ("shared_below", (0.0,), (0.0,)),
    ("shared_below", (-1.0,), (0.0,)),
    ("shared_below", (1.0,), (0.5,)),
    ("partly_demanded", (0.0, 1.0), (0.0, 0.0)),
    ("partly_demanded", (1.0, 1.0), (-1.0, 1.0)),
    ("partly_demanded", (-1.0, 1.0), (0.0, 0.0)),
    ("condition_shares", (0.0,), (0.0,)),
    ("condition_shares", (1.0,), (0.0,)),
    ("condition_shares", (-1.0,), (0.0,)),
    ("unguarded_too", (0.0,), (INF,)),
    ("through_memory", (0.0, 0.0), (0.0, 0.0)),
    ("through_memory", (4.0, 0.0), (0.25, 0.0)),
    ("through_memory", (0.0, 2.0), (0.0, 0.0)),
    ("product_of_guarded", (0.0, 0.0), (0.0, 0.0)),
    ("product_of_guarded", (4.0, 0.0), (0.0, 0.0)),
    ("product_of_guarded", (0.0, 2.0), (0.0, 0.0)),
    ("guarded_float", (0.0,), (0.0,)),
    ("guarded_float", (-1.0,), (0.0,)),
    ("guarded_long", (0.0,), (0.0,)),
    ("guarded_long", (-1.0,), (0.0,)),
    ("guarded_mixed", (0.0,), (1.0,)),
    ("maximum", (2.0, 2.0), (0.0, 1.0)),
    ("magnitude_by_branch", (0.0,), (1.0,)),
    ("square_of_guarded", (0.0,), (0.0,)),
    ("inlined", (0.0, 0.0), (-1.0, 0.0)),
    ("inlined", (-1.0, 2.0), (math.log(2.0), -0.5)),
    ("switch_guard", (0.0, 3), (1.0,)),
    ("switch_guard", (-1.0, -7), (1.0,)),
    ("freed_by_finite_test", (0.0,), (1.0,)),
    ("dropped_log", (0.0,), (1.0,)),
    ("dropped_product", (1.5, INF), (3.0, 0.0)),
    ("dropped_difference", (0.0,), (1.0,)),
    ("dropped_both", (0.0, 1.0), (1.0, 1.0)),
    ("dropped_both", (0.0, 3.0), (1.0, 0.0)),
    ("dropped_float", (0.0,), (1.0,)),
]

AROUND = [
    ("guarded_sqrt", (1e-5,)),
    ("guarded_sqrt", (2.0,)),
    ("guarded_reciprocal", (0.5,)),
    ("guarded_reciprocal", (-0.01,)),
    ("guarded_log", (0.01,)),
    ("guarded_log_other", (3.0,)),
    ("guarded_pow", (0.3,)),
    ("guarded_asin", (0.9,)),
    ("guarded_asin", (1.3,)),
    ("guarded_acos", (-0.5,)),
    ("guarded_acosh", (1.5,)),
    ("guarded_hypot", (0.3, -0.4)),
    ("guarded_norm", (0.3, 0.0)),
    ("entropy", (0.2,)),
    ("guarded_atan2", (-0.3, 0.8)),
    ("guarded_cbrt", (-0.7,)),
    ("sinc", (0.3,)),
    ("guarded_power_of", (0.4, 1.7)),
    ("nested", (0.5, 0.9)),
    ("nested", (0.9, 0.5)),
    ("nested_selects", (0.3, 0.7)),
    ("nested_selects", (0.3, -0.7)),
    ("nested_selects", (-0.3, 0.7)),
    ("both", (0.3, 0.7)),
    ("both", (-0.3, 0.7)),
    ("either", (0.3, 0.7)),
    ("not_first", (0.3, 0.7)),
    ("chain", (0.4,)),
    ("chain", (1.4,)),
    ("chain", (2.4,)),
    ("guard_of_guard", (0.4,)),
    ("clamp", (0.4,)),
    ("clamp_then_root", (0.4,)),
    ("shared", (0.4, 0.7)),
    ("shared", (-0.4, 0.7)),
    ("shared_arms", (0.9, 0.2)),
    ("shared_below", (0.5,)),
    ("shared_below", (2.5,)),
    ("partly_demanded", (0.5, 0.3)),
    ("partly_demanded", (1.5, 0.3)),
    ("condition_shares", (1.7,)),
    ("unguarded_too", (0.6,)),
    ("through_memory", (0.6, 0.7)),
    ("product_of_guarded", (0.6, 0.7)),
    ("guarded_float", (0.625,)),
    ("guarded_long", (0.6,)),
    ("guarded_mixed", (0.625,)),
    ("maximum", (0.2, 0.3)),
    ("fmax_tie", (0.2, 0.3)),
    ("magnitude", (-0.3,)),
    ("magnitude_by_branch", (-0.3,)),
    ("square_of_guarded", (0.3,)),
    ("inlined", (0.3, 0.4)),
    ("switch_guard", (0.3, 0)),
    ("switch_guard", (0.3, 1)),
    ("switch_guard", (0.3, 2)),
    ("freed_by_finite_test", (0.3,)),
    ("dropped_log", (0.3,)),
    ("dropped_difference", (2.5,)),
    ("dropped_both", (0.3, 0.4)),
    ("dropped_both", (0.3, 1.4)),
]


def _label(case: tuple[Any, ...]) -> str:
    return f"{case[0]}{case[1]}"


@pytest.mark.parametrize("case", AT_GUARDS, ids=_label)
def test_at_the_guard(case: tuple[Any, ...]) -> None:
    function, arguments, expected = case
    check(SOURCE, function, arguments, expected=expected, exact=True)


@pytest.mark.parametrize("case", AROUND, ids=_label)
def test_around_the_guard(case: tuple[Any, ...]) -> None:
    function, arguments = case
    check(SOURCE, function, arguments)


ZEROS = np.array([0.0, 4.0, 0.0, -1.0, -0.0])


def test_guard_in_a_loop() -> None:
    check(SOURCE, "in_loop", [ZEROS, 5], expected=[0, 0.25 + math.log(4) + 1, 0, 0, 0])
    check(SOURCE, "in_loop", [np.array([0.3, 0.5, -0.2]), 3])


def test_what_a_minimum_drops_in_a_loop() -> None:
    check(SOURCE, "dropped_in_loop", [ZEROS, 2], expected=[0, -2 / 64, 0, 0, 0])
    check(SOURCE, "dropped_in_loop", [np.array([0.9, -2.0, 1.5]), 3])


def test_guard_in_a_loop_with_else() -> None:
    check(SOURCE, "in_loop_with_else", [ZEROS, 5], expected=[2, -1 / 16, 2, -1, 2], exact=True)


def test_guard_carried_around_a_loop() -> None:
    check(SOURCE, "carried", [np.array([0.0, -1.0, 0.0, 4.0, -2.0]), 5], expected=[0, 0, 0, 0, 0], exact=True)
    check(SOURCE, "carried", [np.array([0.0, -1.0, 0.0, 4.0]), 4], expected=[0, 0, 0, 0.25], exact=True)
    check(SOURCE, "carried", [np.array([0.3, 0.2, 0.4]), 3])


@pytest.mark.parametrize("a", [0.0, -1.0])
def test_hoisted_out_of_a_guard(a: float) -> None:
    """LICM moves sqrt(a) before the loop and before the guard."""
    check(SOURCE, "hoisted", [np.array([1.0, 2.0]), 2, a], expected=[0, 0, 0], exact=True)
    check(SOURCE, "hoisted", [np.array([1.0, 2.0]), 0, a], expected=[0, 0, 0], exact=True)


def test_hoisted_at_smooth_points() -> None:
    check(SOURCE, "hoisted", [np.array([1.0, 2.0]), 2, 0.7])
    check(SOURCE, "hoisted_log_other_loop", [np.array([1.0, 2.0, 0.5]), 3, 0.7])
    check(SOURCE, "hoisted_division", [np.array([1.0, -2.0, 0.5]), 3, 0.7, 0.3])


def test_hoisted_division_by_zero() -> None:
    """No element is positive, so a/b has no influence although the optimizer computes it."""
    check(SOURCE, "hoisted_division", [np.array([-1.0, -2.0]), 2, 1.0, 0.0], expected=[0, 0, 0, 0], exact=True)
    check(SOURCE, "hoisted_division", [np.array([-1.0, -2.0]), 2, 0.0, 0.0], expected=[0, 0, 0, 0], exact=True)


def test_hoisted_log_with_both_guards_closed() -> None:
    x = np.array([0.0, -1.0, 3.0])
    check(SOURCE, "hoisted_log_other_loop", [x, 3, 0.0], expected=[0, 0, 0, 0], exact=True)
    check(SOURCE, "hoisted_log_other_loop", [x[:2], 2, 2.0], expected=[0, 0, 0], exact=True)


def test_equal_pairs() -> None:
    check(SOURCE, "pairs", [np.array([1.0, 1.0, 1.0]), 3], expected=[0, 0, 0], exact=True)
    check(SOURCE, "pairs", [np.array([0.3, 1.0, 2.1]), 3])


@pytest.mark.parametrize("function", ["fmax_tie", "magnitude"])
def test_ties_agree_at_all_levels(function: str) -> None:
    """The rule's choice at a tie does not depend on what the optimizer made of the call."""
    arguments = [2.0, 2.0] if function == "fmax_tie" else [0.0]
    check(SOURCE, function, arguments, expected=TIES[function], exact=True)


TIES = {"fmax_tie": [0.0, 1.0], "magnitude": [0.0]}

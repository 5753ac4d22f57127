"""Loops of every shape: the reverse sweep runs each iteration once, in opposite order, whatever the loop counted with."""

from __future__ import annotations

import numpy as np
import pytest

import enzyme_magic as em

from .harness import check
from .runs import source

SOURCE = source("loops.c")

X = np.array([0.35, 0.85, 0.15, 0.95, 0.55, 0.25, 0.75])

BY_LENGTH = [
    "counted",
    "counted_from_one",
    "counted_down",
    "counted_down_unsigned",
    "not_equal",
    "inclusive",
    "by_pointer",
    "by_pointer_down",
    "strided_by_three",
    "two_indices",
    "bytes",
    "shorts",
    "sign_extended",
    "zero_extended",
    "triangular",
    "triangular_upper",
    "solved_in_place",
    "summed_in_place",
    "three_deep",
    "inner_depends",
    "two_inner",
    "one_after_another",
    "with_break",
    "with_continue",
    "break_and_continue",
    "early_return",
    "several_exits",
    "goto_two_latches",
    "last_value",
    "before_and_after",
    "value_from_inside",
    "count_from_data",
    "in_long",
    "sum_of_squares",
    "unread_after_zero_trips",
]


@pytest.mark.parametrize("function", BY_LENGTH)
def test_by_length(function: str) -> None:
    for n in (0, 1, 2, 7):
        check(SOURCE, function, [X, n])


@pytest.mark.parametrize(
    "function",
    ["counted", "counted_from_one", "counted_down", "inclusive", "shorts", "triangular", "with_break", "two_indices"],
)
@pytest.mark.parametrize("n", [-1, -(2**15)])
def test_negative_length_runs_no_iteration(function: str, n: int) -> None:
    check(SOURCE, function, [X, n])


@pytest.mark.parametrize("function", ["doubling", "halving", "do_nested", "state_machine", "running_maximum"])
def test_at_least_one(function: str) -> None:
    for n in (1, 2, 5, 7):
        check(SOURCE, function, [X, n])


@pytest.mark.parametrize("k", [1, 2, 3, 10])
def test_step_from_outside(k: int) -> None:
    for n in (0, 1, 6, 7):
        check(SOURCE, "strided", [X, n, k])


def test_lengths_of_small_types() -> None:
    x = np.linspace(0.1, 0.9, 255)
    check(SOURCE, "bytes", [x, 255], levels=(0, 2))
    check(SOURCE, "wrapping", [X[:5].repeat(2)[:9]])


@pytest.mark.parametrize("start", [-(2**31), -2, 2**31 - 4])
def test_counter_at_the_limits(start: int) -> None:
    check(SOURCE, "limits_signed", [0.7, start])


def test_counter_up_to_the_maximum() -> None:
    for n in (0, 1, 4):
        check(SOURCE, "to_the_maximum", [0.7, n])
        check(SOURCE, "from_the_minimum", [0.7, n])


def test_unsigned_counter_wraps() -> None:
    check(SOURCE, "unsigned_limits", [0.7, 2**32 - 3])


def test_matrix() -> None:
    a = np.linspace(0.1, 0.9, 12)
    for n, m in ((3, 4), (4, 3), (0, 4), (3, 0), (1, 12)):
        check(SOURCE, "matrix", [a, n, m])


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        ("while_data", (0.7, 0.4)),
        ("while_data", (70.0, 0.4)),
        ("while_never", (0.7, 0.4)),
        ("newton", (2.0, 1.3)),
        ("do_while", (0.7, 1.9)),
        ("do_once", (0.7, 1.9)),
        ("nested_while", (0.7, 0.9)),
        ("boundless", (0.9,)),
        ("goto_loop", (0.9, 4)),
        ("goto_loop", (0.9, 0)),
        ("swapped", (0.7, 1.3, 5)),
        ("swapped", (0.7, 1.3, 0)),
        ("rotated", (0.7, 1.3, 0.9, 5)),
        ("fibonacci_like", (0.7, 0.3, 6)),
        ("power_by_squaring", (1.1, 13)),
        ("power_by_squaring", (1.1, 0)),
        ("collatz", (0.7, 7)),
    ],
)
def test_scalars(function: str, arguments: tuple[float, ...]) -> None:
    check(SOURCE, function, arguments)


def test_newton_finds_the_derivative_of_the_root() -> None:
    gradient = check(SOURCE, "newton", [2.0, 1.3])
    assert gradient == pytest.approx((0.5 / 2**0.5, 0.0), abs=1e-12)


@pytest.mark.parametrize("limit", [0.1, 0.9, 2.0])
def test_early_exit_by_data(limit: float) -> None:
    check(SOURCE, "found_first", [X, 7, limit])


def test_switch_inside_a_loop() -> None:
    for kind in ([0, 1, 2, 3, 4, 6, 0], [6, 6, 4, 4, 5, 1, 1], [5] * 7, [4] * 7):
        check(SOURCE, "switch_inside", [X, np.array(kind, np.int32), 7])


def test_invariant_and_two_arrays() -> None:
    check(SOURCE, "invariant_inside", [X, 7, 0.8])
    check(SOURCE, "same_twice", [X, X[::-1].copy(), 7])
    check(SOURCE, "dot", [7, X, X + 1])
    check(SOURCE, "horner", [X, 7, 0.8])


def test_floats() -> None:
    x = np.array([0.5, 0.75, 0.25, 0.125], np.float32)
    for n in (0, 1, 4):
        check(SOURCE, "in_floats", [x, n])
    check(SOURCE, "float_sum_of_doubles", [x.astype(float), 4], single=True)


def test_irreducible_flow() -> None:
    for k in (0, 1):
        for n in (1, 4):
            check(SOURCE, "irreducible", [0.6, n, k])


VECTORS_THAT_COUNT = """
typedef double v4 __attribute__((vector_size(32)));
typedef long l4 __attribute__((vector_size(32)));
typedef signed char c8 __attribute__((vector_size(8)));
double up(double x, int k) {
    l4 i = {0, 1, 2, 3};
    v4 s = {0};
    for (int j = 0; j < k; j++, i += 4) { v4 t = __builtin_convertvector(i, v4) * x; s += t * t; }
    return s[0] + s[1] * s[2] + s[3];
}
double down(double x, int k) {
    l4 i = {0, 1, 2, 3}, step = {k, 2, k, 1};
    v4 s = {0};
    for (int j = 0; j < k; j++, i -= step) { v4 t = __builtin_convertvector(i, v4) * x; s += t * t * t; }
    return s[0] + s[1] * s[2] + s[3];
}
double places(double x, int k) {
    double a[16], s = 0;
    c8 i = {0, 1, 2, 3, 4, 5, 6, 7};
    for (int j = 0; j < 16; j++) a[j] = x * j;
    for (int j = 0; j < k; j++, i += (c8){1, 2, 1, 1, 3, 1, 1, 1})
        for (int lane = 0; lane < 8; lane++) s += a[i[lane] & 15] * a[i[lane] & 7];
    return s;
}
double asked(double x, int k) {
    double s = 0;
    #pragma clang loop vectorize_width(4)
    for (int i = 0; i < k * 30; i++) { double t = x * i; s += t * t / (1 + i * i); }
    return s;
}
"""


@pytest.mark.parametrize("opt", [0, 2])
def test_vectors_of_integers_that_count(opt: int) -> None:
    """Every lane is where it was after so many iterations; so written, or asked for before the gradient."""
    program = em.compile_c(VECTORS_THAT_COUNT, opt=opt)
    for name in program:
        em.check_grads(program[name], (1.3, 5))
        gradients = {
            plan: em.grad(program[name], wrt="x", caching=plan)(1.3, 9) for plan in ("store-all", "recompute-all")
        }
        assert gradients["recompute-all"] == pytest.approx(gradients["store-all"], rel=1e-12)

"""Arbitrary branches without loops: every way through the function has its own derivative."""

from __future__ import annotations

import itertools

import pytest

from .harness import check
from .runs import source

SOURCE = source("branches.c")

GRID = list(itertools.product((-1.3, 0.4, 1.7, 2.6), (-1.7, -0.3, 0.8, 1.9)))
TWO = [
    "if_else",
    "without_else",
    "assigned_twice",
    "early_returns",
    "nested",
    "diamonds",
    "goto_forward",
    "short_circuit",
    "comma_and_ternary",
    "used_on_both_ways",
    "int_of_double",
    "rounded",
    "by_bits",
    "copied_sign",
    "boolean_arithmetic",
    "with_abs",
    "hinted",
]
ONE_AND_CASE = ["three_arms", "switched", "fall_through", "shared_targets", "switch_with_one_edge_per_value"]


@pytest.mark.parametrize("function", TWO)
def test_every_way(function: str) -> None:
    for point in GRID:
        check(SOURCE, function, point)


@pytest.mark.parametrize("function", ONE_AND_CASE)
def test_switch(function: str) -> None:
    for case in range(-3, 12):
        check(SOURCE, function, [0.7, case])


@pytest.mark.parametrize("function", ["argument_or_literal", "integer_path", "unreachable_way"])
def test_integer_condition(function: str) -> None:
    for case in (0, 1, 2, 3):
        check(SOURCE, function, [0.7, case])


@pytest.mark.parametrize("function", ["literal_on_one_way", "poly_by_horner", "many_uses"])
def test_one_parameter(function: str) -> None:
    for x in (-1.3, 0.4, 2.6):
        check(SOURCE, function, [x])


def test_literal_zero_on_one_way_is_not_zero_everywhere() -> None:
    assert check(SOURCE, "literal_on_one_way", [3.0], expected=[6.0], exact=True) == (6.0,)
    assert check(SOURCE, "literal_on_one_way", [-3.0], expected=[0.0], exact=True) == (0.0,)


def test_constants_have_gradient_zero() -> None:
    assert check(SOURCE, "constant_on_all_ways", [1.0]) == (0.0,)
    assert check(SOURCE, "dead_way", [1.0, 2.0]) == (1.0, 0.0)


def test_assumption() -> None:
    check(SOURCE, "assumed", [0.5, 1.5])
    check(SOURCE, "assumed", [-0.5, 1.5])


@pytest.mark.parametrize("function", ["in_floats", "mixed_widths", "in_long"])
def test_other_types(function: str) -> None:
    for point in ((0.5, 0.75), (1.5, 0.25), (0.25, 3.0)):
        check(SOURCE, function, point)


def test_with_respect_to_some_parameters() -> None:
    both = check(SOURCE, "diamonds", [0.4, 0.8])
    assert check(SOURCE, "diamonds", [0.4, 0.8], wrt=[0]) == pytest.approx(both[:1], rel=1e-14)
    assert check(SOURCE, "diamonds", [0.4, 0.8], wrt=[1]) == pytest.approx(both[1:], rel=1e-14)

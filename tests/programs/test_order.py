"""Sorting, searching and tables: integers and comparisons decide which numbers are read."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .calls import Call
from .checks import LEVELS, Case, check


def integral(f: Any, a: float, b: float) -> float:
    nodes, weights = np.polynomial.legendre.leggauss(5)
    return float(0.5 * (b - a) * (weights * f(0.5 * (a + b) + 0.5 * (b - a) * nodes)).sum())


def wave(c: Any) -> Any:
    return lambda x: np.exp(-c[0] * x) * np.sin(c[1] * x) + c[2]


def bump(c: Any) -> Any:
    return lambda x: c[0] / (1 + c[1] * x * x)


def quadrature(a: float, b: float, c: Any) -> float:
    return integral(wave(c), a, b) * integral(bump(c[1:]), a, b)


def path(n: int, xs: Any, ys: Any, x: float, steps: int) -> float:
    total = 0.0
    for _ in range(steps):
        y = np.interp(x, xs, ys)
        total += y * y
        x += 0.1 * y
    return float(total)


def through_a_table(n: int, x: Any, step: float) -> float:
    table = x[0] + step * np.concatenate([[0], np.cumsum(x[1:] ** 2)])
    return float(np.prod(1 + 0.1 * table[(3 * np.arange(n) + 1) % n]))


CASES = [
    Case(
        "order",
        "insertion_sort",
        lambda r: [7, r.normal(size=7), r.normal(size=7)],
        lambda n, x, w: (w * np.sort(x) ** 2).sum(),
    ),
    Case(
        "order",
        "quick_sort",
        lambda r: [7, r.normal(size=7), r.uniform(0, 0.5, 7)],
        lambda n, x, w: np.prod(1 + w * np.sort(x)),
    ),
    Case(
        "order",
        "rank_sum",
        lambda r: [7, r.normal(size=7), 0.7],
        lambda n, x, p: (np.arange(1, n + 1) ** p * np.sort(x)).sum(),
    ),
    Case(
        "order",
        "interpolated_path",
        lambda r: [6, np.arange(6) + r.uniform(0, 0.3, 6), r.uniform(1, 3, 6), float(r.uniform(0.5, 1)), 5],
        path,
    ),
    Case("order", "quadrature", lambda r: [0.1, 1.4, r.uniform(0.5, 2, 3)], quadrature),
    Case(
        "order",
        "chosen_integrand",
        lambda r: [1, 0.2, 1.1, r.uniform(0.5, 2, 3)],
        lambda w, a, b, c: integral(wave(c), a, b),
    ),
    Case("order", "through_a_table", lambda r: [9, r.uniform(0.5, 1, 9), 0.4], through_a_table),
]


@pytest.mark.parametrize("opt", LEVELS)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_gradient(case: Case, opt: int) -> None:
    check(case, opt)


@pytest.mark.parametrize("opt", LEVELS)
@pytest.mark.parametrize("function", ["insertion_sort", "quick_sort"])
def test_sorting_undoes_the_permutation(function: str, opt: int) -> None:
    """The gradient of a sorted, weighted sum is the weights in the order of the unsorted numbers."""
    random = np.random.default_rng(2)
    x, weight = random.permutation(9) + 1.0, random.uniform(0.1, 1, 9)
    parts = Call("order", function, opt).reverse([9, x, weight]).parts
    place = np.argsort(np.argsort(x))
    wanted = (
        2 * weight * np.sort(x)
        if function == "insertion_sort"
        else weight * np.prod(1 + weight * np.sort(x)) / (1 + weight * np.sort(x))
    )
    assert np.allclose(parts[1], wanted[place], rtol=1e-13)


@pytest.mark.parametrize("opt", LEVELS)
def test_other_integrand(opt: int) -> None:
    c = np.array([0.7, 1.2, 5.0])
    parts = Call("order", "chosen_integrand", opt).reverse([0, 0.2, 1.1, c]).parts
    assert parts[3][2] == 0
    assert np.isclose(parts[3][0], integral(bump([1, c[1]]), 0.2, 1.1), rtol=1e-12)


@pytest.mark.parametrize("opt", LEVELS)
def test_outside_the_table(opt: int) -> None:
    """The two early returns."""
    call = Call("order", "interpolate", opt)
    xs, ys = np.arange(4.0), np.array([3.0, 1, 4, 2])
    for x, k in ((-1.0, 0), (7.0, 3)):
        parts = call.reverse([4, xs, ys, x]).parts
        assert parts[2].tolist() == np.eye(4)[k].tolist()
        assert not parts[1].any()
        assert parts[3] == 0

"""Loops whose counts depend on the data, early exits, recursion."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from .calls import Call
from .checks import LEVELS, Case, check


def agm(a: float, g: float) -> float:
    for _ in range(40):
        a, g = (a + g) / 2, math.sqrt(a * g)
    return a


def kepler(mean: float, eccentricity: float) -> float:
    anomaly = mean
    for _ in range(60):
        anomaly -= (anomaly - eccentricity * math.sin(anomaly) - mean) / (1 - eccentricity * math.cos(anomaly))
    return (1 - eccentricity * math.cos(anomaly)) * math.sqrt(1 + anomaly**2)


def first_above(n: int, m: int, a: Any, limit: float) -> float:
    product = 1.0
    for x in a.reshape(-1):
        if x >= 0:
            product *= 1 + x * x
            if product > limit:
                return float(product * x - limit)
    return float(product)


def mutual(n: int, x: Any) -> float:
    even, odd = 1.0, 0.5
    for k in range(n):
        even, odd = x[k] * odd + math.sin(x[k]), x[k] ** 2 - even
    return even


def gaussian(a: float, b: float, c: float) -> float:
    root = math.sqrt(c)
    return math.sqrt(math.pi) / 2 / root * (math.erf(root * b) - math.erf(root * a))


CASES = [
    Case("iteration", "newton_root", lambda r: [float(r.uniform(1, 4)), 3.0], lambda a, g: math.sqrt(a)),
    Case(
        "iteration",
        "newton_sum",
        lambda r: [4, r.uniform(0.5, 8, 4)],
        lambda n, a: (np.arange(1, n + 1) * np.cbrt(a)).sum(),
        tolerance=1e-6,
    ),
    Case("iteration", "kepler", lambda r: [float(r.uniform(0.5, 2)), float(r.uniform(0.1, 0.6))], kepler),
    Case("iteration", "agm", lambda r: [float(r.uniform(1, 2)), float(r.uniform(0.3, 0.9))], agm),
    Case("iteration", "fraction", lambda r: [float(r.uniform(0.5, 2)), 0.02]),
    Case("iteration", "first_above", lambda r: [3, 4, r.normal(size=(3, 4)), 3.0], first_above),
    Case(
        "iteration",
        "romberg",
        lambda r: [float(r.uniform(-1, 0)), float(r.uniform(0.5, 1.5)), float(r.uniform(0.5, 1.5)), 5],
        tolerance=1e-7,
    ),
    Case("iteration", "mutual", lambda r: [6, r.normal(size=6)], mutual),
    Case(
        "iteration",
        "adaptive_simpson",
        lambda r: [-0.3, float(r.uniform(0.5, 1.5)), float(r.uniform(0.2, 0.5))],
        tolerance=1e-6,
    ),
]


@pytest.mark.parametrize("opt", LEVELS)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_gradient(case: Case, opt: int) -> None:
    check(case, opt)


@pytest.mark.parametrize("opt", LEVELS)
def test_closed_forms(opt: int) -> None:
    a = 2.7
    assert np.isclose(Call("iteration", "newton_root", opt).reverse([a, 3.0]).parts[0], 0.5 / math.sqrt(a), rtol=1e-9)
    lower, upper, c = -0.4, 1.1, 0.8
    parts = Call("iteration", "romberg", opt).reverse([lower, upper, c, 7]).parts
    assert np.isclose(parts[0], -math.exp(-c * lower**2), rtol=1e-9)
    assert np.isclose(parts[1], math.exp(-c * upper**2), rtol=1e-9)
    h = 1e-4
    slope = (gaussian(lower, upper, c + h) - gaussian(lower, upper, c - h)) / (2 * h)
    assert np.isclose(parts[2], slope, rtol=1e-7)

"""Grids: buffers that change places, updates in place, sweeps until the change is small."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .checks import LEVELS, Case, check


def heat(n: int, steps: int, u: Any, k: float) -> float:
    for _ in range(steps):
        v = u.copy()
        v[1:-1] += k * (u[:-2] - 2 * u[1:-1] + u[2:]) * (1 + 0.1 * u[1:-1])
        u = v
    return float((u**2).sum())


def relax(n: int, steps: int, x: Any, omega: float) -> float:
    for _ in range(steps):
        for i in range(1, n - 1):
            x[i] = (1 - omega) * x[i] + omega * 0.5 * (x[i - 1] + x[i + 1]) + 0.01 * x[i] ** 2
    return float((np.diff(x) ** 2).sum())


def waves(n: int, steps: int, start: Any, speed: Any) -> float:
    before, now = start, start
    for _ in range(steps):
        after = np.zeros(n)
        after[1:-1] = 2 * now[1:-1] - before[1:-1] + speed[1:-1] ** 2 * (now[:-2] - 2 * now[1:-1] + now[2:])
        before, now = now, after
    return float((now**2).sum() + ((now - before) ** 2).sum())


def plate(border: Any, tolerance: float) -> float:
    a = np.zeros((6, 6))
    a[0], a[-1], a[1:-1, 0], a[1:-1, -1] = border
    for _ in range(2000):
        a[1:-1, 1:-1] = 0.25 * (a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:])
    return float((a[1:-1, 1:-1] ** 2).sum())


def alignment(n: int, m: int, a: Any, b: Any, sharpness: float) -> float:
    cost = np.full((n + 1, m + 1), 1e3)
    cost[0, 0] = 0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            three = np.array([cost[i - 1, j], cost[i, j - 1], cost[i - 1, j - 1]])
            cost[i, j] = (a[i - 1] - b[j - 1]) ** 2 - np.logaddexp.reduce(-sharpness * three) / sharpness
    return float(cost[n, m])


CASES = [
    Case("stencils", "heat", lambda r: [8, 5, r.normal(size=8), 0.2], heat),
    Case("stencils", "relax", lambda r: [7, 3, r.normal(size=7), 0.8], relax),
    Case("stencils", "waves", lambda r: [7, 5, r.normal(size=7), r.uniform(0.3, 0.9, 7)], waves),
    Case("stencils", "plate", lambda r: [r.normal(size=4), 1e-13], plate, tolerance=1e-6, fixed=(1,)),
    Case("stencils", "alignment", lambda r: [3, 4, r.normal(size=3), r.normal(size=4), 1.5], alignment),
]


@pytest.mark.parametrize("opt", LEVELS)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_gradient(case: Case, opt: int) -> None:
    check(case, opt)

"""Single precision, and both precisions together."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from .calls import Call
from .checks import LEVELS, Case, check


def euler(x: float, rate: float, dt: float, steps: int) -> float:
    for _ in range(steps):
        x += dt * (rate * x * (1 - x) + 0.1 * math.sin(x))
    return x


def mixture(d: int, k: int, n: int, weights: Any, means: Any, x: Any) -> float:
    squares = ((x[:, None].astype(float) - means) ** 2).sum(2)
    return float(np.logaddexp.reduce(weights - 0.5 * squares, axis=1).mean())


def mixed_dot(n: int, x: Any, y: Any) -> float:
    total = float((x.astype(float) * y).sum())
    return math.sqrt(1 + float(np.float32(total)) * total)


def singles(random: np.random.Generator, *shape: int) -> np.ndarray:
    return random.normal(size=shape).astype(np.float32)


CASES = [
    Case("single", "euler_single", lambda r: [float(np.float32(r.uniform(0.1, 0.4))), 2.0, 0.0625, 20], euler, size=4),
    Case(
        "single",
        "mixture_single",
        lambda r: [2, 3, 4, singles(r, 3), singles(r, 3, 2), singles(r, 4, 2)],
        mixture,
        size=4,
    ),
    Case(
        "single",
        "mlp_single",
        lambda r: [3, 4, singles(r, 4, 3), singles(r, 4), singles(r, 3)],
        lambda n, h, w1, w2, x: 1 / (1 + np.exp(-w2.astype(float) @ np.tanh(w1.astype(float) @ x))),
        size=4,
    ),
    Case("single", "mixed_dot", lambda r: [5, 1 + abs(singles(r, 5)), r.uniform(0.5, 1, 5)], mixed_dot, size=4),
]


@pytest.mark.parametrize("opt", LEVELS)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_gradient(case: Case, opt: int) -> None:
    check(case, opt)


@pytest.mark.parametrize("opt", LEVELS)
def test_adjoints_have_the_precision_of_their_parameters(opt: int) -> None:
    x, y = np.ones(3, np.float32) / 3, np.array([1.0, 2.0, 3.0]) / 7
    parts = Call("single", "mixed_dot", opt).reverse([3, x, y]).parts
    total = float((x.astype(float) * y).sum())
    slope = 0.5 * (total + float(np.float32(total))) / math.sqrt(1 + float(np.float32(total)) * total)
    assert parts[1].dtype == np.float32
    assert np.allclose(parts[1], slope * y, rtol=1e-7)
    assert np.allclose(parts[2], slope * x, rtol=1e-7)

"""Networks and regressions."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from .calls import Call
from .checks import LEVELS, Case, check

SIZES = np.array([3, 4, 4, 3], np.int32)
LABELS = np.array([0, 2, 1, 2], np.int32)


def network(random: np.random.Generator) -> list[Any]:
    count = sum(int(m) * int(n) + int(n) for m, n in itertools.pairwise(SIZES))
    return [3, SIZES, random.normal(0, 0.7, count), 4, random.normal(size=(4, 3)), LABELS]


def mlp(layers: int, sizes: Any, parameters: Any, count: int, inputs: Any, labels: Any) -> float:
    x, at = inputs, 0
    for layer, (m, n) in enumerate(itertools.pairwise(sizes)):
        weights, bias = parameters[at : at + m * n].reshape(n, m), parameters[at + m * n : at + m * n + n]
        x, at = x @ weights.T + bias, at + m * n + n
        x = np.tanh(x) if layer < layers - 1 else x
    return float((np.logaddexp.reduce(x, axis=1) - x[np.arange(count), labels]).mean())


def logistic(n: int, d: int, x: Any, y: Any, w: Any, ridge: float) -> float:
    z = x @ w
    return float(np.logaddexp(0, np.where(y, -z, z)).sum() + 0.5 * ridge * (w**2).sum())


def convolution(h: int, w: int, image: Any, kernel: Any, bias: float) -> float:
    windows = np.lib.stride_tricks.sliding_window_view(image, (3, 3))
    relu = np.maximum((windows * kernel).sum((2, 3)) + bias, 0)
    rows, columns = (h - 2) // 2, (w - 2) // 2
    pooled = relu[: 2 * rows, : 2 * columns].reshape(rows, 2, columns, 2).max((1, 3))
    return float(pooled.mean())


def linked_layers(depth: int, width: int, weights: Any, x: Any, slope: float) -> float:
    for layer in range(depth):
        x = weights[layer] @ x
        x = np.where(x > 0, x, slope / (layer + 1) * x)
    return float((x**2).sum())


def descent(n: int, target: Any, rate: float, momentum: float, steps: int) -> float:
    x, v = np.zeros(n), np.zeros(n)
    for _ in range(steps):
        v = momentum * v - rate * ((x - target) * (1 + 0.1 * np.arange(n)) + 0.05 * x * x)
        x = x + v
    return float(((x - target) ** 2).sum())


CASES = [
    Case("learning", "log_sum_exp", lambda r: [6, 3 * r.normal(size=6)], lambda n, x: np.logaddexp.reduce(x)),
    Case("learning", "mlp", network, mlp),
    Case(
        "learning",
        "logistic",
        lambda r: [5, 3, r.normal(size=(5, 3)), r.integers(0, 2, 5, np.int32), r.normal(size=3), 0.3],
        logistic,
    ),
    Case("learning", "convolution", lambda r: [6, 7, r.normal(size=(6, 7)), r.normal(size=(3, 3)), 0.5], convolution),
    Case("learning", "linked_layers", lambda r: [3, 3, r.normal(size=(3, 3, 3)), r.normal(size=3), 0.2], linked_layers),
    Case("learning", "descent", lambda r: [3, r.normal(size=3), 0.2, 0.6, 7], descent),
]


@pytest.mark.parametrize("opt", LEVELS)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_gradient(case: Case, opt: int) -> None:
    check(case, opt)


@pytest.mark.parametrize("opt", LEVELS)
def test_softmax(opt: int) -> None:
    """The gradient of log-sum-exp is a probability distribution, also where exp itself overflows."""
    for shift in (0.0, 800.0, -800.0):
        part = Call("learning", "log_sum_exp", opt).reverse([5, shift + np.arange(5.0)]).parts[1]
        wanted = np.exp(np.arange(5.0) - 4)
        assert np.allclose(part, wanted / wanted.sum(), rtol=1e-12)

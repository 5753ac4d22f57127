"""The objectives of ADBench: Gaussian mixture, bundle adjustment, LSTM."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

from .calls import Call
from .checks import LEVELS, Case, check


def mixture_arguments(random: np.random.Generator) -> list[Any]:
    d, k, n = 3, 4, 5
    factors = random.normal(0, 0.4, (k, d * (d + 1) // 2))
    return [d, k, n, random.normal(size=k), random.normal(size=(k, d)), factors, random.normal(size=(n, d)), 1.3, 1]


def mixture(d: int, k: int, n: int, alphas: Any, means: Any, factors: Any, x: Any, gamma: float, m: int) -> float:
    inverse, prior = [], 0.0
    for c in range(k):
        lower = np.diag(np.exp(factors[c, :d]))
        lower.T[np.triu_indices(d, 1)] = factors[c, d:]
        inverse.append(lower)
        prior += 0.5 * gamma**2 * (lower**2).sum() - m * factors[c, :d].sum()
    terms = [
        [alphas[c] + factors[c, :d].sum() - 0.5 * ((inverse[c] @ (p - means[c])) ** 2).sum() for c in range(k)]
        for p in x
    ]
    freedom = d + m + 1
    multigamma = 0.25 * d * (d - 1) * math.log(math.pi) + sum(
        math.lgamma(0.5 * freedom + 0.5 * (1 - j)) for j in range(1, d + 1)
    )
    constant = freedom * d * (math.log(gamma) - 0.5 * math.log(2)) - multigamma
    likelihood = np.logaddexp.reduce(terms, axis=1).sum() - n * np.logaddexp.reduce(alphas)
    return float(-n * d * 0.5 * math.log(2 * math.pi) + likelihood + prior - k * constant)


OBSERVATIONS = np.array([[0, 0], [1, 2], [0, 1], [1, 0]], np.int32)


def bundle_arguments(random: np.random.Generator) -> list[Any]:
    n = len(OBSERVATIONS)
    cameras = random.normal((0, 0, 0, 0, 0, -3, 1, 0, 0, 0, 0), 0.3, (2, 11))
    points, weights = random.normal(0, 0.5, (3, 3)), random.uniform(0.5, 1.5, n)
    return [n, cameras, points, weights, OBSERVATIONS, random.normal(size=(n, 2)), random.normal(size=3 * n)]


def residuals(n: int, cameras: Any, points: Any, weights: Any, seen: Any, features: Any) -> Any:
    errors = []
    for (c, p), w, feature in zip(seen, weights, features, strict=True):
        rotation, center, focal, principal, radial = np.split(cameras[c], [3, 6, 7, 9])
        angle = np.linalg.norm(rotation)
        axis, point = rotation / angle, points[p] - center
        turned = point * np.cos(angle) + np.cross(axis, point) * np.sin(angle)
        turned = turned + axis * (axis @ point) * (1 - np.cos(angle))
        flat = turned[:2] / turned[2]
        square = flat @ flat
        flat = flat * (1 + radial[0] * square + radial[1] * square**2)
        errors.append(w * (flat * focal + principal - feature))
    return np.concatenate([np.ravel(errors), 1 - weights**2])


def lstm_arguments(random: np.random.Generator) -> list[Any]:
    layers, length, h = 2, 4, 3
    sequence = np.array([random.permutation([1.0, 0.0, 0.0]) for _ in range(length)])
    main, extra = random.normal(0, 0.5, 8 * layers * h), random.normal(0, 0.7, 3 * h)
    return [layers, length, h, main, extra, random.normal(0, 0.5, 2 * layers * h), sequence]


def lstm(layers: int, length: int, h: int, main: Any, extra: Any, state: Any, sequence: Any) -> float:
    def sigmoid(x: Any) -> Any:
        return 1 / (1 + np.exp(-x))

    w, (w_in, w_out, bias) = main.reshape(layers, 2, 4, h), extra.reshape(3, h)
    state, total = state.reshape(layers, 2, h).copy(), 0.0
    for x, gold in itertools.pairwise(sequence):
        x = x * w_in
        for layer in range(layers):
            (wf, wi, wo, wc), (bf, bi, bo, bc) = w[layer]
            hidden, cell = state[layer]
            cell = cell * sigmoid(x * wf + bf) + sigmoid(hidden * wi + bi) * np.tanh(hidden * wc + bc)
            hidden = sigmoid(x * wo + bo) * np.tanh(cell)
            state[layer] = hidden, cell
            x = hidden
        y = x * w_out + bias
        total += (gold * (y - np.log(np.exp(y).sum() + 2))).sum()
    return float(-total / ((length - 1) * h))


CASES = [
    Case("mixture", "gmm", mixture_arguments, mixture),
    Case("bundle", "weighted_residuals", bundle_arguments, lambda *a: float(residuals(*a[:-1]) @ a[-1])),
    Case("lstm", "lstm", lstm_arguments, lstm),
]


@pytest.mark.parametrize("opt", LEVELS)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_gradient(case: Case, opt: int) -> None:
    check(case, opt)


@pytest.mark.parametrize("opt", LEVELS)
def test_rows_of_the_bundle_jacobian(opt: int) -> None:
    """Row i is the gradient for u = e_i: it touches one camera, one point, one weight."""
    call = Call("bundle", "weighted_residuals", opt)
    arguments = bundle_arguments(np.random.default_rng(5))
    n = arguments[0]
    for i in range(3 * n):
        unit = np.zeros(3 * n)
        unit[i] = 1
        arguments[6] = unit
        parts = call.reverse(arguments).parts
        observation = i // 2 if i < 2 * n else i - 2 * n
        camera, point = OBSERVATIONS[observation]
        assert np.flatnonzero(parts[3]).tolist() == [observation]
        assert np.flatnonzero(parts[1].any(axis=1)).tolist() == ([camera] if i < 2 * n else [])
        assert np.flatnonzero(parts[2].any(axis=1)).tolist() == ([point] if i < 2 * n else [])
        assert np.allclose(parts[6], residuals(*arguments[:-1]), rtol=1e-13)
        if i >= 2 * n:
            assert parts[3][observation] == -2 * arguments[3][observation]


@pytest.mark.parametrize("opt", LEVELS)
def test_camera_without_rotation(opt: int) -> None:
    """At the zero vector the other arm is taken: a cross product, whose derivative differences of the whole cannot see."""
    call = Call("bundle", "weighted_residuals", opt)
    arguments = bundle_arguments(np.random.default_rng(6))
    arguments[1][:, :3] = 0
    parts = call.reverse(arguments).parts
    small = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
    small[1][:, :3] = 1e-9
    near = call.reverse(small).parts
    for k in parts:
        assert np.allclose(parts[k], near[k], rtol=1e-6, atol=1e-6), k

"""Time steppers: fixed and adaptive steps, systems behind function pointers, bodies as structs."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from .checks import LEVELS, Case, check


def euler(x: float, rate: float, dt: float, steps: int) -> float:
    for _ in range(steps):
        x += dt * (rate * x * (1 - x) + 0.1 * math.sin(x))
    return x


def rk4(f: Callable[[np.ndarray], np.ndarray], y: np.ndarray, h: float, steps: int) -> np.ndarray:
    for _ in range(steps):
        k1 = f(y)
        k2 = f(y + h / 2 * k1)
        k3 = f(y + h / 2 * k2)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + f(y + h * k3))
    return y


def brusselator(n: int, steps: int, dt: float, initial: Any, a: float, b: float, k: float) -> float:
    def slope(y: np.ndarray) -> np.ndarray:
        u, v = y
        spread = [sum(np.roll(w, s, axis) for s in (1, -1) for axis in (0, 1)) - 4 * w for w in (u, v)]
        return np.array([a + u * u * v - (b + 1) * u + k * spread[0], b * u - u * u * v + k * spread[1]])

    return float((rk4(slope, initial, dt, steps) ** 2).sum())


def predators(prey: float, predators: float, birth: float, eaten: float, growth: float, death: float) -> float:
    def slope(y: np.ndarray) -> np.ndarray:
        return np.array([birth * y[0] - eaten * y[0] * y[1], growth * y[0] * y[1] - death * y[1]])

    y = rk4(slope, np.array([prey, predators]), 0.1, 12)
    return float(y[0] * y[1] + y[1])


def nbody(n: int, mass: Any, position: Any, velocity: Any, dt: float, steps: int) -> float:
    def kick() -> None:
        for i in range(n):
            d = position - position[i]
            pull = (mass * ((d**2).sum(1) + 1e-3) ** -1.5) @ d
            velocity[i] += dt / 2 * pull * (i > 0)

    for _ in range(steps):
        kick()
        position += dt * velocity
        kick()
    energy = 0.5 * (mass * (velocity**2).sum(1)).sum()
    for i in range(n):
        for j in range(i):
            energy -= mass[i] * mass[j] / math.sqrt(((position[i] - position[j]) ** 2).sum() + 1e-3)
    return float(energy)


def bodies(random: np.random.Generator) -> list[Any]:
    places = 2 * np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]]) + 0.2 * random.normal(size=(3, 3))
    return [3, random.uniform(0.5, 1.5, 3), places, 0.3 * random.normal(size=(3, 3)), 0.05, 3]


CASES = [
    Case("dynamics", "euler", lambda r: [float(r.uniform(0.1, 0.4)), 2.0, 0.05, 20], euler),
    Case(
        "dynamics",
        "brusselator_rk4",
        lambda r: [3, 2, 0.05, r.uniform(0.5, 2, (2, 3, 3)), 1.0, 3.4, 0.3],
        brusselator,
    ),
    Case("dynamics", "lotka_volterra", lambda r: [2.0, 1.0, *map(float, r.uniform(0.5, 1.5, 4))], predators),
    Case("dynamics", "nbody", bodies, nbody),
    Case("dynamics", "adaptive", lambda r: [float(r.uniform(0.5, 1.2)), 0.3, 1.7, 1.0], tolerance=1e-6),
]


@pytest.mark.parametrize("opt", LEVELS)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_gradient(case: Case, opt: int) -> None:
    check(case, opt)

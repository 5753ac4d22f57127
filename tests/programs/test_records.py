"""Structs by value, nested, in arrays, with integers and pointers among the numbers."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

from .checks import LEVELS, Case, check


def trace(spheres: int, data: Any, dx: float, dy: float, bounces: int) -> float:
    origin, direction = np.array([0.0, 0, -5]), np.array([dx, dy, 1.0])
    direction /= np.linalg.norm(direction)
    path = 0.0
    for _ in range(bounces):
        hits = []
        for s in data:
            to = s[:3] - origin
            under = (to @ direction) ** 2 - to @ to + s[3] ** 2
            if under > 0 and to @ direction - math.sqrt(under) > 1e-6:
                hits.append((to @ direction - math.sqrt(under), s))
        if not hits:
            break
        nearest, sphere = min(hits, key=lambda hit: hit[0])
        path += nearest
        origin = origin + nearest * direction
        normal = (origin - sphere[:3]) / np.linalg.norm(origin - sphere[:3])
        direction = direction - 2 * (direction @ normal) * normal
    return float(path + direction[0] + 2 * direction[1] + origin[2])


def scene(random: np.random.Generator) -> list[Any]:
    spheres = np.array([[0, 0, 0, 1.5], [0, 4, -6, 2], [3, 3, -1, 1]]) + 0.05 * random.normal(size=(3, 4))
    return [3, spheres, 0.01, 0.12, 3]


def sensors(n: int, m: int, readings: Any, where: Any) -> float:
    where = where.copy()
    where[n - 1] = where[0] * [where[0, 1], 1, 1]
    total = 0.0
    for i in range(n):
        s = (readings[i] ** 2).sum() if i % 2 else readings[i].sum()
        total += (0.5 + i) * s * math.exp(-(where[i] ** 2).sum())
    return float(total)


def matrix_power(a: Any, power: int) -> float:
    result = np.linalg.matrix_power(a, power)
    return float(result[0, 0] + result[1, 2] * result[2, 1])


def pooled(n: int, x: Any) -> float:
    total = np.array([0.0, 0, 1])
    for a, b in itertools.pairwise(x):
        origin = np.array([a, b, a * b])
        total = total + (total @ origin) * origin
    return float(np.linalg.norm(total))


CASES = [
    Case("records", "trace", scene, trace),
    Case("records", "sensors", lambda r: [3, 4, r.normal(size=(3, 4)), 0.5 * r.normal(size=(3, 3))], sensors),
    Case("records", "matrix_power", lambda r: [0.6 * r.normal(size=(3, 3)), 6], matrix_power),
    Case(
        "records",
        "tagged_sum",
        lambda r: [6, r.normal(size=6), np.array([1, 0, 1, 1, 0, 1], np.int32)],
        lambda n, x, tags: np.where(tags, np.sin(x * x), np.arange(n)).sum(),
    ),
    Case("records", "pooled", lambda r: [5, r.uniform(0.2, 1, 5)], pooled),
]


@pytest.mark.parametrize("opt", LEVELS)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_gradient(case: Case, opt: int) -> None:
    check(case, opt)

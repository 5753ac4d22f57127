"""Derivatives from values alone: five-point central differences at several steps, the steadiest taken.

Invariant: every number comes with an estimate of its own error (what the step before gave, and the rounding of the values).
A program whose branches depend on the data has steps of its own size that must not be crossed: small steps are tried too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

STEPS = {8: (4e-3, 6e-4, 1e-4, 1e-5, 2e-6), 4: (0.1, 0.03)}
ENOUGH = 1e-9


@dataclass(frozen=True, slots=True)
class Estimate:
    value: float
    error: float


def _five_points(f: Callable[[float], float], h: float, unit: float) -> Estimate:
    """The value, and what rounding may have done to it."""
    far_up, up, down, far_down = f(2 * h), f(h), f(-h), f(-2 * h)
    value = (8 * (up - down) - (far_up - far_down)) / (12 * h)
    return Estimate(value, 2 * unit * max(abs(up), abs(down)) / h)


def slope(f: Callable[[float], float], scale: float, size: int = 8) -> Estimate:
    """f'(0) of a function of the displacement; `size`: bytes of the numbers it computes with."""
    unit = 2.0**-52 if size == 8 else 2.0**-23
    best = Estimate(np.nan, np.inf)
    before = _five_points(f, STEPS[size][0] * scale, unit)
    for relative in STEPS[size][1:]:
        found = _five_points(f, relative * scale, unit)
        error = found.error + abs(found.value - before.value)
        best = min(best, Estimate(found.value, error), key=lambda e: e.error)
        if best.error <= ENOUGH * abs(best.value):
            break
        before = found
    return best


def gradient(
    f: Callable[[Sequence[Any]], float], arguments: Sequence[Any], active: Sequence[int], size: int = 8
) -> dict[int, tuple[np.ndarray, np.ndarray]]:
    """For each active argument its flat slopes and their errors."""
    found = {}
    for k in active:
        flat = np.atleast_1d(np.asarray(arguments[k])).astype(float).reshape(-1)
        estimates = [slope(_along(f, arguments, k, j), max(abs(flat[j]), 0.25), size) for j in range(flat.size)]
        found[k] = np.array([e.value for e in estimates]), np.array([e.error for e in estimates])
    return found


def _along(f: Callable[[Sequence[Any]], float], arguments: Sequence[Any], k: int, j: int) -> Callable[[float], float]:
    def moved(by: float) -> float:
        changed = list(arguments)
        if isinstance(arguments[k], np.ndarray):
            changed[k] = arguments[k].copy()
            changed[k].reshape(-1)[j] += by
        else:
            changed[k] = arguments[k] + by
        return f(changed)

    return moved

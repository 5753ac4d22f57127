"""Derivatives by differences of the function itself (Ridders' method: central differences extrapolated to step zero).

Invariant: a number comes with an estimate of its own error, taken from the table it was extrapolated in and from the rounding of
the values; a caller must look at it. Not for points where the function has a kink.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

STEPS = 10
WINDOWS = 3  # of STEPS halvings each: the next one is tried when the last was too coarse
ENOUGH = 1e-9
SHRINK = 2.0


@dataclass(frozen=True, slots=True)
class Estimate:
    """A derivative and the error it may have."""

    value: float
    error: float


def derivative(function: Callable[[float], float], start: float, unit: float = 2.0**-52) -> Estimate:
    """f'(0) of a function of the displacement; `start` is the first step, `unit` the rounding unit of f's values.

    Steps are powers of two, so that a displacement of a number of few digits is exact.
    """
    best = Estimate(math.nan, math.inf)
    step = 2.0 ** round(math.log2(start))
    for _ in range(WINDOWS if unit < ENOUGH else 1):
        found = _extrapolated(function, step, unit)
        best = found if found.error < best.error else best
        if best.error <= ENOUGH * abs(best.value):
            break
        step /= SHRINK**STEPS
    return best


def _extrapolated(function: Callable[[float], float], step: float, unit: float) -> Estimate:
    best = Estimate(math.nan, math.inf)
    previous: list[float] = []
    for _ in range(STEPS):
        up, down = function(step), function(-step)
        noise = 2 * unit * (abs(up) + abs(down)) / (2 * step)
        row = [(up - down) / (2 * step)]
        factor = SHRINK * SHRINK
        for before in previous:
            row.append((factor * row[-1] - before) / (factor - 1))
            factor *= SHRINK * SHRINK
        for k in range(1, len(row)):
            error = max(abs(row[k] - row[k - 1]), abs(row[k] - previous[k - 1])) + noise
            if error < best.error and math.isfinite(row[k]):
                best = Estimate(row[k], error)
        previous = row
        step /= SHRINK
    return best

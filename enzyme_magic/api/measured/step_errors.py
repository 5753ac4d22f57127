"""How far differences of a function are from its gradient, by their step: large steps cut off, small ones round.

Invariant: measured at copies of the arguments, when asked for; the gradient is the one that was checked.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from enzyme_magic.api.checks.probes import Parts, Point, Probe
from enzyme_magic.points import StepErrors

LARGEST = 2.0  # of the size of the argument
SMALLEST = 0.5  # of the distance to the next number


@dataclass(frozen=True, slots=True)
class Slope:
    """One slope that was compared. ours: the gradient along the probe; precision: distance from 1 to the next number."""

    point: Point
    probe: Probe
    weights: Mapping[int, Parts]
    ours: float
    precision: float

    @property
    def where(self) -> str:
        return self.point.setting.names[self.probe.index] + self.probe.where

    def errors(self) -> StepErrors:
        """Measured now; one number for each power of two."""
        size = self.point.size(self.probe)
        first, last = round(math.log2(LARGEST * size)), round(math.log2(SMALLEST * self.precision * size))
        middle = self._at(0.0)
        scale = abs(self.ours) if self.ours and math.isfinite(self.ours) else 1.0
        rows = tuple(self._row(2.0**k, middle, scale) for k in range(first, last - 1, -1))
        used = self.point.step(self.probe, self.precision)
        return StepErrors(self.point.setting.function.name, self.where, self.ours, scale == abs(self.ours), rows, used)

    def _row(self, step: float, middle: Any, scale: float) -> tuple[float, float, float]:
        import numpy as np

        with np.errstate(all="ignore"):
            right, left = self._at(step), self._at(-step)
            central, sided = (right - left) / (2 * step), (right - middle) / step
            return step, float(abs(central - self.ours) / scale), float(abs(sided - self.ours) / scale)

    def _at(self, distance: float) -> Any:
        return self.point.weighted(self.weights, self.point.moved(self.probe, distance))

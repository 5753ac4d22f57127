"""Axes: where numbers lie between two ends, and which of them are written.

Invariant: ticks are round numbers inside the ends; numbers that are not finite have no place.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

_ROUND = (1.0, 2.0, 2.5, 5.0, 10.0)


@dataclass(frozen=True, slots=True)
class Scale:
    """Numbers from `low` to `high`, evenly or by their logarithms."""

    low: float
    high: float
    log: bool = False

    def share(self, number: float) -> float | None:
        """0 at the low end, 1 at the high one; None outside, and where there is no such place."""
        if not math.isfinite(number) or (self.log and number <= 0):
            return None
        low, high, x = (math.log10(v) if self.log else v for v in (self.low, self.high, number))
        found = (x - low) / (high - low)
        return found if -1e-9 <= found <= 1 + 1e-9 else None

    def ticks(self, most: int = 5) -> tuple[float, ...]:
        if self.log:
            first, last = math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9)
            step = max(1, -(-(last - first + 1) // most))
            return tuple(10.0**k for k in range(first, last + 1, step))
        width = (self.high - self.low) / most
        power = 10.0 ** math.floor(math.log10(width))
        step_ = next(power * factor for factor in _ROUND if power * factor >= width * (1 - 1e-9))
        first = math.ceil(self.low / step_ - 1e-9)
        return tuple(k * step_ for k in range(first, math.floor(self.high / step_ + 1e-9) + 1))


def around(numbers: Iterable[float], log: bool = False) -> Scale:
    """A scale that holds all finite numbers (all above 0, for logarithms), with some room at both ends."""
    found = [number for number in numbers if math.isfinite(number) and (number > 0 or not log)]
    low, high = (min(found), max(found)) if found else (1.0, 1.0)
    if log:
        low, high = 10.0 ** math.floor(math.log10(low)), 10.0 ** math.ceil(math.log10(high))
        return Scale(low, high if high > low else low * 10, True)
    room = (high - low) * 0.05 or max(abs(high), 1.0) * 0.5
    return Scale(low - room, high + room)


def number(x: float) -> str:
    """A tick as people write it: "0.25", "1e-12"."""
    text = f"{0.0 if abs(x) < 1e-300 else x:.6g}"
    return text.replace("e-0", "e-").replace("e+0", "e").replace("e+", "e")

"""Ratios of pairs of measurements, their medians and what is known of these.

A pair is two measurements of one round. The interval of a median comes from the order of the ratios alone (Conover, Practical
Nonparametric Statistics, section 3.2): it holds with 95 % or more for any distribution, and is infinite for fewer than six pairs.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Rounds = Sequence[dict[str, dict[str, Any] | None]]  # for each round: variant -> measurement


@dataclass(frozen=True, slots=True)
class Ratio:
    median: float
    low: float
    high: float

    def __str__(self) -> str:
        if math.isinf(self.high):
            return f"{self.median:.2f}"
        return f"{self.median:.2f} [{self.low:.2f}, {self.high:.2f}]"


def ratio_of(values: Sequence[float]) -> Ratio:
    """The median of the values with its interval."""
    ordered = sorted(values)
    rank = _rank(len(ordered))
    if rank is None:
        return Ratio(statistics.median(ordered), 0.0, math.inf)
    return Ratio(statistics.median(ordered), ordered[rank], ordered[-1 - rank])


def _rank(count: int) -> int | None:
    """The largest k for which the k-th smallest and the k-th largest value (from 0) enclose the median in 95 % of samples."""
    best, tail = None, 0.0
    for k in range(count // 2):
        tail += math.comb(count, k) / 2**count
        if 2 * tail > 0.05:
            break
        best = k
    return best


def to_primal(rounds: Rounds, variant: str) -> Ratio | None:
    """Time of the gradient in times of the function."""
    found = [done["gradient"] / done["primal"] for turn in rounds if (done := turn.get(variant)) is not None]
    return ratio_of(found) if found else None


def between(rounds: Rounds, variant: str, other: str) -> Ratio | None:
    """Time of one variant in times of another, round by round."""
    found = []
    for turn in rounds:
        this, that = turn.get(variant), turn.get(other)
        if this is not None and that is not None:
            found.append(this["gradient"] / that["gradient"])
    return ratio_of(found) if found else None


def geometric_mean(values: Sequence[float]) -> float:
    return math.exp(statistics.fmean(math.log(value) for value in values))

"""Measured points that are drawn: a function along one argument, errors of differences by step, times.

Invariant: frozen and plain, nothing here computes or draws. What could not be measured is None or NaN, never a guess.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """One argument, the function's value, the gradient, and the slope by central differences."""

    x: float
    value: float
    gradient: float
    difference: float


BreakKind = Literal["jump", "kink", "steep"]


@dataclass(frozen=True, slots=True)
class CurveBreak:
    """Two numbers, as close as rounding allows, between which the value or the gradient jumps.

    kind: "jump" (the value does), "kink" (only the gradient does), "steep" (the gradient is far larger there than elsewhere). line:
    of the comparison that changes there; 0 where none was seen."""

    kind: BreakKind
    left: float
    right: float
    values: tuple[float, float]
    gradients: tuple[float, float]
    line: int = 0


@dataclass(frozen=True, slots=True)
class Curve:
    """A function of numbers along one of them. over: "x" or "x[3]". held: the other arguments, as text. reach: how far differences
    look to each side. breaks: the first of those that were found, found: how many there are. least: jumps smaller than this share
    of the largest value, or gradient, are not looked for."""

    function: str
    over: str
    held: tuple[tuple[str, str], ...]
    points: tuple[CurvePoint, ...]
    reach: float
    breaks: tuple[CurveBreak, ...]
    found: int
    least: float


@dataclass(frozen=True, slots=True)
class StepErrors:
    """How far central and one-sided differences are from the gradient, by their step. where: the slope, "x[3]". relative: errors
    are divided by the size of the gradient. rows: (step, error of central, error of one-sided differences), the largest step first.
    used: the step that the check took (it extrapolates from that and the half of it)."""

    function: str
    where: str
    gradient: float
    relative: bool
    rows: tuple[tuple[float, float, float], ...]
    used: float


@dataclass(frozen=True, slots=True)
class CostRow:
    """What was called, "function" or "gradient", whether it was optimized, and the seconds of its fastest call."""

    what: str
    optimized: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class Costs:
    """Times of a function and its gradient.

    call: the arguments, as text. optimization: its levels, as text; "" where there is none. native: calls ran in one native loop;
    else each is a call from Python, with what that takes."""

    function: str
    call: str
    optimization: str
    rows: tuple[CostRow, ...]
    native: bool

    def seconds(self, what: str, optimized: bool) -> float:
        return next(row.seconds for row in self.rows if (row.what, row.optimized) == (what, optimized))

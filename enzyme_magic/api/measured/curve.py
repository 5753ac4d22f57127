"""A function along one of its numbers: value, gradient, differences, and where it breaks.

    f.show("curve", over="x", at=(2.0, 3), between=(-1, 1))

Invariant: every number is measured. A break is a jump between two numbers that are as close as rounding allows: it is found by
halving the distance between two points of the curve for as long as the jump stays. Two breaks between the same two points may be
taken for one; the text says how many points there are.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from enzyme_magic.api.measured.along import Arguments, Section
from enzyme_magic.points import BreakKind, Curve, CurveBreak, CurvePoint
from enzyme_magic.progress import shown

if TYPE_CHECKING:
    from enzyme_magic.api.function import CFunction

POINTS = 201
TOLD = 12  # breaks that are written down
ROUNDING = 4  # distances between neighbouring numbers


@shown("the curve of {}")
def curve(function: CFunction, over: str, given: Arguments | None, between: tuple[float, float] | None) -> Curve:
    """The curve over a parameter or an element of an array, the other arguments as given. Raises what `Section` raises."""
    line = Section(function, over, given)
    low, high = line.ends(between)
    xs = dict.fromkeys(line.rounded(low + (high - low) * k / (POINTS - 1)) for k in range(POINTS))
    points = tuple(CurvePoint(x, line.value(x), line.gradient(x), line.difference(x)) for x in xs)
    least = line.precision**0.25
    breaks = list(_Search(line, points, least).breaks())
    told = tuple(dataclasses.replace(one, line=line.comparison(one.left, one.right)) for one in breaks[:TOLD])
    return Curve(function.name, over, line.held(), points, max(map(line.step, xs)), told, len(breaks), least)


@dataclass(frozen=True, slots=True)
class _Kind:
    """What jumps: how it is read at a number, and what is small for it."""

    name: BreakKind
    read: Callable[[float], float]
    least: float


class _Search:
    """Looks for breaks between the points of a line. least: the smallest jump, as a share of the largest number."""

    def __init__(self, line: Section, points: tuple[CurvePoint, ...], least: float) -> None:
        self.line, self.points = line, points
        self.tiny = line.precision**2 * (points[-1].x - points[0].x)
        value = max((abs(p.value) for p in points if math.isfinite(p.value)), default=0.0)
        gradient = max((abs(p.gradient) for p in points if math.isfinite(p.gradient)), default=0.0)
        self.least, self.steepest = least, gradient
        self.kinds = (_Kind("jump", line.value, least * value), _Kind("kink", line.gradient, least * gradient))

    def breaks(self) -> Iterator[CurveBreak]:
        last = -math.inf  # a break at a point of the curve lies on both of its sides
        for before, after in zip(self.points, self.points[1:], strict=False):
            found = self._between(before.x, after.x)
            if found is not None and found.left > last:
                yield found
                last = found.right

    def _between(self, before: float, after: float) -> CurveBreak | None:
        for kind in self.kinds:
            place = self._narrowed(kind, before, after)
            if place is not None:
                slopes = self._read(self.line.gradient, place)
                steep = kind.name == "kink" and max(map(abs, slopes)) * self.least > self.steepest
                sides = place if steep else self._sides(kind, *place)
                told = (self._read(self.line.value, sides), self._read(self.line.gradient, sides))
                return CurveBreak("steep" if steep else kind.name, *sides, *told)
        return None

    def _read(self, read: Callable[[float], float], place: tuple[float, float]) -> tuple[float, float]:
        return read(place[0]), read(place[1])

    def _close(self, left: float, right: float) -> float:
        return max(ROUNDING * self.line.precision * max(abs(left), abs(right)), self.tiny)

    def _narrowed(self, kind: _Kind, left: float, right: float) -> tuple[float, float] | None:
        """The closest two numbers between which it still jumps; None where halving makes the jump vanish."""
        a, b = kind.read(left), kind.read(right)
        while abs(b - a) > kind.least:  # not where one of them is no number
            x = self.line.rounded(left + (right - left) / 2)
            if right - left <= self._close(left, right) or not left < x < right:
                return left, right
            middle = kind.read(x)
            if math.isnan(middle):
                return None
            if abs(middle - a) >= abs(b - middle):
                right, b = x, middle
            else:
                left, a = x, middle
        return None

    def _sides(self, kind: _Kind, left: float, right: float) -> tuple[float, float]:
        """The same a little farther apart where the jump is there, too: at the number itself a function may be something else."""
        room = 2 * self._close(left, right)
        a, b = self.line.rounded(left - room), self.line.rounded(right + room)
        return (a, b) if abs(kind.read(b) - kind.read(a)) > kind.least else (left, right)

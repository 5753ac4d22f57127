"""Memory over time: the bytes that a gradient keeps during one call, as a picture and as text.

Invariant: the picture and its text twin are made of the same recorded curve; the most of it and its end are said in numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from enzyme_magic.report import Measured, MemoryCurve, Report
from enzyme_magic.viz.drawing.plot import Line, Stack, svg
from enzyme_magic.viz.formula import human
from enzyme_magic.viz.theme import Theme
from enzyme_magic.viz.wording import clean, plural

COLUMNS, ROWS = 64, 8
NONE = "Nothing was measured: f.memory(at=…) follows the memory of one call."


def sentences(found: Measured) -> tuple[str, ...]:
    """What the curve says: the most, what was predicted, the end, the other plans."""
    curve = found.curve
    if curve is None or curve.reason:
        return (f"no curve: {curve.reason}" if curve is not None else NONE,)
    totals = curve.totals()
    predicted = "the prediction is not a number before the call"
    if found.predicted is not None:
        predicted = f"predicted: {f'{found.bound} {human(found.predicted)}'.strip()}"
    shares = [f"{name} {human(_at_peak(curve, k))}" for k, name in enumerate(curve.functions)]
    parts = [f"{human(max(totals))} kept at once at most, {human(totals[-1])} at the end; {predicted}"]
    if len(shares) > 1:
        parts.append(f"at the peak: {', '.join(shares)}")
    parts += [f"with {name}: {human(max(other.totals()))} at most" for name, other in found.others if other.moments]
    return tuple(parts)


def _at_peak(curve: MemoryCurve, index: int) -> int:
    return max(curve.kept, key=sum)[index]


def stack(found: Measured, curve: MemoryCurve) -> Stack:
    """The curve as areas: one for each function, the one that was called at the bottom."""
    last = curve.moments[-1]
    peak = max(curve.totals())
    lines = []
    if found.predicted is not None:
        name = f"predicted: {f'{found.bound} {human(found.predicted)}'.strip()}"
        lines.append(Line(name, ((0, found.predicted), (last, found.predicted)), level=True))
    for name, other in found.others:
        if other.moments:
            scale = last / max(other.moments[-1], 1)
            points = tuple((m * scale, float(t)) for m, t in zip(other.moments, other.totals(), strict=True))
            lines.append(Line(f"{name}: {human(max(other.totals()))}", points))
    top = float(max([peak, *(int(y) for line in lines for _, y in line.points)]))
    layers = tuple(
        (f"{name}: {human(_at_peak(curve, k))}", tuple(float(kept[k]) for kept in curve.kept))
        for k, name in enumerate(curve.functions)
    )
    mark = (float(curve.turn), "reverse sweep begins") if curve.turn is not None else None
    return Stack(
        f"{clean(found.call)}: bytes kept over time",
        ". ".join(sentences(found)),
        tuple(map(float, curve.moments)),
        layers,
        tuple(lines),
        mark,
        f"time: {plural(curve.events, 'event')} of the call",
        human(top),
        top,
    )


@dataclass(frozen=True, slots=True, repr=False)
class MemoryPicture:
    """The picture of one call's memory; text where nothing was measured."""

    report: Report
    theme: Theme

    @property
    def _found(self) -> Measured | None:
        return self.report.cache.measured

    @property
    def available(self) -> bool:
        found = self._found
        return found is not None and found.curve is not None and bool(found.curve.functions)

    @property
    def svg(self) -> str:
        """Plain SVG; "" where nothing was kept or measured."""
        found = self._found
        return svg(stack(found, found.curve), self.theme) if self.available and found and found.curve else ""

    @property
    def text(self) -> str:
        """The same in letters: a column is as high as the bytes that were kept then."""
        found = self._found
        if found is None or found.curve is None:
            return NONE
        head = [f"{clean(found.call)}: bytes kept over time", *sentences(found)]
        return "\n".join([*head, *(_columns(found.curve) if self.available else [])])

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        drawn = self.svg
        return {"text/plain": self.text, **({"image/svg+xml": drawn} if drawn else {})}

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text


def _columns(curve: MemoryCurve) -> list[str]:
    totals, last = curve.totals(), max(curve.moments[-1], 1)
    width = min(COLUMNS, last + 1)
    heights = [0] * width
    place = 0
    for column in range(width):  # the most that was kept in this stretch of time, or what was kept before it
        until = last * (column + 1) // width
        most = totals[place]
        while place + 1 < len(totals) and curve.moments[place + 1] <= until:
            place += 1
            most = max(most, totals[place])
        heights[column] = most
    heights[-1] = totals[-1]
    peak = max(max(totals), 1)
    rows = [
        "".join("█" if height * ROWS > peak * (ROWS - 1 - row) and height else " " for height in heights)
        for row in range(ROWS)
    ]
    label = human(peak)
    lines = [f"{label if row == 0 else '':>9} |{text.rstrip()}" for row, text in enumerate(rows)]
    turn = curve.turn * width // (last + 1) if curve.turn is not None else None
    below = f"{'0 B':>9} +{'-' * width}"
    return [*lines, below, *([f"{'':>11}{' ' * turn}^ reverse sweep begins"] if turn is not None else [])]

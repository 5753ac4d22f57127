"""A function along one number: value above, gradient and differences below, breaks as lines through both.

Invariant: every sentence is computed from the points of the record.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from enzyme_magic.points import Curve, CurveBreak, CurvePoint
from enzyme_magic.viz.drawing.chart import Chart, Marker, Panel, Series
from enzyme_magic.viz.drawing.chart import svg as chart_svg
from enzyme_magic.viz.drawing.scale import Scale, around, number
from enzyme_magic.viz.theme import Theme
from enzyme_magic.viz.wording import clean, pad, plural

EVERY = 5  # a sign for each so many differences
ROWS = 11  # of the text twin
AGREE = 1e-4  # relative, to the largest gradient
WIDEST = 0.98  # of the numbers decide the scale; poles are cut off


def draw(curve: Curve, theme: Theme) -> str:
    return chart_svg(chart(curve), theme)


def title(curve: Curve) -> str:
    held = ", ".join(f"{name} = {value}" for name, value in curve.held)
    return clean(f"{curve.function} over {curve.over}{f' ({held})' if held else ''}")


def chart(curve: Curve) -> Chart:
    points = curve.points
    value = tuple((p.x, p.value) for p in points)
    gradient = tuple((p.x, p.gradient) for p in points)
    difference = tuple((p.x, p.difference) for p in points[::EVERY])
    jumps = [b for b in curve.breaks if b.kind == "jump"]
    panels = (
        Panel("value", _scale([p.value for p in points]), (Series(curve.function, _broken(value, jumps)),)),
        Panel(
            "slope",
            _scale([p.gradient for p in points]),
            (
                Series("gradient", _broken(gradient, curve.breaks), tone="active"),
                Series("differences", difference, "dots", "cached"),
            ),
        ),
    )
    marks = tuple(Marker(b.left, str(k + 1), f"{b.kind} at {number(place(b))}") for k, b in enumerate(curve.breaks))
    ends = Scale(points[0].x, points[-1].x)
    return Chart(title(curve), ". ".join(sentences(curve)), curve.over, ends, panels, marks)


def _broken(points: tuple[tuple[float, float], ...], breaks: Sequence[CurveBreak]) -> tuple[tuple[float, float], ...]:
    """A gap on both sides of each break, where a line would claim what lies between."""
    gaps = [(x, math.nan) for b in breaks for x in (b.left, b.right)]
    return tuple(sorted([*points, *gaps], key=lambda p: (p[0], not math.isnan(p[1]))))


def _scale(numbers: list[float]) -> Scale:
    """Of all numbers, or where few of them are far away from the others (a pole), of those others."""
    found = sorted(x for x in numbers if math.isfinite(x))
    cut = int(len(found) * (1 - WIDEST) / 2)
    inner = found[cut : len(found) - cut]
    far = inner and found[-1] - found[0] > 20 * (inner[-1] - inner[0]) > 0
    return around(inner if far else found)


def sentences(curve: Curve) -> tuple[str, ...]:
    """What the curve says: its breaks, whether the differences agree, what is no number."""
    points = curve.points
    told = [f"{plural(len(points), 'point')} from {number(points[0].x)} to {number(points[-1].x)}"]
    told += [break_sentence(b) for b in curve.breaks]
    if curve.found > len(curve.breaks):
        told.append(f"and {curve.found - len(curve.breaks)} more places where it jumps or has a kink")
    if not curve.found:
        told.append("no jump and no kink found between the points")
    lost = sum(not (math.isfinite(p.value) and math.isfinite(p.gradient)) for p in points)
    if lost:
        told.append(f"at {plural(lost, 'point')} the value or the gradient is not a finite number")
    told.append(_agreement(curve))
    return tuple(told)


def place(found: CurveBreak) -> float:
    """Where a break is: between its two numbers, which are too close to be told apart; 0 where they lie on both sides of it."""
    return 0.0 if found.left <= 0.0 <= found.right else (found.left + found.right) / 2


def break_sentence(found: CurveBreak) -> str:
    line = f" (line {found.line})" if found.line else ""
    if found.kind == "steep":
        largest = max(map(abs, found.gradients))
        how = f"reaches {number(largest)}" if math.isfinite(largest) else "is infinite"
        return f"steep at {number(place(found))}{line}: the slope {how}"
    what, pair = ("value jumps", found.values) if found.kind == "jump" else ("slope goes", found.gradients)
    return f"{found.kind} at {number(place(found))}{line}: the {what} from {number(pair[0])} to {number(pair[1])}"


def judged(curve: Curve) -> tuple[CurvePoint, ...]:
    """The points where differences mean something: finite, and no break that is told within their reach."""
    return tuple(
        p
        for p in curve.points
        if math.isfinite(p.gradient)
        and math.isfinite(p.difference)
        and not any(b.left - curve.reach <= p.x <= b.right + curve.reach for b in curve.breaks)
    )


def _agreement(curve: Curve) -> str:
    points = judged(curve)
    if not points:
        return "no point where differences could be compared"
    scale = max(abs(p.gradient) for p in points) or 1.0
    errors = [abs(p.gradient - p.difference) / scale for p in points]
    wrong = [p for p, error in zip(points, errors, strict=True) if error > AGREE]
    where = " away from them" if curve.breaks else ""
    if wrong:
        share = f"{len(wrong)} of {plural(len(points), 'point')}{where}"
        return f"differences and gradient disagree at {share}, first at {number(wrong[0].x)}"
    apart = f"to {max(errors):.1e} of the largest slope" if max(errors) else "exactly"
    return f"differences agree with the gradient at all {plural(len(points), 'point')}{where}, {apart}"


def text(curve: Curve) -> str:
    """The text twin: the sentences, and some of the points."""
    return "\n".join([title(curve), *sentences(curve), "", *_table(curve)])


def _table(curve: Curve) -> Iterator[str]:
    last = len(curve.points) - 1
    chosen = [curve.points[last * k // (ROWS - 1)] for k in range(ROWS)]
    head = (curve.over, "value", "gradient", "differences")
    rows = [head, *(tuple(number(v) for v in (p.x, p.value, p.gradient, p.difference)) for p in dict.fromkeys(chosen))]
    widths = [max(len(row[k]) for row in rows) for k in range(4)]
    for row in rows:
        yield "  ".join(pad(cell, width) for cell, width in zip(row, widths, strict=True)).rstrip()

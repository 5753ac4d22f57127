"""Errors of differences by their step, on logarithmic axes.

Invariant: every sentence is computed from the rows of the record. An error of exactly 0 has no place on such an axis; it is
counted.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from enzyme_magic.points import StepErrors
from enzyme_magic.viz.drawing.chart import Chart, Marker, Panel, Series
from enzyme_magic.viz.drawing.chart import svg as chart_svg
from enzyme_magic.viz.drawing.scale import Scale, around, number
from enzyme_magic.viz.theme import Theme
from enzyme_magic.viz.wording import clean, pad, plural

FAR = 1e-2  # no step comes nearer: differences say something else than the gradient


def draw(errors: StepErrors, theme: Theme) -> str:
    return chart_svg(chart(errors), theme)


def title(errors: StepErrors) -> str:
    return clean(f"{errors.function}: error of differences for {errors.where}, by their step")


def chart(errors: StepErrors) -> Chart:
    steps = [row[0] for row in errors.rows]
    series = tuple(
        Series(name, tuple((row[0], row[k]) for row in errors.rows), stroke, tone)
        for k, name, stroke, tone in ((1, "central", "line", "active"), (2, "one-sided", "dashed", "cached"))
    )
    numbers = [row[k] for row in errors.rows for k in (1, 2)]
    about = "relative error" if errors.relative else "error"
    marks = (Marker(errors.used, "1", f"step taken: {errors.used:.1e}"),)
    panel = Panel(about, around(numbers, log=True), series)
    return Chart(
        title(errors), ". ".join(sentences(errors)), "step", Scale(min(steps), max(steps), True), (panel,), marks
    )


def sentences(errors: StepErrors) -> tuple[str, ...]:
    finite = [(row[0], row[1]) for row in errors.rows if math.isfinite(row[1])]
    told = [f"gradient: {number(errors.gradient)}; errors are {'relative' if errors.relative else 'absolute'}"]
    if not finite:
        return (*told, "no step gives a finite difference")
    step, least = min(finite, key=lambda row: row[1])
    told.append(f"central differences come nearest with a step of {step:.1e}: error {least:.1e}")
    (widest, first), (narrowest, last) = finite[0], finite[-1]
    told.append(f"with the step {widest:.1e} it is {first:.1e}, with {narrowest:.1e} it is {last:.1e}")
    exact = sum(error == 0 for _, error in finite)
    if exact:
        told.append(f"exact, and not drawn: {plural(exact, 'step')}")
    if least > FAR:
        told.append("no step comes near the gradient: is there a kink, or is a derivative wrong?")
    return tuple(told)


def text(errors: StepErrors) -> str:
    """The text twin: the sentences, and every third row."""
    return "\n".join([title(errors), *sentences(errors), "", *_table(errors)])


def _table(errors: StepErrors) -> Iterator[str]:
    rows = [("step", "central", "one-sided"), *(tuple(f"{n:.1e}" for n in row) for row in errors.rows[::3])]
    widths = [max(len(row[k]) for row in rows) for k in range(3)]
    for row in rows:
        yield "  ".join(pad(cell, width) for cell, width in zip(row, widths, strict=True)).rstrip()

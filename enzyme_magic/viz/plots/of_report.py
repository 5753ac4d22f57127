"""The measured plots of a report, by name: "curve-0", "curve-1", …, "costs". Pages show them; a report without them has none.

Invariant: a plot of a page is the plot that `f.show("curve")` and `f.cost()` give, with the same sentences.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from enzyme_magic.points import Curve
from enzyme_magic.report import Report
from enzyme_magic.viz.drawing.chart import frame
from enzyme_magic.viz.plots import costs as of_costs
from enzyme_magic.viz.plots import curve as of_curve
from enzyme_magic.viz.plots.picture import Plot
from enzyme_magic.viz.theme import LIGHT, Theme

COSTS = "costs"
KINDS = {"curve": "curve-", "cost": COSTS}  # the views of `f.export` that ask for them, and how their plots are called


@dataclass(frozen=True, slots=True)
class PlotOfReport:
    """name: of its section in a page. label: its heading."""

    name: str
    label: str
    plot: Plot[Any]


def plots(report: Report, theme: Theme = LIGHT) -> tuple[PlotOfReport, ...]:
    """All of them, curves first."""
    return tuple(_plots(report, theme))


def _plots(report: Report, theme: Theme) -> Iterator[PlotOfReport]:
    for index, curve in enumerate(report.curves):
        yield PlotOfReport(curve_name(index), f"Along {curve.over}", Plot(curve, theme, of_curve.draw, of_curve.text))
    if report.costs is not None:
        yield PlotOfReport(COSTS, "Times", Plot(report.costs, theme, of_costs.draw, of_costs.text))


def plot_named(report: Report, name: str, theme: Theme) -> Plot[Any] | None:
    """The plot of that name; None where the report has none."""
    return next((found.plot for found in plots(report, theme) if found.name == name), None)


def curve_name(index: int) -> str:
    return f"curve-{index}"


def curves_told(report: Report) -> list[dict[str, Any]]:
    """What a front end needs beside the drawings: the sentences, the points, and where the drawing has its frame."""
    return [_curve_told(curve, curve_name(index)) for index, curve in enumerate(report.curves)]


def _curve_told(curve: Curve, name: str) -> dict[str, Any]:
    points = [[p.x, p.value, p.gradient, p.difference] for p in curve.points]
    about = {"picture": name, "over": curve.over, "title": of_curve.title(curve)}
    told = {"sentences": of_curve.sentences(curve), "points": points, "frame": frame(of_curve.chart(curve))}
    return _for_browsers(about | told)


def costs_told(report: Report) -> dict[str, Any]:
    """The title, the sentences and the times, as text; {} where none were measured."""
    if report.costs is None:
        return {}
    rows = [[row.what, row.optimized, of_costs.time_text(row.seconds)] for row in report.costs.rows]
    about = {"picture": COSTS, "title": of_costs.title(report.costs), "sentences": of_costs.sentences(report.costs)}
    return _for_browsers(about | {"rows": rows})


def _for_browsers(found: dict[str, Any]) -> dict[str, Any]:
    """Plain JSON; numbers that are not finite are null there."""
    plain: dict[str, Any] = json.loads(json.dumps(found, default=asdict), parse_constant=lambda name: None)
    return plain

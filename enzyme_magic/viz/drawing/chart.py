"""Lines and dots in panels above one another, as plain SVG.

Invariant: what is drawn is what was handed in, each point at its place; where a number is missing the line has a gap. Series differ
in their stroke or sign, never in hue alone, and have their names beside them. Knows no report.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from enzyme_magic.viz.drawing.scale import Scale, number
from enzyme_magic.viz.drawing.strokes import document, escape, rule, say
from enzyme_magic.viz.theme import LIGHT, Theme

WIDTH, PANEL, LEFT, RIGHT, TOP, BOTTOM, BETWEEN = 760, 200, 84, 196, 56, 46, 26
LETTERS = 27  # of a name beside the plot
LINE, SIGN = 20, 11  # the room of a name, and across of a sign
STROKES = {"line": "", "dashed": "6 4", "dotted": "2 3"}


@dataclass(frozen=True, slots=True)
class Series:
    """stroke: one of STROKES, or "dots" for signs without a line. tone: a mark of the theme, "" for plain text colour."""

    name: str
    points: tuple[tuple[float, float], ...]
    stroke: str = "line"
    tone: str = ""


@dataclass(frozen=True, slots=True)
class Panel:
    """Series over one scale. about: what the numbers are."""

    about: str
    scale: Scale
    series: tuple[Series, ...]


@dataclass(frozen=True, slots=True)
class Marker:
    """A place on the x axis that all panels show. name: beside the plot; sign: at the line."""

    x: float
    sign: str
    name: str


@dataclass(frozen=True, slots=True)
class Chart:
    """across: what x is."""

    title: str
    description: str
    across: str
    scale: Scale
    panels: tuple[Panel, ...]
    marks: tuple[Marker, ...] = ()


def svg(chart: Chart, theme: Theme) -> str:
    """The whole picture, with a final newline."""
    plot = _Plot(chart, theme)
    return document(WIDTH, plot.height, chart.title, chart.description, "\n".join(plot.parts()), theme)


@dataclass(frozen=True, slots=True)
class ChartFrame:
    """Where a chart has its axes, in the units of its SVG: `left` is at the number `low`, `right` at `high`."""

    left: float
    right: float
    top: float
    bottom: float
    low: float
    high: float


def frame(chart: Chart) -> ChartFrame:
    """Of a chart whose x axis is linear."""
    bottom = _Plot(chart, LIGHT).height - BOTTOM
    return ChartFrame(LEFT, WIDTH - RIGHT, TOP, bottom, chart.scale.low, chart.scale.high)


@dataclass(frozen=True, slots=True)
class _Plot:
    chart: Chart
    theme: Theme

    @property
    def height(self) -> float:
        panels = len(self.chart.panels)
        return TOP + panels * PANEL + (panels - 1) * BETWEEN + BOTTOM

    def parts(self) -> Iterator[str]:
        yield say(LEFT, 22, self.chart.title, self.theme.text, 13, bold=True)
        for k, panel in enumerate(self.chart.panels):
            top = TOP + k * (PANEL + BETWEEN)
            yield from self._axes(panel, top, last=k == len(self.chart.panels) - 1)
            for series in panel.series:
                yield from self._series(series, panel.scale, top)
            yield from self._names(panel, top)
        yield from self._marks()
        across = say(_middle(), self.height - 8, self.chart.across, self.theme.grey, anchor="middle")
        yield across

    def _axes(self, panel: Panel, top: float, last: bool) -> Iterator[str]:
        theme, floor, right = self.theme, top + PANEL, WIDTH - RIGHT
        for tick in panel.scale.ticks():
            y = _y(panel.scale, tick, top)
            if y is not None:
                yield rule(LEFT, y, right, y, theme.header)
                yield say(LEFT - 6, y + 4, number(tick), theme.text, anchor="end")
        for tick in self.chart.scale.ticks(6):
            x = self._x(tick)
            if x is not None:
                yield rule(x, floor, x, floor + 4, theme.border)
                if last:
                    yield say(x, floor + 18, number(tick), theme.text, anchor="middle")
        yield rule(LEFT, floor, right, floor, theme.border)
        yield rule(LEFT, top, LEFT, floor, theme.border)

    def _colour(self, series: Series) -> str:
        return self.theme.tones[series.tone].text

    def _series(self, series: Series, scale: Scale, top: float) -> Iterator[str]:
        colour, title = self._colour(series), f"<title>{escape(series.name)}</title>"
        for run in self._runs(series, scale, top):
            if series.stroke == "dots":
                ring = f'r="3" fill="none" stroke="{colour}" stroke-width="1.4"'
                yield from (f'<circle cx="{x:.1f}" cy="{y:.1f}" {ring}>{title}</circle>' for x, y in run)
                continue
            if len(run) == 1:
                yield f'<circle cx="{run[0][0]:.1f}" cy="{run[0][1]:.1f}" r="2.2" fill="{colour}">{title}</circle>'
                continue
            points = " ".join(f"{x:.1f},{y:.1f}" for x, y in run)
            dash = f' stroke-dasharray="{STROKES[series.stroke]}"' if STROKES[series.stroke] else ""
            yield f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.8"{dash}>{title}</polyline>'

    def _runs(self, series: Series, scale: Scale, top: float) -> Iterator[list[tuple[float, float]]]:
        run: list[tuple[float, float]] = []
        for px, py in series.points:
            x, y = self._x(px), _y(scale, py, top)
            if x is not None and y is not None:
                run.append((x, y))
            elif run:
                yield run
                run = []
        if run:
            yield run

    def _names(self, panel: Panel, top: float) -> Iterator[str]:
        x, y = WIDTH - RIGHT + 14, top + 34
        yield say(x, top + 12, panel.about, self.theme.grey)
        for series in panel.series:
            colour = self._colour(series)
            if series.stroke == "dots":
                yield f'<circle cx="{x + 12}" cy="{y - 4}" r="3" fill="none" stroke="{colour}" stroke-width="1.4"/>'
            else:
                yield rule(x, y - 4, x + 24, y - 4, colour, STROKES[series.stroke], 1.8)
            yield say(x + 30, y, _short(series.name), self.theme.text)
            y += LINE

    def _marks(self) -> Iterator[str]:
        """Dashed lines through all panels, their signs side by side; their names stand where those of the series leave room."""
        room, free = self._room(), float(LEFT - SIGN)
        for mark in sorted(self.chart.marks, key=lambda mark: mark.x):
            x = self._x(mark.x)
            if x is None:
                continue
            free = max(x, free + SIGN * len(mark.sign))
            yield rule(x, TOP, x, self.height - BOTTOM, self.theme.edge, "3 3")
            yield say(free, TOP - 5, mark.sign, self.theme.text, anchor="middle", bold=True)
            if (y := next(room, None)) is not None:
                yield say(WIDTH - RIGHT + 14, y, mark.sign, self.theme.text, bold=True)
                yield say(WIDTH - RIGHT + 30 + SIGN * (len(mark.sign) - 1), y, _short(mark.name), self.theme.text)

    def _room(self) -> Iterator[float]:
        """Where names of marks may stand, beside the panels and below the names of their series."""
        for k, panel in enumerate(self.chart.panels):
            top = TOP + k * (PANEL + BETWEEN)
            y = top + 34 + LINE * len(panel.series) + 8
            while y < top + PANEL + 8:
                yield y
                y += LINE

    def _x(self, x: float) -> float | None:
        share = self.chart.scale.share(x)
        return None if share is None else LEFT + (WIDTH - LEFT - RIGHT) * share


def _middle() -> float:
    return (LEFT + WIDTH - RIGHT) / 2


def _y(scale: Scale, y: float, top: float) -> float | None:
    share = scale.share(y)
    return None if share is None else top + PANEL * (1 - share)


def _short(name: str) -> str:
    return name if len(name) <= LETTERS else f"{name[: LETTERS - 1]}…"

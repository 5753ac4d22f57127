"""Stacked areas over time as plain SVG: presentation attributes only, an opaque card, a title and a description.

Invariant: what is drawn is what was handed in; areas have a number in them or beside them, lines their names, so that hue is never
alone. Knows no report.
"""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from enzyme_magic.viz.theme import SANS, Theme

WIDTH, HEIGHT = 800, 300
LEFT, RIGHT, TOP, BOTTOM = 78, 230, 44, 44
LETTERS = 30  # of a name beside the plot
DASHES = ("2 3", "10 3 2 3", "1 6")


@dataclass(frozen=True, slots=True)
class Line:
    """A line over the areas. points: (x, y); level: a horizontal one, dashed."""

    name: str
    points: tuple[tuple[float, float], ...]
    level: bool = False


@dataclass(frozen=True, slots=True)
class Stack:
    """Areas on top of one another. xs: where they change; layers: (name, a number for each x), the lowest first. A number holds
    until the next x. mark: (x, what happens there)."""

    title: str
    description: str
    xs: tuple[float, ...]
    layers: tuple[tuple[str, tuple[float, ...]], ...]
    lines: tuple[Line, ...]
    mark: tuple[float, str] | None
    across: str
    highest: str  # what the top of the scale is called
    top: float


def svg(stack: Stack, theme: Theme, size: int = 12) -> str:
    """The whole picture, with a final newline. size: of letters, in pixels."""
    plot = _Plot(stack, theme, size)
    body = "\n".join(plot.parts())
    about = f"<title>{_text(stack.title)}</title>\n<desc>{_text(stack.description)}</desc>"
    return (
        f'<svg role="img" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'xmlns="http://www.w3.org/2000/svg">\n{about}\n{body}\n</svg>\n'
    )


@dataclass(frozen=True, slots=True)
class _Plot:
    stack: Stack
    theme: Theme
    size: int

    def parts(self) -> Iterator[str]:
        theme, floor = self.theme, HEIGHT - BOTTOM
        yield f'<rect x="0" y="0" width="{WIDTH}" height="{HEIGHT}" fill="{theme.background}"/>'
        yield self._say(LEFT, 20, self.stack.title, weight="bold")
        yield from self._areas()
        yield self._rule(LEFT, floor, WIDTH - RIGHT, floor)
        yield self._rule(LEFT, TOP, LEFT, floor)
        yield self._say(LEFT - 6, TOP + 5, self.stack.highest, anchor="end")
        yield self._say(LEFT - 6, floor, "0 B", anchor="end")
        yield self._say((LEFT + WIDTH - RIGHT) / 2, floor + 34, self.stack.across, anchor="middle", colour=theme.grey)
        if self.stack.mark is not None:
            where, what = self.stack.mark
            x = self._x(where)
            yield self._rule(x, TOP, x, floor, dash="2 3")
            yield self._say(x, floor + 16, what, anchor="middle" if x < WIDTH - RIGHT - 60 else "end")
        yield from self._lines()

    def _colours(self) -> list[tuple[str, str]]:
        """(area, letters on it)."""
        tones = self.theme.tones
        order = [tones[mark] for mark in ("cached", "active", "added", "mixed")]
        return [(tone.gutter or self.theme.header, tone.sign) for tone in order]

    def _areas(self) -> Iterator[str]:
        below = [0.0] * len(self.stack.xs)
        colours = self._colours()
        for k, (name, values) in enumerate(self.stack.layers):
            above = [low + value for low, value in zip(below, values, strict=True)]
            fill, letters = colours[k % len(colours)]
            outline = [*self._steps(above), *reversed(self._steps(below))]
            points = " ".join(f"{x:.1f},{y:.1f}" for x, y in outline)
            paint = f'fill="{fill}" stroke="{self.theme.text}" stroke-width="0.6"'
            yield f'<polygon points="{points}" {paint}><title>{_text(name)}</title></polygon>'
            best = max(range(len(values)), key=lambda i: values[i])
            if (low := self._y(below[best])) - (high := self._y(above[best])) >= self.size + 4:
                x = min(max(self._x(self.stack.xs[best]), LEFT + 10), WIDTH - RIGHT - 10)
                yield self._say(x, (low + high) / 2 + self.size / 3, str(k + 1), anchor="middle", colour=letters)
            below = above

    def _steps(self, values: Sequence[float]) -> list[tuple[float, float]]:
        found: list[tuple[float, float]] = []
        for k, value in enumerate(values):
            if k:
                found.append((self._x(self.stack.xs[k]), self._y(values[k - 1])))
            found.append((self._x(self.stack.xs[k]), self._y(value)))
        return found

    def _lines(self) -> Iterator[str]:
        """Lines, and the names of everything in a column of their own, so that none covers another."""
        x, y = WIDTH - RIGHT + 10, TOP + 6.0
        colours = self._colours()
        for k, (name, _) in enumerate(self.stack.layers):
            fill, letters = colours[k % len(colours)]
            yield f'<rect x="{x}" y="{y - 11:.1f}" width="15" height="15" fill="{fill}"/>'
            yield self._say(x + 7.5, y + 1, str(k + 1), anchor="middle", colour=letters)
            yield self._say(x + 21, y + 1, _short(name))
            y += 20
        for k, line in enumerate(self.stack.lines):
            dash = "7 4" if line.level else DASHES[k % len(DASHES)]
            points = " ".join(f"{self._x(px):.1f},{self._y(py):.1f}" for px, py in line.points)
            halo = f'fill="none" stroke="{self.theme.background}" stroke-width="3.6"'
            paint = f'fill="none" stroke="{self.theme.text}" stroke-width="1.6" stroke-dasharray="{dash}"'
            yield f'<polyline points="{points}" {halo}/>'
            yield f'<polyline points="{points}" {paint}><title>{_text(line.name)}</title></polyline>'
            yield f'<line x1="{x - 2}" y1="{y - 3:.1f}" x2="{x + 17}" y2="{y - 3:.1f}" {paint}/>'
            yield self._say(x + 21, y + 1, _short(line.name))
            y += 20

    def _x(self, x: float) -> float:
        last = max(self.stack.xs[-1] if self.stack.xs else 1.0, 1.0)
        return LEFT + (WIDTH - LEFT - RIGHT) * min(x / last, 1.0)

    def _y(self, y: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * y / max(self.stack.top, 1.0)

    def _rule(self, x1: float, y1: float, x2: float, y2: float, dash: str = "") -> str:
        more = f' stroke-dasharray="{dash}"' if dash else ""
        place = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
        return f'<line {place} stroke="{self.theme.border}" stroke-width="1"{more}/>'

    def _say(self, x: float, y: float, text: str, anchor: str = "start", colour: str = "", weight: str = "") -> str:
        more = f' font-weight="{weight}"' if weight else ""
        return (
            f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-family="{SANS}" font-size="{self.size}"{more} '
            f'fill="{colour or self.theme.text}">{_text(text)}</text>'
        )


def _short(name: str) -> str:
    return name if len(name) <= LETTERS else f"{name[: LETTERS - 1]}…"


def _text(text: str) -> str:
    return html.escape(text, quote=False)

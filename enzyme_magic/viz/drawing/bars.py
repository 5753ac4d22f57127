"""Horizontal bars with their names before and their numbers behind them, as plain SVG.

Invariant: a bar's length is its share of the longest. Knows no report.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from enzyme_magic.viz.drawing.strokes import document, escape, say
from enzyme_magic.viz.theme import Theme

WIDTH, LEFT, RIGHT, TOP, ROW, BAR = 760, 200, 110, 40, 30, 18


@dataclass(frozen=True, slots=True)
class Bar:
    """tone: a mark of the theme."""

    name: str
    length: float
    number: str
    tone: str


def svg(title: str, sentences: tuple[str, ...], bars: tuple[Bar, ...], theme: Theme) -> str:
    """The whole picture, with a final newline; the sentences stand below the bars."""
    height = TOP + ROW * len(bars) + 20 * len(sentences) + 16
    return document(WIDTH, height, title, ". ".join(sentences), "\n".join(_parts(title, sentences, bars, theme)), theme)


def _parts(title: str, sentences: tuple[str, ...], bars: tuple[Bar, ...], theme: Theme) -> Iterator[str]:
    yield say(14, 24, title, theme.text, 13, bold=True)
    longest = max((bar.length for bar in bars), default=0.0) or 1.0
    for k, bar in enumerate(bars):
        y, width = TOP + ROW * k, max((WIDTH - LEFT - RIGHT) * bar.length / longest, 1.0)
        fill = theme.tones[bar.tone].gutter or theme.bar
        yield say(LEFT - 10, y + 14, bar.name, theme.text, anchor="end")
        paint = f'fill="{fill}" stroke="{theme.border}" stroke-width="0.6"'
        yield f'<rect x="{LEFT}" y="{y}" width="{width:.1f}" height="{BAR}" {paint}><title>{escape(bar.name)}</title></rect>'
        yield say(LEFT + width + 8, y + 14, bar.number, theme.text)
    for k, sentence in enumerate(sentences):
        yield say(14, TOP + ROW * len(bars) + 14 + 20 * k, sentence, theme.grey)

"""The ratios to the gradient by hand as one picture (SVG): a row for each kernel, a mark for each variant."""

from __future__ import annotations

import math
from html import escape

from benchmarks.timing.ratios import Ratio
from enzyme_magic.viz.theme import theme_of

ROW, LEFT, WIDTH, TOP = 22, 90, 560, 40
MARKS = {"ours": "●", "opt=0": "○", "plugin": "▲", "enzyme-ad": "△", "jax": "■", "torch": "□"}


def picture(rows: dict[str, dict[str, Ratio]], title: str, theme: str) -> str:
    """rows: kernel -> variant -> time in times of the gradient by hand. The scale is logarithmic."""
    colours = theme_of(theme)
    style = (
        f"text{{font:12px sans-serif;fill:{colours.text}}}.axis{{stroke:{colours.grey}}}"
        f".one{{stroke:{colours.text};stroke-dasharray:4 3}}.ours{{fill:{colours.bar}}}.span{{stroke:{colours.bar};stroke-width:2}}"
    )
    every = [ratio.median for row in rows.values() for ratio in row.values()] or [1.0]
    low, high = math.floor(math.log2(min([*every, 0.5]))), math.ceil(math.log2(max([*every, 2.0])))

    def place(value: float) -> float:
        return LEFT + WIDTH * (math.log2(value) - low) / (high - low)

    bottom = TOP + ROW * len(rows)
    parts = [f'<text x="{LEFT}" y="16">{escape(title)}</text>']
    for power in range(low, high + 1):
        x, kind = place(2.0**power), "one" if power == 0 else "axis"
        parts.append(f'<line class="{kind}" x1="{x:.1f}" x2="{x:.1f}" y1="{TOP - 8}" y2="{bottom}"/>')
        parts.append(f'<text x="{x:.1f}" y="{bottom + 16}" text-anchor="middle">{2.0**power:g}</text>')
    for k, (kernel, row) in enumerate(rows.items()):
        parts += _row(kernel, row, TOP + ROW * k + ROW / 2, place)
    words = "  ".join(f"{mark} {name}" for name, mark in MARKS.items() if any(name in row for row in rows.values()))
    parts.append(f'<text x="{LEFT}" y="{bottom + 36}">{escape(words)}</text>')
    size = f'viewBox="0 0 {LEFT + WIDTH + 40} {bottom + 48}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img"><style>{style}</style>{"".join(parts)}</svg>\n'


def _row(kernel: str, row: dict[str, Ratio], y: float, place: object) -> list[str]:
    assert callable(place)
    parts = [f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{escape(kernel)}</text>']
    for name, ratio in row.items():
        if name == "ours" and not math.isinf(ratio.high):
            ends = f'x1="{place(ratio.low):.1f}" x2="{place(ratio.high):.1f}"'
            parts.append(f'<line class="span" {ends} y1="{y:.1f}" y2="{y:.1f}"/>')
        kind = ' class="ours"' if name == "ours" else ""
        parts.append(
            f'<text{kind} x="{place(ratio.median):.1f}" y="{y + 4:.1f}" text-anchor="middle">{MARKS[name]}</text>'
        )
    return parts

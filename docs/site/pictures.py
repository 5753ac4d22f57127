"""The pictures of the pages, drawn by the package when the site is built: a line `@picture FUNCTION VIEW: what it shows`.

The functions are those of the course, so that pages and notebooks show the same programs. `@plot kernels: …` is
the plot of the times in `docs/measured/`, which are measured by hand (`python3 dev.py bench kernels`) and kept, because a build
measures nothing.
"""

from __future__ import annotations

import dataclasses
import json
import math
from pathlib import Path

import enzyme_magic as em
from enzyme_magic.pictures import Pictures
from enzyme_magic.viz.theme import THEMES, theme_of
from enzyme_magic.workshop.course import programs

MEASURED = Path(__file__).resolve().parents[1] / "measured"


def write(folder: Path, name: str, view: str) -> dict[str, str]:
    """Theme -> file, for a function of the course."""
    report = dataclasses.replace(em.compile_c(_text_of(name), name=f"{name}.c")[name].report, timings=())
    files = {}
    for theme in THEMES:
        file = f"{name}-{view}-{theme}.svg"
        Pictures().export(report, folder / file, view, theme)
        files[theme] = file
    return files


def _text_of(name: str) -> str:
    found = [text for key, text in vars(programs).items() if key.isupper() and f" {name}(" in str(text)]
    if not found:
        raise SystemExit(f"docs: no program of the course has a function {name}")
    return str(found[0])


def plot(folder: Path, name: str) -> dict[str, str]:
    """Theme -> file, for the measured times."""
    data = json.loads((MEASURED / f"{name}.json").read_text())
    files = {}
    for theme in THEMES:
        file = f"plot-{name}-{theme}.svg"
        (folder / file).write_text(bars(data, theme))
        files[theme] = file
    return files


def bars(data: dict[str, dict[str, float]], theme: str) -> str:
    """One group of bars a kernel; the length is the time of a gradient in times of its function."""
    colours = theme_of(theme)
    variants = {"by hand": colours.grey, "ours": colours.bar}
    step, bar, left, width = 62, 20, 90, 640
    largest = max(row[variant] for row in data.values() for variant in variants)
    scale = (width - left - 70) / math.ceil(largest)
    lines = []
    for group, (kernel, row) in enumerate(data.items()):
        top = 44 + group * step
        lines.append(f'<text x="{left - 10}" y="{top + bar + 4}" text-anchor="end">{kernel}</text>')
        for place, (variant, colour) in enumerate(variants.items()):
            y, length = top + place * bar, row[variant] * scale
            lines.append(f'<rect x="{left}" y="{y}" width="{length:.1f}" height="{bar - 3}" fill="{colour}"/>')
            lines.append(f'<text x="{left + length + 6:.1f}" y="{y + 14}">{row[variant]:.1f} {variant}</text>')
    height = 44 + len(data) * step
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="14" '
        f'fill="{colours.text}"><text x="{left}" y="24">time of a gradient / time of its function</text>{"".join(lines)}</svg>\n'
    )

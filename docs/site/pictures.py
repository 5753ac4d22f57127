"""The pictures of the pages, drawn by the package when the site is built: a line `@picture FUNCTION VIEW: what it shows`.

The functions are those of the course, so that pages and notebooks show the same programs. `@plot kernels: …` is
the plot of the times in `docs/measured/`, which the benchmark writes (`python -m benchmarks.kernels --docs`) and which are kept,
because a build measures nothing; `@table kernels: …` is the table beside it. `@plan FUNCTION: …` is what `f.plan()` prints.
"""

from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path

import enzyme_magic as em
from enzyme_magic.api.function import CFunction
from enzyme_magic.pictures import Pictures
from enzyme_magic.viz.theme import THEMES
from enzyme_magic.workshop.course import programs

MEASURED = Path(__file__).resolve().parents[1] / "measured"


def write(folder: Path, name: str, view: str) -> dict[str, str]:
    """Theme -> file, for a function of the course."""
    report = dataclasses.replace(function_of(name).report, timings=())
    files = {}
    for theme in THEMES:
        file = f"{name}-{view}-{theme}.svg"
        Pictures().export(report, folder / file, view, theme)
        files[theme] = file
    return files


def function_of(name: str) -> CFunction:
    """A function of the course."""
    return em.compile_c(_text_of(name), name=f"{name}.c")[name]


def _text_of(name: str) -> str:
    found = [text for key, text in vars(programs).items() if key.isupper() and f" {name}(" in str(text)]
    if not found:
        raise SystemExit(f"docs: no program of the course has a function {name}")
    return str(found[0])


def plot(folder: Path, name: str) -> dict[str, str]:
    """Theme -> file, for the measured times."""
    files = {}
    for theme in THEMES:
        file = f"plot-{name}-{theme}.svg"
        shutil.copy(MEASURED / f"{name}-{theme}.svg", folder / file)
        files[theme] = file
    return files

"""Every notebook of the course: built from its text, kept with its outputs, run in a fresh kernel, and shown again as it is kept.

One test a notebook, so that none is run twice. Compared are what exercises say, and every number that another cell shows, to six
digits: not pictures, not the words around numbers, and nothing of cells that are marked as masked.
"""

from __future__ import annotations

import copy
import importlib.util
import json
import re
import types
from pathlib import Path
from typing import Any

import nbformat
import pytest

from enzyme_magic.workshop.course import EXERCISES
from tests.integrations.frameworks import need

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "notebooks"
COURSE = [f"{number:02}_" for number in range(6)]


def load_builder() -> types.ModuleType:
    spec = importlib.util.spec_from_file_location("notebooks_build", FOLDER / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


build = load_builder()
NAMES = build.names()


def outputs(notebook: Any, start: str) -> list[Any]:
    """The outputs of the one code cell that starts so, without lines of progress that have vanished (a slow machine shows some)."""
    (found,) = [cell.outputs for cell in notebook.cells if cell.cell_type == "code" and cell.source.startswith(start)]
    return [output for output in found if not build.vanished(output)]


def text(notebook: Any, start: str) -> str:
    return "".join(map(said, outputs(notebook, start)))


def said(output: Any) -> str:
    return str(output.get("text") or output.get("data", {}).get("text/plain", ""))


def numbers(text: str) -> str:
    """The numbers of a text to six digits: the last ones depend on the C library."""
    return " ".join(
        f"{float(found):.6g}" for found in re.findall(r"(?<![\w.])-?\d+(?:\.\d*)?(?:e[+-]?\d+)?(?!\w)", text)
    )


def compared(cell: Any) -> str | None:
    """What of a cell's outputs must stay as it is; None where there is a picture, or the cell is marked."""
    if cell.source.startswith("%") or "%enzyme_" in cell.source or "masked" in cell.metadata.get("tags", []):
        return None
    if any(set(output.get("data", {})) - {"text/plain"} for output in cell.outputs):
        return None
    text = "".join(map(said, cell.outputs))
    return text if cell.source.startswith(("em.workshop.check", "answer = ...")) else numbers(text)


def test_a_line_of_progress_that_has_vanished_is_not_kept() -> None:
    def output(text: str) -> Any:
        return nbformat.v4.new_output("display_data", {"text/html": text, "text/plain": text})

    cell = nbformat.v4.new_code_cell("x", outputs=[output(""), output("a picture")])
    made = build.slim(nbformat.v4.new_notebook(cells=[cell]))
    assert [found["data"]["text/plain"] for found in made.cells[0].outputs] == ["a picture"]
    cell.outputs = [output(""), output("a picture")]
    assert len(outputs(nbformat.v4.new_notebook(cells=[cell]), "x")) == 1, "nor is it looked at"


def test_there_is_a_notebook_for_each_text() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.ipynb")) == NAMES


def test_the_course_is_ninety_minutes_and_holds_every_exercise_once() -> None:
    headers = {name: build.header_of((FOLDER / "source" / f"{name}.md").read_text())[0] for name in NAMES}
    lesson = [header for name, header in headers.items() if name[:3] in COURSE]
    assert 80 <= sum(int(header["minutes"]) for header in lesson) <= 100
    for name, header in headers.items():
        assert header["goal"]
        assert len(header.get("ideas", "").split("; ")) <= 3, name
        assert (header.get("part") == "afterwards") == (name[:3] not in COURSE), name
    asked = [key for name in NAMES for key in re.findall(r"^@exercise ([\d.]+)$", _text_of(name), re.M)]
    assert sorted(asked) == sorted(exercise.key for exercise in EXERCISES)
    for name in NAMES:
        assert all(key.startswith(name[:2]) for key in re.findall(r"^@exercise ([\d.]+)$", _text_of(name), re.M)), name


def test_the_minutes_that_a_teacher_is_told() -> None:
    """They are counted, and fit in what the course says of each notebook."""
    names = [name for name in NAMES if name[:3] in COURSE]
    counted = [build.counted_minutes(build.notebook(name)) for name in names]
    *most, last = map(str, counted)
    said = " ".join((FOLDER / "TEACHING.md").read_text().split())
    assert f"make {', '.join(most)} and {last} minutes for `00` to `05`, {sum(counted)} together" in said
    for name, minutes in zip(names, counted, strict=True):
        header = build.header_of((FOLDER / "source" / f"{name}.md").read_text())[0]
        assert minutes <= int(header["minutes"]) + 1, name


def test_the_cheat_sheet_names_every_picture() -> None:
    from enzyme_magic.viz.views import VIEWS

    (line,) = [line for line in _text_of("cheatsheet").splitlines() if "--view activity" in line]
    assert set(re.findall(r"`([\w-]+)`", line)) == set(VIEWS) - {"dashboard", "activity", "primal-stages"}


def _text_of(name: str) -> str:
    return str((FOLDER / "source" / f"{name}.md").read_text())


@pytest.mark.parametrize("name", NAMES)
def test_what_is_kept(name: str) -> None:
    path = FOLDER / f"{name}.ipynb"
    kept, made = nbformat.read(path, as_version=4), build.notebook(name)
    again = "the text has changed: python3 dev.py notebooks " + name.partition("_")[0]
    assert [cell.source for cell in kept.cells] == [cell.source for cell in made.cells], again
    assert path.stat().st_size <= build.LARGEST
    assert json.loads(path.read_text())["metadata"]["kernelspec"]["name"] == "python3", "else a dialog asks for it"
    code = [cell for cell in kept.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1)), "kept with the outputs of one run"
    pictures = ["image/svg+xml" in output.get("data", {}) for cell in code[:3] for output in cell.outputs]
    assert any(pictures), "the first picture comes with the third cell at the latest"
    assert "widget-view" not in path.read_text()
    assert str(ROOT) not in path.read_text()


@pytest.mark.parametrize("name", NAMES)
def test_notebook(name: str) -> None:
    kept = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    made = build.notebook(name)
    for package in made.metadata.get("enzyme_magic", {}).get("needs", []):
        need(package)
    build.executed(made, timeout=240)
    noise = [item for cell in made.cells for item in cell.get("outputs", []) if item.get("name") == "stderr"]
    assert not noise
    for before, now in zip(kept.cells, build.slim(copy.deepcopy(made)).cells, strict=True):
        if now.cell_type == "code" and (wanted := compared(before)) is not None:
            assert compared(now) == wanted, f"python3 dev.py notebooks {name.partition('_')[0]}\n{now.source}"
    LOOK.get(name, lambda notebook: None)(made)


def look_at_relu3(notebook: Any) -> None:
    assert text(notebook, "relu3(2.0)") == "(8.0, 12.0, 0.0)"
    (screen,) = [item for item in outputs(notebook, "%%enzyme_c relu3") if "data" in item]
    assert {"image/svg+xml", "image/png", "text/plain"} == set(screen["data"])
    assert "relu3(double x) -> double" in screen["data"]["text/plain"]
    assert "added #include <math.h>" in screen["data"]["text/plain"]
    assert sum(len(str(value)) for value in screen["data"].values()) < 300_000
    for view in ("activity", "stages"):
        (picture,) = outputs(notebook, f"%enzyme_show relu3 --view {view}")
        assert "<svg" in picture["data"]["image/svg+xml"]
    assert "diffe_relu3" in text(notebook, "print(relu3.ir")
    assert "active" in text(notebook, "%enzyme_why relu3 4")
    assert "it decides which value is taken" in text(notebook, "%enzyme_why relu3 3")


def look_at_widgets(notebook: Any, *starts: str) -> None:
    for start in starts:
        (shown,) = [item for item in outputs(notebook, start) if "data" in item]
        assert "application/vnd.jupyter.widget-view+json" in shown["data"]
        assert {"image/svg+xml", "text/plain"} <= set(shown["data"])  # where there are no widgets


def look_at_cache(notebook: Any) -> None:
    look_at_widgets(notebook, "%%enzyme_c smooth --widget", "page = smooth.inspect")
    assert "line 4 overwrites a[i]" in text(notebook, "smooth.cache()")
    plans = text(notebook, "a, w = np.linspace")
    assert plans.index("minimum-cut    16*") < plans.index("store-all      41*") < plans.index("recompute-all  16*")
    assert "selected: L8" in text(notebook, 'page.selected = "L4"')
    assert text(notebook, "folder = ") == "'smooth.html'"


def look_at_optimize_first(notebook: Any) -> None:
    assert "n*n" in text(notebook, "assert normalize.program.options.opt == 2")


def look_at_physics(notebook: Any) -> None:
    found = re.search(r"a = ([\d.]+) after", text(notebook, "physics = op(residual)"))
    assert found
    assert abs(float(found[1]) - 2) < 0.4
    worst = re.search(r"largest error is ([\d.]+)", text(notebook, "lines, worst"))
    assert worst
    assert float(worst[1]) < 0.03
    (picture,) = outputs(notebook, "%enzyme_show residual")
    assert "<svg" in picture["data"]["image/svg+xml"]


LOOK = {
    "00_start_here": lambda notebook: look_at_widgets(notebook, "%%enzyme_c square --widget"),
    "01_relu3": look_at_relu3,
    "03_activity": lambda notebook: look_at_widgets(notebook, "%%enzyme_c tariff --quiz"),
    "04_cache": look_at_cache,
    "05_optimize_first": look_at_optimize_first,
    "10_frameworks": look_at_physics,
}

"""Every notebook runs from top to bottom in a fresh kernel, and its cells show what they promise."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from tests.integrations.frameworks import need

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


@cache
def executed(path: Path) -> Any:
    notebook = nbformat.read(path, as_version=4)
    for name in notebook.metadata.get("enzyme_magic", {}).get("needs", []):
        need(name)
    NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(path.parent)}}
    ).execute()
    return notebook


def outputs(notebook: Any, start: str) -> list[Any]:
    """The outputs of the one code cell that starts so."""
    (found,) = [cell.outputs for cell in notebook.cells if cell.cell_type == "code" and cell.source.startswith(start)]
    return list(found)


def text(notebook: Any, start: str) -> str:
    parts = [item.get("text") or item.get("data", {}).get("text/plain", "") for item in outputs(notebook, start)]
    return "".join(parts)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_kept_without_outputs(path: Path) -> None:
    notebook = json.loads(path.read_text())
    assert all(not cell.get("outputs") and not cell.get("execution_count") for cell in notebook["cells"])
    assert notebook["metadata"]["kernelspec"]["name"] == "python3", "without it a dialog asks for the kernel"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run(path: Path) -> None:
    executed(path)


def test_relu3() -> None:
    notebook = executed(ROOT / "notebooks" / "01_relu3.ipynb")
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
    assert not [cell for cell in notebook.cells for item in cell.get("outputs", []) if item.get("name") == "stderr"]


def test_physics_informed() -> None:
    notebook = executed(ROOT / "notebooks" / "03_physics_informed.ipynb")
    found = re.search(r"a = ([\d.]+) after", text(notebook, "physics = op(residual)"))
    assert found
    assert abs(float(found[1]) - 2) < 0.4
    worst = re.search(r"largest error is ([\d.]+)", text(notebook, "lines, worst"))
    assert worst
    assert float(worst[1]) < 0.03
    (picture,) = outputs(notebook, "%enzyme_show residual")
    assert "<svg" in picture["data"]["image/svg+xml"]


def test_inspection() -> None:
    notebook = executed(ROOT / "notebooks" / "02_inspection.ipynb")
    widgets = ("%%enzyme_c relu3 --widget", "%%enzyme_c smooth --widget", "%%enzyme_c polynomial --quiz", "a, w = ")
    for start in widgets:
        (shown,) = [item for item in outputs(notebook, start) if "data" in item]
        assert "application/vnd.jupyter.widget-view+json" in shown["data"]
        assert {"image/svg+xml", "text/plain"} <= set(shown["data"])  # where there are no widgets
    assert "it decides which value is taken" in text(notebook, 'relu3.why("line 3")')
    assert "line 4 overwrites a[i]" in text(notebook, "smooth.cache()")
    plans = text(notebook, "import enzyme_magic as em")
    assert plans.index("minimum-cut    25*") < plans.index("store-all      41*") < plans.index("recompute-all  24*")
    assert "selected: L8" in text(notebook, 'page.selected = "L4"')
    assert text(notebook, "import tempfile") == "'smooth.html'"
    assert not [cell for cell in notebook.cells for item in cell.get("outputs", []) if item.get("name") == "stderr"]

"""The folder for a room without a network, up to the wheels of others, which `dev.py classroom` downloads."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def classroom() -> Any:
    spec = importlib.util.spec_from_file_location("notebooks_classroom", ROOT / "notebooks" / "classroom.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_folder(classroom: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENZYME_MAGIC_INSPECTOR", "widget")
    folder = tmp_path / "room"
    assert classroom.main([str(folder), "00_start_here"]) == 0
    (wheel,) = (folder / "wheels").iterdir()
    assert wheel.name.startswith("enzyme_magic-")
    assert {path.name for path in (ROOT / "notebooks").glob("*.ipynb")} < {
        path.name for path in (folder / "notebooks").iterdir()
    }
    assert (folder / "notebooks" / "TEACHING.md").exists()
    assert "--no-index" in (folder / "start.sh").read_text()
    page = (folder / "pages" / "00_start_here.html").read_text()
    assert "<iframe" in page, "it answers clicks without a kernel"
    assert "Everything works." in page


def test_a_folder_with_something_else_in_it_is_left_alone(
    classroom: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    assert classroom.main([str(tmp_path)]) == 2
    assert (tmp_path / "thesis.txt").read_text() == "mine"
    assert "holds something else" in capsys.readouterr().err

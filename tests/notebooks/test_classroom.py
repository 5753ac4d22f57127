"""The folder for a room without a network, up to the wheels of others, which `dev.py classroom` downloads."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.project.test_dev import load

BLOCKED = {"http_proxy": "http://127.0.0.1:9", "https_proxy": "http://127.0.0.1:9", "PIP_CONFIG_FILE": os.devnull}
TWO_GB = """
import nbformat, resource, sys
from nbclient import NotebookClient
resource.setrlimit(resource.RLIMIT_DATA, (2 << 30, 2 << 30))  # of this process, and of each that it starts
for name in sys.argv[1:]:
    made = nbformat.read(f"notebooks/{name}.ipynb", 4)
    NotebookClient(made, timeout=280, kernel_name="python3", resources={"metadata": {"path": "notebooks"}}).execute()
    print(name, "Everything works." in str(made.cells))
"""
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


@pytest.mark.nightly
@pytest.mark.timeout(1800)
def test_it_installs_without_a_network_and_runs_in_two_gigabytes(classroom: Any, tmp_path: Path) -> None:
    """As on a machine of the room: nothing from an index, a package folder that nobody writes to, little memory."""
    folder = tmp_path / "room"
    assert classroom.main([str(folder)]) == 0, "every notebook as a page"
    load(ROOT).course_wheels(Path(sys.executable), folder / "wheels")
    env = {**BLOCKED, "PATH": f"{Path(sys.base_prefix) / 'bin'}:/usr/bin:/bin", "HOME": str(tmp_path / "home")}
    (tmp_path / "home").mkdir()
    done = subprocess.run(["sh", "start.sh", "--version"], cwd=folder, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (package,) = (folder / "env" / "lib").glob("python*/site-packages/enzyme_magic")
    everything = [package, *package.rglob("*")]
    before = {path: path.stat().st_mtime_ns for path in everything}
    for path in everything:
        path.chmod(path.stat().st_mode & ~0o222)
    command = ["env/bin/python", "-c", TWO_GB, "00_start_here", "04_cache"]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-4000:]
    assert done.stdout.splitlines() == ["00_start_here True", "04_cache False"]
    assert {path: path.stat().st_mtime_ns for path in [package, *package.rglob("*")]} == before
    for path in everything:
        path.chmod(path.stat().st_mode | 0o200)

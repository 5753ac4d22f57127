"""The wheel and the source archive hold what is needed, and the wheel works without the checkout. No network."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import enzyme_magic

ROOT = Path(__file__).resolve().parents[2]
BUILD = "from setuptools import build_meta as b; import sys; folder = sys.argv[1]; b.build_sdist(folder); b.build_wheel(folder)"
EXTENSION = ("package.json", "install.json", "static/cells.js")  # of Jupyter's pages
SMOKE = """
import enzyme_magic as em, pathlib, sys
assert pathlib.Path(em.__file__).is_relative_to(sys.argv[1]), em.__file__
f = em.compile_c("double cube(double x) { return x*x*x; }").cube
assert f.grad(2.0) == 12.0
assert em.workshop.check("01.1", 48)
page = f.export(pathlib.Path(sys.argv[1]) / "cube.html").read_text()
assert "<script" in page and "<style" in page
print(em.__version__)
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy: setuptools leaves its traces in the folder it works in."""
    source = tmp_path_factory.mktemp("source")
    ignored = ("__pycache__", ".*", "out", "build", "dist", "*.egg-info", "tests", "benchmarks")
    shutil.copytree(ROOT, source / "checkout", ignore=shutil.ignore_patterns(*ignored), symlinks=True)
    folder = tmp_path_factory.mktemp("dist")
    env = {**os.environ, "PYTHONWARNINGS": "default"}
    done = subprocess.run(
        [sys.executable, "-c", BUILD, str(folder)], cwd=source / "checkout", env=env, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_what_the_archives_hold(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    (archive,) = built.glob("*.tar.gz")
    names = set(zipfile.ZipFile(wheel).namelist())
    wanted = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "enzyme_magic").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert wanted <= names
    placed = f"enzyme_magic-{enzyme_magic.__version__}.data/data/share/jupyter/labextensions/enzyme-magic/"
    assert {f"{placed}{name}" for name in EXTENSION} <= names
    assert not [name for name in names if name.startswith(("tests", "notebooks", "benchmarks"))]
    with tarfile.open(archive) as opened:
        inside = {name.partition("/")[2] for name in opened.getnames()}
    assert {
        "pyproject.toml",
        "README.md",
        "LICENSE",
        *wanted,
        *(f"labextension/{name}" for name in EXTENSION),
    } <= inside


def test_the_wheel_works_without_the_checkout(built: Path, tmp_path: Path) -> None:
    (wheel,) = built.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(tmp_path)
    env = {**os.environ, "PYTHONPATH": str(tmp_path), "ENZYME_MAGIC_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, "-c", SMOKE, str(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == enzyme_magic.__version__


def test_one_version() -> None:
    version = enzyme_magic.__version__
    assert f'\nversion = "{version}"\n' in (ROOT / "pyproject.toml").read_text()
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text()
    assert json.loads((ROOT / "labextension" / "package.json").read_text())["version"] == version
    assert re.search(rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d$", (ROOT / "CHANGELOG.md").read_text(), re.M)


def test_the_binder_files_name_an_extra_that_exists() -> None:
    text = (ROOT / "binder" / "requirements.txt").read_text()
    assert ".[course]" in text.splitlines()
    assert "\ncourse = [" in (ROOT / "pyproject.toml").read_text()
    assert "'.[course]'" in (ROOT / "Dockerfile").read_text()

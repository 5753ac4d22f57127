"""The newest and the oldest around the package: other Pythons, and the lowest IPython that the bounds allow. Nightly: pip installs.

An interpreter that is not on this machine is skipped with a sentence.
"""

from __future__ import annotations

import os
import shutil
import site
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.project.test_dev import load
from tests.project.test_packaging import SMOKE, built
from tests.project.test_project import PROJECT, ROOT

pytestmark = [pytest.mark.nightly, pytest.mark.timeout(1800)]
__all__ = ["built"]  # a fixture
MAGICS = ["test_cells.py", "test_line_magics.py", "test_options.py", "test_report_command.py"]


def interpreter(minor: int) -> str:
    """On PATH, or among pyenv's."""
    found = sorted(Path("~/.pyenv/versions").expanduser().glob(f"3.{minor}.*/bin/python3.{minor}"))
    program = str(found[-1]) if found else shutil.which(f"python3.{minor}")
    if program is None:
        pytest.skip(f"there is no Python 3.{minor}")
    return program


def pip(python: Path, *arguments: str) -> None:
    load(ROOT).pip(python, "install", *arguments)


@pytest.mark.parametrize("minor", [12, 13, 14])
def test_the_wheel_on_another_python(minor: int, built: Path, tmp_path: Path) -> None:
    folder = tmp_path / "env"
    subprocess.run([interpreter(minor), "-m", "venv", "--without-pip", str(folder)], check=True)
    (wheel,) = built.glob("*.whl")
    python = folder / "bin" / "python"
    pip(python, str(wheel))
    env = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "ENZYME_MAGIC_CACHE_DIR": str(tmp_path / "kept")}
    done = subprocess.run(
        [str(python), "-c", SMOKE, str(folder)], cwd=tmp_path, env=env, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_the_lowest_ipython(tmp_path: Path) -> None:
    """Hosted notebooks keep theirs; everything but the order of what Tab offers is the same."""
    (bound,) = (Requirement(text) for text in PROJECT["dependencies"] if text.startswith("ipython"))
    lowest = next(part.version for part in bound.specifier if part.operator == ">=")
    folder = tmp_path / "env"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    python = folder / "bin" / "python"
    pip(python, f"ipython=={lowest}")
    (packages,) = folder.glob("lib/python*/site-packages")
    (packages / "others.pth").write_text("\n".join(site.getsitepackages()))  # behind its own
    wanted = [str(ROOT / "tests" / "magics" / name) for name in MAGICS]
    command = [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", *wanted]
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:]
    check = "import IPython; print(IPython.__version__)"
    assert subprocess.run([str(python), "-c", check], capture_output=True, text=True).stdout.startswith(lowest)

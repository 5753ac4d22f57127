"""A machine on which nobody has installed anything: an empty environment, a fresh home, Python, sh and coreutils.

Commands that a compiler or Graphviz would answer are there too, end with 99 and leave a line in a log, so that a test can say that
none was called. The checkout is a copy of what git knows.
"""

from __future__ import annotations

import json
import os
import shutil
import site
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.project.test_dev import load
from tests.project.test_project import tracked

ROOT = Path(__file__).resolve().parents[2]
TRAPS = ("cc", "gcc", "c++", "g++", "clang", "clang++", "ld", "as", "make", "dot", "neato")
COREUTILS = """basename cat chmod cp cut date dirname echo env expr false head id ls mkdir mktemp mv nproc printf pwd readlink rm
rmdir sleep sort tail test touch tr true uname uniq wc"""
FAILS = "#!/bin/sh\necho \"$0 $*\" >> '{log}'\nexit 99\n"
NO_ENSUREPIP = 'raise ImportError("this Python is one without ensurepip")\n'


@dataclass(frozen=True)
class Machine:
    folder: Path
    environment: dict[str, str]

    @property
    def checkout(self) -> Path:
        return self.folder / "checkout"

    def run(self, command: str, seconds: int = 240) -> subprocess.CompletedProcess[str]:
        """A line of a document, as a shell reads it."""
        shell = [str(self.folder / "bin" / "sh"), "-c", command]
        return subprocess.run(
            shell, cwd=self.checkout, env=self.environment, capture_output=True, text=True, timeout=seconds
        )

    def called(self) -> str:
        """Which of the traps were called."""
        log = self.folder / "called"
        return log.read_text() if log.exists() else ""

    def installed(self) -> None:
        """As after the first use of dev.py, with the packages of this process: no network, and quick."""
        dev = load(self.checkout)
        python = dev.make_venv(dev.VENV)
        (packages,) = (dev.VENV / "lib").glob("python*/site-packages")
        (packages / "packages.pth").write_text("\n".join([str(self.checkout), *site.getsitepackages()]))
        _linked(Path(sys.prefix) / "share" / "jupyter", dev.VENV / "share" / "jupyter", "labextensions")
        dev.place_pages()
        (dev.VENV / "etc").symlink_to(Path(sys.prefix) / "etc")
        stamp = subprocess.run(
            [str(self.folder / "bin" / "python3"), "-c", "import dev, json; print(json.dumps(dev.stamp()))"],
            cwd=self.checkout, env=self.environment, capture_output=True, text=True, check=True,
        )  # fmt: skip
        dev.STAMP.write_text(json.dumps(json.loads(stamp.stdout)))
        assert python.exists()


def fresh(folder: Path, *, pip: bool = True, ensurepip: bool = True) -> Machine:
    """A machine whose Python has pip, ensurepip (Debian's python3-venv), both, or none."""
    programs, home = folder / "bin", folder / "home"
    programs.mkdir()
    home.mkdir()
    _python(folder, pip)
    for name in ("sh", *COREUTILS.split()):
        if found := shutil.which(name):
            (programs / name).symlink_to(found)
    for name in TRAPS:
        (programs / name).write_text(FAILS.format(log=folder / "called"))
        (programs / name).chmod(0o755)
    _copy(folder / "checkout")
    environment = {"PATH": str(programs), "HOME": str(home)}
    if not ensurepip:
        hidden = folder / "hidden" / "ensurepip"
        hidden.mkdir(parents=True)
        (hidden / "__init__.py").write_text(NO_ENSUREPIP)
        environment["PYTHONPATH"] = str(hidden.parent)
    return Machine(folder, environment)


def _linked(source: Path, target: Path, *apart: str) -> None:
    """A folder whose contents are links; folders of these names are made, so that more can be put into them."""
    target.mkdir(parents=True)
    for path in source.iterdir():
        if path.name in apart:
            _linked(path, target / path.name)
        elif path.name != "enzyme-magic":
            (target / path.name).symlink_to(path)


def _python(folder: Path, pip: bool) -> None:
    base = Path(sys.base_prefix) / "bin" / f"python3.{sys.version_info.minor}"
    if pip:
        (folder / "bin" / "python3").symlink_to(base)
        return
    subprocess.run([str(base), "-m", "venv", "--without-pip", str(folder / "python")], check=True)
    program = folder / "bin" / "python3"  # not a link: an environment is found beside its program
    program.write_text(f"#!/bin/sh\nexec '{folder / 'python' / 'bin' / 'python3'}' \"$@\"\n")
    program.chmod(0o755)


def _copy(checkout: Path) -> None:
    for path in tracked():
        target = checkout / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    os.utime(checkout)

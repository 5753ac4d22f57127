"""For every test: an artifact folder of its own, child processes that find this checkout, and random examples that are the same in
every run but the nightly one."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path

import hypothesis

from enzyme_magic.viz.drawing import render
from tests.browser import browser, missing_fixture

__all__ = ["browser", "missing_fixture"]

KEPT = "ENZYME_MAGIC_CACHE_DIR"
if "PYTEST_XDIST_WORKER" in os.environ:  # one folder per worker, within that of the run
    os.environ[KEPT] = str(Path(os.environ[KEPT]) / os.environ["PYTEST_XDIST_WORKER"])
else:
    os.environ[KEPT] = tempfile.mkdtemp(prefix="enzyme_magic-tests-")
    atexit.register(shutil.rmtree, os.environ[KEPT], ignore_errors=True)

ROOT = str(Path(__file__).resolve().parents[1])
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [ROOT, os.environ.get("PYTHONPATH")]))

render.TIMEOUT = 120.0  # how busy the machine is says nothing about a picture

hypothesis.settings.register_profile("default", deadline=None, derandomize=True, database=None)
hypothesis.settings.register_profile("nightly", deadline=None, max_examples=2000, print_blob=True)
hypothesis.settings.load_profile("default")

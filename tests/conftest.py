"""For every test: an artifact folder of its own, child processes that find this checkout, and random examples that are the same in
every run but the nightly one."""

from __future__ import annotations

import atexit
import gc
import os
import shutil
import tempfile
from collections.abc import Generator
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from enzyme_magic.viz.drawing import render
from tests import sampling
from tests.browser import browser, missing_fixture

__all__ = ["browser", "missing_fixture"]

KEPT = "ENZYME_MAGIC_CACHE_DIR"
if "PYTEST_XDIST_WORKER" in os.environ:  # one folder per worker, within that of the run
    os.environ[KEPT] = str(Path(os.environ[KEPT]) / os.environ["PYTEST_XDIST_WORKER"])
else:
    os.environ[KEPT] = tempfile.mkdtemp(prefix="enzyme_magic-tests-")
    atexit.register(shutil.rmtree, os.environ[KEPT], ignore_errors=True)

ROOT = str(Path(__file__).resolve().parents[1])
os.environ.pop(
    "PYTHONDONTWRITEBYTECODE", None
)  # each child process would compile the whole package again: half of its start
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [ROOT, os.environ.get("PYTHONPATH")]))

render.TIMEOUT = 120.0  # how busy the machine is says nothing about a picture

hypothesis.settings.register_profile("default", deadline=None, derandomize=True, database=None)
hypothesis.settings.register_profile("nightly", deadline=None, max_examples=2000, print_blob=True)
hypothesis.settings.load_profile("default")

# Tests of the machine itself: processes, signals, memory, address space, a browser, kernels. Others share it, so these may fail for
# what others do: they are tried three times, and the report counts the reruns. A failed assertion is tried again only where nothing
# but the machine is asked about; elsewhere only what a timeout or a lost process leaves. A wrong number is final.
OF_THE_MACHINE = (
    "frontend/test_toolchain.py",
    "llvm/test_jit.py",
    "llvm/test_memory.py",
    "project/test_benchmarks.py",
    "project/test_dev.py",
    "project/test_imports.py",
    "project/test_packaging.py",
    "project/test_versions.py",
)
WITH_PROCESSES = (
    "api/test_many_cells.py",
    "autodiff/test_each_thread.py",
    "docs/test_site.py",
    "integrations/test_jax_meshes.py",
    "integrations/test_kept_results.py",
    "interactive/",
    "magics/test_front_ends.py",
    "magics/test_report_command.py",
    "newcomer/",
    "notebooks/",
    "runtime/test_exits.py",
    "runtime/test_isolation.py",
    "runtime/test_kernel",
    "runtime/test_output.py",
    "runtime/test_signals.py",
    "runtime/test_stops.py",
    "runtime/test_turns.py",
    "viz/test_render.py",
)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, Any, Any]:
    """The cyclic collector rests meanwhile: a million objects are made, and live until the run ends."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_configure(config: pytest.Config) -> None:
    sampling.choose(nightly=config.getoption("--hypothesis-profile", default=None) == "nightly")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    sampling.mark_nightly(items)
    tests = Path(__file__).parent
    for item in items:
        name = item.path.relative_to(tests).as_posix()
        if name.startswith(OF_THE_MACHINE):
            item.add_marker(pytest.mark.flaky(reruns=2, reruns_delay=2))
        elif name.startswith(WITH_PROCESSES) or "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.flaky(reruns=2, reruns_delay=2, rerun_except="AssertionError"))

"""What tests of a file share is made once: they run in one process, whatever has been asked of the others."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FILE = """
import os, pathlib, pytest
@pytest.mark.parametrize("k", range({count}))
def test_it(k):
    pathlib.Path(f"{name}-{{k}}-{{os.getpid()}}").touch()
"""


def parallel() -> list[str]:
    """What dev.py passes to pytest, for two workers."""
    spec = importlib.util.spec_from_file_location("dev_as_it_is", ROOT / "dev.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    option, _, *others = module.parallel()
    return [option, "2", *others]


def test_tests_of_a_file_run_in_one_process(tmp_path: Path) -> None:
    counts = {"a": 4, "b": 1, "c": 6, "d": 2, "e": 3}
    for name, count in counts.items():
        (tmp_path / f"test_{name}.py").write_text(FILE.format(name=name, count=count))
    outside = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    command = [sys.executable, "-m", "pytest", "-q", *parallel(), "-p", "no:cacheprovider", "."]
    done = subprocess.run(command, cwd=tmp_path, env=outside, capture_output=True, text=True, timeout=240, check=False)
    assert f"{sum(counts.values())} passed" in done.stdout, done.stdout + done.stderr
    processes = defaultdict(set)
    for path in tmp_path.glob("?-?-*"):
        name, _, process = path.name.split("-")
        processes[name].add(process)
    assert processes.keys() == counts.keys()
    assert all(len(seen) == 1 for seen in processes.values()), processes

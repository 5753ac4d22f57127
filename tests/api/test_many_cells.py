"""A long session: thousands of cells in one process leave little behind."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

CELLS, LEAST = (
    2000,
    60,
)  # kilobytes that a cell and its gradient may leave; LLVM's linker and the allocator keep about 20
SCRIPT = """
import gc, sys
import enzyme_magic as em

def resident():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))

def cell(k):
    text = f"double f(double x) {{ double s = {k}; for (int i = 0; i < 10; i++) s += x * x * s; return s; }}"
    em.compile_c(text, force=True).f.grad(2.0)

for k in range(50):
    cell(k)
gc.collect()
before = resident()
for k in range(int(sys.argv[1])):
    cell(1000 + k)
gc.collect()
print((resident() - before) / int(sys.argv[1]))
"""


@pytest.mark.nightly
@pytest.mark.timeout(7200)
def test_memory_stays_flat() -> None:
    environment = os.environ | {"ENZYME_MAGIC_ARTIFACTS": "0"}
    words = [sys.executable, "-c", SCRIPT, str(CELLS)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=7000, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) < LEAST

"""What LLVM takes for one piece of work, it gives back."""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path

import pytest

from enzyme_magic.backend.llvm import binding, optimize
from enzyme_magic.backend.llvm.objects import jit

TEXT = "define double @f(double %x) {\n  %y = fmul double %x, %x\n  ret double %y\n}\n"
OFTEN, LEAST = 200, 20  # times; kilobytes that are lost each time are a leak


def level() -> None:
    optimize.post_ad(TEXT, 2)


def passes() -> None:
    optimize.passes(TEXT, ("sroa", "instcombine", "simplifycfg"))


def code() -> None:
    jit.Library.load([jit.compile_object(TEXT)], ["f"])


def parse() -> None:
    binding.verify(TEXT)


def _resident() -> int:
    """Kilobytes of memory of this process."""
    status = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))


@pytest.mark.parametrize("work", [level, passes, code, parse])
def test_nothing_is_lost(work: Callable[[], None]) -> None:
    for _ in range(20):
        work()
    gc.collect()
    before = _resident()
    for _ in range(OFTEN):
        work()
    gc.collect()
    lost = _resident() - before
    assert lost < OFTEN * LEAST, f"{lost / OFTEN:.0f} kB each time"

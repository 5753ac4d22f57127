"""What LLVM takes for one piece of work, it gives back."""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from llvmlite.binding import newpassmanagers

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


@pytest.mark.nightly
def test_libraries_that_were_unloaded_leave_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit._Session, "MOST", 16)
    image = jit.compile_object(TEXT)
    kept = [jit.Library.load([image], ["f"])]
    lost = []
    for _ in range(3):
        before = _resident()
        for _ in range(480):
            jit.Library.load([image], ["f"])
        kept.append(jit.Library.load([image], ["f"]))
        gc.collect()
        lost.append((_resident() - before) / 480)
    assert min(lost) < 3, f"{lost} kB each time"
    square = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)
    assert [square(library.address("f"))(3.0) for library in kept] == [9.0] * 4


def test_few_runs_of_passes_each_with_its_own_builder(monkeypatch: pytest.MonkeyPatch) -> None:
    """llvmlite keeps 1.5 kB of each run, and callbacks in the builder that end with the run: a builder that ran twice called what
    was no longer there, and in the end the process died."""
    import enzyme_magic as em

    em.compile_c("double f(double x) { return x * x; }", force=True).f.grad(2.0)  # loads the run-time support
    runs: list[Any] = []
    run = newpassmanagers.NewPassManager.run
    monkeypatch.setattr(
        newpassmanagers.NewPassManager, "run", lambda self, ir, pb: runs.append(pb) or run(self, ir, pb)
    )
    em.compile_c("double f(double x) { return x * x * x; }", force=True).f.grad(2.0)
    assert len(runs) == len({id(builder) for builder in runs}) == 5

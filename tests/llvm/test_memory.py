"""What LLVM takes for one piece of work, it gives back."""

from __future__ import annotations

import ctypes
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


def test_few_runs_of_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    import enzyme_magic as em

    em.compile_c("double f(double x) { return x * x; }", force=True).f.grad(2.0)  # loads the run-time support
    runs, real = [], optimize.binding.dispose_manager
    monkeypatch.setattr(optimize.binding, "dispose_manager", lambda manager: runs.append(manager) or real(manager))
    em.compile_c("double f(double x) { return x * x * x; }", force=True).f.grad(2.0)
    assert len(runs) == 5


class _Info(ctypes.Structure):
    """struct mallinfo2 of glibc."""

    _fields_ = [(f"f{k}", ctypes.c_size_t) for k in range(4)] + [
        ("mapped", ctypes.c_size_t),
        ("g", ctypes.c_size_t * 2),
    ]
    _fields_ += [("used", ctypes.c_size_t), ("h", ctypes.c_size_t * 2)]


def _given_out() -> int:
    """Bytes that malloc has given out."""
    mallinfo = getattr(ctypes.CDLL(None), "mallinfo2", None)
    if mallinfo is None:
        pytest.skip("this C library does not tell")
    mallinfo.restype = _Info
    told = mallinfo()
    return int(told.used + told.mapped)


@pytest.mark.parametrize("work", [level, passes])
def test_passes_leave_nothing(work: Callable[[], None]) -> None:
    """llvmlite makes callbacks for each of LLVM's pass builders, 1.5 kB, and frees none: a builder is kept for each level."""
    for _ in range(50):
        work()
    gc.collect()
    before = _given_out()
    for _ in range(OFTEN):
        work()
    gc.collect()
    assert (_given_out() - before) / OFTEN < 300

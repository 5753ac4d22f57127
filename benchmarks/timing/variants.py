"""The ways to a kernel's gradient. Each is checked against the one by hand before it is timed.

    by hand     written by hand, with restrict, in the same C file
    ours        the gradient as users get it (opt=2, then -O3)
    opt=0       differentiated before optimization, then -O3
    plugin      the LLVM plugin named by ENZYME_PLUGIN, with clang and opt of the version in its file name: clang -O2 without
                vectorization and unrolling, opt -passes=enzyme, clang -O3
    enzyme-ad   the Python package of that name: its compiler, under jax.jit (a call through JAX is part of its time)
    jax, torch  the same function in their own operations, where it is natural there

A variant that is not there (nothing installed, no plugin) is None; what runs is printed.
"""

from __future__ import annotations

import ctypes
import os
import re
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.timing.catalogue import FOLDER, Kernel
from benchmarks.timing.points import Point
from enzyme_magic.backend import pipeline
from enzyme_magic.backend.autodiff.calls.request import Request
from enzyme_magic.backend.frontend.sources import Source
from enzyme_magic.backend.native import Entry
from enzyme_magic.backend.runtime import arena
from enzyme_magic.backend.runtime.calls.invoke import invoker
from enzyme_magic.config import Options, settings

FRONT = ["-O2", "-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops", "-march=native", "-fno-math-errno"]
BACK = ["-O3", "-march=native", "-fno-math-errno", "-fPIC", "-shared"]
NAMES = ("by hand", "ours", "opt=0", "plugin", "enzyme-ad", "jax", "torch")
Timed = Callable[[], Any]


@dataclass(frozen=True, slots=True)
class Variant:
    """run: one gradient call, which adds to the shadows or returns a block; gradient: what one call from zero gives; tape: bytes
    that the call kept for its way back, as far as known; stages: seconds of making it."""

    run: Timed
    gradient: Callable[[], np.ndarray]
    tape: Callable[[], int] | None = None
    stages: dict[str, float] = field(default_factory=dict)


@cache
def compiled(kernel: Kernel, opt: int) -> pipeline.CompiledProgram:
    """Kept for the life of the process: its machine code is called by address."""
    source = Source(kernel.text(), f"{kernel.function}.c")
    return pipeline.compile_program([source], Options(opt=opt), settings(), kernel.function)


def primal(kernel: Kernel, point: Point) -> Timed:
    """The function itself, -O3 for this machine: what every gradient is divided by."""
    program = compiled(kernel, 2)
    entry = program.primal(kernel.function).entry
    call = invoker(entry, program.library.address(entry.symbol), program.signatures[kernel.function])
    arguments = point.natives()
    return lambda: call(*arguments)


def by_hand(kernel: Kernel, point: Point) -> Variant:
    program = compiled(kernel, 2)
    symbol = program.primal(f"{kernel.function}_by_hand").entry.symbol
    return _in_c(program.library.address(symbol), point)


def _in_c(address: int, point: Point) -> Variant:
    """A C function with the parameters of the kernel, then a shadow for each active one."""
    arguments = [*point.natives(), *(point.shadow(k) for k in point.kernel.active)]
    function = ctypes.CFUNCTYPE(None, *(type(a) for a in arguments))(address)

    def gradient() -> np.ndarray:
        point.cleared()
        function(*arguments)
        return point.gradient()

    return Variant(lambda: function(*arguments), gradient)


def ours(kernel: Kernel, point: Point, opt: int = 2) -> Variant:
    """Our gradient, called as the runtime calls it."""
    program = compiled(kernel, opt)
    separate = program.primal(kernel.function).separable  # as every call from Python promises
    derivative = program.derivative(Request(kernel.function, wrt=kernel.active, separate=separate))
    entry, block = derivative.entry, np.zeros(max(derivative.entry.size // 8, 1))
    slots: dict[str, Callable[[Any], Any]]
    slots = {"arena": lambda k: arena.current(), "results": lambda k: block.ctypes.data}
    slots |= {"primal": point.native, "shadow": point.shadow}
    arguments = [slots[slot.kind](slot.parameter) for slot in entry.slots]
    native = invoker(entry, derivative.address, program.signatures[kernel.function])

    def gradient() -> np.ndarray:
        point.cleared()
        scalars = _scalars(entry, native(*arguments), block)
        parts = [scalars[k] if k in scalars else point.shadows[k].reshape(-1).copy() for k in kernel.active]
        return np.concatenate([np.atleast_1d(part) for part in parts])

    def tape() -> int:
        arena.reset_statistics()
        native(*arguments)
        return arena.statistics().peak

    return Variant(lambda: native(*arguments), gradient, tape, dict(derivative.timings))


def _scalars(entry: Entry, returned: Any, block: np.ndarray) -> dict[int | None, float]:
    if entry.result is not None:
        return {entry.result.parameter: returned}
    return {part.parameter: float(block[part.offset // 8]) for part in entry.fields}


def plugin(kernel: Kernel, point: Point) -> Variant | None:
    """The same C through the plugin named by ENZYME_PLUGIN."""
    path = os.environ.get("ENZYME_PLUGIN")
    if not path:
        return None
    version = re.search(r"-(\d+)\.\w+$", path)
    suffix = f"-{version.group(1)}" if version else ""
    with tempfile.TemporaryDirectory() as folder:
        raw, made, library = (str(Path(folder) / name) for name in ("raw.ll", "made.ll", "made.so"))
        source = str(FOLDER / f"{kernel.function}.c")
        steps = [
            [f"clang{suffix}", "-DENZYME", *FRONT, "-fPIC", "-S", "-emit-llvm", source, "-o", raw],
            [f"opt{suffix}", f"-load-pass-plugin={path}", "-passes=enzyme", "-S", raw, "-o", made],
            [f"clang{suffix}", *BACK, made, "-lm", "-o", library],
        ]
        for step in steps:
            subprocess.run(step, check=True)
        loaded = ctypes.CDLL(library)
    return _in_c(ctypes.cast(getattr(loaded, f"{kernel.function}_enzyme"), ctypes.c_void_p).value or 0, point)


def make(name: str, kernel: Kernel, point: Point) -> Variant | None:
    """The variant of that name; None where it is not there."""
    from benchmarks.timing import enzyme_ad, frameworks

    made: dict[str, Callable[[Kernel, Point], Variant | None]] = {
        "by hand": by_hand,
        "ours": ours,
        "opt=0": lambda kernel, point: ours(kernel, point, 0),
        "plugin": plugin,
        "enzyme-ad": enzyme_ad.variant,
        "jax": frameworks.in_jax,
        "torch": frameworks.in_torch,
    }
    return made[name](kernel, point)

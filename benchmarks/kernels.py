"""Time of a gradient in times of its function: what is generated, beside what one writes by hand.

    python -m benchmarks.kernels [--passes N] [--json FILE] [kernel …]

Variants, each checked against the first before it is timed:
  by hand   written by hand, with restrict, in the same C file
  ours      the gradient as users get it (opt=2, then -O3)
  opt=0     differentiated before optimization, then -O3
  plugin    the LLVM plugin named by the environment variable ENZYME_PLUGIN (left out otherwise): clang and opt of the version in
            the plugin's file name; clang -O2 without vectorization and unrolling, opt -passes=enzyme, clang -O3

A figure is the median over passes of (median of blocks of gradient calls) / (median of blocks of primal calls); variants take
turns within a pass. The one primal is ours (-O3 for this machine). Arrays, shadows and tape are warm: no figure contains the first
call. A figure of this file is a measurement, never a test.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import math
import os
import platform
import re
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from enzyme_magic.backend import pipeline
from enzyme_magic.backend.autodiff.calls.request import Request
from enzyme_magic.backend.frontend.sources import Source
from enzyme_magic.backend.llvm import binding
from enzyme_magic.backend.native import Entry
from enzyme_magic.backend.runtime import arena
from enzyme_magic.backend.runtime.calls.invoke import invoker
from enzyme_magic.config import Options, settings

FOLDER = Path(__file__).parent / "kernels"
BLOCK = 3e-3  # seconds of one block, at least
BLOCKS = 5
FRONT = ["-O2", "-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops", "-march=native", "-fno-math-errno"]
BACK = ["-O3", "-march=native", "-fno-math-errno", "-fPIC", "-shared"]


@dataclass(frozen=True, slots=True)
class Kernel:
    """arguments: of the C function, from a random generator; active: the parameters differentiated with respect to."""

    name: str
    size: str
    active: tuple[int, ...]
    arguments: Callable[[np.random.Generator], list[Any]]


def _gmm(random: np.random.Generator) -> list[Any]:
    d, k, n = 10, 10, 1000
    factors = random.normal(0, 0.3, (k, d * (d + 1) // 2))
    return [d, k, n, random.normal(size=k), random.normal(size=(k, d)), factors, random.normal(size=(n, d))]


def _mlp(random: np.random.Generator) -> list[Any]:
    count, parameters = 64, 64 * 128 + 128 + 128 * 128 + 128 + 128 * 10 + 10
    labels = random.integers(0, 10, count, dtype=np.int32)
    return [count, random.normal(0, 0.1, parameters), random.normal(size=(count, 64)), labels]


def _fft(random: np.random.Generator) -> list[Any]:
    n = 4096
    angles = 2 * np.pi * np.arange(n // 2) / n
    table = np.concatenate([np.cos(angles), np.sin(angles)])
    return [n, random.normal(size=n), random.normal(size=n), random.uniform(size=n), table]


KERNELS = [
    Kernel("gmm", "d=10 K=10 n=1000", (3, 4, 5), _gmm),
    Kernel("mlp", "64 of 64-128-128-10", (1,), _mlp),
    Kernel("euler", "1,000,000 steps", (1, 2, 3), lambda r: [1_000_000, 0.1, 1.0, 1.2, 1e-5]),
    Kernel("lse", "n=10,000", (1,), lambda r: [10_000, r.normal(size=10_000)]),
    Kernel("fft", "n=4,096", (1, 2), _fft),
    Kernel("heat1d", "n=1,000, 100 steps", (2, 3), lambda r: [1000, 100, r.normal(size=1000), 0.2]),
]


def aligned(source: np.ndarray) -> np.ndarray:
    """A copy that starts at a multiple of 64 bytes: vector code is up to a third slower elsewhere."""
    raw = np.empty(source.nbytes + 64, np.uint8)
    start = -raw.ctypes.data % 64
    copy = raw[start : start + source.nbytes].view(source.dtype).reshape(source.shape)
    copy[...] = source
    return copy


class Point:
    """The arguments of a kernel, with a shadow for each active one (a block of one number for a scalar)."""

    def __init__(self, kernel: Kernel) -> None:
        arguments = kernel.arguments(np.random.default_rng(1))
        self.active = kernel.active
        self.arguments = [aligned(a) if isinstance(a, np.ndarray) else a for a in arguments]
        self.shadows = {k: aligned(np.zeros(np.shape(self.arguments[k]))) for k in self.active}

    def native(self, k: int) -> Any:
        """Argument k as ctypes passes it."""
        a = self.arguments[k]
        if isinstance(a, np.ndarray):
            return ctypes.c_void_p(a.ctypes.data)
        return ctypes.c_double(a) if isinstance(a, float) else ctypes.c_int(a)

    def shadow(self, k: int) -> ctypes.c_void_p:
        """Address of a shadow; a pointer that meets active ones has one too."""
        if k not in self.shadows:
            self.shadows[k] = aligned(np.zeros(np.shape(self.arguments[k])))
        return ctypes.c_void_p(self.shadows[k].ctypes.data)

    def natives(self) -> list[Any]:
        return [self.native(k) for k in range(len(self.arguments))]


Timed = Callable[[], Any]


@dataclass(frozen=True, slots=True)
class Variant:
    """run: one gradient call, which adds to the shadows or returns a block; gradient: what one call from zero gives."""

    name: str
    run: Timed
    gradient: Callable[[], np.ndarray]


def in_c(name: str, address: int, point: Point) -> Variant:
    """A C function with the parameters of the kernel, then a shadow for each active one."""
    arguments = [*point.natives(), *(point.shadow(k) for k in point.active)]
    function = ctypes.CFUNCTYPE(None, *(type(a) for a in arguments))(address)

    def gradient() -> np.ndarray:
        for shadow in point.shadows.values():
            shadow[...] = 0
        function(*arguments)
        return np.concatenate([point.shadows[k].reshape(-1).copy() for k in point.active])

    return Variant(name, lambda: function(*arguments), gradient)


def generated(name: str, kernel: Kernel, program: pipeline.CompiledProgram, point: Point) -> Variant:
    """Our gradient, called as the runtime calls it."""
    derivative = program.derivative(Request(kernel.name, wrt=kernel.active))
    entry, block = derivative.entry, np.zeros(max(derivative.entry.size // 8, 1))
    slots: dict[str, Callable[[Any], Any]]
    slots = {"arena": lambda k: arena.current(), "results": lambda k: block.ctypes.data}
    slots |= {"primal": point.native, "shadow": point.shadow}
    arguments = [slots[slot.kind](slot.parameter) for slot in entry.slots]
    native = invoker(entry, derivative.address, program.signatures[kernel.name])

    def gradient() -> np.ndarray:
        for shadow in point.shadows.values():
            shadow[...] = 0
        scalars = _scalars(entry, native(*arguments), block)
        parts = [scalars[k] if k in scalars else point.shadows[k].reshape(-1).copy() for k in point.active]
        return np.concatenate([np.atleast_1d(part) for part in parts])

    return Variant(name, lambda: native(*arguments), gradient)


def _scalars(entry: Entry, returned: Any, block: np.ndarray) -> dict[int | None, float]:
    if entry.result is not None:
        return {entry.result.parameter: returned}
    return {field.parameter: float(block[field.offset // 8]) for field in entry.fields}


@contextmanager
def plugin(kernel: Kernel, point: Point) -> Iterator[Variant | None]:
    """The same C through the plugin named by ENZYME_PLUGIN."""
    path = os.environ.get("ENZYME_PLUGIN")
    if not path:
        yield None
        return
    version = re.search(r"-(\d+)\.\w+$", path)
    suffix = f"-{version.group(1)}" if version else ""
    with tempfile.TemporaryDirectory() as folder:
        raw, made, library = (str(Path(folder) / name) for name in ("raw.ll", "made.ll", "made.so"))
        source = str(FOLDER / f"{kernel.name}.c")
        steps = [
            [f"clang{suffix}", "-DENZYME", *FRONT, "-fPIC", "-S", "-emit-llvm", source, "-o", raw],
            [f"opt{suffix}", f"-load-pass-plugin={path}", "-passes=enzyme", "-S", raw, "-o", made],
            [f"clang{suffix}", *BACK, made, "-lm", "-o", library],
        ]
        for step in steps:
            subprocess.run(step, check=True)
        loaded = ctypes.CDLL(library)
        address = ctypes.cast(getattr(loaded, f"{kernel.name}_enzyme"), ctypes.c_void_p).value or 0
        yield in_c("plugin", address, point)


def compiled(kernel: Kernel, opt: int) -> pipeline.CompiledProgram:
    source = (FOLDER / f"{kernel.name}.c").read_text()
    header = (FOLDER / "kernel.h").read_text()
    text = source.replace('#include "kernel.h"', header)
    return pipeline.compile_program([Source(text, f"{kernel.name}.c")], Options(opt=opt), settings(), kernel.name)


def block_time(run: Timed, count: int) -> float:
    """Seconds of one call: median over blocks of `count` calls."""
    times = []
    for _ in range(BLOCKS):
        start = time.perf_counter()
        for _ in range(count):
            run()
        times.append((time.perf_counter() - start) / count)
    return statistics.median(times)


def calls_per_block(run: Timed) -> int:
    run()
    start = time.perf_counter()
    run()
    return max(1, math.ceil(BLOCK / max(time.perf_counter() - start, 1e-7)))


def measure(kernel: Kernel, passes: int) -> dict[str, float]:
    """Microseconds of the primal, and for each variant the ratio of its time to the primal's."""
    point = Point(kernel)
    optimized, unoptimized = compiled(kernel, 2), compiled(kernel, 0)
    by_hand = optimized.primal(f"{kernel.name}_by_hand").entry.symbol
    entry = optimized.primal(kernel.name).entry
    primal = invoker(entry, optimized.library.address(entry.symbol), optimized.signatures[kernel.name])
    arguments = point.natives()
    with plugin(kernel, point) as other:
        variants = [
            in_c("by hand", optimized.library.address(by_hand), point),
            generated("ours", kernel, optimized, point),
            generated("opt=0", kernel, unoptimized, point),
            *([other] if other else []),
        ]
        _agree(kernel, variants)
        return _ratios(lambda: primal(*arguments), variants, passes)


def _agree(kernel: Kernel, variants: Sequence[Variant]) -> None:
    wanted = variants[0].gradient()
    for variant in variants[1:]:
        got = variant.gradient()
        if not np.allclose(got, wanted, rtol=1e-8, atol=1e-10 * np.abs(wanted).max()):
            worst = np.abs(got - wanted).max()
            raise SystemExit(
                f"{kernel.name}: the gradient of {variant.name} is not the one by hand (off by {worst:.2e})"
            )


def _ratios(primal: Timed, variants: Sequence[Variant], passes: int) -> dict[str, float]:
    counts = {variant.name: calls_per_block(variant.run) for variant in variants}
    count = calls_per_block(primal)
    times: list[float] = []
    ratios: dict[str, list[float]] = {variant.name: [] for variant in variants}
    for _ in range(passes):
        for variant in variants:
            base = block_time(primal, count)
            times.append(base)
            ratios[variant.name].append(block_time(variant.run, counts[variant.name]) / base)
    return {"primal": statistics.median(times) * 1e6} | {name: statistics.median(r) for name, r in ratios.items()}


def processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return platform.processor()
    found = re.search(r"model name\s*:\s*(.*)", text)
    return found.group(1) if found else platform.machine()


def print_table(figures: dict[str, dict[str, float]]) -> None:
    names = list(dict.fromkeys(name for row in figures.values() for name in row if name != "primal"))
    sizes = {kernel.name: kernel.size for kernel in KERNELS}
    print(f"{'kernel':8} {'size':20} {'primal us':>10} " + "".join(f"{name:>10}" for name in names))
    for kernel, row in figures.items():
        cells = "".join(f"{row[name]:10.2f}" if name in row else f"{'-':>10}" for name in names)
        print(f"{kernel:8} {sizes[kernel]:20} {row['primal']:10.1f} {cells}")
    means = [math.exp(statistics.fmean(math.log(row[name]) for row in figures.values())) for name in names]
    print(f"{'geometric mean':40} " + "".join(f"{mean:10.2f}" for mean in means))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("kernels", nargs="*", help=f"of {', '.join(kernel.name for kernel in KERNELS)}")
    parser.add_argument("--passes", type=int, default=5)
    parser.add_argument("--json", help="also write the figures to this file")
    arguments = parser.parse_args()
    unknown = set(arguments.kernels) - {kernel.name for kernel in KERNELS}
    if unknown:
        parser.error(f"no such kernel: {', '.join(sorted(unknown))}")
    print(f"{processor()}; LLVM {'.'.join(map(str, binding.llvm_version()))}; NumPy {np.__version__}")
    print(
        f"ours: pre-AD O2 / O0, post-AD O3; plugin: {os.environ.get('ENZYME_PLUGIN', 'none')}, {' '.join(FRONT)}, then {BACK[0]}"
    )
    chosen = [kernel for kernel in KERNELS if not arguments.kernels or kernel.name in arguments.kernels]
    figures = {kernel.name: measure(kernel, arguments.passes) for kernel in chosen}
    print("time of a gradient / time of the function:")
    print_table(figures)
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(figures, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()

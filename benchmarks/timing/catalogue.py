"""The kernels: their C files, sizes and arguments.

`CORE` are the eighteen that means are taken over; the others show what the engine does with code that optimization changes much.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = Path(__file__).resolve().parents[1] / "kernels"
Random = np.random.Generator


@dataclass(frozen=True, slots=True)
class Kernel:
    """function: of the C file of the same name; active: the parameters differentiated with respect to; scratch: arrays that it only
    works in, by their length; arguments: of the C function without these, from a random generator."""

    name: str
    function: str
    size: str
    active: tuple[int, ...]
    arguments: Callable[[Random], list[Any]]
    scratch: int = 0

    def text(self) -> str:
        """The C file with its header in place."""
        header = (FOLDER / "kernel.h").read_text()
        return (FOLDER / f"{self.function}.c").read_text().replace('#include "kernel.h"', header)

    def all_arguments(self) -> list[Any]:
        arguments = self.arguments(np.random.default_rng(1))
        return [*arguments, np.zeros(self.scratch)] if self.scratch else arguments


def _gmm(d: int, k: int, n: int) -> Callable[[Random], list[Any]]:
    def arguments(random: Random) -> list[Any]:
        factors = random.normal(0, 0.3 / np.sqrt(d / 10), (k, d * (d + 1) // 2))
        return [d, k, n, random.normal(size=k), random.normal(size=(k, d)), factors, random.normal(size=(n, d))]

    return arguments


def _mlp(random: Random) -> list[Any]:
    count, parameters = 64, 64 * 128 + 128 + 128 * 128 + 128 + 128 * 10 + 10
    labels = random.integers(0, 10, count, dtype=np.int32)
    return [count, random.normal(0, 0.1, parameters), random.normal(size=(count, 64)), labels]


def _fft(random: Random) -> list[Any]:
    n = 4096
    angles = 2 * np.pi * np.arange(n // 2) / n
    table = np.concatenate([np.cos(angles), np.sin(angles)])
    return [n, random.normal(size=n), random.normal(size=n), random.uniform(size=n), table]


def _lstm(random: Random) -> list[Any]:
    count, h = 1024, 14
    return [count, h, random.normal(0, 0.5, 2 * 8 * h), random.normal(0, 0.5, 3 * h), random.uniform(size=(count, h))]


def _ba(random: Random) -> list[Any]:
    count, cameras, points = 5000, 100, 1000
    rotations, centres = random.normal(0, 0.3, (cameras, 3)), random.normal(0, 0.2, (cameras, 3))
    inner = np.tile([1.2, 0.1, -0.1, 0.01, 0.001], (cameras, 1))
    space = random.normal(0, 1, (points, 3)) + np.array([0.0, 0.0, 6.0])
    seen = np.stack([random.integers(0, cameras, count), random.integers(0, points, count)], axis=1).astype(np.int32)
    weights, features = random.uniform(0.5, 1.5, count), random.normal(0, 0.3, (count, 2))
    return [count, np.hstack([rotations, centres, inner]), space, weights, seen, features]


def _tri(random: Random) -> list[Any]:
    n = 300
    lower = np.tril(random.normal(0, 1 / np.sqrt(n), (n, n)))
    lower[np.diag_indices(n)] = random.uniform(1, 2, n)
    return [n, lower, random.normal(size=n)]


def _bs(random: Random) -> list[Any]:
    n = 4096
    spot, strike = random.uniform(50, 150, n), random.uniform(50, 150, n)
    return [n, 0.03, spot, strike, random.uniform(0.1, 0.5, n), random.uniform(0.2, 2, n)]


def _nbody(random: Random) -> list[Any]:
    n = 32
    return [n, 20, 0.01, random.uniform(0.5, 1, n), random.normal(size=(n, 3)), random.normal(0, 0.1, (n, 3))]


def _bruss(random: Random) -> list[Any]:
    return [32, 10, 0.01, 1.0, random.uniform(0.5, 1.5, (2, 32, 32))]


def _pair(n: int, spread: float = 1.0) -> Callable[[Random], list[Any]]:
    return lambda r: [n, r.normal(0, spread, (n, n)), r.normal(0, spread, (n, n))]


def _array(n: int) -> Callable[[Random], list[Any]]:
    return lambda r: [n, r.normal(size=n)]


CORE = [
    Kernel("gmm", "gmm", "d=10 K=10 n=1,000", (3, 4, 5), _gmm(10, 10, 1000)),
    Kernel("gmm64", "gmm", "d=64 K=25 n=200", (3, 4, 5), _gmm(64, 25, 200)),
    Kernel("lstm", "lstm", "2 layers, 1,024 steps, h=14", (2, 3), _lstm),
    Kernel("mlp", "mlp", "64 of 64-128-128-10", (1,), _mlp),
    Kernel("ba", "ba", "5,000 observations", (1, 2, 3), _ba),
    Kernel("fft", "fft", "n=4,096", (1, 2), _fft),
    Kernel("bruss", "bruss", "32 x 32, 10 steps", (4,), _bruss),
    Kernel("euler", "euler", "1,000,000 steps", (1, 2, 3), lambda r: [1_000_000, 0.1, 1.0, 1.2, 1e-5]),
    Kernel("heat1d", "heat1d", "n=1,000, 100 steps", (2, 3), lambda r: [1000, 100, r.normal(size=1000), 0.2]),
    Kernel("tri", "tri", "n=300", (1, 2), _tri, scratch=300),
    Kernel("matmul", "matmul", "n=120", (1, 2), _pair(120), scratch=120 * 120),
    Kernel("newton", "newton", "n=1,000", (1,), lambda r: [1000, r.uniform(0.1, 10, 1000)]),
    Kernel("lse", "lse", "n=10,000", (1,), _array(10_000)),
    Kernel("bs", "bs", "n=4,096", (2, 4, 5), _bs),
    Kernel("scale_r", "scale_r", "n=20,000", (1,), _array(20_000), scratch=20_000),
    Kernel("scale_a", "scale_a", "n=20,000", (1,), _array(20_000), scratch=20_000),
    Kernel("relu3", "relu3", "n=10,000", (1,), _array(10_000)),
    Kernel("sumsq", "sumsq", "n=10,000", (1,), _array(10_000)),
]
OTHERS = [
    Kernel("normalize", "normalize", "n=1,000", (1,), lambda r: [1000, r.normal(size=1000), r.normal(size=1000)], 1000),
    Kernel("nbody", "nbody", "32 bodies, 20 steps", (3, 4, 5), _nbody),
    Kernel("taylor", "taylor", "10,000 terms", (1,), lambda r: [10_000, 0.999]),
    Kernel("objects", "objects", "n=60", (1, 2), _pair(60, 0.3)),
    Kernel(
        "orbit",
        "orbit",
        "10,000 steps",
        (2, 3, 4),
        lambda r: [10_000, 1e-3, np.array([1, 0.2, 0, 0, 0.9, 0.3]), 1.0, 0.01],
    ),
]
KERNELS = {kernel.name: kernel for kernel in [*CORE, *OTHERS]}
# Where before and after optimization differ most: the kernels that the paper's figure speaks of.
OPTIMIZED = ("matmul", "tri", "heat1d", "mlp", "lstm", "objects", "orbit", "normalize", "nbody", "gmm")

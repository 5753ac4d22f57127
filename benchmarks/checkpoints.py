"""What checkpoints cost: time and memory of gradients of time loops, with checkpoints and without.

    python -m benchmarks.checkpoints

Times are the fastest of several calls, the two gradients in turn; memory is the most that the tape takes in one call.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

import enzyme_magic as em
from enzyme_magic.api.function import CFunction

C = r"""
#include <math.h>
double ode(double x, double a, long n) {
    double v = x;
    for (long i = 0; i < n; i++) v = v + 0.001 * sin(a * v);
    return v * v;
}
double heat(double *u, int n, double nu, int steps) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++) u[i] += nu * (u[i - 1] - 2 * u[i] + u[i + 1]) * u[i];
    double s = 0;
    for (int i = 0; i < n; i++) s += u[i] * u[i];
    return s;
}
"""
REPEATS = 7
U = np.linspace(0.0, 1.0, 1000)
CASES: tuple[tuple[str, tuple[Any, ...], tuple[int, ...]], ...] = (
    ("ode", (0.3, 1.1, 1_000_000), (8 << 20,)),
    ("ode", (0.3, 1.1, 10_000_000), (8 << 20,)),
    ("heat", (U, 1000, 0.01, 2000), (8 << 20, 1 << 20, 1 << 17)),
)


def main() -> None:
    """Print one line for each case and bound."""
    program = em.compile(C)
    print(f"{'function':8} {'steps':>10} {'bound':>10} {'tape':>12} {'tape without':>14} {'time / without':>15}")
    for name, arguments, bounds in CASES:
        for bound in bounds:
            print(_line(program[name], arguments, bound), flush=True)


def _line(function: CFunction, arguments: tuple[Any, ...], bound: int) -> str:
    caching = {"preset": "checkpoint", "bytes": bound}
    first, second = em.grad(function, caching=caching), em.grad(function)
    times = [(_seconds(first, arguments), _seconds(second, arguments)) for _ in range(REPEATS)]
    ratio = min(a for a, _ in times[1:]) / min(b for _, b in times[1:])
    with_, without = (_taken(function, arguments, c) for c in (caching, None))
    steps = arguments[-1]
    return f"{function.name:8} {steps:>10,} {bound:>10,} {with_:>12,} {without:>14,} {ratio:>15.2f}"


def _seconds(gradient: Callable[..., Any], arguments: tuple[Any, ...]) -> float:
    start = time.perf_counter()
    gradient(*arguments)
    return time.perf_counter() - start


def _taken(function: CFunction, arguments: tuple[Any, ...], caching: dict[str, str | int] | None) -> int:
    measured = function.cache(at=arguments, caching=caching).measured
    assert measured is not None
    return measured.taken


if __name__ == "__main__":
    main()

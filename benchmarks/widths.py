"""Jacobians by sweeps made one by one, and by 4 and 8 at once: seconds for all of them, and the ratio.

    python -m benchmarks.widths [--repeats 5]

Three functions: a recurrence of transcendental functions (the primal is dear), an explicit time step (cheap), a dense layer;
each forward and reverse. The Jacobian has as many sweeps as there are inputs (or outputs); time is the best of the repeats, code is
made before.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

import enzyme_magic as em
from enzyme_magic.api.derivatives import sweeps

SOURCE = """
void recurrence(const double *restrict x, int n, double *restrict out) {
    for (int i = 0; i < n; i++) {
        double s = x[i];
        for (int k = 0; k < n; k++) s = sin(s)*exp(-0.1*x[k]) + x[k]*cos(s);
        out[i] = s;
    }
}
void step(const double *restrict x, int n, double *restrict out) {
    for (int i = 0; i < n; i++) {
        double left = i > 0 ? x[i - 1] : x[i], right = i + 1 < n ? x[i + 1] : x[i];
        out[i] = x[i] + 0.1*(left - 2*x[i] + right) + 0.01*x[i]*x[i]*x[i];
    }
}
void layer(const double *restrict x, int n, double *restrict out) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = 0; k < n; k++) s += x[k]*(1 + (i*7 + k*3) % 5);
        out[i] = tanh(0.01*s);
    }
}
"""
SIZES = {"recurrence": 64, "step": 1024, "layer": 256}


def seconds(function: Any, transform: Any, widths: tuple[int, ...], n: int, repeats: int) -> float:
    """The best time of one Jacobian."""
    sweeps.WIDTHS = widths  # type: ignore[assignment]
    jacobian = transform(function, wrt="x", outputs="out")
    x, out = np.linspace(0.1, 1.0, n), np.zeros(n)
    jacobian(x, n, out)
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        jacobian(x, n, out)
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    repeats = parser.parse_args().repeats
    program = em.compile_c(SOURCE)
    print(
        f"{'function':12} {'mode':8} {'sweeps':>6} {'one by one':>11} {'4 at once':>10} {'8 at once':>10} {'ratio':>6}"
    )
    for name, n in SIZES.items():
        for mode, transform in (("forward", em.jacfwd), ("reverse", em.jacrev)):
            one, four, eight = (seconds(program[name], transform, widths, n, repeats) for widths in ((), (4,), (8,)))
            print(
                f"{name:12} {mode:8} {n:6} {one * 1e3:8.2f} ms {four * 1e3:7.2f} ms {eight * 1e3:7.2f} ms"
                f" {one / min(four, eight):5.1f}x"
            )


if __name__ == "__main__":
    main()

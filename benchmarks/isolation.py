"""What one isolated call costs, beside the same call in the kernel.

    python -m benchmarks.isolation [--json FILE]

Prints microseconds per call (the best of 7 runs). The target is at most 30 on a machine that has nothing else to do; bytes in
shared memory cost nothing, those of other arrays one copy or two. A figure of this file is a measurement, never a test.
"""

from __future__ import annotations

import argparse
import json
import timeit
from collections.abc import Callable
from typing import Any

SOURCE = """
double cube(double x) { return x*x*x; }
double first(int n, const double x[n]) { return x[0]*x[0] + n; }
"""
CALLS, RUNS = 2000, 7


def cases() -> dict[str, Callable[[], Any]]:
    import numpy as np

    import enzyme_magic as em

    here, isolated = em.compile_c(SOURCE), em.compile_c(SOURCE, isolate=True)
    private, shared = np.ones(100_000), em.shared_empty(100_000)
    shared[:] = 1
    return {
        "cube in the kernel": lambda: here.cube(2.0),
        "cube isolated": lambda: isolated.cube(2.0),
        "gradient of cube isolated": lambda: isolated.cube.grad(2.0),
        "800 kB in shared memory": lambda: isolated.first(shared),
        "800 kB, copied": lambda: isolated.first(private),
        "8 bytes in shared memory": lambda: isolated.first(shared[:1]),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json")
    chosen = parser.parse_args()
    measured = {
        name: min(timeit.repeat(case, number=CALLS, repeat=RUNS)) / CALLS * 1e6 for name, case in cases().items()
    }
    for name, time in measured.items():
        print(f"{name:30} {time:8.1f}")
    if chosen.json:
        with open(chosen.json, "w") as file:
            json.dump(measured, file)


if __name__ == "__main__":
    main()

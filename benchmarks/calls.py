"""What one call costs: the C function, its gradient, and maps, beside what Python itself needs.

    python -m benchmarks.calls [--json FILE]

Prints nanoseconds per call (median of 7 runs), attribute access included, after the first calls: what is called often becomes a
built-in of Python. Targets: `relu3.grad(2.0)` in at most 150 ns, the gradient of two small arrays in 150 ns with `out=`, in 450 ns
with fresh results. A figure of this file is a measurement, never a test.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import statistics
import timeit
from typing import Any

SOURCE = """
double relu3(double x) {
    double result;
    if (x > 0)
        result = pow(x, 3);
    else
        result = 0;
    return result;
}
double mix(double a, double b, int k) { return a*b + k; }
double dot(size_t n, const double x[n], const double y[n]) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i]*y[i];
    return sum;
}
"""


def cases() -> dict[str, tuple[str, dict[str, Any]]]:
    """Name -> (statement, its names)."""
    import numpy as np

    import enzyme_magic as em

    program = em.compile_c(SOURCE, name="calls")
    relu3, mix, dot = program.relu3, program.mix, program.dot
    scalar = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(relu3.address)
    x, y = np.linspace(-2, 2, 16), np.ones(16)
    large = np.linspace(-2, 2, 1_000_000)
    _, pullback = dot.vjp(x, y)
    names = {
        "pullback": pullback,
        "given": em.grad(dot, out=(np.empty(16), np.empty(16))),
        "relu3": relu3,
        "mix": mix,
        "dot": dot,
        "scalar": scalar,
        "x": x,
        "y": y,
        "large": large,
    }
    statements = {
        "a ctypes call, bare": "scalar(2.0)",
        "relu3(2.0)": "relu3(2.0)",
        "relu3.grad(2.0)": "relu3.grad(2.0)",
        "relu3.grad(2)": "relu3.grad(2)",
        "relu3.value_and_grad(2.0)": "relu3.value_and_grad(2.0)",
        "mix(1.0, 2.0, 3)": "mix(1.0, 2.0, 3)",
        "mix.grad(1.0, 2.0, 3)": "mix.grad(1.0, 2.0, 3)",
        "dot(x, y), 16 elements": "dot(x, y)",
        "dot.grad(x, y), 16 elements": "dot.grad(x, y)",
        "em.grad(dot, out=…)(x, y), 16 elements": "given(x, y)",
        "dot.vjp(x, y), 16 elements": "dot.vjp(x, y)",
        "a pullback of it": "pullback(1.0)",
        "dot.jvp((x, y), (x, y)), 16 elements": "dot.jvp((x, y), (x, y))",
        "dot.jacobian(x, y), 16 elements": "dot.jacobian(x, y)",
        "relu3.map(x), 16 elements": "relu3.map(x)",
        "relu3.grad.map(x), 16 elements": "relu3.grad.map(x)",
        "relu3.grad.map, 1,000,000 elements": "relu3.grad.map(large)",
    }
    return {name: (statement, names) for name, statement in statements.items()}


def nanoseconds(statement: str, names: dict[str, Any], seconds: float = 0.05) -> float:
    """Median time of one execution."""
    timer = timeit.Timer(statement, globals=names)
    timer.timeit(200)
    count, _ = timer.autorange()
    count = max(1, int(count * seconds / 0.2))
    return statistics.median(timer.repeat(7, count)) / count * 1e9


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--json", help="also write the figures to this file")
    arguments = parser.parse_args()
    figures = {}
    for name, (statement, names) in cases().items():
        figures[name] = nanoseconds(statement, names)
        print(f"{name:40}{figures[name]:14,.0f} ns")
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(figures, file, indent=1)


if __name__ == "__main__":
    main()

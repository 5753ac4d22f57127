"""How fast LLVM text becomes a Module, and back: instructions per second on one core, and the scaling exponent.

The texts are a realistic C module (loops, branches, libm calls, debug info) at two optimization levels and several sizes,
compiled by the bundled clang and printed by LLVM once, as everything that reaches the parser. The exponent p is the slope of
log(time) over log(instructions): 1 is linear. Asked for: at least 25,000 instructions/s.

    python -m benchmarks.parse
"""

from __future__ import annotations

import math
import os
import platform
import subprocess
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from enzyme_magic.backend.ir.checks.verify import verify
from enzyme_magic.backend.ir.text.parser import parse
from enzyme_magic.backend.ir.text.printer import print_module
from enzyme_magic.backend.llvm import binding

SIZES = (25, 100, 400)
WANTED = 25_000
FUNCTION = """
double f{k}(double *x, const double *y, int n, struct scale *s) {{
    double r = {k}.5, t = 0.1;
    for (int i = 0; i < n; i++) {{
        if (y[i] > 0.3) r += sin(x[i]) * y[i]; else r -= exp(-x[i]) / (1 + y[i] * y[i]);
        x[i] = r * s->a + t;
        t = fma(r, t, s[i].b);
        switch (s->n + i) {{ case 1: t *= 2; break; case {k} + 2: t = sqrt(t); break; default: t -= 1; }}
    }}
    return r + t;
}}
"""
LEVELS = {"unoptimized": ["-O2", "-Xclang", "-disable-llvm-passes"], "-O2": ["-O2"]}


def text(folder: Path, functions: int, options: list[str]) -> str:
    """A module of `functions` functions, as LLVM prints it."""
    import ziglang

    head = "#include <math.h>\nstruct scale { double a, b; int n; };\n"
    source, output = folder / "large.c", folder / "large.ll"
    source.write_text(head + "".join(FUNCTION.format(k=k) for k in range(functions)))
    zig = Path(ziglang.__file__).parent / "zig"
    target = f"{platform.machine()}-linux-gnu"
    command = [
        str(zig),
        "cc",
        "-x",
        "c",
        str(source),
        "-target",
        target,
        "-g",
        "-fno-discard-value-names",
        "-fno-math-errno",
    ]
    caches = {"ZIG_GLOBAL_CACHE_DIR": str(folder / "zig"), "ZIG_LOCAL_CACHE_DIR": str(folder / "zig")}
    subprocess.run(
        [*command, "-fno-sanitize=all", *options, "-S", "-emit-llvm", "-o", str(output)],
        env=os.environ | caches,
        check=True,
        stderr=subprocess.DEVNULL,
    )
    return binding.canonical(output.read_text())


def seconds(work: Callable[[], object], repeat: int = 5) -> float:
    """Processor time of the quickest of `repeat` runs."""
    best = math.inf
    for _ in range(repeat):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def slope(points: list[tuple[int, float]]) -> float:
    """Least squares on the logarithms."""
    xs, ys = [math.log(n) for n, _ in points], [math.log(t) for _, t in points]
    mx, my = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((x - mx) * (y - my) for x, y in zip(xs, ys, strict=True)) / sum((x - mx) ** 2 for x in xs)


def main() -> None:
    slowest = math.inf
    with tempfile.TemporaryDirectory() as name:
        for level, options in LEVELS.items():
            measured: dict[str, list[tuple[int, float]]] = {"parse": [], "print": [], "verify": []}
            for size in SIZES:
                source = text(Path(name), size, options)
                module = parse(source)
                count = sum(1 for function in module.definitions() for _ in function.instructions())
                steps: dict[str, Callable[[], object]] = {
                    "parse": partial(parse, source),
                    "print": partial(print_module, module),
                    "verify": partial(verify, module),
                }
                for step, work in steps.items():
                    measured[step].append((count, seconds(work)))
            for step, points in measured.items():
                rates = ", ".join(f"{n / t:9,.0f}/s at {n:6,}" for n, t in points)
                print(f"{level:12} {step:7} {rates}   exponent {slope(points):.2f}")
            slowest = min(slowest, *(n / t for n, t in measured["parse"]))
    print(f"slowest parse: {slowest:,.0f} instructions/s (asked for: {WANTED:,})")


if __name__ == "__main__":
    main()

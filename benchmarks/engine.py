"""What a gradient costs to make: the stages from cell to gradient, and how the engine's own time grows with the program.

    python -m benchmarks.engine [--json FILE] [--cells] [--scale] [--whole] [--largest 30000]

Cells: relu3 from its text to a gradient that has been called, in a process that has compiled before (warm), and again from
disk; medians of 9. Asked for: at most 150 ms and 25 ms. Scale: three shapes (one block, many loop nests in one function, many
functions) at about 3,000, 10,000 and 30,000 IR instructions after pre-AD optimization; parsing, analyses and writing of the
derivative without LLVM's own time, each size in a process of its own. The exponent is the slope of log(time) over
log(instructions). Asked for: 10,000 instructions in at most 7 s, exponent at most 1.15, memory below 1 GB.

Whole: from C text to the first gradient, LLVM and the front end included, in a process that has compiled before and with
nothing on disk: straight-line functions of 1,000, 4,000 and 10,000 statements, the mixture model of `benchmarks/kernels`, and
four reverse derivatives of one loop, each of the one before. Seconds of the clock, and of the processor (this process alone).
Asked for: 20 s for 10,000 statements, 0.6 s for the mixture, 2 s for the four derivatives.
"""

from __future__ import annotations

import argparse
import dataclasses
import inspect
import json
import math
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

RELU3 = """double relu3(double x) {
    double result;
    if (x > 0)
        result = pow(x, 3);
    else
        result = 0;
    return result;
}
"""
REPEATS = 9
SIZES = (3_000, 10_000, 30_000)
WANTED = {"warm ms": 150.0, "disk ms": 25.0, "10,000 instructions s": 7.0, "exponent": 1.15, "memory MB": 1000.0}


# From cell to gradient


def cells() -> dict[str, dict[str, float]]:
    """Median milliseconds per stage, warm and from disk, and their sum as seen from outside."""
    from enzyme_magic.config import read_settings

    with tempfile.TemporaryDirectory() as folder:
        base = read_settings({**os.environ, "ENZYME_MAGIC_CACHE_DIR": folder})
        texts = [RELU3 + f"/* {k} */\n" for k in range(REPEATS + 1)]
        settings = dataclasses.replace(base, artifacts=True)
        warm = [_gradient(text, settings) for text in texts][1:]
        disk = [_gradient(text, settings) for text in texts][1:]
    return {"warm": _medians(warm), "disk": _medians(disk)}


def _gradient(text: str, settings: Any) -> dict[str, float]:
    """Milliseconds per stage from the text to the first gradient."""
    import ctypes

    from enzyme_magic.backend import pipeline
    from enzyme_magic.backend.autodiff.calls.request import Request
    from enzyme_magic.backend.frontend.sources import Source
    from enzyme_magic.config import Options

    start = time.perf_counter()
    program = pipeline.compile_program([Source(text, "In[1]")], Options(), settings, "In[1]")
    derivative = program.derivative(Request("relu3", wrt=(0,)))
    native = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(derivative.address)
    assert native(2.0) == 12.0
    total = (time.perf_counter() - start) * 1e3
    stages = dict(program.timings)
    for name, milliseconds in derivative.timings.items():
        stages[f"gradient: {name}"] = milliseconds
    return {**stages, "total": total}


def _medians(runs: list[dict[str, float]]) -> dict[str, float]:
    names = list(dict.fromkeys(name for run in runs for name in run))
    return {name: statistics.median(run.get(name, 0.0) for run in runs) for name in names}


# From text to gradient, everything included

TAYLOR = """double taylor(double x, int n) {
    double s = 0, t = 1;
    for (int i = 1; i <= n; i++) { s += t; t *= x / i; }
    return s;
}
"""
STATEMENTS = ("v{a}*v{b} + 0.5", "sin(v{a}) + v{b}", "v{a} - 0.3*v{b}", "v{a}/(1 + v{b}*v{b})")
WHOLE = ("1000 statements", "4000 statements", "10000 statements", "mixture", "four nested")


def straight_line(statements: int) -> str:
    """One function without control flow; each statement reads two of the twenty values before it."""
    draw = random.Random(statements)
    lines = ["#include <math.h>", "double f(double x, double y) {", "    double v0 = x, v1 = y;"]
    for k in range(2, statements):
        a, b = (draw.randrange(max(0, k - 20), k) for _ in range(2))
        lines.append(f"    double v{k} = {draw.choice(STATEMENTS).format(a=a, b=b)};")
    return "\n".join([*lines, f"    return v{statements - 1};", "}"])


def whole(case: str) -> dict[str, float]:
    """Seconds of one case in this process, after another program has been compiled and differentiated; NumPy is there already."""
    import numpy  # noqa: F401

    import enzyme_magic as em
    from benchmarks.timing.catalogue import KERNELS  # noqa: F401

    assert em.compile_c("double warm(double x) { return x*x; }")["warm"].grad(2.0) == 4.0
    clock, processor = time.perf_counter(), time.process_time()
    if case == "four nested":
        function: Any = em.compile_c(TAYLOR)["taylor"]
        for _ in range(4):
            function = em.grad(function, wrt="x")
            assert abs(function(0.5, 20) - math.exp(0.5)) < 1e-12
    elif case == "mixture":
        _mixture(em)
    else:
        em.compile_c(straight_line(int(case.split()[0])))["f"].grad(0.3, 0.4)
    return {"clock s": time.perf_counter() - clock, "processor s": time.process_time() - processor}


def _mixture(em: Any) -> None:
    from benchmarks.timing.catalogue import KERNELS

    kernel = KERNELS["gmm"]
    function = em.compile_c(kernel.text())["gmm"]
    parameters = list(inspect.signature(function).parameters)
    names = [parameters[k] for k in kernel.active]
    flat = [a.ravel() if hasattr(a, "ravel") else a for a in kernel.all_arguments()]
    em.grad(function, wrt=names)(*flat)


def wholes() -> dict[str, dict[str, float]]:
    """The seconds of every case, each in a fresh process with a store of its own."""
    found = {}
    for case in WHOLE:
        with tempfile.TemporaryDirectory() as folder:
            found[case] = child("--one", case, ENZYME_MAGIC_CACHE_DIR=folder)
    return found


def child(*arguments: str, **environment: str) -> dict[str, float]:
    """What this command prints in a fresh process."""
    command = [sys.executable, "-m", "benchmarks.engine", *arguments]
    inherited = {**os.environ, "PYTHONPATH": os.pathsep.join(p or "." for p in sys.path), **environment}
    done = subprocess.run(command, env=inherited, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr[-2000:])
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


# Scale


def one_block(instructions: int) -> str:
    """One function, one basic block."""
    lines = ["#include <math.h>", "double f(double a, double b) {"]
    for k in range(instructions // 3):
        target, other = ("a", "b") if k % 2 else ("b", "a")
        lines.append(f"    {target} = {'sin' if k % 3 else 'exp'}({target})*{other} + {target}*0.{k % 7 + 1};")
    return "\n".join([*lines, "    return a*b;", "}"])


NEST = """    for (int i = 0; i < n; i++) {{
        double t = s*0.{d};
        for (int j = 0; j < i; j++) {{
            t = sin(t*x[j]) + y[i]*x[j];
            if (t > 0.{d}) t -= x[i]*t; else t = t*t + y[j];
            y[j] = t*0.5 + y[j]*x[i];
        }}
        s += t*x[i] + exp(-t*t)*y[i];
        x[i] = s*0.3 + t;
    }}"""
PER_NEST = 58  # instructions after pre-AD
PER_FUNCTION = 66


def loop_nests(instructions: int) -> str:
    """One function of many loop nests in a row."""
    nests = [NEST.format(d=k % 8 + 1) for k in range(max(1, instructions // PER_NEST))]
    head = ["#include <math.h>", "double f(double *x, double *y, int n) {", "    double s = 0.5;"]
    return "\n".join([*head, *nests, "    return s;", "}"])


def functions(instructions: int) -> str:
    """Many functions that stay functions, each calling the one before."""
    parts = ["#include <math.h>"]
    count = max(1, instructions // PER_FUNCTION)
    for k in range(count):
        before = f"s = f{k - 1}(x, y, n, s*0.5);" if k % 10 else ""
        head = f"static __attribute__((noinline)) double f{k}(double *x, double *y, int n, double s) {{"
        parts += [head, f"    {before}", NEST.format(d=k % 8 + 1), "    return s;", "}"]
    calls = "".join(f"    s += f{k}(x, y, n, s);\n" for k in range(9, count, 10))
    return "\n".join(
        [*parts, "double f(double *x, double *y, int n) {", "    double s = 0.5;", calls + "    return s;", "}"]
    )


SHAPES: dict[str, Callable[[int], str]] = {"one block": one_block, "loop nests": loop_nests, "functions": functions}


def measure(shape: str, size: int) -> dict[str, float]:
    """Seconds of processor time of the engine's own stages for one program, in this process."""
    from enzyme_magic.backend import deriving, pipeline
    from enzyme_magic.backend.autodiff.calls.request import Request
    from enzyme_magic.backend.frontend.sources import Source
    from enzyme_magic.backend.ir.text import printer
    from enzyme_magic.backend.program.program_module import ProgramModule
    from enzyme_magic.config import Options, read_settings

    source = Source(SHAPES[shape](size), "scale.c")
    settings = dataclasses.replace(read_settings(), artifacts=False, source_limit=100_000_000)
    program = pipeline.compile_program([source], Options(post_opt=0), settings, "scale.c")
    start = time.process_time()
    module = ProgramModule.of(program.record.optimized_ir, [source])
    parsed = time.process_time()
    pointers = shape != "one block"
    request = Request("f", wrt=(0, 1), outputs=(0, 1) if pointers else ())
    derivation, _ = deriving.write(module, request, program.record)
    written = time.process_time()
    text = printer.print_module(derivation.module)
    end = time.process_time()
    count = sum(len(block.instructions) for f in module.module.definitions() for block in f.blocks)
    return {
        "instructions": count,
        "parse s": parsed - start,
        "analyse and write s": written - parsed,
        "print s": end - written,
        "total s": end - start,
        "derivative MB": len(text) / 1e6,
        "memory MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def scale(largest: int) -> dict[str, list[dict[str, float]]]:
    """The curve of every shape, each point in a fresh process."""
    found: dict[str, list[dict[str, float]]] = {}
    for shape in SHAPES:
        found[shape] = []
        for size in (s for s in SIZES if s <= largest):
            found[shape].append(child("--measure", shape, str(size)))
    return found


def exponent(points: list[dict[str, float]]) -> float:
    """The slope of log(time) over log(instructions) between the smallest and the largest."""
    first, last = points[0], points[-1]
    return math.log(last["total s"] / first["total s"]) / math.log(last["instructions"] / first["instructions"])


# Output


def show_cells(figures: dict[str, dict[str, float]]) -> None:
    for which, stages in figures.items():
        print(f"relu3, cell to gradient, {which} (asked for: {WANTED[f'{which} ms']:.0f} ms)")
        for name, milliseconds in stages.items():
            print(f"  {name:32}{milliseconds:10.2f} ms")


def show_scale(curves: dict[str, list[dict[str, float]]]) -> None:
    for shape, points in curves.items():
        print(f"{shape}:")
        for p in points:
            own = (
                f"parse {p['parse s']:.2f}, analyse and write {p['analyse and write s']:.2f}, print {p['print s']:.2f}"
            )
            print(f"  {p['instructions']:7.0f} instructions {p['total s']:7.2f} s ({own}) {p['memory MB']:6.0f} MB")
        if len(points) > 1:
            print(f"  exponent {exponent(points):.2f} (asked for: at most {WANTED['exponent']})")


def show_wholes(figures: dict[str, dict[str, float]]) -> None:
    print("from C text to the first gradient")
    for case, seconds in figures.items():
        print(f"  {case:20}{seconds['clock s']:8.2f} s, of the processor {seconds['processor s']:8.2f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--json", help="also write the figures to this file")
    parser.add_argument("--cells", action="store_true", help="only the cells")
    parser.add_argument("--scale", action="store_true", help="only the scale curve")
    parser.add_argument("--whole", action="store_true", help="only from text to gradient, everything included")
    parser.add_argument("--largest", type=int, default=SIZES[-1], help="the largest program of the curve")
    parser.add_argument("--measure", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(measure(options.measure[0], int(options.measure[1]))))
        return
    if options.one:
        print(json.dumps(whole(options.one)))
        return
    figures: dict[str, Any] = {"wanted": WANTED}
    everything = not (options.cells or options.scale or options.whole)
    if everything or options.cells:
        figures["cells"] = cells()
        show_cells(figures["cells"])
    if everything or options.whole:
        figures["whole"] = wholes()
        show_wholes(figures["whole"])
    if everything or options.scale:
        figures["scale"] = scale(options.largest)
        show_scale(figures["scale"])
    if options.json:
        Path(options.json).write_text(json.dumps(figures, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()

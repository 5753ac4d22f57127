"""Time of a gradient: what is generated, beside what one writes by hand, the reference, JAX and PyTorch.

    python -m benchmarks.kernels [--rounds N] [--variants NAMES] [--json FILE] [--plot FILE] [kernel …]

Every measurement has a process of its own, in which the variant and the function take turns (benchmarks/timing/worker.py). A round
measures each variant of a kernel once, one after the other. A figure is the median over rounds of the ratio of two measurements
of one round, with its 95 % interval. Arrays start at multiples of 64 bytes; arrays, shadows and tape are warm. Each gradient is
compared with the one by hand first. The variants are described in benchmarks/timing/variants.py; the line at the top says which
ran. A figure of this file is a measurement, never a test.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import platform
import re
import statistics
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.timing import plot, ratios
from benchmarks.timing.catalogue import CORE, KERNELS, OPTIMIZED, Kernel
from benchmarks.timing.variants import BACK, FRONT, NAMES
from enzyme_magic.backend.llvm import binding

ROOT = Path(__file__).resolve().parents[1]
OURS = ("by hand", "ours", "opt=0")
Figures = dict[str, list[dict[str, dict[str, Any] | None]]]  # kernel -> rounds


def measured(kernel: Kernel, variants: Sequence[str], rounds: int) -> list[dict[str, dict[str, Any] | None]]:
    """A variant that is not there, or fails, is not tried again."""
    there, done = list(variants), []
    for _ in range(rounds):
        turn = {name: _in_a_process(kernel, name) for name in there}
        there = [name for name in there if turn[name] is not None]
        done.append(turn)
    return done


def _in_a_process(kernel: Kernel, name: str) -> dict[str, Any] | None:
    """SystemExit where one of ours fails; a failure of another's is told and left out."""
    words = [sys.executable, "-m", "benchmarks.timing.worker", kernel.name, name]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    if done.returncode == 0:
        answer: dict[str, Any] | None = json.loads(done.stdout.splitlines()[-1])
        return answer
    last = (done.stderr.strip().splitlines() or [""])[-1]
    told = f"{kernel.name}, {name}: exit status {done.returncode}: {last}"
    if name in OURS:
        raise SystemExit(told)
    print(told, file=sys.stderr)
    return None


def processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return platform.processor()
    found = re.search(r"model name\s*:\s*(.*)", text)
    return found.group(1) if found else platform.machine()


def versions(ran: Sequence[str]) -> dict[str, str]:
    """Of what ran: processor, LLVM, packages, flags."""
    packages = {"ziglang", "llvmlite", "numpy"} | {name for name in ("jax", "torch", "enzyme-ad") if name in ran}
    found = {"processor": processor(), "LLVM": ".".join(map(str, binding.llvm_version()))}
    found |= {name: _version(name) for name in sorted(packages)}
    if "plugin" in ran:
        found["plugin"] = f"{os.environ.get('ENZYME_PLUGIN')} ({' '.join(FRONT)}, then {BACK[0]})"
    return found


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "of unknown version"


def ran(figures: Figures) -> list[str]:
    """The variants that were there for some kernel."""
    return [name for name in NAMES if any(turn.get(name) for rounds in figures.values() for turn in rounds)]


def print_table(figures: Figures) -> None:
    names = ran(figures)
    print("time of a gradient / time of the function; then ours / by hand with its 95 % interval")
    print(
        f"{'kernel':10} {'function':>11} "
        + "".join(f"{name:>10}" for name in names)
        + f"  {'ours / by hand':20} tape, faults"
    )
    for kernel, rounds in figures.items():
        base = statistics.median(done["primal"] for turn in rounds for done in turn.values() if done) * 1e6
        cells = [ratios.to_primal(rounds, name) for name in names]
        row = "".join(f"{cell.median:10.2f}" if cell else f"{'-':>10}" for cell in cells)
        print(f"{kernel:10} {base:8.1f} us {row}  {ratios.between(rounds, 'ours', 'by hand')!s:20} {_memory(rounds)}")


def _memory(rounds: Sequence[dict[str, dict[str, Any] | None]]) -> str:
    done = next((turn["ours"] for turn in rounds if turn.get("ours")), None)
    if done is None:
        return ""
    return f"{done['tape'] / 1024:,.0f} KB, {done['faults']}"


def print_means(figures: Figures) -> None:
    core = [kernel.name for kernel in CORE if kernel.name in figures]
    for other in [name for name in ran(figures) if name != "ours"]:
        _print_mean(figures, core, "ours", other, "core kernels")
    _print_mean(
        figures, [name for name in OPTIMIZED if name in figures], "opt=0", "ours", "before / after optimization", 20.0
    )


def _print_mean(figures: Figures, kernels: Sequence[str], this: str, that: str, what: str, most: float = 1e9) -> None:
    found = [ratios.between(figures[name], this, that) for name in kernels]
    values = [min(ratio.median, most) for ratio in found if ratio is not None]
    if values:
        cap = f", each at most {most:g}" if most < 1e9 else ""
        mean = ratios.geometric_mean(values)
        print(f"{what}: {this} / {that}: geometric mean {mean:.2f} over {len(values)} (largest {max(values):.2f}{cap})")


def plotted(figures: Figures) -> str:
    rows = {}
    for kernel, rounds in figures.items():
        found = {name: ratios.between(rounds, name, "by hand") for name in plot.MARKS}
        rows[kernel] = {name: ratio for name, ratio in found.items() if ratio is not None}
    return plot.picture(rows, "time of a gradient in times of the one by hand")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("kernels", nargs="*", help=f"of {', '.join(KERNELS)}")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument(
        "--variants", default=",".join(NAMES), help="comma-separated; by hand and ours are always there"
    )
    parser.add_argument("--json", help="also write every measurement to this file")
    parser.add_argument("--plot", help="also write the picture (SVG) to this file")
    arguments = parser.parse_args()
    chosen = arguments.kernels or list(KERNELS)
    variants = list(dict.fromkeys(["by hand", "ours", *arguments.variants.split(",")]))
    for unknown in [*(set(chosen) - set(KERNELS)), *(set(variants) - set(NAMES))]:
        parser.error(f"no such kernel or variant: {unknown}")
    figures: Figures = {}
    for name in chosen:
        figures[name] = measured(KERNELS[name], variants, arguments.rounds)
        print(f"{name}: {ratios.between(figures[name], 'ours', 'by hand')} of by hand", file=sys.stderr)
    found = versions(ran(figures))
    print("; ".join(f"{name} {value}" for name, value in found.items()) + f"; {arguments.rounds} rounds")
    print_table(figures)
    print_means(figures)
    if arguments.json:
        Path(arguments.json).write_text(json.dumps({"versions": found, "figures": figures}, indent=1), encoding="utf-8")
    if arguments.plot:
        Path(arguments.plot).write_text(plotted(figures), encoding="utf-8")


if __name__ == "__main__":
    main()

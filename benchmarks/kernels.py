"""Time of a gradient: what is generated, beside what one writes by hand, the reference, JAX and PyTorch.

    python -m benchmarks.kernels [--rounds N] [--variants NAMES] [--json FILE] [--docs] [kernel …]

Every measurement has a process of its own, in which the variant and the function take turns (benchmarks/timing/worker.py). A round
measures each variant of a kernel once, one after the other. A figure is the median over rounds of the ratio of two measurements
of one round, with its 95 % interval where there are six rounds or more. Arrays start at multiples of 64 bytes; arrays, shadows
and tape are warm. Each gradient is compared with the one by hand first. The variants are described in
benchmarks/timing/variants.py; the line at the top says which ran. A figure of this file is a measurement, never a test.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import math
import os
import platform
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.timing import pages, ratios
from benchmarks.timing.catalogue import CORE, KERNELS, OPTIMIZED, Kernel
from benchmarks.timing.variants import BACK, FRONT, NAMES
from enzyme_magic.backend.llvm import binding

ROOT = Path(__file__).resolve().parents[1]
MEASURED = ROOT / "docs" / "measured"
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
    print("time of a gradient / time of the function; then ours / by hand, with its 95 % interval from six rounds on")
    print(
        f"{'kernel':10} {'function':>11} " + "".join(f"{name:>10}" for name in names) + f"  {'ours / by hand':20} tape"
    )
    for kernel, rounds in figures.items():
        cells = [ratios.to_primal(rounds, name) for name in names]
        row = "".join(f"{cell.median:10.2f}" if cell else f"{'-':>10}" for cell in cells)
        last = f"{ratios.between(rounds, 'ours', 'by hand')!s:20} {pages.tape(rounds) / 1024:,.0f} KB"
        print(f"{kernel:10} {pages.function_time(rounds):8.1f} us {row}  {last}")


def means(figures: Figures) -> list[str]:
    """Sentences about all kernels that were measured."""
    core = [kernel.name for kernel in CORE if kernel.name in figures]
    found = [_mean(figures, core, "ours", other) for other in ran(figures) if other not in ("ours", "opt=0")]
    found.append(_mean(figures, core, "opt=0", "ours", 20.0))
    found.append(_mean(figures, [name for name in OPTIMIZED if name in figures], "opt=0", "ours", 20.0))
    return [sentence for sentence in found if sentence]


def _mean(figures: Figures, kernels: Sequence[str], this: str, that: str, most: float = math.inf) -> str:
    found = {name: ratios.between(figures[name], this, that) for name in kernels}
    values = {name: min(ratio.median, most) for name, ratio in found.items() if ratio is not None}
    if not values:
        return ""
    cap = "" if math.isinf(most) else f", each at most {most:g}"
    mean, largest = ratios.geometric_mean(list(values.values())), max(values, key=lambda name: values[name])
    over = f"geometric mean {mean:.2f} over {', '.join(values)}{cap}"
    return f"{this} / {that}: {over}; largest {values[largest]:.2f} ({largest})."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("kernels", nargs="*", help=f"of {', '.join(KERNELS)}")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument(
        "--variants", default=",".join(NAMES), help="comma-separated; by hand and ours are always there"
    )
    parser.add_argument("--json", help="also write every measurement to this file")
    parser.add_argument(
        "--docs", nargs="?", const=str(MEASURED), help="also write table and pictures of the documentation"
    )
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
    found["rounds"] = str(arguments.rounds)
    print("; ".join(f"{name} {value}" for name, value in found.items()))
    print_table(figures)
    sentences = means(figures)
    print("\n".join(sentences))
    if arguments.json:
        Path(arguments.json).write_text(json.dumps({"versions": found, "figures": figures}, indent=1), encoding="utf-8")
    if arguments.docs:
        pages.write(Path(arguments.docs), figures, found, ran(figures), sentences)


if __name__ == "__main__":
    main()

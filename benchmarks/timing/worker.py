"""One measurement in a process of its own: one variant beside the primal, in turns.

    python -m benchmarks.timing.worker KERNEL VARIANT

Prints one line of JSON; `null` where the variant is not there. The first call is in no figure: arrays, shadows and tape are warm.
"""

from __future__ import annotations

import json
import math
import resource
import statistics
import sys
import time
from typing import Any

import numpy as np

from benchmarks.timing.catalogue import KERNELS, Kernel
from benchmarks.timing.points import Point
from benchmarks.timing.variants import Timed, Variant, by_hand, make, primal

BLOCK = 3e-3  # seconds of one block, at least
BLOCKS = 7


def main() -> None:
    kernel, name = KERNELS[sys.argv[1]], sys.argv[2]
    print(json.dumps(measured(kernel, name)))


def measured(kernel: Kernel, name: str) -> dict[str, Any] | None:
    """primal, gradient: seconds of one call; faults: pages that one call of the gradient asks for; tape, stages: see Variant."""
    point = Point(kernel)
    start = time.perf_counter()
    variant = make(name, kernel, point)
    if variant is None:
        return None
    made = time.perf_counter() - start
    check(kernel, variant)
    function = primal(kernel, point)
    counts = calls(function), calls(variant.run)
    times = [(block(function, counts[0]), block(variant.run, counts[1])) for _ in range(BLOCKS)]
    return {
        "primal": statistics.median(base for base, _ in times),
        "gradient": statistics.median(gradient for _, gradient in times),
        "faults": faults(variant.run),
        "tape": variant.tape() if variant.tape else None,
        "made": made,
        "stages": variant.stages,
    }


def check(kernel: Kernel, variant: Variant) -> None:
    """SystemExit where the gradient is not the one by hand."""
    wanted, got = by_hand(kernel, Point(kernel)).gradient(), variant.gradient()
    if not np.allclose(got, wanted, rtol=1e-8, atol=1e-10 * np.abs(wanted).max()):
        raise SystemExit(f"{kernel.name}: not the gradient by hand (off by {np.abs(got - wanted).max():.2e})")


def calls(run: Timed) -> int:
    """How many calls fill a block."""
    run()
    start = time.perf_counter()
    run()
    return max(1, math.ceil(BLOCK / max(time.perf_counter() - start, 1e-7)))


def block(run: Timed, count: int) -> float:
    """Seconds of one call."""
    start = time.perf_counter()
    for _ in range(count):
        run()
    return (time.perf_counter() - start) / count


def faults(run: Timed) -> int:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    run()
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


if __name__ == "__main__":
    main()

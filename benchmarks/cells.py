"""What a compiled cell and its gradient leave behind in the process when nobody refers to them any more.

    python -m benchmarks.cells [--cells 2048] [--json FILE]

Prints kilobytes for each cell: of resident memory, and of what the C library's allocator has given out. The first cells are not
counted (LLVM and Python fill their tables); the count begins and ends where another of LLVM's linkers begins to serve
(backend/llvm/objects/jit.py), which takes memory until it goes. What is asked for: 2,000 cells in a kernel leave 20 MB or less.
A figure of this file is a measurement, never a test.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import itertools
import json
import os
from pathlib import Path

FIRST = 64


class _Allocated(ctypes.Structure):
    """struct mallinfo2 of glibc."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in ("arena", "ordblks", "smblks", "hblks", "mapped", "usmblks", "fsmblks", "used", "free", "keepcost")
    ]


def allocated() -> float:
    """Kilobytes, also of what is mapped; NaN where the C library does not tell."""
    library = ctypes.CDLL(None)
    if not hasattr(library, "mallinfo2"):
        return float("nan")
    library.mallinfo2.restype = _Allocated
    told = library.mallinfo2()
    return float(told.used + told.mapped) / 1024


def resident() -> float:
    """Kilobytes, after the allocator has given back what it can."""
    library = ctypes.CDLL(None)
    if hasattr(library, "malloc_trim"):
        library.malloc_trim(0)
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGESIZE") / 1024


def cell(number: int) -> None:
    import enzyme_magic as em

    text = f"double f(double x) {{ double s = {number}; for (int i = 0; i < 10; i++) s += x * x * s; return s; }}"
    em.compile_c(text, force=True).f.grad(2.0)


_made = itertools.count()


def _at_a_new_linker(number: int) -> tuple[tuple[float, float], int]:
    """Memory after so many cells, and as many more as one of LLVM's linkers, of which each keeps what it served, has left; and how
    many it has been."""
    from enzyme_magic.backend.llvm.objects.jit import _Session

    while (done := next(_made)) < number or _Session._now[False]._made > 4:
        cell(done)
    gc.collect()
    return (allocated(), resident()), done


def measured(cells: int) -> dict[str, float]:
    before, begun = _at_a_new_linker(FIRST)
    after, ended = _at_a_new_linker(begun + cells)
    cells = ended - begun
    return {
        "kB allocated per cell": (after[0] - before[0]) / cells,
        "kB resident per cell": (after[1] - before[1]) / cells,
        "MB resident after all": after[1] / 1024,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cells", type=int, default=2048)
    parser.add_argument("--json")
    chosen = parser.parse_args()
    os.environ["ENZYME_MAGIC_ARTIFACTS"] = "0"
    figures = measured(chosen.cells)
    for name, figure in figures.items():
        print(f"{name:30} {figure:8.1f}")
    if chosen.json:
        Path(chosen.json).write_text(json.dumps(figures))


if __name__ == "__main__":
    main()

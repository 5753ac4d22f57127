"""The tools of this folder see what they are there to see."""

from __future__ import annotations

import ctypes
import math
import signal
import subprocess
import sys

import pytest

from . import differences, pages
from .exact_arena import ExactArena, _Arena
from .test_heap import bytes_in_use

TOUCH = """
import ctypes, runpy, sys
import numpy as np
paged = runpy.run_path(sys.argv[1])["Paged"](np.zeros(5), sys.argv[2])
"""
ACCESSES = {
    "inside": ("end", "paged.array[:] = 1; ctypes.string_at(paged.address, 40)"),
    "after the end": ("end", "ctypes.string_at(paged.address + 40, 1)"),
    "before the start": ("start", "ctypes.string_at(paged.address - 1, 1)"),
    "a write to sealed memory": ("end", "paged.seal(); ctypes.memset(paged.address, 1, 1)"),
}


@pytest.mark.parametrize("access", ACCESSES)
def test_guard_pages(access: str) -> None:
    edge, code = ACCESSES[access]
    ended = subprocess.run([sys.executable, "-c", TOUCH + code, pages.__file__, edge])
    assert ended.returncode == (0 if access == "inside" else -signal.SIGSEGV)


def test_a_small_leak_is_seen() -> None:
    malloc = ctypes.CDLL(None).malloc
    malloc.restype, malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
    free = ctypes.CDLL(None).free
    free.argtypes = [ctypes.c_void_p]
    before = bytes_in_use()
    kept = [malloc(16) for _ in range(1000)]
    assert bytes_in_use() - before > 16_000
    for block in kept:
        free(block)


def test_a_block_left_on_the_tape_is_seen() -> None:
    tape = ExactArena(256)
    tape.check("nothing yet")
    _Arena.from_address(tape.address).current += 64
    with pytest.raises(AssertionError, match="left at 64 bytes"):
        tape.check("one block")


def test_differences() -> None:
    """They are as good as they say."""
    for f, slope in ((math.exp, 1.0), (lambda x: math.sin(50 * x), 50.0), (lambda x: abs(x - 3) * 1e6, -1e6)):
        estimate = differences.slope(f, 1.0)
        assert abs(estimate.value - slope) <= estimate.error + 1e-9 * abs(slope)
        assert estimate.error < 1e-7 * abs(slope)
    assert differences.slope(abs, 1.0).value == pytest.approx(0, abs=1e-9)
    jump = differences.slope(lambda x: float(x > 0), 1.0)
    assert jump.error > 1

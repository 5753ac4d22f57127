"""Lists, trees, vectors, tables on the heap: their gradients, and that nothing of theirs or ours is left behind."""

from __future__ import annotations

import ctypes
import math
from typing import Any

import numpy as np
import pytest

from enzyme_magic.backend.runtime import arena

from .calls import Call
from .checks import LEVELS, Case, check

REPEATS = 1000


def linked_list(n: int, x: Any) -> float:
    total = 1.0
    for i in reversed(range(n)):
        v = x[i] ** 2
        total = total * v / (i + 1) + math.cos(v)
    return total


def tree(depth: int, variables: int, x: Any, constants: Any, halves: bool = False) -> float:
    leaves = iter(range(2**depth))

    def value(depth: int) -> float:
        if depth == 0:
            k = next(leaves)
            return float(constants[k % variables] if k % 3 == 2 else x[k % variables])
        if depth % 3 == 2:
            return math.sin(value(depth - 1))
        left = value(depth - 1)
        first.append(left)
        return left * value(depth - 1) if depth % 2 else left + value(depth - 1)

    first: list[float] = []
    root = value(depth)
    return root + (0.5 * first[-1] if halves else 0)


def growing_vector(n: int, x: Any) -> float:
    v: list[float] = []
    for i in range(n):
        v.append(x[i])
        if i:
            v.append(v[-1] * v[len(v) // 2])
    return sum(value * (i + 1) for i, value in enumerate(v))


def ragged_rows(n: int, x: Any) -> float:
    before: list[float] = []
    for i in range(n):
        before = [before[j] * x[j] + 0.1 if j < i else x[i] for j in range(i + 1)]
    return float(sum(v * v for v in before))


def dictionary(n: int, x: Any) -> float:
    words = ["mass", "force", "time", "mass", "length", "time", "mass"]
    weights: dict[str, float] = {}
    for i in range(n):
        weights[words[i % 7]] = weights.get(words[i % 7], 1.0) * x[i]
    result = weights["mass"] + 2 * math.sin(weights["time"])
    return float(result + sum(0.01 * w * w for w in weights.values()))


def moving_product(n: int, x: Any, width: int, fade: float) -> float:
    ring, total = [1.0] * width, 0.0
    for i in range(n):
        ring[i % width] = x[i] + fade * ring[i % width]
        total += math.prod(ring)
    return total


CASES = [
    Case("heap", "linked_list", lambda r: [6, r.uniform(0.3, 1.5, 6)], linked_list),
    Case(
        "heap",
        "sorted_list",
        lambda r: [7, r.normal(size=7)],
        lambda n, x: (np.sort(x[x >= 0])[::-1] ** 2 * 0.5 ** np.arange((x >= 0).sum())).sum(),
    ),
    Case("heap", "tree", lambda r: [4, 3, r.normal(size=3), r.normal(size=3)], tree),
    Case("heap", "growing_vector", lambda r: [6, r.uniform(0.5, 1.5, 6)], growing_vector),
    Case("heap", "ragged_rows", lambda r: [5, r.uniform(0.5, 1.5, 5)], ragged_rows),
    Case("heap", "dictionary", lambda r: [7, r.uniform(0.5, 1.5, 7)], dictionary),
    Case("heap", "moving_product", lambda r: [7, r.uniform(0.5, 1.5, 7), 3, 0.2], moving_product),
    Case("heap", "decorated_tree", lambda r: [4, 3, r.normal(size=3), r.normal(size=3)]),
]


@pytest.mark.parametrize("opt", LEVELS)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_gradient(case: Case, opt: int) -> None:
    check(case, opt)


class _Mallinfo(ctypes.Structure):
    _fields_ = [
        (name, ctypes.c_size_t)
        for name in [
            "arena",
            "ordblks",
            "smblks",
            "hblks",
            "hblkhd",
            "usmblks",
            "fsmblks",
            "uordblks",
            "fordblks",
            "keepcost",
        ]
    ]


def bytes_in_use() -> int:
    """Of the C library's heap: small blocks and mapped ones."""
    mallinfo2 = ctypes.CDLL(None).mallinfo2
    mallinfo2.restype = _Mallinfo
    found = mallinfo2()
    return int(found.uordblks + found.hblkhd)


@pytest.mark.parametrize("minimum_cut", [True, False], ids=["min-cut", "conservative"])
@pytest.mark.parametrize("opt", [0, 2])
@pytest.mark.parametrize("case", CASES, ids=str)
def test_no_leak(case: Case, opt: int, minimum_cut: bool) -> None:
    """A thousand gradients later the heap holds what it held, and the tape is empty with the same few chunks. The heap is that of
    the whole process, in which other threads work, too: what leaks does so each time."""
    call = Call(case.source, case.function, opt)
    repeated = call.repeated(case.at(0), minimum_cut=minimum_cut)
    repeated(10)
    chunks, grown = arena.statistics().chunks, []
    while len(grown) < 3 and (not grown or grown[-1] >= 8 * REPEATS):
        before = bytes_in_use()
        repeated(REPEATS)
        grown.append(bytes_in_use() - before)
    assert grown[-1] < 8 * REPEATS, f"{grown} bytes more after {REPEATS} calls each"
    assert arena.statistics().in_use == 0
    assert arena.statistics().chunks == chunks

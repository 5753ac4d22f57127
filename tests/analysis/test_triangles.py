"""Loops whose bounds are numbers of outer loops: what the analysis calls safe is compared with what random nests do to an array."""

from __future__ import annotations

import random
from dataclasses import dataclass

import pytest

from enzyme_magic.backend.ir.instructions import Store

from .compiled import Compiled, both, compiled

TRIANGLE = "void f(double *restrict x, const double *restrict l, long n) {"

PROGRAMS = 60
SIZES = (-3, 0, 1, 2, 3, 5)


@dataclass(frozen=True, slots=True)
class _Nest:
    """for i … for j … (for k …) with affine bounds; a load in the innermost loop, a store `depth` loops deep, before or after what
    is inside. An index is (constant, factors of n, i, j, k)."""

    starts: tuple[tuple[int, ...], ...]
    ends: tuple[tuple[int, ...], ...]
    read: tuple[int, ...]
    written: tuple[int, ...]
    depth: int
    first: bool

    def text(self, name: str) -> str:
        store = f"x[{_spelled(self.written)}] = s;"
        body = f"s += x[{_spelled(self.read)}];"
        for level in range(len(self.starts), 0, -1):
            if level == self.depth:
                body = f"{store} {body}" if self.first else f"{body} {store}"
            v = "ijk"[level - 1]
            start, end = _spelled(self.starts[level - 1]), _spelled(self.ends[level - 1])
            body = f"for (long {v} = {start}; {v} < {end}; {v}++) {{ {body} }}"
        return f"double {name}(double *x, long n) {{ double s = 0; {body} return s; }}"

    def overwrites(self, n: int) -> bool:
        """Whether an element is written after it was read."""
        read = set[int]()
        return self._run([n], 1, read)

    def _run(self, values: list[int], level: int, read: set[int]) -> bool:
        hit = False
        for v in range(_value(self.starts[level - 1], values), _value(self.ends[level - 1], values)):
            now = [*values, v]
            writes = _value(self.written, now) in read if level == self.depth and self.first else False
            if level == len(self.starts):
                read.add(_value(self.read, now))
            else:
                hit |= self._run(now, level + 1, read)
            if level == self.depth and not self.first:
                writes |= _value(self.written, now) in read
            hit |= writes
        return hit


def _spelled(index: tuple[int, ...]) -> str:
    return " + ".join([str(index[0]), *(f"{c} * {v}" for c, v in zip(index[1:], "nijk", strict=False) if c)])


def _value(index: tuple[int, ...], values: list[int]) -> int:
    return index[0] + sum(c * v for c, v in zip(index[1:], values, strict=False))


def _nest(draw: random.Random) -> _Nest:
    depth = draw.choice((2, 2, 3))
    inner = draw.randint(1, depth)
    ends = [(0, 1), *(_bound(draw, level) for level in range(1, depth))]
    starts = [(draw.randint(0, 2),), *(draw.choice([(0,), _bound(draw, level)]) for level in range(1, depth))]
    coefficient = lambda: draw.choice((0, 0, 1, 1, -1, 2))  # noqa: E731
    read = (draw.randint(-2, 2), draw.choice((0, 0, 1)), *(coefficient() for _ in range(depth)))
    written = (draw.randint(-2, 2), draw.choice((0, 0, 1)), *(coefficient() for _ in range(inner)))
    return _Nest(tuple(starts), tuple(ends), read, written, inner, draw.random() < 0.5)


def _bound(draw: random.Random, level: int) -> tuple[int, ...]:
    """One number of the loops around, or n, and a constant."""
    which = draw.randint(0, level)
    return (draw.randint(-2, 1), *(int(k == which) for k in range(level + 1)))


@pytest.mark.parametrize("level", [0, 2])
def test_what_is_called_safe_is_never_overwritten(level: int) -> None:
    draw = random.Random(11)
    nests = [_nest(draw) for _ in range(PROGRAMS)]
    program = compiled("\n".join(nest.text(f"f{k}") for k, nest in enumerate(nests)), level)
    safe = 0
    for k, nest in enumerate(nests):
        if not _as_written(program, f"f{k}", len(nest.starts)):
            continue
        if program.overwrites(f"f{k}") == [None]:
            safe += 1
            assert not any(nest.overwrites(n) for n in SIZES), nest.text(f"f{k}")
    assert safe >= PROGRAMS // 8


def _as_written(program: Compiled, name: str, depth: int) -> bool:
    """Whether LLVM left the one load in the innermost loop, and the one store."""
    loads = program.loads(name)
    stores = [i for i in program.function(name).instructions() if isinstance(i, Store)]
    return [program.alias(name).loops.depth(load.parent) for load in loads] == [depth] and len(stores) == 1


def test_a_triangular_solve_reads_what_is_final() -> None:
    """x[j] with j < i is written before and never again: later iterations write x[i + 1] and further."""
    down = (
        "for (long i = 0; i < n; i++) { double s = 0; for (long j = 0; j < i; j++) s -= l[i*n + j]*x[j]; x[i] = s; } }"
    )
    up = "for (long i = n - 1; i >= 0; i--) { double s = 0; for (long j = i + 1; j < n; j++) s -= l[i*n + j]*x[j]; x[i] = s; } }"
    for program in (*both(TRIANGLE + down), *both(TRIANGLE + up)):
        assert not any(program.overwrites("f"))


def test_a_triangle_with_its_diagonal_is_not_final() -> None:
    source = "for (long i = 0; i < n; i++) { double s = 0; for (long j = 0; j <= i + 1; j++) s -= x[j]; x[i] = s; } }"
    for program in both(TRIANGLE + source):
        assert all(program.overwrites("f"))


def test_cholesky_reads_what_is_final() -> None:
    source = """for (long i = 0; i < n; i++) for (long j = 0; j < i; j++) { double s = 1;
      for (long k = 0; k < j; k++) s -= x[i*n + k]*x[j*n + k]; x[i*n + j] = s; } }"""
    for program in both(TRIANGLE + source):
        assert not any(program.overwrites("f"))


def test_a_header_runs_once_though_its_bound_is_below_zero() -> None:
    """With i < 3 the load executes for j = 0, beyond `j <= i - 3`; two iterations later x[0] is written."""
    source = (
        "for (long i = 0; i < n; i++) { double s = 0; for (long j = 0; s += x[j], j < i - 3; j++) ; x[i - 2] = s; } }"
    )
    assert all(compiled(TRIANGLE + source, 0).overwrites("f"))

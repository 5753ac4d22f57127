"""What the cache breakdown says the tape takes is what the arena gives out."""

from __future__ import annotations

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.backend.runtime import arena

SOURCE = """
#include <math.h>
double in_place(double *a, long n, double k) {
    double s = 0;
    for (long i = 0; i < n; i++) { a[i] = k*a[i]*a[i]; s += a[i]; }
    return s;
}
double recurrence(double x, long n) {
    for (long i = 0; i < n; i++) x = sin(x) + 0.1*x;
    return x;
}
double two_loops(double *a, long n) {
    for (long i = 0; i < n; i++) a[i] = exp(a[i])*a[i];
    double s = 1;
    for (long i = 0; i < n; i++) s = s*a[i] + 1;
    return s;
}
double sum_of_squares(const double *a, long n) {
    double s = 0;
    for (long i = 0; i < n; i++) s += a[i]*a[i];
    return s;
}
double rectangle(const double *x, long n) {
    double s = 1;
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) s = sin(s*x[i]) + x[j];
    return s;
}
double guarded(const double *x, long n) {
    double s = 1;
    for (long t = 0; t < 4; t++)
        for (long i = 0; i < n; i++) {
            double r = 0;
            for (long j = 2; j < n; j++) s = sin(s*x[j]);
            for (long j = 0; j < n; j++) r += exp(s*x[j]);
            s = r > n ? 1/r : sin(r);
        }
    return s;
}
double rarely(const double *x, long n) {
    double s = 1;
    for (long i = 0; i < n; i++)
        if (x[i] > 0.9)
            for (long j = 0; j < n; j++) s = sin(s*x[j]);
    return s;
}
double triangle(const double *x, long n) {
    double s = 1;
    for (long i = 0; i < n; i++)
        for (long j = 0; j < i; j++) s = sin(s*x[i]) + x[j];
    return s;
}
"""
ARGUMENTS = {
    "in_place": lambda n: (np.linspace(0.5, 1, n), n, 1.1),
    "recurrence": lambda n: (0.3, n),
    "two_loops": lambda n: (np.linspace(0.1, 0.4, n), n),
    "sum_of_squares": lambda n: (np.linspace(0.5, 1, n), n),
    "rectangle": lambda n: (np.linspace(0.5, 1, n), n),
    "guarded": lambda n: (np.linspace(0.01, 0.02, n), n),
    "rarely": lambda n: (np.linspace(0.5, 0.901, n), n),
    "triangle": lambda n: (np.linspace(0.5, 1, n), n),
}


@pytest.fixture(scope="module")
def program() -> em.Program:
    return em.compile_c(SOURCE)


def used(function: em.CFunction, name: str, n: int) -> int:
    gradient = em.grad(function)
    gradient(*ARGUMENTS[name](n))
    arena.reset_statistics()
    before = arena.statistics().total
    gradient(*ARGUMENTS[name](n))
    assert arena.statistics().in_use == 0
    return arena.statistics().total - before


@pytest.mark.parametrize("name", ["in_place", "recurrence", "two_loops", "sum_of_squares"])
@pytest.mark.parametrize("n", [64, 640])
def test_counted_loops_take_exactly_what_the_breakdown_says(program: em.Program, name: str, n: int) -> None:
    """Arrays of whole 64-byte blocks: no rounding hides a difference."""
    stored = program[name].cache()
    assert used(program[name], name, n) == stored.total_bytes(n=n)


@pytest.mark.parametrize("n", [1, 2, 64, 256])
def test_counted_nests_take_what_they_need(program: em.Program, n: int) -> None:
    """Room for all of a nest is made before it starts: nothing grows, whatever keeps the inner loop away at once (n = 1, 2)."""
    for name in ("rectangle", "guarded"):
        total = program[name].cache(at=ARGUMENTS[name](n)).measured.kept
        assert total <= used(program[name], name, n) <= total + 64 * 16
        em.check_grads(program[name], ARGUMENTS[name](n))


def test_no_room_is_made_for_what_may_not_run(program: em.Program) -> None:
    """One of 256 iterations visits the inner loop."""
    assert used(program.rarely, "rarely", 256) < 4 * 8 * 2 * 256


@pytest.mark.parametrize("n", [64, 256])
def test_triangles_grow_by_doubling(program: em.Program, n: int) -> None:
    """The arena gives out what is stored, and at most as much again for arrays that were outgrown, twice."""
    total = program.triangle.cache().total_bytes(n=n)
    assert total <= used(program.triangle, "triangle", n) <= 4 * total + 4096


def test_nothing_stored_takes_nothing(program: em.Program) -> None:
    assert program.sum_of_squares.cache().total_bytes() == 0

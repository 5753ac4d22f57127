"""`caching="checkpoint"`: loops run again from checkpoints. The gradient is the ordinary one, the memory is bounded."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.api.program import Program
from enzyme_magic.backend.analysis.derivatives.cache_plan import CHECKPOINT, Caching

C = r"""
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
double scalar(double x, double a, long n) {
    double v = x;
    for (long i = 0; i < n; i++) v = v + 0.001 * sin(a * v);
    return v * v;
}
float narrow(float x, float a, int n) {
    float v = x, w = 1;
    for (int i = 0; i < n; i++) { v = v + 0.01f * sinf(a * v) * w; w = w * 0.999f + 0.0001f * v; }
    return v * v;
}
double until(double x, double a, double tolerance) {
    double y = x;
    int k = 0;
    while (fabs(y * y * y - a) > tolerance && k < 1000) { y = y - 0.1 * (y * y * y - a) / (3 * y * y); k++; }
    return y + k;
}
double breaks(double x, double a, long n) {
    double v = x, s = 0;
    for (long i = 0; i < n; i++) {
        v = v + 0.01 * sin(a * v);
        s += v * v;
        if (s > 50) break;
        if (v > 2.5) { s += exp(v); break; }
    }
    return v * s;
}
double heap(const double *u0, int n, double nu, int steps) {
    double *u = malloc(n * sizeof *u), *v = malloc(n * sizeof *v);
    int *at = malloc(n * sizeof *at);
    for (int i = 0; i < n; i++) { u[i] = u0[i]; v[i] = 0; at[i] = (i + 1) % n; }
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) v[i] = u[i] + nu * (u[i - 1] - 2 * u[i] + u[at[i]]) * u[i];
        for (int i = 1; i < n - 1; i++) u[i] = v[i];
    }
    double s = 0;
    for (int i = 0; i < n; i++) s += u[i] * u[i];
    free(u); free(v); free(at);
    return s;
}
double inplace(double *u, int n, double nu, int steps) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++) u[i] += nu * (u[i - 1] - 2 * u[i] + u[i + 1]) * u[i];
    double s = 0;
    for (int i = 0; i < n; i++) s += u[i] * u[i];
    return s;
}
double forced(const double *w, double *x, int n, int m, double a) {
    double v = a;
    for (int t = 0; t < n; t++) {
        v = v * 0.999 + 0.01 * sin(v * w[t % m]) * x[t % m];
        x[1] = x[1] * 0.99 + 0.001 * v;
    }
    return v + x[1];
}
double nested(double x, double a, int n, int m) {
    double v = x;
    for (int i = 0; i < n; i++) {
        double w = v;
        for (int j = 0; j < m; j++) w += 0.001 * cos(a * w);
        v = 0.5 * v + 0.5 * w;
        if (v > 100) break;
    }
    return v * v;
}
double solved(double *u, int n, int steps, double tolerance) {
    for (int t = 0; t < steps; t++) {
        double r = 0;
        for (int i = 0; i < n; i++) r += fabs(u[i] * u[i] - 2);
        if (r < tolerance) return r + u[0];
        for (int i = 0; i < n; i++) u[i] -= 0.3 * (u[i] * u[i] - 2) / (2 * u[i]);
    }
    return u[0] * u[n - 1];
}
double two(double x, double a, int n) {
    double v = x, w = 1;
    for (int i = 0; i < n; i++) v += 0.01 * sin(a * v);
    for (int i = 0; i < n; i++) w = w * 0.999 + 0.001 * v * cos(w);
    return v * w;
}
__attribute__((noinline)) static double *either(double *a, double *b, int c) { return c > 3 ? a : b; }
double picks(double x, double a, int n, int c) {
    double p[2] = {x, a}, q[2] = {a, x * x};
    double *r = either(p, q, c);
    for (int i = 0; i < n; i++) {
        r[i & 1] = sin(p[1] * r[0]) + 0.1 * r[1];
        q[1] = cos(r[0] + p[0]) * q[1];
        p[0] = p[0] * q[0] + 0.01;
    }
    return p[0] + p[1] + q[0] * q[1] + r[0];
}
double regrown(double x, int n, int c) {
    double *p = malloc(16);
    p[0] = x; p[1] = 1;
    if (c) { double *w = malloc(16 * c); w[0] = p[0]; w[1] = 1; free(p); p = w; }
    for (int i = 0; i < n; i++) p[i & 1] = sin(p[0] * p[1]);
    double r = p[0];
    free(p);
    return r;
}
double prints(double x, int n) {
    for (int i = 0; i < n; i++) { x = sin(x); printf("%g\n", x); }
    return x;
}
double makes(double x, int n) {
    for (int i = 0; i < n; i++) {
        double *p = malloc(8 * n);
        for (int j = 0; j < n; j++) p[j] = sin(x + j);
        x = p[i] * p[n - 1 - i];
        free(p);
    }
    return x;
}
double state[4];
double hidden(double x, int n) {
    for (int i = 0; i < n; i++) { x = sin(x) * state[i & 3]; state[i & 3] = x; }
    return x;
}
double scatters(double *x, const int *at, int n) {
    for (int i = 0; i < n; i++) x[at[i]] = sin(x[at[i]] * x[0]);
    return x[0];
}
double moves(double *x, int n) {
    for (int i = 1; i < n; i++) x[i] = sin(x[i - 1] * x[i]);
    return x[n - 1];
}
double overwrites(double *x, int n) {
    double v = 1;
    for (int i = 0; i < n; i++) v = sin(v * x[i % 5]);
    x[3] = 0;
    return v + x[3];
}
double no_loop(double x) { return x * x; }
"""
RANDOM = np.random.default_rng(1)
U, W, X = RANDOM.random(40), RANDOM.random(7), RANDOM.random(7)
CALLS: dict[str, list[tuple[Any, ...]]] = {
    "scalar": [(0.3, 1.1, n) for n in (0, 1, 70_000)],
    "narrow": [(0.3, 1.1, n) for n in (0, 3, 70_000)],
    "until": [(1.5, 7.0, 1e-3), (1.0, 5.0, 1e-12), (1.0, 1.0, 1.0)],
    "breaks": [(0.3, 1.1, n) for n in (0, 1, 100, 100_000)],
    "heap": [(U, n, 0.1, steps) for n in (1, 3, 40) for steps in (0, 1, 300)],
    "inplace": [(U, n, 0.1, steps) for n in (2, 3, 40) for steps in (0, 1, 300)],
    "forced": [(W, X, n, 7, 0.4) for n in (0, 1, 1000)],
    "nested": [(0.4, 1.2, n, m) for n in (0, 1, 200) for m in (0, 50)],
    "picks": [(0.3, 0.7, 60, c) for c in (1, 5)],
    "solved": [(U + 0.5, n, steps, 1e-3) for n in (1, 40) for steps in (0, 1, 100)],
    "two": [(0.3, 1.2, n) for n in (0, 1, 1000)],
}


@cache
def program(opt: int) -> Program:
    return em.compile(C, opt=opt)


def same(opt: int, name: str, caching: str | Caching = "checkpoint") -> None:
    """The gradient is the ordinary one, up to the order of sums; the value is the same bit for bit."""
    function = program(opt)[name]
    checkpointed, usual = em.value_and_grad(function, caching=caching), em.value_and_grad(function)
    for arguments in CALLS[name]:
        (value, gradient), (expected, usual_gradient) = checkpointed(*arguments), usual(*arguments)
        assert value == expected
        parts = zip(*(g if isinstance(g, tuple) else (g,) for g in (gradient, usual_gradient)), strict=True)
        for part, other in parts:
            scale = 1e-12 * float(np.max(np.abs(other), initial=0)) if name != "narrow" else 1e-5
            np.testing.assert_allclose(part, other, rtol=1e-12 if name != "narrow" else 1e-5, atol=scale)


@pytest.mark.parametrize("name", CALLS)
def test_the_gradient_is_the_ordinary_one(name: str) -> None:
    same(2, name)


@pytest.mark.parametrize("name", ["breaks", "inplace", "solved"])
def test_without_optimization_too(name: str) -> None:
    same(0, name)


@pytest.mark.nightly
@pytest.mark.parametrize(
    "name", [name for name in CALLS if name != "solved"]
)  # at 1, two guards of one meaning are not seen
@pytest.mark.parametrize("opt", [0, 1, 3])
def test_at_all_levels(opt: int, name: str) -> None:
    same(opt, name)


def test_arrays_of_the_caller() -> None:
    """A parameter that is not asked for has derivatives on the way; memory ends as the function leaves it."""
    gradients = [em.grad(program(2).inplace, wrt="nu", donate=True, caching=c) for c in ("checkpoint", None)]
    first, second = U.copy(), U.copy()
    assert gradients[0](first, 40, 0.1, 50) == pytest.approx(gradients[1](second, 40, 0.1, 50), rel=1e-12)
    assert (first == second).all()


def test_few_slots_for_many_pieces() -> None:
    """Checkpoints are given up while the loop runs, and taken again in the reverse sweep."""
    same(2, "inplace", Caching(CHECKPOINT, bytes=64))


def test_the_tape_is_bounded() -> None:
    function, call = program(2).scalar, (0.3, 1.1, 1_000_000)
    measured = function.cache(at=call, caching="checkpoint").measured
    assert measured is not None
    assert 0 < measured.taken < 2_000_000 < 8 * call[2]


def test_the_plan_says_which_loops() -> None:
    lines = program(2).two.plan(caching="checkpoint").splitlines()
    assert len([line for line in lines if line.endswith("is checkpointed")]) == 2


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("prints", "printf prints"),
        ("makes", "malloc allocates"),
        ("hidden", "variable state"),
        ("scatters", "depends on data"),
        ("moves", "each iteration writes another place"),
        ("overwrites", "is changed or freed later"),
        ("regrown", "its extent is not known"),
        ("no_loop", "no loop of it keeps values"),
    ],
)
def test_what_cannot_be_checkpointed_says_why(name: str, why: str) -> None:
    function = program(2)[name]
    with pytest.raises(em.DifferentiationError, match=why) as caught:
        function.plan(wrt="x", caching="checkpoint")
    assert caught.value.code == "EM257"


def test_the_cache_says_what_is_kept() -> None:
    """Checkpoints of which loop, and no number that nobody knows before the call."""
    report = program(2).scalar.make_report(wrt="x", caching="checkpoint")
    (row,) = report.cache.stored()
    line = C.splitlines().index("    for (long i = 0; i < n; i++) v = v + 0.001 * sin(a * v);") + 1
    assert (row.expression, row.line) == (f"the state of the loop at line {line}", line)
    assert (report.cache.total, report.cache.bound, row.bytes, row.least) == ("0", "at least", "0", True)
    said = str(program(2).scalar.cache(wrt="x", caching="checkpoint"))
    assert "known after the call" in said
    with pytest.raises(em.ArgumentError, match="only the call tells"):
        program(2).scalar.cache(wrt="x", caching="checkpoint").total_bytes(n=10)
    assert all("em.static" not in fact.sentence for fact in report.facts)


def test_their_bytes_are_an_option() -> None:
    function, call = program(2).heap, (U, 40, 0.1, 400)
    small, usual = ({"preset": "checkpoint", "bytes": bytes_} for bytes_ in (4096, 1 << 23))
    few, many = (function.cache(at=call, caching=caching).measured for caching in (small, usual))
    assert few is not None
    assert many is not None
    assert few.taken < many.taken
    for wrong in (
        {"preset": "checkpoint", "bytes": 0},
        {"preset": "checkpoint", "bytes": "1M"},
        {"bytes": 64},
        {"preset": 3},
    ):
        with pytest.raises(em.ArgumentError) as caught:
            em.grad(function, caching=wrong)(*call)
        assert caught.value.code == "EM337"


def test_a_gradient_with_checkpoints_is_a_first_derivative() -> None:
    with pytest.raises(em.DifferentiationError, match="first derivatives") as caught:
        em.jvp(em.grad(program(2).scalar, wrt="x", caching="checkpoint"), (0.3, 1.1, 10), (1.0, None, None))
    assert caught.value.code == "EM257"

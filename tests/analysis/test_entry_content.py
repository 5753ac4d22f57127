"""Whether what an array holds before a call matters: answers, and the calls themselves with different contents."""

from __future__ import annotations

import ctypes
import itertools

import numpy as np
import pytest

import enzyme_magic as em

SOURCE = """
#include <stddef.h>
#include <string.h>
void matvec(const double *A, double *y, int n, int m) {
    for (int i = 0; i < n; i++) { y[i] = 0; for (int j = 0; j < m; j++) y[i] += A[i*m + j]*A[j]; }
}
void two_loops(const double *x, double *y, int n, int m) {
    for (int i = 0; i < n; i++) y[i] = 1 + x[i];
    for (int i = 0; i < n; i++) y[i] *= x[i];
}
void accumulate(const double *x, double *y, int n, int m) {
    for (int i = 0; i < n; i++) y[i] = 0;
    for (int j = 0; j < m; j++) for (int i = 0; i < n; i++) y[i] += x[j]*x[i];
}
void set(const double *x, double *y, size_t n, int m) {
    memset(y, 0, n*sizeof *y);
    for (size_t i = 0; i < n; i++) y[i] += x[i]*x[i];
}
void copied(const double *x, double *y, int n, int m) {
    if (n <= 0) return;
    memcpy(y, x, n*sizeof *y);
    for (int i = 0; i < n; i++) y[i] *= x[i];
}
double sums(const double *x, double *y, int n, int m) {
    double s = 0;
    for (int i = 0; i < n; i++) { y[i] = 2*x[i]; s += y[i]*y[i]; }
    return s;
}
double again(const double *x, double *y, int n, int m) {
    double s = 0;
    for (int k = 0; k < m; k++) {
        for (int i = 0; i < n; i++) y[i] = k*x[i];
        for (int i = 0; i < n; i++) s += y[i];
    }
    return s;
}
void three(const double *x, double *y, int n, int m) { y[0] = x[0]; y[1] = y[0]*x[1]; y[2] = y[1] + y[0]; }
void shorter(const double *x, double *y, int n, int m) {
    for (int i = 0; i < n; i++) y[i] = x[i];
    for (int i = 0; i < n - 1; i++) y[i] += y[i + 1];
}

void in_out(const double *x, double *y, int n, int m) { for (int i = 0; i < n; i++) y[i] += x[i]; }
void all_but_one(const double *x, double *y, int n, int m) {
    for (int i = 0; i < n - 1; i++) y[i] = 0;
    for (int i = 0; i < n; i++) y[i] += x[i];
}
void shifted(const double *x, double *y, int n, int m) {
    for (int i = 0; i < n; i++) y[i] = 0;
    for (int i = 0; i < n; i++) y[i] += y[i + m];
}
void sometimes(const double *x, double *y, int n, int m) {
    if (m > 0) for (int i = 0; i < n; i++) y[i] = 0;
    for (int i = 0; i < n; i++) y[i] += x[i];
}
void too_late(const double *x, double *y, int n, int m) {
    for (int k = 0; k < m; k++) {
        for (int i = 0; i < n; i++) y[i] += x[i];
        for (int i = 0; i < n; i++) y[i] = k;
    }
}
void maybe_never(const double *x, double *y, int n, int m) {
    for (int k = 0; k < m; k++) for (int i = 0; i < n; i++) y[i] = k;
    for (int i = 0; i < n; i++) y[i] *= x[i];
}
void broken_off(const double *x, double *y, int n, int m) {
    for (int i = 0; i < n; i++) { if (x[i] > 1e9) break; y[i] = 0; }
    for (int i = 0; i < n; i++) y[i] += x[i];
}
void with_gaps(const double *x, double *y, int n, int m) {
    for (int i = 0; i < n; i += 2) y[i] = 0;
    for (int i = 0; i < n; i++) y[i] += x[i];
}
void by_data(const double *x, double *y, int n, int m) {
    for (int i = 0; i < n; i++) if (x[i] > 0) y[i] = 0;
    for (int i = 0; i < n; i++) y[i] += x[i];
}
void recurrence(const double *x, double *y, int n, int m) { for (int i = 1; i < n; i++) y[i] = y[i-1]*x[i]; }
void elsewhere(const double *x, double *y, int n, int m) {
    for (int i = 0; i < n; i++) y[i] = 0;
    for (int i = 0; i < n; i++) y[(int)x[i] & 7] += 1;
}
void filtered(const double *x, double *y, int n, int m) { for (int i = 0; i < n; i++) if (x[i] > 0) y[i] = 1; }
__attribute__((noinline)) static void filter(const double *x, double *y, int n) {
    for (int i = 0; i < n; i++) if (x[i] > 0) y[i] = 1;
}
void filtered_below(const double *x, double *y, int n, int m) { filter(x, y, n); }
__attribute__((noinline)) static void fill(double *y, int n) { for (int i = 0; i < n; i++) y[i] = 1; }
void filled_below(const double *x, double *y, int n, int m) { if (x[0] > 0) m = 2; fill(y, n); y[0] = m; }
static void helper(double *y, int n) { for (int i = 0; i < n; i++) y[i] += 1; }
void (*hidden)(double *, int) = helper;
void passed_on(const double *x, double *y, int n, int m) { for (int i = 0; i < n; i++) y[i] = 0; hidden(y, n); }
double *stored;
void captured(const double *x, double *y, int n, int m) { stored = y; for (int i = 0; i < n; i++) y[i] = 0; y[n/2] += 1; }
"""
WRITTEN_FIRST = (
    "matvec",
    "two_loops",
    "accumulate",
    "set",
    "copied",
    "sums",
    "again",
    "three",
    "shorter",
    "filled_below",
)
MATTERS = (
    "in_out",
    "all_but_one",
    "shifted",
    "sometimes",
    "too_late",
    "maybe_never",
    "broken_off",
    "with_gaps",
    "by_data",
    "filtered",
    "filtered_below",
    "recurrence",
    "elsewhere",
    "passed_on",
    "captured",
)


@pytest.fixture(scope="module", params=[0, 1, 2, 3])
def p(request):
    return em.compile_c(SOURCE, opt=request.param)


@pytest.mark.parametrize("function", WRITTEN_FIRST)
def test_written_first(p, function):
    assert p.compiled.primal(function).read == (0,)
    assert 1 in p.compiled.primal(function).written


@pytest.mark.parametrize("function", MATTERS)
def test_content_that_matters(p, function):
    assert 1 in p.compiled.primal(function).read


def test_what_is_called_written_first_does_not_depend_on_the_content(p):
    """Two calls with different contents agree in everything they write."""
    x = np.linspace(-1, 2, 64)
    checked = 0
    for function in (*WRITTEN_FIRST, *MATTERS):
        if 1 in p.compiled.primal(function).read:
            continue
        checked += 1
        native = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int)(
            p[function].address
        )
        returns = str(p.compiled.signatures[function].result) == "double"
        for n, m in itertools.product(range(6), (-3, -1, 0, 1, 2, 5)):
            first, second = np.full(64, 3.0), np.full(64, -7.0)
            results = [native(x.ctypes.data, y.ctypes.data, n, m) for y in (first, second)]
            same = (first == second) | ((first == 3.0) & (second == -7.0))
            assert same.all(), (function, n, m)
            assert not returns or results[0] == results[1], (function, n, m)
    assert checked >= len(WRITTEN_FIRST)


def test_such_a_buffer_is_an_output_only(p):
    x, y = np.arange(4.0) + 1, np.full(4, np.nan)
    value, pullback = em.vjp(p.two_loops, x, y, 4, 0)
    assert np.allclose(value, (1 + x) * x)
    assert np.allclose(pullback(np.ones(4)), 1 + 2 * x)
    assert np.allclose(p.sums.grad(x, y, 4, 0), 8 * x)


CHECKED = """
#include <assert.h>
void squares(int n, const double *x, double *y) { for (int i = 0; i < n; i++) y[i] = x[i]*x[i]; }
void asserted(int n, const double *x, double *y) {
    for (int i = 0; i < n; i++) { assert(x[i] > 0); y[i] = x[i]; }
}
void left(int n, const double *x, double *y) {
    for (int i = 0; i < n; i++) { if (x[i] < 0) exit(3); y[i] = x[i]; }
}
void some(int n, const double *x, double *y) { for (int i = 0; i < n; i++) if (x[i] > 0) y[i] = x[i]; }
void skipped(int n, const double *x, double *y) {
    for (int i = 0; i < n; i++) { if (x[i] < 0) continue; assert(x[i] < 9); y[i] = x[i]; }
}
void stops(int n, const double *x, double *y) { for (int i = 0; i < n; i++) { if (x[i] < 0) return; y[i] = x[i]; } }
"""


@pytest.mark.parametrize("opt", [0, 2])
@pytest.mark.parametrize("sanitize", [False, True])
def test_what_is_read_does_not_depend_on_checks_that_end_the_call(sanitize, opt):
    """Nobody looks at an array after a failed check; a call that returns early is another matter."""
    p = em.compile_c(CHECKED, sanitize=sanitize, opt=opt)
    both = {"some", "skipped", "stops"}
    assert {name for name in p.functions if p[name].roles.read == {1, 2}} == both
    assert all(p[name].roles.read == {1} for name in set(p.functions) - both)
    x, y = np.array([1.0, 2.0]), np.full(2, 7.0)
    assert p.squares.vjp(2, x, y)[1](np.ones(2)).tolist() == [2.0, 4.0]

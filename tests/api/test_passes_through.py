"""A buffer that is written where the data say so is an output and an input: elsewhere it keeps what it held."""

from __future__ import annotations

import numpy as np
import pytest

import enzyme_magic as em

SOURCE = """
void part(const double *x, int n, double *o) { for (int i = 0; i < n; i++) if (x[i] > 0) o[i] = x[i]*x[i]; }
void chosen(const double *x, const int *mask, int n, double *o) { for (int i = 0; i < n; i++) if (mask[i]) o[i] = x[i]; }
int stops(const double *x, int n, double *o) {
    for (int i = 0; i < n; i++) { if (x[i] < 0) return 1; o[i] = sqrt(x[i]); }
    return 0;
}
void skipped(const double *x, int n, double *o) { if (x[0] < 0) return; for (int i = 0; i < n; i++) o[i] = x[i]; }
static void put(double *o, double a) { if (a > 0) *o = a; }
void helped(const double *x, int n, double *o) { for (int i = 0; i < n; i++) put(&o[i], x[i]); }
void scattered(const double *x, const int *at, int n, double *o) { for (int i = 0; i < n; i++) o[at[i]] = x[i]; }
void running(const double *x, int n, double *o) { int i = 0; while (x[i] > 0) { o[i] = x[i]; i++; } }
"""
WHOLE = """
void both(const double *x, int n, double *o) {
    for (int i = 0; i < n; i++) { if (x[i] > 0) o[i] = x[i]; else o[i] = -x[i]; }
}
void first_all(const double *x, int n, double *o) {
    for (int i = 0; i < n; i++) o[i] = 0;
    for (int i = 0; i < n; i++) if (x[i] > 0) o[i] = x[i];
}
void two_loops(const double *x, int n, double *o) {
    if (x[0] > 0) for (int i = 0; i < n; i++) o[i] = x[i];
    else for (int j = 0; j < n; j++) o[j] = 2*x[j];
}
int guarded(const double *x, int n, double *o) {
    if (n <= 0) return -1;
    for (int i = 0; i < n; i++) { double t = x[i]; while (t > 1) t /= 2; o[i] = t; }
    return 0;
}
void counted(const double *x, const int *size, double *o) { for (int i = 0; i < size[0]; i++) o[i] = x[i]; }
void inner(const double *x, int n, double *o) { for (int i = 1; i < n - 1; i++) o[i] = x[i-1] + x[i+1]; }
void rows(const double *a, int n, int m, double *o) {
    for (int i = 0; i < n; i++) { o[i] = 0; for (int j = 0; j < m; j++) { if (a[i*m+j] < 0) continue; o[i] += a[i*m+j]; } }
}
static void fill(double *o, double a) { *o = a > 0 ? a : 0; }
void helped(const double *x, int n, double *o) { for (int i = 0; i < n; i++) fill(o + i, x[i]); }
"""


@pytest.fixture(scope="module", params=[0, 2])
def p(request):
    return em.compile_c(SOURCE, opt=request.param)


def test_it_is_output_and_input(p):
    x, o = np.array([1.0, -2.0, 3.0]), np.array([7.0, 8.0, 9.0])
    kept = np.diag([0.0, 1.0, 0.0])
    assert np.array_equal(em.jacobian(p.part, wrt="o")(x, 3, o), kept)
    value, moved = p.part.jvp((x, 3, o), (None, None, np.ones(3)))
    assert np.array_equal(value, [1, 8, 9])
    assert np.array_equal(moved, [0, 1, 0])
    value, pullback = p.part.vjp(x, 3, o)
    assert np.array_equal(value, [1, 8, 9])
    g = pullback(np.ones(3))
    assert np.array_equal(g.x, [2, 0, 6])
    assert np.array_equal(g.o, [0, 1, 0])
    assert em.check_grads(p.part, (x, 3, o)).points


def test_every_way_to_leave_an_element(p):
    for name in p:
        assert "o" in str(p[name]).split("vjp: ")[1].split(" -> ")[0], name


@pytest.mark.parametrize("opt", [0, 2])
def test_what_is_wholly_written_is_an_output_only(opt):
    p = em.compile_c(WHOLE, opt=opt)
    for name in p:
        assert str(p[name]).split("vjp: ")[1].split(" -> ")[0] in ("x", "a"), name


INDICES = """
void stride(const double *x, int n, double *o) { for (int i = 0; i < n; i += 2) o[i] = x[i]*x[i]; }
void border(const double *x, int n, double *o) { for (int i = 1; i < n - 1; i++) o[i] = x[i-1] + x[i+1]; }
void third(const double *x, int n, double *o) { for (int i = 0; i < n; i++) if (i%3) o[i] = x[i]; }
"""


@pytest.mark.parametrize("opt", [0, 2])
def test_what_is_said_of_elements_that_indices_leave_out_is_true(opt):
    p = em.compile_c(INDICES, opt=opt)
    x, o = np.arange(1.0, 6), np.full(5, 7.0)
    for name, kept in {"stride": [1, 3], "border": [0, 4], "third": [0, 3]}.items():
        assert p[name].why(wrt="o") == "o has no gradient: nothing is computed from what it holds before the call"
        value, pullback = p[name].vjp(x, 5, o)
        assert np.array_equal(np.flatnonzero(value == 7), kept), "they hold what they held"
        assert em.check_grads(p[name], (x, 5, o)).points
        assert pullback(np.ones(5)).sum() == em.jacobian(p[name], wrt="x")(x, 5, o).sum()

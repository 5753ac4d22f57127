"""The exercises that need more than one C text: the cache with and without restrict, and functions in several sources. The others
are `sources/exercises.c`.
"""

from __future__ import annotations

import numpy as np
import pytest

import enzyme_magic as em

LEVELS = pytest.mark.parametrize("opt", [0, 1, 2, 3])

CACHED = """
void smooth(double *RESTRICT out, const double *RESTRICT in, int n) {
    for (int i = 0; i < n; i++) out[i] = in[i]*in[i];
}
void d_smooth(double *out, double *d_out, const double *in, double *d_in, int n) {
    __enzyme_autodiff((void *)smooth, enzyme_dup, out, d_out, enzyme_dup, in, d_in, n);
}
"""


@LEVELS
def test_what_restrict_saves(opt: int) -> None:
    """Without it `out` may be `in`: each number is kept for the way back. With it nothing is."""
    kept, free = (em.compile_c(CACHED.replace("RESTRICT", word), opt=opt) for word in ("", "restrict"))
    assert kept.smooth.cache().total_bytes(n=1000) == (8000 if opt else 16000)  # at -O0 read twice
    assert free.smooth.cache().total_bytes(n=1000) == 0
    x, seed = np.linspace(-1, 1, 7), np.linspace(1, 2, 7)
    for program in (kept, free):
        dx, d_out, out = np.zeros(7), seed.copy(), np.zeros(7)
        program.d_smooth(out, d_out, x, dx, 7)
        np.testing.assert_array_equal(dx, 2 * x * seed)
        np.testing.assert_array_equal(out, x * x)
    y, dy = x.copy(), np.ones(7)
    kept.d_smooth(y, dy, y, dy, 7)  # in place, which the version without restrict allows
    np.testing.assert_array_equal(y, x * x)
    np.testing.assert_allclose(dy, 2 * x, rtol=1e-15)


ANGLE = """
#include <math.h>
double length(const double *x, int n);
double angle(const double *x) { return atan2(x[1], x[0]); }
"""
LENGTH = """
#include <math.h>
static double sum(const double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i]*x[i]; return s; }
double length(const double *x, int n) { return sqrt(sum(x, n)); }
"""
MAIN = """
double length(const double *x, int n);
double angle(const double *x);
static double sum(const double *x) { return length(x, 2)*angle(x); }
void gradient(double *x, double *dx) { __enzyme_autodiff((void *)sum, x, dx); }
void of_length(double *x, double *dx) { __enzyme_autodiff((void *)length, x, dx, 2); }
"""


@LEVELS
def test_functions_in_several_sources(opt: int) -> None:
    """Static functions of one name in two sources stay apart."""
    program = em.compile([ANGLE, LENGTH, MAIN], opt=opt)
    x, dx = np.array([3.0, 4.0]), np.zeros(2)
    program.of_length(x, dx)
    np.testing.assert_allclose(dx, x / 5, rtol=1e-15)
    dx[:] = 0
    program.gradient(x, dx)
    angle = np.arctan2(4, 3)
    np.testing.assert_allclose(dx, x / 5 * angle + 5 * np.array([-4, 3]) / 25, rtol=1e-14)

"""Variables of a block that has been left: the reverse sweep reads what they held, at every level.

With a length that is a constant only after inlining, an array of variable length becomes a fixed one behind the `stacksave` of its
block, and the `stackrestore` releases it too.
"""

from __future__ import annotations

import pytest

import enzyme_magic as em

SOURCE = """
#include <math.h>
#include <stdlib.h>
#include <string.h>
static void mul6(int n, int m, double c[n][m], double u[n][m], const double *v) {
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) c[i][j] = u[i][j]*v[j] + (j ? c[i][j - 1] : 0)*0.3; }
static __attribute__((noinline)) void mul8(int n, int m, double c[n][m], double u[n][m], const double *v) {
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) c[i][j] = u[i][j]*v[j]; }
double f(double x, int n) {
    double v6, v8;
    {
        int h = n - 2, m = 2;
        double u[h][m], c[h][m];
        double v[m];
        for (int j = 0; j < m; j++) v[j] = cos(0.5*j);
        for (int i = 0; i < h; i++) for (int j = 0; j < m; j++) u[i][j] = 0.3*sin(x*i + j);
        mul6(h, m, c, u, v);
        v6 = 0; for (int i = 0; i < h; i++) for (int j = 0; j < m; j++) v6 += 0.3*u[i][j]*c[i][j];
    }
    {
        int h = n - 2, m = 2;
        double u[h][m], c[h][m];
        double v[m];
        for (int j = 0; j < m; j++) v[j] = cos(0.5*j);
        for (int i = 0; i < h; i++) for (int j = 0; j < m; j++) u[i][j] = 0.3*sin(0.5*i + j);
        mul8(h, m, c, u, v);
        memcpy(u[0], c[1], m*sizeof(double));
        v8 = 0; for (int i = 0; i < h; i++) for (int j = 0; j < m; j++) v8 += 0.3*u[i][j]*c[i][j];
    }
    return v6 + v8; }
"""


@pytest.mark.parametrize("opt", [0, 1, 2, 3])
def test_arrays_of_two_blocks(opt: int) -> None:
    f = em.compile(SOURCE, opt=opt)["f"]
    want = (f(0.7 + 1e-5, 6) - f(0.7 - 1e-5, 6)) / 2e-5
    assert em.grad(f)(0.7, 6) == pytest.approx(want, rel=1e-7)
    assert em.jvp(f, (0.7, 6), (1.0, None))[1] == pytest.approx(want, rel=1e-7)

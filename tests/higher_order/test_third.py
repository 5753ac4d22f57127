"""Third derivatives: what a derivative keeps is read by its own derivatives, which must not have to guess what it is. Against
differences of second derivatives.
"""

from __future__ import annotations

import pytest

import enzyme_magic as em
from tests import sampling

SOURCE = r"""
#include <math.h>
#include <stdlib.h>
double recursive(double x, int n) { return n ? sin(recursive(x*0.9, n - 1)) : x; }

/* recursion from a loop that branches: truth values are kept on a tape that a frame holds */
static double chosen(double x, int n) {
    double s = x;
    while (n > 0) {
        n--;
        if (n % 2) s = sin(s*x) + chosen(s*0.5, n/2); else s = s*x + 0.1;
    }
    return s;
}
double branching(double x, int n) { return chosen(x, n + 3); }

/* a helper that writes through a pointer, and tells by a truth value what it did */
static __attribute__((noinline)) int set(double *o, double p) {
    if (p > 0.5) { *o = sin(p)*p; return 1; }
    *o = exp(p);
    return 0;
}
double told(double x, int n) {
    double r = x, t;
    for (int k = 0; k < n; k++) r = set(&t, r*x) ? r + t*t : r*t*0.5;
    return r;
}
static void descend(double *a, int n) {
    if (n <= 1) return;
    int h = n/2;
    descend(a, h);
    descend(a + h, n - h);
    for (int i = 0; i < h; i++) { double u = a[i]; a[i] = sin(u) + a[h + i]*u; a[h + i] *= u; }
}
double halves(double x, int n) {
    double a[4], s = 0;
    for (int i = 0; i < 4; i++) a[i] = x*(0.3 + 0.1*i);
    descend(a, n + 1);
    for (int i = 0; i < 4; i++) s += a[i]*a[i];
    return s;
}
static double *grown(double p, int n) {
    double *w = malloc((n + 1)*sizeof *w);
    w[0] = p;
    for (int i = 0; i < n; i++) w[i + 1] = sin(w[i])*p;
    return w;
}
double blocks(double x, int n) {
    double r = x;
    for (int k = 0; k < n; k++) { double *t = grown(r*x, k + 1); r += t[k + 1]*t[0]; free(t); }
    return r;
}
static double expression(const char **s, double x) {
    char c = *(*s)++;
    if (c == '(') {
        double v = expression(s, x);
        while (**s != ')') { char o = *(*s)++; double w = expression(s, x); if (o == '+') v += w; else v *= w; }
        (*s)++;
        return v;
    }
    return c == 'x' ? x : c == 's' ? sin(expression(s, x)) : (c - '0')*0.25;
}
double parsed(double x, int n) {
    double r = 0;
    for (int i = 0; i < n; i++) { const char *p = "((x*s(x+2))*(x+sx))"; r += expression(&p, x + 0.1*r); }
    return r;
}

/* two recursions that write by pointers: the integers that a frame keeps lie beside numbers at places that cannot be told */
static void split(const double *a, int n, double *lo, double *hi) {
    if (n == 1) { *lo = a[0]*a[0]; *hi = a[0]; return; }
    double l, h, m, k;
    split(a, n/2, &l, &h);
    split(a + n/2, n - n/2, &m, &k);
    *lo = l*m + h;
    *hi = h*k + m;
}
double parts(double x, int n) {
    double a[4], l, h;
    for (int i = 0; i < 4; i++) a[i] = x + 0.1*i;
    split(a, n + 1, &l, &h);
    return l*h;
}
"""
POINT, LENGTH, STEP = 0.63, 3, 1e-3


@pytest.mark.parametrize("opt", [0, 1, 2, 3])
@pytest.mark.parametrize("name", ["recursive", "branching", "told", "halves", "blocks", "parsed", "parts"])
def test_third_derivative(name: str, opt: int) -> None:
    f = em.compile_c(SOURCE, opt=opt, post_opt=sampling.after_level(opt))[name]
    second = em.grad(em.grad(f, "x"), "x")
    third = em.grad(second, "x")(POINT, LENGTH)
    moved = [second(POINT + k * STEP, LENGTH) for k in (-2, -1, 1, 2)]
    slope = (moved[0] - 8 * moved[1] + 8 * moved[2] - moved[3]) / (12 * STEP)
    assert abs(third) > 0.1
    assert third == pytest.approx(slope, rel=1e-6, abs=1e-6)

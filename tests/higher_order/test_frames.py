"""Second derivatives where the first one keeps its values in frames and blocks: recursion of all shapes, structs of integers and
numbers, lists, memory that grows. Against differences of gradients; the two ways to them agree; the Hessian is symmetric.
"""

from __future__ import annotations

import numpy as np
import pytest

import enzyme_magic as em
from tests import sampling

RECURSION = r"""
#include <math.h>
double halves(const double *x, int n) {
    if (n == 1) return x[0];
    double a = halves(x, n/2), b = halves(x + n/2, n - n/2);
    return a*sin(b) + a*a;
}
double rest(const double *x, int n) { return n ? x[0]*x[0]*rest(x + 1, n - 1) : 1; }
static double subtree(const double *x, int n, int k) {
    if (k >= n) return 1;
    double l = subtree(x, n, 2*k + 1), r = subtree(x, n, 2*k + 2);
    return x[k]*l*r + sin(x[k]*l);
}
double tree(const double *x, int n) { return subtree(x, n, 0); }
static double even(double x, int n);
static double odd(double x, int n) { return n ? even(x*x, n - 1)*x : x; }
static double even(double x, int n) { return n ? odd(sin(x), n - 1) + x : 1; }
double mutual(const double *x, int n) { return odd(x[0], n + 1)*x[1] + even(x[2], n)*x[3]; }
static void fill(const double *x, double *w, int n) {
    if (!n) return;
    w[0] = x[0]*x[0]*(n > 1 ? x[1] : 1);
    fill(x + 1, w + 1, n - 1);
}
double filled(const double *x, int n) {
    double w[8] = {0}, s = 1;
    fill(x, w, n);
    for (int i = 0; i < n; i++) s *= w[i];
    return s;
}
"""
STRUCTS = r"""
#include <math.h>
#include <stdlib.h>
#include <string.h>
typedef struct { int k; double v; } tagged;
typedef struct { double v, w; } two;
typedef struct { double d; long k; double v; } three;
typedef struct { double x, y, z; } vector;
static __attribute__((noinline)) tagged step(tagged t) { tagged r = {t.k + 1, t.v*t.v*0.5 + t.k}; return r; }
double in_registers(const double *x, int n) {
    tagged t = {0, x[0]};
    double s = 0;
    for (int i = 0; i < n; i++) { t = step(t); s += sin(t.v*0.1)*x[i]; }
    return s;
}
static tagged deeper(tagged t, int n) {
    if (!n) return t;
    tagged r = deeper((tagged){t.k + 1, t.v*t.v}, n - 1);
    r.v *= t.v + r.k;
    return r;
}
double recursive(const double *x, int n) { return deeper((tagged){0, x[0]}, n).v*x[1]; }
double copied(const double *x, int n) {
    tagged a[8];
    double s = 1;
    for (int i = 0; i < n; i++) { a[i].k = i; a[i].v = x[i]; }
    for (int r = 0; r < 3; r++) {
        tagged t = a[r % n];
        memcpy(&a[r % n], &a[(r + 1) % n], sizeof t);
        a[(r + 1) % n] = t;
        s += s*a[r % n].v*a[r % n].k + a[0].v*s;
    }
    return s;
}
static __attribute__((noinline)) two swapped(two t) { return (two){t.w*t.w, t.v}; }
double swapping(const double *x, int n) {
    two t = {x[0], x[1]};
    double s = 0;
    for (int i = 0; i < n; i++) { t = swapped(t); s += t.v*t.w; }
    return s;
}
double on_the_heap(const double *x, int n) {
    three *t = malloc(n*sizeof *t);
    double s = 1;
    for (int i = 0; i < n; i++) t[i] = (three){x[i]*x[i], i, x[i]};
    for (int i = 0; i < n; i++) { three u = t[n - 1 - i]; s *= u.d*u.v + u.k; }
    free(t);
    return s;
}
static __attribute__((noinline)) vector unit(vector a) {
    double length = sqrt(a.x*a.x + a.y*a.y + a.z*a.z);
    return (vector){a.x/length, a.y/length, a.z/length};
}
double large(const double *x, int n) {
    vector v = {x[0], x[1], x[2]}, w = {x[1], x[2], x[3]};
    for (int i = 0; i < n; i++) { vector u = unit(v); v = (vector){u.y*w.x, u.z + w.y, u.x*u.y}; }
    return v.x + v.y*v.z;
}
struct node { double v; struct node *next; };
double listed(const double *x, int n) {
    struct node *first = 0;
    for (int i = 0; i < n; i++) {
        struct node *made = malloc(sizeof *made);
        made->v = x[i]*x[i];
        made->next = first;
        first = made;
    }
    double s = 0, p = 1;
    while (first) {
        p *= first->v;
        s += p;
        struct node *gone = first;
        first = first->next;
        free(gone);
    }
    return s;
}
double grown(const double *x, int n) {
    double *w = 0, s = 0;
    int room = 0;
    for (int i = 0; i < n; i++) {
        if (i >= room) { room = room ? 2*room : 1; w = realloc(w, room*sizeof(double)); }
        w[i] = x[i]*x[i]*(i ? w[i - 1] : 1);
    }
    for (int i = 0; i < n; i++) s += w[i]*x[0];
    free(w);
    return s;
}
"""
X = np.array([1.1, 0.7, 0.4, 0.9])
NAMES = {
    RECURSION: ("halves", "rest", "tree", "mutual", "filled"),
    STRUCTS: (*("in_registers", "recursive", "copied", "swapping", "on_the_heap", "large", "listed", "grown"),),
}
CASES = [(source, name) for source, names in NAMES.items() for name in names]


@pytest.mark.parametrize("opt", [0, 1, 2, 3])
@pytest.mark.parametrize(("source", "name"), CASES, ids=[name for _, name in CASES])
def test_hessian(source: str, name: str, opt: int) -> None:
    f = em.compile_c(source, opt=opt, post_opt=sampling.after_level(opt))[name]
    hessian = em.hessian(f)(X, 4)
    step = 1e-5
    rows = [(f.grad(X + step * e, 4) - f.grad(X - step * e, 4)) / (2 * step) for e in np.eye(4)]
    scale = 1 + np.abs(hessian).max()
    assert np.abs(hessian).max() > 0.1
    np.testing.assert_allclose(hessian, rows, atol=1e-7 * scale)
    np.testing.assert_allclose(hessian, hessian.T, atol=1e-12 * scale)
    _, pullback = em.vjp(em.grad(f), X, 4)
    np.testing.assert_allclose([pullback(e) for e in np.eye(4)], hessian, atol=1e-12 * scale)


PRODUCT = r"""
#include <stdlib.h>
double product(double x, int n) {
    double *w = malloc(n*sizeof *w), p = 1;
    for (int i = 0; i < n; i++) { w[i] = x*(i + 1); p *= w[i]; }
    free(w);
    return p;
}
static double first(double x, int n) { return __enzyme_autodiff((void *)product, x, n); }
static double forward(double x, int n) { return __enzyme_fwddiff((void *)first, x, 1.0, n); }
static double reverse(double x, int n) { return __enzyme_autodiff((void *)first, x, n); }
double third_reverse_forward(double x, int n) { return __enzyme_autodiff((void *)forward, x, n); }
double third_forward_reverse(double x, int n) { return __enzyme_fwddiff((void *)reverse, x, 1.0, n); }
double third_reverse(double x, int n) { return __enzyme_autodiff((void *)reverse, x, n); }
double third_forward(double x, int n) { return __enzyme_fwddiff((void *)forward, x, 1.0, n); }
"""


@pytest.mark.parametrize("opt", [0, 2])
def test_third_and_fourth_derivatives_over_the_heap(opt: int) -> None:
    program = em.compile_c(PRODUCT, opt=opt, post_opt=sampling.after_level(opt))
    for name in ("third_reverse_forward", "third_forward_reverse", "third_reverse", "third_forward"):
        assert program[name](1.5, 5) == pytest.approx(120 * 60 * 1.5**2, rel=1e-13), name
    derivative, wanted = program.product, 120 * 1.5**5
    for order in range(1, 5):
        derivative = em.grad(derivative)
        wanted *= (6 - order) / 1.5
        assert derivative(1.5, 5) == pytest.approx(wanted, rel=1e-13)


RECURSIONS = """
static double odd(double x, int n);
static double even(double x, int n) { return n == 0 ? x : odd(sin(x), n - 1)*x; }
static double odd(double x, int n) { return n == 0 ? x*x : even(cos(x), n - 1) + x*x*x; }
double both(double x, int n) { return even(x, n)*odd(x, n); }
"""


INTEGERS_ON_TAPES = """
static double halves(const double *a, int n) {
    return n == 1 ? a[0]*a[0]*a[0] : halves(a, n/2)*sin(halves(a + n/2, n - n/2));
}
double ranges(double x, int n) {
    double a[8];
    for (int i = 0; i < n; i++) a[i] = x + 0.1*i;
    return halves(a, n);
}
"""


@pytest.mark.parametrize(
    ("source", "name", "opt"),
    [(RECURSIONS, "both", 0), (RECURSIONS, "both", 2), (INTEGERS_ON_TAPES, "ranges", 2)],
)
def test_third_derivatives_through_recursions(source: str, name: str, opt: int) -> None:
    second = em.grad(em.grad(em.compile_c(source, opt=opt)[name], "x"), "x")
    x, h = 0.7, 1e-4
    difference = (second(x + h, 3) - second(x - h, 3)) / (2 * h)
    assert em.grad(second, "x")(x, 3) == pytest.approx(difference, rel=1e-6)

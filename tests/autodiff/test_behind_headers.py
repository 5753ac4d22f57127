"""Helpers that copy, clear or move more than one object of what their parameter points to, or their block's number of bytes."""

from __future__ import annotations

import numpy as np
import pytest

import enzyme_magic as em

SOURCE = r"""
#include <stdlib.h>
#include <string.h>
typedef struct { int n; double *w; } G;
typedef struct { long n, m; } H;
typedef struct { double a; int n; } M;
static G *made(int n) { G *a = malloc(sizeof(G) + n*8); a->n = n; a->w = (double *)(a + 1); return a; }
static double *numbers(H *h) { return (double *)(h + 1); }
static void copy(G *d, const G *s) { memcpy(d, s, sizeof(G) + 32); d->w = (double *)(d + 1); }
static void copy_one(G *d, const G *s) { memcpy(d, s, sizeof(G) + 8); d->w = (double *)(d + 1); }
static void copy_void(void *d, const void *s) { memcpy(d, s, 32); }
static void clear(G *d) { memset(d + 1, 0, 32); }
static void move(G *d) { memmove(d + 1, (char *)(d + 1) + 8, 24); }
static void copy_three(M *d, const M *s) { memcpy(d, s, 3*sizeof(M)); }
double whole(double x) {
    G *a = made(4), *b = made(4); a->w[0] = x*x; a->w[3] = 2*x; copy(b, a);
    double r = b->w[0]*b->w[3]; free(a); free(b); return r; }
double one(double x) {
    G *a = made(1), *b = made(1); a->w[0] = x*x; copy_one(b, a);
    double r = b->w[0]; free(a); free(b); return r; }
double untyped(double x) {
    H *a = malloc(32), *b = malloc(32); a->n = 2; numbers(a)[0] = x*x; numbers(a)[1] = x; copy_void(b, a);
    double r = numbers(b)[0]*numbers(b)[1]; free(a); free(b); return r; }
double cleared(double x) {
    G *a = made(4); a->w[0] = x*x; a->w[3] = 2*x; double t = a->w[0]; clear(a); a->w[1] = x;
    double r = t*a->w[1] + a->w[0] + a->w[3]; free(a); return r; }
double moved(double x) {
    G *a = made(4); for (int i = 0; i < 4; i++) a->w[i] = x*x*(i + 1); move(a);
    double r = a->w[0]*a->w[2]; free(a); return r; }
double array(double x) {
    M a[3] = {{x, 1}, {x*x, 2}, {2*x, 3}}, b[3]; copy_three(b, a); return b[0].a*b[1].a*b[2].a*b[2].n; }
"""
NAMES = ("whole", "one", "untyped", "cleared", "moved", "array")


@pytest.mark.parametrize("opt", [0, 1, 2])
def test_constant_sizes(opt: int) -> None:
    program = em.compile(SOURCE, opt=opt)
    for name in NAMES:
        f = program[name]
        difference = (f(1.5 + 2.0**-20) - f(1.5 - 2.0**-20)) * 2.0**19
        np.testing.assert_allclose([f.grad(1.5), em.jvp(f, (1.5,), (1.0,))[1]], difference, 1e-6, err_msg=name)


HANDLE = r"""
#include <stdlib.h>
#include <string.h>
struct impl { size_t deg, dim, n; };
typedef struct { struct impl *p; } S;
NI double *number(const S *s) { return (double *)(&s->p[1]); }
NI size_t len(const S *s) { return s->p->n*s->p->dim; }
NI size_t size(const S *s) { return sizeof(struct impl) + len(s)*sizeof(double); }
NI int make(size_t n, size_t dim, S *s) {
    s->p = malloc(sizeof(struct impl) + n*dim*sizeof(double));
    if (!s->p) return 1;
    s->p->deg = n < 3 ? 0 : n - 3, s->p->dim = dim, s->p->n = n;
    return 0; }
NI void set(S *s, const double *c) { memmove(number(s), c, len(s)*sizeof(double)); }
NI int copy(const S *a, S *b) {
    size_t bytes = size(a);
    b->p = malloc(bytes);
    if (!b->p) return 1;
    memcpy(b->p, a->p, bytes);
    return 0; }
NI void grow(S *s) { s->p = realloc(s->p, 2*size(s)); }
NI void move(S *a, S *b) { if (a == b) return; b->p = a->p; a->p = 0; }
NI S none(void) { S s; s.p = 0; return s; }
NI void done(S *s) { if (s->p) free(s->p); s->p = 0; }
NI void differences(const S *s, S *o) {
    S w, q; copy(s, &w);
    double *x = number(&w);
    size_t d = s->p->dim;
    for (size_t k = 0; k < len(s) - d; k++) { x[k] = x[k + d] - x[k]; x[k] *= 2 + s->p->deg; x[k] /= 3.0; }
    make(s->p->n - 1, d, &q); memcpy(number(&q), x, len(&q)*sizeof(double));
    move(&q, o); done(&w); }
static double total(const S *s) {
    double *x = number(s), r = 0;
    for (size_t i = 0; i < len(s); i++) r += (i + 1)*x[i]*x[i];
    return r; }
double copied(const double c[8]) {
    S s, w = none(); make(4, 2, &s); set(&s, c); copy(&s, &w);
    double r = total(&w); done(&s); done(&w); return r; }
double differed(const double c[8]) {
    S s = none(), w = none(); make(4, 2, &s); set(&s, c); differences(&s, &w);
    double r = total(&w); done(&s); done(&w); return r; }
double grown(const double c[8]) { S s = none(); make(4, 2, &s); set(&s, c); grow(&s); double r = total(&s); done(&s); return r; }
"""


@pytest.mark.parametrize("opt", [0, 1, 2])
@pytest.mark.parametrize("place", ["static", "static __attribute__((noinline))"])
def test_sizes_that_a_function_tells(opt: int, place: str) -> None:
    """sum of i x^2 over the numbers behind a header, copied, moved or reallocated with it by functions that see the header only."""
    program = em.compile("#define NI " + place + HANDLE, opt=opt)
    c, weights = np.linspace(-1.0, 2.5, 8), np.arange(1, 9)
    step = np.diff(c.reshape(4, 2), axis=0)
    inner = 2 * weights[:6].reshape(3, 2) * step
    differences = np.concatenate([np.zeros((1, 2)), inner]) - np.concatenate([inner, np.zeros((1, 2))])
    wanted = {"copied": 2 * weights * c, "differed": differences.ravel(), "grown": 2 * weights * c}
    for name, gradient in wanted.items():
        f = program[name]
        np.testing.assert_allclose(f.grad(c), gradient, rtol=1e-12, atol=1e-12, err_msg=name)
        pushed = em.jvp(f, (c,), (np.ones(8),))[1]
        np.testing.assert_allclose(pushed, gradient.sum(), rtol=1e-12, atol=1e-12, err_msg=name)


def test_saturating_sizes() -> None:
    """`m < n ? 0 : m - n` is one instruction for LLVM, and where a number may lie the run says that it computes with none."""
    program = em.compile(
        r"""
#include <stdlib.h>
struct net { size_t n, h; };
static __attribute__((noinline)) void fill(struct net *net, size_t s, double x) {
    size_t n = net->n;
    net->h = n < s ? 0 : n - s;
    double *v = (double *)(net + 1);
    for (size_t i = 0; i < net->h; i++) v[i] = x*(i + 1); }
static __attribute__((noinline)) double sum(const struct net *net) {
    const double *v = (const double *)(net + 1);
    double r = 0;
    for (size_t i = 0; i < net->h; i++) r += v[i]*v[i];
    return r; }
double f(double x) {
    struct net *net = malloc(sizeof *net + 4*sizeof(double)); net->n = 5; fill(net, 2, x);
    double r = sum(net); free(net); return r; }
""",
        opt=2,
    )
    assert program.f.grad(1.5) == pytest.approx(2 * 14 * 1.5)
    assert em.jvp(program.f, (1.5,), (1.0,))[1] == pytest.approx(2 * 14 * 1.5)


@pytest.mark.parametrize("opt", [0, 1, 2])
def test_a_table_of_rows_in_code_without_declarations(opt: int) -> None:
    """x^4 times a constant: tangents that C code asks for are differentiated again, and no declaration tells of their memory."""
    program = em.compile(
        r"""
#include <stdlib.h>
#include <string.h>
typedef struct { double **row, *d; } M;
static M *made(int n) {
    M *m = malloc(sizeof(M) + n*sizeof(double *) + n*n*sizeof(double));
    m->row = (double **)(m + 1), m->d = (double *)(m->row + n);
    for (int i = 0; i < n; i++) m->row[i] = m->d + i*n;
    return m; }
double rows(double x, int n) {
    M *a = made(n), *b = made(n);
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a->row[i][j] = x*x*(i + 2*j);
    memcpy(b->d, a->d, n*n*sizeof(double));
    double r = b->row[1][1]*b->row[0][1]; free(a); free(b); return r; }
double __enzyme_fwddiff(void *, ...);
double slope(double x, int n) { return __enzyme_fwddiff((void *)rows, x, 1.0, n); }
""",
        opt=opt,
    )
    assert program.slope(1.5, 3) == pytest.approx(6 * 4 * 1.5**3)
    assert program.slope.grad(1.5, 3) == pytest.approx(6 * 12 * 1.5**2)

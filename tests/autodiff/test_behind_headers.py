"""Helpers that copy, clear or move a constant number of bytes, more than one object of what their parameter points to."""

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

"""Structs that mix arrays of floating numbers with integers and padding, copied as a whole: by value, by memcpy, into results.

An access by variable index stays in the member array that it begins in, so the copy knows which bytes are which.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .harness import check

X = np.array([0.3, 0.5, 0.7, 0.4, 0.9, 0.2, 0.8, 0.6, 0.35])
SOURCE = """
#include <math.h>
#include <string.h>
#include <stdlib.h>
typedef struct { double a[3][3]; int swaps; } matrix3;
__attribute__((noinline)) static matrix3 multiplied(matrix3 l, matrix3 r) {
    matrix3 out = {{{0}}, l.swaps + r.swaps + 1};
    for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) for (int k = 0; k < 3; k++) out.a[i][j] += l.a[i][k]*r.a[k][j];
    return out;
}
double matrix_power(const double *a, int power) {
    matrix3 result = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, 0}, base;
    memcpy(base.a, a, sizeof base.a);
    base.swaps = 0;
    for (; power; power >>= 1) { if (power & 1) result = multiplied(result, base); base = multiplied(base, base); }
    return result.a[0][0] + result.a[1][2] + result.swaps*result.a[2][1];
}
typedef struct { float w[3]; long n; } weights;
static weights enlarged(weights b, float by) { for (int i = 0; i < 3; i++) b.w[i] *= by; b.n++; return b; }
double single_members(const double *x, int n) {
    weights b = {{x[0], x[1], x[2]}, n};
    b = enlarged(b, x[3]);
    return b.w[0]*b.w[1] + b.w[2]*b.n;
}
typedef struct { int k; long double x; long double y[2]; } wide;
__attribute__((noinline)) static wide moved(wide p, double f) { p.x *= f; p.y[1] += p.x; p.k++; return p; }
double long_double_members(const double *x, int k) {
    wide p = {k, x[0], {x[1], x[2]}}, q = p;
    q = moved(q, x[0]);
    return q.x*q.y[0]*q.k + q.y[1];
}
double array_of_structs(const double *x, int n) {
    weights *a = malloc(n*sizeof *a), *b = malloc(n*sizeof *b);
    for (int i = 0; i < n; i++) { a[i].n = i; for (int j = 0; j < 3; j++) a[i].w[j] = (float)x[3*i + j]; }
    memcpy(b, a, n*sizeof *b);
    double s = 0;
    for (int i = 0; i < n; i++) for (int j = 0; j < 3; j++) s += b[i].w[j]*b[n - 1 - i].w[j]*b[i].n;
    free(a); free(b);
    return s;
}
struct pair { int tag; double x; double y[2]; };
static inline void written(double x, double *p, double *q) { *p = fabs(x); *q = 0.333*(x*1.5) + 0.4**p; }
static __attribute__((noinline)) void updated(struct pair *p, double f) { p->y[0] = 0.8; p->y[1] *= tanh(f*p->x + p->x); }
typedef struct { char name[6]; float w; double x; } named;
typedef struct { int k[2]; double x; } tagged;
typedef struct { double w[3]; double *p; float z; } pointing;
typedef struct { float w[2]; double x; } mixed;
typedef struct { int n; struct { int k[2]; float e; double x; } in; } nested;
__attribute__((noinline)) static void copied(void *to, const void *from, size_t n) { memcpy(to, from, n); }
__attribute__((noinline)) static void copied_words(void *to, const void *from, size_t n) { memcpy(to, from, n*4); }
__attribute__((noinline)) static void copied_longs(void *to, const void *from, size_t n) { memcpy(to, from, n*8); }
__attribute__((noinline)) static void cleared(void *to, size_t n) { memset(to, 0, n); }
double begins_with_characters(double x) {
    named a = {"ab", x, x*x}, *b = malloc(sizeof *b);
    copied(b, &a, sizeof a);
    cleared(&a, sizeof a);
    double r = b->x + b->w*b->name[1] + a.x*x;
    free(b);
    return r;
}
double begins_with_integers(double x) {
    tagged a = {{1, 2}, x*x}, b;
    copied_words(&b, &a, sizeof a/4);
    nested c = {3, {{1, 2}, x, x*x*x}}, d = {1};
    copied_words(&d.in, &c.in, sizeof c.in/4);
    return b.x*b.k[1] + d.in.x + d.n*d.in.e;
}
double begins_with_numbers(double x) {
    double t[2] = {x, x*x};
    pointing a = {{x, 2, x*3}, t, x}, b;
    copied_longs(&b, &a, sizeof a/8);
    t[1] *= x;
    mixed c = {{x, 2}, x*x}, d;
    copied_words(&d, &c, sizeof c/4);
    c.x = x;
    return b.w[0]*b.w[2] + b.p[1]*b.z + d.w[0]*d.w[1] + d.x*c.x;
}
double pointer_to_member(double x, double y, int k) {
    struct pair p = {k, 0.333*(y*y), {y, y}};
    double v = 0.5;
    written(0.7*x, &p.y[1], &v);
    updated(&p, exp(0.2*x));
    updated(&p, 0.5*p.x);
    return 0.4*v + 0.5*p.x + 0.6*p.y[1] + p.tag*p.y[0];
}
"""
CASES: dict[str, tuple[list[Any], bool]] = {
    "pointer_to_member": ([0.3, 0.7, 2], False),
    "begins_with_characters": ([0.7], True),
    "begins_with_integers": ([0.7], True),
    "begins_with_numbers": ([0.7], True),
    "matrix_power": ([X, 5], False),
    "single_members": ([X[:4], 3], True),
    "long_double_members": ([X[:3], 2], False),
    "array_of_structs": ([X, 3], True),
}


@pytest.mark.parametrize("function", CASES)
def test_whole_struct_copies(function: str) -> None:
    arguments, single = CASES[function]
    check(SOURCE, function, arguments, single=single)

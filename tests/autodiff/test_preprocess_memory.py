"""Allocation functions of uncommon shape, and assembly and calls in uncommon form."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .harness import LEVELS, check
from .runs import Point, program, run_primal

SOURCE = """
#define _GNU_SOURCE
#include <math.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
double posix(const double *x, long n) {
    double *t;
    if (posix_memalign((void **)&t, 64, n*sizeof(double))) return 0;
    for (long i = 0; i < n; i++) t[i] = x[i]*x[i];
    double s = (uintptr_t)t % 64;
    for (long i = 1; i < n; i++) s += t[i]*t[i - 1];
    free(t);
    return s;
}
__attribute__((noinline)) static int allocate(void **p, size_t alignment, size_t n) { return posix_memalign(p, alignment, n); }
double posix_any_alignment(const double *x, long n, long alignment) {
    void *p = 0;
    int failed = allocate(&p, alignment, n*sizeof(double));
    if (failed) return failed*x[0];
    double *t = p;
    for (long i = 0; i < n; i++) t[i] = sin(x[i]);
    double s = 1;
    for (long i = 0; i < n; i++) s *= t[i];
    free(t);
    return s;
}
typedef struct { double *data; long n; } vector;
double posix_in_struct(const double *x, long n) {
    vector v;
    if (posix_memalign((void **)&v.data, 32, n*sizeof(double))) abort();
    v.n = n;
    for (long i = 0; i < v.n; i++) v.data[i] = exp(x[i]);
    double s = 0;
    for (long i = 0; i < v.n; i++) s += v.data[i]*v.data[(i + 1) % n];
    free(v.data);
    return s;
}
double grows_by_reallocarray(const double *x, long n) {
    double *v = 0;
    for (long i = 0; i < n; i++) {
        v = reallocarray(v, i + 1, sizeof *v);
        v[i] = x[i]*x[i];
        if (i) v[i] += v[i - 1]*v[0];
    }
    double s = v[n - 1];
    free(v);
    return s;
}
double reallocarray_overflows(const double *x, long n) {
    double *v = malloc(n*sizeof *v), s = 1;
    for (long i = 0; i < n; i++) v[i] = x[i]*x[i];
    double *w = reallocarray(v, SIZE_MAX/4, sizeof *v);
    if (w) { v = w; s = 3; }
    for (long i = 0; i < n; i++) s *= v[i];
    free(v);
    return s;
}
double all_alignments(const double *x, long n) {
    double *t = memalign(64, n*8), *u = valloc(n*8), *w = aligned_alloc(32, n*8), *z = pvalloc(n*8);
    for (long i = 0; i < n; i++) { t[i] = x[i]*x[i]; u[i] = t[i]*x[i]; w[i] = u[i] + t[i]; z[i] = w[i]*u[i]; }
    double s = 0;
    for (long i = 0; i < n; i++) s += z[i];
    free(t); free(u); free(w); free(z);
    return s;
}
double text_beside(const double *x, long n) { char *c = strdup("abc"); double s = x[0]*c[1]*0.01 + x[1]; free(c); return s*s; }

double empty_barrier(double *x) { double a = x[0]; __asm__ volatile("" ::: "memory"); return a*x[0]; }
double empty_keeps_value(double x) { double y = x*x; __asm__("" : "+x"(y)); return y*x; }
double empty_keeps_memory(double x) { double y = x*x; __asm__ volatile("" : "+m"(y)); return y*x; }
double empty_looks_at_value(double x) { double y = x*x; __asm__ volatile("" :: "x"(y)); return y*x; }
double assembly_beside(double x) { __asm__ volatile("nop"); return x*x; }

double g(double x, long n);
__attribute__((noinline)) double h(double x, long n) { if (n <= 0) return x; __attribute__((musttail)) return g(x*x, n - 1); }
__attribute__((noinline)) double g(double x, long n) {
    if (n <= 0) return sin(x);
    __attribute__((musttail)) return h(x + 1, n - 1);
}
double must_tail(double x, long n) { return h(x, n); }
__attribute__((noinline)) long c(long n, double x);
__attribute__((noinline)) long b(long n, double x) { if (n <= 0) return 3; __attribute__((musttail)) return c(n - 1, x); }
__attribute__((noinline)) long c(long n, double x) { if (n <= 0) return 2; __attribute__((musttail)) return b(n - 2, x); }
double must_tail_beside(double x, long n) { return x*x*b(n, 1.0); }
"""
X = np.array([0.3, 0.7, 1.1, 0.5, 0.9])
CASES: list[tuple[str, list[Any]]] = [
    ("posix", [X, 5]),
    ("posix", [X, 0]),
    ("posix_any_alignment", [X, 5, 64]),
    ("posix_any_alignment", [X, 5, 24]),
    ("posix_any_alignment", [X, 5, 4]),
    ("posix_in_struct", [X, 5]),
    ("grows_by_reallocarray", [X, 5]),
    ("reallocarray_overflows", [X, 5]),
    ("all_alignments", [X, 5]),
    ("text_beside", [X, 5]),
    ("empty_barrier", [X[:1]]),
    ("empty_keeps_value", [1.3]),
    ("empty_keeps_memory", [1.3]),
    ("empty_looks_at_value", [1.3]),
    ("assembly_beside", [1.3]),
    ("must_tail", [0.4, 5]),
    ("must_tail_beside", [0.4, 5]),
]


@pytest.mark.parametrize(("name", "arguments"), CASES, ids=[f"{n}-{k}" for k, (n, _) in enumerate(CASES)])
def test_gradient(name: str, arguments: list[Any]) -> None:
    check(SOURCE, name, arguments)


@pytest.mark.parametrize("level", LEVELS)
def test_a_bad_alignment_is_refused_as_the_library_does(level: int) -> None:
    """EINVAL: the gradient above is taken of the same branch as this value."""
    value, _ = run_primal(program(SOURCE, level), "posix_any_alignment", Point((X, 5, 24), (0,), {}))
    assert value == pytest.approx(22 * X[0])

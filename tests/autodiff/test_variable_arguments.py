"""Functions with variable arguments, which take them in memory (prepare/variable_arguments.py; EM217 before)."""

from __future__ import annotations

import pytest

import enzyme_magic as em

HEAD = """#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#define APART static __attribute__((noinline))
"""
PROGRAMS = {
    "sum": """APART double sum(int n, ...) {
    va_list a; va_start(a, n); double s = 0; for (int i = 0; i < n; i++) s += va_arg(a, double)*(i + 1); va_end(a); return s; }
double f(double x) { return sum(3, x, x*x, x*x*x)*sum(1, x); }""",
    "inlined in a loop": """static double last(int n, ...) {
    va_list a; va_start(a, n); double s = 0; while (n--) s = s*0.3 + va_arg(a, double); va_end(a); return s; }
double f(double x) { double s = x; for (int i = 0; i < 5; i++) s = last(2, s*x, x + i)*0.5; return s; }""",
    "more than registers hold": """APART double all(const char *kinds, ...) {
    va_list a; va_start(a, kinds); double s = 0;
    for (; *kinds; kinds++) switch (*kinds) {
        case 'd': s += va_arg(a, int); break;
        case 'f': s = s*0.5 + va_arg(a, double); break;
        case 'l': s += va_arg(a, long)*s; break;
        case 'p': s += *va_arg(a, double *); break;
    }
    va_end(a); return s; }
double f(double x) { double u = x*x; return all("fffffffffdpdldddddf", x, 2*x, x*x, 1.0, x, x*3, 4*x, x, x*x*x, 3, &u, 2, 1L,
    1, 2, 3, 4, 5, x); }""",
    "structs": """typedef struct { double a, b; } P; typedef struct { double v[3]; int n; } B;
typedef struct { int k; double v; } K;
APART double members(int n, ...) {
    va_list a; va_start(a, n); P p = va_arg(a, P); B b = va_arg(a, B); K k = va_arg(a, K); P q = va_arg(a, P); va_end(a);
    return p.a*p.b + b.v[0]*b.v[2]*b.n + k.k*k.v + q.b; }
double f(double x) { P p = {x, x*x}; B b = {{x, 2, 3*x}, 2}; K k = {3, x*x}; return members(4, p, b, k, p); }""",
    "a list that is handed on": """APART double sum(int n, va_list a) {
    double s = 0; while (n--) s += va_arg(a, double); return s; }
APART double both(int n, ...) {
    va_list a, b; va_start(a, n); va_copy(b, a); double s = sum(n, a), t = 1; while (n--) t *= va_arg(b, double);
    va_end(a); va_end(b); return s*t; }
double f(double x) { return both(3, x, 2*x, x*x); }""",
    "a list that is handed on and copied": """typedef struct { double a, b, c; } T;
APART double twice(int n, va_list a) {
    va_list b; va_copy(b, a); double s = 0; for (int i = 0; i < n; i++) s += va_arg(a, double)*(i + 1);
    T t = va_arg(a, T); s *= va_arg(b, double); va_end(b); return s*t.b + t.c; }
APART double both(int n, ...) { va_list a; va_start(a, n); double s = twice(n, a); va_end(a); return s; }
double f(double x) { T t = {1, x, x*x}; return both(2, x, 3*x, t); }""",
    "pointers": """APART void scale(int n, ...) {
    va_list a; va_start(a, n); while (n--) { double *p = va_arg(a, double *); *p *= va_arg(a, double); } va_end(a); }
double f(double x) { double u = x, v = x*x; scale(2, &u, x, &v, u); return u*v; }""",
    "printed": """static char line[100];
APART void note(const char *format, ...) {
    va_list a; va_start(a, format); vsnprintf(line, sizeof line, format, a); va_end(a); }
double f(double x) { note("%d %Lg %s", 3, (long double)x, "hello"); double y = x*x; return y*x + (line[2] == '1'); }""",
    "recursion": """APART double again(int n, ...) {
    va_list a; va_start(a, n); double x = va_arg(a, double), y = va_arg(a, double); va_end(a);
    return n ? again(n - 1, y, x*y)*0.5 : x + y; }
double f(double x) { return again(3, x, x + 1); }""",
    "called through a pointer": """APART double sum(int n, ...) {
    va_list a; va_start(a, n); double s = 0; while (n--) s += va_arg(a, double); va_end(a); return s; }
APART double product(int n, ...) {
    va_list a; va_start(a, n); double s = 1; while (n--) s *= va_arg(a, double); va_end(a); return s; }
double f(double x) {
    double (*g[2])(int, ...) = {sum, product}; double s = 0;
    for (int i = 0; i < 2; i++) s += g[(i + (x > 0)) & 1](3, x, x*x, 2.0);
    return s; }""",
    "sizes beside numbers": """typedef struct { int n; double *x; int d[4]; } T;
APART T *make(double *x, int n, ...) {
    va_list a; va_start(a, n); T *t = calloc(1, sizeof *t); t->n = n; t->x = x;
    for (int i = 0; i < n; i++) t->d[i] = va_arg(a, int);
    va_end(a); return t; }
APART int size(const T *t) { int s = 1; for (int i = 0; i < t->n; i++) s *= t->d[i]; return s; }
double f(double x) {
    double v[6] = {x, x*x, 1, 2*x, 3, x}, s = 0; T *t = make(v, 2, 2, 3);
    for (int i = 0; i < size(t); i++) s += t->x[i]*t->x[i]*i;
    free(t); return s; }""",
}


@pytest.mark.parametrize("opt", [0, 1, 2, 3])
@pytest.mark.parametrize("name", PROGRAMS)
def test_both_modes(name: str, opt: int) -> None:
    f = em.compile_c(HEAD + PROGRAMS[name], opt=opt).f
    x, step = 1.3, 1e-5
    want = pytest.approx((f(x + step) - f(x - step)) / (2 * step), rel=1e-7)
    assert f.grad(x) == want
    assert em.jvp(f, (x,), (1.0,))[1] == want


def test_second_derivative() -> None:
    f = em.compile_c(HEAD + PROGRAMS["sum"], opt=2).f  # (x + 2*x^2 + 3*x^3)*x
    assert em.hessian(f)(1.3) == pytest.approx(2 + 12 * 1.3 + 36 * 1.3**2, rel=1e-12)


ALIGNED = {
    "struct": """typedef struct { _Alignas(16) double a; int k; } T;
APART double read(int n, ...) {
    va_list a; va_start(a, n); int k = va_arg(a, int); T t = va_arg(a, T); va_end(a); return k*t.a*t.k; }
double f(double x) { T t = {x*x, 2}; return read(2, 3, t); }""",
    "in another function": """typedef struct { _Alignas(16) double a; int k; } T;
APART double rest(va_list a) { int k = va_arg(a, int); T t = va_arg(a, T); return k*t.a*t.k; }
APART double read(int n, ...) { va_list a; va_start(a, n); double s = rest(a); va_end(a); return s; }
double f(double x) { T t = {x*x, 2}; return read(2, 3, t); }""",
    "long double": """APART long double sum(int n, ...) {
    va_list a; va_start(a, n); long double s = 1; while (n--) s = s*va_arg(a, long double) + 1; va_end(a); return s; }
double f(double x) { return sum(3, (long double)x, (long double)x*x, 2.0L*x); }""",
}


@pytest.mark.parametrize("opt", [0, 1, 2, 3])
@pytest.mark.parametrize("name", ALIGNED)
def test_what_is_aligned_is_refused(name: str, opt: int) -> None:
    """A struct in registers that is aligned to 16 bytes would be looked for elsewhere: a wrong number without a word."""
    f = em.compile_c(HEAD + ALIGNED[name], opt=opt).f
    for ask in (lambda: f.grad(1.3), lambda: em.jvp(f, (1.3,), (1.0,))):
        with pytest.raises(em.DifferentiationError) as caught:
            ask()
        assert caught.value.code == "EM217"

"""Memory that holds numbers of several formats: each read as what it was stored as has its derivative; another one has none, and
the call ends. Differences judge, in both modes and at all levels."""

from __future__ import annotations

import pytest

import enzyme_magic as em

HEAD = """
#include <stdlib.h>
#include <string.h>
#define N static __attribute__((noinline))
typedef union { double d; float f[2]; unsigned char c[8]; } U;
typedef struct { int tag; union { double d; float f; } u; } V;
typedef union { double d; long double l; } L;
"""

# u.d was stored last; what is read is something else.
PUNNED = {
    "low": "u.d = x*y; u.f[0] = 1.0f; r = u.d;",
    "high": "u.d = x*y; u.f[1] = (float)x; r = u.d;",
    "half": "u.d = x*y; r = u.f[1];",
    "two": "u.f[0] = (float)x; u.f[1] = (float)y; r = u.d;",
    "moved": "u.d = x*y; memcpy(u.c, u.c + 4, 4); r = u.d;",
    "apart": "double a[3] = {x, y, x*y}; memcpy(&u.d, (char *)a + 4, 8); r = u.d;",
}
FUNCTION = """
N double g(U *p, double x, double y) { U u = *p; double r; %s *p = u; return r*x; }
double f(double x, double y) { U u; u.d = y; double s = g(&u, x, y) + y*y; return s; }
"""

RIGHT = {
    # A struct is copied as its first member, whatever lies there.
    "tagged": """
N double get(const V *v) { return v->tag == 0 ? v->u.d : v->u.f; }
N void number(V *v, double d) { v->tag = 0; v->u.d = d; }
N void small(V *v, float f) { v->tag = 1; v->u.f = f; }
double f(double x, double y) { V v[3]; number(v, x); small(v + 1, 0.5f); v[1].u.f *= 2; number(v + 2, y*x); double s = 0;
    for (int i = 0; i < 3; i++) s += get(v + i)*get(v + 2 - i);
    number(v + 1, s); V w = v[1]; v[1] = v[0]; v[0] = w; small(v + 2, 3.0f);
    return s*get(v) + get(v + 1)*get(v + 2); }""",
    "scratch": """
N double doubles(double *a, double x, int n) { double s = 0;
    for (int i = 0; i < n; i++) a[i] = x*i + 1;
    for (int i = 0; i < n; i++) s += a[i]*a[n-1-i];
    return s; }
N double floats(float *a, double x, int n) { double s = 0;
    for (int i = 0; i < n; i++) a[i] = 0.5f*i;
    for (int i = 0; i < n; i++) s += a[i]*x;
    return s; }
double f(double x, double y) { void *m = malloc(80); double s = doubles(m, x, 10); s += floats(m, y, 20);
    s *= doubles(m, s*0.01, 5); s += floats(m, x, 4); free(m); return s; }""",
    "variables": """
N double one(U *u, double x) { u->d = x; return u->d*x; }
N double other(U *u, double x) { u->f[0] = 1; u->f[1] = 2; return u->f[0]*x + u->f[1]; }
double f(double x, double y) { double s = 0;
    for (int i = 0; i < 4; i++) { U u, v; s += one(&u, x + i)*y; s += other(&v, s*0.1); s += other(&u, y); s += one(&v, s*0.05);
        u = v; s += u.d; memset(&v, 0, sizeof v); s += v.f[1]*x; }
    return s; }""",
    "long_double": """
double f(double x, double y) { L u; u.d = x*y; double s = u.d*x; u.l = s*y; s += (double)u.l*x; u.d = s; return s*u.d; }""",
}


@pytest.mark.parametrize("opt", range(4))
@pytest.mark.parametrize("name", PUNNED)
def test_digits_of_another_number_have_no_derivative(name: str, opt: int) -> None:
    f = em.compile_c(HEAD + FUNCTION % PUNNED[name], opt=opt).f
    for derivative in (lambda: f.grad(1.3, 0.7), lambda: em.jvp(f, (1.3, 0.7), (1.0, 0.5))):
        with pytest.raises(em.EnzymeError) as caught:
            derivative()
        assert caught.value.code in ("EM409", "EM220", "EM224"), caught.value


@pytest.mark.parametrize("opt", range(4))
@pytest.mark.parametrize("name", RIGHT)
def test_each_is_read_as_what_it_was_stored_as(name: str, opt: int) -> None:
    f, x, y, h = em.compile_c(HEAD + RIGHT[name], opt=opt).f, 1.3, 0.7, 1e-6
    want = [(f(x + h, y) - f(x - h, y)) / (2 * h), (f(x, y + h) - f(x, y - h)) / (2 * h)]
    assert list(f.grad(x, y)) == pytest.approx(want, rel=1e-6)
    assert [em.jvp(f, (x, y), way)[1] for way in ((1.0, 0.0), (0.0, 1.0))] == pytest.approx(want, rel=1e-6)


@pytest.mark.parametrize("opt", [0, 2])
def test_second_derivatives_ask_too(opt: int) -> None:
    f, x, y, h = em.compile_c(HEAD + RIGHT["tagged"], opt=opt).f, 1.3, 0.7, 1e-5
    above, below = f.grad(x + h, y), f.grad(x - h, y)
    want = [(a - b) / (2 * h) for a, b in zip(above, below, strict=True)]
    assert list(em.hvp(f, (x, y), (1.0, 0.0))) == pytest.approx(want, rel=1e-6)
    half = em.compile_c(HEAD + FUNCTION % PUNNED["two"], opt=opt).f
    with pytest.raises(em.EnzymeError) as caught:
        em.hvp(half, (x, y), (1.0, 0.0))
    assert caught.value.code in ("EM409", "EM220")

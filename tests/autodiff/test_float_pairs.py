"""Unions of floats and a vector of the processor, by value, as mathematics for games has them: each half travels as a double."""

from __future__ import annotations

import pytest

import enzyme_magic as em
from enzyme_magic.backend.passes import float_pairs

from .harness import check
from .runs import program

UNIONS = """#include <immintrin.h>
#include <math.h>
#define KEPT static __attribute__((noinline))
typedef union { struct { float x, y; }; float at[2]; } V2;
typedef union { struct { float x, y, z, w; }; struct { V2 xy, zw; }; float at[4]; __m128 v; } V4;
typedef union { V4 column[4]; float at[4][4]; } M4;
typedef V4 (*Operation)(V4, V4);
KEPT V4 make(float x, float y, float z, float w) { V4 r = {{x, y, z, w}}; return r; }
KEPT V4 add(V4 a, V4 b) { V4 r; r.v = _mm_add_ps(a.v, b.v); return r; }
KEPT V4 mul(V4 a, V4 b) { V4 r; r.v = _mm_mul_ps(a.v, b.v); return r; }
"""
PROGRAMS = {
    "in two calls": """double f(double x) { V4 a = make(x, 1, x*x, 2), r = add(mul(a, make(0.3f, x, 1, x)), a);
    return r.x + r.y*r.z + r.w; }""",
    "a sum of lanes": """KEPT float dot(V4 a, V4 b) {
    __m128 p = _mm_mul_ps(a.v, b.v), q = _mm_add_ps(p, _mm_shuffle_ps(p, p, 0xb1));
    return _mm_cvtss_f32(_mm_add_ss(q, _mm_movehl_ps(q, q)));
}
double f(double x) { V4 a = make(x, 1, x*x, 2); return dot(a, mul(a, a)); }""",
    "members": """KEPT V2 halves(V4 a) { V2 r = {{a.x*a.w, a.zw.x}}; return r; }
double f(double x) { V4 a = make(x, 1, x*x, 2*x); V2 q = halves(a); return q.x + 2*q.at[1]*a.z; }""",
    "one of two": """KEPT V4 pick(V4 a, V4 b, int first) { V4 t[2] = {a, b}; return t[!first]; }
KEPT V4 chosen(V4 a, V4 b) { return a.x > b.x ? a : mul(a, b); }
double f(double x) { V4 a = make(x, 1, x*x, 2), b = make(2, x, 0.5f, 1);
    V4 r = chosen(pick(a, b, x < 0), a); return r.y + 3*r.z; }""",
    "in a loop": """double f(double x) { V4 a = make(x, 0.5f, 0.3f, x*x), s = a;
    for (int i = 0; i < 4; i++) s = i % 2 ? add(s, a) : mul(s, a); return s.x + s.y*s.w + s.z; }""",
    "a matrix": """KEPT V4 linear(V4 a, M4 m) { V4 r; r.v = _mm_setzero_ps();
    for (int i = 0; i < 4; i++) r.v = _mm_add_ps(r.v, _mm_mul_ps(_mm_set1_ps(a.at[i]), m.column[i].v)); return r; }
double f(double x) { M4 m; for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) m.at[i][j] = 0.1f*i + x*j*0.2f;
    V4 r = linear(linear(make(x, 1, 0.5f, 2), m), m); return r.x + 0.1*r.y*r.z - r.w; }""",
    "a double beside them": """typedef struct { V2 p; double m; } Mass;
KEPT Mass moved(Mass a, float t) { a.p.x += t*(float)a.m; a.m *= 0.5; return a; }
double f(double x) { Mass a = {{{x, 2}}, x*x}; a = moved(moved(a, 0.5f), 2*x); return a.p.x*a.p.y + a.m; }""",
    "through a pointer": """static Operation table[] = {add, mul};
double f(double x) { V4 a = make(x, 1, x*x, 2);
    for (int i = 0; i < 3; i++) a = table[i & 1](a, make(x, x, 0.5f, 1)); return a.x + a.y*a.z; }""",
    "in recursion": """KEPT V4 power(V4 a, int n) { if (n == 0) return make(1, 1, 1, 1);
    V4 h = power(mul(a, a), n / 2); return n & 1 ? mul(h, a) : h; }
double f(double x) { V4 r = power(make(x, 0.5f, x*0.7f, 1), 5); return r.x + r.y*r.z; }""",
    "wider members": """typedef union { double d; struct { float x, y; }; __m128 v; } Either;
KEPT Either twice(Either a) { a.d *= 2; return a; }
double f(double x) { Either e; e.d = x*x; return twice(e).d; }""",
}


@pytest.mark.parametrize("x", [1.25, 0.75])
@pytest.mark.parametrize("name", PROGRAMS)
def test_unions_by_value(name: str, x: float) -> None:
    check(UNIONS + PROGRAMS[name], "f", [x], levels=(0, 1, 2, 3), single=True)


@pytest.mark.parametrize("opt", [0, 2])
def test_two_sources(opt: int) -> None:
    library = "V4 turn(V4 a, float t) { V4 r = {{a.x*t - a.y*t*t, a.x*t*t + a.y*t, a.z, a.w}}; return r; }"
    user = """V4 turn(V4 a, float t);
double f(double x) { V4 a = turn(turn(make(x, 1, 2, x), x), 0.5f); return a.x*a.y + a.w; }"""
    f = em.compile_c([UNIONS + library, UNIONS + user], opt=opt)["f"]
    a, b = 0.8**2 - 0.8**2, 0.8**3 + 0.8  # after the first turn
    da, db = 2 * 0.8 - 2 * 0.8, 3 * 0.8**2 + 1
    x, y, dx, dy = a / 2 - b / 4, a / 4 + b / 2, da / 2 - db / 4, da / 4 + db / 2
    expected = dx * y + x * dy + 1
    assert f.grad(0.8) == pytest.approx(expected, rel=1e-5)
    assert em.jvp(f, (0.8,), (1.0,))[1] == pytest.approx(expected, rel=1e-5)


COMPLEX = """#include <complex.h>
static double complex times(double complex a, double complex b) { return a*b; }
typedef double complex (*Product)(double complex, double complex);
static void *any[] = {(void *)times, (void *)%s};
double g(double x) { Product p = (Product)any[0]; double complex r = p(x + 2*I, 3 + x*I); return creal(r) + 2*cimag(r); }
double f(double x) { V4 r = mul(make(x, 1, 2, 3), make(x, x, 1, 1)); return r.x + r.y; }"""


def test_complex_numbers_in_the_same_registers() -> None:
    compiled = em.compile_c(UNIONS + COMPLEX % "times", opt=0)
    assert compiled["g"].grad(1.5) == pytest.approx(3 - 2 + 2 * 2 * 1.5)
    assert compiled["f"].grad(1.5) == pytest.approx(2 * 1.5 + 1)


def test_a_table_with_functions_of_both_says_nothing_of_a_call() -> None:
    compiled = em.compile_c(UNIONS + COMPLEX % "mul", opt=0)
    for name in "fg":
        with pytest.raises(em.DifferentiationError):
            compiled[name].grad(1.5)


def test_structs_of_floats_keep_their_text() -> None:
    """They travel as pairs anyway."""
    text = program("typedef struct { float x, y; } P; float f(P p) { return p.x*p.y; }", 0).record.input_ir
    assert "coerce" in text
    assert float_pairs.lower(text) is text

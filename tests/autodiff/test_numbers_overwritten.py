"""Numbers that are overwritten by integers, which may be the bits of other numbers: what lay there has no derivative any more.

C calls each of these integers one, and no store here breaks its rules: the numbers were put among integers by `memcpy`, or the
integers among numbers. The derivative of what had been there was kept before, in silence.
"""

from __future__ import annotations

import pytest

import enzyme_magic as em

HEAD = """#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#define NI static __attribute__((noinline))
#define THREE 0x40080000
NI void put(void *w, double v) { memcpy(w, &v, 8); }
NI double get(const void *w) { double v; memcpy(&v, w, 8); return v; }
typedef struct { uint32_t lo, hi; } U; typedef struct { uint32_t lo, hi, n; } N; typedef struct { int n; U v[4]; } T;
static const uint32_t WORDS[] = {0, THREE}; static uint32_t all[16];
"""
# Each is x -> 3*x: the second of two numbers becomes 3.
STORED = {
    "two words": "NI void three(uint32_t *w) { w[0] = 0; w[1] = THREE; }",
    "words in a loop": "NI void three(uint32_t *w) { for (int i = 0; i < 2; i++) w[i] = i ? THREE : 0; }",
    "half words": "NI void three(uint16_t *w) { for (int i = 0; i < 4; i++) w[i] = i == 3 ? 0x4008 : 0; }",
    "members": "NI void three(U *u) { u->lo = 0; u->hi = THREE; }",
    "a struct": "NI U made(void) { return (U){0, THREE}; } NI void three(U *u) { *u = made(); }",
    "a copy of words": "NI void three(uint32_t *w) { memcpy(w, WORDS, 8); }",
    "a move of words": "NI void three(uint32_t *w) { memmove(w, WORDS, 8); }",
    "a counted copy": "NI void copy(uint32_t *w, const uint32_t *v, int n) { memcpy(w, v, 4*n); }"
    "NI void three(uint32_t *w) { uint32_t v[2]; for (int i = 0; i < 2; i++) v[i] = i*THREE; copy(w, v, 2); }",
}
PROGRAMS = {
    "one of many": """NI void three(uint32_t *w, int k) { w[2*k] = 0; w[2*k + 1] = THREE; }
        double f(double x) { uint32_t w[8]; for (int i = 0; i < 4; i++) put(w + 2*i, x*(i + 1)); three(w, 2);
            return get(w)*get(w + 4) + get(w + 6); }""",
    "a variable": """NI void three(int k) { all[2*k] = 0; all[2*k + 1] = THREE; }
        double f(double x) { for (int i = 0; i < 8; i++) put(all + 2*i, x*(i + 1)); three(2);
            return get(all)*get(all + 4) + get(all + 6); }""",
    "a block": """typedef struct { uint32_t *w; int n; } B; NI void three(B *b, int k) { b->w[2*k] = 0; b->w[2*k + 1] = THREE; }
        NI void set(B *b, int k, double v) { put(b->w + 2*k, v); } NI double of(const B *b, int k) { return get(b->w + 2*k); }
        double f(double x) { B b = {malloc(64), 8}; for (int i = 0; i < b.n; i++) set(&b, i, x*(i + 1)); three(&b, 2);
            double r = of(&b, 0)*of(&b, 2) + of(&b, 3); free(b.w); return r; }""",
    "a member of an array": """NI void three(T *t, int k) { t->v[k].lo = 0; t->v[k].hi = THREE; }
        double f(double x) { T t; t.n = 4; for (int i = 0; i < t.n; i++) put(t.v + i, x*(i + 1)); three(&t, 1);
            return get(t.v)*get(t.v + 1) + get(t.v + 3); }""",
    "a struct of a block that was filled by characters": """static double from[2];
        NI void set(double *p, int k, double v) { p[k] = v; }
        NI void bytes(void *d, const void *s, int n) { char *a = d; const char *b = s; while (n--) *a++ = *b++; }
        NI void three(U *u, int k) { u[k] = (U){0, THREE}; }
        double f(double x) { set(from, 0, x); set(from, 1, x*x); U *u = malloc(16); bytes(u, from, 16); three(u, 1);
            double to[2]; memcpy(to, u, 16); free(u); return to[0]*to[1] + 4*x; }""",
    "structs that change places": """NI void swap(U *u, int i, int j) { U t = u[i]; u[i] = u[j]; u[j] = t; }
        NI void set(void *p, int k, double v) { memcpy((char *)p + 8*k, &v, 8); }
        NI double of(const U *p, int k) { U u = p[k]; return get(&u); }
        double f(double x) { void *a = malloc(16); set(a, 0, 4*x); set(a, 1, x*x); U u[2]; memcpy(u, a, 16); free(a);
            swap(u, 0, 1); return of(u, 0)*2 + of(u, 1)/4; }""",
    "one of structs with a number each": """NI void set(U *p, int k, double v) { memcpy(p + k, &v, 8); }
        NI double of(const U *p, int k) { double v; memcpy(&v, p + k, 8); return v; }
        NI void three(U *u) { memcpy(u, WORDS, 8); }
        double f(double x) { U u[2]; set(u, 0, x*x); set(u, 1, x); three(u); return of(u, 0)*of(u, 1) + 4*x; }""",
    "one of structs in a variable, one of which is read at its place": """static U w[3];
        NI void set(int k, double v) { memcpy(w + k, &v, 8); }
        double f(double x) { set(0, 4*x); set(1, 2); set(2, x); w[1] = w[2];
            double a, b; memcpy(&a, w, 8); memcpy(&b, w + 1, 8); return a + 3*b; }""",
    "more than the number": """NI void copy(N *a, const N *b) { *a = *b; }
        double f(double x) { N a, b = {0, THREE, 4}; put(&a, x*x); copy(&a, &b); return get(&a)*x + a.n*x; }""",
    "words of a declared number": """NI void three(double *a) { memcpy(a, WORDS, 8); }
        double f(double x) { double a[2] = {x, x*x}; three(a + 1); return a[0]*a[1] + 4*x; }""",
    "words of a member": """typedef struct { double v[3]; int n; } S;
        NI void read(S *s, const uint32_t *w) { memcpy(s->v, w, sizeof s->v); s->n = w[6]; }
        double f(double x) { uint32_t w[] = {0, THREE, 0, 0x40000000, 0, 0x3ff00000, 4}; S s = {{x, x*x, 3}, 1}; read(&s, w);
            return s.v[0]*x + s.v[1]*s.n*x/2; }""",
    "counted words": """NI void load(double *a, const int64_t *k, int n) { memcpy(a, k, n*8); }
        double f(double x) { int64_t k[3]; for (int i = 0; i < 3; i++) k[i] = (int64_t)(0x3ff00000 + (i << 20)) << 32;
            double a[5]; for (int i = 0; i < 5; i++) a[i] = x*(i + 1); load(a + 1, k, 3);
            return (a[1] + a[2])*a[0] + 4*a[3]*x/4; }""",
}


def derivatives(text: str, opt: int) -> list[float]:
    function = em.compile_c(HEAD + text, opt=opt).f
    return [float(function.grad(1.5)), float(em.jvp(function, (1.5,), (1.0,))[1])]


@pytest.mark.parametrize("opt", [0, 2])
@pytest.mark.parametrize("stored", STORED.values(), ids=STORED)
def test_integers_over_numbers_among_integers(stored: str, opt: int) -> None:
    text = "double f(double x) { uint32_t w[4]; put(w, x); put(w + 2, x*x); three((void *)(w + 2)); return get(w)*get(w + 2); }"
    assert derivatives(stored + text, opt) == pytest.approx([3.0] * 2)


@pytest.mark.parametrize("opt", [0, 2])
@pytest.mark.parametrize("name", PROGRAMS)
def test_integers_over_numbers_somewhere(name: str, opt: int) -> None:
    assert derivatives(PROGRAMS[name], opt) == pytest.approx([7.0] * 2)


def test_integers_beside_numbers_ask_nothing() -> None:
    """Of integers that C keeps apart from numbers, nobody asks the run: a derivative without kinds."""
    text = """typedef struct { int n; double v[4]; } S; NI void count(S *s) { s->n++; }
    double f(double x) { S s = {0, {x, x, x, x}}; double r = 1; while (s.n < 4) { r *= s.v[s.n]; count(&s); } return r; }"""
    function = em.compile_c(HEAD + text, opt=2).f
    assert function.grad(1.5) == pytest.approx(4 * 1.5**3)
    assert "unknown kind" not in str(function.plan())

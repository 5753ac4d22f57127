"""Numbers that are kept in integers or pointers, put there in one function and taken out in another.

One function copies bytes into memory that is declared to hold integers; another moves them as such, or copies them on. No type in
the second one tells that there are numbers: which memory may be the same does (backend/analysis/types/regions.py).
"""

from __future__ import annotations

import pytest

import enzyme_magic as em

HEAD = r"""
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#define NI static __attribute__((noinline))
typedef struct { double **row, *d; } M;
typedef struct { uint64_t *p; int n; } S;
typedef struct { long n; uint64_t bits; double beside; } Tagged;
static uint64_t table[9];
static void *slots[9];
static M *mk(int n) { M *m = malloc(sizeof(M) + n*8 + 8*n); m->row = (double **)(m + 1); m->d = (double *)(m->row + n);
    for (int i = 0; i < n; i++) m->row[i] = m->d + i;
    return m; }
NI void cp(void *t, const void *s, long k) { memcpy(t, s, k); }
NI void in(uint64_t *t, double *s, int n) { memcpy(t, s, 8*n); }
NI void kept(uint64_t *t, int i, double v) { memcpy(t + i, &v, 8); }
NI void put(S *s, int i, double v) { uint64_t u; memcpy(&u, &v, 8); s->p[i] = u; }
NI void out(double *d, uint64_t *t, int n) { for (int i = 0; i < n; i++) memcpy(d + i, t + (n-1-i), 8); }
NI void outs(S *s, M *b) { for (int i = 0; i < s->n; i++) memcpy(b->d + i, s->p + (s->n-1-i), 8); }
NI void turn(uint64_t *t, int n) {
    for (int i = 0; i < n/2; i++) { uint64_t u = t[i]; t[i] = t[n-1-i]; t[n-1-i] = u; } }
NI void exchange(void **t, int i, int j) { void *u = t[i]; t[i] = t[j]; t[j] = u; }
NI void tag(Tagged *t, double v) { t->n = 1; memcpy(&t->bits, &v, 8); }
NI void pass(Tagged *to, const Tagged *from) { to->n = from->n; to->bits = from->bits; }
typedef struct { Tagged *at; } List;
NI void put_tagged(List *l, int i, double v) { l->at[i].n = i; memcpy(&l->at[i].bits, &v, 8); l->at[i].beside = v; }
NI void move_tagged(List *l, int i, int j) { l->at[i].bits = l->at[j].bits; }
NI double out_tagged(List *l, int i) { double v; memcpy(&v, &l->at[i].bits, 8); return v; }
double f(double x, int n) {
    M *a = mk(n), *b = mk(n); for (int i = 0; i < n; i++) { a->row[i][0] = x*x*(i+1); b->row[i][0] = x; }
    uint64_t t[9], *h = malloc(8*n); void *v[9]; S s = {t, n}; Tagged one, two = {0}; one.beside = two.beside = x;
"""
TAIL = " double r = b->d[0]*b->d[1]*a->d[2]*a->d[0]; free(a); free(b); free(h); return r; }"
WAYS = {
    "in and out": "cp(t, a->d, 8*n); out(b->d, t, n);",
    "turned in between": "in(t, a->d, n); turn(t, n); cp(b->d, t, 8*n);",
    "one by one": "for (int i = 0; i < n; i++) kept(t, i, a->d[i]); out(b->d, t, n);",
    "behind a pointer": "for (int i = 0; i < n; i++) put(&s, i, a->d[i]); outs(&s, b);",
    "through two tables": "in(table, a->d, n); memcpy(t, table, 8*n); outs(&s, b);",
    "on the heap": "in(h, a->d, n); turn(h, n); memcpy(b->d, h, 8*n);",
    "as pointers": "cp(slots, a->d, 8*n); exchange(slots, 0, n-1); memcpy(v, slots, 8*n); exchange(v, 1, n-2); cp(b->d, v, 8*n);",
    "in each of an array": "Tagged g[4]; List l = {g}; for (int i = 0; i < n; i++) put_tagged(&l, i, a->d[i]);"
    " move_tagged(&l, 0, n-1); for (int i = 0; i < n; i++) b->d[i] = out_tagged(&l, i) + g[i].beside;",
    "in a member, copied as a whole": "tag(&one, a->d[1]); cp(&two, &one, sizeof one); one.bits = 0; pass(&one, &two);"
    " memcpy(b->d, &one.bits, 8); b->d[1] = one.beside;",
    "in a member": "for (int i = 0; i < n; i++) { tag(&one, a->d[n-1-i]); pass(&two, &one); memcpy(b->d + i, &two.bits, 8); }",
}


@pytest.mark.parametrize("opt", [0, 1, 2, 3])
@pytest.mark.parametrize("way", WAYS)
def test_both_modes(way: str, opt: int) -> None:
    f = em.compile_c(HEAD + WAYS[way] + TAIL, opt=opt).f
    x, h = 1.3, 2.0**-12
    want = (f(x + h, 4) - f(x - h, 4)) / (2 * h)
    assert f.grad(x, 4) == pytest.approx(want, rel=1e-5)
    assert em.jvp(f, (x, 4), (1.0, None))[1] == pytest.approx(want, rel=1e-5)


@pytest.mark.parametrize("way", ["turned in between", "as pointers"])
def test_twice(way: str) -> None:
    f = em.compile_c(HEAD + WAYS[way] + TAIL, opt=2).f
    want = 8 * 7 * f(1.3, 4) / 1.3**2
    assert em.hvp(f, (1.3, 4), (1.0, None)) == pytest.approx(want, rel=1e-9)
    assert em.grad(em.grad(f, 0), 0)(1.3, 4) == pytest.approx(want, rel=1e-9)


BITS = r"""
NI uint64_t got(S *s, int i) { return s->p[i]; }
double g(double x, int n) { uint64_t t[9]; S s = {t, n}; double r = 0;
    for (int i = 0; i < n; i++) put(&s, i, x*x*(i+1));
    for (int i = 0; i < n; i++) { uint64_t u = got(&s, n-1-i); double v; memcpy(&v, &u, 8); r += v*(i+1); }
    return r; }
NI uint64_t bits_of(List *l, int i) { return l->at[i].bits; }
double k(double x, int n) { Tagged t[4]; List l = {t}; double r = 0;
    for (int i = 0; i < n; i++) put_tagged(&l, i, x*x*(i+1));
    for (int i = 0; i < n; i++) { uint64_t u = bits_of(&l, i); double v; memcpy(&v, &u, 8); r += v*t[i].beside; }
    return r; }
NI int length(const S *s) { return s->n; }
double h(double x, int n) { uint64_t t[9]; S s = {t, n}; double r = 0;
    for (int i = 0; i < n; i++) put(&s, i, x*x*(i+1));
    for (int i = 0; i < length(&s); i++) { double v; memcpy(&v, s.p + i, 8); r += v*(i+1); }
    return r; }
"""


@pytest.mark.parametrize("opt", [0, 2])
def test_bits_that_a_function_returns(opt: int) -> None:
    """They are passed in memory; what lies beside the pointer is an integer all the same."""
    program = em.compile_c(HEAD + TAIL + BITS, opt=opt)
    for f in (program.g, program.k):
        wanted = pytest.approx((f(1.3 + 1e-6, 3) - f(1.3 - 1e-6, 3)) / 2e-6, rel=1e-7)
        assert f.grad(1.3, 3) == wanted
        assert em.jvp(f, (1.3, 3), (1.0, None))[1] == wanted
    assert program.h.grad(1.3, 3) == pytest.approx(2 * 1.3 * 14, rel=1e-12)

"""Memory of which no type tells what it holds: headers and numbers in one block, buffers of `void *`, tagged values.

Differences judge, in both modes; forward mode judges reverse mode; two calls of a gradient give the same bits.
"""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import enzyme_magic as em
from tests import sampling

HEAD = r"""
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
typedef struct { int n; double *w; } G;
typedef struct { double p; int id; } E;
typedef struct { double **row, *d; } M;
"""
BLOCKS = r"""
double grown(double x, int n) { G *a = malloc(sizeof(G) + n*8); a->n = n; a->w = (double *)(a + 1);
    for (int i = 0; i < n; i++) a->w[i] = x*x*(i + 1);
    a = realloc(a, sizeof(G) + 4*n*8); a->w = (double *)(a + 1);
    double r = 0; for (int i = 0; i < n; i++) r += a->w[i]*a->w[i]; free(a); return r; }
double shrunk(double x, int n) { G *a = malloc(sizeof(G) + 4*n*8); a->n = n; a->w = (double *)(a + 1);
    for (int i = 0; i < 4*n; i++) a->w[i] = x*x*(i + 1);
    double r = a->w[3*n]; a = realloc(a, sizeof(G) + n*8); a->w = (double *)(a + 1);
    for (int i = 0; i < n; i++) r += a->w[i]*a->w[i]; free(a); return r; }
double whole(double x, int n) { G *a = malloc(sizeof(G) + n*8), *b = malloc(sizeof(G) + n*8); a->n = n; a->w = (double *)(a + 1);
    for (int i = 0; i < n; i++) a->w[i] = x*x*i;
    memcpy(b, a, sizeof(G) + n*8); double r = b->w[1]; b->w = (double *)(b + 1); a->w[1] = 7*x;
    for (int i = 0; i < n; i++) r += b->w[i]*b->w[i]*b->n + a->w[i];
    free(a); free(b); return r; }
double cleared(double x, int n) { G *a = calloc(1, sizeof(G) + n*8); a->w = (double *)(a + 1); double r = 0;
    for (int k = 0; k < 3; k++) { for (int i = 0; i < n; i++) a->w[i] += x*x; r += a->w[1]; memset(a + 1, 0, n*8); }
    free(a); return r; }
double stretchy(double x, int n) { size_t *h = malloc(16 + 8*n); h[0] = n; double *w = (double *)(h + 2);
    for (int i = 0; i < n; i++) w[i] = x*(i + 1);
    h = realloc((size_t *)w - 2, 16 + 16*n); w = (double *)(h + 2);
    double r = 0; for (size_t i = 0; i < h[0]; i++) r += w[i]*w[i]; free(h); return r; }
double moved(double x, int n) { G *a = malloc(sizeof(G) + 80); a->n = n; a->w = (double *)(a + 1);
    for (int i = 0; i < 10; i++) a->w[i] = x*x*i;
    memmove(a->w + 1, a->w, 64); memmove(a->w, a->w + n, 32);
    double r = 0; for (int i = 0; i < 10; i++) r += a->w[i]*a->w[i]*(i+1); free(a); return r; }
static M *mk(int r, int c) { M *m = malloc(sizeof(M) + r*sizeof(double *) + r*c*sizeof(double));
    m->row = (double **)(m + 1); m->d = (double *)(m->row + r);
    for (int i = 0; i < r; i++) m->row[i] = m->d + i*c;
    return m; }
double rows(double x, int n) { M *a = mk(n, n), *b = mk(n, n);
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a->row[i][j] = x*x*(i + 2*j);
    memcpy(b->d, a->d, n*n*sizeof(double));
    double r = b->row[1][1]*b->row[0][1] + a->row[1][0]; free(a); free(b); return r; }
double tables(double x, int n) { M *a = mk(n, n), *b = malloc(sizeof(M) + n*8);
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a->row[i][j] = x*x*(i + 2*j);
    memcpy(b, a, sizeof(M) + n*8); b->row = (double **)(b + 1);
    double r = b->row[1][1]*b->row[0][1] + b->d[2]; free(a); free(b); return r; }
static double **nr(int r, int c) { double **m = malloc(r*sizeof(double *) + r*c*sizeof(double));
    m[0] = (double *)(m + r); for (int i = 1; i < r; i++) m[i] = m[i-1] + c;
    return m; }
double recipes(double x, int n) { double **a = nr(n, n), **b = nr(n, n);
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i][j] = x*x*(i + j + 1);
    memcpy(b[0], a[0], n*n*sizeof(double)); double r = b[1][1]*b[0][0]; free(a); free(b); return r; }
static void put(char *q, const void *e, size_t sz, int i) { memcpy(q + i*sz, e, sz); }
static void get(const char *q, void *e, size_t sz, int i) { memcpy(e, q + i*sz, sz); }
double ring(double x, int n) { char *q = malloc(4*sizeof(E));
    for (int i = 0; i < 4; i++) { E e = {x*i, i}; put(q, &e, sizeof e, i); }
    double s = 0; for (int i = n; i >= 0; i--) { E e; get(q, &e, sizeof e, i); s += e.p*e.p*e.id; }
    free(q); return s; }
typedef struct { void *data; size_t size, n, cap; } Vec;
static void push(Vec *v, const void *e) {
    if (v->n == v->cap) { v->cap = v->cap ? 2*v->cap : 1; v->data = realloc(v->data, v->cap*v->size); }
    memcpy((char *)v->data + v->n++*v->size, e, v->size); }
static void *at(Vec *v, size_t i) { return (char *)v->data + i*v->size; }
double vectors(double x, int n) { Vec v = {0, sizeof(double), 0, 0}, w = {0, sizeof(E), 0, 0};
    for (int i = 0; i < n + 2; i++) { double d = x*i; E e = {x*x*i, i}; push(&v, &d); push(&w, &e); }
    double s = 0;
    for (int i = 0; i < n + 2; i++) s += *(double *)at(&v, i) * ((E *)at(&w, n + 1 - i))->p * ((E *)at(&w, i))->id;
    free(v.data); free(w.data); return s; }
static void exchange(void *a, void *b, size_t n) { char t[64]; memcpy(t, a, n); memcpy(a, b, n); memcpy(b, t, n); }
double exchanged(double x, int n) { E a[4]; for (int i = 0; i < 4; i++) a[i] = (E){x*x*(i+1), i};
    exchange(a, a + 3, sizeof(E)); exchange(a + 1, a + n - 1, sizeof(E));
    double r = 0; for (int i = 0; i < 4; i++) r += a[i].p*a[i].id*(i+1);
    return r; }
static void sort(void *base, size_t n, size_t sz, int (*cmp)(const void *, const void *)) { char t[64], *b = base;
    for (size_t i = 1; i < n; i++) { memcpy(t, b + i*sz, sz); size_t j = i;
        for (; j > 0 && cmp(b + (j-1)*sz, t) > 0; j--) memcpy(b + j*sz, b + (j-1)*sz, sz);
        memcpy(b + j*sz, t, sz); } }
static int order(const void *a, const void *b) { double p = ((const E *)a)->p, q = ((const E *)b)->p; return (p > q) - (p < q); }
double sorted(double x, int n) { E a[5]; for (int i = 0; i < 5; i++) a[i] = (E){sin(x*(i+1)), i};
    sort(a, n + 2, sizeof(E), order); double r = 0; for (int i = 0; i < 5; i++) r += a[i].p*a[i].id*(i+1);
    return r; }
typedef struct { char key[8]; double value; int used; } Slot;
double hashed(double x, int n) { Slot m[8]; memset(m, 0, sizeof m); const char *ks[3] = {"a", "bc", "def"};
    for (int i = 0; i < 3; i++) { int h = (ks[i][0]*7 + n) & 7; while (m[h].used) h = (h+1) & 7;
        Slot s = {{0}, x*x*(i+1), 1}; strcpy(s.key, ks[i]); memcpy(&m[h], &s, sizeof s); }
    double r = 0; for (int i = 0; i < 8; i++) if (m[i].used) r += m[i].value*m[i].key[0];
    return r; }
typedef struct { short tag; char name[6]; float f; long double big; } Mixed;
double mixed(double x, int n) { char *q = malloc(3*sizeof(Mixed)); Mixed m = {1, "a", x, x*x};
    for (int i = 0; i < 3; i++) { m.f *= 2; m.big *= m.f; memcpy(q + i*sizeof m, &m, sizeof m); }
    Mixed *p = (Mixed *)q; double r = p[n - 1].big*p[0].f + p[1].f*p[1].tag; free(q); return r; }
double reused(double x, int n) { char *pool = malloc(64); double y = x*x, **p = (double **)pool; p[0] = &y; p[1] = &x;
    char *other = malloc(64); memcpy(other, pool, 16); double r = **(double **)(other + 8*(n & 1));
    double d[2] = {x*r, r}; memcpy(pool, d, 16); memcpy(other, pool, 16); r += *(double *)(other + 8)*((double *)other)[0];
    free(pool); free(other); return r; }
static unsigned char store[256]; static size_t used;
static void *take(size_t n) { void *p = store + used; used += n; return p; }
double pooled(double x, int n) { used = 0; double *a = take(32); for (int i = 0; i < 4; i++) a[i] = x*i;
    double *b = take(32); memcpy(b, a, 32); return b[1]*b[n]*x; }
double tagged_stream(double x, int n) { used = 0; for (int i = 0; i < n; i++) { double y = x*x*i; char t = 'd';
    memcpy(take(1), &t, 1); memcpy(take(8), &y, 8); }
    double r = 0, d; for (int i = 0; i < n; i++) { memcpy(&d, store + 9*i + 1, 8); r += store[9*i] == 'd' ? d*d : 1; }
    return r; }
static int where[4] = {0, 8, 24, 16};
double words_at_offsets(double x, int n) { static uint64_t w[8]; int o = where[n]; double y = x*x; memcpy((char *)w + o, &y, 8);
    w[5] = w[2]; w[2] = 7; w[6] = w[n - 1]; memcpy(&y, w + 5, 8); return y*w[6]; }
double offsets(double x, int n) { static char s[64]; for (int i = 0; i < n; i++) *(double *)(s + where[i]) = x*x*(i + 1);
    memmove(s + where[2], s + where[0], 8); return *(double *)(s + 24)**(double *)(s + where[1]); }
void scaled(const double *x, double *out, int n) { char *q = malloc(8*n + 8); *(int *)q = n;
    for (int i = 0; i < n; i++) { double d = x[i]*x[i]; memcpy(q + 8 + 8*i, &d, 8); }
    memcpy(out, q + 8, 8*n); free(q); }
"""
BYTES = r"""
static void swapc(void *a, void *b, size_t n) { char *p = a, *q = b; while (n--) { char t = *p; *p++ = *q; *q++ = t; } }
static void copyc(void *a, const void *b, size_t n) { unsigned char *p = a; const unsigned char *q = b; for (size_t i = 0;
    i < n; i++) p[i] = q[i]; }
static void movec(void *a, const void *b, size_t n) { unsigned char *p = a; const unsigned char *q = b;
    if (p < q) for (size_t i = 0; i < n; i++) p[i] = q[i]; else while (n--) p[n] = q[n]; }
static void revc(void *a, size_t n) { char *p = a, *q = p + n - 1; while (p < q) { char t = *p; *p++ = *q; *q-- = t; } }
typedef uint64_t __attribute__((may_alias)) w64;
static void swapw(void *a, void *b, size_t n) { w64 *p = a, *q = b; for (size_t i = 0; i < n/8; i++) { w64 t = p[i];
    p[i] = q[i]; q[i] = t; } }
typedef struct { float f; int i; } FI;
typedef struct { char c; long double d; float f; } LD;
double cshuffle(double x, int n) { double a[6]; for (int i = 0; i < 6; i++) a[i] = x*x*(i+1); unsigned s = 1;
    for (int i = 5; i > 0; i--) { s = s*1103515245u + 12345u; swapc(a + i, a + (s >> 16)%(i+1), 8); } double r = 0;
    for (int i = 0; i < 6; i++) r += a[i]*a[i]*i; return r; }
double cfi(double x, int n) { FI a[4]; for (int i = 0; i < 4; i++) a[i] = (FI){x*x*(i+1), i}; swapc(a, a + n, sizeof(FI));
    swapc(a + 1, a + 2, sizeof(FI)); double r = 0; for (int i = 0; i < 4; i++) r += a[i].f*a[i].i*(i+1); return r; }
double cld(double x, int n) { LD a[3]; for (int i = 0; i < 3; i++) a[i] = (LD){i, x*x*(i+1), x*i};
    swapc(a, a + n - 1, sizeof(LD)); double r = 0; for (int i = 0; i < 3; i++) r += a[i].d*a[i].f*a[i].c + a[i].d; return r; }
double ccopy(double x, int n) { E a[3], b[3]; for (int i = 0; i < 3; i++) a[i] = (E){x*x*i, i}; copyc(b, a, sizeof(E)*n);
    double r = 0; for (int i = 0; i < 3; i++) r += a[i].p*b[i].p*b[i].id; return r; }
double cchain(double x, int n) { double a[3] = {x, x*x, 2*x}, b[3], c[3]; copyc(b, a, 8*n); copyc(c, b, 8*n);
    copyc(a, c + 1, 16); return a[0]*b[0] + a[1]*c[1] + c[2]*a[2]; }
double cmove(double x, int n) { double a[6]; for (int i = 0; i < 6; i++) a[i] = x*x*i; movec(a + 1, a, 8*n);
    movec(a, a + 2, 16); double r = 0; for (int i = 0; i < 6; i++) r += a[i]*a[i]*(i+1); return r; }
double ctwice(double x, int n) { double a[2] = {x, x*x}, b[4]; for (int k = 0; k < 2; k++) copyc(b + 2*k, a, 5*n + 1);
    return b[0]*b[1]*b[2] + b[3]; }
double w64s(double x, int n) { E a[4]; for (int i = 0; i < 4; i++) a[i] = (E){x*x*(i+1), i}; swapw(a, a + n, sizeof(E));
    swapw(a + 1, a + n - 1, sizeof(E)); double r = 0; for (int i = 0; i < 4; i++) r += a[i].p*a[i].id*(i+1); return r; }
double reversed(double x, int n) { double a[3] = {x, x*x, 3*x}; revc(a, 24); revc(a, 8); revc(a+1, 8); revc(a+2,8);
    return a[0] + 2*a[1]*a[1] + 5*a[2]; }
double heapc(double x, int n) { char *a = malloc(sizeof(E)*n), *b = malloc(sizeof(E)*n); for (int i = 0; i < n; i++) {
    E e = {x*x*i, i}; copyc(a + i*sizeof e, &e, sizeof e); } swapc(a, b, sizeof(E)*n); double r = 0; for (int i = 0; i < n;
    i++) { E e; copyc(&e, b + i*sizeof e, sizeof e); r += e.p*e.id; } free(a); free(b); return r; }
double pointers(double x, int n) { double u = x, v = x*x, *p = &u, *q = &v; swapc(&p, &q, n > 2 ? 8 : 0);
    return *p*3 + *q*u; }
typedef struct { double *p; double s; } P;
double members(double x, int n) { double u = x, v = x*x; P a[2] = {{&u, x}, {&v, 2*x}}, b[2];
    swapc(a, a + 1, sizeof(P)*(n > 2)); copyc(b, a, sizeof a); a[0].p = &x;
    return *b[0].p*b[0].s + 3*a[1].s**a[0].p; }
double words(double x, int n) { double u = x, v = x*x; P a[2] = {{&u, x}, {&v, 2*x}};
    swapw(a, a + 1, sizeof(P)*(n > 2)); return *a[0].p*a[0].s + 3*a[1].s; }
double buf(double x, int n) { double a[3] = {x, x*x, 3}, c[3]; unsigned char b[24]; copyc(b, a, 8*n); for (int i = 0;
    i < 8*n; i++) ((unsigned char *)c)[i] = b[i]; return c[0]*c[1]*c[2]; }
double tmpc(double x, int n) { double a[2] = {x, x*x}; char t[8], *p = (char *)a, *q = (char *)(a + 1); for (int i = 0;
    i < 8; i++) t[i] = p[i]; for (int i = 0; i < 8; i++) p[i] = q[i]; for (int i = 0; i < 8; i++) q[i] = t[i];
    return a[0] + 10*a[1]; }
double tmpp(double x, int n) { double u = x, v = x*x, *a[2] = {&u, &v}; char t[8], *p = (char *)a, *q = (char *)(a + 1);
    for (int i = 0; i < 8; i++) t[i] = p[i]; for (int i = 0; i < 8; i++) p[i] = q[i]; for (int i = 0; i < 8;
    i++) q[i] = t[i]; return *a[0] + 10**a[1]*u; }
typedef struct { char raw[16]; int n; } Box;
double box(double x, int n) { Box b, d; double y = x*x, z; b.n = n; for (int i = 0; i < 8; i++) b.raw[i] = ((char *)&y)[i];
    d = b; for (int i = 0; i < 8; i++) ((char *)&z)[i] = d.raw[i]; return z*d.n; }
typedef struct { char name[8]; double v; } Named;
double named(double x, int n) { Named a, b; const char *s = "hello"; int i; for (i = 0; s[i]; i++) a.name[i] = s[i];
    a.name[i] = 0; a.v = x*x; for (i = 0; i < 8; i++) b.name[i] = a.name[i]; b.v = a.v*x;
    return b.v*b.name[1] + a.name[0]*a.v; }
static double getd(const unsigned char *p) { unsigned char t[8]; for (int i = 0; i < 8; i++) t[i] = p[i]; double d;
    memcpy(&d, t, 8); return d; }
static void putd(unsigned char *p, double d) { unsigned char t[8]; memcpy(t, &d, 8); for (int i = 0; i < 8;
    i++) p[i] = t[i]; }
double bytes(double x, int n) { unsigned char b[64]; for (int i = 0; i < n; i++) putd(b + 9*i + 1, x*x*i); double r = 0;
    for (int i = 0; i < n; i++) r += getd(b + 9*(n-1-i) + 1)*i + getd(b + 9*i + 1); return r; }
static inline uint64_t bits(double d) { uint64_t u; memcpy(&u, &d, 8); return u; }
static inline double num(uint64_t u) { double d; memcpy(&d, &u, 8); return d; }
double table2(double x, int n) { uint64_t v[4]; for (int i = 0; i < 4; i++) { double y = x*x*i; memcpy(&v[i], &y, 8);
    } double r = 0; for (int i = 0; i <= n; i++) { uint64_t s = v[n-i]; double y; memcpy(&y, &s, 8); r += y*y*i; } return r; }
double table3(double x, int n) { uint64_t *v = malloc(8*n), w[4] = {0}; for (int i = 0; i < n; i++) v[i] = bits(x*x*(i+1));
    for (int i = 0; i < n; i++) w[n-i] = v[i]; double r = num(w[n > 2 ? 2 : 1])*num(v[0]); free(v); return r; }
double table4(double x, int n) { uint64_t a = bits(x), b = bits(x*x), t[2]; for (int i = 0; i < n; i++) { uint64_t c = a;
    a = b; b = c; } t[n & 1] = a; t[!(n & 1)] = b; uint64_t q = n > 5 ? t[0] : t[1]; return num(q)*3 + num(t[0])*x; }
"""
OFTEN = pytest.mark.parametrize(
    "opt", [0, pytest.param(1, marks=pytest.mark.nightly), 2, pytest.param(3, marks=pytest.mark.nightly)]
)
NAMES = re.findall(r"^double (\w+)\(double x, int n\)", BLOCKS, re.MULTILINE)


def wrong(program: em.Program, name: str) -> str | None:
    """What is wrong with a function of (x, 3)."""
    f, x = program[name], 1.5
    h = 1e-3 if name in ("mixed", "cfi", "cld") else 1e-6
    want = (f(x + h, 3) - f(x - h, 3)) / (2 * h)
    reverse, again = f.grad(x, 3), f.grad(x, 3)
    forward = f.jvp((x, 3), (1.0, None))[-1]
    good = reverse == again and reverse == pytest.approx(forward, rel=1e-6)
    return None if good and reverse == pytest.approx(want, rel=1e-3) else f"{name}: {reverse}, {forward}, {want}"


@OFTEN
def test_the_run_says_what_bytes_hold(opt: int) -> None:
    program = em.compile_c(HEAD + BLOCKS, opt=opt, post_opt=sampling.after_level(opt))
    bad = [found for name in NAMES if (found := wrong(program, name))]
    assert not bad, "\n".join(bad)
    x, seed = np.array([1.0, 2.0, 3.0]), np.array([1.0, 10.0, 100.0])
    assert em.vjp(program.scaled, x, np.zeros(3), 3, outputs="out")[1](seed).tolist() == [2.0, 40.0, 600.0]


@OFTEN
def test_bytes_and_words_that_are_moved_one_by_one(opt: int) -> None:
    program = em.compile_c(HEAD + BYTES, opt=opt, post_opt=sampling.after_level(opt))
    names = re.findall(r"^double (\w+)\(", BYTES, re.MULTILINE)
    bad = [found for name in names if (found := wrong(program, name))]
    assert not bad, "\n".join(bad)


def test_other_judges() -> None:
    program = em.compile_c(HEAD + BLOCKS)
    for name in ("whole", "ring", "vectors"):
        em.check_grads(program[name], (1.5, 3))
        assert "predicted" in str(program[name].activity(at=(1.5, 3)))
    for name in ("stretchy", "whole"):  # more pages than looked up together
        f, n = program[name], 200_000
        assert f.grad(1.5, n) == pytest.approx(f.jvp((1.5, n), (1.0, None))[-1], rel=1e-12)
    line = 1 + (HEAD + BLOCKS).partition("memcpy(b, a,")[0].count("\n")
    assert f"\n  line {line}: it is not known what these bytes hold" in str(program.whole.plan())
    assert f"has a mark, because line {line}: it is not known" in program.whole.cache().report.cache.sentence


def test_typed_code_pays_nothing() -> None:
    text = (
        HEAD + "double f(const E *e, int n) { double s = 0; for (int i = 0; i < n; i++) s += e[i].p*e[i].p; return s; }"
    )
    program = em.compile_c(
        text + "double g(double x, int n) { E a = {x, n}, b; memcpy(&b, &a, sizeof a); return b.p*b.id; }"
    )
    assert program.g.grad(2.0, 3) == 3.0
    assert "em.kinds" not in program.g.ir("gradient")


PARTS = r"""
double half(double x, int n) { char *q = malloc(8*n), *r = calloc(n, 8);
    for (int i = 0; i < n; i++) { double y = x*(i+1); memcpy(q + 8*i, &y, 8); }
    memcpy(r + 4, q + 4, 8*n - 8);
    return ((double *)r)[0]; }
double shifted(double x, int n) { char *q = malloc(8*n), *r = calloc(n, 8);
    for (int i = 0; i < n; i++) { double y = x*(i+1); memcpy(q + 8*i, &y, 8); }
    memcpy(r, q + 4, 8*n - 8);
    return ((double *)r)[0]; }
"""


def test_what_the_run_cannot_say_ends_the_call() -> None:
    program = em.compile_c("#include <stdlib.h>\n#include <string.h>" + PARTS, opt=2, name="In[1]")
    for function in (program.half, program.shifted):
        with pytest.raises(em.ExecutionError) as caught:
            function.grad(2.0, 3)
        assert caught.value.code == "EM409"
        assert caught.value.span is not None
        assert caught.value.span.file == "In[1]"


def test_a_derivative_from_disk() -> None:
    """Another process takes the derivative from the cache folder, native support included."""
    code = textwrap.dedent("""
        import sys, enzyme_magic as em
        text = sys.stdin.read()
        print(em.compile_c(text).whole.grad(1.5, 3))
    """)
    answers = {
        subprocess.run(
            [sys.executable, "-c", code], input=HEAD + BLOCKS, capture_output=True, text=True, check=True, timeout=300
        ).stdout
        for _ in range(2)
    }
    assert len(answers) == 1

"""Integers that are computed with where numbers may lie: tagged unions, headers, free lists, arenas, hashes of bytes.

The run says whether they are integers. Differences judge both modes where they are; where they are bits of a number on the way to
the result, the call ends with an error that names the line of C, and never with a zero.
"""

from __future__ import annotations

import re

import pytest

import enzyme_magic as em
from tests import sampling

from .test_kinds import OFTEN, wrong

HEAD = """
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
typedef struct { int tag; union { double d; long i; float f; } u; } V;
"""
INTEGERS = r"""
typedef union { double d; struct { int next; int used; } l; } Cell;
double freelist(double x, int n) { Cell p[6]; int head = 0; for (int i = 0; i < 6; i++) p[i].l.next = i + 1;
    int a = head; head = p[a].l.next; int b = head; head = p[b].l.next; p[a].d = x*x; p[b].d = sin(x);
    double r = p[a].d*p[b].d; p[a].l.next = head; head = a;
    int c = head; head = p[c].l.next; p[c].d = r*x; int d = head; head = p[d].l.next; p[d].d = p[c].d*3;
    return p[d].d + p[b].d*head; }
typedef struct { size_t n, cap; } Hdr;
#define HDR(p) ((Hdr *)(p) - 1)
static double *push(double *p, double v) { Hdr *h = p ? HDR(p) : 0;
    if (!h || h->n == h->cap) { size_t cap = h ? 2*h->cap : 1, n = h ? h->n : 0;
        h = realloc(h, sizeof(Hdr) + cap*8); h->n = n; h->cap = cap; p = (double *)(h + 1); }
    p[HDR(p)->n++] = v; return p; }
double stretchy(double x, int n) { double *p = 0; for (int i = 0; i < n + 2; i++) p = push(p, x*x*i);
    double r = 0; for (size_t i = 0; i < HDR(p)->n; i++) r += p[i]*p[i]; free(HDR(p)); return r; }
static __attribute__((noinline)) double *grow(double *v, size_t more) { Hdr *h = v ? HDR(v) : 0;
    size_t n = h ? h->n : 0, cap = h ? h->cap : 0;
    if (n + more > cap) { cap = 2*cap + more; h = realloc(h, sizeof(Hdr) + cap*8); h->n = n; h->cap = cap; }
    return (double *)(h + 1); }
static __attribute__((noinline)) double *append(double *v, double x) { v = grow(v, 1); v[HDR(v)->n++] = x; return v; }
double stretchg(double x, int n) { double *v = 0; for (int i = 0; i < n + 2; i++) v = append(v, i % 2 ? x*0.5 : sin(x*i));
    Hdr *h = HDR(v); double r = 0; for (size_t i = 0; i < h->n; i++) r += v[i]*v[h->n - 1 - i]; free(h); return r; }
typedef struct { int n, cap; } Hdi;
#define HDI(p) ((Hdi *)(p) - 1)
static void *pushi(void *p, const void *v, size_t sz) { Hdi *h = p ? HDI(p) : 0;
    if (!h || h->n == h->cap) { int cap = h ? 2*h->cap : 1, n = h ? h->n : 0;
        h = realloc(h, sizeof(Hdi) + cap*sz); h->n = n; h->cap = cap; p = h + 1; }
    memcpy((char *)p + sz*HDI(p)->n++, v, sz); return p; }
double stretchi(double x, int n) { double *p = 0; for (int i = 0; i < n + 2; i++) { double v = x*x*i;
    p = pushi(p, &v, 8); }
    double r = 0; for (int i = 0; i < HDI(p)->n; i++) r += p[i]*p[i]; free(HDI(p)); return r; }
double bytebuf(double x, int n) { char *b = malloc(64); *(int *)b = n; double *w = (double *)(b + 8);
    for (int i = 0; i < *(int *)b; i++) w[i] = x*(i+1); *(int *)b += 1; w[*(int *)b - 1] = x*x;
    double r = 0; for (int i = 0; i < *(int *)b; i++) r += w[i]*w[i]; free(b); return r; }
double bytebuf2(double x, int n) { char b[64]; int k = n; memcpy(b, &k, 4); for (int i = 0; i < n; i++) {
    double v = x*(i+1); memcpy(b + 4 + 8*i, &v, 8); }
    memcpy(&k, b, 4); double r = 0; for (int i = 0; i < k; i++) { double v; memcpy(&v, b + 4 + 8*i, 8); r += v*v;
    } return r*k; }
double arena(double x, int n) { char *pool = malloc(256); size_t used = 0; long *cnt = (long *)(pool + used);
    used += 8; double *a = (double *)(pool + used); used += 8*n;
    *cnt = 0; for (int i = 0; i < n; i++) { a[i] = x*i; *cnt += i; } used = 0; double *b = (double *)(pool + used);
    used += 8; long *c2 = (long *)(pool + used);
    double s = a[n-1]*(double)*cnt; *b = s*x; *c2 = n; *c2 *= 2; double r = *b*(double)*c2; free(pool); return r; }
typedef struct { char type; union { double num; int boolean; char *str; } as; } Val;
double lox(double x, int n) { Val v[4]; v[0].type = 1; v[0].as.num = x*x; v[1].type = 0; v[1].as.boolean = n > 2;
    v[2].type = 1; v[2].as.num = x; v[3].type = 2; v[3].as.str = "abc";
    double r = 0; for (int i = 0; i < 4; i++) switch (v[i].type) { case 0: r += v[i].as.boolean ? 2*r : 0; break;
    case 1: r += v[i].as.num*v[i].as.num; break; default: r *= strlen(v[i].as.str); }
    return r; }
double vector_of(double x, int n) { V *v = malloc(n*sizeof(V)); for (int i = 0; i < n; i++) if (i & 1) {
    v[i].tag = 0; v[i].u.i = i; } else { v[i].tag = 1; v[i].u.d = x*i + x; }
    V *w = malloc(n*sizeof(V)); memcpy(w, v, n*sizeof(V)); double r = 1; for (int i = 0; i < n;
    i++) r *= w[i].tag ? w[i].u.d : (double)(w[i].u.i*2 + 1); free(v); free(w); return r; }
double heaptag(double x, int n) { unsigned char *q = malloc(9*n); for (int i = 0; i < n; i++) { q[9*i] = i & 1;
    if (i & 1) { int64_t k = i; memcpy(q + 9*i + 1, &k, 8); } else { double d = x*i + x;
    memcpy(q + 9*i + 1, &d, 8); } }
    double r = 0; for (int i = 0; i < n; i++) { if (q[9*i]) { int64_t k; memcpy(&k, q + 9*i + 1, 8); r = r*k + k;
    } else { double d; memcpy(&d, q + 9*i + 1, 8); r += d*d; } } free(q); return r; }
double callocd(double x, int n) { char *q = calloc(4, 8); for (int i = 0; i < n; i++) { double d = x*i;
    ++*(long *)q; memcpy(q + 8*(i + 1), &d, 8); } double r = 0; for (int i = 0; i < *(long *)q; i++) { double d;
    memcpy(&d, q + 8*(i+1), 8); r += d*d**(long *)q; } free(q); return r; }
double constant(double x, int n) { V v[3]; v[0].u.d = 2.0; v[1].u.d = x; v[2].u.i = n; long k = v[n - 3].u.i >> 52;
    return v[1].u.d*(double)(k & 7)*v[n - 2].u.d + v[2].u.i; }
double hash(double x, int n) { unsigned char *q = malloc(24); uint64_t h = 1469598103934665603ull; double y = x*x;
    memcpy(q, &n, 4); memset(q + 4, 0, 4); memcpy(q + 8, &y, 8); for (int i = 0; i < 8*(n - 2);
    i++) h = (h ^ q[i])*1099511628211ull; double z; memcpy(&z, q + 8, 8); free(q); return z*(double)(h & 7); }
double intofloat(double x, int n) { union { double d; int64_t i; } s[3]; s[0].d = x;
    s[1].i = (int64_t)(n + 1020) << 52; s[2].i = s[1].i + (1ll << 52); return s[0].d*s[1].d + s[n - 1].d*x; }
double halves(double x, int n) { union { double d; struct { uint32_t lo, hi; } w; } s[3]; s[0].d = x*x;
    s[1].w.lo = n; s[1].w.hi = 7; s[2].w.lo = s[n-3].w.lo; s[2].w.hi = s[n-3].w.hi;
    return s[2].d*x + s[n-2].w.hi*s[n-2].w.lo; }
double spec(double x, int n) { V v[2]; v[0].tag = n > 2; if (n > 2) v[0].u.d = x*x; else v[0].u.i = n;
    v[1].u.i = n; v[1].tag = 0; double r = 1; for (int i = 0; i < 2; i++) { V w = v[i];
    r *= w.tag ? w.u.d : (double)(w.u.i*3 + 1); } return r; }
double overflow(double x, int n) { long b[8]; for (int i = 0; i < 8; i++) b[i] = i; double y = x*x;
    memcpy(b + n, &y, 8); long s = 0; for (int i = 0; i < 8; i++) if (i != n) s += b[i]; double z;
    memcpy(&z, b + n, 8); return z*s; }
double maxbits(double x, int n) { long b[4]; b[0] = n; b[1] = n + 1; double y = x*x; memcpy(b + 2, &y, 8);
    long m = b[0] > b[1] ? b[0] : b[1]; double z; memcpy(&z, b + 2, 8); b[3] = m; return z*b[3]; }
double overwritten(double x, int n) { V v[2]; v[0].u.d = x*x; double r = v[0].u.d; v[0].u.i = n; v[0].u.i += 2;
    r *= v[0].u.i; v[0].u.d = r*x; v[1] = v[0]; v[0].u.i = n - 1; return v[1].u.d*v[0].u.i; }
static __attribute__((noinline)) void bump(void *p, int k) { ((long *)p)[k]++; }
double calleeok(double x, int n) { void *q = malloc(8*n); ((long *)q)[0] = n; ((double *)q)[1] = x*x;
    ((double *)q)[2] = x; bump(q, n - 3); double r = ((double *)q)[1]*((double *)q)[2]*((long *)q)[0]; free(q);
    return r; }
double sunk(double x, int n) { V *t = malloc(n*sizeof *t); double sum = 0;
    for (int i = 0; i < n; i++) { t[i].tag = i & 1; if (i & 1) t[i].u.d = x*x; else t[i].u.i = i; }
    for (int i = 0; i < n; i++) sum += t[i].tag ? sin(t[i].u.d) : x*(double)t[i].u.i;
    free(t); return sum; }
static V pool[4];
double statics(double x, int n) { pool[1].u.d = x*x; pool[2].u.i += n; pool[0].u.i++; double r = 0;
    for (int i = 0; i < 3; i++) r += (i == 1) ? pool[i].u.d : (double)pool[i].u.i*x;
    pool[0].u.i = pool[2].u.i = 0; return r; }
"""
BY_VALUE = r"""
typedef struct { int op; long k; } I;
static V real(double x) { V v; v.tag = 1; v.u.d = x; return v; }
static V whole(long i) { V v; v.tag = 0; v.u.i = i; return v; }
static double as(V v) { return v.tag == 1 ? v.u.d : v.tag == 2 ? v.u.f : (double)v.u.i; }
double tagged(double x, int n) { V v[3]; v[0] = whole(n); v[1] = real(x*x); v[2] = real(sin(x)); v[0].u.i += 2;
    double r = 0; for (int i = 0; i < 3; i++) r += (i + 1)*as(v[i]); return r; }
double tagswap(double x, int n) { V v[3]; v[0] = whole(n); v[1] = real(x*x); v[2] = real(sin(x));
    V t = v[0]; v[0] = v[n-1]; v[n-1] = t;
    double r = 0; for (int i = 0; i < 3; i++) r += (i + 1)*as(v[i]); return r*v[0].u.d; }
double machine(double x, int n) { V st[8]; int top = 0; I code[] = {{0,0},{1,3},{2,0},{1,2},{3,0},{0,0},{4,0}};
    for (int k = 0; k < 7; k++) switch (code[k].op) {
      case 0: st[top++] = real(x); break; case 1: st[top++] = whole(code[k].k); break;
      case 2: { V b = st[--top], a = st[--top]; if (a.tag == 0 && b.tag == 0) st[top++] = whole(a.u.i*b.u.i);
    else st[top++] = real(as(a)*as(b)); } break;
      case 3: { V b = st[--top], a = st[--top]; if (a.tag == 0 && b.tag == 0) st[top++] = whole(a.u.i+b.u.i);
    else st[top++] = real(as(a)+as(b)); } break;
      case 4: { V b = st[--top], a = st[--top]; st[top++] = real(as(a)*as(b)*as(a)); } break; }
    return as(st[0])*n; }
double folded(double x, int n) { V v = whole(1); for (int i = 0; i < n; i++) v = real(as(v)*x + as(real(x))); return as(v); }
double flipped(double x, int n) { V v = whole(0); double r = 0; for (int i = 0; i < 2*n; i++)
    if (v.tag) { r += v.u.d*x; v = whole(i); } else v = real(r + x*v.u.i + x*x); return r + as(v); }
"""
WRONG_BY_VALUE = r"""
double taken(double x, int n) { V v = whole(1); double r = x; for (int i = 0; i < n; i++) { v.tag = 0; r += as(v); v = real(x*i); }
    return r; }
double counted(double x, int n) { V v = n > 2 ? real(x*x) : whole(3); for (int i = 0; i < n; i++) v.u.i += 1; return v.u.d*x; }
"""
NUMBERS = r"""
double wrongtag(double x, int n) { V v[4]; for (int i = 0; i < 4; i++) { if (i & 1) { v[i].tag = 0; v[i].u.i = i;
    } else { v[i].tag = n > 2 ? 0 : 1; v[i].u.d = x*x; } }
    double r = 0; for (int i = 0; i < 4; i++) r += v[i].tag ? v[i].u.d : 1e-18*(double)v[i].u.i; return r; }
double copied(double x, int n) { V v[4], w[4]; for (int i = 0; i < 4; i++) { if (i & 1) { v[i].tag = 0;
    v[i].u.i = i; } else { v[i].tag = n > 2 ? 0 : 1; v[i].u.d = x*x; } }
    memcpy(w, v, sizeof v); memmove(w + 1, w, 3*sizeof(V)); double r = 0; for (int i = 0; i < 4;
    i++) r += w[i].tag ? w[i].u.d : 1e-18*(double)w[i].u.i; return r; }
double grown(double x, int n) { V *v = malloc(4*sizeof(V)); for (int i = 0; i < 4; i++) { if (i & 1) {
    v[i].tag = 0; v[i].u.i = i; } else { v[i].tag = n > 2 ? 0 : 1; v[i].u.d = x*x; } }
    v = realloc(v, 8*sizeof(V)); double r = 0; for (int i = 0; i < 4;
    i++) r += v[i].tag ? v[i].u.d : 1e-18*(double)v[i].u.i; free(v); return r; }
double plus(double x, int n) { V v[3]; v[0].u.i = n; v[1].u.i = n + 1; v[2].u.d = x*x;
    v[n - 2].u.i = v[n - 1].u.i + 1; v[0].u.d = v[n - 2].u.d; return v[0].u.d*x; }
double hashbad(double x, int n) { unsigned char *q = malloc(24); uint64_t h = 1469598103934665603ull;
    double y = x*x; memcpy(q, &n, 4); memset(q + 4, 0, 4); memcpy(q + 8, &y, 8); for (int i = 0; i < 8*(n - 1);
    i++) h = (h ^ q[i])*1099511628211ull; double z; memcpy(&z, q + 8, 8); free(q); return z*(double)(h & 7); }
"""


def _names(text: str) -> list[str]:
    return re.findall(r"^double (\w+)\(double x, int n\)", text, re.MULTILINE)


@OFTEN
def test_integers_where_numbers_may_lie(opt: int) -> None:
    text = INTEGERS + BY_VALUE * (opt > 0)
    program = em.compile_c(HEAD + text, opt=opt, post_opt=sampling.after_level(opt))
    bad = [found for name in _names(text) if (found := wrong(program, name))]
    assert not bad, "\n".join(bad)


@OFTEN
def test_numbers_that_are_computed_with_end_the_call(opt: int) -> None:
    text = NUMBERS + (BY_VALUE + WRONG_BY_VALUE) * (opt > 0)
    program = em.compile_c(HEAD + text, opt=opt, post_opt=sampling.after_level(opt), name="In[1]")
    for name in _names(NUMBERS + WRONG_BY_VALUE * (opt > 0)):
        for derivative in (
            lambda f=program[name]: f.grad(1.5, 3),
            lambda f=program[name]: f.jvp((1.5, 3), (1.0, None)),
        ):
            with pytest.raises(em.ExecutionError) as caught:
                derivative()
            assert caught.value.code == "EM409"
            assert caught.value.span is not None
            assert caught.value.span.file == "In[1]"
        assert program[name](1.5, 3) == program[name](1.5, 3)


def test_what_needs_no_run_is_said_before_it() -> None:
    """Only numbers are ever written there; and a typed integer costs nothing."""
    program = em.compile_c(
        HEAD
        + "double f(double x) { union { double d; uint64_t u; } a; a.d = x*x; a.u ^= 1; return a.d; }"
        + "double g(double x, int n) { V *v = malloc(sizeof(V)); v->u.d = x; v->tag = n; double r = v->u.d*(v->tag + 1); free(v);"
        " return r; }"
    )
    with pytest.raises(em.DifferentiationError) as caught:
        program.f.grad(1.5)
    assert caught.value.code == "EM220"
    assert program.g.grad(2.0, 3) == 4.0
    assert "em.kinds" not in program.g.ir("gradient")


SMALL = """#include <stdlib.h>
typedef struct { int room, n; int *i; double *x; } list;
static void *make(int n, size_t s) { return calloc(n > 1 ? n : 1, s); }
static void *again(void *p, int n, size_t s, int *done) {
    void *q = realloc(p, (n > 1 ? n : 1)*s); *done = q != NULL; return *done ? q : p; }
static list *opened(int room) {
    list *t = make(1, sizeof(list)); t->room = room; t->i = make(room, sizeof(int));
    t->x = make(room, sizeof(double)); return t; }
static int grow(list *t, int room) {
    int one, two; if (room <= 0) room = t->i[t->n];
    t->i = again(t->i, room, sizeof(int), &one); t->x = again(t->x, room, sizeof(double), &two);
    if (one && two) t->room = room; return one && two; }
static void add(list *t, int i, double x) {
    if (t->n < t->room || grow(t, 2*t->room)) { t->x[t->n] = x; t->i[t->n++] = i; } }
double f(double x, double y) {
    list *t = opened(1); for (int k = 0; k < 3; k++) add(t, k, x*k + y);
    double r = t->x[1]*t->x[2]; free(t->i); free(t->x); free(t); return r; }
"""


def test_what_lies_beside_a_small_variable_is_no_part_of_it() -> None:
    """The word around the shadow of an `int` held the shadow of a pointer (EM409 in forward mode before)."""
    f = em.compile(SMALL, opt=0)["f"]
    assert tuple(f.grad(1.5, 0.5)) == (7.5, 5.5)
    assert em.jvp(f, (1.5, 0.5), (1.0, 1.0))[1] == 13.0

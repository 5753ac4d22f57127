"""Addresses that go through integers, and addresses of local variables that others keep: right, or refused with a reason."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import pytest

import enzyme_magic as em

HEAD = """
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#define NI static __attribute__((noinline))
static double *kept;
static struct { int n; double *p; } box;
NI void keep(double *p) { kept = p; }
NI double kept_value(void) { return *kept; }
NI void set_kept(double x) { *kept = x*x; }
NI void put_box(double *p) { box.p = p, box.n = 1; }
NI double box_value(void) { return box.p[box.n]; }
NI double *aligned(double *p) { return (double *)(((uintptr_t)p + 63) & ~(uintptr_t)63); }
NI ptrdiff_t between(const double *a, const double *b) { return b - a; }
typedef struct { double *w; size_t n, cap; } V;
NI void grow(V *v, size_t c) { v->w = realloc(v->w, c*8), v->cap = c; }
NI void push(V *v, double x) { if (v->n == v->cap) grow(v, v->cap ? v->cap*2 : 2); v->w[v->n++] = x; }
typedef struct { const void *k[2]; double v[2]; int n; } Keys;
NI void insert(Keys *t, const void *k, double v) { t->k[t->n] = k, t->v[t->n++] = v; }
NI double look(const Keys *t, const void *k) { for (int i = 0; i < t->n; i++) if (t->k[i] == k) return t->v[i]; return 0; }

NI void put(uintptr_t *s, uintptr_t v) { *s = v; }
NI void put_address(uintptr_t *s, double *p) { *s = (uintptr_t)p; }
NI uintptr_t same(double *p) { return (uintptr_t)p; }
NI uintptr_t made(double x) { double *p = malloc(8); *p = x*x; return (uintptr_t)p; }
NI double behind(uintptr_t v, double x) { return *(double *)v*x; }
NI double tagged(uintptr_t v, double x) { return v & 1 ? *(double *)(v & ~(uintptr_t)1)*x : x; }
NI double crossed(uintptr_t a, uintptr_t b) { return *(double *)(a^b); }
NI double halves(uint32_t lo, uint32_t hi) { return *(double *)((uintptr_t)lo | (uintptr_t)hi << 32); }
NI double called(double (*f)(uintptr_t, double), uintptr_t v, double x) { return f(v, x); }
NI double in_table(uintptr_t v, int i) { uintptr_t t[3] = {v, v, v}; double *q; memcpy(&q, &t[i], 8); return i > 0 ? *q : 1; }
NI intptr_t apart(double *a, double *b) { return (intptr_t)a - (intptr_t)b; }
NI void bytes(unsigned char *b, double *p) {
    uintptr_t u = (uintptr_t)p;
    for (int i = 0; i < 8; i++) b[i] = (unsigned char)(u >> 8*i); }
NI void digits(unsigned char *b, double *p) { for (uintptr_t u = (uintptr_t)p, i = 0; i < 8; i++, u /= 256) b[i] = u % 256; }
typedef struct { double b; } N;
NI N boxed(double *p) { uint64_t u = (uint64_t)p | 0xfff8000000000000u; N v; memcpy(&v.b, &u, 8); return v; }
NI double *unboxed(N v) { uint64_t u; memcpy(&u, &v.b, 8); return (double *)(u & 0xffffffffffffu); }
NI double *pointer(double b) { double *p; memcpy(&p, &b, 8); return p; }
static uintptr_t word;
NI void copied(uintptr_t *u, double *p) { memcpy(u, &p, 8); }
NI void moved(uintptr_t *b, const uintptr_t *u) { *b = *u; }
NI void advanced(uintptr_t *b, const uintptr_t *u) { *b = *u + 16; }
NI void advanced_there(void *u) { *(uintptr_t *)u += 8; }
NI void bytes_of(unsigned char *b, const uintptr_t *u) { for (int i = 0; i < 8; i++) b[i] = (unsigned char)(*u >> 8*i); }
NI double in_words(double x, int i) {
    double d[2] = {1, x*x}, *t[3] = {d, d, d}, *q; uintptr_t w[3];
    memcpy(w, t, 24), w[i] = w[i] + 8, memcpy(&q, &w[i], 8);
    return *q*x; }
NI void exchange(uint32_t *u) { uint32_t t = u[0]; u[0] = u[1], u[1] = t; }
typedef union { double *p; long n; double d; } Cell;
NI void next(Cell *c) { c->n += 1; }
NI void next_of(void *t, int i) { uintptr_t *w = t; w[i] = w[i] + 8; }
typedef struct Node { double at; int dir; struct Node *down; } Node;
typedef struct { int dim; Node *root; } Tree;
typedef struct { int kind; double x; void *user; } Item;
NI double used(const Item *b) { return b->kind ? *(double *)b->user*b->x : b->x*(int)(intptr_t)b->user; }
NI void set(Item *b, int kind, double x, void *user) { b->kind = kind, b->x = x, b->user = user; }
NI double power(double x, void *n) { double r = 1; for (int i = (int)(intptr_t)n; i > 0; i--) r *= x; return r; }
NI double scaled(double x, void *by) { return x**(double *)by; }
typedef struct { double (*f)(double, void *); void *user; } Handler;
NI void insert_below(Node **place, double x, int dir, int dim) {
    if (*place) { insert_below(&(*place)->down, x*(*place)->at, ((*place)->dir + 1) % dim, dim); return; }
    *place = malloc(sizeof(Node)), (*place)->at = x, (*place)->dir = dir, (*place)->down = 0; }
NI void insert_into(Tree *t, double x) { insert_below(&t->root, x, 0, t->dim); }
NI void drop(Node *n) { if (n) drop(n->down), free(n); }
"""
# x -> x^3 each, but for those that say otherwise.
RIGHT = {
    "of_a_local": "double d = x*x; keep(&d); return kept_value()*x;",
    "written_through": "double d = 1; keep(&d); set_kept(x); return d*x;",
    "beside_a_count": "double d[2] = {1, x*x}; put_box(d); return box_value()*x;",
    "of_a_block": "double *d = malloc(8); *d = x*x; keep(d); double r = kept_value()*x; free(d); return r;",
    "by_alignment": "double b[32], *p = aligned(b); p[0] = x, p[1] = x*x; return p[0]*p[1];",
    "counted": "V v = {0}; push(&v, x), push(&v, x), push(&v, x); v.cap = between(v.w, v.w + v.n);"
    " double r = 1; for (size_t i = 0; i < v.cap; i++) r *= v.w[i]; free(v.w); return r;",
    "lowest_bits": "double b[2] = {x, x*x}; static int low[2]; for (int i = 0; i < 2; i++) low[i] = (uintptr_t)(b + i) & 7;"
    " return low[0] || low[1] ? 0 : b[0]*b[1];",
    "keys": "double a = x, b = x*x; Keys t; t.n = 0; insert(&t, &a, a); insert(&t, &b, b); return look(&t, &a)*look(&t, &b);",
    "moved_as_a_word": "double d = x*x, *q; uintptr_t u, b; copied(&u, &d), moved(&b, &u); memcpy(&q, &b, 8); return *q*x;",
    "halves_exchanged": "double d = x*x, *q = &d; uint32_t w[2]; memcpy(w, &q, 8); exchange(w), exchange(w); memcpy(&q, w, 8);"
    " return *q*x;",
    "in_a_tree": "Tree t = {2, 0}; insert_into(&t, x), insert_into(&t, x); double r = t.root->at*t.root->down->at; drop(t.root);"
    " return r;",
    "a_number_beside": "double d[2] = {1, x*x}; Cell c[2]; c[0].p = d, c[1].n = 0; next(&c[1]); return c[0].p[c[1].n]*x;",
    "whole_numbers": "double d = x*x, r = 0; Item *b[4]; for (int i = 0; i < 4; i++) { b[i] = calloc(1, sizeof(Item));"
    " set(b[i], i & 1, i*x, i & 1 ? (void *)&d : (void *)(uintptr_t)(i*3u)); }"
    " for (int i = 0; i < 4; i++) r += used(b[i]), free(b[i]); return (r - 12*x)/4;",
    "for_a_callback": "double d = x; Handler h[3] = {{power, (void *)2}, {scaled, &d}, {power, (void *)(intptr_t)(1 + (x > 1))}};"
    " double r = 0; for (int i = 0; i < 3; i++) r += h[i].f(x, h[i].user); return r*x/3;",
}
REFUSED = {
    "stored": "double d = x*x, *q; uintptr_t s; put(&s, (uintptr_t)&d); memcpy(&q, &s, 8); return x > 1 ? *q*x : x;",
    "stored_for_us": "double d = x*x, *q; uintptr_t s; put_address(&s, &d); memcpy(&q, &s, 8); return x > 1 ? *q*x : x;",
    "given_and_stored": "double d = x*x; volatile uintptr_t s = same(&d); double *q = *(double **)&s; return x > 1 ? *q*x : x;",
    "given": "double *p = (double *)made(x); double r = *p*x; free(p); return r;",
    "passed": "double d = x*x; return behind((uintptr_t)&d, x);",
    "with_a_tag": "double *d = malloc(8); *d = x*x; double r = tagged((uintptr_t)d | 1, x); free(d); return r;",
    "exclusive_or": "double d = x*x; uintptr_t k = 0x1234; return crossed((uintptr_t)&d^k, k)*x;",
    "in_two_halves": "double d = x*x; uintptr_t v = (uintptr_t)&d; return halves((uint32_t)v, (uint32_t)(v >> 32))*x;",
    "in_two_halves_apart": "double d = x*x; uintptr_t v = (uintptr_t)&d; uint32_t w[2] = {(uint32_t)v, (uint32_t)(v >> 32)};"
    " return halves(w[0], w[1])*x;",
    "byte_after_byte": "double d = x*x; unsigned char b[8]; bytes(b, &d); uintptr_t u = 0;"
    " for (int i = 7; i >= 0; i--) u = u*256 + b[i]; Item t = {1, x, (void *)u}; return used(&t);",
    "to_a_callback": "double d = x*x; return called(behind, (uintptr_t)&d, x);",
    "from_a_table": "double d = x*x; return in_table((uintptr_t)&d, x > 1)*x;",
    "by_difference": "double d = x*x, r = 1; intptr_t o = apart(&d, &r); return *(double *)((intptr_t)&r + o)*x;",
    "byte_by_byte": "double d = x*x, *q; unsigned char b[8]; bytes(b, &d); memcpy(&q, b, 8); return x > 1 ? *q*x : x;",
    "bytes_of_our_own": "double d = x*x, *q; uintptr_t u = (uintptr_t)&d; unsigned char b[8];"
    " for (int i = 0; i < 8; i++) b[i] = u >> 8*i & 255; memcpy(&q, b, 8); return x > 1 ? *q*x : x;",
    "digit_by_digit": "double d = x*x, *q; unsigned char b[8]; digits(b, &d); memcpy(&q, b, 8); return x > 1 ? *q*x : x;",
    "in_a_not_a_number": "double d = x*x; return *unboxed(boxed(&d))*x;",
    "by_two_numbers": "double d[3] = {1, 1, x*x}, *q; uintptr_t u, b; copied(&u, d), advanced(&b, &u); memcpy(&q, &b, 8);"
    " return x > 1 ? *q*x : x;",
    "advanced_in_place": "double d[2] = {1, x*x}, *q = d; advanced_there(&q); return *q*x;",
    "bytes_of_a_copy": "double d = x*x, *q; uintptr_t u; unsigned char b[8]; copied(&u, &d), bytes_of(b, &u); memcpy(&q, b, 8);"
    " return x > 1 ? *q*x : x;",
    "in_words_of_a_table": "return in_words(x, x > 1);",
    "next_in_a_table": "double d[2] = {1, x*x}, *t[2] = {d, d}; next_of(t, x > 1); return *t[x > 1]*x;",
    "next_in_a_block": "double d[2] = {1, x*x}, **t = malloc(16); t[0] = t[1] = d; next_of(t, x > 1); double r = *t[x > 1]*x;"
    " free(t); return r;",
    "loaded_and_passed": "double d = x*x, *q; uintptr_t u, b; copied(&u, &d), put(&b, u); memcpy(&q, &b, 8);"
    " return x > 1 ? *q*x : x;",
    "kept_elsewhere": "double d = x*x, *q; uintptr_t b[2]; copied(&word, &d); b[x > 1] = word*1;"
    " memcpy(&q, &b[x > 1], 8); return *q*x;",
    "as_a_number": "double d = x*x, *p = &d, b; memcpy(&b, &p, 8); return *pointer(b)*x;",
}
PROGRAM = HEAD + "\n".join(f"double {name}(double x) {{ {body} }}" for name, body in {**RIGHT, **REFUSED}.items())
X = 1.2


def _found(derivative: Callable[[], float]) -> float | str:
    """A derivative, or why there is none."""
    try:
        return derivative()
    except em.errors.EnzymeError as error:
        return str(error.code)


@pytest.mark.parametrize("opt", [0, 2])
def test_right_or_refused(opt: int) -> None:
    """x^3 in all of them; what can be followed is right in both modes, and nowhere comes a number that is wrong."""
    program = em.compile_c(PROGRAM, opt=opt)
    for name in (*RIGHT, *REFUSED):
        function = program[name]
        assert math.isclose(function(X), X**3), name
        for found in (_found(partial(function.grad, X)), _found(lambda f=function: em.jvp(f, (X,), (1.0,))[1])):
            if isinstance(found, str):
                assert name in REFUSED, (name, found)
                assert found in ("EM230", "EM407"), (name, found)
            else:
                assert math.isclose(found, 3 * X**2), name


BESIDE = """
typedef struct { long n; double v; double *at; } Counted;
static Counted counted = {3, 0};
static long total = 2, *which = &counted.n;
static union { double *p; unsigned char low; } mixed = {&counted.v};
NI long safe(long a, long b) { return b > 0 && a > 9223372036854775807 - b ? a : a + b; }
NI long summed(const long *n, long k) { return k > 0 ? summed(n, k - 1) + *n : 0; }
NI double *there(void) { return mixed.p; }
double parts(double x) {
    mixed.low = (unsigned char)total, total = total*2 + 1, mixed.p = &counted.v, *there() = x*x;
    return counted.v*(double)total; }
double tallied(double x) {
    long *n = which;
    counted.at = &counted.v, *counted.at = x*x, counted.n = safe(*n, 4), total = safe(total, *n);
    return counted.v*(double)total; }
double recursive(double x) {
    counted.at = &counted.v, *counted.at = x*x, total = summed(which, 2);
    return counted.v*(double)total; }
"""


@pytest.mark.parametrize("opt", [0, 2])
def test_integers_beside_pointers_hold_no_addresses(opt: int) -> None:
    """Neither because a part of a pointer is written from one, nor because a function of integers gives one."""
    for name, factor in (("parts", 5), ("tallied", 9), ("recursive", 6)):
        function = em.compile_c(HEAD + BESIDE, opt=opt)[name]
        assert math.isclose(function.grad(X), 2 * X * factor), name
        assert math.isclose(em.jvp(function, (X,), (1.0,))[1], 2 * X * factor), name


BOXED = """#include <stdint.h>
#include <string.h>
#define TAGS 0x7ffc000000000000ull
typedef struct { uint64_t stack[32]; uint64_t *top; uint64_t kept[4]; } machine;
static uint64_t of(double v) { uint64_t u; memcpy(&u, &v, 8); return u; }
static double number(uint64_t u) { double v; memcpy(&v, &u, 8); return v; }
static void push(machine *m, uint64_t u) { *m->top++ = u; }
static uint64_t pop(machine *m) { return *--m->top; }
static int run(machine *m, const uint8_t *code, const uint64_t *k, double *out) {
    for (;;) switch (*code++) {
        case 0: push(m, k[*code++]); break;
        case 1: push(m, m->kept[*code++]); break;
        case 2: m->kept[*code++] = pop(m); break;
        case 3: {
            if ((m->top[-1] & TAGS) == TAGS) return 1;
            double b = number(pop(m)), a = number(pop(m)); push(m, of(a*b)); break; }
        default: *out = number(pop(m)); return 0; } }
double f(double x) {
    machine m; m.top = m.stack; for (int i = 0; i < 4; i++) m.kept[i] = TAGS | 1;
    uint64_t k[1] = {of(x)}; const uint8_t code[] = {0, 0, 2, 1, 1, 1, 0, 0, 3, 9}; double r = 0;
    return run(&m, code, k, &r) ? -1 : r; }
"""


@pytest.mark.parametrize(("opt", "expected"), [(0, "EM223"), (2, 3.0)])
def test_integers_beside_pointers_are_not_called_addresses(opt: int, expected: float | str) -> None:
    """Numbers are boxed here, and no address is."""
    f = em.compile(BOXED, opt=opt).f
    found = _found(lambda: f.grad(1.5)), _found(lambda: em.jvp(f, (1.5,), (1.0,))[1])
    assert found == (expected, expected)

"""Integers that are computed from bytes of pointers: a hash is kept beside pointers, what becomes a pointer again is refused."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import pytest

import enzyme_magic as em

HEAD = """
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#define NI static __attribute__((noinline))
#define K 0x1234567890abcdefull
NI double value(double *const *p) { return **p; }
NI void mixed(uint64_t *to, const uint64_t *from) { *to = *from ^ K; }
NI void mixed_bytes(unsigned char *to, const unsigned char *from, int n) { for (int i = 0; i < n; i++) to[i] = from[i] ^ 90; }
NI void words(void *to, const void *from, int n) { memcpy(to, from, n); }
typedef struct { uint64_t tag, w; } Plain;
typedef struct { uint64_t tag; double *p; } Pair;
NI void advanced(Plain *to, const Pair *from) { uint64_t u; memcpy(&u, &from->p, 8); to->tag = from->tag, to->w = u + 8; }
NI double before(const Pair *p) { return p->p[-1]; }
typedef struct { char name[5000]; double *p; } Far;
NI void mixed_far(uint64_t *to, const uint64_t *from) { to[625] = from[625] ^ K; }
NI double value_far(const Far *a) { return *a->p; }
typedef union { double *p; uint64_t u; } Either;
NI void advanced_there(Either *to, const Either *from) { to->u = from->u + 8; }
NI void swapped(void *to, const void *from) {
    uint64_t u; memcpy(&u, from, 8); u = __builtin_bswap64(u); memcpy(to, &u, 8); }
NI void reversed(void *to, const void *from) {
    uint64_t u; memcpy(&u, from, 8); u = __builtin_bitreverse64(u); memcpy(to, &u, 8); }
NI void rotated(uint64_t *to, const void *from, int n) { uint64_t u; memcpy(&u, from, 8); *to = __builtin_rotateleft64(u, n); }
NI void greater(void *to, const void *a, const void *b) {
    uintptr_t u, v; memcpy(&u, a, 8), memcpy(&v, b, 8); u = u > v ? u : v; memcpy(to, &u, 8); }
NI void at_least(uintptr_t *to, const uintptr_t *a) { *to = *a > 77 ? *a : 77; }
"""
TURNED = {
    "swapped_words": "double d = x*x, *p = &d, *q; uint64_t u; swapped(&u, &p), swapped(&q, &u); return value(&q)*x;",
    "reversed_bits": "double d = x*x, *p = &d, *q; uint64_t u; reversed(&u, &p), reversed(&q, &u); return value(&q)*x;",
    "rotated_words": "double d = x*x, *p = &d, *q; uint64_t u, v; rotated(&u, &p, 7), rotated(&v, &u, 57); memcpy(&q, &v, 8);"
    " return value(&q)*x;",
    "the_greater": "double d[2] = {x*x, x*x}, *p = d, *r = d + 1, *q; greater(&q, &p, &r); return value(&q)*x;",
    "at_least_so_much": "double d = x*x, *p = &d, *q; uintptr_t u, v; memcpy(&u, &p, 8); at_least(&v, &u); memcpy(&q, &v, 8);"
    " return value(&q)*x;",
}
MADE = {
    "words": "double d = x*x, *p = &d, *q; uint64_t u, v, w; memcpy(&u, &p, 8); mixed(&v, &u), mixed(&w, &v); memcpy(&q, &w, 8);"
    " return value(&q)*x;",
    "words_by_casts": "double d = x*x, *p = &d, *q; uint64_t v; mixed(&v, (uint64_t *)&p), mixed((uint64_t *)&q, &v);"
    " return value(&q)*x;",
    "words_of_blocks": "double *p = malloc(8), **h = malloc(16), **g = malloc(16); uint64_t *b = malloc(16); *p = x*x, h[1] = p;"
    " mixed(b, (uint64_t *)(h + 1)), mixed((uint64_t *)(g + 1), b); double r = value(g + 1)*x; free(p), free(h), free(g), free(b);"
    " return r;",
    "words_that_are_moved": "double *t[2], d = x*x; t[0] = &d; uint64_t b[2], c[2]; memcpy(b, t, 8); mixed(c, b), mixed(b, c);"
    " memmove(t + 1, b, 8); return value(t + 1)*x;",
    "characters": "double d = x*x, *p = &d, *q; unsigned char b[8]; mixed_bytes(b, (unsigned char *)&p, 8);"
    " mixed_bytes((unsigned char *)&q, b, 8); return value(&q)*x;",
    "a_struct": "double d[2] = {x*x, 1}; Pair a = {1, d}, b; Plain i; advanced(&i, &a); memcpy(&b, &i, 16); return before(&b)*x;",
    "a_struct_elsewhere": "double d[2] = {x*x, 1}; Pair a = {1, d}, b; Plain i; advanced(&i, &a); words(&b, &i, 16);"
    " return before(&b)*x;",
    "far_in_a_struct": "double d = x*x; static Far a, b; static uint64_t t[626], u[626]; a.p = &d; mixed_far(t, (uint64_t *)&a);"
    " mixed_far(u, t); memcpy(&b, u, sizeof b); return value_far(&b)*x;",
    "far_in_so_many_bytes": "double d = x*x; static Far a, b; static uint64_t t[626], u[626]; int n = x > 1 ? 5008 : 8; a.p = &d;"
    " mixed_far(t, (uint64_t *)&a); mixed_far(u, t); words(&b, u, n); return value_far(&b)*x;",
    "a_union": "double d[2] = {x*x, 1}; Either a, b; a.p = d; advanced_there(&b, &a); return b.p[-1]*x;",
}
X = 1.2


def _found(derivative: Callable[[], float]) -> float | str:
    """A derivative, or why there is none."""
    try:
        return derivative()
    except em.errors.EnzymeError as error:
        return str(error.code)


def _right_or_refused(function: em.CFunction) -> None:
    assert math.isclose(function(X), X**3), function.name
    for derivative in (partial(function.grad, X), lambda: em.jvp(function, (X,), (1.0,))[1]):
        found = _found(derivative)
        if isinstance(found, str):
            assert found in ("EM230", "EM223", "EM407", "EM409"), (function.name, found)
        else:
            assert math.isclose(found, 3 * X**2), function.name


@pytest.mark.parametrize("opt", [0, 2])
def test_addresses_that_are_turned_around_or_compared(opt: int) -> None:
    """A function of the compiler's gives bits of the addresses that it gets (3 x² came out as x², in silence)."""
    text = "\n".join(f"double {name}(double x) {{ {body} }}" for name, body in TURNED.items())
    program = em.compile_c(HEAD + text, opt=opt)
    for name in TURNED:
        _right_or_refused(program[name])


@pytest.mark.parametrize("opt", [0, 2])
@pytest.mark.parametrize("name", MADE)
def test_a_program_that_makes_pointers_of_integers(name: str, opt: int) -> None:
    """Each is a program of its own: what another one does is no reason."""
    _right_or_refused(em.compile_c(HEAD + f"double f(double x) {{ {MADE[name]} }}", opt=opt).f)


TABLE = """
#include <stdlib.h>
#include <stddef.h>
typedef struct link link;
struct link { void *next, *owner; unsigned hash; };
typedef struct { link *slots[8]; ptrdiff_t at; size_t bytes; } table;
typedef struct { int id; double v; link l; } item;
#define HASH(key, n, h) do { const unsigned char *k = (const unsigned char *)(key); unsigned left = n; h = 2166136261u; \\
    while (left >= 2) { h += k[0] + ((unsigned)k[1] << 8), h ^= h >> 13, h *= 16777619u, k += 2, left -= 2; } } while (0)
static void *around(table *t, link *l) { return (char *)l - t->at; }
static item *find(table *t, int id) {
    unsigned h; HASH(&id, sizeof id, h);
    for (link *l = t->slots[h & 7]; l; l = l->next) { item *i = around(t, l); if (l->hash == h && i->id == id) return i; }
    return 0; }
static void put(table *t, item *i) {
    unsigned h; HASH(&i->id, sizeof i->id, h);
    i->l.hash = h, i->l.owner = t, i->l.next = t->slots[h & 7], t->slots[h & 7] = &i->l; }
double f(double x) {
    table *t = calloc(1, sizeof *t); t->at = offsetof(item, l);
    for (int i = 0; i < 9; i++) { item *e = malloc(sizeof *e); e->id = 7*i; e->v = x*x*i; put(t, e); }
    double r = find(t, 21)->v*x + find(t, 56)->v;
    for (int i = 0; i < 9; i++) free(find(t, 7*i)); free(t); return r; }
"""


@pytest.mark.parametrize("opt", [0, 2])
def test_a_hash_of_a_key_is_kept_beside_pointers(opt: int) -> None:
    """Which bytes are hashed, nobody can tell: those of pointers lie near. No pointer of the program is made of integers."""
    function = em.compile_c(TABLE, opt=opt).f
    slope = 9 * X**2 + 16 * X
    assert math.isclose(function.grad(X), slope)
    assert math.isclose(em.jvp(function, (X,), (1.0,))[1], slope)

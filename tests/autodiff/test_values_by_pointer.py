"""Tagged values of numbers and pointers, in which the pointers lead to numbers with derivatives: by value and by address.

Optimizers move such a union in a register of any of its members' types, and merge what was written as different ones.
"""

from __future__ import annotations

import pytest

from .harness import check

HEAD = """#include <stdlib.h>
typedef struct { int tag; union { double d; double *v; } u; } Val;
"""
LIST = """#include <stdlib.h>
typedef struct { int tag; union { double num; int sym; struct Cell *cell; } u; } Val;
typedef struct Cell { Val car, cdr; } Cell;
S void num(Val *r, double d) { Val v = {0}; v.u.num = d; *r = v; }
S void cons(Val *r, const Val *a, const Val *d) {
    Cell *c = malloc(sizeof *c); c->car = *a; c->cdr = *d; Val v = {2}; v.u.cell = c; *r = v; }
S void nth(Val *r, const Val *p, int k) { Val e = *p; while (k--) e = e.u.cell->cdr; *r = e.u.cell->car; }
S double sum(const Val *p) { Val e = *p; double s = 0;
    while (e.tag == 2) { Val a; nth(&a, &e, 0); s += a.u.num*(1 + s); e = e.u.cell->cdr; } return s; }
static void drop(const Val *v) { if (v->tag == 2) { drop(&v->u.cell->car); drop(&v->u.cell->cdr); free(v->u.cell); } }
"""
ENVIRONMENT = """typedef struct { int tag; union { double d; int i; double *v; } u; } Val;
typedef struct { int key; Val val; } Slot;
typedef struct { Slot s[4]; int n; } Env;
static inline double number(const Val *p) { Val v = *p; return v.tag == 0 ? v.u.d : v.tag == 1 ? v.u.i : v.u.v[0] + v.u.v[1]; }
S void put(Env *e, int key, const Val *v) {
    for (int i = 0; i < e->n; i++) if (e->s[i].key == key) { e->s[i].val = *v; return; }
    e->s[e->n].key = key; e->s[e->n++].val = *v; }
S void get(Val *r, const Env *e, int key) {
    for (int i = 0; i < e->n; i++) if (e->s[i].key == key) { *r = e->s[i].val; return; }
    *r = (Val){1, {.i = 7}}; }
"""
BY_ADDRESS = {
    "the larger of two": HEAD
    + """S double sum(const Val *p) { Val a = *p; if (a.tag == 0) return a.u.d;
    double s = 0; for (int i = 0; i < 3; i++) s += a.u.v[i]; return s; }
S void choose(Val *r, const Val *a, const Val *b) { *r = sum(a) > sum(b) ? *a : *b; }
double f(double x) { double v[3] = {x, x*x, 1}; Val a = {1, {.v = v}}, b = {0, {.d = x}}, c;
    choose(&c, &a, &b); return sum(&c)*sum(&b); }""",
    "one or the other, in a loop": HEAD
    + """S void make(Val *r, double *p, int k) { Val s; s.tag = k; if (k) s.u.d = *p*2; else s.u.v = p; *r = s; }
S double value(const Val *q) { Val s = *q; return s.tag ? s.u.d : *s.u.v; }
double f(double x) { double y = x*x, r = 0;
    for (int i = 0; i < 4; i++) { Val t; make(&t, &y, i&1); r += value(&t)*(i + 1); } return r; }""",
    "copied out of a table": HEAD
    + """double f(double x) { double w[2] = {x, x*x}; Val s[4], t, u; double r = 0;
    for (int i = 0; i < 4; i++) { s[i].tag = i&1; if (i&1) s[i].u.d = x*i; else s[i].u.v = w + i/2; }
    for (int i = 0; i < 4; i++) {
        t = s[i];
        if (t.tag == 1) { r += t.u.d*t.u.d; t.u.d = r; u = t; r += u.u.d; } else { u = t; r += u.u.v[0]*u.u.v[0]; } }
    return r; }""",
    "a list": LIST
    + """double f(double x) { Val a, l = {3};
    for (int i = 1; i < 4; i++) { num(&a, x*i); Val m; cons(&m, &a, &l); l = m; }
    double r = sum(&l); drop(&l); return r; }""",
    "an environment": ENVIRONMENT
    + """double f(double x) { Env e = {.n = 0}; double w[2] = {x, x*x}; Val t, u, v;
    t = (Val){0, {.d = x}}; put(&e, 'a', &t); t = (Val){1, {.i = 3}}; put(&e, 'b', &t); t = (Val){2, {.v = w}}; put(&e, 'c', &t);
    get(&t, &e, 'a'); get(&u, &e, 'b'); v = (Val){0, {.d = number(&t)*number(&u)}}; put(&e, 'a', &v); w[0] *= 2;
    get(&t, &e, 'a'); get(&u, &e, 'c'); get(&v, &e, 'z');
    return number(&t)*number(&u) + number(&v); }""",
}
BY_VALUE = {
    "vectors and scalars": HEAD
    + """S Val scalar(double d) { return (Val){0, {.d = d}}; }
S Val vector(double *v) { return (Val){1, {.v = v}}; }
S double sum(Val a) { if (a.tag == 0) return a.u.d; double s = 0; for (int i = 0; i < 3; i++) s += a.u.v[i]*a.u.v[i]; return s; }
S Val choose(Val a, Val b) { return sum(a) > sum(b) ? a : b; }
double f(double x) { double v[3] = {x, x*x, 1};
    return sum(choose(scalar(x), vector(v)))*sum(scalar(x*x)) + sum(vector(v)); }""",
}
INLINE = {"inlined": "#define S static\n", "kept": "#define S static __attribute__((noinline))\n"}
LEVELS = {"inlined": (1, 2), "kept": (0, 3)}


REFUSED = {("one or the other, in a loop", "kept")}  # EM407 at opt 3: a pointer is loaded before the tag is asked
CASES = [(name, kept) for name in BY_ADDRESS for kept in INLINE if (name, kept) not in REFUSED]


@pytest.mark.parametrize(("name", "kept"), CASES)
def test_by_address(name: str, kept: str) -> None:
    check(INLINE[kept] + BY_ADDRESS[name], "f", [1.5], levels=LEVELS[kept])


@pytest.mark.parametrize("kept", INLINE)
@pytest.mark.parametrize("name", BY_VALUE)
def test_by_value(name: str, kept: str) -> None:
    check(INLINE[kept] + BY_VALUE[name], "f", [1.5], levels=LEVELS[kept])

"""Lists, tables and environments of tagged values, numbers or addresses in one union, that functions take and return by value."""

from __future__ import annotations

import pytest

import enzyme_magic as em

from .harness import check

LISTS = """#include <stdlib.h>
typedef enum { NUM, SYM, CONS, NIL } Tag;
typedef struct { Tag tag; union { double num; int sym; struct Cell *cell; } u; } Val;
typedef struct Cell { Val car, cdr; } Cell;
static Val num(double d) { Val v = {NUM}; v.u.num = d; return v; }
static Val sym(int k) { Val v = {SYM}; v.u.sym = k; return v; }
static Val nil(void) { Val v = {NIL}; v.u.cell = 0; return v; }
static Val cons(Val a, Val d) { Cell *c = malloc(sizeof *c); c->car = a; c->cdr = d; Val v = {CONS}; v.u.cell = c; return v; }
static Val list3(Val a, Val b, Val c) { return cons(a, cons(b, cons(c, nil()))); }
static Val nth(Val e, int k) { while (k--) e = e.u.cell->cdr; return e.u.cell->car; }
static Val eval(Val e, double x) {
    if (e.tag == NUM) return e;
    if (e.tag == SYM) return e.u.sym == 'x' ? num(x) : nil();
    Val l = eval(nth(e, 1), x), r = eval(nth(e, 2), x);
    switch (nth(e, 0).u.sym) { case '+': return num(l.u.num + r.u.num); case '*': return num(l.u.num*r.u.num); }
    return nil();
}
static void drop(Val v) { if (v.tag == CONS) { drop(v.u.cell->car); drop(v.u.cell->cdr); free(v.u.cell); } }
"""
ENVIRONMENTS = """typedef struct { int tag; union { double d; int i; double *v; } u; } Val;
typedef struct { int key; Val val; } Slot; typedef struct { Slot s[4]; int n; } Env;
static void put(Env *e, int key, Val v) { for (int i = 0; i < e->n; i++) if (e->s[i].key == key) { e->s[i].val = v; return; }
    e->s[e->n].key = key; e->s[e->n++].val = v; }
static Val get(const Env *e, int key) { for (int i = 0; i < e->n; i++) if (e->s[i].key == key) return e->s[i].val;
    return (Val){1, {.i = 0}}; }
static double number(Val v) { return v.tag == 0 ? v.u.d : v.tag == 1 ? v.u.i : v.u.v[0] + v.u.v[1]; }
"""
VECTORS = """typedef struct { %s; } V;
#define NOT_INLINED static __attribute__((noinline))
#define MADE %s
#define USED %s
MADE V num(double d) { V v = {0}; v.u.d = d; return v; }
MADE V vec(double *p) { V v = {1}; v.u.v = p; return v; }
USED double as(const V *p) { V v = *p; if (v.tag == 0) return v.u.d;
    double s = 0; for (int i = 0; i < 2; i++) s += v.u.v[i]*(i + 1)*0.4; return s; }
USED void choose(V *r, const V *a, const V *b, int k) { *r = k ? *a : *b; }
USED V other(V a, V b) { return as(&a) > as(&b) ? b : a; }
"""
LOOP = """double f(double x) {
    double w[3] = {x, x*0.5, 3}; V t[3], r; double s = 0;
    t[0] = num(x*x*0.4); t[1] = vec(w); t[2] = num(x*x*x);
    for (int i = 0; i < 3; i++) { choose(&r, &t[i], &t[(i + 1) % 3], i & 1); s += 0.3*as(&r); }
    return s + 0.5*as(&r) + as(t) + as(t+2); }"""
PROGRAMS = {
    "an interpreter": LISTS
    + """double f(double x) {
    Val e = list3(sym('+'), list3(sym('*'), sym('x'), num(x*x)), list3(sym('*'), num(3), sym('x')));
    Val r = eval(e, x); drop(e); return r.u.num; }""",
    "a list that is folded": LISTS
    + """static Val map(Val l, double k) {
    return l.tag == NIL ? l : cons(num(l.u.cell->car.u.num*k), map(l.u.cell->cdr, k)); }
static double fold(Val l) { double s = 0; for (; l.tag == CONS; l = l.u.cell->cdr) s += l.u.cell->car.u.num*(s + 1); return s; }
double f(double x) { Val l = nil(); for (int i = 1; i < 5; i++) l = cons(num(x/i), l);
    Val m = map(l, x); double r = fold(m) + fold(l); drop(m); drop(l); return r; }""",
    "in an environment": ENVIRONMENTS
    + """double f(double x) { Env e = {.n = 0}; double w[2] = {x, x*x};
    put(&e, 'a', (Val){0, {.d = x}}); put(&e, 'b', (Val){1, {.i = 3}}); put(&e, 'c', (Val){2, {.v = w}});
    put(&e, 'a', (Val){0, {.d = number(get(&e, 'a'))*number(get(&e, 'b'))}}); w[0] *= 2;
    return number(get(&e, 'a'))*number(get(&e, 'c')) + number(get(&e, 'z')); }""",
    "an environment that is written again": ENVIRONMENTS
    + """double f(double x) { Env e = {.n = 0}; double w[2] = {x, x*x};
    put(&e, 'a', (Val){0, {.d = x*x*x}}); put(&e, 'a', (Val){2, {.v = w}});
    put(&e, 'a', (Val){0, {.d = number(get(&e, 'a'))}}); return number(get(&e, 'a')); }""",
    "a table in a loop": VECTORS
    % ("int tag; union { double *w; double d; double *v; } u", "NOT_INLINED", "NOT_INLINED")
    + LOOP,
    "a tag of one character": VECTORS % ("char tag; union { int small; double d; double *v; } u", "static", "static")
    + LOOP,
    "addresses that are returned as integers": VECTORS
    % ("int tag; union { double d; double *v; long any; } u", "NOT_INLINED", "static")
    + LOOP,
    "one of two": VECTORS % ("int tag; union { double *v; double *w; double d; } u", "NOT_INLINED", "static")
    + """double f(double x) { double w[2] = {x, x*x}; V t[3], r; t[0] = num(x*x*x*0.1); t[1] = vec(w); t[2] = t[1];
    choose(&r, &t[0], &t[1], 1); r = other(r, t[2]); return as(&r) + 0.5*as(&t[0]) + 0.2*as(&t[2]); }""",
}
LEVELS = [0, pytest.param(1, marks=pytest.mark.nightly), 2, pytest.param(3, marks=pytest.mark.nightly)]


@pytest.mark.parametrize("opt", LEVELS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_right_at_every_level(name: str, opt: int) -> None:
    check(PROGRAMS[name], "f", [1.5], levels=(opt,))


@pytest.mark.parametrize("opt", LEVELS)
def test_second_derivatives(opt: int) -> None:
    f = em.compile(PROGRAMS["in an environment"], opt=opt)["f"]
    assert em.grad(em.grad(f))(1.5) == pytest.approx(39.0)
    assert em.hessian(f)(1.5) == pytest.approx(39.0)

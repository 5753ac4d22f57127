"""Tagged values that travel by value, of numbers, integers and addresses: a small interpreter, boxes, choices."""

from __future__ import annotations

import pytest

from .harness import check

HEAD = """#include <stdlib.h>
#include <math.h>
#define KEPT static __attribute__((noinline))
"""
LISP = """typedef enum { NUM, SYM, CONS, NIL } Tag;
typedef struct { Tag tag; union { double num; int sym; struct Cell *cell; } u; } Val;
typedef struct Cell { Val car, cdr; } Cell;
static Val num(double d) { Val v = {NUM}; v.u.num = d; return v; }
static Val sym(int k) { Val v = {SYM}; v.u.sym = k; return v; }
static Val nil(void) { Val v = {NIL}; v.u.cell = 0; return v; }
static Val cons(Val a, Val d) { Cell *c = malloc(sizeof *c); c->car = a; c->cdr = d; Val v = {CONS}; v.u.cell = c; return v; }
static Val list3(Val a, Val b, Val c) { return cons(a, cons(b, cons(c, nil()))); }
static Val eval(Val e, double x) {
    if (e.tag == NUM) return e;
    if (e.tag == SYM) return e.u.sym == 'x' ? num(x) : nil();
    Cell *c = e.u.cell;
    Val l = eval(c->cdr.u.cell->car, x), r = eval(c->cdr.u.cell->cdr.u.cell->car, x);
    switch (c->car.u.sym) { case '+': return num(l.u.num + r.u.num); case '*': return num(l.u.num*r.u.num); }
    return nil();
}
static void drop(Val v) { if (v.tag == CONS) { drop(v.u.cell->car); drop(v.u.cell->cdr); free(v.u.cell); } }
"""
PROGRAMS = {
    "an interpreter": LISP
    + """double f(double x) {
    Val e = list3(sym('+'), list3(sym('*'), sym('x'), num(x*x)), list3(sym('*'), num(3), sym('x')));
    Val r = eval(e, x); drop(e); return r.u.num; }""",
    "a list that is folded": LISP
    + """static Val map(Val l, double k) {
    return l.tag == NIL ? l : cons(num(l.u.cell->car.u.num*k), map(l.u.cell->cdr, k)); }
static double fold(Val l) { double s = 0; for (; l.tag == CONS; l = l.u.cell->cdr) s += l.u.cell->car.u.num*(s + 1); return s; }
double f(double x) { Val l = nil(); for (int i = 1; i < 5; i++) l = cons(num(x/i), l);
    Val m = map(l, x); double r = fold(m) + fold(l); drop(m); drop(l); return r; }""",
    "made by one function": """typedef struct { int tag; union { double d; double *v; } u; } Val;
KEPT Val mk(double *p, int n) { Val r; r.tag = n; if (n == 1) r.u.d = *p; else r.u.v = p; return r; }
KEPT double sum(Val a) { if (a.tag == 1) return a.u.d; double s = 0;
    for (int i = 0; i < a.tag; i++) s += a.u.v[i]*a.u.v[i]; return s; }
double f(double x) { double v[3] = {x, x*x, 1}; return sum(mk(v, 1))*sum(mk(v + 1, 1)) + sum(mk(v, 3)); }""",
    "numbers and integers in one register": """typedef struct { int tag; union { float f; int i; } u; } S;
KEPT S up(S s) { if (s.tag) s.u.f *= 3*s.u.f; else s.u.i++; return s; }
double f(double x) { S s = {1}; s.u.f = x; S t = {0}; t.u.i = 2; s = up(s); t = up(up(t)); return s.u.f*t.u.i; }""",
    "a union alone": """typedef union { double d; long i; } U;
KEPT U up(U u, int k) { if (k) u.d *= u.d; else u.i += 1; return u; }
double f(double x) { U a, b; a.d = x; b.i = 3; a = up(a, 1); b = up(b, 0); return a.d*b.i; }""",
    "the larger of two": """typedef struct { int tag; union { double d; double *v; } u; } Val;
KEPT Val scalar(double d) { return (Val){0, {.d = d}}; }
KEPT Val vector(double *v) { return (Val){1, {.v = v}}; }
KEPT double sum(Val a) { return a.tag == 0 ? a.u.d : a.u.v[0] + a.u.v[1]*a.u.v[2]; }
KEPT Val choose(Val a, Val b) { return sum(a) > sum(b) ? a : b; }
double f(double x) { double v[3] = {x, x*x, 1}; return sum(choose(scalar(x), vector(v)))*sum(scalar(x*x)) + sum(vector(v)); }""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_right_at_every_level(name: str) -> None:
    check(HEAD + PROGRAMS[name], "f", [1.5], levels=(0, 1, 2, 3), single="float f;" in PROGRAMS[name])

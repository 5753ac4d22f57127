"""Lists of tagged values, numbers or addresses in one union: LLVM's type of a union shows one member, and says nothing."""

from __future__ import annotations

import pytest

from .harness import check

MEMBERS = (
    "double num; int sym; struct Cell *cell;",
    "struct Cell *cell; double num; int sym;",
    "long any; double num; struct Cell *cell; int sym;",
)
LISTS = """#include <stdlib.h>
typedef struct { int tag; union { %s } u; } Val;
typedef struct Cell { Val car, cdr; struct Cell *next; } Cell;
#define KEPT static __attribute__((noinline))
static Cell *all;
KEPT void num(Val *r, double d) { r->tag = 0; r->u.num = d; }
KEPT void sym(Val *r, int k) { r->tag = 1; r->u.sym = k; }
KEPT void nil(Val *r) { r->tag = 3; r->u.cell = 0; }
KEPT void cons(Val *r, const Val *a, const Val *d) {
    Cell *c = malloc(sizeof *c); c->car = *a; c->cdr = *d; c->next = all; all = c;
    Val v; v.tag = 2; v.u.cell = c; *r = v; }
KEPT void nth(Val *r, const Val *p, int k) { Val e = *p; while (k--) e = e.u.cell->cdr; *r = e.u.cell->car; }
KEPT void drop(void) { while (all) { Cell *c = all; all = c->next; free(c); } }
KEPT void eval(Val *out, const Val *e, double x) {
    if (e->tag == 0) { *out = *e; return; }
    if (e->tag == 1) { num(out, x); return; }
    Val a, l, r; nth(&a, e, 1); eval(&l, &a, x); nth(&a, e, 2); eval(&r, &a, x);
    nth(&a, e, 0);
    num(out, a.u.sym == '*' ? l.u.num*r.u.num : l.u.num + r.u.num); }
"""
PROGRAMS = {
    "one cell": "Val v, n, c, o; num(&v, x*x); nil(&n); cons(&c, &v, &n); nth(&o, &c, 0); double r = o.u.num*x;",
    "two cells": """Val v, n, c, d, o; num(&v, x*x); nil(&n); cons(&c, &v, &n); cons(&d, &v, &c);
    nth(&o, &d, 1); double r = o.u.num; nth(&o, &d, 0); r *= o.u.num;""",
    "a list in a list": """Val v, n, s, c, d, e, o; sym(&s, 4); num(&v, x*x); nil(&n); cons(&c, &v, &n); cons(&d, &s, &c);
    cons(&e, &d, &n);
    nth(&o, &e, 0); nth(&o, &o, 1); double r = o.u.num; nth(&o, &d, 0); r *= o.u.sym;""",
    "an interpreter": """Val v, n, s, t, y, c, d, e, o; sym(&s, '*'); sym(&t, '+'); sym(&y, 'x'); num(&v, x*x); nil(&n);
    cons(&c, &v, &n); cons(&d, &y, &c); cons(&e, &s, &d); cons(&c, &e, &n); cons(&d, &y, &c); cons(&e, &t, &d);
    eval(&o, &e, x); double r = o.u.num;""",
}


@pytest.mark.parametrize("members", MEMBERS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_right_whatever_member_comes_first(name: str, members: str) -> None:
    source = LISTS % members + f"double f(double x) {{ {PROGRAMS[name]} drop(); return r; }}"
    check(source, "f", [1.5], levels=(0, 2) if "inter" in name else (0,))

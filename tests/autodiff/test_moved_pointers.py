"""Functions that move a pointer in a variable and touch nothing that it leads to: its shadow moves along.

Such a function had nothing to do with numbers, so its shadow stayed where it was: the derivative of another element, in silence.
Those that put what pointers lead to (a row of a table, the next node) where the caller looks had no effect on what it may find
there: the derivative was zero.
"""

from __future__ import annotations

import pytest

import enzyme_magic as em

APART = "static __attribute__((noinline)) "
PROGRAMS = {
    "chosen": """static double tab[4]; static double *at;
APART void choose(int i) { at = &tab[i]; }
APART double get(void) { return *at; }
double f(double x) {
    for (int i = 0; i < 4; i++) tab[i] = x*x*i;
    double s = 0;
    for (int i = 0; i < 4; i++) { choose(3 - i); s += get()*(i + 1); }
    return s; }""",
    "struct": """typedef struct { double *at; int n; } C; static C c;
APART void next(void) { c.at++; c.n++; }
APART double get(void) { return *c.at; }
double f(double x) {
    double a[4] = {x, x*x, 3*x, 1}, s = 1; c.at = a; c.n = 0;
    while (c.n < 3) { s = s*get() + c.n; next(); }
    return s; }""",
    "tagged": """typedef struct { int kind; double v; } T; static T *at;
APART int kind(void) { return at->kind; }
APART void next(void) { at++; }
APART double get(void) { return at->v; }
double f(double x) {
    T a[4] = {{1, x}, {2, x*x}, {1, 3*x}, {0, 0}}; double s = 1;
    for (at = a; kind(); next()) s = kind() == 1 ? s*get() : s + get();
    return s; }""",
    "by another": """static double *at;
APART void one(void) { at++; }
APART void two(void) { one(); one(); }
APART double *here(void) { return at; }
double f(double x) {
    double a[6] = {x, x*x, 3*x, 1, x*x*x, 2}, s; at = a; s = *here(); two(); s *= *here(); two();
    return s**here(); }""",
    "rows": """static double *rows[3];
APART void exchange(int i, int j) { double *t = rows[i]; rows[i] = rows[j]; rows[j] = t; }
double f(double x) {
    double m[9], s = 1;
    for (int i = 0; i < 9; i++) m[i] = x*(i + 1) + i*i;
    for (int i = 0; i < 3; i++) rows[i] = m + 3*i;
    exchange(0, 2); exchange(1, 2);
    for (int i = 0; i < 3; i++) s = s*rows[i][i] + rows[i][2 - i];
    return s; }""",
    "kept and put back": """static double *at, *mark;
APART void keep(void) { mark = at; }
APART void back(void) { at = mark; }
APART void move(int k) { at += k; }
APART double get(void) { return *at; }
double f(double x) {
    double a[6] = {x, x*x, 3*x, 1, x*x*x, 2}; at = a; move(1); keep(); move(3);
    double s = get(); back(); return s*(get() + 1); }""",
    "arena": """static double *at;
APART double *take(int n) { double *r = at; at += n; return r; }
double f(double x) {
    double a[6]; at = a;
    double *u = take(2), *v = take(3);
    u[0] = x; u[1] = x*x; v[0] = 3*x; v[1] = x*x*x; v[2] = 1;
    return u[0]*v[1] + u[1]*v[0]*v[2]; }""",
    "through pointers": """static double *at;
APART void one(void) { at++; }
APART void two(void) { at += 2; }
static void (*moves[2])(void) = {one, two};
APART double get(void) { return *at; }
double f(double x) { double a[6] = {x, x*x, 3*x, 1, x*x*x, 2}, s; at = a; s = get();
    for (int i = 0; i < 2; i++) { moves[(i + (x > 0)) & 1](); s = s*get() + 1; }
    return s; }""",
    "handed out": """static double *at;
APART void get(double **out) { *out = at; }
APART void next(void) { at++; }
double f(double x) { double a[3] = {x, x*x, 2*x}, *p, s; at = a; get(&p); s = *p; next(); get(&p); return s**p + p[1]; }""",
    "copied": """#include <string.h>
typedef struct { double *p; int k; } H; static H h[2];
APART void copy(int i, int j) { memcpy(&h[i], &h[j], sizeof(H)); }
APART double get(int i) { return *h[i].p*h[i].k; }
double f(double x) {
    double a = x, b = x*x; h[0].p = &a; h[0].k = 1; h[1].p = &b; h[1].k = 2;
    double s = get(0); copy(0, 1); return s*get(0) + get(1); }""",
    "row": """typedef struct { double **rows; double *row; } V;
APART void look(V *v, int k) { v->row = v->rows[k]; }
APART void again(V *v, int k) { look(v, k); }
double f(double x) {
    double a[2] = {x, x*x}, b[2] = {x*x*x, 1}, *rows[2] = {a, b}; V v = {rows, 0};
    again(&v, 1); double s = v.row[0]; again(&v, 0); return s + 2*v.row[1]; }""",
    "row that is written": """typedef struct { double **rows; double *row; } V;
APART V *look(V *v, int k) { v->row = v->rows[k]; return v; }
APART void put(V *v, double x) { *v->row = x; }
double f(double x) {
    double a = 0, b = 0, *rows[2] = {&a, &b}; V v = {rows, 0};
    put(look(&v, 1), x*x); put(look(&v, 0), x); return a + 3*b; }""",
    "row that is copied": """#include <string.h>
typedef struct { double *p; int k; } I; typedef struct { I *all, now; } V;
APART void look(V *v, int k) { if (k) v->now = v->all[k]; else memcpy(&v->now, v->all, sizeof v->now); }
double f(double x) {
    double a = x*x, b = x; I all[2] = {{&a, 1}, {&b, 3}}; V v = {all};
    look(&v, 0); double s = *v.now.p*v.now.k; look(&v, 1); return s + *v.now.p*v.now.k; }""",
    "next of a list": """typedef struct N { double v; struct N *next; } N;
APART void pop(N **at) { *at = (*at)->next; }
double f(double x) {
    N c = {x*x*x, 0}, b = {x*x, &c}, a = {x, &b}, *at = &a;
    double s = at->v; pop(&at); s += at->v; pop(&at); return s + 2*at->v; }""",
    "next of a ring": """typedef struct N { double *v; struct N *next; } N;
APART void turn(N **at) { *at = (*at)->next->next; }
double f(double x) {
    double u = x, v = x*x, w = x*x*x; N c = {&w, 0}, b = {&v, &c}, a = {&u, &b}, *at = &a; c.next = &a;
    turn(&at); double s = *at->v; turn(&at); return s + 3**at->v; }""",
    "from far behind": """typedef struct { double *p; } L; typedef struct { L *l; double *q; } M; typedef struct { M *m; } T;
APART void lift(T *t) { t->m->q = t->m->l->p; }
double f(double x) { double v = x*x; L l = {&v}; M m = {&l, 0}; T t = {&m}; lift(&t); return *m.q*3; }""",
    "walk of a tree": """typedef struct N { double *v; struct N *l, *r; } N; typedef struct { N *at; double *best; } W;
APART void go(W *w, int k) { if (!k) { w->best = w->at->v; return; } w->at = k & 1 ? w->at->l : w->at->r; go(w, k >> 1); }
double f(double x) {
    double u = x, v = x*x, t = x*x*x; N a = {&u, 0, 0}, b = {&v, &a, &a}, c = {&t, &b, &b}; W w = {&c, 0};
    go(&w, 2); double s = *w.best; w.at = &c; go(&w, 1); return s + 2**w.best; }""",
    # what a call in a loop is given comes from where it led in the iteration before
    "list that grows": """#include <stdlib.h>
typedef struct N { double v; struct N *next; } N;
APART N *cons(double v, N *next) { N *n = malloc(sizeof *n); n->v = v; n->next = next; return n; }
double f(double x) {
    N *n = cons(x, 0); double s = 0;
    for (int i = 0; i < 3; i++) n = cons(x*n->v, n);
    while (n) { N *t = n->next; s = s*x + n->v; free(n); n = t; }
    return s; }""",
    "cursor with a number": """APART double *put(double *at, double v) { at[1] = v; return at + 1; }
double f(double x) {
    double b[8] = {x}, *at = b;
    for (int i = 0; i < 5; i++) at = put(at, *at*x + i);
    return *at*b[2]; }""",
    "crossed": """APART double *step(double *a, double *b, double v) { *a = v + *b; return b; }
double f(double x) {
    double u = x, w = 2, *p = &u, *q = &w;
    for (int i = 0; i < 5; i++) { double *r = step(p, q, *p*x); q = p; p = r; }
    return u*w; }""",
    # a pool promises fresh memory, and gives it again
    "pool": """#include <math.h>
static double store[64], *base = store; static int used;
static __attribute__((noinline, malloc)) double *get(int n) { double *p = base + used; used += n; return p; }
double f(double x) {
    double s = 0, r = 0; used = 0;
    double *p = get(4);
    for (int i = 0; i < 4; i++) p[i] = x*(i + 1);
    for (int i = 0; i < 4; i++) s += sin(p[i])*p[3 - i];
    used = 0;
    double *q = get(4);
    for (int i = 0; i < 4; i++) q[i] = s*x;
    for (int i = 0; i < 4; i++) r += q[i]*s;
    return r; }""",
}


@pytest.mark.parametrize("opt", [0, 1, 2, 3])
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_shadow_moves_along(name: str, opt: int) -> None:
    f = em.compile_c(PROGRAMS[name].replace("APART ", APART), opt=opt).f
    x, step = 1.3, 1e-5
    want = pytest.approx((f(x + step) - f(x - step)) / (2 * step), rel=1e-7)
    assert f.grad(x) == want
    assert em.jvp(f, (x,), (1.0,))[1] == want

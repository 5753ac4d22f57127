"""Second derivatives of programs with blocks of the heap, in structs and in memory of which the run is asked."""

from __future__ import annotations

import numpy as np

import enzyme_magic as em

BOX = """#include <math.h>
#include <stdlib.h>
#include <string.h>
typedef struct { int count; double *low, *high; } Box;
typedef struct { int count; void *data; Box *box; } Tree;
static Box *box_of(int count, const double *at) {
    size_t size = count*sizeof *at; Box *box = malloc(sizeof *box);
    box->count = count; box->low = malloc(size); box->high = malloc(size);
    memcpy(box->low, at, size); memcpy(box->high, at, size); return box; }
static void extend(Box *box, const double *at) {
    for (int i = 0; i < box->count; i++) {
        if (at[i] < box->low[i]) box->low[i] = at[i];
        if (at[i] > box->high[i]) box->high[i] = at[i]; } }
double f(double x, double y) {
    Tree tree = {2, 0, 0}; double held[4];
    for (int i = 0; i < 4; i++) {
        double at[2] = {sin(3*i)*x, cos(5*i)*y*x}; held[i] = x*i; tree.data = &held[i];
        if (tree.box) extend(tree.box, at); else tree.box = box_of(2, at); }
    double r = (tree.box->high[0] - tree.box->low[0])*(tree.box->high[1] - tree.box->low[1]) + *(double *)tree.data*y;
    free(tree.box->low); free(tree.box->high); free(tree.box); return r; }"""


def test_run_time_support_of_a_derivative_keeps_pointers_of_its_own() -> None:
    """The support for kinds has static pointers, and so the derivative of a derivative looks for kept blocks (EM130 before)."""
    f = em.compile(BOX, opt=0)["f"]
    at, steps = np.array([1.3, 0.7]), 1e-5 * np.eye(2)
    rough = [(np.array(f.grad(*(at + step))) - np.array(f.grad(*(at - step)))) / 2e-5 for step in steps]
    np.testing.assert_allclose(np.array(em.hessian(f)(*at)), rough, rtol=1e-6, atol=1e-6)


COPIED = """#include <stdlib.h>
typedef struct tree { struct tree *next, *child; double v; } tree;
static tree *add(tree *to, double v) {
    tree *t = calloc(1, sizeof(tree)); t->v = v; if (to) { t->next = to->child; to->child = t; } return t; }
static tree *copy(const tree *t) {
    tree *c = add(NULL, t->v);
    for (tree *k = t->child; k; k = k->next) { tree *n = copy(k); n->next = c->child; c->child = n; } return c; }
static void drop(tree *t) { while (t) { tree *n = t->next; if (t->child) drop(t->child); free(t); t = n; } }
double f(double x, double y) {
    tree *t = add(NULL, x); add(add(t, x*y), y); tree *c = copy(t); c->child->v *= c->v;
    double r = c->child->v*t->child->child->v; drop(t); drop(c); return r; }"""


def test_the_arena_of_a_derivative_holds_no_numbers() -> None:
    """A copied tree reads pointers of which nothing is known; the arena was taken for memory that they lead to (EM211 before)."""
    f = em.compile(COPIED)["f"]
    np.testing.assert_allclose(em.hessian(f)(1.5, 0.5), [[0.5, 3.0], [3.0, 4.5]])


COUNTED = """#include <stdlib.h>
#include <string.h>
typedef struct { double sum; int n; float w; } acc;
typedef struct { unsigned size, count; unsigned *used; long *keys; acc *values; } map;
static int is_used(const map *m, unsigned i) { return m->used[i >> 5] >> (i & 31) & 1; }
static unsigned place(const map *m, long key) {
    unsigned i = (unsigned)key*2654435761u >> 7 & (m->size - 1), step = 0;
    while (is_used(m, i) && m->keys[i] != key) i = (i + ++step) & (m->size - 1); return i; }
static void use(map *m, unsigned i, long key) { m->used[i >> 5] |= 1u << (i & 31); m->keys[i] = key; }
static void grow(map *m, unsigned size) {
    map old = *m; m->size = size; m->used = calloc((size + 31)/32, 4);
    m->keys = malloc(size*sizeof(long)); m->values = malloc(size*sizeof(acc));
    for (unsigned i = 0; i < old.size; i++)
        if (is_used(&old, i)) { unsigned j = place(m, old.keys[i]); use(m, j, old.keys[i]); m->values[j] = old.values[i]; }
    free(old.used); free(old.keys); free(old.values); }
static acc *put(map *m, long key) {
    if (2*m->count >= m->size) grow(m, m->size ? 2*m->size : 4);
    unsigned i = place(m, key);
    if (!is_used(m, i)) { use(m, i, key); memset(&m->values[i], 0, sizeof(acc)); m->count++; } return &m->values[i]; }
double f(double x, double y) {
    map *m = calloc(1, sizeof(map)); double r = 0;
    for (int i = 0; i < 9; i++) { acc *p = put(m, i % 3); p->sum += x*y*i; p->n++; p->w += 0.5f; }
    for (int k = 0; k < 3; k++) { acc *p = put(m, k); r += p->sum*p->sum/p->n*p->w; }
    free(m->used); free(m->keys); free(m->values); free(m); return r; }"""


def test_the_tape_keeps_integers_beside_nothing_else() -> None:
    """The word around an integer on the tape of the inner derivative held an address (EM409 before). f is 225 (xy)^2."""
    f = em.compile(COUNTED)["f"]
    np.testing.assert_allclose(em.hvp(f, (1.5, 0.5), (1.0, 2.0)), [1462.5, 2700.0])

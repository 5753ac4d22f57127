"""Memory as libraries have it: a reader of formulas, and nodes of arrays with their shapes.

The reader has unions of numbers, pointers and functions, copied from tables of constants. It was refused: pointers of a constant's
shadow were of no known kind when they were copied, too many facts about one block counted as if nothing was known of it, and a
choice between two constants passed for one between numbers. The arrays were refused at opt 0: how many bytes are cleared was said
to carry a derivative.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import enzyme_magic as em

from .runs import source

X = 1.3
WANT = 2 + 2 * X * math.cos(X * X)


@pytest.mark.parametrize("opt", [0, 1, 2, 3])
def test_reader(opt: int) -> None:
    f = em.compile_c(source("expression_reader.c"), opt=opt).f
    assert f.grad(X) == pytest.approx(WANT, rel=1e-12)
    assert f.jvp((X,), (1.0,)) == pytest.approx((2 * X + math.sin(X * X), WANT), rel=1e-12)


ARRAYS = """#include <stdint.h>
#include <stdlib.h>
#include <string.h>
typedef struct node { uint8_t n_d; int32_t d[4], bytes; float *x; void *kept; struct node *child; } node;
static node *make(int n) {
    node *p = calloc(1, sizeof *p); p->n_d = 2; p->d[0] = 2; p->d[1] = n; p->bytes = 2*n*4;
    p->kept = malloc(p->bytes); p->x = calloc(2*n, sizeof(float)); return p; }
static int size(const node *p) { int n = 1; for (int i = 0; i < p->n_d; i++) n *= p->d[i]; return n; }
static __attribute__((noinline)) void run(node *p, const float *w) {
    p->n_d = p->bytes/4 > 3 ? 2 : 1;
    int n = size(p); memset(p->x, 0, n*sizeof(float)); memcpy(p->kept, w, n*sizeof(float));
    for (int i = 0; i < n; i++) p->x[i] += ((float *)p->kept)[i]*w[i]/n; }
static void end(node *p) { free(p->x); free(p->kept); free(p); }
float f(const float *w, int n) {
    node *p = make(n), *q = make(n); float s = 0;
    q->child = p; run(q->child, w);
    for (int i = 0; i < size(p); i++) s += p->x[i]*(i + 1);
    end(p); end(q); return s; }
"""


@pytest.mark.parametrize("opt", [0, 2])
def test_arrays_with_shapes(opt: int) -> None:
    f, w = em.compile_c(ARRAYS, opt=opt).f, np.array([0.5, -0.25, 1.0, 0.75], np.float32)
    want = 2 * w * np.arange(1, 5, dtype=np.float32) / 4
    np.testing.assert_allclose(f.grad(w, 2), want)
    assert em.jvp(f, (w, 2), (np.ones_like(w), None))[1] == pytest.approx(want.sum())


TABLE = """#include <stdlib.h>
#include <string.h>
#define APART static __attribute__((noinline))
typedef struct entry { char key[8]; double value; struct entry *next; } entry;
typedef struct { entry *lists[4]; int n; } table;
APART unsigned hash(const char *key) { unsigned h = 7; while (*key) h = 31*h + *key++; return h & 3; }
APART entry **slot(table *t, const char *key) {
    entry **p = &t->lists[hash(key)]; while (*p && strcmp((*p)->key, key)) p = &(*p)->next; return p; }
APART double *at(table *t, const char *key) {
    entry **p = slot(t, key);
    if (!*p) { *p = calloc(1, sizeof(entry)); strcpy((*p)->key, key); t->n++; }
    return &(*p)->value; }
APART void erase(table *t, const char *key) {
    entry **p = slot(t, key), *e = *p; if (e) { *p = e->next; free(e); t->n--; } }
APART double sum(table *t) {
    double s = 0; for (int i = 0; i < 4; i++) for (entry *e = t->lists[i]; e; e = e->next) s += e->value*e->value;
    return s; }
double f(double x) {
    table t = {0}; *at(&t, "a") = x; *at(&t, "b") = x*x; *at(&t, "c") = 3; *at(&t, "a") += *at(&t, "b");
    double s = sum(&t); erase(&t, "b"); *at(&t, "d") = *at(&t, "a")*x; s += sum(&t);
    erase(&t, "a"); erase(&t, "c"); erase(&t, "d"); return s; }
"""


@pytest.mark.parametrize("opt", [0, 2])
def test_table_of_names(opt: int) -> None:
    """`strcpy` into memory of which only the pointer to it tells what it is (EM221 before)."""
    f = em.compile_c(TABLE, opt=opt).f
    a, da = X + X**2, 1 + 2 * X
    want = 2 * a * da + 4 * X**3 + 2 * a * da + 2 * a * X * (da * X + a)
    assert f.grad(X) == pytest.approx(want, rel=1e-12)
    assert em.jvp(f, (X,), (1.0,))[1] == pytest.approx(want, rel=1e-12)

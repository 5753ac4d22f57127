"""Derivatives through functions of the C library that call back: qsort, qsort_r, bsearch."""

from __future__ import annotations

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.backend.passes import library_bodies

HEADERS = "#define _GNU_SOURCE\n#include <math.h>\n#include <stdlib.h>\n#include <string.h>\n"
UP = """static int up(const void *p, const void *q) { double a = *(double *)p, b = *(double *)q; return (a > b) - (a < b); }
"""
STRUCT = """typedef struct { int id; float w; double v; } Item;
static int by_value(const void *p, const void *q) { const Item *a = p, *b = q; return a->v < b->v ? -1 : a->v > b->v; }
static int by_name(const void *p, const void *q) { return ((const Item *)q)->id - ((const Item *)p)->id; }
static int by_key(const void *p, const void *q) { return *(const int *)p - ((const Item *)q)->id; }
static int pointed(const void *p, const void *q) { return by_value(*(Item *const *)p, *(Item *const *)q); }
static int scaled(const void *p, const void *q, void *by) {
    double s = *(double *)by, a = s*((const Item *)p)->v, b = s*((const Item *)q)->v; return (a > b) - (a < b); }
static void fill(Item *t, const double *x, int n) {
    for (int i = 0; i < n; i++) { t[i].id = i; t[i].w = x[i]; t[i].v = sin(x[i]); } }
static double sum(const Item *t, int n) {
    double s = 0; for (int i = 0; i < n; i++) s += (i + 1)*t[i].v*t[i].v + (t[i].id + 2)*t[i].w*(i + 1); return s; }
"""
PROGRAMS = {
    "numbers": UP + """double f(const double *x, int n) {
    double *c = malloc(n*sizeof *c), s = 0; memcpy(c, x, n*sizeof *c); qsort(c, n, sizeof *c, up);
    for (int i = 0; i < n; i++) s += (i + 1)*c[i]*c[i];
    free(c); return s; }""",
    "a comparison that keeps numbers": """static double seen;
static int up(const void *p, const void *q) {
    double a = *(double *)p, b = *(double *)q; seen += a*b; return (a > b) - (a < b); }
double f(const double *x, int n) {
    double c[32]; seen = 0; memcpy(c, x, n*sizeof *c); qsort(c, n, sizeof *c, up); return seen + c[0]*c[0]; }""",
    "two in a row": UP + """double f(const double *x, int n) {
    double c[32], d[32]; memcpy(c, x, n*sizeof *c); qsort(c, n, sizeof *c, up);
    for (int i = 0; i < n; i++) d[i] = fabs(x[i] - c[n/2]);
    qsort(d, n, sizeof *d, up); return d[n/2]*c[1]*d[1]; }""",
    "structs": STRUCT + """double f(const double *x, int n) {
    Item t[32]; fill(t, x, n); qsort(t, n, sizeof *t, by_value); double s = sum(t, n);
    qsort(t, n, sizeof *t, by_name); return s*sum(t, n); }""",
    "pointers": STRUCT + """double f(const double *x, int n) {
    Item t[32], *p[32]; fill(t, x, n); for (int i = 0; i < n; i++) p[i] = &t[i];
    qsort(p, n, sizeof *p, pointed); double s = 0; for (int i = 0; i < n; i++) s += (i + 1)*p[i]->v*p[i]->w; return s; }""",
    "places": """static double key[32]; static int place[32];
static int up(const void *p, const void *q) { double a = key[*(int *)p], b = key[*(int *)q]; return (a > b) - (a < b); }
double f(const double *x, int n) {
    for (int i = 0; i < n; i++) { key[i] = x[i]*x[i]; place[i] = i; }
    qsort(place, n, sizeof *place, up);
    double s = 0; for (int i = 0; i < n; i++) s += (i + 1)*key[place[i]]*x[i]; return s; }""",
    "a table of sorts": UP + """typedef int (*Order)(const void *, const void *);
static void (*sorts[2])(void *, size_t, size_t, Order) = {qsort, qsort};
double f(const double *x, int n) {
    double c[32], s = 0; memcpy(c, x, n*sizeof *c); sorts[n & 1](c, n, sizeof *c, up); qsort(c, n, sizeof *c, up);
    for (int i = 0; i < n; i++) s += (i + 1)*c[i]*c[i];
    return s; }""",
    "with a parameter": STRUCT + """double f(const double *x, int n) {
    Item t[32]; double by = -2; fill(t, x, n); qsort_r(t, n, sizeof *t, scaled, &by); return sum(t, n); }""",
    "a search": STRUCT + """double f(const double *x, int n) {
    Item t[32]; fill(t, x, n); double s = 0;
    for (int k = -1; k <= n; k++) { Item *found = bsearch(&k, t, n, sizeof *t, by_key); if (found) s += (k + 1)*found->v*found->v; }
    return s; }""",
}  # fmt: skip
X = np.array([0.5, -1.25, 2.5, 0.75, 1.5, -0.375, 0.0625])  # exact in float, as the steps are


@pytest.mark.parametrize("opt", [0, 1, 2, 3])
@pytest.mark.parametrize("name", PROGRAMS)
def test_derivatives_go_with_the_elements(name: str, opt: int) -> None:
    f = em.compile(HEADERS + PROGRAMS[name], opt=opt)["f"]
    steps = 2.0**-9 * np.eye(len(X))
    rough = np.array([(f(X + step, 7) - f(X - step, 7)) * 2.0**8 for step in steps])
    gradient = f.grad(X, 7)
    np.testing.assert_allclose(gradient, rough, rtol=1e-3, atol=1e-3)
    for k, direction in enumerate(np.eye(len(X))):
        assert f.jvp((X, 7), (direction, None))[1] == pytest.approx(gradient[k], rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("opt", [0, 2])
def test_equal_elements_keep_their_order_and_no_element_is_no_work(opt: int) -> None:
    c = """typedef struct { int key, id; } P;
    static int by(const void *p, const void *q) { return ((const P *)p)->key - ((const P *)q)->key; }
    int id(int at, int n) {
        P t[64]; for (int i = 0; i < n; i++) { t[i].key = i*7%5; t[i].id = i; }
        qsort(t, n, sizeof *t, by); return t[at].id; }
    int none(void) { qsort(0, 0, 4, by); return bsearch(0, 0, 0, 4, by) == 0; }
    """
    program = em.compile(HEADERS + c, opt=opt)
    for n in (1, 2, 3, 33, 64):
        assert [program["id"](k, n) for k in range(n)] == sorted(range(n), key=lambda i: i * 7 % 5)
    assert program["none"]() == 1


def test_second_derivatives() -> None:
    f = em.compile(HEADERS + PROGRAMS["numbers"])["f"]
    expected = np.diag(2.0 * (1 + np.argsort(np.argsort(X))))
    np.testing.assert_array_equal(em.hessian(f)(X, 7), expected)


def test_the_tape_holds_the_places_alone() -> None:
    f = em.compile(HEADERS + PROGRAMS["numbers"])["f"]
    x = np.random.default_rng(0).random(4096)
    assert f.cache(at=(x, len(x))).measured.kept < 10 * len(x)


def test_the_program_is_what_it_was_where_it_sorts_by_a_function_of_its_own() -> None:
    own = "define void @qsort(ptr %a, i64 %n, i64 %s, ptr %f) {\n  ret void\n}\n"
    other = "declare void @qsort(ptr, i32, i32, ptr)\n"
    assert library_bodies.add(own) == own
    assert "define" not in library_bodies.add(other)

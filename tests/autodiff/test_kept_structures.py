"""Structures that a program makes once and keeps: workspaces, tables of rows, lists, pools.

They were refused ("stored before the gradient began", EM407) from the second call on, because pointers inside of kept memory were
not followed.
"""

from __future__ import annotations

import numpy as np
import pytest

import enzyme_magic as em

HEAD = "#include <math.h>\n#include <stdlib.h>\n"

PROGRAMS = {
    "a workspace": """
typedef struct { int n[3]; double *w[2], *act[3]; } net;
static net *kept;
static void init(void) {
    if (kept) return;
    int n[3] = {2, 4, 1};
    kept = malloc(sizeof *kept);
    for (int l = 0; l < 3; l++) {
        kept->n[l] = n[l];
        kept->act[l] = calloc(n[l], sizeof(double));
        if (l == 0) continue;
        kept->w[l - 1] = malloc(sizeof(double)*n[l]*n[l - 1]);
        for (int i = 0; i < n[l]*n[l - 1]; i++) kept->w[l - 1][i] = sin(i + l);
    }
}
double f(double x) {
    init();
    kept->act[0][0] = x;
    kept->act[0][1] = x*x;
    for (int l = 1; l < 3; l++)
        for (int i = 0; i < kept->n[l]; i++) {
            double s = 0;
            for (int j = 0; j < kept->n[l - 1]; j++) s += kept->w[l - 1][i*kept->n[l - 1] + j]*kept->act[l - 1][j];
            kept->act[l][i] = tanh(s);
        }
    return kept->act[2][0];
}""",
    "rows": """
static double **rows;
double f(double x) {
    if (!rows) {
        rows = malloc(4*sizeof *rows);
        for (int i = 0; i < 4; i++) rows[i] = malloc(4*sizeof(double));
    }
    for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) rows[i][j] = sin(i*x + j);
    double s = 0;
    for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) s += rows[i][j]*rows[j][i]*i;
    return s;
}""",
    "a list": """
typedef struct node { double v; struct node *next; } node;
static node *head;
double f(double x) {
    if (!head)
        for (int i = 0; i < 5; i++) {
            node *n = malloc(sizeof *n);
            n->next = head;
            n->v = i;
            head = n;
        }
    double s = 0, p = x;
    for (node *n = head; n; n = n->next) { n->v = sin(p); p = n->v*1.5; }
    for (node *n = head; n; n = n->next) s += n->v*n->v;
    return s;
}""",
    "a pool in bytes": """
static struct link { struct link *next; } *idle;
static char pool[16*64];
static int made;
typedef struct { float a, b; double d; } item;
static item *take(void) {
    if (!made)
        for (int i = 0; i < 16; i++) { struct link *b = (void *)(pool + 64*i); b->next = idle; idle = b; made = 1; }
    struct link *b = idle;
    idle = b->next;
    return (item *)b;
}
static void give(void *p) { struct link *b = p; b->next = idle; idle = b; }
double f(double x) {
    double s = 0;
    for (int r = 0; r < 5; r++) {
        item *a = take(), *b = take();
        a->a = 2.0f*r; a->b = 0.5f; a->d = sin(x*r);
        b->a = a->a*a->b; b->b = 2; b->d = a->d*b->a*x;
        s += b->d + a->b*a->d + b->a;
        if (r & 1) { give(a); give(b); } else { give(b); give(a); }
    }
    return s;
}""",
    "two buffers in turn": """
typedef struct { int n; double *p[2]; } pair;
static pair *kept;
double f(double x) {
    if (!kept) {
        kept = calloc(1, sizeof *kept);
        kept->n = 8;
        for (int k = 0; k < 2; k++) kept->p[k] = calloc(8, sizeof(double));
    }
    for (int i = 0; i < 8; i++) kept->p[0][i] = sin(i*x);
    for (int s = 0; s < 5; s++) {
        double *a = kept->p[0], *b = kept->p[1];
        for (int i = 0; i < 8; i++) b[i] = a[i]*0.5 + a[(i + 1)%8]*x;
        kept->p[0] = b;
        kept->p[1] = a;
    }
    double r = 0;
    for (int i = 0; i < 8; i++) r += kept->p[0][i]*i + kept->p[1][i];
    return r;
}""",
    "a copy of the struct": """
typedef struct { int n; double *a, *b; } space;
static space *kept;
static space get(int n) {
    if (!kept) {
        kept = malloc(sizeof *kept);
        kept->n = n;
        kept->a = malloc(n*sizeof(double));
        kept->b = malloc(n*sizeof(double));
    }
    return *kept;
}
__attribute__((noinline)) static double work(space w, double x) {
    for (int i = 0; i < w.n; i++) w.a[i] = sin(i*x);
    for (int i = 0; i < w.n; i++) w.b[i] = w.a[i]*w.a[w.n - 1 - i];
    double s = 0;
    for (int i = 0; i < w.n; i++) s += w.b[i]*(i + 1);
    return s;
}
double f(double x) { space w = get(6), v = {w.n, w.b, w.a}; return work(w, x) + work(v, x*x); }""",
    "static arrays behind it": """
typedef struct { double *p; double w; } handle;
static handle *kept;
static double a[4], b[4];
double f(double x) {
    if (!kept) { kept = malloc(2*sizeof *kept); kept[0].p = a; kept[1].p = b + 1; }
    for (int i = 0; i < 3; i++) { kept[0].p[i] = x*i; kept[1].p[i] = sin(x + i); }
    double s = 0;
    for (int i = 0; i < 3; i++) s += a[i]*b[i + 1]*(i + 1);
    return s;
}""",
    "constants or numbers": """
typedef struct { const double *p; int n; } view;
typedef struct { view v[2]; double own[4]; } handle;
static handle *kept;
static const double table[4] = {1, 2.5, 3, 4};
static void make(void) {
    if (kept) return;
    kept = calloc(1, sizeof *kept);
    kept->v[0] = (view){kept->own, 4};
    kept->v[1] = (view){table, 4};
}
__attribute__((noinline)) static double dot(const view *a, const view *b) {
    double s = 0;
    for (int i = 0; i < a->n; i++) s += a->p[i]*b->p[i];
    return s;
}
double f(double x) {
    make();
    for (int i = 0; i < 4; i++) kept->own[i] = sin(x*i);
    return dot(&kept->v[0], &kept->v[1])*x + dot(&kept->v[0], &kept->v[0]);
}""",
}
JACOBIAN = "void g(const double *v, double *out) { out[0] = f(v[0]); out[1] = f(v[0] + v[1]); }\n"
X, STEP = 1.3, 1e-3


def _slope(f: em.CFunction, x: float) -> float:
    near, far = f(x + STEP) - f(x - STEP), f(x + 2 * STEP) - f(x - 2 * STEP)
    return (8 * near - far) / (12 * STEP)


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("opt", [0, 1, 2, 3])
def test_what_was_made_before(name: str, opt: int) -> None:
    p = em.compile_c(HEAD + PROGRAMS[name], opt=opt)
    slope = _slope(p.f, X)
    for _ in range(2):
        assert p.f.grad(X) == pytest.approx(slope, rel=1e-6)
        assert em.jvp(p.f, (X,), (1.0,))[1] == pytest.approx(slope, rel=1e-6)
    assert _slope(p.f, X) == pytest.approx(slope, rel=1e-9)


@pytest.mark.parametrize("name", ["rows", "a list", "two buffers in turn", "static arrays behind it"])
@pytest.mark.parametrize("opt", [0, 2])
def test_several_derivatives_at_once(name: str, opt: int) -> None:
    p = em.compile_c(HEAD + PROGRAMS[name] + "\n" + JACOBIAN, opt=opt)
    first, second = _slope(p.f, X), _slope(p.f, X + 0.1)
    for transform in (em.jacfwd, em.jacrev):
        found = transform(p.g, wrt="v", outputs="out")(np.array([X, 0.1]), np.zeros(2))
        np.testing.assert_allclose(found, [[first, 0], [second, second]], rtol=1e-6)


GROWS = """
typedef struct { double *buf[3]; int cap[3]; } space;
static space *kept;
static double *need(int k, int n) {
    if (!kept) {
        kept = malloc(sizeof *kept);
        for (int i = 0; i < 3; i++) { kept->buf[i] = 0; kept->cap[i] = 0; }
    }
    if (n > kept->cap[k]) {
        free(kept->buf[k]);
        kept->buf[k] = malloc(n*sizeof(double));
        kept->cap[k] = n;
    }
    return kept->buf[k];
}
double f(double x, int n) {
    double *t = need(n%3, n), s = 0;
    for (int i = 0; i < n; i++) t[i] = sin(i*x);
    for (int i = 0; i < n; i++) s += t[i]*t[n - 1 - i];
    return s;
}
"""


@pytest.mark.parametrize("opt", [0, 1, 2, 3])
def test_buffers_that_grow(opt: int) -> None:
    """The gradient's call releases a buffer that was there before, and the next calls use the one it made."""
    p, fresh = em.compile_c(HEAD + GROWS, opt=opt), em.compile_c(HEAD + GROWS, opt=opt)
    sizes = (6, 3000, 9, 60000, 3)
    expected = [fresh.f.grad(X, n) for n in sizes]
    assert p.f(X, 9) == fresh.f(X, 9)
    for n, slope in zip(sizes, expected, strict=True):
        assert p.f.grad(X, n) == slope
        assert em.jvp(p.f, (X, n), (1.0, None), outputs="result")[1] == pytest.approx(slope, rel=1e-9)
    assert p.f(X, 9) == fresh.f(X, 9)


HELD = """
typedef struct { double *data; double w; } holder;
static holder *held;
void hold(double *x) { if (!held) held = malloc(sizeof *held); held->data = x; }
double use(double y) { held->data[0] *= y; return held->data[0]; }
"""


@pytest.mark.parametrize("opt", [0, 2])
def test_memory_of_python_has_no_shadow(opt: int) -> None:
    p = em.compile_c(HEAD + HELD, opt=opt)
    x = np.array([1.0, 2.0])
    p.hold(x)
    with pytest.raises(em.ExecutionError) as caught:
        p.use.grad(2.0)
    assert caught.value.code == "EM407"


def test_the_gradient_as_c_says_why_it_is_none() -> None:
    p = em.compile_c(HEAD + PROGRAMS["rows"], opt=2)
    assert "memory that was there before has shadows" in str(p.f.gradient_c())

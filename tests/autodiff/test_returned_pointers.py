"""Pointers that a function gets from memory and gives back: where nobody looks at their bits they are pointers, whoever calls."""

from __future__ import annotations

import pytest

import enzyme_magic as em

LEVELS = pytest.mark.parametrize("opt", [0, 2, 3])

# A child is found by an index: no type tells that no number lies there. `grown` gives back the pointer that it was given.
TREE = r"""
struct t { double acc; struct t *c[2]; };
static struct t *grown(struct t *r, int k, double v) {
    if (!r) { r = calloc(1, sizeof *r); r->acc = v; return r; }
    r->c[k & 1] = grown(r->c[k & 1], k/2, v*r->acc);
    return r;
}
static double walk(struct t *r, int depth) {
    if (!r) return 0;
    double s = walk(r->c[0], depth + 1) + r->acc*depth + walk(r->c[1], depth + 1);
    free(r);
    return s;
}
double f(double x, double y) { struct t *r = 0; for (int i = 0; i < 3; i++) r = grown(r, i, y + i*x); return walk(r, 1); }
"""
HEAD = "typedef union { double *p; double d; } U; static double *pick(U *t, int i) { return t[i].p; }\n"
READ = (
    HEAD
    + r"""
static double number(double *p) { double d; memcpy(&d, &p, 8); return d; }
double f(double x, double y) { U t[2]; t[0].d = x*y; t[1].d = y; return number(pick(t, 0))*number(pick(t, 1)); }
"""
)
STORED = (
    HEAD
    + r"""
static void put(double **to, double *p) { *to = p; }
double f(double x, double y) {
    U t[2], w[2]; t[0].d = x*y; t[1].d = y; put(&w[0].p, pick(t, 0)); put(&w[1].p, pick(t, 1)); return w[0].d*w[1].d; }
"""
)
# A pointer that is followed by a load, not only moved (it was taken for moved bits: EM900 at opt 0).
POOL = r"""
typedef union cell { union cell *next; struct { double a, b; } d; } cell;
static cell pool[16], *heads;
static cell *get(void) { cell *c = heads; heads = c->next; return c; }
static void put(cell *c) { c->next = heads; heads = c; }
double f(double x, double y) {
    double s = 0;
    for (int i = 0; i < 15; i++) pool[i].next = &pool[i+1];
    pool[15].next = 0; heads = pool;
    for (int r = 0; r < 4; r++) {
        cell *p = get(), *q = get();
        p->d.a = x*r + s; p->d.b = y; q->d.a = p->d.a*p->d.b; q->d.b = x; put(p);
        cell *t = get(); t->d.a = q->d.a*2; t->d.b = q->d.b*y; s += t->d.a*t->d.b*0.1; put(q); put(t);
    }
    return s;
}
"""


@LEVELS
@pytest.mark.parametrize("text", [TREE, READ, STORED, POOL], ids=["tree", "read", "stored", "pool"])
def test_returned_pointers(text: str, opt: int) -> None:
    f, (x, y), h = em.compile_c(text, opt=opt).f, (1.3, 0.7), 1e-4
    want = ((f(x + h, y) - f(x - h, y)) / (2 * h), (f(x, y + h) - f(x, y - h)) / (2 * h))
    assert tuple(f.grad(x, y)) == pytest.approx(want, rel=1e-6)
    assert em.jvp(f, (x, y), (1.0, 0.5))[1] == pytest.approx(want[0] + 0.5 * want[1], rel=1e-6)

"""Pointers to members of one struct, as C people write them: each tells of its member, and none contradicts another. A member that
is used as the beginning of an array leads to the others: value and derivative are those of the C text as it looks."""

from __future__ import annotations

import pytest

import enzyme_magic as em
from enzyme_magic.backend.passes import member_paths

TYPES = """#include <math.h>
#include <stdlib.h>
typedef struct { int dim, n; } config;
typedef struct { double *a; int k; double s; } weights;
typedef struct { double *x, *y; } state;
typedef struct { double x, y, z; } vector;
typedef struct { config c; weights w; state s; } model;
"""
PROGRAMS = {
    "one of each": """
        static void product(double *o, double *x, double *w, int n, int d) {
            for (int i = 0; i < d; i++) { o[i] = 0; for (int j = 0; j < n; j++) o[i] += w[i*n + j]*x[j]; }
        }
        static double *forward(model *t) {
            config *p = &t->c; weights *w = &t->w; state *s = &t->s;
            product(s->y, s->x, w->a, p->dim, p->n);
            return s->y;
        }
        double f(double x) {
            double a[4] = {x, x*x, 2, 3};
            model t; t.c.dim = 2; t.c.n = 1; t.w.a = a; t.s.x = a + 2; t.s.y = malloc(8);
            double r = forward(&t)[0];
            free(t.s.y);
            return r;
        }""",
    "handed on": """
        typedef struct { config c; weights w; config d; } inside;
        static double use(weights *w, int n) { w->s = w->a[0]*n; return w->s*w->a[1]; }
        static double g(inside *t) { weights *w = &t->w; return use(w, t->d.n)*w->s; }
        double f(double x) { double a[2] = {x, sin(x)}; inside t; t.d.n = 3; t.c.n = 2; t.w.a = a; return g(&t); }""",
    "an array that is a member": """
        typedef struct { int n; vector p[4]; int m; } points;
        static double g(points *t) {
            double s = 0;
            for (int i = 0; i < t->n; i++) {
                vector *v = &t->p[i];
                double *q = &v->x;
                for (int j = 0; j < 3; j++) s += q[j]*q[j]*t->m;
            }
            return s;
        }
        double f(double x) {
            points t = {4, {{0}}, 2};
            for (int i = 0; i < 4; i++) t.p[i].y = x*i;
            return g(&t);
        }""",
    "a last member that goes on": """
        typedef struct { int n; int k; vector w[1]; } block;
        static double g(block *t) { vector *w = t->w; double s = 0; for (int i = 0; i < t->n; i++) s += w[i].x*w[i].z; return s; }
        double f(double x) {
            block *t = malloc(sizeof(block) + 5*sizeof(vector));
            t->n = 6;
            for (int i = 0; i < 6; i++) { vector *v = &t->w[i]; v->x = x*i; v->z = x + i; v->y = 1; }
            double r = g(t);
            free(t);
            return r;
        }""",
    "what lies behind": """
        typedef struct { int n, q; config c; } header;
        static double g(header *t) {
            config *c = &t->c; double *w = (double *)(c + 1); double s = 0;
            for (int i = 0; i < c->n; i++) s += w[i]*w[i];
            return s;
        }
        double f(double x) {
            header *t = malloc(sizeof(header) + 64);
            t->c.n = 8;
            double *w = (double *)(t + 1);
            for (int i = 0; i < 8; i++) w[i] = x*i;
            double r = g(t);
            free(t);
            return r;
        }""",
    "members of members": """
        typedef struct { int id; model t; state s; } outer;
        static double g(outer *o) {
            model *t = &o->t; weights *w = &t->w; config *c = &t->c; state *s = &o->s;
            return w->a[c->n]*s->x[o->id]*w->s;
        }
        double f(double x) {
            double a[2] = {x, x*x};
            outer o; o.id = 1; o.t.c.n = 0; o.t.w.a = a; o.t.w.s = x; o.s.x = a;
            return g(&o);
        }""",
    "members of elements": """
        static double g(model *t, int n) {
            double s = 0;
            for (int i = 0; i < n; i++) { weights *w = &t[i].w; config *c = &t[i].c; s += w->a[c->dim]*w->s; }
            return s;
        }
        double f(double x) {
            double a[3] = {x, x*x, sin(x)};
            model t[3];
            for (int i = 0; i < 3; i++) { t[i].c.dim = i; t[i].w.a = a; t[i].w.s = x*i + 1; }
            return g(t, 3);
        }""",
}


@pytest.mark.parametrize("opt", [0, 1, 2, 3])
@pytest.mark.parametrize("name", PROGRAMS)
def test_pointers_to_members(name: str, opt: int) -> None:
    f = em.compile_c(TYPES + PROGRAMS[name], opt=opt).f
    x, h = 1.3, 1e-6
    expected = pytest.approx((f(x + h) - f(x - h)) / (2 * h), rel=1e-7)
    assert f.grad(x) == expected
    assert em.jvp(f, (x,), (1.0,))[1] == expected


BEGINNINGS = {
    "index": "static double get(vector *v, int i) { return (&v->x)[i]; }",
    "sum": "static double get(vector *v, int i) { return *(&v->y + i - 1); }",
    "cast": "static double get(vector *v, int i) { return ((double *)&v->x)[i]; }",
}


@pytest.mark.parametrize("opt", [0, 1, 2, 3])
@pytest.mark.parametrize("name", BEGINNINGS)
def test_a_member_as_the_beginning_of_an_array(name: str, opt: int) -> None:
    source = (
        TYPES
        + BEGINNINGS[name]
        + """
        double f(double x, double y) {
            vector v;
            v.x = x; v.y = y; v.z = x*y;
            double s = 0;
            for (int i = 0; i < 3; i++) { v.y = v.y*v.z; s += get(&v, i)*(i + 1); }
            return s;
        }"""
    )
    f = em.compile_c(source, opt=opt).f
    x, y = 1.3, 0.7
    z = x * y
    assert f(x, y) == pytest.approx(x + 2 * y * z**2 + 3 * z)
    expected = (1 + 4 * y * z * y + 3 * y, 2 * z**2 + 4 * y * z * x + 3 * x)
    assert tuple(f.grad(x, y)) == pytest.approx(expected)
    assert em.jvp(f, (x, y), (1.0, 0.0))[1] == pytest.approx(expected[0])


ALIKE = {
    "static variable": """static vector g;
        static double get(int i) { return (&g.x)[i]; }
        double f(double x, double y) {
            double s = 0;
            g.x = x; g.y = y; g.z = x*y;
            for (int i = 0; i < 3; i++) { g.y = g.y*g.z; s += get(i)*(i + 1); }
            return s;
        }""",
    "rows": """typedef struct { double x, y; } row;
        typedef struct { row a, b, c; } rows;
        static double get(rows *m, int i) { double t = (&m->a)[i].y; (&m->a)[i].x += t; return t; }
        double f(double x, double y) {
            rows m = {{x, y}, {1, x}, {y, 2}};
            double s = 0;
            for (int k = 0; k < 2; k++)
                for (int i = 0; i < 3; i++) { m.b.y = m.b.y*m.a.x; s += get(&m, i)*(i + 1) + m.c.x*m.b.x; }
            return s;
        }""",
    "integers": """typedef struct { double x, y; char a, b, c; } mixed;
        static int get(const mixed *v, int i) { return (&v->a)[i]; }
        double f(double x, double y) {
            mixed m = {x, y, 1, 2, 3};
            double s = 0;
            for (int i = 0; i < 3; i++) { m.b += i; s += get(&m, i)*(&m.x)[i & 1]; m.y *= 1.1; }
            return s;
        }""",
}


@pytest.mark.parametrize("opt", [0, 1, 2, 3])
@pytest.mark.parametrize("name", ALIKE)
def test_members_of_one_type_are_taken_as_without_strict_aliasing(name: str, opt: int) -> None:
    f = em.compile_c(TYPES + ALIKE[name], opt=opt).f
    plain = em.compile_c(TYPES + ALIKE[name], opt=opt, compile_args=["-fno-strict-aliasing"]).f
    assert f(1.3, 0.7) == pytest.approx(plain(1.3, 0.7))
    assert tuple(f.grad(1.3, 0.7)) == pytest.approx(tuple(plain.grad(1.3, 0.7)))


def test_accesses_within_a_member_keep_their_path(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, str]] = []
    lower = member_paths.lower

    def noted(text: str) -> str:
        seen.append((text, lower(text)))
        return seen[-1][1]

    monkeypatch.setattr(member_paths, "lower", noted)
    source = """typedef struct { double a, b; } inner;
        typedef struct { int n; double x; inner in[3]; inner *to; } outer;
        double within(outer *p, int i) {
            return (p + 1)->x + p[i].in[i].b + (p->in + i)->a + ((outer *)((char *)p + i))->x + p->to[i].b + (&p->to[1])->a;
        }"""
    em.compile_c(source, opt=0)
    assert [before is after for before, after in seen] == [True]

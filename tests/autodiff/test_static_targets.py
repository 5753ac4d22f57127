"""Static pointers that lead to static variables: from the start, since an earlier call, and beside accesses by name."""

from __future__ import annotations

import numpy as np
import pytest

import enzyme_magic as em

PROGRAM = """
struct node { double v; struct node *next; };
static double h = 2, arr[4] = {1, 2, 3, 4}, other;
static double *g = &h, **gg = &g, *p = &arr[1], *end = arr + 4, *rows[2] = {arr, arr + 2}, *late;
static struct node n3 = {3, 0}, n2 = {2, &n3}, n1 = {1, &n2}, *head = &n1;

double by_both_names(double x, double y) {
    *g = x*x;
    double r = h*y;
    h = y;
    return r + *g*x + **gg;
}
double list(double x, double y) {
    double r = 0;
    for (struct node *n = head; n; n = n->next) n->v = n->v*x + y;
    for (struct node *n = head; n; n = n->next) r += n->v*n->v;
    return r + n2.v;
}
double tables(double x, double y) {
    p[0] = x*y;
    rows[1][1] = x*x;
    return arr[1]*rows[0][0] + arr[3]*y;
}
double from_the_end(double x, double y) { arr[3] = x*y; return end[-1]*x; }
double turned(double x, double y) {
    double *old = g;
    g = &other;
    *g = x*y;
    g = old;
    return other*x + *g;
}
void reset(void) {
    h = 2;
    for (int k = 0; k < 4; k++) arr[k] = k + 1;
    other = 0;
    n1.v = 1, n2.v = 2, n3.v = 3;
}
void aim(int k) { late = k ? &h : &arr[2]; }
double stored_there(double x, double y) { *late = x*x; return h*h + arr[2]*y; }
double stored_by_name(double x, double y) { h = x*x; arr[2] = x; return *late * *late * y; }
static double *where(void) { return late; }
double handed_out(double x, double y) { *where() = x*y; return h*h + arr[2]; }
void twice(const double *a, double *out) { out[0] = stored_there(a[0], a[1]); out[1] = list(a[0], a[1]); }
"""
NAMES = ["by_both_names", "list", "tables", "from_the_end", "turned", "stored_there", "stored_by_name", "handed_out"]
POINT = (1.5, 0.5)


def _differences(program: em.Program, name: str) -> list[float]:
    def at(*point: float) -> float:
        program.reset()
        return float(program[name](*point))

    (x, y), step = POINT, 2.0**-10
    return [(at(x + step, y) - at(x - step, y)) / (2 * step), (at(x, y + step) - at(x, y - step)) / (2 * step)]


@pytest.mark.parametrize("opt", [0, 1, 2, 3])
def test_both_modes(opt: int) -> None:
    plain, derived = em.compile_c(PROGRAM, opt=opt), em.compile_c(PROGRAM, opt=opt)
    for aim in (0, 1):
        plain.aim(aim)
        derived.aim(aim)
        for name in NAMES:
            wanted = _differences(plain, name)
            got = derived[name].grad(*POINT)
            pushed = [em.jvp(derived[name], POINT, seed)[1] for seed in ((1.0, 0.0), (0.0, 1.0))]
            np.testing.assert_allclose(got, wanted, rtol=1e-4, atol=1e-4, err_msg=f"{name} {aim}")
            np.testing.assert_allclose(pushed, got, rtol=1e-12, err_msg=f"{name} {aim}")


def test_a_list_of_static_nodes() -> None:
    """sum over v of (v x + y)^2, and 2 x + y, at v = 1, 2, 3."""
    function = em.compile_c(PROGRAM, opt=0)["list"]
    x, y = POINT
    wanted = [sum(2 * v * (v * x + y) for v in (1, 2, 3)) + 2, sum(2 * (v * x + y) for v in (1, 2, 3)) + 1]
    np.testing.assert_allclose(function.grad(*POINT), wanted)
    np.testing.assert_allclose(function.grad(*POINT), wanted)


def test_jacobians_have_shadows_for_each_lane() -> None:
    program = em.compile_c(PROGRAM, opt=2)
    program.aim(1)
    at = (np.array(POINT), np.zeros(2))
    rows = np.array([program.stored_there.grad(*POINT), program["list"].grad(*POINT)])
    np.testing.assert_allclose(em.jacfwd(program.twice)(*at).out, rows)
    np.testing.assert_allclose(em.jacrev(program.twice)(*at).out, rows)


@pytest.mark.parametrize("opt", [0, 2])
def test_a_pointer_to_an_end_leads_into_no_other_variable(opt: int) -> None:
    """Variables do not touch each other: the addresses of an end and of a beginning differ, whichever comes first."""
    program = em.compile_c(
        "static double c[2] = {5, 6}, a[2] = {1, 2}, b[2] = {3, 4}, *p = a, *q = b, *r = c, *s = a;"
        "void aim(int n) { p = a + n; r = c + n; }"
        "double f(double x) { a[1] = x; b[0] = x*x; c[1] = x*x*x; return p[-1]*x + *q + r[-1] + *s*x; }",
        opt=opt,
    )
    program.aim(2)
    np.testing.assert_allclose(program.f.grad(3.0), 2 * 3 + 2 * 3 + 27 + 1)
    np.testing.assert_allclose(em.jvp(program.f, (3.0,), (1.0,))[1], 40.0)


@pytest.mark.parametrize("opt", [0, 2])
def test_a_pointer_in_a_library_of_kinds(opt: int) -> None:
    """A table of functions without numbers, kept beside arrays to whose ends pointers may lead: it has its shadow."""
    program = em.compile_c(
        """
        #include <stdlib.h>
        typedef struct {
            const char *name; unsigned least; void (*begin)(double *, double); double (*at)(const double *, double);
        } kind;
        static void none(double *s, double x) { s[0] = x; }
        static double line(const double *s, double x) { return s[0]*x; }
        static double square(const double *s, double x) { return s[0]*x*x; }
        static const kind a_line = {"line", 1, none, line};
        static const kind a_square = {"square", 2, none, square};
        const kind *first = &a_line, *second = &a_square;
        typedef struct { double *data; int n; } view;
        __attribute__((noinline)) void part(view *v, double *from, int n) { v->data = from + n, v->n = n; }
        typedef struct { const kind *k; view v; } thing;
        thing *made(const kind *k, double *s) { thing *t = malloc(sizeof *t); t->k = k; part(&t->v, s, 0); return t; }
        double f(double x) {
            double s[2], sum = 0;
            for (int i = 0; i < 2; i++) {
                thing *t = made(i ? second : first, s + i);
                t->k->begin(t->v.data, x + i);
                sum += t->k->at(t->v.data, x);
                free(t);
            }
            return sum;
        }""",
        opt=opt,
    )
    np.testing.assert_allclose(program.f.grad(1.5), 2 * 1.5 + 3 * 1.5**2 + 2 * 1.5)

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


def test_a_pointer_to_an_end_where_another_variable_begins() -> None:
    """Which of both is meant nobody knows; it is one or the other in memory, so it is refused or right."""
    program = em.compile_c(
        "static double a[2] = {1, 2}, b[2] = {3, 4}, *p = a, *q = b;"
        "void aim(int n) { p = a + n; }"
        "double f(double x) { a[1] = x; b[0] = x*x; return p[-1]*x + *q; }",
        opt=0,
    )
    program.aim(2)
    outcome = 12.0
    try:
        outcome = program.f.grad(3.0)
    except em.ExecutionError as error:
        assert error.code == "EM407"  # noqa: PT017 - one or the other, as the linker lays them out
    assert outcome == 12.0

"""Several sweeps at once: on programs of all kinds each lane gives what its sweep alone gives; Jacobians use them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import enzyme_magic as em

from . import (
    test_adbench,
    test_dynamics,
    test_heap,
    test_interpreters,
    test_iteration,
    test_learning,
    test_matrices,
    test_order,
    test_records,
    test_stencils,
)
from .calls import SOURCES
from .checks import Case
from .lanes import check

MODULES = (
    *(test_adbench, test_dynamics, test_heap, test_interpreters, test_iteration),
    *(test_learning, test_matrices, test_order, test_records, test_stencils),
)
PROGRAMS = [case for module in MODULES for case in module.CASES]


@pytest.mark.parametrize("case", PROGRAMS, ids=str)
def test_programs(case: Case) -> None:
    text = (SOURCES / f"{case.source}.c").read_text()
    program = em.compile_c(text, opt=2, name=f"{case.source}.c")
    check(program[case.function], case.at(0))


# Counted in the state of the C library: static variables of the program are put back.
COUNTED = """
#include <stdlib.h>
void begin(void) { srand48(7); }
static void inner(const double *x, int n, double *out) {
    for (int i = 0; i < n; i++) out[i] = x[i]*x[(i + 1) % n] + (i > 0 ? out[i - 1] : 0);
}
void f(const double *x, int n, double *out) { lrand48(); inner(x, n, out); }
int how_often(void) {
    long next = lrand48();
    srand48(7);
    for (int k = 0; k < 100; k++) if (lrand48() == next) return k;
    return -1;
}
"""


@pytest.mark.parametrize("transform", [em.jacfwd, em.jacrev])
def test_a_jacobian_runs_the_primal_once_for_several_sweeps(transform: Any) -> None:
    program = em.compile_c(COUNTED)
    x = np.linspace(0.5, 1.5, 20)
    program.begin()
    matrix = transform(program.f, wrt="x", outputs="out")(x, 20, np.zeros(20))
    assert program.how_often() == 3  # 20 sweeps, eight at once
    given = {"x": x, "n": 20, "out": np.zeros(20)}
    columns = [em.jvp(program.f, given, {"x": unit})[1] for unit in np.eye(20)]
    np.testing.assert_allclose(matrix, np.array([np.asarray(c) for c in columns]).T, rtol=1e-14)


APART = """
typedef struct node { double v; struct node *next; } node;
double kept(const double *x, int n) {
    node nodes[4], *first = 0;
    for (int i = 0; i < n && i < 4; i++) { nodes[i].v = x[i]*x[i]; nodes[i].next = first; first = &nodes[i]; }
    double s = 0;
    for (node *p = first; p; p = p->next) { p->v *= 1 + s; s += p->v; }
    return s*s;
}
double either(const double *x, int n, int which) {
    double a[2] = {0, 0}, b[2] = {1, 1}, *p = which ? a : b;
    for (int i = 0; i < n; i++) { p[i & 1] += x[i]*x[i]; p = p == a ? b : a; }
    return a[0]*b[1] + a[1]*b[0];
}
"""


@pytest.mark.parametrize("opt", [0, 1, 2, 3])
def test_lanes_do_not_share_memory(opt: int) -> None:
    program = em.compile_c(APART, opt=opt)
    x = np.linspace(0.5, 1.5, 4)
    for which in (0, 1):
        assert check(program.either, (x, 4, which)) == ["forward", "reverse"]
    check(program.kept, (x, 4))

"""What `free` and `realloc` are given in a derivative: only the beginning of a block that is there, or the call ends with EM414."""

from __future__ import annotations

import numpy as np
import pytest

import enzyme_magic as em

C = r"""
#include <stdlib.h>
static double table[8];
static void release(double *p) { free(p); }
double middle(double x, int bad) {
    double *p = malloc(640);
    p[0] = x;
    double *n = realloc(p + 16 * bad, 128), y = n[0] * x;
    free(n);
    return y;
}
double local(double x, int bad) {
    double a[2] = { x, x }, *p = malloc(16);
    p[0] = p[1] = x;
    double *q = bad ? a : p, y = q[0] * q[1];
    release(q);
    return y;
}
double moved_local(double x, int bad) {
    double a[2] = { x, x }, *p = malloc(16);
    p[0] = p[1] = x;
    double *n = realloc(bad ? a : p, 64), y = n[0] * n[1];
    free(n);
    return y;
}
double moved_static(double x, int bad) {
    table[0] = table[1] = x;
    double *p = malloc(16);
    p[0] = p[1] = x;
    double *n = realloc(bad ? table : p, 64), y = n[0] * n[1];
    free(n);
    return y;
}
double moved_after(double x, int bad) {
    double *p = malloc(64);
    p[0] = p[1] = x;
    if (bad) free(p);
    double *n = realloc(p, 128), y = n[0] * n[1];
    free(n);
    return y;
}
double twice(double x, int bad) {
    double *p = malloc(64);
    p[0] = p[1] = x;
    double *n = realloc(p, 12800), y = n[0] * n[1];
    free(bad ? p : n);
    return y;
}
double large(double x, int bad) {
    double *p = malloc(1 << 20);
    p[0] = p[1] = x;
    double *n = realloc(p, 1 << 21), y = n[0] * n[1];
    release(n + 4096 * bad);
    return y;
}
double given(double *a, int bad) {
    double *p = malloc(64);
    p[0] = a[0];
    double y = p[0] * a[1];
    if (bad) free(a);
    free(p);
    return y;
}
"""
LINES = {"middle": 8, "local": 4, "moved_local": 22, "moved_static": 30, "moved_after": 38, "twice": 46}
LINES |= {"large": 4, "given": 60}


@pytest.fixture(scope="module", params=[0, 2])
def program(request: pytest.FixtureRequest) -> em.Program:
    return em.compile_c(C, name="C", opt=request.param)


@pytest.mark.parametrize("name", LINES)
def test_a_derivative_ends_where_no_block_begins(program: em.Program, name: str) -> None:
    function, x, seed = program[name], 3.0, 1.0
    if name == "given":
        x, seed = np.array([2.0, 3.0]), np.ones(2)  # type: ignore[assignment]
    calls = (lambda bad: em.grad(function)(x, bad), lambda bad: em.jvp(function, (x, bad), (seed, 0)))
    for call in calls:
        before = repr(call(0))
        with pytest.raises(em.ExecutionError) as error:
            call(1)
        assert (error.value.code, error.value.line) == ("EM414", LINES[name])
        assert name in error.value.message or "release" in error.value.message
        assert repr(call(0)) == before
    assert em.check_grads(function, (x, 0))


def test_second_derivatives_end_there_too(program: em.Program) -> None:
    slope = em.grad(program.moved_local)
    assert em.jvp(slope, (3.0, 0), (1.0, 0)) == (6.0, 2.0)
    with pytest.raises(em.ExecutionError) as error:
        em.jvp(slope, (3.0, 1), (1.0, 0))
    assert error.value.code == "EM414"


def test_several_sweeps_at_once_end_there_too(program: em.Program) -> None:
    gradients = em.vmap(em.grad(program.twice), in_axes=(0, None))
    np.testing.assert_array_equal(gradients(np.arange(1.0, 5.0), 0), 2 * np.arange(1.0, 5.0))
    with pytest.raises(em.ExecutionError) as error:
        gradients(np.arange(1.0, 5.0), 1)
    assert error.value.code == "EM414"

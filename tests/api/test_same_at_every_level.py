"""What has a gradient, and what is an output, follows from the C text: it is the same at every level of optimization."""

from __future__ import annotations

import numpy as np
import pytest

import enzyme_magic as em

SOURCE = """
double unused(double a, const double *x, int n) {
    double t = 0;
    for (int i = 0; i < n; i++) t += x[i];
    return a*a + 0*n;
}
double overwritten(double *x, const double *y) {
    x[0] = 3;
    x[0] = y[0]*y[0];
    return y[0];
}
static void start(double *o, double a) { o[0] = a; o[1] = a*a; }
void helper(double a, double *o) {
    start(o, a);
    o[0] = o[0]*o[1];
}
double never(double a, double *x) { return a*a; }
double dead(double *x, double a) { double old = x[0]; x[1] = old*0; return a; }
"""


@pytest.fixture(scope="module", params=[0, 1, 2, 3])
def p(request):
    return em.compile_c(SOURCE, opt=request.param)


def test_a_parameter_that_is_read_has_a_gradient(p):
    g = p.unused.grad(2.0, np.ones(2), 2)
    assert isinstance(g, em.Gradients)
    assert g.a == 4.0
    assert np.array_equal(g.x, [0, 0])
    assert np.array_equal(em.grad(p.unused, "x")(2.0, np.ones(2), 2), [0, 0])
    assert p.never.grad(2.0, np.ones(2)) == 4.0
    with pytest.raises(em.ArgumentError, match="neither read nor written"):
        em.grad(p.never, "x")


def test_a_buffer_that_is_written_is_an_output(p):
    value, pullback = p.overwritten.vjp(np.ones(1), np.array([3.0]))
    assert value._names == ("result", "x")
    assert pullback((0.0, np.ones(1))) == [6.0]
    value, pullback = p.helper.vjp(2.0, np.zeros(2))
    assert np.array_equal(value, [8.0, 4.0])
    assert pullback(np.array([1.0, 0.0])) == 12.0
    assert p.dead.vjp(np.ones(2), 1.0)[0]._names == ("result", "x")

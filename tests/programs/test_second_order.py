"""`em.hessian`, `em.hvp`, and gradients where C functions may stand: values, shapes, structures, errors."""

from __future__ import annotations

import pickle

import mpmath
import numpy as np
import pytest

import enzyme_magic as em
from tests import sampling

from .second_order import check

SOURCE = """
#include <math.h>
double wave(double x) { return sin(x)*exp(0.5*x)/x; }
double power(double x, int n) { double r = 1; for (int i = 0; i < n; i++) r *= x; return r; }
double series(double x) {
    double s = 0, t = 1;
    for (int k = 0; fabs(t) > 1e-17; k++) { s += t; t *= -x*x/((2*k + 1)*(2*k + 2)); }
    return s;
}
double chain(const double *x, int n) {
    double s = 0, p = 1;
    for (int i = 0; i + 1 < n; i++) { p *= x[i]; s += p*x[i + 1]*x[i + 1]; }
    return s;
}
double mixed(const double *x, double a, double *y, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) { s += x[i]*y[i]*a*a; y[i] *= 2; }
    return s;
}
float single(float x) { return x*x*x; }
double linear(const double *x, double *out, int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i]; *out = s; return s; }
void fill(double x, double *out) { out[0] = x*x; }
typedef struct { double re, im; } pair;
double of_pair(pair p) { return p.re*p.im*p.im; }
static double product(double x, double y) { return x*y; }
double confused(double x) { return x*__enzyme_autodiff((void *)product, enzyme_const, x, enzyme_out, 1.0); }
double counted; double touches(double x) { counted += 1; return x*x*counted; }
"""
X = np.array([1.1, 0.7, -0.4, 0.9])


@pytest.fixture(scope="module", params=[0, 2])
def program(request: pytest.FixtureRequest) -> em.Program:
    return em.compile_c(SOURCE, opt=request.param, post_opt=sampling.after_level(request.param))


def test_four_derivatives_of_straight_code(program: em.Program) -> None:
    derivative, x = program.wave, 1.3
    for order in range(1, 5):
        derivative = em.grad(derivative)
        with mpmath.workdps(40):
            wanted = mpmath.diff(lambda t: mpmath.sin(t) * mpmath.exp(t / 2) / t, x, order)
        assert derivative(x) == pytest.approx(float(wanted), rel=1e-12)


def test_four_derivatives_through_loops_and_tapes(program: em.Program) -> None:
    derivative, wanted = program.power, 1.5**6
    for order in range(1, 5):
        derivative = em.grad(derivative)
        wanted *= (7 - order) / 1.5
        assert derivative(1.5, 6) == pytest.approx(wanted, rel=1e-14)


def test_derivatives_of_a_series_that_ends_when_it_is_exact_enough(program: em.Program) -> None:
    second = em.grad(em.grad(program.series))
    assert second(0.8) == pytest.approx(-np.cos(0.8), rel=1e-12)


def test_the_hessian_of_one_array(program: em.Program) -> None:
    h = em.hessian(program.chain)(X, 4)
    assert h.shape == (4, 4)
    np.testing.assert_allclose(h, h.T, rtol=1e-13)
    np.testing.assert_allclose(em.jacrev(em.grad(program.chain))(X, 4), h, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(em.jacfwd(em.grad(program.chain))(X, 4), h, rtol=1e-15)
    np.testing.assert_array_equal(program.chain.hessian(X, 4), h)
    out = np.empty((4, 4))
    assert em.hessian(program.chain, out=out)(X, 4) is out
    np.testing.assert_array_equal(out, h)


def test_hessian_vector_products(program: em.Program) -> None:
    h, v = em.hessian(program.chain)(X, 4), np.linspace(-1, 1, 4)
    np.testing.assert_allclose(em.hvp(program.chain, (X, 4), (v, None)), h @ v, rtol=1e-12, atol=1e-14)
    gradient, change = em.jvp(em.grad(program.chain), (X, 4), (v, None))
    np.testing.assert_allclose(gradient, em.grad(program.chain)(X, 4), rtol=1e-14)
    np.testing.assert_allclose(change, h @ v, rtol=1e-12, atol=1e-14)
    value, pullback = em.vjp(em.grad(program.chain), X, 4)
    np.testing.assert_array_equal(value, gradient)
    np.testing.assert_allclose(pullback(v), h @ v, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(pullback(v), h @ v, rtol=1e-12, atol=1e-14)


def test_several_parameters_nest(program: em.Program) -> None:
    y = X + 1
    kept = y.copy()
    h = em.hessian(program.mixed)(X, 3.0, y, 4)
    np.testing.assert_array_equal(y, kept)
    np.testing.assert_array_equal(h.x.x, np.zeros((4, 4)))
    np.testing.assert_allclose(h.x.y, 9 * np.eye(4), rtol=1e-14)
    np.testing.assert_allclose(h.x.a, 6 * y, rtol=1e-14)
    np.testing.assert_allclose(h.a.x, 6 * y, rtol=1e-14)
    assert isinstance(h.a.a, float)
    assert h.a.a == pytest.approx(2 * (X @ y))
    only = em.hessian(program.mixed, wrt=("a", "x"))(X, 3.0, y, 4)
    assert list(only.asdict()) == ["a", "x"]
    np.testing.assert_allclose(only.x.a, 6 * y, rtol=1e-14)
    assert em.hessian(program.mixed, wrt="a")(X, 3.0, y, 4) == pytest.approx(2 * (X @ y))
    product = em.hvp(program.mixed, {"x": X, "a": 3.0, "y": y, "n": 4}, {"a": 1.0})
    np.testing.assert_allclose(product.x, 6 * y, rtol=1e-14)


def test_a_direction_beside_the_gradient(program: em.Program) -> None:
    """The gradient with respect to one parameter, moved along another."""
    gradient = em.grad(program.mixed, wrt="x")
    _, change = em.jvp(gradient, (X, 3.0, X + 1, 4), (None, 1.0, None, None))
    np.testing.assert_allclose(change, 6 * (X + 1), rtol=1e-14)


def test_no_perturbation_confusion(program: em.Program) -> None:
    """d/dx x*(d/dy x*y at y = 1) is 2x, not x + 1."""
    assert em.grad(program.confused)(3.0) == 6.0


def test_other_types(program: em.Program) -> None:
    assert em.grad(em.grad(program.single))(2.0) == np.float32(12)
    h = em.hessian(program.linear)(X, np.zeros(1), 4)
    np.testing.assert_array_equal(h, np.zeros((4, 4)))


def test_value_and_grad_of_a_gradient_and_map(program: em.Program) -> None:
    value, slope = em.value_and_grad(em.grad(program.wave))(1.3)
    assert value == pytest.approx(em.grad(program.wave)(1.3))
    assert slope == em.grad(em.grad(program.wave))(1.3)
    points = np.linspace(0.5, 2, 7)
    np.testing.assert_allclose(
        em.grad(em.grad(program.wave)).map(points), [em.grad(em.grad(program.wave))(x) for x in points]
    )


def test_programs_below_share_their_globals(program: em.Program) -> None:
    before = em.grad(em.grad(program.touches))(1.0)
    assert em.grad(em.grad(program.touches))(1.0) == before, "derivatives put back what they write"
    program.touches(1.0)
    assert em.grad(em.grad(program.touches))(1.0) == before + 2


def test_second_derivatives_pickle(program: em.Program) -> None:
    h = pickle.loads(pickle.dumps(em.hessian(program.chain)))
    np.testing.assert_array_equal(h(X, 4), em.hessian(program.chain)(X, 4))


def test_checks_of_order_two(program: em.Program) -> None:
    assert em.check_grads(program.chain, (X, 4), order=2).points > em.check_grads(program.chain, (X, 4)).points
    em.check_grads(program.mixed, (X, 3.0, X + 1, 4), order=2)
    em.check_grads(program.wave, 1.3, order=2)
    check(program.chain, (X, 4))


def test_what_cannot_be(program: em.Program) -> None:
    with pytest.raises(em.DifferentiationError, match=r"em\.jacobian") as caught:
        em.grad(em.grad(program.chain))(X, 4)
    assert caught.value.code == "EM202"
    with pytest.raises(em.DifferentiationError) as caught:
        em.grad(em.value_and_grad(program.wave))
    assert caught.value.code == "EM211"
    with pytest.raises(em.DifferentiationError) as caught:
        em.hessian(program.fill)
    assert caught.value.code == "EM202"
    with pytest.raises(em.DifferentiationError) as caught:
        em.hessian(program.of_pair)
    assert caught.value.code == "EM211"
    with pytest.raises(em.ArgumentError) as caught_argument:
        em.hvp(program.chain, (X, 4), (X[:2], None))
    assert caught_argument.value.code == "EM325"

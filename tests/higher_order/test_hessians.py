"""`hessian`, `hvp`, derivatives of `f.grad`: against differences of gradients, mpmath and each other."""

from __future__ import annotations

import pickle

import mpmath
import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.api.derivatives.named import Gradients
from tests import sampling

SOURCE = r"""
#include <math.h>
#include <stdlib.h>
double looped(const double *x, int n, double a) {
    double s = a;
    for (int i = 0; i < n; i++) s = s*sin(x[i]) + x[i]*x[i]*a;
    return s;
}
double curve(double x) { double s = x; for (int i = 0; i < 3; i++) s = sin(s)*x; return s; }
double scratch(const double *x, double *work, int n) {
    for (int i = 0; i < n; i++) work[i] = x[i]*x[i];
    double s = 0;
    for (int i = 0; i < n; i++) s += work[i]*work[n - 1 - i];
    return s;
}
double numbers(double x, double y) { return x*x*y + sin(y)*x; }
float single(const float *x, int n) { float s = 1; for (int i = 0; i < n; i++) s *= x[i]; return s; }
double in_place(double *x, int n) {
    for (int i = 1; i < n; i++) x[i] *= x[i - 1];
    return x[n - 1]*x[0];
}
float rounded(double x, int n) { double s = x; for (int i = 0; i < n; i++) s *= x; return (float)s; }
double descend(double x, int n) { return n ? sin(x)*descend(x*x, n - 1) + x : x; }
typedef struct { double a, b; } pair;
double by_value(pair p) { return p.a*p.b; }
double on_heap(const double *x, int n) {
    double *t = malloc(n*sizeof *t), s = 0;
    for (int i = 0; i < n; i++) t[i] = x[i]*x[i];
    for (int i = 0; i < n; i++) s += t[i]*t[n - 1 - i];
    free(t);
    return s;
}
"""
X = np.array([0.3, 0.5, 0.7])


@pytest.fixture(scope="module", params=[0, 2])
def program(request: pytest.FixtureRequest) -> em.Program:
    return em.compile_c(SOURCE, opt=request.param, post_opt=sampling.after_level(request.param))


def of_differences(gradient: object, x: np.ndarray, *rest: object) -> np.ndarray:
    step = 1e-6
    columns = [
        (gradient(x + step * e, *rest) - gradient(x - step * e, *rest)) / (2 * step)  # type: ignore[operator]
        for e in np.eye(len(x))
    ]
    return np.array(columns).T


@pytest.mark.parametrize(
    ("name", "rest"), [("looped", (3, 1.5)), ("scratch", (np.zeros(3), 3)), ("in_place", (3,)), ("on_heap", (3,))]
)
def test_hessian_of_arrays(program: em.Program, name: str, rest: tuple[object, ...]) -> None:
    f = program[name]
    found = em.hessian(f, "x")(X, *rest)
    assert found.shape == (3, 3)
    np.testing.assert_allclose(found, found.T, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(found, of_differences(em.grad(f, "x"), X, *rest), rtol=1e-6, atol=1e-8)
    if name == "on_heap":
        return  # a reverse sweep over a reverse sweep with shadows of the heap is refused
    np.testing.assert_allclose(em.jacrev(em.grad(f, "x"), "x")(X, *rest), found, rtol=1e-12, atol=1e-14)


def test_hessian_of_several_parameters_is_nested(program: em.Program) -> None:
    found = program.looped.hessian(X, 3, 1.5)
    assert isinstance(found, Gradients)
    np.testing.assert_allclose(found.x.x, em.hessian(program.looped, "x")(X, 3, 1.5))
    np.testing.assert_array_equal(found.x.a, found.a.x)
    assert found.a.a == 0.0
    numbers = program.numbers.hessian(0.3, 0.4)
    assert numbers.x.y == numbers.y.x == pytest.approx(2 * 0.3 + np.cos(0.4))
    assert isinstance(numbers.x.x, float)


def test_hessian_vector_products(program: em.Program) -> None:
    f, v = program.looped, np.array([1.0, -2.0, 0.5])
    whole = f.hessian(X, 3, 1.5)
    product = em.hvp(f, (X, 3, 1.5), (v, None, 0.25))
    np.testing.assert_allclose(product.x, whole.x.x @ v + whole.x.a * 0.25, rtol=1e-12)
    assert product.a == pytest.approx(whole.a.x @ v + whole.a.a * 0.25)
    np.testing.assert_allclose(em.hvp(f, (X, 3, 1.5), (v, None, None), wrt="x"), whole.x.x @ v, rtol=1e-12)
    value, tangent = em.jvp(f.grad, (X, 3, 1.5), {"x": v})
    np.testing.assert_allclose(value.x, f.grad(X, 3, 1.5).x, rtol=1e-13)
    np.testing.assert_allclose(tangent.x, whole.x.x @ v, rtol=1e-12)
    assert em.hvp(program.curve, 0.7, 2.0) == pytest.approx(2 * program.curve.hessian(0.7))


def test_derivatives_of_one_number_up_to_the_fourth(program: em.Program) -> None:
    def curve(x: mpmath.mpf) -> mpmath.mpf:
        return mpmath.sin(mpmath.sin(mpmath.sin(x) * x) * x) * x

    derivative = program.curve.grad
    with mpmath.workdps(40):
        for order in (1, 2, 3, 4):
            want = float(mpmath.diff(curve, mpmath.mpf("0.7"), order))
            assert derivative(0.7) == pytest.approx(want, rel=1e-11)
            derivative = em.grad(derivative) if order < 4 else derivative
    assert em.grad(em.grad(program.descend))(0.4, 3) == pytest.approx(
        (program.descend.grad(0.4 + 1e-6, 3) - program.descend.grad(0.4 - 1e-6, 3)) / 2e-6, rel=1e-7
    )


def test_single_precision_keeps_its_type(program: em.Program) -> None:
    found = program.single.hessian(X.astype(np.float32), 3)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, [[0, 0.7, 0.5], [0.7, 0, 0.3], [0.5, 0.3, 0]], rtol=1e-6)


def test_a_result_of_another_type(program: em.Program) -> None:
    second = em.grad(em.grad(program.rounded))
    assert second(1.5, 2) == pytest.approx(6 * 1.5, rel=1e-12)


def test_arguments_stay_as_they_are(program: em.Program) -> None:
    x = X.copy()
    em.hessian(program.in_place)(x, 3)
    em.hvp(program.in_place, (x, 3), (np.ones(3), None))
    np.testing.assert_array_equal(x, X)


def test_hessians_pickle(program: em.Program) -> None:
    again = pickle.loads(pickle.dumps(em.hessian(program.looped, "x")))
    np.testing.assert_array_equal(again(X, 3, 1.5), em.hessian(program.looped, "x")(X, 3, 1.5))


def test_what_cannot_be_differentiated_again_says_so(program: em.Program) -> None:
    with pytest.raises(em.DifferentiationError, match="structs") as caught:
        program.by_value.hessian({"a": 1.0, "b": 2.0})
    assert caught.value.code == "EM211"
    for transform in (em.grad, em.value_and_grad):
        with pytest.raises(em.EnzymeError):
            transform(program.looped.grad)(X, 3, 1.5)

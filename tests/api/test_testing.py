"""check_grads finds wrong derivatives and passes right ones."""

from __future__ import annotations

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic import testing
from enzyme_magic.api.derivatives import gradient_function, setting
from enzyme_magic.backend.runtime.calls.derivative import Taken
from enzyme_magic.errors import ArgumentError, DifferentiationError
from enzyme_magic.testing import GradientMismatch

SOURCE = """
double cube(double x) { return x*x*x; }
double product(double x, double lambda) { return x*lambda; }
double first(const double *x, int n, double *out) { out[0] = x[0]*x[0]*n; return x[0]*x[0] + x[1]; }
void sines(const double *x, int n, double *out) { for (int i = 0; i < n; i++) out[i] = sin(x[i])*x[i]; }
void square(float *x, int n) { for (int i = 0; i < n; i++) x[i] = x[i]*x[i]; }
typedef struct { double x; float w[2]; int k; } P;
double weigh(P p, const P *q, int n) { double s = p.x*p.w[1]; for (int i = 0; i < n; i++) s += q[i].x*q[i].w[0]*p.x; return s; }
typedef double _Complex complex_t;
complex_t turned(complex_t z, double s) { return s*z + 1.0i*s; }
long double wide(long double x) { return x*x/3; }
int status(const double *x, double *y, int *pivot) { y[0] = x[0]*x[1]; pivot[0] = 1; return 0; }
double ramp(double x) { return x > 0 ? x : 0; }
int count(int n) { return n; }
"""


@pytest.fixture(scope="module")
def p():
    return em.compile_c(SOURCE)


def test_right_gradients_pass(p):
    assert em.check_grads(p.cube, 1.5).worst < 1e-9
    assert em.check_grads(p.cube, (-300.0,)).points == 1
    assert em.check_grads(p.product, (2.0, 3)).points == 2
    assert em.check_grads(p.product, (2.0,), named={"lambda": 3.0}, wrt="lambda").points == 1


def test_arrays_are_checked_at_coordinates_and_along_a_direction_and_left_alone(p):
    x, out = np.array([3.0, 4.0, 5.0]), np.zeros(1)
    assert em.check_grads(p.first, (x, 3, out)).points == 8
    assert x.tolist() == [3.0, 4.0, 5.0]
    assert out.tolist() == [0.0]


def test_functions_of_output_arrays(p):
    x = np.array([3.0, 4.0, 5.0])
    assert em.check_grads(p.sines, (x, 3, np.zeros(3))).points == 4
    assert em.check_grads(p.square, (x.astype(np.float32), 3)).worst < 1e-3
    assert em.check_grads(p.status, (x, np.zeros(1), np.zeros(1, np.int32))).points == 4


def test_structs_complex_numbers_and_long_doubles(p):
    q = np.zeros(2, p.weigh.dtypes["q"])
    q["x"], q["w"], q["k"] = [1.0, 2.0], [[3.0, 4.0], [5.0, 6.0]], 7
    found = em.check_grads(p.weigh, ((2.0, (1.0, 3.0), 4), q, 2))
    assert found.points == (3 + 1) + (6 + 1)
    assert found.worst < 1e-3
    assert em.check_grads(p.turned, (1 + 2j, 3.0)).points == 2 + 1 + 1
    assert em.check_grads(p.wide, np.longdouble(1) / 3).worst < 1e-9


def test_points_with_null_pass(p):
    assert em.check_grads(p.sines, (None, 0, None)).points == 0


def scaled(taken: Taken, factor: float) -> Taken:
    for shadow in taken.memory.values():
        np.multiply(shadow.array, factor, out=shadow.array)
    return taken


def wrong_mode(monkeypatch, mode: str, factor: float) -> None:
    """vjp's or jvp's derivatives of arrays come out too large."""
    right = setting.Setting.derivative

    def derivative(self, asked):
        call = right(self, asked)
        return (lambda values, given: scaled(call(values, given), factor)) if asked == mode else call

    monkeypatch.setattr(setting.Setting, "derivative", derivative)


def test_a_wrong_gradient_is_named(p, monkeypatch):
    right = gradient_function.GradientFunction.__call__
    monkeypatch.setattr(
        gradient_function.GradientFunction, "__call__", lambda self, *args: tuple(g * 1.001 for g in right(self, *args))
    )
    with pytest.raises(
        GradientMismatch, match=r"the gradient with respect to x\[0\] is 6\.00\d+, finite differences give (6\.0|5\.99)"
    ) as caught:
        em.check_grads(p.first, (np.array([3.0, 4.0]), 1, np.zeros(1)))
    assert isinstance(caught.value, AssertionError)
    assert isinstance(caught.value, DifferentiationError)
    assert caught.value.code == "EM250"


@pytest.mark.parametrize("factor", [1.0001, 0.0])
def test_a_wrong_pullback_is_named(p, monkeypatch, factor):
    wrong_mode(monkeypatch, "reverse", factor)
    with pytest.raises(GradientMismatch, match=r"the weighted gradient of out with respect to x\[0\] is"):
        em.check_grads(p.sines, (np.array([3.0, 4.0]), 2, np.zeros(2)))


@pytest.mark.parametrize("factor", [1.0000001, 0.0])
def test_wrong_tangents_are_found(p, monkeypatch, factor):
    wrong_mode(monkeypatch, "forward", factor)
    with pytest.raises(GradientMismatch, match="forward and reverse mode disagree") as caught:
        em.check_grads(p.sines, (np.array([3.0, 4.0]), 2, np.zeros(2)))
    assert caught.value.code == "EM251"


def test_members_of_structs_are_named(p, monkeypatch):
    right = gradient_function.GradientFunction.__call__

    def wrong(self, *args):
        gradients = right(self, *args)
        gradients[1]["w"][1, 0] += 0.5
        return gradients

    monkeypatch.setattr(gradient_function.GradientFunction, "__call__", wrong)
    q = np.ones(2, p.weigh.dtypes["q"])
    with pytest.raises(GradientMismatch, match=r"with respect to q\[1\]\.w\[0\] is"):
        em.check_grads(p.weigh, ((2.0, (1.0, 3.0), 4), q, 2))


def test_a_kink_is_called_one(p):
    with pytest.raises(GradientMismatch, match=r"with respect to x is 0\.0, finite differences give 0\.5") as caught:
        em.check_grads(p.ramp, 0.0)
    assert "is there a kink?" in caught.value.hint


def test_wrong_uses(p):
    with pytest.raises(ArgumentError, match="order=3"):
        em.check_grads(p.cube, 1.0, order=3)
    with pytest.raises(ArgumentError, match="takes a C function"):
        em.check_grads(lambda x: x, 1.0)
    with pytest.raises(ArgumentError, match="missing: x"):
        em.check_grads(p.cube, ())
    with pytest.raises(DifferentiationError, match="no parameter"):
        em.check_grads(p.count, 3)


def test_doubles_that_are_computed_in_floats_are_judged_as_floats():
    p = em.compile_c("""
double once(double x, double y) { float z = (float)x*(float)y; z = z*z/(z + 1.0f); return z*z; }
static float inner(float z) { return sinf(z); }
double below(double x, double y) { float z = inner((float)x*(float)y); return z*z*1000; }
double never(double x, double y) { return x*y; }
double beside(double x, double y) { float z = (float)y; return x*x*(z > 0.5f ? 2 : 3); }
""")
    for function in (p.once, p.below):
        for x, y in ((0.7, 1.3), (1.1, 0.4), (2.3, 0.9)):
            em.check_grads(function, (x, y))
    assert em.check_grads(p.never, (0.7, 1.3)).worst < 1e-9
    em.check_grads(p.beside, (0.7, 1.3))


def test_floats_beside_the_derivative_make_no_check_weaker(monkeypatch):
    p = em.compile_c("double beside(double x, double y) { float z = (float)y; return x*x*(z > 0.5f ? 2 : 3); }")
    wrong = testing._Check._compare
    monkeypatch.setattr(
        testing._Check,
        "_compare",
        lambda self, gradients, weights, what: wrong(self, [g * (1 + 1e-4) for g in gradients], weights, what),
    )
    with pytest.raises(GradientMismatch):
        em.check_grads(p.beside, (0.7, 1.3), wrt=["x"])


def test_slopes_that_are_nearly_zero_are_measured_against_the_result() -> None:
    """The start of a search decides nothing: 1e-12 beside 0 is no error of 100 per cent."""
    p = em.compile_c("""double root(double a, double x) {
      for (int i = 0; i < 40; i++) x -= (x*x - a)/(2*x);
      return x;
    }""")
    found = em.check_grads(p.root, (2.0, 1.3))
    assert found.worst < 1e-6

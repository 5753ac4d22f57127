"""Rules added from Python. They are wrong on purpose, so that a body that is differentiated after all cannot pass."""

from __future__ import annotations

import math
import pickle
from typing import Any

import pytest

import enzyme_magic as em

SOURCE = r"""
#include <math.h>
static double rsqrt(double x) { return 1/sqrt(x); }
static float weighed(float x, unsigned n, double y) { return x*n*y; }
static double noise(double x) { return x; }
double f(double x) { return x*rsqrt(x); }
float g(float x, unsigned n, double y) { return weighed(x, n, y) + x; }
double h(double x) { return x*noise(x); }
double twice_rsqrt(double x, double d) { return 2*d*x; }
"""
LEVELS = pytest.mark.parametrize("opt", [0, 1, 2, 3])


def expected(x: float, slope: float) -> float:
    return 1 / math.sqrt(x) + x * slope


@LEVELS
def test_a_gradient_in_python(opt: int) -> None:
    rule = em.custom_vjp("rsqrt", lambda x, d: 100 * d * x)
    f = em.compile_c(SOURCE, opt=opt, custom=rule).f
    assert f.grad(4.0) == pytest.approx(expected(4.0, 400.0), rel=1e-14)
    assert f(4.0) == 2.0
    assert em.jvp(f, (4.0,), (0.5,))[1] == pytest.approx(0.5 * expected(4.0, 400.0), rel=1e-14)


@LEVELS
def test_several_types(opt: int) -> None:
    seen: list[tuple[Any, ...]] = []

    def gradient(*arguments: Any) -> tuple[float, float]:
        seen.append(arguments)
        return 10.0, 20.0

    g = em.compile_c(SOURCE, opt=opt, custom=[em.custom_vjp("weighed", gradient)]).g
    assert tuple(g.grad(1.5, 4_000_000_000, 0.25)) == (11.0, 20.0)
    assert seen == [(1.5, 4_000_000_000, 0.25, 1.0)]


@LEVELS
def test_a_derivative_in_python(opt: int) -> None:
    f = em.compile_c(SOURCE, opt=opt, custom=[em.custom_jvp("rsqrt", lambda x, dx: 7 * x * dx)]).f
    assert em.jvp(f, (4.0,), (0.5,))[1] == pytest.approx(0.5 * expected(4.0, 28.0), rel=1e-14)
    assert f.grad(4.0) == pytest.approx(expected(4.0, 28.0), rel=1e-14)


@LEVELS
def test_rules_in_c(opt: int) -> None:
    of_the_program = em.compile_c(SOURCE, opt=opt, custom=[em.custom_vjp("rsqrt", "twice_rsqrt")]).f
    assert of_the_program.grad(4.0) == pytest.approx(expected(4.0, 8.0), rel=1e-14)
    text = "static double half(double x) { return x/2; }\ndouble rule(double x, double d) { return d*half(x); }"
    of_its_own = em.compile_c(SOURCE, opt=opt, custom=[em.custom_vjp("rsqrt", text)]).f
    assert of_its_own.grad(4.0) == pytest.approx(expected(4.0, 2.0), rel=1e-14)


@LEVELS
def test_inactive(opt: int) -> None:
    assert em.compile_c(SOURCE, opt=opt, custom=em.inactive("noise")).h.grad(3.0) == 3.0
    assert em.compile_c(SOURCE, opt=opt).h.grad(3.0) == 6.0


def test_what_a_handler_raises_is_raised() -> None:
    def fails(x: float, d: float) -> float:
        raise RuntimeError("no gradient today")

    f = em.compile_c(SOURCE, custom=[em.custom_vjp("rsqrt", fails)]).f
    with pytest.raises(RuntimeError, match="no gradient today"):
        f.grad(4.0)
    assert f(4.0) == 2.0  # nothing is left behind
    with pytest.raises(RuntimeError, match="no gradient today"):
        f.grad.map([1.0, 4.0])


def test_a_handler_that_gives_another_number_of_numbers() -> None:
    g = em.compile_c(SOURCE, custom=[em.custom_vjp("weighed", lambda *a: 1.0)]).g
    with pytest.raises(em.ArgumentError, match="gave 1 number, 2 are wanted"):
        g.grad(1.0, 2, 3.0)


def test_pickled_with_a_rule_in_c() -> None:
    f = em.compile_c(SOURCE, custom=[em.custom_vjp("rsqrt", "twice_rsqrt")]).f
    assert pickle.loads(pickle.dumps(f)).grad(4.0) == f.grad(4.0)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: em.custom_vjp("rsqrt", 3), "gradient cannot be 3"),  # type: ignore[arg-type]
        (lambda: em.custom_vjp("rsqrt", "no function here;"), "gradient cannot be"),
        (lambda: em.inactive("a b"), "function cannot be 'a b'"),
        (lambda: em.compile_c(SOURCE, custom="rsqrt"), "custom takes rules"),
    ],
)
def test_what_is_no_rule(make: Any, message: str) -> None:
    with pytest.raises(em.ArgumentError, match=message) as e:
        make()
    assert e.value.code == "EM333"


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (em.custom_vjp("rsqurt", lambda x, d: d), "no such function.*\n?.*did you mean rsqrt"),
        (em.custom_vjp("rsqrt", "nobody"), "no such function"),
        (em.custom_vjp("norm", lambda *a: 0.0), "takes numbers only"),
    ],
)
def test_rules_that_do_not_fit_the_program(rule: Any, message: str) -> None:
    source = SOURCE + "double norm(const double *x) { return x[0]; }"
    with pytest.raises(em.CompileError, match=message) as e:
        em.compile_c(source, custom=[rule])
    assert e.value.code == "EM126"

"""Rules added from Python. They are wrong on purpose, so that a body that is differentiated after all cannot pass."""

from __future__ import annotations

import math
import operator
import pickle
import subprocess
import sys
from typing import Any

import numpy as np
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


ELSEWHERE = """
import operator, pickle, sys
import enzyme_magic as em
source = "static double g(double x) { return x; } double f(double x) { return g(x); }"
assert em.compile_c(source, custom=em.custom_vjp("g", operator.add)).f.grad(2.0) == 3.0  # its own first Python function
function, rule = pickle.load(sys.stdin.buffer)
again = em.compile_c(source.replace("g", "rsqrt"), custom=rule).f
print(function.grad(4.0), function.grad.map([4.0])[0], again.grad(2.0))
"""


def test_pickled_with_a_rule_in_python_for_another_process() -> None:
    """The function itself goes along: its name in native code is another one there."""
    rule = em.custom_vjp("rsqrt", operator.mul)
    f = em.compile_c(SOURCE, custom=rule).f
    found = subprocess.run(
        [sys.executable, "-c", ELSEWHERE], input=pickle.dumps((f, rule)), capture_output=True, check=True, timeout=300
    )
    assert found.stdout.split() == [b"16.5", b"16.5", b"2.0"]
    unnamed = em.compile_c(SOURCE, custom=em.custom_vjp("rsqrt", lambda x, d: d)).f
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(unnamed)


IN_C = """
/* not this one: early(x) { } */
#define SQUARE(x) { (x)*(x) }
static double power(double (*f)(double), double x) { for (int i = 0; i < 2; i++) { while (x > 100) { x /= 2; } } return f(x); }
static double same(double x) { return x; }
static const double table[2] = {1, 2};
__attribute__((noinline)) double rule(double x, double d) {
    double s = 0;
    for (int i = 0; i < 2; i++) { if (table[i] > 0) { s += power(same, x); } }
    return s*d;
}
"""


@LEVELS
def test_a_rule_in_c_of_several_functions_with_loops(opt: int) -> None:
    """The last function that the text defines is the rule, whatever looks like one inside of it."""
    program = em.compile_c(SOURCE, opt=opt, custom=em.custom_vjp("rsqrt", IN_C))
    assert program.f.grad(4.0) == pytest.approx(expected(4.0, 8.0), rel=1e-14)


MODES = r"""
static double tiny(double x) { return x*x; }
double f(double x) { return x*tiny(x); }
double of_array(int n, const double x[n]) { double s = 0; for (int i = 0; i < n; i++) s += tiny(x[i])*x[i]; return s; }
void each(int n, const double x[n], double out[n]) { for (int i = 0; i < n; i++) out[i] = tiny(x[i]); }
"""
RULES = {
    "vjp in Python": em.custom_vjp("tiny", lambda x, d: 100 * x * d),
    "vjp in C": em.custom_vjp("tiny", "double rule(double x, double d) { return 100*x*d; }"),
    "jvp in Python": em.custom_jvp("tiny", lambda x, dx: 100 * x * dx),
    "jvp in C": em.custom_jvp("tiny", "double rule(double x, double dx) { return 100*x*dx; }"),
}


@LEVELS
@pytest.mark.parametrize("name", RULES)
def test_a_rule_in_all_modes(name: str, opt: int) -> None:
    """One rule of numbers serves both modes and all widths; the true derivative is used in none."""
    program = em.compile_c(MODES, opt=opt, custom=RULES[name])
    x = np.array([1.0, 2.0, 3.0])
    assert em.grad(program.f)(2.0) == 404.0
    assert em.jvp(program.f, (2.0,), (1.0,)) == (8.0, 404.0)
    np.testing.assert_array_equal(program.of_array.grad(x=x), 101 * x**2)
    np.testing.assert_array_equal(em.grad(program.f).map(x), 101 * x**2)
    assert em.jvp(program.of_array, {"x": x}, {"x": np.ones(3)})[1] == 101 * 14
    for transform in (em.jacfwd, em.jacrev):
        np.testing.assert_array_equal(transform(program.each)(x=x, out=np.zeros(3)), np.diag(100 * x))


@pytest.mark.parametrize("name", RULES)
def test_second_derivatives_follow_a_rule_in_c_and_stop_at_one_in_python(name: str) -> None:
    f = em.compile_c(MODES, custom=RULES[name]).f
    if name.endswith("C"):
        assert em.hessian(f)(2.0) == em.grad(em.grad(f))(2.0) == 100 * 2 + 200 * 2
        return
    with pytest.raises(em.DifferentiationError, match="the rule is a Python function") as e:
        em.hessian(f)(2.0)
    assert e.value.code == "EM211"


ON_MEMORY = """
void rule(int n, const double *x, double *dx, double *out, double *d) {
    for (int i = 0; i < n; i++) { dx[i] += 7*d[i]; d[i] = 0; }
}
"""


def test_a_rule_on_memory_serves_its_own_mode() -> None:
    each = em.compile_c(MODES, custom=em.custom_vjp("each", ON_MEMORY)).each
    x = np.ones(3)
    np.testing.assert_array_equal(em.jacrev(each)(x=x, out=np.zeros(3)), 7 * np.eye(3))
    with pytest.raises(em.DifferentiationError, match="none for forward mode") as e:
        em.jacfwd(each)(x=x, out=np.zeros(3))
    assert e.value.code == "EM273"


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


def test_a_rule_for_one_of_two_static_functions() -> None:
    sources = ["static double h(double x) { return x; } double a(double x) { return h(x); }"]
    sources += ["double a(double); static double h(double x) { return x*x; } double f(double x) { return a(x)*h(x); }"]
    for rule in (em.custom_vjp("h", lambda x, d: 9 * d), em.custom_jvp("h", lambda x, d: 9 * d), em.inactive("h")):
        with pytest.raises(em.CompileError, match="several sources have a static function of that name") as e:
            em.compile_c(sources, custom=rule)
        assert e.value.code == "EM126"

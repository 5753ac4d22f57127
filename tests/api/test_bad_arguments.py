"""Every public function with values that do not fit, in the place of each argument: errors of this package, with a repair."""

from __future__ import annotations

import inspect
from dataclasses import fields

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.config import Options
from tests.api.bad_values import foreign

SOURCE = """
typedef struct { double a, b[2]; int k; } S;
double sq(const double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i]*x[i]; return s; }
double two(double a, double b) { return a*a*b; }
double st(S s, double b) { return s.a*s.b[1]*b; }
void sc(const double *x, double *y, int n) { for (int i = 0; i < n; i++) y[i] = x[i]*x[i]; }
float fl(float x, unsigned char c, long k) { return x*c*k; }
"""
X = np.arange(1.0, 4.0)
S = {"a": 1.0, "b": [1.0, 2.0], "k": 1}
ONE = "double f(double x) { return x; }"


@pytest.fixture(scope="module")
def p():
    return em.compile_c(SOURCE)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # some of the values are names of files


OPTIONS = sorted({field.name for field in fields(Options)} - {"language"})
CALLS = {
    **{
        f"compile_c {name}": lambda p, name=name: (lambda **o: em.compile_c(ONE, **o), (), {name: ()})
        for name in OPTIONS
    },
    "compile": lambda p: (
        lambda **o: em.compile(ONE, **o),
        (),
        {"language": "c", "name": "n", "force": False, "uses": ()},
    ),
    "compile_ir": lambda p: (em.compile_ir, ("define double @f(double %x) { ret double %x }",), {"name": "n"}),
    "custom_jvp": lambda p: (em.custom_jvp, ("two", lambda *a: 1.0), {}),
    "custom_vjp": lambda p: (em.custom_vjp, ("two", lambda *a: 1.0), {"augmented": None}),
    "inactive": lambda p: (em.inactive, ("two",), {}),
    **{
        f"{name} called": lambda p, name=name: (
            lambda f, **o: getattr(em, name)(f, **o)(X, 3),
            (p.sq,),
            {"wrt": None, "out": None, "unchecked": False},
        )
        for name in ("grad", "value_and_grad", "jacobian", "jacfwd", "jacrev", "hessian")
    },
    "grad caching": lambda p: (lambda **o: em.grad(p.sq, **o)(X, 3), (), {"caching": None, "donate": False}),
    "jacobian outputs": lambda p: (lambda **o: em.jacobian(p.sc, **o)(X, X.copy(), 3), (), {"outputs": None}),
    "hvp": lambda p: (em.hvp, (p.sq, (X, 3), (X, None)), {"wrt": None}),
    "jvp": lambda p: (em.jvp, (p.sq, (X, 3), (X, None)), {"wrt": None, "outputs": None, "donate": False}),
    "jvp of a struct": lambda p: (em.jvp, (p.st, (S, 2.0), (None, 1.0)), {}),
    "vjp": lambda p: (em.vjp, (p.sq, X, 3), {"wrt": None, "outputs": None, "unchecked": False}),
    "pullback": lambda p: (em.vjp(p.sc, X, X.copy(), 3)[1], (X,), {}),
    "vmap": lambda p: (em.vmap, (p.two,), {"in_axes": 0, "out_axes": 0}),
    "vmap called": lambda p: (em.vmap(p.sq, (0, None)), (np.ones((2, 3)), 3), {}),
    "vmap of a gradient": lambda p: (em.vmap(p.two.grad), (X, X), {}),
    "vmap of a Jacobian": lambda p: (em.vmap(em.jacobian(p.two)), (X, X), {}),
    "vmap of Python": lambda p: (em.vmap(lambda a, b: p.two(a, b)), (X, X), {}),
    "vjp of a vmap": lambda p: (em.vjp, (em.vmap(p.two), X, X), {}),
    "pullback of a vmap": lambda p: (em.vjp(em.vmap(p.two), X, X)[1], (X,), {}),
    "jvp of a vmap": lambda p: (em.jvp, (em.vmap(p.two), (X, X), (X, X)), {}),
    "why_zero": lambda p: (em.why_zero, (p.fl, (1.0, 1, 1)), {"wrt": "c"}),
    "check_grads": lambda p: (
        em.check_grads,
        (p.two, (1.0, 2.0)),
        {"order": 1, "wrt": None, "rtol": None, "atol": None, "named": None},
    ),
    "shared_empty": lambda p: (em.shared_empty, (3,), {"dtype": "float64"}),
    "time_limit": lambda p: (lambda seconds: em.time_limit(seconds).__enter__(), (), {}),
    "workshop.check": lambda p: (em.workshop.check, ("zzz", "1"), {}),
    "workshop.export": lambda p: (em.workshop.export, ("answers.json", "me"), {}),
    "workshop.gather": lambda p: (em.workshop.gather, (".",), {}),
    "workshop.need": lambda p: (em.workshop.need, ("numpy", "zzz"), {}),
    "numbers": lambda p: (p.two, (1.0, 2.0), {}),
    "small numbers": lambda p: (p.fl, (1.0, 1, 1), {}),
    "struct": lambda p: (p.st, (S, 1.0), {}),
    "arrays": lambda p: (p.sc, (X, X.copy(), 3), {}),
    "map": lambda p: (p.two.map, (X, X), {}),
    "grad.map": lambda p: (p.two.grad.map, (X, X), {}),
    "select": lambda p: (p.select, (("two",),), {}),
    "with_shape": lambda p: (p.with_shape, ({"x": "n"},), {}),
    "selection": lambda p: (p.sq.report.selection, ("x",), {}),
}


@pytest.mark.parametrize("name", CALLS)
def test_no_bad_argument_ends_in_an_error_of_python(p, name):
    call, args, named = CALLS[name](p)
    assert not [*foreign(call, args, named)]


METHODS = [
    "activity",
    "cache",
    "cost",
    "export",
    "gradient_c",
    "inspect",
    "ir",
    "memory",
    "passes",
    "plan",
    "show",
    "tape",
    "why",
]


@pytest.mark.parametrize("name", METHODS)
def test_no_question_about_a_function_ends_in_one(p, name):
    method, args, named = getattr(p.sq, name), [], {}
    for key, parameter in inspect.signature(method).parameters.items():
        if parameter.kind == parameter.VAR_POSITIONAL:
            args += [X, 3]
        elif parameter.default is not parameter.empty:
            named[key] = parameter.default
        elif parameter.kind != parameter.VAR_KEYWORD:
            args.append("x.html" if key == "path" else (X, 3))
    assert not [*foreign(method, args, named)]


def test_a_list_that_can_be_read_once_is_read_once(p):
    text = "double f(const double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }"
    assert em.compile_c(text, shape=iter([("x", "n")])).f(np.ones(3)) == 3.0
    assert list(p.select(iter(["two"]))) == ["two"]


def test_what_serves_the_package_is_not_shown(p):
    assert "select" in dir(p)
    assert not {"explain", "extended", "gradient_as_function", "compiled"} & set(dir(p))


@pytest.mark.parametrize("rtol", [float("nan"), -1, True])
def test_a_tolerance_is_a_number_from_0_on(p, rtol):
    with pytest.raises(em.ArgumentError, match="rtol is a number from 0 on"):
        em.check_grads(p.two, (1.0, 2.0), rtol=rtol)

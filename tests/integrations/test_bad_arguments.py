"""Operations of frameworks, and what SciPy is given, with values that do not fit: errors of this package, with a repair."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

import enzyme_magic as em
from tests.api.bad_values import foreign
from tests.integrations.frameworks import framework

SOURCE = """
double sq(const double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i]*x[i]; return s; }
double two(double a, double b) { return a*a*b; }
double at(int n, const double x[n], const int which[n]) { double s = 0; for (int i = 0; i < n; i++) s += x[i]*which[i]; return s; }
void sc(const double *x, double *y, int n) { for (int i = 0; i < n; i++) y[i] = x[i]*x[i]; }
void motion(double t, const double y[2], double dy[2]) { dy[0] = y[1]*t; dy[1] = -y[0]; }
double user(double x, void *data) { return x**(double *)data; }
"""
X = np.arange(1.0, 4.0)


@pytest.fixture(scope="module")
def p():
    return em.compile_c(SOURCE, shape={"x": "n"})


def objective(p, x=None, wrt="x", p_=None, **options):
    from enzyme_magic.integrations.scipy import objective

    made = objective(p.sq, wrt, **options)
    return made(X if x is None else x), made.hessp(X, X if p_ is None else p_), made.hess(X if x is None else x)


def residuals(p, x=None, **options):
    from enzyme_magic.integrations.scipy import residuals

    made = residuals(p.sc, "x", **options)
    return made(X if x is None else x), made.jac(X if x is None else x)


def moving(p, t, y):
    from enzyme_magic.integrations.scipy import residuals

    made = residuals(p.motion, "y", time="t")
    return made(t, y), made.jac(t, y)


def lowered(p, f, **options):
    pytest.importorskip("scipy")
    from enzyme_magic.integrations.scipy import low_level

    return low_level(f, **options)


CALLS = {
    "objective": lambda p: (lambda **o: objective(p, **o), (), {"x": X, "wrt": "x", "p_": X, "shape": None}),
    "objective, fixed": lambda p: (lambda n: objective(p, n=n), (), {"n": 3}),
    "residuals": lambda p: (lambda **o: residuals(p, **o), (), {"x": X, "out_shape": 3, "shape": None, "output": None}),
    "residuals of times": lambda p: (lambda t, y: moving(p, t, y), (0.5, np.ones(2)), {}),
    "low_level": lambda p: (lambda f, **o: lowered(p, f, **o), (p.two,), {"user_data": None, "entry": None}),
    "low_level of a gradient": lambda p: (lambda **o: lowered(p, em.grad(p.sq, "x"), **o), (), {"entry": 0}),
}


@pytest.mark.parametrize("name", CALLS)
def test_no_bad_argument_of_scipy_ends_in_an_error_of_python(p, name):
    call, args, named = CALLS[name](p)
    assert not [*foreign(call, args, named)]


@pytest.mark.parametrize(("package", "module"), [("torch", "torch"), ("tensorflow", "tensorflow")])
def test_no_bad_argument_of_an_operation_does(p, package, module, tmp_path):
    library = framework(package)
    adapter = __import__(f"enzyme_magic.integrations.{module}", fromlist=["op"])
    tensor = library.tensor if package == "torch" else library.constant
    path = tmp_path / "f.c"
    path.write_text("void twice(const double *x, int n, double *y) { for (int i = 0; i < n; i++) y[i] = 2*x[i]; }")
    options = {"shape": None, "out_shape": 3, "outputs": None, "named": True}
    assert not [*foreign(lambda f, **o: adapter.op(f, **o)(tensor(X), n=3), (p.sc,), options)]
    assert not [*foreign(adapter.op(p.sq), (tensor(X),), {"n": 3})]
    assert not [*foreign(adapter.op(p.two), (tensor(1.0), tensor(2.0)), {})]
    if package == "torch":
        assert not [*foreign(lambda **o: adapter.enzyme(function="twice", **o), (), {"filename": path, "out_shape": 3})]
        assert not [*foreign(adapter.Module, (p.sq,), {"parameters": None, "buffers": None, "n": 3})]
    else:
        call = {"inp": tensor(X), "filename": path, "function": "twice", "out_shape": 3}
        assert not [*foreign(adapter.enzyme, (), call)]


def test_no_bad_argument_of_jax_does(p):
    jax = framework("jax")
    from enzyme_magic.integrations.jax import op, provide

    with jax.enable_x64(True):
        x, made = jax.numpy.asarray(X), op(p.sq)
        assert not [*foreign(made, (x,), {"n": 3})]
        assert not [*foreign(op(p.two), (x[0], x[1]), {})]
        assert not [*foreign(op, (p.sc,), {"shape": None, "out_shape": 3, "outputs": None, "named": True})]
        saved = jax.export.export(jax.jit(lambda a: made(a, n=3)))(jax.ShapeDtypeStruct((3,), "float64"))
        assert not [*foreign(provide, (saved, made), {})]


@pytest.mark.parametrize(
    ("which", "code"),
    [([1.5, 2, 3], "EM602"), ([2**32 + 1, 2, 3], "EM302"), (np.array([1j, 0, 0]), "EM602"), (["1", "2", "3"], "EM602")],
)
def test_scipy_converts_nothing_in_silence(p, which, code):
    """Fractions and wide integers for int, and imaginary parts, were cut off; texts and dates were read as numbers."""
    from enzyme_magic.integrations.scipy import objective

    assert objective(p.at, "x", which=[1, 2, 3])(X)[0] == 14.0
    with pytest.raises(em.ArgumentError) as caught:
        objective(p.at, "x", which=which)
    assert caught.value.code == code
    made = objective(p.at, "x", which=np.ones(3, np.int64))
    for x in (X + 1j, ["1", "2", "3"], np.array(["2020-01-01"] * 3, "M8[D]"), [None, 1, 2]):
        with pytest.raises(em.ArgumentError) as caught:
            made(x)
        assert caught.value.code == "EM602"


def test_user_data_is_a_pointer(p):
    quad = pytest.importorskip("scipy.integrate").quad
    factor = np.array([3.0])
    pointer = ctypes.cast(factor.ctypes.data, ctypes.c_void_p)
    assert quad(lowered(p, p.user, user_data=pointer), 0, 1)[0] == pytest.approx(1.5)
    with pytest.raises(em.ArgumentError, match="user_data of user is a pointer") as caught:
        lowered(p, p.user, user_data=3)
    assert "ctypes.cast" in caught.value.hint


def test_outputs_are_written(p):
    torch = framework("torch")
    from enzyme_magic.integrations.torch import op

    with pytest.raises(em.ArgumentError, match="sc does not write x"):
        op(p.sc, outputs="x")
    assert torch.equal(op(p.sc, out_shape=3.0)(torch.tensor(X), n=3), torch.tensor(X * X))
    with pytest.raises(em.ArgumentError, match=r"out_shape of y is 2\.5"):
        op(p.sc, out_shape=2.5)(torch.tensor(X), n=3)

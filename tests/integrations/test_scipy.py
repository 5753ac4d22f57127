"""SciPy, Numba, joblib and dask with C functions."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.integrations.scipy import c_callable, low_level, objective, residuals
from tests.integrations.frameworks import framework

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]
DOUBLES = ctypes.POINTER(ctypes.c_double)
SOURCE = """
#include <math.h>
double rosenbrock(const double *x, int n) {
    double s = 0;
    for (int i = 0; i + 1 < n; i++) s += 100*(x[i+1] - x[i]*x[i])*(x[i+1] - x[i]*x[i]) + (1 - x[i])*(1 - x[i]);
    return s;
}
void system(const double *x, double *out) { out[0] = x[0]*x[0] + x[1] - 3; out[1] = x[0] - x[1]*x[1] + 1; }
double bell(double x) { return exp(-x*x); }
double example_loss(const double *w, const double *x, int n, double y) {
    double s = 0;
    for (int i = 0; i < n; i++) s += w[i]*x[i];
    return (tanh(s) - y)*(tanh(s) - y);
}
double product(int n, const double *x) {
    double s = 1;
    for (int i = 0; i < n; i++) s *= exp(-(i + 1)*x[i]*x[i]);
    return s;
}
double repeated(double x, int n) { for (int i = 0; i < n; i++) x = sin(x)*x + 1; return x; }
float fit(const float *w, const float *x, int n, float y) {
    float s = 0;
    for (int i = 0; i < n; i++) s += w[i]*x[i];
    return (s - y)*(s - y);
}
void driven(double t, const double *y, double mu, double *dy) {
    dy[0] = y[1];
    dy[1] = mu*(1 - y[0]*y[0])*y[1] - y[0] + sin(t);
}
double scaled(double *x, int n, double a) { double s = 0; for (int i = 0; i < n; i++) s += x[i] *= a; return s; }
struct pair { double a, b; };
double by_value(struct pair p) { return p.a; }
"""


@pytest.fixture(scope="module")
def program() -> em.Program:
    return em.compile_c(SOURCE)


def test_minimize(program: em.Program) -> None:
    optimize = framework("scipy.optimize")
    f = objective(program.rosenbrock, n=4)
    start = np.array([0.5, 0.7, 0.9, 1.1])
    assert optimize.check_grad(f.fun, f.jac, start) < 1e-4
    for method, more in (("BFGS", {}), ("Newton-CG", {"hessp": f.hessp}), ("trust-exact", {"hess": f.hess})):
        found = optimize.minimize(f, start, jac=True, method=method, **more)
        np.testing.assert_allclose(found.x, 1, rtol=1e-4)
    np.testing.assert_allclose(f.hess(start), optimize.rosen_hess(start), rtol=1e-12)


def test_root(program: em.Program) -> None:
    optimize = framework("scipy.optimize")
    f = residuals(program.system, "x", out_shape=2)
    found = optimize.root(f, [1.0, 1.0], jac=f.jac)
    assert found.success
    np.testing.assert_allclose(f(found.x), 0, atol=1e-10)


def test_low_level_callable(program: em.Program) -> None:
    integrate = framework("scipy.integrate")
    value, _ = integrate.quad(low_level(program.bell), -np.inf, np.inf)
    assert value == pytest.approx(np.sqrt(np.pi), rel=1e-9)
    with pytest.raises(em.ArgumentError, match="low-level"):
        low_level(program.by_value)


def test_gradients_are_low_level_callables(program: em.Program) -> None:
    integrate = framework("scipy.integrate")
    slope, _ = integrate.quad(low_level(em.grad(program.bell)), 0, 1)
    assert slope == pytest.approx(np.exp(-1) - 1, rel=1e-12)
    partial, _ = integrate.quad(low_level(em.grad(program.product, "x"), entry=1), -1, 1, args=(0.3,))
    wanted, _ = integrate.quad(lambda x: -4 * 0.3 * np.exp(-x * x - 2 * 0.3**2), -1, 1)
    assert partial == pytest.approx(wanted, rel=1e-12)
    assert np.isnan(c_callable(em.grad(program.product, "x"), entry=7)(1, np.ones(1).ctypes.data_as(DOUBLES)))
    first, second = em.grad(program.repeated, "x"), em.grad(em.grad(program.repeated, "x"), "x")
    assert c_callable(first)(0.3, 5) == pytest.approx(first(0.3, 5), rel=1e-14)
    assert c_callable(second)(0.3, 5) == pytest.approx(second(0.3, 5), rel=1e-13)


def test_numba_calls_gradients(program: em.Program) -> None:
    numba = framework("numba")
    gradient, slope = c_callable(em.value_and_grad(program.fit)), c_callable(em.grad(program.fit, "y"))

    @numba.njit
    def taken(w: Any, x: Any, y: Any) -> Any:
        dw, dx, dy = np.zeros_like(w), np.zeros_like(x), np.zeros(1, np.float32)
        value = gradient(w.ctypes, x.ctypes, len(w), y, dw.ctypes, dx.ctypes, dy.ctypes)
        return value, dw, dx, dy[0], slope(w.ctypes, x.ctypes, len(w), y)

    w, x, y = np.array([1, 2, 3], "f4"), np.array([0, 1, -2], "f4"), np.float32(0.5)
    distance = w @ x - y
    value, dw, dx, dy, again = taken(w, x, y)
    assert value == distance**2
    np.testing.assert_array_equal(dw, 2 * distance * x)
    np.testing.assert_array_equal(dx, 2 * distance * w)
    assert dy == again == -2 * distance


def test_residuals_of_time(program: em.Program) -> None:
    integrate = framework("scipy.integrate")
    ours = residuals(program.driven, "y", time="t", out_shape=2, mu=5.0)

    def native(t: float, y: Any) -> list[Any]:
        return [y[1], 5 * (1 - y[0] ** 2) * y[1] - y[0] + np.sin(t)]

    found, wanted = (
        integrate.solve_ivp(f, (0, 5), [2.0, 0.0], method="Radau", rtol=1e-8, atol=1e-8, **more)
        for f, more in ((ours, {"jac": ours.jac}), (native, {}))
    )
    np.testing.assert_allclose(found.y[:, -1], wanted.y[:, -1], atol=1e-6)
    np.testing.assert_allclose(ours.jac(0.3, [1.0, 2.0]), [[0, 1], [-21, 0]], atol=1e-14)
    with pytest.raises(em.ArgumentError, match="time='y'"):
        residuals(program.driven, "y", time="y", out_shape=2, mu=5.0)


def test_gradients_that_c_cannot_say(program: em.Program) -> None:
    for made, says in (
        (lambda: c_callable(em.grad(program.scaled, "a")), "writes to x"),
        (lambda: c_callable(program.bell, entry=0), "is none"),
        (lambda: c_callable(em.grad(program.bell), entry=0), "one array"),
        (lambda: c_callable(em.grad(program.product, "x"), entry=-1), "one array"),
        (lambda: c_callable(em.grad(program.fit, "w", caching="store-all")), "caching="),
    ):
        with pytest.raises(em.ArgumentError, match=says):
            made()


def test_numba_calls_the_address(program: em.Program) -> None:
    numba = framework("numba")
    bell = c_callable(program.bell)

    @numba.njit
    def total(xs: Any) -> float:
        s = 0.0
        for x in xs:
            s += bell(x)
        return s

    xs = np.linspace(-1, 1, 11)
    assert total(xs) == pytest.approx(program.bell.map(xs).sum())


def make_chunk_gradient() -> Any:
    """The sum of the gradients of some examples; a function of a function travels to processes that do not know this module."""

    def chunk_gradient(gradient: Any, w: Any, xs: Any, ys: Any) -> Any:
        return sum(gradient(w, x, len(w), y) for x, y in zip(xs, ys, strict=True))

    return chunk_gradient


def examples() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    return random.normal(size=5), random.normal(size=(40, 5)), random.normal(size=40)


def test_dask_processes_sum_to_one_process(program: em.Program) -> None:
    distributed = framework("distributed")
    gradient = em.grad(program.example_loss, "w")
    w, xs, ys = examples()
    chunk_gradient = make_chunk_gradient()
    whole = chunk_gradient(gradient, w, xs, ys)
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        parts = [client.submit(chunk_gradient, gradient, w, xs[k::4], ys[k::4], pure=False) for k in range(4)]
        total = np.sum(client.gather(parts, errors="raise"), axis=0)
    np.testing.assert_allclose(total, whole, rtol=1e-12)


def test_joblib_processes(program: em.Program) -> None:
    joblib = framework("joblib")
    gradient = em.grad(program.example_loss, "w")
    w, xs, ys = examples()
    chunk_gradient = make_chunk_gradient()
    parts = joblib.Parallel(n_jobs=2)(joblib.delayed(chunk_gradient)(gradient, w, xs[k::2], ys[k::2]) for k in range(2))
    np.testing.assert_allclose(np.sum(parts, axis=0), chunk_gradient(gradient, w, xs, ys), rtol=1e-12)


def test_what_is_no_callable_in_c(program: em.Program) -> None:
    for made in (em.hessian(program.bell), em.jacobian(program.bell), program.bell.jvp, program.bell.map, 3):
        with pytest.raises(em.ArgumentError, match="made of a C function or of a gradient") as caught:
            c_callable(made)
        assert caught.value.code == "EM603"
    with pytest.raises(em.ArgumentError, match=r"entry=1.5 is the number of an element"):
        c_callable(em.grad(program.example_loss, "w"), entry=1.5)


def test_what_scipy_cannot_pass(program: em.Program) -> None:
    with pytest.raises(em.ArgumentError, match="one array") as caught:
        objective(program.example_loss, n=5)
    assert caught.value.code == "EM603"
    with pytest.raises(em.ArgumentError, match="one number"):
        objective(program.bell)
    with pytest.raises(em.DifferentiationError, match="returns void"):
        objective(program.system)


def test_what_scipy_passes_by_args(program: em.Program) -> None:
    """`args=` of minimize, least_squares and solve_ivp: an answer, no TypeError of ours."""
    made = em.compile_c("""
    double f(int n, const double x[n], double a) { double s = 0; for (int i = 0; i < n; i++) s += a*x[i]*x[i]; return s; }
    void g(double t, int n, const double x[n], double y[n]) { for (int i = 0; i < n; i++) y[i] = t*x[i]; }
    """)
    with pytest.raises(em.ArgumentError, match="f: SciPy passes 1 more than the vector"):
        objective(made.f, "x", a=2.0)(np.ones(2), 3.0)
    with pytest.raises(em.ArgumentError, match="g: SciPy passes 2 more than the vector"):
        residuals(made.g, "x", t=2.0)(np.ones(2), 3.0, 4.0)
    with pytest.raises(em.ArgumentError, match="g: SciPy passes 1 more than the vector"):
        residuals(made.g, "x", time="t")(0.0, np.ones(2), 3.0)


def test_masked_arrays_are_refused(program: em.Program) -> None:
    """Masked elements would be computed with: of the vector, and of what is given once."""
    dot = em.compile_c("""
    double dot(int n, const double x[n], const double y[n]) { double s = 0; for (int i = 0; i < n; i++) s += x[i]*y[i]; return s; }
    """).dot
    masked = np.ma.array([1.0, 2.0], mask=[False, True])
    with pytest.raises(em.ArgumentError, match="dot: y: elements of this array are masked"):
        objective(dot, "x", y=masked)
    with pytest.raises(em.ArgumentError, match="dot: x: elements of this array are masked"):
        objective(dot, "x", y=np.ones(2))(masked)

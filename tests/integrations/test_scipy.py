"""SciPy, Numba, joblib and dask with C functions."""

from __future__ import annotations

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


def test_what_scipy_cannot_pass(program: em.Program) -> None:
    with pytest.raises(em.ArgumentError, match="one array") as caught:
        objective(program.example_loss, n=5)
    assert caught.value.code == "EM603"
    with pytest.raises(em.ArgumentError, match="one number"):
        objective(program.bell)
    with pytest.raises(em.DifferentiationError, match="returns void"):
        objective(program.system)

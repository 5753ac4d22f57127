"""`em.vmap` gives what `jax.vmap` gives of the same function written in JAX."""

from __future__ import annotations

import importlib
import pickle

import numpy as np
import pytest

import enzyme_magic as em
from tests.integrations.frameworks import framework

jax, torch = framework("jax"), framework("torch")
jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp  # noqa: E402

SOURCE = """
double q(const double *w, const double *x, int n, double b) {
    double s = b*b;
    for (int i = 0; i < n; i++) s += sin(w[i]*x[i])*b;
    return s;
}
void layer(int m, int n, const double W[m][n], const double x[n], double y[m]) {
    for (int i = 0; i < m; i++) {
        y[i] = 0;
        for (int k = 0; k < n; k++) y[i] += W[i][k]*x[k];
        y[i] = tanh(y[i]);
    }
}
"""
W, X = np.random.default_rng(0).normal(size=(2, 5, 4))
B = np.linspace(0.3, 0.9, 5)


def q(w, x, b):
    return b * b + jnp.sum(jnp.sin(w * x) * b)


def layer(w, x):
    return jnp.tanh(w @ x)


@pytest.fixture(scope="module")
def p():
    return em.compile_c(SOURCE, shape={"w": "n"})


def close(ours, theirs):
    for mine, wanted in zip(jax.tree.leaves(ours), jax.tree.leaves(theirs), strict=True):
        assert np.shape(mine) == np.shape(wanted)
        np.testing.assert_allclose(mine, wanted, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize(
    ("in_axes", "arguments"), [((0, 0, None), (W, X, 0.7)), ((0, 1, 0), (W, X.T, B)), ((None, -2, -1), (W[0], X, B))]
)
def test_values_gradients_and_hessians(p, in_axes, arguments):
    close(em.vmap(p.q, in_axes)(*arguments), jax.vmap(q, in_axes)(*arguments))
    close(em.vmap(em.grad(p.q), in_axes, -1)(*arguments), jax.vmap(jax.grad(q, (0, 1, 2)), in_axes, -1)(*arguments))
    close(em.vmap(em.hessian(p.q), in_axes)(*arguments), jax.vmap(jax.hessian(q, (0, 1, 2)), in_axes)(*arguments))
    both = em.vmap(em.value_and_grad(p.q, "x"), in_axes, (0, 1))(*arguments)
    close(both, jax.vmap(jax.value_and_grad(q, 1), in_axes, (0, 1))(*arguments))


def test_nests_and_derivatives_of_them(p):
    def nest(vmap, f):
        return vmap(vmap(f, (None, 1, None), -1), (0, None, 0), 1)

    arguments = (W, X.T, B)
    close(nest(em.vmap, p.q)(*arguments), nest(jax.vmap, q)(*arguments))
    close(nest(em.vmap, p.q.grad)(*arguments), nest(jax.vmap, jax.grad(q, (0, 1, 2)))(*arguments))
    value, pullback = em.vjp(nest(em.vmap, p.q), *arguments)
    wanted, theirs = jax.vjp(nest(jax.vmap, q), *arguments)
    weights = np.random.default_rng(1).normal(size=wanted.shape)
    close((value, *pullback(weights)), (wanted, *theirs(jnp.asarray(weights))))
    tangents = (W[::-1], 2 * X.T, B**2)
    close(em.jvp(nest(em.vmap, p.q), arguments, tangents), jax.jvp(nest(jax.vmap, q), arguments, tangents))


def test_outputs_in_arrays(p):
    ws = np.random.default_rng(2).normal(size=(3, 5, 4))
    batched, theirs = em.vmap(p.layer, (0, 1, None), 1), jax.vmap(layer, (0, 1), 1)
    x, y = X[:3].T, np.empty(5)
    close(batched(ws, x, y), theirs(ws, x))
    value, pullback = em.vjp(batched, ws, x, y)
    wanted, pull = jax.vjp(theirs, ws, x)
    close((value, *pullback(np.cos(wanted))), (wanted, *pull(jnp.cos(wanted))))
    ours = em.vmap(em.jacobian(p.layer), (0, 1, None))(ws, x, y)
    close(tuple(ours), jax.vmap(jax.jacobian(layer, (0, 1)), (0, 1))(ws, x))


def test_pullbacks_and_functions_of_python(p):
    """A function that is written in Python around the C function, and what `vjp` and `jvp` give."""
    ours, theirs = em.vjp(p.layer, 5, 4, W, X[0], np.empty(5), wrt=("W", "x"))[1], jax.vjp(layer, W, X[0])[1]
    close(em.vmap(ours)(np.eye(5)), jax.vmap(theirs)(np.eye(5)))
    around = lambda call, numbers: lambda w, x: {"square": call(w, x) ** 2, "sine": (numbers.sin(x), w)}  # noqa: E731
    mine, wanted = around(lambda w, x: p.q(w, x, b=0.7), np), around(lambda w, x: q(w, x, 0.7), jnp)
    axes = {"square": 0, "sine": (1, None)}
    close(em.vmap(mine, (None, 0), axes)(W[0], X), jax.vmap(wanted, (None, 0), axes)(W[0], X))
    nested = em.vmap(em.vmap(mine, (0, None)), (None, 0), -1)(W, X)
    close(nested, jax.vmap(jax.vmap(wanted, (0, None)), (None, 0), -1)(W, X))
    tangent = em.vmap(lambda w, t: em.jvp(p.q, (w, X[0], 4, 0.7), (t, None, None, 1.0)))(W, X)
    close(tangent, jax.vmap(lambda w, t: jax.jvp(lambda w, b: q(w, X[0], b), (w, 0.7), (t, 1.0)))(W, X))


@pytest.mark.parametrize("framework", ["jax", "torch"])
def test_a_plain_tuple_of_axes_fits_outputs_without_names(framework):
    """JAX and PyTorch compare the types of both; `em.vmap` takes names for both."""
    adapter = importlib.import_module(f"enzyme_magic.integrations.{framework}")
    body = "for (int i = 0; i < 3; i++) { y[i] = 2*x[i]; z[i] = x[i]*x[i]; }"
    two = em.compile_c(f"void two(const double x[3], double y[3], double z[3]) {{ {body} }}").two
    named, plain = adapter.op(two), pickle.loads(pickle.dumps(adapter.op(two, named=False)))
    x = np.arange(6.0).reshape(2, 3)
    if framework == "jax":
        given, over, jit = x, lambda g, axes: jax.vmap(g, out_axes=axes), jax.jit
        theirs = jax.vmap(lambda x: (2 * x, x * x), out_axes=(1, 0))(x)
    else:
        given, over = torch.from_numpy(x), lambda g, axes: torch.vmap(g, out_dims=axes)
        jit = lambda g: torch.compile(g, fullgraph=True, backend="eager")  # noqa: E731
        theirs = torch.vmap(lambda x: (2 * x, x * x), out_dims=(1, 0))(given)
    assert type(plain(given[0])) is tuple
    close(over(plain, (1, 0))(given), theirs)
    close(jit(over(plain, (1, 0)))(given), theirs)
    close(tuple(over(named, type(named(given[0]))(1, 0))(given)), theirs)
    close(over(lambda x: tuple(named(x)), (1, 0))(given), theirs)
    close(tuple(em.vmap(two, (0, None, None), (1, 0))(x, np.empty(3), np.empty(3))), theirs)

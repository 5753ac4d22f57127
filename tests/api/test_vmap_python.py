"""`em.vmap` of pullbacks, of `f.vjp` and `f.jvp`, and of Python functions: example by example what the function gives."""

from __future__ import annotations

import functools
import pickle
from typing import NamedTuple

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.errors import ArgumentError, EnzymeError

SOURCE = """
double cube(double x) { return x*x*x; }
void waves(const double *x, int n, double *out) { for (int i = 0; i < n; i++) out[i] = sin(x[i])*x[0]; }
double step(double *s, int n, double h) {
    double e = 0;
    for (int i = 0; i < n; i++) { s[i] += h*s[i]*s[i]; e += s[i]; }
    return e;
}
"""
X = np.array([0.5, 1.0, 2.0])
JACOBIAN = np.diag(np.cos(X) * X[0]) + np.outer(np.sin(X), [1.0, 0.0, 0.0])


class Pair(NamedTuple):
    first: object
    second: object


@pytest.fixture(scope="module")
def p():
    return em.compile_c(SOURCE)


def scaled_cube(p, x, factor=2.0):
    return p.cube(x) * factor


def test_a_pullback_of_many_weights(p):
    _, pullback = p.waves.vjp(X, 3, np.empty(3))
    np.testing.assert_allclose(em.vmap(pullback)(np.eye(3)), JACOBIAN, rtol=1e-14)
    np.testing.assert_allclose(em.vmap(pullback, 1, out_axes=1)(np.eye(3)), JACOBIAN.T, rtol=1e-14)
    _, batched = em.vjp(em.vmap(p.cube), np.arange(3.0))
    np.testing.assert_allclose(em.vmap(batched)(np.eye(3)), np.diag(3 * np.arange(3.0) ** 2))
    moved = em.jvp(em.vmap(p.cube.grad), np.arange(3.0), np.ones(3))[1]
    np.testing.assert_allclose(moved, 6 * np.arange(3.0))


def test_vjp_and_jvp_of_many_points(p):
    points, weights = np.array([1.0, 2.0]), np.array([[1.0, 10.0], [3.0, 4.0]])
    values, pullbacks = em.vmap(p.cube.vjp)(points)
    assert values.tolist() == [1, 8]
    assert pullbacks(weights[0]).tolist() == [3, 120]
    assert pullbacks[1](1.0) == 12
    assert len(pullbacks) == 2
    each = em.vmap(lambda one, own: em.vmap(one)(own), out_axes=-1)(pullbacks, weights)
    assert each.tolist() == [[3, 36], [30, 48]]
    primals, tangents = (np.ones((2, 3)), 3, 0.1), (None, None, np.array([1.0, 2.0]))
    value, moved = em.vmap(p.step.jvp, in_axes=((0, None, None), (None, None, 0)))(primals, tangents)
    assert isinstance(value, em.Outputs)
    np.testing.assert_allclose(value.s, np.full((2, 3), 1.1))
    np.testing.assert_allclose(moved.s, [[1.0] * 3, [2.0] * 3])
    np.testing.assert_allclose(moved.result, [3.0, 6.0])
    directions = em.vmap(lambda t: em.jvp(p.waves, (X, 3, np.empty(3)), (t, None, None))[1])(np.eye(3))
    np.testing.assert_allclose(directions, JACOBIAN.T, rtol=1e-14)


def test_functions_of_python_and_trees(p):
    points = np.arange(6.0).reshape(2, 3)
    sums = em.vmap(em.vmap(lambda a, b: p.cube(a) + b, in_axes=(None, 0)), in_axes=(0, None))
    np.testing.assert_allclose(sums(np.arange(2.0), np.arange(3.0)), [[0, 1, 2], [1, 2, 3]])
    made = em.vmap(lambda t, k: {"a": Pair(t["x"] * k, [t["x"].sum()]), "same": t["w"], "none": None}, ({"x": 1}, None))
    tree = made({"x": points, "w": X}, 2.0)
    assert type(tree["a"]) is Pair
    np.testing.assert_array_equal(tree["a"].first, 2 * points.T)
    np.testing.assert_array_equal(tree["a"].second[0], points.sum(axis=0))
    np.testing.assert_array_equal(tree["same"], np.stack([X] * 3))
    assert tree["none"] is None
    mixed = em.vmap(lambda x, w: (x, w), in_axes={"x": 0}, out_axes=(1, None))(points, X)
    np.testing.assert_array_equal(mixed[0], points.T)
    np.testing.assert_array_equal(mixed[1], X)
    assert mixed[1] is not X
    assert em.vmap(functools.partial(scaled_cube, p))(X, factor=np.ones(3)).tolist() == (X**3).tolist()
    outer = pickle.loads(pickle.dumps(em.vmap(functools.partial(scaled_cube, p))))
    assert outer(X).tolist() == (2 * X**3).tolist()


def test_examples_leave_nothing_to_each_other(p):
    states, kept, room = np.ones((2, 3)), np.ones((2, 3)), np.empty(3)

    def in_place(state, h):
        p.step(state, 3, h)
        return state

    def into_room(x):
        p.waves(x, 3, room)
        return room

    made = em.vmap(in_place)(states, np.array([0.1, 0.2]))
    np.testing.assert_allclose(made, [[1.1] * 3, [1.2] * 3])
    np.testing.assert_array_equal(states, kept)
    np.testing.assert_allclose(em.vmap(into_room)(np.stack([X, 2 * X]))[0], np.sin(X) * X[0])
    with pytest.raises(ArgumentError, match="read-only") as caught:
        em.vmap(in_place, in_axes=(None, 0))(X, np.ones(2))
    assert "in example 0 of em.vmap(in_place)" in caught.value.__notes__


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: em.vmap(lambda a: a)([1.0, 2.0]), "argument 0.0. is one number"),
        (lambda: em.vmap(lambda a: a)(np.zeros(0)), "no examples"),
        (lambda: em.vmap(lambda a, b: a)(X, X[:2]), "differ in size: argument 0 has 3, argument 1 has 2"),
        (lambda: em.vmap(lambda a: a, in_axes=(0, 0))(X), "2 entries, and the call has 1"),
        (lambda: em.vmap(lambda a: a, in_axes=(None,))(X), "nothing is mapped"),
        (lambda: em.vmap(lambda a: a, in_axes={"b": 0})(X), "names b"),
        (lambda: em.vmap(lambda a: a, in_axes=((0, 0),))((X, X, X)), "2 entries, and it has 3"),
        (lambda: em.vmap(lambda a: a)("text"), "is a str"),
        (lambda: em.vmap(lambda a: "text")(X), "example 0 is a str"),
        (lambda: em.vmap(lambda a: 0 if a < 1 else 0.5)(X), "float64.*example 0 is int64"),
        (lambda: em.vmap(lambda a: np.ones(int(2 * a)))(X), r"shape \(2,\)"),
        (lambda: em.vmap(lambda a: (a,) if a < 1 else a)(X), "another structure"),
        (lambda: em.vmap(lambda a: a, out_axes=1)(X), "at axis 1 of 1"),
        (lambda: em.vmap(lambda a: a, out_axes=None)(X), "out_axes is None"),
        (lambda: em.vmap(lambda a: (a, a), out_axes=(0,))(X), "out_axes has 1 entries"),
        (lambda: em.vmap(lambda a: a)(np.ma.array(X, mask=[0, 1, 0])), "masked"),
        (lambda: em.vmap(lambda a: np.ma.array([1.0], mask=[1]))(X), "masked"),
        (lambda: em.vjp(em.vmap(lambda a: a), X), "takes a C function"),
    ],
)
def test_mistakes_are_named(call, says):
    with pytest.raises(EnzymeError, match=says):
        call()

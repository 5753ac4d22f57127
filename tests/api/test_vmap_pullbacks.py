"""`em.vmap` of pullbacks and of `f.vjp` is one native loop, and gives what a call for each example gives."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.api.batches.axes import VmapLevel
from enzyme_magic.api.batches.python_functions import MappedFunction
from enzyme_magic.errors import EnzymeError

SOURCE = """
typedef struct { double a, b; } pair;
float norm(const float *x, int n, float p) { float s = 0; for (int i = 0; i < n; i++) s += powf(x[i], p); return s; }
double step(double *s, const double *w, int n, double h, double *out) {
    double e = 0;
    for (int i = 0; i < n; i++) { if (w) s[i] += h*w[i]*s[i]; out[i] = s[i]*s[i]; e += s[i]*h; }
    return e;
}
int solve(const double *x, int n, double *y) { for (int i = 0; i < n; i++) y[i] = exp(x[i])*x[0]; return n; }
long double wide(long double x, double y) { return x*x*y; }
double both(pair p, double x) { return p.a*x + p.b*x*x; }
"""
RNG = np.random.default_rng(0)
S, W = RNG.uniform(0.5, 1.5, (2, 3))


@pytest.fixture(scope="module")
def p():
    return em.compile_c(SOURCE)


def same(found, wanted):
    assert type(found).__name__ == type(wanted).__name__
    if isinstance(wanted, tuple):
        for one, other in zip(found, wanted, strict=True):
            same(one, other)
    elif wanted is None:
        assert found is None
    else:
        assert np.asarray(found).dtype == np.asarray(wanted).dtype
        if np.asarray(wanted).dtype.names:
            assert found.tolist() == wanted.tolist()
            return
        np.testing.assert_allclose(found, wanted, rtol=1e-6 if np.asarray(wanted).dtype == np.float32 else 1e-14)


CASES = {
    "float32": (lambda p: p.norm.vjp(S.astype("f"), 3, 2.5)[1], RNG.normal(size=5).astype("f")),
    "in place": (
        lambda p: p.step.vjp(S, W, 3, 0.1, np.empty(3))[1],
        {"s": RNG.normal(size=(4, 3)), "result": np.ones(4)},
    ),
    "three outputs": (
        lambda p: p.step.vjp(S, W, 3, 0.1, np.empty(3))[1],
        (RNG.normal(size=4), None, RNG.normal(size=(4, 3))),
    ),
    "NULL": (lambda p: p.step.vjp(S, None, 3, 0.1, np.empty(3))[1], {"out": RNG.normal(size=(4, 3))}),
    "some": (lambda p: em.vjp(p.step, S, W, 3, 0.1, np.empty(3), wrt=("h", "s"), outputs="out")[1], np.eye(3)),
    "a number": (
        lambda p: em.vjp(p.step, S, W, 3, 0.1, np.empty(3), wrt="h", outputs="result")[1],
        np.array([1.0, 2.0]),
    ),
    "a status": (lambda p: p.solve.vjp(S, 3, np.empty(3))[1], {"y": np.eye(3)}),
    "long double": (lambda p: p.wide.vjp(1.5, 2.0)[1], np.arange(3, dtype=np.longdouble)),
    "a struct": (lambda p: p.both.vjp((1.0, 2.0), 0.5)[1], np.arange(3.0)),
}


def counted(monkeypatch):
    calls = []
    original = MappedFunction.__call__
    monkeypatch.setattr(MappedFunction, "__call__", lambda self, *a, **k: calls.append(self) or original(self, *a, **k))
    return calls


@pytest.mark.parametrize("case", CASES)
def test_many_weights_are_one_loop(p, case, monkeypatch):
    make, weights = CASES[case]
    pullback = make(p)
    wanted = MappedFunction(pullback, VmapLevel())(weights)
    calls = counted(monkeypatch)
    same(em.vmap(pullback)(weights), wanted)
    assert bool(calls) == (case == "a struct")
    same(pickle.loads(pickle.dumps(em.vmap(pullback)))(weights), wanted)
    np.testing.assert_equal(
        pullback(_first(weights)), _first(wanted)
    )  # what an example wrote is not seen by the next one


def _first(tree):
    if isinstance(tree, dict):
        return {name: value[0] for name, value in tree.items()}
    if isinstance(tree, tuple):
        parts = [None if part is None else part[0] for part in tree]
        return type(tree)._make(parts) if hasattr(tree, "_make") else tuple(parts)
    return tree[0]


def test_axes_and_nests(p, monkeypatch):
    pullback = em.vjp(p.step, S, W, 3, 0.1, np.empty(3), wrt=("s", "h"), outputs="out")[1]
    weights = RNG.normal(size=(2, 3, 4))
    inner = lambda w: MappedFunction(pullback, VmapLevel(-1, (1, 0)))(w)  # noqa: E731
    wanted = MappedFunction(inner, VmapLevel(0, -1))(weights)
    calls = counted(monkeypatch)
    same(em.vmap(em.vmap(pullback, -1, (1, 0)), 0, -1)(weights), wanted)
    assert not calls
    assert em.vmap(pullback)(np.zeros((0, 3))).s.shape == (0, 3)


def test_many_points_are_one_loop(p, monkeypatch):
    points, weights = RNG.uniform(0.5, 1.5, (4, 3)), RNG.normal(size=(4, 3))
    arguments = points, W, 3, np.linspace(0.1, 0.4, 4), np.empty(3)
    level = VmapLevel((0, None, None, 0, None))
    wanted, theirs = MappedFunction(p.step.vjp, level)(*arguments)
    gradients = [theirs[k]({"out": weights[k]}) for k in range(4)]
    calls = counted(monkeypatch)
    values, pullbacks = em.vmap(p.step.vjp, level.in_axes)(*arguments)
    kept, points[...] = points.copy(), 0.0
    same(values, wanted)
    same(pullbacks({"out": weights}).s, np.stack([g.s for g in gradients]))
    same(pullbacks({"out": weights}).h, np.array([g.h for g in gradients]))
    assert not calls
    assert len(pullbacks) == 4
    same(pullbacks[-1]({"out": weights[3]}), gradients[3])
    points[...] = kept
    columns = em.vmap(p.step.vjp, level.in_axes, ({"out": 1}, 0))(*arguments)[0]
    same(columns.out, wanted.out.T)


@pytest.mark.parametrize(
    ("weights", "says"),
    [
        ({"out": np.ones(3)}, r"cotangent of out of all examples.*shape"),
        ({"out": np.ones((2, 3)), "result": np.ones(4)}, "differ in size"),
        ({"result": 1.0}, "is one number, and in_axes maps axis 0"),
        ({}, "nothing is mapped"),
        ({"other": np.ones(2)}, "no output 'other'"),
        ({"out": np.ma.array(np.ones((2, 3)), mask=np.eye(2, 3))}, "masked"),
    ],
)
def test_mistakes_in_weights(p, weights, says):
    with pytest.raises(EnzymeError, match=says):
        em.vmap(p.step.vjp(S, W, 3, 0.1, np.empty(3))[1])(weights)

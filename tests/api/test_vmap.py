"""`em.vmap`: axes, nests, functions and their derivatives over batches, against calls one by one."""

from __future__ import annotations

import itertools
import pickle

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.errors import ArgumentError, DifferentiationError, ExecutionError

SOURCE = """
#include <stdlib.h>
double two(double x, double y) { return x*x*y*y*y; }
double q(const double *w, const double *x, int n, double b) {
    double s = b*b;
    for (int i = 0; i < n; i++) s += sin(w[i]*x[i])*b;
    return s;
}
float single(const float *x, int n, float a) {
    float s = 0;
    for (int i = 0; i < n; i++) s += x[i]*x[i]*a;
    return s;
}
double step(double *s, int n, double h) {
    double e = 0;
    for (int i = 0; i < n; i++) { s[i] += h*s[i]*s[i]; e += s[i]; }
    return e;
}
static int calls;
double counted(const double *x, int n) {
    calls++;
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i]*x[i];
    return s;
}
int count(void) { return calls; }
double leaves(const double *x) { if (x[0] < 0) exit(3); return x[0]*x[0]; }
typedef struct { double a, b; } pair;
double by_value(pair p) { return p.a*p.b; }
double by_pointer(const pair *p) { return p->a*p->b; }
"""
W, X = np.random.default_rng(0).normal(size=(2, 5, 4))


@pytest.fixture(scope="module")
def p():
    return em.compile_c(SOURCE, shape={"w": "n"})


def close(given, wanted):
    np.testing.assert_allclose(given, wanted, rtol=1e-13, atol=1e-13)


def test_axes_are_those_of_the_arrays(p):
    one_by_one = [p.q(W[k], X[k], b=0.7) for k in range(5)]
    close(em.vmap(p.q, in_axes=(0, 0, None))(W, X, 0.7), one_by_one)
    close(em.vmap(p.q, in_axes=(0, 1, None))(W, X.T, 0.7), one_by_one)
    close(em.vmap(p.q, in_axes=(-1, -2, None))(W.T, X, 0.7), one_by_one)
    close(em.vmap(p.q, in_axes={"w": 1, "x": 0})(W.T, X, b=0.7), one_by_one)
    close(em.vmap(p.q, in_axes=(0, 0, None, None))(W, X, 4, 0.7), one_by_one)
    close(em.vmap(p.q, in_axes=(0, None))(W, X[0], b=np.arange(5.0)), [p.q(w, X[0], b=k) for k, w in enumerate(W)])
    close(em.vmap(p.two, in_axes=(None, 0))(2.0, np.arange(3.0)), 4 * np.arange(3.0) ** 3)
    assert em.vmap(p.q, in_axes=(0, 0, None))(W[:0], X[:0], 0.7).shape == (0,)


def test_gradients_jacobians_and_hessians_of_each_example(p):
    arguments = (W, X, 0.7)
    for made in (
        p.q.grad,
        em.value_and_grad(p.q),
        p.q.hessian,
        em.jacrev(p.q),
        em.grad(p.q, wrt="x"),
        em.grad(p.q, ("b",)),
    ):
        batched = em.vmap(made, in_axes=(0, 0, None))(*arguments)
        for k in range(5):
            compare(batched, made(W[k], X[k], b=0.7), k)


def compare(batched, single, k):
    if isinstance(single, tuple):
        assert type(batched) is type(single)
        for part, wanted in zip(batched, single, strict=True):
            compare(part, wanted, k)
    else:
        assert batched.shape[1:] == np.shape(single)
        close(batched[k], single)


def test_written_arrays_are_outputs_and_are_not_modified(p):
    before, h = X.copy(), np.linspace(0.1, 0.5, 5)
    made = em.vmap(p.step, in_axes=(0, None, 0), out_axes=(0, -1))(X, 4, h)
    jacobian = em.vmap(p.step.jacobian, in_axes=(0, None, 0))(X, 4, h)
    assert made.s.shape == (4, 5)
    for k in range(5):
        state = X[k].copy()
        close(made.result[k], p.step(state, 4, h[k]))
        close(made.s[:, k], state)
        compare(jacobian, p.step.jacobian(X[k], 4, h[k]), k)
    shared = em.vmap(p.step, in_axes=(None, None, 0), out_axes={"s": 1})(X[0], 4, h)
    close(shared.s[:, 2], em.vmap(p.step, in_axes=(0, None, None))(X[:1], 4, h[2]).s[0])
    assert np.array_equal(X, before)


def test_nests_are_one_loop_over_several_axes(p):
    nest = em.vmap(em.vmap(p.q, in_axes=(None, 0, None)), in_axes=(0, None, None), out_axes=1)
    close(nest(W, X, 0.7), [[p.q(w, x, b=0.7) for w in W] for x in X])
    both = em.vmap(em.vmap(p.q.grad, in_axes=(1, None, 0), out_axes=-1), in_axes=(None, 1, None))
    x, b = np.random.default_rng(1).normal(size=(4, 3)), np.arange(1.0, 6.0)
    made = both(W.T, x, b)
    for i, k in itertools.product(range(3), range(5)):
        wanted = p.q.grad(W[k], x[:, i].copy(), b=b[k])
        close(made.w[i, :, k], wanted.w)
        close(made.x[i, :, k], wanted.x)
        close(made.b[i, k], wanted.b)
    numbers = em.vmap(em.vmap(em.grad(p.two, "y")), in_axes=(0, None))(np.ones((2, 3)), np.arange(3.0))
    close(numbers, 3 * np.arange(3.0) ** 2 * np.ones((2, 1)))
    close(em.vmap(em.grad(em.grad(p.two, "x"), "x"), in_axes=(0, None))(np.arange(3.0), 2.0), [16.0] * 3)


def test_derivatives_of_the_whole_batch(p):
    weights, direction = np.random.default_rng(2).normal(size=(2, 5))
    batched = em.vmap(p.q, in_axes=(None, 1, None))
    x = X.T.copy()
    value, pullback = em.vjp(batched, W[0], x, 0.7)
    ones = [p.q.grad(W[0], X[k], b=0.7) for k in range(5)]
    x[...] = 0  # the pullback owns what it needs
    for _ in range(2):
        gradient = pullback(weights)
        close(gradient.w, sum(c * g.w for c, g in zip(weights, ones, strict=True)))
        close(gradient.b, sum(c * g.b for c, g in zip(weights, ones, strict=True)))
        close(gradient.x, np.stack([c * g.x for c, g in zip(weights, ones, strict=True)], axis=1))
    close(value, em.vmap(p.q, in_axes=(None, 0, None))(W[0], X, 0.7))
    _, moved = em.jvp(batched, (W[0], X.T, 0.7), (W[1], None, 2.0))
    close(moved, [g.w @ W[1] + 2 * g.b for g in ones])
    steps = em.vmap(p.step, in_axes=(0, None, None), out_axes=(0, 1))
    value, pullback = em.vjp(steps, X, 4, 0.1)
    gradient = pullback((direction, X.T))
    singles = [em.vjp(p.step, X[k], 4, 0.1)[1]((direction[k], X[k])) for k in range(5)]
    close(gradient.s, [g.s for g in singles])
    close(gradient.h, sum(g.h for g in singles))
    _, moved = em.jvp(steps, (X, 4, 0.1), (X[::-1], None, 1.0))
    for k in range(5):
        single = em.jvp(p.step, (X[k], 4, 0.1), (X[::-1][k], None, 1.0))[1]
        close(moved.s[:, k], single.s)
        close(moved.result[k], single.result)


def test_dtypes_structs_state_exits_and_pickles(p):
    x = X.astype(np.float32)
    made = em.vmap(p.single.grad, in_axes=(0, None, None))(x, 4, 2.0)
    assert made.x.dtype == made.a.dtype == np.float32
    np.testing.assert_allclose(made.x, 4 * x, rtol=1e-6)
    pairs = np.zeros(3, p.by_pointer.dtypes["p"])
    pairs["a"], pairs["b"] = [1, 2, 3], 2
    assert em.vmap(p.by_pointer.grad)(pairs)["b"].tolist() == [1, 2, 3]
    before = p.count()
    em.vmap(p.counted, in_axes=(0, None))(X, 4)
    em.vmap(p.counted.grad, in_axes=(0, None))(X, 4)
    assert p.count() == before + 5  # calls are steps of the program, derivatives are questions
    with pytest.raises(ExecutionError, match="EM401"):
        em.vmap(p.leaves)(X - 10)
    again = pickle.loads(pickle.dumps(em.vmap(p.q.grad, in_axes=(0, 0, None))))
    close(again(W, X, 0.7).w, em.vmap(p.q.grad, in_axes=(0, 0, None))(W, X, 0.7).w)


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda p: em.vmap(p.q, in_axes=(0, 0, None))(W[:3], X, 0.7), "EM339", "axis 0 of w has 3, axis 0 of x has 5"),
        (lambda p: em.vmap(p.q)(W, X, 0.7), "EM339", "b is one number, and in_axes maps axis 0"),
        (lambda p: em.vmap(p.q, in_axes=(0, 2, None))(W, X, 0.7), "EM339", "x has 2 axes, and in_axes maps axis 2"),
        (lambda p: em.vmap(p.q, in_axes=(None,) * 3)(W, X, 0.7), "EM339", "nothing is mapped"),
        (lambda p: em.vmap(p.q, in_axes=None), "EM339", "maps nothing"),
        (lambda p: em.vmap(p.q, in_axes="x"), "EM339", "in_axes is 'x'"),
        (lambda p: em.vmap(p.q, in_axes=(0, 0))(W, X, 0.7), "EM339", "2 entries, and the call has 3"),
        (lambda p: em.vmap(p.q, in_axes={"v": 0})(W, X, 0.7), "EM301", "no parameter 'v'"),
        (lambda p: em.vmap(p.q, in_axes=(0, 0, None), out_axes=1)(W, X, 0.7), "EM339", "at axis 1 of 1"),
        (lambda p: em.vmap(p.q, in_axes=(0, 0, None), out_axes=None)(W, X, 0.7), "EM339", "out_axes is None"),
        (lambda p: em.vmap(p.step, in_axes=(0, None, None), out_axes=(0,))(X, 4, 0.1), "EM339", "result, s"),
        (lambda p: em.vmap(p.step, in_axes=(0, None, None), out_axes={"t": 0})(X, 4, 0.1), "EM339", "'t'"),
        (lambda p: em.vmap(p.two, in_axes=(0, None))(W, 1.0), "EM339", "shape \\(4,\\) is left"),
        (lambda p: em.vmap(p.q, in_axes=(0, 0, None))(W, X, 5, 0.7), "EM3", "n"),
        (lambda p: em.vmap(p.counted, in_axes=(0, 0))(X, np.arange(2, 7)), "EM309", "x needs at least n = 5"),
        (lambda p: em.vmap(p.q, in_axes=(0, 0, None))(W.astype("f4"), X, 0.7), "EM305", "w"),
        (lambda p: em.vmap(p.q, in_axes=(0, 0, None))(W.tolist(), X, 0.7), "EM304", "w"),
        (lambda p: em.vmap(p.by_value)(np.zeros(3)), "EM340", "by value"),
        (lambda p: em.vmap(em.grad(p.step, "s", out=X), in_axes=(0, None, None)), "EM339", "out="),
        (lambda p: em.vmap(np.sin), "EM301", "got ufunc"),
        (lambda p: em.vmap(p.q, in_axis=0), "EM322", "in_axis"),
    ],
)
def test_mistakes_are_named(p, call, error, says):
    with pytest.raises(ArgumentError, match=says) as caught:
        call(p)
    assert caught.value.code.startswith(error)


def test_a_gradient_is_of_one_number(p):
    with pytest.raises(DifferentiationError, match=r"em\.vmap\(em\.grad\(f\)\)"):
        em.grad(em.vmap(p.q, in_axes=(0, 0, None)))


def test_examples_share_variables_and_derivatives_start_from_one_state() -> None:
    """docs/state.md: values are those of a loop of calls; each example of a derivative starts from the state before the call."""
    source = "double f(int n, const double x[n]) { static double s = 1; double r = s*x[0]*x[1]; s += x[0]; return r; }"
    p, q = em.compile_c(source), em.compile_c(source)
    x = np.arange(1.0, 7.0).reshape(3, 2)
    value, pullback = em.vjp(em.vmap(p.f, (None, 0)), 2, x)
    swapped = x[:, ::-1]
    for _ in range(2):
        assert np.array_equal(value, x.prod(1))
        assert np.array_equal(pullback(np.ones(3)), swapped)
        assert np.array_equal(em.vmap(em.grad(p.f), (None, 0))(2, x), swapped)
        assert np.array_equal(em.jvp(em.vmap(p.f, (None, 0)), (2, x), (None, np.ones((3, 2))))[1], x.sum(1))
        values, pullbacks = em.vmap(p.f.vjp, (None, 0))(2, x)
        assert np.array_equal(values, x.prod(1))
        assert np.array_equal(pullbacks(np.ones(3)), swapped)
    for _ in range(2):
        assert np.array_equal(em.vmap(p.f, (None, 0))(2, x), [q.f(2, row) for row in x])
    one, other = (em.compile_c("double f(double x) { static double s = 1; s *= x; return s*x; }").f for _ in range(2))
    assert np.array_equal(one.map([2.0, 3.0, 4.0]), [other(v) for v in (2.0, 3.0, 4.0)])
    assert np.array_equal(one.grad.map([2.0, 3.0]), [24 * 2 * v for v in (2.0, 3.0)])
    assert one(1.0) == 24.0


@pytest.mark.parametrize("axes", [(0, 1), [0, -1], {"z": 1}, {"y": 0, "z": 1}])
def test_axes_of_named_outputs_are_a_plain_tuple(axes) -> None:
    p = em.compile_c(
        "void two(int n, const double x[n], double y[n], double z[n]) {"
        "    for (int i = 0; i < n; i++) { y[i] = x[i]; z[i] = 2*x[i]; }"
        "}"
        "double dot(int n, const double y[n], const double z[n]) {"
        "    double s = 0; for (int i = 0; i < n; i++) s += y[i]*z[i]; return s;"
        "}"
    )
    x = np.arange(6.0).reshape(2, 3)
    made = em.vmap(p.two, (None, 0, 0, 0), axes)(3, x, x.copy(), x.copy())
    assert np.array_equal(made.y, x)
    assert np.array_equal(made.z, 2 * x.T)
    gradient = em.vmap(em.grad(p.dot), (None, 0, 0), axes)(3, x, 2 * x)
    assert np.array_equal(gradient.z, x.T)
    value, gradient = em.vmap(em.value_and_grad(p.dot), (None, 0, 0), (0, axes))(3, x, 2 * x)
    assert np.array_equal(gradient.z, x.T)
    assert value.shape == (2,)

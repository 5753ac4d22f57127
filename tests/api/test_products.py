"""vjp and jvp over the real compiler: scalar results, output arrays, in/out arrays, several outputs."""

from __future__ import annotations

import inspect
import pickle
import threading

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.errors import ArgumentError, DifferentiationError

SOURCE = """
double cube(double x) { return x*x*x; }
float half_square(float x, float y) { return 0.5f*x*x*y; }
long double wide(long double x) { return x*x/3; }
void sines(const double *x, size_t n, double *out) { for (size_t i = 0; i < n; i++) out[i] = sin(x[i])*x[i]; }
void square(double *x, int n) { for (int i = 0; i < n; i++) x[i] = x[i]*x[i]; }
double scaled(double a, const double *x, int n, double *y) {
    double s = 0;
    for (int i = 0; i < n; i++) { y[i] = a*x[i]; s += y[i]*y[i]; }
    return s;
}
int solve2(const double A[4], const double b[2], double x[2], int pivots[2]) {
    double det = A[0]*A[3] - A[1]*A[2];
    if (det == 0) return 1;
    x[0] = (A[3]*b[0] - A[1]*b[1])/det;
    x[1] = (A[0]*b[1] - A[2]*b[0])/det;
    pivots[0] = 0; pivots[1] = 1;
    return 0;
}
void first(const double *x, double *out) { out[0] = 2*x[0]; }
void axpy(float a, const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[i] += a*x[i]; }
void longs(const long double *x, long double *y, int n) { for (int i = 0; i < n; i++) y[i] = x[i]*x[i]/3; }
int count(const double *x, int n) { int c = 0; for (int i = 0; i < n; i++) c += x[i] > 0; return c; }
double lambda_(double lambda, double *result) { result[0] = 3*lambda; return lambda*lambda; }
double through(double *work, double x) { work[0] = x*x; work[1] = sin(work[0]); return work[1]; }
double matrix(int n, int m, const double A[n][m], double rows[n]) {
    double t = 0;
    for (int i = 0; i < n; i++) {
        rows[i] = 0;
        for (int j = 0; j < m; j++) rows[i] += A[i][j]*A[i][j];
        t += rows[i]*rows[i];
    }
    return t;
}
"""
X = np.array([0.3, -1.2, 2.5])


@pytest.fixture(scope="module", params=[0, 2])
def p(request):
    return em.compile_c(SOURCE, opt=request.param, name="In[5]")


# vjp


def test_vjp_of_a_number(p):
    value, pullback = em.vjp(p.cube, 2.0)
    assert value == 8.0
    assert pullback(1.0) == 12.0
    assert pullback(-0.5) == -6.0
    assert pullback(None) == 0.0
    assert type(pullback(1)) is float
    assert p.cube.vjp(2.0)[1](1.0) == p.cube.grad(2.0)


def test_vjp_of_other_precisions(p):
    value, pullback = p.half_square.vjp(3.0, 2.0)
    assert (value, type(value)) == (9.0, np.float32)
    gradient = pullback(2.0)
    assert gradient.asdict() == {"x": 12.0, "y": 9.0}
    assert type(gradient.x) is np.float32
    third = np.longdouble(2) / 3
    value, pullback = p.wide.vjp(1)
    assert value == np.longdouble(1) / 3
    assert pullback(np.longdouble(1)) == third
    assert pullback(third) == third * third


def test_vjp_of_an_output_array(p):
    out = np.full(3, 7.0)
    value, pullback = em.vjp(p.sines, X, 3, out)
    assert np.allclose(value, np.sin(X) * X, rtol=1e-15)
    weights = np.array([1.0, -2.0, 0.5])
    assert np.allclose(pullback(weights), weights * (np.cos(X) * X + np.sin(X)), rtol=1e-14)
    assert out.tolist() == [7.0] * 3
    assert weights.tolist() == [1.0, -2.0, 0.5]


def test_vjp_of_an_array_that_is_input_and_output(p):
    x = X.copy()
    value, pullback = em.vjp(p.square, x, 3)
    assert np.array_equal(value, X * X)
    assert np.allclose(pullback(np.ones(3)), 2 * X, rtol=1e-15)
    assert np.array_equal(x, X)
    assert np.allclose(pullback(np.array([0, 1, 0])), [0, 2 * X[1], 0])


def test_vjp_of_several_outputs_has_names(p):
    value, pullback = em.vjp(p.scaled, 2.0, X, 3, np.zeros(3))
    assert isinstance(value, em.Outputs)
    assert list(value.asdict()) == ["result", "y"]
    assert np.isclose(value.result, 4 * np.sum(X * X))
    assert np.array_equal(value.y, 2 * X)
    w = np.array([1.0, 0.0, -1.0])
    for cotangent in ((0.5, w), {"result": 0.5, "y": w}, type(value)((0.5, w))):
        gradient = pullback(cotangent)
        assert np.isclose(gradient.a, 0.5 * 4 * np.sum(X * X) + w @ X)
        assert np.allclose(gradient.x, 0.5 * 8 * X + 2 * w)
    only = pullback({"y": w})
    assert np.isclose(only.a, w @ X)
    assert np.allclose(pullback((1.0, None)).x, 8 * X)


def test_outputs_chosen_by_name(p):
    value, pullback = em.vjp(p.scaled, 2.0, X, 3, np.zeros(3), outputs="y", wrt="x")
    assert np.array_equal(value, 2 * X)
    assert np.allclose(pullback(np.ones(3)), 2.0)
    value, pullback = em.vjp(p.scaled, 2.0, X, 3, np.zeros(3), outputs=("result",), wrt=("x",))
    assert list(value.asdict()) == ["result"]
    assert np.allclose(pullback((1.0,)).x, 8 * X)
    assert np.array_equal(em.vjp(p.scaled, 2.0, X, 3, np.zeros(3), outputs=3)[0], 2 * X)


def test_outputs_without_derivatives_are_part_of_the_value(p):
    A, b = np.array([3.0, 1.0, 1.0, 2.0]), np.array([1.0, 2.0])
    value, pullback = em.vjp(p.solve2, A, b, np.zeros(2), np.full(2, 9, np.int32))
    assert list(value.asdict()) == ["result", "x", "pivots"]
    assert value.result == 0
    assert value.pivots.tolist() == [0, 1]
    inverse = np.linalg.inv(A.reshape(2, 2))
    w = np.array([1.0, -3.0])
    expected = inverse.T @ w
    for cotangent in ((None, w, None), {"x": w}, w):
        gradient = pullback(cotangent)
        assert np.allclose(gradient.b, expected)
        assert np.allclose(gradient.A.reshape(2, 2), -np.outer(expected, value.x))
    with pytest.raises(ArgumentError, match="holds no floating numbers"):
        pullback((1, w, None))


def test_an_element_that_is_not_written_passes_through(p):
    """As an output it is what it was; the buffer is no input, because nothing of it is read."""
    value, pullback = em.vjp(p.first, X, np.array([1.0, 5.0]))
    assert value.tolist() == [2 * X[0], 5.0]
    assert pullback(np.array([1.0, 100.0])).tolist() == [2.0, 0.0, 0.0]
    y = np.array([1.0, 2.0, 3.0], np.float32)
    _, pullback = em.vjp(p.axpy, 2.0, np.ones(3, np.float32), y, 2)
    gradient = pullback(np.array([1, 10, 100]))
    assert gradient.y.tolist() == [1.0, 10.0, 100.0]
    assert gradient.x.tolist() == [2.0, 20.0, 0.0]
    assert gradient.a == 11.0
    assert gradient.x.dtype == np.float32


def test_long_double_arrays(p):
    x = np.array([1, 2], np.longdouble)
    value, pullback = em.vjp(p.longs, x, np.zeros(2, np.longdouble), 2)
    assert np.array_equal(value, x * x / 3)
    assert np.array_equal(pullback(np.ones(2)), 2 * x / 3)


def test_scratch_memory_carries_derivatives(p):
    value, pullback = em.vjp(p.through, np.zeros(2), 1.5, outputs="result", wrt="x")
    assert np.isclose(value, np.sin(2.25))
    assert np.isclose(pullback(1.0), np.cos(2.25) * 3.0)


def test_names_that_collide(p):
    value, pullback = em.vjp(p.lambda_, 2.0, np.zeros(1))
    assert value.result == 4.0
    assert value.result_.tolist() == [6.0]
    assert pullback((1.0, np.ones(1))) == 7.0


def test_sizes_are_inferred_and_parameters_named(p):
    A = np.arange(6.0).reshape(2, 3)
    value, pullback = em.vjp(p.matrix, A, rows=np.zeros(2), wrt="A")
    assert value.rows.tolist() == [5.0, 50.0]
    assert np.allclose(pullback((1.0, None)), 4 * A * np.array([[5.0], [50.0]]))
    assert pullback((1.0, None)).shape == (2, 3)
    assert str(inspect.signature(p.matrix.vjp)) == str(inspect.signature(p.matrix))


def test_a_pullback_owns_what_it_needs(p):
    x, y = X.copy(), np.zeros(3)
    _, pullback = em.vjp(p.scaled, 2.0, x, 3, y)
    before = pullback((1.0, np.ones(3)))
    x[:] = 100.0
    y[:] = 100.0
    after = pullback((1.0, np.ones(3)))
    assert after.a == before.a
    assert np.array_equal(after.x, before.x)
    assert not np.shares_memory(after.x, before.x)


def test_donated_arrays_are_written_and_not_copied(p):
    x, y = X.copy(), np.zeros(3)
    value, pullback = em.vjp(p.scaled, 2.0, x, 3, y, donate=True)
    assert value.y is y or np.shares_memory(value.y, y)
    assert np.array_equal(y, 2 * X)
    assert np.allclose(pullback((1.0, None)).x, 8 * X)
    assert np.array_equal(y, 2 * X)
    inout = X.copy()
    value, pullback = em.vjp(p.square, inout, 3, donate=True)
    assert np.array_equal(inout, X * X)
    assert np.allclose(pullback(np.ones(3)), 2 * X)
    assert np.allclose(pullback(np.ones(3)), 2 * X)


def test_pullbacks_run_in_other_threads(p):
    _, pullback = em.vjp(p.scaled, 2.0, X, 3, np.zeros(3))
    expected = pullback((1.0, np.ones(3)))
    found = []

    def pull():
        for _ in range(200):
            found.append(pullback((1.0, np.ones(3))))

    threads = [threading.Thread(target=pull) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 1200
    assert all(g.a == expected.a and np.array_equal(g.x, expected.x) for g in found)


def test_out_takes_the_gradient_of_a_pullback(p):
    _, pullback = em.vjp(p.square, X, 3)
    out = np.full(3, 9.0)
    assert pullback(np.ones(3), out=out) is out or np.shares_memory(pullback(np.ones(3), out=out), out)
    assert np.allclose(out, 2 * X)
    _, pullback = em.vjp(p.scaled, 2.0, X, 3, np.zeros(3), wrt=("a", "x"))
    pullback((1.0, None), out={"x": out})
    assert np.allclose(out, 8 * X)
    with pytest.raises(ArgumentError, match="out names 'y'"):
        pullback((1.0, None), out={"y": out})
    with pytest.raises(ArgumentError, match="out for x must be"):
        pullback((1.0, None), out={"x": np.zeros(4)})


def test_nothing_is_modified(p):
    x, y = X.copy(), np.full(3, 4.0)
    x.flags.writeable = False
    value, pullback = em.vjp(p.scaled, 2.0, x, 3, y)
    seed = np.ones(3)
    pullback((1.0, seed))
    em.jvp(p.scaled, (2.0, x, 3, y), (1.0, x, None, None))
    em.jacobian(p.scaled)(2.0, x, 3, y)
    assert (seed == 1).all()
    assert (y == 4).all()
    assert np.array_equal(value.y, 2 * X)


@pytest.mark.parametrize(
    ("cotangent", "message"),
    [
        (np.ones(3), "one ndarray for 2 outputs"),
        ((1.0,), "1 entries for 2 outputs"),
        ({"z": 1.0}, "no output 'z'"),
        ((1.0, np.ones(2)), r"cotangent of y has shape \(2,\) instead of \(3,\)"),
        ((1.0, np.ones(3) * 1j), "cotangent of y has dtype complex128"),
        ((np.ones(2), None), "cotangent of result is a double scalar"),
        (("a", None), "cotangent of result"),
    ],
)
def test_cotangents_that_do_not_fit(p, cotangent, message):
    _, pullback = em.vjp(p.scaled, 2.0, X, 3, np.zeros(3))
    with pytest.raises(ArgumentError, match=message):
        pullback(cotangent)


def test_overlap_with_what_is_written_is_refused(p):
    with pytest.raises(ArgumentError, match="x and out share memory"):
        em.vjp(p.sines, X, 3, X)
    with pytest.raises(ArgumentError, match="x and out share memory"):
        em.jvp(p.sines, (X, 3, X), (X, None, None))
    with pytest.raises(ArgumentError, match="x and out share memory"):
        em.jacobian(p.sines)(X, 3, X)


def test_functions_without_floating_outputs(p):
    with pytest.raises(DifferentiationError, match="count gives no floating numbers back") as caught:
        em.vjp(p.count, X, 3)
    assert caught.value.code == "EM203"
    with pytest.raises(ArgumentError, match="holds no floating numbers"):
        em.vjp(p.solve2, X, X, X, X, outputs="pivots")
    with pytest.raises(ArgumentError, match="did you mean y"):
        em.vjp(p.scaled, 2.0, X, 3, np.zeros(3), outputs="yy")
    with pytest.raises(ArgumentError, match="names an output twice"):
        em.vjp(p.scaled, 2.0, X, 3, np.zeros(3), outputs=("y", "y"))
    with pytest.raises(DifferentiationError, match=r"sines returns void.*\n?.*em\.vjp, em\.jvp and em\.jacobian"):
        p.sines.grad(X, 3, np.zeros(3))


def test_null_buffers(p):
    value, pullback = em.vjp(p.scaled, 2.0, None, 0, None, wrt=("a", "x"))
    assert value.y is None
    gradient = pullback((1.0, None))
    assert gradient.asdict() == {"a": 0.0, "x": None}
    with pytest.raises(ArgumentError, match="the argument is None"):
        pullback((1.0, np.ones(3)))


# jvp


def test_jvp_of_numbers(p):
    assert em.jvp(p.cube, (2.0,), (1.0,)) == (8.0, 12.0)
    assert em.jvp(p.cube, 2.0, 0.5) == (8.0, 6.0)
    assert em.jvp(p.cube, {"x": 2.0}, {"x": 0.5}) == (8.0, 6.0)
    assert p.cube.jvp((2.0,), (None,)) == (8.0, 0.0)
    value, tangent = p.half_square.jvp((3.0, 2.0), (1.0, 0.0))
    assert (value, tangent, type(tangent)) == (9.0, 6.0, np.float32)
    third = np.longdouble(2) / 3
    assert p.wide.jvp((1,), (third,)) == (np.longdouble(1) / 3, third * third)


def test_jvp_of_arrays(p):
    dx = np.array([1.0, -2.0, 0.5])
    value, tangent = em.jvp(p.sines, (X, 3, np.zeros(3)), (dx, None, None))
    assert np.allclose(value, np.sin(X) * X, rtol=1e-15)
    assert np.allclose(tangent, dx * (np.cos(X) * X + np.sin(X)), rtol=1e-14)
    value, tangent = em.jvp(p.square, (X, 3), {"x": dx})
    assert np.array_equal(value, X * X)
    assert np.allclose(tangent, 2 * X * dx)
    assert dx.tolist() == [1.0, -2.0, 0.5]


def test_jvp_of_several_outputs(p):
    dx = np.array([1.0, -2.0, 0.5])
    value, tangent = em.jvp(p.scaled, (2.0, X, 3, np.zeros(3)), (0.25, dx, 0, None))
    assert np.isclose(value.result, 4 * X @ X)
    assert np.allclose(tangent.y, 0.25 * X + 2 * dx)
    assert np.isclose(tangent.result, 2 * (2 * X) @ (0.25 * X + 2 * dx))
    gradient = p.scaled.vjp(2.0, X, 3, np.zeros(3))[1]((1.0, None))
    _, again = em.jvp(p.scaled, (2.0, X, 3, np.zeros(3)), gradient)
    assert np.isclose(again.result, gradient.a**2 + gradient.x @ gradient.x)


def test_jvp_of_statuses_and_floats(p):
    A, b = np.array([3.0, 1.0, 1.0, 2.0]), np.array([1.0, 2.0])
    value, tangent = em.jvp(p.solve2, (A, b, np.zeros(2), np.zeros(2, np.int32)), {"b": np.array([1.0, 0.0])})
    assert value.result == 0
    assert tangent.result is None
    assert tangent.pivots is None
    assert np.allclose(tangent.x, np.linalg.inv(A.reshape(2, 2))[:, 0])


def test_jvp_with_inferred_sizes(p):
    A = np.arange(6.0).reshape(2, 3)
    _, tangent = p.matrix.jvp((A, np.zeros(2)), (np.ones((2, 3)), None))
    assert tangent.rows.tolist() == [6.0, 24.0]
    _, tangent = p.matrix.jvp((2, 3, A, np.zeros(2)), (None, None, np.ones((2, 3)), None))
    assert tangent.rows.tolist() == [6.0, 24.0]
    _, tangent = em.jvp(p.matrix, {"A": A, "rows": np.zeros(2)}, {"A": np.ones((2, 3))}, outputs="rows")
    assert tangent.tolist() == [6.0, 24.0]


def test_jvp_donates(p):
    x = X.copy()
    value, tangent = em.jvp(p.square, (x, 3), (np.ones(3), None), donate=True)
    assert np.array_equal(x, X * X)
    assert np.shares_memory(value, x)
    assert np.allclose(tangent, 2 * X)


@pytest.mark.parametrize(
    ("tangents", "message"),
    [
        ((1.0, X), "2 tangents for 4 primals"),
        ((1.0,), "1 tangent for 4 primals"),
        ((1.0, X, 1, None), "no tangent for n: an int is no floating number"),
        ((1.0, X, "1", None), "no tangent for n"),
        ((1.0, X[:2], None, None), r"tangent of x has shape \(2,\)"),
        ((X, None, None, None), "tangent of a is a double scalar"),
        ({"q": 1.0}, "no parameter 'q'"),
    ],
)
def test_tangents_that_do_not_fit(p, tangents, message):
    with pytest.raises(ArgumentError, match=message):
        em.jvp(p.scaled, (2.0, X, 3, np.zeros(3)), tangents)


def test_tangents_of_parameters_outside_wrt(p):
    with pytest.raises(
        ArgumentError, match="no tangent for out: nothing is computed from what it holds before the call"
    ):
        em.jvp(p.sines, (X, 3, np.zeros(3)), (X, None, X))
    with pytest.raises(ArgumentError, match="no tangent for a: it is not in wrt"):
        em.jvp(p.scaled, (2.0, X, 3, np.zeros(3)), (1.0, X, None, None), wrt="x")
    with pytest.raises(ArgumentError, match="tangents need them too"):
        em.jvp(p.cube, {"x": 2.0}, (1.0,))


def test_forward_and_reverse_agree(p):
    """The dot-product test: <w, J v> = <J'w, v>."""
    random = np.random.default_rng(4)
    v, w = random.standard_normal((2, 3))
    a, r = random.standard_normal(2)
    arguments = (1.7, X, 3, np.zeros(3))
    _, tangent = em.jvp(p.scaled, arguments, (a, v, None, None))
    gradient = em.vjp(p.scaled, *arguments)[1]((r, w))
    assert np.isclose(r * tangent.result + w @ tangent.y, a * gradient.a + v @ gradient.x, rtol=1e-13)


# Objects


def test_the_same_options_give_the_same_code(p):
    assert p.scaled.transform("vjp", "x", None, False, False) is p.scaled.transform("vjp", "x", None, False, False)
    assert p.scaled.transform("vjp", None, None, False, False) is p.scaled.vjp
    assert "vjp of scaled" in repr(p.scaled.vjp)
    assert "pullback of" in repr(p.cube.vjp(2.0)[1])


def test_transforms_pickle(p):
    again = pickle.loads(pickle.dumps(p.sines.vjp))
    assert np.allclose(again(X, 3, np.zeros(3))[1](np.ones(3)), np.cos(X) * X + np.sin(X))
    again = pickle.loads(pickle.dumps(p.scaled.transform("jvp", "x", "y", False, False)))
    assert np.allclose(again((2.0, X, 3, np.zeros(3)), {"x": X})[1], 2 * X)


def test_unchecked(p):
    with pytest.raises(ArgumentError, match="needs at least"):
        em.vjp(p.solve2, np.zeros(3), np.zeros(2), np.zeros(2), np.zeros(2, np.int32))
    with pytest.raises(ArgumentError, match="takes a C function"):
        em.vjp(lambda x: x, 2.0)


def test_looking_into_functions_of_arrays(p):
    """The pictures' derivative is that of all written buffers where the result is no float."""
    assert "diffe_sines" in p.sines.ir("gradient")
    assert "fwddiffe_sines" in p.sines.ir("gradient", mode="forward")
    assert p.sines.report.wrt == ("x",)

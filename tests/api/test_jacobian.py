"""Jacobians over the real compiler: both modes, shapes, nesting, dtypes."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.errors import ArgumentError

SOURCE = """
double cube(double x) { return x*x*x; }
float half_square(float x, float y) { return 0.5f*x*x*y; }
long double wide(long double x) { return x*x/3; }
void square(double *x, int n) { for (int i = 0; i < n; i++) x[i] = x[i]*x[i]; }
double norm(const double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i]*x[i]; return s; }
double scaled(double a, const double *x, int n, double *y) {
    double s = 0;
    for (int i = 0; i < n; i++) { double v = a*x[i]; y[i] = v; s += v*v; }
    return s;
}
void product(int n, int m, int k, const double A[n][m], const double B[m][k], double C[n][k]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < k; j++) {
            double s = 0;
            for (int l = 0; l < m; l++) s += A[i][l]*B[l][j];
            C[i][j] = s;
        }
}
void mixed(const float *x, double *y, int n) { for (int i = 0; i < n; i++) y[i] = 2.0*x[i]*x[i]; }
int status(const double *x, double *y) { y[0] = x[0]*x[1]; return 0; }
typedef struct { double re, im; int tag; } pair;
double first(const pair *p) { return p[0].re*p[1].im; }
void spread(const double *x, pair *p) { p[0].re = x[0]; p[1].im = x[0]*x[1]; p[0].tag = 1; }
void copy(const pair *p, pair *q) { q[0].re = p[0].re; }
"""
X = np.array([0.3, -1.2, 2.5])
MODES = [em.jacobian, em.jacfwd, em.jacrev]


@pytest.fixture(scope="module")
def p():
    return em.compile_c(SOURCE, name="In[6]")


@pytest.mark.parametrize("jacobian", MODES)
def test_numbers(p, jacobian):
    assert jacobian(p.cube)(2.0) == 12.0
    assert type(jacobian(p.cube)(2.0)) is float
    both = jacobian(p.half_square)(3.0, 2.0)
    assert both.asdict() == {"x": 6.0, "y": 4.5}
    assert type(both.x) is np.float32
    third = jacobian(p.wide)(1)
    assert third == np.longdouble(2) / 3
    assert type(third) is np.longdouble


@pytest.mark.parametrize("jacobian", MODES)
def test_an_array_in_and_out(p, jacobian):
    x = X.copy()
    matrix = jacobian(p.square)(x, 3)
    assert np.allclose(matrix, np.diag(2 * X), rtol=1e-15)
    assert np.array_equal(x, X)
    assert matrix.flags.c_contiguous


@pytest.mark.parametrize("jacobian", MODES)
def test_a_number_of_an_array_and_an_array_of_a_number(p, jacobian):
    assert np.allclose(jacobian(p.norm)(X, 3), 2 * X)
    matrix = jacobian(p.scaled)(2.0, X, 3, np.zeros(3))
    assert list(matrix.asdict()) == ["result", "y"]
    assert list(matrix.y.asdict()) == ["a", "x"]
    assert np.isclose(matrix.result.a, 4 * X @ X)
    assert np.allclose(matrix.result.x, 8 * X)
    assert np.allclose(matrix.y.a, X)
    assert np.allclose(matrix.y.x, 2 * np.eye(3))


@pytest.mark.parametrize("jacobian", MODES)
def test_the_shape_is_that_of_the_output_then_that_of_the_input(p, jacobian):
    random = np.random.default_rng(3)
    A, B = random.standard_normal((2, 3)), random.standard_normal((3, 4))
    matrix = jacobian(p.product)(A, B, np.zeros((2, 4)))
    assert matrix.A.shape == (2, 4, 2, 3)
    assert np.allclose(matrix.A, np.einsum("ip,lj->ijpl", np.eye(2), B))
    assert np.allclose(matrix.B, np.einsum("il,jq->ijlq", A, np.eye(4)))


@pytest.mark.parametrize("jacobian", MODES)
def test_outputs_and_parameters_by_name(p, jacobian):
    arguments = (2.0, X, 3, np.zeros(3))
    assert np.allclose(jacobian(p.scaled, wrt="x", outputs="y")(*arguments), 2 * np.eye(3))
    assert np.allclose(jacobian(p.scaled, wrt="a", outputs="y")(*arguments), X)
    assert isinstance(jacobian(p.scaled, wrt=("x",), outputs="y")(*arguments), em.Gradients)
    listed = jacobian(p.scaled, wrt="a", outputs=("y",))(*arguments)
    assert isinstance(listed, em.Outputs)
    assert np.allclose(listed.y, X)


@pytest.mark.parametrize("jacobian", MODES)
def test_the_dtype_is_the_common_one(p, jacobian):
    x = np.array([1.0, 2.0], np.float32)
    matrix = jacobian(p.mixed)(x, np.zeros(2), 2)
    assert matrix.dtype == np.float64
    assert matrix.tolist() == [[4.0, 0.0], [0.0, 8.0]]


@pytest.mark.parametrize("jacobian", MODES)
def test_only_floating_outputs_count(p, jacobian):
    assert jacobian(p.status)(np.array([2.0, 3.0]), np.zeros(1)).tolist() == [[3.0, 2.0]]


def test_empty_arrays_and_null(p):
    assert p.square.jacobian(np.zeros(0), 0).shape == (0, 0)
    assert p.norm.jacobian(np.zeros((0, 3)), 0).shape == (0, 3)
    assert p.norm.jacobian(None, 0) is None


def test_the_mode_with_fewer_sweeps_is_taken(p, monkeypatch):
    from enzyme_magic.api.derivatives import jacobian as module

    taken = []
    for name in ("_forward", "_reverse"):
        run = getattr(module, name)
        monkeypatch.setattr(module, name, lambda *a, name=name, run=run: taken.append(name) or run(*a))
    p.norm.jacobian(X, 3)
    em.jacobian(p.scaled, wrt="a", outputs="y")(2.0, X, 3, np.zeros(3))
    p.cube.jacobian(2.0)
    assert taken == ["_reverse", "_forward", "_forward"]


def test_structs(p):
    points = np.zeros(2, p.first.dtypes["p"])
    points["re"], points["im"], points["tag"] = [1.0, 2.0], [3.0, 4.0], 7
    row = p.first.jacobian(points)
    assert row.dtype == points.dtype
    assert (row["re"].tolist(), row["im"].tolist(), row["tag"].tolist()) == ([4.0, 0.0], [0.0, 1.0], [0, 0])
    columns = p.spread.jacobian(np.array([2.0, 3.0]), points)
    assert columns.shape == (2, 2)
    assert columns["re"].tolist() == [[1.0, 0.0], [0.0, 0.0]]
    assert columns["im"].tolist() == [[0.0, 0.0], [3.0, 2.0]]
    assert columns["tag"].tolist() == [[0, 0], [0, 0]]
    assert points["tag"].tolist() == [7, 7]
    with pytest.raises(ArgumentError, match="forward mode goes through the numbers of p") as caught:
        em.jacfwd(p.first)(points)
    assert "em.jacrev" in caught.value.hint
    with pytest.raises(ArgumentError, match="reverse mode goes through the numbers of p"):
        em.jacrev(p.spread)(X, points)
    with pytest.raises(ArgumentError, match="no plain floating type") as caught:
        p.copy.jacobian(points, points.copy())
    assert caught.value.code == "EM328"
    assert "em.vjp or em.jvp" in caught.value.hint


@pytest.mark.parametrize("jacobian", MODES)
def test_out_takes_the_matrix(p, jacobian):
    out = np.full((3, 3), 9.0)
    assert jacobian(p.square, out=out)(X, 3) is out
    assert np.allclose(out, np.diag(2 * X))
    with pytest.raises(ArgumentError, match=r"out must be a writable, C-contiguous float64 array of shape \(2, 2\)"):
        jacobian(p.square, out=out)(X[:2].copy(), 2)
    with pytest.raises(ArgumentError, match="one output and one input"):
        jacobian(p.scaled, out=out)(2.0, X, 3, np.zeros(3))
    with pytest.raises(ArgumentError, match="shares memory with an argument"):
        jacobian(p.norm, out=X)(X, 3)
    with pytest.raises(TypeError, match="does not pickle"):
        pickle.dumps(jacobian(p.square, out=out))


def test_the_default_is_the_attribute(p):
    assert em.jacobian(p.cube) is p.cube.jacobian
    assert "jacobian of cube" in repr(p.cube.jacobian)
    again = pickle.loads(pickle.dumps(em.jacfwd(p.scaled, wrt="x", outputs="y")))
    assert np.allclose(again(2.0, X, 3, np.zeros(3)), 2 * np.eye(3))
    with pytest.raises(ArgumentError, match="takes a C function"):
        em.jacobian(abs)

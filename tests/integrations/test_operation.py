"""Operations without any framework: values, products of all kinds, batches, shapes, and what is refused."""

from __future__ import annotations

import importlib
import pickle

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.errors import ArgumentError, CompileError, EnzymeError
from enzyme_magic.integrations.files import file_operation
from enzyme_magic.integrations.operation import operation
from tests.integrations.frameworks import framework

LAYER = """
double layer(size_t n, size_t m, const double A[n][m], const double x[m], double y[n], double h, double *st, int k) {
    double e = 0;
    for (size_t i = 0; i < n; i++) {
        double s = 0;
        for (size_t j = 0; j < m; j++) s += A[i][j]*x[j];
        y[i] = tanh(h*s);
        e += y[i];
    }
    for (int i = 0; i < k; i++) st[i] = st[i]*st[i]*h;
    return e;
}
"""


@pytest.fixture(scope="module")
def layer():
    return operation(em.compile_c(LAYER)["layer"], shape={"st": "k"})


@pytest.fixture
def inputs():
    return [np.arange(6.0).reshape(2, 3) / 7, np.array([0.1, 0.2, 0.3]), np.array(0.5), np.array([1.0, 2.0])]


def directions(arrays, seed=0):
    random = np.random.default_rng(seed)
    return [np.asarray(random.standard_normal(array.shape)) for array in arrays]


def moved(arrays, along, step):
    return [np.asarray(a + step * t) for a, t in zip(arrays, along, strict=True)]


def slope(op, arrays, along, step=1e-6):
    up, down = op(moved(arrays, along, step), {}), op(moved(arrays, along, -step), {})
    return [(a - b) / (2 * step) for a, b in zip(up, down, strict=True)]


def test_values_are_those_of_c_and_inputs_stay(layer, inputs):
    before = [array.copy() for array in inputs]
    y, st, result = layer(inputs, {})
    A, x, h, s = before
    np.testing.assert_allclose(y, np.tanh(h * (A @ x)), rtol=1e-14)
    np.testing.assert_array_equal(st, s * s * h)
    assert result == pytest.approx(y.sum(), rel=1e-14)
    layer.vjp([*inputs, y, st, result], {})
    for array, old in zip(inputs, before, strict=True):
        np.testing.assert_array_equal(array, old)


@pytest.mark.parametrize("path", ["", "v", "j", "vj", "vv", "jv", "jj"])
def test_products_agree_with_differences_and_with_each_other(layer, inputs, path):
    op, arrays = layer, inputs
    for letter in path:
        extra = directions(op(arrays, {}) if letter == "v" else arrays, 1)
        arrays = [*arrays, *extra]
        op = op.vjp if letter == "v" else op.jvp
    along = directions(arrays, 2)
    tangents = op.jvp([*arrays, *along], {})
    for tangent, expected in zip(tangents, slope(op, arrays, along), strict=True):
        np.testing.assert_allclose(tangent, expected, rtol=2e-7, atol=2e-7)
    weights = directions(tangents, 3)
    gradients = op.vjp([*arrays, *weights], {})
    forward = sum(np.vdot(w, t) for w, t in zip(weights, tangents, strict=True))
    assert sum(np.vdot(g, a) for g, a in zip(gradients, along, strict=True)) == pytest.approx(forward, rel=1e-11)


def test_a_batch_is_the_examples_one_by_one(layer, inputs):
    A, x, h, st = inputs
    xs = np.stack([x, 2 * x, -x, x + 1])
    shared = [np.broadcast_to(A, (4, 2, 3)), xs, np.broadcast_to(h, (4,)), np.broadcast_to(st, (4, 2))]
    together = layer(shared, {}, 1)
    for b in range(4):
        for whole, one in zip(together, layer([A, xs[b], h, st], {}), strict=True):
            np.testing.assert_array_equal(whole[b], one)
    assert [out.shape for out in layer([a[:0] for a in shared], {}, 1)] == [(0, 2), (0, 2), (0,)]
    two = [np.stack([a, a]) for a in shared]
    np.testing.assert_array_equal(layer(two, {}, 2)[0][1], together[0])


def test_a_transposed_input_is_read_in_its_own_order(layer, inputs):
    A, x, h, st = inputs
    np.testing.assert_array_equal(layer([np.asfortranarray(A), x, h, st], {})[0], layer(inputs, {})[0])


def test_constants_have_no_derivative_slot():
    source = "void f(const double *x, const double *w, const int *k, size_t n, double *y)"
    source += "{ for (size_t i = 0; i < n; i++) y[i] = w[i]*x[k[i]]; }"
    shape = {"x": "n", "w": "n", "k": "n", "y": "n"}
    op = operation(em.compile_c(source, activity={"w": "const"}, shape=shape)["f"])
    assert [slot.active for slot in op.inputs] == [True, False, False]
    x, w, k = np.array([1.0, 2.0]), np.array([3.0, 4.0]), np.array([1, 1], np.int32)
    np.testing.assert_array_equal(op([x, w, k], {})[0], [6.0, 8.0])
    (g,) = op.vjp([x, w, k, np.ones(2)], {})
    np.testing.assert_array_equal(g, [0.0, 7.0])


def test_single_precision_stays_single():
    op = operation(em.compile_c("float f(const float *x, int n) { return x[0]*x[n-1]; }", shape={"x": "n"})["f"])
    x = np.array([2.0, 3.0], np.float32)
    assert op([x], {})[0].dtype == np.float32
    (g,) = op.vjp([x, np.array(1, np.float32)], {})
    assert g.dtype == np.float32
    np.testing.assert_array_equal(g, [3.0, 2.0])


FILE = "#include <stddef.h>\nvoid f(float *inp, size_t n, float *out) { for (size_t i = 0; i < n; i++) out[i] += inp[i]*inp[i]; }\n"


def test_a_file_is_a_layer_with_zeroed_output(tmp_path):
    path = tmp_path / "test.c"
    path.write_text(FILE)
    op = file_operation(path, "f")
    assert file_operation(path, "f") is op
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    np.testing.assert_array_equal(op([x], {})[0], x * x)
    ct = np.full_like(x, 2)
    np.testing.assert_array_equal(op.vjp([x, ct], {})[0], 4 * x)
    np.testing.assert_array_equal(ct, np.full_like(x, 2))


def test_a_file_is_compiled_again_when_it_or_what_it_includes_has_changed(tmp_path):
    path, header = tmp_path / "test.c", tmp_path / "factor.h"
    x = np.array([1.0, 2.0], np.float32)
    header.write_text("#define FACTOR 2")
    path.write_text('#include "factor.h"\n' + FILE.replace("inp[i]*inp[i]", "FACTOR*inp[i]"))
    first = file_operation(path, "f")
    np.testing.assert_array_equal(first([x], {})[0], 2 * x)
    assert file_operation(path, "f") is first
    header.write_text("#define FACTOR 3.5")
    np.testing.assert_array_equal(file_operation(path, "f")([x], {})[0], np.float32(3.5) * x)
    path.write_text(path.read_text().replace("FACTOR*", "10*FACTOR*"))
    second = file_operation(path, "f")
    np.testing.assert_array_equal(second.vjp([x, np.ones_like(x)], {})[0], [35.0, 35.0])
    assert file_operation(path, "f") is second


def test_a_gradient_in_the_file_is_used(tmp_path):
    path = tmp_path / "test.c"
    path.write_text(
        FILE
        + "void diffef(float *x, float *dx, size_t n, float *out, float *dout)"
        + "{ for (size_t i = 0; i < n; i++) { dx[i] += 10*dout[i]*x[i]; dout[i] = 0; } }"
    )
    op = file_operation(path, "f")
    x, ct = np.array([1.0, 2.0], np.float32), np.array([1.0, 3.0], np.float32)
    np.testing.assert_array_equal(op.vjp([x, ct], {})[0], [10.0, 60.0])  # theirs, not the true one
    np.testing.assert_array_equal(ct, [1.0, 3.0])
    np.testing.assert_array_equal(op.vjp.jvp([x, ct, x, ct], {})[0], [20.0, 120.0])


def test_a_gradient_in_the_file_that_only_asks_for_it(tmp_path):
    path = tmp_path / "test.c"
    ask = "__enzyme_autodiff(f, enzyme_dup, x, dx, enzyme_const, n, enzyme_dup, out, dout);"
    path.write_text(FILE + f"void diffef(float *x, float *dx, size_t n, float *out, float *dout) {{ {ask} }}")
    op = file_operation(path, "f")
    x, ct = np.array([1.0, 2.0], np.float32), np.array([1.0, 3.0], np.float32)
    np.testing.assert_array_equal(op.vjp([x, ct], {})[0], [2.0, 12.0])
    np.testing.assert_array_equal(op.vjp.jvp([x, ct, x, 0 * ct], {})[0], [2.0, 12.0])


def test_an_output_shape_of_its_own(tmp_path):
    path = tmp_path / "sum.c"
    path.write_text(
        "void total(const double *x, long n, double *s) { for (long i = 0; i < n; i++) s[0] += x[i]*x[i]; }"
    )
    op = file_operation(path, "total", (1,))
    x = np.array([1.0, 2.0, 3.0])
    np.testing.assert_array_equal(op([x], {})[0], [14.0])
    np.testing.assert_array_equal(op.vjp([x, np.ones(1)], {})[0], 2 * x)


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("int f(double x) { return x > 0; }", "EM603"),
        ("void f(int *k) { k[0] = 1; }", "EM603"),
        ("struct s { double x; }; double f(struct s *p) { return p->x; }", "EM603"),
        ("double f(double **x) { return x[0][0]; }", "EM313"),
        ("void f(void) {}", "EM603"),
    ],
)
def test_signatures_that_are_no_operation(source, code):
    with pytest.raises(ArgumentError) as caught:
        operation(em.compile_c(source)["f"])
    assert caught.value.code == code


def test_bad_input_names_the_parameter(layer, inputs, tmp_path):
    A, x, h, st = inputs
    for arrays, code, name in [
        ([A.astype(np.float32), x, h, st], "EM602", "A must be float64"),
        ([A, x[:2], h, st], "EM311", "m would be"),
        ([A, x, np.ones(3), st], "EM604", "h is one number"),
        ([A, x, h], "EM301", "takes 4 arrays"),
    ]:
        with pytest.raises(ArgumentError, match=name) as caught:
            layer(arrays, {})
        assert caught.value.code == code
    with pytest.raises(ArgumentError, match="derivative of y has shape") as caught:
        layer.vjp([A, x, h, st, np.ones(3), st, np.array(1.0)], {})
    assert caught.value.code == "EM604"
    with pytest.raises(CompileError, match=r"missing\.c"):
        file_operation(tmp_path / "missing.c", "f")
    path = tmp_path / "other.c"
    path.write_text("double g(double x) { return x; }")
    with pytest.raises(ArgumentError) as caught:
        file_operation(path, "f")
    assert caught.value.code == "EM320"
    with pytest.raises(ArgumentError) as caught:
        file_operation(path, "g")
    assert caught.value.code == "EM603"


def test_an_axis_too_many_is_named_before_the_sizes_that_do_not_follow():
    source = "void f(int n, int m, const double A[n][m], double y[n]) { for (int i = 0; i < n; i++) y[i] = A[i][0]; }"
    rows = operation(em.compile_c(source)["f"])
    with pytest.raises(ArgumentError, match="has 2 dimensions, got an array of rank 3") as caught:
        rows.output_shapes([(1, 2, 3)], {})
    assert caught.value.code == "EM314"


def test_outputs_are_names():
    with pytest.raises(ArgumentError, match="outputs takes names, got 3") as caught:
        operation(em.compile_c("double f(double x) { return x; }")["f"], outputs=3)
    assert caught.value.code == "EM603"


def test_reading_beyond_an_undeclared_array_is_refused():
    op = operation(em.compile_c("void f(const double *x, int n, double *y) { for (int i = 0; i < n; i++) y[i] = x[i]; }")["f"],
                   out_shape=(3,))  # fmt: skip
    assert op([np.arange(3.0)], {"n": 3})[0].tolist() == [0, 1, 2]
    with pytest.raises(ArgumentError) as caught:
        op([np.arange(2.0)], {"n": 3})
    assert caught.value.code == "EM309"


def test_what_cannot_be_differentiated_raises():
    op = operation(em.compile_c("double unknown(double x); double f(double x) { return unknown(x); }")["f"])
    with pytest.raises(EnzymeError, match="unknown"):
        op.vjp([np.array(3.0), np.array(1.0)], {})


def test_operations_travel(layer, inputs):
    again = pickle.loads(pickle.dumps(layer))
    np.testing.assert_array_equal(again(inputs, {})[0], layer(inputs, {})[0])


@pytest.mark.parametrize("name", ["jax", "torch", "tensorflow"])
def test_a_misspelt_option_of_op_says_which_is_meant(name):
    framework(name)
    op = importlib.import_module(f"enzyme_magic.integrations.{name}").op
    p = em.compile_c("double f(int n, const double *x) { return n*x[0]; }")
    with pytest.raises(em.ArgumentError, match="did you mean shape="):
        op(p.f, shapes={"x": "n"})
    with pytest.raises(em.ArgumentError, match="shape of x cannot be"):
        op(p.f, shape={"x": None})

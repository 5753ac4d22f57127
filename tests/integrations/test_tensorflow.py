"""TensorFlow: exact values in eager mode and in graphs, and what is refused."""

from __future__ import annotations

import logging

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.errors import ArgumentError
from tests.integrations.frameworks import framework

tf = framework("tensorflow")

from enzyme_magic.integrations.tensorflow import enzyme, op  # noqa: E402

logging.getLogger("tensorflow").setLevel(logging.ERROR)  # autograph cannot read the lambdas below, and need not

CUBE = "void f(const double *x, size_t n, double *out) { for (size_t i = 0; i < n; i++) out[i] = x[i]*x[i]*x[i]*x[0]; }"
T = tf.constant([0.1, -0.2, 0.3], tf.float64)
ANY_LENGTH = [tf.TensorSpec([None], tf.float64)]


@pytest.fixture(scope="module")
def f():
    return op(em.compile_c(CUBE, shape={"x": "n", "out": "n"})["f"])


@pytest.fixture
def x():
    return tf.constant([1.5, 2.0, -3.0], tf.float64)


def reference(x):
    return x**3 * x[0]


def grad(function, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    return tape.gradient(y, x)


def push(function, x):
    with tf.autodiff.ForwardAccumulator(x, T) as accumulator:
        y = function(x)
    return accumulator.jvp(y)


def jacobian(function, x):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = function(x)
    return tape.jacobian(y, x)


def batch_jacobian(function, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    return tape.batch_jacobian(y, x)


def looped(function, x):
    return tf.while_loop(lambda k, y: k < 3, lambda k, y: (k + 1, tf.sin(function(y))), [tf.constant(0), x])[1]


TRANSFORMS = {
    "value": lambda g, x: g(x),
    "tape": lambda g, x: grad(g, x),
    "tape of tape": lambda g, x: grad(lambda y: grad(g, y), x),
    "accumulator": lambda g, x: push(g, x),
    "accumulator over tape": lambda g, x: push(lambda y: grad(g, y), x),
    "jacobian": lambda g, x: jacobian(g, x),
    "vectorized_map": lambda g, x: tf.vectorized_map(g, tf.stack([x, 2 * x])),
    "vectorized_map of tape": lambda g, x: tf.vectorized_map(lambda y: grad(g, y), tf.stack([x, 2 * x])),
    "map_fn": lambda g, x: tf.map_fn(g, tf.stack([x, 2 * x])),
    "function": lambda g, x: tf.function(lambda y: tf.sin(g(y)))(x),
    "tape in function": lambda g, x: tf.function(lambda y: grad(g, y))(x),
    "tape of tape in function": lambda g, x: tf.function(lambda z: grad(lambda y: grad(g, y), z))(x),
    "tape of function": lambda g, x: grad(tf.function(lambda y: g(y)), x),
    "function of any length": lambda g, x: tf.function(lambda y: g(y), input_signature=ANY_LENGTH)(x),
    "tape of any length": lambda g, x: tf.function(lambda y: grad(g, y), input_signature=ANY_LENGTH)(x),
    "tape of vectorized_map": lambda g, x: grad(lambda y: tf.vectorized_map(g, y), tf.stack([x, 2 * x])),
    "tape of tape of vectorized_map": lambda g, x: grad(
        lambda z: grad(lambda y: tf.vectorized_map(g, y), z), tf.stack([x, 2 * x])
    ),
    "batch_jacobian": lambda g, x: batch_jacobian(lambda y: tf.vectorized_map(g, y), tf.stack([x, 2 * x])),
    "tape of a loop in function": lambda g, x: grad(tf.function(lambda y: looped(g, y)), x),
    "tape of map_fn in function": lambda g, x: grad(tf.function(lambda y: tf.map_fn(g, y)), tf.stack([x, 2 * x])),
    "tape of a branch in function": lambda g, x: grad(
        tf.function(lambda y: tf.cond(y[0] > 0, lambda: g(y), lambda: y)), x
    ),
    "tape of a gather": lambda g, x: grad(lambda y: tf.gather(g(y), [0, 2, 2]), x),
    "tape of a gather in function": lambda g, x: tf.function(lambda z: grad(lambda y: tf.gather(g(y), [0, 2]), z))(x),
    "accumulator of function": lambda g, x: push(tf.function(lambda y: tf.sin(g(y))), x),
    "accumulator of a loop in function": lambda g, x: push(tf.function(lambda y: looped(g, y)), x),
    "accumulator in function": lambda g, x: tf.function(lambda y: push(lambda z: tf.sin(g(2 * z)), y))(x),
    "accumulator in a loop": lambda g, x: tf.function(lambda y: push(lambda z: looped(g, z), y))(x),
    "accumulator in a branch": lambda g, x: tf.function(lambda y: tf.cond(y[0] > 0, lambda: push(g, y), lambda: y))(x),
    "accumulator over tape in function": lambda g, x: tf.function(lambda y: push(lambda z: grad(g, z), y))(x),
    "accumulator over accumulator in function": lambda g, x: tf.function(lambda y: push(lambda z: push(g, z), y))(x),
    "accumulator of what is captured": lambda g, x: push(lambda y: tf.function(lambda: tf.sin(g(tf.exp(y))))(), x),
    "accumulator of vectorized_map": lambda g, x: push(lambda y: tf.vectorized_map(g, tf.stack([y, 2 * y])), x),
    "accumulator of vectorized_map in function": lambda g, x: tf.function(
        lambda z: push(lambda y: tf.vectorized_map(g, tf.stack([y, 2 * y])), z)
    )(x),
    "vectorized_map of accumulator": lambda g, x: tf.vectorized_map(lambda y: push(g, y), tf.stack([x, 2 * x])),
    "vectorized_map of vectorized_map": lambda g, x: tf.vectorized_map(
        lambda rows: tf.vectorized_map(g, rows), tf.stack([tf.stack([x, 2 * x]), tf.stack([3 * x, x])])
    ),
    "vectorized_map of any number": lambda g, x: tf.function(
        lambda rows: tf.vectorized_map(g, rows), input_signature=[tf.TensorSpec([None, None], tf.float64)]
    )(tf.stack([x, 2 * x])),
    "tape of vectorized_map of a shared input": lambda g, x: grad(
        lambda y: tf.vectorized_map(lambda k: k * g(y), tf.constant([1.0, 2.0, 3.0], tf.float64)), x
    ),
}


@pytest.mark.parametrize("name", TRANSFORMS)
def test_transforms_give_the_values_of_tensorflow(f, x, name):
    apply = TRANSFORMS[name]
    np.testing.assert_allclose(apply(f, x), apply(reference, x), rtol=1e-12)


def test_a_batch_is_one_call_of_c():
    """Weights are shared by the examples, and their gradients are sums over them; other nodes of Python stay as they were."""
    p = em.compile_c("""
double dot(int n, const double w[n], const double x[n]) {
    double s = 0;
    for (int i = 0; i < n; i++) s += w[i]*x[i]*x[i];
    return s;
}
""")
    g = op(p.dot)
    w, rows = tf.constant([1.0, -2.0], tf.float64), tf.reshape(tf.range(6, dtype=tf.float64), (3, 2))
    graph = tf.function(lambda w, rows: tf.vectorized_map(lambda x: g(w, x), rows)).get_concrete_function(w, rows).graph
    assert not any("While" in node.type for node in graph.get_operations())
    with tf.GradientTape() as tape:
        tape.watch(w)
        value = tf.vectorized_map(lambda x: g(w, x), rows)
    np.testing.assert_allclose(value, (rows.numpy() ** 2) @ w.numpy())
    np.testing.assert_allclose(tape.gradient(value, w), (rows.numpy() ** 2).sum(0))
    foreign = tf.vectorized_map(lambda x: tf.numpy_function(np.sum, [x], tf.float64), rows)
    np.testing.assert_allclose(foreign, rows.numpy().sum(1))


def test_xla_refuses(f, x):
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"XLA[\s\S]*f_is_C_called_by_Python"):
        tf.function(lambda y: f(y), jit_compile=True)(x)


def test_a_saved_model_refuses_when_it_is_saved(f, tmp_path):
    class Model(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec([3], tf.float64)])
        def __call__(self, x):
            return f(x)

    with pytest.raises(Exception, match=r"f is C code of this process, a SavedModel cannot hold it.*EM607"):
        tf.saved_model.save(Model(), str(tmp_path / "model"))


def test_constants_that_a_tape_watches(x):
    source = """double g(const double *x, const double *w, int n) {
        double s = 0;
        for (int i = 0; i < n; i++) s += x[i]*w[i];
        return s;
    }"""
    g = op(em.compile_c(source, activity={"w": "const"}, shape={"x": "n", "w": "n"})["g"])
    w = tf.Variable(2 * x)
    np.testing.assert_array_equal(grad(lambda x: g(x, tf.stop_gradient(w)), x), 2 * x)
    with pytest.raises(ArgumentError, match="w is watched by a tape") as caught:
        grad(lambda x: g(x, w), x)
    assert caught.value.code == "EM605"
    with pytest.raises(Exception, match="w is watched by a tape"):
        tf.function(lambda y: grad(lambda w: g(x, w), y))(x)


def test_memory_is_neither_written_nor_kept(f, x):
    upstream = tf.constant([1.0, 2.0, 3.0], tf.float64)
    before = [x.numpy().copy(), upstream.numpy().copy()]
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    tape.gradient(y, x, output_gradients=upstream)
    np.testing.assert_array_equal(x, before[0])
    np.testing.assert_array_equal(upstream, before[1])


def test_the_file_of_the_paper(tmp_path):
    path = tmp_path / "test.c"
    path.write_text(
        "void f(float *inp, size_t n, float *out) { for (size_t i = 0; i < n; i++) out[i] += inp[i]*inp[i]; }"
    )
    inp = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    found = grad(lambda inp: tf.sigmoid(enzyme(inp, filename=str(path), function="f")), inp)
    np.testing.assert_allclose(found, grad(lambda inp: tf.sigmoid(inp * inp), inp), rtol=1e-5)


def test_shapes_are_known_in_graphs(f):
    traced = tf.function(lambda y: f(y)).get_concrete_function(tf.TensorSpec([3], tf.float64))
    assert traced.output_shapes == [3]
    anything = tf.function(lambda y: f(y)).get_concrete_function(tf.TensorSpec([None], tf.float64))
    assert anything.output_shapes.as_list() == [None]
    batch = tf.keras.Input(batch_shape=(2, 3), dtype="float64")
    assert tf.keras.layers.Lambda(lambda examples: tf.map_fn(f, examples), dtype="float64")(batch).shape == (2, 3)


OPEN = """
void valid(size_t n, size_t k, const double x[n], const double w[k], double y[n - k + 1]) {
    for (size_t i = 0; i < n - k + 1; i++) {
        y[i] = 0;
        for (size_t j = 0; j < k; j++) y[i] += x[i + j]*w[j];
    }
}
void blocks(size_t n, const double x[n], double y[n/16]) { for (size_t i = 0; i < n/16; i++) y[i] = x[16*i]; }
"""


def test_a_size_is_known_in_a_graph_only_where_it_follows():
    program = em.compile_c(OPEN)
    valid, blocks = op(program.valid, outputs="y"), op(program.blocks)
    x, w, any_length = tf.range(64, dtype=tf.float64), tf.ones([3], tf.float64), tf.TensorSpec([None], tf.float64)

    @tf.function(input_signature=[any_length, any_length])
    def mean(x, w):
        y = valid(x, w)
        return tf.reduce_sum(y) / tf.cast(tf.size(y), tf.float64)

    np.testing.assert_allclose(mean(x, w), np.mean(np.convolve(x, w, "valid")), rtol=1e-12)
    assert tf.function(lambda x: blocks(x)).get_concrete_function(any_length).output_shapes.as_list() == [None]
    for chosen, shape in [
        (lambda shape: (min(shape[0] // 16, 1),), None),  # nobody knows
        (lambda shape: (shape[0] // 16, 2), [None, 2]),
        ((4,), [4]),
    ]:
        chosen_blocks = op(program.blocks, out_shape=chosen)
        found = tf.function(lambda x, g=chosen_blocks: g(x)).get_concrete_function(any_length).output_shapes
        assert (None if found.rank is None else found.as_list()) == shape


def test_an_error_in_a_keras_layer_has_its_code_and_hint(f, x):
    layer = tf.keras.layers.Lambda(lambda y: f(y))  # of float32
    with pytest.raises(ArgumentError, match="x must be float64, got float32") as caught:
        layer(x)
    assert caught.value.code == "EM602"
    assert "convert x" in str(caught.value)


def test_keras_infers_what_follows_from_the_declarations():
    source = """void dense(size_t b, size_t n, size_t m, const double W[n][m], const double x[b][m], double y[b][n]) {
        for (size_t k = 0; k < b; k++)
            for (size_t i = 0; i < n; i++) {
                double s = 0;
                for (size_t j = 0; j < m; j++) s += W[i][j]*x[k][j];
                y[k][i] = tanh(s);
            }
    }"""
    dense = op(em.compile_c(source)["dense"])

    class Dense(tf.keras.layers.Layer):
        def build(self, shape):
            self.W = self.add_weight(shape=(4, shape[-1]), dtype="float64", initializer="ones")

        def call(self, x):
            return dense(self.W, x)

    model = tf.keras.Sequential(
        [tf.keras.Input((3,), dtype="float64"), Dense(dtype="float64"), tf.keras.layers.Dense(2)]
    )
    assert model.layers[0].output.shape == (None, 4)
    assert model.output_shape == (None, 2)
    model.compile("sgd", "mse")
    losses = model.fit(np.ones((8, 3)), np.ones((8, 2)), epochs=3, verbose=0).history["loss"]
    assert losses[-1] < losses[0]


def test_several_inputs_and_outputs(x):
    source = """double dense(size_t n, size_t m, const double W[n][m], const double x[m], double b, double y[n]) {
        double e = 0;
        for (size_t i = 0; i < n; i++) {
            double s = b;
            for (size_t j = 0; j < m; j++) s += W[i][j]*x[j];
            y[i] = s*s;
            e += s;
        }
        return e;
    }"""
    dense = op(em.compile_c(source)["dense"])
    W = tf.reshape(tf.range(6, dtype=tf.float64), (2, 3))
    with tf.GradientTape() as tape:
        tape.watch([W, x])
        out = dense(W, x, 0.5)
        y = 2 * tf.reduce_sum(out.y) + out.result
    with tf.GradientTape() as theirs:
        theirs.watch([W, x])
        s = tf.linalg.matvec(W, x) + 0.5
        expected = 2 * tf.reduce_sum(s * s) + tf.reduce_sum(s)
    for got, wanted in zip(tape.gradient(y, [W, x]), theirs.gradient(expected, [W, x]), strict=True):
        np.testing.assert_allclose(got, wanted, rtol=1e-13)


def test_bad_input(f, x):
    for value, message in [
        (tf.cast(x, tf.float32), "x must be float64, got float32"),
        (tf.cast(x, tf.float16), "x must be float64, got float16"),
        (tf.sparse.from_dense(x), "x is a SparseTensor"),
        (None, "x must be a tensor, got NoneType"),
        (tf.keras.Input((3,), dtype="float64"), "x is a KerasTensor"),
    ]:
        with pytest.raises(ArgumentError, match=message) as caught:
            f(value)
        assert caught.value.code == "EM602"
    with pytest.raises(Exception, match="x must be float64"):
        tf.function(lambda y: f(y))(tf.cast(x, tf.float32))
    with pytest.raises(ArgumentError, match="takes 1 inputs"):
        f(x, x)


ORDERED = """
double said(double x) { printf("%g\\n", x); return x*x; }
static double kept;
double remembers(double x) { kept += x; return kept*x; }
double now(double x) { return kept*x; }
"""


def test_calls_that_have_an_order_are_neither_merged_nor_dropped(capfd):
    program = em.compile_c(ORDERED)
    said, remembers, now = op(program.said), op(program.remembers), op(program.now)

    def calls(x):
        remembers(x)  # nobody uses what it gives
        first = now(x)
        return first, remembers(x) + said(x) + said(x), now(x)

    x, kept = tf.constant(2.0, tf.float64), 0.0
    for call in (calls, tf.function(calls, autograph=False)):
        first, kept = kept + 2, kept + 4
        assert [value.numpy() for value in call(x)] == [first * 2, kept * 2 + 8, kept * 2]
    assert program.now(1.0) == kept
    start = (tf.constant(0), tf.constant(0.0, tf.float64))

    def summed(x):
        return tf.while_loop(lambda k, _: k < 3, lambda k, c: (k + 1, c + remembers(x)), start)[1]

    total = tf.function(summed, autograph=False)(tf.constant(1.0, tf.float64))
    assert total.numpy() == sum(kept + k for k in (1, 2, 3))
    assert capfd.readouterr().out == "2\n" * 4

    def slope(f):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        return tape.gradient(y, x).numpy()

    assert slope(said) == 4.0
    with pytest.raises(em.DifferentiationError, match="earlier calls of it") as caught:
        slope(remembers)
    assert caught.value.code == "EM608"


def test_masked_arrays_are_refused(f):
    with pytest.raises(ArgumentError, match="x: elements of this array are masked") as caught:
        f(np.ma.array([1.0, 2.0], mask=[False, True]))
    assert caught.value.code == "EM338"


COUNTED = """
static long calls;
static double seen[16];
double counted(double x) { seen[calls++ % 16] = x; return x*x; }
long taken(double last[16]) { long n = calls; for (int i = 0; i < 16; i++) last[i] = seen[i]; calls = 0; return n; }
"""


def _vectorized(f, x):
    return tf.vectorized_map(f, x)


@pytest.mark.parametrize(
    "call",
    [
        _vectorized,
        tf.function(_vectorized),
        lambda f, x: tf.vectorized_map(tf.function(f), x),
        lambda f, x: tf.function(lambda rows: tf.vectorized_map(lambda row: (f(row), 0 * row)[1], rows))(x),
        lambda f, x: tf.vectorized_map(lambda row: tf.cond(row > 1.5, lambda: f(row), lambda: row), x),
        lambda f, x: tf.vectorized_map(lambda rows: tf.vectorized_map(f, rows), tf.stack([x, x])),
    ],
)
def test_effects_are_not_vectorized(call):
    """The node that vectorized_map starts from was run besides: one call too many, or the only one where nobody used it."""
    p = em.compile_c(COUNTED)
    f, x, last = op(p.counted), tf.constant([1.0, 2.0, 3.0], tf.float64), np.zeros(16)
    with pytest.raises(Exception, match="counted prints or writes variables") as caught:
        call(f, x)
    assert "EM609" in str(caught.value)
    assert p.taken(last) == 0
    mapped = tf.function(lambda rows: tf.map_fn(f, rows))
    for _ in range(2):
        assert np.array_equal(mapped(x), [1, 4, 9])
        assert p.taken(last) == 3
        assert list(last[:3]) == [1, 2, 3]


def test_effects_in_a_graph_that_was_made_before_are_not_vectorized():
    p = em.compile_c(COUNTED)
    traced, last = tf.function(op(p.counted)), np.zeros(16)
    assert traced(tf.constant(2.0, tf.float64)) == 4
    assert p.taken(last) == 1
    with pytest.raises(Exception, match="counted prints or writes variables"):
        tf.vectorized_map(traced, tf.constant([1.0, 2.0], tf.float64))
    assert p.taken(last) == 0

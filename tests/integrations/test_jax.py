"""JAX: exact values under every transform and their nests, the handler and the callback, what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.errors import ArgumentError
from tests.integrations.frameworks import framework

jax = framework("jax")
jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp  # noqa: E402
from jax.experimental import jet  # noqa: E402
from jax.test_util import check_grads  # noqa: E402

from enzyme_magic.integrations import jax as ours  # noqa: E402

CUBE = "void f(const double *x, size_t n, double *out) { for (size_t i = 0; i < n; i++) out[i] = x[i]*x[i]*x[i]*x[0]; }"
T = np.array([0.1, -0.2, 0.3])


@pytest.fixture(scope="module")
def f():
    return ours.op(em.compile_c(CUBE, shape={"x": "n", "out": "n"})["f"])


@pytest.fixture
def x():
    return jnp.array([1.5, 2.0, -3.0])


def reference(x):
    return x**3 * x[0]


def total(function):
    return lambda x: function(x).sum()


def scanned(function):
    return lambda x: jax.lax.scan(lambda c, _: (jnp.sin(function(c)), None), x, None, length=3)[0].sum()


TRANSFORMS = {
    "value": lambda g, x: g(x),
    "jit": lambda g, x: jax.jit(g)(x),
    "jvp": lambda g, x: jax.jvp(g, (x,), (T,))[1],
    "linearize": lambda g, x: jax.linearize(g, x)[1](T),
    "vjp": lambda g, x: jax.vjp(g, x)[1](T)[0],
    "jit of grad": lambda g, x: jax.jit(jax.grad(total(g)))(x),
    "vmap": lambda g, x: jax.vmap(g, in_axes=1)(jnp.stack([x, 2 * x], 1)),
    "vmap of grad": lambda g, x: jax.vmap(jax.grad(total(g)))(jnp.stack([x, 2 * x])),
    "grad of vmap": lambda g, x: jax.grad(lambda x: jax.vmap(lambda s: g(s * x))(T).sum())(x),
    "hessian": lambda g, x: jax.hessian(total(g))(x),
    "jacrev of jacrev": lambda g, x: jax.jacrev(jax.jacrev(g))(x),
    "jacfwd of jacfwd": lambda g, x: jax.jacfwd(jax.jacfwd(g))(x),
    "jacrev of jacfwd": lambda g, x: jax.jacrev(jax.jacfwd(g))(x),
    "grad through scan": lambda g, x: jax.grad(scanned(g))(x),
    "checkpoint": lambda g, x: jax.grad(jax.checkpoint(total(g)))(x),
    "linear transpose": lambda g, x: jax.linear_transpose(lambda t: jax.jvp(g, (x,), (t,))[1], x)(T)[0],
}


@pytest.mark.parametrize("name", TRANSFORMS)
def test_transforms_give_the_values_of_jax(f, x, name):
    apply = TRANSFORMS[name]
    np.testing.assert_allclose(apply(f, x), apply(reference, x), rtol=1e-12)


def test_check_grads(f, x):
    check_grads(f, (x,), order=2)
    check_grads(jax.jit(f), (x,), order=2)


def test_several_inputs_and_outputs():
    source = """double dense(size_t n, size_t m, const double W[n][m], const float x[m], double b, double y[n]) {
        double e = 0;
        for (size_t i = 0; i < n; i++) {
            double s = b;
            for (size_t j = 0; j < m; j++) s += W[i][j]*x[j];
            y[i] = s*s;
            e += s;
        }
        return e;
    }"""
    dense = ours.op(em.compile_c(source)["dense"])
    W, x, b = jnp.arange(6.0).reshape(2, 3), jnp.array([0.5, -1, 2], jnp.float32), 0.25

    def mine(W, x, b):
        out = dense(W, x, b)
        return 2 * out.y.sum() + out.result

    def theirs(W, x, b):
        s = W @ x + b
        return 2 * (s * s).sum() + s.sum()

    for got, expected in zip(jax.grad(mine, (0, 1, 2))(W, x, b), jax.grad(theirs, (0, 1, 2))(W, x, b), strict=True):
        assert got.dtype == expected.dtype
        np.testing.assert_allclose(got, expected, rtol=1e-6)
    y, e = jax.vmap(dense, in_axes=(None, 0, None))(W, jnp.stack([x, x]), b)
    assert (y.shape, e.shape) == ((2, 2), (2,))


LAYER = """void layer(int m, int n, const double W[m][n], const double x[n], double y[m]) {
    for (int i = 0; i < m; i++) {
        y[i] = 0;
        for (int k = 0; k < n; k++) y[i] += W[i][k]*x[k];
        y[i] = tanh(y[i]);
    }
}"""


@pytest.fixture(scope="module")
def layer():
    return ours.op(em.compile_c(LAYER)["layer"])


def over_examples(f):
    return jax.vmap(f, (None, 0))


def of_weights(f):
    return jax.grad(lambda w, x: (over_examples(f)(w, x) ** 2).sum(), (0, 1))


def per_example(f):
    return over_examples(jax.grad(lambda w, x: f(w, x).sum(), (0, 1)))


SHARED = {
    "vmap": over_examples,
    "jit": lambda f: jax.jit(over_examples(f)),
    "twice": lambda f: lambda w, x: jax.vmap(over_examples(f), (0, None))(jnp.stack([w, 2 * w]), x),
    "shared in both": lambda f: lambda w, x: jax.vmap(over_examples(f), (None, 0))(w, jnp.stack([x, 2 * x])),
    "gradient": of_weights,
    "jit of the gradient": lambda f: jax.jit(of_weights(f)),
    "of each example": per_example,
    "of each, twice": lambda f: lambda w, x: jax.vmap(per_example(f), (0, None))(jnp.stack([w, 2 * w]), x),
    "hessian": lambda f: jax.hessian(lambda w, x: (over_examples(f)(w, x) ** 2).sum(), (0, 1)),
    "linearized": lambda f: lambda w, x: jax.linearize(lambda v: over_examples(f)(v, x), w)[1](w * w),
    "jacobian": lambda f: over_examples(jax.jacrev(f, (0, 1))),
}


@pytest.mark.parametrize("name", [pytest.param(n, marks=[pytest.mark.nightly] * (n == "hessian")) for n in SHARED])
def test_what_examples_share_is_as_in_jax(layer, name):
    w, x = np.random.default_rng(0).normal(size=(3, 4)), np.random.default_rng(1).normal(size=(5, 4))
    for examples in (5, 1, 0) if name == "vmap" else (5, 1):
        given = SHARED[name](layer)(w, x[:examples])
        wanted = SHARED[name](lambda w, x: jnp.tanh(w @ x))(w, x[:examples])
        for mine, theirs in zip(jax.tree.leaves(given), jax.tree.leaves(wanted), strict=True):
            assert mine.shape == theirs.shape
            np.testing.assert_allclose(mine, theirs, rtol=1e-12, atol=1e-13)


def test_what_examples_share_is_not_copied(layer):
    w, x = np.ones((64, 64)), np.ones((10_000, 64))
    compiled = jax.jit(over_examples(layer)).lower(w, x).compile()
    assert compiled.memory_analysis().temp_size_in_bytes < 2 * x.nbytes  # 328 MB for a copy of w for each


def test_gradients_of_what_examples_share_are_added_up_in_c(layer):
    w, x = np.ones((64, 64)), np.ones((2_000, 64))

    def loss(w, x):
        return over_examples(layer)(w, x).sum()

    def along(w, x):
        return jax.jvp(jax.grad(loss), (w, x), (w, x))[1]

    def of_each(w, x):
        return jax.vmap(jax.grad(lambda w, x: layer(w, x).sum(), 1), (None, 0))(w, x)

    for made in (jax.grad(loss), jax.grad(loss, 1), along, of_each):
        compiled = jax.jit(made).lower(w, x).compile()
        assert compiled.memory_analysis().temp_size_in_bytes < 4 * x.nbytes  # 66 MB for a gradient of w for each


SUMMED = """
void layer(int m, int n, const double W[m][n], const double x[n], const double b[m], double y[m]) {
    for (int i = 0; i < m; i++) {
        y[i] = b[i];
        for (int k = 0; k < n; k++) y[i] += W[i][k]*x[k];
        y[i] = tanh(y[i]);
    }
}
float weighted(const float w, float x) { return w*x*x; }
"""


def test_sums_of_gradients_under_other_transforms():
    p = em.compile_c(SUMMED, activity={"b": "const"})
    mine, theirs = ours.op(p.layer), lambda w, x, b: jnp.tanh(b + w @ x)
    w, x = np.random.default_rng(0).normal(size=(3, 4)), np.random.default_rng(1).normal(size=(5, 4))
    b = np.linspace(-1, 1, 3)

    def loss(f):
        return lambda w, x: (jax.vmap(f, (None, 0, None))(w, x, b) ** 2).sum()

    def scanned(f):
        return lambda w, x: jax.lax.scan(lambda s, v: (s + jax.grad(loss(f))(w, v), s), w, jnp.stack([x, 2 * x]))[0]

    made = {
        "gradient": lambda f: jax.grad(loss(f)),
        "of each of several weights": lambda f: (
            lambda w, x: jax.vmap(jax.grad(loss(f)), (0, None))(jnp.stack([w, 2 * w]), x)
        ),
        "twice": lambda f: jax.grad(lambda w, x: (jax.grad(loss(f))(w, x) ** 2).sum()),
        "forward over reverse": lambda f: lambda w, x: jax.jvp(jax.grad(loss(f)), (w, x), (w, x))[1],
        "checkpoint": lambda f: jax.grad(jax.checkpoint(loss(f))),
        "scan": scanned,
        "transposed twice": lambda f: (
            lambda w, x: jax.linear_transpose(
                lambda c: jax.vjp(lambda w: jax.vmap(f, (None, 0, None))(w, x, b), w)[1](c)[0], jnp.zeros((len(x), 3))
            )(w)
        ),
    }
    for name, of in made.items():
        for examples in (5, 1, 0):
            for how in (jax.jit, lambda f: f):
                given, wanted = how(of(mine))(w, x[:examples]), of(theirs)(w, x[:examples])
                for value, other in zip(jax.tree.leaves(given), jax.tree.leaves(wanted), strict=True):
                    np.testing.assert_allclose(value, other, rtol=1e-12, atol=1e-12, err_msg=name)
    many = np.full(100_000, 0.1, np.float32)
    total = jax.jit(jax.grad(lambda w: jax.vmap(ours.op(p.weighted), (None, 0))(w, many).sum()))(np.float32(1))
    np.testing.assert_allclose(total, np.sum(many.astype(float) ** 2), rtol=1e-6)  # added up in double


def test_the_call_has_no_python_in_it(f, x):
    text = jax.jit(f).lower(x).as_text()
    assert "enzyme_magic.f" in text
    assert "callback" not in text


LEAVING = """
double root(double x) { if (x < 0) exit(3); return sqrt(x); }
double chain(const double *x, long n) { double s = 1; for (long k = 0; k < n; k++) s = sin(s)*x[0]; return s; }
"""
ORDERED = """
double said(double x) { printf("%g\\n", x); return x*x; }
static double kept;
double remembers(double x) { kept += x; return kept*x; }
"""


def test_functions_that_may_leave_tell_xla(x):
    leaving = em.compile_c(LEAVING)
    root, chain = ours.op(leaving.root), ours.op(leaving.chain)
    assert jax.jit(jax.grad(root))(4.0) == 0.25
    for call in (root, jax.jit(root), jax.jit(jax.grad(root))):
        assert "callback" not in jax.jit(call).lower(4.0).as_text()
        with pytest.raises(Exception, match=r"exit\(3\) called.*EM401"):
            jax.block_until_ready(call(-1.0))
    gradient = jax.jit(jax.grad(chain), static_argnames="n")
    assert "callback" not in gradient.lower(x, n=5).as_text()
    first = gradient(x, n=100)
    with pytest.raises(Exception, match="tape limit"):
        jax.block_until_ready(gradient(x, n=10**11))
    np.testing.assert_array_equal(gradient(x, n=100), first)


def test_functions_that_print_or_remember_go_through_python():
    ordered = em.compile_c(ORDERED)
    said, remembers = ours.op(ordered.said), ours.op(ordered.remembers)
    for call in (said, remembers):
        assert "callback" in jax.jit(call).lower(3.0).as_text()
    assert jax.jit(said)(3.0) == 9.0


def test_calls_that_have_an_order_are_neither_merged_nor_dropped(capfd):
    program = em.compile_c(ORDERED + "double now(double x) { return kept*x; }")
    said, remembers, now = ours.op(program.said), ours.op(program.remembers), ours.op(program.now)

    def calls(x):
        remembers(x)
        first = now(x)
        return first, remembers(x) + said(x) + said(x), now(x)

    for k, call in enumerate((calls, jax.jit(calls))):
        np.testing.assert_array_equal(call(2.0), [4 + 8 * k, (8 + 8 * k) + 8, 8 + 8 * k])
    assert program.now(1.0) == 8.0
    total, _ = jax.jit(lambda x: jax.lax.scan(lambda c, _: (c + remembers(x), None), 0.0, None, length=3))(1.0)
    assert total == 9 + 10 + 11
    jax.effects_barrier()
    assert capfd.readouterr().out == "2\n" * 4
    assert jax.jit(jax.grad(said))(3.0) == 6.0
    with pytest.raises(em.DifferentiationError, match="earlier calls of it") as caught:
        jax.grad(remembers)(3.0)
    assert caught.value.code == "EM608"


def test_bad_input(f, x):
    with pytest.raises(ArgumentError, match="x must be float64, got float32") as caught:
        f(x.astype(jnp.float32))
    assert caught.value.code == "EM602"
    with pytest.raises(ArgumentError, match="x must be float64"):
        jax.jit(f)(x.astype(jnp.float32))
    with pytest.raises(ArgumentError, match="takes 1 inputs"):
        f(x, x)


def test_bad_input_in_traces(x):
    source = """void dense(size_t n, size_t m, const double W[n][m], const double x[m], double y[n]) {
        for (size_t i = 0; i < n; i++) { double s = 0; for (size_t j = 0; j < m; j++) s += W[i][j]*x[j]; y[i] = s; }
    }
    void first(const double *x, int n, double *y) { for (int i = 0; i < n; i++) y[i] = x[i]; }"""
    program = em.compile_c(source)
    dense, first = ours.op(program.dense), ours.op(program.first, out_shape=(3,))
    for wrap in (lambda f: f, jax.jit, jax.vmap):
        with pytest.raises(ArgumentError, match="m would be 2 by W and 3 by x"):
            wrap(lambda x: dense(jnp.ones((2, 2)), x))(x if wrap is not jax.vmap else x[None])
    for call in (lambda x: first(x, n=3), jax.jit(lambda x: first(x, n=3))):
        with pytest.raises(ArgumentError, match="x needs at least n = 3 elements, got 2"):
            call(x[:2])
        np.testing.assert_array_equal(call(x), x)
    with pytest.raises(ArgumentError, match="n is traced") as caught:
        jax.jit(lambda n: first(x, n=n))(3)
    assert caught.value.code == "EM604"
    for value in (None, "no", jax.random.key(0)):
        with pytest.raises(ArgumentError, match="x must be float64, got") as caught:
            first(value, n=3)
        assert caught.value.code == "EM602"


def test_a_gradient_for_a_constant(x):
    source = """double f(const double *x, const double *w, int n) {
        double s = 0;
        for (int i = 0; i < n; i++) s += x[i]*w[i];
        return s;
    }"""
    g = ours.op(em.compile_c(source, activity={"w": "const"}, shape={"x": "n", "w": "n"})["f"])
    np.testing.assert_array_equal(jax.grad(g)(x, 2 * x), 2 * x)
    with pytest.raises(ArgumentError, match="w has a tangent") as caught:
        jax.grad(g, 1)(x, x)
    assert caught.value.code == "EM605"
    with pytest.raises(ArgumentError, match="w has a tangent"):
        jax.jvp(lambda w: g(x, w), (x,), (x,))


def test_a_file(tmp_path):
    path = tmp_path / "test.c"
    path.write_text(
        "void f(float *inp, size_t n, float *out) { for (size_t i = 0; i < n; i++) out[i] += inp[i]*inp[i]; }"
    )
    x = jnp.arange(4, dtype=jnp.float32).reshape(2, 2)
    np.testing.assert_array_equal(jax.grad(lambda x: ours.enzyme(path, "f")(x).sum())(x), 2 * x)


OPEN = """
void f(int n, const double x[n], double out[n]) { for (int i = 0; i < n; i++) out[i] = x[i]*x[i]*x[i]*x[0]; }
void dense(int n, int m, const double W[n][m], const double x[m], double y[n]) {
    for (int i = 0; i < n; i++) { y[i] = 0; for (int j = 0; j < m; j++) y[i] += W[i][j]*sin(x[j]); }
}
void twice(int n, const double x[n], double y[2*n]) { for (int i = 0; i < n; i++) y[2*i] = y[2*i + 1] = x[i]*x[i]; }
void pairs(int n, const double x[2*n], double y[n]) { for (int i = 0; i < n; i++) y[i] = x[2*i]*x[2*i + 1]; }
double said(int n, const double x[n]) { printf("%g\\n", x[0]); return x[0]; }
"""


def spec(text):
    return jax.ShapeDtypeStruct(jax.export.symbolic_shape(text), jnp.float64)


def test_sizes_that_jax_export_leaves_open():
    """One saved function for all sizes, its vjp too: against JAX's own."""
    p = em.compile_c(OPEN)
    f, dense, twice, pairs, said = (ours.op(p[name]) for name in ("f", "dense", "twice", "pairs", "said"))
    n, m, b = jax.export.symbolic_shape("n, m, b")
    matrix, vectors = (jax.ShapeDtypeStruct(shape, jnp.float64) for shape in ((n, m), (b, m)))

    def layer(W, x):
        return W @ jnp.sin(x)

    rng = np.random.default_rng(0)
    for mine, theirs, specs, sizes in (
        (jax.vmap(f), jax.vmap(reference), [spec("b, n")], [[(1, 4)], [(5, 2)]]),
        (
            jax.vmap(dense, (None, 0)),
            jax.vmap(layer, (None, 0)),
            [matrix, vectors],
            [[(3, 2), (5, 2)], [(1, 4), (1, 4)]],
        ),
        (twice, lambda x: jnp.repeat(x * x, 2), [spec("n")], [[(3,)], [(1,)]]),
    ):
        saved = jax.export.export(jax.jit(mine))(*specs).serialize(vjp_order=1)
        loaded = jax.export.deserialize(saved).call
        for shapes in sizes:
            given = [rng.normal(size=shape) for shape in shapes]
            np.testing.assert_allclose(loaded(*given), theirs(*given), rtol=1e-12)
            slopes = [jax.grad(lambda *a, g=g: (g(*a) ** 2).sum())(*given) for g in (loaded, theirs)]
            np.testing.assert_allclose(*slopes, rtol=1e-12)
    refused = [
        (lambda W, x: dense(W, x), [matrix, jax.ShapeDtypeStruct((b,), jnp.float64)], "EM311", "m would be"),
        (lambda x: pairs(x, n=2), [spec("k")], "EM604", "left open"),
        (said, [spec("n")], "EM604", "through Python"),
    ]
    for call, specs, code, words in refused:
        with pytest.raises(ArgumentError, match=words) as caught:
            jax.export.export(jax.jit(call))(*specs)
        assert caught.value.code == code


def test_taylor_coefficients():
    """jax.experimental.jet, of numbers, arrays of two precisions and integers, batched and compiled, as JAX has them."""
    p = em.compile_c(
        """double f(double x, const float w[2], const int k[2], double out[2]) {
            out[0] = exp(x*w[0])*k[0];
            out[1] = x*x*x*w[1]*k[1];
            return sin(x*w[0]);
        }
        double g(double x, const double v[1]) { return sin(x)*v[0]; }""",
        activity={"v": "const"},
    )
    f, g, k = ours.op(p.f), ours.op(p.g), jnp.array([3, 4], jnp.int32)
    x, w = jnp.array([0.5, 0.2]), jnp.array([[0.1, 0.2], [0.4, -0.3]], jnp.float32)

    def native(x, w, k):
        return jnp.stack([jnp.exp(x * w[0]) * k[0], x**3 * w[1] * k[1]]), jnp.sin(x * w[0])

    def taylor(call):
        return lambda x, w: jet.jet(lambda x, w: tuple(call(x, w, k)), (x, w), ((2 * x, x), (w, w * w)))

    for transform in (lambda g: lambda x, w: g(x[0], w[0]), lambda g: jax.jit(jax.vmap(g))):
        for mine, theirs in zip(*(jax.tree.leaves(transform(taylor(h))(x, w)) for h in (f, native)), strict=True):
            np.testing.assert_allclose(mine, theirs, rtol=2e-6)
    second = jet.jet(lambda x: g(x, jnp.array([2.0])), (0.5,), ((1.0, 0.0),))[1][1]
    assert second == pytest.approx(-2 * np.sin(0.5), rel=1e-12)
    with pytest.raises(ArgumentError, match="v has a tangent"):
        jet.jet(g, (0.5, x[:1]), ((1.0,), (x[:1],)))


@pytest.mark.parametrize(
    "told", [lambda f: f, jax.jit, lambda f: jax.jit(jax.grad(total(f)))], ids=["eager", "jit", "grad"]
)
def test_where_jax_looks_for_nans_it_names_the_function(f, told):
    x = jnp.array([0.0, 1e200])  # infinity times zero
    with jax.debug_nans(True), pytest.raises(FloatingPointError, match=r"encountered in f\b"):
        told(f)(x)


def test_masked_arrays_are_refused(f):
    with pytest.raises(ArgumentError, match="f: x: elements of this array are masked") as caught:
        f(np.ma.array([1.0, 2.0], mask=[False, True]))
    assert caught.value.code == "EM338"

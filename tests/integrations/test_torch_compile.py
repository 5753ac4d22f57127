"""C functions inside torch.compile and other tracers of PyTorch: one graph, all transforms, the same errors as without."""

from __future__ import annotations

import gc
import weakref

import pytest

import enzyme_magic as em
from enzyme_magic.errors import ArgumentError
from tests.integrations.frameworks import framework

torch = framework("torch")
import torch.func as tf  # noqa: E402
from torch.autograd import forward_ad  # noqa: E402
from torch.fx.experimental.proxy_tensor import make_fx  # noqa: E402

from enzyme_magic.integrations.torch import Module, op  # noqa: E402
from tests.integrations.test_torch import CUBE, DENSE, TRANSFORMS, T, dual, reference, total  # noqa: E402

pytestmark = [
    pytest.mark.filterwarnings("ignore:.*torch.jit:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:The .grad attribute of a Tensor:UserWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning:torch._dynamo"),
]
NOT_TRACED_BY_TORCH = {
    "linearize",
    "functionalize",
    "functional hessian",
    "backward of jvp",
    "backward of grad",
    "backward of dual",
}


@pytest.fixture(scope="module")
def f():
    return op(em.compile_c(CUBE, shape={"x": "n", "out": "n"})["f"])


@pytest.fixture
def x():
    torch._dynamo.reset()
    return torch.tensor([1.5, 2.0, -3.0], dtype=torch.float64)


def one_graph(function):
    return torch.compile(function, backend="aot_eager", fullgraph=True)


@pytest.mark.parametrize("name", sorted(TRANSFORMS.keys() - NOT_TRACED_BY_TORCH))
def test_transforms_are_one_graph(f, x, name):
    apply = TRANSFORMS[name]
    torch.testing.assert_close(one_graph(lambda x: apply(f, x))(x), apply(reference, x), rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize(
    "name", ["jvp", "grad", "vmap", "hessian", "jacfwd of jacfwd", "jvp of grad", "backward of jvp"]
)
def test_transforms_of_a_compiled_function(f, x, name):
    apply = TRANSFORMS[name]
    compiled = torch.compile(lambda x: f(x), backend="aot_eager")
    torch.testing.assert_close(apply(compiled, x), apply(reference, x), rtol=1e-13, atol=1e-13)


def test_a_tangent_goes_through_a_compiled_function(f, x):
    compiled = one_graph(lambda x: f(x))
    compiled(x)
    with forward_ad.dual_level():
        tangent = forward_ad.unpack_dual(compiled(forward_ad.make_dual(x, T))).tangent
    torch.testing.assert_close(tangent, tf.jvp(reference, (x,), (T,))[1])


@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
def test_a_tangent_within_a_compiled_function(f, x, backend):
    """Its graph enters the dual level, which `torch.autograd.forward_ad` does not count then."""
    compiled = torch.compile(lambda x: dual(lambda x: f(2 * x), x), backend=backend)
    torch.testing.assert_close(compiled(x), dual(lambda x: reference(2 * x), x))


def test_forward_and_backward(f, x):
    compiled = one_graph(lambda x: torch.sin(f(torch.cos(x))).sum())
    x.requires_grad_()
    expected = torch.autograd.grad(torch.sin(reference(torch.cos(x))).sum(), x)
    torch.testing.assert_close(torch.autograd.grad(compiled(x), x), expected)


def test_several_inputs_and_outputs_and_a_module(x):
    dense = op(em.compile_c(DENSE)["dense"])
    W = torch.arange(6, dtype=torch.float64).reshape(2, 3)
    layer = Module(dense, parameters={"W": W, "b": torch.tensor(0.5, dtype=torch.float64)})

    def loss(x):
        out = layer(x)
        return (out.y * out.y).sum() + out.result

    def weights(compiled):
        return torch.autograd.grad(compiled(x), [layer.W, layer.b])

    torch.testing.assert_close(weights(one_graph(loss)), weights(loss))
    one_output = torch.autograd.grad(one_graph(lambda x: layer(x).result)(x), layer.W)[0]
    torch.testing.assert_close(one_output, x.expand(2, 3))


def test_lengths_that_change(f):
    compiled = torch.compile(lambda x: f(x), backend="aot_eager", fullgraph=True, dynamic=True)
    for length in (2, 3, 5):
        x = torch.arange(1.0, length + 1, dtype=torch.float64)
        torch.testing.assert_close(compiled(x), reference(x))


CONSTANT = """double f(const double *x, const double *w, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i]*w[i];
    return s;
}"""


def test_errors_name_the_parameter_in_graphs_too(f, x):
    dense = op(em.compile_c(DENSE)["dense"])
    constant = op(em.compile_c(CONSTANT, activity={"w": "const"}, shape={"x": "n", "w": "n"})["f"])
    W = torch.ones(2, 2, dtype=torch.float64)
    for function, inputs, message in [
        (f, (x.float(),), "x must be float64, got torch.float32"),
        (f, (x.half(),), "x must be float64, got torch.float16"),
        (f, (x.to("meta"),), "x (is on meta|must be dense memory of the CPU)"),
        (lambda x: f([1.0]), (x,), "x must be a tensor"),
        (dense, (W, x, 0.5), "m would be 2 by W and 3 by x"),
        (constant, (x, x.clone().requires_grad_()), "w requires grad"),
        (lambda w: tf.grad(lambda w: constant(x, w))(w), (x,), "w requires grad"),
        (lambda w: tf.jvp(lambda w: constant(x, w), (w,), (w,)), (x,), "w has a tangent"),
    ]:
        for fullgraph in (True, False):
            torch._dynamo.reset()
            with pytest.raises(Exception, match=message):  # PyTorch's or ours
                torch.compile(function, backend="aot_eager", fullgraph=fullgraph)(*inputs)


def test_checks_of_torch(f, x):
    x.requires_grad_()
    outcome = torch.library.opcheck(f._op, (f._key, [], [0, 0], x))
    assert set(outcome.values()) == {"SUCCESS"}


def test_graphs_are_differentiated_like_the_function(f, x):
    for graph in (make_fx(f)(x), torch.export.export(Module(f), (x,)).module()):
        torch.testing.assert_close(graph(2 * x), reference(2 * x))
        torch.testing.assert_close(tf.jvp(graph, (x,), (T,))[1], tf.jvp(reference, (x,), (T,))[1])
        torch.testing.assert_close(tf.grad(total(graph))(x), tf.grad(total(reference))(x))


@pytest.mark.filterwarnings("ignore::UserWarning")  # of PyTorch, in a trace below jvp
def test_transforms_in_an_exported_module(f, x):
    """Reverse mode of `torch.func` is no part of PyTorch's exported graphs: what it gave there were no numbers."""

    class Inside(torch.nn.Module):
        def __init__(self, of):
            super().__init__()
            self.of = of

        def forward(self, x):
            return self.of(x)

    moved = torch.export.export(Inside(lambda x: tf.jvp(f, (x,), (T,))[1]), (x,)).module()
    torch.testing.assert_close(moved(2 * x), tf.jvp(reference, (2 * x,), (T,))[1])
    for reverse in (tf.grad(total(f)), lambda x: tf.vjp(f, x)[1](T)[0], tf.vmap(tf.grad(lambda s: f(s * x).sum()))):
        with pytest.raises(ArgumentError, match="cannot hold gradients") as caught:
            torch.export.export(Inside(reverse), (x,))
        assert caught.value.code == "EM601"


PADDED = """void padded(const double *x, const double *w, int n, double *y) {
    y[n] = 0;
    for (int i = 0; i < n; i++) { y[i] = x[i]*w[i]; y[n] += y[i]*y[i]; }
}"""


def test_sizes_that_a_graph_leaves_open(f, x):
    """One graph for all sizes; what C says of the numbers that they become is checked by each call."""
    padded = op(em.compile_c(PADDED, shape={"x": "n", "w": "n", "y": "n+1"})["padded"])
    length, examples = torch.export.Dim("length"), torch.export.Dim("examples")
    x3, x5 = (torch.arange(1.0, k + 1, dtype=torch.float64) for k in (3, 5))
    graph = torch.export.export(Module(f), (x3,), dynamic_shapes=(({0: length},),)).module()
    torch.testing.assert_close(graph(x5), reference(x5))
    torch.testing.assert_close(tf.grad(total(graph))(x5), tf.grad(total(reference))(x5))
    longer = torch.export.export(Module(padded), (x3, x3), dynamic_shapes=(({0: length}, {0: length}),)).module()
    torch.testing.assert_close(longer(x5, x5), torch.cat([x5**2, (x5**4).sum()[None]]))

    class Batch(torch.nn.Module):
        def forward(self, rows):
            return torch.vmap(f)(rows)

    rows = torch.stack([x3, -2 * x3])
    batched = torch.export.export(Batch(), (rows,), dynamic_shapes=({0: examples, 1: length},)).module()
    wide = torch.stack([x5, x5**2, -x5])
    torch.testing.assert_close(batched(wide), torch.vmap(reference)(wide))
    compiled = torch.compile(lambda x: f(x).sum(), backend="aot_eager", fullgraph=True, dynamic=True)
    for given in (x3, x5):
        given = given.clone().requires_grad_()
        compiled(given).backward()
        torch.testing.assert_close(given.grad, tf.grad(total(reference))(given.detach()))


def test_a_graph_of_another_process(f, x):
    with pytest.raises(ArgumentError, match="another process") as caught:
        f._op("123456:", [], [0, 0], x)
    assert caught.value.code == "EM606"


ORDERED = """
double said(double x) { printf("%g;", x); return x*x; }
static double kept;
double remembers(double x) { kept += x; return kept*x; }
double now(double x) { return kept*x; }
double scratch(const double *x, int n) {
    static double squares[100];
    double s = 0;
    for (int i = 0; i < n; i++) squares[i] = x[i]*x[i];
    for (int i = 0; i < n; i++) s += squares[i];
    return s;
}
"""


def test_calls_that_have_an_order(x, capfd):
    program = em.compile_c(ORDERED)
    said, remembers, now = op(program.said), op(program.remembers), op(program.now)
    one = torch.tensor(2.0, dtype=torch.float64)

    def calls(y):
        said(y)
        remembers(y)
        return now(y) + remembers(y) + said(y), now(y)

    for k, call in enumerate((calls, torch.compile(calls, backend="aot_eager"))):
        assert [float(y) for y in call(one)] == [4 + 8 * k + 8 + 8 * k + 4, 8 + 8 * k]
    assert capfd.readouterr().out == "2;" * 4
    for trace in (lambda: make_fx(said)(one), lambda: torch.export.export(Module(said), (one,))):
        with pytest.raises(ArgumentError, match="may drop, merge or move") as caught:
            trace()
        assert caught.value.code == "EM609"
    with pytest.raises(em.DifferentiationError, match="earlier calls of it"):
        remembers(one.requires_grad_()).backward()
    scratch = op(program.scratch)
    torch.testing.assert_close(tf.grad(lambda x: scratch(x, n=3))(x), 2 * x)


def test_integers_that_change(x):
    total = op(em.compile_c(DENSE + CONSTANT.replace("f(", "g("))["g"])
    both = torch.compile(lambda v, k: total(v, v, n=k) + total(v, v, n=v.shape[0]), backend="aot_eager", fullgraph=True)
    for k in (1, 2, 3):
        v = torch.arange(1.0, k + 2, dtype=torch.float64, requires_grad=True)
        (gradient,) = torch.autograd.grad(both(v, k), v)
        torch.testing.assert_close(gradient, 2 * v * (1 + (torch.arange(k + 1) < k)))


def test_operations_live_as_long_as_somebody_may_call_them(x):
    def released(use):
        own = op(em.compile_c(CUBE, shape={"x": "n", "out": "n"})["f"])
        kept, reference = use(own), weakref.ref(own.operation)
        del own
        gc.collect()
        return reference() is None, kept

    x.requires_grad_()
    assert released(lambda g: g(x).sum().backward())[0]
    alive, y = released(lambda g: g(x).sum())
    assert not alive
    torch.testing.assert_close(torch.autograd.grad(y, x)[0], tf.grad(total(reference))(x.detach()))
    gone, graph = released(lambda g: make_fx(g)(x.detach()))
    assert not gone
    torch.testing.assert_close(graph(x.detach()), reference(x.detach()))

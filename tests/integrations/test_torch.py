"""PyTorch: exact values under every transform, what cannot be done, and how it behaves as a citizen of PyTorch."""

from __future__ import annotations

import pickle
import subprocess
import sys
import threading

import pytest

import enzyme_magic as em
from enzyme_magic.errors import ArgumentError
from tests.integrations.frameworks import framework

torch = framework("torch")
import torch.func as tf  # noqa: E402
from torch.autograd import forward_ad  # noqa: E402

from enzyme_magic.integrations.torch import Module, enzyme, op  # noqa: E402

# torch warns of itself: in linearize, torch.jit.script below forward mode, .grad of tensors that dynamo looks at
pytestmark = [
    pytest.mark.filterwarnings("ignore:.*torch.jit:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:Attempted to insert a get_attr Node:UserWarning"),
    pytest.mark.filterwarnings("ignore:The .grad attribute of a Tensor:UserWarning"),
]

CUBE = "void f(const double *x, size_t n, double *out) { for (size_t i = 0; i < n; i++) out[i] = x[i]*x[i]*x[i]*x[0]; }"
DENSE = """
double dense(size_t n, size_t m, const double W[n][m], const double x[m], double b, double y[n]) {
    double e = 0;
    for (size_t i = 0; i < n; i++) {
        double s = b;
        for (size_t j = 0; j < m; j++) s += W[i][j]*x[j];
        y[i] = s*s;
        e += s;
    }
    return e;
}
"""


@pytest.fixture(scope="module")
def f():
    return op(em.compile_c(CUBE, shape={"x": "n", "out": "n"})["f"])


@pytest.fixture(scope="module")
def dense():
    return op(em.compile_c(DENSE)["dense"])


@pytest.fixture
def x():
    return torch.tensor([1.5, 2.0, -3.0], dtype=torch.float64)


def reference(x):
    return x**3 * x[0]


def total(function):
    return lambda x: function(x).sum()


T = torch.tensor([0.1, -0.2, 0.3], dtype=torch.float64)
TRANSFORMS = {
    "value": lambda g, x: g(x),
    "jvp": lambda g, x: tf.jvp(g, (x,), (T,))[1],
    "grad": lambda g, x: tf.grad(total(g))(x),
    "vjp": lambda g, x: tf.vjp(g, x)[1](T)[0],
    "vmap": lambda g, x: tf.vmap(g, in_dims=1)(torch.stack([x, 2 * x], 1)),
    "vmap of vmap": lambda g, x: tf.vmap(tf.vmap(g))(torch.stack([torch.stack([x, 2 * x]), torch.stack([x, -x])])),
    "vmap of grad": lambda g, x: tf.vmap(tf.grad(total(g)))(torch.stack([x, 2 * x])),
    "hessian": lambda g, x: tf.hessian(total(g))(x),
    "jacrev of jacrev": lambda g, x: tf.jacrev(tf.jacrev(g))(x),
    "jacfwd of jacfwd": lambda g, x: tf.jacfwd(tf.jacfwd(g))(x),
    "jacrev of jacfwd": lambda g, x: tf.jacrev(tf.jacfwd(g))(x),
    "jvp of grad": lambda g, x: tf.jvp(tf.grad(total(g)), (x,), (T,))[1],
    "linearize": lambda g, x: tf.linearize(g, x)[1](T),
    "functional hessian": lambda g, x: torch.autograd.functional.hessian(total(g), x),
    "vmap of jvp": lambda g, x: tf.vmap(lambda t: tf.jvp(g, (x,), (t,))[1])(torch.stack([T, 2 * T])),
    "jvp of vmap": lambda g, x: tf.jvp(tf.vmap(g), (torch.stack([x, -x]),), (torch.stack([T, T]),))[1],
    "grad of vmap": lambda g, x: tf.grad(lambda x: tf.vmap(g)(torch.stack([x, 2 * x])).sum())(x),
    "grad below no_grad": lambda g, x: tf.grad(lambda x: (constant(g, x) * g(x)).sum())(x),
    "backward of jvp": lambda g, x: backward(lambda x: tf.jvp(g, (x,), (T,))[1], x),
    "backward of grad": lambda g, x: backward(tf.grad(total(g)), x),
    "backward of dual": lambda g, x: backward(lambda x: dual(g, x), x),
    "dual of grad": lambda g, x: dual(tf.grad(total(g)), x),
    "dual of vmap": lambda g, x: dual(lambda x: tf.vmap(g)(torch.stack([x, x * x]))[1], x),
    "vmap of what all share": lambda g, x: tf.vmap(lambda t: g(x) * t)(torch.stack([T, 2 * T])),
    "grad of what is constant above": lambda g, x: tf.grad(lambda t: tf.grad(lambda s: (g(t) * g(s)).sum())(x).sum())(
        x
    ),
    "grad of a value kept from before": lambda g, x: tf.grad(lambda t: (g(t) * g(kept_below(g, x))).sum())(x),
    "vjp in grad of jvp": lambda g, x: tf.grad(lambda s: tf.vjp(lambda r: tf.jvp(g, (r,), (s,))[1], x)[1](T)[0].sum())(
        x
    ),
    "functionalize": lambda g, x: tf.functionalize(lambda x: tf.grad(total(g))(x))(x),
    "vmap in chunks": lambda g, x: tf.vmap(tf.grad(total(g)), out_dims=1, chunk_size=2)(torch.stack([x, -x, 2 * x])),
}


def constant(function, x):
    with torch.no_grad():
        return function(x)


def kept_below(function, x):
    """A tensor of a transform that has ended."""
    kept = []
    tf.grad(lambda x: (kept.append(x), function(x).sum())[1])(x)
    return kept[0]


def backward(function, x):
    x = x.clone().requires_grad_()
    return torch.autograd.grad(function(x).sum(), x)[0]


def dual(function, x):
    with forward_ad.dual_level():
        return forward_ad.unpack_dual(function(forward_ad.make_dual(x, T))).tangent


@pytest.mark.parametrize("name", TRANSFORMS)
def test_transforms_give_the_values_of_torch(f, x, name):
    apply = TRANSFORMS[name]
    torch.testing.assert_close(apply(f, x), apply(reference, x), rtol=1e-13, atol=1e-13)


def test_gradcheck(f, x):
    x = x.requires_grad_()
    assert torch.autograd.gradcheck(f, x, check_forward_ad=True, check_batched_grad=True)
    assert torch.autograd.gradgradcheck(f, x, check_fwd_over_rev=True)


def test_several_inputs_and_outputs(dense, x):
    W = torch.arange(6, dtype=torch.float64).reshape(2, 3).requires_grad_()
    b = torch.tensor(0.5, dtype=torch.float64, requires_grad=True)
    x = x.requires_grad_()
    out = dense(W, x, b)
    s = W @ x + b
    torch.testing.assert_close(out.y, s * s)
    torch.testing.assert_close(out.result, s.sum())
    (out.y.sum() * 2 + out.result).backward()
    found = [t.grad.clone() for t in (W, x, b)]
    for t in (W, x, b):
        t.grad = None
    ((s * s).sum() * 2 + s.sum()).backward()
    for mine, t in zip(found, (W, x, b), strict=True):
        torch.testing.assert_close(mine, t.grad)
    assert torch.autograd.gradcheck(dense, (W, x, b), check_forward_ad=True)
    y, e = tf.vmap(dense, in_dims=(None, 0, None))(W.detach(), torch.stack([x.detach()] * 3), 0.5 + 0 * b.detach())
    assert (y.shape, e.shape) == ((3, 2), (3,))
    only_result = torch.autograd.grad(dense(W, x, b).result, x)[0]  # the other cotangent is zero
    torch.testing.assert_close(only_result, W.detach().sum(0))


def test_the_file_of_the_paper(tmp_path):
    path = tmp_path / "test.c"
    path.write_text(
        "void f(float *inp, size_t n, float *out) { for (size_t i = 0; i < n; i++) out[i] = inp[i]*inp[i]; }"
    )
    inp = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    out = enzyme(str(path), "f").apply(inp)
    upstream = torch.full((2, 2), 3.0)
    out.backward(upstream)
    torch.testing.assert_close(inp.grad, 6 * inp.detach())
    torch.testing.assert_close(upstream, torch.full((2, 2), 3.0))


def test_memory_is_neither_written_nor_kept(f, x):
    before = x.clone()
    y = f(x[:2].clone()), f(x.expand(2, 3)[0]), f(torch.stack([x, x], 1)[:, 0])
    torch.testing.assert_close(y[1], y[2])
    torch.testing.assert_close(x, before)
    x.requires_grad_()
    y = f(x)
    with torch.no_grad():
        x.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()


def test_forward_ad_and_inference(f, x):
    with forward_ad.dual_level():
        tangent = forward_ad.unpack_dual(f(forward_ad.make_dual(x, T))).tangent
    torch.testing.assert_close(tangent, tf.jvp(reference, (x,), (T,))[1])
    with torch.inference_mode():
        torch.testing.assert_close(f(x), reference(x))
    with torch.no_grad():
        assert not f(x.requires_grad_()).requires_grad


def test_backward_in_another_thread(f, x):
    x = x.requires_grad_()
    y = f(x).sum()
    thread = threading.Thread(target=y.backward)
    thread.start()
    thread.join()
    torch.testing.assert_close(x.grad, tf.grad(total(reference))(x.detach()))


def test_autocast_converts_what_it_made_small():
    g = op(em.compile_c("void f(const float *x, int n, float *y) { for (int i = 0; i < n; i++) y[i] = x[i]*x[i]; }",
                        shape={"x": "n", "y": "n"})["f"])  # fmt: skip
    half = torch.tensor([1.0, 2.0], dtype=torch.bfloat16, requires_grad=True)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        y = g(half)
    assert y.dtype == torch.float32
    y.sum().backward()
    assert half.grad.tolist() == [2.0, 4.0]
    with pytest.raises(ArgumentError, match=r"x must be float32, got torch\.bfloat16"):
        g(half)


def test_module(dense, x):
    W = torch.arange(6, dtype=torch.float64).reshape(2, 3)
    layer = Module(dense, parameters={"W": W, "b": torch.tensor(0.5, dtype=torch.float64)})
    assert set(layer.state_dict()) == {"W", "b"}
    layer(x).y.sum().backward()
    torch.testing.assert_close(layer.b.grad, 2 * (W @ x + 0.5).sum())
    other = Module(
        dense, parameters={"W": torch.zeros(2, 3, dtype=torch.float64), "b": torch.zeros((), dtype=torch.float64)}
    )
    other.load_state_dict(layer.state_dict())
    torch.testing.assert_close(other(x).y, layer(x).y)
    with pytest.raises(ArgumentError, match="no input 'V'"):
        Module(dense, parameters={"V": W})
    again = pickle.loads(pickle.dumps(layer))
    torch.testing.assert_close(again(x).y, layer(x).y)


def test_bad_input(f, dense, x):
    for value, message in [
        (x.float(), r"x must be float64, got torch\.float32"),
        (x.half(), r"x must be float64, got torch\.float16"),
        (x.to("meta"), "x is on meta"),
        (x.to_sparse(), r"x is torch\.sparse_coo"),
        ([1.0], "x must be a tensor, got list"),
    ]:
        with pytest.raises(ArgumentError, match=message) as caught:
            f(value)
        assert caught.value.code == "EM602"
    with pytest.raises(ArgumentError, match=r"takes 1 inputs"):
        f(x, x)
    with pytest.raises(ArgumentError, match=r"EM309|EM311|EM604"):
        dense(torch.zeros(2, 2, dtype=torch.float64), x, 0.5)


def test_a_tensor_that_is_zero_without_memory_is_read_as_zeros(f, dense, x):
    nothing = torch._efficientzerotensor((3,), dtype=torch.float64)  # a tangent or cotangent that PyTorch made up
    y = x.clone().requires_grad_()
    torch.testing.assert_close(torch.autograd.grad(f(y), y, nothing)[0], torch.zeros_like(x))
    torch.testing.assert_close(f(nothing), torch.zeros_like(x))
    stacked = torch._efficientzerotensor((2, 3), dtype=torch.float64)
    torch.testing.assert_close(tf.vmap(f)(stacked), torch.zeros(2, 3, dtype=torch.float64))


@pytest.mark.filterwarnings("ignore::UserWarning")  # of PyTorch, about nested and masked tensors
def test_tensors_that_only_look_dense(f, x):
    freed = x.clone()
    freed.untyped_storage().resize_(0)
    for value, message in [
        (freed, "the memory of x was freed"),
        (torch.empty(3, dtype=torch.float64, device="meta"), r"x is on meta, without values"),
        (torch.nested.nested_tensor([x, x[:2]]), "x is a nested tensor"),
        (torch.masked.masked_tensor(x, x > 0), "x is a masked tensor"),
    ]:
        with pytest.raises(ArgumentError, match=message) as caught:
            f(value)
        assert caught.value.code == "EM602"


def test_what_a_module_cannot_keep(dense, x):
    W = torch.ones(2, 3, dtype=torch.float64)
    with pytest.raises(ArgumentError, match="W is among the parameters and among the buffers"):
        Module(dense, parameters={"W": W}, buffers={"W": W})
    trained = op(em.compile_c("double f(double training, double x) { return training*x; }")["f"])
    with pytest.raises(ArgumentError, match="training cannot be kept, a Module has an attribute of that name"):
        Module(trained, parameters={"training": x[0]})
    with pytest.raises(ArgumentError, match="parameters takes a mapping, got a list"):
        Module(dense, parameters=["W"])
    with pytest.raises(ArgumentError, match="W must be a tensor, got NoneType"):
        Module(dense, parameters={"W": None})
    with pytest.raises(ArgumentError, match=r"W is torch.int64, and a parameter is trained"):
        Module(dense, parameters={"W": W.long()})


def test_a_gradient_for_a_constant():
    source = """double f(const double *x, const double *w, int n) {
        double s = 0;
        for (int i = 0; i < n; i++) s += x[i]*w[i];
        return s;
    }"""
    g = op(em.compile_c(source, activity={"w": "const"}, shape={"x": "n", "w": "n"})["f"])
    x, w = torch.ones(2, dtype=torch.float64), torch.ones(2, dtype=torch.float64)
    with pytest.raises(ArgumentError, match="w requires grad") as caught:
        g(x, w.clone().requires_grad_())
    assert caught.value.code == "EM605"
    with pytest.raises(ArgumentError, match="w "):
        tf.grad(lambda w: g(x, w))(w)
    with pytest.raises(ArgumentError, match="w has a tangent"):
        tf.jvp(lambda w: g(x, w), (w,), (w,))
    torch.testing.assert_close(tf.grad(lambda x: g(x, w))(x), w)


LOADER = """
import sys, torch, enzyme_magic as em
from enzyme_magic.integrations.torch import op
f = op(em.compile_c(sys.argv[2], shape={"x": "n", "out": "n"})["f"])
examples = [torch.full((3,), float(k), dtype=torch.float64) for k in range(4)]
f(examples[0])
loader = torch.utils.data.DataLoader(
    examples, batch_size=None, collate_fn=f, num_workers=2, multiprocessing_context=sys.argv[1]
)
print([y.tolist() for y in loader])
"""


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_loader_workers(start):
    """Each example is computed in C, in a worker; in a fresh process, as this one has threads of other frameworks."""
    command = [sys.executable, "-c", LOADER, start, CUBE]
    done = subprocess.run(command, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr
    assert eval(done.stdout) == [[k**4.0] * 3 for k in range(4)]

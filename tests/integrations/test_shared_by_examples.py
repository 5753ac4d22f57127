"""What the examples of nested batches share at some levels is not copied for each of them, and its gradient is added up in C."""

import math

import numpy as np
import pytest

import enzyme_magic as em
from tests.integrations.frameworks import framework

C = """
double pair(int n, const double x[n], const double w[n]) {
    double s = x[0];
    for (int i = 0; i < n; i++) s += sin(x[i])*w[i]*w[i];
    return s;
}
double both(double a, double b) { return a*b; }
void layer(int m, int n, const double W[m][n], const double x[n], const double b[m], double y[m]) {
    for (int i = 0; i < m; i++) {
        y[i] = b[i];
        for (int k = 0; k < n; k++) y[i] += W[i][k]*x[k];
        y[i] = tanh(y[i]);
    }
}
"""


@pytest.fixture(scope="module")
def p():
    return em.compile_c(C)


@pytest.fixture(scope="module")
def jax():
    jax = framework("jax")
    jax.config.update("jax_enable_x64", True)
    return jax


@pytest.fixture(scope="module")
def pairs(p, jax):
    """Ours and JAX's own."""
    from enzyme_magic.integrations.jax import op

    return op(p.pair), lambda x, w: x[0] + (jax.numpy.sin(x) * w * w).sum()


def same(jax, given, wanted, what):
    for value, other in zip(jax.tree.leaves(given), jax.tree.leaves(wanted), strict=True):
        np.testing.assert_allclose(value, other, rtol=1e-9, atol=1e-9 * np.abs(other).max(initial=1), err_msg=what)


def test_jax_copies_nothing_that_is_shared_at_one_of_several_levels(jax, pairs):
    rng = np.random.default_rng(0)
    x, w = rng.normal(size=(4, 5, 300)), rng.normal(size=(30, 300))

    def nested(f):
        return jax.vmap(jax.vmap(jax.vmap(f, (None, 0)), (0, None)), (0, None))

    def loss(f):
        return lambda x, w: (nested(f)(x, w) ** 2).sum()

    made = {
        "values": nested,
        "gradients": lambda f: jax.grad(loss(f), (0, 1)),
        "forward over reverse": lambda f: lambda x, w: jax.jvp(jax.grad(loss(f)), (x, w), (x, w))[1],
        "reverse over reverse": lambda f: jax.grad(lambda x, w: (jax.grad(loss(f))(x, w) ** 2).sum(), 1),
    }
    for name, of in made.items():
        mine, theirs = map(of, pairs)
        compiled = jax.jit(mine).lower(x, w).compile()
        assert compiled.memory_analysis().temp_size_in_bytes < 4 * (x.nbytes + w.nbytes), name  # 1.4 MB for a copy
        same(jax, compiled(x, w), theirs(x, w), name)


def transposed(jax, f):
    """In the tangents of what is shared, of what is not, and of one alone that says how many examples there are."""

    def back(c, x, w):
        return jax.linear_transpose(lambda dx, dw: jax.jvp(jax.vmap(f, (None, 0)), (x, w), (dx, dw))[1], x, w)(c)

    def twice(x, w):
        return jax.linear_transpose(lambda c: back(c, x, w)[0], w[:, 0])(x)

    return lambda x, w: (back(w[:, 0], x[0, 0], w), jax.vmap(twice, (0, None))(x[0], w), twice(x[0, 0], w))


def of_each(jax, f):
    gradient = jax.grad(lambda x, w: jax.vmap(f, (None, 0))(x, w).sum(), (0, 1))
    return jax.vmap(jax.vmap(gradient, (0, None)), (0, None))


@pytest.mark.parametrize("of", [transposed, of_each])
def test_jax_batches_of_sums_and_their_transposes(jax, pairs, of):
    rng = np.random.default_rng(0)
    x, w = rng.normal(size=(4, 2, 3)), rng.normal(size=(5, 3))
    mine, theirs = (of(jax, f)(x, w) for f in pairs)
    same(jax, mine, theirs, of.__name__)
    same(jax, jax.jit(of(jax, pairs[0]))(x, w), theirs, of.__name__)


def test_jax_knows_the_number_of_examples_where_one_cotangent_alone_has_it(jax, p):
    from enzyme_magic.integrations.jax import op

    def transposed(f):
        def along(c, d):  # of values that all examples share, weighted by what each has and by what they share
            made, back = jax.vjp(
                lambda a: jax.vmap(lambda _, a: (f(a, a), f(a, 2.0)), (0, None))(jax.numpy.ones(3), a), 3.0
            )
            return back((c, jax.numpy.broadcast_to(d, made[1].shape)))[0]

        return jax.linear_transpose(along, jax.numpy.ones(3), 1.0)(2.0)

    same(jax, transposed(op(p.both)), transposed(lambda a, b: a * b), "both")


# PyTorch ------------------------------------------------------------------------------------------------------------------


def nested(torch, f):
    one = torch.func.vmap(torch.func.vmap(f, (None, 0, None)), (None, 0, None))
    return lambda *given: (torch.func.vmap(one, (None, None, 0))(*given) ** 2).sum()


def gradients(torch, f):
    return torch.func.grad(nested(torch, f), (0, 1, 2))


def reverse_over_reverse(torch, f):
    return torch.func.grad(lambda *given: sum((g**2).sum() for g in gradients(torch, f)(*given)), (0, 1, 2))


def forward_over_reverse(torch, f):
    return lambda *given: torch.func.jvp(gradients(torch, f), given, given)[1]


def reverse_over_forward(torch, f):
    return torch.func.grad(lambda *given: torch.func.jvp(nested(torch, f), given, given)[1], (0, 1, 2))


def of_each_weight(torch, f):
    return lambda w, x, b: torch.func.vmap(gradients(torch, f), (0, None, None))(torch.stack([w, 2 * w]), x, b)


def of_graphs(torch, f):
    def made(*given):
        leaves = [tensor.clone().requires_grad_() for tensor in given]
        first = torch.autograd.grad(nested(torch, f)(*leaves), leaves, create_graph=True)
        return torch.autograd.grad(sum((g**2).sum() for g in first), leaves)

    return made


@pytest.mark.filterwarnings("ignore:.*torch.jit:DeprecationWarning")  # torch warns of itself, below forward mode
@pytest.mark.parametrize(
    "of", [gradients, reverse_over_reverse, forward_over_reverse, reverse_over_forward, of_each_weight, of_graphs]
)
def test_torch_adds_up_gradients_of_what_examples_share(p, of):
    torch = framework("torch")
    from enzyme_magic.integrations.torch import op

    generator = torch.Generator().manual_seed(0)
    w, x, b = (torch.randn(n, dtype=torch.double, generator=generator) for n in ((3, 4), (20, 5, 4), (6, 3)))
    mine = op(p.layer)
    given, wanted = of(torch, mine)(w, x, b), of(torch, lambda w, x, b: torch.tanh(b + w @ x))(w, x, b)
    for value, other in zip(given, wanted, strict=True):
        torch.testing.assert_close(value, other, rtol=1e-9, atol=1e-9)
    made = [shape for launch in mine.operation.vjp.launches.values() for shape in launch.outputs]
    assert max(map(math.prod, made)) <= 2 * x.numel()  # 7200 for a gradient of w for each example

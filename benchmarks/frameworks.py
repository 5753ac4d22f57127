"""What one call of a C function costs inside PyTorch, JAX and TensorFlow, in microseconds: the best of several runs.

Beside each stands the framework's own operation of the same kind (x*x), because part of the cost is the framework's.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import enzyme_magic as em

SOURCE = "void square(const float *x, size_t n, float *y) { for (size_t i = 0; i < n; i++) y[i] = x[i]*x[i]; }"


def best(call: Callable[[], Any], repeat: int = 500, number: int = 10) -> float:
    """Many short runs: one of them finds the processor free, on a busy machine too."""
    call()
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        for _ in range(number):
            call()
        times.append((time.perf_counter() - start) / number)
    return 1e6 * min(times)


def row(name: str, ours: Callable[[], Any], theirs: Callable[[], Any]) -> None:
    mine, own = best(ours), best(theirs)
    print(f"{name:34} {mine:8.1f} {own:8.1f} {mine - own:8.1f}")


def torch_rows(function: em.CFunction) -> None:
    import torch

    from enzyme_magic.integrations.torch import op

    torch.set_num_threads(1)
    f, x = op(function), torch.arange(8, dtype=torch.float32)
    tracked, seed = x.clone().requires_grad_(), torch.ones(8)
    row("torch, forward", lambda: f(x), lambda: x * x)
    row(
        "torch, forward and backward",
        lambda: torch.autograd.grad(f(tracked), tracked, seed),
        lambda: torch.autograd.grad(tracked * tracked, tracked, seed),
    )
    slope = torch.func.grad
    row("torch, func.grad", lambda: slope(lambda x: f(x).sum())(x), lambda: slope(lambda x: (x * x).sum())(x))
    many = torch.arange(80_000, dtype=torch.float32).reshape(10_000, 8)
    row(
        "torch, vmap of 10000 times 8", lambda: torch.func.vmap(f)(many), lambda: torch.func.vmap(lambda x: x * x)(many)
    )
    many.requires_grad_()
    seeds = torch.ones(10_000, 8)

    def back(g: Callable[[Any], Any]) -> Any:
        return torch.autograd.grad(torch.func.vmap(g)(many), many, seeds)

    row("torch, the gradient of that", lambda: back(f), lambda: back(lambda x: x * x))


def jax_rows(function: em.CFunction) -> None:
    import jax

    from enzyme_magic.integrations.jax import op

    x = jax.numpy.arange(8, dtype=np.float32)
    f = op(function)
    ours, theirs = jax.jit(f), jax.jit(lambda x: x * x)
    row("jax, jit", lambda: ours(x).block_until_ready(), lambda: theirs(x).block_until_ready())
    mine, own = jax.jit(jax.grad(lambda x: f(x).sum())), jax.jit(jax.grad(lambda x: (x * x).sum()))
    row("jax, jit of grad", lambda: mine(x).block_until_ready(), lambda: own(x).block_until_ready())


def tensorflow_rows(function: em.CFunction) -> None:
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    import tensorflow as tf

    from enzyme_magic.integrations.tensorflow import op

    f, x = op(function), tf.range(8, dtype=tf.float32)

    def slope(g: Callable[[Any], Any]) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = g(x)
        return tape.gradient(y, x)

    row("tensorflow, eager", lambda: f(x), lambda: x * x)
    ours, theirs = tf.function(lambda x: f(x), autograph=False), tf.function(lambda x: x * x, autograph=False)
    row("tensorflow, function", lambda: ours(x), lambda: theirs(x))
    row("tensorflow, tape", lambda: slope(f), lambda: slope(lambda x: x * x))


def main() -> None:
    packages = ("torch", "jax", "tensorflow_cpu", "numpy")
    installed = {d.metadata["Name"].replace("-", "_"): d.version for d in importlib.metadata.distributions()}
    print(f"Python {platform.python_version()},", ", ".join(f"{p} {installed.get(p, '-')}" for p in packages))
    function = em.compile_c(SOURCE, shape={"x": "n", "y": "n"})["square"]
    print(f"{'µs per call, 8 numbers':34} {'ours':>8} {'x*x':>8} {'added':>8}")
    for name, rows in {"torch": torch_rows, "jax": jax_rows, "tensorflow": tensorflow_rows}.items():
        if importlib.util.find_spec(name):
            rows(function)
        else:
            print(f"{name:34} not installed")


if __name__ == "__main__":
    main()

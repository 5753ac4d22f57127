"""The same functions in JAX's and PyTorch's own operations, compiled where that is how they are used (jax.jit)."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.timing.catalogue import Kernel
from benchmarks.timing.points import Point
from benchmarks.timing.variants import Variant

# What is written once for both: `m` is jax.numpy or torch, `logsumexp` theirs.
Written = Callable[[Any, Any, list[Any], list[Any]], Any]


def _gmm(m: Any, logsumexp: Any, active: list[Any], rest: list[Any]) -> Any:
    alphas, means, factors = active
    d, _k, _, x = rest
    rows, columns = np.tril_indices(d, -1)
    order = np.lexsort((rows, columns))  # the factors below the diagonal stand column by column
    picked = np.zeros((d * (d - 1) // 2, d, d))
    picked[np.arange(len(order)), rows[order], columns[order]] = 1
    lower = m.einsum("ks,sij->kij", factors[:, d:], m.asarray(picked))
    centered = x[:, None, :] - means[None]
    out = m.exp(factors[:, :d])[None] * centered + m.einsum("kij,nkj->nki", lower, centered)
    return logsumexp(alphas + factors[:, :d].sum(1) - 0.5 * (out * out).sum(2)).sum()


def _mlp(m: Any, logsumexp: Any, active: list[Any], rest: list[Any]) -> Any:
    (p,), (_, x, labels) = active, rest
    first, second = 128 * 65, 128 * 129
    for start, rows, columns in ((0, 128, 64), (first, 128, 128), (first + second, 10, 128)):
        weights = p[start : start + rows * columns].reshape(rows, columns)
        x = x @ weights.T + p[start + rows * columns : start + rows * (columns + 1)]
        if rows == 128:
            x = m.tanh(x)
    return (logsumexp(x) - x[m.arange(64), labels]).sum()


def _lse(m: Any, logsumexp: Any, active: list[Any], rest: list[Any]) -> Any:
    return logsumexp(active[0])


def _sumsq(m: Any, logsumexp: Any, active: list[Any], rest: list[Any]) -> Any:
    return (active[0] * active[0]).sum()


def _matmul(m: Any, logsumexp: Any, active: list[Any], rest: list[Any]) -> Any:
    product = active[0] @ active[1]
    return (product * product).sum()


WRITTEN: dict[str, Written] = {"gmm": _gmm, "mlp": _mlp, "lse": _lse, "sumsq": _sumsq, "matmul": _matmul}


def _parts(kernel: Kernel, point: Point, convert: Callable[[Any], Any]) -> tuple[list[Any], list[Any]]:
    arguments = [convert(a) if isinstance(a, np.ndarray) else a for a in point.arguments]
    return [arguments[k] for k in kernel.active], [a for k, a in enumerate(arguments) if k not in kernel.active]


def in_jax(kernel: Kernel, point: Point) -> Variant | None:
    if kernel.function not in WRITTEN or importlib.util.find_spec("jax") is None:
        return None
    import jax

    jax.config.update("jax_enable_x64", True)
    active, rest = _parts(kernel, point, jax.numpy.asarray)
    written = WRITTEN[kernel.function]

    def logsumexp(x: Any) -> Any:
        return jax.scipy.special.logsumexp(x, axis=-1)

    def value(*given: Any) -> Any:
        return written(jax.numpy, logsumexp, list(given), rest)

    call = jax.jit(jax.grad(value, argnums=tuple(range(len(active)))))

    def gradient() -> np.ndarray:
        return np.concatenate([np.asarray(part).reshape(-1) for part in call(*active)])

    return Variant(lambda: jax.block_until_ready(call(*active)), gradient)


def in_torch(kernel: Kernel, point: Point) -> Variant | None:
    if kernel.function not in WRITTEN or importlib.util.find_spec("torch") is None:
        return None
    import torch

    active, rest = _parts(kernel, point, torch.from_numpy)
    for tensor in active:
        tensor.requires_grad_()
    rest = [part.long() if isinstance(part, torch.Tensor) and part.dtype == torch.int32 else part for part in rest]
    written = WRITTEN[kernel.function]

    def logsumexp(x: Any) -> Any:
        return torch.logsumexp(x, dim=-1)

    def run() -> Any:
        return torch.autograd.grad(written(torch, logsumexp, active, rest), active)

    def gradient() -> np.ndarray:
        return np.concatenate([part.numpy().reshape(-1) for part in run()])

    return Variant(run, gradient)

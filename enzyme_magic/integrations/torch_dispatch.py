"""Operations as ops of PyTorch's dispatcher: what tracers record (`torch.compile`, `make_fx`, `linearize`) and what vmap's older
form, which `gradcheck` uses, loops over.

Invariant: one op per number of inputs and outputs, `enzyme_magic::call_2_1(str key, int batch, int[] integers, Tensor, Tensor)`;
the key names an operation of this process, "7:vj". It has rules for fake tensors, autograd and vmap. It has none for forward mode,
and PyTorch would take that for zero: whoever traces with it must refuse tangents first (`torch.py` does).
"""

from __future__ import annotations

import itertools
import threading
from functools import cache
from typing import TYPE_CHECKING, Any

from enzyme_magic.integrations.extras import require
from enzyme_magic.integrations.operation import Operation

if TYPE_CHECKING:
    import torch
else:
    torch = require("torch")

_roots: dict[str, Operation] = {}
_keys = itertools.count(1)
_lock = threading.Lock()


def key_of(own: Operation) -> str:
    """The name of an operation in graphs. An operation with a name lives as long as the process: graphs may be called any time."""
    with _lock:
        root = own.root
        if root.tag not in _roots:
            root.tag = str(next(_keys))
            _roots[root.tag] = root
        return f"{root.tag}:{own.path}"


def operation_of(key: str) -> Operation:
    """The operation called `key`."""
    tag, _, path = key.partition(":")
    own = _roots[tag]
    for letter in path:
        own = own.vjp if letter == "v" else own.jvp
    return own


def integers_of(own: Operation, given: Any) -> list[int]:
    """Integers by name as numbers: each with a flag before it, because it may be left out."""
    flat: list[int] = []
    for name in own.integer_names:
        flat += [1, given[name]] if name in given else [0, 0]
    return flat


def named_integers(own: Operation, flat: list[int]) -> dict[str, int]:
    """The inverse of `integers_of`."""
    return {name: flat[2 * k + 1] for k, name in enumerate(own.integer_names) if flat[2 * k]}


def run(own: Operation, batch: int, integers: Any, tensors: Any) -> tuple[torch.Tensor, ...]:
    """The operation on plain tensors."""
    arrays = [tensor.detach().resolve_neg().numpy() for tensor in tensors]
    return tuple(torch.from_numpy(array) for array in own(arrays, integers, batch))


@cache
def dispatched(inputs: int, outputs: int) -> Any:
    """The op for so many tensors."""
    tensors = "".join(f", Tensor t{k}" for k in range(inputs))
    result = f"({', '.join(['Tensor'] * outputs)})" if outputs > 1 else "Tensor"

    def packed(made: Any) -> Any:
        return tuple(made) if outputs > 1 else made[0]

    def call(key: str, batch: int, integers: list[int], *tensors: torch.Tensor) -> Any:
        own = operation_of(key)
        return packed(run(own, batch, named_integers(own, integers), tensors))

    def fake(key: str, batch: int, integers: list[int], *tensors: torch.Tensor) -> Any:
        own = operation_of(key)
        axes = tensors[0].shape[:batch] if tensors else ()
        shapes = own.output_shapes([tuple(t.shape[batch:]) for t in tensors], named_integers(own, integers))
        made = [
            torch.empty((*axes, *s), dtype=getattr(torch, o.dtype.name))
            for s, o in zip(shapes, own.outputs, strict=True)
        ]
        return packed(made)

    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.key, ctx.batch, ctx.integers, *tensors = inputs
        ctx.save_for_backward(*tensors)

    def backward(ctx: Any, *cotangents: torch.Tensor) -> Any:
        own = operation_of(ctx.key)
        passed = (*ctx.saved_tensors, *cotangents)
        found = dispatched(len(passed), len(own.active))(ctx.key + "v", ctx.batch, ctx.integers, *passed)
        gradients = iter(found if len(own.active) > 1 else [found])
        return (None, None, None, *(next(gradients) if slot.active else None for slot in own.inputs))

    def vmap(info: Any, in_dims: Any, key: str, batch: int, integers: list[int], *tensors: torch.Tensor) -> Any:
        made = made_op(key, batch + 1, integers, *example_first(info.batch_size, tensors, in_dims[3:]))
        return made, (0,) * outputs if outputs > 1 else 0

    made_op = torch.library.custom_op(
        f"enzyme_magic::call_{inputs}_{outputs}",
        call,
        mutates_args=(),
        schema=f"(str key, int batch, int[] integers{tensors}) -> {result}",
    )
    made_op.register_fake(fake)
    made_op.register_autograd(backward, setup_context=setup_context)
    made_op.register_vmap(vmap)
    return made_op


def example_first(size: int, tensors: Any, axes: Any) -> list[torch.Tensor]:
    """The tensors with the axis of vmap in front; those without one are broadcast, not copied."""
    return [
        tensor.expand(size, *tensor.shape) if axis is None else tensor.movedim(axis, 0)
        for tensor, axis in zip(tensors, axes, strict=True)
    ]

"""The innermost transform of `torch.func` around a call of C: grad, vjp, jvp, vmap, without PyTorch's dispatcher.

Invariant: as functorch's own interpreters do it (`torch._functorch.autograd_function`): a level of differentiation unwraps its
tensors, calls below itself and wraps the results, in one custom function of that level; a level of vmap moves the axis of its
examples to the front (one of length 1 for what they share) and calls below itself with one batch axis more. What is below is asked
again, level by level.

The dispatcher does the same, at three times the price for small arrays. It is left to calls that a tracer or a mode watches.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from enzyme_magic.errors import ArgumentError
from enzyme_magic.integrations.extras import require
from enzyme_magic.integrations.operation import Operation

if TYPE_CHECKING:
    import torch
else:
    torch = require("torch")

from torch._C import _functorch as functorch
from torch._C._functorch import TransformType, get_single_level_autograd_function_allowed
from torch._C._functorch import set_single_level_autograd_function_allowed as allow_single_level

Integers = Mapping[str, int]
Batch = Sequence[
    int
]  # the number of axes of a batch, then for each output the bits of those it is the sum over (all or none)
ONE: Batch = ()  # one example, without axes
Call = Callable[[Operation, str, Batch, Integers, Sequence["torch.Tensor"]], Sequence["torch.Tensor"]]

GRAD, VMAP = TransformType.Grad.value, TransformType.Vmap.value  # numbers: an enumeration of pybind11 compares slowly
POINTERS: dict[int, Any] = {
    GRAD: functorch.CGradInterpreterPtr,
    TransformType.Jvp.value: functorch.CJvpInterpreterPtr,
    VMAP: functorch.CVmapInterpreterPtr,
}


class Level:
    """One transform. pointer: into `interpreter`, which must stay; kind: a key of POINTERS."""

    __slots__ = ("batches", "interpreter", "kind", "pointer")

    def __init__(self, interpreter: Any, kind: int, pointer: Any) -> None:
        self.interpreter, self.kind, self.pointer = interpreter, kind, pointer
        self.batches = kind == VMAP


def innermost() -> Level | None:
    """The innermost transform, where this module has its rule; None for another."""
    found = functorch.peek_interpreter_stack()
    kind = found.key().value
    pointer = POINTERS.get(kind)
    return None if pointer is None else Level(found, kind, pointer(found))


def refuse_reverse(name: str) -> None:
    """ArgumentError EM601 where the innermost transform is reverse mode: PyTorch exports graphs of it that hold no numbers."""
    found = functorch.peek_interpreter_stack()
    if found is not None and found.key().value == GRAD:
        raise ArgumentError(
            f"{name}: torch.export cannot hold gradients of torch.func (grad, vjp, jacobians), of PyTorch's own operations neither",
            code="EM601",
            hint="torch.func.jvp and vmap are exported; or export the function, and take its gradient where it is loaded",
        )


def at_level(
    level: Level,
    rules: Any,
    below: Call,
    own: Operation,
    key: str,
    batch: Batch,
    integers: Integers,
    tensors: Sequence[torch.Tensor],
) -> Sequence[torch.Tensor]:
    """The results of a call below the transform `level`. rules: the custom function; below: what a call is one level down."""
    alive = [functorch.unwrap_if_dead(tensor) for tensor in tensors]
    pointer = level.pointer
    if level.batches:
        return _batched(level, below, own, key, batch, integers, alive)

    def compute(
        own: Operation, key: str, batch: Batch, integers: Integers, tensors: Sequence[torch.Tensor]
    ) -> Sequence[torch.Tensor]:
        number = pointer.level()
        lower = [functorch._unwrap_for_grad(tensor, number) for tensor in tensors]
        reverse = level.kind == GRAD  # a custom function switches both modes off
        torch._C._set_grad_enabled(pointer.prevGradMode() if reverse else True)
        torch._C._set_fwd_grad_enabled(True if reverse else pointer.prevFwdGradMode())
        saved = functorch.pop_dynamic_layer_stack()
        try:
            made = below(own, key, batch, integers, lower)
        finally:
            functorch.push_dynamic_layer_stack(saved)
            torch._C._set_grad_enabled(False)
            torch._C._set_fwd_grad_enabled(False)
        return [functorch._wrap_for_grad(tensor, number) for tensor in made]

    before = get_single_level_autograd_function_allowed()
    allow_single_level(True)
    try:
        made = rules.apply((compute, own, key, batch, integers), *[pointer.lift(tensor) for tensor in alive])
    finally:
        allow_single_level(before)
    return (made,) if isinstance(made, torch.Tensor) else made


def _batched(
    level: Level,
    below: Call,
    own: Operation,
    key: str,
    batch: Batch,
    integers: Integers,
    tensors: Sequence[torch.Tensor],
) -> Sequence[torch.Tensor]:
    number = level.pointer.level()
    pairs = [functorch._unwrap_batched(tensor, number) for tensor in tensors]
    saved = functorch.pop_dynamic_layer_stack()
    try:
        if all(axis is None for _, axis in pairs):
            return below(own, key, batch, integers, [tensor for tensor, _ in pairs])
        moved = example_first([tensor for tensor, _ in pairs], [axis for _, axis in pairs])
        made = below(own, key, with_axis(batch), integers, moved)
    finally:
        functorch.push_dynamic_layer_stack(saved)
    return [functorch._add_batch_dim(tensor, 0, number) for tensor in made]


def with_axis(batch: Batch) -> Batch:
    """One axis more, in front of the others, that nothing is the sum over."""
    return (batch[0] + 1, *(mark << 1 for mark in batch[1:])) if batch else (1,)


def example_first(tensors: Any, axes: Any) -> list[torch.Tensor]:
    """The tensors with the axis of vmap in front, of length 1 for those without one."""
    return [
        tensor.unsqueeze(0) if axis is None else tensor.movedim(axis, 0) if axis else tensor
        for tensor, axis in zip(tensors, axes, strict=True)
    ]

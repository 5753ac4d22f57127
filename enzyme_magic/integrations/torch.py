"""C functions as PyTorch operations: `enzyme("test.c", "f").apply(x)`, `op(p.f)(x, w)`, `Module`.

Invariant: every rule PyTorch asks for (backward, jvp, vmap) is the same `autograd.Function` on another operation, so all of them
nest: double backward, forward over reverse, batched Hessians. A tangent or gradient that C has none for raises; none is zero
by silence. Tensors are shared with C without a copy where their memory is contiguous; no input and no upstream gradient is written.

`torch.compile` runs the operation between two graphs, with all transforms; what must be one graph (fullgraph=True, export) is
refused by PyTorch with the reason given here.
"""

from __future__ import annotations

import os
from collections import namedtuple
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from enzyme_magic.api.function import CFunction
from enzyme_magic.errors import ArgumentError
from enzyme_magic.integrations import torch_dispatch as dispatch
from enzyme_magic.integrations.contract import OutShape, Slot
from enzyme_magic.integrations.extras import require
from enzyme_magic.integrations.files import file_operation
from enzyme_magic.integrations.operation import Operation, operation, wrong_dtype

if TYPE_CHECKING:
    import torch
else:
    torch = require("torch")

DTYPES = {
    "float32": torch.float32,
    "float64": torch.float64,
    "int8": torch.int8,
    "int16": torch.int16,
    "int32": torch.int32,
    "int64": torch.int64,
    "uint8": torch.uint8,
    "uint16": torch.uint16,
    "uint32": torch.uint32,
    "uint64": torch.uint64,
}
LOWER = (torch.float16, torch.bfloat16)


def enzyme(filename: str | os.PathLike[str], function: str, *, out_shape: OutShape = None) -> TorchOperation:
    """`void f(T *inp, size_t n, T *out)` of a C file; `diffef` in the file is used as its gradient where it is written.

    out_shape: of `out`, a tuple or a function of the shape of `inp`; without it that of `inp`. T is float or double.
    """
    return TorchOperation(file_operation(filename, function, out_shape))


def op(
    function: CFunction,
    *,
    shape: Mapping[str, Any] | None = None,
    out_shape: OutShape = None,
    outputs: str | Sequence[str] | None = None,
) -> TorchOperation:
    """Any C function on numbers and arrays of float or double; options as in docs/frameworks.md."""
    return TorchOperation(operation(function, shape=shape, out_shape=out_shape, outputs=outputs))


class TorchOperation:
    """Call it with tensors for the inputs in C order, integers by name; it gives a tensor, or several in a named tuple."""

    def __init__(self, operation: Operation) -> None:
        self.operation = operation

    def __call__(self, *tensors: Any, **named: Any) -> Any:
        return _eager(self, tensors, named)

    apply = __call__

    def run(self, tensors: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """The call itself, outside of any graph."""
        own = self.operation
        values, integers = own.bind(tensors, named)
        checked = [_tensor(own.name, slot, value) for slot, value in zip(own.inputs, values, strict=True)]
        made = _Call.apply(own, 0, integers, *checked)
        return made[0] if len(made) == 1 else self._results(*made)

    @cached_property
    def _results(self) -> Any:
        return namedtuple("Outputs", [slot.name for slot in self.operation.outputs], rename=True)

    def __repr__(self) -> str:
        return repr(self.operation).replace("<operation", "<torch operation")

    def __reduce__(self) -> tuple[Any, ...]:
        return TorchOperation, (self.operation,)


@torch.compiler.disable(reason="a C function of enzyme_magic is called between two graphs, use fullgraph=False")
def _eager(own: TorchOperation, tensors: Sequence[Any], named: Mapping[str, Any]) -> Any:
    return own.run(tensors, named)


def _tensor(function: str, slot: Slot, value: Any) -> torch.Tensor:
    """The tensor as C can read it. ArgumentError EM602 for dtype, device or layout, EM605 for a gradient C has none for."""
    wanted = DTYPES[slot.dtype.name]
    if not isinstance(value, torch.Tensor):
        if not slot.number or not isinstance(value, (int, float)) or isinstance(value, bool):
            raise ArgumentError(
                f"{function}: {slot.name} must be a tensor, got {type(value).__name__}",
                code="EM602",
                hint=f"torch.as_tensor({slot.name}, dtype=torch.{slot.dtype})",
            )
        return torch.tensor(value, dtype=wanted)
    if value.device.type != "cpu" or value.layout != torch.strided:
        where = f"on {value.device}" if value.device.type != "cpu" else f"{value.layout}"
        raise ArgumentError(
            f"{function}: {slot.name} is {where}, C reads dense memory of the CPU",
            code="EM602",
            hint=f"pass {slot.name}.cpu()" if value.device.type != "cpu" else f"pass {slot.name}.to_dense()",
        )
    if value.dtype in LOWER and slot.dtype.kind == "f" and torch.is_autocast_enabled("cpu"):
        value = value.to(wanted)
    if value.dtype != wanted:
        raise wrong_dtype(function, slot, value.dtype)
    if value.requires_grad and not slot.active:
        raise _no_gradient(function, slot, "requires grad")
    return value


def _no_gradient(function: str, slot: Slot, what: str) -> ArgumentError:
    return ArgumentError(
        f"{function}: {slot.name} {what}, and it is constant in C",
        code="EM605",
        hint=f"pass {slot.name}.detach(), or compile without activity={{'{slot.name}': 'const'}}",
    )


class _Call(torch.autograd.Function):
    """One operation on tensors with `batch` leading axes each."""

    @staticmethod
    def forward(own: Operation, batch: int, integers: Mapping[str, int], *tensors: torch.Tensor) -> Any:
        if torch._C._len_torch_dispatch_stack() or not all(map(_is_plain, tensors)):
            op = dispatch.dispatched(len(tensors), len(own.outputs))
            made = op(dispatch.key_of(own), batch, dispatch.integers_of(own, integers), *tensors)
            return made if isinstance(made, tuple) else (made,)
        return dispatch.run(own, batch, integers, tensors)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.operation, ctx.batch, ctx.integers, *tensors = inputs
        ctx.save_for_backward(*tensors)
        ctx.save_for_forward(*tensors)

    @staticmethod
    def backward(ctx: Any, *cotangents: torch.Tensor) -> Any:
        own: Operation = ctx.operation
        for slot, wanted in zip(own.inputs, ctx.needs_input_grad[3:], strict=True):
            if wanted and not slot.active:
                raise _no_gradient(own.name, slot, "requires grad")
        found = iter(_Call.apply(own.vjp, ctx.batch, ctx.integers, *ctx.saved_tensors, *cotangents))
        return (None, None, None, *(next(found) if slot.active else None for slot in own.inputs))

    @staticmethod
    def jvp(ctx: Any, *tangents: Any) -> Any:
        own: Operation = ctx.operation
        tensors, moved = ctx.saved_tensors, []
        for slot, tensor, tangent in zip(own.inputs, tensors, tangents[3:], strict=True):
            if slot.active:
                moved.append(torch.zeros_like(tensor) if tangent is None else tangent)
            elif tangent is not None and slot.dtype.kind == "f" and bool((tangent != 0).any()):
                raise _no_gradient(own.name, slot, "has a tangent")
        return _Call.apply(own.jvp, ctx.batch, ctx.integers, *tensors, *moved)

    @staticmethod
    def vmap(info: Any, in_dims: Any, own: Operation, batch: int, integers: Any, *tensors: torch.Tensor) -> Any:
        moved = dispatch.example_first(info.batch_size, tensors, in_dims[3:])
        return _Call.apply(own, batch + 1, integers, *moved), (0,) * len(own.outputs)


def _is_plain(tensor: torch.Tensor) -> bool:
    """Whether its memory is what it says; tensors of tracers and of vmap's older form go through the dispatcher."""
    return type(tensor) in (torch.Tensor, torch.nn.Parameter) and not torch._C._functorch.is_legacy_batchedtensor(
        tensor
    )


class Module(torch.nn.Module):
    """A C function as a layer. parameters, buffers: tensors for C parameters by name; the others are given to `forward`.

    state_dict, to(), optimizers work as for any module (the C function itself is no part of the state).
    """

    def __init__(
        self,
        function: TorchOperation | CFunction,
        parameters: Mapping[str, Any] | None = None,
        buffers: Mapping[str, Any] | None = None,
        **integers: int,
    ) -> None:
        super().__init__()
        self.operation = function if isinstance(function, TorchOperation) else op(function)
        self.integers = integers
        known = {slot.name for slot in self.operation.operation.inputs}
        unknown = sorted({*(parameters or {}), *(buffers or {})} - known)
        if unknown:
            raise ArgumentError(
                f"{self.operation.operation.name} has no input {unknown[0]!r}",
                code="EM301",
                hint=f"its inputs are: {', '.join(sorted(known))}",
            )
        self.own = (*(parameters or {}), *(buffers or {}))
        for name, value in (parameters or {}).items():
            self.register_parameter(name, torch.nn.Parameter(torch.as_tensor(value)))
        for name, value in (buffers or {}).items():
            self.register_buffer(name, torch.as_tensor(value))

    def forward(self, *tensors: Any, **named: Any) -> Any:
        """The C function of the remaining inputs, in C order."""
        return self.operation(*tensors, **{name: getattr(self, name) for name in self.own}, **self.integers, **named)

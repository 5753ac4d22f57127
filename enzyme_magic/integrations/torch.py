"""C functions as PyTorch operations: `enzyme("test.c", "f").apply(x)`, `op(p.f)(x, w)`, `Module`.

Invariant: what PyTorch asks (backward, jvp, vmap, shapes for a graph) is answered by `torch_dispatch`, by the same op each time, so
all of it nests, in `torch.compile` too. Tensors are shared with C without a copy where their memory is contiguous; no input and no
upstream gradient is written. A call that nothing but its caller looks at goes to C without the dispatcher.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from enzyme_magic.api.function import CFunction
from enzyme_magic.errors import ArgumentError, user_frames
from enzyme_magic.integrations import torch_dispatch as dispatch
from enzyme_magic.integrations.contract import ArraySlot, OutShape
from enzyme_magic.integrations.extras import require
from enzyme_magic.integrations.files import file_operation
from enzyme_magic.integrations.identity import name_of
from enzyme_magic.integrations.operation import Operation, number_for, operation, results_of, switch, wrong_dtype
from enzyme_magic.integrations.torch_levels import ONE

if TYPE_CHECKING:
    import torch
else:
    torch = require("torch")

LOWER = (torch.float16, torch.bfloat16)


@user_frames
def enzyme(filename: str | os.PathLike[str], function: str, *, out_shape: OutShape = None) -> TorchOperation:
    """`void f(T *inp, size_t n, T *out)` of a C file; `diffef` in the file is used as its gradient where it is written.

    out_shape: of `out`, a tuple or a function of the shape of `inp`; without it that of `inp`. T is float or double.
    """
    return TorchOperation(file_operation(filename, function, out_shape))


@user_frames
def op(
    function: CFunction,
    *,
    shape: Mapping[str, Any] | None = None,
    out_shape: OutShape = None,
    outputs: str | Sequence[str] | None = None,
    named: bool = True,
) -> TorchOperation:
    """Any C function on numbers and arrays of float or double; options as in docs/frameworks.md."""
    return TorchOperation(
        operation(function, shape=shape, out_shape=out_shape, outputs=outputs), switch("named", named)
    )


class TorchOperation:
    """Call it with tensors for the inputs in C order, integers by name; it gives a tensor, or a tuple of several (`named`)."""

    def __init__(self, operation: Operation, named: bool = True) -> None:
        self.operation, self.named = operation, named
        self._key = name_of(operation)
        self._inputs = [(slot, dispatch.DTYPES[slot.dtype.name]) for slot in operation.inputs]
        self._is_ordered = operation.is_ordered
        self._op = dispatch.dispatched(len(operation.inputs), len(operation.outputs))
        self._results = results_of(operation, named)

    def __call__(self, /, *tensors: Any, **named: Any) -> Any:
        if torch.compiler.is_dynamo_compiling():
            return self._called(tensors, named)
        try:
            return self._called(tensors, named)
        except ArgumentError as error:  # as `user_frames`, whose steps a call of some microseconds would feel
            raise error.for_user() from error.__cause__
        except (RuntimeError, TypeError):
            self._refuse_special(tensors, named)
            raise

    def _refuse_special(self, tensors: Sequence[Any], named: Mapping[str, Any]) -> None:
        """ArgumentError EM602 for tensors that look dense until they are read. Asked when a call has failed, so that others do not
        pay for the question."""
        values, _ = self.operation.bind(tensors, named)
        for (slot, _), value in zip(self._inputs, values, strict=True):
            if isinstance(value, torch.Tensor) and (value.is_nested or torch.masked.is_masked_tensor(value)):
                raise _elsewhere(self.operation.name, slot, value)

    def _called(self, tensors: Sequence[Any], named: Mapping[str, Any]) -> Any:
        own = self.operation
        if not named and len(tensors) == len(self._inputs) and not torch.compiler.is_dynamo_compiling():
            made = dispatch.call_at_once(own, self._key, self._inputs, tensors)
            if made is not None:
                return made[0] if len(made) == 1 else self._results(*made)
        values, integers = own.bind(tensors, named)
        checked = [_tensor(own, *known, value) for known, value in zip(self._inputs, values, strict=True)]
        if torch.compiler.is_dynamo_compiling():
            if self._is_ordered:
                made = _outside_of_graphs(own, self._key, integers, checked)
                return made[0] if len(made) == 1 else self._results(*made)
            found = self._op(self._key, ONE, dispatch.integers_of(own, integers), *checked)
            return found if len(own.outputs) == 1 else self._results(*found)
        call = dispatch.call if dispatch.who_sees_frames() is None else dispatch.call_unseen
        made = call(own, self._key, ONE, integers, checked)
        return made[0] if len(made) == 1 else self._results(*made)

    apply = __call__

    def __repr__(self) -> str:
        return repr(self.operation).replace("<operation", "<torch operation")

    def __reduce__(self) -> tuple[Any, ...]:
        return TorchOperation, (self.operation, self.named)


@torch.compiler.disable(recursive=True, reason="the C function prints or writes variables, so its calls stay in order")
def _outside_of_graphs(own: Operation, key: str, integers: Mapping[str, int], tensors: Sequence[Any]) -> Any:
    return dispatch.call_unseen(own, key, ONE, integers, tensors)


def _tensor(own: Operation, slot: ArraySlot, wanted: torch.dtype, value: Any) -> torch.Tensor:
    """The tensor as C can read it. ArgumentError EM602 for dtype, device or layout, EM605 for a gradient C has none for."""
    fits = isinstance(value, torch.Tensor) and value.dtype is wanted and value.is_cpu and value.layout is torch.strided
    if fits and (slot.active or not value.requires_grad):
        return value
    function = own.name
    if not isinstance(value, torch.Tensor):
        if not torch.compiler.is_dynamo_compiling() and number_for(function, slot, value) is not None:
            return torch.tensor(value, dtype=wanted)
        if not slot.number or not isinstance(value, (int, float)) or isinstance(value, (bool, np.generic)):
            _say_in_graph(f"{function}: {slot.name} must be a tensor")
            raise _no_tensor(function, slot, value)
        return torch.tensor(value, dtype=wanted)
    if not value.is_cpu or value.layout is not torch.strided:
        _say_in_graph(f"{function}: {slot.name} must be dense memory of the CPU")
        raise _elsewhere(function, slot, value)
    if value.dtype is not wanted:
        if not (value.dtype in LOWER and slot.dtype.kind == "f" and torch.is_autocast_enabled("cpu")):
            _say_in_graph(f"{function}: {slot.name} must be {slot.dtype.name}, got {value.dtype}")
            raise wrong_dtype(function, slot, value.dtype)
        value = value.to(wanted)
    if value.requires_grad and not slot.active:
        _say_in_graph(f"{function}: {slot.name} requires grad, and it is constant in C")
        raise dispatch.no_gradient(function, slot, "requires grad")
    return value


def _say_in_graph(message: str) -> None:
    """What torch.compile shows where it may not leave the graph to raise the error (fullgraph=True)."""
    if torch.compiler.is_dynamo_compiling():
        torch._dynamo.graph_break(msg=message)


def _no_tensor(function: str, slot: ArraySlot, value: Any) -> ArgumentError:
    return ArgumentError(
        f"{function}: {slot.name} must be a tensor, got {type(value).__name__}",
        code="EM602",
        hint=f"torch.as_tensor({slot.name}, dtype=torch.{slot.dtype})",
    )


def _elsewhere(function: str, slot: ArraySlot, value: torch.Tensor) -> ArgumentError:
    where, repair = _where(slot.name, value)
    return ArgumentError(
        f"{function}: {slot.name} is {where}, C reads dense memory of the CPU", code="EM602", hint=f"pass {repair}"
    )


def _where(name: str, value: torch.Tensor) -> tuple[str, str]:
    """What a tensor is that C cannot read, and what to pass in its place."""
    if value.is_nested:
        return "a nested tensor", f"{name}.to_padded_tensor(0.0), or each of {name}.unbind()"
    if torch.masked.is_masked_tensor(value):
        return "a masked tensor", f"{name}.to_tensor(…) with what masked elements stand for"
    if value.is_meta:
        return "on meta, without values", f"torch.empty_like({name}, device='cpu') with values in it"
    return (f"{value.layout}", f"{name}.to_dense()") if value.is_cpu else (f"on {value.device}", f"{name}.cpu()")


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
        for option, given in (("parameters", parameters), ("buffers", buffers)):
            if given is not None and not isinstance(given, Mapping):
                problem = f"{option} takes a mapping, got a {type(given).__name__}"
                raise ArgumentError(problem, code="EM301", hint=f"{option}={{'W': torch.zeros(…)}}")
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
        self._refuse_taken()
        for name, value in (parameters or {}).items():
            self.register_parameter(name, torch.nn.Parameter(self._trained(name, self._kept(name, value))))
        for name, value in (buffers or {}).items():
            self.register_buffer(name, self._kept(name, value))

    def _refuse_taken(self) -> None:
        """ArgumentError EM301 for a name that a Module has already, or that is given twice."""
        function = self.operation.operation.name
        for name in self.own:
            if hasattr(self, name):
                problem = f"{function}: {name} cannot be kept, a Module has an attribute of that name"
                raise ArgumentError(problem, code="EM301", hint=f"pass {name} in each call")
            if self.own.count(name) > 1:
                problem = f"{function}: {name} is among the parameters and among the buffers"
                raise ArgumentError(problem, code="EM301", hint=f"leave {name} out of one of them")

    def _kept(self, name: str, value: Any) -> torch.Tensor:
        """As a tensor; ArgumentError EM602 for what is none."""
        try:
            return torch.as_tensor(value)
        except (TypeError, ValueError, RuntimeError):
            own = self.operation.operation
            slot = next(slot for slot in own.inputs if slot.name == name)
            raise _no_tensor(own.name, slot, value) from None

    def _trained(self, name: str, tensor: torch.Tensor) -> torch.Tensor:
        """ArgumentError EM602 for a parameter of integers, which have no gradient."""
        if tensor.is_floating_point():
            return tensor
        problem = f"{self.operation.operation.name}: {name} is {tensor.dtype}, and a parameter is trained"
        raise ArgumentError(problem, code="EM602", hint=f"pass numbers of float or double, or buffers={{'{name}': …}}")

    def forward(self, /, *tensors: Any, **named: Any) -> Any:
        """The C function of the remaining inputs, in C order."""
        return self.operation(*tensors, **{name: getattr(self, name) for name in self.own}, **self.integers, **named)

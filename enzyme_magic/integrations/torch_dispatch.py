"""Operations as ops of PyTorch's dispatcher, with a rule for each question: backward, jvp, vmap, shapes without values.

Invariant: one op per number of inputs and outputs, `enzyme_magic::call_2_1(str key, int[] batch, SymInt[] integers, Tensor,
Tensor)`; the key is the operation's name (identity.py), the same in every process: graphs are saved, and Inductor keeps code on
disk. `batch` is how many axes of examples the tensors have (of length 1 where examples share one), then for each result the axes
that it is the sum over: the gradient of what examples share is one, added up in C.
Every rule is the same op with another key, so they nest: double backward, forward over reverse, batched Hessians, inside of
`torch.compile` and out of it. A tangent that C has none for raises; none is zero by silence.

`torch.library.custom_op` makes such ops, but without a rule for forward mode, which PyTorch then takes for zero, and its rule for
reverse mode does not work below `torch.func`. So the rule at the dispatcher's Autograd key is written here: a custom function for a
single level (`torch.func` calls the key once per level), with grad and forward modes switched on again for the levels below.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from enzyme_magic.errors import ArgumentError
from enzyme_magic.integrations.contract import ArraySlot
from enzyme_magic.integrations.extras import require
from enzyme_magic.integrations.identity import operation_called
from enzyme_magic.integrations.operation import Operation, batch_axes, summed, wrong_dtype
from enzyme_magic.integrations.torch_levels import (
    ONE,
    Batch,
    at_level,
    example_first,
    innermost,
    refuse_reverse,
    with_axis,
)

if TYPE_CHECKING:
    import torch
else:
    torch = require("torch")

from torch._C._dynamo import eval_frame
from torch._functorch.autograd_function import enable_single_level_autograd_function
from torch.autograd import forward_ad
from torch.autograd.function import _SingleLevelFunction
from torch.fx.experimental.proxy_tensor import get_proxy_mode

FIRST = 3  # key, batch, integers stand before the tensors
CPU = torch.device("cpu")
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

# Names ------------------------------------------------------------------------------------------------------------------

_kept: set[Operation] = set()


def integers_of(own: Operation, given: Mapping[str, int]) -> list[int]:
    """Integers by name as numbers: each with a flag before it, because it may be left out."""
    flat: list[int] = []
    for name in own.integer_names:
        flat += [1, given[name]] if name in given else [0, 0]
    return flat


def named_integers(own: Operation, flat: Sequence[int]) -> dict[str, int]:
    """The inverse of `integers_of`."""
    if not flat:
        return {}
    return {name: int(flat[2 * k + 1]) for k, name in enumerate(own.integer_names) if flat[2 * k]}


def _dtypes(own: Operation) -> tuple[Any, ...]:
    """Those of the outputs; looking them up by name each time is a tenth of a call."""
    found = own.foreign
    if found is None:
        found = own.foreign = tuple(DTYPES[slot.dtype.name] for slot in own.outputs)
    return found


# Values -----------------------------------------------------------------------------------------------------------------


def call_at_once(
    own: Operation, key: str, inputs: Sequence[tuple[ArraySlot, torch.dtype]], tensors: Sequence[Any]
) -> Sequence[torch.Tensor] | None:
    """The results where nobody but the caller looks at the call and C reads the tensors as they are; otherwise None. It is all
    that `_call` and the checks before it ask, in one pass: each question costs a hundredth of a call."""
    if _has_transforms() or _modes() or _function_modes() or _is_tracing() or who_sees_frames() is not None:
        return None
    asks = False
    for (slot, wanted), tensor in zip(inputs, tensors, strict=True):
        if type(tensor) not in _PLAIN or tensor.dtype is not wanted or not tensor.is_cpu:
            return None
        if tensor.layout is not torch.strided or _is_wrapped(tensor) or _is_batched(tensor):
            return None
        if tensor.requires_grad:
            if not slot.active:
                return None
            asks = True
    if forward_ad._current_level < 0 and not (asks and torch.is_grad_enabled()):
        return run(own, key, ONE, {}, tensors)
    made = _Rules.apply((run, own, key, ONE, {}), *tensors)
    return (made,) if isinstance(made, torch.Tensor) else made


def _call(
    own: Operation, key: str, batch: Batch, integers: Mapping[str, int], tensors: Sequence[torch.Tensor]
) -> Sequence[torch.Tensor]:
    """The results, however many: from C at once, by the rules, or as those need who look at this call."""
    if _has_transforms() or _modes() or _function_modes() or _is_tracing():
        return _watched(own, key, batch, integers, tensors)
    asks = forward_ad._current_level >= 0
    for tensor in tensors:
        if type(tensor) not in _PLAIN or _is_wrapped(tensor) or _is_batched(tensor):
            return _watched(own, key, batch, integers, tensors)
        asks = asks or (tensor.requires_grad and torch.is_grad_enabled())
    if not asks:
        return run(own, key, batch, integers, tensors)
    made = _Rules.apply((run, own, key, batch, integers), *tensors)
    return (made,) if isinstance(made, torch.Tensor) else tuple(made)


def _watched(
    own: Operation, key: str, batch: Batch, integers: Mapping[str, int], tensors: Sequence[torch.Tensor]
) -> Sequence[torch.Tensor]:
    """As `_call`, where a transform of `torch.func`, a mode or a tracer looks on."""
    level = None if _modes() or _function_modes() or _is_tracing() or not _has_transforms() else innermost()
    if level is not None:
        if not level.batches:
            _refuse_constants(own, tensors)
        return at_level(level, _Rules, _call, own, key, batch, integers, tensors)
    if own.root.is_ordered and (get_proxy_mode() is not None or _is_tracing()):
        raise _ordered(own)
    if _modes() or _is_tracing():
        _kept.add(own.root)  # it may become a graph, which may be called at any time
    op = dispatched(len(own.inputs), len(own.outputs))
    made = op(key, batch, integers_of(own, integers), *tensors)
    return (made,) if isinstance(made, torch.Tensor) else tuple(made)


call = _call
who_sees_frames = eval_frame.get_eval_frame_callback
call_unseen = torch.compiler.disable(_call, recursive=True)  # where dynamo looks at frames: it sees none of the rules


def _asks(tensors: Sequence[torch.Tensor]) -> bool:
    """Whether a derivative by one of the tensors may be asked. A graph that torch.compile made enters dual levels of its own, which
    `forward_ad` does not count: here the tensors tell."""
    if torch.is_grad_enabled() and any(tensor.requires_grad for tensor in tensors):
        return True
    return any(torch._VF._unpack_dual(tensor, level=0).tangent is not None for tensor in tensors)


def _is_watched(tensors: Sequence[torch.Tensor]) -> bool:
    """Whether a transform, a tracer or a mode must see the call."""
    looks_on = _has_transforms() or _modes() or _function_modes() or _is_tracing()
    return looks_on or not all(map(_is_plain, tensors))


def _is_plain(tensor: torch.Tensor) -> bool:
    return type(tensor) in _PLAIN and not _is_wrapped(tensor) and not _is_batched(tensor)


_PLAIN = (torch.Tensor, torch.nn.Parameter)
_has_transforms = torch._C._are_functorch_transforms_active
_modes, _function_modes = torch._C._len_torch_dispatch_stack, torch._C._len_torch_function_stack
_is_tracing = torch._C._is_tracing
_is_wrapped = torch._C._functorch.is_functorch_wrapped_tensor
_is_batched = torch._C._functorch.is_legacy_batchedtensor  # of the older vmap, which gradcheck uses


def run(
    own: Operation, key: str, batch: Batch, integers: Mapping[str, int], tensors: Sequence[torch.Tensor]
) -> list[torch.Tensor]:
    """The operation on dense tensors of the CPU, whose memory C reads in place where it is contiguous."""
    axes, sums = (batch[0], tuple(batch[1:])) if batch else (0, ())
    if not axes or all(tensor.is_contiguous() for tensor in tensors):  # what examples share is not copied for each
        held: list[torch.Tensor] = []
        shapes, addresses = [], []
        for given in tensors:
            tensor = given if given.is_contiguous() and not given.is_neg() else given.resolve_neg().contiguous()
            address = tensor.data_ptr()
            if not address:
                tensor = _with_memory(own, len(held), tensor)
                address = tensor.data_ptr()
            held.append(tensor)
            shapes.append(tensor.shape)
            addresses.append(address)
        launch = None if axes or integers else own.launches.get(tuple(shapes))
        if launch is None:
            launch = own.launch(shapes, integers, axes, sums)
        if not launch.empty:
            made = []
            for k, like in enumerate(launch.like):
                tensor = torch.empty_like(held[like]) if like is not None else _empty(own, launch.outputs[k], k)
                made.append(tensor)
                addresses.append(tensor.data_ptr())
            own.native(launch.axes, launch.sizes, launch.strides, *addresses)
            return made
    filled = [_with_memory(own, k, tensor) for k, tensor in enumerate(tensors)]
    arrays = [tensor.detach().resolve_neg().numpy() for tensor in filled]
    return [torch.from_numpy(array) for array in own(arrays, integers, axes, sums)]


def _with_memory(own: Operation, k: int, tensor: torch.Tensor) -> torch.Tensor:
    """The tensor, with zeros in memory where PyTorch only knows that it is zero (a tangent that it made up).
    ArgumentError EM602 where the memory was taken from it."""
    if tensor._is_zerotensor():
        return torch.zeros(tensor.shape, dtype=tensor.dtype, device=CPU)
    if tensor.numel() and not tensor.data_ptr():
        name = own.inputs[k].name
        raise ArgumentError(
            f"{own.name}: the memory of {name} was freed (its storage has no bytes)",
            code="EM602",
            hint=f"call {own.name} before the storage of {name} is resized",
        )
    return tensor


def _empty(own: Operation, shape: Any, k: int) -> torch.Tensor:
    return torch.empty(shape, dtype=_dtypes(own)[k], device=CPU)


# Rules ------------------------------------------------------------------------------------------------------------------


class _Rules(_SingleLevelFunction):
    """The op at one level of differentiation. asked: what gives its results below that level, and the call. (One argument: each
    costs time in the graph.)"""

    @staticmethod
    def forward(ctx: Any, asked: tuple[Any, Operation, str, int, Mapping[str, int]], *tensors: torch.Tensor) -> Any:
        compute, *call = asked
        made = compute(*call, tensors)
        ctx.made = *call, [tensor.shape for tensor in made]  # kept as long as the graph
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(*tensors)
        if compute is not run or forward_ad._current_level >= 0:  # graphs enter dual levels without that number
            ctx.save_for_forward(*tensors)
        return made[0] if len(made) == 1 else tuple(made)

    @staticmethod
    def backward(ctx: Any, *cotangents: torch.Tensor | None) -> Any:
        return (_backward if who_sees_frames() is None else _backward_unseen)(ctx, cotangents)

    @staticmethod
    @torch.compiler.disable(recursive=True)
    def jvp(ctx: Any, *tangents: torch.Tensor | None) -> Any:
        own, key, batch, integers, _ = ctx.made
        with forward_ad._set_fwd_grad_enabled(True):
            primals = [forward_ad.unpack_dual(tensor, level=0).primal for tensor in ctx.saved_tensors]
            moved = []
            for slot, primal, tangent in zip(own.inputs, primals, tangents[1:], strict=True):
                if slot.active:
                    moved.append(torch.zeros_like(primal) if tangent is None else tangent)
                elif tangent is not None and slot.dtype.kind == "f":
                    raise no_gradient(own.name, slot, "has a tangent")
            made = _call(own.jvp, key + "j", batch, integers, [*primals, *moved])
        return made[0] if len(made) == 1 else tuple(made)


def _backward(ctx: Any, cotangents: Sequence[torch.Tensor | None]) -> Any:
    own, key, batch, integers, shapes = ctx.made
    given = list(ctx.saved_tensors)
    for k, cotangent in enumerate(cotangents):
        given.append(torch.zeros(shapes[k], dtype=_dtypes(own)[k]) if cotangent is None else cotangent)
    if batch:
        full = batch_axes([tensor.shape for tensor in given], batch[0])
        shared = [ctx.saved_tensors[k].shape for k in own.active]
        batch = (batch[0], *(sum(1 << k for k, n in enumerate(full) if shape[k] != n) for shape in shared))
    made = _call(own.vjp, key + "v", batch, integers, given)
    if len(made) == len(own.inputs):
        return (None, *made)
    found = iter(made)
    return (None, *[next(found) if slot.active else None for slot in own.inputs])


_backward_unseen = torch.compiler.disable(_backward, recursive=True)


def _ordered(own: Operation) -> ArgumentError:
    return ArgumentError(
        f"{own.root.name} prints or writes variables: a graph may drop, merge or move its calls",
        code="EM609",
        hint=f"leave {own.root.name} out of what is traced or exported; torch.compile without fullgraph=True does so itself",
    )


def no_gradient(function: str, slot: ArraySlot, what: str) -> ArgumentError:
    """ArgumentError EM605."""
    return ArgumentError(
        f"{function}: {slot.name} {what}, and it is constant in C",
        code="EM605",
        hint=f"pass {slot.name}.detach(), or compile without activity={{'{slot.name}': 'const'}}",
    )


@torch.compiler.disable(recursive=True)
def _native(key: str, batch: Batch, integers: Sequence[int], *tensors: torch.Tensor) -> Any:
    return _run(key, batch, integers, tensors)


def _run(key: str, batch: Batch, integers: Sequence[int], tensors: Sequence[torch.Tensor]) -> Any:
    own = operation_called(key)
    made = run(own, key, batch, named_integers(own, integers), tensors)
    return made[0] if len(made) == 1 else tuple(made)


@torch.compiler.disable(recursive=True)
def _differentiable(keys: Any, key: str, batch: Batch, integers: Sequence[int], *tensors: torch.Tensor) -> Any:
    if not _asks(tensors) and not _is_watched(tensors):
        return _run(key, batch, integers, tensors)  # below all levels
    own = operation_called(key)
    _refuse_constants(own, tensors)
    if torch.compiler.is_exporting() and _has_transforms():
        refuse_reverse(own.name)

    def compute(
        own: Operation, key: str, batch: Batch, integers: Mapping[str, int], tensors: Sequence[torch.Tensor]
    ) -> Sequence[torch.Tensor]:
        op = dispatched(len(own.inputs), len(own.outputs))
        with torch.enable_grad(), forward_ad._set_fwd_grad_enabled(True), torch._C._AutoDispatchBelowAutograd():
            made = op.redispatch(
                keys & torch._C._after_autograd_keyset, key, batch, integers_of(own, integers), *tensors
            )
        return (made,) if isinstance(made, torch.Tensor) else tuple(made)

    with enable_single_level_autograd_function():
        return _Rules.apply((compute, own, key, batch, named_integers(own, integers)), *tensors)


def _refuse_constants(own: Operation, tensors: Sequence[torch.Tensor]) -> None:
    """ArgumentError EM605 for a gradient that C has none of."""
    for slot, tensor in zip(own.inputs, tensors, strict=True):
        if not slot.active and tensor.requires_grad and torch.is_grad_enabled():
            raise no_gradient(own.name, slot, "requires grad")


@torch.compiler.disable(recursive=True)
def _shapes(key: str, batch: Batch, integers: Sequence[int], *tensors: torch.Tensor) -> Any:
    """Fake tensors of the results. A size that is left open stays open; the call checks the number that it becomes."""
    own = operation_called(key)
    if own.root.is_ordered:
        raise _ordered(own)
    _kept.add(own.root)  # as above
    for slot, tensor in zip(own.inputs, tensors, strict=True):
        if tensor.dtype != DTYPES[slot.dtype.name]:
            raise wrong_dtype(own.name, slot, tensor.dtype)
    sizes = [tuple(tensor.shape) for tensor in tensors]
    count, sums = (batch[0], batch[1:]) if batch else (0, ())
    axes = batch_axes(sizes, count)
    symbolic = any(isinstance(size, torch.SymInt) for shape in sizes for size in shape)
    shapes = own.output_shapes([size[count:] for size in sizes], named_integers(own, integers), symbolic=symbolic)
    made = [
        torch.empty((*summed(axes, mark), *shape), dtype=DTYPES[slot.dtype.name], device=tensors[0].device)
        for shape, slot, mark in zip(shapes, own.outputs, sums or [0] * len(shapes), strict=True)
    ]
    return made[0] if len(made) == 1 else tuple(made)


@torch.compiler.disable(recursive=True)
def _batched(info: Any, axes: Any, key: str, batch: Batch, integers: Sequence[int], *tensors: torch.Tensor) -> Any:
    own = operation_called(key)
    moved = example_first(tensors, axes[FIRST:])
    made = _call(own, key, with_axis(batch), named_integers(own, integers), moved)
    return (made[0], 0) if len(made) == 1 else (tuple(made), (0,) * len(made))


_library = torch.library.Library("enzyme_magic", "FRAGMENT")


@cache
def dispatched(inputs: int, outputs: int) -> Any:
    """The op for so many tensors."""
    name = f"call_{inputs}_{outputs}"
    tensors = "".join(f", Tensor t{k}" for k in range(inputs))
    result = f"({', '.join(['Tensor'] * outputs)})" if outputs > 1 else "Tensor"
    _library.define(
        f"{name}(str key, int[] batch, SymInt[] integers{tensors}) -> {result}", tags=(torch.Tag.pt2_compliant_tag,)
    )
    _library.impl(name, _native, "CPU")
    _library.impl(name, _differentiable, "Autograd", with_keyset=True)
    torch.library.register_fake(f"enzyme_magic::{name}", _shapes, lib=_library)
    torch.library.register_vmap(f"enzyme_magic::{name}", _batched, lib=_library)
    return getattr(torch.ops.enzyme_magic, name).default


for _inputs in range(1, 9):  # a graph that was saved may be loaded before the operations it calls are made
    for _outputs in range(1, 5):
        dispatched(_inputs, _outputs)

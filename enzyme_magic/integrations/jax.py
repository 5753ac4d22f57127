"""C functions as JAX operations: `op(p.f)(x, w)` under jit, grad, vmap, jvp and their nests.

Invariant: one primitive stands for every operation, with a rule for each question JAX asks: its jvp is the operation's jvp; the jvp
is linear in the tangents, and its transpose is the vjp; the vjp is linear in the cotangents, and its transpose is the jvp again. So
forward and reverse mode come from the same rules, and no tangent is dropped: a constant with a tangent raises.

The call goes through XLA's foreign function interface, by a handler in C against the header that jaxlib ships, with no Python in
between; where C leaves (exit, the tape limit), the handler gives XLA an error. Functions that print or write variables have JAX's
ordered effect and go through a callback, so each call happens once and in its place; so do those whose derivatives call Python.
CPU only. JAX's arrays are 64-bit only after jax.config.update("jax_enable_x64", True).
"""

from __future__ import annotations

import ctypes
import math
import os
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from enzyme_magic.api.function import CFunction
from enzyme_magic.backend.runtime import arena, exits
from enzyme_magic.backend.runtime.calls.invoke import leaves, words
from enzyme_magic.backend.runtime.values.buffers import refuse_mask
from enzyme_magic.errors import ArgumentError, user_frames
from enzyme_magic.integrations import jax_sizes
from enzyme_magic.integrations.contract import ArraySlot, OutShape, Shape
from enzyme_magic.integrations.extras import require
from enzyme_magic.integrations.files import file_operation
from enzyme_magic.integrations.identity import name_of, operation_called
from enzyme_magic.integrations.jax_handler import handler
from enzyme_magic.integrations.jax_partitions import is_divisible, lower_divided, sharding_of_batch
from enzyme_magic.integrations.operation import (
    Operation,
    Sums,
    batch_axes,
    number_for,
    operation,
    results_of,
    summed,
    switch,
    wrong_dtype,
)

if TYPE_CHECKING:
    import jax
else:
    jax = require("jax")

import jax.export
import jax.extend.core
import jax.numpy as jnp
from jax._src import core
from jax._src.callback import _OrderedIOEffect as ORDERED
from jax._src.export._export import _CUSTOM_CALL_TARGETS_GUARANTEED_STABLE as GUARANTEED
from jax.experimental import io_callback, jet
from jax.interpreters import ad, batching, mlir

Integers = tuple[tuple[str, int], ...]


@user_frames
def enzyme(filename: str | os.PathLike[str], function: str, *, out_shape: OutShape = None) -> JaxOperation:
    """`void f(T *inp, size_t n, T *out)` of a C file; see `enzyme_magic.integrations.torch.enzyme`."""
    return JaxOperation(file_operation(filename, function, out_shape))


@user_frames
def op(
    function: CFunction,
    *,
    shape: Mapping[str, Any] | None = None,
    out_shape: OutShape = None,
    outputs: str | Sequence[str] | None = None,
    named: bool = True,
) -> JaxOperation:
    """Any C function on numbers and arrays of float or double; options as in docs/frameworks.md."""
    return JaxOperation(operation(function, shape=shape, out_shape=out_shape, outputs=outputs), switch("named", named))


@user_frames
def provide(exported: jax.export.Exported, *operations: JaxOperation) -> jax.export.Exported:
    """What `jax.export.deserialize` gives, ready to be called: `provide(deserialize(data), op(p.f))`.

    A saved function names the C it calls by a hash of what that computes. ArgumentError EM606 where none of `operations`, or of
    those that were called before, is it.
    """
    if not isinstance(exported, jax.export.Exported) or not all(isinstance(own, JaxOperation) for own in operations):
        raise ArgumentError(
            "provide takes what jax.export.deserialize gives, then operations",
            code="EM322",
            hint="provide(jax.export.deserialize(data), op(p.f))",
        )
    for own in operations:
        name_of(own.operation)
    for name in sorted(set(TARGET.findall(exported.mlir_module()))):
        _target(operation_called(name))
    if exported.has_vjp():
        provide(exported.vjp())
    return exported


class JaxOperation:
    """Call it with arrays for the inputs in C order, integers by name; it gives an array, or a tuple of several (`named`)."""

    def __init__(self, operation: Operation, named: bool = True) -> None:
        self.operation, self.named = operation, named

    @user_frames
    def __call__(self, /, *arrays: Any, **named: Any) -> Any:
        own = self.operation
        for name in own.integer_names:
            if isinstance(named.get(name), jax.core.Tracer):
                raise ArgumentError(
                    f"{own.name}: {name} is traced, and it is a size or a count in C",
                    code="EM604",
                    hint=f"jax.jit(…, static_argnames={name!r})",
                )
        values, integers = own.bind(arrays, named)
        checked = [_array(own.name, slot, value) for slot, value in zip(own.inputs, values, strict=True)]
        made = _bind(*checked, own=own, batch=0, integers=tuple(integers.items()))
        return made[0] if len(made) == 1 else self._results(*made)

    @cached_property
    def _results(self) -> Any:
        return results_of(self.operation, self.named)

    def __repr__(self) -> str:
        return repr(self.operation).replace("<operation", "<jax operation")

    def __reduce__(self) -> tuple[Any, ...]:
        return JaxOperation, (self.operation, self.named)


def _array(function: str, slot: ArraySlot, value: Any) -> Any:
    """ArgumentError EM602 where the dtype is not the parameter's; Python numbers become arrays."""
    if number_for(function, slot, value) is not None:
        if jax.dtypes.canonicalize_dtype(slot.dtype) != slot.dtype:
            raise _narrow(function, slot, jax.dtypes.canonicalize_dtype(slot.dtype))
        return jnp.asarray(value, slot.dtype)
    refuse_mask(value, f"{function}: {slot.name}")
    try:
        given = value if isinstance(value, (jax.Array, jax.core.Tracer)) else np.asarray(value)
        if given.dtype != slot.dtype:  # without 64 bits JAX would convert it silently
            is_object = getattr(given.dtype, "kind", "") == "O"  # dtypes of JAX's own (keys) have no kind
            raise _narrow(function, slot, type(value).__name__ if is_object else given.dtype)
        array = jnp.asarray(given)
    except ArgumentError:
        raise
    except (TypeError, ValueError):
        raise wrong_dtype(function, slot, type(value).__name__) from None
    if array.dtype != slot.dtype:
        raise _narrow(function, slot, array.dtype)
    return array


def _narrow(function: str, slot: ArraySlot, got: Any) -> ArgumentError:
    """ArgumentError EM602; where JAX has no 64-bit arrays, what switches them on."""
    error = wrong_dtype(function, slot, got)
    if slot.dtype.itemsize == 8 and not jax.config.jax_enable_x64:
        error.hint = 'jax.config.update("jax_enable_x64", True)'
    return error


# The primitive ---------------------------------------------------------------------------------------------------------

call_p = jax.extend.core.Primitive("enzyme_magic_call")
call_p.multiple_results = True


def _bind(*arrays: Any, own: Operation, batch: int, integers: Integers) -> Any:
    """The primitive of arrays that vary over the same axes of a mesh (`shard_map`), as JAX's own operations have it."""
    return call_p.bind(*core.auto_insert_reshard(*arrays), own=own, batch=batch, integers=integers)


@cache
def _jitted(own: Operation, batch: int, integers: Integers) -> Any:
    def called(*arrays: Any) -> Any:
        return call_p.bind(*arrays, own=own, batch=batch, integers=integers)

    return _as_one(called, own)


def _as_one(called: Any, own: Operation) -> Any:
    called.__name__ = called.__qualname__ = own.name
    # JAX's mark of what executes one primitive: where it finds a NaN (jax_debug_nans) it looks no further inside
    called._apply_primitive = True
    return jax.jit(called)


@call_p.def_impl
def _impl(*arrays: Any, own: Operation, batch: int, integers: Integers) -> Any:
    with jax.disable_jit(False):  # C needs a compiled call, whatever else is looked at step by step
        return _jitted(own, batch, integers)(*arrays)


@call_p.def_effectful_abstract_eval
def _abstract(*arrays: Any, own: Operation, batch: int, integers: Integers) -> Any:
    axes = batch_axes([array.shape for array in arrays], batch)
    given = [array.shape[batch:] for array in arrays]
    if jax_sizes.is_open([array.shape for array in arrays]):
        shapes = jax_sizes.output_shapes(own, given, dict(integers))
    else:
        shapes = own.output_shapes(given, dict(integers))
    if any(array.mat.unreduced or array.mat.reduced for array in arrays):
        raise ArgumentError(
            f"{own.name}: an input is a sum that is not finished (unreduced axes of a mesh)",
            code="EM602",
            hint="jax.lax.psum, or jax.reshard to an unsharded array first",
        )
    varying = core.ManualAxisType(varying=core.standard_vma_rule(call_p.name, *arrays))
    sharding = sharding_of_batch(arrays, axes)
    made = [
        jax.core.ShapedArray((*axes, *shape), slot.dtype, sharding=sharding(len(shape)), manual_axis_type=varying)
        for shape, slot in zip(shapes, own.outputs, strict=True)
    ]
    return made, {ORDERED} if own.root.is_ordered else set()


def _jvp(
    primals: Any, tangents: Any, *, own: Operation, batch: int, integers: Integers, bind: Callable[..., Any] = _bind
) -> Any:
    out = bind(*primals, own=own, batch=batch, integers=integers)
    zero = [type(tangent) is ad.Zero for tangent in tangents]
    for slot, none in zip(own.inputs, zero, strict=True):
        if not slot.active and not none:
            raise no_tangent(own.name, slot)
    before = own.before
    fixed = len(before.inputs) if before is not None else len(own.inputs)
    if before is not None and all(zero[:fixed]):
        moved = [ad.instantiate_zeros(tangent) for tangent in tangents[fixed:]]
        return out, bind(*primals[:fixed], *moved, own=own, batch=batch, integers=integers)
    moved = [ad.instantiate_zeros(tangents[k]) for k in own.active]
    return out, bind(*primals, *moved, own=own.jvp, batch=batch, integers=integers)


def no_tangent(function: str, slot: ArraySlot) -> ArgumentError:
    """ArgumentError EM605."""
    return ArgumentError(
        f"{function}: {slot.name} has a tangent, and it is constant in C",
        code="EM605",
        hint=f"jax.lax.stop_gradient({slot.name}), or compile without activity={{'{slot.name}': 'const'}}",
    )


def _transpose(cotangents: Any, *inputs: Any, own: Operation, batch: int, integers: Integers, marks: Marks = ()) -> Any:
    """marks: of a sum (`joined_p`), whose cotangent all examples share along the axes that it has no more."""
    before = own.before
    fixed = len(before.inputs) if before is not None else len(inputs)
    if before is None or any(ad.is_undefined_primal(value) for value in inputs[:fixed]):
        raise NotImplementedError(f"{own.name} is transposed in an input it is not linear in")
    given = [ad.instantiate_zeros(cotangent) for cotangent in cotangents]
    other = before.vjp if own.path[-1] == "j" else before.jvp
    shapes = [value.aval.shape if ad.is_undefined_primal(value) else np.shape(value) for value in inputs]
    full = batch_axes(shapes, batch)
    if (
        batch_axes([*shapes[:fixed], *map(np.shape, given)], batch) != full
    ):  # otherwise no array says how many examples there are
        given[0] = jnp.broadcast_to(given[0], (*full, *given[0].shape[batch:]))
    wanted = tuple(_mark(value, full) for value in inputs[fixed:])
    found = _joined(*inputs[:fixed], *given, own=other, batch=batch, integers=integers, marks=wanted)
    rest = [
        _divided_as(g, value.aval) if ad.is_undefined_primal(value) else None
        for g, value in zip(found, inputs[fixed:], strict=True)
    ]
    return [None] * fixed + rest


def _divided_as(cotangent: Any, aval: Any) -> Any:
    """That of an input, divided among devices as it is."""
    as_it_is = aval.sharding.mesh.empty or jax.typeof(cotangent).sharding == aval.sharding
    return cotangent if as_it_is else jax.reshard(cotangent, aval.sharding)


def _batch(arrays: Any, axes: Any, *, own: Operation, batch: int, integers: Integers) -> Any:
    """An axis more for all inputs."""
    whole = _with_axis(arrays, axes)
    return _bind(*whole, own=own, batch=batch + 1, integers=integers), [0] * len(own.outputs)


def _with_axis(arrays: Any, axes: Any) -> list[Any]:
    """An axis of length 1 for what all examples share, so that nothing is copied for each of them."""
    return [
        jnp.expand_dims(array, 0) if axis is None else jnp.moveaxis(array, axis, 0)
        for array, axis in zip(arrays, axes, strict=True)
    ]


def _jet(primals: Any, series: Any, *, own: Operation, batch: int, integers: Integers) -> Any:
    """Taylor coefficients (`jax.experimental.jet`): derivatives along the curve that those of the inputs are."""
    for slot, terms in zip(own.inputs, series, strict=True):
        # JAX gives zeros for a series that is none, and inside of a jit nobody sees that they are
        if not slot.active and slot.dtype.kind == "f" and any(not core.is_concrete(c) or np.any(c) for c in terms):
            raise no_tangent(own.name, slot)

    def along(t: Any) -> Any:
        moved = [
            value
            if not slot.active
            else value + jnp.asarray(sum(c * t ** (k + 1) for k, c in enumerate(terms)), slot.dtype)
            for slot, value, terms in zip(own.inputs, primals, series, strict=True)
        ]
        return _bind(*moved, own=own, batch=batch, integers=integers)

    def slope(of: Any) -> Any:
        return lambda t: jax.jvp(of, (t,), (jnp.ones_like(t),))[1]

    zero = jnp.zeros((), max(slot.dtype for slot in own.outputs))
    found, derivative = [along(zero)], along
    for _ in series[0]:
        derivative = slope(derivative)
        found.append(derivative(zero))
    scaled = [[term / math.factorial(k) for term in terms] for k, terms in enumerate(found[1:], 1)]
    return found[0], [[terms[k] for terms in scaled] for k in range(len(own.outputs))]


ad.primitive_jvps[call_p] = _jvp
jet.jet_rules[call_p] = _jet
ad.primitive_transposes[call_p] = _transpose
batching.primitive_batchers[call_p] = _batch


def _lower(ctx: Any, *arrays: Any, own: Operation, batch: int, integers: Integers) -> Any:
    shapes = [value.shape for value in ctx.avals_in]
    target = _target(own)
    if target is None and jax_sizes.is_open(shapes):
        raise jax_sizes.through_python(own)
    if target is None:
        results = [jax.ShapeDtypeStruct(value.shape, value.dtype) for value in ctx.avals_out]

        def called(*values: Any) -> Any:
            return own([np.asarray(value) for value in values], dict(integers), batch)

        def through_python(*values: Any) -> Any:
            if own.root.is_ordered:
                return io_callback(called, results, *values, ordered=True)
            return jax.pure_callback(called, results, *values)

        return mlir.lower_fun(through_python, multiple_results=True)(ctx, *arrays)
    if is_divisible(ctx, batch):

        def call(*values: Any) -> Any:
            return _bind(*values, own=own, batch=batch, integers=integers)

        return lower_divided(ctx, f"{name_of(own)} {integers}", call, batch, *arrays)
    if jax_sizes.is_open(shapes):
        value, type_ = jax_sizes.evaluated(ctx, jax_sizes.layout(own, shapes, dict(integers), batch))
        return jax.ffi.ffi_lowering(target)(ctx.replace(avals_in=[*ctx.avals_in, type_]), *arrays, value)
    plan, _ = own.layout(shapes, dict(integers), batch_axes(shapes, batch))
    return jax.ffi.ffi_lowering(target)(ctx, *arrays, plan=np.array(plan, dtype=np.int64))


mlir.register_lowering(call_p, _lower, platform="cpu")


# Gradients of what examples share ----------------------------------------------------------------------------------------

# The vjp of a batch in one loop of C: of its outputs, those of inputs that examples share are added up, and no memory is made for
# what each example gives. Wherever something is asked of it that C does not answer, it is the vjp and a sum. A mark has a bit for
# each axis of the batch that the output is the sum over (`Sums`).
joined_p = jax.extend.core.Primitive("enzyme_magic_joined")
joined_p.multiple_results = True
UNUSED = -1  # all bits: nobody looks at it
Marks = Sums


def _mark(value: Any, full: Shape) -> int:
    """What becomes of the gradient of an input that is transposed."""
    if not ad.is_undefined_primal(value):
        return UNUSED
    return sum(1 << k for k, n in enumerate(full) if value.aval.shape[k] != n)


def _joined(*arrays: Any, own: Operation, batch: int, integers: Integers, marks: Marks) -> Any:
    types = [jax.typeof(array) for array in arrays]
    whole = all(type_.sharding.mesh.empty for type_ in types) and not jax_sizes.is_open([t.shape for t in types])
    if any(marks) and whole and not own.root.is_ordered:
        return joined_p.bind(*arrays, own=own, batch=batch, integers=integers, marks=marks)
    return _apart(*arrays, own=own, batch=batch, integers=integers, marks=marks)


def _apart(*arrays: Any, own: Operation, batch: int, integers: Integers, marks: Marks) -> Any:
    def joined(made: Any, mark: int) -> Any:
        if mark == UNUSED:
            return jnp.zeros((*(1,) * batch, *made.shape[batch:]), made.dtype)
        axes = tuple(k for k in range(batch) if mark >> k & 1)
        return made.sum(axis=axes, keepdims=True) if axes else made

    return [*map(joined, _bind(*arrays, own=own, batch=batch, integers=integers), marks)]


@cache
def _joined_jitted(own: Operation, batch: int, integers: Integers, marks: Marks) -> Any:
    def called(*arrays: Any) -> Any:
        return joined_p.bind(*arrays, own=own, batch=batch, integers=integers, marks=marks)

    return _as_one(called, own)


@joined_p.def_impl
def _joined_impl(*arrays: Any, **how: Any) -> Any:
    with jax.disable_jit(False):
        return _joined_jitted(**how)(*arrays)


@joined_p.def_abstract_eval
def _joined_abstract(*arrays: Any, own: Operation, batch: int, integers: Integers, marks: Marks) -> Any:
    made, _ = _abstract(*arrays, own=own, batch=batch, integers=integers)
    return [
        type_.update(shape=summed(type_.shape[:batch], mark) + type_.shape[batch:])
        for type_, mark in zip(made, marks, strict=True)
    ]


def _joined_jvp(primals: Any, tangents: Any, *, marks: Marks, **how: Any) -> Any:
    """The tangent of a sum is the sum of the tangents."""
    return _jvp(primals, tangents, bind=partial(_joined, marks=marks), **how)


def _joined_batch(arrays: Any, axes: Any, *, batch: int, marks: Marks, **how: Any) -> Any:
    """The axes that were there before are added up as they were; what nobody looks at has none."""
    moved = tuple(mark if mark == UNUSED else mark << 1 for mark in marks)
    made = joined_p.bind(*_with_axis(arrays, axes), batch=batch + 1, marks=moved, **how)
    return (
        [jnp.squeeze(value, 0) if mark == UNUSED else value for value, mark in zip(made, marks, strict=True)],
        [None if mark == UNUSED else 0 for mark in marks],
    )


def _joined_lower(ctx: Any, *arrays: Any, own: Operation, batch: int, integers: Integers, marks: Marks) -> Any:
    target = _target(own)
    if target is None or is_divisible(ctx, batch):

        def apart(*values: Any) -> Any:
            return _apart(*values, own=own, batch=batch, integers=integers, marks=marks)

        return mlir.lower_fun(apart, multiple_results=True)(ctx, *arrays)
    shapes = [value.shape for value in ctx.avals_in]
    plan, _ = own.layout(shapes, dict(integers), batch_axes(shapes, batch), marks)
    return jax.ffi.ffi_lowering(target)(ctx, *arrays, plan=np.array(plan, dtype=np.int64))


ad.primitive_jvps[joined_p] = _joined_jvp
ad.primitive_transposes[joined_p] = _transpose
batching.primitive_batchers[joined_p] = _joined_batch
mlir.register_lowering(joined_p, _joined_lower, platform="cpu")


# The handler -------------------------------------------------------------------------------------------------------------


@cache
def _target(own: Operation) -> str | None:
    """The name XLA knows the handler by; None where the call needs the runtime's guard."""
    code, program = own.function.code(), own.contract.function.program
    if own.root.is_ordered or code.entry.takes_turns or code.entry.prints or program.options.custom:
        return None
    symbol, text = handler(own, leaves(code.entry))
    made = program.extended(text, f"XLA's handler of {own.name}", (jax.ffi.include_dir(),))
    if leaves(code.entry):
        _kept.append(_prepare(made[f"{symbol}_prepare"], *words(code.entry, code.signature)))
    target = f"enzyme_magic.{own.name}.{name_of(own)}"  # XLA's compilations may be kept on disk
    if target in _registered:
        return target
    pointer = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(made[symbol].address)
    jax.ffi.register_ffi_target(target, jax.ffi.pycapsule(pointer), platform="cpu")
    _kept.append((own, made, pointer))
    _registered.add(target)
    GUARANTEED.add(target)  # for jax.export: a name means the same in every process and version
    return target


def _prepare(function: CFunction, result: str, parameters: Sequence[str]) -> Any:
    """Tells a handler where the runtime's guard is."""
    guard, library = exits.guard(result, parameters)
    describe = ctypes.cast(exits.describe_left(), ctypes.c_void_p).value
    ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3)(function.address)(guard, arena.address_of_current(), describe)
    return library


_kept: list[Any] = []  # XLA keeps the addresses as long as the process lives
_registered: set[str] = set()
TARGET = re.compile(r'"enzyme_magic\.[\w.]+?\.(\w+\.[0-9a-f]{32}(?:\.\d+)?:[vj]*)"')

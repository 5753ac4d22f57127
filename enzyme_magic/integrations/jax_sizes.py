"""Sizes that jax.export leaves open (`jax.export.symbolic_shape("b, n")`): what must hold of them, and how a call is told them.

Invariant: a call of C whose sizes are open is let through only where everything that is checked of numbers (declared extents, what
loops are certain to touch, sizes that two arrays share) holds for all sizes; it is not looked at again when the numbers are known.
Otherwise it is refused, EM604. The numbers reach the call as one more operand, which XLA computes from the shapes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from enzyme_magic.backend.frontend.extent import parse
from enzyme_magic.errors import ArgumentError
from enzyme_magic.integrations.contract import ArraySlot
from enzyme_magic.integrations.extras import require
from enzyme_magic.integrations.operation import Operation, batch_axes, steps_of

if TYPE_CHECKING:
    import jax
else:
    jax = require("jax")

import jax.export
from jax._src import core
from jax._src.interpreters import mlir
from jax._src.lib.mlir.dialects import hlo

Shape = tuple[Any, ...]


def is_open(shapes: Sequence[Shape]) -> bool:
    """Whether a size among them is a symbol."""
    return not all(core.is_constant_shape(shape) for shape in shapes)


def output_shapes(own: Operation, shapes: Sequence[Shape], integers: Mapping[str, int]) -> tuple[Shape, ...]:
    """Those of the outputs, without axes of a batch, for shapes with symbols. ArgumentError EM604 for what cannot be shown of all
    sizes, and as for numbers where it holds for none."""
    contract = own.contract
    base = [tuple(shape) for shape in shapes[: len(contract.inputs)]]
    try:
        made = own.output_shapes(shapes, integers, symbolic=True)
        sizes, outputs = contract.settled(base, integers)
        arguments = contract.function.arguments()
        slots: list[tuple[ArraySlot, Shape]] = [*zip(contract.inputs, base, strict=True)]
        slots += zip(contract.outputs, outputs, strict=True)
        arrays = {slot.name: shape for slot, shape in slots if slot.name in arguments.extents.arrays}
        if not arguments.unchecked:
            arguments.extents.check(sizes, arrays)
        for need in arguments.checked_needs:
            name = arguments.names[need.parameter]
            shape = next(shape for slot, shape in slots if slot.name == name)
            extent = parse(need.elements)
            if extent is None or math.prod(shape) < extent.value(sizes):  # under its conditions; here without them
                raise _not_shown(own, base, f"{name} needs {need.elements} elements ({need.place})")
    except core.InconclusiveDimensionOperation as why:
        raise _not_shown(own, base, str(why).split("\n", 1)[0]) from None
    return made


def _not_shown(own: Operation, shapes: Sequence[Shape], why: str) -> ArgumentError:
    open_ = next(slot for slot, shape in zip(own.contract.inputs, shapes, strict=True) if is_open([shape]))
    return ArgumentError(
        f"{own.name}: {open_.name} has a size that is left open, and what a call checks cannot be shown for all sizes: {why}",
        code="EM604",
        hint="declare extents in C (x[n]), or export once for each size",
    )


def layout(own: Operation, shapes: Sequence[Shape], integers: Mapping[str, int], batch: int) -> list[Any]:
    """As the first of `Operation.layout`, with symbols."""
    inner = [tuple(shape[batch:]) for shape in shapes]
    contract = own.contract
    base = inner[: len(contract.inputs)]
    sizes, outputs = contract.settled(base, integers)
    names = contract.function.arguments().names
    axes = batch_axes(shapes, batch)
    made = [axes + shape for shape in output_shapes(own, inner, integers)]
    steps = [step for shape in (*shapes, *made) for step in steps_of(shape, axes)]
    settled = [sizes[names[index]] for index in contract.integers]
    return [batch, *settled, *map(math.prod, (*base, *outputs)), *axes, *steps]


def through_python(own: Operation) -> ArgumentError:
    """EM604: a saved function holds no Python."""
    return ArgumentError(
        f"{own.name} is called through Python, where sizes cannot be left open",
        code="EM604",
        hint="export once for each size, and only functions that neither print nor write variables",
    )


def evaluated(ctx: Any, told: Sequence[Any]) -> tuple[Any, Any]:
    """(value, type) of the 64-bit operand that holds these numbers, some of them symbols, in a lowering."""
    with jax.enable_x64(True):  # counts may need more than 32 bits
        number = mlir.aval_to_ir_type(ctx.module_context, core.ShapedArray((), np.dtype(np.int64)))
        one = mlir.aval_to_ir_type(ctx.module_context, core.ShapedArray((1,), np.dtype(np.int64)))
        wide = ctx.replace(dim_var_values=tuple(hlo.convert(number, value) for value in ctx.dim_var_values))
        symbols = [size for size in told if not core.is_constant_dim(size)]
        values = iter(mlir.eval_dynamic_shape(wide, tuple(symbols)))
        parts = [
            mlir.ir_constant(np.array([int(size)], np.int64))
            if core.is_constant_dim(size)
            else hlo.reshape(one, hlo.convert(number, next(values)))
            for size in told
        ]
        return hlo.concatenate(parts, mlir.i64_attr(0)), core.ShapedArray((len(told),), np.dtype(np.int64))

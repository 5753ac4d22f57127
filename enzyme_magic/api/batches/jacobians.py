"""Jacobians and Hessians of all examples of a batch: one native loop over the examples and, innermost, the sweeps of each.

Invariant: `jacobian(f)` example by example, with the mode that it takes there. The memory for all sweeps of all examples exists at
once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from enzyme_magic.api.batches import native
from enzyme_magic.api.batches.examples import Examples
from enzyme_magic.api.derivatives.jacobian import JacobianFunction, mode_for, side_of_input, side_of_output
from enzyme_magic.api.derivatives.outputs import RESULT
from enzyme_magic.api.derivatives.sweeps import Side
from enzyme_magic.backend.runtime.calls.batch import Batch
from enzyme_magic.backend.runtime.values import buffers, layout

Reading = Callable[..., Examples]


def jacobians(function: JacobianFunction, read: Reading, args: Sequence[Any], named: Mapping[str, Any]) -> Any:
    """What the Jacobian gives, each array with the batch's axes first."""
    setting, f = function.setting, function.function
    given = read(args, named, function.options["unchecked"])
    values = list(given.values)
    inputs = [side_of_input(setting, k, values) for k in setting.wrt.indices]
    outputs = [side_of_output(setting, output, values) for output in setting.outputs.active]
    mode = mode_for(function, inputs, outputs)
    request = f.request_of(setting.wrt, mode, setting.outputs.buffers)
    sweeps = _Sweeps(function, native.derivative(f, request), given)
    if mode == "forward":
        columns = [sweeps.forward(source, outputs) for source in inputs]
        rows = [list(row) for row in zip(*columns, strict=True)]
    else:
        rows = [sweeps.reverse(output, inputs) for output in outputs]
    return setting.outputs.pack_active([setting.pack_gradients(row) for row in rows])


class _Sweeps:
    """All sweeps along one input or output, of all examples."""

    def __init__(self, function: JacobianFunction, batch: Batch, given: Examples) -> None:
        self.setting, self.batch, self.given = function.setting, batch, given

    def _primals(self, count: int) -> dict[Any, Any]:
        import numpy as np

        given = self.given
        arrays: dict[Any, Any] = {}
        for k, column in enumerate(given.columns):
            if column is None:
                arrays["primal", k] = None
            elif k in given.written:
                made = given.zeros(k, (count,))
                made[...] = np.expand_dims(column, given.rank)
                arrays["primal", k] = made
            else:
                arrays["primal", k] = np.expand_dims(column, given.rank)
        return arrays

    def _units(self, side: Side, lengths: tuple[int, ...], dtype: Any) -> Any:
        """One number after the other is 1: an identity, for each example or for all of them."""
        import numpy as np

        made = buffers.zeros((*lengths, side.size, *side.shape), dtype)
        made.reshape(*lengths, side.size, side.size)[...] = np.eye(side.size)
        return made

    def forward(self, source: Side, outputs: Sequence[Side]) -> list[Any]:
        """One column of the block matrix: the derivatives of each output with respect to `source`."""
        import numpy as np

        given, setting = self.given, self.setting
        if not source.present:
            return [None] * len(outputs)
        arrays = self._primals(source.size)
        for k in self.batch.shadowed:
            arrays["shadow", k] = given.zeros(k, (source.size,), shared=k not in given.written)
        if setting.is_pointer(source.index):
            own = source.index in given.written
            lengths = given.shape if own else (1,) * given.rank
            arrays["shadow", source.index] = self._units(source, lengths, source.dtype)
        else:
            arrays["tangent", source.index] = self._units(source, (1,) * given.rank, source.dtype)
        made = self.batch.run((*given.shape, source.size), arrays)
        found = []
        for output in outputs:
            moved = made["tangent", None] if output.index == RESULT else arrays["shadow", output.index]
            if output.present and moved is not None:
                moved = np.moveaxis(moved, given.rank, -1)
                moved = moved.reshape(*given.shape, *output.shape, *source.shape)
                found.append(moved.astype(np.result_type(output.dtype, source.dtype), copy=False))
            else:
                found.append(None)
        return found

    def reverse(self, output: Side, inputs: Sequence[Side]) -> list[Any]:
        """One row of the block matrix."""
        import numpy as np

        given, setting = self.given, self.setting
        if not output.present:
            return [None] * len(inputs)
        arrays = self._primals(output.size)
        wanted = {side.index for side in inputs}
        for k in self.batch.shadowed:
            shared = k not in given.written and k not in wanted
            arrays["shadow", k] = given.zeros(k, (output.size,), shared=shared)
        if output.index == RESULT:
            units = self._units(output, (1,) * given.rank, layout.dtype_of(setting.function.c_signature.result))
            arrays["seed", None] = units
        else:
            arrays["shadow", output.index] = self._units(output, given.shape, output.dtype)
        made = self.batch.run((*given.shape, output.size), arrays)
        found = []
        for side in inputs:
            part = arrays["shadow", side.index] if setting.is_pointer(side.index) else made["gradient", side.index]
            if side.present and part is not None:
                part = part.reshape(*given.shape, *output.shape, *side.shape)
                found.append(part.astype(np.result_type(output.dtype, side.dtype), copy=False))
            else:
                found.append(None)
        return found

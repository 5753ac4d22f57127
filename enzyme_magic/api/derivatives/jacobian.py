"""`JacobianFunction`: all partial derivatives of a function, one sweep per row or column, several at once.

Invariant: the shape is output.shape + input.shape; several outputs or inputs are nested, outputs outermost. An entry has NumPy's
common dtype of output and input, or the struct's dtype where one of the two is a struct; a single number is a Python number where
the C type has one. Pure.

Forward mode needs one sweep per input number, reverse mode one per output number; without a mode the smaller count wins. Members
of structs and complex numbers are not swept over: such inputs need reverse mode, such outputs forward mode.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from enzyme_magic.api.derivatives.outputs import RESULT, Output
from enzyme_magic.api.derivatives.products import Transform
from enzyme_magic.api.derivatives.setting import Setting
from enzyme_magic.api.derivatives.sweeps import Side, Sweeps
from enzyme_magic.api.derivatives.wrt import Wrt
from enzyme_magic.backend.frontend.c_types import CType
from enzyme_magic.backend.runtime.values import buffers, floats, layout
from enzyme_magic.backend.runtime.values.buffers import Buffer
from enzyme_magic.errors import ArgumentError, for_users, user_frames

if TYPE_CHECKING:
    from enzyme_magic.api.function import CFunction

MODES = (None, "forward", "reverse")


@for_users
class JacobianFunction(Transform):
    """`jacobian(*args)`. mode: "forward", "reverse" or None (the one with fewer sweeps)."""

    verb = "jacobian"

    def __init__(
        self,
        function: CFunction,
        wrt: Wrt = None,
        outputs: Wrt = None,
        *,
        mode: str | None = None,
        out: Any = None,
        unchecked: bool = False,
    ) -> None:
        """See `enzyme_magic.jacobian`."""
        super().__init__(function, wrt, outputs, unchecked=unchecked)
        del self.options["donate"]
        self.options["mode"] = mode
        self.mode = mode
        self.out = out

    @user_frames
    def __call__(self, /, *args: Any, **c_parameters: Any) -> Any:
        setting = self.setting
        values = setting.convert(args, c_parameters)
        inputs = [side_of_input(setting, index, values) for index in setting.wrt.indices]
        outputs = [side_of_output(setting, output, values) for output in setting.outputs.active]
        mode = mode_for(self, inputs, outputs)
        parts = self._memory(inputs, outputs, values)
        run = _forward if mode == "forward" else _reverse
        run(setting, values, inputs, outputs, parts)
        rows = []
        for output in outputs:
            row = [_finished(parts, output, source) for source in inputs]
            rows.append(setting.pack_gradients(row))
        return setting.outputs.pack_active(rows)

    def _memory(self, inputs: Sequence[Side], outputs: Sequence[Side], values: Sequence[Any]) -> Parts:
        """A zeroed matrix per output and input."""
        parts: Parts = {}
        for output in outputs:
            for source in inputs:
                if output.present and source.present:
                    dtype = _common(output.dtype, source.dtype)
                    parts[output.index, source.index] = buffers.zeros((*output.shape, *source.shape), dtype)
        if self.out is None:
            return parts
        if len(inputs) != 1 or len(outputs) != 1 or len(parts) != 1:
            raise self._wrong_out("takes one array, for one output and one input")
        ((key, wanted),) = parts.items()
        return {key: self._checked_out(wanted, values)}

    def _checked_out(self, wanted: Any, values: Sequence[Any]) -> Any:
        import numpy as np

        given = self.out
        buffers.refuse_mask(given, f"{self.function.name}: out")
        fits = isinstance(given, np.ndarray) and given.dtype == wanted.dtype and given.shape == wanted.shape
        if not fits or not (given.flags.c_contiguous and given.flags.aligned and given.flags.writeable):
            raise self._wrong_out(f"must be a writable, C-contiguous {wanted.dtype} array of shape {wanted.shape}")
        target = buffers.buffer_of(given)
        if any(type(value) is Buffer and target.overlaps(value) for value in values):
            raise self._wrong_out("shares memory with an argument")
        buffers.clear(given)
        return given

    def _wrong_out(self, problem: str) -> ArgumentError:
        return ArgumentError(
            f"{self.function.name}: out {problem}", code="EM317", hint="leave out=… away for fresh memory"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        if self.out is not None:
            raise TypeError("a Jacobian with out= does not pickle: its memory belongs to this process")
        return super().__reduce__()


Parts = dict[tuple[int, int], Any]  # (output's index, input's index) -> array


def side_of_input(setting: Setting, index: int, values: Sequence[Any]) -> Side:
    """A parameter, at these arguments."""
    if not setting.is_pointer(index):
        type_ = setting.types[index]
        return Side(setting.names[index], index, type_, (), layout.dtype_of(type_))
    return _buffer(setting.names[index], index, setting.types[index], values[index])


def side_of_output(setting: Setting, output: Output, values: Sequence[Any]) -> Side:
    """An output, at these arguments."""
    if output.index == RESULT:
        return Side(output.name, RESULT, output.type, (), layout.dtype_of(output.type))
    return _buffer(output.name, output.index, output.type, values[output.index])


def mode_for(function: JacobianFunction, inputs: Sequence[Side], outputs: Sequence[Side]) -> str:
    """The mode asked for or chosen; ArgumentError EM328 where it cannot do."""
    odd_input = next((side for side in inputs if not floats.is_plain(side.dtype)), None)
    odd_output = next((side for side in outputs if not floats.is_plain(side.dtype)), None)
    columns, rows = sum(side.size for side in inputs), sum(side.size for side in outputs)
    if function.mode is not None:
        mode = function.mode
    elif odd_input or odd_output:
        mode = "reverse" if odd_input else "forward"
    else:
        mode = "forward" if columns <= rows else "reverse"
    odd = odd_input if mode == "forward" else odd_output
    if odd is not None:
        other = "reverse mode (em.jacrev)" if mode == "forward" else "forward mode (em.jacfwd)"
        raise ArgumentError(
            f"{function.function.name}: {mode} mode goes through the numbers of {odd.name} one by one, and {odd.dtype} is no"
            " plain floating type",
            code="EM328",
            hint="use em.vjp or em.jvp" if odd_input and odd_output else f"use {other}",
        )
    return mode


def _buffer(name: str, index: int, type_: CType, value: Buffer) -> Side:
    if value.array is None:
        import numpy as np

        return Side(name, index, type_, (), np.dtype(float), present=False)
    return Side(name, index, type_, value.array.shape, value.array.dtype)


def _common(output: Any, source: Any) -> Any:
    """The dtype of one entry."""
    import numpy as np

    if output.names is not None or source.names is not None:
        return output if output.names is not None else source
    return np.result_type(output, source)


def _finished(parts: Parts, output: Side, source: Side) -> Any:
    """A matrix as the user gets it."""
    matrix = parts.get((output.index, source.index))
    if matrix is None or matrix.shape:
        return matrix
    number = matrix[()]
    return number.item() if matrix.dtype.char in "dD" else number


def _forward(
    setting: Setting, values: list[Any], inputs: Sequence[Side], outputs: Sequence[Side], parts: Parts
) -> None:
    """One sweep per input number."""
    for source, position, taken in Sweeps(setting, values, "forward", (*inputs, *outputs)).along(inputs):
        for output in outputs:
            matrix = parts.get((output.index, source.index))
            if matrix is not None:
                moved = taken.tangent if output.index == RESULT else taken.memory[output.index].array.reshape(-1)
                matrix.reshape(output.size, source.size)[:, position] = moved


def _reverse(
    setting: Setting, values: list[Any], inputs: Sequence[Side], outputs: Sequence[Side], parts: Parts
) -> None:
    """One sweep per output number."""
    for output, position, taken in Sweeps(setting, values, "reverse", (*inputs, *outputs)).along(outputs):
        for source in inputs:
            matrix = parts.get((output.index, source.index))
            if matrix is not None:
                pointer = setting.is_pointer(source.index)
                found = taken.memory[source.index].array.reshape(-1) if pointer else taken.numbers[source.index]
                matrix.reshape(output.size, source.size)[position, :] = found

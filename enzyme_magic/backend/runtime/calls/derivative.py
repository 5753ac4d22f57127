"""One native derivative function, called: arguments and derivatives in, derivatives out.

Invariant: knows no mode and no user. What goes in are converted arguments (see arguments.py), adjoints or tangents of exactly the
native types, and shadow memory that the call may overwrite; whatever is left out is zero. A shadow that the function wants for
a parameter nobody asked about is zeroed scratch memory of the argument's size.

Two kinds: functions of plain numbers and pointers, and uniform entries, where every value and every shadow lies in memory.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from typing import Any

from enzyme_magic.backend.frontend.c_types import Array, CType, Pointer, Void, holds_floats, is_float, size_of
from enzyme_magic.backend.native import ResultField, Slot
from enzyme_magic.backend.runtime.calls.exchange import NOTHING, Derivative, Given, Taken
from enzyme_magic.backend.runtime.calls.invoke import Code, invoker
from enzyme_magic.backend.runtime.values import buffers, layout, memory, results
from enzyme_magic.backend.runtime.values.buffers import NULL, Buffer
from enzyme_magic.errors import InternalError

__all__ = ["NOTHING", "Derivative", "Given", "Taken", "derivative", "one", "shadow", "zero_of"]


def derivative(code: Code) -> Derivative:
    """The derivative function as a callable."""
    made: Derivative = _Uniform(code) if code.uniform else _Plain(code)
    if not code.isolated:
        return made
    from enzyme_magic.backend.runtime.isolation.staging import StagedDerivative

    return StagedDerivative(made, code)


def shadow(value: Buffer) -> Buffer:
    """Zeroed shadow memory for a pointer argument; NULL for NULL."""
    return NULL if value.array is None else buffers.buffer_of(buffers.zeros(value.array.shape, value.array.dtype))


def one(type_: CType) -> Any:
    """The seed 1 of a floating result, as ctypes takes it; None for other types."""
    if not is_float(type_):
        return None
    return layout.long_double(1) if layout.is_long_double(type_) else 1.0


class _Plain:
    """Numbers and pointers, each a native parameter."""

    __slots__ = ("_zero", "code", "fields", "native", "shadowed", "slots")

    def __init__(self, code: Code) -> None:
        self.code = code
        self.native = invoker(code.entry, code.address, code.signature, code.keep)
        self.fields = code.entry.fields if code.entry.result is None else (code.entry.result,)
        self.slots = [(slot.kind, _parameter(slot)) for slot in code.entry.slots]
        self.shadowed = [index for kind, index in self.slots if kind == "shadow"]
        parameters = code.signature.parameters
        self._zero = {index: zero_of(parameters[index].type) for kind, index in self.slots if kind == "tangent"}
        for kind, _ in self.slots:
            if kind not in ("arena", "primal", "shadow", "tangent", "seed", "results"):
                raise InternalError(f"{code.entry.symbol}: no native parameter of kind {kind!r}", code="EM922")

    def __call__(self, values: Sequence[Any], given: Given = NOTHING) -> Taken:
        shadows = {k: given.memory[k] if k in given.memory else shadow(values[k]) for k in self.shadowed}
        block = memory.block(self.code.entry.size)
        passed = [self._argument(kind, index, values, shadows, given, block) for kind, index in self.slots]
        returned = self.native(*passed)
        value = tangent = None
        numbers: dict[int, Any] = {}
        for field_ in self.fields:
            number = self._number(field_, returned, block)
            if field_.kind == "value":
                value = number
            elif field_.kind == "tangent":
                tangent = number
            elif field_.parameter is not None:
                numbers[field_.parameter] = number
        return Taken(value, tangent, numbers, shadows)

    def _argument(
        self, kind: str, index: int, values: Sequence[Any], shadows: Mapping[int, Buffer], given: Given, block: Any
    ) -> Any:
        if kind == "primal":
            value = values[index]
            return value.address if type(value) is Buffer else value
        if kind == "shadow":
            return shadows[index].address
        if kind == "arena":
            from enzyme_magic.backend.runtime import arena

            return arena.current()
        if kind == "results":
            return ctypes.addressof(block)
        if kind == "tangent":
            return given.numbers.get(index, self._zero[index])
        return zero_of(self.code.signature.result) if given.result is None else given.result

    def _number(self, field_: ResultField, returned: Any, block: Any) -> Any:
        if self.code.entry.result is None:
            if field_.kind == "value":
                return results.read_value(self.code.signature.result, field_, block)
            return results.read_field(field_, block)
        finish = results.finisher_of_word(field_.type)
        return returned if finish is None else finish(returned)


def _parameter(slot: Slot) -> int:
    return -1 if slot.parameter is None else slot.parameter


def zero_of(type_: CType) -> Any:
    return layout.long_double(0) if layout.is_long_double(type_) else 0.0


class _Uniform:
    """A uniform entry: cells for the values, cells for their shadows, memory for the result and for its shadow."""

    __slots__ = ("code", "native", "types")

    def __init__(self, code: Code) -> None:
        self.code = code
        self.native = invoker(code.entry, code.address, code.signature, code.keep)
        self.types = [parameter.type for parameter in code.signature.parameters]

    def __call__(self, values: Sequence[Any], given: Given = NOTHING) -> Taken:
        result_type = self.code.signature.result
        shadows = {
            k: given.memory[k] if k in given.memory else shadow(values[k])
            for k, type_ in enumerate(self.types)
            if isinstance(type_, (Pointer, Array))
        }
        cells = [memory.cell(value, type_) for value, type_ in zip(values, self.types, strict=True)]
        shadow_cells = [self._shadow_cell(k, type_, shadows, given) for k, type_ in enumerate(self.types)]
        result = memory.zero_cell(result_type)
        shadow_result = result_cell(result_type, given.result)
        table, shadow_table = memory.table(cells), memory.table(shadow_cells)
        self._run(table, shadow_table, result, shadow_result)
        numbers = {
            k: results.read_memory(type_, bytes(shadow_cells[k]), floats_only=True)
            for k, type_ in enumerate(self.types)
            if k not in shadows and holds_floats(type_)
        }
        value = tangent = None
        if not isinstance(result_type, Void):
            size = size_of(result_type) or 0
            value = results.read_memory(result_type, bytes(result)[:size])
            if holds_floats(result_type):
                tangent = results.read_memory(result_type, bytes(shadow_result)[:size], floats_only=True)
        return Taken(value, tangent, numbers, shadows)

    def _shadow_cell(self, index: int, type_: CType, shadows: Mapping[int, Buffer], given: Given) -> Any:
        if index in shadows:
            return ctypes.c_void_p(shadows[index].address)
        return memory.cell(given.numbers[index], type_) if index in given.numbers else memory.zero_cell(type_)

    def _run(self, table: Any, shadow_table: Any, result: Any, shadow_result: Any) -> None:
        places = {
            "arguments": table,
            "shadow-arguments": shadow_table,
            "results": result,
            "shadow-results": shadow_result,
        }
        passed = []
        for slot in self.code.entry.slots:
            if slot.kind == "arena":
                from enzyme_magic.backend.runtime import arena

                passed.append(arena.current())
            elif slot.kind in places:
                passed.append(ctypes.addressof(places[slot.kind]))
            else:
                symbol = self.code.entry.symbol
                raise InternalError(f"{symbol}: a uniform entry has no parameter of kind {slot.kind!r}", code="EM922")
        self.native(*passed)


def result_cell(type_: CType, seed: Any) -> Any:
    """Shadow memory of a result: its seed, or zero."""
    return memory.zero_cell(type_) if seed is None else memory.cell(seed, type_)

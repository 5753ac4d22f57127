"""One native derivative function that makes several sweeps at once, called.

Invariant: as derivative.py, with what goes in and what comes out once for each lane. Only functions of plain numbers and pointers.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from typing import Any

from enzyme_magic.backend.native import EVERY
from enzyme_magic.backend.runtime import arena
from enzyme_magic.backend.runtime.calls.derivative import shadow, zero_of
from enzyme_magic.backend.runtime.calls.exchange import Given, LanesCall, Taken
from enzyme_magic.backend.runtime.calls.invoke import Code, invoker
from enzyme_magic.backend.runtime.values import memory, results
from enzyme_magic.backend.runtime.values.buffers import Buffer


def lanes(code: Code, width: int) -> LanesCall:
    """The derivative function as a callable."""
    made = Lanes(code, width)
    if not code.isolated:
        return made
    from enzyme_magic.backend.runtime.isolation.staging import StagedLanes

    return StagedLanes(made, code)


class Lanes:
    """A derivative function for `width` sweeps as a callable."""

    __slots__ = ("_shadowed", "_zero", "code", "native", "width")

    def __init__(self, code: Code, width: int) -> None:
        self.code, self.width = code, width
        self.native = invoker(code.entry, code.address, code.signature, code.keep)
        slots = code.entry.slots
        self._shadowed = sorted(
            {slot.parameter for slot in slots if slot.kind == "shadow" and slot.parameter is not None}
        )
        types = [parameter.type for parameter in code.signature.parameters]
        self._zero = {slot.parameter: zero_of(types[slot.parameter or 0]) for slot in slots if slot.kind == "tangent"}

    def __call__(self, values: Sequence[Any], given: Sequence[Given]) -> list[Taken]:
        """What each lane gives; `given` has one entry for each."""
        shadows = [
            {k: lane.memory[k] if k in lane.memory else shadow(values[k]) for k in self._shadowed} for lane in given
        ]
        block = memory.block(self.code.entry.size)
        self.native(*(self._argument(slot, values, shadows, given, block) for slot in self.code.entry.slots))
        value: Any = None
        tangents: list[Any] = [None] * self.width
        numbers: list[dict[int, Any]] = [{} for _ in range(self.width)]
        for field in self.code.entry.fields:
            if field.kind == "value":
                value = results.read_value(self.code.signature.result, field, block)
                continue
            number = results.read_field(field, block)
            for lane in range(self.width) if field.lane == EVERY else (field.lane,):
                if field.kind == "tangent":
                    tangents[lane] = number
                elif field.parameter is not None:
                    numbers[lane][field.parameter] = number
        return [Taken(value, t, n, s) for t, n, s in zip(tangents, numbers, shadows, strict=True)]

    def _argument(
        self,
        slot: Any,
        values: Sequence[Any],
        shadows: Sequence[Mapping[int, Buffer]],
        given: Sequence[Given],
        block: Any,
    ) -> Any:
        if slot.kind == "primal":
            value = values[slot.parameter]
            return value.address if type(value) is Buffer else value
        if slot.kind == "shadow":
            return shadows[slot.lane][slot.parameter].address
        if slot.kind == "arena":
            return arena.current()
        if slot.kind == "results":
            return ctypes.addressof(block)
        if slot.kind == "tangent":
            return given[slot.lane].numbers.get(slot.parameter, self._zero[slot.parameter])
        seed = given[slot.lane].result
        return zero_of(self.code.signature.result) if seed is None else seed

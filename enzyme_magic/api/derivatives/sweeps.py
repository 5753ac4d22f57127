"""Many sweeps at one point: one for each number of some inputs (forward mode) or outputs (reverse mode).

Invariant: each sweep finds the written buffers as they were. Several are made at once (`WIDTHS`), with one run of the primal, where
the function can be written so; what a sweep gives is valid until the next one is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from enzyme_magic.api.derivatives.outputs import RESULT
from enzyme_magic.api.derivatives.setting import Setting
from enzyme_magic.backend.frontend.c_types import CType
from enzyme_magic.backend.runtime.calls.derivative import Given, Taken, one
from enzyme_magic.backend.runtime.values import buffers, purity
from enzyme_magic.backend.runtime.values.buffers import Buffer

WIDTHS = (8, 4)  # sweeps made at once, where there are as many


@dataclass(frozen=True, slots=True)
class Side:
    """One input or output of one call. index: the parameter, or RESULT; present: it is not NULL."""

    name: str
    index: int
    type: CType
    shape: tuple[int, ...]
    dtype: Any
    present: bool = True

    @property
    def size(self) -> int:
        """Elements; 0 for NULL."""
        count = 1 if self.present else 0
        for extent in self.shape:
            count *= extent
        return count


Unit = tuple[Side, int]  # a number: of an input or output, by its place


class Sweeps:
    """Sweeps of one mode. sides: the inputs and outputs that take part."""

    def __init__(self, setting: Setting, values: list[Any], mode: str, sides: Sequence[Side]) -> None:
        self.setting, self.mode = setting, mode
        self.working = purity.working_copies(values, setting.written)
        self.refreshed = [
            (self.working[k].array, values[k].array) for k in sorted(setting.written) if values[k].array is not None
        ]
        self.memory = {
            side.index: side
            for side in sides
            if side.index != RESULT and side.present and setting.is_pointer(side.index)
        }

    def along(self, sides: Sequence[Side]) -> Iterator[tuple[Side, int, Taken]]:
        """One sweep for each number of `sides`."""
        units = [(side, position) for side in sides for position in range(side.size)]
        width = next((width for width in WIDTHS if len(units) >= width), 1)
        lanes = self.setting.lanes(self.mode, width) if width > 1 else None
        if lanes is None:
            return self._one_by_one(units)
        return self._together(units, width, lanes)

    def _one_by_one(self, units: Sequence[Unit]) -> Iterator[tuple[Side, int, Taken]]:
        derivative, shadows = self.setting.derivative(self.mode), self._shadows()
        for side, position in units:
            self._refresh()
            yield side, position, derivative(self.working, _given(shadows, side, position))

    def _together(self, units: Sequence[Unit], width: int, lanes: Any) -> Iterator[tuple[Side, int, Taken]]:
        shadows = [self._shadows() for _ in range(width)]
        for start in range(0, len(units), width):
            batch = units[start : start + width]
            given = [_given(shadows[k], *batch[k]) if k < len(batch) else _nothing(shadows[k]) for k in range(width)]
            self._refresh()
            for (side, position), taken in zip(batch, lanes(self.working, given), strict=False):
                yield side, position, taken

    def _refresh(self) -> None:
        for target, source in self.refreshed:
            target[...] = source

    def _shadows(self) -> dict[int, Buffer]:
        """Shadow memory for all buffers that take part, used again by each sweep."""
        return {k: buffers.buffer_of(buffers.zeros(side.shape, side.dtype)) for k, side in self.memory.items()}


def _nothing(shadows: dict[int, Buffer]) -> Given:
    """A lane that is not used."""
    for shadow in shadows.values():
        buffers.clear(shadow.array)
    return Given(memory=shadows)


def _given(shadows: dict[int, Buffer], side: Side, position: int) -> Given:
    """One at one number, zero everywhere else."""
    nothing = _nothing(shadows)
    if side.index == RESULT:
        return Given(memory=shadows, result=one(side.type))
    if side.index not in shadows:
        return Given({side.index: one(side.type)}, shadows)
    shadows[side.index].array.reshape(-1)[position] = 1
    return nothing

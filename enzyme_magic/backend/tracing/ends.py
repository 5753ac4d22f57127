"""A watched run in which marks go on behind the places where a derivative ends: what else is on the way to the result.

What it marks says where a number had an influence, by values and addresses; what a branch decides is not followed. So `lost` holds
all roundings and comparisons on the way, and `reached` says nothing of derivatives.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from enzyme_magic.backend.ir.instructions import Binary, Call, Cast, Compare, GetElementPtr, Instruction, Load
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Module
from enzyme_magic.backend.ir.values import ConstantInt
from enzyme_magic.backend.tracing.machine import Machine
from enzyme_magic.backend.tracing.record import COMPARISON, ROUNDING, WatchedRun
from enzyme_magic.backend.tracing.values import Frame, Held, Scalar

End = tuple[Instruction, str]


class InfluenceMachine(Machine):
    """What depends on a marked value in any way has a mark."""

    def __init__(self, module: Module, layout: DataLayout, steps: int) -> None:
        super().__init__(module, layout, steps)
        for kind in (Compare, Cast, Binary, Call, GetElementPtr, Load):
            self._actions[kind] = self._going_on(self._actions[kind])

    def _going_on(self, action: Callable[[Any, Frame], Held]) -> Callable[[Any, Frame], Held]:
        def acted(i: Instruction, frame: Frame) -> Held:
            held = action(i, frame)
            inside = isinstance(i, Call) and i.called_function is not None and i.called_function.blocks
            if isinstance(held, list) or held[1] or inside:
                return held
            given = [frame[value] for value in i.operands if value in frame]
            node = self.recorder.node(i, [scalar[1] for scalar in given if not isinstance(scalar, list)])
            return (held[0], node, held[2]) if node else held

        return acted

    def _whole(self, i: Call, value: int, mark: int) -> Scalar:
        return value, self.recorder.node(i, (mark,)), None if mark else 0.0


def ends(run: WatchedRun, behind: WatchedRun) -> list[End]:
    """Where a derivative ends, and what is a rounding or a comparison behind. behind: the same call on an `InfluenceMachine`."""
    later = [end for end in behind.lost if end[1] in (ROUNDING, COMPARISON) and not _asks_for_truth(end[0])]
    return [*run.lost, *(end for end in later if end not in run.lost)]


def _asks_for_truth(instruction: Instruction) -> bool:
    """Whether it is the `!= 0` of C's conditions, which nobody wrote."""
    if not isinstance(instruction, Compare) or instruction.predicate not in ("eq", "ne"):
        return False
    other = instruction.operands[1]
    return isinstance(other, ConstantInt) and other.unsigned == 0

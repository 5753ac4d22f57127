"""Where numbers stop being finite in a watched run.

Invariant: an operation gives birth to a NaN when none of its operands is one, and to an infinity when all of them are finite. The
marks of the run are those of the births: which of them reach an output is what the run says about its inputs otherwise. What is
moved (loads, selections, merges) gives birth to nothing, nor does a constant that the program writes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from enzyme_magic.backend.ir.instructions import Binary, Call, Cast, Instruction, Unary
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Module
from enzyme_magic.backend.ir.types import FloatType
from enzyme_magic.backend.ir.values import Value
from enzyme_magic.backend.tracing.machine import Machine
from enzyme_magic.backend.tracing.values import Frame, Held
from enzyme_magic.backend.tracing.watched import STEPS, WatchedArray, watch

MOST = 1000  # births that are told apart


@dataclass(frozen=True, slots=True, eq=False)
class BirthPlace:
    """`number`: what was born, NaN or an infinity. operands: the numbers that it was made of."""

    instruction: Instruction
    number: float
    operands: tuple[tuple[Value, float], ...]


def births(
    module: Module,
    function: str,
    arguments: Sequence[float | WatchedArray | None],
    state: Callable[[str], int | None],
    outputs: Sequence[int],
) -> tuple[tuple[BirthPlace, ...], float | None]:
    """Those that reach the result or the memory of `outputs`, in their order; and the result, where it is a number. NotDecided."""
    made: list[_Machine] = []

    def machine(module: Module, layout: DataLayout, steps: int) -> Machine:
        made.append(_Machine(module, layout, steps))
        return made[-1]

    run = watch(module, function, arguments, {}, state, outputs, STEPS, machine)
    found = tuple(birth for k, birth in enumerate(made[0].births) if run.reached >> k & 1)
    return found, run.value


class _Machine(Machine):
    """A machine that looks at what operations on numbers give."""

    def __init__(self, module: Module, layout: DataLayout, steps: int) -> None:
        super().__init__(module, layout, steps)
        self.births: list[BirthPlace] = []
        for kind in (Binary, Unary, Cast, Call):
            self._actions[kind] = self._looked_at(self._actions[kind])

    def _looked_at(self, action: Callable[[Any, Frame], Held]) -> Callable[[Any, Frame], Held]:
        def act(i: Instruction, frame: Frame) -> Held:
            held = action(i, frame)
            if not isinstance(i.type.scalar, FloatType) or (isinstance(i, Call) and _is_inside(i)):
                return held
            return self._marked(i, frame, held)

        return act

    def _marked(self, i: Instruction, frame: Frame, held: Held) -> Held:
        if isinstance(held, list):
            lanes = range(len(held))
            return [self._one(i, [self._lane(frame, v, k) for v in _numbers(i)], held[k]) for k in lanes]
        return self._one(i, [self._lane(frame, v, None) for v in _numbers(i)], held)

    def _lane(self, frame: Frame, value: Value, lane: int | None) -> tuple[Value, float | None]:
        held = self.value(frame, value)
        if isinstance(held, list):
            held = held[lane] if lane is not None and lane < len(held) else (None,)
        return value, held[0]

    def _one(self, i: Instruction, given: Sequence[tuple[Value, float | None]], held: Any) -> Held:
        number = held[0]
        if number is None or math.isfinite(number):
            return held
        known = [(value, n) for value, n in given if n is not None]
        bred = any(math.isnan(n) if math.isnan(number) else not math.isfinite(n) for _, n in known)
        if bred or len(self.births) == MOST:
            return held
        self.births.append(BirthPlace(i, number, tuple(known)))
        born = self.recorder.input(len(self.births) - 1)
        return number, self.recorder.node(i, (born, held[1])), None  # a NaN of infinities is a consequence of theirs


def _numbers(i: Instruction) -> list[Value]:
    given = i.arguments if isinstance(i, Call) else i.operands
    return [v for v in given if isinstance(v.type.scalar, FloatType)]


def _is_inside(i: Call) -> bool:
    """Whether the call is followed into a function of the program; then it is one of its instructions."""
    return i.called_function is None or bool(i.called_function.blocks)

"""What the watched run says where a gradient and differences disagree.

Differences are wrong at a kink, near one, and where a function changes too quickly for any step; the watched run carries a tangent
through one execution and sees which way every comparison went. It is asked only then, because it is slow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from enzyme_magic.api.checks.probes import Probe
from enzyme_magic.api.checks.watching import run_of
from enzyme_magic.backend.runtime.values import buffers
from enzyme_magic.backend.tracing.record import NotDecided, WatchedRun

if TYPE_CHECKING:
    from enzyme_magic.api.checks.probes import Point
    from enzyme_magic.api.function import CFunction

STEPS = 200_000
NEAR = 2.0**-20  # of the size of the argument: how far away the other side of a kink is looked for
AGREES = 1e-7


@dataclass(frozen=True, slots=True)
class Opinion:
    """tangent: the derivative along the probe; None where it was not followed. kink: the C line whose comparison changes
    within NEAR of the point, 0 for a line that is not known; None where none changes."""

    tangent: float | None
    kink: int | None

    def confirms(self, ours: float) -> bool:
        if self.tangent is None:
            return False
        return abs(ours - self.tangent) <= AGREES * max(abs(ours), abs(self.tangent), 1e-300) or (
            ours != ours and self.tangent != self.tangent
        )


def opinion(function: CFunction, point: Point, probe: Probe) -> Opinion | None:
    """The watched run at a point and beside it; None where the call cannot be followed."""
    try:
        here = _run(function, point, list(point.values), probe)
        reach = max((float(abs(part).max()) for part in _values(point, probe) if part.size), default=1.0)
        sides = [_run(function, point, point.moved(probe, side * NEAR * max(reach, 1.0)), probe) for side in (-1, 1)]
    except NotDecided:
        return None
    return Opinion(here.tangent, _kink(sides[0], sides[1]))


def line_between(
    function: CFunction, point: Point, sides: tuple[Sequence[Any], Sequence[Any]], probe: Probe
) -> int | None:
    """The C line of the first comparison that goes another way on the other of two sides, each the values of a call; 0 for a line
    that is not known, None where none does or a call cannot be followed."""
    try:
        runs = [_run(function, point, values, probe) for values in sides]
    except NotDecided:
        return None
    return _kink(runs[0], runs[1])


def _values(point: Point, probe: Probe) -> list[Any]:
    from enzyme_magic.backend.runtime.values import floats

    return list(floats.views(point.values[probe.index]))


def _run(function: CFunction, point: Point, values: Sequence[Any], probe: Probe) -> WatchedRun:
    given = [_given(point, index, value) for index, value in enumerate(values)]
    direction = [float(number) for part in probe.direction for number in part.reshape(-1)]
    if len(probe.direction) != 1:
        raise NotDecided("directions in structs are not followed")
    return run_of(function, given, {probe.index: direction}, steps=STEPS)


def _given(point: Point, index: int, value: Any) -> Any:
    """A value as `run_of` takes it."""
    if point.setting.is_pointer(index):
        return buffers.NULL if value is None else buffers.Buffer(0, value)
    if hasattr(value, "shape"):
        if value.dtype.kind != "f" or value.dtype.itemsize > 8:
            raise NotDecided("numbers of this type are not followed")
        return float(value)
    return value


def _kink(left: WatchedRun, right: WatchedRun) -> int | None:
    """The line of the first comparison that goes another way on the other side."""
    for before, after in zip(left.decisions, right.decisions, strict=False):
        if before != after:
            return before[0].line or 0
    return None

"""A C function along one of its numbers: a parameter ("x"), or an element of an array ("x[3]"), the other arguments held.

Invariant: nothing of the caller's is touched; what is wrong with an argument is said before anything is called.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from enzyme_magic.api.checks.probes import Point, Probe, dot, parts_of
from enzyme_magic.api.checks.small_numbers import small_numbers
from enzyme_magic.api.checks.third_opinion import line_between
from enzyme_magic.api.derivatives.gradient_function import GradientFunction
from enzyme_magic.api.derivatives.outputs import RESULT
from enzyme_magic.api.derivatives.setting import Setting
from enzyme_magic.backend.frontend.c_types import is_float
from enzyme_magic.backend.runtime.values import floats, layout
from enzyme_magic.errors import ArgumentError

if TYPE_CHECKING:
    from enzyme_magic.api.function import CFunction

Arguments = tuple[Sequence[Any], Mapping[str, Any]]

SMALL = (-3.0, 3.0)  # where no arguments were given
SETTLED = 1e-5  # two slopes by differences that are no farther apart, relative to them
FINER = 8  # so much smaller is the next step
_OVER = re.compile(r"(\w+)(?:\[([\d\s,]+)\])?")


class Section:
    """`value`, `gradient` and `difference` of a function at one number.

    Raises ArgumentError EM301 for what is no such line, EM315 and EM316 where there is no such parameter, or it has no gradient."""

    def __init__(self, function: CFunction, over: str, given: Arguments | None) -> None:
        if not is_float(function.c_signature.result):
            raise ArgumentError(
                f"{function.name} returns no number that could be drawn over {over}",
                code="EM301",
                hint="draw a function that returns a number and calls this one",
            )
        matched = _OVER.fullmatch(over) if isinstance(over, str) else None
        if matched is None:
            raise ArgumentError(
                f"over={over!r} is no parameter and no element of one", code="EM301", hint='"x", "x[3]"'
            )
        self.function, self.over, self.name = function, over, matched[1]
        self.setting = Setting(function, self.name, None)
        self.small = given is None
        args, named = given if given is not None else (self._small_numbers(), {})
        self.point = Point(self.setting, self.setting.convert(args, named))
        self.index = self.setting.wrt.indices[0]
        self.probe = self._probe(matched[2] or "")
        self.gradients = GradientFunction(function, self.name)

    def _small_numbers(self) -> Sequence[Any]:
        """Arguments where none were given: of functions that may be called with any numbers, or of this number alone."""
        if self.function.make_report().why_not_called == "":
            return small_numbers(self.function)
        if list(self.setting.names) == [self.name] and is_float(self.setting.types[0]):
            return (1.0,)
        example = f'f.show("curve", over="{self.over}", at=({", ".join(self.setting.names)}))'
        raise ArgumentError(
            f"{self.function.name} along {self.over} needs its other arguments, which are held",
            code="EM301",
            hint=example,
        )

    def _probe(self, place: str) -> Probe:
        import numpy as np

        value = self.point.values[self.index]
        where = tuple(int(k) for k in place.split(",") if k.strip())
        plain = value is not None and value.dtype.kind == "f"
        if not plain or len(where) != value.ndim or any(k >= n for k, n in zip(where, value.shape, strict=True)):
            shape = getattr(value, "shape", ())
            kind = "no plain numbers" if not plain else f"an array of shape {shape}" if shape else "one number"
            first = f"{self.name}[{', '.join('0' for _ in shape)}]" if shape else self.name
            raise ArgumentError(f"{self.name} is {kind}, and has no {self.over}", code="EM301", hint=f'over="{first}"')
        direction = np.zeros(value.shape)
        direction[where] = 1.0
        return Probe(self.index, f"[{', '.join(map(str, where))}]" if where else "", [direction])

    # Where -----------------------------------------------------------------------------------------------------------

    @cached_property
    def precision(self) -> float:
        """Distance from 1 to the next number, of the coarser of the argument's and the result's type."""
        import numpy as np

        result = np.dtype(layout.dtype_of(self.function.c_signature.result))
        return float(max(np.finfo(kind).eps for kind in (self.point.values[self.index].dtype, result)))

    def rounded(self, x: float) -> float:
        """The number of the argument's type that is next to x."""
        return float(self.point.values[self.index].dtype.type(x))

    def ends(self, between: tuple[float, float] | None) -> tuple[float, float]:
        """The range to look at: as given, else around the argument."""
        start = float(dot(floats.views(self.point.values[self.index]), self.probe.direction))
        half = 2 * max(1.0, abs(start))
        wanted = between if between is not None else SMALL if self.small else (start - half, start + half)
        try:
            low, high = map(self.rounded, map(float, wanted))
        except (TypeError, ValueError):
            low = high = 0.0
        if not (math.isfinite(low) and math.isfinite(high) and low < high):
            raise ArgumentError(f"between={between!r} is no range of numbers", code="EM301", hint="between=(-1.0, 1.0)")
        return low, high

    def held(self) -> tuple[tuple[str, str], ...]:
        """The arguments that stay as they are, as text."""
        named = enumerate(zip(self.setting.names, self.point.values, strict=False))
        return tuple((name, short(value)) for index, (name, value) in named if index != self.index or value.size > 1)

    # What is there ---------------------------------------------------------------------------------------------------

    def _at(self, x: float) -> list[Any]:
        values = list(self.point.values)
        moved = values[self.index].copy()
        moved[self.probe.direction[0] == 1.0] = x
        values[self.index] = moved
        return values

    def value(self, x: float) -> float:
        return float(self.point.weighted({RESULT: parts_of(1.0)}, self._at(x)))

    def gradient(self, x: float) -> float:
        found = self.gradients(*self.point.arguments(self._at(x)))
        return float(dot(parts_of(found), self.probe.direction))

    def step(self, x: float) -> float:
        """How far `difference` looks to each side."""
        return float(2.0 ** round(math.log2(self.precision**0.2 * max(1.0, abs(x)) * 2.0)))

    def difference(self, x: float) -> float:
        """The slope by central differences, extrapolated from two steps: by smaller ones where these two are far apart, as beside a
        pole, for as long as they come closer. The gradient has no say in it."""
        h = self.step(x)
        slope, apart = self._extrapolated(x, h)
        while not apart <= SETTLED * abs(slope):
            h /= FINER
            finer, change = self._extrapolated(x, h)
            if not change < apart:
                break
            slope, apart = finer, change
        return slope

    def _extrapolated(self, x: float, h: float) -> tuple[float, float]:
        """The slope, and how far apart those are of which it is made."""
        import numpy as np

        with np.errstate(all="ignore"):
            wide, narrow = self._slope(x, h), self._slope(x, h / 2)
            return float((4 * narrow - wide) / 3), abs(float(narrow - wide))

    def _slope(self, x: float, step: float) -> float:
        right, left = self.rounded(x + step), self.rounded(x - step)
        return (self.value(right) - self.value(left)) / (right - left) if left < right else math.nan

    def comparison(self, left: float, right: float) -> int:
        """The C line of the first comparison that goes another way on the other side; 0 where none is seen to."""
        return line_between(self.function, self.point, (self._at(left), self._at(right)), self.probe) or 0


def short(value: Any) -> str:
    """An argument as text."""
    shape = getattr(value, "shape", ())
    if shape:
        what = "bytes" if getattr(value.dtype, "itemsize", 0) == 1 else "numbers"
        return f"{'×'.join(map(str, shape))} {what}"
    number = value[()] if hasattr(value, "shape") else value
    return (
        "NULL"
        if value is None
        else f"{number:.6g}"
        if isinstance(number, float)
        else " ".join(str(number).split())[:24]
    )

"""Gradients checked against finite differences: for users' tests and for our own.

Method: central differences with Richardson extrapolation (error O(h^4)), the step scaled by the argument and by the
precision of its type; each coordinate up to `LIMIT` per array, evenly spread, and one fixed random direction through
all of them, which sees every coordinate at once (the dot-product test).

It cannot tell a kink from a wrong gradient: at a kink the two one-sided slopes differ, and the message says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from enzyme_magic.api.function import CFunction
from enzyme_magic.api.gradient_function import GradientFunction
from enzyme_magic.api.wrt import Wrt
from enzyme_magic.errors import ArgumentError, DifferentiationError

LIMIT = 32  # coordinates looked at one by one, per array


class GradientMismatch(DifferentiationError, AssertionError):
    """A gradient and its finite difference disagree."""

    default_code = "EM250"


@dataclass(frozen=True, slots=True)
class Checked:
    """What `check_grads` has compared. worst: the largest relative error, 0 when all agree to the last bit."""

    points: int
    worst: float


def check_grads(
    f: CFunction,
    args: Any,
    order: int = 1,
    *,
    wrt: Wrt = None,
    rtol: float | None = None,
    atol: float | None = None,
    named: dict[str, Any] | None = None,
) -> Checked:
    """Compares the gradient of a C function with finite differences of the function itself.

    args: the arguments of a call, a tuple (anything else is the single argument); named: further arguments by C name.
    Nothing is modified. order: 1. rtol, atol: by the precision of each argument unless given (double: 1e-6 and 1e-8).
    Raises GradientMismatch (a DifferentiationError and an AssertionError) naming the argument, the index and both
    numbers.
    """
    if order != 1:
        raise ArgumentError(f"order={order!r} is not supported yet", code="EM322", hint="order=1")
    if not isinstance(f, CFunction):
        raise ArgumentError(
            f"check_grads takes a C function, got {type(f).__name__}", code="EM301", hint="em.check_grads(p.name, args)"
        )
    values = f.arguments().convert(args if isinstance(args, tuple) else (args,), named or {})
    problem = _Problem(f, [_owned(value) for value in values])
    gradient = GradientFunction(f, _tuple_of(f, wrt))
    parts = gradient(*problem.values)
    worst, points = 0.0, 0
    for index, part in zip(gradient.choice.indices, parts, strict=True):
        if problem.values[index] is None:
            continue
        tolerance = _tolerance(problem.precision(index), rtol, atol)
        for probe in problem.probes(index):
            worst = max(worst, problem.compare(probe, part, tolerance))
            points += 1
    return Checked(points, worst)


def _tuple_of(f: CFunction, wrt: Wrt) -> tuple[int, ...]:
    return f.choose(wrt).indices


def _owned(value: Any) -> Any:
    """A converted argument as something to call with again: arrays as copies, so that nothing of the caller's is
    touched."""
    array = getattr(value, "array", value)
    return array.copy() if hasattr(array, "copy") else getattr(array, "value", array)


def _tolerance(precision: float, rtol: float | None, atol: float | None) -> tuple[float, float]:
    """Relative and absolute; the extrapolated difference of a double is good to about 1e-10."""
    base = precision ** (2 / 5)
    return (base if rtol is None else rtol, base / 100 if atol is None else atol)


@dataclass(frozen=True, slots=True)
class _Probe:
    """A direction in one argument: a coordinate, or (`where` "") a fixed random direction."""

    index: int
    where: str
    direction: Any


class _Problem:
    """One function at one point."""

    def __init__(self, function: CFunction, values: list[Any]) -> None:
        self.function = function
        self.values = values

    def precision(self, index: int) -> float:
        """Distance from 1 to the next number: of the argument's type, or of the result's where that is coarser."""
        import numpy as np

        result = np.finfo(np.asarray(self.call(self.values)).dtype).eps
        own = np.finfo(np.asarray(self.values[index]).dtype).eps if hasattr(self.values[index], "dtype") else 0.0
        return float(max(result, own, self._declared(index)))

    def _declared(self, index: int) -> float:
        """A float parameter given as a Python number is rounded on the way."""
        size = getattr(self.function.c_signature.parameters[index].type, "size", 8)
        return 2.0**-23 if size == 4 else 2.0**-52

    def call(self, values: Sequence[Any]) -> Any:
        """The function on copies: it may write to its arrays."""
        return self.function(*(value.copy() if hasattr(value, "copy") else value for value in values))

    def probes(self, index: int) -> Iterator[_Probe]:
        """The directions along which one argument is moved."""
        import numpy as np

        value = self.values[index]
        if not hasattr(value, "shape") or value.shape == ():
            yield _Probe(index, "", 1.0)
            return
        size = value.size
        for flat in np.unique(np.linspace(0, size - 1, min(size, LIMIT)).astype(int)):
            direction = np.zeros(value.shape)
            direction.flat[flat] = 1.0
            where = ", ".join(str(int(k)) for k in np.unravel_index(flat, value.shape))
            yield _Probe(index, f"[{where}]", direction)
        if size > 1:
            yield _Probe(index, " along a random direction", np.random.default_rng(7).standard_normal(value.shape))

    def compare(self, probe: _Probe, gradient: Any, tolerance: tuple[float, float]) -> float:
        """The relative error of one slope; GradientMismatch when it is too large."""
        import numpy as np

        ours = float(np.sum(np.asarray(gradient, float) * probe.direction))
        left, right, expected = self._slopes(probe)
        rtol, atol = tolerance
        scale = max(abs(ours), abs(expected))
        error = abs(ours - expected)
        if (np.isnan(ours) and np.isnan(expected)) or ours == expected:
            return 0.0
        if not error <= atol * max(1.0, abs(float(self.call(self.values)))) + rtol * scale:
            raise self._mismatch(probe, ours, expected, (left, right))
        return error / scale if scale else 0.0

    def _slopes(self, probe: _Probe) -> tuple[float, float, float]:
        """The slope to the left, to the right, and the extrapolated central one."""
        import numpy as np

        value = np.asarray(self.values[probe.index], float)
        size = max(1.0, float(np.max(np.abs(value * (np.asarray(probe.direction) != 0)), initial=0.0)))
        h = self.precision(probe.index) ** (1 / 5) * size * 2.0
        h = 2.0 ** round(float(np.log2(h)))  # a power of two: x + h is exact more often
        wide, narrow = (self._central(probe, step) for step in (h, h / 2))
        near = h / 64
        middle = self._at(probe, 0.0)
        left = (middle - self._at(probe, -near)) / near
        right = (self._at(probe, near) - middle) / near
        return left, right, (4 * narrow - wide) / 3

    def _central(self, probe: _Probe, h: float) -> float:
        return (self._at(probe, h) - self._at(probe, -h)) / (2 * h)

    def _at(self, probe: _Probe, distance: float) -> float:
        """The function, `distance` away along the probe."""
        values = list(self.values)
        old = values[probe.index]
        moved = old + distance * probe.direction
        values[probe.index] = moved.astype(old.dtype) if hasattr(moved, "astype") and hasattr(old, "dtype") else moved
        return float(self.call(values))

    def _mismatch(self, probe: _Probe, ours: float, expected: float, sides: tuple[float, float]) -> GradientMismatch:
        from enzyme_magic.backend.runtime.arguments import parameter_names

        name = parameter_names(self.function.c_signature)[probe.index]
        left, right = sides
        kink = abs(left - right) > 0.01 * max(abs(left), abs(right), 1e-30)
        hint = (
            f"the slopes to the left ({left:.6g}) and to the right ({right:.6g}) differ: is there a kink?"
            if kink
            else None
        )
        return GradientMismatch(
            f"{self.function.name}: the gradient with respect to {name}{probe.where} is {ours!r},"
            f" finite differences give {expected!r}",
            hint=hint,
        )

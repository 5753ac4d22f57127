"""What every program must pass at one optimization level, at several random points:

- the value is that of an independent NumPy formula (where the case has one), and the gradient call gives the same;
- the gradient agrees with differences of the primal, with the min-cut cache plan (arrays ending at a guard page) and with the
  conservative one (arrays starting at one), for every active parameter;
- forward mode along a random direction agrees with the gradient's product with it;
- nothing is left on the tape.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from . import differences
from .calls import Call, Gradient

LEVELS = (0, 1, 2, 3)
POINTS = 3


@dataclass(frozen=True, slots=True)
class Case:
    """A function of sources/<source>.c.

    arguments: what to call it with, from a random generator (integers, floats, arrays). value: the same function of the same
    arguments by NumPy. size: bytes of the numbers it computes with. tolerance: relative, of the comparison with differences; larger
    where these cross the steps of an iteration. fixed: floating parameters no difference may be taken of, because the derivative
    with respect to them is 0 (stopping criteria).
    """

    source: str
    function: str
    arguments: Callable[[np.random.Generator], list[Any]]
    value: Callable[..., float] | None = None
    size: int = 8
    tolerance: float = 1e-7
    fixed: tuple[int, ...] = ()

    def __str__(self) -> str:
        return self.function

    def at(self, point: int) -> list[Any]:
        return self.arguments(np.random.default_rng([point, *self.function.encode()]))


@cache
def _differences(case: Case, point: int) -> dict[int, tuple[np.ndarray, np.ndarray]]:
    call, arguments = Call(case.source, case.function, 2), case.at(point)
    active = [k for k in call.active(arguments) if k not in case.fixed]
    return differences.gradient(call.value, arguments, active, case.size)


def check(case: Case, opt: int) -> None:
    """Raises AssertionError naming the first thing that is wrong."""
    call = Call(case.source, case.function, opt)
    for point in range(POINTS):
        arguments = case.at(point)
        value = call.value(arguments)
        between = 1e-12 if case.size == 8 else 2e-5
        if case.value is not None:
            wanted = float(case.value(*(a.copy() if isinstance(a, np.ndarray) else a for a in arguments)))
            assert math.isclose(value, wanted, rel_tol=10 * between, abs_tol=between), (
                f"{call.where}: value {value!r}, NumPy {wanted!r}"
            )
        assert math.isfinite(value), f"{call.where}: value {value}"
        cut = call.reverse(arguments, minimum_cut=True, edge="end")
        conservative = call.reverse(arguments, minimum_cut=False, edge="start")
        for gradient, plan in ((cut, "min-cut"), (conservative, "conservative")):
            where = f"{call.where}, {plan}, point {point}"
            assert math.isclose(gradient.value, value, rel_tol=between), (
                f"{where}: its value {gradient.value!r}, the primal's {value!r}"
            )
            _against_differences(case, gradient, _differences(case, point), where)
        _against_forward(case, call, arguments, cut, point)


def _against_differences(
    case: Case, gradient: Gradient, wanted: dict[int, tuple[np.ndarray, np.ndarray]], where: str
) -> None:
    tolerance = case.tolerance if case.size == 8 else 3e-3
    for k in case.fixed:
        assert not np.any(gradient.parts[k]), f"{where}: parameter {k} is {gradient.parts[k]}, not 0"
    for k, (values, errors) in wanted.items():
        got = np.asarray(gradient.parts[k], float).reshape(-1)
        largest = np.abs(values).max(initial=1e-3)
        assert (errors < 10 * tolerance * largest).all(), (
            f"{where}: differences for parameter {k} do not settle: {errors}"
        )
        off = np.abs(got - values) > tolerance * (np.abs(values) + 0.1 * largest) + 3 * errors
        bad = np.flatnonzero(off | ~np.isfinite(got))
        assert not bad.size, f"{where}: parameter {k}[{bad}]: gradient {got[bad]}, differences {values[bad]}"


def _against_forward(case: Case, call: Call, arguments: list[Any], gradient: Gradient, point: int) -> None:
    random = np.random.default_rng(point)
    tangents: dict[int, Any] = {}
    terms: list[float] = []
    for k, part in gradient.parts.items():
        if isinstance(arguments[k], np.ndarray):
            tangents[k] = random.uniform(-1, 1, part.shape).astype(part.dtype)
        else:
            tangents[k] = float(random.uniform(-1, 1))
        terms += list((np.asarray(part, float) * tangents[k]).reshape(-1))
    got, wanted, size = call.forward(arguments, tangents), math.fsum(terms), math.fsum(map(abs, terms))
    close = (1e-10 if case.size == 8 else 1e-4) * size
    assert abs(got - wanted) <= close, (
        f"{call.where}, point {point}: forward mode {got!r}, gradient along it {wanted!r}"
    )

"""A function tried out: one gradient, a comparison with differences, and what the gradient costs.

`of_small_numbers` calls a function without being asked, and so only where the report says that this can do nothing else
(`Report.why_not_called`); `at` calls any function with the user's own arguments. After BUDGET seconds no further part is begun
(ASKED where arguments were given), of a call that has nothing to load any more. What a trial finds stands in the record that is
shown, and in nothing that is kept.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from typing import Any

from enzyme_magic.api.checks.small_numbers import small_numbers
from enzyme_magic.api.derivatives.named import Gradients
from enzyme_magic.api.derivatives.wrt import Wrt
from enzyme_magic.api.function import CFunction
from enzyme_magic.api.transforms import grad
from enzyme_magic.errors import EnzymeError
from enzyme_magic.report import Check, Report
from enzyme_magic.testing import GradientMismatch, check_gradient

BUDGET, ASKED = 0.05, 1.0  # seconds
LOADING = 0.5  # seconds that the first call may take besides
POINTS, REPETITIONS = 512, 5  # of the measurement of costs
NOT_CHECKED = "not checked: give example arguments with --at"
NO_TIME = "not checked: no time was left; --at or --check take theirs"

Arguments = tuple[tuple[Any, ...], dict[str, Any]]


def of_small_numbers(function: CFunction, wrt: Wrt, report: Report) -> Report:
    """`report` with check, example and cost, where the function may be called; otherwise with what is missing."""
    if report.why_not_called != "":
        return dataclasses.replace(report, check=Check(False, NOT_CHECKED))
    try:
        return at(function, wrt, report, (small_numbers(function), {}), BUDGET)
    except EnzymeError:
        return dataclasses.replace(report, check=Check(False, NOT_CHECKED))


def at(function: CFunction, wrt: Wrt, report: Report, arguments: Arguments, budget: float = ASKED) -> Report:
    """`report` with example, check and cost at `arguments`. Raises what the call itself raises."""
    args, kwargs = arguments
    end = time.perf_counter() + budget
    report = dataclasses.replace(report, example=example(function, wrt, arguments))
    if (
        end < time.perf_counter() < end + LOADING
    ):  # the first call of a process loads what all calls need: that is not the function's time
        end = time.perf_counter() + budget
        example(function, wrt, arguments)
    found = _check(function, wrt, args, kwargs) if time.perf_counter() < end else Check(False, NO_TIME)
    report = dataclasses.replace(report, check=found)
    if time.perf_counter() < end and not kwargs:
        report = dataclasses.replace(report, cost=_cost(function, wrt, args, end))
    return report


def example(function: CFunction, wrt: Wrt, arguments: Arguments) -> str:
    """One gradient, as a person would type it: "grad(2.0) = 12.0", "grad(2.0, 1.5): x = 1.08385, y = 2.0"."""
    args, kwargs = arguments
    words = [*map(_short, args), *(f"{name}={_short(value)}" for name, value in kwargs.items())]
    found, call = grad(function, wrt=wrt)(*args, **kwargs), f"grad({', '.join(words)})"
    if isinstance(found, Gradients):
        return f"{call}: {', '.join(f'{name} = {_short(value)}' for name, value in found.asdict().items())}"
    return f"{call} = {_short(found)}"


def _short(value: object) -> str:
    if isinstance(value, float):
        value = float(f"{value:.6g}")
    text = " ".join(str(value).split()) if hasattr(value, "shape") else repr(value)
    return text if len(text) <= 40 else text[:39] + "…"


def _check(function: CFunction, wrt: Wrt, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Check:
    """The gradient beside differences of the function. A mismatch is said, not raised: it may be a kink."""
    try:
        found = check_gradient(function, args, wrt=wrt, named=kwargs)
    except GradientMismatch as error:
        return Check(False, error.kink or f"gradient NOT confirmed: {error.message}")
    text = "gradient agrees with differences of the function"
    if found.rough:
        text = "gradient agrees with a watched run of the function; differences are too rough here"
    return Check(True, text, found.points, found.worst)


def _cost(function: CFunction, wrt: Wrt, args: tuple[Any, ...], end: float) -> str | None:
    """Time of the gradient beside the function's own, both in one native loop over many points; None for functions of memory, which
    have no such loop, and where no time is left to compile it."""
    import numpy as np

    if any(hasattr(value, "shape") for value in args) or function.program.options.isolate:
        return None
    points = [np.full(POINTS, value) for value in args]
    chosen = grad(function, wrt=wrt)
    own = _fastest(lambda: function.map(*points), end)
    derived = _fastest(lambda: chosen.map(*points), end) if own is not None else None
    if own is None or derived is None:
        return None
    return f"{derived / own:.1f} times the function itself (measured, {POINTS} points)"


def _fastest(call: Callable[[], object], end: float) -> float | None:
    """The shortest of some calls, the first of which compiles; None where the time is over before one was measured."""
    call()
    found: list[float] = []
    for _ in range(REPETITIONS):
        start = time.perf_counter()
        if start > end:
            break
        call()
        found.append(time.perf_counter() - start)
    return min(found, default=None)

"""Times of a function and its gradient, before and after optimization, on copies of the user's own arguments.

Invariant: nothing but the calls lies between two readings of the clock. Functions of numbers without static data run many
times in one native loop, so many that entering it does not count; other calls come from Python, and their times
include what that takes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from enzyme_magic.api.checks.copies import give_state, holds_state, unoptimized
from enzyme_magic.api.checks.probes import Point
from enzyme_magic.api.checks.timing import fastest_of
from enzyme_magic.api.derivatives.gradient_function import GradientFunction
from enzyme_magic.api.derivatives.setting import Setting
from enzyme_magic.api.derivatives.wrt import Wrt
from enzyme_magic.api.measured.along import short
from enzyme_magic.backend.runtime.calls.loops import Inlined
from enzyme_magic.backend.runtime.calls.mapping import Map
from enzyme_magic.points import CostRow, Costs
from enzyme_magic.progress import shown

if TYPE_CHECKING:
    from enzyme_magic.api.function import CFunction

LOOP = 1e-3  # seconds that a native loop takes at least
FIRST, MOST = 2**7, 2**19  # of its points


@shown("the cost of {}")
def costs(function: CFunction, wrt: Wrt, args: Sequence[Any], named: Mapping[str, Any]) -> Costs:
    """The fastest of some calls of each. Raises what the calls raise, and what making the gradient raises."""
    GradientFunction(function, wrt)  # refuses before anything is timed
    setting = Setting(function, wrt, None)
    point = Point(setting, setting.convert(tuple(args), dict(named)))
    native = not holds_state(function) and all(map(_is_number, point.arguments()))
    options = function.program.options
    rows: list[CostRow] = []
    optimized = bool(options.opt or options.post_opt)
    if optimized:
        copy = unoptimized(function, after=True)
        give_state(function, copy)
        rows += _rows(copy[function.name], False, wrt, point, native)
    rows += _rows(function, optimized, wrt, point, native)
    call = f"{function.name}({', '.join(short(value) for value in point.arguments())})"
    levels = f"level {options.opt} before differentiation, level {options.post_opt} after it" if optimized else ""
    return Costs(function.name, call, levels, tuple(rows), native)


def _rows(function: CFunction, optimized: bool, wrt: Wrt, point: Point, native: bool) -> Iterator[CostRow]:
    gradient = GradientFunction(function, wrt)
    if native:
        arguments, numbers = function.arguments(), point.arguments()
        code = function.code_of(gradient.request)
        # without a text to inline, so that the loop calls the very code that Python calls
        called = Inlined(cpu=function.program.options.cpu)
        own = Map(function.code(), arguments, lambda value, gradients: value, inlined=called)
        derived = Map(code, arguments, gradient.pack(), wrt=gradient.choice.indices, inlined=called)
        yield CostRow("function", optimized, _looped(own, numbers))
        yield CostRow("gradient", optimized, _looped(derived, numbers))
    else:
        # as people call it, and so is the gradient; what has static data keeps it only where the call is a question
        call = (lambda *given: function.evaluate(given)) if holds_state(function) else function
        yield CostRow("function", optimized, fastest_of(call, point.arguments))
        yield CostRow("gradient", optimized, fastest_of(gradient, point.arguments))


def _looped(loop: Map, arguments: Sequence[Any]) -> float:
    """Seconds of one of many calls in a native loop."""
    import numpy as np

    count = FIRST
    while True:
        points = [np.full(count, value) for value in arguments]
        seconds = fastest_of(loop, lambda given=points: given)  # type: ignore[misc]
        if seconds >= LOOP or count >= MOST:
            return seconds / count
        count *= 8


def _is_number(value: Any) -> bool:
    import numpy as np

    return isinstance(value, (bool, int, float, np.float32))

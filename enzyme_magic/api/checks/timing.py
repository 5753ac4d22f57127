"""How long calls take, on the user's own arguments, which are not modified."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from enzyme_magic.api.derivatives.gradient_function import GradientFunction
from enzyme_magic.api.derivatives.wrt import Wrt

if TYPE_CHECKING:
    from enzyme_magic.api.function import CFunction

REPETITIONS = 200
BUDGET = 0.3  # seconds, of all repetitions together


def fastest(
    function: CFunction,
    wrt: Wrt,
    caching: Mapping[str, str] | None,
    arguments: tuple[tuple[Any, ...], Mapping[str, Any]],
) -> float:
    """Seconds of the fastest of some calls of that gradient."""
    gradient = GradientFunction(function, wrt, caching=caching or None)
    args, kwargs = arguments
    return fastest_of(lambda *given: gradient(*given, **kwargs), lambda: args)


def fastest_of(call: Callable[..., object], arguments: Callable[[], Sequence[Any]]) -> float:
    """Seconds of the fastest of some calls, each with arguments made for it, which takes no part of the time. The first call may
    compile, and is not counted."""
    call(*arguments())
    found: list[float] = []
    end = time.perf_counter() + BUDGET
    while len(found) < REPETITIONS and (not found or time.perf_counter() < end):
        given = arguments()
        start = time.perf_counter()
        call(*given)
        found.append(time.perf_counter() - start)
    return min(found)

"""How long a gradient takes, on the user's own arguments, which are not modified."""

from __future__ import annotations

import time
from collections.abc import Mapping
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
    gradient(*args, **kwargs)  # compiles
    found: list[float] = []
    end = time.perf_counter() + BUDGET
    while len(found) < REPETITIONS and (not found or time.perf_counter() < end):
        start = time.perf_counter()
        gradient(*args, **kwargs)
        found.append(time.perf_counter() - start)
    return min(found)

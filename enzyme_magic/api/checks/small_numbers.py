"""Small numbers for a call that nobody gave arguments for. Whether such a call is allowed is the report's answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_magic.backend.frontend.c_types import is_float

if TYPE_CHECKING:
    from enzyme_magic.api.function import CFunction

NUMBERS = (2.0, 1.5, 0.75, 1.25)
WHOLE = 3


def small_numbers(function: CFunction, factor: float = 1.0) -> tuple[float | int, ...]:
    """A small number for each parameter; floating ones are multiplied by `factor`."""
    parameters = function.c_signature.parameters
    numbers = iter(NUMBERS * len(parameters))
    return tuple(next(numbers) * factor if is_float(p.type) else _whole(str(p.type)) for p in parameters)


def _whole(c_type: str) -> int:
    return 1 if c_type in ("_Bool", "bool") else WHOLE

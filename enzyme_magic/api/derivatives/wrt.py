"""Which parameters a gradient is taken with respect to.

Invariant: `wrt` counts all C parameters from 0, or takes C names (Python's spelling of a forbidden name works too). A bare name or
index asks for a bare gradient, a tuple for as many entries as it has; None is every active parameter: one is bare, several are
`Gradients` in C order. What cannot have a gradient is an ArgumentError with the reason.
"""

from __future__ import annotations

import difflib
import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from enzyme_magic.backend.frontend.c_types import Array, CType, Pointer
from enzyme_magic.errors import ArgumentError, DifferentiationError

Wrt = str | int | Sequence[str | int] | None


@dataclass(frozen=True, slots=True)
class WrtChoice:
    """The parameters chosen, by index, and whether the gradient is given back bare."""

    indices: tuple[int, ...]
    bare: bool


def choose(function: str, names: Sequence[str], refusals: Mapping[int, str], wrt: Wrt) -> WrtChoice:
    """Resolves `wrt`.

    names: all C parameters. refusals: why a parameter has no gradient, by index; all others are active.
    Raises ArgumentError EM315 (no such parameter, or given twice), EM316 (it has no gradient); DifferentiationError EM210 when
    nothing is active.
    """
    if wrt is None:
        active = tuple(index for index in range(len(names)) if index not in refusals)
        if not active:
            raise _nothing_active(function, names, refusals)
        return WrtChoice(active, bare=len(active) == 1)
    several = isinstance(wrt, (tuple, list))
    wanted: Sequence[Any] = wrt if isinstance(wrt, (tuple, list)) else (wrt,)
    indices = tuple(_index(function, names, item) for item in wanted)
    for index in indices:
        if index in refusals:
            raise _refused(function, names, refusals, index)
    if len(set(indices)) != len(indices) or not indices:
        problem = "names a parameter twice" if indices else "is empty"
        raise ArgumentError(
            f"{function}: wrt={wrt!r} {problem}", code="EM315", hint="leave wrt out for all active parameters"
        )
    return WrtChoice(indices, bare=not several)


def as_index(item: Any) -> int | None:
    """The whole number that counts something, of Python or NumPy; None for anything else. (Arrays have `__index__`, too.)"""
    try:
        return None if isinstance(item, bool) else operator.index(item)
    except TypeError:
        return None


def _index(function: str, names: Sequence[str], item: Any) -> int:
    index = as_index(item)
    if index is None and not isinstance(item, str):
        raise ArgumentError(
            f"{function}: wrt takes names or indices of C parameters, got {item!r}", code="EM315", hint=_listing(names)
        )
    if isinstance(item, str):
        return _index_of_name(function, names, item)
    assert index is not None
    if not 0 <= index < len(names):
        raise ArgumentError(
            f"{function}: wrt={index}, but its parameters are numbered 0 … {len(names) - 1}"
            if names
            else f"{function}: wrt={index}, but it has no parameters",
            code="EM315",
            hint=_listing(names),
        )
    return index


def _index_of_name(function: str, names: Sequence[str], item: str) -> int:
    if item in names:
        return list(names).index(item)
    if item.endswith("_") and item[:-1] in names:
        return list(names).index(item[:-1])
    close = difflib.get_close_matches(item, names, 1)
    raise ArgumentError(
        f"{function} has no parameter {item!r}",
        code="EM315",
        hint=f"did you mean {close[0]}?" if close else _listing(names),
    )


def _listing(names: Sequence[str]) -> str:
    return f"its parameters are: {', '.join(names) or 'none'}"


def _refused(function: str, names: Sequence[str], refusals: Mapping[int, str], index: int) -> ArgumentError:
    active = [name for k, name in enumerate(names) if k not in refusals]
    return ArgumentError(
        f"{function}: no gradient with respect to {names[index]}: {refusals[index]}",
        code="EM316",
        hint=f"active parameters: {', '.join(active)}" if active else f"{function} has no active parameter",
    )


def _nothing_active(function: str, names: Sequence[str], refusals: Mapping[int, str]) -> DifferentiationError:
    reasons = "; ".join(f"{names[index]}: {reason}" for index, reason in refusals.items())
    return DifferentiationError(
        f"{function} has no parameter to differentiate with respect to" + (f" ({reasons})" if reasons else ""),
        code="EM210",
        hint="a gradient needs a float or double parameter, or an array of them that is read",
    )


def memory_of(
    out: Any, choice: WrtChoice, names: Sequence[str], types: Sequence[CType], function: str
) -> dict[int, Any]:
    """The arrays of `out` by parameter: one, as many as parameters were chosen (None for none), or a mapping from C names.

    names, types: of all C parameters. Raises ArgumentError EM317 where they do not fit the choice, and for memory for the gradient
    of a number, which is given back as a number.
    """
    given = {index: array for index, array in _given_memory(out, choice, names, function).items() if array is not None}
    for index in given:
        if not isinstance(types[index], (Pointer, Array)):
            raise ArgumentError(
                f"{function}: out has memory for {names[index]}, whose gradient is no array (it is passed by value)",
                code="EM317",
                hint=f"None for {names[index]} in out; its gradient is returned",
            )
    return given


def _given_memory(out: Any, choice: WrtChoice, names: Sequence[str], function: str) -> dict[int, Any]:
    if out is None:
        return {}
    chosen = [names[index] for index in choice.indices]
    hint = f"one array per gradient: {', '.join(chosen)}"
    if isinstance(out, Mapping):
        unknown = [name for name in out if name not in chosen]
        if unknown:
            problem = f"{function}: out names {unknown[0]!r}, which is not in wrt"
            raise ArgumentError(problem, code="EM317", hint=hint)
        return {choice.indices[chosen.index(name)]: array for name, array in out.items()}
    arrays = tuple(out) if isinstance(out, (tuple, list)) else (out,)
    if len(arrays) != len(chosen):
        raise ArgumentError(
            f"{function}: out has {len(arrays)} arrays for {len(chosen)} gradients", code="EM317", hint=hint
        )
    return dict(zip(choice.indices, arrays, strict=True))

"""What a gradient keeps in one call, measured at the user's own arguments, which are not modified."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from enzyme_magic.api.derivatives.caching import PRESET, CachingChoice
from enzyme_magic.api.derivatives.wrt import Wrt
from enzyme_magic.backend.analysis.derivatives.cache_plan import PRESETS
from enzyme_magic.backend.frontend.c_types import is_float
from enzyme_magic.backend.runtime import arena
from enzyme_magic.backend.runtime.calls.derivative import Given, derivative, one
from enzyme_magic.backend.runtime.calls.invoke import Code
from enzyme_magic.backend.runtime.values import purity
from enzyme_magic.backend.runtime.values.arguments import parameter_names
from enzyme_magic.errors import ArgumentError, DifferentiationError
from enzyme_magic.progress import shown
from enzyme_magic.report import Measured, MemoryCurve, Report

if TYPE_CHECKING:
    from enzyme_magic.api.function import CFunction

SHOWN = 24  # letters of an argument


@shown("the memory of {}")
def measured(
    function: CFunction,
    wrt: Wrt,
    report: Report,
    arguments: tuple[Sequence[Any], Mapping[str, Any]],
    others: bool = False,
    *,
    caching: CachingChoice = None,
) -> Report:
    """`report` with what one call keeps; others: and how much it keeps over time with other cache plans. ArgumentError EM301 where
    there is no gradient of a number to call; raises what the call itself raises."""
    found = _measured(function, wrt, report, arguments, caching)
    if others and found.curve is not None:
        curves = [(name, _other(function, wrt, report, arguments, name)) for name in PRESETS]
        told = ((name, curve) for name, curve in curves if curve is not None and curve.kept != found.curve.kept)
        found = dataclasses.replace(found, others=tuple(told))
    return dataclasses.replace(report, cache=dataclasses.replace(report.cache, measured=found))


def of_call(
    function: CFunction,
    wrt: Wrt,
    report: Report,
    arguments: tuple[Sequence[Any], Mapping[str, Any]] | None,
    others: bool = False,
) -> Report:
    """`report` with what this call keeps, where there is a call and a gradient of a number; else as it is. others: as above."""
    if arguments is None or not is_float(function.c_signature.result) or report.mode != "reverse":
        return report
    return measured(function, wrt, report, arguments, others)


def _other(
    function: CFunction, wrt: Wrt, report: Report, arguments: tuple[Sequence[Any], Mapping[str, Any]], preset: str
) -> MemoryCurve | None:
    """The curve of a preset; None where there is no such plan of this gradient."""
    try:
        return _measured(function, wrt, report, arguments, {PRESET: preset}).curve
    except DifferentiationError:
        return None


def _measured(
    function: CFunction,
    wrt: Wrt,
    report: Report,
    arguments: tuple[Sequence[Any], Mapping[str, Any]],
    caching: CachingChoice,
) -> Measured:
    from enzyme_magic.backend.explain.tape.metering import Metering

    if not is_float(function.c_signature.result) or report.mode != "reverse":
        raise ArgumentError(
            f"what {function.name} keeps cannot be measured: only gradients of a number are called for that",
            code="EM301",
            hint="measure a function that returns a number and calls this one",
        )
    args, named = arguments
    values = function.arguments().convert(tuple(args), dict(named))
    request = function.request_of(function.choose(wrt), value=True, seed="one", caching=caching)
    metering = Metering.of(function.program.compiled, request)  # type: ignore[arg-type]
    code = Code(metering.record.entry, metering.address, function.c_signature, metering.library)
    own = purity.working_copies(values, function.roles.written)
    metering.begin()
    arena.reset_statistics()
    derivative(code)(own, Given(result=one(function.c_signature.result)))
    taken = arena.statistics().peak
    names = parameter_names(function.c_signature)
    sizes = {name: value for name, value in zip(names, values, strict=True) if type(value) is int}
    call = f"{function.name}({', '.join(map(_short, values))})"
    return metering.measured(call, report.cache, sizes, taken)


def _short(value: object) -> str:
    held = getattr(value, "array", value)
    shape = getattr(held, "shape", ())
    if shape:
        return f"{'×'.join(map(str, shape))} {'bytes' if getattr(held, 'itemsize', 0) == 1 else 'numbers'}"
    text = " ".join(str(held).split())
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"

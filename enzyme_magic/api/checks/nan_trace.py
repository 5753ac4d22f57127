"""`f.trace_nan(args)`: where in C a NaN or an infinity is born, in the value or in the gradient.

The value: the call is watched (backend/tracing) in the program without optimization, so that nothing is computed that the C
text does not compute; what does not reach the result or the memory that is given is not told. The gradient: a call of it is
followed step by step (explain/calls/trace.py). What cannot be followed is said in `reasons`, never guessed.

The arguments are not modified. A function that prints, prints again where its gradient is called.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from enzyme_magic.api.derivatives.wrt import Wrt
from enzyme_magic.errors import DifferentiationError
from enzyme_magic.progress import shown

if TYPE_CHECKING:
    from enzyme_magic.api.function import CFunction
    from enzyme_magic.backend.tracing import births as tracing
    from enzyme_magic.report import Trace, TraceStep

PRIMAL, GRADIENT = "value", "gradient"


@dataclass(frozen=True, slots=True)
class Birth:
    """An operation on finite numbers that gave none, or made a NaN of infinities.

    sweep: "value" or "gradient". what: "nan", "inf" or "-inf". line, source: of the C text, where they are known. text: the
    operation. values: the numbers it worked on, by name.
    """

    sweep: str
    what: str
    line: int | None
    source: str
    text: str
    values: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        where = (
            f"line {self.line}{':' if self.source else ''} {self.source}".rstrip() + "\n  "
            if self.line is not None
            else ""
        )
        given = ", ".join(f"{name} = {number}" for name, number in self.values)
        return f"{where}{self.what} is born in the {self.sweep}: {self.text}{f', where {given}' if given else ''}"


@dataclass(frozen=True, slots=True)
class NanTrace:
    """`births`: the first in the value, and the first NaN where that is another; else the first in the gradient.

    reasons: what could not be followed, or what was there before. False where all is finite, and nothing hindered looking.
    """

    function: str
    births: tuple[Birth, ...]
    reasons: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.births or self.reasons)

    def __str__(self) -> str:
        return "\n".join([*map(str, self.births), *self.reasons]) or f"{self.function}: all numbers are finite"


@shown("trace_nan of {}")
def trace_nan(function: CFunction, wrt: Wrt, args: Sequence[Any], named: Mapping[str, Any]) -> NanTrace:
    """Raises what the call itself raises for its arguments."""
    given = _given(function, args, named)
    if given:
        return NanTrace(function.name, (), given)
    first, reasons = _in_value(function, args, named)
    if first:
        return NanTrace(function.name, first, reasons)
    second, more = _in_gradient(function, wrt, args, named)
    return NanTrace(function.name, second, (*reasons, *more))


def _given(function: CFunction, args: Sequence[Any], named: Mapping[str, Any]) -> tuple[str, ...]:
    """Arguments that are not finite to begin with."""
    from enzyme_magic.backend.runtime.values.arguments import parameter_names
    from enzyme_magic.backend.runtime.values.buffers import Buffer

    found = []
    values = function.arguments().convert(args, named)
    for name, value in zip(parameter_names(function.c_signature), values, strict=True):
        number = value.array if isinstance(value, Buffer) else value
        if number is not None and not _is_finite(number):
            found.append(f"{name} is not finite when the call begins")
    return tuple(found)


def _is_finite(value: Any) -> bool:
    """Whether all floating numbers in a value or array are."""
    import numpy as np

    array = np.asarray(value)
    if array.dtype.names is not None:
        return all(_is_finite(array[name]) for name in array.dtype.names)
    return array.dtype.kind not in "fc" or bool(np.isfinite(array).all())


def _in_value(
    function: CFunction, args: Sequence[Any], named: Mapping[str, Any]
) -> tuple[tuple[Birth, ...], tuple[str, ...]]:
    from enzyme_magic.api.checks import copies, watching
    from enzyme_magic.backend.tracing.record import NotDecided

    plain = copies.unoptimized(function)
    watched = plain[function.name]
    copies.give_state(function, plain)
    try:
        found, _ = watching.births_of(watched, watched.arguments().convert(args, named))
    except NotDecided as reason:
        return (), (f"the value was not followed: {reason}",)
    nans = [birth for birth in found if math.isnan(birth.number)]
    told = dict.fromkeys([*found[:1], *nans[:1]])
    return tuple(_told(watched, birth) for birth in told), ()


def _told(function: CFunction, birth: tracing.BirthPlace) -> Birth:
    from enzyme_magic.api.checks.watching import program_of
    from enzyme_magic.backend.ir.text.print_short import short

    span = program_of(function).module.span_of(birth.instruction)
    values = tuple((_name(value, k), f"{number:.6g}") for k, (value, number) in enumerate(birth.operands))
    line = span.line if span is not None else None
    source = (span.text or "").strip() if span is not None and _is_c(function) else ""
    return Birth(PRIMAL, f"{birth.number:g}", line, source, short(birth.instruction), values)


def _name(value: Any, place: int) -> str:
    return getattr(value, "name", "") or f"operand {place + 1}"


def _in_gradient(
    function: CFunction, wrt: Wrt, args: Sequence[Any], named: Mapping[str, Any]
) -> tuple[tuple[Birth, ...], tuple[str, ...]]:
    from enzyme_magic.api.checks.following import Follower

    try:
        if _gradient_is_finite(function, wrt, args, named):
            return (), ()
        trace = Follower(function, wrt).follow((tuple(args), named))
    except DifferentiationError as error:
        return (), (f"there is no gradient: {error.message}",)
    found = _first(trace)
    if found is None:
        why = trace.reason or "in a function that it calls, whose steps are not told"
        return (), (f"the gradient is not finite; where that begins was not seen: {why}",)
    step, what = found
    source = _source_of(function, step)
    before = [s for s in trace.steps if s.sweep == "forward" and s.subject == step.subject and s.subject is not None]
    values = [(f"the adjoint of {step.text}", step.value)] if step.value else []
    values += [(step.text, before[-1].value)] if before else []
    return (Birth(GRADIENT, what, step.line, source, f"the derivative of {step.text}", tuple(values)),), ()


def _gradient_is_finite(function: CFunction, wrt: Wrt, args: Sequence[Any], named: Mapping[str, Any]) -> bool:
    from enzyme_magic.api.derivatives.gradient_function import GradientFunction

    found = GradientFunction(function, wrt)(*args, **named)
    parts = found if isinstance(found, tuple) else (found,)
    return all(_is_finite(part) for part in parts if part is not None)


def _first(trace: Trace) -> tuple[TraceStep, str] | None:
    """The first step backwards whose contributions are not finite; or the adjoint, where a sum of finite ones is not."""
    for step in trace.steps:
        if step.sweep != "reverse":
            continue
        for number in (step.value, *(amount for _, _, amount in step.added)):
            if _is_wrong(number):
                return step, number
    return None


def _is_wrong(number: str) -> bool:
    try:
        return not math.isfinite(float(number))
    except ValueError:
        return False


def _source_of(function: CFunction, step: TraceStep) -> str:
    """The C line of a step, where it is known."""
    from enzyme_magic.api.checks.watching import instructions, program_of

    found = instructions(function).get(step.subject or "")
    span = program_of(function).module.span_of(found) if found is not None and _is_c(function) else None
    return (span.text or "").strip() if span is not None else ""


def _is_c(function: CFunction) -> bool:
    return function.program.options.language != "ir"

"""A call of a gradient followed step by step, for the pictures: actual values, adjoints, the tape.

`of_small_numbers` calls a function without being asked, and so only where the report says that this can do nothing else
(`Report.why_not_called`): at some numbers, at their opposites, and where all are zero, as far as the calls differ. `at` follows the
user's own call. The arguments are not modified. What cannot be followed is a trace that says why.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from enzyme_magic.api.checks.small_numbers import small_numbers
from enzyme_magic.api.derivatives.wrt import Wrt
from enzyme_magic.backend.frontend.c_types import is_float
from enzyme_magic.backend.runtime.calls.derivative import Given, Taken, derivative, one
from enzyme_magic.backend.runtime.calls.invoke import Code
from enzyme_magic.backend.runtime.values import buffers, purity
from enzyme_magic.backend.runtime.values.arguments import parameter_names
from enzyme_magic.errors import ArgumentError, EnzymeError
from enzyme_magic.report import Report, Trace

if TYPE_CHECKING:
    from enzyme_magic.api.derivatives.caching import CachingChoice
    from enzyme_magic.api.function import CFunction
    from enzyme_magic.backend.explain.calls.trace import Rehearsal

SHOWN = 8  # elements of an array
LONGEST_TEXT = 40  # characters
Arguments = tuple[tuple[Any, ...], Mapping[str, Any]]


class Follower:
    """Follows calls of one gradient; its code is made when it is first asked for."""

    def __init__(self, function: CFunction, wrt: Wrt = None, caching: CachingChoice = None) -> None:
        self.function = function
        self._choice = function.choose(wrt)
        self._caching = caching
        self._rehearsal: Rehearsal | None = None

    def follow(self, arguments: Arguments) -> Trace:
        """Raises what the call itself raises."""
        from enzyme_magic.backend.explain.calls.trace import Rehearsal

        function = self.function
        if not is_float(function.c_signature.result):
            return Trace(
                function.name, reason=f"{function.name} returns no number: only gradients of a number are followed"
            )
        args, named = arguments
        converter = function.arguments()
        values = converter.convert(args, named)
        if self._rehearsal is None:
            request = function.request_of(self._choice, value=True, seed="one", caching=self._caching)
            self._rehearsal = Rehearsal.of(function.program.compiled, request)  # type: ignore[arg-type]
        rehearsal = self._rehearsal
        code = Code(rehearsal.record.entry, rehearsal.address, function.c_signature, rehearsal.library)
        own = purity.working_copies(values, function.roles.written)
        rehearsal.watch.clear()
        taken = derivative(code)(own, Given(result=one(function.c_signature.result)))
        names = parameter_names(function.c_signature)
        kinds = [str(parameter.type) for parameter in function.c_signature.parameters]
        shown = [(name, _written(kind, _plain(value))) for name, kind, value in zip(names, kinds, values, strict=True)]
        sizes = [
            value.array.nbytes if isinstance(value, buffers.Buffer) and value.array is not None else None
            for value in own
        ]
        call = f"{function.name}({', '.join(text for _, text in shown)})"
        trace = rehearsal.trace(call, shown, sizes)
        return dataclasses.replace(trace, value=_short(taken.value), gradient=self._gradient(names, taken))

    def _gradient(self, names: Sequence[str], taken: Taken) -> tuple[tuple[str, str], ...]:
        found = []
        for index in self._choice.indices:
            held = taken.numbers[index] if index in taken.numbers else taken.memory[index].array
            found.append((names[index], _short(held)))
        return tuple(found)


def of_small_numbers(function: CFunction, wrt: Wrt, report: Report, caching: CachingChoice = None) -> Report:
    """`report` with the traces of calls at small numbers, where the function may be called so; else with the reason."""
    if report.mode != "reverse":
        return report
    if report.why_not_called != "":
        return dataclasses.replace(report, traces=(Trace(report.function, reason=_needs_arguments(report)),))
    points = [small_numbers(function, factor) for factor in (1.0, -1.0, 0.0)]
    try:
        follower = Follower(function, wrt, caching)
        found = [follower.follow((point, {})) for point in dict.fromkeys(points)]
    except EnzymeError as error:
        return dataclasses.replace(report, traces=(Trace(report.function, reason=error.message),))
    kinked = any(step.kink for trace in found for step in trace.steps)
    return dataclasses.replace(report, traces=tuple(found if kinked else found[:1]))


def _needs_arguments(report: Report) -> str:
    return f"{report.function} needs example arguments, from --at or at=(…): {report.why_not_called}"


def of_call(function: CFunction, wrt: Wrt, report: Report, arguments: Arguments | None) -> Report:
    """`report` with the trace of the user's call, or of calls at small numbers where none is given."""
    return of_small_numbers(function, wrt, report) if arguments is None else at(function, wrt, report, arguments)


def at(function: CFunction, wrt: Wrt, report: Report, arguments: Arguments, caching: CachingChoice = None) -> Report:
    """`report` with the trace of this call. Raises what the call itself raises."""
    if report.mode != "reverse":
        return report
    return dataclasses.replace(report, traces=(Follower(function, wrt, caching).follow(arguments),))


def moved(function: CFunction, report: Report, given: Arguments | None, point: Mapping[str, float]) -> Arguments:
    """The arguments of a call with some numbers changed by name; small numbers where none are given.

    ArgumentError EM331 where nothing was given and the function may not be called so.
    """
    if given is None and report.why_not_called != "":
        raise ArgumentError(_needs_arguments(report), code="EM331", hint="f.inspect(at=(…)) or --at")
    args, named = given or (small_numbers(function, 1.0), {})
    converter = function.arguments()
    short = [name for name in converter.names if name not in converter.inferable]
    names = (
        short if len(args) == len(short) else converter.names
    )  # sizes that follow from arrays may have been left out
    position = {name: k for k, name in enumerate(names[: len(args)])}
    values, others = list(args), dict(named)
    for name, number in point.items():
        if name in position:
            values[position[name]] = number
        else:
            others[name] = number
    return tuple(values), others


def _plain(value: Any) -> Any:
    return value.array if isinstance(value, buffers.Buffer) else value


def _written(kind: str, value: Any) -> str:
    """An argument as people read it; kind: its C type. Characters are a text, as far as C reads it."""
    if re.fullmatch(r"(const )?char ?\*", kind) and getattr(value, "itemsize", 0) == 1:
        text = bytes(value).split(b"\0")[0].decode("latin-1")
        return json.dumps(text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 1]}…", ensure_ascii=False)
    return _short(value)


def _short(value: Any) -> str:
    """A number or an array as people read it."""
    if value is None:
        return "NULL"
    if isinstance(value, float) or (hasattr(value, "dtype") and value.shape == () and value.dtype.kind == "f"):
        return f"{float(value):.6g}"
    if not hasattr(value, "shape") or value.shape == ():
        return str(value)
    flat = value.reshape(-1)
    numbers = (
        [f"{number:.6g}" for number in flat[:SHOWN].tolist()]
        if flat.dtype.kind in "fiu"
        else list(map(str, flat[:SHOWN]))
    )
    return f"[{', '.join(numbers)}{', …' if flat.size > SHOWN else ''}]"

"""One call of a C function, watched: `f.activity(at=…)`, and the third opinion of `check_grads`.

The call is executed by `backend/tracing` on copies, apart from the program: nothing of the caller or of the program changes,
nothing is printed. What it cannot follow is `Watched.reason`, never a guess.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from enzyme_magic.api.derivatives.wrt import Wrt
from enzyme_magic.backend.autodiff.calls.request import Request
from enzyme_magic.backend.ir.instructions import Call, Instruction
from enzyme_magic.backend.ir.names import Names
from enzyme_magic.backend.ir.text.print_short import short
from enzyme_magic.backend.ir.types import PointerType, VoidType
from enzyme_magic.backend.runtime.values import buffers
from enzyme_magic.backend.tracing.births import BirthPlace, births
from enzyme_magic.backend.tracing.machine import Machine
from enzyme_magic.backend.tracing.record import NotDecided, WatchedRun
from enzyme_magic.backend.tracing.watched import STEPS, WatchedArray, watch
from enzyme_magic.errors import InternalError
from enzyme_magic.progress import shown
from enzyme_magic.report import Report, Watched, WatchedRow

if TYPE_CHECKING:
    from enzyme_magic.api.function import CFunction
    from enzyme_magic.backend.pipeline import CompiledProgram


ANOTHER_FORM = "its derivative passes values in memory that the program passes in registers"
PAGE_STEPS = 100_000  # instructions of a call that a page watches by the way: half a second


def of_call(
    function: CFunction, wrt: Wrt, report: Report, arguments: tuple[Sequence[Any], Mapping[str, Any]] | None
) -> Report:
    """`report` with what carried a derivative in this call, where there is a call that can be watched within `PAGE_STEPS`."""
    if arguments is None:
        return report
    found = watched(function, report, wrt, *arguments, steps=PAGE_STEPS)
    return report if found.reason else dataclasses.replace(report, watched=found)


@shown("watching {}")
def watched(
    function: CFunction,
    report: Report,
    wrt: Wrt,
    args: Sequence[Any],
    named: Mapping[str, Any],
    steps: int | None = None,
) -> Watched:
    """What carried a derivative in this call. Raises what the call itself raises for its arguments.

    InternalError EM915 where an instruction carried one that the analysis calls inactive: then the analysis is wrong.
    """
    values = function.arguments().convert(args, named)
    chosen = function.choose(wrt).indices
    if _is_of_another_form(function, report):
        return Watched(function.name, reason=ANOTHER_FORM)
    try:
        run = run_of(function, values, dict.fromkeys(chosen), function.request(wrt, mode=report.mode).outputs, steps)
    except NotDecided as reason:
        return Watched(function.name, reason=str(reason))
    rows = _rows(function, report, run)
    _judge(function, report, rows)
    lost = tuple((name, how, count) for (i, how), count in run.lost.items() if (name := _names(function).get(i)))
    return Watched(function.name, rows, lost)


def run_of(
    function: CFunction,
    values: Sequence[Any],
    directions: Mapping[int, Sequence[float] | None],
    outputs: Sequence[int] = (),
    steps: int | None = None,
    make: Callable[..., Machine] = Machine,
) -> WatchedRun:
    """The watched call with converted arguments. directions: of each active parameter's numbers, None for all ones. make: what
    runs it. NotDecided."""
    compiled = program_of(function)
    if compiled.module.analyses.custom.inactive_globals or own_derivatives(function):
        raise NotDecided("the program brings derivatives of its own")
    placed = _placed(function, values)
    active = {k: _direction(placed[k], direction) for k, direction in directions.items()}
    most = STEPS if steps is None else steps
    return watch(compiled.module.module, function.name, placed, active, _state_of(function), outputs, most, make)


def births_of(function: CFunction, values: Sequence[Any]) -> tuple[tuple[BirthPlace, ...], float | None]:
    """What is born in the call with converted arguments that is not finite, and reaches an output; and the result. NotDecided."""
    placed = _placed(function, values)
    arrays = [k for k, value in enumerate(placed) if isinstance(value, WatchedArray)]
    return births(program_of(function).module.module, function.name, placed, _state_of(function), arrays)


def _placed(function: CFunction, values: Sequence[Any]) -> list[float | WatchedArray | None]:
    if program_of(function).primal(function.name).uniform:
        raise NotDecided("the parameters are passed in another form than C writes them")
    return [_argument(value) for value in values]


def own_derivatives(function: CFunction) -> frozenset[str]:
    """The functions that it may call and for which the program itself says what their derivative is, or that they have none."""
    module = program_of(function).module
    said = module.analyses.custom.opaque
    if not said:
        return frozenset()
    found = module.analyses.effects.callgraph.reachable(module.module.functions[function.name])
    return frozenset(callee.name for callee in found if callee.name in said)


def program_of(function: CFunction) -> CompiledProgram:
    """The compiler's program of a function, as its derivatives and its report are made from it."""
    compiled = cast("CompiledProgram", function.program.compiled)
    separate = compiled.primal(function.name).separable
    return compiled.told(Request(function.name, separate=separate))


def _argument(value: Any) -> float | WatchedArray | None:
    if not isinstance(value, buffers.Buffer):
        if isinstance(value, (bool, int, float)):
            return value
        raise NotDecided(f"an argument of the kind {type(value).__name__} is not followed")
    if value.array is None:
        return None
    return WatchedArray(value.array.tobytes(), tuple(_numbers(value.array.dtype, value.array.size)))


def _numbers(dtype: Any, count: int) -> list[tuple[int, int]]:
    """(offset, size) of the floating numbers in `count` elements."""
    inside = _floats(dtype, 0)
    return [(k * dtype.itemsize + offset, size) for k in range(count) for offset, size in inside]


def _floats(dtype: Any, at: int) -> list[tuple[int, int]]:
    if dtype.subdtype is not None:
        element, shape = dtype.subdtype
        count = 1
        for extent in shape:
            count *= extent
        return [part for k in range(count) for part in _floats(element, at + k * element.itemsize)]
    if dtype.names is not None:
        return [part for name in dtype.names for part in _floats(dtype.fields[name][0], at + dtype.fields[name][1])]
    if dtype.kind == "c":
        half = dtype.itemsize // 2
        return [(at, half), (at + half, half)]
    return [(at, dtype.itemsize)] if dtype.kind == "f" else []


def _direction(argument: float | WatchedArray | None, direction: Sequence[float] | None) -> Sequence[float]:
    count = len(argument.numbers) if isinstance(argument, WatchedArray) else 1
    return [1.0] * count if direction is None else direction


def _state_of(function: CFunction) -> Callable[[str], int | None]:
    """Where a variable of the program lies now."""
    if function.program.options.isolate:
        return _elsewhere
    return program_of(function).library.find


def _elsewhere(variable: str) -> int | None:
    raise NotDecided("the program is isolated: its variables are in the worker process")


def instructions(function: CFunction) -> dict[str, Instruction]:
    """The function's own, by the identifiers of its report."""
    return {name: instruction for instruction, name in _names(function).items()}


def _is_of_another_form(function: CFunction, report: Report) -> bool:
    """Whether the report speaks of instructions that the watched program does not have."""
    own = instructions(function)
    names = Names(program_of(function).module.module.functions[function.name])
    rows = report.activity.rows()
    return any(row.identifier not in own or short(own[row.identifier], names) != row.text for row in rows)


def _names(function: CFunction) -> dict[Any, str]:
    own = program_of(function).module.module.functions[function.name]
    return {instruction: f"i{k}" for k, instruction in enumerate(own.instructions())}


def _rows(function: CFunction, report: Report, run: WatchedRun) -> tuple[WatchedRow, ...]:
    """Without addresses, which carry no number, and without calls that may have moved numbers in memory alone."""
    known = {row.identifier for row in report.activity.rows()}
    return tuple(
        WatchedRow(name, run.executed[i], run.varied[i], run.carried[i])
        for i, name in _names(function).items()
        if name in known and not isinstance(i.type.scalar, PointerType) and not _moves_unseen(i, run)
    )


def _moves_unseen(instruction: Instruction, run: WatchedRun) -> bool:
    """Whether a call may have carried derivatives though its own result carried none: through memory that it was given."""
    if not isinstance(instruction, Call) or not run.executed[instruction] or run.carried[instruction]:
        return False
    reached = any(isinstance(argument.type.scalar, PointerType) for argument in instruction.arguments)
    return reached or isinstance(instruction.type, VoidType)


def _judge(function: CFunction, report: Report, rows: Sequence[WatchedRow]) -> None:
    """The analysis may say active where nothing was carried; never the reverse."""
    found = {row.identifier: row for row in report.activity.rows()}
    for row in rows:
        said = found[row.identifier]
        if row.carried and not said.verdict.active:
            where = f" (line {said.line})" if said.line is not None else ""
            raise InternalError(
                f"{function.name}: {said.text}{where} carried a derivative in this call, and the analysis calls it inactive",
                code="EM915",
                hint="please report this with the C text and the arguments: the gradient may lack a part",
            )

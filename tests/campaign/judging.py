"""One program judged at every level in both modes: an outcome for each (seed, opt, mode).

Each mode is compared with differences of the primal, and forward mode with reverse mode. Where differences do not settle, other
points are tried. Where a mode and settled differences disagree, the watched run is asked, which shares no code with the engine's
analyses: it says "wrong", or that the point lies at a kink. A refusal is no failure; it is counted by its code and the idiom of its
C line.
"""

from __future__ import annotations

import math
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from enzyme_magic.backend.analysis.derivatives.cache_plan import MINIMUM_CUT, STORE_ALL, Caching
from enzyme_magic.backend.autodiff.calls.request import Request
from enzyme_magic.backend.pipeline import CompiledProgram
from enzyme_magic.backend.tracing.record import NotDecided
from enzyme_magic.backend.tracing.watched import WatchedArray, watch
from enzyme_magic.errors import DifferentiationError, EnzymeError
from tests.autodiff.differences import Estimate
from tests.autodiff.random_checks import ATTEMPTS
from tests.autodiff.runs import Point, differences, leaves, moved, point_of, run_forward, run_primal, run_reverse
from tests.autodiff.syntax import Program

from .points import without_ties
from .programs import idiom_at

RIGHT, REFUSED, WRONG, CRASH, KINK = "right", "refused", "wrong", "crash", "kink-skipped"
LEVELS = (0, 1, 2, 3)
REVERSE, FORWARD = "reverse", "forward"
MODES = (REVERSE, FORWARD)
REFUSED_BY_RUN = "EM409"  # only the call could tell what bytes hold
UNITS = {"double": 2.0**-52, "long double": 2.0**-52, "float": 2.0**-23}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a seed at one level in one mode. `code` and `place` (the idiom of the C line) of a refusal."""

    seed: int
    opt: int
    mode: str
    status: str
    code: str = ""
    place: str = ""
    message: str = ""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Way:
    """How a program is differentiated beside its level: the cache plan and the optimization after AD."""

    cut: bool = True
    post_opt: int = 0


@dataclass(frozen=True, slots=True)
class Judged:
    """A program at a point: J and its differences, one for each number."""

    program: Program
    point: Point
    value: float
    estimates: Sequence[Estimate]
    loose: bool  # some arithmetic is in float

    @property
    def scale(self) -> float:
        return max((abs(e.value) for e in self.estimates if math.isfinite(e.value)), default=0.0)

    @property
    def settled(self) -> bool:
        limit = (5e-2 if self.loose else 1e-6) * max(self.scale, 1e-3)
        return all(e.error <= limit for e in self.estimates)

    def gap(self, got: float, direction: Sequence[float]) -> float:
        """How far a derivative along a direction is from the differences, in units of what is allowed."""
        parts = list(zip(direction, self.estimates, strict=True))
        want = math.fsum(d * e.value for d, e in parts if d)
        size = math.fsum(abs(d * e.value) for d, e in parts if d)
        error = math.fsum(abs(d) * e.error for d, e in parts if d)
        part = 2e-2 * (size + self.scale) if self.loose else 1e-6 * (size + 0.02 * self.scale)
        distance = abs(got - want)
        return distance / (part + 20 * error + 1e-10) if math.isfinite(distance) else math.inf

    def apart(self, forward: float, gradient: Sequence[float], direction: Sequence[float]) -> bool:
        """Whether forward and reverse mode disagree along a direction."""
        parts = [d * g for d, g in zip(direction, gradient, strict=True) if d]
        size = math.fsum(map(abs, parts)) + 1e-3 * self.scale
        return not abs(forward - math.fsum(parts)) <= (1e-3 if self.loose else 1e-8) * size + 1e-12


class _NotFinite(Exception):
    """The program overflows at a point: another one is tried."""


def judge(
    program: Program, source: str, compiled: dict[int, CompiledProgram], way: Way, todo: Sequence[tuple[int, str]]
) -> Iterator[Outcome | tuple[int, str]]:
    """Judge each (opt, mode) of `todo`: first (opt, mode) itself, when its work begins, then its outcome."""
    points: dict[int, Judged] = {}
    refused: set[int] = set()  # levels at which reverse mode is known to be: forward mode has nothing beside it there
    for opt, mode in todo:
        yield opt, mode
        beside = mode == FORWARD and opt not in refused
        found = _outcome(program, source, compiled[opt], way, Outcome(program.seed, opt, mode, RIGHT), points, beside)
        if mode == REVERSE and found.status == REFUSED:
            refused.add(opt)
        yield found


def _outcome(
    program: Program,
    source: str,
    compiled: CompiledProgram,
    way: Way,
    blank: Outcome,
    points: dict[int, Judged],
    beside: bool,
) -> Outcome:
    """`blank` with its status. beside: forward mode is compared with reverse mode, where that has an answer."""
    message, mode = "", blank.mode
    for attempt in range(ATTEMPTS):
        try:
            judged = points.get(attempt)
            if judged is None:
                judged = points[attempt] = _judged(program, compiled, attempt)
            _same_value(judged, compiled)
            found = _gap(judged, compiled, way, mode, beside)
        except _NotFinite as error:
            message = str(error)
            continue
        except EnzymeError as error:
            return _refusal(blank, source, error)
        except AssertionError as error:
            return replace(blank, status=WRONG, message=str(error)[:1000])
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            return replace(blank, status=CRASH, code=type(error).__name__, message=f"{last.name}: {error}"[:1000])
        if found is None:
            return blank
        if judged.settled:
            verdict = _third(judged, compiled, way, mode)
            if verdict is not None:
                return replace(blank, status=WRONG, message=f"{found}; {verdict}")
        message = found
    return replace(blank, status=KINK, message=message)


def _refusal(blank: Outcome, source: str, error: EnzymeError) -> Outcome:
    if not isinstance(error, DifferentiationError) and error.code != REFUSED_BY_RUN:
        return replace(blank, status=CRASH, code=error.code or "", message=str(error)[:1000])
    place = idiom_at(source, error.line)
    return replace(blank, status=REFUSED, code=error.code or "", place=place, message=error.message[:300])


def _judged(program: Program, compiled: CompiledProgram, attempt: int) -> Judged:
    at = without_ties(program, attempt)
    point = point_of(compiled.signatures[program.name], compiled.primal(program.name).written, at, None)
    value, memory = run_primal(compiled, program.name, point)
    memory.check("primal")
    if not math.isfinite(value):
        raise _NotFinite(f"the program's value is {value}")
    text = program.text()
    loose = program.real == "float" or "float" in text or "_ps(" in text  # lanes that are rounded to float
    unit = UNITS["float" if loose else program.real]
    return Judged(program, point, value, differences(compiled, program.name, point, unit), loose)


def _same_value(judged: Judged, compiled: CompiledProgram) -> None:
    """The program means the same at every level."""
    value, memory = run_primal(compiled, judged.program.name, judged.point)
    memory.check("primal")
    if not abs(value - judged.value) <= (1e-3 if judged.loose else 1e-9) * max(1.0, abs(value)):
        raise AssertionError(f"the value is {value!r}, at another level {judged.value!r}")


def _gap(judged: Judged, compiled: CompiledProgram, way: Way, mode: str, beside: bool) -> str | None:
    """None where the mode agrees with differences; else a sentence."""
    count = len(leaves(judged.point))
    if mode == REVERSE:
        gradient = run_reverse(compiled, _request(judged, way), judged.point).gradient
        gaps = [(judged.gap(g, _axis(count, k)), k) for k, g in enumerate(gradient)]
        worst, k = max(gaps)
        return None if worst <= 1 else f"number {k}: {gradient[k]!r}, differences {judged.estimates[k].value!r}"
    random = np.random.default_rng(judged.program.seed)
    directions = [random.uniform(-1, 1, count) for _ in range(2)]
    directions += [np.array(_axis(count, k)) for k in range(count if count <= 4 else 0)]
    gradient = _reverse_if_any(judged, compiled, way) if beside else None
    for direction in directions:
        got = run_forward(compiled, judged.program.name, judged.point, list(direction))
        if gradient is not None and judged.apart(got, gradient, direction):
            raise AssertionError(f"along {list(direction)}: forward mode {got!r}, the gradient {list(gradient)}")
        if judged.gap(got, direction) > 1:
            want = math.fsum(d * e.value for d, e in zip(direction, judged.estimates, strict=True))
            return f"along {[round(float(d), 3) for d in direction]}: {got!r}, differences {want!r}"
    return None


def _reverse_if_any(judged: Judged, compiled: CompiledProgram, way: Way) -> Sequence[float] | None:
    try:
        return run_reverse(compiled, _request(judged, way), judged.point).gradient
    except EnzymeError:
        return None  # told as the outcome of reverse mode


def _request(judged: Judged, way: Way) -> Request:
    return Request(
        judged.program.name,
        wrt=judged.point.wrt,
        seed="one" if way.cut else "argument",
        outputs=tuple(judged.point.seeds),
        caching=Caching(MINIMUM_CUT if way.cut else STORE_ALL),
    )


def _axis(count: int, place: int) -> list[float]:
    return [1.0 if k == place else 0.0 for k in range(count)]


# The third opinion


def _third(judged: Judged, compiled: CompiledProgram, way: Way, mode: str) -> str | None:
    """None where the watched run clears the mode (a kink, or differences that are wrong); else what speaks against it."""
    alone = replace(judged.point, seeds={})  # the watched run gives the tangent of the result
    if not alone.weight:
        return "the watched run knows results only"
    count = len(leaves(alone))
    direction = list(np.random.default_rng(1).uniform(0.5, 1, count))
    try:
        here = _watched(judged, compiled, alone, direction)
        sides = [_watched(judged, compiled, _along(alone, direction, step), direction) for step in (-1e-6, 1e-6)]
    except NotDecided as reason:
        return f"the watched run does not decide ({reason})"
    if sides[0].decisions != sides[1].decisions:
        return None
    if mode == REVERSE:
        gradient = run_reverse(compiled, _request(replace(judged, point=alone), way), alone).gradient
        ours = math.fsum(d * g for d, g in zip(direction, gradient, strict=True))
    else:
        ours = run_forward(compiled, judged.program.name, alone, direction)
    if here.tangent is None:
        return "the watched run does not follow the tangent"
    if abs(ours - here.tangent) <= (1e-3 if judged.loose else 1e-7) * max(abs(ours), abs(here.tangent), 1e-6):
        return None if not judged.point.seeds else "the watched run agrees for the result; the arrays it does not know"
    return f"the watched run gives {here.tangent!r}, {mode} mode {ours!r}"


def _along(point: Point, direction: Sequence[float], step: float) -> Point:
    for (parameter, place), part in zip(leaves(point), direction, strict=True):
        point = moved(point, parameter, place, step * part)
    return point


def _watched(judged: Judged, compiled: CompiledProgram, point: Point, direction: Sequence[float]) -> Any:
    placed = [_placed(argument) for argument in point.arguments]
    active: dict[int, list[float]] = {}
    for (parameter, _), part in zip(leaves(point), direction, strict=True):
        active.setdefault(parameter, []).append(float(part))
    name, module = judged.program.name, compiled.module.module
    return watch(module, name, placed, active, compiled.library.find, (), 200_000)


def _placed(argument: Any) -> float | WatchedArray:
    if not isinstance(argument, np.ndarray):
        return float(argument) if not isinstance(argument, (int, np.integer)) else int(argument)
    if argument.dtype == np.longdouble:
        raise NotDecided("long doubles in arrays are not followed")
    size = argument.dtype.itemsize
    numbers = [(k * size, size) for k in range(argument.size)] if argument.dtype.kind == "f" else []
    return WatchedArray(argument.tobytes(), tuple(numbers))

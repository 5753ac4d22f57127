"""One call that checks a derivative: `check(source, "f", [x, n])`.

The function is compiled at several optimization levels and differentiated in reverse mode, with the min-cut plan and at one of the
levels with the conservative one, and in forward mode; every night at all levels with both (`tests/sampling.py`). For every active
parameter and element reverse is compared with differences of the primal, with the other levels and plans, and with forward mode;
the value that comes with a gradient and J at the other levels with the primal's.

A refusal (DifferentiationError) fails a check. `refused` asserts one: with code, C line and hint, at every level.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from enzyme_magic.backend import pipeline
from enzyme_magic.backend.analysis.derivatives.cache_plan import MINIMUM_CUT, STORE_ALL, Caching
from enzyme_magic.backend.autodiff.calls.request import Request
from enzyme_magic.backend.frontend.c_types import Pointer, Scalar
from enzyme_magic.errors import DifferentiationError
from tests import sampling

from .differences import Estimate
from .runs import (
    Point,
    Run,
    differences,
    has_forward_mode,
    leaves,
    point_of,
    program,
    run_forward,
    run_primal,
    run_reverse,
)

LEVELS = sampling.LEVELS
CUTS = (True, False)
_UNITS = {2: 2.0**-10, 4: 2.0**-23}


class Inconclusive(AssertionError):
    """The differences do not settle: the point is no smooth one, or too close to a branch."""


class Wrong(AssertionError):
    """A derivative that is not the derivative."""


@dataclass(frozen=True, slots=True)
class Tolerance:
    """against_differences, between: relative to the largest derivative of the same parameter, and to the value itself."""

    against_differences: float
    between: float


DOUBLE, SINGLE = Tolerance(1e-7, 1e-9), Tolerance(2e-3, 2e-4)


def check(
    source: str,
    function: str,
    arguments: Sequence[Any],
    wrt: Sequence[int] | None = None,
    *,
    levels: Sequence[int] | None = None,
    cuts: Sequence[bool] | None = None,
    expected: Sequence[float] | None = None,
    exact: bool = False,
    single: bool = False,
    post_opt: int | None = None,
    seed: int = 1,
) -> tuple[float, ...]:
    """Check the gradient of `function` at `arguments` and return it.

    expected: the gradient itself, for points where differences mean nothing (guards, ties). exact: all levels and plans must give
    the same numbers (equal, or both NaN). single: some arithmetic inside is in float, whatever the parameters are.
    levels, cuts: every one of those named with each other; what is left out is chosen.
    """
    ways = _ways(source, function, levels, cuts)
    levels = tuple(dict.fromkeys(level for level, _ in ways))
    primal = program(source, levels[0], post_opt)
    signature = primal.signatures[function]
    point = point_of(signature, primal.primal(function).written, arguments, wrt)
    unit = 2.0**-23 if single else _unit(signature, point)
    tolerance = DOUBLE if unit < 1e-12 else SINGLE
    value, memory = run_primal(primal, function, point)
    _unwritten(point, memory, function)
    runs = {}
    for level in levels:
        compiled = program(source, level, post_opt)
        _close(
            [run_primal(compiled, function, point)[0]], [value], 1e-12 if unit < 1e-12 else 1e-5, f"J at opt={level}"
        )
        for cut in (cut for at, cut in ways if at == level):
            where = f"{function}, opt={level}, {'min-cut' if cut else 'conservative'}"
            runs[where] = _reverse(compiled, function, point, cut, value, where)
    first = next(iter(runs))
    for where, run in runs.items():
        limit = 0.0 if exact else tolerance.between
        _close(run.gradient, runs[first].gradient, limit, f"{where} against {first}")
    reference = runs[first].gradient
    if has_forward_mode():
        for level in levels:
            where = f"{function}, opt={level}"
            _against_forward(program(source, level, post_opt), function, point, reference, seed, tolerance, where)
    if expected is not None:
        _close(reference, expected, 0.0 if exact else tolerance.between, f"{first} against what is expected")
    else:
        _against_differences(differences(primal, function, point, unit), reference, tolerance, first)
    return reference


def _ways(
    source: str, function: str, levels: Sequence[int] | None, cuts: Sequence[bool] | None
) -> list[tuple[int, bool]]:
    """Levels and plans. Left out, the conservative plan is tried at one level, another for another function."""
    chosen = sampling.levels(source) if levels is None else tuple(levels)
    if cuts is not None or sampling.everything():
        return [(level, cut) for level in chosen for cut in cuts or CUTS]
    conservative = chosen[zlib.crc32(function.encode()) % len(chosen)]
    return [(level, cut) for level in chosen for cut in CUTS if cut or level == conservative]


def _unit(signature: Any, point: Point) -> float:
    """The rounding unit of the least precise type that takes part."""
    types = [signature.parameters[k].type for k in (*point.wrt, *point.seeds)] + [signature.result]
    sizes = []
    for type_ in types:
        inner = type_.to if isinstance(type_, Pointer) else type_
        if isinstance(inner, Scalar) and inner.kind == "float":
            sizes.append(inner.size)
    return max((_UNITS.get(size, 2.0**-52) for size in sizes), default=2.0**-52)


def _unwritten(point: Point, memory: Any, function: str) -> None:
    """What the effects analysis calls unwritten must be so: J counts only written memory."""
    for k, guarded in memory.primal.items():
        before = np.ascontiguousarray(point.arguments[k])
        changed = guarded.array.tobytes() != before.tobytes()
        if changed and k not in point.seeds and k in point.wrt:
            raise AssertionError(f"{function} writes parameter {k}, and the effects analysis says it does not")
    memory.check(f"primal {function}")


def _reverse(
    compiled: pipeline.CompiledProgram, function: str, point: Point, cut: bool, value: float, where: str
) -> Run:
    with_value = cut and bool(point.weight)
    request = Request(
        function,
        wrt=point.wrt,
        value=with_value,
        seed="one" if cut else "argument",
        outputs=tuple(point.seeds),
        caching=Caching(MINIMUM_CUT if cut else STORE_ALL),
    )
    run = run_reverse(compiled, request, point)
    if with_value:
        _close([run.value], [value], 1e-5, f"{where}: the value")
    return run


def _same(a: float, b: float) -> bool:
    return a == b or (math.isnan(a) and math.isnan(b))


def _close(got: Sequence[float], want: Sequence[float], tolerance: float, what: str) -> None:
    """Every number close to its counterpart, relative to the larger of it and a part of the largest."""
    assert len(got) == len(want), f"{what}: {len(got)} numbers, expected {len(want)}"
    scale = max((abs(x) for x in want if math.isfinite(x)), default=0.0)
    for k, (a, b) in enumerate(zip(got, want, strict=True)):
        if _same(a, b):
            continue
        if not abs(a - b) <= tolerance * max(abs(b), scale):
            raise Wrong(f"{what}: element {k} is {a!r}, expected {b!r}\n got {list(got)}\nwant {list(want)}")


def _against_differences(
    estimates: Sequence[Estimate], gradient: Sequence[float], tolerance: Tolerance, where: str
) -> None:
    scale = max((abs(e.value) for e in estimates if math.isfinite(e.value)), default=0.0)
    assert len(estimates) == len(gradient), f"{where}: {len(gradient)} derivatives, expected {len(estimates)}"
    settled = [e.error <= 10 * tolerance.against_differences * max(scale, 1e-3) for e in estimates]
    wanted = [e.value for e in estimates]
    for k, (estimate, got) in enumerate(zip(estimates, gradient, strict=True)):
        if not settled[k]:
            raise Inconclusive(
                f"{where}: the differences for element {k} do not settle ({estimate}, reverse gives {got})"
            )
        relative = tolerance.against_differences * (abs(estimate.value) + 0.01 * scale)
        allowed = relative + 20 * estimate.error + 1e-12
        if not abs(got - estimate.value) <= allowed:
            raise Wrong(
                f"{where}: derivative {k} is {got!r}, differences give {estimate.value!r} ± {estimate.error:.1e}\n"
                f" got {list(gradient)}\nwant {wanted}"
            )


def _against_forward(
    compiled: pipeline.CompiledProgram,
    function: str,
    point: Point,
    gradient: Sequence[float],
    seed: int,
    tolerance: Tolerance,
    where: str,
) -> None:
    """Forward mode along every axis (few parameters) and along two random directions."""
    count = len(leaves(point))
    random = np.random.default_rng(seed)
    largest = max((abs(g) for g in gradient if math.isfinite(g)), default=0.0)
    directions = [random.uniform(-1, 1, count) for _ in range(2)]
    directions += [np.eye(count)[k] for k in range(count)] if count <= 6 else []
    for direction in directions:
        if not np.isfinite(gradient).all() and np.count_nonzero(direction) > 1:
            continue
        got = run_forward(compiled, function, point, list(direction))
        want = math.fsum(d * g for d, g in zip(direction, gradient, strict=True) if d)
        size = math.fsum(abs(d * g) for d, g in zip(direction, gradient, strict=True) if d)
        allowed = tolerance.between * (10 * size + 1e-3 * largest)
        if not (_same(got, want) or abs(got - want) <= allowed):
            raise Wrong(f"{where}: forward mode gives {got!r}, reverse {want!r} along {list(direction)}")


def refused(
    source: str,
    function: str,
    wrt: Sequence[int],
    *,
    line: int | None = None,
    outputs: Sequence[int] = (),
    levels: Sequence[int] | None = None,
) -> DifferentiationError:
    """Assert a clean refusal at these levels (left out: some, every night all): DifferentiationError with code, hint and C line.
    Returns the last."""
    error: DifferentiationError | None = None
    for level in sampling.levels(source) if levels is None else levels:
        compiled = program(source, level)
        try:
            compiled.derivative(Request(function, wrt=tuple(wrt), outputs=tuple(outputs)))
        except DifferentiationError as raised:
            error = raised
        else:
            raise AssertionError(f"{function} is differentiated at opt={level}")
        assert error.code.startswith("EM2"), error.code
        assert error.hint, f"no hint: {error}"
        assert error.line is not None, f"no line: {error}"
        assert line is None or error.line == line, f"line {error.line}, expected {line}: {error}"
    assert error is not None
    return error


def checked_or_refused(source: str, function: str, arguments: Sequence[Any], level: int) -> DifferentiationError | None:
    """`check` at one level; the refusal, if it is refused."""
    try:
        check(source, function, arguments, levels=(level,))
    except DifferentiationError as error:
        return error
    return None

"""Primals and derivatives of C functions, called at a point: programs from the pipeline, native calls through their entries.

What is differentiated is J = weight·result + Σ seed·(memory after the call). Every call gets fresh guarded copies of its arrays
and shadows, and checks the guard zones; a reverse call must leave the tape empty.
"""

from __future__ import annotations

import atexit
import dataclasses
import math
import os
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from enzyme_magic.backend import pipeline
from enzyme_magic.backend.autodiff.calls.request import Request
from enzyme_magic.backend.frontend.c_types import Array, CType, Pointer, Scalar, Signature, Struct
from enzyme_magic.backend.frontend.sources import Source
from enzyme_magic.backend.native import Entry
from enzyme_magic.backend.runtime import arena
from enzyme_magic.backend.runtime.calls.invoke import invoker
from enzyme_magic.config import Options, Settings, read_settings
from enzyme_magic.errors import DifferentiationError
from tests import sampling

from .buffers import Guarded, float_values, float_views
from .differences import Estimate, derivative


@dataclass(frozen=True, slots=True)
class Run:
    """What one derivative gave: J, and dJ for every float of every parameter in wrt, in order."""

    value: float
    gradient: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Point:
    """Where a function is checked. `arguments`: numbers and arrays in C order; `seeds[k]`: weight of the memory of parameter k
    after the call; `weight`: of the result (0 for a function without a floating result)."""

    arguments: tuple[Any, ...]
    wrt: tuple[int, ...]
    seeds: dict[int, np.ndarray] = field(hash=False)
    weight: float = 1.0


def source(name: str) -> str:
    """The text of a C file beside the tests."""
    return (Path(__file__).parent / "sources" / name).read_text(encoding="utf-8")


@cache
def settings() -> Settings:
    """A cache folder of this process (or the test run's), no artifacts."""
    env = dict(os.environ)
    if "ENZYME_MAGIC_CACHE_DIR" not in env:
        env["ENZYME_MAGIC_CACHE_DIR"] = tempfile.mkdtemp(prefix="enzyme_magic-check-")
        atexit.register(shutil.rmtree, env["ENZYME_MAGIC_CACHE_DIR"], ignore_errors=True)
    read = read_settings(env)
    return dataclasses.replace(read, cache_dir=Path(env["ENZYME_MAGIC_CACHE_DIR"]), artifacts=False)


@cache
def program(source: str, opt: int, post_opt: int | None = None) -> pipeline.CompiledProgram:
    """The source compiled at one level; once per process. post_opt left out: what is optimized before is optimized after; every
    night all is."""
    options = Options(opt=opt, post_opt=sampling.after_level(opt) if post_opt is None else post_opt)
    return pipeline.compile_program([Source(source, "test.c")], options, settings(), "test.c")


@cache
def has_forward_mode() -> bool:
    """Whether the engine knows Request(mode="forward")."""
    known = program("double f(double x) { return x*x; }", 2)
    try:
        made = known.derivative(Request("f", mode="forward", wrt=(0,)))
    except DifferentiationError:
        return False
    return any(slot.kind == "tangent" for slot in made.entry.slots)


def carries_float(type_: CType) -> bool:
    """Whether memory of this type may hold floating numbers."""
    if isinstance(type_, Scalar):
        return type_.kind in ("float", "complex")
    if isinstance(type_, Array):
        return carries_float(type_.element)
    return isinstance(type_, Struct) and any(carries_float(f.type) for f in type_.fields)


def is_float(type_: CType) -> bool:
    return isinstance(type_, Scalar) and type_.kind == "float"


def point_of(
    signature: Signature, written: Iterable[int], arguments: Sequence[Any], wrt: Sequence[int] | None
) -> Point:
    """The usual point: with respect to every floating parameter, seeds different for every element written."""
    pointers = {
        k for k, p in enumerate(signature.parameters) if isinstance(p.type, Pointer) and carries_float(p.type.to)
    }
    scalars = {k for k, p in enumerate(signature.parameters) if is_float(p.type)}
    chosen = tuple(sorted(pointers | scalars)) if wrt is None else tuple(wrt)
    seeds = {}
    for k in sorted(pointers & set(written)):
        count = float_values(arguments[k]).size
        seeds[k] = 1.0 + 0.5 * np.cos(1.0 + np.arange(count) + k)
    return Point(tuple(arguments), chosen, seeds, 1.0 if is_float(signature.result) else 0.0)


class Memory:
    """Guarded copies of a point's arrays, and shadows of the same shape."""

    def __init__(self, point: Point) -> None:
        self.primal = {k: Guarded(a) for k, a in enumerate(point.arguments) if isinstance(a, np.ndarray)}
        self.shadow: dict[int, Guarded] = {}
        self.point = point

    def argument(self, k: int) -> Any:
        return self.primal[k].address if k in self.primal else self.point.arguments[k]

    def shadow_of(self, k: int) -> Guarded:
        if k not in self.shadow:
            self.shadow[k] = Guarded(self.primal[k].array, zero=True)
        return self.shadow[k]

    def objective(self, result: float) -> float:
        """J of what the call left."""
        parts = [self.point.weight * result] if self.point.weight else []
        for k, seeds in self.point.seeds.items():
            parts += list(seeds * float_values(self.primal[k].array))
        return math.fsum(parts) if all(map(math.isfinite, parts)) else sum(parts)

    def check(self, what: str) -> None:
        for k, guarded in self.primal.items():
            guarded.check(f"{what}: parameter {k}")
        for k, guarded in self.shadow.items():
            guarded.check(f"{what}: shadow of parameter {k}")


def _number(value: Any) -> float:
    return float(getattr(value, "value", value) or 0.0)


def run_primal(compiled: pipeline.CompiledProgram, name: str, point: Point) -> tuple[float, Memory]:
    """J, and the memory after the call."""
    primal = compiled.primal(name)
    native = invoker(primal.entry, compiled.library.address(primal.entry.symbol), compiled.signatures[name])
    memory = Memory(point)
    result = native(*(memory.argument(k) for k in range(len(point.arguments))))
    return memory.objective(_number(result)), memory


def leaves(point: Point) -> list[tuple[int, int]]:
    """(parameter, number of the float in it) for everything a derivative is asked for."""
    found = []
    for k in point.wrt:
        argument = point.arguments[k]
        count = float_values(argument).size if isinstance(argument, np.ndarray) else 1
        found += [(k, place) for place in range(count)]
    return found


def moved(point: Point, parameter: int, place: int, by: float) -> Point:
    """The point with one float displaced."""
    arguments = list(point.arguments)
    if isinstance(arguments[parameter], np.ndarray):
        changed = arguments[parameter].copy()
        for view in float_views(changed):
            flat = view.reshape(-1) if view.ndim else view.reshape(1)
            if place < flat.size:
                flat[place] += by
                break
            place -= flat.size
        arguments[parameter] = changed
    else:
        arguments[parameter] = arguments[parameter] + by
    return dataclasses.replace(point, arguments=tuple(arguments))


def differences(compiled: pipeline.CompiledProgram, name: str, point: Point, unit: float) -> list[Estimate]:
    """dJ by differences of the primal."""
    estimates = []
    for parameter, place in leaves(point):
        argument = point.arguments[parameter]
        at = float_values(argument)[place] if isinstance(argument, np.ndarray) else float(argument)
        start = max(abs(at), 0.25) * (2.0**-6 if unit < 1e-12 else 2.0**-3)

        def function(step: float, parameter: int = parameter, place: int = place) -> float:
            return run_primal(compiled, name, moved(point, parameter, place, step))[0]

        estimates.append(derivative(function, start, unit))
    return estimates


def run_reverse(compiled: pipeline.CompiledProgram, request: Request, point: Point) -> Run:
    """The gradient by reverse mode."""
    made = compiled.derivative(request)
    memory = Memory(point)
    for k, seeds in point.seeds.items():
        set_floats(memory.shadow_of(k).array, seeds)
    passed, block = _arguments(made.entry, memory, point, {})
    arena.reset_statistics()
    returned = invoker(made.entry, made.address, compiled.signatures[request.function])(*passed)
    memory.check(f"reverse {request}")
    assert arena.statistics().in_use == 0, f"{request}: the tape is not empty after the call"
    fields = _fields(made.entry, returned, block)
    gradient: list[float] = []
    for k in point.wrt:
        if ("gradient", k) in fields:
            gradient.append(fields["gradient", k])
        else:
            gradient += list(float_values(memory.shadow_of(k).array))
    value = fields.get(("value", None), math.nan)
    return Run(memory.objective(value) if request.value or not point.weight else math.nan, tuple(gradient))


def run_forward(compiled: pipeline.CompiledProgram, name: str, point: Point, tangent: Sequence[float]) -> float:
    """dJ along `tangent` (one number per leaf) by forward mode."""
    made = compiled.derivative(Request(name, mode="forward", wrt=point.wrt, outputs=tuple(point.seeds)))
    memory = Memory(point)
    scalars: dict[int, float] = {}
    by_parameter: dict[int, list[float]] = {}
    for (k, _), number in zip(leaves(point), tangent, strict=True):
        by_parameter.setdefault(k, []).append(number)
    for k in point.wrt:
        if k in memory.primal:
            set_floats(memory.shadow_of(k).array, np.array(by_parameter.get(k, [])))
        else:
            scalars[k] = by_parameter[k][0]
    passed, block = _arguments(made.entry, memory, point, scalars)
    returned = invoker(made.entry, made.address, compiled.signatures[name])(*passed)
    memory.check(f"forward {name}")
    parts = [point.weight * _fields(made.entry, returned, block)["tangent", None]] if point.weight else []
    for k, seeds in point.seeds.items():
        parts += list(seeds * float_values(memory.shadow_of(k).array))
    return sum(parts)


def set_floats(array: np.ndarray, numbers: np.ndarray) -> None:
    """Numbers for all floats of an array, in the order of `float_views`."""
    at = 0
    for view in float_views(array):
        count = view.size
        view[...] = numbers[at : at + count].reshape(view.shape)
        at += count


def _arguments(entry: Entry, memory: Memory, point: Point, tangents: dict[int, float]) -> tuple[list[Any], Guarded]:
    block = Guarded(np.zeros(max(entry.size, 1), np.uint8))
    passed: list[Any] = []
    for slot in entry.slots:
        if slot.kind == "arena":
            passed.append(arena.current())
        elif slot.kind == "primal":
            passed.append(memory.argument(slot.parameter or 0))
        elif slot.kind == "shadow":
            passed.append(memory.shadow_of(slot.parameter or 0).address)
        elif slot.kind == "tangent":
            passed.append(tangents.get(slot.parameter or 0, 0.0))
        elif slot.kind == "seed":
            passed.append(point.weight)
        elif slot.kind == "results":
            passed.append(block.address)
        else:
            raise AssertionError(f"the harness knows no slot {slot}")
    return passed, block


_DTYPES: dict[str, Any] = {"float": np.float32, "double": np.float64, "x86_fp80": np.longdouble}


def _fields(entry: Entry, returned: Any, block: Guarded) -> dict[tuple[str, int | None], float]:
    """What came back, by kind and parameter."""
    block.check("results")
    if entry.result is not None:
        return {(entry.result.kind, entry.result.parameter): _number(returned)}
    data = block.array.tobytes()
    return {
        (f.kind, f.parameter): float(np.frombuffer(data, _DTYPES[f.type], 1, f.offset)[0])
        for f in entry.fields
        if f.type in _DTYPES
    }

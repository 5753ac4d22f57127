"""The programs compiled, and called at a point: primal, reverse and forward mode, all arrays at the edge of a guard page.

Invariant: a call gets fresh copies of its arrays; those behind a pointer to const, and those with integers, may not be written,
not even by the derivative. After a call the tape is empty.
"""

from __future__ import annotations

import atexit
import dataclasses
import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from enzyme_magic.backend import pipeline
from enzyme_magic.backend.analysis.derivatives.cache_plan import MINIMUM_CUT, STORE_ALL, Caching
from enzyme_magic.backend.autodiff.calls.request import Request
from enzyme_magic.backend.frontend.c_types import CType, Pointer, Signature
from enzyme_magic.backend.frontend.sources import Source
from enzyme_magic.backend.runtime import arena
from enzyme_magic.backend.runtime.calls.invoke import invoker
from enzyme_magic.config import Options, Settings, read_settings
from tests import sampling

from .exact_arena import ExactArena
from .pages import Paged

SOURCES = Path(__file__).parent / "sources"
VALUE = -1  # beside the numbers of parameters
_DTYPES: dict[str, Any] = {"float": np.float32, "double": np.float64}


@cache
def settings() -> Settings:
    env = dict(os.environ)
    if "ENZYME_MAGIC_CACHE_DIR" not in env:
        env["ENZYME_MAGIC_CACHE_DIR"] = tempfile.mkdtemp(prefix="enzyme_magic-programs-")
        atexit.register(shutil.rmtree, env["ENZYME_MAGIC_CACHE_DIR"], ignore_errors=True)
    return dataclasses.replace(read_settings(env), artifacts=False)


@cache
def unit(name: str, opt: int) -> pipeline.CompiledProgram:
    """The translation unit sources/<name>.c at one level; compiled once per process. Derivatives of what is optimized before are
    optimized, too; every night all are."""
    file = f"{name}.c"
    options = Options(opt=opt, post_opt=sampling.after_level(opt))
    return pipeline.compile_program([Source((SOURCES / file).read_text(), file)], options, settings(), file)


@dataclass(frozen=True, slots=True)
class Gradient:
    """value: the result that came with it; parts[k]: the adjoint of parameter k, of its shape; tape: bytes it put on the tape."""

    value: float
    parts: dict[int, np.ndarray]
    tape: int


class Call:
    """One C function at one optimization level."""

    def __init__(self, source: str, function: str, opt: int) -> None:
        self.program = unit(source, opt)
        self.function = function
        self.signature = self.program.signatures[function]
        self.where = f"{function}, opt={opt}"

    def active(self, arguments: Sequence[Any]) -> tuple[int, ...]:
        """Every parameter with floating numbers."""
        floats = []
        for k, value in enumerate(arguments):
            if value.dtype.kind == "f" if isinstance(value, np.ndarray) else isinstance(value, float):
                floats.append(k)
        return tuple(floats)

    def memory(self, arguments: Sequence[Any], edge: str) -> dict[int, Paged]:
        return {k: self._placed(k, a, edge) for k, a in enumerate(arguments) if isinstance(a, np.ndarray)}

    def _placed(self, k: int, array: np.ndarray, edge: str) -> Paged:
        paged = Paged(array, edge)
        return paged.seal() if _reads_only(self.signature.parameters[k].type, array) else paged

    @property
    def primal(self) -> Any:
        """The C function itself, on numbers and addresses."""
        entry = self.program.primal(self.function).entry
        return invoker(entry, self.program.library.address(entry.symbol), self.signature)

    def value(self, arguments: Sequence[Any], edge: str = "end") -> float:
        memory = self.memory(arguments, edge)
        return float(self.primal(*(memory[k].address if k in memory else a for k, a in enumerate(arguments))))

    def reverse(self, arguments: Sequence[Any], *, minimum_cut: bool = True, edge: str = "end") -> Gradient:
        """The gradient with respect to every floating parameter.

        It is taken twice: on this thread's tape, then on one of exactly the bytes the first needed; the bits must be the same.
        """
        prepared = self._reverse(arguments, minimum_cut, edge)
        arena.reset_statistics()
        first = self._gradient(prepared, arguments)
        used = arena.statistics()
        if used.in_use:
            raise AssertionError(f"{self.where}: {used.in_use} bytes are left on the tape")
        exact = ExactArena(used.peak)
        second = self._gradient(self._reverse(arguments, minimum_cut, edge, exact.address), arguments)
        exact.check(self.where)
        for k, part in first.items():
            if part.tobytes() != second[k].tobytes():
                raise AssertionError(f"{self.where}: two calls give {part} and {second[k]} for {k}")
        return Gradient(float(first.pop(VALUE)), first, used.total)

    def _gradient(self, prepared: Prepared, arguments: Sequence[Any]) -> dict[int, np.ndarray]:
        fields, shadows = prepared.fields(prepared.run()), prepared.shadows
        parts = {
            k: shadows[k].array.copy() if k in shadows else np.array(fields["gradient", k])
            for k in self.active(arguments)
        }
        return {VALUE: np.array(fields["value", None]), **parts}

    def repeated(self, arguments: Sequence[Any], *, minimum_cut: bool = True) -> Callable[[int], None]:
        """The gradient as a function of how often to take it."""
        run = self._reverse(arguments, minimum_cut, "end").run

        def times(count: int) -> None:
            for _ in range(count):
                run()

        return times

    def _reverse(self, arguments: Sequence[Any], minimum_cut: bool, edge: str, tape: int | None = None) -> Prepared:
        wrt = self.active(arguments)
        caching = Caching(MINIMUM_CUT if minimum_cut else STORE_ALL)
        derivative = self.program.derivative(Request(self.function, wrt=wrt, value=True, caching=caching))
        memory = self.memory(arguments, edge)
        shadows = {k: Paged(np.zeros_like(arguments[k]), edge) for k in wrt if k in memory}
        return Prepared(derivative, self.signature, arguments, memory, shadows, {}, edge, tape)

    def forward(self, arguments: Sequence[Any], tangents: dict[int, Any], edge: str = "end") -> float:
        """The directional derivative."""
        request = Request(self.function, mode="forward", wrt=self.active(arguments))
        derivative = self.program.derivative(request)
        memory = self.memory(arguments, edge)
        shadows = {k: Paged(np.asarray(t), edge) for k, t in tangents.items() if k in memory}
        prepared = Prepared(derivative, self.signature, arguments, memory, shadows, tangents, edge)
        fields = prepared.fields(prepared.run())
        if arena.statistics().in_use:
            raise AssertionError(f"{self.where}: forward mode leaves bytes on the tape")
        return fields["tangent", None]


def _reads_only(type_: CType, array: np.ndarray) -> bool:
    return array.dtype.kind != "f" or (isinstance(type_, Pointer) and type_.const)


class Prepared:
    """One native call, ready to be made."""

    def __init__(
        self,
        derivative: pipeline.CompiledDerivative,
        signature: Signature,
        arguments: Sequence[Any],
        memory: dict[int, Paged],
        shadows: dict[int, Paged],
        tangents: dict[int, Any],
        edge: str,
        tape: int | None = None,
    ) -> None:
        self.entry = derivative.entry
        self.derivative, self.memory, self.shadows = derivative, memory, shadows
        places = [slot.parameter for slot in self.entry.slots if slot.kind == "shadow" and slot.parameter is not None]
        for place in memory.keys() & set(places) - shadows.keys():
            shadows[place] = Paged(
                np.zeros_like(memory[place].array), edge
            )  # of a pointer that is put beside active ones
        self.block = Paged(np.zeros(max(-(-self.entry.size // 8), 1)), edge)
        self.passed: list[Any] = []
        for slot in self.entry.slots:
            k = slot.parameter
            if slot.kind == "primal" and k is not None:
                self.passed.append(memory[k].address if k in memory else arguments[k])
            elif slot.kind == "shadow" and k is not None:
                self.passed.append(shadows[k].address)
            elif slot.kind == "tangent" and k is not None:
                self.passed.append(tangents[k])
            else:
                self.passed.append({"arena": tape or arena.current(), "results": self.block.address}[slot.kind])
        self._native = invoker(self.entry, derivative.address, signature)

    def run(self) -> Any:
        return self._native(*self.passed)

    def fields(self, returned: Any) -> dict[tuple[str, int | None], float]:
        """What the call gave back, by kind and parameter."""
        if self.entry.result is not None:
            return {(self.entry.result.kind, self.entry.result.parameter): float(returned)}
        data = self.block.array.tobytes()
        numbers = ((f, np.frombuffer(data, _DTYPES[f.type], 1, f.offset)[0]) for f in self.entry.fields)
        return {(f.kind, f.parameter): float(number) for f, number in numbers}

"""The gradient as C against the gradient itself: the text compiled by the same toolchain, both called on copies of the same memory.

Everything is compared: what comes back, the shadows, and what the function wrote itself.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from enzyme_magic.backend import pipeline
from enzyme_magic.backend.autodiff.calls.request import Request
from enzyme_magic.backend.explain.gradient_c.writer import gradient_c
from enzyme_magic.backend.frontend.c_types import Scalar, Signature
from enzyme_magic.backend.frontend.sources import Source
from enzyme_magic.backend.native import Entry
from enzyme_magic.backend.runtime import arena
from enzyme_magic.backend.runtime.calls.invoke import invoker
from enzyme_magic.config import Options
from tests.autodiff.buffers import Guarded, float_values
from tests.autodiff.runs import Memory, Point, point_of, set_floats, settings

WARNINGS = ("-Wall", "-Werror", "-Wno-unused-command-line-argument")  # the last: of the driver, not of the text


@dataclass(frozen=True, slots=True)
class Compared:
    """`text` is empty where there is none, and `reason` says why. `pairs`: what the text gave and what the gradient gave."""

    text: str
    reason: str
    pairs: tuple[tuple[str, np.ndarray, np.ndarray], ...] = ()

    def differs(self, exact: bool) -> str:
        """The first place where they differ, or an empty text. exact: bit for bit, else near enough for sums in another order."""
        for what, found, wanted in self.pairs:
            same = np.array_equal(found, wanted, equal_nan=True) if exact else _near(found, wanted)
            if not same:
                return f"{what}: {found} instead of {wanted}"
        return ""


def _near(found: np.ndarray, wanted: np.ndarray) -> bool:
    epsilon = 1e-4 if found.dtype == np.float32 else 1e-9
    largest = np.abs(wanted[np.isfinite(wanted)]).max(initial=1.0)
    return bool(np.allclose(found, wanted, rtol=epsilon, atol=epsilon * largest, equal_nan=True))


def compiled(
    source: str, *, opt: int = 2, strict: bool = True, extra: tuple[str, ...] = ()
) -> pipeline.CompiledProgram:
    options = replace(Options(opt=opt, strict=strict), compile_args=extra)
    return pipeline.compile_program([Source(source, "test.c")], options, settings(), "test.c")


def compare(
    program: pipeline.CompiledProgram,
    name: str,
    arguments: Sequence[Any],
    wrt: Sequence[int] | None = None,
    declared: str = "",
) -> Compared:
    """Gradient of `name`, with respect to all that carries a derivative. declared: types that the text takes for granted."""
    signature = program.signatures[name]
    point = point_of(signature, program.primal(name).written, arguments, wrt)
    request = Request(name, wrt=point.wrt, outputs=tuple(point.seeds))
    made = gradient_c(program, request)
    if not made.available:
        return Compared("", made.reason)
    entry = program.derivative(request).entry
    known = program.derivative(request)
    wanted = _call(entry, point, invoker(entry, known.address, signature), True)
    again = compiled(declared + made.text, extra=WARNINGS)
    symbol = next(n for n in again.signatures if n.startswith(("diffe_", "fwddiffe_")))
    address = again.library.address(again.primal(symbol).entry.symbol)
    found = _call(entry, point, _native(entry, signature, address), False)
    pairs = tuple((what, found[what], wanted[what]) for what in wanted)
    return Compared(made.text, "", pairs)


_NUMBERS: dict[str, Any] = {
    "double": ctypes.c_double,
    "float": ctypes.c_float,
    "long": ctypes.c_long,
    "int": ctypes.c_int,
    "short": ctypes.c_short,
    "signed char": ctypes.c_byte,
    "_Bool": ctypes.c_bool,
    "unsigned short": ctypes.c_ushort,
    "unsigned char": ctypes.c_ubyte,
    "unsigned int": ctypes.c_uint,
    "unsigned long": ctypes.c_ulong,
}


def _native(entry: Entry, signature: Signature, address: int) -> Any:
    """The C text's function: as the gradient, without the arena."""
    types: list[Any] = []
    for slot in entry.slots:
        type_ = signature.parameters[slot.parameter].type if slot.parameter is not None else None
        if slot.kind == "seed":
            types.append(ctypes.c_double)
        elif slot.kind != "arena":
            types.append(
                _NUMBERS[type_.base] if slot.kind == "primal" and isinstance(type_, Scalar) else ctypes.c_void_p
            )
    result = _NUMBERS[entry.result.type] if entry.result is not None else None
    return ctypes.CFUNCTYPE(result, *types)(address)


def _call(entry: Entry, point: Point, native: Any, with_arena: bool) -> dict[str, np.ndarray]:
    memory = Memory(point)
    for k, seeds in point.seeds.items():
        set_floats(memory.shadow_of(k).array, seeds)
    block = Guarded(np.zeros(max(entry.size, 1), np.uint8))
    returned = native(*_passed(entry, memory, block, with_arena))
    memory.check("called")
    block.check("results")
    found = {f"memory of {k}": float_values(g.array).copy() for k, g in memory.primal.items()}
    found |= {f"shadow of {k}": float_values(g.array).copy() for k, g in memory.shadow.items()}
    if entry.result is not None:
        found["returned"] = np.array([float(getattr(returned, "value", returned))])
    dtypes = {"double": np.float64, "float": np.float32}
    fields = [f for f in entry.fields if f.type in dtypes]
    return found | {
        f"{f.kind} {f.parameter}": np.frombuffer(block.array.tobytes(), dtypes[f.type], 1, f.offset) for f in fields
    }


def _passed(entry: Entry, memory: Memory, block: Guarded, with_arena: bool) -> list[Any]:
    passed: list[Any] = []
    for slot in entry.slots:
        k = slot.parameter or 0
        match slot.kind:
            case "arena":
                passed += [arena.current()] if with_arena else []
            case "primal":
                passed.append(memory.argument(k))
            case "shadow":
                passed.append(memory.shadow_of(k).address)
            case "results":
                passed.append(block.address)
            case "seed":
                passed.append(memory.point.weight)
            case _:
                raise AssertionError(f"no slot {slot} is known here")
    return passed

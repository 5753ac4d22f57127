"""Addresses as Python callables: the C function itself, and its gradient.

Invariant: everything is converted and checked before native code runs. The C function works in place, as in C. A gradient never
modifies what it is given: a buffer the function may write is copied once (unless donated), a buffer proven unwritten never.

Functions of plain doubles take a short path: floats go straight to ctypes, everything else through the same conversion as on the
long path. Each callable holds its Code, and so keeps its library loaded.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from enzyme_magic.backend.frontend.c_types import Scalar
from enzyme_magic.backend.native import Slot
from enzyme_magic.backend.runtime.calls.derivative import Given, derivative, one
from enzyme_magic.backend.runtime.calls.invoke import Code, invoker
from enzyme_magic.backend.runtime.values import buffers, layout, memory, purity, results
from enzyme_magic.backend.runtime.values.arguments import ArgumentBinder
from enzyme_magic.backend.runtime.values.buffers import Buffer
from enzyme_magic.errors import InternalError

Call = Callable[..., Any]
Pack = Callable[[Any, Sequence[Any]], Any]


class General(Protocol):
    """The C function as a callable; `run` takes converted arguments."""

    def __call__(self, /, *args: Any, **named: Any) -> Any: ...
    def run(self, values: Sequence[Any]) -> Any: ...


def general_primal(code: Code, arguments: ArgumentBinder) -> General:
    """The C function, the general way."""
    made: General = _UniformCall(code, arguments) if code.uniform else _PrimalCall(code, arguments)
    if not code.isolated or not arguments.pointers:
        return made
    from enzyme_magic.backend.runtime.isolation.staging import StagedPrimal

    return StagedPrimal(made, code)


def primal(code: Code, arguments: ArgumentBinder) -> Call:
    """The C function as a callable with NumPy semantics."""
    general = general_primal(code, arguments)
    if isinstance(general, _PrimalCall) and general.finish is None and _is_plain(code, block=False):
        return _short_call(general)
    return general


@dataclass(frozen=True, slots=True)
class Ways:
    """How a gradient is called.

    wrt: parameters whose gradient is given back, in order. written: pointer parameters the function may write through.
    donate: written buffers are the function's to overwrite. out: arrays that take the gradients of pointer parameters.
    """

    wrt: tuple[int, ...]
    written: frozenset[int] = frozenset()
    donate: bool = False
    out: Mapping[int, Any] = field(default_factory=dict)


def gradient(code: Code, arguments: ArgumentBinder, ways: Ways, pack: Pack) -> Call:
    """The derivative function as a callable. `pack(value or None, gradients in the order of ways.wrt)` makes its result."""
    general = _GradientCall(code, arguments, ways, pack)
    if not _is_plain(code, block=True):
        return general
    entry = code.entry
    if entry.result is None:
        return _short_block_call(general) if all(f.type == "double" for f in entry.fields) else general
    if entry.result.type == "double" and getattr(pack, "bare", False):
        return _short_call(general)
    return general


def _is_plain(code: Code, *, block: bool) -> bool:
    """All C parameters are numbers and are the native ones, in order; then a results block if `block` allows one."""
    parameters = code.signature.parameters
    expected = [Slot("primal", index) for index in range(len(parameters))]
    slots = list(code.entry.slots)
    if block and slots and slots[-1].kind == "results":
        slots.pop()
    numbers = all(layout.is_real(p.type) or layout.is_integer(p.type) for p in parameters)
    return numbers and slots == expected and bool(parameters)


def _quick_types(code: Code) -> tuple[type, ...] | None:
    """The types of arguments that ctypes takes as they are: floats for doubles. None when some parameter is no double."""
    types = [p.type for p in code.signature.parameters]
    doubles = all(isinstance(t, Scalar) and t.kind == "float" and t.size == 8 for t in types)
    return (float,) * len(types) if doubles else None


def _short_call(general: _PrimalCall | _GradientCall) -> Call:
    """Floats in, number out; anything else is converted first. `general` holds the code that `native` runs."""
    convert, native, types = general.arguments.convert, general.native, _quick_types(general.code)
    if types == (float,):

        def call_one(*args: Any, **named: Any) -> Any:
            if len(args) == 1 and type(args[0]) is float and not named:
                return native(args[0])
            return native(*convert(args, named))

        call_one.general = general  # type: ignore[attr-defined]
        return call_one

    def call(*args: Any, **named: Any) -> Any:
        if tuple(map(type, args)) == types and not named:
            return native(*args)
        return native(*convert(args, named))

    call.general = general  # type: ignore[attr-defined]
    return call


def _short_block_call(general: _GradientCall) -> Call:
    """Numbers in, several doubles out through a results block."""
    convert, native, entry, pack = general.arguments.convert, general.native, general.code.entry, general.pack
    types = _quick_types(general.code)
    block_type = ctypes.c_double * (entry.size // 8)
    value_at = next((f.offset // 8 for f in entry.fields if f.kind == "value"), None)
    by_parameter = {f.parameter: f.offset // 8 for f in entry.fields if f.kind == "gradient"}
    places = [by_parameter[index] for index in general.ways.wrt]
    address_of = ctypes.addressof

    def call(*args: Any, **named: Any) -> Any:
        if tuple(map(type, args)) != types or named:
            args = tuple(convert(args, named))
        block = block_type()
        native(*args, address_of(block))
        return pack(None if value_at is None else block[value_at], [block[place] for place in places])

    call.general = general  # type: ignore[attr-defined]
    return call


class _PrimalCall:
    """The general way to call a C function of plain scalars and pointers."""

    __slots__ = ("arguments", "code", "finish", "indices", "native")

    def __init__(self, code: Code, arguments: ArgumentBinder) -> None:
        self.code = code
        self.arguments = arguments
        self.native = invoker(code.entry, code.address, code.signature, code.keep)
        self.finish = results.finisher(code.signature.result) if code.entry.result else None
        if any(slot.kind != "primal" or slot.parameter is None for slot in code.entry.slots):
            raise InternalError(f"{code.entry.symbol}: a primal has only primal parameters", code="EM922")
        self.indices = [slot.parameter for slot in code.entry.slots]

    def __call__(self, /, *args: Any, **named: Any) -> Any:
        return self.run(self.arguments.convert(args, named))

    def run(self, values: Sequence[Any]) -> Any:
        """The C result for converted arguments."""
        passed = [_native(values[index]) for index in self.indices]  # type: ignore[index]
        value = self.native(*passed)
        return value if self.finish is None else self.finish(value)


def _native(value: Any) -> Any:
    return value.address if type(value) is Buffer else value


class _UniformCall:
    """A call through the front end's uniform entry: an array of pointers to the arguments, and memory for the result."""

    __slots__ = ("arguments", "code", "native")

    def __init__(self, code: Code, arguments: ArgumentBinder) -> None:
        self.code = code
        self.arguments = arguments
        self.native = invoker(code.entry, code.address, code.signature, code.keep)

    def __call__(self, /, *args: Any, **named: Any) -> Any:
        return self.run(self.arguments.convert(args, named))

    def run(self, values: Sequence[Any]) -> Any:
        """The C result for converted arguments."""
        signature = self.code.signature
        cells = [memory.cell(value, p.type) for value, p in zip(values, signature.parameters, strict=True)]
        table = memory.table(cells)
        returns = self.code.entry.size > 0
        result = memory.block(self.code.entry.size)
        places = {"arguments": ctypes.addressof(table), "results": ctypes.addressof(result)}
        self.native(*(places[slot.kind] for slot in self.code.entry.slots))
        return results.read_memory(signature.result, bytes(result)[: self.code.entry.size]) if returns else None


class _GradientCall:
    """The general way to call a derivative function for a gradient."""

    __slots__ = ("arguments", "code", "copied", "derivative", "given", "native", "pack", "ways")

    def __init__(self, code: Code, arguments: ArgumentBinder, ways: Ways, pack: Pack) -> None:
        self.code = code
        self.arguments = arguments
        self.ways = ways
        self.pack = pack
        self.copied = frozenset() if ways.donate else ways.written
        self.derivative = derivative(code)
        self.native = self.derivative.native
        self.given = Given(result=one(code.signature.result))

    def __call__(self, /, *args: Any, **named: Any) -> Any:
        values = self.arguments.convert(args, named)
        purity.check_overlap(self.arguments, values, self.ways.written)
        given = self.given if not self.ways.out else self._given(values)
        taken = self.derivative(purity.working_copies(values, self.copied), given)
        gradients = [taken.numbers[k] if k in taken.numbers else taken.memory[k].array for k in self.ways.wrt]
        return self.pack(taken.value, gradients)

    def _given(self, values: Sequence[Any]) -> Given:
        """The caller's memory as shadows."""
        shadows = purity.result_memory(self.arguments, self.ways.out, values)
        for shadow in shadows.values():
            buffers.clear(shadow.array)
        return Given(memory=shadows, result=self.given.result)

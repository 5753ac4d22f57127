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
from itertools import combinations
from typing import Any

from enzyme_magic.backend.frontend.c_types import Scalar, Signature
from enzyme_magic.backend.native import Entry, ResultField, Slot
from enzyme_magic.backend.runtime import buffers, layout, results
from enzyme_magic.backend.runtime.arguments import Arguments
from enzyme_magic.backend.runtime.buffers import Buffer
from enzyme_magic.backend.runtime.invoke import invoker
from enzyme_magic.errors import ArgumentError, InternalError

Call = Callable[..., Any]
Pack = Callable[[Any, Sequence[Any]], Any]


@dataclass(frozen=True, slots=True)
class Code:
    """A native function, loaded. `keep` holds whatever must stay loaded as long as the address is used (a Library)."""

    entry: Entry
    address: int
    signature: Signature
    keep: Any = field(default=None, repr=False)


def primal(code: Code, arguments: Arguments) -> Call:
    """The C function as a callable with NumPy semantics."""
    if any(slot.kind == "arguments" for slot in code.entry.slots):
        return _UniformCall(code, arguments)
    general = _PrimalCall(code, arguments)
    if general.finish is None and _is_plain(code, block=False):
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


def gradient(code: Code, arguments: Arguments, ways: Ways, pack: Pack) -> Call:
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

    def __init__(self, code: Code, arguments: Arguments) -> None:
        self.code = code
        self.arguments = arguments
        self.native = invoker(code.entry, code.address, code.signature)
        self.finish = results.finisher(code.signature.result) if code.entry.result else None
        if any(slot.kind != "primal" or slot.parameter is None for slot in code.entry.slots):
            raise InternalError(f"{code.entry.symbol}: a primal has only primal parameters", code="EM922")
        self.indices = [slot.parameter for slot in code.entry.slots]

    def __call__(self, *args: Any, **named: Any) -> Any:
        values = self.arguments.convert(args, named)
        passed = [_native(values[index]) for index in self.indices]  # type: ignore[index]
        value = self.native(*passed)
        return value if self.finish is None else self.finish(value)


def _native(value: Any) -> Any:
    return value.address if type(value) is Buffer else value


class _UniformCall:
    """A call through the front end's uniform entry: an array of pointers to the arguments, and memory for the result."""

    __slots__ = ("arguments", "code", "native")

    def __init__(self, code: Code, arguments: Arguments) -> None:
        self.code = code
        self.arguments = arguments
        self.native = invoker(code.entry, code.address, code.signature)

    def __call__(self, *args: Any, **named: Any) -> Any:
        values = self.arguments.convert(args, named)
        signature = self.code.signature
        cells = [memory_of(value, p.type) for value, p in zip(values, signature.parameters, strict=True)]
        table = (ctypes.c_void_p * max(len(cells), 1))(*(ctypes.addressof(cell) for cell in cells))
        returns = self.code.entry.size > 0
        result = _aligned_block(max(self.code.entry.size, 1))
        places = {"arguments": ctypes.addressof(table), "results": ctypes.addressof(result)}
        self.native(*(places[slot.kind] for slot in self.code.entry.slots))
        return results.read_memory(signature.result, bytes(result)[: self.code.entry.size]) if returns else None


def memory_of(value: Any, type_: Any) -> Any:
    """A ctypes buffer that holds a converted argument as C stores it."""
    if type(value) is Buffer:
        return ctypes.c_void_p(value.address)
    if isinstance(type_, Scalar) and type_.kind != "complex" and type_.size in (1, 2, 4, 8):
        return layout.ctype_of(type_)(value)
    if isinstance(value, ctypes.c_longdouble):
        return value
    import numpy as np

    data = np.asarray(value, layout.dtype_of(type_)).tobytes()
    block = _aligned_block(len(data))
    ctypes.memmove(block, data, len(data))
    return block


def _aligned_block(size: int) -> Any:
    """A ctypes buffer of at least `size` bytes aligned as C's most aligned scalar (16 bytes)."""
    raw = ctypes.create_string_buffer(size + 16)
    start = -ctypes.addressof(raw) % 16
    return (ctypes.c_char * size).from_buffer(raw, start)


class _GradientCall:
    """The general way to call a derivative function."""

    __slots__ = ("arguments", "code", "fields", "native", "pack", "ways")

    def __init__(self, code: Code, arguments: Arguments, ways: Ways, pack: Pack) -> None:
        self.code = code
        self.arguments = arguments
        self.ways = ways
        self.pack = pack
        self.native = invoker(code.entry, code.address, code.signature)
        self.fields = code.entry.fields if code.entry.result is None else (code.entry.result,)

    def __call__(self, *args: Any, **named: Any) -> Any:
        values = self.arguments.convert(args, named)
        self._check_overlap(values)
        working = self._working_copies(values)
        shadows = {slot.parameter: self._shadow(slot.parameter, values) for slot in self._slots("shadow")}
        block = _aligned_block(max(self.code.entry.size, 1))
        passed = [self._argument(slot, working, shadows, block) for slot in self.code.entry.slots]
        returned = self.native(*passed)
        value, scalars = self._read(returned, block)
        gradients = [scalars[k] if k in scalars else shadows[k].array for k in self.ways.wrt]
        return self.pack(value, gradients)

    def _slots(self, kind: str) -> list[Slot]:
        return [slot for slot in self.code.entry.slots if slot.kind == kind]

    def _argument(self, slot: Slot, values: Sequence[Any], shadows: Mapping[Any, Buffer], block: Any) -> Any:
        if slot.kind == "primal":
            return _native(values[slot.parameter])  # type: ignore[index]
        if slot.kind == "shadow":
            return shadows[slot.parameter].address
        if slot.kind == "results":
            return ctypes.addressof(block)
        if slot.kind == "arena":
            from enzyme_magic.backend.runtime import arena

            return arena.current()
        if slot.kind == "seed":
            return 1.0
        raise InternalError(
            f"{self.code.entry.symbol}: a gradient has no parameter of kind {slot.kind!r}", code="EM922"
        )

    def _working_copies(self, values: list[Any]) -> list[Any]:
        if self.ways.donate or not self.ways.written:
            return values
        return [
            buffers.buffer_of(buffers.copy_of(value.array))
            if index in self.ways.written and type(value) is Buffer and value.array is not None
            else value
            for index, value in enumerate(values)
        ]

    def _shadow(self, index: int | None, values: Sequence[Any]) -> Buffer:
        assert index is not None
        array = values[index].array
        if array is None:
            return buffers.NULL
        given = self.ways.out.get(index)
        if given is None:
            return buffers.buffer_of(buffers.zeros(array.shape, array.dtype))
        target = self._output(index, given, array)
        for name, value in zip(self.arguments.names, values, strict=True):
            if type(value) is Buffer and target.overlaps(value):
                raise self._overlap(f"out for {self.arguments.names[index]}", name)
        given[...] = 0
        return target

    def _output(self, index: int, given: Any, array: Any) -> Buffer:
        """The caller's memory for a gradient, after every check."""
        import numpy as np

        name = self.arguments.names[index]
        fits = isinstance(given, np.ndarray) and given.dtype == array.dtype and given.shape == array.shape
        if not fits or not (given.flags.c_contiguous and given.flags.aligned and given.flags.writeable):
            raise ArgumentError(
                f"{self.arguments.function}: out for {name} must be a writable, C-contiguous {array.dtype} array"
                f" of shape {array.shape}",
                code="EM317",
                hint=f"np.empty_like({name})",
            )
        return buffers.buffer_of(given)

    def _check_overlap(self, values: Sequence[Any]) -> None:
        """A written range must not share memory with another argument: their adjoints would be mixed up."""
        taken = [
            (index, value) for index, value in enumerate(values) if type(value) is Buffer and value.array is not None
        ]
        for (a, first), (b, second) in combinations(taken, 2):
            if (a in self.ways.written or b in self.ways.written) and first.overlaps(second):
                raise self._overlap(self.arguments.names[a], self.arguments.names[b])

    def _overlap(self, first: str, second: str) -> ArgumentError:
        return ArgumentError(
            f"{self.arguments.function}: {first} and {second} share memory, and the function writes to one of them",
            code="EM312",
            hint=f"pass {second}.copy()",
        )

    def _read(self, returned: Any, block: Any) -> tuple[Any, dict[int | None, Any]]:
        """The value, if the function gives it, and the gradients of scalar parameters by index."""
        value: Any = None
        scalars: dict[int | None, Any] = {}
        for field_ in self.fields:
            number = self._number(field_, returned, block)
            if field_.kind == "value":
                value = number
            elif field_.kind == "gradient":
                scalars[field_.parameter] = number
        return value, scalars

    def _number(self, field_: ResultField, returned: Any, block: Any) -> Any:
        if self.code.entry.result is None:
            return results.read_field(field_, block)
        finish = results.finisher_of_word(field_.type)
        return returned if finish is None else finish(returned)

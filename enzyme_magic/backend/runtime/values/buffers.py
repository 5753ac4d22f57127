"""Python's arrays as C pointers, without a copy.

Invariant: a `Buffer` points at the caller's own memory (None at NULL), has exactly the C type's dtype, is C-contiguous, aligned,
and writable where C writes; anything else is an ArgumentError with the repair. Memory made here (gradients, working copies)
is 64-byte aligned.

Accepted: NumPy arrays, `__array_interface__`, DLPack on the CPU, and the buffer protocol (bytes, array.array, memoryview).
It does not know how many elements C reads: see extents.py.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from enzyme_magic.backend.frontend.c_types import (
    Array,
    CType,
    Enum,
    FunctionPointer,
    Opaque,
    Pointer,
    Scalar,
    Struct,
    Void,
    declare,
)
from enzyme_magic.backend.runtime.values import layout
from enzyme_magic.errors import ArgumentError

ALIGNMENT = 64


@dataclass(frozen=True, slots=True)
class Buffer:
    """`address` 0 and `array` None are NULL. `array` keeps the memory alive."""

    address: int
    array: Any

    @property
    def size(self) -> int:
        """Elements."""
        return int(self.array.size) if self.array is not None else 0

    @property
    def end(self) -> int:
        return self.address + (int(self.array.nbytes) if self.array is not None else 0)

    def overlaps(self, other: Buffer) -> bool:
        """Whether the two have a byte in common."""
        return self.address < other.end and other.address < self.end

    def __reduce__(self) -> tuple[Any, ...]:
        return _pointing_at, (self.array,)


def _pointing_at(array: Any) -> Buffer:
    return NULL if array is None else buffer_of(array)


NULL = Buffer(0, None)


class PointerParameter:
    """How one pointer parameter takes its argument. `written`: C may write through it."""

    __slots__ = ("dtype", "element", "function", "name", "type", "written")

    def __init__(self, function: str, name: str, type_: CType, *, written: bool) -> None:
        """ArgumentError EM313 where no Python object can stand for this pointer."""
        self.function = function
        self.name = name
        self.type = type_
        self.written = written
        self.element = pointee(type_)
        self.dtype = self._element_dtype()

    def _element_dtype(self) -> Any:
        """The dtype asked for; None takes any (void *, opaque types)."""
        element = self.element
        if isinstance(element, (Void, Opaque)):
            return None
        if isinstance(element, (Scalar, Enum, Struct)) and layout.foreign_part(element) is None:
            return layout.dtype_of(element)
        raise refused(self.function, self.name, self.type)

    def take(self, value: Any) -> Buffer:
        """The Buffer over `value`'s memory."""
        if value is None:
            return NULL
        if type(value).__name__ != "ndarray":
            refuse_mask(value, self._label())
        array = self.as_array(value)
        self._check(array)
        return buffer_of(array)

    def as_array(self, value: Any) -> Any:
        """The array over `value`'s memory, whatever its dtype and layout; ArgumentError EM304 where it has none."""
        import numpy as np

        if type(value) is np.ndarray:
            return value
        if isinstance(value, np.ndarray):
            return np.asarray(value)
        if isinstance(value, (list, tuple, range, str, int, float, complex, np.generic)):
            raise self._not_an_array(value)
        if hasattr(value, "__array_interface__"):
            return np.asarray(value)
        if hasattr(value, "__dlpack__"):
            return self._from_dlpack(value)
        try:
            return np.asarray(memoryview(value))
        except TypeError:
            raise self._not_an_array(value) from None

    def _from_dlpack(self, value: Any) -> Any:
        import numpy as np

        try:
            if getattr(value, "is_neg", bool)():  # PyTorch would hand over the memory without the sign
                raise BufferError("its negative bit is set, resolve_neg() makes an array of numbers")
            return np.from_dlpack(value)
        except (BufferError, RuntimeError, TypeError, ValueError) as error:
            raise ArgumentError(
                f"{self._label()} cannot share the memory of this {type(value).__name__}: {error}",
                code="EM304",
                hint="move it to the CPU and detach it first",
            ) from None

    def _check(self, array: Any) -> None:
        if self.dtype is not None and not self._fits(array.dtype):
            raise self._error(f"has dtype {array.dtype}", "EM305", self._repair())
        if not array.flags.c_contiguous:
            order = "is in Fortran order" if array.flags.f_contiguous and array.ndim > 1 else "is not contiguous"
            raise self._error(
                f"{order}; C reads row after row without gaps",
                "EM306",
                self._instead(f"np.ascontiguousarray({self.name})"),
            )
        if not array.flags.aligned:
            raise self._error("is not aligned to its element size", "EM307", self._instead(f"{self.name}.copy()"))
        if self.written and not array.flags.writeable:
            repair = self._instead(f"{self.name}.copy()")
            raise self._error("is read-only, and the C function writes to it", "EM308", repair)

    def _fits(self, dtype: Any) -> bool:
        if dtype == self.dtype:
            return True
        is_char = isinstance(self.element, Scalar) and self.element.kind == "char"
        return is_char and dtype.itemsize == 1 and dtype.kind in "iuS"

    def _repair(self) -> str:
        if self.dtype.names is not None:
            return f"make it with {self.function}.dtypes[{self.name!r}]"
        return self._instead(f"np.asarray({self.name}, dtype=np.{self.dtype.name})")

    def _instead(self, made: str) -> str:
        """What to pass instead. Where C writes, the result is in the new array only."""
        return f"c = {made}; pass c, and find in it what C has written" if self.written else made

    def _label(self) -> str:
        return f"{self.function}: {declare(self.type, self.name)}"

    def _error(self, problem: str, code: str, repair: str) -> ArgumentError:
        return ArgumentError(f"{self._label()}: the array {problem}", code=code, hint=repair)

    def _not_an_array(self, value: Any) -> ArgumentError:
        kind = type(value).__name__
        repair = "pass a NumPy array"
        if self.dtype is not None and self.dtype.names is not None:
            dtype = f"{self.function}.dtypes[{self.name!r}]"
            members = f"tuple(map({self.name}.get, {dtype}.names))" if isinstance(value, dict) else self.name
            repair = self._instead(f"np.array({members}, dtype={dtype})")
        elif self.dtype is not None and isinstance(value, str) and self.dtype.itemsize == 1:
            made = f'np.frombuffer({self.name}.encode() + b"\\0", dtype=np.{self.dtype.name})'  # C's strings end with 0
            repair = self._instead(made)
        elif self.dtype is not None and isinstance(value, (int, float)):
            repair = self._repair().replace(f"np.asarray({self.name},", f"np.array([{self.name}, …],")
        elif self.dtype is not None:
            repair = self._repair()
        article = "an" if kind[0] in "aeiou" else "a"
        return ArgumentError(f"{self._label()} needs an array, got {article} {kind}", code="EM304", hint=repair)


def pointee(type_: CType) -> CType:
    """The element type behind a pointer: arrays of arrays (`double (*A)[3]`) count as their innermost elements."""
    assert isinstance(type_, (Pointer, Array))
    element = type_.to if isinstance(type_, Pointer) else type_.element
    while isinstance(element, Array):
        element = element.element
    return element


def refused(function: str, name: str, type_: CType) -> ArgumentError:
    """Pointers no Python object can stand for."""
    what = "a function pointer" if isinstance(type_, FunctionPointer) else f"a {type_}"
    return ArgumentError(
        f"{function}: {declare(type_, name)} is {what}, which cannot be passed from Python",
        code="EM313",
        hint="write the driver in C: a function of plain pointers and numbers that calls this one",
    )


def buffer_of(array: Any) -> Buffer:
    """The Buffer over a NumPy array's own memory."""
    return Buffer(address_of(array), array)


def address_of(array: Any) -> int:
    """The address of a NumPy array's first element.

    NumPy's C interface promises the data pointer right behind the object's head, and reading it there takes a sixth of the time
    `__array_interface__` needs; whether it is there is tried once.
    """
    if _data_offset() and type(array).__name__ == "ndarray":
        return _pointer_at(id(array) + _data_offset()).value or 0
    return int(array.__array_interface__["data"][0])


_pointer_at = ctypes.c_void_p.from_address


@cache
def _data_offset() -> int:
    """Bytes from an ndarray's head to its data pointer; 0 when that is not where it is."""
    import numpy as np

    probes = [np.empty(size) for size in (1, 7, 1000)]
    offset = object.__basicsize__
    found = [_pointer_at(id(probe) + offset).value == probe.__array_interface__["data"][0] for probe in probes]
    return offset if all(found) else 0


def refuse_mask(value: Any, what: str) -> None:
    """ArgumentError EM338 for a NumPy array of which elements are masked: C knows no masks, and would see what lies below."""
    loaded = sys.modules.get("numpy.ma")  # where it is not, nothing is masked
    if loaded is not None and isinstance(value, loaded.MaskedArray) and loaded.is_masked(value):
        raise ArgumentError(
            f"{what}: elements of this array are masked, and C has no masks",
            code="EM338",
            hint="x.filled(…) with what masked elements stand for, or x.compressed() without them",
        )


def refuse_followed(value: Any, what: str) -> None:
    """ArgumentError EM302 for a number that a framework differentiates: it would take what C makes of it for a constant, and a part
    of its gradient for zero."""
    jax, torch = sys.modules.get("jax.core"), sys.modules.get("torch")
    followed = "JAX" if jax is not None and isinstance(value, getattr(jax, "Tracer", ())) else ""
    if torch is not None and isinstance(value, torch.Tensor) and value.requires_grad and torch.is_grad_enabled():
        followed = "PyTorch"
    if followed:
        hint = f"op(f) of enzyme_magic.integrations.{followed.lower().removeprefix('py')} is an operation of {followed}"
        raise ArgumentError(
            f"{what} is a number that {followed} differentiates, and a call of C is none of its operations",
            code="EM302",
            hint=hint,
        )


def array_of(value: Any, wrong: Callable[[str], Exception]) -> Any:
    """`value` as NumPy makes an array of it; `wrong(problem)` is raised where it cannot."""
    import numpy as np

    try:
        return np.asarray(value)
    except Exception as error:  # of NumPy (rows of different lengths), or of the value's own __array__
        raise wrong(f"is a {type(value).__name__} of which NumPy makes no array ({error})") from error


def zeros(shape: tuple[int, ...], dtype: Any) -> Any:
    """A zeroed array, 64-byte aligned."""
    return _aligned(shape, dtype, zero=True)


def empty(shape: tuple[int, ...], dtype: Any) -> Any:
    """An array with undefined elements, 64-byte aligned."""
    return _aligned(shape, dtype, zero=False)


def clear(array: Any) -> None:
    """Zeroes all bytes of a contiguous array, whatever its dtype."""
    ctypes.memset(address_of(array), 0, array.nbytes)


def copy_of(array: Any) -> Any:
    """A fresh copy, 64-byte aligned, same shape and dtype."""
    fresh = _aligned(array.shape, array.dtype, zero=False)
    fresh[...] = array
    return fresh


def _aligned(shape: tuple[int, ...], dtype: Any, *, zero: bool) -> Any:
    import numpy as np

    dtype = np.dtype(dtype)
    count = 1
    for extent in shape:
        count *= extent
    size = count * dtype.itemsize
    raw = (np.zeros if zero else np.empty)(size + ALIGNMENT, np.uint8)
    start = -address_of(raw) % ALIGNMENT
    return np.ndarray(shape, dtype, raw, start)

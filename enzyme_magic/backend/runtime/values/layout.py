"""C types as ctypes, NumPy and LLVM see them.

Invariant: one answer per C type, or an ArgumentError that names the type; sizes and offsets are those of the debug info, never
recomputed. NumPy is imported only by the functions that return dtypes.

It does not convert values: see scalars.py and buffers.py.
"""

from __future__ import annotations

import ctypes
import re
from functools import cache
from typing import Any

from enzyme_magic.backend.frontend.c_types import (
    Array,
    CType,
    Enum,
    Pointer,
    Scalar,
    Struct,
    size_of,
)
from enzyme_magic.errors import ArgumentError

_SIGNED = {1: ctypes.c_int8, 2: ctypes.c_int16, 4: ctypes.c_int32, 8: ctypes.c_int64}
_UNSIGNED = {1: ctypes.c_uint8, 2: ctypes.c_uint16, 4: ctypes.c_uint32, 8: ctypes.c_uint64}
_CTYPES_BY_WORD: dict[str, Any] = {
    "float": ctypes.c_float,
    "double": ctypes.c_double,
    "x86_fp80": ctypes.c_longdouble,
    "ptr": ctypes.c_void_p,
    "i1": ctypes.c_bool,
    "i8": ctypes.c_int8,
    "i16": ctypes.c_int16,
    "i32": ctypes.c_int32,
    "i64": ctypes.c_int64,
}


class ExactLongDouble(ctypes.c_longdouble):
    """A long double that ctypes leaves alone: the plain c_longdouble would be rounded to a Python float."""


def long_double(number: Any) -> ExactLongDouble:
    """`number`, anything NumPy takes, as a C long double."""
    import numpy as np

    return ExactLongDouble.from_buffer_copy(np.array(number, np.longdouble).tobytes())


def is_long_double(type_: CType) -> bool:
    return isinstance(type_, Scalar) and type_.kind == "float" and type_.base == "long double"


def is_integer(type_: CType) -> bool:
    """Integers, characters, booleans and enums."""
    return isinstance(type_, Enum) or (isinstance(type_, Scalar) and type_.kind in ("int", "uint", "char", "bool"))


def is_real(type_: CType) -> bool:
    """A real floating scalar."""
    return isinstance(type_, Scalar) and type_.kind == "float"


def integer_range(type_: CType) -> range:
    """All values an integer type can hold."""
    if isinstance(type_, Scalar) and type_.kind == "bool":
        return range(0, 2)
    bits = _bits(type_)
    if _is_signed(type_):
        return range(-(1 << (bits - 1)), 1 << (bits - 1))
    return range(0, 1 << bits)


def _bits(type_: CType) -> int:
    exact = re.search(r"_BitInt\((\d+)\)", getattr(type_, "base", ""))
    return int(exact[1]) if exact else 8 * _size(type_)


def _size(type_: CType) -> int:
    size = size_of(type_)
    if size is None:
        raise _no_layout(type_)
    return size


def _is_signed(type_: CType) -> bool:
    if isinstance(type_, Enum):
        return _is_signed(type_.underlying)
    assert isinstance(type_, Scalar)
    return type_.kind in ("int", "char")


def _no_layout(type_: CType) -> ArgumentError:
    return ArgumentError(
        f"the C type {type_} cannot be passed from Python",
        code="EM313",
        hint="write a driver function in C that takes plain types",
    )


@cache
def ctype_of(type_: CType) -> Any:
    """The ctypes class by which a plain scalar or pointer is passed."""
    if isinstance(type_, (Pointer, Array)):
        return ctypes.c_void_p
    if is_long_double(type_):
        return ExactLongDouble
    if isinstance(type_, Scalar) and type_.kind == "bool":
        return ctypes.c_bool
    if isinstance(type_, Scalar) and type_.kind == "float" and type_.size in (4, 8):
        return {4: ctypes.c_float, 8: ctypes.c_double}[type_.size]
    if is_integer(type_) and _size(type_) in _SIGNED:
        return (_SIGNED if _is_signed(type_) else _UNSIGNED)[_size(type_)]
    raise _no_layout(type_)


def ctype_of_word(word: str) -> Any:
    """The ctypes class of an LLVM scalar type."""
    return ExactLongDouble if word == "x86_fp80" else _CTYPES_BY_WORD[word]


@cache
def word_of(type_: CType) -> str:
    """LLVM's type, with the extension attribute the C ABI wants, of a plain scalar or pointer."""
    kind = ctype_of(type_)
    if kind is ctypes.c_void_p:
        return "ptr"
    if kind is ctypes.c_bool:
        return "i1 zeroext"
    if is_real(type_):
        return {ctypes.c_float: "float", ctypes.c_double: "double", ExactLongDouble: "x86_fp80"}[kind]
    size = _size(type_)
    extension = (" signext" if _is_signed(type_) else " zeroext") if size < 4 else ""
    return f"i{8 * size}{extension}"


@cache
def dtype_of(type_: CType) -> Any:
    """The NumPy dtype of one element of C type `type_`; ArgumentError where there is none."""
    import numpy as np

    if isinstance(type_, Array):
        return np.dtype((dtype_of(type_.element), (_count(type_),)))
    if isinstance(type_, Struct):
        return _struct_dtype(type_)
    if is_long_double(type_):
        return np.dtype(np.longdouble)
    if isinstance(type_, Scalar) and type_.kind in ("float", "complex", "bool"):
        return _inexact_dtype(type_)
    if is_integer(type_) and _size(type_) in _SIGNED:
        return np.dtype(f"{'i' if _is_signed(type_) else 'u'}{_size(type_)}")
    if isinstance(type_, Pointer):
        return np.dtype(np.uintp)
    raise _no_layout(type_)


def _inexact_dtype(type_: Scalar) -> Any:
    import numpy as np

    if type_.kind == "bool":
        return np.dtype(np.bool_)
    known = {"float": {2: "f2", 4: "f4", 8: "f8"}, "complex": {8: "c8", 16: "c16"}}[type_.kind]
    if type_.kind == "complex" and "long double" in type_.base:
        return np.dtype(np.clongdouble)
    if type_.size not in known or "bf" in type_.base:
        raise _no_layout(type_)
    return np.dtype(known[type_.size])


def _struct_dtype(type_: Struct) -> Any:
    import numpy as np

    if any(field.bits for field in type_.fields):
        raise ArgumentError(
            f"{type_} has bit fields, which NumPy cannot describe", code="EM313", hint="pass plain members instead"
        )
    names = [field.name or f"unnamed{index}" for index, field in enumerate(type_.fields)]
    return np.dtype(
        {
            "names": names,
            "formats": [dtype_of(field.type) for field in type_.fields],
            "offsets": [field.offset for field in type_.fields],
            "itemsize": type_.size,
        }
    )


def _count(type_: Array) -> int:
    if type_.count is None:
        raise _no_layout(type_)
    return type_.count


def foreign_part(type_: CType) -> CType | None:
    """The first type in `type_` of which Python makes no value: a pointer, a vector of the processor; None: there is none."""
    if isinstance(type_, Struct):
        return next((part for field in type_.fields if (part := foreign_part(field.type)) is not None), None)
    if isinstance(type_, Array):
        return foreign_part(type_.element)
    return None if isinstance(type_, (Scalar, Enum)) else type_

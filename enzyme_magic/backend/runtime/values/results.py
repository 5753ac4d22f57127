"""What native functions give back, as Python values.

Invariant: double becomes float, float numpy.float32, long double numpy.longdouble, complex complex, a struct a structured scalar;
integers int, _Bool bool, void None, a pointer its address (None for NULL). Nothing is rounded on the way.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable
from typing import Any

from enzyme_magic.backend.frontend.c_types import CType, Scalar, Struct, size_of
from enzyme_magic.backend.native import ResultField
from enzyme_magic.backend.runtime.values import floats, layout
from enzyme_magic.errors import InternalError

Finish = Callable[[Any], Any]

_CODES = {"double": "d", "float": "f", "half": "e", "i1": "?", "i8": "b", "i16": "h", "i32": "i", "i64": "q"}
LONG_DOUBLE_SIZE = ctypes.sizeof(ctypes.c_longdouble)


def finisher(type_: CType) -> Finish | None:
    """What turns the value ctypes gives for a result of C type `type_` into the user's; None: nothing to do."""
    if layout.is_long_double(type_):
        return _long_double
    if layout.is_real(type_) and isinstance(type_, Scalar) and type_.size == 4:
        return _single
    return None


def finisher_of_word(word: str) -> Finish | None:
    """The same for an LLVM type."""
    return {"x86_fp80": _long_double, "float": _single}.get(word)


def _single(value: Any) -> Any:
    import numpy as np

    return np.float32(value)


def _long_double(value: Any) -> Any:
    import numpy as np

    return np.frombuffer(bytes(value), np.longdouble)[0]


def read_field(field: ResultField, block: Any) -> Any:
    """One field of a results block (a ctypes buffer)."""
    if field.type == "x86_fp80":
        return _long_double(bytes(block)[field.offset : field.offset + LONG_DOUBLE_SIZE])
    code = _CODES.get(field.type)
    if code is None:
        raise InternalError(f"no Python value for a result of LLVM type {field.type}", code="EM921")
    (value,) = struct.unpack_from(code, block, field.offset)
    finish = finisher_of_word(field.type)
    return value if finish is None else finish(value)


def read_value(type_: CType, field: ResultField, block: Any) -> Any:
    """The C result out of a results block: its signedness is the C type's."""
    size = size_of(type_) or 0
    return read_memory(type_, bytes(block)[field.offset : field.offset + size])


def read_memory(type_: CType, data: bytes, *, floats_only: bool = False) -> Any:
    """A value of C type `type_` out of memory (around the front end's uniform entry).

    floats_only: it is a derivative; members that are no floating numbers are zero.
    """
    if isinstance(type_, Struct):
        import numpy as np

        whole = np.frombuffer(data, layout.dtype_of(type_)).copy()
        return (floats.clear_others(whole) if floats_only else whole)[0]
    if isinstance(type_, Scalar) and (type_.kind == "complex" or type_.size not in (1, 2, 4, 8)):
        return _from_dtype(type_, data)
    value = layout.ctype_of(type_).from_buffer_copy(data).value
    finish = finisher(type_)
    return value if finish is None else finish(value)


def _from_dtype(type_: Scalar, data: bytes) -> Any:
    import numpy as np

    value = np.frombuffer(data, layout.dtype_of(type_))[0]
    return complex(value) if type_.kind == "complex" and type_.size == 16 else value

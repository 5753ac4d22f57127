"""Where CPython and NumPy keep what native code of ours reads of their objects.

Invariant: an offset is used only after it has been tried on objects of this process; where one is not as expected there are no
offsets at all (None), and nobody reads them. NumPy promises the places of an array's fields and the order of its function table to
compiled extensions; CPython's type pointer and a float's number stand where they do in every release, but on builds without
the interpreter lock.
"""

from __future__ import annotations

import ctypes
import sys
from dataclasses import dataclass
from functools import cache
from typing import Any

from enzyme_magic.backend.runtime.native.constants import (
    ARRAY_ALIGNED,
    ARRAY_CONTIGUOUS,
    ARRAY_DATA,
    ARRAY_DTYPE,
    ARRAY_FLAGS,
    ARRAY_RANK,
    ARRAY_SHAPE,
    ARRAY_WRITEABLE,
    FLOAT_NUMBER,
    OBJECT_TYPE,
)

_TABLE = {"type": 2, "new_from_descr": 94, "zeros": 183, "scalar": 60, "set_base": 282}


@dataclass(frozen=True, slots=True)
class ArrayFunctions:
    """Addresses in NumPy's function table."""

    new_from_descr: int
    zeros: int
    scalar: int
    set_base: int


@cache
def numbers_are_known() -> bool:
    """Whether an object's type and a float's double stand at OBJECT_TYPE and FLOAT_NUMBER."""
    if sys.implementation.name != "cpython" or ctypes.sizeof(ctypes.c_void_p) != 8 or object.__basicsize__ != 16:
        return False
    probes = (1.5, -0.0, 7, "x", float)
    types = all(ctypes.c_void_p.from_address(id(probe) + OBJECT_TYPE).value == id(type(probe)) for probe in probes)
    return types and all(_double(number) == number for number in (1.5, -3e300))


def _double(number: float) -> float:
    return ctypes.c_double.from_address(id(number) + FLOAT_NUMBER).value


@cache
def arrays() -> ArrayFunctions | None:
    """NumPy's functions; None where arrays or NumPy's doubles are not as expected."""
    import numpy as np

    if not numbers_are_known() or not all(map(_is_as_expected, _probes())) or _double(np.float64(2.5)) != 2.5:
        return None
    core: Any = np.__dict__.get("_core") or np.__dict__["core"]  # (its name before NumPy 2)
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    table = pointer(core._multiarray_umath._ARRAY_API, None)
    found = {name: ctypes.c_void_p.from_address(table + 8 * place).value or 0 for name, place in _TABLE.items()}
    if found.pop("type") != id(np.ndarray):
        return None
    return ArrayFunctions(**found)


def _probes() -> list[Any]:
    import numpy as np

    frozen = np.arange(12.0).reshape(3, 4)
    frozen.flags.writeable = False
    odd = np.frombuffer(b"\0" * 17, np.uint8)[1:].view(np.float64)
    return [np.zeros(3), np.zeros((2, 5), np.int32), np.zeros(()), frozen, frozen.T, frozen[:, 1], odd]


def _is_as_expected(array: Any) -> bool:
    def word(offset: int, kind: Any = ctypes.c_int64) -> int:
        return int(kind.from_address(id(array) + offset).value)

    flags, rank = word(ARRAY_FLAGS, ctypes.c_int32), word(ARRAY_RANK, ctypes.c_int32)
    if (
        rank != array.ndim
        or word(ARRAY_DATA) != array.__array_interface__["data"][0]
        or word(ARRAY_DTYPE) != id(array.dtype)
    ):
        return False
    shape = (ctypes.c_int64 * rank).from_address(word(ARRAY_SHAPE)) if rank else ()
    said = (array.flags.c_contiguous, array.flags.aligned, array.flags.writeable)
    return tuple(shape) == array.shape and said == tuple(
        bool(flags & bit) for bit in (ARRAY_CONTIGUOUS, ARRAY_ALIGNED, ARRAY_WRITEABLE)
    )

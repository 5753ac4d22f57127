"""C values in memory of our own: cells for arguments, blocks for results.

Invariant: every block is aligned to 16 bytes, C's most aligned scalar, and holds exactly what a C compiler would store there.
"""

from __future__ import annotations

import ctypes
from typing import Any

from enzyme_magic.backend.frontend.c_types import CType, Scalar, size_of
from enzyme_magic.backend.runtime.values import layout
from enzyme_magic.backend.runtime.values.buffers import Buffer


def block(size: int) -> Any:
    """A zeroed ctypes buffer of `size` bytes, at least one."""
    size = max(size, 1)
    raw = ctypes.create_string_buffer(size + 16)
    return (ctypes.c_char * size).from_buffer(raw, -ctypes.addressof(raw) % 16)


def zero_cell(type_: CType) -> Any:
    """Zeroed memory for a value of C type `type_`; one byte for void."""
    return block(size_of(type_) or 1)


def cell(value: Any, type_: CType) -> Any:
    """A ctypes buffer that holds a converted argument as C stores it."""
    if type(value) is Buffer:
        return ctypes.c_void_p(value.address)
    if isinstance(type_, Scalar) and type_.kind != "complex" and type_.size in (1, 2, 4, 8):
        return layout.ctype_of(type_)(value)
    if isinstance(value, ctypes.c_longdouble):
        return value
    import numpy as np

    data = np.asarray(value, layout.dtype_of(type_)).tobytes()
    made = block(len(data))
    ctypes.memmove(made, data, len(data))
    return made


def table(cells: list[Any]) -> Any:
    """The array of pointers to `cells`. The cells must outlive it."""
    return (ctypes.c_void_p * max(len(cells), 1))(*(ctypes.addressof(item) for item in cells))

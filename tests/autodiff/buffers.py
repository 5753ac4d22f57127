"""Arrays for native code with guard zones around them.

Invariant: `array` is a private copy, C-contiguous and 64-byte aligned, between two zones of bytes that no correct program
writes; `check()` fails when one of them changed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

ZONE = 128
_FILL = 0xFE  # as a double a large negative number, so that a read out of bounds shows too


class Guarded:
    """A copy of `source` (or zeros of its shape) between guard zones."""

    def __init__(self, source: np.ndarray, *, zero: bool = False) -> None:
        raw = np.full(source.nbytes + 2 * ZONE + 64, _FILL, np.uint8)
        start = ZONE + -(raw.ctypes.data + ZONE) % 64
        body = raw[start : start + source.nbytes]
        body[:] = 0 if zero else np.ascontiguousarray(source).reshape(-1).view(np.uint8)
        self.array: np.ndarray = body.view(source.dtype).reshape(source.shape)
        self._raw, self._start, self._stop = raw, start, start + source.nbytes

    @property
    def address(self) -> int:
        return int(self._raw.ctypes.data) + self._start

    def check(self, what: str) -> None:
        before, after = self._raw[: self._start], self._raw[self._stop :]
        if (before != _FILL).any() or (after != _FILL).any():
            raise AssertionError(f"{what}: memory beside the array was written")


def float_views(array: np.ndarray) -> list[np.ndarray]:
    """Flat writable views of all floating numbers in an array, structured dtypes included."""
    if array.dtype.names is None:
        return [array.reshape(-1)] if array.dtype.kind == "f" else []
    views: list[np.ndarray] = []
    for name in array.dtype.names:
        field: Any = array[name]
        if field.dtype.names is not None:
            views += float_views(field)
        elif field.dtype.kind == "f":
            views += [field[index] for index in _subarrays(field)]
    return views


def _subarrays(field: np.ndarray) -> list[Any]:
    """Indices whose results are one-dimensional views; a strided field cannot be flattened without a copy."""
    if field.ndim <= 1:
        return [slice(None)] if field.ndim else [Ellipsis]
    return [(*index, slice(None)) for index in np.ndindex(field.shape[:-1])]


def float_values(array: np.ndarray) -> np.ndarray:
    """All floating numbers of an array, in the order of `float_views`, as doubles."""
    views = float_views(array)
    return np.concatenate([view.reshape(-1).astype(float) for view in views]) if views else np.zeros(0)

"""The arguments of one measurement in memory: 64-byte aligned, with a zeroed shadow for each active parameter."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from benchmarks.timing.catalogue import Kernel


def aligned(source: np.ndarray) -> np.ndarray:
    """A copy that starts at a multiple of 64 bytes: vector code is up to a third slower elsewhere."""
    raw = np.empty(source.nbytes + 64, np.uint8)
    start = -raw.ctypes.data % 64
    copy = raw[start : start + source.nbytes].view(source.dtype).reshape(source.shape)
    copy[...] = source
    return copy


class Point:
    """The arguments of a kernel, with a shadow for each active one (a block of one number for a scalar)."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.arguments = [aligned(a) if isinstance(a, np.ndarray) else a for a in kernel.all_arguments()]
        self.shadows = {k: aligned(np.zeros(np.shape(self.arguments[k]))) for k in kernel.active}

    def native(self, k: int) -> Any:
        """Argument k as ctypes passes it."""
        a = self.arguments[k]
        if isinstance(a, np.ndarray):
            return ctypes.c_void_p(a.ctypes.data)
        return ctypes.c_double(a) if isinstance(a, float) else ctypes.c_int(a)

    def shadow(self, k: int) -> ctypes.c_void_p:
        """Address of a shadow; a pointer that meets active ones has one too."""
        if k not in self.shadows:
            self.shadows[k] = aligned(np.zeros(np.shape(self.arguments[k])))
        return ctypes.c_void_p(self.shadows[k].ctypes.data)

    def natives(self) -> list[Any]:
        return [self.native(k) for k in range(len(self.arguments))]

    def cleared(self) -> None:
        for shadow in self.shadows.values():
            shadow[...] = 0

    def gradient(self) -> np.ndarray:
        """What stands in the shadows of the active parameters, one after the other."""
        return np.concatenate([self.shadows[k].reshape(-1).copy() for k in self.kernel.active])

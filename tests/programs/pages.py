"""Memory at the edge: an array whose neighbour is a page nobody may touch.

Invariant: `array` lies between two pages without any access rights, either ending exactly at the second (`edge="end"`) or
starting right after the first (`edge="start"`): one byte read or written beyond that edge ends the process. `seal()` takes the
right to write away.
"""

from __future__ import annotations

import ctypes
import mmap
import weakref
from functools import cache

import numpy as np

PAGE = mmap.PAGESIZE
EDGES = ("end", "start")
_NONE, _READ, _WRITE = 0, 1, 2
_PRIVATE_ANONYMOUS = 0x22


@cache
def _libc() -> ctypes.CDLL:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
    libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    return libc


class Paged:
    """A copy of `source` at an edge."""

    def __init__(self, source: np.ndarray, edge: str = "end") -> None:
        libc = _libc()
        inner = max(-(-source.nbytes // PAGE), 1) * PAGE
        whole = libc.mmap(None, inner + 2 * PAGE, _NONE, _PRIVATE_ANONYMOUS, -1, 0)
        if whole is None or whole == ctypes.c_void_p(-1).value:
            raise MemoryError(f"mmap: errno {ctypes.get_errno()}")
        weakref.finalize(self, libc.munmap, whole, inner + 2 * PAGE)
        self._inner = whole + PAGE, inner
        self._allow(_READ | _WRITE)
        self.address = whole + PAGE + (inner - source.nbytes if edge == "end" else 0)
        bytes_ = (ctypes.c_char * source.nbytes).from_address(self.address)
        self.array: np.ndarray = np.frombuffer(memoryview(bytes_), source.dtype).reshape(source.shape)
        self.array[...] = source

    def seal(self) -> Paged:
        """Read-only from now on, for the hardware too."""
        self._allow(_READ)
        return self

    def _allow(self, rights: int) -> None:
        if _libc().mprotect(*self._inner, rights):
            raise OSError(ctypes.get_errno(), "mprotect")

"""Memory that this process and its workers see at the same address.

Invariant: one region of addresses for the process, backed by a file in memory that has no name: pages exist when they are touched,
and nothing is left when the processes end. A worker maps the whole at the same place, so that a pointer means the same on both
sides. A block belongs to one owner and goes back when that is collected; large ones give their pages back to the system. A forked
child makes a region of its own, and leaves that of its parent alone.
"""

from __future__ import annotations

import ctypes
import operator
import os
import random
import sys
import threading
from collections import deque
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from enzyme_magic.backend.runtime.values import buffers
from enzyme_magic.errors import ArgumentError, ToolchainError, user_frames

_SIZES = (1 << 40, 1 << 36, 1 << 33)  # of addresses; the largest that the system gives
_PLACES = range(0x0A00_0000_0000, 0x4000_0000_0000, 1 << 30)  # where neither programs nor libraries are loaded
_TRIES = 8
_PAGES = 1 << 20  # a free block from this size on gives its pages back
_SMALLEST = 64
_SHARED, _EXACTLY, _UNRESERVED, _REMOVE = 0x01, 0x100000, 0x4000, 9
_READ_WRITE = 3


class SharedRegion:
    """Addresses from `start` to `end`, and the file behind them."""

    def __init__(self, start: int, size: int, file: int) -> None:
        self.start, self.end, self.file = start, start + size, file
        self.process = os.getpid()
        self._next = start
        self._free: dict[int, list[int]] = {}
        self._returned: deque[tuple[int, int]] = deque()  # by collected owners, in any thread at any time
        self._lock = threading.Lock()

    def holds(self, start: int, end: int) -> bool:
        """Whether all bytes from `start` to `end` lie here."""
        return self.start <= start and end <= self.end

    def take(self, size: int) -> SharedBlock:
        """A block of at least so many bytes."""
        size = _class_of(size)
        with self._lock:
            self._put_back()
            known = self._free.get(size)
            if known:
                return SharedBlock(self, known.pop(), size, clean=size >= _PAGES)
            if self._next + size > self.end:
                raise MemoryError(f"no {size:,} bytes left in the {self.end - self.start:,} of shared memory")
            address, self._next = self._next, self._next + size
            return SharedBlock(self, address, size, clean=True)

    def give_back(self, address: int, size: int) -> None:
        if os.getpid() == self.process:
            self._returned.append((address, size))

    def _put_back(self) -> None:
        while self._returned:
            address, size = self._returned.popleft()
            if size >= _PAGES:
                _libc().madvise(address, size, _REMOVE)
            self._free.setdefault(size, []).append(address)


class SharedBlock:
    """Memory of its own. clean: it holds zeros."""

    __array_interface__: dict[str, Any]

    __slots__ = ("__array_interface__", "address", "clean", "region", "size")

    def __init__(self, region: SharedRegion, address: int, size: int, *, clean: bool) -> None:
        self.region, self.address, self.size, self.clean = region, address, size, clean

    def __del__(self) -> None:
        self.region.give_back(self.address, self.size)


def _class_of(size: int) -> int:
    """The size of block for so many bytes: four to each power of two, so that what is given back is found again."""
    size = max(size, _SMALLEST)
    step = max(1 << (size.bit_length() - 3), 4096 if size > _PAGES else _SMALLEST)
    return -(-size // step) * step


_regions: list[SharedRegion] = []
_lock = threading.Lock()


def region() -> SharedRegion:
    """This process's region; made when it is first needed. ToolchainError EM152 where the system has none."""
    if _regions:
        return _regions[-1]
    with _lock:
        if not _regions:
            _regions.append(_new())
    return _regions[-1]


def current() -> SharedRegion | None:
    """The region, if there is one already."""
    return _regions[-1] if _regions else None


def _in_child() -> None:
    global _lock
    _lock = threading.Lock()
    _kept.extend(_regions)  # mapped as before, and the parent's
    _regions.clear()


_kept: list[SharedRegion] = []
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)


def _new() -> SharedRegion:
    if sys.platform != "linux" or not hasattr(os, "memfd_create"):
        raise _impossible("it needs Linux")
    try:
        file = os.memfd_create("enzyme_magic")
    except OSError as error:
        raise _impossible(str(error)) from error
    for size in _SIZES:
        try:
            os.ftruncate(file, size)
        except OSError:
            continue
        for _ in range(_TRIES):
            start = random.choice(_PLACES)
            if map_at(start, size, file):
                return SharedRegion(start, size, file)
    os.close(file)
    raise _impossible("the system gives no memory for it")


def map_at(start: int, size: int, file: int) -> bool:
    """Map the file exactly there, if nothing else is there."""
    found = _libc().mmap(start, size, _READ_WRITE, _SHARED | _EXACTLY | _UNRESERVED, file, 0)
    if found == start:
        return True
    if found not in (None, ctypes.c_void_p(-1).value):
        _libc().munmap(found, size)
    return False


def _impossible(why: str) -> ToolchainError:
    return ToolchainError(
        f"memory cannot be shared with a worker process: {why}", code="EM152", hint="compile without isolate"
    )


@cache
def _libc() -> Any:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
    libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    libc.madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    return libc


@user_frames
def shared_empty(shape: int | Sequence[int], dtype: Any = "float64") -> Any:
    """An array of undefined content that calls of isolated programs use in place: no byte of it is copied.

    As np.empty. Calls in this process take it as any other array; so do views of it. ArgumentError EM354 for dtypes that hold
    Python objects or negative extents, ToolchainError EM152 where the system has no memory to share, MemoryError.
    """
    return _array(shape, dtype)[0]


def copy_of(array: Any) -> Any:
    """A copy in shared memory, without gaps; the array itself where it lies there."""
    known = region()
    start = buffers.address_of(array)
    if array.flags.c_contiguous and known.holds(start, start + array.nbytes):
        return array
    made = shared_empty(array.shape, array.dtype)
    made[...] = array
    return made


def zeros(shape: Sequence[int], dtype: Any) -> Any:
    """The same, zeroed."""
    array, clean = _array(tuple(shape), dtype)
    if not clean:
        buffers.clear(array)
    return array


def _array(shape: int | Sequence[int], dtype: Any) -> tuple[Any, bool]:
    import numpy as np

    try:
        kind = np.dtype(dtype)
        extents = tuple(map(operator.index, shape if isinstance(shape, Iterable) else (shape,)))
    except (TypeError, ValueError):  # of a text that names no type, too
        kind, extents = np.dtype(object), ()
    if kind.hasobject or any(extent < 0 for extent in extents):
        raise ArgumentError(
            f"shared_empty({shape!r}, {dtype!r}): shared memory holds numbers, and extents are 0 or more",
            code="EM354",
            hint="em.shared_empty((3, 4), np.float64)",
        )
    size = kind.itemsize
    for extent in extents:
        size *= extent
    block = region().take(size)
    block.__array_interface__ = {
        "shape": (max(size, 1),),
        "typestr": "|u1",
        "data": (block.address, False),
        "version": 3,
    }
    return np.ndarray(extents, kind, np.asarray(block), 0), block.clean

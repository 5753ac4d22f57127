"""This thread's tape memory, kept between calls.

Invariant: one arena per thread, made when first asked for and freed when the thread ends; blocks are 64-byte aligned and released
in the opposite order of their allocation. Between calls it holds no block and keeps its largest chunk; when it is empty and
that chunk is smaller than the peak, it takes one chunk of the peak's size, so that a repeated gradient touches no fresh
pages. The limit (Settings.tape_limit) is exact; beyond it the running call becomes an ExecutionError.

The native half is C: native/c/chunks.c, and what derivative code allocates with in native/c/arena.c. support.py loads it.
"""

from __future__ import annotations

import ctypes
import threading
from dataclasses import dataclass
from functools import cache

from enzyme_magic.backend.runtime.native import constants, support

_here = threading.local()


class _Arena(ctypes.Structure):
    """struct arena of native/c/arena.h."""

    _fields_ = [(name, ctypes.c_uint64) for name in constants.ARENA_FIELDS]


@dataclass(frozen=True, slots=True)
class Statistics:
    """Bytes, each block rounded up to 64.

    in_use: allocated and not released. peak: most ever in use at once. total: released so far, so after a call everything
    it put on its tape. chunks: how often memory was asked from the system.
    """

    in_use: int
    peak: int
    total: int
    chunks: int


def current() -> int:
    """Address of this thread's arena: what an "arena" slot is passed."""
    try:
        return _here.address  # type: ignore[no-any-return]
    except AttributeError:
        _here.address = _functions()[0]()
        return _here.address  # type: ignore[no-any-return]


def address_of_current() -> int:
    """Address of the native function that gives the calling thread's arena; its first word is what `mark` gives."""
    address: int = support.load().address("em.run.arena_current")
    return address


def mark() -> int | None:
    """Where the arena stands now; None while this thread has no arena."""
    address = getattr(_here, "address", None)
    return None if address is None else ctypes.c_void_p.from_address(address).value or 0


def release(to: int | None) -> None:
    """Releases every block allocated since `mark()` gave `to`; all of them for None."""
    address = getattr(_here, "address", None)
    if address is not None:
        _functions()[1](address, to or None)


def statistics() -> Statistics:
    """What this thread's tape has used since `reset_statistics`."""
    arena = _Arena.from_address(current())
    in_use = arena.before + arena.current - arena.start
    return Statistics(in_use, max(arena.peak, in_use), arena.total, arena.chunks)


def reset_statistics() -> None:
    arena = _Arena.from_address(current())
    arena.peak = arena.total = arena.chunks = 0


def stack() -> tuple[int, int]:
    """This thread's stack: its lowest address and its size; zeros where the system does not tell."""
    arena = _Arena.from_address(current())
    size = int(arena.stack_size)
    return int(arena.stack_limit) - min(size // 4, constants.STACK_RESERVE), size


def set_limit(limit: int) -> None:
    """Bytes this thread's arena may hold; rounded down to a multiple of 64."""
    _Arena.from_address(current()).limit = limit & -64


def trim() -> None:
    """Gives the memory kept between calls back to the system."""
    release(None)
    _functions()[2](current())


@cache
def _functions() -> tuple[ctypes._FuncPointer, ...]:
    library = support.load()
    current_ = ctypes.CFUNCTYPE(ctypes.c_void_p)(library.address("em.run.arena_current"))
    unwind = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(library.address("em.run.arena_unwind"))
    trim_ = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(library.address("em.run.arena_trim"))
    return current_, unwind, trim_

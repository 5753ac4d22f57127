"""A few bytes of machine code per function: they say which function a guard calls, so that Python need not pass it.

Invariant: a stub puts the target into the register of LLVM's `nest` parameter and jumps to the guard; every argument stays where
it is. The memory is mapped twice, once to be written and once to be run, never both. A stub is used again when the callable it was
made for is gone, unless the process has forked since: parent and child then share the memory, and neither writes it. Where there
are no stubs (another processor, a system that forbids them) the caller passes the target instead.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import platform
import threading
from dataclasses import dataclass, field

_SIZE = 32
_BYTES = 1 << 20
_lock = threading.RLock()


@dataclass(slots=True)
class _Room:
    writing: mmap.mmap
    running: int
    used: int = 0
    free: list[int] = field(default_factory=list)


_rooms: list[_Room] = []  # the one that may be written, if any


def make(target: int, guard: int) -> int | None:
    """The address of a stub; None where there can be none."""
    with _lock:
        if not _rooms and (made := _new_room()) is not None:
            _rooms.append(made)
        for room in _rooms:
            at = room.free.pop() if room.free else room.used
            if at + _SIZE <= _BYTES:
                room.used = max(room.used, at + _SIZE)
                # movabs r10, target; movabs r11, guard; jmp r11
                code = b"\x49\xba%b\x49\xbb%b\x41\xff\xe3" % (target.to_bytes(8, "little"), guard.to_bytes(8, "little"))
                room.writing[at : at + len(code)] = code
                return room.running + at
    return None


def free(stub: int) -> None:
    """Nobody calls the stub any more."""
    with _lock:
        for room in _rooms:
            if room.running <= stub < room.running + _BYTES:
                room.free.append(stub - room.running)


def _new_room() -> _Room | None:
    if platform.machine() != "x86_64" or not hasattr(os, "memfd_create"):
        return None
    try:
        descriptor = os.memfd_create("enzyme_magic")
        try:
            os.ftruncate(descriptor, _BYTES)
            writing = mmap.mmap(descriptor, _BYTES)
            running = _mmap()(None, _BYTES, mmap.PROT_READ | mmap.PROT_EXEC, mmap.MAP_SHARED, descriptor, 0)
        finally:
            os.close(descriptor)
    except OSError:
        return None
    return None if running in (None, ctypes.c_void_p(-1).value) else _Room(writing, running)


def _before_fork() -> None:
    _lock.acquire()
    _rooms.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_lock.release, after_in_child=_lock.release)


def _mmap() -> ctypes._FuncPointer:
    """The C library's: Python's own gives no address of memory that cannot be written."""
    function = ctypes.CDLL(None).mmap
    function.restype = ctypes.c_void_p
    function.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
    return function

"""Which file without an end a process is reading, or waits to open: a device, a pipe with a name, a file of /proc.

A compiler that includes `/dev/zero` reads until its memory is used up, and one that includes a pipe waits for ever; neither
can be seen in the C text, where the name may come from a macro or another header. Invariant: what is named is open in one of the
processes (or is being opened) at this moment and is no ordinary file. It needs Linux's /proc; elsewhere nothing is found.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterable, Iterator

_OPENS = {
    "2": 1,
    "257": 2,
    "56": 2,
}  # system calls that open, as /proc numbers them -> which word is the path's address
_LONGEST = 4096  # bytes of a path
_HARMLESS = frozenset({"/dev/null"})
_STANDARD = 3  # descriptors below are what we gave the process


def endless(pids: Iterable[int]) -> str | None:
    """The path of the first such file."""
    found = (path for pid in pids for path in (*_opened(pid), *_opening(pid)))
    return next((path for path in found if _has_no_end(path)), None)


def _opened(pid: int) -> Iterator[str]:
    with contextlib.suppress(OSError):  # gone meanwhile, or not ours to see
        for name in os.listdir(f"/proc/{pid}/fd"):
            if int(name) >= _STANDARD:
                with contextlib.suppress(OSError):
                    yield os.readlink(f"/proc/{pid}/fd/{name}")


def _opening(pid: int) -> Iterator[str]:
    """The path that a thread of the process waits to open."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/syscall") as file:
                words = file.read().split()
            if words[0] in _OPENS:
                yield _text(pid, int(words[_OPENS[words[0]]], 16))


def _text(pid: int, address: int) -> str:
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
        memory.seek(address)
        return os.fsdecode(memory.read(_LONGEST).split(b"\0")[0])


def _has_no_end(path: str) -> bool:
    """Whether it is an absolute path of what is no ordinary file. (Pipes without a name are no paths.)"""
    if not path.startswith("/") or path in _HARMLESS:
        return False
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return path.startswith("/proc/") or stat.S_ISCHR(mode) or stat.S_ISFIFO(mode)

"""Ending calls of C code from outside: interrupts, and `time_limit`.

Invariant: everything happens in the thread whose call ends (native/c/stops.c); there is no thread that watches and no lock. On
systems where signals are left as they are an interrupt waits for the call, and `time_limit` is refused.

Interrupts come by two ways, and either will do: Python's wakeup descriptor, which stays when a kernel changes the handler of
SIGINT for each cell, and a handler on top of Python's (signals.py), which stays when a terminal's prompt takes the descriptor
away. Whoever had them before is told as before. What was taken away is put back the next time a kind of function is first called.
"""

from __future__ import annotations

import contextlib
import ctypes
import math
import os
import signal
import struct
import threading
import time
from types import TracebackType
from typing import Any

from enzyme_magic.backend.runtime import arena, signals
from enzyme_magic.backend.runtime.native import constants, support
from enzyme_magic.errors import ArgumentError, ExecutionError, ToolchainError

_SET_SIGNAL, _SET_OWNER, _OWNER_IS_THREAD = 10, 15, 0  # fcntl's F_SETSIG, F_SETOWN_EX, F_OWNER_TID
_pipe: list[int] = []  # reading, writing
_here = threading.local()


class _Slot(ctypes.Structure):
    """struct slot of native/c/stops.c."""

    _fields_ = [(name, ctypes.c_int64) for name in constants.SLOT_FIELDS]


def listen() -> None:
    """An interrupt ends calls of C code from now on. Only the main thread can arrange it; in others nothing happens."""
    if not constants.catches_signals() or threading.current_thread() is not threading.main_thread():
        return
    with contextlib.suppress(OSError, ValueError, RuntimeError):
        _listen()


def _listen() -> None:
    ends = _pipe or _new_pipe()
    before = signal.set_wakeup_fd(ends[1], warn_on_full_buffer=False)
    if before == ends[1]:
        return
    wake = (ctypes.c_int32 * 2).from_address(support.load().address("em.run.wake"))
    wake[1] = before
    wake[0] = ends[0]


def _new_pipe() -> list[int]:
    """A pipe whose writing makes the kernel send the signal to the main thread."""
    import fcntl

    arena.current()  # the handler looks for the thread's slot there
    reading, writing = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
    try:
        fcntl.fcntl(reading, _SET_SIGNAL, constants.STOP_SIGNAL)
        fcntl.fcntl(reading, _SET_OWNER, struct.pack("ii", _OWNER_IS_THREAD, os.getpid()))
        fcntl.fcntl(reading, fcntl.F_SETFL, fcntl.fcntl(reading, fcntl.F_GETFL) | os.O_ASYNC)
    except OSError:
        os.close(reading)
        os.close(writing)
        raise
    _pipe[:] = [reading, writing]
    return _pipe


def _in_child() -> None:
    """A forked child has neither the parent's threads nor its timers, and must not write where the parent listens."""
    if not _pipe:
        return
    library = support.load()
    ctypes.PYFUNCTYPE(None)(library.address("em.run.reborn"))()
    ours = list(_pipe)
    _pipe.clear()
    wake = (ctypes.c_int32 * 2).from_address(library.address("em.run.wake"))
    wake[0] = -1
    with contextlib.suppress(OSError, ValueError, RuntimeError):
        before = signal.set_wakeup_fd(-1)
        if before not in (ours[1], -1):
            signal.set_wakeup_fd(before)
        elif before == ours[1]:
            signal.set_wakeup_fd(wake[1])
    for descriptor in ours:
        os.close(descriptor)
    listen()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)


class time_limit:
    """Calls of C code in this block, `map` and `check_grads` included, end after so many seconds with ExecutionError EM410.

        with em.time_limit(2.0):
            f.grad(x)

    The seconds count from the beginning of the block, for the calls of this thread together; of nested limits the nearest
    holds. The tape is given back; memory from the heap stays allocated, as after exit(). Python's own work in the block is not
    ended: the next call is. Functions that other libraries call by their address are not ended.
    Raises ArgumentError EM352 for a limit that is no positive number, ToolchainError EM135 where the system cannot do it.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = _checked(seconds)

    def __enter__(self) -> time_limit:
        slot, _ = _thread()
        limits = _limits()
        deadline = min(time.monotonic_ns() + int(self.seconds * 1e9), 1 << 62)
        limits.append((deadline, self.seconds))
        _apply(slot, limits)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        slot, _ = _thread()
        limits = _limits()
        limits.pop()
        _apply(slot, limits)


def _checked(seconds: Any) -> float:
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not math.isfinite(seconds) or seconds <= 0:
        raise ArgumentError(
            f"time_limit({seconds!r}): a limit is a positive number of seconds", code="EM352", hint="em.time_limit(2.0)"
        )
    return float(min(seconds, 1e9))


def _limits() -> list[tuple[int, float]]:
    """The limits of the blocks that this thread is in, outermost first."""
    try:
        return _here.limits  # type: ignore[no-any-return]
    except AttributeError:
        made: list[tuple[int, float]] = []
        _here.limits = made
        return made


def _apply(slot: _Slot, limits: list[tuple[int, float]]) -> None:
    """Tell the native half of the nearest limit. A signal in between does no harm: without a deadline none expires."""
    slot.deadline = 0
    nearest = min((deadline for deadline, _ in limits), default=0)
    slot.expired = int(bool(nearest) and time.monotonic_ns() >= nearest)
    slot.deadline = nearest
    _arm()(ctypes.addressof(slot), False)


def _thread() -> tuple[_Slot, int]:
    """This thread's slot and its address."""
    if not constants.catches_signals():
        raise _impossible()
    library = support.load()
    signals.install(library)
    address = ctypes.PYFUNCTYPE(ctypes.c_void_p)(library.address("em.run.slot"))()
    if not address:
        raise _impossible()
    return _Slot.from_address(address), address


def _arm() -> Any:
    return ctypes.PYFUNCTYPE(None, ctypes.c_void_p, ctypes.c_bool)(support.load().address("em.run.arm"))


def _impossible() -> ToolchainError:
    return ToolchainError(
        "time_limit: calls of C code cannot be ended on this system",
        code="EM135",
        hint="Linux on x86-64 or AArch64 can, for up to 4,096 threads at once",
    )


def own_slot() -> Any:
    """This thread's slot; None where calls cannot be ended from outside. In the main thread, interrupts are heard from now on."""
    try:
        return _here.slot
    except AttributeError:
        _here.slot = None
        with contextlib.suppress(ToolchainError):
            _here.slot, _ = _thread()
            listen()
        return _here.slot


def deadline() -> float | None:
    """When the nearest limit of this thread is reached, as time.monotonic() tells it."""
    limits = _limits()
    return min(deadline / 1e9 for deadline, _ in limits) if limits else None


def limit_error() -> ExecutionError:
    """What a call raises that reached a limit."""
    now = time.monotonic_ns()
    reached = [seconds for deadline, seconds in _limits() if deadline <= now]
    text = f"the time limit of {reached[-1]:g} s" if reached else "the time limit"
    return ExecutionError(
        f"{text} was reached, and the call ended where it stood",
        code="EM410",
        hint="a longer limit, or a smaller problem; what the call was writing may be half written",
    )

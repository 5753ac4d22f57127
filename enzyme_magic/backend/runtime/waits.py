"""A call that waits for others: for its worker, or for a thread that holds what it needs.

Invariant: a wait ends as the call itself would, by the limit of its thread or by an interrupt that is this thread's to take
(native/c/stops.c). Nobody wakes a thread that waits: it looks by itself, several times a second. What
is to be done about whom it waited for is the caller's to decide.
"""

from __future__ import annotations

import time
from types import TracebackType
from typing import Any

from enzyme_magic.backend.runtime import stops
from enzyme_magic.errors import InterruptedCall

SECONDS = 0.05  # between two looks
_WAITS, _TOLD = 1, 2


class Waiting:
    """`with Waiting() as wait:` this thread counts as one that is in a call."""

    __slots__ = ("_slot",)

    def __enter__(self) -> Waiting:
        self._slot: Any = stops.own_slot()
        if self._slot is not None:
            self._slot.waits = _WAITS
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._slot is not None:
            self._slot.waits = 0

    @property
    def is_interrupted(self) -> bool:
        return self._slot is not None and self._slot.waits == _TOLD

    @property
    def is_late(self) -> bool:
        """Whether the thread's limit is reached."""
        deadline = stops.deadline()
        return deadline is not None and time.monotonic() >= deadline

    def seconds(self) -> float:
        """How long to wait before the next look."""
        deadline = stops.deadline()
        return SECONDS if deadline is None else min(SECONDS, max(deadline - time.monotonic(), 0.0))


def take(lock: Any, name: str = "the call") -> None:
    """Acquire the lock. ExecutionError EM410 or InterruptedCall EM412 where the wait is ended first; the lock is not held then."""
    if lock.acquire(blocking=False):
        return
    with Waiting() as wait:
        while not (held := lock.acquire(timeout=wait.seconds())) and not wait.is_interrupted and not wait.is_late:
            pass
        if held and not wait.is_interrupted:  # an interrupt ends both calls, and the other one may have gone first
            return
        if held:
            lock.release()
        if wait.is_interrupted:
            raise InterruptedCall(
                f"{name} was interrupted while it waited for the call of another thread", hint="it had not begun"
            )
        raise stops.limit_error()

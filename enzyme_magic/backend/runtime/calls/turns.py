"""Functions that write static data take turns.

C keeps one copy of a static variable, and a derivative one copy of its shadow: two threads inside of such functions at once would
mix their numbers. Invariant: of the functions that may write a global variable, directly or by their derivative's shadows, one runs
at a time in this process; the thread that runs it may call another. All others run side by side.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from enzyme_magic.backend.runtime import waits

turn = threading.RLock()


def taken(native: Callable[..., Any]) -> Callable[..., Any]:
    """`native`, one call at a time."""

    def call(*arguments: Any) -> Any:
        waits.take(turn)
        try:
            return native(*arguments)
        finally:
            turn.release()

    call.native = native  # type: ignore[attr-defined]
    return call

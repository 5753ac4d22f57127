"""Room for long work on large graphs: the cyclic garbage collector rests, and Python may recurse as deep as C programs.

Why: a compilation makes hundreds of thousands of objects that all live until it ends, and each full collection walks
them again; and constants, statics that point to statics, and integers are looked through from one to the next. Chains of calls and
of pointers need no room.
Settings are put back as they were; nested and concurrent use is counted.
"""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

DEEPEST = 100_000
_lock = threading.Lock()
_users = 0
_before: tuple[bool, int] = (True, 1000)


@contextmanager
def undisturbed() -> Iterator[None]:
    """While the body runs, no cyclic collection starts and recursion is limited by DEEPEST only."""
    global _users, _before
    with _lock:
        if not _users:
            _before = (gc.isenabled(), sys.getrecursionlimit())
            gc.disable()
            sys.setrecursionlimit(max(DEEPEST, _before[1]))
        _users += 1
    try:
        yield
    finally:
        with _lock:
            _users -= 1
            if not _users:
                if _before[0]:
                    gc.enable()
                sys.setrecursionlimit(_before[1])

"""Room for long work on large graphs: the cyclic garbage collector rests, and Python may recurse as deep as C programs.

In each stage of a compilation the collector rests (`uncollected`); where graphs of a program are walked, there is room as well.

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
_resting, _collected = 0, True  # who keeps the collector from its work; whether it worked before
_users, _before = 0, 1000  # who needs room; the limit before


@contextmanager
def uncollected() -> Iterator[None]:
    """While the body runs, no cyclic collection starts."""
    global _resting, _collected
    with _lock:
        if not _resting:
            _collected = gc.isenabled()
            gc.disable()
        _resting += 1
    try:
        yield
    finally:
        with _lock:
            _resting -= 1
            if not _resting and _collected:
                gc.enable()


@contextmanager
def undisturbed() -> Iterator[None]:
    """The same, and recursion is limited by DEEPEST only."""
    global _users, _before
    with _lock:
        if not _users:
            _before = sys.getrecursionlimit()
            sys.setrecursionlimit(max(DEEPEST, _before))
        _users += 1
    try:
        with uncollected():
            yield
    finally:
        with _lock:
            _users -= 1
            if not _users:
                sys.setrecursionlimit(_before)

"""C functions that a later cell was to replace, and did not because it failed: what is asked of such a function is asked of an
older text than the one that is seen. The magics say when; the exercises ask.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

from enzyme_magic.api.function import CFunction

_FAILED: WeakKeyDictionary[CFunction, str] = WeakKeyDictionary()


def keep(function: CFunction, cell: str) -> None:
    """`cell` should have replaced the function, and failed."""
    _FAILED[function] = cell


def replace(function: CFunction) -> None:
    """A cell has made it again: it is what is seen."""
    _FAILED.pop(function, None)


def failed_cell(function: CFunction) -> str:
    """The last cell that should have replaced the function; empty where it is what is seen."""
    return _FAILED.get(function, "")

"""Static data as it was before a call.

Invariant: after a call, whether it returned or raised, the bytes are those from before it. Whoever wraps a call with this takes its
turn first (turns.py): while a call runs, the program's other calls that write static data wait. Which bytes: program/statics.py.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from enzyme_magic.backend.native import Static


@dataclass(frozen=True, slots=True)
class StaticPlace:
    """`size` bytes, `offset` behind `address`; or behind this thread's variable, which is asked for with `address`."""

    address: int
    offset: int
    size: int
    each_threads: bool = False

    def here(self) -> int:
        """The address of the bytes, in this thread."""
        return (_of_thread(self.address) if self.each_threads else self.address) + self.offset


Places = tuple[StaticPlace, ...]


def _of_thread(control: int) -> int:
    address = ctypes.CDLL("libgcc_s.so.1").__emutls_get_address
    address.restype, address.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
    return int(address(control))


def places(statics: Sequence[Static], library: Any) -> Places:
    """Where the data lies. library: a jit.Library; what neither it nor the libraries below define, its code cannot write."""
    return tuple(place for _, place in _found(statics, library))


def reachable(statics: Sequence[Static], library: Any) -> tuple[Static, ...]:
    """Those that the library's code can name."""
    return tuple(static for static, _ in _found(statics, library))


def _found(statics: Sequence[Static], library: Any) -> list[tuple[Static, StaticPlace]]:
    if library is None:
        return []
    found = []
    for static in statics:
        addresses = (one.find(static.symbol) for one in (library, *_below(library)))
        address = next((a for a in addresses if a is not None), None)
        if address is not None:
            found.append((static, StaticPlace(address, static.offset, static.size, static.each_threads)))
    return found


def _below(library: Any) -> list[Any]:
    found: list[Any] = list(library.needs)
    for one in found:
        found += [needed for needed in one.needs if needed not in found]
    return found


def copied(where: Places) -> list[bytes]:
    """The data as it is now."""
    return [ctypes.string_at(place.here(), place.size) for place in where]


def restore(where: Places, data: Sequence[bytes]) -> None:
    for place, content in zip(where, data, strict=True):
        ctypes.memmove(place.here(), content, place.size)


def carry(statics: Sequence[Static], source: Any, target: Any) -> frozenset[str]:
    """Copy static data to another library of the same program. Gives the names of the variables that changed there."""
    changed = set()
    targets = dict(_found(statics, target))
    for static, place in _found(statics, source):
        if static in targets:
            data = ctypes.string_at(place.here(), place.size)
            there = targets[static].here()
            if data != ctypes.string_at(there, place.size):
                changed.add(static.symbol)
                ctypes.memmove(there, data, place.size)
    return frozenset(changed)


def put_back(native: Callable[..., Any], where: Places) -> Callable[..., Any]:
    """`native`, and the data as before."""

    def call(*arguments: Any) -> Any:
        data = copied(where)
        try:
            return native(*arguments)
        finally:
            restore(where, data)

    call.native = native  # type: ignore[attr-defined]
    return call


def put_back_each_time(native: Callable[..., Any], where: Places) -> Callable[..., Any]:
    """A loop whose first parameter is a copy of the data: it puts it back after each call that it makes."""

    def call(*arguments: Any) -> Any:
        data = copied(where)
        try:
            return native(b"".join(data), *arguments)
        finally:
            restore(where, data)

    return call

"""The frame of a call: where the native parameters and the result of one function lie in shared memory.

Invariant: both processes make the same frame of the same Entry. Numbers are fields of it; what a native parameter points to that
belongs to the call (results blocks, the tables of uniform entries) has a fixed place behind them. Arrays lie elsewhere, and
their addresses hold on both sides.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

from enzyme_magic.backend.frontend.c_types import Signature, Void, size_of
from enzyme_magic.backend.native import Entry
from enzyme_magic.backend.runtime.calls import native_types

_ALIGNED = 64


@dataclass(frozen=True, slots=True)
class OwnMemory:
    """Memory of the call itself, for native parameter `slot`. cells: offset and size of what a table points to. back: the caller
    sees what the call writes."""

    slot: int
    offset: int
    size: int
    cells: tuple[tuple[int, int], ...] = ()
    back: bool = True


@dataclass(frozen=True, slots=True)
class CallFrame:
    """kind: the ctypes structure, with a field `p0` … for each native parameter and `result`. pointers: native parameters
    that point into arrays; arenas: those that the worker itself supplies."""

    kind: Any
    size: int
    places: tuple[OwnMemory, ...]
    pointers: tuple[int, ...]
    arenas: tuple[int, ...]
    returns: bool


def frame_of(entry: Entry, signature: Signature) -> CallFrame:
    """The frame for calls of one native function."""
    fields = [(f"p{k}", native_types.ctype_of_slot(slot, entry, signature)) for k, slot in enumerate(entry.slots)]
    result = native_types.ctype_of_result(entry, signature)
    kind = type("Frame", (ctypes.Structure,), {"_fields_": [*fields, *([("result", result)] if result else [])]})
    uniform = any(slot.kind == "arguments" for slot in entry.slots)
    at = _Room(ctypes.sizeof(kind))
    places: list[OwnMemory] = []
    pointers: list[int] = []
    for k, slot in enumerate(entry.slots):
        if slot.kind in ("results", "shadow-results"):
            size = _result_size(signature) if uniform else entry.size
            places.append(OwnMemory(k, at.take(size), size))
        elif slot.kind in ("arguments", "shadow-arguments"):
            sizes = [size_of(parameter.type) or 1 for parameter in signature.parameters]
            cells = tuple((at.take(size), size) for size in sizes)
            table = 8 * max(len(sizes), 1)
            places.append(OwnMemory(k, at.take(table), table, cells, slot.kind == "shadow-arguments"))
        elif slot.kind != "arena" and native_types.slot_word(slot, entry, signature) == "ptr":
            pointers.append(k)
    arenas = tuple(k for k, slot in enumerate(entry.slots) if slot.kind == "arena")
    return CallFrame(kind, at.end, tuple(places), tuple(pointers), arenas, result is not None)


def _result_size(signature: Signature) -> int:
    return 1 if isinstance(signature.result, Void) else size_of(signature.result) or 1


class _Room:
    """Places one behind the other."""

    def __init__(self, used: int) -> None:
        self.end = -(-max(used, 1) // _ALIGNED) * _ALIGNED

    def take(self, size: int) -> int:
        start = self.end
        self.end += -(-max(size, 1) // _ALIGNED) * _ALIGNED
        return start

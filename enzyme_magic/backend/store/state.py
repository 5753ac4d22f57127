"""The writable data of a loaded program: what changed since it was loaded, and what of that another process can be given.

Invariant: numbers travel, addresses do not. A variable whose bytes hold an address of this process is left behind, and so is one
that each thread has of its own; a function that mentions such a variable, at any depth, is refused elsewhere (`lost_to`), never
called with other content. What other libraries and the system keep (files, random numbers) is not the program's data.
"""

from __future__ import annotations

import base64
import ctypes
import hashlib
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from enzyme_magic.backend.autodiff.calls.request import STATIC_PREFIX
from enzyme_magic.backend.ir.graphs.callgraph import globals_in
from enzyme_magic.backend.ir.linkage import is_each_threads
from enzyme_magic.backend.ir.module import Function, GlobalAlias, GlobalVariable, Module
from enzyme_magic.backend.ir.values import Value
from enzyme_magic.backend.llvm.objects import elf
from enzyme_magic.backend.llvm.objects.jit import Library

_WORD = 8
_SMALL = 1 << 16


@dataclass(frozen=True, slots=True)
class State:
    """values: (variable, compressed bytes as text) of what changed since the program was loaded. left: what cannot travel."""

    values: tuple[tuple[str, str], ...] = ()
    left: tuple[str, ...] = ()


def variables(code: bytes) -> dict[str, int]:
    """The writable variables of object code with their sizes; those that derivatives keep for a call are none of the program's."""
    found = elf.writable(code) if code else {}
    own = {name: size for name, size in found.items() if name.startswith(STATIC_PREFIX) or not name.startswith("em.")}
    return {name: -1 if is_each_threads(name) else size for name, size in own.items()}


def marks(library: Library, sizes: Mapping[str, int]) -> dict[str, bytes]:
    """A digest of each variable as it is now."""
    return {name: _digest(_bytes(library, name, size)) for name, size in sizes.items() if size >= 0}


def taken(library: Library, sizes: Mapping[str, int], before: Mapping[str, bytes]) -> State:
    """What differs from the digests `before`."""
    if not sizes:
        return State()
    own = [(library.address(name), library.address(name) + size) for name, size in sizes.items() if size > 0]
    maps = _mapped()
    values, left = [], []
    for name, size in sizes.items():
        if size < 0:
            left.append(name)
            continue
        held = _bytes(library, name, size)
        changed = _digest(held) != before[name]
        if _holds_address(held, maps, own, any_=changed):
            left.append(name)
        elif changed:
            values.append((name, base64.b85encode(zlib.compress(held, 1)).decode()))
    return State(tuple(values), tuple(left))


def put(library: Library, state: State) -> None:
    """Give the variables of a program that was just loaded the values they had elsewhere."""
    for name, text in state.values:
        held = zlib.decompress(base64.b85decode(text))
        ctypes.memmove(library.address(name), held, len(held))


def lost_to(module: Module, function: str, left: tuple[str, ...]) -> str | None:
    """One of the variables `left` that the function mentions, itself or by what it mentions."""
    missing = set(left)
    start = module.functions.get(function)
    pending: list[Value] = [start] if start is not None else []
    seen: set[Value] = set(pending)
    while pending and missing:
        value = pending.pop()
        if isinstance(value, GlobalVariable) and value.name in missing:
            return value.name
        for found in _mentioned(value):
            if found not in seen:
                seen.add(found)
                pending.append(found)
    return None


def _mentioned(value: Value) -> list[Value]:
    if isinstance(value, Function):
        return [found for i in value.instructions() for operand in i.operands for found in globals_in(operand)]
    inner = value.initializer if isinstance(value, GlobalVariable) else None
    inner = value.aliasee if isinstance(value, GlobalAlias) else inner
    return list(globals_in(inner)) if inner is not None else []


def _bytes(library: Library, name: str, size: int) -> bytes:
    return ctypes.string_at(library.address(name), size)


def _digest(held: bytes) -> bytes:
    return hashlib.blake2b(held, digest_size=16).digest()


def _mapped() -> list[tuple[int, int, bool]]:
    """(start, end, writable) of this process's memory."""
    found = []
    for line in Path("/proc/self/maps").read_text().splitlines():
        place, how = line.split()[:2]
        start, _, end = place.partition("-")
        found.append((int(start, 16), int(end, 16), "w" in how))
    return found


def _holds_address(held: bytes, maps: list[tuple[int, int, bool]], own: list[tuple[int, int]], any_: bool) -> bool:
    """Whether a word is an address of mapped memory; without any_ only of writable memory that is not the program's: what a
    variable is initialized with is relocated wherever the program is loaded."""
    for word in _words(held):
        for start, end, writable in maps:
            if start <= word < end and (any_ or (writable and not any(low <= word < high for low, high in own))):
                return True
    return False


def _words(held: bytes) -> set[int]:
    """The words that can be addresses: at aligned places, in small variables at all places."""
    found: set[int] = set()
    for first in range(_WORD if len(held) <= _SMALL else 1):
        whole = held[first : len(held) - (len(held) - first) % _WORD]
        found.update(word for word in memoryview(whole).cast("Q") if 0xFFFF < word < 1 << 47)
    return found

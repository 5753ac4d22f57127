"""Reads the symbol table of an ELF object: which names it defines and which it needs.

Invariant: reads only, of 64-bit little-endian ELF as LLVM writes it; of anything else it knows nothing and says so with
empty sets. LLVM's JIT reports a missing symbol without its name; this is where the name in our message comes from.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_SYMTAB, _LOCAL = 2, 0


@dataclass(frozen=True, slots=True)
class ObjectSymbols:
    """Names with external linkage: `defined` here, `undefined` and needed from elsewhere."""

    defined: frozenset[str]
    undefined: frozenset[str]


def read(image: bytes) -> ObjectSymbols:
    """The symbols of an object; empty sets when it is no ELF object this module can read."""
    defined: set[str] = set()
    undefined: set[str] = set()
    for name, section in _symbols(image):
        (defined if section else undefined).add(name)
    return ObjectSymbols(frozenset(defined), frozenset(undefined))


def _symbols(image: bytes) -> list[tuple[str, int]]:
    if len(image) < _HEADER.size or image[:6] != b"\x7fELF\x02\x01":
        return []
    header = _HEADER.unpack_from(image)
    offset, entry_size, count = header[6], header[11], header[12]
    if offset + entry_size * count > len(image) or entry_size < _SECTION.size:
        return []
    sections = [_SECTION.unpack_from(image, offset + k * entry_size) for k in range(count)]
    return [found for section in sections if section[1] == _SYMTAB for found in _table(image, sections, section)]


def _table(image: bytes, sections: list[tuple[int, ...]], table: tuple[int, ...]) -> list[tuple[str, int]]:
    start, size, names = table[4], table[5], sections[table[6]]
    text = image[names[4] : names[4] + names[5]]
    found = []
    for at, info, _, section, _, _ in _SYMBOL.iter_unpack(image[start : start + size]):
        if at and info >> 4 != _LOCAL:
            found.append((text[at : text.index(b"\0", at)].decode(errors="replace"), section))
    return found

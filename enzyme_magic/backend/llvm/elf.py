"""Reads the symbol table of an ELF object: which names it defines, which it needs, and which are writable data.

Invariant: reads only 64-bit little-endian ELF relocatable objects, as LLVM writes them for the systems this package supports;
anything else, or a damaged one, is refused. `jit` decides by these names who is linked to whom.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from enzyme_magic.errors import ToolchainError

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_SYMTAB, _LOCAL = 2, 0
_WRITE, _TLS = 0x1, 0x400  # flags of a section
_COMMON = 0xFFF2
_RELOCATED_CONSTANTS = ".data.rel.ro"  # writable for the linker alone


@dataclass(frozen=True, slots=True)
class ObjectSymbols:
    """Names with external linkage: `defined` here, `undefined` and needed from elsewhere."""

    defined: frozenset[str]
    undefined: frozenset[str]


def read(image: bytes) -> ObjectSymbols:
    """The symbols of an object. Raises ToolchainError EM132 when it is damaged or no ELF object."""
    try:
        symbols = list(_symbols(image))
    except (struct.error, IndexError, ValueError) as error:
        raise ToolchainError(f"the object code is damaged: {error}", code="EM132", hint="compile it again") from error
    defined = frozenset(symbol.name for symbol in symbols if symbol.section)
    return ObjectSymbols(defined, frozenset(symbol.name for symbol in symbols if not symbol.section))


def writable(image: bytes) -> dict[str, int]:
    """The variables of an object that code may write, with their sizes in bytes; -1 for one that each thread has of its own."""
    sections = _sections(image)
    found: dict[str, int] = {}
    for symbol in _symbols(image):
        if symbol.section == _COMMON:
            found[symbol.name] = symbol.size
        elif 0 < symbol.section < len(sections) and symbol.size:
            name, flags = sections[symbol.section]
            if flags & _TLS:
                found[symbol.name] = -1
            elif flags & _WRITE and not name.startswith(_RELOCATED_CONSTANTS):
                found[symbol.name] = symbol.size
    return found


@dataclass(frozen=True, slots=True)
class _Symbol:
    """One that is not local; section 0 means undefined."""

    name: str
    section: int
    size: int


def _sections(image: bytes) -> list[tuple[str, int]]:
    """(name, flags) of each section."""
    header = _HEADER.unpack_from(image)
    offset, entry_size, count, names = header[6], header[11], header[12], header[13]
    sections = [_SECTION.unpack_from(image, offset + k * entry_size) for k in range(count)]
    start = sections[names][4]
    return [(image[start + s[0] : image.index(b"\0", start + s[0])].decode(), s[2]) for s in sections]


def _symbols(image: bytes) -> Iterator[_Symbol]:
    if image[:6] != b"\x7fELF\x02\x01":
        raise ValueError("not an ELF object")
    header = _HEADER.unpack_from(image)
    offset, entry_size, count = header[6], header[11], header[12]
    sections = [_SECTION.unpack_from(image, offset + k * entry_size) for k in range(count)]
    tables = [section for section in sections if section[1] == _SYMTAB]
    if not tables:
        raise ValueError("no symbol table")
    for table in tables:
        start, size, names = table[4], table[5], sections[table[6]]
        text = image[names[4] : names[4] + names[5]]
        for at, info, _, section, _, extent in _SYMBOL.iter_unpack(image[start : start + size]):
            if at and info >> 4 != _LOCAL:
                yield _Symbol(text[at : text.index(b"\0", at)].decode(), section, extent)

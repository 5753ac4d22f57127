"""Reads the symbol table of an ELF object: which names it defines and which it needs.

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
    defined = frozenset(name for name, section in symbols if section)
    return ObjectSymbols(defined, frozenset(name for name, section in symbols if not section))


def _symbols(image: bytes) -> Iterator[tuple[str, int]]:
    """(name, section) of each symbol that is not local; section 0 means undefined."""
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
        for at, info, _, section, _, _ in _SYMBOL.iter_unpack(image[start : start + size]):
            if at and info >> 4 != _LOCAL:
                yield text[at : text.index(b"\0", at)].decode(), section

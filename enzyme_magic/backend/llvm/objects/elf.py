"""Reads the symbol table of an ELF object: which names it defines, which it needs, which are writable data, and where its functions
lie.

Invariant: reads only 64-bit little-endian ELF relocatable objects, as LLVM writes them for the systems this package supports;
anything else, or a damaged one, is refused. `jit` decides by these names who is linked to whom.

Places are offsets in a section: a section is loaded as a whole, so the address of one symbol gives those of all others in it.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

from enzyme_magic.errors import ToolchainError

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QQq")
_SYMTAB, _LOCAL, _FUNCTION = 2, 0, 2
_WRITE, _EXECUTABLE, _TLS = 0x1, 0x4, 0x400  # flags of a section
_COMMON = 0xFFF2
_RELOCATED_CONSTANTS = ".data.rel.ro"  # writable for the linker alone


@dataclass(frozen=True, slots=True)
class CodeSection:
    """One section of code. anchor: a symbol with external linkage and its offset; functions: (offset, bytes, name)."""

    size: int
    anchor: tuple[str, int]
    functions: tuple[tuple[int, int, str], ...]


@dataclass(frozen=True, slots=True)
class ObjectSymbols:
    """Names with external linkage: `defined` here, `undefined` and needed from elsewhere. code: the sections of code that hold
    one of the defined names."""

    defined: frozenset[str]
    undefined: frozenset[str]
    code: tuple[CodeSection, ...] = ()


def read(image: bytes) -> ObjectSymbols:
    """The symbols of an object. Raises ToolchainError EM132 when it is damaged or no ELF object."""
    try:
        sections = _sections(image)
        symbols = list(_symbols(image))
    except (struct.error, IndexError, ValueError) as error:
        raise ToolchainError(f"the object code is damaged: {error}", code="EM132", hint="compile it again") from error
    visible = [symbol for symbol in symbols if not symbol.local]
    defined = frozenset(symbol.name for symbol in visible if symbol.section)
    undefined = frozenset(symbol.name for symbol in visible if not symbol.section)
    return ObjectSymbols(defined, undefined, tuple(_code(sections, symbols)))


def writable(image: bytes) -> dict[str, int]:
    """The variables of an object that code may write, with their sizes in bytes; -1 for one that each thread has of its own."""
    sections = _sections(image)
    found: dict[str, int] = {}
    for symbol in _symbols(image):
        if symbol.local:
            continue
        if symbol.section == _COMMON:
            found[symbol.name] = symbol.size
        elif 0 < symbol.section < len(sections) and symbol.size:
            name, flags, _ = sections[symbol.section]
            if flags & _TLS:
                found[symbol.name] = -1
            elif flags & _WRITE and not name.startswith(_RELOCATED_CONSTANTS):
                found[symbol.name] = symbol.size
    return found


@dataclass(frozen=True, slots=True)
class FunctionCode:
    """The code of one function before it is placed: the number of its section, its offset there, its bytes."""

    section: int
    offset: int
    code: bytes = field(repr=False)


def function(image: bytes, name: str) -> FunctionCode | None:
    """The code of a function, also of one that is static; None where there is no such function, or several."""
    headers = _section_headers(image)
    found = [s for s in _symbols(image) if s.name == name and s.function and 0 < s.section < len(headers)]
    if len(found) != 1:
        return None
    symbol = found[0]
    start = headers[symbol.section][4] + symbol.offset
    return FunctionCode(symbol.section, symbol.offset, image[start : start + symbol.size])


def contents(image: bytes, name: str) -> bytes:
    """The bytes of a section; none where there is no such section."""
    for header, (called, _, size) in zip(_section_headers(image), _sections(image), strict=True):
        if called == name:
            return image[header[4] : header[4] + size]
    return b""


def relocations(image: bytes, name: str) -> dict[int, tuple[int, int]]:
    """By offset in a section: the section, and the offset there, whose address is put in."""
    symbols = {number: symbol for number, symbol in enumerate(_all_symbols(image))}
    found = {}
    for at, info, addend in _RELOCATION.iter_unpack(contents(image, f".rela{name}")):
        symbol = symbols[info >> 32]
        found[at] = symbol.section, symbol.offset + addend
    return found


@dataclass(frozen=True, slots=True)
class _Symbol:
    """Section 0 means undefined."""

    name: str
    section: int
    offset: int
    size: int
    local: bool
    function: bool


def _sections(image: bytes) -> list[tuple[str, int, int]]:
    """(name, flags, bytes) of each section."""
    headers = _section_headers(image)
    start = headers[_HEADER.unpack_from(image)[13]][4]
    return [(image[start + s[0] : image.index(b"\0", start + s[0])].decode(), s[2], s[5]) for s in headers]


def _section_headers(image: bytes) -> list[tuple[int, ...]]:
    if image[:6] != b"\x7fELF\x02\x01":
        raise ValueError("not an ELF object")
    header = _HEADER.unpack_from(image)
    offset, entry_size, count = header[6], header[11], header[12]
    return [_SECTION.unpack_from(image, offset + k * entry_size) for k in range(count)]


def _symbols(image: bytes) -> Iterator[_Symbol]:
    """Those that have a name."""
    return (symbol for symbol in _all_symbols(image) if symbol.name)


def _all_symbols(image: bytes) -> Iterator[_Symbol]:
    sections = _section_headers(image)
    tables = [section for section in sections if section[1] == _SYMTAB]
    if not tables:
        raise ValueError("no symbol table")
    for table in tables:
        start, size, names = table[4], table[5], sections[table[6]]
        text = image[names[4] : names[4] + names[5]]
        for at, info, _, section, value, extent in _SYMBOL.iter_unpack(image[start : start + size]):
            name = text[at : text.index(b"\0", at)].decode() if at else ""
            yield _Symbol(name, section, value, extent, info >> 4 == _LOCAL, info & 15 == _FUNCTION)


def _code(sections: list[tuple[str, int, int]], symbols: list[_Symbol]) -> Iterator[CodeSection]:
    inside: dict[int, list[_Symbol]] = {}
    for symbol in symbols:
        if 0 < symbol.section < len(sections) and sections[symbol.section][1] & _EXECUTABLE:
            inside.setdefault(symbol.section, []).append(symbol)
    for index, found in inside.items():
        anchor = next((symbol for symbol in found if not symbol.local), None)
        if anchor is not None:
            functions = tuple(sorted((s.offset, s.size, s.name) for s in found if s.function))
            yield CodeSection(sections[index][2], (anchor.name, anchor.offset), functions)

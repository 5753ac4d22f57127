"""The line table of an object file (DWARF 4), and what it says about another object with the same code.

Invariant: an answer is given only where the function has the same bytes in both objects, so that an offset means the same
instruction; nothing is guessed from neighbours, and None is an answer. Reads what LLVM writes; what is damaged or of another
version has no lines.
"""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from enzyme_magic.backend.llvm.objects import elf

_HEADER = struct.Struct("<IHIBBBbBB")
_VERSION = 4
_COPY, _ADVANCE_PC, _ADVANCE_LINE, _SET_FILE, _CONST_ADD_PC, _FIXED_ADVANCE_PC = 1, 2, 3, 4, 8, 9
_END_SEQUENCE, _SET_ADDRESS = 1, 2
_UNIT_LENGTH = 4  # bytes before what a unit's length counts


@dataclass(frozen=True, slots=True)
class _Row:
    """From `offset` in its section up to the next row's. line 0: of no line."""

    section: int
    offset: int
    file: str
    line: int


def line_at(code: bytes, told: bytes, function: str, offset: int) -> tuple[str, int] | None:
    """File and line of the instruction at `offset` in a function of `code`; `told` is the same code with debug info."""
    try:
        ours, theirs = elf.function(code, function), elf.function(told, function)
        if ours is None or theirs is None or ours.code != theirs.code:
            return None
        rows = sorted((row for row in _rows(told) if row.section == theirs.section), key=lambda row: row.offset)
    except (struct.error, IndexError, ValueError):
        return None
    found = bisect_right([row.offset for row in rows], theirs.offset + offset) - 1
    return (rows[found].file, rows[found].line) if found >= 0 and rows[found].line else None


def _rows(image: bytes) -> Iterator[_Row]:
    table = elf.contents(image, ".debug_line")
    places = elf.relocations(image, ".debug_line")
    start = 0
    while start < len(table):
        end = start + _UNIT_LENGTH + int.from_bytes(table[start : start + _UNIT_LENGTH], "little")
        yield from _Unit(table, start, end, places).rows()
        start = end


class _Unit:
    """The line program of one unit."""

    def __init__(self, table: bytes, start: int, end: int, places: dict[int, tuple[int, int]]) -> None:
        self._table, self._at, self._end, self._places = table, start + _HEADER.size, end, places
        _, version, length, self._step, _, _, self._base, self._range, self._opcodes = _HEADER.unpack_from(table, start)
        if version != _VERSION:
            raise ValueError(f"a line table of version {version}")
        program = start + 10 + length
        self._operands = [self._byte() for _ in range(self._opcodes - 1)]
        while self._text():  # folders
            pass
        self._files = [""]
        while name := self._text():
            self._files.append(name)
            for _ in range(3):
                self._unsigned()
        self._at = program
        self._section, self._address, self._file, self._line = 0, 0, 1, 1

    def rows(self) -> Iterator[_Row]:
        while self._at < self._end:
            code = self._byte()
            if code >= self._opcodes:
                self._advance(code)
                self._line += self._base + (code - self._opcodes) % self._range
                yield self._row()
            elif code == _COPY:
                yield self._row()
            elif code:
                self._standard(code)
            elif self._extended() == _END_SEQUENCE:
                yield _Row(self._section, self._address, "", 0)
                self._address, self._file, self._line = 0, 1, 1

    def _row(self) -> _Row:
        return _Row(self._section, self._address, self._files[self._file], self._line)

    def _advance(self, code: int) -> None:
        self._address += (code - self._opcodes) // self._range * self._step

    def _standard(self, code: int) -> None:
        if code == _ADVANCE_PC:
            self._address += self._unsigned() * self._step
        elif code == _ADVANCE_LINE:
            self._line += self._signed()
        elif code == _SET_FILE:
            self._file = self._unsigned()
        elif code == _CONST_ADD_PC:
            self._advance(255)
        elif code == _FIXED_ADVANCE_PC:
            self._address += self._byte() + 256 * self._byte()
        else:
            for _ in range(self._operands[code - 1]):
                self._unsigned()

    def _extended(self) -> int:
        length = self._unsigned()
        end, kind = self._at + length, self._byte()
        if kind == _SET_ADDRESS:
            self._section, self._address = self._places[self._at]
        self._at = end
        return kind

    def _byte(self) -> int:
        self._at += 1
        return self._table[self._at - 1]

    def _text(self) -> str:
        end = self._table.index(b"\0", self._at)
        found = self._table[self._at : end].decode(errors="replace")
        self._at = end + 1
        return found

    def _unsigned(self) -> int:
        found = shift = 0
        while True:
            byte = self._byte()
            found |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return found

    def _signed(self) -> int:
        start = self._at
        found = self._unsigned()
        bits = 7 * (self._at - start)
        return found - (1 << bits) if found >> (bits - 1) & 1 else found

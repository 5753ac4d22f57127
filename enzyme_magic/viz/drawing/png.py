"""Small repairs of a PNG's bytes, with the standard library alone.

Graphviz's palette renderer ("png:cairo:gd") writes files a third as large as its true-colour one, but rounds colours: white
becomes nearly white. `exact_palette` puts our own colours back. No pixels are decoded.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator

SIGNATURE = b"\x89PNG\r\n\x1a\n"
_NEAR = 6  # per channel: a palette entry that is meant to be the colour


def chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    """(type, data) of each chunk."""
    position = len(SIGNATURE)
    while position + 12 <= len(png):
        (length,) = struct.unpack_from(">I", png, position)
        yield png[position + 4 : position + 8], png[position + 8 : position + 8 + length]
        position += 12 + length


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def exact_palette(png: bytes, colours: Iterable[str]) -> bytes:
    """The PNG with each palette entry that is nearly one of the "#rrggbb" set to it. Other PNGs come back as they are."""
    if not png.startswith(SIGNATURE):
        return png
    wanted = sorted({bytes.fromhex(colour.removeprefix("#")) for colour in colours})
    parts = ((kind, _snapped(data, wanted) if kind == b"PLTE" else data) for kind, data in chunks(png))
    return SIGNATURE + b"".join(_chunk(kind, data) for kind, data in parts)


def _snapped(palette: bytes, wanted: list[bytes]) -> bytes:
    entries = (palette[k : k + 3] for k in range(0, len(palette), 3))
    return b"".join(_snap(entry, wanted) for entry in entries)


def _snap(entry: bytes, wanted: list[bytes]) -> bytes:
    best = min(wanted, key=lambda colour: _distance(entry, colour), default=entry)
    return best if _distance(entry, best) <= _NEAR else entry


def _distance(first: bytes, second: bytes) -> int:
    return max(abs(a - b) for a, b in zip(first, second, strict=True))


def size(png: bytes) -> tuple[int, int]:
    """Width and height in pixels; (0, 0) for what is no PNG."""
    if not png.startswith(SIGNATURE):
        return (0, 0)
    kind, data = next(chunks(png))
    return struct.unpack(">II", data[:8]) if kind == b"IHDR" else (0, 0)

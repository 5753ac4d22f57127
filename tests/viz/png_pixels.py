"""Reads the PNGs that cells store: how often each colour occurs."""

from __future__ import annotations

import zlib
from collections import Counter

from enzyme_magic.viz.drawing.png import chunks, size


def pixels(png: bytes) -> Counter[str]:
    """How often each colour occurs in a PNG of 8 bits a pixel with a palette."""
    parts = list(chunks(png))
    (width, height), header = size(png), dict(parts)[b"IHDR"]
    assert header[8:] == bytes([8, 3, 0, 0, 0])
    raw = zlib.decompress(b"".join(data for kind, data in parts if kind == b"IDAT"))
    palette = dict(parts)[b"PLTE"]
    above = bytearray(width)
    counts: Counter[int] = Counter()
    for start in range(0, height * (width + 1), width + 1):
        above = unfiltered(raw[start], bytearray(raw[start + 1 : start + 1 + width]), above)
        counts.update(above)
    found: Counter[str] = Counter()
    for index, count in counts.items():
        found["#" + palette[3 * index : 3 * index + 3].hex()] += count
    return found


def unfiltered(kind: int, line: bytearray, above: bytearray) -> bytearray:
    """PNG's scan line filters for one byte a pixel."""
    for k in range(len(line) if kind else 0):
        left, upper, corner = (line[k - 1], above[k], above[k - 1]) if k else (0, above[0], 0)
        near = min((left, upper, corner), key=lambda value: abs(left + upper - corner - value))
        line[k] = (line[k] + (0, left, upper, (left + upper) // 2, near)[kind]) % 256
    return line

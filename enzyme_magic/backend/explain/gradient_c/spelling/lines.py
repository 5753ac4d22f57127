"""How lines of the text stand: declarations of one type together, comments beside the code."""

from __future__ import annotations

import re
from collections.abc import Sequence

from enzyme_magic.backend.explain.gradient_c.lowering import SourceOf

_DECLARATION = re.compile(
    r"^( *(?:double|float|long|int|signed char|short) )(\*?\w+ = [\w.+-]+(?:, \*?\w+ = [\w.+-]+)*);$"
)
WIDTH = 64  # columns of code before the comments, at most
_COMMENTED = re.compile(r"^(.*?) +(/\* line \d.*\*/)$")


def joined(lines: list[str]) -> list[str]:
    """Declarations of one type that follow one another, on one line."""
    made: list[str] = []
    for line in lines:
        found = _DECLARATION.match(line)
        before = _DECLARATION.match(made[-1]) if made else None
        alike = found and before and found[1] == before[1] and found[2][0:1] == "*" == before[2][0:1]
        alike = alike or (found and before and found[1] == before[1] and "*" not in found[2] + before[2])
        if found and alike and len(made[-1]) + len(line) < WIDTH + 24:
            made[-1] = f"{made[-1][:-1]}, {found[2]};"
        else:
            made.append(line)
    return made


def aligned(lines: Sequence[str]) -> list[str]:
    """The comments beside the longest line of code that has one, or at `WIDTH`: no wider than it must be."""
    found = [_COMMENTED.match(line) for line in lines]
    width = min(WIDTH, max((len(parts[1]) for parts in found if parts), default=0))
    return [f"{parts[1].ljust(width)}  {parts[2]}" if parts else line for parts, line in zip(found, lines, strict=True)]


def commented(text: str, source: SourceOf | None) -> str:
    if source is None:
        return text
    rule = f": {source.rule}" if source.rule else ""
    return f"{text.ljust(WIDTH)}  /* line {source.line}{rule} */"

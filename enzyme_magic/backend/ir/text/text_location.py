"""The C line of a piece of LLVM text, for errors raised before the metadata is parsed.

Invariant: reads text only, is slow, and answers None rather than guess.
"""

from __future__ import annotations

import re

from enzyme_magic.errors import Span

_DEBUG = re.compile(r"!dbg !(\d+)")
_LOCATION = re.compile(r"!DILocation\(line: (\d+)(?:, column: (\d+))?, scope: !(\d+)(?:, inlinedAt: !(\d+))?")
_REFERENCE = {key: re.compile(rf"\b{key}: !(\d+)") for key in ("scope", "file")}
_FILE = re.compile(r'!DIFile\(filename: "([^"]*)"')


def statement_at(text: str, offset: int) -> str:
    """The instruction or module-level statement around `offset`: its line, with the lines that continue it."""
    start = text.rfind("\n", 0, offset) + 1
    while start and re.match(r" {3,}|\t{2,}|\s*\]", text[start:]) and not re.match(r"\s*#dbg_", text[start:]):
        start = text.rfind("\n", 0, start - 1) + 1
    end = text.find("\n", offset)
    end = len(text) if end < 0 else end
    while re.match(r"\n(?: {3,}(?!#dbg_)|\s*\])", text[end:]):
        following = text.find("\n", end + 1)
        end = len(text) if following < 0 else following
    return text[start:end]


def span_in_text(text: str, statement: str) -> Span | None:
    """Where the `!dbg` of `statement` points, through inlining to the place in the outermost function."""
    reference = _DEBUG.search(statement)
    place = _LOCATION.search(_node(text, reference.group(1))) if reference else None
    for _ in range(1000):
        if place is None or place.group(4) is None:
            break
        place = _LOCATION.search(_node(text, place.group(4)))
    if place is None or not int(place.group(1)):
        return None
    return Span(_file(text, place.group(3)), int(place.group(1)), int(place.group(2) or 0))


def _node(text: str, number: str) -> str:
    found = re.search(rf"^!{number} = .*$", text, re.MULTILINE)
    return found.group() if found else ""


def _file(text: str, scope: str) -> str:
    for _ in range(1000):
        node = _node(text, scope)
        if name := _FILE.search(node):
            return name.group(1)
        outer = _REFERENCE["file"].search(node) or _REFERENCE["scope"].search(node)
        if outer is None:
            break
        scope = outer.group(1)
    return "<C source>"

"""One function out of a module's text: parsed with the types, globals and metadata around it, but with no other body. And one call
out of a C text, and the characters of a line.

Invariant: what is said about that function is what the whole module says; parsing costs what the function costs, however many
others stand beside it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from enzyme_magic.backend.ir.module import Module
from enzyme_magic.backend.ir.text import parser

_DEFINITION = re.compile(r'^(define [^\n]*?@(?:"([^"\n]*)"|([-\w.$]+))\([^\n]*\{\n)(.*?)^\}\n', re.M | re.S)
_EMPTY = "  unreachable\n}\n"
_CHARACTER = re.compile(r"'([^'\\])'")


def excerpt(text: str, *functions: str) -> Module:
    """The module with the bodies of `functions` alone; the others do nothing. Raises UnsupportedIRError as the parser does."""
    return parser.parse(_DEFINITION.sub(lambda found: _kept(found, functions), text))


def _kept(found: re.Match[str], functions: tuple[str, ...]) -> str:
    return found[0] if (found[2] or found[3]) in functions else found[1] + _EMPTY


def call_at(lines: Sequence[str], line: int, column: int, name: str) -> str | None:
    """The call of `name` that begins there, in one line: `qsort(c, n, sizeof *c, less)`. None where C has no such text, or comments
    or characters in it."""
    text = " ".join([lines[line - 1][column - 1 :], *lines[line:]]) if 0 < line <= len(lines) else ""
    if re.match(rf"{re.escape(name)}\s*\(", text) is None:
        return None
    depth = 0
    for end, character in enumerate(text):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == ")" and depth == 0:
            found = " ".join(text[: end + 1].split())
            return None if re.search(r"""["']|/[/*]|#""", found) else found
    return None


def with_characters(words: str, line: str) -> str:
    """Numbers that a line of C writes as characters, `'0'`, as it writes them."""
    for letter in dict.fromkeys(_CHARACTER.findall(line)):
        number = rf"\b{ord(letter)}\b"
        if not re.search(number, line):
            words = re.sub(number, lambda _, c=letter: f"'{c}'", words)  # type: ignore[misc]
    return words

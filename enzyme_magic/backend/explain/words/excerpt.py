"""One function out of a module's text: parsed with the types, globals and metadata around it, but with no other body.

Invariant: what is said about that function is what the whole module says; parsing costs what the function costs, however many
others stand beside it.
"""

from __future__ import annotations

import re

from enzyme_magic.backend.ir.module import Module
from enzyme_magic.backend.ir.text import parser

_DEFINITION = re.compile(r'^(define [^\n]*?@(?:"([^"\n]*)"|([-\w.$]+))\([^\n]*\{\n)(.*?)^\}\n', re.M | re.S)
_EMPTY = "  unreachable\n}\n"


def excerpt(text: str, *functions: str) -> Module:
    """The module with the bodies of `functions` alone; the others do nothing. Raises UnsupportedIRError as the parser does."""
    return parser.parse(_DEFINITION.sub(lambda found: _kept(found, functions), text))


def _kept(found: re.Match[str], functions: tuple[str, ...]) -> str:
    return found[0] if (found[2] or found[3]) in functions else found[1] + _EMPTY

"""IR texts for people: the function that was asked for comes first."""

from __future__ import annotations

import re

_DEFINITION = re.compile(r'^define [^\n]*?@(?:"([^"\n]*)"|([-\w.$]+))\(', re.M)


def function_first(text: str, name: str) -> str:
    """The same module with the definition of `name` before all other functions."""
    starts = list(_DEFINITION.finditer(text))
    wanted = next((m for m in starts if (m.group(1) or m.group(2)) == name), None)
    if wanted is None or wanted is starts[0]:
        return text
    begin = _with_comment(text, wanted.start())
    end = text.index("\n}\n", wanted.start()) + 3
    body = text[begin:end]
    first = _with_comment(text, starts[0].start())
    return text[:first] + body + "\n" + text[first:begin] + text[end:].lstrip("\n")


def _with_comment(text: str, start: int) -> int:
    """Where the definition begins, LLVM's comment line about its attributes included."""
    previous = text.rfind("\n", 0, max(start - 1, 0)) + 1
    return previous if text.startswith("; Function Attrs", previous) else start

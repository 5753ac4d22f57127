"""What one function of a printed module can reach, compared between two texts of one program.

Invariant: `same_below` is True only where everything that `function` mentions, and what that mentions in turn, is defined alike in
both texts; then code written against the one text may call what was made of the other. Numbers of metadata and attribute groups
differ from text to text and do not count: they say nothing that changes what a definition does. The function itself may differ.
"""

from __future__ import annotations

import re

from enzyme_magic.backend.llvm import irtext, moduletext

_NUMBERED = re.compile(r",? ?!(?:[A-Za-z_.]+ )?!?\d+|#\d+|^ *(?:#dbg_\w+\(.*|; .*)$", re.M)


def same_below(first: str, second: str, function: str) -> bool:
    """Whether `function` reaches the same definitions in both texts."""
    one, other = _definitions(first), _definitions(second)
    pending, seen = [function], {function}
    while pending:
        name = pending.pop()
        if name not in one:
            continue  # declared: a library's
        if name != function and (name not in other or _bare(one[name]) != _bare(other[name])):
            return False
        fresh = irtext.symbols(one[name]) - seen
        seen |= fresh
        pending += fresh
    return True


def outside(text: str, function: str) -> set[str]:
    """What `function` mentions, and what that mentions in turn, as far as the text does not define it."""
    definitions = _definitions(text)
    pending, seen = [function], {function}
    while pending:
        name = pending.pop()
        if name in definitions:
            fresh = irtext.symbols(definitions[name]) - seen
            seen |= fresh
            pending += fresh
    return seen - definitions.keys()


def _definitions(text: str) -> dict[str, str]:
    return {item.name: item.text for item in moduletext.split(text) if item.defines}


def _bare(text: str) -> str:
    return _NUMBERED.sub("", text)

"""C names for the variables of the text: the user's own where LLVM kept them, `d_s` for the adjoint of `s`, `s_tape` for what
keeps it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from enzyme_magic.backend.ir.types import IntType, PointerType, Type
from enzyme_magic.backend.library import libc

_WORDS = """
    auto break case char const continue default do double else enum extern float for goto if inline int long register restrict
    return short signed sizeof static struct switch typedef union unsigned void volatile while main NULL
"""
_KEYWORDS = frozenset(_WORDS.split())
_HEADERS = frozenset(
    ["math.h", "stdlib.h", "string.h"]
)  # what the text may include: names of theirs keep their meaning
_SAYS_NOTHING = re.compile(
    r"^(\d.*|malloc.*|tape|tape\d*|more.*|bytes.*|cmp.*|spec.*|select.*|(?:f?(?:add|sub|mul|div|neg)|inc|dec)\d*|indvars.*|storemerge.*|call.*|for|while|do"
    r"|if|entry|land|lor|tobool.*|conv.*|arrayidx.*|factor|value|neg|cond.*|exitcond.*|common.*|phi.*|wide.*|narrow.*|op|rdx.*|fr|merge.*|lcssa.*"
    r"|store_forwarded.*|load_initial.*)$"
)
_SHADOW = re.compile(r"^(\w+?)_(shadow|tangent)$")


@cache
def _declared() -> frozenset[str]:
    return frozenset(name for name, (header, _) in libc.headers().items() if header in _HEADERS)


class CNames:
    """Distinct C identifiers, in the order they are asked for."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = {*_KEYWORDS, *_declared(), *taken}

    def parameter(self, name: str) -> str:
        found = _SHADOW.match(name)
        return self.unique(f"d{found[1]}" if found else name or "argument")

    def variable(self, type_: Type, candidates: Iterable[str]) -> str:
        """From LLVM's names of the values it holds, by the first that says something."""
        for candidate in sorted(map(_plain, candidates), key=lambda n: n.startswith("d_")):
            if telling(candidate):
                return self.unique(candidate)
        if isinstance(type_, PointerType):
            return self.unique("p")
        return self.unique("k" if isinstance(type_, IntType) else "t")

    def unique(self, name: str) -> str:
        name = re.sub(r"\W", "_", name)
        if not name or name[0].isdigit():
            name = f"v{name}"
        number, found = 1, name
        while found in self._taken:
            number += 1
            found = f"{name}{number}"
        self._taken.add(found)
        return found


def telling(name: str) -> str:
    """The name, unless it is one that clang or LLVM gives to any value: `div11`."""
    return "" if _SAYS_NOTHING.match(name) else name


def _plain(name: str) -> str:
    """LLVM's name without what LLVM added."""
    if name.startswith(("for.", "while.", "do.", "if.")) or "_demanded" in name:  # whether an adjoint arrives is none
        return ""
    head = name.split(".")[0]
    if head.endswith("_adjoint"):
        return f"d_{head.removesuffix('_adjoint')}"
    head = head.removesuffix("_again")
    shadow = head.removesuffix("_shadow")
    return f"d{shadow}" if shadow != head and telling(shadow) else shadow

"""C text as tokens, for the few questions debug info and clang's messages leave open.

Invariant: comments, white space and preprocessor lines give no token; every token knows its offset, line, column (characters,
from 1) and how many braces are open around it. Linear in the text. It is no parser: macros are not expanded, and text that is
no C gives tokens all the same.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

_TOKEN = re.compile(
    r"""
    (?P<blank>(?:\s|\\\r?\n)+|//(?:\\\r?\n|[^\n])*|/\*.*?(?:\*/|\Z))
  | (?P<name>[^\W\d][\w$]*)
  | (?P<number>\.?\d(?:[eEpP][+-]|[\w.'])*)
  | (?P<string>(?:"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'))
  | (?P<operator>\.\.\.|->|\+\+|--|<<=|>>=|[<>=!+\-*/%&|^]=|&&|\|\||<<|>>|::|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_DIRECTIVE_LINE = re.compile(r"(?:\\\r?\n|/\*.*?(?:\*/|\Z)|//(?:\\\r?\n|[^\n])*|[^\n\\/]|[\\/](?!\n))*", re.DOTALL)
_OBJECT_MACRO = re.compile(r"#\s*define\s+(?P<name>[^\W\d]\w*)(?:[ \t]+(?P<value>.*))?\Z", re.DOTALL)
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*|\\\r?\n", re.DOTALL)
_NEWLINE = re.compile(r"\r\n|\n|\r")


class Token(NamedTuple):
    kind: str  # name, number, string, operator
    text: str
    offset: int
    depth: int  # braces open around it; an opening and its closing brace have the same depth


@dataclass(frozen=True)
class Tokens:
    """The tokens of a text. `directives` are its preprocessor lines, comments removed."""

    tokens: tuple[Token, ...]
    directives: tuple[str, ...]
    line_starts: tuple[int, ...]

    @cached_property
    def outside(self) -> Mapping[str, tuple[int, ...]]:
        """Indices of the names that stand outside all braces, by name."""
        found: dict[str, list[int]] = {}
        for index, token in enumerate(self.tokens):
            if token.kind == "name" and not token.depth:
                found.setdefault(token.text, []).append(index)
        return {name: tuple(indices) for name, indices in found.items()}

    @cached_property
    def object_macros(self) -> Mapping[str, str]:
        """Object-like macros the text defines exactly once and never removes, with their replacement."""
        return _object_macros(self.directives)

    def place(self, token: Token) -> tuple[int, int]:
        """Line and column of a token, from 1."""
        line = bisect_right(self.line_starts, token.offset)
        return line, token.offset - self.line_starts[line - 1] + 1

    def at(self, line: int, column: int) -> int | None:
        """The index of the token that starts at this place."""
        if not 0 < line <= len(self.line_starts):
            return None
        offset = self.line_starts[line - 1] + column - 1
        index = bisect_right(self.tokens, offset, key=lambda token: token.offset) - 1
        return index if index >= 0 and self.tokens[index].offset == offset else None

    def closing(self, index: int) -> int | None:
        """The index of the bracket that closes the one at `index` (any of `([{`)."""
        pairs = {"(": ")", "[": "]", "{": "}"}
        opening, closing = self.tokens[index].text, pairs[self.tokens[index].text]
        open_ = 0
        for k in range(index, len(self.tokens)):
            text = self.tokens[k].text
            open_ += (text == opening) - (text == closing)
            if open_ == 0:
                return k
        return None


@lru_cache(maxsize=16)
def tokenize(text: str) -> Tokens:
    """The tokens of `text`."""
    tokens: list[Token] = []
    directives: list[str] = []
    depth = position = 0
    fresh_line = True
    while position < len(text):
        match = _TOKEN.match(text, position)
        assert match is not None
        kind, word = match.lastgroup or "operator", match.group()
        if kind == "blank":
            fresh_line = fresh_line or "\n" in word
            position = match.end()
            continue
        if word == "#" and fresh_line:
            line = _DIRECTIVE_LINE.match(text, position)
            assert line is not None
            directives.append(_COMMENT.sub(" ", line.group()).strip())
            position = max(line.end(), position + 1)
            continue
        fresh_line = False
        depth -= word == "}" and depth > 0
        tokens.append(Token(kind, word, position, depth))
        depth += word == "{"
        position = match.end()
    starts = (0, *(match.end() for match in _NEWLINE.finditer(text)))
    return Tokens(tuple(tokens), tuple(directives), starts)


def _object_macros(directives: Iterable[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    doubtful: set[str] = set()
    for directive in directives:
        match = _OBJECT_MACRO.match(directive)
        if match is not None:
            if match["name"] in found:
                doubtful.add(match["name"])
            found[match["name"]] = (match["value"] or "").strip()
        elif (removed := re.match(r"#\s*undef\s+(\w+)", directive)) is not None:
            doubtful.add(removed[1])
    return {name: value for name, value in found.items() if name not in doubtful}

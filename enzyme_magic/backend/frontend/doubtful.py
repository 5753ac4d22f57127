"""What compiles and is hardly ever meant: a loop or a branch that ends at a `;` of its first line, and 1/2, which is 0 in C.

Clang knows the first (-Wempty-body), but compares a line of its file with a line of the cell there, which are two; of the second it
says nothing. Invariant: a warning, never an error; what macros make is not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator

from enzyme_magic.backend.frontend.sources import Source
from enzyme_magic.backend.frontend.tokens import Token, Tokens, tokenize
from enzyme_magic.errors import Diagnostic, Span

_ENDING = {"for": "this loop", "while": "this loop", "if": "this if"}
EMPTY, DIVISION = "-Wempty-body", "-Winteger-division"


def warnings(source: Source) -> tuple[Diagnostic, ...]:
    """In the order of the text."""
    tokens = tokenize(source.text)
    found = [*_empty(source, tokens), *_divisions(source, tokens)]
    return tuple(sorted(found, key=lambda d: (d.span.line, d.span.column) if d.span is not None else (0, 0)))


def _empty(source: Source, tokens: Tokens) -> Iterator[Diagnostic]:
    """As clang decides: an `if` always, a loop where a block follows, or a line that is farther to the right."""
    every = tokens.tokens
    for index, token in enumerate(every[:-3]):
        if token.text not in _ENDING or every[index + 1].text != "(":
            continue
        closing = tokens.closing(index + 1)
        if closing is None or closing + 2 >= len(every) or every[closing + 1].text != ";":
            continue
        end, after = every[closing + 1], every[closing + 2]
        if tokens.place(end)[0] != tokens.place(every[closing])[0] or after.text == "else":
            continue
        if token.text == "if" or after.text == "{" or _is_inside(tokens, token, end, after):
            message = f"{_ENDING[token.text]} has nothing in it: it ends at this ;"
            yield _warning(source, tokens, end, 1, message, EMPTY)


def _is_inside(tokens: Tokens, head: Token, end: Token, after: Token) -> bool:
    """Whether what follows stands where the body would."""
    (line, column), (ended, _) = tokens.place(after), tokens.place(end)
    return line > ended and after.text != "}" and column > tokens.place(head)[1]


def _divisions(source: Source, tokens: Tokens) -> Iterator[Diagnostic]:
    every = tokens.tokens
    for index, token in enumerate(every[1:-1], 1):
        a, b = every[index - 1], every[index + 1]
        if token.text != "/" or not (a.text.isdecimal() and b.text.isdecimal()) or not 0 < int(a.text) < int(b.text):
            continue
        if index < 2 or every[index - 2].text not in ("*", "/", "%"):
            length = b.offset + len(b.text) - a.offset
            message = f"{a.text}/{b.text} divides whole numbers and is 0; the number is {a.text}.0/{b.text}"
            yield _warning(source, tokens, a, length, message, DIVISION)


def _warning(source: Source, tokens: Tokens, at: Token, length: int, message: str, option: str) -> Diagnostic:
    line, column = tokens.place(at)
    span = Span(source.name, line, column, column + length, source.line(line))
    return Diagnostic("warning", message, span, option)

"""The sizes written in a parameter's declarator (`x[n]`, `A[n][m]`, `double (*A)[m]`), which debug info loses.

Invariant: an extent is only given when the parameter was found by its own name inside the definition that debug info names;
where the text is not found (the function comes from a macro, from a header), there are no extents, never another function's.
A size that is an object-like macro of the same text is replaced by its value. Nothing is evaluated here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from enzyme_magic.backend.frontend.tokens import Token, Tokens, tokenize

_QUALIFIERS = frozenset(["static", "const", "restrict", "volatile", "__restrict", "__restrict__", "__const", "_Atomic"])
_NOT_NAMES = _QUALIFIERS | frozenset(
    [
        "int",
        "char",
        "short",
        "long",
        "signed",
        "unsigned",
        "float",
        "double",
        "void",
        "_Bool",
        "bool",
        "struct",
        "union",
    ]
)
_TAKES_PARENTHESES = frozenset(
    [
        "__attribute__",
        "__attribute",
        "typeof",
        "__typeof__",
        "__typeof",
        "typeof_unqual",
        "_Alignas",
        "alignas",
        "_BitInt",
    ]
)
_MACRO_DEPTH = 8


@dataclass(frozen=True, slots=True)
class Declarator:
    """A parameter as written: its name, its extents (see `c_types.Parameter`), and where the name stands."""

    name: str
    extents: tuple[str, ...]
    line: int
    column: int


def declarators(text: str, function: str, line: int, names: Sequence[str]) -> Mapping[str, Declarator]:
    """The declarators of the parameters `names` in the definition of `function` at `line` of `text`."""
    tokens = tokenize(text)
    head = _definition(tokens, function, line)
    if head is None:
        return {}
    opening, closing, body = head
    macros = tokens.object_macros
    found: dict[str, Declarator] = {}
    parts = [*_split(tokens, opening + 1, closing, ","), *_split(tokens, closing + 1, body, ";,")]
    for part in parts:
        declarator = _declarator(tokens, part, macros)
        # Of a K&R definition the list of names comes first, the declarations with their sizes after it.
        if declarator is not None and declarator.name in names and (declarator.extents or declarator.name not in found):
            found[declarator.name] = declarator
    return found


def _definition(tokens: Tokens, function: str, line: int) -> tuple[int, int, int] | None:
    """Indices of the parentheses around the parameters and of the body's opening brace."""
    all_ = tokens.tokens
    for index in tokens.outside.get(function, ()):
        if tokens.place(all_[index])[0] != line or index + 1 == len(all_):
            continue
        opening = index + 1
        if all_[opening].text == ")" and opening + 1 < len(all_):  # double (f)(double x) { … }
            opening += 1
        closing = tokens.closing(opening) if all_[opening].text == "(" else None
        body = None if closing is None else _body(tokens, closing + 1)
        if closing is not None and body is not None:
            return opening, closing, body
    return None


def _body(tokens: Tokens, index: int) -> int | None:
    """The index of the brace that opens the body; between it and the parameters only attributes and K&R declarations."""
    for k in range(index, len(tokens.tokens)):
        token = tokens.tokens[k]
        if token.text == "{":
            return k
        if token.text in ("=", "}"):
            return None
        if token.text == ";" and k == index:
            return None  # a prototype
    return None


def _split(tokens: Tokens, start: int, end: int, separators: str) -> Iterator[list[Token]]:
    """The tokens from `start` to `end` in parts, cut where no bracket is open."""
    part: list[Token] = []
    open_ = 0
    for token in tokens.tokens[start:end]:
        open_ += (token.text in "([{") - (token.text in ")]}")
        if open_ == 0 and token.text in separators:
            yield part
            part = []
        else:
            part.append(token)
    if part:
        yield part


def _declarator(tokens: Tokens, part: list[Token], macros: Mapping[str, str]) -> Declarator | None:
    part = _without_attributes(part)
    name = _name(part)
    if name is None:
        return None
    line, column = tokens.place(part[name])
    behind = name + 1
    extents: list[str] = []
    if (
        behind < len(part) and part[behind].text == ")"
    ):  # (*A)[m]: what is behind the parenthesis belongs to the pointee
        extents.append("")
        behind += 1
    while behind < len(part) and part[behind].text == "[":
        end = _bracket_end(part, behind)
        extents.append(_expanded(_words(part[behind + 1 : end]), macros))
        behind = end + 1
    if not any(extents):
        extents = []
    return Declarator(part[name].text, tuple(extents), line, column)


def _without_attributes(part: list[Token]) -> list[Token]:
    """Drop `__attribute__((…))`, `typeof(…)` and their like, whose parentheses are none of the declarator's."""
    kept: list[Token] = []
    k = 0
    while k < len(part):
        if part[k].text in _TAKES_PARENTHESES and k + 1 < len(part) and part[k + 1].text == "(":
            k = _bracket_end(part, k + 1) + 1
            continue
        kept.append(part[k])
        k += 1
    return kept


def _name(part: list[Token]) -> int | None:
    """The index of the declared name: inside the first `(*…)`, else before the first bracket, else the last word."""
    end = len(part)
    for k, token in enumerate(part):
        if token.text == "(" and k + 1 < len(part) and part[k + 1].text in "*(":
            inner = [j for j in range(k + 1, _bracket_end(part, k)) if _is_name(part[j])]
            return inner[0] if inner else None
        if token.text in "[(":
            end = k
            break
    words = [j for j in range(end) if _is_name(part[j])]
    return words[-1] if words else None


def _is_name(token: Token) -> bool:
    return token.kind == "name" and token.text not in _NOT_NAMES


def _bracket_end(part: Sequence[Token], index: int) -> int:
    """The index of the bracket that closes the one at `index`, the last index where none does."""
    opening = part[index].text
    closing = {"(": ")", "[": "]"}[opening]
    open_ = 0
    for k in range(index, len(part)):
        open_ += (part[k].text == opening) - (part[k].text == closing)
        if open_ == 0:
            return k
    return len(part) - 1


def _words(inside: Sequence[Token]) -> list[Token]:
    kept = [token for token in inside if token.text not in _QUALIFIERS]
    return [] if [token.text for token in kept] == ["*"] else kept  # [*]: a size not told


def _expanded(words: Sequence[Token], macros: Mapping[str, str]) -> str:
    """C text of an extent, object-like macros replaced."""
    text = _joined([token.text for token in words])
    for _ in range(_MACRO_DEPTH):
        replaced = re.sub(r"[^\W\d]\w*", lambda match: _replacement(match[0], macros), text)
        if replaced == text:
            break
        text = replaced
    return text[1:-1] if re.fullmatch(r"\([^()]*\)", text) else text


def _replacement(word: str, macros: Mapping[str, str]) -> str:
    value = macros.get(word)
    if not value:
        return word
    return value if re.fullmatch(r"\w+|\([^()]*\)", value) else f"({value})"


def _joined(words: list[str]) -> str:
    """`n*(n+1)/2` as one would write it: a space only between two words."""
    text = ""
    for word in words:
        text += (" " if text and re.match(r"\w", word) and re.search(r"\w$", text) else "") + word
    return text

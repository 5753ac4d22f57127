"""`restrict` written into a parameter's declarator, in a copy of the text.

Invariant: nothing else of the text changes, and the word is written where C wants it: behind the star that makes the parameter a
pointer, or inside the outermost brackets. Where neither is found (a pointer hidden in a typedef or a macro) there is no text.
"""

from __future__ import annotations

from enzyme_magic.backend.frontend.tokens import Tokens, tokenize


def with_restrict(text: str, line: int, column: int, word: str = "restrict") -> str | None:
    """The text with `word` on the parameter whose name stands at this place."""
    tokens = tokenize(text)
    name = tokens.at(line, column)
    if name is None:
        return None
    place = _place(tokens, name)
    if place is None:
        return None
    after = text[place : place + 1]
    space = " " if text[:place].endswith("static") else ""
    return f"{text[:place]}{space}{word}{'' if after in (']', ' ') else ' '}{text[place:]}"


def _place(tokens: Tokens, name: int) -> int | None:
    """Where the word belongs: in `x[n]` behind the bracket, in `*x`, `*const x` and `(*x)[m]` before the name."""
    all_ = tokens.tokens
    following = all_[name + 1].text if name + 1 < len(all_) else ""
    before = name - 1
    while before >= 0 and all_[before].text in ("const", "volatile"):
        before -= 1
    if before >= 0 and all_[before].text == "*" and following != "[":
        return all_[name].offset
    if following != "[":
        return None
    inside = all_[name + 2] if name + 2 < len(all_) else all_[name + 1]
    if inside.text == "static":  # qualifiers stand on one side of it
        return inside.offset + len("static")
    return all_[name + 1].offset + 1

"""Tokens of LLVM's textual IR.

Invariant: one compiled regular expression, one pass, no token objects: a token is its text. Its first character tells its
kind (`%` local, `@` global, `!` metadata, `#` attribute group or debug record, `"` string); a trailing colon makes it a label
or a field name. Comments and white space are gone. A name has one spelling (`%"x"` and `%x` are one value), that of `quoted`.

The text is expected as LLVM prints it; what LLVM would refuse is not diagnosed here.
"""

from __future__ import annotations

import re

from enzyme_magic.errors import UnsupportedIRError

_SKIP = r"(?:[ \t\r\n]+|;[^\n]*)*"
_TOKEN = r"""(c?"[^"]*":?|[%@!$#]"[^"]*"|[-a-zA-Z$._0-9+]+:?|[%@!#^][-a-zA-Z$._0-9\\]*|[=,(){}\[\]<>*|:]|\Z)"""
_SCAN = re.compile(_SKIP + _TOKEN)
_ESCAPE = re.compile(rb"\\(\\|[0-9a-fA-F]{2})")
_PLAIN = re.compile(rb"[ !#-\[\]-~]*")
_BARE = re.compile(r"[-a-zA-Z$._][-a-zA-Z$._0-9]*")
_IN_QUOTES = re.compile(r"""[%@$]"|":""")
END = ""


def tokenize(text: str) -> list[str]:
    """All tokens of `text`, followed by END."""
    tokens = _SCAN.findall(text)
    if not tokens or tokens[-1] != END:
        tokens.append(END)
    return [_spelled(token) if '"' in token else token for token in tokens] if _IN_QUOTES.search(text) else tokens


def _spelled(token: str) -> str:
    """A name in quotes as `quoted` spells it; LLVM's printer puts more of them into quotes than its parser needs (`$x`)."""
    if token[0] in "%@$":
        return token[0] + quoted(name_of(token))
    return f"{quoted(text_of(token))}:" if token[0] == '"' and token[-1] == ":" else token


def offset_of(text: str, index: int) -> int:
    """Where token number `index` begins in `text`. Walks the text again: for error messages only."""
    for number, match in enumerate(_SCAN.finditer(text)):
        if number == index:
            return match.start(1)
    return len(text)


def unescape(token: str) -> bytes:
    """The bytes between the quotes of a string token."""
    inner = token[token.index('"') + 1 : token.rindex('"')]
    data = inner.encode("utf-8", "surrogateescape")
    return _ESCAPE.sub(_unescape_one, data) if b"\\" in data else data


def _unescape_one(match: re.Match[bytes]) -> bytes:
    code = match.group(1)
    return code if code == b"\\" else bytes.fromhex(code.decode())


def text_of(token: str) -> str:
    """A string token as text; bytes that are no UTF-8 survive as surrogates."""
    return unescape(token).decode("utf-8", "surrogateescape")


def name_of(token: str) -> str:
    """The name in `%x`, `@"a b"` or `$c`, without sigil and quotes."""
    return text_of(token) if '"' in token else token[1:]


def escape(data: bytes) -> str:
    """`data` as it stands between quotes in LLVM text."""
    if _PLAIN.fullmatch(data):
        return data.decode("ascii")
    return "".join(chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\{byte:02X}" for byte in data)


def quoted(name: str) -> str:
    """A name behind its sigil: bare where LLVM allows that, else in quotes."""
    if _BARE.fullmatch(name):
        return name
    return f'"{escape(name.encode("utf-8", "surrogateescape"))}"'


class Cursor:
    """A place in the token list. `at` is the index of the next token."""

    __slots__ = ("at", "text", "tokens")

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokenize(text)
        self.at = 0

    def peek(self) -> str:
        return self.tokens[self.at]

    def next(self) -> str:
        token = self.tokens[self.at]
        self.at += 1
        return token

    def accept(self, token: str) -> bool:
        """Steps over `token` if it comes next."""
        if self.tokens[self.at] == token:
            self.at += 1
            return True
        return False

    def expect(self, token: str) -> None:
        if self.tokens[self.at] != token:
            raise self.error(f"{token!r} expected instead of {self.tokens[self.at]!r}")
        self.at += 1

    def integer(self) -> int:
        token = self.next()
        try:
            return int(token)
        except ValueError:
            self.at -= 1
            raise self.error(f"a number expected instead of {token!r}") from None

    def string(self) -> str:
        """The text of a string token."""
        token = self.next()
        if token[:1] != '"' or token[-1] != '"':
            self.at -= 1
            raise self.error(f"a string expected instead of {token!r}")
        return text_of(token)

    def parenthesized(self) -> str:
        """The text from here to the bracket that closes the one just stepped over, which is stepped over too; spaces as
        LLVM sets them."""
        start = self.at
        depth = 1
        while depth:
            token = self.next()
            depth += (token == "(") - (token == ")")
            if token == END:
                raise self.error("')' expected")
        return join(self.tokens[start : self.at - 1])

    def error(self, why: str) -> UnsupportedIRError:
        return unsupported(self.text, self.at, why)


def join(tokens: list[str]) -> str:
    """Tokens with spaces between them, none before a comma or inside round brackets."""
    text = " ".join(tokens)
    return text.replace(" ,", ",").replace("( ", "(").replace(" )", ")").replace(" (", "(")


def unsupported(text: str, index: int, why: str) -> UnsupportedIRError:
    """The error for token number `index`: names the instruction and, where debug info tells it, the C line."""
    from enzyme_magic.backend.ir.text.text_location import span_in_text, statement_at

    statement = statement_at(text, offset_of(text, index))
    return UnsupportedIRError(
        f"cannot read this LLVM IR: {why}, in `{' '.join(statement.split())[:200]}`",
        hint="this construct is outside the subset of LLVM IR the package models; rewrite the C line or report it",
        span=span_in_text(text, statement),
    )

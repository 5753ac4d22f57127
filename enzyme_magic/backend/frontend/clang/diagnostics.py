"""What clang wrote to stderr, as data.

Invariant: every message clang printed is one Diagnostic, in order, notes below the message they belong to; columns count
characters (clang counts bytes). Excerpts of source, include stacks, totals and the driver's complaint about its own constant
`-c` are left out. It does not decide what is an error for us.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from enzyme_magic.backend.frontend.sources import Source
from enzyme_magic.errors import Diagnostic, Span

_PLACED = re.compile(
    r"(?P<file>.+?):(?P<line>\d+):(?P<column>\d+): (?P<severity>fatal error|error|warning|note|remark): (?P<message>.*)"
)
_UNPLACED = re.compile(r"(?:[\w.+-]+: )?(?P<severity>fatal error|error|warning|note|remark): (?P<message>.*)")
_OPTION = re.compile(r" \[(?P<option>-W[^\]]*)\]$")
_EXCERPT = re.compile(r" *(?P<line>\d*) \| ?(?P<text>.*)")
_CARET = re.compile(r"[ ~]*\^(?P<tail>~*)")
_FIX = re.compile(r'fix-it:"(?P<file>.*)":\{(?P<line>\d+):(?P<column>\d+)-(?P<to>\d+):(?P<end>\d+)\}:"(?P<text>.*)"')
_STANDARD = "; ISO C99 and later do not support implicit function declarations"  # true, and no help
_CONSTANT_NOISE = "argument unused during compilation: '-c'"

ERRORS = ("error", "fatal error")


@dataclass(slots=True)
class _Draft:
    """A message while the lines after it are still to come."""

    diagnostic: Diagnostic
    notes: list[_Draft] = field(default_factory=list)

    def finished(self) -> Diagnostic:
        return replace(self.diagnostic, notes=tuple(note.finished() for note in self.notes))


@dataclass(frozen=True, slots=True)
class FixIt:
    """A repair clang proposes: put `text` in place of the columns from `column` up to `end`, characters from 1."""

    span: Span
    end: int
    text: str


def parse(stderr: str, sources: Mapping[str, Source]) -> tuple[Diagnostic, ...]:
    """The messages in `stderr`. `sources` are the texts by the names messages call them."""
    drafts: list[_Draft] = []
    last: _Draft | None = None
    text_of = _reader(sources)
    for line in stderr.split("\n"):
        excerpt = _EXCERPT.fullmatch(line)
        if excerpt is not None:
            _widen(last, excerpt["text"])
            continue
        diagnostic = _message(line, text_of)
        if diagnostic is None:
            continue
        last = _Draft(diagnostic)
        (drafts[-1].notes if diagnostic.severity == "note" and drafts else drafts).append(last)
    return tuple(draft.finished() for draft in drafts)


def errors(diagnostics: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    return tuple(diagnostic for diagnostic in diagnostics if diagnostic.severity in ERRORS)


def fixits(stderr: str, source: Source, offset: int) -> tuple[FixIt, ...]:
    """The one-line repairs clang proposes for `source`, which begins `offset` lines down in what clang read (these lines, unlike
    all others, count without regard to `#line`). What a note proposes is one of several ways, and none of these."""
    found, said = [], ""
    for line in stderr.split("\n"):
        said = _severity(line) or said
        match = _FIX.fullmatch(line)
        if said == "note" or match is None or match["line"] != match["to"] or match["file"] != source.name:
            continue
        number = int(match["line"]) - offset
        text = source.line(number)
        start, end = (_characters(text, int(match[key])) for key in ("column", "end"))
        found.append(FixIt(Span(source.name, number, start, None, text), end, match["text"]))
    return tuple(found)


def _severity(line: str) -> str:
    """Of a message with a place; empty for any other line."""
    match = None if _EXCERPT.fullmatch(line) else _PLACED.fullmatch(line)
    return match["severity"] if match else ""


def _message(line: str, text_of: Callable[[str, int], str | None]) -> Diagnostic | None:
    placed = _PLACED.fullmatch(line)
    match = placed or _UNPLACED.fullmatch(line)
    if match is None or _CONSTANT_NOISE in line:
        return None
    message, option = match["message"], None
    if (found := _OPTION.search(message)) is not None:
        message, option = message[: found.start()], found["option"].split(",")[-1]
    message = message.partition(_STANDARD)[0]
    span = None
    if placed is not None:
        number = int(placed["line"])
        text = text_of(placed["file"], number)
        span = Span(placed["file"], number, _characters(text, int(placed["column"])), None, text)
    return Diagnostic(match["severity"], message, span, option)


def _characters(text: str | None, column: int) -> int:
    """Clang's byte column as a column of characters."""
    if text is None or text.isascii():
        return column
    return len(text.encode()[: column - 1].decode(errors="ignore")) + 1


def _widen(draft: _Draft | None, excerpt: str) -> None:
    """Take the length of clang's `^~~~` for the end of the span."""
    caret = _CARET.fullmatch(excerpt.rstrip())
    if draft is None or draft.diagnostic.span is None or caret is None or draft.diagnostic.span.end_column:
        return
    span = draft.diagnostic.span
    draft.diagnostic = replace(draft.diagnostic, span=replace(span, end_column=span.column + 1 + len(caret["tail"])))


def _reader(sources: Mapping[str, Source]) -> Callable[[str, int], str | None]:
    """Line `number` of the file a message names: one of the sources, or a header on disk."""
    headers: dict[str, Source | None] = {}

    def line(name: str, number: int) -> str | None:
        source = sources.get(name)
        if source is None:
            if name not in headers:
                headers[name] = _header(name)
            source = headers[name]
        return source.line(number) if source else None

    return line


def _header(name: str) -> Source | None:
    try:
        path = Path(name)
        if not path.is_file() or path.stat().st_size > 1 << 22:
            return None
        return Source(path.read_text("utf-8", errors="replace"), name, path)
    except (OSError, ValueError):
        return None

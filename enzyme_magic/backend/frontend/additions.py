"""What is put around the user's text before clang reads it, so that line numbers stay the cell's.

Invariant: `render` changes no line number and no column of the user's text: additions stand before a `#line`, or between two.
The text is the user's byte for byte otherwise, but for the attribute `enzyme`, which gets another name of the same length, so that
`enzyme` stays an ordinary name everywhere else. It decides nothing: see `headers`, `markers`, `entry`.
"""

from __future__ import annotations

from dataclasses import dataclass

from enzyme_magic.backend.frontend.sources import Source

ADDED = "<added by enzyme_magic>"
ATTRIBUTE = "_Enzym"  # how the attribute `enzyme` is spelled for clang: as long, and reserved


@dataclass(frozen=True, slots=True)
class Additions:
    """macros: `#define` lines, first of all. headers: included next. declarations: C declarations after the headers.
    insertions: (offset in the source, line, column, declaration), put before a top-level declaration because they need its
    types. renamed: offsets of the attribute `enzyme`. handlers: functions that only attributes mention, which clang would
    leave out. appended: C text after the source, with its own `#line`s. foreseen: nothing of this was asked for by clang yet."""

    headers: tuple[str, ...] = ()
    macros: tuple[str, ...] = ()
    declarations: tuple[str, ...] = ()
    insertions: tuple[tuple[int, int, int, str], ...] = ()
    renamed: tuple[int, ...] = ()
    handlers: tuple[str, ...] = ()
    appended: str = ""
    foreseen: bool = False
    notes: tuple[str, ...] = ()


def render(source: Source, additions: Additions) -> str:
    """The text clang reads."""
    lines = _before(source, additions)
    body = source.text
    for offset in additions.renamed:
        body = body[:offset] + ATTRIBUTE + body[offset + len(ATTRIBUTE) :]
    for offset, line, column, declaration in sorted(additions.insertions, reverse=True):
        inserted = f'\n#line 1 "{ADDED}"\n{declaration}\n#line {line} "{escaped(source.name)}"\n{" " * (column - 1)}'
        body = body[:offset] + inserted + body[offset:]
    return "\n".join(lines) + "\n" + body + "\n" + _handlers(additions) + additions.appended


def _handlers(additions: Additions) -> str:
    """A list that keeps the handlers in the module."""
    if not additions.handlers:
        return ""
    names = ", ".join(f"(void *){name}" for name in additions.handlers)
    return f'#line 1 "{ADDED}"\n__attribute__((used)) static void *const __em_handlers[] = {{{names}}};\n'


def lines_before(source: Source, additions: Additions) -> int | None:
    """How many lines stand before the user's first; None when there are others in between."""
    return None if additions.insertions else len(_before(source, additions))


def _before(source: Source, additions: Additions) -> list[str]:
    lines = [f'#line 1 "{ADDED}"'] if additions.headers or additions.macros or additions.declarations else []
    lines += additions.macros
    lines += [f"#include <{header}>" for header in additions.headers]
    lines += additions.declarations
    return [*lines, f'#line 1 "{escaped(source.name)}"']


def escaped(name: str) -> str:
    """A file name inside a C string."""
    return name.replace("\\", "\\\\").replace('"', '\\"')

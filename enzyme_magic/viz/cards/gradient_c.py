"""The gradient as C: the function's text and that of its gradient, side by side where there is room.

A statement's comment, which names the C line and the rule it comes from, stands beside it in small print and links to it.
Where there is no C text the picture says why.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import accumulate, takewhile

from enzyme_magic.report import Report
from enzyme_magic.viz.cards import source
from enzyme_magic.viz.model import Card, Drawing, Group, Row, Table

CLIP = 84
NOTE_COLUMNS = 44
_SHOWN = 56  # lines in the picture, those of long notes included: three screens; the text form has all
_SHORT, _LEAST = 16, 32  # lines of a function that takes no room from them; what stays of them then
_END = 16  # of these, from the end
_COMMENT = re.compile(r"^(.*?)\s*/\* (line (\d+)(?:: (.*))?) \*/\s*$")
NOT_RECORDED = "not recorded in this report"


def card(report: Report) -> Card:
    title = f"{report.signature or report.function}: the gradient as C"
    made = report.gradient_c
    sentences = _sentences(report)
    if made is None or not made.available:
        return Card("gradient-c", title, sentences, (Group((Drawing(title, sentences),)),))
    head = Drawing(title, sentences, code_title=True)
    beside = _own(report)
    own = Drawing(tables=(beside,), clip=56)
    written = Drawing(tables=(_table(made.text, _room(beside)),), clip=CLIP)
    return Card("gradient-c", title, sentences, (Group((head,)), Group((own, written), together=True)))


def _own(report: Report) -> Table:
    """The function's text; its rows have ids of their own, for `source` may stand on the same page."""
    listed = source.table(report, 60, note_columns=24)
    rows = tuple(replace(r, identifier=f"g_{r.identifier}" if r.identifier else "", link="") for r in listed.rows)
    return replace(listed, name="gradient_source", rows=rows)


def _sentences(report: Report) -> tuple[str, ...]:
    made = report.gradient_c
    if made is None:
        return (NOT_RECORDED,)
    if not made.available:
        return (made.reason,)
    lines = len(made.text.splitlines())
    how = "compiled like the function it gives what the gradient gives"
    if made.text.startswith("/*"):
        how += ", but for the order of sums"
    return (f"{lines} lines; {how}. Export: f.export('{report.function}_gradient.c')",)


def _room(beside: Table) -> int:
    """Lines: where the function is long, it stands above its gradient."""
    return max(_LEAST, _SHOWN - max(0, len(beside.rows) - _SHORT))


def _table(text: str, room: int) -> Table:
    rows = [_row(number, line) for number, line in enumerate(text.rstrip("\n").split("\n"), 1)]
    if sum(map(_height, rows)) > room:
        first, last = _fitting(rows, room - _END), len(rows) - _fitting(rows[::-1], _END)
        words = f"… {last - first} lines: {first + 1} to {last}"
        rows = [*rows[:first], Row(words, identifier="g_more", prose=True), *rows[last:]]
    return Table("gradient_c", "gradient as C", rows=tuple(rows), wrap=NOTE_COLUMNS)


def _fitting(rows: Iterable[Row], room: int) -> int:
    """How many rows have room in so many lines."""
    taken = accumulate(map(_height, rows))
    return sum(1 for _ in takewhile(lambda so_far: so_far <= room, taken))


def _height(row: Row) -> int:
    """In lines: a note that is long has several, a line that is long two."""
    return max(1, -(-len(row.aside) // NOTE_COLUMNS), 1 + (len(row.text) > CLIP))


def _row(number: int, line: str) -> Row:
    found = _COMMENT.match(line)
    if found is None:
        return Row(line, lead=str(number), identifier=f"g{number}")
    code, note, of, _ = found.groups()
    return Row(code, lead=str(number), aside=note, identifier=f"g{number}", link=f"a_g_L{of}", title=note)


def text(report: Report) -> str:
    """The C text itself; the reason, as a comment, where there is none."""
    made = report.gradient_c
    if made is not None and made.available:
        return made.text.rstrip("\n")
    return f"/* {_sentences(report)[0]} */"

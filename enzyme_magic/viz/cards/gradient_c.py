"""The gradient as C: the function's text and that of its gradient, side by side where there is room.

A statement's comment, which names the C line and the rule it comes from, stands beside it in small print and links to it.
Where there is no C text the picture says why.
"""

from __future__ import annotations

import re
from dataclasses import replace

from enzyme_magic.report import Report
from enzyme_magic.viz.cards import source
from enzyme_magic.viz.model import Card, Drawing, Group, Row, Table

CLIP = 84
NOTE_COLUMNS = 44
_SHOWN = 56  # lines in the picture: three screens; the text form has all
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
    own = Drawing(tables=(_own(report),), clip=56)
    written = Drawing(tables=(_table(made.text),), clip=CLIP)
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
    return (f"{lines} lines; {how}. Export: f.export('{report.function}_gradient.c')",)


def _table(text: str) -> Table:
    lines = text.rstrip("\n").split("\n")
    rows = tuple(_row(number, line) for number, line in enumerate(lines, 1))
    if len(lines) > _SHOWN:
        first = _SHOWN - _END
        more = Row(
            f"… {len(lines) - _SHOWN} lines: {first + 1} to {len(lines) - _END}", identifier="g_more", prose=True
        )
        rows = (*rows[:first], more, *rows[-_END:])
    return Table("gradient_c", "gradient as C", rows=rows, wrap=NOTE_COLUMNS)


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

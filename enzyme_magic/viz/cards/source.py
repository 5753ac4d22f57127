"""Annotated source: each C line with its mark and what is active on it.

The marks and notes are the report's; the sentence above counts instructions and saved bytes. No C is parsed here.
"""

from __future__ import annotations

import re

from enzyme_magic.report import Report, SourceLine
from enzyme_magic.viz.facts import summary
from enzyme_magic.viz.model import Card, Drawing, Row, Table, single

CLIP = 78
NOTE_COLUMNS = 44
_NO_CODE = re.compile(r'"(?:\\.|[^"\\])*"|//.*|/\*.*?\*/|\'(?:\\.|[^\'\\])\'')  # on one line
_WHOLE = 60  # lines of the function itself that a picture always shows
PICTURE = 20  # a table of so many lines is for a picture; less is a terminal's
_SHOWN = 120  # lines of C in the picture; more become "… n lines" around the marked ones


def table(report: Report, limit: int = _SHOWN, note_columns: int = NOTE_COLUMNS, *, dense: bool = False) -> Table:
    """The source as a table of at most about `limit` lines."""
    rows = tuple(_row(line) for line in _without_blank_end(report.source))
    kept = _fold(rows, limit, _own_lines(report)) if len(rows) > limit else rows
    subtitle = "C source" if report.source_name else ""
    return Table("source", report.source_name or "C source", subtitle, kept, wrap=note_columns, dense=dense)


def card(report: Report) -> Card:
    title = report.signature or report.function
    drawing = Drawing(title, (summary(report),), (table(report),), clip=CLIP, legend=True, code_title=True)
    return single("source", drawing)


def _without_blank_end(lines: tuple[SourceLine, ...]) -> tuple[SourceLine, ...]:
    """Without the empty lines behind the last one that says something."""
    end = next((n for n in range(len(lines), 0, -1) if lines[n - 1].text.strip() or lines[n - 1].mark), 0)
    return lines[:end]


def _row(line: SourceLine) -> Row:
    link = f"a_{line.instructions[0]}" if line.instructions else ""
    return Row(
        text=line.text.rstrip(),
        mark=line.mark if line.mark in ("active", "mixed", "inactive", "cached") else "",
        lead=str(line.number),
        aside=line.note,
        identifier=f"L{line.number}",
        link=link,
        title=f"line {line.number}" + (f": {line.note}" if line.note else ""),
    )


def _own_lines(report: Report) -> range:
    """The lines of the function itself, from its name to the brace that closes it, as indexes; nothing where they are not found."""
    texts = [_NO_CODE.sub("", line.text) for line in report.source]
    first = min((parameter.line for parameter in report.parameters if parameter.line), default=0) - 1
    if first < 0:
        name = re.compile(rf"\b{re.escape(report.function)}\s*\(")
        first = next((n for n, text in enumerate(texts) if name.search(text) and ";" not in text), -1)
    depth, opened = 0, False
    for number in range(max(first, 0), len(texts)):
        opened = opened or "{" in texts[number]
        depth += texts[number].count("{") - texts[number].count("}")
        if first >= 0 and opened and depth <= 0:
            return range(first, number + 1)
    return range(0)


def _fold(rows: tuple[Row, ...], limit: int, own: range) -> tuple[Row, ...]:
    """The function itself, then other marked lines with their neighbours, as many as fit; runs of others become one row that counts
    them."""
    marked = [index for index, row in enumerate(rows) if row.mark]
    whole = len(own) <= max(limit, _WHOLE if limit >= PICTURE else 0)
    keep: set[int] = set(own) if whole and own else {0}
    if not whole:
        marked = [*(index for index in marked if index in own), *(index for index in marked if index not in own)]
    for distance in (0, 1, 2):
        for index in (index for index in marked if not (distance and whole and index in own)):
            if len(keep) < limit:
                keep |= {near for near in (index - distance, index + distance) if _beside(rows, index, near)}
    folded: list[Row] = []
    hidden: list[Row] = []
    for index, row in enumerate(rows):
        if index not in keep:
            hidden.append(row)
            continue
        folded += _gap(hidden)
        hidden = []
        folded.append(row)
    return tuple(folded + _gap(hidden))


def _beside(rows: tuple[Row, ...], index: int, near: int) -> bool:
    """Whether a line belongs to the same function as a marked one: no brace in the first column ends one in between."""
    if not 0 <= near < len(rows):
        return False
    between = range(near, index) if near < index else range(index, near)
    return not any(rows[line].text.startswith("}") for line in between)


def _gap(hidden: list[Row]) -> list[Row]:
    if len(hidden) <= 1:
        return hidden
    return [Row(f"… {len(hidden)} lines", title=f"lines {hidden[0].lead} to {hidden[-1].lead}")]

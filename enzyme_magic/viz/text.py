"""The text twin of a card: the same tables, marks, lines and edges, for terminals, pipes and screen readers.

Invariant: every row of the card appears with its mark, its whole text and its note; nothing is cut here but the first screen.
`wording.spell` makes it ASCII where the stream needs that.
"""

from __future__ import annotations

from collections.abc import Iterator

from enzyme_magic.viz.model import Card, Drawing, Row, Table
from enzyme_magic.viz.theme import MARKS
from enzyme_magic.viz.wording import clean, legend, pad, width

_WIDEST = 72  # columns after which notes stop being aligned


def card_text(card: Card) -> str:
    """The card from top to bottom; no newline at the end."""
    parts = ["\n".join(drawing_lines(drawing)) for drawing in card.drawings()]
    return "\n\n".join(part for part in parts if part)


def drawing_lines(drawing: Drawing) -> Iterator[str]:
    if drawing.title:
        yield clean(drawing.title)
    for sentence in drawing.sentences:
        yield clean(sentence)
    if drawing.legend and drawing.marks():
        yield legend(drawing.marks())
    titles = {table.name: clean(table.title) for table in drawing.tables}
    for table in drawing.tables:
        yield from table_lines(table)
        for link in drawing.links:
            if link.source == table.name and link.kind not in ("hidden", "dotted"):
                label = f"{clean(link.label)}: " if link.label else ""
                yield f"      → {label}{titles[link.target]}"


def table_lines(table: Table) -> list[str]:
    """Header and rows; texts and notes in columns."""
    head = "  ".join(part for part in (clean(table.title), clean(table.subtitle)) if part)
    leads = max((width(clean(row.lead)) for row in table.rows), default=0)
    marked = any(row.mark for row in table.rows)
    texts = [clean(row_text(row)) for row in table.rows]
    column = min(
        max((width(text) for text, row in zip(texts, table.rows, strict=True) if row.aside), default=0), _WIDEST
    )
    lines = [f"  {head}"] if head else []
    return lines + [_line(row, text, leads, marked, column) for row, text in zip(table.rows, texts, strict=True)]


def row_text(row: Row) -> str:
    """A row's text; a bar of ten signs for a share."""
    if row.share is None:
        return row.text
    full = max(round(10 * min(max(row.share, 0.0), 1.0)), 1)
    return "█" * full + "░" * (10 - full)


def _line(row: Row, text: str, leads: int, marked: bool, column: int) -> str:
    lead = f"{clean(row.lead).rjust(leads)} " if leads else ""
    mark = f"{MARKS[row.mark].sign if row.mark else ' '} " if marked else ""
    note = f"   {clean(row.aside)}" if row.aside else ""
    return f"    {lead}{mark}{pad(text, column) if note else text}{note}".rstrip()

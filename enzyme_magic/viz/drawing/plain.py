"""A card as an SVG of plain lines, without Graphviz: the last resort where laying out takes too long.

Invariant: the same form as `svg.finish` gives: described, presentation attributes only. No arrows: they are in the text form.
"""

from __future__ import annotations

import html
from collections.abc import Iterator

from enzyme_magic.viz.model import Card, Row
from enzyme_magic.viz.theme import CODE_SIZE, LABEL_SIZE, MARKS, MONO, SANS, TITLE_SIZE, Theme
from enzyme_magic.viz.wording import clean, clip, wrap

_MARGIN = 14
_LINE = 20
_COLUMNS = 110
_WIDTH = 900
_SCALE = 4 / 3  # points to pixels


def plain(card: Card, theme: Theme, why: str) -> str:
    """The SVG text. why: the sentence that says why there is no drawing."""
    lines = list(_lines(card, theme, why))
    height = 2 * _MARGIN + _LINE * len(lines)
    said = f"<title>{_escape(card.title)}</title>\n<desc>{_escape('. '.join(card.description))}</desc>"
    body = "\n".join(line.format(y=_MARGIN + _LINE * (n + 1) - 5) for n, line in enumerate(lines))
    return (
        f'<svg role="img" width="{_WIDTH}" height="{height}" viewBox="0 0 {_WIDTH} {height}" '
        f'xmlns="http://www.w3.org/2000/svg">\n{said}\n'
        f'<rect width="{_WIDTH}" height="{height}" fill="{theme.background}"/>\n{body}\n</svg>\n'
    )


def _lines(card: Card, theme: Theme, why: str) -> Iterator[str]:
    yield from (_text(part, theme.grey, LABEL_SIZE) for part in wrap(f"simpler picture: {why}", _COLUMNS))
    for drawing in card.drawings():
        if drawing.title:
            yield _text(drawing.title, theme.text, TITLE_SIZE, face=MONO if drawing.code_title else SANS, bold=True)
        for sentence in drawing.sentences:
            yield from (_text(part, theme.grey, LABEL_SIZE) for part in wrap(sentence, _COLUMNS))
        for table in drawing.tables:
            head = "  ".join(part for part in (table.title, table.subtitle) if part)
            if head:
                yield _text(head, theme.text, LABEL_SIZE, bold=True)
            yield from (_row(row, theme) for row in table.rows)


def _row(row: Row, theme: Theme) -> str:
    sign = MARKS[row.mark].sign if row.mark else " "
    parts = (row.lead, sign, row.text, f"  {row.aside}" if row.aside else "")
    return _text(" ".join(part for part in parts if part), theme.text, CODE_SIZE, face=MONO)


def _text(text: str, colour: str, size: int, *, face: str = SANS, bold: bool = False) -> str:
    shown = _escape(clip(clean(text), _COLUMNS)).replace("{", "{{").replace("}", "}}")
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{_MARGIN}" y="{{y}}" xml:space="preserve" font-family="{face}" font-size="{size * _SCALE:.1f}"'
        f'{weight} fill="{colour}">{shown}</text>'
    )


def _escape(text: str) -> str:
    return html.escape(clean(text), quote=False)

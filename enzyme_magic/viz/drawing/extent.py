"""About how tall a drawing will be, without drawing it.

Graphviz puts each box below all that lead to it: the height is that of the longest way down. Only a guide for folding; the drawing
itself has the last word.
"""

from __future__ import annotations

from enzyme_magic.viz.model import Drawing, Row, Table
from enzyme_magic.viz.wording import wrap, wrap_code

_ROW = 28.0  # pixels
_LESS = 5.5  # of a row in a dense table
_CODE = 17.0  # a further line of code
_NOTE = 14.5  # a further line of small print
_LEAST_NOTES = 2  # from so many lines on they make a row taller
_MOST_NOTES = 8
_BETWEEN = 44.0
_HEADING = 60.0
_SENTENCE = 23.0


def heading(sentences: int) -> float:
    """Pixels of a heading, or of lines of text alone."""
    return _SENTENCE * sentences + _SENTENCE


def height(drawing: Drawing) -> float:
    """Pixels from the top to the bottom."""
    own = {table.name: _tall(table, drawing.clip) for table in drawing.tables}
    below: dict[str, list[str]] = {name: [] for name in own}
    waiting = dict.fromkeys(own, 0)
    for link in drawing.links:
        if link.kind != "back" and link.source != link.target:
            below[link.source].append(link.target)
            waiting[link.target] += 1
    reach = dict(own)
    ready = [name for name, count in waiting.items() if not count]
    while ready:
        name = ready.pop()
        for target in below[name]:
            reach[target] = max(reach[target], reach[name] + own[target])
            waiting[target] -= 1
            if not waiting[target]:
                ready.append(target)
    return _HEADING + max(reach.values(), default=0.0)


def _tall(table: Table, clip: int) -> float:
    header = _ROW if table.title else 0.0
    return header + sum(_row(row, table, clip) for row in table.rows) + _BETWEEN


def _row(row: Row, table: Table, clip: int) -> float:
    code = 0 if row.prose else len(wrap_code(row.text, clip)) - 1
    notes = len(wrap(row.aside, table.wrap, _MOST_NOTES)) if table.wrap else 0
    more = max(_CODE * code, _NOTE * (notes - _LEAST_NOTES) + _NOTE if notes >= _LEAST_NOTES else 0.0)
    return _ROW + more - (_LESS if table.dense else 0.0)

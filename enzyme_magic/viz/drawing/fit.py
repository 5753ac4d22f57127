"""Making a large card drawable: what is folded, and when a table takes the place of the graph.

Invariant: pure; nothing is dropped in silence. A fold is a row that counts what it hides by mark and lines, stored values are
folded last, and a sentence says how many rows are shown. The text twin is made from the whole card.

Sizes: a picture should stay below `SVG_LIMIT` bytes. The bytes are estimated from the DOT text (drawn SVG is up to
`_GROWTH` times as long), so that the choice needs no drawing; `coarser` is the next step when the drawing proves too large.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator

from enzyme_magic.viz.drawing.dot import card_dot
from enzyme_magic.viz.model import Card, Drawing, Group, Row, Table
from enzyme_magic.viz.theme import MARKS, Theme
from enzyme_magic.viz.wording import plural

SVG_LIMIT = 200_000
TABLE_ROWS = 1_500
TABLE_BLOCKS = 60
_GROWTH = 2.3
_LONGEST_RUN = 4  # of rows without a derivative
_FEW = {2: 8, 3: 5, 4: 3}  # rows of a block, by level
_LEAST = 4
_TABLE_CLIP = 48
_BOXES = 150  # more are no picture

# the whole, quiet runs folded, blocks of at most 8, 5, 3 rows, blocks of their stored values, a table of the blocks
LEVELS = (0, 1, 2, 3, 4, 5, 6)


def fitted(card: Card, theme: Theme) -> tuple[Card, int]:
    """The card folded as little as the limits allow, and the level that was chosen."""
    for level in LEVELS[_first_level(card) :]:
        folded = at_level(card, level)
        if len(card_dot(folded, theme)) * _GROWTH <= SVG_LIMIT and _few_enough(card, folded, level):
            break
    return folded, level


def _few_enough(card: Card, folded: Card, level: int) -> bool:
    """Whether the rows are as few as the card wishes, or no fewer can be had without hiding what its blocks do."""
    return not card.most_rows or level >= _LEAST or sum(1 for _ in folded.rows()) <= card.most_rows


def _first_level(card: Card) -> int:
    boxes = max((len(drawing.tables) for drawing in card.drawings()), default=0)
    rows = sum(1 for _ in card.rows())
    return LEVELS[-1] if rows > TABLE_ROWS or boxes > _BOXES else 0


def coarser(level: int) -> int | None:
    return level + 1 if level < LEVELS[-1] else None


def at_level(card: Card, level: int) -> Card:
    """The card with each drawing folded to that level."""
    if level == 0:
        return card
    groups = tuple(
        Group(tuple(_at_level(card, drawing, level) for drawing in group.drawings), group.together)
        for group in card.groups
    )
    return dataclasses.replace(card, groups=groups)


def _at_level(card: Card, drawing: Drawing, level: int) -> Drawing:
    """Small drawings stay as they are where others are folded for the sake of few rows."""
    small = card.most_rows and level <= _LEAST and sum(1 for _ in drawing.rows()) <= card.most_rows // 4
    return drawing if small else _drawing(drawing, level)


def _drawing(drawing: Drawing, level: int) -> Drawing:
    if level == LEVELS[-1]:
        return _as_table(drawing)
    added = any(row.mark == "added" for row in drawing.rows())
    tables = tuple(
        dataclasses.replace(table, rows=tuple(_rows_at(table.rows, level, added=added))) for table in drawing.tables
    )
    folded = dataclasses.replace(drawing, tables=tables)
    return _saying(folded, drawing)


def _rows_at(rows: tuple[Row, ...], level: int, *, added: bool) -> Iterator[Row]:
    """added: the drawing is about what a step added, so that all other rows are quiet."""
    if level == 1 or (added and not any(row.mark == "added" for row in rows)):
        return _quiet(rows, ("inactive", "") if added else ("inactive",))
    return _short(rows, _FEW[level]) if level in _FEW else _single(rows)


def _saying(folded: Drawing, whole: Drawing) -> Drawing:
    """`folded` with a sentence that says what is shown."""
    shown, total = (sum(1 for row in drawing.rows() if row.identifier) for drawing in (folded, whole))
    if shown == total:
        return folded
    sentence = f"{shown:,} of {plural(total, 'row')} shown; the text form has them all"
    return dataclasses.replace(folded, sentences=(*folded.sentences, sentence), explained=whole.marks())


def _folded(rows: list[Row]) -> Row:
    """One row in the place of several: how many of each mark."""
    counts = Counter(row.mark for row in rows)
    parts = [f"{counts[mark]} {MARKS[mark].sign}" for mark in MARKS if counts[mark]]
    text = f"… {plural(len(rows), 'row')}" + (f": {'  '.join(parts)}" if parts else "")
    marks = [mark for mark in counts if mark]
    alone = len(counts) == 1 or marks == ["added"]
    mark = marks[0] if alone and marks else "mixed" if marks else ""
    return Row(text, mark=mark, aside=_lines(rows), prose=True)


def _lines(rows: list[Row]) -> str:
    """The common note of folded rows, from the first to the last where they differ."""
    notes = [row.aside.split(" · ")[0] for row in rows if row.aside]
    if not notes or notes[0] == notes[-1]:
        return notes[0] if notes else ""
    first, last = notes[0].removeprefix("line "), notes[-1].removeprefix("line ")
    return f"lines {first} to {last}" if first.isdigit() and last.isdigit() else f"{notes[0]} … {notes[-1]}"


def _quiet(rows: tuple[Row, ...], marks: tuple[str, ...]) -> Iterator[Row]:
    """Long runs of rows with one of the marks as one row."""
    run: list[Row] = []
    for row in rows:
        if row.mark in marks:
            run.append(row)
            continue
        yield from _run(run)
        run = []
        yield row
    yield from _run(run)


def _run(run: list[Row]) -> list[Row]:
    return [_folded(run)] if len(run) >= _LONGEST_RUN else run


def _short(rows: tuple[Row, ...], few: int) -> Iterator[Row]:
    """The first and last rows, and those of stored values as far as there is room."""
    if len(rows) <= few:
        yield from rows
        return
    first, last = (few + 1) // 2 - 1, few // 3
    keep = {*range(first), *range(len(rows) - last, len(rows)), *_stored(rows, few // 2)}
    yield from _keeping(rows, keep)


def _stored(rows: tuple[Row, ...], most: int) -> list[int]:
    """The first rows whose value is stored: they are folded last."""
    return [index for index, row in enumerate(rows) if row.mark == "cached"][:most]


def _single(rows: tuple[Row, ...]) -> Iterator[Row]:
    yield from _keeping(rows, set(_stored(rows, _FEW[2] // 2)))


def _keeping(rows: tuple[Row, ...], keep: set[int]) -> Iterator[Row]:
    run: list[Row] = []
    for index, row in enumerate(rows):
        if index not in keep:
            run.append(row)
            continue
        yield from [_folded(run)] if len(run) > 1 else run
        run = []
        yield row
    yield from [_folded(run)] if len(run) > 1 else run


def _as_table(drawing: Drawing) -> Drawing:
    """One row for each box, at most `TABLE_BLOCKS` of them, and no arrows."""
    total = sum(len(table.rows) for table in drawing.tables)
    if len(drawing.tables) < 2 and total <= TABLE_BLOCKS:
        return drawing
    rows = [_box(table) for table in drawing.tables] if len(drawing.tables) > 1 else list(drawing.tables[0].rows)
    kept = rows[:TABLE_BLOCKS]
    if len(rows) > len(kept):
        kept.append(Row(f"… {len(rows) - len(kept):,} more", prose=True))
    sentence = f"{plural(total, 'row')} are too many to draw as a graph: this is a table of its parts; the text form has them all"
    table = Table(f"{drawing.tables[0].name}_table", "block", "rows", tuple(kept))
    sentences = (*drawing.sentences, sentence)
    return dataclasses.replace(
        drawing, sentences=sentences, tables=(table,), links=(), clip=_TABLE_CLIP, explained=drawing.marks()
    )


def _box(table: Table) -> Row:
    folded = _folded(list(table.rows)) if table.rows else Row("empty")
    name = f"{table.title}  {table.subtitle}".strip()
    return Row(
        f"{name}  {folded.text.removeprefix('… ')}",
        mark=folded.mark,
        aside=folded.aside,
        identifier=f"{table.name}_all",
    )

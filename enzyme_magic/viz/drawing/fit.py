"""Making a large card drawable: what is folded, and when a table takes the place of the graph.

Invariant: pure; nothing is dropped in silence. A fold is a row that counts what it hides by mark and lines, stored values are
folded last, and a sentence says how many rows are shown. The text twin is made from the whole card.

Sizes: a picture should stay below `SVG_LIMIT` bytes, and a graph with loops or calls within a few screens. Bytes are
estimated from the DOT text (drawn SVG is up to `_GROWTH` times as long) and the height from the longest way down, so that the
choice needs no drawing; `coarser` is the next step when the drawing proves too large.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from enzyme_magic.viz.drawing.dot import card_dot
from enzyme_magic.viz.drawing.extent import height
from enzyme_magic.viz.drawing.folding import closed, joined
from enzyme_magic.viz.model import Card, Drawing, Group, Row, Table
from enzyme_magic.viz.theme import LIGHT, MARKS
from enzyme_magic.viz.wording import plural

SVG_LIMIT = 200_000
TABLE_ROWS = 1_500
TABLE_BLOCKS = 60
TALLEST = 2_400  # pixels of a control flow graph: three screens
_GROWTH = 2.3
_LONGEST_RUN = 4  # of rows without a derivative
_LINE = re.compile(r"line (\d+)$")
_FEW = {2: 8, 3: 5, 4: 3}  # rows of a block, by step
_BY_MARK = 5  # the step that leaves stored values alone
_LEAST = 4
_TABLE_CLIP = 48
_BOXES = 150  # more are no picture


@dataclass(frozen=True, slots=True)
class FoldLevel:
    """How much is folded. step: 0 nothing, 1 quiet runs, 2 to 4 blocks of at most 8, 5, 3 rows, 5 blocks of their stored values.

    depth: regions so deep or deeper are closed; None: none is. between: what lies between regions is one box, too. listed: graphs
    that are still taller than their part of a few screens are tables of these boxes.
    """

    step: int
    depth: int | None = None
    between: bool = False
    listed: bool = False
    table: bool = False


TABLE = FoldLevel(6, table=True)  # of the blocks, without arrows


def levels(card: Card) -> tuple[FoldLevel, ...]:
    """From the whole to the table: rows are folded before loops, inner loops before outer ones."""
    deepest = max((region.depth for drawing in card.drawings() for region in drawing.regions), default=-1)
    if deepest < 0:
        return (FoldLevel(0), FoldLevel(1), FoldLevel(2), FoldLevel(3), FoldLevel(4), FoldLevel(_BY_MARK), TABLE)
    shut = [FoldLevel(2, depth) for depth in range(deepest, -1, -1)]
    between = [FoldLevel(step, 0, between=True) for step in (3, 4, _BY_MARK)]
    between.append(FoldLevel(_BY_MARK, 0, between=True, listed=True))
    return (FoldLevel(0), FoldLevel(1), FoldLevel(2), *shut, FoldLevel(3, 0), *between, TABLE)


def fitted(card: Card) -> tuple[Card, FoldLevel]:
    """The card folded as little as the limits allow, and the level that was chosen: the same in every theme."""
    return _fitted(card, (SVG_LIMIT, TALLEST))


@lru_cache(maxsize=64)
def _fitted(card: Card, limits: tuple[int, int]) -> tuple[Card, FoldLevel]:
    """A page draws each card twice, and asks for its folded loops before: the answer is kept. limits: those that it holds for."""
    if _hopeless(card):
        return at_level(card, TABLE), TABLE
    folded, level = card, FoldLevel(0)
    for level in levels(card):
        folded = at_level(card, level)
        few = _few_enough(card, folded, level) and _low_enough(card, folded, level)
        if few and len(card_dot(folded, LIGHT)) * _GROWTH <= SVG_LIMIT:
            break
    return folded, level


def _few_enough(card: Card, folded: Card, level: FoldLevel) -> bool:
    """Whether the rows are as few as the card wishes, or no fewer can be had without hiding what its blocks do."""
    return not card.most_rows or level.step >= _LEAST or sum(1 for _ in folded.rows()) <= card.most_rows


def _low_enough(card: Card, folded: Card, level: FoldLevel) -> bool:
    """Whether graphs with regions are no taller than a few screens, or nothing more of them can be folded."""
    graphs = [drawing for drawing, whole in zip(folded.drawings(), card.drawings(), strict=True) if whole.regions]
    return level.listed or level.table or sum(map(height, graphs)) <= TALLEST


def _hopeless(card: Card) -> bool:
    boxes = max((len(drawing.tables) for drawing in card.drawings() if not drawing.regions), default=0)
    rows = sum(1 for drawing in card.drawings() if not drawing.regions for _ in drawing.rows())
    return rows > TABLE_ROWS or boxes > _BOXES


def coarser(card: Card, level: FoldLevel) -> FoldLevel | None:
    ladder = levels(card)
    return ladder[ladder.index(level) + 1] if level != TABLE else None


def at_level(card: Card, level: FoldLevel) -> Card:
    """The card with each drawing folded to that level."""
    if level.step == 0:
        return card
    part = TALLEST / max(1, sum(1 for drawing in card.drawings() if drawing.regions))
    groups = tuple(
        Group(tuple(_at_level(card, drawing, level, part) for drawing in group.drawings), group.together)
        for group in card.groups
    )
    return dataclasses.replace(card, groups=groups)


def _at_level(card: Card, drawing: Drawing, level: FoldLevel, part: float) -> Drawing:
    """Small drawings stay as they are where others are folded for the sake of few rows. part: pixels that each graph may take."""
    if level.listed and height(drawing) <= part:
        return drawing
    small = card.most_rows and not level.table and sum(1 for _ in drawing.rows()) <= card.most_rows // 4
    return drawing if small else _drawing(drawing, level, part)


def _drawing(drawing: Drawing, level: FoldLevel, part: float) -> Drawing:
    if level.table:
        return _as_table(drawing)
    added = any(row.mark == "added" for row in drawing.rows())
    shut = drawing
    if level.depth is not None:
        shut = closed(drawing, level.depth, _folded)
    if level.between:
        shut = joined(shut, {region.name for region in drawing.regions}, _folded)
    tables = tuple(
        dataclasses.replace(table, rows=tuple(_rows_at(table.rows, level.step, added=added))) for table in shut.tables
    )
    folded = dataclasses.replace(shut, tables=tables)
    if level.listed and drawing.regions and height(folded) > part:
        folded = _listed(folded)
    return _saying(folded, drawing)


def _rows_at(rows: tuple[Row, ...], step: int, *, added: bool) -> Iterator[Row]:
    """added: the drawing is about what a step added, so that all other rows are quiet."""
    if step == 1 or (added and not any(row.mark == "added" for row in rows)):
        return _quiet(rows, ("inactive", "") if added else ("inactive",))
    return _short(rows, _FEW[step]) if step in _FEW else _single(rows)


def _saying(folded: Drawing, whole: Drawing) -> Drawing:
    """`folded` with a sentence that says what is shown."""
    names = {row.identifier for row in whole.rows() if row.identifier}
    shown, total = sum(1 for row in folded.rows() if row.identifier in names), len(names)
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
    """The lines of folded rows; their common note where they have none."""
    notes = [row.aside for row in rows if row.aside]
    found = [int(line[1]) for note in notes for part in note.split(" · ") if (line := _LINE.match(part))]
    if not found:
        return notes[0] if len(set(notes)) == 1 else ""
    first, last = min(found), max(found)
    return f"lines {first} to {last}" if first < last else f"line {first}"


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


def _listed(drawing: Drawing) -> Drawing:
    """The boxes of a folded graph from top to bottom as the rows of a table, without arrows."""
    rows = [_box(table) if len(table.rows) > 1 else _titled(table) for table in drawing.tables]
    kept = rows[:TABLE_BLOCKS]
    if len(rows) > len(kept):
        kept.append(Row(f"… {len(rows) - len(kept):,} more", prose=True))
    table = Table(f"{drawing.tables[0].name}_list", "loops and what lies between them", "", tuple(kept))
    return dataclasses.replace(drawing, tables=(table,), links=(), regions=(), clip=_TABLE_CLIP)


def _titled(table: Table) -> Row:
    """A box of one row as a row."""
    row = table.rows[0] if table.rows else Row("empty")
    text = f"{table.title}  {table.subtitle}".strip()
    return Row(
        f"{text}  {row.text.removeprefix('… ')}", row.mark, aside=row.aside, identifier=f"{table.name}_all", prose=True
    )


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

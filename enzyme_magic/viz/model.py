"""What a picture says, before it is a picture: tables of rows, links between them, and the sentences above.

Invariant: every form of a view (DOT, SVG, PNG, text) is made from one `Card`, so none can state a fact the others lack.
Plain frozen data; no colours, no escaping, no report.

Identifiers become the ids of the drawn rows with "a_" in front ("i5" is drawn as a_i5) and hold only letters, digits and "_".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table: mark | lead | text | aside.

    mark: a key of theme.MARKS or "". lead: a short grey cell (line number). aside: small print, wrapped where `Table.wrap`.
    link: the drawn id this row points to. share: a bar of that width (0 to 1) instead of `text` in the picture.
    prose: the text is a sentence, not code.
    """

    text: str
    mark: str = ""
    lead: str = ""
    aside: str = ""
    identifier: str = ""
    link: str = ""
    title: str = ""
    share: float | None = None
    prose: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A box. `name` is unique in its card and an identifier; `wrap` the width in characters of the small print, 0: one line;
    `dense`: little room between rows, for many of them."""

    name: str
    title: str = ""
    subtitle: str = ""
    rows: tuple[Row, ...] = ()
    wrap: int = 0
    dense: bool = False


@dataclass(frozen=True, slots=True)
class Link:
    """An arrow between two tables. kind: flow, back, dotted, data (thick), hidden (keeps the order, is not drawn)."""

    source: str
    target: str
    label: str = ""
    kind: str = "flow"
    straight: bool = False


@dataclass(frozen=True, slots=True)
class Region:
    """Boxes that may be folded into one: a loop, or a call that was inlined. `depth`: how many regions lie around it."""

    name: str
    title: str
    subtitle: str
    tables: tuple[str, ...]
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Drawing:
    """A graph of tables under a heading. `clip`: columns after which code is cut in the picture (never in the text).

    `legend`: explain the marks that occur, and those of `explained` (marks that folded rows only count).
    """

    title: str = ""
    sentences: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    links: tuple[Link, ...] = ()
    clip: int = 64
    legend: bool = False
    explained: tuple[str, ...] = ()
    code_title: bool = False
    regions: tuple[Region, ...] = ()

    def rows(self) -> Iterator[Row]:
        for table in self.tables:
            yield from table.rows

    def marks(self) -> tuple[str, ...]:
        """The marks to explain, in the order of theme.MARKS."""
        present = {row.mark for row in self.rows()}.union(self.explained)
        return tuple(mark for mark in ("active", "idle", "mixed", "inactive", "cached", "added") if mark in present)


@dataclass(frozen=True, slots=True)
class Group:
    """Drawings that stand side by side where they fit; `together`: even where they do not."""

    drawings: tuple[Drawing, ...]
    together: bool = False


@dataclass(frozen=True, slots=True)
class Card:
    """A whole picture: groups from top to bottom. `description`: its sentences for people who do not see it. most_rows: from how
    many on its blocks are folded, 0: as many as fit a cell."""

    name: str
    title: str
    description: tuple[str, ...]
    groups: tuple[Group, ...]
    most_rows: int = 0

    def prefix(self, number: int) -> str:
        """What the ids of the arrows and headings of that drawing begin with; unique among the pictures of a page."""
        return f"{self.name.replace('-', '_')}{number}"

    def drawings(self) -> tuple[Drawing, ...]:
        return tuple(drawing for group in self.groups for drawing in group.drawings)

    def rows(self) -> Iterator[Row]:
        for drawing in self.drawings():
            yield from drawing.rows()


def single(name: str, drawing: Drawing) -> Card:
    """The card of a view that is one drawing."""
    return Card(name, drawing.title, drawing.sentences, (Group((drawing,)),))

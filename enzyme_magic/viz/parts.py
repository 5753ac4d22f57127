"""The folded loops and calls of the activity graph as drawings of their own: what a click on a folded box opens.

Invariant: a part is a region that the drawing around it shows as one box; its own drawing holds every block of the region and, as
empty boxes, the blocks outside to which arrows lead. Parts are folded like any picture, so that a part may have parts. Names
depend on the report alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from enzyme_magic.report import Report
from enzyme_magic.viz.cards import activity
from enzyme_magic.viz.drawing.fit import fitted
from enzyme_magic.viz.model import Card, Drawing, Link, Region, Table, single
from enzyme_magic.viz.picture import Picture
from enzyme_magic.viz.theme import Theme

_OUTSIDE = "outside"


@dataclass(frozen=True, slots=True)
class OpenPart:
    """A region that can be opened. region: the name of its box in the drawing around it, which is that of `parent` ("" is the whole
    graph). rows: the identifiers of all that is in it."""

    name: str
    region: str
    title: str
    subtitle: str
    parent: str
    rows: tuple[str, ...]
    card: Card

    def picture(self, report: Report, theme: Theme) -> Picture:
        return Picture(picture_name(self), self.card, report, theme)


def parts(report: Report) -> tuple[OpenPart, ...]:
    """All of them, those around before those inside."""
    return tuple(_inside(activity.drawing(report), activity.card(report), ""))


def picture_name(part: OpenPart) -> str:
    """What the front end calls its drawing."""
    return f"activity_{part.name}"


def part_named(report: Report, picture: str) -> OpenPart | None:
    """The part whose drawing has that name; None where there is none."""
    return next((part for part in parts(report) if picture_name(part) == picture), None)


def _inside(whole: Drawing, card: Card, parent: str) -> Iterator[OpenPart]:
    boxes = {table.name for drawing in fitted(card)[0].drawings() for table in drawing.tables}
    for region in whole.regions:
        if region.name not in boxes:
            continue
        drawing = _drawing(whole, region)
        name = f"{parent}_{region.name}".strip("_")
        rows = tuple(row.identifier for row in drawing.rows() if row.identifier)
        made = single(f"activity_{name}", drawing)
        yield OpenPart(name, region.name, region.title, region.subtitle, parent, rows, made)
        yield from _inside(drawing, made, name)


def _drawing(whole: Drawing, region: Region) -> Drawing:
    members = set(region.tables)
    inside = [table for table in whole.tables if table.name in members]
    links = [link for link in whole.links if {link.source, link.target} & members]
    outside = {end for link in links for end in (link.source, link.target)} - members
    around = {table.name: Table(f"{table.name}_out", table.title, _OUTSIDE) for table in whole.tables}
    sources = {link.source for link in links}
    before = [around[table.name] for table in whole.tables if table.name in outside & sources]
    after = [around[table.name] for table in whole.tables if table.name in outside - sources]
    regions = tuple(
        Region(other.name, other.title, other.subtitle, other.tables, other.depth - region.depth - 1)
        for other in whole.regions
        if set(other.tables) < members
    )
    return Drawing(
        region.title,
        (region.subtitle,) if region.subtitle else (),
        (*before, *inside, *after),
        tuple(_moved(link, outside) for link in links),
        clip=whole.clip,
        legend=True,
        regions=regions,
    )


def _moved(link: Link, outside: set[str]) -> Link:
    source, target = (f"{end}_out" if end in outside else end for end in (link.source, link.target))
    return Link(source, target, link.label, link.kind, link.straight)

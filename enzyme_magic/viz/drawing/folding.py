"""Loops and inlined calls of a drawing as single boxes.

Invariant: pure. A closed region is one box with the region's name that counts its rows by mark and shows its first stored values;
arrows into and out of it lead to the box, arrows inside are left out. What was shown and what is folded add up to the whole.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping

from enzyme_magic.viz.model import Drawing, Link, Region, Row, Table

_STORED = 3  # rows of stored values that a closed region still shows

Summary = Callable[[list[Row]], Row]


def closed(drawing: Drawing, depth: int, summary: Summary) -> Drawing:
    """The drawing with all regions of that depth as one box each. summary: one row in the place of several."""
    shut = [region for region in drawing.regions if region.depth == depth]
    if not shut:
        return drawing
    box = {name: region.name for region in shut for name in region.tables}
    first = {region.tables[0]: region for region in shut}
    tables: list[Table] = []
    for table in drawing.tables:
        if table.name in first:
            tables.append(_box(first[table.name], drawing, summary))
        elif table.name not in box:
            tables.append(table)
    open_regions = tuple(region for region in drawing.regions if region.depth < depth)
    return dataclasses.replace(
        drawing,
        tables=tuple(tables),
        links=tuple(_links(drawing.links, box)),
        regions=tuple(_renamed(region, box) for region in open_regions),
    )


def _box(region: Region, drawing: Drawing, summary: Summary) -> Table:
    rows = [row for table in drawing.tables if table.name in region.tables for row in table.rows]
    kept = [row for row in rows if row.mark == "cached"][:_STORED]
    rest = [row for row in rows if row not in kept]
    shown = dataclasses.replace(summary(rest), identifier=region.name) if rest else None
    return Table(region.name, region.title, region.subtitle, (*kept, *([shown] if shown else [])))


def joined(drawing: Drawing, regions: Collection[str], summary: Summary) -> Drawing:
    """The drawing with the boxes between closed regions joined.

    Neighbours in an order in which no arrow but those back goes up are joined, so that none goes up afterwards."""
    runs: list[list[Table]] = [[]]
    for table in _downwards(drawing):
        if table.name in regions:
            runs += [[table], []]
        else:
            runs[-1].append(table)
    tables: list[Table] = []
    box: dict[str, str] = {}
    for number, run in enumerate(runs):
        if len(run) < 2:
            tables += run
            continue
        title = _between(runs, number)
        whole = Region(f"{run[0].name}_on", title, f"{len(run)} blocks", _names(run))
        box |= dict.fromkeys(whole.tables, whole.name)
        tables.append(_box(whole, drawing, summary))
    return dataclasses.replace(drawing, tables=tuple(tables), links=tuple(_links(drawing.links, box)), regions=())


def _between(runs: list[list[Table]], number: int) -> str:
    """Where the blocks of a run stand, by the regions around it: every other run is one. Of one title, their lines tell which."""
    titles = Counter(run[0].title for run in runs[1::2])
    near = [runs[k][0] for k in (number - 1, number + 1) if 0 <= k < len(runs)]
    named = [box.title if titles[box.title] < 2 else _with_place(box) for box in near]
    if len(named) == 2:
        return f"between {named[0]} and {named[1]}"
    return "" if not named else f"{'after' if number else 'before'} {named[0]}"


def _with_place(box: Table) -> str:
    place = box.subtitle.split(" · ")[0]
    return f"{box.title} ({place})" if place else box.title


def _names(tables: list[Table]) -> tuple[str, ...]:
    return tuple(table.name for table in tables)


def _downwards(drawing: Drawing) -> Iterator[Table]:
    """Each box behind those that lead to it, as far as arrows back allow."""
    waiting = {table.name: 0 for table in drawing.tables}
    below: dict[str, list[str]] = {table.name: [] for table in drawing.tables}
    for link in drawing.links:
        if link.kind != "back" and link.source != link.target:
            below[link.source].append(link.target)
            waiting[link.target] += 1
    left = {table.name: table for table in drawing.tables}
    while left:
        name = next((name for name in left if waiting[name] <= 0), next(iter(left)))
        yield left.pop(name)
        for target in below[name]:
            waiting[target] -= 1


def _renamed(region: Region, box: Mapping[str, str]) -> Region:
    return dataclasses.replace(region, tables=tuple(dict.fromkeys(box.get(name, name) for name in region.tables)))


def _links(links: Collection[Link], box: Mapping[str, str]) -> Iterator[Link]:
    """Each way between two boxes once; of several ways between the same boxes no condition is said."""
    merged: dict[tuple[str, str, str], Link] = {}
    for link in links:
        source, target = box.get(link.source, link.source), box.get(link.target, link.target)
        if source == target and source in box.values():
            continue
        moved = dataclasses.replace(link, source=source, target=target)
        key = (source, target, link.kind)
        if key in merged and merged[key].label != moved.label:
            moved = dataclasses.replace(merged[key], label="")
        merged[key] = moved
    yield from merged.values()

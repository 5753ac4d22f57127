"""Large graphs: loops and inlined calls become one box each, rows are counted, and nothing is lost."""

from __future__ import annotations

import dataclasses

import pytest

from enzyme_magic.report import ActivityGraph, BlockRow, Edge, InstructionRow, Report, Verdict
from enzyme_magic.viz.cards import activity
from enzyme_magic.viz.drawing import fit
from enzyme_magic.viz.drawing.extent import height
from enzyme_magic.viz.drawing.fit import TABLE, TALLEST, at_level, fitted, levels
from enzyme_magic.viz.drawing.folding import closed
from enzyme_magic.viz.model import Row
from enzyme_magic.viz.parts import parts

ACTIVE = Verdict(active=True, varies=True, matters=True)
NEST = ("entry", "outer", "inner", "body", "latch", "helper", "helper.exit", "end")
EDGES = (
    Edge("entry", "outer", "n > 0", fallthrough=True),
    Edge("entry", "end", "otherwise"),
    Edge("outer", "inner", fallthrough=True),
    Edge("inner", "body", fallthrough=True),
    Edge("body", "inner", "next j", back=True),
    Edge("body", "latch", "done"),
    Edge("latch", "outer", "next i", back=True),
    Edge("latch", "helper", "done"),
    Edge("helper", "helper.exit", fallthrough=True),
    Edge("helper.exit", "end", fallthrough=True),
)


def nest(rows: int) -> Report:
    """A loop in a loop, then an inlined call of two blocks; each block with so many rows."""
    numbers = iter(range(10_000))

    def block(place: int, name: str) -> BlockRow:
        made = tuple(
            InstructionRow(f"i{n}", f"%v{n} = fmul %x, %x", "", "fmul", ACTIVE, line=place + 2, slot=None)
            for n in (next(numbers) for _ in range(rows))
        )
        call = "square, called at line 9" if name.startswith("helper") else ""
        return BlockRow(name, made, "runs n*n times" if name in ("inner", "body") else None, call=call)

    base = _empty()
    graph = ActivityGraph(tuple(block(place, name) for place, name in enumerate(NEST)), EDGES)
    return dataclasses.replace(base, activity=graph)


def _empty() -> Report:
    from enzyme_magic.report import CacheBreakdown

    return Report(
        "f", "f()", "reverse", (), "In[1]", (), (), ActivityGraph((), ()), (), CacheBreakdown((), "nothing saved")
    )


def test_regions_are_the_loops_and_the_calls() -> None:
    found = {region.title: region for region in activity.drawing(nest(3)).regions}
    assert set(found) == {"loop i", "loop j", "square, called at line 9"}
    assert found["loop i"].tables == ("b1", "b2", "b3", "b4")
    assert found["loop j"].tables == ("b2", "b3")
    assert (found["loop i"].depth, found["loop j"].depth) == (0, 1)
    assert found["loop j"].subtitle == "lines 4 to 5 · runs n*n times"
    assert found["square, called at line 9"].tables == ("b5", "b6")


def test_a_closed_region_counts_its_rows_and_keeps_the_arrows() -> None:
    shut = closed(activity.drawing(nest(3)), 0, lambda rows: Row(f"{len(rows)} rows"))
    assert [table.title for table in shut.tables if table.name != "arguments"] == [
        "entry",
        "loop i",
        "square, called at line 9",
        "end",
    ]
    counted = [row.text for table in shut.tables for row in table.rows if row.text.endswith("rows")]
    assert counted == ["12 rows", "6 rows"]
    titles = {table.name: table.title for table in shut.tables}
    arrows = {(titles[link.source], titles[link.target], link.label) for link in shut.links if link.kind == "flow"}
    assert ("loop i", "square, called at line 9", "done") in arrows
    assert ("entry", "end", "otherwise") in arrows
    assert not [link for link in shut.links if link.source == link.target]


def test_a_stored_value_is_seen_in_a_closed_region() -> None:
    report = nest(3)
    blocks = list(report.activity.blocks)
    kept = dataclasses.replace(blocks[2].instructions[1], slot="s0")
    blocks[2] = dataclasses.replace(blocks[2], instructions=(blocks[2].instructions[0], kept))
    drawing = activity.drawing(dataclasses.replace(report, activity=ActivityGraph(tuple(blocks), EDGES)))
    shut = closed(drawing, 0, lambda rows: Row(f"{len(rows)} rows"))
    (loop,) = (table for table in shut.tables if table.title == "loop i")
    assert [row.identifier for row in loop.rows if row.mark == "cached"] == [kept.identifier]


def test_a_small_graph_stays_whole() -> None:
    card = activity.card(nest(3))
    assert fitted(card)[0] == card


def test_a_tall_graph_is_folded_until_it_is_low_enough() -> None:
    card = activity.card(nest(40))
    folded, level = fitted(card)
    assert height(card.drawings()[0]) > TALLEST >= height(folded.drawings()[0])
    assert not level.table
    names = {table.name for table in folded.drawings()[0].tables}
    assert all({link.source, link.target} <= names for link in folded.drawings()[0].links)
    assert "rows shown; the text form has them all" in folded.drawings()[0].sentences[-1]


def test_every_level_draws_what_it_names() -> None:
    card = activity.card(nest(40))
    for level in levels(card):
        (drawing,) = at_level(card, level).drawings()
        names = {table.name for table in drawing.tables}
        assert all({link.source, link.target} <= names for link in drawing.links)
        assert drawing.tables
        assert (level == TABLE) == (not drawing.links)


def test_folded_regions_open_into_drawings_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fit, "TALLEST", 1_300)
    report = nest(40)
    found = parts(report)
    whole = {row.identifier for row in activity.drawing(report).rows()} - {""}
    top = {table.name for table in fitted(activity.card(report))[0].drawings()[0].tables}
    assert {part.title for part in found if not part.parent} == {"loop i", "square, called at line 9"}
    assert len({part.name for part in found}) == len(found)
    for part in found:
        (drawing,) = part.card.drawings()
        names = {table.name for table in drawing.tables}
        around = next((other for other in found if other.name == part.parent), None)
        shown = top if around is None else {t.name for t in fitted(around.card)[0].drawings()[0].tables}
        assert part.region in shown
        assert set(part.rows) <= (whole if around is None else set(around.rows))
        assert set(part.rows) == {row.identifier for row in drawing.rows()}
        assert all({link.source, link.target} <= names for link in drawing.links)
        assert all(not table.rows for table in drawing.tables if table.subtitle == "outside")
    inside = {row for part in found for row in part.rows}
    rows = report.activity.rows()
    assert whole - inside == {row.identifier for row in (*rows[:40], *rows[-40:])}  # the blocks before and after
    assert parts(nest(2)) == ()

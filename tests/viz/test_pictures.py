"""One report, many forms, the same facts: DOT, SVG and text of every view show the same rows, marks, lines and edges."""

from __future__ import annotations

import dataclasses
import html
import re
import xml.etree.ElementTree as ET

import hypothesis
import hypothesis.strategies as st
import pytest

from enzyme_magic.report import (
    ActivityGraph,
    BlockRow,
    CacheBreakdown,
    CacheRow,
    Edge,
    InstructionRow,
    Parameter,
    Report,
    SourceLine,
    Verdict,
)
from enzyme_magic.viz.cards import source
from enzyme_magic.viz.drawing.fit import fitted
from enzyme_magic.viz.model import Card, Row
from enzyme_magic.viz.text import card_text, row_text
from enzyme_magic.viz.theme import MARKS, THEMES
from enzyme_magic.viz.views import VIEWS, view
from enzyme_magic.viz.wording import clean

SVG = "{http://www.w3.org/2000/svg}"
LINK = "{http://www.w3.org/1999/xlink}href"


def ids_of(card: Card) -> list[str]:
    return [row.identifier for row in card.rows() if row.identifier]


def signs(text: str) -> list[str]:
    found = {mark.sign for mark in MARKS.values()}
    return [character for character in text if character in found]


def drawn_rows(svg: str) -> list[str]:
    return [
        element.get("id", "")
        for element in ET.fromstring(svg).iter(f"{SVG}g")
        if element.get("id", "").startswith("a_")
    ]


@pytest.mark.parametrize("name", list(VIEWS))
def test_dot_svg_and_text_show_the_same_rows(report: Report, name: str) -> None:
    picture = view(report, name)
    shown, level = fitted(picture.card)
    expected = [f"a_{identifier}" for identifier in ids_of(shown)]
    assert len(set(expected)) == len(expected), "row ids are unique in a picture"
    assert re.findall(r' ID="([^"]+)"', picture.dot) == ids_of(shown)
    assert sorted(drawn_rows(picture.svg)) == sorted(expected)
    text = card_text(picture.card)
    if level == 0:
        for row in picture.card.rows():
            assert clean(row_text(row)).rstrip() in text
            assert clean(row.aside) in text
        marks = [MARKS[row.mark].sign for row in picture.card.rows() if row.mark]
        in_rows = [line for line in text.splitlines() if line.startswith("    ")]
        assert [sign for line in in_rows for sign in signs(line[:14])] == marks


@pytest.mark.parametrize("name", list(VIEWS))
@pytest.mark.parametrize("theme", list(THEMES))
def test_svg_is_plain_and_described(report: Report, name: str, theme: str) -> None:
    picture = view(report, name, theme)
    text = picture.svg
    root = ET.fromstring(text)
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    assert [child.tag for child in root][:2] == [f"{SVG}title", f"{SVG}desc"]
    assert root[0].text == clean(picture.card.title)
    allowed = {
        f"{SVG}{tag}" for tag in ("svg", "title", "desc", "g", "a", "polygon", "polyline", "path", "text", "ellipse")
    }
    assert {element.tag for element in root.iter()} <= allowed
    for element in root.iter():
        assert "style" not in element.attrib
        assert element.get(LINK, "#").startswith("#")
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    card = next(element for element in root.iter(f"{SVG}polygon"))
    assert card.get("fill") == THEMES[theme].background, "the background is opaque"
    assert float(root.get("width", "0")) > 0
    assert "&lt;TABLE&gt;" not in text, "no default tooltips"


def test_views_are_pure(report: Report) -> None:
    for name in VIEWS:
        first, second = view(report, name), view(report, name)
        assert (first.dot, first.text) == (second.dot, second.text)


def test_a_row_links_to_its_source_line_and_back(samples: dict[str, object]) -> None:
    svg = view(samples["relu3_branch"](), "dashboard").svg  # type: ignore[operator]
    rows = {element.get("id"): element for element in ET.fromstring(svg).iter(f"{SVG}g") if element.get("id")}
    assert rows["a_i2"].find(f"{SVG}a").get(LINK) == "#a_L4"  # type: ignore[union-attr]
    assert rows["a_L4"].find(f"{SVG}a").get(LINK) == "#a_i2"  # type: ignore[union-attr]


def test_activity_shows_conditions_back_edges_and_bytes(samples: dict[str, object]) -> None:
    picture = view(samples["loop"](), "activity")  # type: ignore[operator]
    assert picture.dot.count('style="dashed"') == 1
    for label in ("n &gt; 0", "n ≤ 0", "next i", "done"):
        assert label in picture.dot
        assert f"→ {html.unescape(label)}: " in picture.text
    assert "▣ %0 = load double, ptr %arrayidx     line 3 · 8·n B" in picture.text
    assert "for.body  runs n times" in picture.text


def test_stages_stand_side_by_side_with_real_numbers(samples: dict[str, object]) -> None:
    picture = view(samples["relu3_branch"](), "stages")  # type: ignore[operator]
    assert picture.text.startswith("relu3: 12 → 5 instructions\n")
    assert "1 fcmp, 2 fmul, 1 ret, 1 select" in picture.text
    places = {
        element.get("id"): float(next(element.iter(f"{SVG}text")).get("x", "0"))
        for element in ET.fromstring(picture.svg).iter(f"{SVG}g")
        if element.get("class") == "node"
    }
    left = [x for key, x in places.items() if key.startswith("box_gradient_") and "optimized" not in key]
    assert max(left) < places["box_gradient_optimized_0"]


def test_cache_is_honest_when_empty(samples: dict[str, object]) -> None:
    picture = view(samples["relu3_branch"](), "cache")  # type: ignore[operator]
    assert "nothing saved: x is an argument and still available" in picture.text
    assert "x   available: an argument, never overwritten (line 1)" in picture.text
    assert "tape" not in picture.text


def test_cache_chain_of_a_stored_value(samples: dict[str, object]) -> None:
    picture = view(samples["loop"](), "cache")  # type: ignore[operator]
    assert "8·n B = 8.0 kB at n = 1000\n1 of 4 values stored" in picture.text
    assert "line 3 overwrites a[i]" in picture.dot
    ids = drawn_rows(picture.svg)
    assert [ids.index(key) for key in ("a_s0_value", "a_s0", "a_s0_read")] == [0, 1, 2]
    assert float(ET.fromstring(picture.svg).get("width", "0")) <= 760


def test_bars_are_shares_of_all_stored_bytes(samples: dict[str, object]) -> None:
    picture = view(samples["many_slots"](), "cache")  # type: ignore[operator]
    bars = [
        int(width)
        for width in re.findall(r'<TD WIDTH="(\d+)" HEIGHT="10" FIXEDSIZE="TRUE" BGCOLOR="#E69F00">', picture.dot)
    ]
    assert bars == [60, 45, 30, 15, 3], "40%, 30%, 20%, 10% of 150 points, and a rest that is still seen"
    for share in ("40%", "30%", "20%", "10%", "below 1%"):
        assert f"   {share}" in picture.text


NAMES = st.text(st.characters(codec="utf-8"), max_size=12)
VERDICTS = st.builds(Verdict, st.booleans(), st.booleans(), st.booleans())


@st.composite
def reports(draw: st.DrawFn) -> Report:
    """Small reports with any text in them."""
    count = draw(st.integers(0, 6))
    rows = [
        InstructionRow(f"i{n}", draw(NAMES), "", "fadd", draw(VERDICTS), line=draw(st.none() | st.integers(1, 9)))
        for n in range(count)
    ]
    rows = [
        dataclasses.replace(row, slot="s0") if n == 0 and draw(st.booleans()) else row for n, row in enumerate(rows)
    ]
    cut = draw(st.integers(0, count))
    names = draw(st.lists(NAMES, min_size=2, max_size=2, unique=True))
    blocks = (BlockRow(names[0], tuple(rows[:cut])), BlockRow(names[1], tuple(rows[cut:]), draw(NAMES)))
    edges = tuple(
        Edge(draw(st.sampled_from(names)), draw(st.sampled_from(names)), draw(NAMES), back=draw(st.booleans()))
        for _ in range(draw(st.integers(0, 3)))
    )
    cached = tuple(
        CacheRow(
            f"s{n}", None, draw(NAMES), draw(st.sampled_from(["store", "recompute", "available"])), bytes=draw(NAMES)
        )
        for n in range(draw(st.integers(0, 3)))
    )
    source = tuple(
        SourceLine(n, draw(NAMES), draw(st.sampled_from(["", *MARKS])), draw(NAMES))
        for n in range(draw(st.integers(0, 3)))
    )
    parameters = tuple(
        Parameter(f"a{n}", draw(NAMES), draw(NAMES), "in", draw(VERDICTS)) for n in range(draw(st.integers(0, 2)))
    )
    return Report(
        draw(NAMES), draw(NAMES), "reverse", (), draw(NAMES), source, parameters, ActivityGraph(blocks, edges), (),
        CacheBreakdown(cached, draw(NAMES), draw(NAMES)), example=draw(NAMES),
    )  # fmt: skip


@hypothesis.given(reports())
@hypothesis.settings(max_examples=25)
def test_any_text_is_drawn(report: Report) -> None:
    """No character of a report breaks a picture or changes what the others say."""
    for name in ("dashboard", "activity"):
        picture = view(report, name)
        expected = sorted(f"a_{identifier}" for identifier in ids_of(picture.card))
        assert sorted(drawn_rows(picture.svg)) == expected
        for row in picture.card.rows():
            assert_row(row, card_text(picture.card))


def assert_row(row: Row, text: str) -> None:
    assert clean(row_text(row)).rstrip() in text
    assert clean(row.aside).rstrip() in text


def tall(svg: str) -> int:
    found = re.search(r'height="(\d+)"', svg)
    assert found is not None
    return int(found[1])


def test_the_first_screen_of_a_long_source_is_one_screen(samples: dict[str, object]) -> None:
    """The facts go above the source, which then has the whole width for its notes; a picture is there where it has room."""
    report: Report = samples["loop"]()  # type: ignore[operator]
    note = (
        "active: s + exp(alpha[i] - m), s + exp(t[i] - m); i < k decides how often the loop runs; saved: exp(t[i] - m)"
    )
    body = [SourceLine(n, f"  line{n}(x);", "active", note if n % 4 == 0 else "") for n in range(2, 22)]
    text = (SourceLine(1, "void step(double *a, int n, double k) {"), *body, SourceLine(22, "}"))
    screen = view(dataclasses.replace(report, source=text), "dashboard")
    assert tall(screen.svg) <= 960
    shown = [row.text for drawing in screen.card.drawings() for row in drawing.rows()]
    assert {line.text for line in text} <= set(shown)
    said = " ".join(sentence for drawing in screen.card.drawings() for sentence in drawing.sentences)
    assert "saved values: " in said
    short = view(report, "dashboard")
    assert "Summary" in short.svg
    assert tall(short.svg) <= 1120


def test_the_function_that_was_asked_about_is_never_folded(samples: dict[str, object]) -> None:
    report: Report = samples["loop"]()  # type: ignore[operator]
    helpers = "\n".join(f"double helper{n}(double x) {{ return {n}*x; }}" for n in range(40)).split("\n")
    moved = len(helpers)
    lines = [SourceLine(n + 1, text) for n, text in enumerate(helpers)]
    lines += [dataclasses.replace(line, number=line.number + moved) for line in report.source]
    parameters = tuple(dataclasses.replace(p, line=p.line and p.line + moved) for p in report.parameters)
    long = dataclasses.replace(report, source=tuple(lines), parameters=parameters)
    shown = [row.text for table in view(long, "dashboard").card.drawings() for row in table.rows()]
    assert all(line.text.rstrip() in shown for line in report.source)
    assert "helper20" not in "".join(shown)
    marked = [dataclasses.replace(line, mark="active") if line.number in (moved, moved + 2) else line for line in lines]
    brief = [row.text for row in source.table(dataclasses.replace(long, source=tuple(marked)), limit=14).rows]
    assert "double helper38(double x) { return 38*x; }" in brief  # no function ends between
    ended = [dataclasses.replace(line, text="}") if line.number == moved - 1 else line for line in marked]
    brief = [row.text for row in source.table(dataclasses.replace(long, source=tuple(ended)), limit=14).rows]
    assert "}" not in brief[: brief.index(helpers[-1])]  # the end of another function explains nothing
    gap = next(row for row in source.table(long, limit=14).rows if row.text.startswith("…"))
    assert (gap.text, gap.title) == (f"… {moved} lines", f"lines 1 to {moved}")

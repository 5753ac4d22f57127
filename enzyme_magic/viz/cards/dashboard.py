"""The first screen: head line, what was asked, annotated source with the facts beside it or above; times come last.

A function with few instructions shows its activity and its cache below, as far as there is room; the rest is named. The
function that was asked about is never folded.

The text form has at most 20 lines. Everything on it comes from the pictures' own modules, so that the screen cannot disagree
with them.
"""

from __future__ import annotations

from collections.abc import Collection

from enzyme_magic.report import Report
from enzyme_magic.viz.cards import activity, cache, source
from enzyme_magic.viz.drawing.extent import heading, height
from enzyme_magic.viz.facts import (
    AFTER,
    BEFORE,
    active_count,
    change,
    check_text,
    instructions,
    request,
    saved_fact,
    stage,
    timing_text,
)
from enzyme_magic.viz.model import Card, Drawing, Group, Row, Table
from enzyme_magic.viz.text import table_lines
from enzyme_magic.viz.wording import clean, clip

TEXT_LINES = 20
TEXT_COLUMNS = 132
_SOURCE_LINES = 24  # in the picture
_ACTIVITY_ROWS = 24
_ACTIVITY_BLOCKS = 8
_CHAINS = 2  # of stored values; more are a table
_NOT_STORED = 8
_SCREEN = 900.0  # pixels: what is said in words and on the source
_WITH_PICTURES = 1120.0  # pictures may go a little below that
_LAST = 3  # lines below all
_WIDE_CODE, _WIDE_NOTES = 62, 62  # columns of a source that has the whole width


def card(report: Report) -> Card:
    facts = tuple(f"{row.lead}: {row.text}" for row in facts_table(report).rows)
    head, listing = _top(report, facts)
    taken = height(listing.drawings[0]) + heading(len(head.sentences)) + heading(_LAST)
    pictures = _pictures(report, _WITH_PICTURES - taken)
    groups = [Group((head,)), listing]
    groups += [Group(tuple(drawing for _, drawing in pictures))] if pictures else []
    last = tuple(filter(None, (_left_out({name for name, _ in pictures}), timing_text(report))))
    groups += [Group((Drawing(sentences=last),))] if last else []
    return Card("dashboard", report.signature or report.function, (*head_lines(report), *facts), tuple(groups))


def _top(report: Report, facts: tuple[str, ...]) -> tuple[Drawing, Group]:
    """Heading and source. The facts stand beside a short source; above a long one, which then has the whole width."""
    title, check = report.signature or report.function, check_text(report)
    lines = (*([check] if check else []), " · ".join((request(report), *report.notes)))
    beside = Drawing(tables=(source.table(report, _SOURCE_LINES, note_columns=25),), clip=50)
    if heading(len(lines)) + height(beside) + heading(_LAST) <= _SCREEN:
        return Drawing(title, lines, code_title=True), Group((beside, Drawing(tables=(facts_table(report),))))
    head = Drawing(title, (*lines, " · ".join(facts)), code_title=True)
    wide = [_wide(report, limit) for limit in range(_SOURCE_LINES, source.PICTURE - 1, -1)]
    room = _SCREEN - heading(len(head.sentences)) - heading(_LAST)
    return head, Group((next((drawing for drawing in wide if height(drawing) <= room), wide[-1]),))


def _wide(report: Report, limit: int) -> Drawing:
    return Drawing(tables=(source.table(report, limit, note_columns=_WIDE_NOTES, dense=True),), clip=_WIDE_CODE)


def _pictures(report: Report, room: float) -> list[tuple[str, Drawing]]:
    """Activity and cache side by side, each where it is small enough; of the cache at least what is stored."""
    wanted = [("activity", activity.drawing(report))] if _small_activity(report) else []
    wanted += [("cache", cache.drawing(report))] if _small_cache(report) else []
    wanted += [("cache", cache.stored_drawing(report))]
    found: dict[str, Drawing] = {}
    for name, drawing in wanted:
        if height(drawing) <= room:
            found.setdefault(name, drawing)
    return list(found.items())


def _small_activity(report: Report) -> bool:
    return len(instructions(report)) <= _ACTIVITY_ROWS and len(report.activity.blocks) <= _ACTIVITY_BLOCKS


def _small_cache(report: Report) -> bool:
    stored = len(report.cache.stored())
    return stored <= _CHAINS and len(report.cache.rows) - stored <= _NOT_STORED


def _left_out(shown: Collection[str]) -> str:
    """Names the views that show what is not on the first screen."""
    names = [name for name in ("activity", "cache", "stages", "gradient-c") if name not in shown]
    return f"more views: {', '.join(names)}"


def head_lines(report: Report) -> list[str]:
    """What stands under the signature: check, request, notes."""
    lines = [check_text(report), request(report), *report.notes]
    return [line for line in lines if line]


def facts_table(report: Report) -> Table:
    """The four facts: activity, saved values, what optimization left, cost or example."""
    active = active_count(report)
    found = [
        ("instructions", f"{active} active ●, {len(instructions(report)) - active} inactive ○"),
        ("saved values", saved_fact(report)),
    ]
    before, after = stage(report, BEFORE), stage(report, AFTER)
    if before is not None and after is not None:
        found.append(("gradient IR", change(before, after)))
    if report.cost:
        found.append(("gradient cost", report.cost))
    if report.example:
        found.append(("example", report.example))
    rows = tuple(Row(text, lead=name, identifier=f"fact_{n}", prose=True) for n, (name, text) in enumerate(found))
    return Table("facts", "Summary", rows=rows, wrap=27)


def text(report: Report) -> str:
    """The first screen as at most 20 lines."""
    head = report.signature or report.function
    badge = check_text(report)
    lines = [f"{head}    {badge}" if badge else head]
    lines.append(request(report))
    notes = ["; ".join(report.notes)] if report.notes else []
    facts = table_lines(facts_table(report))[1:]
    times = [found] if (found := timing_text(report)) else []
    room = TEXT_LINES - len(lines) - len(notes) - len(facts) - len(times)
    lines += notes + _source_lines(report, room) + facts + times
    return "\n".join(clip(clean(line), TEXT_COLUMNS) for line in lines)


def _source_lines(report: Report, room: int) -> list[str]:
    """The annotated source in at most `room` lines."""
    for limit in range(room, 0, -1):
        rows = table_lines(source.table(report, limit))[1:]
        if len(rows) <= room:
            return rows
    rows = table_lines(source.table(report, len(report.source)))[1:]
    return [*rows[: room - 1], f"      … {len(rows) - room + 1} more lines"]

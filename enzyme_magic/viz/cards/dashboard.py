"""The first screen: head line, annotated source, the facts; then the pictures that are small enough for a projector.

A function with few instructions shows its activity, its cache and the IR before and after. A larger one lists what it stores, and
names the views that show the rest.

The text form has at most 20 lines. Everything on it comes from the pictures' own modules, so that the screen cannot disagree
with them.
"""

from __future__ import annotations

from enzyme_magic.report import Report
from enzyme_magic.viz.cards import activity, cache, source, stages
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
_STAGE_LINES = 40  # both stages together: more is left to the picture of their own
_ACTIVITY_ROWS = 24
_ACTIVITY_BLOCKS = 8
_CHAINS = 2  # of stored values; more are a table
_NOT_STORED = 8


def card(report: Report) -> Card:
    head = Drawing(report.signature or report.function, tuple(head_lines(report)), code_title=True)
    listing = Drawing(tables=(source.table(report, _SOURCE_LINES, note_columns=30),), clip=58)
    groups = [Group((head,)), Group((listing, Drawing(tables=(facts_table(report),))))]
    pictures = []
    if _small_activity(report):
        pictures.append(activity.drawing(report))
    pictures.append(cache.drawing(report) if _small_cache(report) else cache.stored_drawing(report))
    groups += [Group(tuple(pictures))] if pictures else []
    groups += _stages(report)
    left_out = _left_out(report)
    groups += [Group((Drawing(sentences=(left_out,)),))] if left_out else []
    facts = tuple(f"{row.lead}: {row.text}" for row in facts_table(report).rows)
    return Card("dashboard", report.signature or report.function, (*head_lines(report), *facts), tuple(groups))


def _stage_lines(report: Report) -> int:
    found = [item for item in (stage(report, BEFORE), stage(report, AFTER)) if item is not None]
    return sum(len(block.lines) for item in found for block in item.blocks)


def _stages(report: Report) -> list[Group]:
    if not 0 < _stage_lines(report) <= _STAGE_LINES:
        return []
    return list(stages.card(report).groups)


def _small_activity(report: Report) -> bool:
    return len(instructions(report)) <= _ACTIVITY_ROWS and len(report.activity.blocks) <= _ACTIVITY_BLOCKS


def _small_cache(report: Report) -> bool:
    stored = len(report.cache.stored())
    return stored <= _CHAINS and len(report.cache.rows) - stored <= _NOT_STORED


def _left_out(report: Report) -> str:
    """Names the views that show what is too large for the first screen."""
    names = [] if _small_activity(report) else ["activity"]
    names += [] if _small_cache(report) else ["cache"]
    names += ["stages"] if _stage_lines(report) > _STAGE_LINES else []
    return f"more in the views: {', '.join(names)}" if names else ""


def head_lines(report: Report) -> list[str]:
    """What stands under the signature: check, request, times, notes."""
    asked = " · ".join(part for part in (request(report), timing_text(report)) if part)
    lines = [check_text(report), asked, *report.notes]
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
    return Table("facts", "Summary", rows=rows, wrap=40)


def text(report: Report) -> str:
    """The first screen as at most 20 lines."""
    head = report.signature or report.function
    badge = check_text(report)
    lines = [f"{head}    {badge}" if badge else head]
    lines.append(" | ".join(part for part in (request(report), timing_text(report)) if part))
    notes = ["; ".join(report.notes)] if report.notes else []
    facts = table_lines(facts_table(report))[1:]
    room = TEXT_LINES - len(lines) - len(notes) - len(facts)
    lines += notes + _source_lines(report, room) + facts
    return "\n".join(clip(clean(line), TEXT_COLUMNS) for line in lines)


def _source_lines(report: Report, room: int) -> list[str]:
    """The annotated source in at most `room` lines."""
    for limit in range(room, 0, -1):
        rows = table_lines(source.table(report, limit))[1:]
        if len(rows) <= room:
            return rows
    rows = table_lines(source.table(report, len(report.source)))[1:]
    return [*rows[: room - 1], f"      … {len(rows) - room + 1} more lines"]

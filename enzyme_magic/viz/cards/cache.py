"""The cache breakdown: forward value, tape slot, reading adjoint; and what is not stored, with the reason of each.

Bars are shares of all stored bytes at the example size (every name of a formula = 1000). Where nothing is stored, one box says
so. Top to bottom: chains stand side by side up to `_ABREAST`, then below one another; from `_CHAINS` on, the rest is a table.
"""

from __future__ import annotations

from collections.abc import Iterator

from enzyme_magic.report import CacheRow, InstructionRow, Report
from enzyme_magic.viz.facts import (
    counted_total,
    is_read_again,
    is_saved,
    line_text,
    row_bytes,
    share_of,
    size_of,
    total_text,
)
from enzyme_magic.viz.formula import human, pretty
from enzyme_magic.viz.ir_text import short
from enzyme_magic.viz.model import Card, Drawing, Link, Row, Table, single
from enzyme_magic.viz.wording import plural

_ABREAST = 2
_CHAINS = 8
_CODE = 28
_REASON = 46
_DECISIONS = {"recompute": "recomputed", "available": "available", "store": "stored"}


def drawing(report: Report) -> Drawing:
    stored = sorted(report.cache.stored(), key=lambda row: -(size_of(row) or 0.0))
    chained, listed = stored[:_CHAINS], stored[_CHAINS:]
    tables = [table for row in chained for table in _chain(report, row)]
    links = [link for row in chained for link in _arrows(row)]
    links += _stacking(chained)
    rest = [_nothing(report)] if not stored else []
    rest += [_listed(report, listed)] if listed else []
    kept = [row for row in report.cache.rows if not is_saved(row)]
    rest += [_not_stored(report, kept)] if kept else []
    rest += [_hints(report)] if report.cache.hints else []
    above = [_name(row, "read") for row in chained[-_ABREAST:]]
    for table in rest:
        links += [Link(upper, table.name, kind="hidden") for upper in above]
        above = [table.name]
    title, counted = _heading(report, stored)
    return Drawing(title, counted, (*tables, *rest), tuple(links), clip=_CODE)


def stored_drawing(report: Report) -> Drawing:
    """What is stored as one table, the largest first, with the reason of each."""
    stored = sorted(report.cache.stored(), key=lambda row: -(size_of(row) or 0.0))
    rows = tuple(_told(row) for row in stored[:_CHAINS])
    if len(stored) > len(rows):
        rows += (Row(f"… {len(stored) - len(rows)} more", identifier="stored_more", prose=True),)
    title, counted = _heading(report, stored)
    tables = [Table("stored", "stored", "for the reverse sweep", rows, wrap=_REASON)] if rows else [_nothing(report)]
    tables += [_hints(report)] if report.cache.hints else []
    links = [Link(tables[0].name, table.name, kind="hidden") for table in tables[1:]]
    return Drawing(title, counted, tuple(tables), tuple(links), clip=_CODE)


def _told(row: CacheRow) -> Row:
    why = " · ".join(part for part in (line_text(row.line), row_bytes(row), why_stored(row)) if part)
    return Row(row.expression, "cached", aside=why, identifier=row.identifier, title=why, prose=row.instruction is None)


def _heading(report: Report, stored: list[CacheRow]) -> tuple[str, tuple[str, ...]]:
    counted = [f"{len(stored)} of {plural(len(report.cache.rows), 'value')} stored"] if stored else []
    if amount := counted_total(report):
        counted.append(amount)
    if (found := report.cache.measured) is not None:
        predicted = "not known before the call" if found.predicted is None else human(found.predicted)
        counted.append(f"predicted: {f'{found.bound} {predicted}'.strip()}; tape memory taken: {human(found.taken)}")
    if report.cache.separate:
        counted.append(report.cache.own_memory())
    return f"Cache of {report.function}: {total_text(report)}", tuple(counted)


def card(report: Report) -> Card:
    found = drawing(report)
    result = single("cache", found)
    return Card(result.name, result.title, (report.cache.sentence,) if report.cache.sentence else (), result.groups)


def _name(row: CacheRow, part: str) -> str:
    return f"{part}_{row.identifier}"


def _chain(report: Report, row: CacheRow) -> Iterator[Table]:
    found = _instruction(report, row.instruction)
    told = found is None or row.expression.startswith("where ")  # an address: nobody wrote how it is computed
    made = row.expression if found is None or told else _in_c(found)
    yield Table(
        _name(row, "value"),
        "forward sweep",
        "computes",
        rows=(
            Row(
                made,
                "cached",
                aside=line_text(row.line),
                identifier=f"{row.identifier}_value",
                link=f"a_{row.instruction}" if row.instruction else "",
                title=f"{row.expression}: {short(found.text)}" if found is not None else row.expression,
                prose=told,
            ),
        ),
    )
    yield Table(_name(row, "slot"), f"tape {row.identifier}", _slot_kind(row), tuple(_slot_rows(report, row)))
    yield _reader(report, row)


def _reader(report: Report, row: CacheRow) -> Table:
    """Who reads the slot: the adjoint of an instruction, or the way back itself."""
    found = _instruction(report, row.read_by)
    if row.read_by is None:
        told = Row(_reads(row), aside=line_text(row.read_line), identifier=f"{row.identifier}_read", prose=True)
        return Table(_name(row, "read"), "reverse sweep", "reads it", rows=(told,))
    told = Row(
        _in_c(found) if found is not None else row.read_by,
        "active",
        aside=line_text(row.read_line),
        identifier=f"{row.identifier}_read",
        link=f"a_{row.read_by}" if found is not None else "",
        title=f"the adjoint of {short(found.text) if found is not None else row.read_by} reads {row.expression}",
    )
    return Table(_name(row, "read"), "reverse sweep", "reads it for the adjoint of", rows=(told,))


def _reads(row: CacheRow) -> str:
    if row.instruction is None:
        return "to find its way back"
    if row.type in ("float", "double", "long double"):
        return "for the adjoint of what was computed from it"
    if row.expression.startswith("where "):
        return "to find the place again"
    return "to form addresses" if row.type == "pointer" else "to compute again what follows from it"


def _slot_kind(row: CacheRow) -> str:
    times = f"{pretty(row.count)} times" if row.count not in ("", "1") else ""
    whole = " · ".join(part for part in (row.type, times) if part)
    return whole if len(whole) <= _CODE else row.type  # the bytes in the row below say it too


def _slot_rows(report: Report, row: CacheRow) -> Iterator[Row]:
    words = row.instruction is None
    yield Row(row.expression, aside=row_bytes(row), identifier=row.identifier, title=row.reason, prose=words)
    share = share_of(row, report)
    if share is not None:
        yield Row("", aside=_percent(share), share=share)


def _percent(share: float) -> str:
    return f"{share:.0%}" if share >= 0.01 else "below 1%"


def _arrows(row: CacheRow) -> Iterator[Link]:
    yield Link(_name(row, "value"), _name(row, "slot"), why_stored(row), "data", straight=True)
    yield Link(_name(row, "slot"), _name(row, "read"), kind="data", straight=True)


def why_stored(row: CacheRow) -> str:
    """ "line 3 overwrites a[i]": why the value cannot be had again."""
    if row.overwritten_line is None:
        return row.reason
    verb = next((verb for verb in ("may overwrite", "may change", "frees") if verb in row.reason), "overwrites")
    return f"line {row.overwritten_line} {verb} {row.expression}"


def _stacking(chained: list[CacheRow]) -> Iterator[Link]:
    for upper, lower in zip(chained, chained[_ABREAST:], strict=False):
        yield Link(_name(upper, "read"), _name(lower, "value"), kind="hidden", straight=True)


def _instruction(report: Report, identifier: str | None) -> InstructionRow | None:
    return next((row for row in report.activity.rows() if row.identifier == identifier), None)


def _in_c(found: InstructionRow) -> str:
    """What an instruction does, as the C text says it; as IR does where that has no words."""
    return found.c or short(found.text)


def _nothing(report: Report) -> Table:
    sentence = report.cache.sentence or "nothing saved"
    return Table("nothing", rows=(Row(sentence, identifier="nothing", title=sentence, prose=True),))


def _listed(report: Report, rows: list[CacheRow]) -> Table:
    found = tuple(
        Row(
            row.expression,
            "cached",
            aside=" · ".join(part for part in (line_text(row.line), row_bytes(row)) if part),
            identifier=row.identifier,
            title=why_stored(row),
            prose=row.instruction is None,
        )
        for row in rows
    )
    return Table("stored_too", f"{len(rows)} more", "stored", found)


def _not_stored(report: Report, rows: list[CacheRow]) -> Table:
    found = tuple(
        Row(
            row.expression,
            aside=not_stored_text(row),
            identifier=row.identifier,
            link=f"a_{row.instruction}" if row.instruction else "",
            title=not_stored_text(row),
            prose=row.instruction is None and " " in row.expression,
        )
        for row in rows
    )
    return Table(
        "not_stored", "not stored", f"{len(rows)} of {plural(len(report.cache.rows), 'value')}", found, wrap=_REASON
    )


def not_stored_text(row: CacheRow) -> str:
    """ "recomputed: …" with its line."""
    decision = _DECISIONS.get(row.decision, row.decision)
    said = f"{decision}: {row.reason}" if row.reason else decision
    said = row.reason if is_read_again(row) else said  # the reason is the decision
    return f"{said} ({line_text(row.line)})" if row.line is not None else said


def _hints(report: Report) -> Table:
    return Table("hints", "hints", rows=tuple(Row(pretty(hint), prose=True) for hint in report.cache.hints))

"""What an earlier run of an edited cell had active, in terms of the present report, for the difference that the page shows.

Invariant: pure. Instructions are the same when they have the same operation in a C line of the same text, counted in order; those
without a counterpart are left out, so that the page calls nothing a change that is merely new.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from enzyme_magic.report import InstructionRow, Report

Place = tuple[str, str, int]


def previous(old: Report, new: Report) -> dict[str, Any]:
    """{"name", "active", "known"}: identifiers of `new`; known are those that have a counterpart in `old`."""
    before = {place: row.verdict.active for place, row in _places(old)}
    found = [(row.identifier, before[place]) for place, row in _places(new) if place in before]
    named = {parameter.name: parameter.verdict.active for parameter in old.parameters}
    found += [(one.identifier, named[one.name]) for one in new.parameters if one.name in named]
    return {
        "name": f"the run before ({old.source_name})" if old.source_name else "the run before",
        "active": [identifier for identifier, active in found if active],
        "known": [identifier for identifier, _ in found],
    }


def _places(report: Report) -> Iterator[tuple[Place, InstructionRow]]:
    texts = {line.number: " ".join(line.text.split()) for line in report.source}
    seen: Counter[tuple[str, str]] = Counter()
    for row in report.activity.rows():
        key = (texts.get(row.line or 0, ""), row.opcode)
        yield (*key, seen[key]), row
        seen[key] += 1

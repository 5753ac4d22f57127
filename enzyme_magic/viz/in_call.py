"""Predicted and actual activity: what the watched call of a report says of its instructions.

Invariant: counts are of the report's own rows, but for addresses, which carry no number, and for calls that may have moved some in
memory unseen; without a watched call nothing is said.
A prediction holds for all calls, so that one call carries a derivative through at most what was predicted.
"""

from __future__ import annotations

from enzyme_magic.report import InstructionRow, Report
from enzyme_magic.viz.wording import plural


def call_mark(report: Report, row: InstructionRow) -> str | None:
    """ "active" where it carried a derivative, "idle" where that was predicted only, "inactive"; "" where the call does not
    tell (an address); None without a watched call."""
    if report.watched is None or report.watched.reason:
        return None
    found = report.watched.row(row.identifier)
    if not row.verdict.active:
        return "inactive"
    if found is None:
        return ""
    return "active" if found.carried else "idle"


def call_text(report: Report, row: InstructionRow) -> str:
    """ "carried 3×", "ran 4×, carried none", "did not run"."""
    found = report.watched.row(row.identifier) if report.watched is not None else None
    if found is None or (not row.verdict.active and found.executed):
        return ""
    if not found.executed:
        return "did not run"
    return f"carried {found.carried:,}×" if found.carried else f"ran {found.executed:,}×, carried none"


def watched_sentences(report: Report) -> tuple[str, ...]:
    """ "in this call 15 of the 19 active instructions that give numbers carried a derivative; 4 were predicted and did not (2 did
    not run)"."""
    watched = report.watched
    if watched is None:
        return ()
    if watched.reason:
        return (f"this call was not followed: {watched.reason}",)
    active = {row.identifier for row in report.activity.rows() if row.verdict.active}
    predicted = [row for row in watched.rows if row.identifier in active]
    idle = [row for row in predicted if not row.carried]
    asleep = sum(1 for row in idle if not row.executed)
    give = (
        "gives a number" if len(predicted) == 1 else "give numbers"
    )  # an address, or a call that moves some, is not told of
    of = f"{len(predicted) - len(idle)} of the {plural(len(predicted), 'active instruction')} that {give}"
    carried = f"in this call {of} carried a derivative"
    if not idle:
        return (carried,)
    why = f" ({asleep} did not run)" if asleep else ""
    return (f"{carried}; {len(idle)} {'was' if len(idle) == 1 else 'were'} predicted and did not{why}",)

"""Activity and cache as tables: rows to loop over, text to print, and the picture.

Invariant: read from a Report and nothing else; printing and indexing show the same rows in the same order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from enzyme_magic.api.checks.explanations import Explanation, explain_line, explain_value
from enzyme_magic.api.views_hook import views
from enzyme_magic.backend.explain.tape.formulas import names_of, value_of
from enzyme_magic.errors import ArgumentError, for_users
from enzyme_magic.report import CacheRow, InstructionRow, Measured, Report


@for_users
class ActivityTable(Sequence[InstructionRow]):
    """One row per instruction of the optimized function: text, C line, whether it is active, and why."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.rows = report.activity.rows()

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: Any) -> Any:
        return self.rows[index]

    def __iter__(self) -> Iterator[InstructionRow]:
        return iter(self.rows)

    def line(self, number: int) -> tuple[InstructionRow, ...]:
        """The instructions of one C line, none where optimization left none; ArgumentError for no line of the source."""
        explain_line(self.report, number)  # says which lines there are
        return tuple(row for row in self.rows if row.line == number)

    def why(self, where: str | int) -> Explanation:
        """The reason chain of an instruction ("%mul") or a line."""
        number = _line_number(where)
        return explain_value(self.report, str(where)) if number is None else explain_line(self.report, number)

    @property
    def graph(self) -> Any:
        """The activity CFG as a graphviz.Source."""
        return views().graph(self.report, "activity")

    def in_call(self, row: InstructionRow) -> str:
        """What one instruction did in the watched call, as a sentence; "" where no call was watched."""
        found = self.report.watched.row(row.identifier) if self.report.watched is not None else None
        if found is None:
            return ""
        if not row.verdict.active:
            return "" if found.executed else "not executed"
        if found.carried:
            return f"predicted active, and carried a derivative {_times(found.carried)}"
        return "predicted, but this call did not" + ("" if found.executed else " get here")

    def __repr__(self) -> str:
        head = ["line", "active", "instruction", "because"]
        rows = [
            [str(row.line or ""), "active" if row.verdict.active else "", row.text, _reason(self.report, row)]
            for row in self.rows
        ]
        if self.report.watched is None:
            return _table(head, rows)
        if self.report.watched.reason:
            return f"{_table(head, rows)}\nthis call was not followed: {self.report.watched.reason}"
        head.insert(3, "in this call")
        for line, row in zip(rows, self.rows, strict=True):
            line.insert(3, self.in_call(row))
        return "\n".join([_table(head, rows), *self._lost()])

    def _lost(self) -> list[str]:
        """Where a dependence ended, in sentences."""
        assert self.report.watched is not None
        by_name = {row.identifier: row for row in self.rows}
        return [
            f"{by_name[name].text}{_at_line(by_name[name])}: what depends on an input ends here {_times(count)}, in {ENDS[how]}"
            for name, how, count in self.report.watched.lost
            if name in by_name
        ]


@for_users
class CacheTable(Sequence[CacheRow]):
    """One row per value the reverse sweep needs: stored, recomputed or available, and why."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.rows = report.cache.rows

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: Any) -> Any:
        return self.rows[index]

    def total_bytes(self, **sizes: int) -> int:
        """Bytes the gradient stores, for these values of the function's integer parameters. ArgumentError EM301 where only the call
        tells them, or a part of them."""
        total = self.report.cache.total
        if self.report.cache.bound:
            known = f"at least {total} bytes are stored" if total != "0" else "bytes are stored"
            raise ArgumentError(
                f"{known}; how many, only the call tells", code="EM301", hint="f.cache(at=arguments).measured.taken"
            )
        names = names_of(total)
        if names is None or not names <= sizes.keys():
            missing = sorted(names - sizes.keys()) if names else []
            raise ArgumentError(
                f"the total is {total} bytes" + (f"; missing: {', '.join(missing)}" if missing else ""),
                code="EM301",
                hint=f"total_bytes({', '.join(f'{name}=…' for name in missing)})" if missing else None,
            )
        return value_of(total, sizes)

    @property
    def measured(self) -> Measured | None:
        """What one call kept; None without `at`."""
        return self.report.cache.measured

    @property
    def graph(self) -> Any:
        """The cache picture as a graphviz.Source."""
        return views().graph(self.report, "cache")

    def __repr__(self) -> str:
        rows = [(str(r.line or ""), r.decision, r.expression, r.type, _bytes(r), r.reason) for r in self.rows]
        table = _table(("line", "decision", "value", "type", "bytes", "because"), rows) if rows else ""
        found, own = self.report.cache.measured, self.report.cache.own_memory()
        parts = (self.report.cache.sentence, table, own, _measured(found) if found else "")
        return "\n".join(part for part in parts if part)


def _measured(found: Measured) -> str:
    """One call in words: what was kept, what was predicted, and where it is."""
    predicted = "not known before the call" if found.predicted is None else f"{found.predicted:,} B"
    if found.bound and found.predicted is not None:
        predicted = f"{found.bound} {predicted}"
    head = f"measured at {found.call}: {found.kept:,} B kept at once (predicted: {predicted}), {found.taken:,} B of tape memory"
    rows = [(row.function, str(row.line or ""), row.expression, f"{row.bytes:,}") for row in found.rows]
    return "\n".join([head, *([_table(("function", "line", "value", "bytes"), rows)] if rows else [])])


ENDS = {
    "comparison": "a comparison",
    "rounding": "a rounding",
    "address": "an address",
    "integer arithmetic": "integer arithmetic",
}


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _at_line(row: InstructionRow) -> str:
    return f" (line {row.line})" if row.line is not None else ""


def _line_number(where: str | int) -> int | None:
    if isinstance(where, int):
        return where
    words = where.split()
    return int(words[1]) if len(words) == 2 and words[0] == "line" and words[1].isdigit() else None


def _reason(report: Report, row: InstructionRow) -> str:
    return report.facts[row.verdict.because[0]].sentence if row.verdict.because else ""


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(line[k]) for line in (head, *rows)) for k in range(len(head))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in (head, *rows)]
    return "\n".join(line.rstrip() for line in lines)


def _bytes(row: CacheRow) -> str:
    """The bytes of a row, where the call alone tells all or a part of them."""
    if not row.least:
        return row.bytes
    return "known after the call" if row.bytes in ("", "0") else f"at least {row.bytes}"

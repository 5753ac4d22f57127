"""The C of several tests, and short ways to ask a report."""

from __future__ import annotations

from enzyme_magic.report import InstructionRow, Report

RELU3 = """double relu3(double x) {
    double result;
    if (x > 0)
        result = pow(x, 3);
    else
        result = 0;
    return result;
}
"""


def row(report: Report, result: str) -> InstructionRow:
    """The instruction with this result (`%mul`)."""
    return next(row for row in report.activity.rows() if row.result == result)


def because(report: Report, row: InstructionRow) -> str:
    """The first sentence about an instruction."""
    return report.facts[row.verdict.because[0]].sentence

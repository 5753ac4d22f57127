"""Answers to "why?": the verdict first, then the chain of facts it rests on, indented; then why the reverse sweep saves a value,
computes it again or still has it.

Invariant: every sentence is a fact of the report, or counts them; nothing is inferred here, so a report read from disk answers
as well as a new one.
"""

from __future__ import annotations

from collections.abc import Sequence

from enzyme_magic.errors import ArgumentError
from enzyme_magic.report import InstructionRow, Parameter, Report

MOST_STEPS, TAIL = 24, 3  # lines of one chain, and how many of them come from its end


def why(report: Report, where: str | int | None = None, *, wrt: str | Sequence[str] | None = None) -> str:
    """Why something is active or not.

    where: "line 3" or 3 (all instructions of a C line), "x" (a parameter), "x*x" (what is computed, in C), "%mul" (an instruction
    by its result in the IR), "i4" (an identifier of the report). wrt: parameter names, asked about instead. Neither: all
    parameters. Raises ArgumentError EM321 for what is not there.
    """
    if where is None:
        names = [wrt] if isinstance(wrt, str) else list(wrt or [parameter.name for parameter in report.parameters])
        return "\n".join(_of_value(report, name) for name in names)
    number = _line_number(where)
    return _of_value(report, str(where).strip()) if number is None else _of_line(report, number)


def _line_number(where: str | int) -> int | None:
    if isinstance(where, int):
        return where
    words = where.split()
    return int(words[1]) if len(words) == 2 and words[0] == "line" and words[1].isdigit() else None


def _of_line(report: Report, number: int) -> str:
    rows = [row for row in report.activity.rows() if row.line == number]
    line = next((line for line in report.source if line.number == number), None)
    if not rows and line is not None and not line.note:
        return f"line {number} has no instruction of its own after optimization"
    if not rows and line is None:
        known = sorted({row.line for row in report.activity.rows() if row.line})
        raise ArgumentError(
            f"{report.function} has no instruction of line {number}",
            code="EM321",
            hint=f"lines with instructions: {', '.join(map(str, known)) or 'none'}",
        )
    mark = line.mark if line is not None and line.mark else _mark(rows)
    kind = {"mixed": "partly active", "cached": "active, and something on it is saved"}.get(mark, mark)
    note = line.note.removeprefix("active: ") if line is not None else ""
    head = f"line {number} is {kind}" + (f": {note}" if note else "")
    told: set[int] = set()
    chains = [_chain(report, row.verdict.because, told) for row in _roots(rows)]
    saved = [text for row in rows for text in _of_cache(report, row.identifier, told)]
    return "\n".join([head, *(f"  {text}" for chain in chains for text in chain), *saved])


def _mark(rows: list[InstructionRow]) -> str:
    active = sum(row.verdict.active for row in rows)
    return "active" if active == len(rows) else "mixed" if active else "inactive"


def _roots(rows: list[InstructionRow]) -> list[InstructionRow]:
    """The outermost instructions first: what they are made of follows in their chains. Merges are left out where there is more."""
    rows = [row for row in rows if row.opcode not in ("phi", "select")] or rows
    inner = {operand for row in rows for operand in row.operands}
    return [row for row in rows if row.identifier not in inner] + [row for row in rows if row.identifier in inner]


def _of_value(report: Report, name: str) -> str:
    found = _find(report, name)
    if found is None:
        rows = report.activity.rows()
        made = [row.result if name.startswith("%") else row.c for row in rows if row.result]
        known = list(dict.fromkeys([*(p.name for p in report.parameters), *filter(None, made)]))
        raise ArgumentError(
            f"{report.function} has no value {name}",
            code="EM321",
            hint=f"values: {', '.join(known)}" if known else None,
        )
    told: set[int] = set()
    chain = _chain(report, found.verdict.because, told)
    verdict = chain or [f"{name} is {'active' if found.verdict.active else 'inactive'}"]
    return "\n".join([*verdict, *_of_cache(report, found.identifier, told)])


def _of_cache(report: Report, identifier: str, told: set[int]) -> list[str]:
    """Why the reverse sweep has a value; nothing where it needs none."""
    rows = [row for row in report.cache.rows if row.instruction == identifier and row.because]
    return [text for row in rows for text in _chain(report, row.because, told)]


def _find(report: Report, name: str) -> InstructionRow | Parameter | None:
    """By the parameter's name, by the result, by the identifier, by what is computed: in this order."""
    rows = report.activity.rows()
    wanted = name if name.startswith("%") else f"%{name}"
    parameter = next((p for p in report.parameters if p.name == name), None)
    by_result = next((row for row in rows if row.result == wanted), None)
    by_identifier = next((row for row in rows if row.identifier == name), None)
    if name.startswith("%"):
        named = next((p for p in report.parameters if f"%{p.name}" == name), None)
        return by_result or named
    return parameter or by_result or by_identifier or next((row for row in rows if row.c == name), None)


def _chain(report: Report, because: Sequence[int], told: set[int]) -> list[str]:
    """The facts an answer rests on, each once, a step further in than what it supports; the middle of a long chain is counted."""
    steps: list[tuple[int, str]] = []
    work = [(index, 0) for index in reversed(because)]
    while work:
        index, depth = work.pop()
        if index in told:
            continue
        told.add(index)
        fact = report.facts[index]
        where = f" (line {fact.line})" if fact.line and f"line {fact.line}" not in fact.sentence else ""
        steps.append((depth, f"{fact.sentence}{where}"))
        work.extend((premise, depth + 1) for premise in reversed(fact.premises))
    if len(steps) > MOST_STEPS:
        kept, last = steps[: MOST_STEPS - TAIL], steps[-TAIL:]
        depth = kept[-1][0] + 1
        between = (depth, f"… {len(steps) - MOST_STEPS} steps further …")
        steps = [*kept, between, *((depth + k, text) for k, (_, text) in enumerate(last))]
    return [f"{'  ' * depth}{text}" for depth, text in steps]

"""Answers to "why": the verdict first, then the chain of facts it rests on.

Invariant: every sentence comes from the report's facts; nothing is inferred here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from enzyme_magic.errors import ArgumentError
from enzyme_magic.report import Parameter, Report, Verdict

if TYPE_CHECKING:
    from enzyme_magic.api.function import CFunction
    from enzyme_magic.api.wrt import Wrt


class Explanation(str):
    """Text that shows itself without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def explain(function: CFunction, where: str | int | None, *, wrt: Wrt, mode: str) -> Explanation:
    """A line, an instruction, a parameter; or, with wrt alone, the parameters of wrt."""
    if where is None:
        return _explain_wrt(function, wrt, mode)
    report = function.make_report(mode=mode, wrt=wrt)
    text = str(where).strip()
    number = text.removeprefix("line").strip()
    if isinstance(where, int) or (text.startswith("line") and number.isdigit()):
        return explain_line(report, int(number))
    return explain_value(report, text)


def _explain_wrt(function: CFunction, wrt: Wrt, mode: str) -> Explanation:
    names = [wrt] if isinstance(wrt, (str, int)) else list(wrt or ())
    refusals = function.roles.refusals
    all_names = [p.name or f"p{k}" for k, p in enumerate(function.c_signature.parameters)]
    asked = [all_names.index(n) if isinstance(n, str) and n in all_names else n for n in names]
    refused = [k for k in asked if isinstance(k, int) and k in refusals]
    if refused:
        return Explanation("\n".join(f"{all_names[k]} has no gradient: {refusals[k]}" for k in refused))
    report = function.make_report(mode=mode, wrt=wrt)
    chosen = [p for p in report.parameters if p.name in report.wrt] if names else list(report.parameters)
    return Explanation("\n".join(_about_parameter(report, parameter) for parameter in chosen))


def explain_line(report: Report, number: int) -> Explanation:
    """Every instruction of one C line."""
    rows = [row for row in report.activity.rows() if row.line == number]
    if not rows and any(line.number == number for line in report.source):
        return Explanation(f"line {number} has no instruction of its own after optimization")
    if not rows:
        lines = sorted({row.line for row in report.activity.rows() if row.line})
        raise ArgumentError(
            f"{report.function} has no instruction of line {number}",
            code="EM321",
            hint=f"lines with instructions: {', '.join(map(str, lines))}",
        )
    active = [row for row in rows if row.verdict.active]
    head = f"line {number} is {'active' if len(active) == len(rows) else 'partly active' if active else 'inactive'}"
    cached = [text for row in rows for text in _of_cache(report, row.identifier)]
    return Explanation("\n".join([head, *(_about(report, row.text, row.verdict) for row in rows), *cached]))


def explain_value(report: Report, name: str) -> Explanation:
    """One instruction (by its result, "%mul") or parameter (by its name)."""
    bare = name.removeprefix("%")
    for row in report.activity.rows():
        if row.result is not None and row.result.removeprefix("%") == bare:
            return Explanation("\n".join([_about(report, row.text, row.verdict), *_of_cache(report, row.identifier)]))
    for parameter in report.parameters:
        if parameter.name == bare:
            return Explanation(_about_parameter(report, parameter))
    known = [row.result for row in report.activity.rows() if row.result]
    raise ArgumentError(
        f"{report.function} has no value {name}", code="EM321", hint=f"values: {', '.join(known)}" if known else None
    )


def _of_cache(report: Report, identifier: str) -> list[str]:
    """Why the reverse sweep has a value: saved, computed again or still at hand; nothing where it needs none."""
    rows = [row for row in report.cache.rows if row.instruction == identifier and row.because]
    return ["\n".join(_chain(report, row.because)) for row in rows]


def _about_parameter(report: Report, parameter: Parameter) -> str:
    return _about(report, parameter.name, parameter.verdict)


def _about(report: Report, subject: str, verdict: Verdict) -> str:
    lines = list(_chain(report, verdict.because))
    return "\n".join(lines) if lines else f"{subject} is {'active' if verdict.active else 'inactive'}"


def _chain(report: Report, roots: Iterable[int]) -> Iterable[str]:
    """The facts reached from `roots`, each once, indented by depth; premises follow what they support."""
    seen: set[int] = set()
    work = [(index, 0) for index in reversed(tuple(roots))]
    while work:
        index, depth = work.pop()
        if index in seen:
            continue
        seen.add(index)
        fact = report.facts[index]
        where = f" (line {fact.line})" if fact.line and f"line {fact.line}" not in fact.sentence else ""
        yield f"{'  ' * depth}{fact.sentence}{where}"
        work.extend((premise, depth + 1) for premise in reversed(fact.premises))

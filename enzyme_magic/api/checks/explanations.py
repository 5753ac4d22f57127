"""What a user asks when asking why: which line, value or parameter, under which choice of active ones.

The sentences are those of `backend.explain.answers`; a parameter without a gradient says so before any report is made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_magic.backend.explain.answers import why
from enzyme_magic.report import Report

if TYPE_CHECKING:
    from enzyme_magic.api.derivatives.wrt import Wrt
    from enzyme_magic.api.function import CFunction


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
    names = list(wrt) if isinstance(wrt, (tuple, list)) else [] if wrt is None else [wrt]
    refusals = function.roles.refusals
    all_names = [p.name or f"p{k}" for k, p in enumerate(function.c_signature.parameters)]
    asked = [all_names.index(n) if isinstance(n, str) and n in all_names else n for n in names]
    refused = [k for k in asked if isinstance(k, int) and k in refusals]
    if refused:
        return Explanation("\n".join(f"{all_names[k]} has no gradient: {refusals[k]}" for k in refused))
    report = function.make_report(mode=mode, wrt=wrt)
    chosen = [p for p in report.parameters if p.name in report.wrt] if names else list(report.parameters)
    return Explanation("\n".join(why(report, parameter.name) for parameter in chosen))


def explain_line(report: Report, number: int) -> Explanation:
    """Every instruction of one C line."""
    return Explanation(why(report, number))


def explain_value(report: Report, name: str) -> Explanation:
    """One instruction (by its result, "%mul", or its identifier) or parameter (by its name)."""
    return Explanation(why(report, name))

"""From analyses and IR to a `report.Report`: everything the pictures and answers read.

    report(program, request) -> Report          what is active, why, the IR stages, what is stored
    assumed(program, request, assumptions) -> Report   the same as it would be if the program said more
    plan(program, request) -> str               what was decided before the derivative was written
    why(report, where, wrt=None) -> str         the chain of reasons behind a line, an instruction, a parameter

Nothing here decides or writes derivatives; it puts into words what the analyses and the plan decided.
"""

from __future__ import annotations

from enzyme_magic.backend.explain.answers import why
from enzyme_magic.backend.explain.assemble import assumed, plan, report

__all__ = ["assumed", "plan", "report", "why"]

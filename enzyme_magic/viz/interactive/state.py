"""What the front end starts with: a report and the choices nobody has made yet. The same for the widget and the page."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable
from typing import Any

from enzyme_magic.report import Plan, Report
from enzyme_magic.viz.facts import short_total
from enzyme_magic.viz.parts import OpenPart, parts, picture_name
from enzyme_magic.viz.plots.of_report import costs_told, curves_told
from enzyme_magic.viz.theme import chosen

STAGE_PAIR = ("gradient", "gradient-optimized")


def record(report: Report) -> dict[str, Any]:
    """The report as JSON that a browser reads: numbers that are not finite are null there. It is no text of a report any more, and
    has no digest.

    Its traces, passes, curves and costs are apart, see `initial`. "parts": the
    folded loops and calls of the activity graph, see viz/parts.py. "size": all that is stored, as the pictures say it."""
    found: dict[str, Any] = json.loads(report.to_json(), parse_constant=lambda name: None)
    del found["digest"]
    apart: dict[str, Any] = {"traces": [], "passes": None, "curves": [], "costs": None}
    return found | apart | {"parts": [_part(part) for part in parts(report)], "size": short_total(report)}


def _part(part: OpenPart) -> dict[str, Any]:
    told = {"region": part.region, "title": part.title, "subtitle": part.subtitle, "parent": part.parent}
    return {"name": part.name, "picture": picture_name(part), "rows": part.rows} | told


def traces(report: Report) -> list[dict[str, Any]]:
    """The calls of the gradient that can be followed."""
    return [dataclasses.asdict(trace) for trace in report.traces]


def passes(report: Report) -> dict[str, Any]:
    """The optimizer's passes; {} where nobody has asked for them."""
    return dataclasses.asdict(report.passes) if report.passes is not None else {}


def plans(found: Iterable[Plan]) -> list[dict[str, Any]]:
    """Cache plans beside one another; those that there are not are left out."""
    return [dataclasses.asdict(plan) for plan in found if not plan.trouble]


def initial(report: Report, *, quiz: bool = False) -> dict[str, Any]:
    """Choices by name, as JSON-able values. quiz: the other tabs open when the predictions are made."""
    stages = [stage.name for stage in report.stages]
    pair = STAGE_PAIR if set(STAGE_PAIR) <= set(stages) else tuple(([*stages, "", ""])[:2])
    return {
        "selected": "",
        "tab": "quiz" if quiz else "source",
        "wrt": list(report.wrt),
        "direction": "active",
        "hide_inactive": False,
        "left": pair[0],
        "right": pair[1],
        "sizes": {},
        "caching": {},
        "plans": plans(report.plans),
        "passes": passes(report),
        "passed": 0,
        "curves": curves_told(report),
        "costs": costs_told(report),
        "fixes": {},
        "step": 0,
        "traces": traces(report),
        "call": 0,
        "moment": 0,
        "point": {},
        "theme": chosen(),
        "quiz": quiz,
        "revealed": False,
        "answers": {},
        "previous": {},
        "message": "",
    }

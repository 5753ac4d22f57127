"""What the front end starts with: a report and the choices nobody has made yet. The same for the widget and the page."""

from __future__ import annotations

import json
from typing import Any

from enzyme_magic.report import Report

STAGE_PAIR = ("gradient", "gradient-optimized")


def record(report: Report) -> dict[str, Any]:
    """The report as JSON that a browser reads: numbers that are not finite are null there."""
    found: dict[str, Any] = json.loads(report.to_json(), parse_constant=lambda name: None)
    return found


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
        "plans": [],
        "step": 0,
        "theme": "auto",
        "quiz": quiz,
        "revealed": False,
        "answers": {},
        "previous": {},
        "message": "",
    }

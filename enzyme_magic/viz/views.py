"""The pictures by name: the one entry to this room.

    view(report, "activity", "dark").svg

Invariant: a view is a pure function of the report. An unknown name is a ViewError that lists those that exist.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from enzyme_magic.errors import ViewError
from enzyme_magic.report import Report
from enzyme_magic.viz.cards import activity, cache, dashboard, gradient_c, passes, source, stages, steps
from enzyme_magic.viz.model import Card
from enzyme_magic.viz.picture import Picture
from enzyme_magic.viz.theme import of_pictures, theme_of

DEFAULT = "dashboard"


@dataclass(frozen=True, slots=True)
class View:
    """A kind of picture. `summary`: one line for help texts. `wording`: its own text form, if it has one."""

    name: str
    summary: str
    draw: Callable[[Report], Card]
    wording: Callable[[Report], str] | None = None


_ALL = (
    View(
        "dashboard", "the first screen: head line, source, facts and the small pictures", dashboard.card, dashboard.text
    ),
    View("source", "annotated C source: what is active on each line", source.card),
    View("activity", "activity of each instruction, in the control flow graph", activity.card),
    View("steps", "how the gradient came about: active, shadows, adjoints, optimized", steps.card),
    View("stages", "IR of the gradient before and after optimization", stages.card),
    View("primal-stages", "IR of the function itself before and after optimization", stages.primal_card),
    View("cache", "what the forward sweep saves for the reverse sweep, and why", cache.card),
    View("passes", "the optimizer's passes that changed the gradient, and what each changed", passes.card),
    View("gradient-c", "the gradient as C, beside the function", gradient_c.card, gradient_c.text),
)

VIEWS: Mapping[str, View] = MappingProxyType({view.name: view for view in _ALL})


def view(report: Report, name: str | None = None, theme: str | None = None) -> Picture:
    """The picture called `name`: one of `VIEWS` (the first screen unless given) or the name of an IR stage.

    theme: the one that was chosen for pictures, unless given. ViewError EM500: no such view; EM501: no such theme.
    """
    theme = theme or of_pictures()
    found = VIEWS.get(name or DEFAULT)
    if found is None:
        if any(stage.name == name for stage in report.stages):
            return stage_view(report, str(name), theme)
        raise _unknown(report, name)
    return Picture(found.name, found.draw(report), report, theme_of(theme), found.wording)


def stage_view(report: Report, stage: str, theme: str = "light") -> Picture:
    """One IR stage as a CFG. ViewError EM502 naming the stages that exist."""
    card = stages.one(report, stage)
    return Picture(card.name, card, report, theme_of(theme))


def mimebundle(report: Report, name: str | None = None, theme: str | None = None) -> dict[str, str]:
    """What a notebook shows: image/svg+xml, image/png, text/plain within the size limits. ViewError for an unknown name only."""
    return view(report, name, theme)._repr_mimebundle_()[0]


def _unknown(report: Report, name: object) -> ViewError:
    if name == "curve":
        return ViewError(
            "the view 'curve' is of a function, not of a report", code="EM500", hint='f.show("curve", over="x")'
        )
    known = [*VIEWS, *(stage.name for stage in report.stages)]
    near = difflib.get_close_matches(str(name).lower(), known, n=1)
    meant = f"did you mean {near[0]!r}? " if near else ""
    return ViewError(f"there is no view {name!r}", code="EM500", hint=f"{meant}views: {', '.join(known)}")

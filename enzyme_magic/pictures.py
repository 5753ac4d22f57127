"""Where the API and the pictures meet: what `f.show()` and `.graph` give, and the views by name.

A report goes in, something displayable comes out. Knows neither IPython nor the compiler; `enzyme_magic.api` knows it only as the
`Views` that are registered with it.
"""

from __future__ import annotations

import difflib
from typing import Any

from enzyme_magic.errors import ViewError
from enzyme_magic.report import Report
from enzyme_magic.viz.picture import Picture
from enzyme_magic.viz.views import DEFAULT, VIEWS, stage_view, view


class Pictures:
    """See `enzyme_magic.api.views_hook.Views`."""

    def graph(self, report: Report, name: str) -> Any:
        """A graphviz.Source. ViewError when there is no such view."""
        return picture(report, name).graph

    def show(self, report: Report, name: str | None) -> Picture:
        """The first screen, or one view; displays itself in a notebook and prints as text."""
        return picture(report, name)

    def text(self, report: Report, name: str) -> str:
        return picture(report, name).text


def names(report: Report | None = None) -> list[str]:
    """What can be shown: the views, and the IR stages of `report`."""
    return [*VIEWS, *(stage.name for stage in report.stages)] if report else [*VIEWS]


def picture(report: Report, name: str | None, theme: str = "light") -> Picture:
    """A view or an IR stage by name; ViewError EM500 says which there are."""
    name = name or DEFAULT
    if name in VIEWS:
        return view(report, name, theme)
    known = names(report)
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1)
        meant = f"did you mean {near[0]}? " if near else ""
        raise ViewError(f"there is no view {name!r}", code="EM500", hint=f"{meant}views: {', '.join(known)}")
    return stage_view(report, name, theme)

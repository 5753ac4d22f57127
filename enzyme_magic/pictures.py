"""Where the API and the pictures meet: what `f.show()` and `.graph` give.

A report goes in, something displayable comes out. Knows neither IPython nor the compiler; `enzyme_magic.api` knows it
only as the `Views` that are registered with it.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from enzyme_magic.points import Costs, Curve, StepErrors
from enzyme_magic.report import Report
from enzyme_magic.viz import export as files
from enzyme_magic.viz.interactive.frame import Framed
from enzyme_magic.viz.memory import MemoryPicture
from enzyme_magic.viz.picture import Picture
from enzyme_magic.viz.plots import costs as plot_of_costs
from enzyme_magic.viz.plots import curve as plot_of_curve
from enzyme_magic.viz.plots import steps as plot_of_steps
from enzyme_magic.viz.plots.picture import Plot
from enzyme_magic.viz.theme import of_pictures, theme_of
from enzyme_magic.viz.views import view

if TYPE_CHECKING:
    from enzyme_magic.viz.interactive.widget import Compiler, Inspector


class Pictures:
    """See `enzyme_magic.api.views_hook.Views`. ViewError EM500 where there is no such view."""

    def graph(self, report: Report, name: str) -> Any:
        """A graphviz.Source."""
        return view(report, name).graph

    def show(self, report: Report, name: str | None) -> Picture:
        """The first screen, or one view; displays itself in a notebook and prints as text."""
        return view(report, name)

    def text(self, report: Report, name: str) -> str:
        """The text twin of a view."""
        return view(report, name).text

    def memory(self, report: Report, theme: str = "light") -> MemoryPicture:
        """Bytes kept over time, where a call was measured."""
        return MemoryPicture(report, theme_of(theme))

    def curve(self, curve: Curve, theme: str | None = None) -> Plot[Curve]:
        """A function along one of its numbers."""
        return Plot(curve, theme_of(theme or of_pictures()), plot_of_curve.draw, plot_of_curve.text)

    def steps(self, errors: StepErrors, theme: str | None = None) -> Plot[StepErrors]:
        """Errors of differences by their step."""
        return Plot(errors, theme_of(theme or of_pictures()), plot_of_steps.draw, plot_of_steps.text)

    def costs(self, costs: Costs, theme: str | None = None) -> Plot[Costs]:
        """Times of a function and its gradient."""
        return Plot(costs, theme_of(theme or of_pictures()), plot_of_costs.draw, plot_of_costs.text)

    def inspect(
        self,
        report: Report,
        compiler: Compiler,
        *,
        quiz: bool = False,
        previous: Report | None = None,
        framed: bool = False,
    ) -> Inspector | Framed:
        """The widget of docs/interactive.md, or a page in a frame."""
        from enzyme_magic.viz.interactive.previous import previous as earlier

        before = earlier(previous, report) if previous else None
        if framed:
            return Framed(report, quiz=quiz, previous=before)
        from enzyme_magic.viz.interactive.widget import Inspector

        return Inspector(report, compiler, quiz=quiz, previous=before)

    def export(self, report: Report, path: str | os.PathLike[str], name: str | None, theme: str) -> Path:
        """See `viz.export.export`."""
        return files.export(report, path, name, theme)

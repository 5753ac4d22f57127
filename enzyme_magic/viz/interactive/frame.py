"""The inspector as a page in a frame, for front ends that show no widgets without a network.

Invariant: the page is the one of a file, with the same record: it asks nobody, and the frame lets it do nothing but run its own
script. Beside it stand the still picture and the text, for readers that show no frames.
"""

from __future__ import annotations

from html import escape
from typing import Any

from enzyme_magic.report import Report
from enzyme_magic.viz.interactive.page import bare
from enzyme_magic.viz.views import view

HEIGHT = 640  # pixels; the corner can be dragged


class Framed:
    """Displays itself where HTML can be shown."""

    def __init__(self, report: Report, *, quiz: bool = False, previous: dict[str, Any] | None = None) -> None:
        self.record = report
        self._page = bare(report, quiz=quiz, previous=previous)

    def _repr_mimebundle_(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        still, about = view(self.record)._repr_mimebundle_()
        style = f"width: 100%; height: {HEIGHT}px; border: 0; resize: vertical"
        frame = (
            f'<iframe title="{escape(self.record.function)}" sandbox="allow-scripts" style="{style}" '
            f'srcdoc="{escape(self._page)}"></iframe>'
        )
        return {**still, "text/html": frame}, about

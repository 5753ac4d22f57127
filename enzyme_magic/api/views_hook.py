"""The one door through which the API asks for pictures, without knowing who draws them.

Invariant: the API never imports viz. Whoever may see both (the IPython extension, or the package's own lazy default) registers a
`Views`; until then a picture is a clear ViewError.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from enzyme_magic.errors import ViewError
from enzyme_magic.points import Costs, Curve, StepErrors
from enzyme_magic.report import Report

if TYPE_CHECKING:
    from enzyme_magic.api.checks.inspection import Inspection


class Views(Protocol):
    """What the API asks of the picture room."""

    def graph(self, report: Report, view: str) -> Any:
        """A graphviz.Source of one view: "activity", "cache", or an IR stage's name."""

    def show(self, report: Report, view: str | None) -> Any:
        """An object that IPython displays: all views, or one."""

    def text(self, report: Report, view: str) -> str:
        """The text twin of a view."""

    def memory(self, report: Report, theme: str = "light") -> Any:
        """A picture of the bytes kept during the measured call of the report."""

    def curve(self, curve: Curve) -> Any:
        """A picture of a function along one of its numbers."""

    def steps(self, errors: StepErrors) -> Any:
        """A picture of the errors of differences, by their step."""

    def costs(self, costs: Costs) -> Any:
        """A picture of the times of a function and its gradient."""

    def inspect(
        self, report: Report, inspection: Inspection, *, quiz: bool, previous: Report | None, framed: bool
    ) -> Any:
        """A widget of the report; `inspection` gives the record of other choices, `previous` is an earlier run's.
        framed: the same as a page in a frame, which asks nobody."""

    def export(self, report: Report, path: str | os.PathLike[str], view: str | None, theme: str) -> Path:
        """Writes a file in the format its ending names; the absolute path."""


_provider: Callable[[], Views] | None = None


def register(provider: Callable[[], Views]) -> None:
    """`provider()` is called when the first picture is wanted."""
    global _provider
    _provider = provider


def register_default(provider: Callable[[], Views]) -> None:
    """Like `register`, where nobody has registered."""
    if _provider is None:
        register(provider)


def views() -> Views:
    """The registered Views; ViewError EM501 when there are none."""
    if _provider is None:
        raise ViewError(
            "no views are registered", code="EM501", hint="%load_ext enzyme_magic, or import enzyme_magic first"
        )
    return _provider()

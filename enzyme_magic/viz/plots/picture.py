"""A plot as a notebook shows it: SVG, and the same facts as text.

Invariant: frozen; both forms are made of the same record, when asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from enzyme_magic.viz.theme import Theme

Record = TypeVar("Record")


@dataclass(frozen=True, slots=True, repr=False)
class Plot(Generic[Record]):
    """record: what was measured."""

    record: Record
    theme: Theme
    draw: Callable[[Record, Theme], str]
    wording: Callable[[Record], str]

    @property
    def svg(self) -> str:
        """Plain SVG text."""
        return self.draw(self.record, self.theme)

    @property
    def text(self) -> str:
        """The text twin; no newline at the end."""
        return self.wording(self.record)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/plain": self.text, "image/svg+xml": self.svg}

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        """What a plain Python prompt shows: the text twin."""
        return self.text

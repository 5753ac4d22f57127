"""A picture of a report: its DOT, SVG, PNG and text, and what a notebook stores of it.

Invariant: a plain frozen object; every form is made from the same card when asked for. `.svg` and `.png()` raise ViewError where
nothing can be drawn; `_repr_mimebundle_` never raises: it gives the text and a sentence why.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from enzyme_magic.report import Report
from enzyme_magic.viz.bundle import bundle
from enzyme_magic.viz.drawing import svg as svg_text
from enzyme_magic.viz.drawing.arrange import arranged_dot, layout_jobs
from enzyme_magic.viz.drawing.dot import card_dot
from enzyme_magic.viz.drawing.fit import SVG_LIMIT, TABLE, at_level, coarser, fitted
from enzyme_magic.viz.drawing.graph import source
from enzyme_magic.viz.drawing.plain import plain
from enzyme_magic.viz.drawing.png import exact_palette
from enzyme_magic.viz.drawing.render import TIMEOUT, Job, RenderError, render
from enzyme_magic.viz.model import Card
from enzyme_magic.viz.text import card_text
from enzyme_magic.viz.theme import Theme

CSS_DPI = 96
PALETTE_PNG = "png:cairo:gd"


_BATCH = 8  # times as long as one picture


def draw_together(pictures: Sequence[Picture]) -> None:
    """Draws several pictures in two starts of the engine instead of one or two for each; they are then at hand.

    What cannot be drawn so is left to the picture itself."""
    cards = [(fitted(picture.card)[0], picture.theme) for picture in pictures]
    several = [(card, theme) for card, theme in cards if len(card.drawings()) > 1]
    jobs = [Job(card_dot(card, theme)) for card, theme in cards if len(card.drawings()) == 1]
    jobs += [job for card, theme in several for job in layout_jobs(card, theme)]
    with contextlib.suppress(RenderError):
        render(jobs, _BATCH * TIMEOUT)
        render([Job(arranged_dot(card, theme), program="nop2") for card, theme in several], _BATCH * TIMEOUT)


@dataclass(frozen=True, slots=True, repr=False)
class Picture:
    """One view of one report in one theme.

    card: what is shown. report: where it came from. wording: an own text form, else the card's tables are written out.
    """

    name: str
    card: Card
    report: Report
    theme: Theme
    wording: Callable[[Report], str] | None = None

    @property
    def text(self) -> str:
        """The text twin: the same facts, no newline at the end."""
        return self.wording(self.report) if self.wording else card_text(self.card)

    @property
    def dot(self) -> str:
        """Graphviz source that draws itself with any `dot`; large pictures folded as in the drawing."""
        return card_dot(fitted(self.card)[0], self.theme)

    @property
    def graph(self) -> Any:
        """The DOT as a `graphviz.Source` that is displayed without a `dot` program."""
        return source(self.dot)

    @property
    def svg(self) -> str:
        """SVG text of at most 200 kB. RenderError (a ViewError) where nothing can be drawn."""
        return self.drawn()[0]

    def png(self, scale: float = 2.0, palette: bool = False) -> bytes:
        """PNG with `scale` pixels for each CSS pixel; `palette`: 256 colours, a third of the size where the engine has that.

        RenderError where nothing can be drawn.
        """
        job = self.drawn()[1]
        if job is None:
            raise RenderError(
                "laying the picture out took too long", hint="the SVG and the text are there", code="EM511"
            )
        return self.rasterized(job, scale, palette)

    def rasterized(self, job: Job, scale: float, palette: bool) -> bytes:
        """`png` of what `drawn` gave."""
        dpi = round(CSS_DPI * scale)
        if palette:
            try:
                drawn = render([Job(job.dot, PALETTE_PNG, job.program, dpi)])[0]
                return exact_palette(drawn, self.theme.colours())
            except RenderError:
                pass  # an engine without that renderer
        return render([Job(job.dot, "png", job.program, dpi)])[0]

    def drawn(self) -> tuple[str, Job | None]:
        """The SVG and the job that made it, folded further until it is small and quick enough.

        Where laying out takes too long in every form, the SVG is the text and there is no job. RenderError where nothing can be
        drawn.
        """
        card, level = fitted(self.card)
        while True:
            following = coarser(self.card, level)
            try:
                job = self._job(card)
                drawn = render([job])[0].decode("utf-8")
            except RenderError as error:
                if error.code != "EM511":
                    raise
                if following is None:
                    return plain(fitted(self.card)[0], self.theme, error.message), None
                following = TABLE
                drawn = ""
            if drawn and (len(drawn.encode()) <= SVG_LIMIT or following is None):
                return svg_text.finish(drawn, self.card.title, self.card.description), job
            level = following if following is not None else TABLE
            card = at_level(self.card, level)

    def _job(self, card: Card) -> Job:
        if len(card.drawings()) == 1:
            return Job(card_dot(card, self.theme))
        return Job(arranged_dot(card, self.theme), program="nop2")

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> tuple[dict[str, str], dict[str, Any]]:
        return bundle(self)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        """What a plain Python prompt shows: the text twin."""
        return self.text

"""What a notebook stores of a picture: SVG, PNG and text within fixed sizes.

Invariant: no exception leaves this module and no cell stays blank: what cannot be drawn is text with a sentence why. There is no
text/html, which would outrank the SVG and lose its look on sites that strip styles. Sizes are of what is stored (PNG in base64).
"""

from __future__ import annotations

import base64
import sys
from typing import TYPE_CHECKING, Any

from enzyme_magic.errors import ViewError
from enzyme_magic.viz.drawing import render
from enzyme_magic.viz.drawing import svg as svg_text
from enzyme_magic.viz.wording import spell

if TYPE_CHECKING:
    from enzyme_magic.viz.drawing.render import Job
    from enzyme_magic.viz.picture import Picture

PNG_LIMIT = 200_000
CELL_LIMIT = 300_000
TEXT_LIMIT = 40_000
_MOST_PIXELS_A_BYTE = {2.0: 95, 1.5: 80, 1.0: 60}  # of our pictures; most have half as many
SCALES = (2.0, 1.5, 1.0)  # pixels of the PNG per CSS pixel, the sharpest that fits


def bundle(picture: Picture, encoding: str | None = None) -> tuple[dict[str, str], dict[str, Any]]:
    """(data, metadata) by media type. `encoding`: of the stream the text goes to; sys.stdout's unless given."""
    encoding = encoding or getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        text = _short(picture.text)
    except Exception as error:  # our own bug must not blank the cell
        return {"text/plain": f"{picture.name}: not shown ({type(error).__name__}: {error})"}, {}
    try:
        return _drawn(picture, spell(text, encoding))
    except ViewError as error:
        hint = f"\n{error.hint}" if error.hint else ""
        return {"text/plain": spell(f"{text}\n(no picture: {error.message}{hint})", encoding)}, {}
    except Exception as error:
        return {"text/plain": spell(f"{text}\n(no picture: {type(error).__name__}: {error})", encoding)}, {}


def _drawn(picture: Picture, text: str) -> tuple[dict[str, str], dict[str, Any]]:
    drawing, job = picture.drawn()
    width, height = svg_text.pixels(drawing)
    if job is None:
        said = f"laying the picture out took longer than {render.TIMEOUT:g} s: the picture is a list"
        return {"image/svg+xml": drawing, "text/plain": f"{text}\n({said})"}, {}
    data = {"image/svg+xml": drawing, "text/plain": text}
    room = CELL_LIMIT - len(drawing.encode()) - len(text.encode())
    png = _png(picture, job, (width, height), room)
    if png is None:
        return data, {}
    alt = ". ".join((picture.card.title, *picture.card.description))
    return data | {"image/png": png}, {"image/png": {"width": width, "height": height, "alt": alt}}


def _png(picture: Picture, job: Job, size: tuple[int, int], room: int) -> str | None:
    """The sharpest PNG that fits, in base64 of at most `room` bytes; None where none does. What certainly does not fit is not
    drawn: that takes as long as there are pixels."""
    limit = min(PNG_LIMIT, (room - 4) * 3 // 4)
    for scale in SCALES:
        if size[0] * size[1] * scale**2 / _MOST_PIXELS_A_BYTE[scale] > limit:
            continue
        drawn = picture.rasterized(job, scale, palette=True)
        if len(drawn) <= limit:
            return base64.b64encode(drawn).decode("ascii")
    return None


def _short(text: str) -> str:
    """The text in at most `TEXT_LIMIT` bytes, whole lines, with a sentence where it is cut."""
    if len(text.encode("utf-8", "replace")) <= TEXT_LIMIT:
        return text
    kept: list[str] = []
    used = 0
    lines = text.split("\n")
    for line in lines:
        used += len(line.encode("utf-8", "replace")) + 1
        if used > TEXT_LIMIT:
            break
        kept.append(line)
    left = len(lines) - len(kept)
    return "\n".join([*kept, f"… {left} more lines are left out here; .text of this picture has all of them"])

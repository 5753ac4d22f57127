"""Idioms of C that random programs draw: each a small generator of its own, one file for each family."""

from __future__ import annotations

from . import blocks, calls, carried, lanes, moved, tagged
from .code import Code, Idiom, Use

IDIOMS: dict[str, Idiom] = {
    **blocks.IDIOMS,
    **moved.IDIOMS,
    **tagged.IDIOMS,
    **carried.IDIOMS,
    **lanes.IDIOMS,
    **calls.IDIOMS,
}

__all__ = ["IDIOMS", "Code", "Idiom", "Use"]

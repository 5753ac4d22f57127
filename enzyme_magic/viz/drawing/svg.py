"""What Graphviz drew, as an SVG that a notebook keeps: described, without prolog, unique ids.

Invariant: presentation attributes only (no <style>, script, foreignObject, no outside reference); the first children are <title>
and <desc>; ids may be prefixed so that two themes fit one page. Input is Graphviz's own SVG, whose form is fixed; no general
XML is parsed.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

from enzyme_magic.viz.wording import clean

_PROLOG = re.compile(r"\A.*?(?=<svg)", re.DOTALL)
_COMMENTS = re.compile(r"<!--.*?-->\n?", re.DOTALL)
_NODE_TITLES = re.compile(r"^<title>.*?</title>\n", re.MULTILINE | re.DOTALL)
_POINTS = re.compile(r'<svg width="(\d+)pt" height="(\d+)pt"')
_PIXELS = re.compile(r'width="(\d+)" height="(\d+)"')
_ID = re.compile(r'(<g id="|xlink:href="#)')
_GRAPH_ID = re.compile(r'<g id="graph\d+" class="graph"')


def finish(drawn: str, title: str, description: Iterable[str]) -> str:
    """Graphviz's SVG with role, title and description; a single root element and a final newline."""
    text = _COMMENTS.sub("", _PROLOG.sub("", drawn, count=1))
    text = _NODE_TITLES.sub("", text)
    text = _GRAPH_ID.sub('<g class="graph"', text, count=1)
    text = _POINTS.sub(_in_pixels, text, count=1)
    about = f"<title>{_escape(title)}</title>\n<desc>{_escape('. '.join(description))}</desc>\n"
    start = text.index(">") + 1
    head = text[:start].replace("<svg ", '<svg role="img" ', 1)
    return f"{head}\n{about}{text[start:].lstrip()}"


def _escape(text: str) -> str:
    return html.escape(clean(text), quote=False)


def _in_pixels(found: re.Match[str]) -> str:
    """Graphviz writes points, 4/3 CSS pixel each; some readers of SVG know pixels only."""
    return f'<svg width="{round(int(found[1]) * 4 / 3)}" height="{round(int(found[2]) * 4 / 3)}"'


def pixels(svg: str) -> tuple[int, int]:
    """Width and height of a finished SVG in CSS pixels."""
    found = _PIXELS.search(svg)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def prefixed(svg: str, prefix: str) -> str:
    """The same picture with `prefix` before every id and internal link."""
    return _ID.sub(rf"\g<1>{prefix}", svg)

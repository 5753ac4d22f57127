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
_SIZE = re.compile(r'<svg width="(\d+)pt" height="(\d+)pt"')
_ID = re.compile(r'(<g id="|xlink:href="#)')
_GRAPH_ID = re.compile(r'<g id="graph\d+" class="graph"')


def finish(drawn: str, title: str, description: Iterable[str]) -> str:
    """Graphviz's SVG with role, title and description; a single root element and a final newline."""
    text = _COMMENTS.sub("", _PROLOG.sub("", drawn, count=1))
    text = _NODE_TITLES.sub("", text)
    text = _GRAPH_ID.sub('<g class="graph"', text, count=1)
    about = f"<title>{_escape(title)}</title>\n<desc>{_escape('. '.join(description))}</desc>\n"
    start = text.index(">") + 1
    head = text[:start].replace("<svg ", '<svg role="img" ', 1)
    return f"{head}\n{about}{text[start:].lstrip()}"


def _escape(text: str) -> str:
    return html.escape(clean(text), quote=False)


def pixels(svg: str) -> tuple[int, int]:
    """Width and height in CSS pixels (Graphviz writes points: 4/3 pixel each)."""
    found = re.search(r'width="(\d+)pt" height="(\d+)pt"', svg)
    return (round(int(found[1]) * 4 / 3), round(int(found[2]) * 4 / 3)) if found else (0, 0)


def prefixed(svg: str, prefix: str) -> str:
    """The same picture with `prefix` before every id and internal link."""
    return _ID.sub(rf"\g<1>{prefix}", svg)

"""Several drawings on one card: each is laid out alone, then all are placed and drawn in one go.

Invariant: boxes and arrows keep the shape Graphviz gave them; only their places move (layout=nop2). Drawings of a group stand
side by side where the width allows, else below one another, aligned at top and left: a heading wider than its boxes moves none of
them. Units are points (1/72 inch).
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from enzyme_magic.viz.drawing.dot import (
    attributes_text,
    drawing_dot,
    heading_label,
    link_attribute_list,
    node_attributes,
    positioned_dot,
    quote,
)
from enzyme_magic.viz.drawing.render import Job, render
from enzyme_magic.viz.model import Card, Drawing, Group
from enzyme_magic.viz.theme import SANS, Theme

MAX_WIDTH = 755.0
TOGETHER_WIDTH = 940.0  # of what belongs together: a cell of a wide window
GAP = 22.0
_MARGIN = 20.0  # Graphviz leaves at most that beside a heading
_LABEL_POINTS = 6.0  # of a character beside an arrow
_TAG = re.compile(r"<[^>]*>")
_PAIR = re.compile(r"(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?),(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)")


@dataclass(frozen=True, slots=True)
class _Laid:
    """A drawing with the places Graphviz found: box centres, arrow splines, label centres."""

    drawing: Drawing
    prefix: str
    width: float
    height: float
    low: tuple[float, float]
    heading: str | None  # centre "x,y"
    nodes: dict[str, str]
    splines: dict[str, tuple[str, str | None]]


def arranged_dot(card: Card, theme: Theme) -> str:
    """The card as one digraph with places, for the program nop2. RenderError where Graphviz fails."""
    drawings = card.drawings()
    jobs = layout_jobs(card, theme)
    laid = [
        _read(drawing, card.prefix(n), found)
        for n, (drawing, found) in enumerate(zip(drawings, render(jobs), strict=True))
    ]
    places = _place(card.groups, laid)
    lines = [line for item, (x, y) in zip(laid, places, strict=True) for line in _lines(item, x, y, theme)]
    return positioned_dot(lines, theme)


def layout_jobs(card: Card, theme: Theme) -> list[Job]:
    """What has to be laid out before `arranged_dot` can place it."""
    return [Job(_dot(drawing, card.prefix(n), theme), "json0") for n, drawing in enumerate(card.drawings())]


def _dot(drawing: Drawing, prefix: str, theme: Theme) -> str:
    """A drawing that is only a heading is laid out as a box, since an empty graph has no place for its label."""
    if drawing.tables:
        return drawing_dot(drawing, prefix, theme)
    return positionless_heading(drawing, theme)


def positionless_heading(drawing: Drawing, theme: Theme) -> str:
    label = heading_label(drawing, theme) or "<&#160;>"
    return f'digraph {{ pad=0; "heading" {attributes_text({"shape": "plain", "fontname": SANS, "label": f"<{label}>"})}; }}\n'


def _read(drawing: Drawing, prefix: str, found: bytes) -> _Laid:
    graph: dict[str, Any] = json.loads(found)
    left, bottom, right, top = (float(part) for part in graph["bb"].split(","))
    objects = graph.get("objects", [])
    if drawing.tables:
        left, right = _extent(graph, left, right)
    nodes = {item["name"]: item["pos"] for item in objects if "pos" in item}
    splines = {item["id"]: (item["pos"], item.get("lp")) for item in graph.get("edges", []) if "pos" in item}
    heading = _heading_place(graph, left) if drawing.tables else nodes["heading"]
    return _Laid(drawing, prefix, right - left, top - bottom, (left, bottom), heading, nodes, splines)


def _extent(graph: dict[str, Any], left: float, right: float) -> tuple[float, float]:
    """Left and right edge of what is drawn; where the heading is the widest, as if it began at the left edge of the boxes."""
    heading = float(graph.get("lwidth", 0)) * 72
    spans = [_span(item) for item in (*graph.get("objects", []), *graph.get("edges", [])) if "pos" in item]
    if not spans or heading + _MARGIN < right - left:
        return left, right
    start, end = min(low for low, _ in spans), max(high for _, high in spans)
    return start, max(end, start + heading)


def _span(item: dict[str, Any]) -> tuple[float, float]:
    """Left and right edge of a box, or of an arrow with its label."""
    across = [float(x) for x, _ in _PAIR.findall(item["pos"])]
    half = float(item["width"]) * 36 if "width" in item else 0.0
    low, high = min(across) - half, max(across) + half
    if "lp" in item:
        label = max(map(len, html.unescape(_TAG.sub("\n", item["label"])).split("\n"))) * _LABEL_POINTS / 2
        centre = float(item["lp"].split(",")[0])
        low, high = min(low, centre - label), max(high, centre + label)
    return low, high


def _heading_place(graph: dict[str, Any], left: float) -> str | None:
    """The centre of the graph's label, its left edge moved to that of the boxes."""
    if "lp" not in graph:
        return None
    _, y = graph["lp"].split(",")
    return f"{left + float(graph['lwidth']) * 72 / 2:.2f},{y}"


def _rows(groups: tuple[Group, ...], laid: list[_Laid]) -> Iterator[list[_Laid]]:
    """What stands side by side, from top to bottom."""
    rest = iter(laid)
    for group in groups:
        members = [next(rest) for _ in group.drawings]
        row: list[_Laid] = []
        for member in members:
            wide = sum(item.width + GAP for item in row) + member.width
            if row and wide > (TOGETHER_WIDTH if group.together else MAX_WIDTH):
                yield row
                row = []
            row.append(member)
        if row:
            yield row


def _place(groups: tuple[Group, ...], laid: list[_Laid]) -> list[tuple[float, float]]:
    """How far each drawing moves so that rows go down from y = 0 (Graphviz's y points up)."""
    places = []
    y = 0.0
    for row in _rows(groups, laid):
        x = 0.0
        for item in row:
            places.append((x - item.low[0], y - item.height - item.low[1]))
            x += item.width + GAP
        captions_only = all(not item.drawing.tables for item in row)
        y -= max(item.height for item in row) + (GAP / 3 if captions_only else GAP)
    return places


def _shift(position: str, x: float, y: float) -> str:
    return _PAIR.sub(lambda pair: f"{float(pair[1]) + x:.2f},{float(pair[2]) + y:.2f}", position)


def _lines(item: _Laid, x: float, y: float, theme: Theme) -> Iterator[str]:
    label = heading_label(item.drawing, theme)
    if label and item.heading:
        place = {
            "id": f"heading_{item.prefix}",
            "shape": "plain",
            "label": f"<{label}>",
            "pos": _shift(item.heading, x, y),
        }
        yield f'"heading_{item.prefix}" {attributes_text(place)};'
    for name, attributes in node_attributes(item.drawing, theme).items():
        yield f"{quote(name)} {attributes_text(attributes | {'pos': _shift(item.nodes[name], x, y)})};"
    for link, attributes in link_attribute_list(item.drawing, item.prefix, theme):
        if link.kind == "hidden":
            continue
        position, label_position = item.splines[attributes["id"]]
        places = {"pos": _shift(position, x, y)} | ({"lp": _shift(label_position, x, y)} if label_position else {})
        yield f"{quote(link.source)} -> {quote(link.target)} {attributes_text(attributes | places)};"

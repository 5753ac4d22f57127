"""About how tall a drawing will be, without drawing it.

Graphviz puts each box below all that lead to it: the height is that of the longest way down. Only a guide for folding; the drawing
itself has the last word.
"""

from __future__ import annotations

from enzyme_magic.viz.model import Drawing, Table

_ROW = 28.0  # pixels
_BETWEEN = 44.0
_HEADING = 60.0


def height(drawing: Drawing) -> float:
    """Pixels from the top to the bottom."""
    own = {table.name: _tall(table) for table in drawing.tables}
    below: dict[str, list[str]] = {name: [] for name in own}
    waiting = dict.fromkeys(own, 0)
    for link in drawing.links:
        if link.kind != "back" and link.source != link.target:
            below[link.source].append(link.target)
            waiting[link.target] += 1
    reach = dict(own)
    ready = [name for name, count in waiting.items() if not count]
    while ready:
        name = ready.pop()
        for target in below[name]:
            reach[target] = max(reach[target], reach[name] + own[target])
            waiting[target] -= 1
            if not waiting[target]:
                ready.append(target)
    return _HEADING + max(reach.values(), default=0.0)


def _tall(table: Table) -> float:
    return _ROW * (len(table.rows) + bool(table.title)) + _BETWEEN

"""`graphviz.Source` that shows itself without a `dot` program.

The most repeated failure of Graphviz in notebooks is the missing program; `Graph` draws through `render` and is otherwise the
class people know (`.source`, `.save`, `.render` with an installed Graphviz).
"""

from __future__ import annotations

from functools import cache
from typing import Any

from enzyme_magic.viz.drawing.render import Job, RenderError, render


def source(dot: str) -> Any:
    """The DOT text as a `graphviz.Source`."""
    return _graph_class()(dot)


@cache
def _graph_class() -> Any:
    import graphviz  # type: ignore[import-untyped, unused-ignore]

    class Graph(graphviz.Source):  # type: ignore[misc, unused-ignore]
        """A `graphviz.Source` drawn by this package's engine."""

        def _repr_mimebundle_(self, include: Any = None, exclude: Any = None, **_: Any) -> dict[str, str]:
            plain = {"text/plain": self.source}
            try:
                return {"image/svg+xml": render([Job(self.source)])[0].decode("utf-8")} | plain
            except RenderError as error:
                return {"text/plain": f"{self.source}\n(not drawn: {error.message})"}

    return Graph

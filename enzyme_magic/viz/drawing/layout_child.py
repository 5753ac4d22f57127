"""The child process that lays pictures out with the engine inside the pygraphviz wheel; run as a script, never imported.

In: a JSON list of {"dot", "program", "format", "dpi"} on stdin. Out: a JSON list of base64 texts on stdout. What Graphviz says
on stderr goes to the parent, which judges it. A separate process, so that a crash or an endless layout costs one picture.
"""

from __future__ import annotations

import base64
import json
import sys


def main() -> None:
    import pygraphviz  # type: ignore[import-untyped, unused-ignore]

    results = []
    for job in json.load(sys.stdin.buffer):
        graph = pygraphviz.AGraph(string=job["dot"])
        if job["dpi"]:
            graph.graph_attr["dpi"] = str(job["dpi"])
        drawn = graph.draw(format=job["format"], prog=job["program"])
        results.append(base64.b64encode(drawn).decode("ascii"))
    json.dump(results, sys.stdout)


if __name__ == "__main__":
    main()

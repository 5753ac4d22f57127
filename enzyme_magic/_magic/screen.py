"""What a cell shows: pictures where a front end can draw, their text twins elsewhere, warnings on stderr.

Nothing here decides anything about a program; it chooses what to show of a finished one.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable

from IPython.core.interactiveshell import InteractiveShell

from enzyme_magic.report import Report
from enzyme_magic.viz.picture import Picture
from enzyme_magic.viz.wording import spell


def show(shell: InteractiveShell, picture: Picture) -> None:
    """A terminal gets the text without anything being drawn for it."""
    formatter = shell.display_formatter
    if formatter is not None and "image/svg+xml" in formatter.active_types:
        data, metadata = picture._repr_mimebundle_()
        shell.display_pub.publish(data=data, metadata=metadata)
    else:
        say(picture.text)


def say(text: str) -> None:
    """Print, in ASCII where the stream cannot do better."""
    print(spell(text, getattr(sys.stdout, "encoding", None) or "utf-8"))


def warn(lines: Iterable[str]) -> None:
    for line in lines:
        print(spell(line, getattr(sys.stderr, "encoding", None) or "utf-8"), file=sys.stderr)


def stages(report: Report) -> str:
    """How long each stage took, one line each."""
    width = max((len(timing.stage) for timing in report.timings), default=0)
    return "\n".join(f"  {timing.stage:<{width}}  {timing.milliseconds:8.1f} ms" for timing in report.timings)

"""What a cell shows: pictures where a front end can draw, their text twins elsewhere, warnings on stderr.

Nothing here decides anything about a program; it chooses what to show of a finished one.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable

from IPython.core.interactiveshell import InteractiveShell

from enzyme_magic.api.checks import following
from enzyme_magic.api.checks.inspection import Inspection
from enzyme_magic.api.checks.trial import Arguments
from enzyme_magic.api.function import CFunction
from enzyme_magic.config import settings
from enzyme_magic.pictures import Pictures
from enzyme_magic.report import Report
from enzyme_magic.viz.picture import Picture
from enzyme_magic.viz.views import view
from enzyme_magic.viz.wording import spell


def show(shell: InteractiveShell, picture: Picture) -> None:
    """A terminal gets the text without anything being drawn for it."""
    if _draws(shell):
        data, metadata = picture._repr_mimebundle_()
        shell.display_pub.publish(data=data, metadata=metadata)
    else:
        say(picture.text)


def inspect(
    shell: InteractiveShell,
    function: CFunction,
    report: Report,
    *,
    quiz: bool = False,
    previous: CFunction | None = None,
    arguments: Arguments | None = None,
) -> None:
    """The widget of a report; in a terminal the text of its first screen. Other active parameters are asked of the function.

    previous: what the name stood for before; a function without a report has nothing to compare with.
    arguments: of --at, to be followed step by step and for measuring.
    """
    if not _draws(shell):
        return say(view(report).text)
    earlier = previous.finished_report() if previous is not None and previous is not function else None

    asked = Inspection(function, report.mode, arguments)
    report = following.of_call(function, report.wrt, report, arguments)
    widget = Pictures().inspect(report, asked, quiz=quiz, previous=earlier, framed=settings().inspector == "page")
    data, metadata = widget._repr_mimebundle_()
    shell.display_pub.publish(data=data, metadata=metadata)


def _draws(shell: InteractiveShell) -> bool:
    formatter = shell.display_formatter
    return formatter is not None and "image/svg+xml" in formatter.active_types


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

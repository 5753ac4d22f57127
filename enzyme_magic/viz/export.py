"""A report as a file, and a saved report again.

The ending of the file name says what is written:

    .html  one self-contained page with every picture, which answers clicks; with the view "slides" a talk
    .json  the report itself; `saved` opens it without a compiler
    .svg .png .dot .txt  one view (the first screen)       .ll    the LLVM IR of one stage (the optimized gradient)
    .c     the gradient as C

Invariant: a file is written whole or not at all: it is made beside its place and moved there. What cannot be written is a
ViewError that says why; `saved` gives a report that every view can draw, or a ViewError.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from enzyme_magic.errors import ArgumentError, ViewError
from enzyme_magic.report import Report
from enzyme_magic.viz import slides
from enzyme_magic.viz.cards.gradient_c import NOT_RECORDED
from enzyme_magic.viz.cards.stages import one
from enzyme_magic.viz.facts import AFTER
from enzyme_magic.viz.interactive.page import page
from enzyme_magic.viz.memory import MemoryPicture
from enzyme_magic.viz.plots.of_report import KINDS, plots
from enzyme_magic.viz.plots.picture import Plot
from enzyme_magic.viz.theme import theme_of
from enzyme_magic.viz.views import view

SLIDES = "slides"  # a talk: .html, and .txt as its twin
PAGES = ("passes", "memory", *KINDS)  # views whose record the page shows in one of its tabs
Writer = Callable[[Report, str | None, str], bytes]


def _measured(report: Report, name: str | None, theme: str) -> Plot[Any] | MemoryPicture | None:
    """The plot that "curve", "cost" or "memory" asks for."""
    if name == "memory":
        drawn = MemoryPicture(report, theme_of(theme))
        if not drawn.available:
            raise ViewError(
                f"{report.function} has no picture of its memory: {drawn.text.splitlines()[-1]}", code="EM507"
            )
        return drawn
    wanted = KINDS.get(name or "", "")
    found = plots(report, theme_of(theme))
    return next((one.plot for one in found if wanted and one.name.startswith(wanted)), None)


def _svg(report: Report, name: str | None, theme: str) -> bytes:
    plot = _measured(report, name, theme)
    if plot is not None:
        return plot.svg.encode("utf-8")
    return view(report, name, theme).svg.encode("utf-8")


def _png(report: Report, name: str | None, theme: str) -> bytes:
    return view(report, name, theme).png()


def _dot(report: Report, name: str | None, theme: str) -> bytes:
    return view(report, name, theme).dot.encode("utf-8")


def _txt(report: Report, name: str | None, theme: str) -> bytes:
    if name == SLIDES:
        return f"{slides.text(report, theme_of(theme))}\n".encode()
    if name == "memory":
        return f"{MemoryPicture(report, theme_of(theme)).text}\n".encode()
    plot = _measured(report, name, theme)
    if plot is not None:
        return f"{plot.text}\n".encode()
    return f"{view(report, name, theme).text}\n".encode()


def _ll(report: Report, name: str | None, theme: str) -> bytes:
    wanted = name or AFTER
    one(report, wanted)  # raises where there is no such stage
    text = report.stage(wanted).text
    return (text if text.endswith("\n") else f"{text}\n").encode("utf-8")


def _c(report: Report, name: str | None, theme: str) -> bytes:
    if name not in (None, "gradient-c"):
        raise ViewError(f".c holds the gradient as C, not {name!r}", code="EM503", hint="leave the view out")
    made = report.gradient_c
    if made is None or not made.available:
        raise ViewError(f"the gradient of {report.function} is {made.reason if made else NOT_RECORDED}", code="EM506")
    return made.text.encode("utf-8")


def _html(report: Report, name: str | None, theme: str) -> bytes:
    if name == SLIDES:
        return slides.page(report, theme_of(theme)).encode("utf-8")
    return _whole(page, ".html")(report, None if name in PAGES else name, theme)


def _whole(write: Callable[[Report], str], ending: str) -> Writer:
    def writer(report: Report, name: str | None, theme: str) -> bytes:
        if name is not None:
            raise ViewError(f"{ending} holds all views, not {name!r} alone", code="EM503", hint="leave the view out")
        return write(report).encode("utf-8")

    return writer


FORMATS: Mapping[str, Writer] = MappingProxyType(
    {
        ".html": _html,
        ".svg": _svg,
        ".png": _png,
        ".dot": _dot,
        ".txt": _txt,
        ".ll": _ll,
        ".c": _c,
        ".json": _whole(Report.to_json, ".json"),
    }
)


def ending_of(path: str | os.PathLike[str]) -> str:
    """The format of a file name; ViewError EM503 listing the formats."""
    ending = Path(path).suffix.lower()
    if ending not in FORMATS:
        said = f"no format ends in {ending!r}" if ending else f"{os.fspath(path)!r} has no ending"
        raise ViewError(said, code="EM503", hint=f"one of {' '.join(FORMATS)}")
    return ending


def export(report: Report, path: str | os.PathLike[str], name: str | None = None, theme: str = "light") -> Path:
    """Writes `report` to `path` in the format its ending names; the absolute path.

    name: the view for .svg .png .dot .txt, the stage for .ll. ViewError: EM500 to EM503 for what does not exist, EM504 where
    the file cannot be written, RenderError where nothing can be drawn.
    """
    ending = ending_of(path)
    theme_of(theme)
    target = Path(path).expanduser().absolute()
    data = FORMATS[ending](report, name, theme)
    try:
        _replace(target, data)
    except OSError as error:
        raise ViewError(f"{target} cannot be written: {error.strerror or error}", code="EM504") from None
    return target


def _replace(target: Path, data: bytes) -> None:
    if target.exists() and not target.is_file():
        raise IsADirectoryError(0, "it is no plain file")
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(prefix=f".{target.name[:40]}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(temporary, target.stat().st_mode & 0o777 if target.exists() else 0o644)
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def saved(path: str | os.PathLike[str]) -> Report:
    """The report that `export` wrote as .json. ViewError EM505 where the file is none."""
    try:
        report = Report.from_json(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise ViewError(f"{os.fspath(path)} cannot be read: {error.strerror or error}", code="EM505") from None
    except ArgumentError as error:
        raise _no_report(path, error.message.partition(": ")[2]) from None
    except (ValueError, RecursionError) as error:  # no UTF-8, or nested too deeply
        raise _no_report(path, str(error)) from None
    return report


def _no_report(path: str | os.PathLike[str], why: str) -> ViewError:
    hint = "a report is saved with f.export('name.json') or %enzyme_export"
    return ViewError(f"{os.fspath(path)} is no saved report: {why[:200]}", code="EM505", hint=hint)

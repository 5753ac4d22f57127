"""What `f.show`, `f.inspect` and `f.export` do: the record with what a view needs, handed to the pictures through the one hook.

Invariant: nothing is computed that the view does not show, and nothing is drawn here.
"""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from enzyme_magic.api.checks import following, measuring, watching
from enzyme_magic.api.checks.inspection import Inspection
from enzyme_magic.api.derivatives.setting import call_of
from enzyme_magic.api.passes import added
from enzyme_magic.api.views_hook import views
from enzyme_magic.backend.frontend.c_types import is_float
from enzyme_magic.config import settings
from enzyme_magic.errors import ArgumentError
from enzyme_magic.progress import shown

if TYPE_CHECKING:
    from enzyme_magic.api.derivatives.wrt import Wrt
    from enzyme_magic.api.function import CFunction
    from enzyme_magic.report import Report

MEMORY = "memory"  # bytes over time, with those of the other cache plans
MOST_CURVES = 4  # of a page that is asked for all


@shown("the pictures of {}")
def show(f: CFunction, view: str | None, mode: str, wrt: Wrt) -> Any:
    """The pictures, all of them or one."""
    return views().show(_shown(f, view, mode, wrt), view)


def _shown(f: CFunction, view: str | None, mode: str, wrt: Wrt) -> Report:
    """The record with what one view alone needs."""
    report = f.make_report(mode=mode, wrt=wrt)
    return added(f, mode, wrt, report) if view == "passes" else report


def _plotted(f: CFunction, view: str | None, over: str | None, at: Any, report: Report) -> Report:
    """The record with the measured plot that is asked for."""
    if over is not None and view != "curve":
        raise _only_curves(f, f"over={over!r} is for the view 'curve'")
    asked = Inspection(f, report.mode, call_of(at) if at is not None else None)
    if view == "curve":
        numbers = [over] if over is not None else [name for name in report.wrt if _is_number(f, name)]
        if not numbers:
            raise _only_curves(f, "the view 'curve' needs over=…")
        return dataclasses.replace(report, curves=tuple(asked.curve(name, {}) for name in numbers[:MOST_CURVES]))
    return dataclasses.replace(report, costs=asked.costs(report.wrt)) if view == "cost" else report


def _is_number(f: CFunction, name: str) -> bool:
    return any(parameter.name == name and is_float(parameter.type) for parameter in f.c_signature.parameters)


def _only_curves(f: CFunction, problem: str) -> ArgumentError:
    return ArgumentError(f"{f.name}: {problem}", code="EM301", hint='view="curve", over="x"')


def curve_of(
    f: CFunction,
    view: str | None,
    over: str | None,
    at: Any,
    between: tuple[float, float] | None,
) -> Any:
    """The function along one number."""
    from enzyme_magic.api.measured.curve import curve

    if over is None or view not in (None, "curve"):
        problem = "the view 'curve' needs over=…" if over is None else f"over={over!r} is for the view 'curve'"
        raise ArgumentError(f"{f.name}: {problem}", code="EM301", hint='f.show("curve", over="x")')
    if at is None:
        return views().curve(curve(f, over, None, between))
    return views().curve(curve(f, over, call_of(at), between))


@shown("the pictures of {}")
def inspect(f: CFunction, mode: str, wrt: Wrt, *, quiz: bool, previous: CFunction | None, at: Any) -> Any:
    """The pictures as a widget that answers clicks."""
    earlier = previous.make_report(mode=mode) if previous is not None else None
    given: following.Arguments | None = call_of(at) if at is not None else None
    report = watching.of_call(f, wrt, f.make_report(mode=mode, wrt=wrt), given)
    report = following.of_call(f, wrt, measuring.of_call(f, wrt, report, given), given)
    framed = settings().inspector == "page"
    return views().inspect(report, Inspection(f, mode, given), quiz=quiz, previous=earlier, framed=framed)


@shown("the pictures of {}")
def export(
    f: CFunction,
    path: str | os.PathLike[str],
    view: str | None,
    theme: str,
    mode: str,
    wrt: Wrt,
    at: Any,
    over: str | None,
) -> Path:
    """A file of what there is to see."""
    report = _plotted(f, view, over, at, _shown(f, view, mode, wrt))
    if view == MEMORY and at is None:
        raise ArgumentError(
            f"{f.name}: the view {MEMORY!r} follows one call", code="EM301", hint=f'view="{MEMORY}", at=(…)'
        )
    if at is not None or str(path).endswith((".html", ".json")):
        given: following.Arguments | None = call_of(at) if at is not None else None
        report = measuring.of_call(f, wrt, watching.of_call(f, wrt, report, given), given, others=view == MEMORY)
        report = following.of_call(f, wrt, report, given)
        if given is not None and report.cache.rows:
            report = dataclasses.replace(report, plans=Inspection(f, mode, given).plans(report.wrt, {}))
    return views().export(report, path, view, theme)

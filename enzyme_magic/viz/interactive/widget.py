"""The inspector as a widget: the module of `front_end.py` in a notebook, with its choices as synced traits.

    w = f.inspect();  w.selected = "i3";  w.observe(print, "selected");  ipywidgets.link((w, "tab"), (text, "value"))

Invariant: it draws a report. Another choice of parameters or another cache plan is asked of the compiler that the caller hands in;
where that raises one of our errors, the page says so and stays as it was. The drawings are made when the front end asks for them. A
front end without widgets shows the first screen's picture and text, as a cell without a widget does.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from typing import Any, Protocol

import anywidget
import ipywidgets
import traitlets

from enzyme_magic.errors import EnzymeError
from enzyme_magic.points import Costs, Curve
from enzyme_magic.report import Passes, Plan, Report, Trace
from enzyme_magic.viz.interactive.front_end import module
from enzyme_magic.viz.interactive.state import initial, plans, record, traces
from enzyme_magic.viz.memory import MemoryPicture
from enzyme_magic.viz.parts import part_named
from enzyme_magic.viz.plots.of_report import COSTS, costs_told, curves_told, plot_named
from enzyme_magic.viz.theme import THEMES
from enzyme_magic.viz.views import view

_DRAWN = ("activity", "cache", "memory")


class Compiler(Protocol):
    """What the page may ask for: `enzyme_magic.api.checks.inspection.Inspection`."""

    def report(self, wrt: tuple[str, ...], caching: Mapping[str, str]) -> Report:
        """The record for these active parameters and this cache plan."""

    def traces(self, wrt: tuple[str, ...], caching: Mapping[str, str], point: Mapping[str, float]) -> tuple[Trace, ...]:
        """Calls of that gradient step by step; point: numbers in place of those it would take by itself."""

    def plans(self, wrt: tuple[str, ...], present: Mapping[str, str]) -> tuple[Plan, ...]:
        """The presets and the present plan beside one another."""

    def fix(self, hint: str) -> str:
        """A hint applied to a copy of the C text, built and compared, in words."""

    def passes(self, wrt: tuple[str, ...], caching: Mapping[str, str]) -> Passes:
        """What the optimizer did to that gradient, pass by pass."""

    def curve(self, over: str, point: Mapping[str, float]) -> Curve:
        """The function along one number: a parameter, or an element of an array; `point` as in `traces`."""

    def costs(self, wrt: tuple[str, ...]) -> Costs:
        """Times of the function and its gradient."""


class Inspector(anywidget.AnyWidget, ipywidgets.ValueWidget):  # type: ignore[misc]  # ipywidgets has no types
    """One report with its tabs.

    selected: "" or what is selected: an instruction "i3", a parameter "a0", a C line "L4", a saved value "s1".
    tab: source, activity, ir, cache, steps, values, quiz. wrt: the active parameters. direction: active, varies, matters, call.
    left, right: the IR stages that are shown; right may be "". sizes: {"n": 1000}. caching: the cache plan,
    {"preset": "store-all", "i13": "recompute"}; {} is the minimum cut. step: of the synthesis, from 0.
    call, moment: which of the calls is followed, and its step; point: arguments of it that were changed, {"x": 0.5}.
    value: what is selected, again, for ipywidgets.interactive. theme: auto, light, dark. answers, revealed: of the quiz.
    """

    _esm = traitlets.Unicode().tag(sync=True)
    report = traitlets.Unicode(help="the record as JSON").tag(sync=True)
    pictures = traitlets.Dict(help="drawings by view and theme").tag(sync=True)
    selected = traitlets.Unicode().tag(sync=True)
    value = traitlets.Unicode()
    tab = traitlets.Unicode().tag(sync=True)
    wrt = traitlets.List(traitlets.Unicode()).tag(sync=True)
    direction = traitlets.Enum(("active", "varies", "matters", "call"), "active").tag(sync=True)
    hide_inactive = traitlets.Bool().tag(sync=True)
    left = traitlets.Unicode().tag(sync=True)
    right = traitlets.Unicode().tag(sync=True)
    sizes = traitlets.Dict().tag(sync=True)
    caching = traitlets.Dict(help="preset, and store or recompute by instruction").tag(sync=True)
    plans: Any = traitlets.List(help="the presets beside one another: bytes and seconds").tag(sync=True)
    passes = traitlets.Dict(help="the optimizer's passes, once they were asked for").tag(sync=True)
    fixes = traitlets.Dict(help="hints that were tried, and what came of them, in words").tag(sync=True)
    passed = traitlets.Int(help="how many of them the IR tab shows").tag(sync=True)
    curves: Any = traitlets.List(help="the function along single numbers, where they were asked for").tag(sync=True)
    costs = traitlets.Dict(help="times of the function and its gradient, once they were asked for").tag(sync=True)
    step = traitlets.Int().tag(sync=True)
    traces: Any = traitlets.List(help="calls of the gradient, step by step").tag(sync=True)
    call = traitlets.Int().tag(sync=True)
    moment = traitlets.Int().tag(sync=True)
    point = traitlets.Dict(help="arguments of the call that is followed").tag(sync=True)
    theme = traitlets.Enum(("auto", "light", "dark"), "auto").tag(sync=True)
    quiz = traitlets.Bool().tag(sync=True)
    revealed = traitlets.Bool().tag(sync=True)
    answers = traitlets.Dict().tag(sync=True)
    previous = traitlets.Dict(help="what was active in an earlier run").tag(sync=True)
    message = traitlets.Unicode().tag(sync=True)

    def __init__(
        self,
        report: Report,
        compiler: Compiler | None = None,
        *,
        quiz: bool = False,
        previous: Mapping[str, Any] | None = None,
    ) -> None:
        state = initial(report, quiz=quiz)
        if previous:
            state["previous"] = dict(previous)
        super().__init__(report=_text(report), _esm=module(), **state)
        self._record = report
        self._compiler = compiler
        self._planned: dict[str, str] = {}
        traitlets.link((self, "selected"), (self, "value"))
        self.on_msg(self._asked)

    @property
    def record(self) -> Report:
        """The report that is shown."""
        return self._record

    @traitlets.observe("wrt", "caching")
    def _chosen(self, change: Any) -> None:
        """The whole record of another choice: its reasons, saved values and IR. What cannot be is said, and undone."""
        wrt, caching = tuple(self.wrt), dict(self.caching)
        compiler = getattr(self, "_compiler", None)
        if compiler is None or not wrt or (set(wrt) == set(self._record.wrt) and caching == self._planned):
            return
        try:
            found = compiler.report(wrt, caching)
        except EnzymeError as error:
            self.message = f"{error.message}{f' ({error.hint})' if error.hint else ''}"
            if change.name == "caching":
                self.caching = self._planned
            return
        found = dataclasses.replace(
            found, curves=self._record.curves
        )  # the function is the same; its gradient is another
        self._record, self._planned = found, caching
        with self.hold_sync():
            self.pictures = {}
            self.message = ""
            self.report = _text(found)
            self.passes, self.passed = {}, 0
            self.fixes, self.costs = {}, {}
            self.traces, self.moment = [], 0  # of another gradient; made anew when they are looked at

    @traitlets.observe("point")
    def _moved(self, change: Any) -> None:
        if getattr(self, "_compiler", None) is not None:
            self.follow()

    def follow(self) -> None:
        """Fills `traces`: calls of the present gradient, at `point` where that is given."""
        if self._compiler is None:
            return
        try:
            found = self._compiler.traces(tuple(self._record.wrt), self._planned, dict(self.point))
        except EnzymeError as error:
            self.message = f"{error.message}{f' ({error.hint})' if error.hint else ''}"
            return
        with self.hold_sync():
            self.message = ""
            self.call = 0
            self.traces = traces(dataclasses.replace(self._record, traces=found))

    def compare(self) -> None:
        """Fills `plans`: bytes of each preset and of the present plan, and seconds where arguments were given."""
        if self._compiler is None:
            return
        found = self._compiler.plans(tuple(self._record.wrt), self._planned)
        self.message = "; ".join(f"{plan.name}: {plan.trouble}" for plan in found if plan.trouble)
        self.plans = plans(found)

    def optimize(self) -> None:
        """Fills `passes`: what the optimizer did to the present gradient, pass by pass."""
        if self._compiler is None:
            return
        try:
            found = self._compiler.passes(tuple(self._record.wrt), self._planned)
        except EnzymeError as error:
            self.message = error.message
            return
        self.message = ""
        self.passes = dataclasses.asdict(found)

    def draw_along(self, over: str) -> None:
        """Adds to `curves`: the function along that number, in place of an earlier curve over it."""
        if self._compiler is None:
            return
        try:
            found = self._compiler.curve(over, dict(self.point))
        except EnzymeError as error:
            self.message = f"{error.message}{f' ({error.hint})' if error.hint else ''}"
            return
        others = tuple(curve for curve in self._record.curves if curve.over != found.over)
        self._record = dataclasses.replace(self._record, curves=(found, *others))
        with self.hold_sync():
            self.message = ""
            self.pictures = {key: drawn for key, drawn in self.pictures.items() if not key.startswith("curve-")}
            self.curves = curves_told(self._record)

    def time(self) -> None:
        """Fills `costs`: times of the function and its gradient, before and after optimization."""
        if self._compiler is None:
            return
        try:
            found = self._compiler.costs(tuple(self._record.wrt))
        except EnzymeError as error:
            self.message = f"{error.message}{f' ({error.hint})' if error.hint else ''}"
            return
        self._record = dataclasses.replace(self._record, costs=found)
        with self.hold_sync():
            self.message = ""
            self.pictures = {key: drawn for key, drawn in self.pictures.items() if not key.startswith(COSTS)}
            self.costs = costs_told(self._record)

    def try_fix(self, hint: str) -> None:
        """Adds to `fixes`: what becomes of a hint that is applied to a copy of the C text."""
        if self._compiler is None:
            return
        try:
            said = self._compiler.fix(hint)
        except EnzymeError as error:
            said = f"{error.message}{f' ({error.hint})' if error.hint else ''}"
        self.fixes = {**self.fixes, hint: said}

    def _asked(self, widget: Any, content: Any, buffers: Any) -> None:
        """The front end wants a drawing, {"kind": "picture", "name": …, "theme": …}; the plans, {"kind": "plans"}; the
        optimizer's passes, {"kind": "passes"}; a hint tried, {"kind": "fix", "hint": …}; to follow a call, {"kind":
        "traces"}; the function along a number, {"kind": "curve", "over": …}; or times, {"kind": "costs"}."""
        kind = content.get("kind") if isinstance(content, dict) else None
        if kind == "plans":
            self.compare()
        elif kind == "fix" and isinstance(content.get("hint"), str):
            self.try_fix(content["hint"])
        elif kind == "curve" and isinstance(content.get("over"), str):
            self.draw_along(content["over"])
        elif kind == "costs":
            self.time()
        elif kind == "passes":
            self.optimize()
        elif kind == "traces":
            self.follow()
        elif kind == "picture" and isinstance(content.get("name"), str):
            self._draw(content["name"], "dark" if content.get("theme") == "dark" else "light")

    def _draw(self, name: str, theme: str) -> None:
        part = part_named(self._record, name)
        plot = plot_named(self._record, name, THEMES[theme])
        if part is None and plot is None and name not in _DRAWN:
            return
        try:
            if plot is not None:
                drawn = plot.svg
            elif part is not None:
                drawn = part.picture(self._record, THEMES[theme]).svg
            else:
                memory = name == "memory"
                drawn = (
                    MemoryPicture(self._record, THEMES[theme]).svg if memory else view(self._record, name, theme).svg
                )
        except EnzymeError as error:
            drawn = ""
            self.message = f"no picture: {error.message}"
        self.pictures = {**self.pictures, f"{name}-{theme}": drawn}

    def _repr_mimebundle_(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        own = super()._repr_mimebundle_(**options)
        data, metadata = own if isinstance(own, tuple) else (own or {}, {})
        still, about = view(self._record)._repr_mimebundle_()
        return {**data, **still}, {**metadata, **about}


def _text(report: Report) -> str:
    return json.dumps(record(report), ensure_ascii=False, separators=(",", ":"))

"""The inspector as a widget: the module of `front_end.py` in a notebook, with its choices as synced traits.

    w = f.inspect();  w.selected = "i3";  w.observe(print, "selected");  ipywidgets.link((w, "tab"), (text, "value"))

Invariant: it draws a report. Another choice of parameters is asked of `rebuild`, which the caller hands in; where that raises one
of our errors, the page says so and stays as it was. The drawings are made when the front end asks for them. A front end without
widgets shows the first screen's picture and text, as a cell without a widget does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import anywidget
import traitlets

from enzyme_magic.errors import EnzymeError
from enzyme_magic.report import Report
from enzyme_magic.viz.interactive.front_end import module
from enzyme_magic.viz.interactive.state import initial
from enzyme_magic.viz.views import view

Rebuild = Callable[[tuple[str, ...]], Report]
_DRAWN = ("activity", "cache")


class Inspector(anywidget.AnyWidget):
    """One report with its tabs.

    selected: "" or what is selected: an instruction "i3", a parameter "a0", a C line "L4", a saved value "s1".
    tab: source, activity, ir, cache, steps, quiz. wrt: the active parameters. direction: active, varies, matters.
    left, right: the IR stages that are shown; right may be "". sizes: {"n": 1000}. step: of the synthesis, from 0.
    theme: auto, light, dark. answers, revealed: of the quiz.
    """

    _esm = traitlets.Unicode().tag(sync=True)
    report = traitlets.Unicode(help="the record as JSON").tag(sync=True)
    pictures = traitlets.Dict(help="drawings by view and theme").tag(sync=True)
    selected = traitlets.Unicode().tag(sync=True)
    tab = traitlets.Unicode().tag(sync=True)
    wrt = traitlets.List(traitlets.Unicode()).tag(sync=True)
    direction = traitlets.Enum(("active", "varies", "matters"), "active").tag(sync=True)
    hide_inactive = traitlets.Bool().tag(sync=True)
    left = traitlets.Unicode().tag(sync=True)
    right = traitlets.Unicode().tag(sync=True)
    sizes = traitlets.Dict().tag(sync=True)
    step = traitlets.Int().tag(sync=True)
    theme = traitlets.Enum(("auto", "light", "dark"), "auto").tag(sync=True)
    quiz = traitlets.Bool().tag(sync=True)
    revealed = traitlets.Bool().tag(sync=True)
    answers = traitlets.Dict().tag(sync=True)
    previous = traitlets.Dict(help="what was active in an earlier run").tag(sync=True)
    message = traitlets.Unicode().tag(sync=True)

    def __init__(
        self,
        report: Report,
        rebuild: Rebuild | None = None,
        *,
        quiz: bool = False,
        previous: Mapping[str, Any] | None = None,
    ) -> None:
        state = initial(report, quiz=quiz)
        if previous:
            state["previous"] = dict(previous)
        super().__init__(report=report.to_json(), _esm=module(), **state)
        self._record = report
        self._rebuild = rebuild
        self.on_msg(self._asked)

    @property
    def record(self) -> Report:
        """The report that is shown."""
        return self._record

    @traitlets.observe("wrt")
    def _chosen(self, change: Any) -> None:
        """The whole record of another choice of parameters: its reasons, saved values and IR."""
        wrt = tuple(self.wrt)
        if not hasattr(self, "_record") or self._rebuild is None or not wrt or set(wrt) == set(self._record.wrt):
            return
        try:
            found = self._rebuild(wrt)
        except EnzymeError as error:
            self.message = f"{error.message}{f' ({error.hint})' if error.hint else ''}"
            return
        self._record = found
        with self.hold_sync():
            self.pictures = {}
            self.message = ""
            self.report = found.to_json()

    def _asked(self, widget: Any, content: Any, buffers: Any) -> None:
        """The front end wants a drawing: {"kind": "picture", "name": …, "theme": …}. Anything else is passed over."""
        if not isinstance(content, dict) or content.get("kind") != "picture" or content.get("name") not in _DRAWN:
            return
        name, theme = content["name"], "dark" if content.get("theme") == "dark" else "light"
        try:
            drawn = view(self._record, name, theme).svg
        except EnzymeError as error:
            drawn = ""
            self.message = f"no picture: {error.message}"
        self.pictures = {**self.pictures, f"{name}-{theme}": drawn}

    def _repr_mimebundle_(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        own = super()._repr_mimebundle_(**options)
        data, metadata = own if isinstance(own, tuple) else (own or {}, {})
        still, about = view(self._record)._repr_mimebundle_()
        return {**data, **still}, {**metadata, **about}

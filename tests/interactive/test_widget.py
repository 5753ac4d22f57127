"""The widget without a browser: what it asks of the compiler, what it says when that cannot be, and what a front end without
widgets gets."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import ipywidgets
import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.config import read_settings, settings
from enzyme_magic.report import Check, Report
from enzyme_magic.viz.interactive import state

Inspector = pytest.importorskip("enzyme_magic.viz.interactive.widget").Inspector

SOURCE = """double smooth(double *a, const double *w, int n) {
  double s = 0;
  for (int i = 1; i < n; i++) {
    a[i] = a[i] * a[i-1] + w[i];
    if (exp(a[i]) > 2.72)
      s += a[i] * a[i];
  }
  return s;
}"""


@pytest.fixture(scope="module")
def smooth() -> Any:
    return em.compile_c(SOURCE).smooth


def ask(widget: Any, **content: Any) -> None:
    """What the front end sends."""
    widget._handle_custom_msg(content, [])


def test_another_choice_is_another_record(smooth: Any) -> None:
    widget = smooth.inspect()
    widget.wrt = ["w"]
    assert widget.record.wrt == ("w",)
    assert json.loads(widget.report) == state.record(widget.record)
    assert widget.message == ""


def test_what_cannot_be_is_said(smooth: Any) -> None:
    widget = smooth.inspect()
    widget.wrt = ["n"]
    assert "no gradient with respect to n" in widget.message
    assert widget.record.wrt == ("a", "w")


def test_another_plan(smooth: Any) -> None:
    widget = smooth.inspect()
    bytes_before = widget.record.cache.total
    widget.caching = {"preset": "recompute-all"}
    assert widget.record.cache.total != bytes_before
    compare = next(row.identifier for row in widget.record.activity.rows() if row.opcode == "fcmp")
    widget.caching = {compare: "recompute"}
    assert all(row.instruction != compare for row in widget.record.cache.stored())


def test_an_illegal_switch_says_why_and_goes_back(smooth: Any) -> None:
    widget = smooth.inspect()
    load = next(row for row in widget.record.cache.stored() if "overwrites" in row.reason)
    widget.caching = {load.instruction: "recompute"}
    assert "cannot be computed again" in widget.message
    assert "overwrites" in widget.message
    assert widget.caching == {}


def test_traits_compose(smooth: Any) -> None:
    widget = smooth.inspect()
    other = ipywidgets.Text()
    ipywidgets.link((widget, "tab"), (other, "value"))
    other.value = "cache"
    assert widget.tab == "cache"
    seen: list[str] = []
    ipywidgets.interactive(lambda selected: seen.append(selected), selected=widget)
    widget.selected = "L4"
    assert seen[-1] == "L4"
    widget.value = "i3"
    assert widget.selected == "i3"
    changes: list[Any] = []
    widget.observe(lambda change: changes.append(change.new), "wrt")
    widget.wrt = ["a"]
    assert changes == [["a"]]


def test_a_call_is_followed(smooth: Any) -> None:
    widget = smooth.inspect(at=(np.array([1.0, 0.9, 0.5]), np.array([0.1, 0.5, 0.2]), 3))
    (trace,) = widget.traces
    assert trace["call"] == "smooth([1, 0.9, 0.5], [0.1, 0.5, 0.2], 3)"
    assert json.loads(widget.report)["traces"] == []  # once is enough
    tape = len(trace["tape"])
    widget.caching = {"preset": "store-all"}
    assert widget.traces == []
    ask(widget, kind="traces")
    assert len(widget.traces[0]["tape"]) > tape


def test_a_call_at_another_point() -> None:
    widget = em.compile_c("double f(double x, double y) { return x > 0 ? x * y : y; }").f.inspect()
    assert [trace["call"] for trace in widget.traces] == ["f(2, 1.5)", "f(-2, -1.5)", "f(0, 0)"]
    widget.point = {"x": 0.5}
    assert [trace["call"] for trace in widget.traces] == ["f(0.5, 1.5)"]
    widget.point = {"x": "many"}
    assert "x" in widget.message
    assert [trace["call"] for trace in widget.traces] == ["f(0.5, 1.5)"]


def test_arguments_that_are_missing_are_asked_for(smooth: Any) -> None:
    widget = smooth.inspect()
    assert "needs example arguments" in widget.traces[0]["reason"]
    widget.point = {"n": 3}
    assert "needs example arguments" in widget.message


def test_plans_beside_one_another(smooth: Any) -> None:
    widget = smooth.inspect(at=(np.linspace(1, 2, 40), np.ones(40), 40))
    ask(widget, kind="plans")
    assert widget.message == ""
    assert [plan["name"] for plan in widget.plans] == ["minimum-cut", "store-all", "recompute-all"]
    assert all(plan["seconds"] > 0 for plan in widget.plans)
    cheapest, everything, least = (plan["sliders"][0]["totals"][-1] for plan in widget.plans)
    assert least <= cheapest <= everything
    unmeasured = smooth.inspect()
    ask(unmeasured, kind="plans")
    assert {plan["seconds"] for plan in unmeasured.plans} == {None}


def test_the_record_is_json_for_browsers(smooth: Any) -> None:
    report = dataclasses.replace(smooth.report, check=Check(True, "", 1, float("inf")))
    widget = Inspector(report)
    assert json.loads(widget.report, parse_constant=pytest.fail)["check"]["worst_relative_error"] is None


def test_drawings_are_made_when_asked_for(smooth: Any) -> None:
    widget = smooth.inspect()
    assert widget.pictures == {}
    ask(widget, kind="picture", name="activity", theme="dark")
    assert list(widget.pictures) == ["activity-dark"]
    assert 'id="a_i5"' in widget.pictures["activity-dark"]
    ask(widget, kind="picture", name="../secret")
    ask(widget, kind="nothing")
    assert list(widget.pictures) == ["activity-dark"]


def test_a_front_end_without_widgets_has_the_still_picture(smooth: Any) -> None:
    data, _ = smooth.inspect()._repr_mimebundle_()
    assert {"image/svg+xml", "image/png", "text/plain"} <= set(data)
    assert "text/html" not in data
    assert "smooth" in data["text/plain"]


def test_the_difference_to_an_earlier_version() -> None:
    old = em.compile_c("double f(double x, double y) {\n  double s = sin(x);\n  return s*x;\n}").f
    new = em.compile_c(
        "double f(double x, double y) {\n  double s = sin(x);\n  double t = cos(y);\n  return s*x*t;\n}"
    ).f
    widget = new.inspect(previous=old)
    y = next(one.identifier for one in widget.record.parameters if one.name == "y")
    assert y in widget.previous["known"]
    assert y not in widget.previous["active"]  # it was inactive, and is not any more
    sine = next(row.identifier for row in widget.record.activity.rows() if "sin" in row.text)
    assert sine in widget.previous["active"]
    cosine = next(row.identifier for row in widget.record.activity.rows() if "cos" in row.text)
    assert cosine not in widget.previous["known"]  # new, which is no change


@pytest.mark.parametrize("caching", ["minimum-cut", "store-all", "recompute-all", {"%cmp9": "recompute"}])
def test_every_plan_gives_the_same_gradient(smooth: Any, caching: Any) -> None:
    rng = np.random.default_rng(3)
    a, w = rng.normal(size=30) + 1, rng.normal(size=30)
    usual = smooth.grad(a, w, 30)
    other = em.grad(smooth, caching=caching)(a, w, 30)
    np.testing.assert_allclose(other.a, usual.a, rtol=1e-13)
    np.testing.assert_allclose(other.w, usual.w, rtol=1e-13)


@pytest.mark.parametrize(
    "caching", ["store-some", {"%nothing": "store"}, {"%cmp9": "keep"}, {"preset": "none"}], ids=str
)
def test_what_is_no_plan(smooth: Any, caching: Any) -> None:
    with pytest.raises(em.EnzymeError) as caught:
        smooth.make_report(caching=caching)
    assert caught.value.code == "EM337"


def test_a_value_that_nobody_needs(smooth: Any) -> None:
    store = next(row.identifier for row in smooth.report.activity.rows() if row.opcode == "store")
    with pytest.raises(em.EnzymeError) as caught:
        smooth.make_report(caching={store: "store"})
    assert caught.value.code == "EM336"


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, "widget"),
        ({"VSCODE_PID": "7"}, "page"),
        ({"COLAB_RELEASE_TAG": "release"}, "page"),
        ({"VSCODE_PID": "7", "JPY_SESSION_NAME": "/x.ipynb"}, "widget"),
        ({"VSCODE_PID": "7", "ENZYME_MAGIC_INSPECTOR": "widget"}, "widget"),
    ],
)
def test_which_front_ends_get_a_page(environment: dict[str, str], expected: str) -> None:
    assert read_settings({"HOME": "/nowhere", **environment}).inspector == expected


def test_a_front_end_that_would_fetch_widgets_gets_a_page(smooth: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENZYME_MAGIC_INSPECTOR", "page")
    settings.cache_clear()
    try:
        shown = smooth.inspect(quiz=True)
    finally:
        settings.cache_clear()
    data, _ = shown._repr_mimebundle_()
    assert "sandbox" in data["text/html"]
    assert "application/vnd.jupyter.widget-view+json" not in data


def test_a_hint_is_tried_from_the_page() -> None:
    """The button's message; what came of it is told in words, and so is what cannot be."""
    source = (
        "double f(int n, double *a, const double *b) { double s = 0;"
        " for (int i = 0; i < n; i++) { a[i] = a[i]*b[i]; s += a[i]*b[0]; } return s; }\n"
        "double square(double x) { return x*x; } double __enzyme_autodiff(void *, ...);"  # C asks: nothing is promised of arrays
        "double slope(double x) { return __enzyme_autodiff((void *)square, x); }"
    )
    function = em.compile_c(source).f
    widget = function.inspect(at=(2, np.ones(2), np.full(2, 0.5)))
    hint = function.report.cache.hints[0]
    widget._asked(widget, {"kind": "fix", "hint": hint}, [])
    assert "the gradients agree" in widget.fixes[hint]
    widget._asked(widget, {"kind": "fix", "hint": "another"}, [])
    assert "has no hint" in widget.fixes["another"]


def test_the_kernel_draws_curves_and_measures_times(smooth: Any) -> None:
    call = (np.array([1.0, 0.5, 0.2]), np.array([0.1, 0.5, 0.2]), 3)
    widget = smooth.inspect(at=call)
    for over in ("a[1]", "w[2]", "a[1]"):
        ask(widget, kind="curve", over=over)
    assert [curve["over"] for curve in widget.curves] == ["a[1]", "w[2]"]
    assert widget.record.curves[0] == smooth.show("curve", over="a[1]", at=call).record
    ask(widget, kind="picture", name=widget.curves[1]["picture"], theme="dark")
    assert "smooth over w[2]" in widget.pictures["curve-1-dark"]
    ask(widget, kind="curve", over="b")
    assert "no parameter 'b'" in widget.message
    ask(widget, kind="costs")
    assert [row[0] for row in widget.costs["rows"]].count("gradient") == 2
    ask(widget, kind="picture", name=widget.costs["picture"], theme="light")
    assert widget.costs["sentences"][0] in widget.pictures["costs-light"]
    widget.wrt = ["w"]  # another gradient: its times are others, the function is the same
    assert widget.costs == {}
    assert len(widget.curves) == 2
    assert Report.from_json(widget.record.to_json()) == widget.record
    no_arguments = smooth.inspect()
    ask(no_arguments, kind="costs")
    assert "need arguments" in no_arguments.message

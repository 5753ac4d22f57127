"""Plots of measured points: every sentence is computed again, every drawn point lies where its number says."""

from __future__ import annotations

import dataclasses
import itertools
import math
import pickle
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.errors import ArgumentError, ViewError
from enzyme_magic.points import CostRow, Costs, Curve
from enzyme_magic.testing import GradientMismatch
from enzyme_magic.viz.drawing.chart import LEFT, PANEL, RIGHT, TOP, WIDTH
from enzyme_magic.viz.drawing.scale import Scale, around, number
from enzyme_magic.viz.plots import costs as costs_plot
from enzyme_magic.viz.plots import curve as curve_plot
from enzyme_magic.viz.theme import DARK, LIGHT, THEMES

SOURCE = """#include <math.h>
double relu3(double x) { return x > 0 ? x*x*x : 0; }
double hat(double x, double w) {
    double a = fabs(x) < w ? 1 - fabs(x)/w : 0;
    if (x > 2) a += 1;
    return a;
}
double inverse(double x) { return 1/x; }
double pole(double x) { double d = x - 0.31; return 1/(d*d); }
double between(double x, double a, double b) { return fabs(x - a) + fabs(x - b); }
double root(double x) { return sqrt(x); }
double smooth(const double *x, const double *y, int n) { double s = 0; for (int i = 0; i < n; i++) s += sin(x[i])*y[i]; return s; }
float single(float x) { return x > 0.3f ? x*x : -x; }
double many(double x) { return fabs(sin(20*x)); }
double step_at(double x) { return x == 1 ? 7 : x; }
double wrong_name(double x) { return floor(x)*x; }
void fill(double *out, double x, int n) { for (int i = 0; i < n; i++) out[i] = x; }
"""
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def program() -> em.Program:
    return em.compile_c(SOURCE)


def record(program: em.Program, name: str, over: str = "x", **more: Any) -> Curve:
    found = program[name].show("curve", over=over, **more).record
    assert isinstance(found, Curve)
    return found


# Curves -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "more", "breaks"),
    [
        ("relu3", {}, []),
        ("smooth", {"over": "x[1]", "at": (np.ones(3), np.arange(3.0), 3)}, []),
        (
            "hat",
            {"at": (0.0, 1.0), "between": (-3, 3)},
            [("kink", -1, (0, 1), 4), ("kink", 0, (1, -1), 0), ("kink", 1, (-1, 0), 4), ("jump", 2, (0, 1), 5)],
        ),
        ("single", {}, [("jump", 0.3, (-0.3, 0.09), 13)]),
        ("root", {}, [("steep", 0, None, 0)]),
        ("step_at", {"between": (-1, 3)}, [("jump", 1, None, 15)]),
    ],
)
def test_breaks_are_those_of_the_function(program: em.Program, name: str, more: Any, breaks: list[Any]) -> None:
    """(kind, place, value or slope on both sides, line of the comparison)."""
    curve = record(program, name, **more)
    assert [b.kind for b in curve.breaks] == [kind for kind, *_ in breaks]
    assert curve.found == len(breaks)
    for found, (kind, place, sides, line) in zip(curve.breaks, breaks, strict=True):
        assert curve_plot.place(found) == pytest.approx(place, abs=1e-6)
        assert found.right - found.left < (1e-5 if name == "single" else 1e-14)
        assert found.line == line
        if sides is not None:
            told = found.values if kind == "jump" else found.gradients
            assert told == pytest.approx(sides, abs=1e-6)


def test_points_are_values_gradients_and_differences(program: em.Program) -> None:
    x, y = np.array([1.0, 2.0, 3.0]), np.array([0.5, -2.0, 1.0])
    before = x.copy()
    curve = record(program, "smooth", over="x[1]", at=(x, y, 3), between=(-2, 1))
    assert np.array_equal(x, before)
    assert (curve.points[0].x, curve.points[-1].x, len(curve.points)) == (-2, 1, 201)
    rest = math.sin(1) * 0.5 + math.sin(3)
    for point in curve.points:
        assert point.value == pytest.approx(rest - 2 * math.sin(point.x))
        assert point.gradient == pytest.approx(-2 * math.cos(point.x))
        assert point.difference == pytest.approx(point.gradient, abs=1e-9)
    assert dict(curve.held) == {"x": "3 numbers", "y": "3 numbers", "n": "3"}


def test_what_a_curve_says_follows_from_its_points(program: em.Program) -> None:
    for name, more in {"relu3": {}, "hat": {"at": (0.0, 1.0), "between": (-3, 3)}, "inverse": {}, "root": {}}.items():
        curve = record(program, name, **more)
        said = curve_plot.sentences(curve)
        lost = [p for p in curve.points if not math.isfinite(p.value) or not math.isfinite(p.gradient)]
        counted = [int(n) for s in said for n in re.findall(r"^at (\d+) point", s)]
        assert counted == ([len(lost)] if lost else [])
        judged = curve_plot.judged(curve)
        scale = max(abs(p.gradient) for p in judged)
        error = max(abs(p.gradient - p.difference) for p in judged) / scale
        match = re.search(r"at all (\d+) points.*?(exactly|to ([\d.e-]+))", said[-1])
        assert match is not None
        assert int(match[1]) == len(judged)
        assert float(match[3] or 0) == pytest.approx(error, rel=0.06)
        assert ("no jump and no kink found between the points" in said) == (curve.found == 0)
        assert all(s in curve_plot.text(curve) for s in said)


def test_wrong_differences_are_said(program: em.Program) -> None:
    curve = record(program, "relu3")
    points = tuple(type(p)(p.x, p.value, p.gradient + (1 if p.x > 2 else 0), p.difference) for p in curve.points)
    changed = Curve(curve.function, curve.over, (), points, curve.reach, (), 0, curve.least)
    first = next(p.x for p in points if p.x > 2)
    number_of = sum(p.x > 2 for p in points)
    assert f"disagree at {number_of} of 201 points, first at {number(first)}" in curve_plot.text(changed)


def test_many_breaks_are_counted(program: em.Program) -> None:
    curve = record(program, "many", between=(0.01, 3))
    assert curve.found == math.floor(3 * 20 / math.pi)
    assert len(curve.breaks) == 12
    assert f"and {curve.found - 12} more places" in curve_plot.text(curve)


def test_differences_beside_a_pole_are_those_of_smaller_steps(program: em.Program) -> None:
    """A step that reaches over the pole, or nearly to it, says nothing of the slope: the gradient was right, and was blamed."""
    for middle in (0.3, 0.303, 0.3061):
        curve = record(program, "pole", at=(1.0,), between=(middle - 2, middle + 2))
        assert "differences agree with the gradient at all" in curve_plot.text(curve)


def test_signs_of_breaks_and_their_names_stand_apart(program: em.Program) -> None:
    """Also of breaks so close to each other that their lines are nearly one."""
    for more in ({"over": "x", "at": (0.5, 0.51, 0.512), "between": (0, 1)}, {"between": (0.01, 3)}):
        name = "between" if "over" in more else "many"
        curve = record(program, name, **more)
        assert len(curve.breaks) > 1
        texts = drawn(curve_plot.draw(curve, LIGHT), "text")
        places = {(element.get("y"), element.get("x")) for element in texts}
        assert len(places) == len(texts), "two texts at one place"
        signs = [e for e in texts if float(e.get("y", 0)) == TOP - 5]
        across = sorted(float(e.get("x", 0)) for e in signs)
        assert len(across) == len(curve.breaks)
        assert all(b - a >= 9 for a, b in itertools.pairwise(across))
        beside = sorted(float(e.get("y", 0)) for e in texts if float(e.get("x", 0)) >= WIDTH - RIGHT + 30)
        assert all(b - a >= 14 for a, b in itertools.pairwise(beside) if b != a)


def drawn(svg: str, kind: str) -> list[ET.Element]:
    return list(ET.fromstring(svg).iter(f"{SVG}{kind}"))


def test_drawn_points_lie_where_their_numbers_say(program: em.Program) -> None:
    curve = record(program, "relu3")
    chart = curve_plot.chart(curve)
    lines = drawn(curve_plot.draw(curve, LIGHT), "polyline")
    assert len(lines) == 2
    for line, panel, row in zip(lines, chart.panels, (0, 1), strict=True):
        places = [tuple(map(float, pair.split(","))) for pair in str(line.get("points")).split()]
        assert len(places) == len(curve.points)
        for (x, y), point in zip(places, curve.points, strict=True):
            value = point.gradient if row else point.value
            across = -3 + 6 * (x - LEFT) / (WIDTH - LEFT - RIGHT)
            top = y - (TOP if not row else TOP + PANEL + 26)
            assert across == pytest.approx(point.x, abs=0.01)
            scale = panel.scale
            assert scale.high - (scale.high - scale.low) * top / PANEL == pytest.approx(
                value, abs=0.01 * (scale.high - scale.low)
            )


@pytest.mark.parametrize("theme", list(THEMES.values()), ids=list(THEMES))
def test_plots_are_plain_svg_inside_their_frame(program: em.Program, theme: Any) -> None:
    curve = record(program, "hat", at=(0.0, 1.0), between=(-3, 3))
    steps = em.check_grads(program.relu3, (0.7,)).steps
    for svg in (curve_plot.draw(curve, theme), steps.draw(steps.record, theme), costs_plot.draw(COSTS, theme)):
        root = ET.fromstring(svg)
        width, height = float(root.get("width", 0)), float(root.get("height", 0))
        assert root.find(f"{SVG}title") is not None
        assert root.find(f"{SVG}desc") is not None
        assert not re.search(r"<style|<script|href|foreignObject", svg)
        assert set(re.findall(r'="(#[0-9A-Fa-f]{6})"', svg)) <= theme.colours()
        for element in root.iter(f"{SVG}text"):
            letters = len("".join(element.itertext())) * 7.2
            x, y = float(element.get("x", 0)), float(element.get("y", 0))
            start = {"start": x, "middle": x - letters / 2, "end": x - letters}[element.get("text-anchor", "start")]
            assert start >= -1, ET.tostring(element)
            assert start + letters <= width + 12, ET.tostring(element)
            assert 8 <= y <= height, ET.tostring(element)


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("relu3", {"view": "curve"}),
        ("relu3", {"over": "x", "view": "source"}),
        ("relu3", {"over": "y"}),
        ("relu3", {"over": "x[0]"}),
        ("relu3", {"over": "x", "between": (1, 1)}),
        ("relu3", {"over": "x", "between": (0, math.inf)}),
        ("relu3", {"over": "x", "between": 3}),
        ("relu3", {"over": "x; y"}),
        ("smooth", {"over": "x[0]"}),
        ("smooth", {"over": "x", "at": (np.ones(3), np.ones(3), 3)}),
        ("smooth", {"over": "x[3]", "at": (np.ones(3), np.ones(3), 3)}),
        ("smooth", {"over": "n", "at": (np.ones(3), np.ones(3), 3)}),
        ("fill", {"over": "x", "at": (np.ones(3), 1.0, 3)}),
    ],
)
def test_what_cannot_be_drawn_is_an_argument_error(program: em.Program, name: str, more: Any) -> None:
    with pytest.raises(ArgumentError):
        program[name].show(more.pop("view", None), **more)


def test_files_of_plots(program: em.Program, tmp_path: Path) -> None:
    """A page, an SVG and a text of a curve: the same plot as `f.show` gives."""
    shown = program.hat.show("curve", over="x", at=(0.5, 1.0))
    for name, held in (("hat.svg", shown.svg), ("hat.txt", f"{shown.text}\n")):
        assert program.hat.export(tmp_path / name, "curve", over="x", at=(0.5, 1.0)).read_text("utf-8") == held
    page = program.hat.export(tmp_path / "hat.html", "curve", at=(0.5, 1.0)).read_text("utf-8")
    assert shown.svg in page
    assert 'id="curve-1"' in page  # over w, the other number
    with pytest.raises(ArgumentError, match="needs over"):
        program.smooth.export(tmp_path / "smooth.html", "curve", at=([1.0], [1.0], 1))
    with pytest.raises(ArgumentError, match="for the view 'curve'"):
        program.hat.export(tmp_path / "hat.html", over="x")


def test_a_report_has_no_curve(program: em.Program) -> None:
    with pytest.raises(ViewError, match="curve") as caught:
        em.pictures.Pictures().show(program.relu3.report, "curve")
    assert caught.value.hint is not None
    assert "over=" in caught.value.hint


# Errors by step ---------------------------------------------------------------------------------------------------------


def test_errors_by_step_are_measured_with_those_steps(program: em.Program) -> None:
    checked = em.check_grads(program.relu3, (0.7,))
    found = checked.steps.record
    assert (found.where, found.relative) == ("x", True)
    assert found.gradient == pytest.approx(3 * 0.7**2)
    for step, central, sided in found.rows[:20]:  # the large ones, where rounding does not matter
        f = lambda x: x**3 if x > 0 else 0.0  # noqa: E731
        assert central == pytest.approx(
            abs((f(0.7 + step) - f(0.7 - step)) / (2 * step) - 1.47) / 1.47, rel=1e-3, abs=1e-9
        )
        assert sided == pytest.approx(abs((f(0.7 + step) - f(0.7)) / step - 1.47) / 1.47, rel=1e-3, abs=1e-9)
    assert any(row[0] == found.used for row in found.rows)
    assert f"step taken: {found.used:.1e}" in checked._repr_mimebundle_()["image/svg+xml"], "no error of that size"
    step, least, _ = min(found.rows, key=lambda row: row[1])
    assert f"a step of {step:.1e}: error {least:.1e}" in checked.steps.text
    assert "Checked(points=" in checked._repr_mimebundle_()["text/plain"]
    assert checked._repr_mimebundle_()["image/svg+xml"].startswith("<svg")


def test_the_slope_that_agrees_least_is_the_one_that_is_shown(program: em.Program) -> None:
    checked = em.check_grads(program.smooth, (np.array([0.1, 1.5]), np.array([1.0, 1.0]), 2))
    assert checked.steps.record.where.partition("[")[0].partition(" ")[0] in ("x", "y")
    assert pickle.loads(pickle.dumps(checked)) == checked


def test_a_mismatch_shows_that_no_step_comes_near(program: em.Program) -> None:
    with pytest.raises(GradientMismatch) as caught:
        em.check_grads(program.hat, (1.0, 1.0))
    shown = caught.value.steps
    assert shown is not None
    assert "no step comes near the gradient" in shown.text
    assert min(row[1] for row in shown.record.rows) > 1e-2


# Times ------------------------------------------------------------------------------------------------------------------

COSTS = Costs(
    "f",
    "f(2)",
    "level 2 before differentiation, level 3 after it",
    tuple(
        CostRow(w, o, s)
        for w, o, s in (
            ("function", False, 4e-6),
            ("gradient", False, 9e-6),
            ("function", True, 1e-6),
            ("gradient", True, 2.5e-6),
        )
    ),
    True,
)


def test_what_times_say_are_quotients_of_the_times() -> None:
    said = costs_plot.text(COSTS)
    assert "the gradient takes 2.5 times as long as the function" in said
    assert "without optimization the function takes 4 times as long, the gradient 3.6 times" in said
    assert "optimized means level 2 before differentiation, level 3 after it" in said
    assert [line.split() for line in said.splitlines()[1:5]] == [
        ["function,", "not", "optimized", "4", "µs"],
        ["function,", "optimized", "1", "µs"],
        ["gradient,", "not", "optimized", "9", "µs"],
        ["gradient,", "optimized", "2.5", "µs"],
    ]
    lengths = [float(bar.get("width", 0)) for bar in drawn(costs_plot.draw(COSTS, DARK), "rect")[1:]]
    assert [length / max(lengths) for length in lengths] == pytest.approx([4 / 9, 1 / 9, 1, 2.5 / 9], abs=0.01)


def test_costs_are_measured_on_copies(program: em.Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("enzyme_magic.api.checks.timing.BUDGET", 0.001)
    monkeypatch.setattr("enzyme_magic.api.measured.costs.MOST", 1024)
    x = np.array([0.1, 0.2])
    counted = em.compile_c("double counted(double x) { static int calls; calls++; return x*x + 0*calls; }").counted
    calls: list[tuple[Any, tuple[Any, ...], bool]] = [
        (program.smooth, (x, x.copy(), 2), False),
        (program.relu3, (2.0,), True),
        (program.single, (2.0,), True),
        (counted, (2.0,), False),
    ]
    for function, args, native in calls:
        found = function.cost(*args).record
        assert found.native == native
        assert [(row.what, row.optimized) for row in found.rows] == [
            ("function", False), ("gradient", False), ("function", True), ("gradient", True),
        ]  # fmt: skip
        assert all(row.seconds > 0 for row in found.rows)
    assert x.tolist() == [0.1, 0.2]
    plain = em.compile_c("double f(double x) { return x*x; }", opt=0, post_opt=0).f.cost(2.0).record
    assert [(row.what, row.optimized) for row in plain.rows] == [("function", False), ("gradient", False)]
    assert "without optimization" not in costs_plot.text(plain)


def test_a_function_is_called_as_its_gradient_is(program: em.Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not as part of a question, which takes ten times as long as a call: GMM's gradient seemed to be faster than GMM."""
    monkeypatch.setattr("enzyme_magic.api.checks.timing.BUDGET", 0.001)

    def asked(self: object, arguments: object) -> None:
        raise AssertionError("called as part of a question")

    monkeypatch.setattr("enzyme_magic.api.native_function.NativeFunction.evaluate", asked)
    x = np.array([0.1, 0.2])
    found = program.smooth.cost(x, x.copy(), 2)
    assert all(row.seconds > 0 for row in found.record.rows)
    assert "a call of the gradient takes" in str(found)
    assert x.tolist() == [0.1, 0.2]


# Scales -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ends", [(0, 1), (-3, 7), (1e-9, 2e-9), (-1e12, 3e11), (5, 5.001)])
def test_ticks_are_round_and_inside(ends: tuple[float, float]) -> None:
    ticks = Scale(*ends).ticks()
    assert 2 <= len(ticks) <= 6
    assert all(ends[0] - 1e-9 * abs(ends[0]) <= tick <= ends[1] + 1e-9 * abs(ends[1]) for tick in ticks)
    assert len({number(tick) for tick in ticks}) == len(ticks)


def test_scales_hold_what_is_finite() -> None:
    assert around([math.nan, 2.0, math.inf]).share(2.0) == pytest.approx(0.5)
    assert around([0.0, 1e-7, 3.0], log=True).ticks()
    assert around([], log=True).share(0.0) is None
    assert Scale(1, 100, log=True).share(10) == pytest.approx(0.5)
    assert Scale(0, 1).share(math.nan) is None


def test_times_that_are_equal_are_as_long() -> None:
    said = costs_plot.text(
        dataclasses.replace(COSTS, rows=tuple(dataclasses.replace(r, seconds=1e-6) for r in COSTS.rows))
    )
    assert "the gradient takes as long as the function" in said
    assert "without optimization the function takes as long, the gradient as long" in said

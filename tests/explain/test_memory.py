"""Memory over time: the most of a curve is the measured high-water mark, it ends with nothing, and the pictures say so."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.errors import ArgumentError, ViewError
from enzyme_magic.report import Measured, MemoryCurve, Report
from enzyme_magic.viz.formula import human
from enzyme_magic.viz.memory import MemoryPicture
from enzyme_magic.viz.theme import DARK

SOURCE = """#include <math.h>
static __attribute__((noinline)) void scale(double *x, double y, int n) { for (int i = 0; i < n; i++) x[i] = sin(x[i])*y; }
static __attribute__((noinline)) double deep(double x, int n) { return n <= 0 ? x : sin(deep(x, n - 1))*x; }
double flow(double x, int n) { double v = x; for (int i = 0; i < n; i++) v = sin(v)*v; return v; }
double whole(double *x, double y, int n) {
    for (int k = 0; k < 3; k++) scale(x, y, n);
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i]*x[i];
    return s;
}
double twice(double x, int n) { return deep(x, n) + deep(x*x, 2*n); }
double grows(double x, double e) { while (x > e) x = x*x*0.9; return x; }
double plain(double x) { return 3*x; }
"""
CALLS = {
    "flow": (0.5, 1000),
    "whole": (np.array([0.1, 0.4, 0.2, 0.8]), 2.0, 4),
    "twice": (0.5, 7),
    "grows": (0.99, 1e-3),
    "plain": (2.0,),
}


@pytest.fixture(scope="module")
def program() -> em.Program:
    return em.compile_c(SOURCE)


def curve_of(found: Measured | None) -> tuple[Measured, MemoryCurve]:
    assert found is not None
    assert found.curve is not None
    return found, found.curve


@pytest.mark.parametrize("name", CALLS)
def test_the_most_is_the_high_water_mark_and_the_end_is_nothing(program: em.Program, name: str) -> None:
    found, curve = curve_of(program[name].cache(at=CALLS[name]).measured)
    totals = curve.totals()
    assert max(totals) == found.kept
    assert totals[0] == 0
    assert totals[-1] == 0
    assert list(curve.moments) == sorted(set(curve.moments))
    assert curve.moments[-1] == curve.events
    assert len(curve.moments) <= 243
    by_function: dict[str, int] = {}
    for row in found.rows:
        by_function[row.function] = by_function.get(row.function, 0) + row.bytes
    if name != "twice":  # whose calls give back in between what the rows add up
        assert by_function == {f: max(k[i] for k in curve.kept) for i, f in enumerate(curve.functions)}


def test_called_functions_are_told_apart_and_the_asked_one_is_first(program: em.Program) -> None:
    _, curve = curve_of(program.whole.cache(at=CALLS["whole"]).measured)
    assert curve.functions == ("whole", "scale")
    assert curve.turn is not None
    before = [t for m, t in zip(curve.moments, curve.totals(), strict=True) if m < curve.turn]
    assert before == sorted(before)  # the forward sweep only takes


def test_other_plans_have_their_own_measured_curves(program: em.Program) -> None:
    found, curve = curve_of(program.whole.memory(CALLS["whole"], plans=True).report.cache.measured)
    others = dict(found.others)
    assert set(others) == {"store-all", "recompute-all"}
    assert all(other.totals()[-1] == 0 for other in others.values())
    assert max(others["store-all"].totals()) > max(curve.totals()) > max(others["recompute-all"].totals())


def test_a_page_has_the_curves_of_the_other_plans(program: em.Program, tmp_path: Path) -> None:
    shown = program.whole.memory(CALLS["whole"], plans=True)
    for name, held in (("w.svg", shown.svg), ("w.txt", f"{shown.text}\n")):
        assert program.whole.export(tmp_path / name, "memory", at=CALLS["whole"]).read_text("utf-8") == held
    assert shown.svg in program.whole.export(tmp_path / "w.html", "memory", at=CALLS["whole"]).read_text("utf-8")
    with pytest.raises(ArgumentError, match="follows one call"):
        program.whole.export(tmp_path / "w.html", "memory")
    with pytest.raises(ViewError, match="0 B kept at once") as caught:
        program.plain.export(tmp_path / "p.svg", "memory", at=(2.0,))
    assert caught.value.code == "EM507"


def test_the_picture_and_its_twin_say_the_same_numbers(program: em.Program) -> None:
    picture = program.flow.memory(CALLS["flow"])
    found, _ = curve_of(picture.report.cache.measured)
    assert found.predicted is not None
    said = f"{human(found.kept)} kept at once at most, 0 B at the end; predicted: {human(found.predicted)}"
    assert said in picture.text
    assert "reverse sweep begins" in picture.text
    assert human(found.kept) in picture.svg
    assert picture.svg != MemoryPicture(picture.report, DARK).svg
    drawn = re.search(r'<polygon points="([^"]*)"', picture.svg)
    assert drawn is not None
    heights = {point.split(",")[1] for point in drawn[1].split()}
    assert {"44.0", "256.0"} <= heights  # from the top of the scale to its floor
    assert Report.from_json(picture.report.to_json()) == picture.report
    assert program.plain.memory((2.0,)).svg == ""
    assert "0 B kept at once" in program.plain.memory((2.0,)).text


def test_a_prediction_that_is_a_bound_is_written_whole(program: em.Program) -> None:
    report = program.flow.memory(CALLS["flow"]).report
    found, _ = curve_of(report.cache.measured)
    bound = dataclasses.replace(found, bound="at least", predicted=1023)
    cache = dataclasses.replace(report.cache, measured=bound)
    drawn = MemoryPicture(dataclasses.replace(report, cache=cache), DARK).svg
    assert ">predicted: at least 1.0 kB<" in drawn


def test_a_call_that_is_too_long_has_no_curve_and_says_so(program: em.Program, monkeypatch: pytest.MonkeyPatch) -> None:
    from enzyme_magic.backend.autodiff.cache import meter
    from enzyme_magic.backend.explain.tape import curve

    monkeypatch.setattr(meter, "ROOM", 100)
    monkeypatch.setattr(curve, "ROOM", 100)
    found, short = curve_of(program.flow.cache(at=CALLS["flow"]).measured)
    assert found.kept >= 8000
    assert short.moments == ()
    assert "of 100 that are kept" in short.reason
    assert "no curve" in program.flow.memory(CALLS["flow"]).text

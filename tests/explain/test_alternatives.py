"""Plans under assumptions agree with those of C text that states them; the report carries what pictures need without a compiler."""

from __future__ import annotations

from itertools import combinations

import pytest

from enzyme_magic.backend import explain
from enzyme_magic.backend.autodiff.calls.request import Request
from enzyme_magic.backend.explain.tape import hints
from enzyme_magic.backend.explain.tape.formulas import value_of
from enzyme_magic.backend.explain.tape.sliders import sliders
from enzyme_magic.errors import ArgumentError
from enzyme_magic.report import CacheRow

SCALE = """double f(const double *x, double * Q out, const double *w, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) { out[i] = x[i] * w[i]; s += out[i] * x[i] * x[i]; }
  return s;
}"""
PLAIN, STATED = SCALE.replace("Q", ""), SCALE.replace("Q", "restrict")
KNOWN = PLAIN.replace("double s = 0;", "double s = 0; n = 10;")


def decisions(report):
    return [(row.expression, row.decision, row.bytes, row.line) for row in report.cache.rows]


@pytest.mark.parametrize("opt", [0, 2])
def test_an_assumption_gives_the_plan_of_the_text_that_states_it(opt: int, compiled, explained) -> None:
    request = Request("f", wrt=(0, 2))
    assumed = explain.assumed(compiled(PLAIN, opt), request, {"out": "restrict"})
    stated = explained(STATED, "f", (0, 2), opt=opt)
    assert decisions(assumed) == decisions(stated)
    assert decisions(assumed) != decisions(explained(PLAIN, "f", (0, 2), opt=opt))
    known = explain.assumed(compiled(PLAIN, opt), request, {"n": 10})
    assert known.cache.total == explained(KNOWN, "f", (0, 2), opt=opt).cache.total
    assert "n" not in known.cache.total
    less = explain.assumed(compiled(PLAIN, opt), request, {"w": "const"})
    assert decisions(less) == decisions(explained(PLAIN, "f", (0,), opt=opt))
    assert any("assumed" in note for note in less.notes)


def test_hints_are_alternatives_that_save(compiled, explained) -> None:
    report = explained(PLAIN, "f", (0, 2))
    best = report.cache.alternatives[0]
    assert best.assume == (("out", "restrict"),)
    assert best.sentence in report.cache.hints
    assumed = explain.assumed(compiled(PLAIN, 2), Request("f", wrt=(0, 2)), dict(best.assume))
    sizes = {"n": 12}
    assert best.total == assumed.cache.total
    assert value_of(report.cache.total, sizes) - value_of(best.saves, sizes) == value_of(best.total, sizes)
    assert explained(STATED, "f", (0, 2)).cache.hints == ()


def test_how_much_is_tried_follows_from_the_program_alone(monkeypatch, compiled) -> None:
    """No clock decides what a report says; large functions get no trial, those between at least one."""
    tried: list[str] = []
    monkeypatch.setattr(hints, "_alternative", lambda program, request, name, found, base: tried.append(name))
    program = compiled(PLAIN, 2)
    for room, largest, expected in ((10_000, 10_000, ["out", "x", "w"]), (1, 10_000, ["out"]), (10_000, 1, [])):
        monkeypatch.setattr(hints, "ROOM", room)
        monkeypatch.setattr(hints, "LARGEST", largest)
        tried.clear()
        explain.report(program, Request("f", wrt=(0, 2)))
        assert tried == expected


@pytest.mark.parametrize(
    ("assumptions", "says"),
    [
        ({"q": "const"}, "parameters: x, out, w, n"),
        ({"n": "restrict"}, "restrict is for pointers"),
        ({"x": 3}, "whole numbers"),
        ({"n": True}, "nothing that can be assumed"),
        ({"n": 1 << 40}, "does not hold"),
        ({"x": "const"}, "nothing of f is active"),
        ({"out": "noalias"}, "nothing that can be assumed"),
    ],
)
def test_what_cannot_be_assumed(assumptions, says: str, compiled) -> None:
    with pytest.raises(ArgumentError) as caught:
        explain.assumed(compiled(PLAIN, 2), Request("f", wrt=(0,)), assumptions)
    assert caught.value.code == "EM335"
    assert says in str(caught.value)


def test_selections_are_the_verdicts_of_their_own_reports(explained) -> None:
    source = "double f(double a, double b, double c, double k) { double d = a * b; return d * c + k * k; }"
    report = explained(source, "f", (0, 1, 2), opt=0)
    names = ("a", "b", "c")
    assert [s.wrt for s in report.selections] == [c for size in (1, 2, 3) for c in combinations(names, size)]
    for selection in report.selections:
        own = explained(source, "f", tuple(names.index(name) for name in selection.wrt), opt=0)
        everything = [*own.activity.rows(), *own.parameters]
        assert set(selection.active) == {row.identifier for row in everything if row.verdict.active}
        assert set(selection.varies) == {row.identifier for row in everything if row.verdict.varies}
    assert report.selection("b", "a") == report.selections[3]
    assert report.selection("k") is None


def test_sizes_in_numbers(explained) -> None:
    report = explained(PLAIN, "f", (0, 2))
    (slider,) = report.cache.sliders
    assert slider.parameter == "n"
    for number, total in zip(slider.values, slider.totals, strict=True):
        assert total == value_of(report.cache.total, {"n": number})
    assert {identifier for identifier, _ in slider.rows} == {row.identifier for row in report.cache.stored()}


def test_every_cache_decision_has_its_reasons(explained) -> None:
    report = explained(PLAIN, "f", (0, 2))
    for row in report.cache.rows:
        (first,) = row.because
        assert row.reason in report.facts[first].sentence
    stored = report.cache.stored()[0]
    premises = [report.facts[k] for k in report.facts[stored.because[0]].premises]
    assert any("adjoint" in fact.sentence and fact.line == 3 for fact in premises)
    assert any(fact.line == stored.overwritten_line and "overwr" in fact.sentence for fact in premises)


def test_loops_that_count_themselves_have_sliders() -> None:
    rows = (
        _stored("s0", "8*n*k"),
        _stored("s1", "8 × iterations of the loop at line 5"),
        _stored("s2", "iterations of the loop at line 3"),
    )
    total = "8*n*k + 8 × iterations of the loop at line 5 + iterations of the loop at line 3"
    found = sliders(total, rows)
    assert [s.parameter for s in found] == [
        "k", "n", "iterations of the loop at line 5", "iterations of the loop at line 3",
    ]  # fmt: skip
    for slider in found:
        others = dict(slider.others)
        for value, bytes_ in zip(slider.values, slider.totals, strict=True):
            at = {**others, slider.parameter: value}
            n, k, five, three = (at[name] for name in ("n", "k", found[2].parameter, found[3].parameter))
            assert bytes_ == 8 * n * k + 8 * five + three
        assert [name for name, _ in slider.rows] == ["s0", "s1", "s2"]
        assert all(sum(row[1][i] for row in slider.rows) == slider.totals[i] for i in range(len(slider.values)))
    assert sliders("what nobody knows", rows) == ()


def _stored(identifier: str, size: str) -> CacheRow:
    return CacheRow(identifier, "i0", "x", "store", 1, "double", "n", size, 8, "", None, None, None, None)


def test_quotients_in_formulas_are_cut_where_they_stand() -> None:
    assert value_of("8*max((n - 1)//3, 0)", {"n": 6}) == 8
    assert value_of("8·n·(n + 1)/2", {"n": 6}) == 168
    assert value_of("8*((n + 1)//-4)", {"n": 6}) == -16

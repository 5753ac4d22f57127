"""Ten kernels as people write them: everything that is shown of them can be drawn, within a page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.api.checks.inspection import Inspection
from enzyme_magic.backend.analysis.counts.affine import Evolution
from enzyme_magic.backend.explain.words.handed_on import HandedOn
from enzyme_magic.backend.ir.graphs.dominators import DominatorTree
from enzyme_magic.backend.ir.graphs.loops import find
from enzyme_magic.backend.ir.instructions import Store
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.text.parser import parse
from enzyme_magic.report import Report
from enzyme_magic.viz.drawing import svg
from enzyme_magic.viz.drawing.fit import at_level, fitted, levels
from enzyme_magic.viz.views import VIEWS, view

IR_NAME = re.compile(r"(?<![\w)\]])%[\w.]|\blcssa|\w\.i\d*\b|indvars|store_forwarded|\bem\.")
KERNELS = ("relu3", "dot", "norm", "heat", "vdp", "fft", "gmm", "lstm", "bisect", "sorted")
TALLEST = 2_800  # pixels: three screens


@pytest.fixture(scope="module")
def program() -> em.Program:
    text = Path(__file__).with_name("ten_kernels.c").read_text(encoding="utf-8")
    return em.compile_c(text, cpu="x86-64-v3")  # what becomes of loops is the same on every machine then


@pytest.fixture(scope="module")
def reports(program: em.Program) -> Mapping[str, Report]:
    return {name: program[name].make_report() for name in KERNELS}


@pytest.mark.parametrize("kernel", KERNELS)
def test_every_graph_is_laid_out(kernel: str, program: em.Program) -> None:
    function = program[kernel]
    for stage in ("input", "optimized", "gradient", "gradient-optimized"):
        assert "image/svg+xml" in function.ir(stage).graph._repr_mimebundle_()
    for answer in (function.activity(), function.cache()):
        assert "image/svg+xml" in answer.graph._repr_mimebundle_()


@pytest.mark.parametrize("kernel", KERNELS)
def test_pictures_of_graphs_are_no_taller_than_three_screens(kernel: str, reports: Mapping[str, Report]) -> None:
    for name in ("activity", "optimized"):
        _, tall = svg.pixels(view(reports[kernel], name).svg)
        assert tall <= TALLEST, name


@pytest.mark.parametrize("kernel", ["gmm", "lstm", "sorted"])
def test_no_other_picture_is_taller(kernel: str, reports: Mapping[str, Report]) -> None:
    for name in ("dashboard", "source", "steps", "stages", "cache", "gradient-c"):
        _, tall = svg.pixels(view(reports[kernel], name).svg)
        assert tall <= TALLEST, name


@pytest.mark.parametrize("kernel", KERNELS)
def test_every_box_of_a_card_has_a_name_of_its_own(kernel: str, reports: Mapping[str, Report]) -> None:
    """Two boxes of one name would be one box, and arrows would lead to nothing: also where loops are folded."""
    for name in VIEWS:
        card = view(reports[kernel], name).card
        for level in (levels(card)[0], *levels(card)[3:]):
            drawings = at_level(card, level).drawings()
            boxes = [table.name for drawing in drawings for table in drawing.tables]
            assert len(boxes) == len(set(boxes)), (name, level)
            for drawing in drawings:
                own = {table.name for table in drawing.tables}
                assert {end for link in drawing.links for end in (link.source, link.target)} <= own, (name, level)


def test_gmm_is_folded_by_loop_and_by_call(reports: Mapping[str, Report]) -> None:
    drawn = view(reports["gmm"], "activity").svg.replace("\N{NO-BREAK SPACE}", " ").replace("&#160;", " ")
    assert ">loop i " in drawn
    assert "logsumexp, called at line 84" in drawn


def words(report: Report) -> Iterator[str]:
    """Everything that speaks of the C text: no IR."""
    yield from (line.note for line in report.source)
    yield from (fact.sentence for fact in report.facts)
    yield from (edge.label or "" for edge in report.activity.edges)
    yield from (block.runs or "" for block in report.activity.blocks)
    yield from (row.c for row in report.activity.rows())
    for row in report.cache.rows:
        yield from (row.expression, row.reason, row.count, row.bytes)
    yield from (report.cache.sentence, report.cache.total, *report.cache.hints, report.why_not_called, *report.notes)
    yield from (found.sentence for found in report.cache.alternatives)


@pytest.mark.parametrize("kernel", KERNELS)
def test_people_read_the_names_of_c(kernel: str, reports: Mapping[str, Report]) -> None:
    assert [text for text in words(reports[kernel]) if IR_NAME.search(text)] == []


@pytest.mark.parametrize("kernel", KERNELS)
def test_pictures_of_memory_and_source_have_no_ir(kernel: str, reports: Mapping[str, Report]) -> None:
    """In the boxes of what is computed, kept and read as well; a tooltip may have it."""
    for name in ("cache", "source"):
        shown = [
            text
            for drawing in view(reports[kernel], name).card.drawings()
            for text in (
                drawing.title,
                *drawing.sentences,
                *(part for row in drawing.rows() for part in (row.text, row.aside)),
            )
        ]
        assert [text for text in shown if IR_NAME.search(text)] == [], name


def test_gmm_and_sorting_are_told_in_their_own_words(reports: Mapping[str, Report]) -> None:
    notes = {line.text.strip(): line.note for name in ("gmm", "sorted") for line in reports[name].source if line.note}
    assert notes["return m + log(s);"] == "active: m + log(s)"
    # j is 0 or more there, and no pointer is needed to find the adjoint again
    assert notes["a[j+1] = v;"] == "active: a[j + 1] = v; saved: where a[j + 1] lies (8·max(n - 1, 0) B)"
    assert notes["double t[k];"] == "active: t"  # what the array holds, not its address


def notes_of(report: Report) -> dict[str, str]:
    return {line.text.strip(): line.note for line in report.source if line.note}


def test_what_llvm_made_of_loops_is_told_as_c(reports: Mapping[str, Report]) -> None:
    """A value that is handed on in a register is the array's; a loop that became a block transfer copies elements."""
    heat = reports["heat"]
    assert notes_of(heat)["for (int i = 1; i < n - 1; i++) u[i] = next[i];"] == (
        "active: u[1 … n - 2] = next[1 … n - 2]; i < n - 1 decides how often the loop runs"
    )
    assert [row.expression for row in heat.cache.stored()] == ["u[i]", "u[i - 1] - 2*u[i] + u[i + 1]"]
    assert [text for text in words(heat) if "memcpy" in text or text.startswith("…") or "…*" in text] == []


IN_PLACE = {
    "double f(double *a, const double *w, int n) {\n"
    "for (int i = 1; i < n; i++) a[i] = a[i]*a[i-1] + w[i]; return a[n-1]; }": "a[i - 1]",
    "double f(double *x, const double *u, int n) {\n"
    "for (int i = n - 2; i >= 0; i--) x[i] -= u[i]*x[i+1]; return x[0]*x[0]; }": "x[i + 1]",
    "double f(double *x, const double *u, int n) {\n"
    "for (int i = 1; i < n - 1; i++) x[i] = x[i]*x[i]*(x[i+1] + u[i]); return x[1]; }": "x[i]",
}


@pytest.mark.parametrize("text", IN_PLACE)
def test_what_a_loop_hands_on_in_place_is_told_by_its_place(text: str) -> None:
    """LLVM keeps what was written, or read, for the next iteration: there it lies one step back."""
    report = em.compile_c(text).f.report
    assert IN_PLACE[text] in {row.expression for row in report.cache.rows}
    assert not any("previous" in said for said in words(report))


OVERWRITTEN = """define double @f(ptr %a, ptr %q, i64 %n) {
entry:
  %first = load double, ptr %a
  br label %loop
loop:
  %i = phi i64 [1, %entry], [%next, %loop]
  %before = phi double [%first, %entry], [%now, %loop]
  %p = getelementptr double, ptr %a, i64 %i
  %old = load double, ptr %p
  %now = fmul double %old, %before
  store double %now, ptr %p
  AFTER
  %next = add nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret double %now
}"""


@pytest.mark.parametrize(("after", "found"), [("", True), ("store double 0.0, ptr %q", False)])
def test_a_place_that_may_be_written_again_names_nothing(after: str, found: bool) -> None:
    """`q` may be where the value was put: then that place holds another number when the value is used."""
    module = parse(OVERWRITTEN.replace("AFTER", after))
    function, layout = module.functions["f"], DataLayout.of(module)
    dominators = DominatorTree.of(function)
    evolution = Evolution(layout, find(function, dominators), dominators)
    (phi,) = [i for i in function.instructions() if i.name == "before"]
    place = HandedOn(evolution, layout, lambda i, pointer, size: isinstance(i, Store)).place(phi)
    assert (place is not None) is found
    assert place is None or (place[0].name, place[1]) == ("p", {(): -8})


def test_a_copy_that_was_written_is_told_as_written() -> None:
    text = """#include <string.h>
typedef struct { double x[4]; } P;
double copied(const double *a, double *b, int n) { memcpy(b, a, n * sizeof *a); return b[0] * b[1]; }
double shifted(double *a, int n) { memmove(a + 1, a, 8*n - 3); return a[1] * a[1]; }
double cleared(double *a, int n, double x) { for (int i = 0; i < n; i++) a[i] = 0; a[0] = x; return a[0] * a[1]; }
void moved(P *p, P *q) { *p = *q; }
"""
    program = em.compile_c(text)
    assert any("memcpy(b, a, n*8)" in row.c for row in program.copied.report.activity.rows())
    assert any("memmove(" in row.c for row in program.shifted.report.activity.rows())
    assert any(row.c == "a[0 … n - 1] = 0" for row in program.cleared.report.activity.rows())
    assert any(row.c == "*p = *q" for row in program.moved.report.activity.rows())


def test_sums_and_products_are_those_that_were_written(reports: Mapping[str, Report]) -> None:
    """LLVM orders operands as it likes; the text is the source's, so the line is the one that it stands on."""
    relu3 = notes_of(reports["relu3"])
    assert relu3["result = x*x*x;"] == "active: x*x*x"
    assert relu3["if (x > 0)"] == "x > 0 decides which branch, carries no derivative"
    assert notes_of(reports["bisect"])["double root = 0.5*(low + high);"] == "active: 0.5*(low + high)"
    assert notes_of(reports["gmm"])["q += z*z + 2*logsig[j*d + l];"] == "active: q + (z*z + 2*logsig[d*j + l])"
    lstm = notes_of(reports["lstm"])
    assert lstm["double o = sigmoid(w[4*i+2]*z + b[4*i+2]);"] == "active: sigmoid(w[4*i + 2]*z + b[4*i + 2])"
    assert lstm["static double sigmoid(double x) { return 1/(1 + exp(-x)); }"].startswith(
        "active: 1/(1 + exp(-x)); saved: "
    )


def test_what_is_read_again_is_not_said_to_be_computed(reports: Mapping[str, Report]) -> None:
    dot = reports["dot"]
    assert dot.cache.sentence.endswith("are still available, and y[i] and x[i] are read again")
    shown = [row.text for drawing in view(dot).card.drawings() for row in drawing.rows()]
    assert "0 of 4 stored: 0 B; 2 read again, 2 still available" in shown


def test_no_reason_is_said_twice_in_a_row(program: em.Program) -> None:
    """What a loop leaves behind is another value of LLVM's, and the same one for people."""
    for name in ("norm", "vdp", "sorted"):
        facts = program[name].report.facts
        assert not [fact for fact in facts for k in fact.premises if facts[k].sentence == fact.sentence], name


def test_a_merge_goes_by_the_variable_that_all_of_it_was() -> None:
    """`int pivot = k`, and in the loop `pivot = i`: LLVM has widened both, and made one number of them."""
    source = Path(__file__).parents[1] / "programs" / "sources" / "matrices.c"
    report = em.compile_c(source, cpu="x86-64-v3").gauss.report
    assert "pivot" in {row.expression for row in report.cache.stored()}


def test_plans_that_leave_something_out_say_so(program: em.Program) -> None:
    function = program["fft"]
    assert {plan.bound for plan in Inspection(function, "reverse", None).plans(("re",), {})} == {"at least"}
    assert {plan.bound for plan in Inspection(program["dot"], "reverse", None).plans(("x",), {})} == {""}


def test_conditions_are_those_that_were_written(reports: Mapping[str, Report]) -> None:
    """Also where LLVM has turned the loop around, and in functions that were inlined."""
    assert (
        notes_of(reports["bisect"])["while (high - low > 1e-9) {"]
        == "high - low > 1e-9 decides how often the loop runs"
    )
    shift = notes_of(reports["sorted"])["while (j >= 0 && a[j] > v) { a[j+1] = a[j]; j--; }"]
    assert "; j >= 0 && a[j] > v decides how often the loop runs; saved: how often the loop ran (" in shift
    inlined = notes_of(reports["gmm"])
    assert (
        "; i < k decides how often the loop runs; saved: " in inlined["for (int i = 0; i < k; i++) s += exp(v[i] - m);"]
    )
    largest = inlined["for (int i = 1; i < k; i++) if (v[i] > m) m = v[i];"]
    assert (
        "; i < k decides how often the loop runs; v[i] > m decides which branch, carries no derivative; saved: "
        in largest
    )


def test_folded_boxes_are_named_by_the_loops(reports: Mapping[str, Report]) -> None:
    folded, _ = fitted(view(reports["sorted"], "steps").card)
    titles = {table.title for drawing in folded.drawings() for table in drawing.tables}
    assert {"before loop i (lines 112 to 116)", "between loop i (lines 112 to 116) and loop i (line 119)"} <= titles
    assert [title for title in titles if " to " in title and "lines" not in title] == []


def test_no_call_is_said_to_carry_nothing_where_memory_did(program: em.Program) -> None:
    zeros, ramp = np.zeros(8), np.linspace(-1.0, 1.0, 8)
    calls = {
        "fft": (8, ramp, ramp[::-1].copy(), zeros, zeros.copy()),
        "heat": (6, 3, 0.1, ramp[:6].copy(), zeros[:6].copy()),
    }
    for name, arguments in calls.items():
        assert "were predicted" not in (told := str(program[name].activity(at=arguments))), told
        assert "was predicted" not in told


def test_loops_that_were_made_of_others_take_so_many_iterations(reports: Mapping[str, Report]) -> None:
    """Counted by what their counters are stepped by."""
    found = [
        (stage, copy)
        for name in ("dot", "norm", "gmm", "lstm")
        for stage in reports[name].stages
        for copy in stage.copies
    ]
    assert {copy.lanes > 1 for _, copy in found} == {True, False}
    for stage, copy in found:
        lines = {block.name: block.lines for block in stage.blocks}
        steps = {
            int(n) for block in copy.blocks for line in lines[block] for n in re.findall(r" = add .*, (-?\d+)$", line)
        }
        assert copy.lanes * copy.times in {abs(step) for step in steps}, (copy, steps)
        assert copy.of in lines
        assert copy.of not in copy.blocks


def test_a_plan_that_cannot_be_speaks_of_the_line(program: em.Program) -> None:
    carried = next(row for row in program["vdp"].cache().rows if row.decision == "store" and row.expression == "v")
    with pytest.raises(em.ArgumentError) as caught:
        program["vdp"].make_report(caching={str(carried.instruction): "recompute"})
    assert caught.value.code == "EM336"
    assert "line 31" in str(caught.value)
    assert "instruction i" not in str(caught.value)

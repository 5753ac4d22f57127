"""The optimizer's passes: the last text is the stage, and every number in a caption is counted again in the texts."""

from __future__ import annotations

import re
from collections import Counter

import pytest

import enzyme_magic as em
from enzyme_magic.api.passes import PassTable
from enzyme_magic.backend.explain.passes import captions, changes, listing
from enzyme_magic.backend.explain.passes.words import WORDS
from enzyme_magic.backend.ir.graphs import loops
from enzyme_magic.backend.ir.module import Module
from enzyme_magic.backend.ir.text import parser
from enzyme_magic.errors import ArgumentError
from enzyme_magic.report import Report
from enzyme_magic.viz.views import view

SOURCE = """double vdp(double mu, double x0, double v0, int n, double h) {
  double x = x0, v = v0, e = 0;
  for (int i = 0; i < n; i++) {
    double a = mu * (1 - x*x) * v - x;
    x += h * v;
    v += h * a;
    e += sin(x) * h;
  }
  return e;
}
static double part(const double *A, const double *x, int n, int i) {
  double s = 0;
  for (int j = 0; j < n; j++) s += A[i*n + j] * x[j];
  return s;
}
double form(const double *A, const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] * part(A, x, n, i);
  return s;
}
"""
MOVED = re.compile(r"moved ((?:\d+ [a-z ]+?(?:, )?)+) (out of|into) ")
FUNCTIONS = ("vdp", "form")


@pytest.fixture(scope="module")
def tables() -> dict[str, PassTable]:
    program = em.compile_c(SOURCE)
    return {name: program[name].passes() for name in FUNCTIONS}


@pytest.fixture(scope="module")
def parsed(tables: dict[str, PassTable]) -> dict[str, list[Module]]:
    return {name: [parser.parse(t.text(k)) for k in range(len(t) + 1)] for name, t in tables.items()}


def opcodes(module: Module) -> Counter[str]:
    return Counter(i.opcode for f in module.definitions() for i in f.instructions())


def within_loops(module: Module, opcode: str) -> int:
    """Instructions of one opcode, each as often as loops are around it."""
    return sum(
        loops.find(f).depth(b) * sum(i.opcode == opcode for i in b.instructions)
        for f in module.definitions()
        for b in f.blocks
    )


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_last_text_is_the_stage_and_each_step_changes_something(tables: dict[str, PassTable], name: str) -> None:
    program = em.compile_c(SOURCE)
    found = tables[name]
    assert found.text(len(found)).strip() == str(program[name].ir("gradient-optimized")).strip()
    assert all(step.changes for step in found)
    assert len(found) > 20
    assert found.diff(1).startswith("--- before")
    with pytest.raises(ArgumentError, match=f"from 1 to {len(found)}"):
        found.diff(0)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_counts_are_counted_again(tables: dict[str, PassTable], parsed: dict[str, list[Module]], name: str) -> None:
    """With our own parser, which the captions do not use."""
    words = {word: opcode for opcode, word in WORDS.items()}
    for before, after, step in zip(parsed[name], parsed[name][1:], tables[name], strict=False):
        had, has = opcodes(before), opcodes(after)
        assert step.instructions == has.total()
        told = re.search(r"(\d+) → (\d+) instructions? \((.*?)\)", step.caption)
        assert (told is not None) == (had != has), step.caption
        if told is not None:
            assert (int(told[1]), int(told[2])) == (had.total(), has.total())
            for sign, count, word in re.findall(r"([+−])(\d+) ([a-z ]+)", told[3]):
                known = next(
                    w for w in (word, word.removesuffix("es"), word.removesuffix("s")) if w in words or w in had | has
                )
                opcode = words.get(known, known)
                assert has[opcode] - had[opcode] == int(count) * (1 if sign == "+" else -1), step.caption
        blocks = re.search(r"(\d+) → (\d+) blocks?", step.caption)
        counted = [sum(len(f.blocks) for f in m.definitions()) for m in (before, after)]
        assert (blocks is not None) == (counted[0] != counted[1])
        assert blocks is None or [int(blocks[1]), int(blocks[2])] == counted


def test_what_moved_out_of_loops_did(tables: dict[str, PassTable], parsed: dict[str, list[Module]]) -> None:
    """LICM only moves: for each opcode that it is said to have moved there are so many less in loops."""
    seen = 0
    for name in FUNCTIONS:
        for before, after, step in zip(parsed[name], parsed[name][1:], tables[name], strict=False):
            told = MOVED.search(step.caption)
            if step.name != "LICMPass" or told is None:
                continue
            for count, word in re.findall(r"(\d+) ([a-z ]+)", told[1]):
                opcode = next(
                    o for o, said in WORDS.items() if said in (word, word.removesuffix("s"), word.removesuffix("es"))
                )
                assert within_loops(before, opcode) - within_loops(after, opcode) >= int(count), step.caption
                seen += 1
    assert seen


def test_lines_are_lines_of_the_loops(tables: dict[str, PassTable]) -> None:
    text = "\n".join(step.caption for step in tables["form"])
    assert re.search(r"moved .* out of the loop of lines? 1[2378](–1[378])? ", text), text
    assert "inlined" in text


def counted_again(sentence: str, known: Counter[str]) -> Counter[str]:
    """The instructions that a sentence of a summary names: how many more there are, fewer less than 0."""
    found: Counter[str] = Counter()
    words = {WORDS.get(opcode, opcode): opcode for opcode in known}
    for part in sentence.split("; "):
        sign = {"more": 1, "fewer": -1}.get(part.rsplit(" ", 1)[-1])
        for count, word in re.findall(r"(\d+) ([a-z ]+?)(?:,| and| more| fewer)", f"{part}," if sign else ""):
            opcode = next(
                (words[w] for w in (word, word.removesuffix("es"), word.removesuffix("s")) if w in words), None
            )
            if opcode is not None and sign:
                found[opcode] += sign * int(count)
    return found


@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_each_optimization_did_is_the_sum_of_its_runs(
    tables: dict[str, PassTable], parsed: dict[str, list[Module]], name: str
) -> None:
    told = {found.title: found for found in tables[name].optimizations}
    assert {"SROA", "early CSE", "GVN", "inliner"} <= told.keys()
    runs: dict[str, list[int]] = {}
    for k, step in enumerate(tables[name]):
        runs.setdefault(step.title, []).append(k)
    seen = 0
    for title, steps in runs.items():
        net = Counter[str]()
        for k in steps:
            net.update(opcodes(parsed[name][k + 1]))
            net.subtract(opcodes(parsed[name][k]))
        found = told.get(title)
        if found is None:
            assert not any(net.values()), title
            continue
        assert found.runs == len(steps)
        again = counted_again(found.sentence, Counter(net))
        assert all(net[opcode] == count for opcode, count in again.items()), (found, net)
        seen += len(again)
        assert sum(1 for count in net.values() if count) == 0 or again or "loop" in found.sentence, found
    assert seen > 30


UNSWITCHED = """void scaled(double *y, const double *x, int n, int twice) {
  for (int i = 0; i < n; i++) {
    if (twice) y[i] = 2*x[i]*x[i];
    else y[i] = sin(x[i])*x[i];
  }
}
double constant(double x, int n) {
  double s = 0, unused[4];
  for (int i = 0; i < n; i++) unused[i % 4] = x;
  for (int i = 0; i < 3; i++) s += x*x;
  return s;
}
"""


def test_loops_change_where_a_pass_of_loops_changed_them() -> None:
    """A pass that ends the loop it runs on is no pass that LLVM reports as a change: the next one is not to get its doings."""
    program = em.compile_c(UNSWITCHED)
    makers = {"unswitching", "loop deletion", "full unrolling", "unrolling", "loop vectorizer", "inliner"}
    makers |= {"always inline", "control flow", "jump threading", "GVN", "loop idioms", "the end of the passes"}
    seen = set()
    for name in ("scaled", "constant"):
        found = program[name].passes()
        loops_before = [
            sum(len(f.loops) for f in listing.functions(found.text(k)).values()) for k in range(len(found) + 1)
        ]
        for k, step in enumerate(found):
            if loops_before[k] != loops_before[k + 1]:
                seen.add(step.title)
                assert step.title in makers, (name, step)
    assert "unswitching" in seen


BEFORE = """define void @f(ptr %p, i64 %n) {
entry:
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %x = load double, ptr %p
  %y = fadd double %x, 1.0
  store double %y, ptr %p
  %next = add i64 %k, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop

end:
  ret void
}
"""


def test_moves_are_told_from_loops_that_are_gone() -> None:
    """A value in another block moved only where the loop and both blocks are still there."""
    hoisted = BEFORE.replace("  %x = load double, ptr %p\n", "").replace(
        "entry:\n", "entry:\n  %x = load double, ptr %p\n"
    )
    unrolled = re.sub(r"br i1 %done.*", "br label %end", BEFORE)
    had = listing.functions(BEFORE)
    moved = changes.changes(had, listing.functions(hoisted)).moved
    assert [(m.opcode, m.count, m.loop.header, m.inwards) for m in moved] == [("load", 1, "loop", False)]
    assert [m.inwards for m in changes.changes(listing.functions(hoisted), had).moved] == [True]
    found = changes.changes(had, listing.functions(unrolled))
    assert found.moved == ()
    assert found.loops == (1, 0)


def test_numbers_of_values_are_no_change() -> None:
    """What is added above gives the values below other numbers."""
    numbered = BEFORE.replace("%y", "%0").replace("%x", "%1")
    had = listing.functions(numbered)
    later = listing.functions(numbered.replace("%0", "%2").replace("%1", "%3"))
    assert changes.changes(had, later).rewritten == 0
    other = listing.functions(numbered.replace("add i64 %k, 1", "add i64 %k, 2"))
    assert changes.changes(had, other).rewritten == 1


def test_the_record_the_twin_and_the_page(tables: dict[str, PassTable]) -> None:
    import dataclasses

    report = em.compile_c(SOURCE).vdp.report
    assert "f.passes()" in view(report, "passes").text
    full = dataclasses.replace(report, passes=tables["vdp"].passes)
    wide = re.search(r'width="(\d+)"', view(full, "passes").svg)
    assert wide is not None
    assert int(wide[1]) <= 1100  # both tables, one below the other
    assert Report.from_json(full.to_json()) == full
    text = view(full, "passes").text
    assert all(step.caption in " ".join(text.split()) for step in tables["vdp"])
    assert all(found.sentence in " ".join(text.split()) for found in tables["vdp"].optimizations)
    assert all(step.caption in repr(tables["vdp"]) for step in tables["vdp"])


def test_a_loop_keeps_its_lines_where_a_text_knows_none() -> None:
    """LLVM names copies after what they are copies of: `x.us` of a loop without its test, `x.i` of one that was inlined."""
    one, two = "the loop of lines 3–9 (forward sweep)", "the loop of line 6 (reverse sweep)"
    places = {
        ("f.seeded", "for.body"): one,
        ("f.seeded", "for.body.i"): two,
        ("g", "for.end"): one,
        ("h", "for.end"): two,
    }
    text = captions.Text({}, {}, places)

    def said(name: str, header: str) -> str:
        function = listing.Listed(name, (), {}, ())
        return captions.place(text, function, listing.ListedLoop(header, frozenset({header})))

    assert said("f.seeded", "for.body") == said("f.seeded", "for.body.us") == said("f", "for.body.i") == one
    assert said("f", "for.body.us.i12") == said("f", "for.body.us.i.us") == one
    assert said("f.seeded", "for.body.i") == said("f", "for.body.i.i") == two
    assert said("f", "for.end.i") == "a loop"  # of which of two functions is not known
    assert said("f", "vector.body") == "a loop"


def test_a_loop_has_the_lines_of_its_own_function() -> None:
    """A helper that is called in it stands above: its lines are none of the loop's."""
    text = "#include <math.h>\nstatic double h(double x) { return tanh(x)/(1 + exp(x)); }\n\n\n"
    text += "double f(const double *A, const double *x, int n, int steps) {\n  double s = 0;\n"
    text += "  for (int i = 0; i < steps; i++)\n    for (int j = 0; j < n; j++)\n      s += h(A[i*n + j]*x[j] + s);\n"
    text += "  return s;\n}\n"
    places = set(re.findall(r"the loop of lines? ([\d–]+)", repr(em.compile_c(text).f.passes())))
    assert places
    assert all(int(place.split("–")[0]) >= 7 for place in places), places

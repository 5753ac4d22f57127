"""What is said of each line of small programs, against what their authors wrote behind it: `//= active, saved`.

active: something on the line carries a derivative; inactive: it does something, and that (also) has none; decides: it has a
condition; saved: something that it computes is kept, at every level; nothing: the line does nothing that a picture could speak
of. Lines of helpers are looked at in the function behind them, where they were inlined into it. A line whose work the optimizer
has merged with another's is as active as that one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from enzyme_magic.backend import explain, pipeline
from enzyme_magic.backend.autodiff.calls.request import Request
from enzyme_magic.report import SourceLine

TEXT = Path(__file__).with_name("line_marks.c").read_text(encoding="utf-8")
EXPECTED = {
    number: frozenset(filter(None, found[1].strip().split(", ")))
    for number, line in enumerate(TEXT.split("\n"), 1)
    if (found := re.search(r"//=(.*)$", line))
}
FUNCTIONS = [
    (found[2], found[1] is not None, range(TEXT[: found.start()].count("\n") + 1, TEXT[: found.end()].count("\n") + 2))
    for found in re.finditer(
        r"^(static )?(?:double|float|int|void) (\w+)\((?:.*\}(?: //=.*)?$|(?:.|\n)*?^\})", TEXT, re.M
    )
]
OWN = {name: lines for name, static, lines in FUNCTIONS if not static}
ELSEWHERE = re.compile(r"optimized away: line (\d+) computes it$")


def _helped() -> dict[str, set[int]]:
    """The lines of static functions, by the function behind them."""
    found: dict[str, set[int]] = {}
    pending: set[int] = set()
    for name, static, lines in FUNCTIONS:
        if static:
            pending.update(lines)
        else:
            found[name], pending = pending, set()
    return found


HELPERS = _helped()


@pytest.fixture(scope="module", params=[0, 1, 2, 3])
def opt(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.fixture(scope="module")
def lines(opt: int, compiled: Callable[..., pipeline.CompiledProgram]) -> Mapping[int, SourceLine]:
    """Each line by the report of the function that it stands in."""
    program = compiled(re.sub(r"//=.*", "", TEXT), opt)
    found: dict[int, SourceLine] = {}
    for name, own in OWN.items():
        kinds = (parameter.type for parameter in program.signatures[name].parameters)
        wrt = tuple(k for k, kind in enumerate(kinds) if "int" not in str(kind) and "char" not in str(kind))
        report = explain.assumed(program, Request(name, wrt=wrt), {})  # lines and cache, without stages
        inside = {*own, *(HELPERS[name] if opt else ())}  # without optimization, clang inlines nothing
        found |= {line.number: line for line in report.source if line.number in inside}
    return found


def said(line: SourceLine) -> set[str]:
    found = set()
    parts = line.note.split("; ")
    if line.mark in ("active", "mixed") or any(part.startswith(("active", "addresses of active")) for part in parts):
        found.add("active")
    if any("decide" in part for part in parts):
        found.add("decides")
    if any(part.startswith("saved: ") for part in parts):
        found.add("saved")
    rest = [part for part in parts if part and not part.startswith(("active", "addresses of active", "saved: "))]
    if any("decide" not in part for part in rest):
        found.add("inactive")
    return found


def test_each_line_is_told_as_its_author_says(opt: int, lines: Mapping[int, SourceLine]) -> None:
    wrong = []
    assert opt == 0 or EXPECTED.keys() <= lines.keys()
    for number in EXPECTED.keys() & lines.keys():
        expected, line = EXPECTED[number], lines[number]
        elsewhere = ELSEWHERE.search(line.note)
        found = said(lines[int(elsewhere[1])] if elsewhere else line)
        if expected - found or found - expected - {"saved"}:
            wrong.append(f"{TEXT.splitlines()[number - 1]} | {line.mark}: {line.note}")
    assert "\n".join(wrong) == ""


def test_marks_say_what_notes_say(lines: Mapping[int, SourceLine]) -> None:
    for line in lines.values():
        found = said(line)
        if "saved" in found:
            assert line.mark == "cached", line
        elif line.mark == "mixed":
            assert "active" in found, line
            assert found & {"inactive", "decides"}, line
        elif line.mark == "active":
            assert found == {"active"}, line
        elif line.mark == "inactive":
            assert found, line
            assert "active" not in found, line


def test_a_condition_of_a_break_decides_whether_the_loop_ends(lines: Mapping[int, SourceLine]) -> None:
    (number,) = (n for n, text in enumerate(TEXT.splitlines(), 1) if "fabs(step) < 1e-9" in text)
    assert lines[number].note == "fabs(step) < 1e-9 decides whether the loop ends, carries no derivative"


def test_functions_that_are_called_say_why_they_have_no_marks(
    compiled: Callable[..., pipeline.CompiledProgram],
) -> None:
    text = """#include <math.h>
static double inlined(double x) { return x*x; }
static double halves(double x, int n) {
    return n > 0 ? halves(x/2, n - 1) + sin(halves(x/3, n - 2)) : x;
}
double f(double x, int n) { return inlined(halves(x, n)); }
"""
    report = explain.assumed(compiled(text, 2), Request("f", wrt=(0,)), {})
    notes = {line.number: line.note for line in report.source}
    assert notes[3] == "no marks: halves is called, not part of f"
    assert notes[4] == ""
    assert notes[2].startswith("active")

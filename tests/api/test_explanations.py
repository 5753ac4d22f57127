"""why(), activity() and cache(): sentences and rows out of a report."""

from __future__ import annotations

import pytest

from enzyme_magic.api import views_hook
from enzyme_magic.api.checks.explanations import explain, explain_line, explain_value
from enzyme_magic.api.tables import ActivityTable, CacheTable
from enzyme_magic.api.text import IRText
from enzyme_magic.errors import ArgumentError
from enzyme_magic.report import (
    ActivityGraph,
    BlockRow,
    CacheBreakdown,
    CacheRow,
    Fact,
    InstructionRow,
    Parameter,
    Report,
    Verdict,
)

from . import fake

ACTIVE = Verdict(True, True, True, (0,))
INACTIVE = Verdict(False, False, True, (3,))
FACTS = (
    Fact("%mul is active: it varies with x and matters to the result", "i1", 3, (1, 2)),
    Fact("%mul varies because x varies", "i1", 3, (4,)),
    Fact("%mul matters because it is returned", "i1", 4),
    Fact("%n2 is inactive: integers carry no derivative", "i0"),
    Fact("x is a differentiated parameter", "a0"),
)
ROWS = (
    InstructionRow("i0", "%n2 = shl %n, 1", "%n2 = shl i32 %n, 1", "shl", INACTIVE, "%n2", 3),
    InstructionRow("i1", "%mul = fmul double %x, %x", "…", "fmul", ACTIVE, "%mul", 3),
    InstructionRow("i2", "ret %mul", "…", "ret", ACTIVE, None, 4),
)
CACHE = CacheBreakdown(
    (
        CacheRow("s0", "i1", "x*x", "store", 3, "double", "n", "8*n", 8, "x is overwritten"),
        CacheRow("s1", "i0", "2*n", "available", 3, reason="n is an argument"),
    ),
    "one value per iteration is saved",
    "8*n*(n + 1)/2",
)
REPORT = Report(
    function="cube",
    signature="cube(double x, int n) -> double",
    mode="reverse",
    wrt=("x",),
    source_name="In[3]",
    source=(),
    parameters=(
        Parameter("a0", "x", "double", "value", Verdict(True, True, True, (4,))),
        Parameter("a1", "n", "int", "value", Verdict(False, False, False)),
    ),
    activity=ActivityGraph((BlockRow("entry", ROWS),), ()),
    stages=(),
    cache=CACHE,
    facts=FACTS,
)


def test_the_verdict_comes_first_then_the_chain():
    text = explain_value(REPORT, "%mul")
    assert text.splitlines() == [
        "%mul is active: it varies with x and matters to the result (line 3)",
        "  %mul varies because x varies (line 3)",
        "    x is a differentiated parameter",
        "  %mul matters because it is returned (line 4)",
    ]
    assert explain_value(REPORT, "mul") == text
    assert repr(text) == str(text)


def test_a_line_says_how_much_of_it_is_active():
    assert explain_line(REPORT, 3).splitlines()[0] == "line 3 is partly active"
    assert explain_line(REPORT, 4).splitlines()[0] == "line 4 is active"
    with pytest.raises(ArgumentError, match="no instruction of line 9") as caught:
        explain_line(REPORT, 9)
    assert "3, 4" in caught.value.hint


def test_parameters():
    assert explain_value(REPORT, "x") == "x is a differentiated parameter"
    assert explain_value(REPORT, "n") == "n is inactive"
    with pytest.raises(ArgumentError, match="no value %q") as caught:
        explain_value(REPORT, "%q")
    assert caught.value.code == "EM321"
    assert "%mul" in caught.value.hint


def test_activity_table():
    table = ActivityTable(REPORT)
    assert len(table) == 3
    assert [row.verdict.active for row in table] == [False, True, True]
    assert [row.identifier for row in table.line(3)] == ["i0", "i1"]
    assert table[1].text == "%mul = fmul double %x, %x"
    assert table.why("line 4").startswith("line 4 is active")
    assert table.why(3).startswith("line 3 is partly active")
    assert table.why("%mul").startswith("%mul is active")
    lines = repr(table).splitlines()
    assert lines[0].split() == ["line", "active", "instruction", "because"]
    assert lines[2].startswith("3     active  %mul = fmul double %x, %x")


def test_cache_table():
    table = CacheTable(REPORT)
    assert [row.decision for row in table] == ["store", "available"]
    assert table.total_bytes(n=10) == 8 * 55
    with pytest.raises(ArgumentError, match="missing: n"):
        table.total_bytes()
    assert repr(table).splitlines()[0] == "one value per iteration is saved"
    assert "x is overwritten" in repr(table)


class Drawn:
    def graph(self, report, view):
        return ("graph", report.function, view)

    def show(self, report, view):
        return ("show", report.function, view)

    def text(self, report, view):
        return ""


@pytest.fixture
def cube(monkeypatch):
    """The C function `cube`, whose report is the one above."""
    monkeypatch.setattr(views_hook, "_provider", Drawn)
    function = fake.program().cube
    monkeypatch.setattr(function, "make_report", lambda **request: REPORT)
    return function


def test_a_function_asks_its_report(cube):
    assert cube.why("line 4").startswith("line 4 is active")
    assert cube.why(4) == cube.why("line 4")
    assert cube.why("%mul").startswith("%mul is active")
    assert cube.why("x") == "x is a differentiated parameter"
    assert cube.why(wrt="x") == "x is a differentiated parameter"
    assert cube.report is REPORT
    assert cube.tape().total_bytes(n=2) == 24
    assert len(cube.activity()) == 3


def test_why_a_parameter_has_no_gradient():
    first = fake.program().first
    assert explain(first, None, wrt="n", mode="reverse") == "n has no gradient: a size_t is no floating number"
    assert (
        explain(first, None, wrt=("out",), mode="reverse")
        == "out has no gradient: nothing is computed from what it holds before the call"
    )


def test_pictures(cube):
    assert cube.show() == ("show", "cube", None)
    assert cube.show("cache") == ("show", "cube", "cache")
    assert cube.activity().graph == ("graph", "cube", "activity")
    assert cube.cache().graph == ("graph", "cube", "cache")
    assert cube.ir("gradient").graph == ("graph", "cube", "gradient")


def test_ir_text_is_a_string(cube):
    import pickle

    text = cube.ir("optimized")
    assert isinstance(text, IRText)
    assert "define" in text
    assert pickle.loads(pickle.dumps(text)) == str(text)

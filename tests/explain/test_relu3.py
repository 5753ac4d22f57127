"""The talk's first cell, at both levels: every field of its report."""

import pytest

from enzyme_magic.backend.ir.text import parser
from enzyme_magic.report import Report

from .programs import RELU3, because, row


@pytest.fixture(params=[0, 2])
def relu3(request, explained) -> Report:
    return explained(RELU3, "relu3", opt=request.param)


def test_head(relu3: Report) -> None:
    assert relu3.signature == "relu3(double x) -> double"
    assert (relu3.mode, relu3.wrt, relu3.source_name) == ("reverse", ("x",), "In[1]")
    assert relu3.notes == ("added #include <math.h>",)
    assert dict(relu3.versions).keys() == {"clang", "LLVM", "enzyme_magic"}
    assert dict(relu3.versions)["clang"][0].isdigit()
    assert all(timing.milliseconds >= 0 for timing in relu3.timings)
    assert {"clang", "optimize", "autodiff"} <= {timing.stage for timing in relu3.timings}


def test_json_round_trip(relu3: Report) -> None:
    assert Report.from_json(relu3.to_json()) == relu3


def test_parameter(relu3: Report) -> None:
    (x,) = relu3.parameters
    assert (x.identifier, x.name, x.c_type, x.role, x.line) == ("a0", "x", "double", "value", 1)
    assert x.verdict.active
    assert relu3.facts[x.verdict.because[0]].sentence == "x is an active parameter"


def test_what_is_active(relu3: Report) -> None:
    active = [row.opcode for row in relu3.activity.rows() if row.verdict.active]
    assert active in (["call", "select", "ret"], ["call", "phi", "ret"])
    comparison = row(relu3, "%cmp")
    assert not comparison.verdict.active
    assert "carries no derivative" in because(relu3, comparison)
    assert "x > 0" in because(relu3, comparison)


def test_chain_of_reasons(relu3: Report) -> None:
    power = row(relu3, "%0")
    head = relu3.facts[power.verdict.because[0]]
    assert head.sentence.removeprefix("result = ") == "pow(x, 3) is active: it depends on x and reaches the result"
    varies, matters = (relu3.facts[premise] for premise in head.premises)
    assert varies.sentence.removeprefix("result = ") == "pow(x, 3) varies because x goes through pow"
    assert [relu3.facts[k].sentence for k in varies.premises] == ["x is an active parameter"]
    assert matters.subject == power.identifier
    while matters.premises:
        (matters,) = (relu3.facts[k] for k in matters.premises)
    assert matters.sentence == "the returned value is what relu3 is differentiated for"


def test_facts_stand_on_facts_and_speak_of_known_things(relu3: Report) -> None:
    known = {row.identifier for row in relu3.activity.rows()} | {p.identifier for p in relu3.parameters}
    for number, fact in enumerate(relu3.facts):
        assert all(0 <= premise < len(relu3.facts) and premise != number for premise in fact.premises)
        assert fact.subject is None or fact.subject in known
    for instruction in relu3.activity.rows():
        assert instruction.verdict.because, instruction.text


def test_rule_and_primals(relu3: Report) -> None:
    power = row(relu3, "%0")
    assert power.rule is not None
    assert power.rule.startswith("d pow(x, y)")
    assert power.primals_needed == ("a0",)
    assert row(relu3, "%cmp").rule is None


def test_source_lines(relu3: Report) -> None:
    marks = {line.number: line.mark for line in relu3.source}
    assert marks == {1: "", 2: "", 3: "inactive", 4: "active", 5: "", 6: "inactive", 7: "active", 8: ""}
    notes = {line.number: line.note for line in relu3.source}
    assert notes[3] == "x > 0 decides which branch, carries no derivative"
    assert "pow(x, 3)" in notes[4]
    assert notes[6] == "constant"


def test_nothing_is_saved(relu3: Report) -> None:
    assert relu3.cache.stored() == ()
    assert relu3.cache.total == "0"
    assert relu3.cache.sentence.startswith("nothing saved")
    assert "x" in [row.expression for row in relu3.cache.rows]


def test_stages_parse_with_the_function_first(relu3: Report) -> None:
    assert [stage.name for stage in relu3.stages] == ["input", "optimized", "gradient", "gradient-optimized"]
    for stage in relu3.stages:
        first = next(parser.parse(stage.text).definitions())
        assert first.name == ("relu3" if stage.name in ("input", "optimized") else "diffe_relu3")
        assert len(stage.blocks) == len(first.blocks)
        assert stage.instructions == sum(len(block.lines) for block in stage.blocks)
        assert stage.instructions == sum(count for _, count in stage.opcodes)
        assert not any("!" in line or "#" in line or "align" in line for block in stage.blocks for line in block.lines)


def test_the_last_stage_is_the_slide(relu3: Report) -> None:
    assert dict(relu3.stage("gradient-optimized").opcodes) == {"fcmp": 1, "fmul": 2, "ret": 1, "select": 1}


def test_edges_carry_conditions(explained) -> None:
    report = explained(RELU3, "relu3", opt=0)
    labels = {(edge.source, edge.target): edge.label for edge in report.activity.edges}
    assert labels == {
        ("entry", "if.then"): "x > 0",
        ("entry", "if.else"): "otherwise",
        ("if.then", "if.end"): None,
        ("if.else", "if.end"): None,
    }
    assert report.stage("optimized").edges == report.activity.edges

"""Reports of programs of many shapes: they hold together, whatever the program."""

from __future__ import annotations

import pytest

import enzyme_magic as em
from enzyme_magic.backend import explain, pipeline
from enzyme_magic.backend.autodiff.calls.request import Request
from enzyme_magic.backend.frontend.sources import Source
from enzyme_magic.backend.ir.text import parser
from enzyme_magic.config import Options
from enzyme_magic.errors import DifferentiationError
from enzyme_magic.report import Report

from .programs import RELU3, because, row

PROGRAM = """#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
typedef struct { double x, y; } V;
typedef struct node { double v; struct node *next; } N;
static double table[4] = {1, 2, 3, 4};
static double helper(double a, double b) { double t = a * b; return t * t; }
double by_value(V a, double k) { return k * (a.x * a.x + a.y * a.y); }
double list(const N *p) { double s = 0; while (p) { s += p->v * p->v; p = p->next; } return s; }
double choice(double x, int k) { switch (k) { case 0: return x; case 1: case 2: return x * x; default: return exp(x); } }
double lookup(double x, int i) { return table[i & 3] * x; }
double inlined(double x, double y) { return helper(x, y) + helper(y, x); }
double printing(double x) { printf("%g", x); return x * x; }
double constant(double x) { return 3; }
double logic(double x, double y) { if ((x > 0 && y < 1) || x < -3) return x * y; return y; }
double copied(const double *x, double *w, int n) { memcpy(w, x, n * sizeof *x); return w[0] * w[0]; }
double narrow(float x, double y) { return (float)(x * y) + 1; }
double strange(double x) { return fabs(x) < 1 ? sqrt(1 - x * x) : copysign(0.0, x); }
"""
FUNCTIONS = [
    "list",
    "choice",
    "lookup",
    "inlined",
    "printing",
    "constant",
    "logic",
    "copied",
    "narrow",
    "strange",
    "by_value",
]


@pytest.mark.parametrize("opt", [0, 2])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_report_holds_together(function: str, opt: int, explained) -> None:
    report = explained(PROGRAM, function, opt=opt)
    assert Report.from_json(report.to_json()) == report
    rows = report.activity.rows()
    known = {row.identifier for row in rows} | {parameter.identifier for parameter in report.parameters} | {"a0", "a1"}
    assert [row.identifier for row in rows] == [f"i{k}" for k in range(len(rows))]
    for instruction in rows:
        assert instruction.verdict.active == (instruction.verdict.varies and instruction.verdict.matters)
        assert instruction.verdict.because
        assert set(instruction.operands) | set(instruction.primals_needed) <= known
        assert "!" not in instruction.llvm
    blocks = {block.name for block in report.activity.blocks}
    assert all({edge.source, edge.target} <= blocks for edge in report.activity.edges)
    branching = [edge.source for edge in report.activity.edges]
    for edge in report.activity.edges:
        assert edge.back or branching.count(edge.source) == 1 or edge.label, edge
        assert edge.label not in ("T", "F", "")
    for stage in report.stages:
        assert stage.blocks, stage.name
        assert stage.instructions > 0
        parser.parse(stage.text)
    for line, text in zip(report.source, PROGRAM.splitlines(), strict=True):
        assert line.text == text


def test_parameters_of_structs_passed_by_value(explained) -> None:
    report = explained(PROGRAM, "by_value", (0, 1))
    assert [(p.name, p.c_type, p.role, p.verdict.active) for p in report.parameters] == [
        ("a", "V", "value", True),
        ("k", "double", "value", True),
    ]
    assert any("a.x" in fact.sentence for fact in report.facts)
    assert not any("args" in line.note for line in report.source)


def test_roles_and_extents(explained) -> None:
    source = (
        "double f(const double a[3], double b[3], double *c, int n) { b[0] = a[1] * n; c[0] += b[0]; return c[0]; }"
    )
    report = explained(source, "f", (0, 2))
    assert [(p.name, p.role, p.extent) for p in report.parameters] == [
        ("a", "in", "3"),
        ("b", "out", "3"),
        ("c", "in/out", None),
        ("n", "value", None),
    ]
    assert {p.name: p.verdict.active for p in report.parameters if p.name != "b"} == {"a": True, "c": True, "n": False}


def test_why_a_parameter_is_inactive(explained) -> None:
    source = "double f(double x, double w, double k, int n) { double unused = w * w; return x * n + k * 0; }"
    report = explained(source, "f", (0, 1), opt=0)
    reasons = {p.name: report.facts[p.verdict.because[0]].sentence for p in report.parameters}
    assert reasons["w"] == "w is inactive: it carries no derivative to the result"
    assert reasons["k"] == "k is inactive: it is held constant: the gradient is not taken with respect to it"
    assert reasons["n"] == "n is inactive: a whole number carries no derivative"


def test_why_an_instruction_is_inactive(explained) -> None:
    source = (
        'double f(double x, double k) { double c = k * k, lost = x * 2; printf("%g", lost); return x * c + floor(x); }'
    )
    report = explained(source, "f", (0,), opt=0)
    texts = [because(report, r) for r in report.activity.rows()]
    assert "c = k*k is inactive: it carries no derivative from an active parameter" in texts
    assert "lost = x*2 is inactive: it carries no derivative to the result" in texts
    assert any('printf("%g", lost) is inactive: prints' in text for text in texts)
    assert "floor(x) is inactive: d floor(x) = 0, also at the jumps" in texts


def test_a_program_from_disk_gives_the_same_report(compiled, tmp_path) -> None:
    program = compiled(RELU3)
    request = Request("relu3", wrt=(0,))
    first = explain.report(program, request)
    again = pipeline.compile_program([Source(RELU3, "In[1]")], Options(opt=2), program.settings, "In[1]")
    assert again.from_disk
    second = explain.report(again, request)
    for name in ("signature", "source", "parameters", "activity", "stages", "cache", "facts", "versions", "options"):
        assert getattr(first, name) == getattr(second, name), name


def test_no_derivative_no_report(explained) -> None:
    with pytest.raises(DifferentiationError):
        explained("void f(double *x) { x[0] = 1; }", "f", (0,))


def test_a_hoisted_operation_keeps_its_line(explained) -> None:
    """At opt 2 the call of line 4 is computed before the branch of line 3."""
    power = row(explained(RELU3, "relu3"), "%0")
    assert (power.opcode, power.line) == ("call", 4)


def test_options_that_differ_are_listed(explained) -> None:
    assert dict(explained(RELU3, "relu3", opt=0).options) == {"opt": "0", "post_opt": "3"}


def test_the_optimized_gradient_is_more_than_its_entry() -> None:
    """Where LLVM keeps both apart (it takes what asks for much memory for cold), the entry is two instructions."""
    text = """double __enzyme_autodiff(void *, ...);
static double f(double x) { return x * x * x - 2; }
double root(double x) {
    for (int i = 0; i < 20; i++) x -= f(x) / __enzyme_autodiff((void *)f, x);
    return x;
}"""
    stages = {stage.name: stage for stage in em.compile_c(text).root.report.stages}
    assert stages["gradient-optimized"].instructions > 100
    assert sum(len(block.lines) for block in stages["gradient-optimized"].blocks) > 100

"""Answers to "why?": the verdict first, the chain behind it."""

from __future__ import annotations

import pytest

import enzyme_magic as em
from enzyme_magic.backend import explain
from enzyme_magic.errors import ArgumentError
from enzyme_magic.report import Report

from .programs import RELU3

DOT = """double dot(const double *x, const double *y, double unused, int n) {
    double s = 0;
    for (int i = 0; i < n; i++)
        s += x[i] * y[i];
    return s;
}
"""


@pytest.fixture
def relu3(explained) -> Report:
    return explained(RELU3, "relu3", opt=0)


def test_an_instruction(relu3: Report) -> None:
    assert explain.why(relu3, "%0").split("\n") == [
        "result = pow(x, 3) is active: it depends on x and reaches the result (line 4)",
        "  result = pow(x, 3) varies because x goes through pow (line 4)",
        "    x is an active parameter (line 1)",
        "  result = pow(x, 3) matters because it is needed later (line 4)",
        "    result matters because it is returned (line 7)",
        "      the returned value is what relu3 is differentiated for",
    ]


def test_a_line(relu3: Report) -> None:
    lines = explain.why(relu3, "line 3").split("\n")
    assert lines[0] == "line 3 is inactive: x > 0 decides which branch, carries no derivative"
    assert any("x > 0 is inactive" in line for line in lines)
    assert explain.why(relu3, 3) == explain.why(relu3, "line 3")
    assert explain.why(relu3, "line 4").startswith("line 4 is active: pow(x, 3)\n  result = pow(x, 3) is active")
    assert explain.why(relu3, "line 6") == "line 6 is inactive: constant"


def test_a_parameter(relu3: Report) -> None:
    lines = explain.why(relu3, "x").split("\n")
    assert lines[0] == "x is an active parameter (line 1)"
    assert explain.why(relu3, wrt="x") == explain.why(relu3, "x") == explain.why(relu3)


def test_an_identifier(relu3: Report) -> None:
    assert explain.why(relu3, "i2") == explain.why(relu3, "%0")


def test_two_directions(explained) -> None:
    report = explained(DOT, "dot", (0, 2))
    assert explain.why(report, "y").startswith(
        "y is inactive: what it points to carries no derivative from an active parameter"
    )
    assert explain.why(report, wrt="unused").startswith("unused is inactive: it carries no derivative to the result")
    assert explain.why(report, wrt=("x", "n")).split("\n")[-1] == (
        "n is inactive: a whole number carries no derivative (line 1)"
    )


def test_each_fact_is_told_once(explained) -> None:
    lines = explain.why(explained(DOT, "dot", (0, 1)), "line 4").split("\n")
    told = [line.strip() for line in lines]
    assert len(told) == len(set(told))


def test_what_is_not_there(relu3: Report) -> None:
    with pytest.raises(ArgumentError, match="no instruction of line 99") as error:
        explain.why(relu3, "line 99")
    assert error.value.code == "EM321"
    assert "lines with instructions: 3, 4, 7" in (error.value.hint or "")
    with pytest.raises(ArgumentError, match="no value %nothing") as error:
        explain.why(relu3, "%nothing")
    assert "%cmp" in (error.value.hint or "")
    with pytest.raises(ArgumentError, match="no value nothing") as error:
        explain.why(relu3, "nothing")
    assert error.value.hint == "values: x, x > 0, pow(x, 3), result"
    assert explain.why(relu3, "pow(x, 3)") == explain.why(relu3, "%0")


def test_a_report_read_from_disk_answers_too(relu3: Report) -> None:
    assert explain.why(Report.from_json(relu3.to_json()), "%0") == explain.why(relu3, "%0")


def test_the_middle_of_a_long_chain_is_counted(explained) -> None:
    steps = "\n".join(f"    s = s * x + sin(s - {k});" for k in range(60))
    report = explained(f"double long_one(double x) {{\n    double s = x;\n{steps}\n    return s;\n}}\n", "long_one")
    lines = explain.why(report, "line 3").split("\n")
    assert len(lines) < 80
    assert any("steps further …" in line for line in lines)
    assert max(len(line) - len(line.lstrip()) for line in lines) < 60
    assert any("the returned value is what long_one is differentiated for" in line for line in lines)


def test_requests_are_said_in_the_words_of_c(explained) -> None:
    """No name of the engine's: what C asks for, about which function."""
    source = """double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
static double f(double x, double a) { return a * x * x; }
double slopes(double x, double a) {
    double s = __enzyme_autodiff((void *)f, x, enzyme_const, a);
    return s * x + __enzyme_fwddiff((void *)f, x, 1.0, enzyme_const, a);
}
"""
    report = explained(source, "slopes")
    notes = {line.number: line.note for line in report.source}
    assert notes[5] == "active: __enzyme_autodiff(f, x, a)"
    assert not [fact.sentence for fact in report.facts if "em.request" in fact.sentence or "em.static" in fact.sentence]


def test_what_is_written_is_called_as_c_writes_it() -> None:
    """No "store", and no call where C has none."""
    program = em.compile_c(
        """void f(int n, const double *x, double *y, double *z, int *k) {
    for (int i = 0; i < n; i++) y[i] = x[i]*x[i];
    for (int i = 0; i < n; i++) z[i] = y[i];
    k[0] = n;
}
"""
    )
    report = program.f.report
    said = {fact.sentence for fact in report.facts}
    assert "y[i] = x[i]*x[i] is active: y[i] varies and what y points to matters" in said
    assert any(sentence.startswith("z[0 … n - 1] = y[0 … n - 1] is active: ") for sentence in said)
    assert any(
        sentence.startswith("k[0] = n is inactive: ") or sentence.startswith("*k = n is inactive: ")
        for sentence in said
    )
    assert not any(word in sentence for sentence in said for word in ("the store", "the call is"))

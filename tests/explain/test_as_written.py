"""Conditions, members, choices and limits in the words of the source, where LLVM has other ones."""

from __future__ import annotations

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.backend.explain.words.arithmetic import same_test
from enzyme_magic.backend.explain.words.c_operators import is_part
from enzyme_magic.report import Report

SOURCE = """#include <math.h>
typedef struct { int n; double c[4]; } Poly;
typedef struct { double w[3], bias; } Layer;
typedef struct { double pos, vel; } Ball;
double early(const double *x, int n, double limit) {
  if (n <= 0) return 0;
  if (x[0] < 0) return -x[0];
  double s = 0;
  for (int i = 0; i < n; i++) {
    if (x[i] > limit) return s*limit;
    s += x[i]*x[i];
  }
  return s;
}
double band(double x, double lo, double hi) {
  double c = x < lo ? lo : x > hi ? hi : x;
  double w = x < lo ? 1 : x > hi ? 2 : 0;
  return c*c + w*x;
}
double horner(const Poly *p, double x) {
  double r = 0;
  for (int k = p->n - 1; k >= 0; k--) r = r*x + p->c[k];
  return r;
}
double layers(const Layer *l, int count, double x) {
  for (int k = 0; k < count; k++)
    for (int i = 0; i < 3; i++) x += l[k].w[i]*x;
  return x + l[2].w[1];
}
double bounce(double h, double v, double dt, int steps) {
  Ball b = { h, v };
  for (int i = 0; i < steps; i++) {
    b.pos += b.vel*dt;
    if (b.pos < 0) b.pos = -b.pos;
  }
  return b.pos;
}
double power(double x, int k) {
  if (k == 0) return 1;
  double half = power(x, k/2);
  return k % 2 ? x*half*half : half*half;
}
double triangle(int n, double m[n][n], const double *x) {
  double total = 0;
  for (int i = 0; i < n; i++) {
    double row = 0;
    for (int j = 0; j <= i; j++) row += m[i][j]*x[j];
    m[i][i] = row;
    total += row*row;
  }
  return total;
}
static double inner(double u) { return u*u + 1; }
static double middle(double u) { return log(inner(u)); }
double chain(double x, double y) { return middle(middle(x)*y) - x; }
double capped(int n, const double *x) {
  double s = 1;
  for (int i = 0; i < n && i < 64; i++) s = s*x[i] + sin(s);
  return s;
}
double settles(int n, const double *x, double tol) {
  double total = 0;
  for (int i = 0; i < n; i++) {
    double term = x[i];
    for (int k = 1; k <= 20 && fabs(term) > tol; k++) term = sin(term)*term;
    total += term;
  }
  return total;
}
double parse(const char *s, double x) {
  double r = 1;
  for (; *s; s++) r = *s == '+' ? r + x : r*x;
  return r/2;
}
double circle(double zr, double zi, double cr, int most) {
  int k = 0;
  do {
    double t = zr*zr - zi*zi + cr;
    zi = 2*zr*zi;
    zr = t;
  } while (++k < most);
  return zr*zr + zi*zi;
}
"""


@pytest.fixture(scope="module", params=[0, 1, 2])
def opt(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.fixture(scope="module")
def program(opt: int) -> em.Program:
    return em.compile_c(SOURCE, opt=opt)


def notes(report: Report) -> str:
    return "\n".join(line.note for line in report.source if line.note)


def labels(report: Report) -> set[str]:
    return {edge.label for edge in report.activity.edges if edge.label}


def test_conditions_are_those_of_the_source(program: em.Program) -> None:
    """LLVM has `n < 1` for `n <= 0`; what is asked at the end of a loop is whether it is done; ways that clang notes in a number
    come from lines."""
    report = program.early.report
    assert "x[0] < 0 decides which branch" in notes(report)
    found = labels(report)
    assert {"n <= 0", "x[0] < 0", "x[i] > limit"} <= found
    assert not [label for label in found if "…" in label or label in ("n < 1", "*x < 0", "i + 1 == n")]


def test_each_choice_of_a_line_decides(program: em.Program, opt: int) -> None:
    """Also one for which clang makes no branch. And what LLVM makes of a choice between constants is not that variable."""
    report = program.band.report
    told = {line.text.strip(): line for line in report.source if line.note}
    chosen = told["double w = x < lo ? 1 : x > hi ? 2 : 0;"]
    assert chosen.note == "x < lo, x > hi decide which branch, carry no derivative"
    assert chosen.mark == "inactive"
    assert "c*c + w" not in told["return c*c + w*x;"].note.replace("c*c + w*x", "")
    assert [row.expression for row in report.cache.rows if "…" in row.expression] == []


def test_members_are_told_as_c_has_them(program: em.Program) -> None:
    assert "active: r*x + p->c[k]" in notes(program.horner.report)
    assert "l[k].w[i]*x + x" in notes(program.layers.report)
    assert "l[2].w[1]" in notes(program.layers.report)
    assert "active: b.pos = h, b.vel = v" in notes(program.bounce.report)
    assert notes(program.bounce.report).endswith("active: b.pos")


def test_both_sides_of_a_choice_are_told(program: em.Program, opt: int) -> None:
    if opt == 0:
        assert "active: x*half*half, half*half; k%2 != 0 decides which branch" in notes(program.power.report)
    assert "active: row*row + total" in notes(program.triangle.report)


def test_lines_of_helpers_are_told_in_their_own_words(program: em.Program, opt: int) -> None:
    if opt:
        told = [line.note for line in program.chain.report.source if line.text.startswith("static")]
        assert told == ["active: u*u + 1", "active: log(inner(u))"]


def test_a_value_of_two_variables_is_told_by_the_one_of_the_line(program: em.Program, opt: int) -> None:
    if opt == 0:
        assert notes(program.circle.report).endswith("active: zr*zr + zi*zi")
    assert "zr*zr - zi*zi + cr" in notes(program.circle.report)
    assert notes(program.parse.report).endswith("active: r/2")


def test_characters_are_told_as_such(program: em.Program) -> None:
    assert not [row.expression for row in program.parse.cache().rows if "43" in row.expression]


@pytest.mark.parametrize("size", [0, 3, 64, 80])
def test_a_number_among_the_conditions_of_a_loop_is_a_limit(size: int, program: em.Program, opt: int) -> None:
    function, x = program.capped, np.linspace(0.1, 0.9, 80)
    assert function.report.cache.total == ("8*min(n, 64)" if opt else "8*min(n, 64) + 8")
    measured = function.cache(at=(size, x)).measured
    assert measured is None or measured.predicted == measured.kept  # nothing is measured where nothing is kept


@pytest.mark.parametrize("size", [-2, 0, 1, 63, 64, 70])
def test_conditions_that_meet_in_a_merge_count_right(size: int, program: em.Program) -> None:
    """`a && b` is two branches without optimization; room for the tape is made by their count."""
    x = np.linspace(0.1, 0.9, 80)
    gradient = em.grad(program.capped)(size, x)
    step = 1e-6
    for k in (0, 62, 64):
        up, down = x.copy(), x.copy()
        up[k] += step
        down[k] -= step
        assert gradient[k] == pytest.approx(
            (program.capped(size, up) - program.capped(size, down)) / (2 * step), abs=1e-7
        )


def test_a_limit_of_an_inner_loop_counts_for_each_visit(program: em.Program, opt: int) -> None:
    words = "iterations of the loop at line 65 (at most 20*n)" if opt else "tests of the loop at line 65 (at most 21*n)"
    assert words in program.settles.report.cache.total


def test_whether_a_loop_ran_is_told_of_loops_that_nobody_can_count() -> None:
    source = "#include <math.h>\ndouble f(double x, double tol) {\n  while (x > tol) x = x*sin(x);\n  return x;\n}"
    rows = [row.expression for row in em.compile_c(source).f.cache().rows]
    assert "whether the loop at line 3 ran" in rows


@pytest.mark.parametrize(
    ("text", "whole", "part"),
    [
        ("half*half", "x*half*half", False),
        ("x*half", "x*half*half", True),
        ("a + b", "(a + b)*c", True),
        ("a + b", "a + b*c", False),
        ("a + b", "c - a + b", False),
        ("s", "sin(x)", False),
        ("a[i]", "2*a[i]", True),
        ("x*y", "z - x*y", True),
        ("a*b", "c/a*b", False),
        ("a < b", "f(a < b)", True),
        ("a < b", "a < b && c", False),
    ],
)
def test_operands_are_those_that_c_reads(text: str, whole: str, part: bool) -> None:
    assert is_part(text, whole) == part


def test_comparisons_are_the_same_by_their_limits() -> None:
    assert same_test("n < 1", "n <= 0", whole=True)
    assert same_test("n > 3", "n >= 4", whole=True)
    assert not same_test("n < 1", "n < 0", whole=True)
    assert not same_test("n > 0", "i < n", whole=True)
    assert same_test("t > a[j]", "a[j] > a[j + 1]", whole=False)

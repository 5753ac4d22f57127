"""Why a gradient is zero: one test for each reason, and for none."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.errors import ArgumentError

RELU3 = """double relu3(double x) {
  double result;
  if (x > 0)
    result = x*x*x;
  else
    result = 0;
  return result;
}
"""


def test_not_zero() -> None:
    why = em.why_zero(em.compile_c(RELU3)["relu3"], (2.0,))
    assert why.kind == "not zero"
    assert str(why) == "the gradient with respect to x is not zero"


def test_the_branch_taken_is_constant() -> None:
    why = em.why_zero(em.compile_c(RELU3)["relu3"], (-1.0,), "x")
    assert why.kind == "branch"
    assert why.lines == (3,)
    assert "on the way this call takes" in str(why)
    assert "line 3: the condition is false" in str(why)


def test_only_the_number_is_zero() -> None:
    why = em.why_zero(em.compile_c("double f(double x) { return x * x; }")["f"], 0.0)
    assert why.kind == "number"


def test_zero_in_the_taken_branch_is_a_number() -> None:
    source = "double f(double x) {\n  if (x >= 0)\n    return x * x;\n  return 1;\n}\n"
    assert em.why_zero(em.compile_c(source)["f"], (0.0,), 0).kind == "number"
    assert em.why_zero(em.compile_c(source)["f"], (-1.0,), 0).kind == "branch"


def test_the_value_does_not_reach_the_result() -> None:
    function = em.compile_c("double f(double x, double y) {\n  double unused = y * y;\n  return x;\n}\n")["f"]
    why = em.why_zero(function, (1.0, 2.0), "y")
    assert why.kind == "does not reach the result"
    assert "whatever the arguments are" in str(why)
    assert why.lines


def test_what_the_value_can_reach_the_result_through() -> None:
    program = em.compile_c("""double fl(double x) {
  return floor(x);
}
double number(double x) { int k = (int)x; return k*2.0; }
double chosen(double x) { return x > 2 ? 1 : 0; }
static double helper(double x) { return rint(x)*3; }
double both(double x, double y) { return helper(x) + (x > y)
  + 1; }
__attribute__((enzyme_inactive)) double off(double x) { return x*x; }
double through(double x) { return off(x); }
double early(double x, double y, int n) { for (int i = 0; i < n; i++) if (y*i > 3) return y; return x; }
""")
    for name, says in {
        "fl": "only through floor (line 2), whose derivative is zero",
        "number": "only through a conversion to an integer (line 4), whose derivative is zero",
        "chosen": "only through a comparison (line 5), whose derivative is zero",
        "both": "only through rint (line 6) and a comparison (line 7), whose derivatives are zero",
        "through": "through calls off, and no derivative goes through what is inactive",
    }.items():
        function = program[name]
        why = em.why_zero(function, (2.5,) * len(function.c_signature.parameters), "x")
        assert why.kind == "does not reach the result"
        assert says in str(why)
    beside = em.why_zero(program.early, (1.0, 2.0, 5), "x")  # that another function is inactive does not matter
    assert beside.kind == "branch"


def test_marked_const_or_of_a_type_without_derivatives() -> None:
    function = em.compile_c("double f(double x, double w, int n) { return x * w * n; }", activity={"w": "const"})["f"]
    why = em.why_zero(function, (1.0, 2.0, 3), "w")
    assert why.kind == "const"
    assert "marked const" in str(why)
    assert em.why_zero(function, (1.0, 2.0, 3), "n").kind == "const"


def test_arrays_and_loops() -> None:
    source = """double f(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    if (x[i] > 10)
      s += x[i];
  }
  return s;
}
"""
    function = em.compile_c(source, shape={"x": "n"})["f"]
    x = np.arange(4.0)
    why = em.why_zero(function, (x, 4), "x")
    assert why.kind == "branch"
    assert 4 in why.lines
    assert em.why_zero(function, (x, 0), "x").kind == "branch", "no iteration at all"
    assert em.why_zero(function, (x + 20, 4), "x").kind == "not zero"
    assert np.array_equal(x, np.arange(4.0))


def test_the_answer_is_frozen_and_mistakes_are_named() -> None:
    function = em.compile_c("double f(double x, double y) { return x * y; }")["f"]
    why = em.why_zero(function, (0.0, 0.0), "x")
    with pytest.raises(dataclasses.FrozenInstanceError):
        why.kind = "other"  # type: ignore[misc]
    with pytest.raises(ArgumentError, match="no parameter 'z'") as caught:
        em.why_zero(function, (1.0, 2.0), "z")
    assert "x, y" in str(caught.value)
    with pytest.raises(ArgumentError, match="one parameter"):
        em.why_zero(function, (1.0, 2.0))


def test_a_line_that_is_not_there_is_an_error() -> None:
    table = em.compile_c(RELU3)["relu3"].activity()
    assert table.line(3)
    assert table.line(2) == (), "a line without instructions of its own"
    with pytest.raises(ArgumentError, match="no instruction of line 99") as caught:
        table.line(99)
    assert "lines with instructions: " in str(caught.value)


ONLY_DERIVATIVES = """
double sw(double x, double y, int k) { switch (k) { case 0: return x; case 1: return y; default: return x*y; } }
double early(double x, double y, int n) { for (int i = 0; i < n; i++) { if (y*i > 3) return y; } return x; }
static double chosen(double p, double q) { if (q > 0) return p; return 1; }
double helper(double a, double b) { return chosen(a, b); }
double element(double a, double b) { double v[2] = {a, 1.0}; return v[b < 0]; }
double fl(double x) { return floor(x); }
double whole(double x) { int k = (int)x; return k*2.0; }
__attribute__((enzyme_inactive)) double ina(double x) { return x*x; }
double f1(double x) { return ina(x); }
"""


def test_only_what_is_proven_is_said() -> None:
    p = em.compile_c(ONLY_DERIVATIVES)
    calls = [
        (p.sw, (1.0, 2.0, 0), "y"),
        (p.early, (1.0, 2.0, 5), "x"),
        (p.fl, 2.3, "x"),
        (p.whole, 2.3, "x"),
        (p.f1, 2.3, "x"),
    ]
    calls += [(p.helper, (0.7, -1.0), "a"), (p.element, (0.7, -1.0), "a")]
    for function, args, name in calls:
        why = em.why_zero(function, args, name)
        assert "reaches the result" not in str(why), "a value that need not"
        assert "value" not in why.sentences[0], "values do reach the result through floor"
        assert "no derivative goes" in str(why) or "may go" in str(why)


def test_what_is_said_of_a_call_was_seen_in_it() -> None:
    program = em.compile_c("""#include <math.h>
static double helper(double p, double q) { if (q > 0) return p; return 1; }
double viahelper(double a, double b) { return helper(a, b); }
double chosen(double a, double b) { double v[2] = {a, 1.0}; return v[b < 0]; }
double cases(double a, double b) { switch ((int)b) { case 0: return a; case 1: return b; default: return a * b; } }
double early(double a, double b) { for (int i = 0; i < 5; i++) { if (b * i > 3) return b; } return a; }
double steps(double a, double b) { return floor(a) * b + (int)a; }
double product(double a, double b) { return a * b; }
""")
    for name, b in (("viahelper", -1.0), ("chosen", -1.0), ("cases", 1.0), ("early", 2.0)):
        why = em.why_zero(program[name], (0.7, b), "a")
        assert why.kind == "branch", name
        assert "no derivative goes from a to the result" in str(why)
        assert program[name](0.7, b) == program[name](9.0, b)
    assert em.why_zero(program.product, (0.7, 0.0), "a").kind == "number"
    steps = em.why_zero(program.steps, (2.3, 1.5), "a")
    assert "no derivative goes from a to the result" in str(steps)
    assert "the value" not in str(steps)


ENDS = """
double f0(double x) { return 2.0*ilogb(x) + (x < 3); }
double f1(double x) { return lround(x)*1.0 + llrint(x); }
double f2(double x) { int e; double m = frexp(x, &e); return e; }
double f3(double x) { return isnan(x) ? 1 : isfinite(x) ? 2 : 3; }
double f4(double x) { return signbit(x) ? 1 : 2; }
static int big(double x) { return x > 2; }
double f5(double x) { if (big(x)) return 1; return 2; }
double f6(double x) { double a = floor(x);
  int b = (int)ceil(a*0.5);
  return b > 1; }
double f7(double x) { double t[4] = {1, 2, 3, 4};
  int k = (int)x;
  return floor(t[k]); }
double fraction(double x) { int e; return frexp(x, &e)*x; }
"""
SAID = [
    "a comparison (line 2) and ilogb (line 2)",
    "llrint (line 3) and lround (line 3)",
    "the exponent of frexp (line 4)",
    "isfinite (line 5) and isnan (line 5)",
    "signbit (line 6)",
    "a comparison (line 7)",
    "floor (line 9), a conversion to an integer (line 10), ceil (line 10) and a comparison (line 11)",
    "a conversion to an integer (line 13) and floor (line 14)",
]


def test_all_that_is_on_the_way_is_named() -> None:
    p = em.compile_c(ENDS)
    for k, said in enumerate(SAID):
        text = str(em.why_zero(p[f"f{k}"], (2.7,)))
        assert f"can reach it only through {said}, whose derivative" in text, text
    assert em.why_zero(p.fraction, (2.7,)).kind == "not zero"
    assert "carried" in str(p.fraction.activity(at=(2.7,)))  # followed in the call, beside the analysis


def test_an_integer_carries_no_derivative() -> None:
    p = em.compile_c("enum e { A }; double f(double a, int n, const long *k, enum e q) { return a*n*k[0]*q; }")
    for wrt in ("n", "k", "q"):
        why = em.why_zero(p.f, (1.0, 3, np.ones(1, np.int64), 0), wrt)
        assert why.kind == "const"
        assert "an integer carries no derivative" in str(why), why
    marked = em.compile_c("double f(double a, double b) { return a*b; }", activity={"a": "const"}).f
    assert "integer" not in str(em.why_zero(marked, (1.0, 2.0), "a"))

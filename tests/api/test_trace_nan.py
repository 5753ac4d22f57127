"""Where NaN and infinity are born: in the value, in the gradient, in called functions; and what is no birth."""

from __future__ import annotations

import numpy as np
import pytest

import enzyme_magic as em

C = """
double f(double x, double y) {
  double t = x * y;
  double r = sqrt(t);
  return r * y + 2;
}
static double inner(double v) {
  return log(v);
}
double g(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += inner(x[i]);
  return s;
}
void h(double *x, double *out, int n) {
  for (int i = 0; i < n; i++)
    out[i] = 1 / x[i];
}
double guard(double x) { double bad = 1 / x; return x == 0 ? 0 : bad; }
double least(double *x, int n) { double m = INFINITY; for (int i = 0; i < n; i++) if (x[i] < m) m = x[i]; return m; }
static double norm(double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i] * x[i]; return sqrt(s); }
double total(double *x, int n) { return norm(x, n) + 1; }
double cancel(double x) {
  double far = exp(x);
  return far - far;
}
double setting = 1;
void set(double x) { setting = x; }
double uses(double x) {
  return x / setting;
}
double wide(double x) { long double w = x; return (double)(1 / w); }
"""


@pytest.fixture(scope="module")
def p():
    return em.compile_c(C)


@pytest.mark.parametrize(
    ("name", "arguments", "sweep", "what", "line", "numbers"),
    [
        ("f", (-1.0, 2.0), "value", "nan", 4, ["-2"]),
        ("f", (0.0, 2.0), "gradient", "inf", 4, ["2", "0"]),
        ("g", (np.array([1.0, 2.0, 0.0]), 3), "value", "-inf", 8, ["0"]),
        ("g", (np.array([1.0, -2.0]), 2), "value", "nan", 8, ["-2"]),
        ("h", (np.array([1.0, 0.0]), np.zeros(2), 2), "value", "inf", 18, ["1", "0"]),
        ("total", (np.zeros(3), 3), "gradient", "inf", 22, ["1", "0"]),
        ("cancel", (1000.0,), "value", "inf", 25, ["1000"]),
    ],
)
def test_the_first_birth_has_its_line_and_its_numbers(p, name, arguments, sweep, what, line, numbers):
    before = [np.copy(a) for a in arguments]
    found = getattr(p, name).trace_nan(*arguments)
    assert found
    first = found.births[0]
    assert (first.sweep, first.what, first.line) == (sweep, what, line)
    assert [number for _, number in first.values] == numbers
    assert first.source == C.splitlines()[line - 1].strip()
    assert f"line {line}: {first.source}" in str(found)
    assert all(np.array_equal(a, b) for a, b in zip(before, arguments, strict=True))


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("f", (1.0, 2.0)),
        ("guard", (0.0,)),
        ("least", (np.array([1.0, 2.0]), 2)),
        ("total", (np.ones(3), 3)),
        ("uses", (2.0,)),
    ],
)
def test_what_is_finite_or_thrown_away_is_no_birth(p, name, arguments):
    found = getattr(p, name).trace_nan(*arguments)
    assert not found, str(found)
    assert str(found) == f"{name}: all numbers are finite"


def test_a_nan_of_infinities_is_told_with_them(p):
    far, nan = p.cancel.trace_nan(1000.0).births
    assert (far.what, nan.what, nan.line) == ("inf", "nan", far.line + 1)
    assert [number for _, number in nan.values] == ["inf", "inf"]


def test_what_was_there_before_is_told(p):
    assert p.f.trace_nan(float("nan"), 1.0).reasons == ("x is not finite when the call begins",)
    p.set(0.0)
    try:
        assert p.uses.trace_nan(2.0).births[0].line == 31
    finally:
        p.set(1.0)


def test_what_cannot_be_followed_is_said(p):
    def said(*arguments):
        return str(p.f.trace_nan(*arguments))

    text = em.compile_ir(p.f.ir("optimized"))
    assert "target" not in str(text.f.trace_nan(0.0, 2.0))
    assert "the value was not followed" in str(p.wide.trace_nan(0.0))
    with pytest.raises(em.ArgumentError):
        said(1.0)

"""The watched run beside the program itself and its derivatives: same values, same tangents; and what it says of one call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.api.checks import watching
from enzyme_magic.backend.tracing.record import ADDRESS, COMPARISON, INTEGER, ROUNDING, NotDecided, WatchedRun
from enzyme_magic.testing import GradientMismatch

SOURCE = """
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef struct { double w[2]; int n; double *p; } Pack;
static double memo = 3.0, table[4] = {1, 2, 3, 4};
static double *which = table + 1;
__attribute__((noinline)) static double twice(Pack q) { q.w[0] *= 2; return q.w[0] + q.n; }
__attribute__((noinline)) static double fold(const double *a, int n) { return n ? a[0] * fold(a + 1, n - 1) : 1; }
void set_memo(double v) { memo = v; which = table + 2; }
double smooth(double x, double y) { return sin(x)*exp(y/3) + pow(x, 2.5) - log1p(y) + atan2(y, x) + cbrt(x) + fma(x, y, x); }
double pieces(double x, double y) { return floor(x) * y + fmax(x, y) + fabs(x - y) + fmod(y, x) + copysign(x, -y); }
double loops(const double *a, int n) { double s = 1; for (int i = 0; i < n; i++) if (a[i] > 0) s = s*a[i] + 1; return s; }
double block(const double *a, int n) {
  double *t = malloc(n * sizeof *t), s = 0;
  memcpy(t, a, n * sizeof *t);
  t = realloc(t, 2 * n * sizeof *t);
  for (int i = 0; i < n; i++) t[n + i] = t[i] * t[i];
  for (int i = 0; i < 2 * n; i++) s += t[i];
  free(t);
  return s;
}
double pack(double x, const double *a) { Pack q = {{x, a[0]}, 2, 0}; q.p = q.w + 1; return twice(q) * *q.p; }
double recursive(const double *a, int n) { return fold(a, n); }
double state(double x) { return x * memo + *which * x; }
double carried(double x) { uint64_t u; memcpy(&u, &x, 8); double y; memcpy(&y, &u, 8); return y * y; }
double rounded(double x, const double *a) { return a[(int)x] * x; }
double hashed(double x) { uint64_t u; memcpy(&u, &x, 8); u = u * 2 + 1; return (double)(u & 7) + x; }
double single(float x, const float *a) { return x * a[0] / 3.0f; }
void fill(double *out, const double *a, int n) { for (int i = 0; i < n; i++) out[i] = a[i] * a[i]; }
double far(double x) { return ldexp(x, 5000) + fmod(x, 0.0); }
double talks(double x) { int n = printf("%g\\n", x); return x * n; }
double talks_only(double x) { printf("%g\\n", x); return 3 * x; }
double endless(double x) { volatile int go = 1; while (go) x += 1e-9; return x; }
double outside(const double *a, int n) { return a[(int)a[0] + n]; }
"""
A = np.array([0.5, -1.25, 2.0, 1.5])


@pytest.fixture(scope="module", params=[0, 2])
def program(request: pytest.FixtureRequest) -> em.Program:
    return em.compile(SOURCE, opt=request.param, define={"_FORTIFY_SOURCE": "0"})


def _run(program: em.Program, name: str, *args: Any, outputs: Sequence[int] = ()) -> WatchedRun:
    function = program[name]
    values = function.arguments().convert(args, {})
    return watching.run_of(function, values, dict.fromkeys(function.choose(None).indices), outputs)


CASES: dict[str, tuple[Any, ...]] = {
    "smooth": (0.75, 1.25),
    "pieces": (1.75, 2.5),
    "loops": (A, 4),
    "block": (A, 4),
    "pack": (1.5, A),
    "recursive": (A, 4),
    "state": (1.5,),
    "rounded": (2.25, A),
    "single": (1.5, A.astype(np.float32)),
}


@pytest.mark.parametrize("name", CASES)
def test_value_and_tangent_are_those_of_the_program(program: em.Program, name: str) -> None:
    args = CASES[name]
    run = _run(program, name, *args)
    assert run.value == pytest.approx(float(program[name](*args)), rel=1e-6 if name == "single" else 1e-14)
    gradient = em.grad(program[name])(*args)
    parts = [gradient] if not isinstance(gradient, tuple) else list(gradient)
    assert run.tangent == pytest.approx(
        sum(float(np.sum(part)) for part in parts), rel=1e-6 if name == "single" else 1e-9
    )


def test_bits_that_are_moved_keep_their_derivative() -> None:
    program = em.compile(SOURCE, opt=0)
    run = _run(program, "carried", 1.5)
    assert (run.value, run.tangent) == (2.25, 3.0)
    assert not run.lost


def test_it_begins_with_the_program_as_it_is(program: em.Program) -> None:
    program.set_memo(5.0)
    assert _run(program, "state", 2.0).value == program.state(2.0) == 2 * 5.0 + 3.0 * 2
    program.set_memo(3.0)


def test_nothing_of_the_caller_changes(program: em.Program, capfd: pytest.CaptureFixture[str]) -> None:
    out = np.zeros(4)
    _run(program, "fill", out, A, 4, outputs=(0,))
    assert not out.any()
    assert _run(program, "talks_only", 2.0).tangent == 3.0
    assert capfd.readouterr().out == ""


@pytest.mark.parametrize(
    ("name", "how"), [("rounded", ROUNDING), ("loops", COMPARISON), ("hashed", INTEGER), ("pieces", ROUNDING)]
)
def test_where_a_dependence_ends_is_said(program: em.Program, name: str, how: str) -> None:
    args = CASES.get(name, (1.5,))
    assert how in {kind for _, kind in _run(program, name, *args).lost}
    assert ADDRESS not in {kind for _, kind in _run(program, name, *args).lost}


@pytest.mark.parametrize("x", [1.5, -1e308, float("inf"), float("nan")])
def test_numbers_that_are_not_finite_end_no_run(program: em.Program, x: float) -> None:
    assert np.isnan(_run(program, "far", x).value)
    assert np.isnan(program.far(x))


@pytest.mark.parametrize(
    ("name", "args", "reason"),
    [
        ("talks", (1.5,), "not known"),
        ("endless", (1.5,), "instructions"),
        ("outside", (A, 4), "does not know"),
    ],
)
def test_what_cannot_be_followed_is_said(program: em.Program, name: str, args: tuple[Any, ...], reason: str) -> None:
    function = program[name]
    with pytest.raises(NotDecided, match=reason):
        watching.run_of(function, function.arguments().convert(args, {}), {0: None}, steps=20_000)


def test_one_call_and_the_prediction() -> None:
    relu = em.compile("double f(double x) { if (x > 0) return x*x*x; return 0; }").f
    inside, outside = relu.activity(at=2.0), relu.activity(at=-2.0)
    assert "predicted active, and carried a derivative once" in repr(inside)
    assert "predicted, but this call did not" not in repr(inside)
    assert "carried" not in repr(outside)
    assert repr(outside).count("predicted, but this call did not") == sum(row.verdict.active for row in outside.rows)
    assert "ends here once, in a comparison" in repr(outside)
    assert "this call was not followed" in repr(
        em.compile("long double g(long double x) { return x; }").g.activity(at=2.0)
    )
    assert relu.activity().report.watched is None
    saved = em.Report.from_json(inside.report.to_json())
    assert saved == inside.report


def test_a_third_opinion_at_kinks_and_where_differences_are_too_rough() -> None:
    program = em.compile("""#include <math.h>
    double step(double x) {
      if (x > 2) return x*x*x - 4;
      return x*x; }
    double clamped(double x) { return fmax(x, 2.0) * x; }
    double wild(double x) { return sin(1e9*x); }""")
    for name, line in (("step", 3), ("clamped", 5)):
        with pytest.raises(GradientMismatch) as caught:
            em.check_grads(program[name], (2.0,))
        assert caught.value.kink.startswith(f"at x = 2 a comparison at line {line} changes: left ")
    assert "left 4, right 12; the gradient is 4" in str(caught.value.kink) or name == "clamped"
    assert em.check_grads(program.wild, (0.3,)).rough == 1
    assert em.check_grads(program.wild, (0.0,)).points == 1

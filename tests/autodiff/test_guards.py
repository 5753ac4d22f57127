"""Guards: where the code does not take an arm, that arm's derivative has no say, whatever O2 made of the branch.

At and beyond each guard point all levels and plans give the same number; around it the differences decide.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from .harness import check

SOURCE = """
#include <math.h>
double guarded_sqrt(double x) { if (x > 0) return sqrt(x); return 0; }
double guarded_reciprocal(double x) { return x != 0 ? 1/x : 0; }
double guarded_log(double x) { double r = 0; if (x > 0) r = log(x); return r; }
double guarded_log_other(double x) { return x > 0 ? log(x) : x; }
double guarded_pow(double x) { if (x > 0) return pow(x, 0.5); return -x; }
double guarded_asin(double x) { if (fabs(x) < 1) return asin(x); return 2*x; }
double guarded_acos(double x) { return x < 1 ? acos(x) : 0; }
double guarded_acosh(double x) { return x > 1 ? acosh(x) : 0; }
double guarded_hypot(double x, double y) { double r = x*x + y*y; return r > 0 ? hypot(x, y) : 0; }
double guarded_norm(double x, double y) { double r = x*x + y*y; if (r == 0) return 0; return sqrt(r); }
double entropy(double x) { return x > 0 ? x*log(x) : 0; }
double guarded_atan2(double x, double y) { return x == 0 && y == 0 ? 0 : atan2(y, x); }
double guarded_cbrt(double x) { return x == 0 ? 0 : cbrt(x); }
double sinc(double x) { return x == 0 ? 1 : sin(x)/x; }
double guarded_power_of(double x, double y) { return x > 0 ? pow(x, y) : 0; }

double nested(double x, double y) {
    double r = 0;
    if (x > 0) {
        r = sqrt(x);
        if (y > x)
            r += log(y - x);
    }
    return r + y;
}
double nested_selects(double x, double y) { return x > 0 ? (y > 0 ? sqrt(x)/y : log(x)) : (y > 0 ? 1/y : y); }
double both(double x, double y) { if (x > 0 && y > 0) return sqrt(x)*log(y); return x + 2*y; }
double either(double x, double y) { if (x <= 0 || y <= 0) return x; return sqrt(x*y)/y; }
double not_first(double x, double y) { if (!(x > 0)) return y; return sqrt(x)*y; }
double chain(double x) { return x <= 0 ? 0 : x < 1 ? sqrt(x) : x < 2 ? log(x) + 1 : 1/x; }
double guard_of_guard(double x) { double s = x > 0 ? sqrt(x) : 0; return s > 0 ? 1/s : 0; }
double clamp(double x) { double c = x < 0 ? 0 : x > 1 ? 1 : x; return sqrt(c*(1 - c) + 1); }
double clamp_then_root(double x) { double c = x > 0 ? x : 0; return c > 0 ? sqrt(c) : 3*x; }

double shared(double x, double y) { double e = x*y; return e > 0 ? sqrt(e) + log(e) : e*e; }
double shared_arms(double x, double y) { double d = x - y; return d > 0 ? sqrt(d)*x : 1/(1 + d*d); }
double shared_below(double x) { double s = sqrt(x); double l = x > 1 ? log(s - 1) : 0; return x > 0 ? s + l : 0; }
double partly_demanded(double x, double y) { double q = 1/x; double a = x > 0 ? q*y : 0; double b = x > 1 ? q : 0; return a + b; }
double condition_shares(double x) { double l = log(x); return l > 0 ? sqrt(l) : 0; }
double unguarded_too(double x) { double s = sqrt(x); return (x > 0 ? s : 0) + s; }

double in_loop(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++)
        if (x[i] > 0)
            s += sqrt(x[i]) + x[i]*log(x[i]);
    return s;
}
double in_loop_with_else(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++)
        s += x[i] != 0 ? 1/x[i] : 2*x[i];
    return s;
}
double carried(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++)
        s = s + x[i] > 0 ? sqrt(s + x[i]) : 0;
    return s;
}
double hoisted(const double *x, int n, double a) {
    double s = 0;
    for (int i = 0; i < n; i++)
        if (a > 0)
            s += x[i]*sqrt(a);
    return s;
}
double hoisted_division(const double *x, int n, double a, double b) {
    double s = 0;
    for (int i = 0; i < n; i++)
        s += x[i] > 0 ? x[i]*(a/b) : 1;
    return s;
}
double hoisted_log_other_loop(const double *x, int n, double a) {
    double s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (a > 0 && x[j] > 0)
                s += log(a)*x[j] + log(x[j]);
    return s;
}
double pairs(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double d = x[i] - x[j];
            if (i != j && d != 0)
                s += sqrt(fabs(d)) + 1/d/d;
        }
    return s;
}
double through_memory(double x, double y) {
    double t[2];
    t[0] = x > 0 ? sqrt(x) : 0;
    t[1] = y > 0 ? log(y) : 0;
    return t[0]*t[1] + t[0];
}
double product_of_guarded(double x, double y) { return (x > 0 ? sqrt(x) : 0)*(y > 0 ? 1/y : 0); }
float guarded_float(float x) { return x > 0 ? sqrtf(x) : 0; }
long double guarded_long(long double x) { return x > 0 ? sqrtl(x)*logl(x) : 0; }
double guarded_mixed(float x) { return x > 0 ? sqrt((double)x) : x; }
double maximum(double x, double y) { return x > y ? x : y; }
double fmax_tie(double x, double y) { return fmax(x, y); }
double magnitude(double x) { return fabs(x); }
double magnitude_by_branch(double x) { return x < 0 ? -x : x; }
double square_of_guarded(double x) { double s = x > 0 ? sqrt(x) : 0; return s*s; }
static double safe_log(double v) { return v > 0 ? log(v) : -1; }
double inlined(double x, double y) { return safe_log(x) + x*safe_log(y) + safe_log(x*y); }
double switch_guard(double x, int k) {
    switch (k) {
    case 0: return sqrt(x);
    case 1: return log(x);
    case 2: return 1/x;
    default: return x;
    }
}
double freed_by_finite_test(double x) { double q = 1/x; return isfinite(q) ? q : x; }
"""

INF, NAN = math.inf, math.nan

# function: arguments, gradient by the code that ran
AT_GUARDS = [
    ("guarded_sqrt", (0.0,), (0.0,)),
    ("guarded_sqrt", (-0.0,), (0.0,)),
    ("guarded_sqrt", (-1.0,), (0.0,)),
    ("guarded_sqrt", (NAN,), (0.0,)),
    ("guarded_reciprocal", (0.0,), (0.0,)),
    ("guarded_reciprocal", (-0.0,), (0.0,)),
    ("guarded_log", (0.0,), (0.0,)),
    ("guarded_log", (-2.0,), (0.0,)),
    ("guarded_log_other", (0.0,), (1.0,)),
    ("guarded_log_other", (-2.0,), (1.0,)),
    ("guarded_pow", (0.0,), (-1.0,)),
    ("guarded_pow", (-3.0,), (-1.0,)),
    ("guarded_asin", (1.0,), (2.0,)),
    ("guarded_asin", (-1.0,), (2.0,)),
    ("guarded_asin", (5.0,), (2.0,)),
    ("guarded_acos", (1.0,), (0.0,)),
    ("guarded_acos", (7.0,), (0.0,)),
    ("guarded_acosh", (1.0,), (0.0,)),
    ("guarded_acosh", (-4.0,), (0.0,)),
    ("guarded_hypot", (0.0, 0.0), (0.0, 0.0)),
    ("guarded_hypot", (0.0, -0.0), (0.0, 0.0)),
    ("guarded_norm", (0.0, 0.0), (0.0, 0.0)),
    ("entropy", (0.0,), (0.0,)),
    ("entropy", (-1.0,), (0.0,)),
    ("guarded_atan2", (0.0, 0.0), (0.0, 0.0)),
    ("guarded_cbrt", (0.0,), (0.0,)),
    ("sinc", (0.0,), (0.0,)),
    ("guarded_power_of", (0.0, 2.0), (0.0, 0.0)),
    ("guarded_power_of", (0.0, -1.0), (0.0, 0.0)),
    ("guarded_power_of", (-1.0, 0.5), (0.0, 0.0)),
    ("nested", (0.0, 1.0), (0.0, 1.0)),
    ("nested", (4.0, 4.0), (0.25, 1.0)),
    ("nested", (-1.0, -1.0), (0.0, 1.0)),
    ("nested_selects", (0.0, 0.0), (0.0, 1.0)),
    ("nested_selects", (0.0, 2.0), (0.0, -0.25)),
    ("nested_selects", (2.0, 0.0), (0.5, 0.0)),
    ("both", (0.0, 0.0), (1.0, 2.0)),
    ("both", (0.0, 3.0), (1.0, 2.0)),
    ("both", (3.0, 0.0), (1.0, 2.0)),
    ("both", (-1.0, -1.0), (1.0, 2.0)),
    ("either", (0.0, 0.0), (1.0, 0.0)),
    ("either", (2.0, 0.0), (1.0, 0.0)),
    ("either", (0.0, 2.0), (1.0, 0.0)),
    ("either", (-1.0, -1.0), (1.0, 0.0)),
    ("not_first", (0.0, 3.0), (0.0, 1.0)),
    ("not_first", (NAN, 3.0), (0.0, 1.0)),
    ("chain", (0.0,), (0.0,)),
    ("chain", (-1.0,), (0.0,)),
    ("chain", (1.0,), (1.0,)),
    ("chain", (2.0,), (-0.25,)),
    ("guard_of_guard", (0.0,), (0.0,)),
    ("guard_of_guard", (-1.0,), (0.0,)),
    ("clamp", (0.0,), (0.5,)),
    ("clamp", (1.0,), (-0.5,)),
    ("clamp", (-1.0,), (0.0,)),
    ("clamp", (2.0,), (0.0,)),
    ("clamp_then_root", (0.0,), (3.0,)),
    ("clamp_then_root", (-1.0,), (3.0,)),
    ("shared", (0.0, 5.0), (0.0, 0.0)),
    ("shared", (0.0, 0.0), (0.0, 0.0)),
    ("shared", (-1.0, 2.0), (-8.0, 4.0)),
    ("shared_arms", (1.0, 1.0), (0.0, 0.0)),
    ("shared_arms", (1.0, 2.0), (0.5, -0.5)),
    ("shared_below", (0.0,), (0.0,)),
    ("shared_below", (-1.0,), (0.0,)),
    ("shared_below", (1.0,), (0.5,)),
    ("partly_demanded", (0.0, 1.0), (0.0, 0.0)),
    ("partly_demanded", (1.0, 1.0), (-1.0, 1.0)),
    ("partly_demanded", (-1.0, 1.0), (0.0, 0.0)),
    ("condition_shares", (0.0,), (0.0,)),
    ("condition_shares", (1.0,), (0.0,)),
    ("condition_shares", (-1.0,), (0.0,)),
    ("unguarded_too", (0.0,), (INF,)),
    ("through_memory", (0.0, 0.0), (0.0, 0.0)),
    ("through_memory", (4.0, 0.0), (0.25, 0.0)),
    ("through_memory", (0.0, 2.0), (0.0, 0.0)),
    ("product_of_guarded", (0.0, 0.0), (0.0, 0.0)),
    ("product_of_guarded", (4.0, 0.0), (0.0, 0.0)),
    ("product_of_guarded", (0.0, 2.0), (0.0, 0.0)),
    ("guarded_float", (0.0,), (0.0,)),
    ("guarded_float", (-1.0,), (0.0,)),
    ("guarded_long", (0.0,), (0.0,)),
    ("guarded_long", (-1.0,), (0.0,)),
    ("guarded_mixed", (0.0,), (1.0,)),
    ("maximum", (2.0, 2.0), (0.0, 1.0)),
    ("magnitude_by_branch", (0.0,), (1.0,)),
    ("square_of_guarded", (0.0,), (0.0,)),
    ("inlined", (0.0, 0.0), (-1.0, 0.0)),
    ("inlined", (-1.0, 2.0), (math.log(2.0), -0.5)),
    ("switch_guard", (0.0, 3), (1.0,)),
    ("switch_guard", (-1.0, -7), (1.0,)),
    ("freed_by_finite_test", (0.0,), (1.0,)),
]

AROUND = [
    ("guarded_sqrt", (1e-5,)),
    ("guarded_sqrt", (2.0,)),
    ("guarded_reciprocal", (0.5,)),
    ("guarded_reciprocal", (-0.01,)),
    ("guarded_log", (0.01,)),
    ("guarded_log_other", (3.0,)),
    ("guarded_pow", (0.3,)),
    ("guarded_asin", (0.9,)),
    ("guarded_asin", (1.3,)),
    ("guarded_acos", (-0.5,)),
    ("guarded_acosh", (1.5,)),
    ("guarded_hypot", (0.3, -0.4)),
    ("guarded_norm", (0.3, 0.0)),
    ("entropy", (0.2,)),
    ("guarded_atan2", (-0.3, 0.8)),
    ("guarded_cbrt", (-0.7,)),
    ("sinc", (0.3,)),
    ("guarded_power_of", (0.4, 1.7)),
    ("nested", (0.5, 0.9)),
    ("nested", (0.9, 0.5)),
    ("nested_selects", (0.3, 0.7)),
    ("nested_selects", (0.3, -0.7)),
    ("nested_selects", (-0.3, 0.7)),
    ("both", (0.3, 0.7)),
    ("both", (-0.3, 0.7)),
    ("either", (0.3, 0.7)),
    ("not_first", (0.3, 0.7)),
    ("chain", (0.4,)),
    ("chain", (1.4,)),
    ("chain", (2.4,)),
    ("guard_of_guard", (0.4,)),
    ("clamp", (0.4,)),
    ("clamp_then_root", (0.4,)),
    ("shared", (0.4, 0.7)),
    ("shared", (-0.4, 0.7)),
    ("shared_arms", (0.9, 0.2)),
    ("shared_below", (0.5,)),
    ("shared_below", (2.5,)),
    ("partly_demanded", (0.5, 0.3)),
    ("partly_demanded", (1.5, 0.3)),
    ("condition_shares", (1.7,)),
    ("unguarded_too", (0.6,)),
    ("through_memory", (0.6, 0.7)),
    ("product_of_guarded", (0.6, 0.7)),
    ("guarded_float", (0.625,)),
    ("guarded_long", (0.6,)),
    ("guarded_mixed", (0.625,)),
    ("maximum", (0.2, 0.3)),
    ("fmax_tie", (0.2, 0.3)),
    ("magnitude", (-0.3,)),
    ("magnitude_by_branch", (-0.3,)),
    ("square_of_guarded", (0.3,)),
    ("inlined", (0.3, 0.4)),
    ("switch_guard", (0.3, 0)),
    ("switch_guard", (0.3, 1)),
    ("switch_guard", (0.3, 2)),
    ("freed_by_finite_test", (0.3,)),
]


def _label(case: tuple) -> str:
    return f"{case[0]}{case[1]}"


@pytest.mark.parametrize("case", AT_GUARDS, ids=_label)
def test_at_the_guard(case: tuple) -> None:
    function, arguments, expected = case
    check(SOURCE, function, arguments, expected=expected, exact=True)


@pytest.mark.parametrize("case", AROUND, ids=_label)
def test_around_the_guard(case: tuple) -> None:
    function, arguments = case
    check(SOURCE, function, arguments)


ZEROS = np.array([0.0, 4.0, 0.0, -1.0, -0.0])


def test_guard_in_a_loop() -> None:
    check(SOURCE, "in_loop", [ZEROS, 5], expected=[0, 0.25 + math.log(4) + 1, 0, 0, 0])
    check(SOURCE, "in_loop", [np.array([0.3, 0.5, -0.2]), 3])


def test_guard_in_a_loop_with_else() -> None:
    check(SOURCE, "in_loop_with_else", [ZEROS, 5], expected=[2, -1 / 16, 2, -1, 2], exact=True)


def test_guard_carried_around_a_loop() -> None:
    check(SOURCE, "carried", [np.array([0.0, -1.0, 0.0, 4.0, -2.0]), 5], expected=[0, 0, 0, 0, 0], exact=True)
    check(SOURCE, "carried", [np.array([0.0, -1.0, 0.0, 4.0]), 4], expected=[0, 0, 0, 0.25], exact=True)
    check(SOURCE, "carried", [np.array([0.3, 0.2, 0.4]), 3])


@pytest.mark.parametrize("a", [0.0, -1.0])
def test_hoisted_out_of_a_guard(a: float) -> None:
    """LICM moves sqrt(a) before the loop and before the guard."""
    check(SOURCE, "hoisted", [np.array([1.0, 2.0]), 2, a], expected=[0, 0, 0], exact=True)
    check(SOURCE, "hoisted", [np.array([1.0, 2.0]), 0, a], expected=[0, 0, 0], exact=True)


def test_hoisted_at_smooth_points() -> None:
    check(SOURCE, "hoisted", [np.array([1.0, 2.0]), 2, 0.7])
    check(SOURCE, "hoisted_log_other_loop", [np.array([1.0, 2.0, 0.5]), 3, 0.7])
    check(SOURCE, "hoisted_division", [np.array([1.0, -2.0, 0.5]), 3, 0.7, 0.3])


def test_hoisted_division_by_zero() -> None:
    """No element is positive, so a/b has no influence although the optimizer computes it."""
    check(SOURCE, "hoisted_division", [np.array([-1.0, -2.0]), 2, 1.0, 0.0], expected=[0, 0, 0, 0], exact=True)
    check(SOURCE, "hoisted_division", [np.array([-1.0, -2.0]), 2, 0.0, 0.0], expected=[0, 0, 0, 0], exact=True)


def test_hoisted_log_with_both_guards_closed() -> None:
    x = np.array([0.0, -1.0, 3.0])
    check(SOURCE, "hoisted_log_other_loop", [x, 3, 0.0], expected=[0, 0, 0, 0], exact=True)
    check(SOURCE, "hoisted_log_other_loop", [x[:2], 2, 2.0], expected=[0, 0, 0], exact=True)


def test_equal_pairs() -> None:
    check(SOURCE, "pairs", [np.array([1.0, 1.0, 1.0]), 3], expected=[0, 0, 0], exact=True)
    check(SOURCE, "pairs", [np.array([0.3, 1.0, 2.1]), 3])


@pytest.mark.parametrize("function", ["fmax_tie", "magnitude"])
def test_ties_agree_at_all_levels(function: str) -> None:
    """The rule's choice at a tie does not depend on what the optimizer made of the call."""
    arguments = [2.0, 2.0] if function == "fmax_tie" else [0.0]
    check(SOURCE, function, arguments, expected=TIES[function], exact=True)


TIES = {"fmax_tie": [0.0, 1.0], "magnitude": [0.0]}

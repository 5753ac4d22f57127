"""Bytes that a gradient keeps: what is predicted is what a call keeps, or a bound, and says so.

All functions are `double f(double *x, double y, int n, int m)`; n and m are small and different from one another.
"""

from __future__ import annotations

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.api.function import CFunction
from enzyme_magic.errors import ArgumentError

HELPERS = """#include <math.h>
#define HELPER static __attribute__((noinline))
HELPER double horner(const double *x, double y, int n) { double s = 0; for (int i = 0; i < n; i++) s = s*y + x[i]; return s; }
HELPER double square(double v) { return v*v; }
HELPER void scale(double *x, double y, int n) { for (int i = 0; i < n; i++) x[i] = sin(x[i])*y; }
HELPER void twice(double *x, double y, int n) { scale(x, y, n); scale(x, y, n); }
HELPER void first(double *x, double y) { x[0] = x[0]*x[0]*y; }
HELPER void settle(double *x, double y) { while (x[0] > 0.1) x[0] = x[0]*x[0]*y; }
HELPER void some(double *x, double y, int n) { for (int i = 0; i < n; i++) if (x[i] > 0.7) x[i] = exp(x[i])*y; }
HELPER void local(double *x, double y, int n) {
    double t[4];
    for (int k = 0; k < 4; k++) t[k] = x[k % 2]*y;
    x[0] = t[0]*t[1]*t[2]*t[3] + n;
}
HELPER void product(double *x, double y, int n) {
    double t[8];
    for (int i = 0; i < n; i++) { t[i] = 0; for (int j = 0; j < n; j++) if (i != j) t[i] += x[i]*x[j]*y; }
    for (int i = 0; i < n; i++) x[i] = t[i];
}
HELPER void fading(double *x, double y, int n, int m) {
    double t[8] = {0};
    for (int i = 0; i < m; i++) for (int k = 0; k < 3; k++) for (int j = 0; j < n; j++) t[j] += y*x[j]*sin(x[(j + k) % 7])*t[0];
    for (int i = 0; i < n; i++) x[i] = t[i];
}
HELPER double deep(double x, int n) { return n <= 0 ? x : sin(deep(x, n - 1))*x; }
HELPER void halves(double *x, int n) { if (n < 2) return; for (int i = 0; i < n/2; i++) x[i] = x[i]*x[i + n/2]; halves(x, n/2); }
double total(const double *x, int n);
double total(const double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }
"""
# x[i] of the innermost loop is kept once for all rows.
SHARED = """double z = 0;
for (int k = 0; k < m; k++) {
    for (int r = 0; r < ROWS; r++) { double a = 0; for (int i = 0; i < n; i++) a += (r + i)*x[i]*x[i]; z += a*a; }
    for (int i = 0; i < n; i++) x[i] = sin(x[i]);
}
x[0] += z;"""
# Bodies that end with a sum over x; first those whose bytes are a formula.
EXACT = [
    "",
    "for (int i = 0; i < n; i++) x[i] = y*x[i];",
    "for (int i = 0; i < n; i++) x[i] = x[i]*x[i];",
    "for (int i = 0; i < n; i++) x[i] = sin(x[i])*x[i];",
    "for (int i = 0; i < n; i++) x[i] = exp(x[i]);",
    "for (int i = 0; i < n - 1; i++) x[i] = x[i]*x[i + 1];",
    "for (int i = 1; i < n; i++) x[i] = x[i]*x[i - 1];",
    "for (int i = n - 1; i >= 0; i--) x[i] = x[i]*x[i]*y;",
    "for (int i = 0; i < n; i += 2) x[i] = x[i]*x[i];",
    "for (int k = 0; k < m; k++) for (int i = 0; i < n; i++) x[i] = x[i]*x[i];",
    "for (int k = 0; k < m; k++) for (int i = 0; i < n; i++) x[i] = cos(x[i])*y;",
    "for (int k = 0; k < n; k++) for (int i = 0; i < k; i++) x[i] = x[i]*x[k];",
    "for (int k = 0; k < n; k++) for (int i = k; i < n; i++) x[i] = x[i]*y*x[i];",
    "for (int k = 0; k < m; k++) x[0] = x[0]*x[0]*y;",
    "for (int k = 0; k < m; k++) y = sin(y); x[0] += y;",
    "for (int k = 0; k < m; k++) y = sin(y)*exp(y); x[0] *= y;",
    "double p = 1; for (int i = 0; i < n; i++) p *= x[i]; x[0] = p;",
    "double p = 1; for (int i = 0; i < n; i++) p = p*p + x[i]; x[0] = p;",
    "double a = y, b = y*y; for (int k = 0; k < m; k++) { double t = a*b; a = b; b = t; } x[0] = a;",
    "for (int i = 0; i < 8; i++) x[i % 2] = x[i % 2]*y*x[i % 2];",
    "for (int k = 0; k < m; k++) { for (int i = 0; i < n; i++) x[i] = x[i]*x[i]; for (int i = 0; i < n; i++) x[i] = x[i]*y; }",
    "for (int i = 0; i < n; i++) x[i] = x[i]/(y + x[i]);",
    "for (int i = 0; i < n; i++) x[i] = sqrt(x[i]);",
    "for (int i = 0; i < n; i++) x[i] = tanh(x[i]*y);",
    "for (int i = 0; i < n; i++) { float f = (float)x[i]; x[i] = f*f; }",
    "for (int i = 0; i < n; i++) if (x[i] > 0.7) x[i] = x[i]*x[i];",
    "for (int i = 0; i < n; i++) x[i] = x[i] > 0.7 ? x[i]*x[i] : y;",
    "for (int i = 0; i < n; i++) for (int k = 0; k < m; k++) x[i] = x[i]*x[i];",
    "for (int i = 0; i < n; i++) for (int k = 0; k < 3; k++) x[i] = x[i]*y*x[i];",
    "for (int k = 0; k < m; k++) { product(x, y, n); }",
    "for (int k = 0; k < m; k++) { product(x, y, 0); product(x, y, 1); }",
    "for (int j = 0; j < m - 5; j++) for (int k = 0; k < m - 3; k++) for (int i = 0; i < n; i++) x[i % 2] *= x[7]*sin(x[i]);",
    "for (int k = 0; k < m; k++) { fading(x, y, n, 2); fading(x, y, n, 0); }",
    "x[0] = square(x[0]);",
    "for (int i = 0; i < n; i++) x[i] = square(x[i]);",
    "x[0] = horner(x, y, n);",
    "x[0] = horner(x, y, m)*y;",
    "x[0] = horner(x, y, n)*horner(x, y, m);",
    "scale(x, y, n);",
    "scale(x, y, n); scale(x, y, n);",
    "scale(x, y, n); scale(x, y, m);",
    "scale(x, y, 3);",
    "scale(x, y, n + 0*m); x[0] *= x[1];",
    "for (int k = 0; k < m; k++) scale(x, y, n);",
    "for (int k = 0; k < n; k++) scale(x, y, k);",
    "for (int k = 0; k < m; k++) { scale(x, y, n); scale(x, y, m); }",
    "for (int j = 0; j < n; j++) for (int k = 0; k < m; k++) scale(x, y, n);",
    "twice(x, y, n);",
    "for (int k = 0; k < m; k++) twice(x, y, n);",
    "for (int k = 0; k < n; k++) twice(x, y, k);",
    "first(x, y);",
    "for (int k = 0; k < m; k++) first(x, y);",
    "for (int i = 0; i < n; i++) first(x + i, y);",
    "some(x, y, n);",
    SHARED.replace("ROWS", "n"),
    SHARED.replace("ROWS", "2*n"),  # LLVM asks n > 0 and counts to max(2*n, 1)
    SHARED.replace("ROWS", "3*n"),
    "local(x, y, n);",
    "for (int k = 0; k < m; k++) local(x, y, n);",
    "x[0] = total(x, n)*total(x, m);",
]
# Those whose bytes only the call tells.
BOUNDED = [
    "x[0] = deep(x[0], n);",
    "halves(x, n);",
    "for (int k = 0; k < m; k++) halves(x, n);",
    "settle(x, y);",
    "for (int k = 0; k < m; k++) settle(x + k, y);",
    "if (x[0] > 0.3) scale(x, y, n);",
    "for (int i = 0; i < n; i++) if (x[i] > 0.7) first(x + i, y);",
    "scale(x, y, n - 2);",
    "scale(x, y, (int)(4*y));",
    "for (int k = m; k > 0; k--) scale(x, y, k);",
]
# Without a formula of their own: "8 × iterations of the loop".
RECORDED = [
    SHARED.replace("ROWS", "4"),
    "for (int k = 0; k < m; k++) { for (int i = 0; i < n; i++) x[i] *= x[i]; for (int i = 1; i < n; i++) x[i] *= x[i - 1]; }",
    "while (x[0] > 0.1) x[0] = x[0]*x[0]*y;",
    "for (int i = 0; i < n && x[i] < 0.9; i++) x[i] = x[i]*x[i];",
]
BODIES = [*EXACT, *BOUNDED, *RECORDED]
N, M = 7, 5


SUM = "double s = 0; for (int i = 0; i < n; i++) s += x[i]; return s;"
TOGETHER = 11  # functions in one program


@pytest.fixture(scope="module")
def functions() -> dict[str, CFunction]:
    """By body; a few in each program, because what is read for one picture is the whole program's debug information."""
    found: dict[str, CFunction] = {}
    for start in range(0, len(BODIES), TOGETHER):
        some = dict(enumerate(BODIES[start : start + TOGETHER], start))
        written = [f"double f{k}(double *x, double y, int n, int m) {{ {body} {SUM} }}" for k, body in some.items()]
        program = em.compile_c("\n".join([HELPERS, *written]), post_opt=0)
        found |= {body: program[f"f{k}"] for k, body in some.items()}
    return found


def test_predicted_bytes_are_what_a_call_keeps(functions: dict[str, CFunction]) -> None:
    wrong = []
    for body, function in functions.items():
        found = function.cache(at=(np.linspace(0.5, 1.0, 8), 0.9, N, M)).measured
        assert found is not None
        assert found.taken >= found.kept, body
        if body in RECORDED:
            assert found.predicted is None, body
        elif found.bound == "at least":
            if found.predicted is not None and not 0 < found.predicted <= found.kept:  # "at least 0" says nothing
                wrong.append((body, found))
        elif found.predicted != found.kept:
            wrong.append((body, found))
        if (found.bound == "at least") != (body in BOUNDED):
            wrong.append((body, found))
    assert not wrong


def test_a_recorded_count_says_which_iterations_keep(functions: dict[str, CFunction]) -> None:
    """What all rows share is not kept by each iteration: the words are those of the count, and have a slider."""
    found = functions[SHARED.replace("ROWS", "4")].cache(at=(np.linspace(0.5, 1.0, 8), 0.9, N, M))
    (shared,) = [row for row in found.report.cache.stored() if "once for all iterations" in row.reason]
    around = int(shared.reason.split()[-1])  # its loop of the rows
    assert shared.count == f"iterations of the loop at line {around} in first iterations of the loop at line {around}"
    assert shared.count in {slider.parameter for slider in found.report.cache.sliders}
    assert found.measured is not None
    assert 8 * N * M in {row.bytes for row in found.measured.rows if row.expression == shared.expression}


def test_what_was_measured_is_told_by_function_and_value(functions: dict[str, CFunction]) -> None:
    table = functions["for (int k = 0; k < m; k++) scale(x, y, n);"].cache(
        at={"x": np.linspace(0.5, 1.0, 8), "y": 0.9, "n": N, "m": M}
    )
    found = table.measured
    assert found is not None
    assert sum(row.bytes for row in found.rows) == found.kept == found.predicted
    assert {(row.function, row.expression) for row in found.rows} >= {("scale", "x[i]")}
    assert f"{found.kept:,} B kept at once (predicted: {found.kept:,} B)" in str(table)


def test_a_picture_says_when_it_does_not_know_all(functions: dict[str, CFunction]) -> None:
    report = functions["x[0] = deep(x[0], n);"].cache().report
    assert report.cache.bound == "at least"
    assert any(row.least for row in report.cache.stored())


def test_nothing_is_saved_here_but_by_what_is_called(functions: dict[str, CFunction]) -> None:
    report = functions["x[0] = horner(x, y, n);"].cache().report
    assert report.cache.total.startswith("8*n + ")
    assert "nothing saved" not in report.cache.sentence


def test_only_gradients_of_a_number_are_measured() -> None:
    program = em.compile_c("void g(double *x, int n) { for (int i = 0; i < n; i++) x[i] *= x[i]; }")
    with pytest.raises(ArgumentError, match="cannot be measured"):
        program["g"].cache(wrt="x", at=(np.ones(3), 3))

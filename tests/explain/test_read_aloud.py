"""Sentences that were false or said nothing when somebody read the pictures of these kernels.

Loops that LLVM counts from elsewhere, several calls of one helper on one line, conditions without words."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from enzyme_magic.report import Report

Explained = Callable[..., Report]
SOLVE = """#include <math.h>
double solve(int n, double A[n][n], double b[n]) {
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[i][k]) > fabs(A[p][k])) p = i;
        if (p != k) {
            for (int j = 0; j < n; j++) { double t = A[k][j]; A[k][j] = A[p][j]; A[p][j] = t; }
            double t = b[k]; b[k] = b[p]; b[p] = t;
        }
        for (int i = k + 1; i < n; i++) {
            double m = A[i][k] / A[k][k];
            for (int j = k; j < n; j++) A[i][j] -= m*A[k][j];
            b[i] -= m*b[k];
        }
    }
    double s = 0;
    for (int i = n - 1; i >= 0; i--) {
        double x = b[i];
        for (int j = i + 1; j < n; j++) x -= A[i][j]*b[j];
        b[i] = x / A[i][i];
        s += b[i]*b[i];
    }
    return s;
}
"""
CELL = """#include <math.h>
static double sig(double x) { return 1/(1 + exp(-x)); }
double cell(const double *gates, double c, int n) {
    for (int k = 0; k < n; k++) {
        double i = sig(gates[k]), f = sig(gates[n + k]), g = tanh(gates[2*n + k]);
        c = f*c + i*g;
    }
    return c;
}
"""
SPRINGS = """#include <stdlib.h>
typedef struct spring { double k, rest; struct body *a, *b; } spring;
typedef struct body { double x, v, mass; } body;
double energy(const double *x0, const double *k, int n, int steps, double h) {
    body *bodies = malloc(n*sizeof(body));
    spring *springs = malloc((n - 1)*sizeof(spring));
    for (int i = 0; i < n; i++) { bodies[i].x = x0[i]; bodies[i].v = 0; bodies[i].mass = 1 + i; }
    for (int i = 0; i + 1 < n; i++) { springs[i].k = k[i]; springs[i].rest = 1;
        springs[i].a = &bodies[i]; springs[i].b = &bodies[i + 1]; }
    for (int s = 0; s < steps; s++) {
        for (spring *p = springs; p < springs + n - 1; p++) {
            double pull = p->k*(p->b->x - p->a->x - p->rest);
            p->a->v += h*pull/p->a->mass;
            p->b->v -= h*pull/p->b->mass;
        }
        for (body *q = bodies; q < bodies + n; q++) q->x += h*q->v;
    }
    double e = 0;
    for (int i = 0; i < n; i++) e += 0.5*bodies[i].mass*bodies[i].v*bodies[i].v;
    free(bodies); free(springs);
    return e;
}
"""
ROOT = """double root(double a, double lo, double hi) {
    while (hi - lo > 1e-9) {
        double mid = 0.5*(lo + hi);
        double y = mid*mid*mid + a*mid - 1;
        if (y > 0)
            hi = mid;
        else
            lo = mid;
    }
    double x = 0.5*(lo + hi);
    for (int k = 0; k < 3; k++)
        x -= (x*x*x + a*x - 1) / (3*x*x + a);
    return x;
}
"""


def note(report: Report, text: str) -> str:
    (found,) = [line.note for line in report.source if text in line.text]
    return found


@pytest.mark.parametrize("opt", [1, 2, 3])
def test_a_loop_that_llvm_counts_one_further_keeps_its_variable(opt: int, explained: Explained) -> None:
    """LLVM counts `i` from n and calls that `j`, because the inner loop begins there."""
    report = explained(SOLVE, "solve", (1, 2), opt=opt)
    assert note(report, "double x = b[i];") == "active: b[i]"
    assert note(report, "b[i] = x / A[i][i];").startswith("active: b[i] = x/A[i][i]")
    said = " ".join(f"{row.expression} {row.reason}" for row in report.cache.rows)
    assert "j - 1" not in said
    assert "A[i][i]" in said


@pytest.mark.parametrize("opt", [1, 2, 3])
def test_a_choice_is_saved_at_the_lines_that_make_it(opt: int, explained: Explained) -> None:
    report = explained(SOLVE, "solve", (1, 2), opt=opt)
    saved = [line.text.strip() for line in report.source if re.search(r"saved: .*\bp \(", line.note)]
    assert saved == ["if (fabs(A[i][k]) > fabs(A[p][k])) p = i;"]


@pytest.mark.parametrize("opt", [1, 2, 3])
def test_each_call_of_a_helper_on_a_line_is_told(opt: int, explained: Explained) -> None:
    said = note(explained(CELL, "cell", (0, 1), opt=opt), "double i = sig(")
    for call in ("sig(gates[k])", "sig(gates[k + n])", "tanh(gates[k + 2*n])"):
        assert call in said


@pytest.mark.parametrize("opt", [0, 1, 2, 3])
def test_no_reason_is_a_mark_of_omission(opt: int, explained: Explained) -> None:
    for source, function, wrt in ((SPRINGS, "energy", (0, 1, 4)), (SOLVE, "solve", (1, 2))):
        rows = explained(source, function, wrt, opt=opt).cache.rows
        assert [row.reason for row in rows if "\u2026" in row.reason] == []


@pytest.mark.parametrize("opt", [0, 1, 2, 3])
def test_what_carries_nothing_is_what_the_line_computes(opt: int, explained: Explained) -> None:
    """Not the first part of it."""
    said = note(explained(ROOT, "root", (0, 1, 2), opt=opt), "double y =")
    assert said == "mid*mid*mid + a*mid - 1 carries no derivative to the result"

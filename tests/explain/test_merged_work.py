"""What LLVM merges, hoists and widens is told by the lines and in the words of the C text."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from enzyme_magic.backend import explain, pipeline
from enzyme_magic.backend.autodiff.calls.request import Request
from enzyme_magic.report import Report

LOGISTIC = """#include <math.h>
double logistic(int n, int d, const double *w, const double *X, const int *y) {
    double loss = 0;
    for (int i = 0; i < n; i++) {
        double z = w[d];
        for (int j = 0; j < d; j++)
            z += w[j]*X[i*d + j];
        double p = 1/(1 + exp(-z));
        if (y[i])
            loss -= log(p);
        else
            loss -= log(1 - p);
    }
    return loss/n;
}
"""
GAUSS = """#include <math.h>
double inverse_trace(int n, double *A, double *inv) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            inv[i*n + j] = i == j;
    for (int col = 0; col < n; col++) {
        int pivot = col;
        for (int row = col + 1; row < n; row++)
            if (fabs(A[row*n + col]) > fabs(A[pivot*n + col])) pivot = row;
        for (int j = 0; j < n; j++) {
            double t = A[col*n + j]; A[col*n + j] = A[pivot*n + j]; A[pivot*n + j] = t;
        }
        double p = 1/A[col*n + col];
        for (int j = 0; j < n; j++) {
            A[col*n + j] *= p;
            inv[col*n + j] *= p;
        }
        for (int row = 0; row < n; row++) {
            if (row == col) continue;
            double f = A[row*n + col];
            for (int j = 0; j < n; j++) {
                A[row*n + j] -= f*A[col*n + j];
                inv[row*n + j] -= f*inv[col*n + j];
            }
        }
    }
    double tr = 0;
    for (int i = 0; i < n; i++) tr += inv[i*n + i];
    return tr;
}
"""
SPLINE = """double spline(int n, const double *knots, const double *a, const double *b, double x) {
    int lo = 0, hi = n - 1;
    while (hi - lo > 1) {
        int mid = (lo + hi)/2;
        if (knots[mid] > x) hi = mid;
        else lo = mid;
    }
    return a[lo] + (x - knots[lo])*b[lo];
}
"""
FILTER = """double filter(double *y, const double *w, int n, int steps) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n; i++)
            y[i] = y[i]*y[i]*w[t];
    return y[n - 1];
}
"""

Compiled = Callable[..., pipeline.CompiledProgram]


def noted(compiled: Compiled, text: str, request: Request, opt: int = 2) -> tuple[Report, dict[str, str]]:
    report = explain.assumed(compiled(text, opt), request, {})
    return report, {line.text.strip(): line.note for line in report.source if line.note}


@pytest.mark.parametrize("opt", [1, 2, 3])
def test_both_sides_of_a_branch_that_became_one_operation_are_told(opt: int, compiled: Compiled) -> None:
    """LLVM takes the logarithm once, of a choice: the call has no line, and neither side is optimized away."""
    report, notes = noted(compiled, LOGISTIC, Request("logistic", wrt=(2, 3)), opt)
    assert notes["loss -= log(p);"] == "active: loss - log(p)"
    assert notes["loss -= log(1 - p);"] == "active: loss - log(1 - p)"
    sides = [line for line in report.source if "loss -=" in line.text]
    assert all(line.mark == "active" and {"varies", "matters", "active"} <= set(line.sweeps) for line in sides)
    shared = set(sides[0].instructions) & set(sides[1].instructions)
    assert shared or opt < 2  # a click on either shows the operation that does the work of both


def test_a_read_that_was_moved_out_of_a_loop_keeps_its_line(compiled: Compiled) -> None:
    report = explain.report(compiled(LOGISTIC), Request("logistic", wrt=(2, 3)))
    assert report.source[4].note == "active: w[d]"
    assert report.gradient_c is not None
    assert re.search(r"double z = w\[d\]; +/\* line 5 \*/", report.gradient_c.text)


def test_what_several_lines_need_is_saved_on_the_first(compiled: Compiled) -> None:
    """The minus of f stands before the loop, without a line."""
    report, notes = noted(compiled, GAUSS, Request("inverse_trace", wrt=(1, 2)))
    assert "saved: -f (8·n·n B)" in notes["A[row*n + j] -= f*A[col*n + j];"]
    assert all(row.line is not None for row in report.cache.stored() if row.expression == "-f")


def test_widened_indices_are_written_as_in_c(compiled: Compiled) -> None:
    """Without the mask that LLVM puts around `col*n`, and with `pivot` where it is a merge of `col` and `row`."""
    report, notes = noted(compiled, GAUSS, Request("inverse_trace", wrt=(1, 2)))
    assert "saved: A[col*n + j]" in notes["A[col*n + j] *= p;"]
    stored = [row.expression for row in report.cache.stored()]
    assert "pivot*n" in stored
    said = [*stored, *notes.values(), *(fact.sentence for fact in report.facts), *(r.reason for r in report.cache.rows)]
    assert [text for text in said if "4294967295" in text or "…" in text or "intermediate" in text] == []


def test_a_mask_of_the_user_stays(compiled: Compiled) -> None:
    text = "double masked(const double *x, long h) { return x[(h*31) & 4294967295]*x[0]; }"
    report, _ = noted(compiled, text, Request("masked", wrt=(0,)))
    assert any("& 4294967295" in row.expression for row in report.cache.rows)


def test_a_choice_of_indices_has_a_name_behind_its_loop(compiled: Compiled) -> None:
    report, _ = noted(compiled, SPLINE, Request("spline", wrt=(1, 2, 3, 4)))
    sentences = [fact.sentence for fact in report.facts]
    assert "&knots[lo] is an address in active memory: what knots points to" in sentences
    assert [text for text in sentences if "…" in text] == []


def test_a_comparison_that_is_a_number_decides_nothing(compiled: Compiled) -> None:
    _, notes = noted(compiled, GAUSS, Request("inverse_trace", wrt=(1, 2)))
    assert notes["inv[i*n + j] = i == j;"] == "i == j carries no derivative from an active parameter"


def test_only_what_meets_the_place_overwrites_it(compiled: Compiled) -> None:
    """The swap of another column has the same words, A[col*n + j], and stands before the read: it writes another row."""
    report, _ = noted(compiled, GAUSS, Request("inverse_trace", wrt=(1, 2)))
    assert {row.reason for row in report.cache.stored() if row.expression == "A[col*n + j]"} == {
        "line 11 may overwrite A[col*n + j]"
    }
    again, _ = noted(compiled, FILTER, Request("filter", wrt=(0, 1)))
    assert {row.reason for row in again.cache.stored() if row.expression == "y[i]"} == {"line 4 overwrites y[i]"}


TABLE = """double interpolate(const double *xs, const double *ys, int n, double x) {
    if (x >= xs[n - 1])
        return ys[n - 1];
    int low = 0, high = n - 1;
    while (high - low > 1) {
        int middle = (low + high)/2;
        if (xs[middle] <= x)
            low = middle;
        else
            high = middle;
    }
    double t = (x - xs[low])/(xs[high] - xs[low]);
    return (1 - t)*ys[low] + t*ys[high];
}
"""


def test_reads_that_llvm_does_on_each_way_go_by_the_read_that_they_save(compiled: Compiled) -> None:
    """`xs[high]` is a merge of two reads; `high` one of `n - 1` and what the loop leaves."""
    report, _ = noted(compiled, TABLE, Request("interpolate", wrt=(0, 1, 3)))
    sentences = [fact.sentence for fact in report.facts]
    assert any(text.startswith("xs[high] is active") for text in sentences)
    assert [text for text in sentences if "value of line" in text] == []


def test_an_operation_that_stands_where_it_was_written_stays_there(compiled: Compiled) -> None:
    """`h *= 0.5` has the words of `0.5*h` two lines above, and its own place."""
    text = """#include <math.h>
double trapezoids(double a, double b, int n) {
    double h = b - a;
    double r = 0.5*h*(exp(a) + exp(b));
    for (int i = 0; i < n; i++) {
        h *= 0.5;
        r = 0.5*r + h*exp(a + h);
    }
    return r;
}
"""
    _, notes = noted(compiled, text, Request("trapezoids", wrt=(0, 1)))
    assert notes["h *= 0.5;"].startswith("active: ")


def test_a_line_whose_work_another_has_done_says_which(compiled: Compiled) -> None:
    text = """#include <math.h>
double nearest(const double *along, const double *under, int n) {
    double best = 1e9;
    for (int i = 0; i < n; i++) {
        double a = along[i], u = under[i];
        if (a - sqrt(u) < best && a > 1)
            best = a - sqrt(u);
    }
    return best;
}
"""
    _, notes = noted(compiled, text, Request("nearest", wrt=(0, 1)))
    assert notes["best = a - sqrt(u);"] == "optimized away: line 6 computes it"

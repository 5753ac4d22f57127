"""Words that would stand for several values or for another one: told apart by calls, as written, and on the lines that assign."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.backend.explain.words.excerpt import call_at
from enzyme_magic.backend.explain.words.variables import plain
from enzyme_magic.viz.facts import row_bytes

SOURCE = """#include <math.h>
#include <stdlib.h>
#include <string.h>
static double sigmoid(double x) { return 1/(1 + exp(-x)); }
double gates(int n, const double *w, double h) {
    for (int i = 0; i < n; i++) {
        double f = sigmoid(w[2*i] + h);
        double g = sigmoid(w[2*i + 1] + h);
        h = f*h + g;
    }
    return h;
}
static double spread(int k, const double *v) {
    double m = v[0];
    for (int i = 1; i < k; i++) if (v[i] > m) m = v[i];
    double s = 0;
    for (int i = 0; i < k; i++) s += exp(v[i] - m);
    return m + log(s);
}
double twice(int k, const double *a, const double *b) {
    double r = spread(k, a);
    return r*spread(k, b);
}
double bubble(int n, double *a, const double *w) {
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < n - 1 - i; j++)
            if (a[j] > a[j+1]) {
                double t = a[j];
                a[j] = a[j+1];
                a[j+1] = t;
            }
    double s = 0;
    for (int i = 0; i < n; i++) s += w[i]*a[i]*a[i];
    return s;
}
double wave(int n, int steps, double *a, double *b, double c) {
    double *old = a, *now = b;
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            old[i] = 2*now[i] - old[i] + c*c*(now[i-1] - 2*now[i] + now[i+1]);
        double *swap = old;
        old = now;
        now = swap;
    }
    double e = 0;
    for (int i = 0; i < n; i++) e += now[i]*now[i];
    return e;
}
static int less(const void *p, const void *q) {
    double a = *(const double *)p, b = *(const double *)q;
    return (a > b) - (a < b);
}
static int more(const void *p, const void *q) { return less(q, p); }
double ends(int n, const double *x) {
    double c[32], d[32];
    memcpy(c, x, n * sizeof *c);
    memcpy(d, x, n * sizeof *d);
    qsort(c, n, sizeof *c, less);
    qsort(d, n,
          sizeof *d, more);
    double s = 0, *e = malloc(n * sizeof *e);
    for (int i = 0; i < n; i++) e[i] = c[i]*d[i];
    for (int i = 0; i < n; i++) s += (i + 1)*e[i];
    free(e);
    return s;
}
typedef struct { int op, left, right; } Node;
double eval(const Node *tree, int at, const double *x) {
    const Node *t = &tree[at];
    if (t->op == 0) return x[t->left];
    return eval(tree, t->left, x) * eval(tree, t->right, x);
}
"""


@pytest.fixture(scope="module")
def program() -> em.Program:
    return em.compile_c(SOURCE)


def notes(function: em.CFunction) -> dict[str, str]:
    return {line.text.strip(): line.note for line in function.report.source if line.note}


def line_of(text: str) -> int:
    return next(k for k, line in enumerate(SOURCE.split("\n"), 1) if text in line)


def test_values_of_a_helper_are_told_apart_by_the_calls(program: em.Program) -> None:
    stored = [row.expression for row in program.gates.cache().rows if row.decision == "store"]
    assert all(count == 1 for count in Counter(stored).values()), stored
    lines = [line_of("double f = sigmoid"), line_of("double g = sigmoid")]
    assert {int(n) for text in stored for n in re.findall(r"in the call at line (\d+)", text)} == set(lines)
    note = notes(program.gates)["static double sigmoid(double x) { return 1/(1 + exp(-x)); }"]
    assert f"in the calls at lines {lines[0]} and {lines[1]} (8·n B each)" in note


def test_a_plan_counts_all_that_it_leaves_out(program: em.Program) -> None:
    cache = program.gates.cache()
    stored = [row for row in cache.rows if row.decision == "store"]
    left_out = re.search(r"and (\d+) more are saved", cache.report.cache.sentence)
    assert left_out is not None
    assert int(left_out[1]) + 3 == len(stored)


def test_whether_a_loop_ran_is_told_of_the_loop_that_leads_there(program: em.Program) -> None:
    """Two loops of a helper that one test decides about: each is named once in each call."""
    rows = [row.expression for row in program.twice.cache().rows if row.expression.startswith("whether the loop")]
    assert rows
    assert all(count == 1 for count in Counter(rows).values()), rows
    second = line_of("s += exp(v[i] - m)")
    assert any(f"at line {second} ran" in text for text in rows), rows


def test_a_comparison_reads_as_written(program: em.Program) -> None:
    """LLVM hands a[j] on in a register, which `t` holds only behind the comparison."""
    assert [row.expression for row in program.bubble.cache().rows if row.decision == "store"] == ["a[j] > a[j + 1]"]
    assert "t > a[j + 1]" not in " ".join(fact.sentence for fact in program.bubble.report.facts)


def test_what_a_loop_hands_on_stands_where_it_is_assigned(program: em.Program) -> None:
    found = {row.expression: row.line for row in program.wave.cache().rows if row.decision == "store"}
    assert found["where the adjoint of *old lies"] == line_of("old = now;")
    assert found["where the adjoint of *now lies"] == line_of("now = swap;")


def test_a_call_of_a_library_function_stands_as_in_c(program: em.Program) -> None:
    said = notes(program.ends)
    assert said["qsort(c, n, sizeof *c, less);"].startswith("active: qsort(c, n, sizeof *c, less); saved: ")
    assert said["qsort(d, n,"].startswith("active: qsort(d, n, sizeof *d, more); saved: ")
    x = np.array([3.0, 1.0, 2.0])
    shown = f"{program.ends.cache(at=(3, x))}{' '.join(fact.sentence for fact in program.ends.report.facts)}"
    assert not re.search(r"qsort\.\d|…\*", shown), shown
    assert plain("qsort.1") == "qsort"
    assert plain("f") == "f"


def test_a_call_is_read_from_the_text_where_it_stands_there() -> None:
    lines = ["s = SORT(c);", "qsort (c, n,  f(8), less);", "qsort(c, /* all */ n, 8, less);", "qsort(c,", "  n);"]
    assert call_at(lines, 2, 1, "qsort") == "qsort (c, n, f(8), less)"
    assert call_at(lines, 1, 5, "qsort") is None
    assert call_at(lines, 3, 1, "qsort") is None
    assert call_at(lines, 4, 1, "qsort") == "qsort(c, n)"
    assert call_at(lines, 9, 1, "qsort") is None


def test_memory_that_holds_numbers_is_not_said_to_hold_none(program: em.Program) -> None:
    said = notes(program.ends)
    assert "no floating data" not in said.get("free(e);", "") + said.get("double c[32], d[32];", "")


def test_tapes_of_several_calls_are_those_of_the_calls(program: em.Program) -> None:
    rows = [row.expression for row in program.eval.cache().rows if row.decision == "store"]
    assert sorted(rows) == ["the tape of eval(tree, t->left, x)", "the tape of eval(tree, t->right, x)"]


def test_at_least_nothing_is_no_prediction(program: em.Program) -> None:
    tree = np.array([(1, 1, 2), (0, 0, 0), (0, 1, 0)], dtype=[("op", "i4"), ("left", "i4"), ("right", "i4")])
    told = str(program.eval.cache(at=(tree, 0, np.array([2.0, 3.0]))))
    assert "predicted: not known before the call" in told
    assert "at least 0 B" not in told


def test_tapes_of_the_gradient_as_c_are_named_by_what_they_hold(program: em.Program) -> None:
    text = str(program.gates.gradient_c())
    assert "exp_tape" in text
    assert not re.search(r"\b(?:loss|n|w|i)_tape", text)
    assert not re.search(r"\b(?:div|sub|add|mul)\d+", text), text


def test_the_unit_of_bytes_stands_behind_the_number(program: em.Program) -> None:
    """ "iterations of the loop at line 18 B" reads as if the line had a unit."""
    rows = {row.expression: row_bytes(row) for row in program.twice.cache().rows if row.decision == "store"}
    assert rows["b[i] > m"] == f"1 B × iterations of the loop at line {line_of('if (v[i] > m)')}"
    assert rows["exp(b[i] - m)"] == f"8 B × iterations of the loop at line {line_of('s += exp(v[i] - m)')}"
    assert rows["a[i] > m"] == "max(k - 1, 0) B"


def test_what_is_returned_has_a_word(program: em.Program) -> None:
    told = " ".join(fact.sentence for fact in program.eval.report.facts)
    assert "the result matters because it is returned" in told
    assert "intermediate value" not in told

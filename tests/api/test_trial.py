"""What is tried without being asked, and what never is; with arguments everything is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.api.checks import trial
from enzyme_magic.testing import GradientMismatch

SOURCE = """#include <math.h>
#include <stdio.h>
#include <stdlib.h>
double smooth(double x, float y) { return pow(x, 3) * y; }
double power(double x, int n) { double r = 1; for (int i = 0; i < n; i++) r *= x; return r; }
double newton(double x) { double r = 1; while (fabs(r * r - x) > 1e-9) r = (r + x / r) / 2; return r; }
double steps(double x, int n) { double r = x; for (int i = n; i != 1; i -= 2) r *= x; return r; }
double divides(double x, int n) { return x * (10 / n); }
double sum(const double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i] * x[i]; return s; }
double table(double x, int n) { static const double t[4] = {1, 2, 3, 4}; return t[n] * x; }
double again(double x, int n) { return n ? x * again(x, n - 2) : x; }
double prints(double x) { printf("called"); return x; }
double leaves(double x) { if (x > 1) exit(3); return x; }
double counts(double x) { static int calls; return x * ++calls; }
double long_loop(double x) { double r = x; for (int i = 0; i < 100000000; i++) r = r * x + 1; return r; }
"""


@pytest.fixture(scope="module")
def program() -> Any:
    return em.compile_c(SOURCE)


@pytest.mark.parametrize("name", ["smooth", "power"])
def test_small_numbers_are_tried(name: str, program: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "BUDGET", 60.0)
    f = program[name]
    found = trial.of_small_numbers(f, None, f.report)
    assert found.check is not None
    assert found.check.done, found.check
    assert found.check.points >= 1
    assert found.example is not None
    assert found.example.startswith("grad(2.0, ")
    assert found.cost is not None
    assert "measured" in found.cost
    assert f.report.example is None, "what a trial finds is not kept"


@pytest.mark.parametrize(
    "name",
    ["newton", "steps", "divides", "sum", "table", "again", "prints", "leaves", "counts", "long_loop"],
)
def test_nothing_else_is_called(name: str, program: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object) -> None:
        raise AssertionError("called")

    monkeypatch.setattr(trial, "at", refuse)
    f = program[name]
    assert f.report.why_not_called
    found = trial.of_small_numbers(f, None, f.report)
    assert found.check is not None
    assert (found.check.done, found.check.text) == (False, trial.NOT_CHECKED)
    assert found.example is None


def test_with_arguments_any_function_is_tried(program: Any) -> None:
    f = program.sum
    found = trial.at(f, None, f.report, ((np.arange(4.0),), {"n": 4}), budget=60.0)
    assert found.check is not None
    assert found.check.done
    assert found.example == "grad([0. 1. 2. 3.], n=4) = [0. 2. 4. 6.]"


def test_gradients_of_several_are_named_and_short() -> None:
    f = em.compile_c("double third(double x, double y) { return x*y/3; }").third
    assert trial.example(f, None, ((2.0, 1.0), {})) == "grad(2.0, 1.0): x = 0.333333, y = 0.666667"


def test_a_mismatch_is_said(program: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def differs(*args: object, **options: object) -> None:
        raise GradientMismatch("x[0]: 1 and 2")

    monkeypatch.setattr(trial, "check_gradient", differs)
    f = program.smooth
    found = trial.at(f, None, f.report, ((2.0, 1.0), {}))
    assert found.check is not None
    assert not found.check.done
    assert "NOT confirmed" in found.check.text


def test_no_time_is_said(program: Any) -> None:
    f = program.smooth
    found = trial.at(f, None, f.report, ((2.0, 1.0), {}), budget=0.0)
    assert found.check is not None
    assert found.check.text == trial.NO_TIME
    assert found.cost is None


def test_why_tells_of_saved_values(program: Any) -> None:
    f = em.compile_c(
        "double f(double *x, int n) { double s = 0; for (int i = 0; i < n; i++) { s += x[i] * x[i]; x[i] = 0; } return s; }"
    ).f
    text = str(f.why("line 1"))
    assert "is saved" in text
    assert "overwrites" in text

"""Hints applied to copies of the C text: each kind of declarator, the same gradient, the bytes that were promised."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.api.checks.fixing import _difference, words
from enzyme_magic.backend.frontend.restricting import with_restrict
from enzyme_magic.errors import ArgumentError

BODY = "{ double s = 0; for (int i = 0; i < n; i++) { a[i] = a[i]*b[i]; s += a[i]*b[0]; } return s; }"
DECLARED = {
    "star": "double *a, const double *b",
    "array": "double a[n], const double b[n]",
    "static_extent": "double a[static 1], const double b[static const 1]",
    "above": "double\n  *a, /* written */ const double\n  * b",
}
HIDDEN = "typedef double *numbers;\ndouble hidden(int n, numbers a, const double *b) " + BODY
OWN = """double square(double x) { return x*x; }
double __enzyme_autodiff(void *, ...);
double slope(double x) { return __enzyme_autodiff((void *)square, x); }"""  # C asks for gradients: of arrays nothing is promised
SOURCE = "\n".join([*(f"double {name}(int n, {text}) {BODY}" for name, text in DECLARED.items()), HIDDEN, OWN])
CALL = (4, np.array([1.0, 2.0, 0.5, 3.0]), np.array([0.5, 0.25, 2.0, 1.5]))


@pytest.fixture(scope="module")
def program() -> em.Program:
    return em.compile_c(SOURCE)


@pytest.mark.parametrize("name", DECLARED)
def test_each_hint_is_applied_and_keeps_its_promise(program: em.Program, name: str) -> None:
    function = program[name]
    report = function.report
    assert report.cache.hints
    for number, found in enumerate(report.cache.alternatives):
        before = tuple(np.copy(a) for a in CALL)
        done = function.try_fix(number, at=CALL)
        assert all(np.array_equal(a, b) for a, b in zip(before, CALL, strict=True))
        fix = done.fix
        assert fix.hint == found.sentence
        assert fix.total == report.cache.total
        assert fix.total_after == found.total == done.function.report.cache.total
        assert fix.agrees is True
        assert fix.kept == tuple(f.cache(at=CALL).measured.kept for f in (function, done.function))
        assert fix.kept[0] > fix.kept[1]
        assert len(fix.seconds) == 2
        assert fix.text.replace("restrict ", "").replace("restrict", "") == SOURCE
        assert fix.text.count("restrict") == 1
        mine, theirs = function.grad(*CALL), done.function.grad(*CALL)
        for one, other in zip(mine, theirs, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-12)
        for text in (fix.hint, fix.diff, f"{fix.kept[0]:,} B → {fix.kept[1]:,} B", "agree"):
            assert text in repr(done)
    assert function.try_fix(report.cache.alternatives[0].sentence).fix.agrees is None


def test_what_cannot_be_applied_is_said(program: em.Program) -> None:
    sentences = [found.sentence for found in program.hidden.report.cache.alternatives]
    with pytest.raises(ArgumentError, match="no declarator") as raised:
        program.hidden.try_fix(next(s for s in sentences if " on a " in s))
    assert raised.value.code == "EM335"
    with pytest.raises(ArgumentError, match="has no hint 'more memory'"):
        program.star.try_fix("more memory")
    with pytest.raises(ArgumentError, match="has no hint 7"):
        program.star.try_fix(7)


def test_gradients_that_disagree_are_told(program: em.Program) -> None:
    done = program.star.try_fix(0, at=CALL)
    assert "DISAGREE" in words(dataclasses.replace(done.fix, agrees=False, difference=0.5))
    assert _difference(np.array([1.0, 2.0]), np.array([1.0, 3.0])) == 0.5
    assert _difference(np.array([1.0, np.nan]), np.array([1.0, np.nan])) == 0.0
    assert _difference(np.array([1.0, np.inf]), np.array([1.0, -np.inf])) == float("inf")


@pytest.mark.parametrize(
    ("text", "column", "made"),
    [
        ("void f(double (*A)[3]);", 17, "void f(double (*restrict A)[3]);"),
        ("void f(double *volatile x);", 25, "void f(double *volatile restrict x);"),
        ("void f(double x[2][3]);", 15, "void f(double x[restrict 2][3]);"),
        ("void f(double x);", 15, None),
        ("void f(double *x);", 2, None),
    ],
)
def test_where_the_word_is_written(text: str, column: int, made: str | None) -> None:
    assert with_restrict(text, 1, column) == made

"""A reader of formulas, as libraries have it: unions of numbers, pointers and functions, copied from tables of constants.

Refused before: pointers of a constant's shadow were of no known kind when they were copied, too many facts about one block counted
as if nothing was known of it, and a choice between two constants passed for one between numbers.
"""

from __future__ import annotations

import math

import pytest

import enzyme_magic as em

from .runs import source

X = 1.3
WANT = 2 + 2 * X * math.cos(X * X)


@pytest.mark.parametrize("opt", [0, 1, 2, 3])
def test_both_modes(opt: int) -> None:
    f = em.compile_c(source("expression_reader.c"), opt=opt).f
    assert f.grad(X) == pytest.approx(WANT, rel=1e-12)
    assert f.jvp((X,), (1.0,)) == pytest.approx((2 * X + math.sin(X * X), WANT), rel=1e-12)

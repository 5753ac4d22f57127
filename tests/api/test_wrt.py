"""What `wrt` may be."""

from __future__ import annotations

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.api.derivatives.wrt import WrtChoice, choose
from enzyme_magic.errors import ArgumentError, DifferentiationError

NAMES = ("x", "n", "lambda", "out")
REFUSALS = {1: "a size_t is no floating number", 3: "it is only written"}


@pytest.mark.parametrize(
    ("wrt", "indices", "bare"),
    [
        (None, (0, 2), False),
        ("x", (0,), True),
        (("x",), (0,), False),
        (2, (2,), True),
        ((2, 0), (2, 0), False),
        (["x", 2], (0, 2), False),
        ("lambda", (2,), True),
        ("lambda_", (2,), True),
        (np.int64(0), (0,), True),
    ],
)
def test_choices(wrt, indices, bare):
    assert choose("f", NAMES, REFUSALS, wrt) == WrtChoice(indices, bare)


def test_one_active_parameter_is_bare():
    assert choose("f", ("x", "n"), {1: "integer"}, None) == WrtChoice((0,), True)


@pytest.mark.parametrize(
    ("wrt", "code", "text"),
    [
        ("xx", "EM315", "did you mean x?"),
        ("alpha", "EM315", "its parameters are: x, n, lambda, out"),
        (4, "EM315", "numbered 0 … 3"),
        (-1, "EM315", "numbered 0 … 3"),
        (1.5, "EM315", "names or indices"),
        (True, "EM315", "names or indices"),
        (("x", 0), "EM315", "twice"),
        ((), "EM315", "empty"),
        ("n", "EM316", "a size_t is no floating number"),
        (("x", "out"), "EM316", "only written"),
        (3, "EM316", "active parameters: x, lambda"),
    ],
)
def test_refused(wrt, code, text):
    with pytest.raises(ArgumentError) as caught:
        choose("f", NAMES, REFUSALS, wrt)
    assert caught.value.code == code
    assert text in str(caught.value)


def test_nothing_active():
    with pytest.raises(DifferentiationError, match="n: an int") as caught:
        choose("f", ("n",), {0: "an int is no floating number"}, None)
    assert caught.value.code == "EM210"
    with pytest.raises(DifferentiationError):
        choose("f", (), {}, None)
    with pytest.raises(ArgumentError):
        choose("f", (), {}, 0)


def test_arguments_after_one_another_are_no_parameter():
    p = em.compile_c("double f(double x, const double a[3]) { return x > 0 ? a[0]*x : 0; }")
    with pytest.raises(em.ArgumentError, match=r"one tuple: em.why_zero\(f, \(x, a\), wrt=") as caught:
        em.why_zero(p.f, 1.0, np.ones(3))
    assert caught.value.code == "EM315"

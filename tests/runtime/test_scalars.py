"""Numbers reach C unchanged, or not at all."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from enzyme_magic.backend.runtime.values import layout
from enzyme_magic.backend.runtime.values.scalars import converter
from enzyme_magic.errors import ArgumentError

from .native_code import BOOL, CALLBACK, CHAR, COLOR, COMPLEX, DOUBLE, FLOAT, INT, LONG_DOUBLE, POINT, SHORT, SIZE


def convert(type_, value):
    return converter("f", "x", type_)(value)


@pytest.mark.parametrize(
    ("type_", "value", "expected"),
    [
        (DOUBLE, 2.5, 2.5),
        (DOUBLE, 3, 3.0),
        (DOUBLE, True, 1.0),
        (DOUBLE, np.float32(0.1), float(np.float32(0.1))),
        (DOUBLE, np.float64(0.1), 0.1),
        (DOUBLE, np.int64(7), 7.0),
        (DOUBLE, np.array(4.0), 4.0),
        (DOUBLE, Fraction(1, 4), 0.25),
        (DOUBLE, Decimal("0.5"), 0.5),
        (DOUBLE, 2**53, 2.0**53),
        (DOUBLE, math.inf, math.inf),
        (FLOAT, 0.1, 0.1),
        (FLOAT, 16777216, 16777216.0),
        (FLOAT, math.inf, math.inf),
        (INT, 2.0, 2),
        (INT, np.int8(-3), -3),
        (INT, -(2**31), -(2**31)),
        (INT, np.float64(5.0), 5),
        (SIZE, 2**64 - 1, 2**64 - 1),
        (CHAR, -128, -128),
        (SHORT, 32767, 32767),
        (BOOL, True, 1),
        (BOOL, 0, 0),
        (COLOR, 1, 1),
        (COMPLEX, 1 + 2j, 1 + 2j),
        (COMPLEX, 3, 3 + 0j),
    ],
)
def test_exact_numbers_pass(type_, value, expected):
    result = convert(type_, value)
    assert result == expected
    assert type(result) is type(expected)


def test_nan_passes_as_nan():
    assert math.isnan(convert(DOUBLE, math.nan))
    assert math.isnan(convert(FLOAT, np.float32("nan")))


@pytest.mark.parametrize(
    ("type_", "value", "reason"),
    [
        (INT, 2.5, "fraction"),
        (INT, math.nan, "not finite"),
        (INT, math.inf, "not finite"),
        (INT, 2**31, "it holds -2147483648 … 2147483647"),
        (SIZE, -1, "it holds 0 …"),
        (CHAR, 300, "it holds -128 … 127"),
        (BOOL, 2, "it holds 0 … 1"),
        (COLOR, -1, "it holds"),
        (INT, "3", "not a number"),
        (INT, None, "not a number"),
        (INT, 1j, "not an integer"),
        (DOUBLE, "2.0", "not a number"),
        (DOUBLE, None, "not a number"),
        (DOUBLE, 1j, "complex"),
        (DOUBLE, np.complex128(1j), "complex"),
        (DOUBLE, 2**53 + 1, "nearest double"),
        (DOUBLE, Fraction(1, 3), "nearest double"),
        (DOUBLE, 10**400, "too large"),
        (DOUBLE, np.longdouble("0.1"), "nearest double"),
        (DOUBLE, object(), "not a number"),
        (FLOAT, 16777217, "nearest one is 16777216"),
        (FLOAT, 1e300, "too large"),
        (COMPLEX, "1", "not a number"),
    ],
)
def test_others_are_refused_with_the_reason(type_, value, reason):
    with pytest.raises(ArgumentError, match=reason) as caught:
        convert(type_, value)
    error = caught.value
    assert error.code == "EM302"
    assert "f: x is a" in error.message
    assert error.hint


@pytest.mark.parametrize("value", [np.zeros(3), np.zeros((1,)), [1.0], np.zeros((0,))])
def test_an_array_for_a_scalar_names_map(value):
    with pytest.raises(ArgumentError) as caught:
        convert(DOUBLE, value)
    assert caught.value.code == "EM303"
    assert "f.map(" in caught.value.hint


def test_long_double_keeps_every_bit():
    value = np.longdouble(1) / 3
    passed = convert(LONG_DOUBLE, value)
    assert isinstance(passed, layout.ExactLongDouble)
    assert np.frombuffer(bytes(passed), np.longdouble)[0] == value
    assert value != np.longdouble(float(value))


def test_struct_by_value():
    dtype = layout.dtype_of(POINT)
    scalar = np.array((1.0, 7, 2.0), dtype)[()]
    assert convert(POINT, scalar) == scalar
    assert convert(POINT, (1.0, 7, 2.0)) == scalar
    with pytest.raises(ArgumentError, match="structured scalar"):
        convert(POINT, 1.0)
    with pytest.raises(ArgumentError):
        convert(POINT, (1.0, 7))


def test_a_function_pointer_is_refused_with_a_way_out():
    with pytest.raises(ArgumentError, match="cannot be passed from Python") as caught:
        converter("f", "g", CALLBACK)
    assert caught.value.code == "EM313"
    assert "in C" in caught.value.hint

"""Formulas: exact arithmetic, sums against adding up, texts against their values."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from enzyme_magic.backend.analysis.counts.formula import (
    Formula,
    at_least_zero,
    at_most,
    floor_divide,
    largest,
    least_of,
    name,
    number,
    stays_counting,
    sum_over,
    surely_counts,
    surplus_over,
    without_limits,
)
from enzyme_magic.backend.analysis.counts.formula_text import text

n, m, i, j = (name(letter) for letter in "nmij")
one = number(1)


def polynomials(names: str) -> st.SearchStrategy[Formula]:
    """Random polynomials of small degree."""
    term = st.tuples(st.lists(st.sampled_from(names), max_size=3).map(tuple), st.fractions(-6, 6, max_denominator=6))
    return st.lists(term, max_size=5).map(Formula.of)


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (number(0), "0"),
        (number(-3), "-3"),
        (n, "n"),
        (n.times(8), "8*n"),
        (n * m, "n*m"),
        (m * n * n, "n*n*m"),
        (n + m, "n + m"),
        (n - m, "n - m"),
        (one - n, "1 - n"),
        (n.times(-2), "-2*n"),
        ((n * m + number(3)).times(8), "8*n*m + 24"),
        (sum_over(i + one, "i", n), "n*(n+1)/2"),
        (sum_over(i, "i", n), "n*(n-1)/2"),
        (sum_over(i * i, "i", n), "n*(n-1)*(2*n-1)/6"),
        (sum_over(m, "i", n), "n*m"),
        (at_least_zero(n - number(5)), "max(n - 5, 0)"),
        (at_least_zero(n - number(5)) + one, "max(n - 5, 0) + 1"),
        (floor_divide(n, 2), "n//2"),
        (floor_divide(n + one, 2), "(n + 1)//2"),
        (floor_divide(n + one, 2).times(8), "8*((n + 1)//2)"),
        (floor_divide(n.times(4) + number(8), 4), "n + 2"),
        ((n * n + one).times(Fraction(1, 2)), "(n*n+1)/2"),
    ],
)
def test_text(formula: Formula, expected: str) -> None:
    assert text(formula, "nm") == expected


def test_names_follow_the_given_order() -> None:
    assert text(n * m) == "m*n"
    assert text(n * m, ["n", "m"]) == "n*m"
    assert text(m + n, ["n", "m"]) == "n + m"


@given(polynomials("nm"), st.integers(-9, 9), st.integers(-9, 9))
def test_text_has_the_value_of_the_formula(formula: Formula, first: int, second: int) -> None:
    sizes = {"n": first, "m": second}
    exact = formula.value(sizes)
    written = text(formula, "nm").replace("/", "//") if Fraction(exact).denominator == 1 else text(formula, "nm")
    if Fraction(exact).denominator == 1:
        assert eval(written, {}, sizes) == exact
    else:
        assert eval(written, {}, sizes) == pytest.approx(float(exact))


def test_limits_that_make_no_difference_are_left_out() -> None:
    below = at_least_zero(n - one)
    assert text((below * (below + one)).times(Fraction(1, 2))) == "n*(n-1)/2"
    assert text(below * n) == "n*(n-1)"
    assert text(below) == "max(n - 1, 0)"
    assert text(below * m) == "m*max(n - 1, 0)"
    two = at_least_zero(n - number(2))
    assert text(two * (n - one) * n) == "n*(n-2)*(n-1)"
    assert text(two * n, "n") == "n*max(n - 2, 0)"  # at 1 it is 0, not -1


@given(st.sampled_from([1, 2, 3]), polynomials("nm"), polynomials("nm"), st.integers(0, 6), st.integers(0, 6))
def test_without_limits_is_the_same_for_sizes(limit: int, a: Formula, b: Formula, first: int, second: int) -> None:
    below, sizes = at_least_zero(n - number(limit)), {"n": first, "m": second}
    for formula in (a * below + b, below * n * (n - one) * a, below * below * b + below):
        assert without_limits(formula).value(sizes) == formula.value(sizes)


@given(polynomials("nmi"), st.integers(0, 8), st.integers(-5, 5))
def test_sum_is_adding_up(summand: Formula, count: int, other: int) -> None:
    total = sum_over(summand, "i", n)
    assert total is not None
    assert "i" not in total.names
    expected = sum(Fraction(summand.value({"i": k, "n": count, "m": other})) for k in range(count))
    assert total.value({"n": count, "m": other}) == expected


def test_nested_sums() -> None:
    inner = sum_over(one, "j", i + one)
    assert inner is not None
    outer = sum_over(inner, "i", n)
    assert outer is not None
    assert [outer.value({"n": size}) for size in range(8)] == [
        sum(1 for a, b in itertools.product(range(size), repeat=2) if b <= a) for size in range(8)
    ]


def test_no_sum_over_a_counter_inside_max_or_floor() -> None:
    assert sum_over(at_least_zero(n - i), "i", n) is None
    assert sum_over(floor_divide(n - i, 2), "i", n) is None
    assert sum_over(at_least_zero(n - m), "i", n) is not None


def test_what_is_surely_a_count() -> None:
    assert surely_counts(n * m + one)
    assert not surely_counts(n - one)
    assert surely_counts((n * n - n).times(Fraction(1, 2)))
    assert surely_counts(n * n * n - n * n)
    assert not surely_counts(n * n - n * number(3))
    assert not surely_counts(n * m - m)
    assert surely_counts(at_least_zero(n - one))
    assert surely_counts(floor_divide(n + one, 2))
    assert not surely_counts(floor_divide(n - one, 2))
    assert stays_counting(n - one - i, "i", n)
    assert not stays_counting(n - one - i.times(2), "i", n)


def test_max_and_floor_have_values() -> None:
    formula = at_least_zero(floor_divide(n - number(2), 3)) * m + n
    assert [formula.value({"n": size, "m": 10}) for size in (0, 2, 5, 8)] == [0, 2, 15, 28]
    assert formula.names == {"n", "m"}


def test_substitution_reaches_inside() -> None:
    formula = at_least_zero(n - m) + n * n
    assert formula.substitute("n", number(3)).value({"m": 1}) == 11
    assert formula.substitute("n", m + one) == one + (m + one) * (m + one)


def test_a_missing_name_is_named() -> None:
    with pytest.raises(KeyError, match="m"):
        (n * m).value({"n": 1})


@pytest.mark.parametrize("size", [0, 1, 2, 5, 63, 64, 65, 100])
def test_limits_are_what_min_says(size: int) -> None:
    limited = at_most(n + one, 65)
    assert text(limited) == "min(n, 64) + 1"
    assert limited.value({"n": size}) == min(size + 1, 65)
    assert at_most(n.times(2), 7).value({"n": size}) == min(2 * size, 7)
    assert at_most(number(9), 7) == number(7)
    for formula in (limited, at_most(at_least_zero(n - number(5)), 3).times(4), n.times(0) + number(6), limited - n):
        most = largest(formula)
        assert most is not None
        assert formula.value({"n": size}) <= most
    assert largest(n) is None
    assert largest(n * limited) is None


def test_what_a_maximum_is_at_least_of() -> None:
    assert least_of(at_least_zero(n - one)) == n - one
    assert least_of(at_least_zero(n - one) + one) is None
    assert least_of(n) is None


@pytest.mark.parametrize(
    ("formula", "known", "surplus"),
    [
        (n, n - one, 1), (n - one, n - one, 0), (n - one, n, -1),
        (n.times(4) - one, n - one, 0),  # 4(n - 1) + 3
        (n.times(4), n, 0), (n.times(4), n - one, None),  # n = 0
        (n.times(4) - number(5), n - one, None), (n, n.times(4) - one, None),
        (n.times(2) + m.times(2) - one, n + m - one, 0), (n.times(2) + m - one, n + m - one, None),
        (number(3), n, None), (n, number(3), None),
    ],
)  # fmt: skip
def test_what_is_0_or_more_where_something_else_is(formula: Formula, known: Formula, surplus: int | None) -> None:
    assert surplus_over(formula, known) == surplus
    if surplus == 0:
        for sizes in itertools.product(range(-6, 7), repeat=2):
            at = dict(zip("nm", sizes, strict=True))
            assert (formula.value(at) >= 0) == (known.value(at) >= 0)

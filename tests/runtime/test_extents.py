"""Extents as declarators say them."""

from __future__ import annotations

import pytest

from enzyme_magic.backend.frontend.extent import parse
from enzyme_magic.backend.runtime.values.extents import Extents
from enzyme_magic.errors import ArgumentError


@pytest.mark.parametrize(
    ("text", "sizes", "value"),
    [
        ("n", {"n": 4}, 4),
        ("static n", {"n": 4}, 4),
        ("2*n + 1", {"n": 3}, 7),
        ("n*(n+1)/2", {"n": 4}, 10),
        ("n << 3", {"n": 2}, 16),
        ("n >> 1", {"n": 9}, 4),
        ("n % 4", {"n": 7}, 3),
        ("-n / 2", {"n": 3}, -1),
        ("-n % 2", {"n": 3}, -1),
        ("7", {}, 7),
        ("n - m", {"n": 2, "m": 5}, -3),
        ("n / m", {"n": 2, "m": 0}, 0),
    ],
)
def test_arithmetic_is_cs(text, sizes, value):
    extent = parse(text)
    assert extent is not None
    assert extent.value(sizes) == value


@pytest.mark.parametrize("text", ["", "*", "sizeof(x)", "f(n)", "n > 3 ? n : 3", "n.k", "a[1]", "n +", "1.5", "'a'"])
def test_what_is_not_arithmetic_is_no_extent(text):
    assert parse(text) is None


@pytest.mark.parametrize("count", [101, 1500, 20000, 400000])
def test_what_is_nested_too_deeply_is_no_extent(count):
    assert parse("-" * count + "n") is None
    assert parse("(" * count + "n+1" + ")" * count) is None or count == 101
    assert parse("1" + "+n" * count) is None


def test_sizes_follow_from_arrays():
    extents = Extents("f", {"x": ("n",), "A": ("n", "m")}, frozenset(["n", "m"]))
    assert extents.inferable == {"n", "m"}
    assert extents.infer({}, {"x": (3,), "A": (3, 4)}) == {"n": 3, "m": 4}
    assert extents.infer({}, {"x": (3, 2), "A": (6, 4)}) == {"n": 6, "m": 4}
    assert extents.infer({"n": 2}, {"x": (3,), "A": (3, 4)}) == {"n": 2, "m": 4}


def test_two_arrays_that_disagree_are_both_named():
    extents = Extents("dot", {"x": ("n",), "y": ("n",)}, frozenset(["n"]))
    with pytest.raises(ArgumentError, match="n would be 3 by x and 4 by y") as caught:
        extents.infer({}, {"x": (3,), "y": (4,)})
    assert caught.value.code == "EM311"


def test_too_short():
    extents = Extents("f", {"x": ("n",)}, frozenset(["n"]))
    with pytest.raises(ArgumentError, match="x needs at least n = 10 elements, got 5") as caught:
        extents.check({"n": 10}, {"x": (5,)})
    assert caught.value.code == "EM309"
    extents.check({"n": 5}, {"x": (5,)})
    extents.check({"n": -1}, {"x": (0,)})


def test_too_short_for_a_product():
    extents = Extents("f", {"A": ("n", "m + 1")}, frozenset(["n", "m"]))
    with pytest.raises(ArgumentError, match=r"A needs at least n\*\(m \+ 1\) = 12 elements, got 11"):
        extents.check({"n": 3, "m": 3}, {"A": (11,)})
    with pytest.raises(ArgumentError, match="rows of m \\+ 1 = 4 elements, got 5"):
        extents.check({"n": 3, "m": 3}, {"A": (3, 5)})
    with pytest.raises(ArgumentError, match="has 2 dimensions, got an array of rank 3") as caught:
        extents.check({"n": 3, "m": 3}, {"A": (3, 2, 2)})
    assert caught.value.code == "EM314"


def test_a_constant_extent_is_checked_and_infers_nothing():
    extents = Extents("f", {"x": ("3",)}, frozenset())
    assert extents.inferable == frozenset()
    with pytest.raises(ArgumentError, match="x needs at least 3 elements, got 2"):
        extents.check({}, {"x": (2,)})


def test_an_extent_over_what_is_no_integer_parameter_is_unknown():
    extents = Extents("f", {"x": ("N",), "y": ("", "m")}, frozenset(["m"]))
    assert list(extents.arrays) == ["y"]
    extents.check({"m": 2}, {"y": (4,)})
    assert extents.inferable == {"m"}
    assert extents.infer({}, {"y": (5, 2)}) == {"m": 2}

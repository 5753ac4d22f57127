"""The floating numbers inside arrays of structs, and derivatives copied exactly."""

from __future__ import annotations

import numpy as np
import pytest

from enzyme_magic.backend.runtime.values import floats

INNER = np.dtype([("a", "f4"), ("k", "i4")])
POINT = np.dtype(
    {
        "names": ["x", "id", "w", "z", "inner"],
        "formats": ["f8", "i4", ("f4", (2,)), "c16", INNER],
        "offsets": [0, 8, 16, 24, 40],
        "itemsize": 48,
    }
)


def refuse(problem: str) -> Exception:
    return ValueError(problem)


def test_views_are_memory_of_the_array_in_the_order_of_the_fields():
    points = np.zeros((2,), POINT)
    views = floats.views(points)
    assert [(v.shape, v.dtype.str) for v in views] == [
        ((2,), "<f8"),
        ((2, 2), "<f4"),
        ((2,), "<f8"),
        ((2,), "<f8"),
        ((2,), "<f4"),
    ]
    for k, view in enumerate(views):
        view[...] = k + 1
    assert points["x"].tolist() == [1.0, 1.0]
    assert points["z"].tolist() == [3 + 4j] * 2
    assert points["inner"]["a"].tolist() == [5.0, 5.0]
    assert points["id"].tolist() == [0, 0]
    assert floats.paths(POINT) == [".x", ".w", ".z (real part)", ".z (imaginary part)", ".inner.a"]
    assert len(floats.paths(POINT)) == len(views)


def test_what_holds_floats():
    assert floats.holds_floats(POINT)
    assert floats.holds_floats(np.dtype("c8"))
    assert floats.holds_floats(np.dtype(("f4", (3,))))
    assert not floats.holds_floats(np.dtype([("k", "i4"), ("u", "u8")]))
    assert floats.is_plain(np.dtype("g"))
    assert not floats.is_plain(np.dtype("c8"))
    assert not floats.is_plain(POINT)


def test_clear_others_keeps_floats_only():
    points = np.ones((3,), POINT)
    points["inner"]["k"] = 9
    floats.clear_others(points)
    assert (points["id"].tolist(), points["inner"]["k"].tolist()) == ([0] * 3, [0] * 3)
    assert points["x"].tolist() == [1.0] * 3
    assert floats.clear_others(np.arange(3)).tolist() == [0, 0, 0]


def test_exact_copies_are_fresh_aligned_and_checked():
    source = np.arange(6.0).reshape(2, 3)
    made = floats.exact_copy(source[:, ::-1], (2, 3), source.dtype, refuse)
    assert np.array_equal(made, source[:, ::-1])
    assert made.ctypes.data % 64 == 0
    assert floats.exact_copy([1, 2], (2,), np.dtype("f4"), refuse).tolist() == [1.0, 2.0]
    assert floats.exact_copy(0.1, (), np.dtype("f4"), refuse) == np.float32(0.1)
    assert np.isnan(floats.exact_copy([np.nan], (1,), np.dtype("f4"), refuse)[0])
    assert floats.exact_copy([1.0], (1,), np.dtype("c16"), refuse).tolist() == [1 + 0j]


@pytest.mark.parametrize(
    ("value", "dtype", "problem"),
    [
        (np.zeros(3), "f8", r"has shape \(3,\) instead of \(2,\)"),
        (np.zeros(2, complex), "f8", "has dtype complex128 instead of float64"),
        (np.array([1e300, 0]), "f4", "holds numbers that a float32 does not"),
        (np.array([2**53 + 1, 0]), "f8", "holds numbers that a float64 does not"),
        (np.array(["a", "b"]), "f8", "has dtype <U1"),
        (np.zeros(2), POINT, "has dtype float64 instead of"),
        (np.zeros(2), "i8", "has dtype float64 instead of int64"),
    ],
)
def test_what_does_not_fit(value, dtype, problem):
    with pytest.raises(ValueError, match=problem):
        floats.exact_copy(value, (2,), np.dtype(dtype), refuse)

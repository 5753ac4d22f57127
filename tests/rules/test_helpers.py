"""polygamma and pow_partial: accuracy far from the ordinary, poles, and the shape of what is written."""

from __future__ import annotations

import math

import pytest
from mpmath import mp, mpf

from enzyme_magic.backend.ir.checks.verify import verify
from enzyme_magic.backend.ir.module import Module
from enzyme_magic.backend.ir.text.printer import print_module
from enzyme_magic.backend.ir.types import DOUBLE, FLOAT, FP128
from enzyme_magic.backend.llvm import binding
from enzyme_magic.backend.rules.formulas import helpers
from enzyme_magic.backend.rules.registry import lookup

from .native import EPSILON, TYPES, Natives

_FAR = [
    1e-300,
    1e-8,
    0.1,
    0.9999,
    1.25,
    3.0,
    9.99,
    12.5,
    171.5,
    1e6,
    1e15,
    1e300,
    -1e-300,
    -1e-8,
    -0.25,
    -0.75,
    -2.5,
    -10.125,
    -99.7,
    -512.25,
]


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("order", [0, 1, 2])
def test_polygamma_far_from_the_ordinary(natives: Natives, kind: str, order: int) -> None:
    epsilon = EPSILON[kind]
    name = f"polygamma.{order}"
    with mp.workdps(60):
        for x in _FAR:
            x = x if kind != "float" else _single(x)
            if x == 0:
                continue
            expected = mp.psi(order, mpf(x))
            if abs(expected) > mpf(2) ** 126 or abs(expected) < mpf(2) ** -120:
                continue
            got = natives(f"value.{name}.{kind}.0", kind, name, (x,))
            moved = abs(mp.psi(order, mpf(x) * (1 + mpf(epsilon))) - expected)
            assert abs(got - expected) <= 8 * epsilon * abs(expected) + 2 * moved, (x, float(got), float(expected))


def _single(x: float) -> float:
    import struct

    return float(struct.unpack("f", struct.pack("f", x))[0]) if abs(x) < 3e38 else 1e30


@pytest.mark.parametrize("kind", TYPES)
def test_digamma_is_absolutely_accurate_at_its_zeros(natives: Natives, kind: str) -> None:
    """Beside a zero the terms cancel; what is left is right to a few units of the terms."""
    with mp.workdps(60):
        for zero in (1.4616321449683623, -0.5040830082644554, -1.5734984731623904):
            x = _single(zero)
            got = natives(f"value.polygamma.0.{kind}.0", kind, "polygamma.0", (x,))
            assert abs(got - mp.psi(0, mpf(x))) <= 16 * EPSILON[kind], zero


@pytest.mark.parametrize("kind", TYPES)
def test_poles(natives: Natives, kind: str) -> None:
    def at(order: int, x: float) -> float:
        return float(natives(f"value.polygamma.{order}.{kind}.0", kind, f"polygamma.{order}", (x,)))

    assert (at(0, 0.0), at(0, -0.0)) == (-math.inf, math.inf)
    assert (at(1, 0.0), at(1, -0.0)) == (math.inf, math.inf)
    assert (at(2, 0.0), at(2, -0.0)) == (-math.inf, math.inf)
    assert (at(0, math.inf), at(1, math.inf), at(2, math.inf)) == (math.inf, 0.0, 0.0)
    for order in (0, 1, 2):
        for x in (-1.0, -2.0, -(2.0**60), -math.inf, math.nan):
            assert math.isnan(at(order, x)), (order, x)


@pytest.mark.parametrize("order", range(7))
def test_every_order_is_valid_ir_in_every_type(order: int) -> None:
    module = Module()
    for type_ in (FLOAT, DOUBLE, FP128):
        helpers.function(module, f"polygamma.{order}", type_)
    verify(module)
    binding.verify(print_module(module))


def test_a_helper_is_written_once_and_float_uses_the_one_of_double() -> None:
    module = Module()
    first = helpers.function(module, "polygamma.0", FLOAT)
    assert helpers.function(module, "polygamma.0", FLOAT) is first
    assert {name for name in module.functions if name.startswith("em.")} == {"em.polygamma.0.f32", "em.polygamma.0.f64"}


def test_helpers_are_differentiable_again() -> None:
    assert lookup("polygamma.4").formula == "d polygamma(4, x) = polygamma(5, x) dx"


_HARD_POWERS = [
    (1e-200, 2.5),  # the result underflows to zero, the slope does not
    (1e200, 1.6),  # the result overflows, the slope does not
    (1e-103, 3.0),  # the result has lost digits
    (5e-324, 0.9),  # the smallest base
    (1e-310, 1.0),
    (2.0, 1010.9999),
    (0.5, 1022.5),
    (-1.5, 301.0),
    (1.0000001, 1e9),
]


@pytest.mark.parametrize(("x", "y"), _HARD_POWERS)
def test_slope_of_pow_where_the_result_is_no_normal_number(natives: Natives, x: float, y: float) -> None:
    got = natives("partial.pow.double.0.0", "double", "pow", (x, y))
    with mp.workdps(60):
        expected = mpf(y) * mpf(x) ** (int(y) - 1 if y == int(y) else mpf(y) - 1)
        moved = abs(expected * (1 + mpf(2) ** -52) ** mpf(y) - expected)
        assert abs(got - expected) <= 8 * 2.0**-52 * abs(expected) + moved

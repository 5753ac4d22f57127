"""Masks on the sign bit are fabs, negation and copysign, at every level, with the values those have at zeros and for NaN."""

from __future__ import annotations

import numpy as np
import pytest

from enzyme_magic.backend.ir.checks import verify
from enzyme_magic.backend.ir.text.parser import parse
from enzyme_magic.backend.prepare.bits import sign_bits

from .harness import check

SOURCE = """
#include <stdint.h>
typedef union { double x; uint64_t u; } Bits;
#define REST 0x7fffffffffffffffull
#define SIGN 0x8000000000000000ull
double magnitude(double x, double y) { Bits a = {x}; a.u &= REST; return a.x*y; }
double minus(double x, double y) { Bits a = {x}; a.u ^= SIGN; return a.x*y; }
double minus_magnitude(double x, double y) { Bits a = {x}; a.u |= SIGN; return a.x*y*x; }
double with_sign(double x, double y) {
    Bits a = {x}, b = {y};
    a.u = (a.u & REST) | (b.u & SIGN);
    return a.x*x + y;
}
double both_turned(double x, double y) {
    Bits a = {x}, b = {y};
    a.u ^= SIGN;
    b.u = (a.u & SIGN) | (b.u & REST);
    return a.x*b.x;
}
typedef union { float f; uint32_t u; } Pun;
float single(float x, float y) { Pun p = {x}; p.u &= 0x7fffffffu; return p.f*y; }
"""


@pytest.mark.parametrize("y", [0.7, -1.1])
@pytest.mark.parametrize("x", [1.3, -0.4])
@pytest.mark.parametrize("function", ["magnitude", "minus", "minus_magnitude", "with_sign", "both_turned"])
def test_double(function: str, x: float, y: float) -> None:
    check(SOURCE, function, [x, y])


def test_single() -> None:
    check(SOURCE, "single", [np.float32(-1.5), np.float32(0.75)])


def test_other_masks_stay() -> None:
    text = """
define double @f(double %x) {
  %u = bitcast double %x to i64
  %low = and i64 %u, 4503599627370495
  %v = bitcast i64 %low to double
  %w = or i64 %low, -9223372036854775808
  %t = bitcast i64 %w to double
  %s = fadd double %v, %t
  ret double %s
}
"""
    module = parse(text)
    assert sign_bits.to_operations(module) == 0
    verify.verify(module)


def test_a_choice_between_constants_is_no_number() -> None:
    text = """
define void @f(i1 %c, ptr %p) {
  %kind = select i1 %c, i32 4, i32 5
  store i32 %kind, ptr %p
  ret void
}
"""
    assert sign_bits.to_operations(parse(text)) == 0

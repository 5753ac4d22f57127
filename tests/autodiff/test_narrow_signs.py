"""Masks made of the sign of an integer that was narrowed: its own top bit decides, not that of what it was narrowed from."""

from __future__ import annotations

import pytest

from .harness import check

SOURCE = """#include <stdint.h>
#include <string.h>
#define IN static inline __attribute__((always_inline))
IN uint64_t bits(double x) { uint64_t u; memcpy(&u, &x, 8); return u; }
IN double number(uint64_t u) { double x; memcpy(&x, &u, 8); return x; }
double of_a_byte(double x, int k) { int8_t s = (int8_t)k; return number(bits(x) & (uint64_t)((int64_t)s >> 63))*x; }
double of_a_word(double x, int k) { return number(bits(x) & (uint64_t)((int64_t)(int16_t)(k >> 8) >> 63))*x; }
double of_another(double x, double y) { return number(bits(x) & (uint64_t)((int64_t)(int32_t)bits(y) >> 63))*x; }
"""


@pytest.mark.parametrize("k", [100, 200, -200, 40000, 0x800000, -1, 0])
@pytest.mark.parametrize("function", ["of_a_byte", "of_a_word"])
def test_integers(function: str, k: int) -> None:
    check(SOURCE, function, [1.5, k], levels=(0, 1, 2))


@pytest.mark.parametrize("y", [0.1, 0.7, -0.7])
def test_half_of_a_number(y: float) -> None:
    check(SOURCE, "of_another", [1.5, y], wrt=[0], levels=(0, 1, 2))

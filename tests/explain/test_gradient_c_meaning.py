"""What the C text of a gradient computes is what the gradient computes, to the last bit, also at the edges of C's types."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.autodiff.random_programs import arguments, generate, translation_unit
from tests.explain.c_text_checks import compare, compiled

HUGE, LARGE = 2**64 - 500, 2**32 - 1
U32, U16 = np.array([LARGE, 7, 3_000_000_000], np.uint32), np.array([65535, 3, 40000], np.uint16)
# Numbers that C reads as unsigned and the program as signed, and the other way round.
SIGNS: dict[str, tuple[str, list[Any]]] = {
    "unsigned to double": ("double f(double x, unsigned n) { int m = (int)n; return x*x*m; }", [1.5, LARGE]),
    "compared": ("double f(double x, unsigned long n) { long m = (long)n; return m < 0 ? x*x : x*17; }", [1.5, HUGE]),
    "shifted, divided": (
        "double f(double x, unsigned long n) { long m = (long)n; return x*x*(double)(m >> 3) + x*(double)(m/7); }",
        [1.5, HUGE],
    ),
    "narrow": ("double f(double x, unsigned short n, unsigned char c) { return x*x*n + c*x; }", [1.5, 65535, 255]),
    "narrow, signed": (
        "double f(double x, short n, signed char c, _Bool b) { return b ? x*x*n + c*x : x; }",
        [1.5, -5, -7, 1],
    ),
    "unsigned remains": (
        "double f(double x, unsigned n, int m) { return x*x*(n/3) + x*(n % 7u) + x*(n > (unsigned)m); }",
        [1.5, LARGE, -3],
    ),
    "in memory": (
        "double f(double x, const unsigned *k, const unsigned short *h) {"
        " return x*x*(int)k[0] + x*(double)(k[2]/3) + x*x*(short)h[2] + x*h[0]; }",
        [1.5, U32, U16],
    ),
    "enumeration": (
        "enum e { A, B = 7 };\ndouble f(double x, enum e n) { int m = (int)n - 9; return x*x*m; }",
        [1.5, 7],
    ),
    "counting down, twice": (
        "double f(double x, unsigned long n, unsigned long m) {"
        " double s = x; for (unsigned long i = n; i > 0; i--)"
        " for (unsigned long j = m; j != 0; j--) s = s*x + 1.0/(i*m + j); return s; }",
        [0.5, 3, 4],
    ),
    "counting down, none": (
        "double f(double x, unsigned long n) { double s = x; for (unsigned long i = n; i-- > 0;) s = s*x*i; return s; }",
        [0.5, 0],
    ),
    "counting down from a large number, left before": (
        "double f(double x, unsigned long n) {"
        " for (unsigned long i = n; i != 0; i--) { x *= 0.5; if (x < 0.1) break; } return x; }",
        [3.0, HUGE],
    ),
    "beside an unsigned number": (
        "double f(double x, unsigned long n, long m) {"
        " long k = (long)(n*(unsigned long)m), l = (long)(n - 3); return x*k + x*x*l; }",
        [1.5, 2, -7],
    ),
    "counting up": (
        "#include <stddef.h>\n"
        "double f(double x, size_t n) { double s = x; for (size_t i = 0; i < n; i++) s = s*x + 1.0/(i + 1); return s; }",
        [0.5, 5],
    ),
    "counting down": (
        "double f(double x, unsigned n) { double s = x; for (unsigned i = n; i > 0; i--) s = s*x + 1.0/(i + 1); return s; }",
        [0.5, 5],
    ),
    "no iteration": (
        "double f(double x, unsigned long n) { double s = x; for (unsigned long i = 0; i < n; i++) s = s*x; return s; }",
        [0.5, 0],
    ),
}


@pytest.mark.parametrize("case", list(SIGNS))
@pytest.mark.parametrize("opt", [0, 2])
def test_signs_of_numbers(case: str, opt: int) -> None:
    source, at = SIGNS[case]
    compared = compare(compiled(source, opt=opt), "f", at)
    assert compared.text, compared.reason
    assert not compared.differs(exact=True), compared.text


def test_a_loop_of_size_t_is_a_for_loop() -> None:
    source = """double f(size_t n, double *a) {
        double total = 0;
        for (size_t i = 0; i < n; i++) { total += a[i]*a[i]; a[i] = sin(a[i])*total; }
        return total;
    }"""
    compared = compare(compiled("#include <math.h>\n#include <stddef.h>\n" + source), "f", [4, np.arange(1.0, 5.0)])
    assert "for (long i = 0; i < n; i++)" in compared.text
    assert "unsigned" not in compared.text
    assert not compared.differs(exact=True)


SEEDS = (31, 32, 40, 44, 98, 105, 111, 136, 148, 162, 234, 247)


@pytest.mark.parametrize("strict", [True, False], ids=["strict", "reassociated"])
def test_random_programs(strict: bool) -> None:
    """Every text there is; which programs have one changes with the engine, but half of these do."""
    texts = 0
    for program in map(generate, SEEDS):
        compared = compare(compiled(translation_unit([program]), strict=strict), program.name, arguments(program))
        assert not compared.differs(exact=strict), compared.text
        texts += bool(compared.text)
    assert texts >= len(SEEDS) // 2


def test_numbers_that_the_reverse_sweep_computes_again_may_be_negative_or_wrap() -> None:
    """Only counts of iterations are told to LLVM to be small: `b[i - 1]` is an address like any other, and a hash wraps."""
    source = (Path(__file__).parents[1] / "programs" / "sources" / "matrices.c").read_text()
    random = np.random.default_rng(5)
    at = [4, random.normal(size=(4, 4)) + 2 * np.eye(4), random.normal(size=4), random.normal(size=4)]
    compared = compare(compiled(source), "gauss", at)
    assert compared.text, compared.reason
    assert not compared.differs(exact=True), compared.text
    hashed = """double f(const double *a, long n, double x) {
        unsigned long h = 14695981039346656037ul;
        double s = x;
        for (long i = 0; i < n; i++) { h = h*1099511628211ul + i - 5; s = s*a[h >> 61] + a[(h + 3) % 8]; }
        return s;
    }"""
    compared = compare(compiled(hashed), "f", [np.linspace(0.5, 1.2, 8), 20, 0.7])
    assert compared.text, compared.reason
    assert not compared.differs(exact=True), compared.text


VALUES = np.array([0.5, 2.0, 1.5, -0.25, 3.0, 0.75, 1.25])
WALKS = {
    "to an end that is met": "for (const double *p = x; p != x + n; p++) s += *p * *p * s + *p;",
    "to an end that is less": "for (const double *p = x; p < x + n; p++) s += *p * *p * s + *p;",
    "in steps": "for (const double *p = x + 1; p < x + n; p += 2) s += p[0]*p[-1]*s + *p;",
    "backwards": "const double *p = x + n; while (--p >= x) s = s*0.5 + *p * *p;",
    "from both ends": "const double *l = x, *r = x + n - 1; while (l < r) { s += *l * *r * s + 1; l++; r--; }",
}


@pytest.mark.parametrize("opt", [0, 1, 2, 3])
@pytest.mark.parametrize("walk", WALKS)
def test_addresses_that_are_compared(walk: str, opt: int) -> None:
    """`(void *)p + 1` is the byte behind p, not the next number: a loop to `p != x + n` met no end."""
    source = f"double f(const double *x, int n) {{ double s = 0.5; {WALKS[walk]} return s; }}"
    found = compare(compiled(source, opt=opt), "f", [VALUES, len(VALUES)])
    assert found.text, found.reason
    assert not found.differs(exact=True), found.text

"""Tagged values of numbers and integers that travel by value, several members in one register."""

from __future__ import annotations

import pytest

from .harness import check

HEAD = """#include <stdlib.h>
#include <math.h>
#define KEPT static __attribute__((noinline))
"""
PROGRAMS = {
    "numbers and integers in one register": """typedef struct { int tag; union { float f; int i; } u; } S;
KEPT S up(S s) { if (s.tag) s.u.f *= 3*s.u.f; else s.u.i++; return s; }
double f(double x) { S s = {1}; s.u.f = x; S t = {0}; t.u.i = 2; s = up(s); t = up(up(t)); return s.u.f*t.u.i; }""",
    "a union alone": """typedef union { double d; long i; } U;
KEPT U up(U u, int k) { if (k) u.d *= u.d; else u.i += 1; return u; }
double f(double x) { U a, b; a.d = x; b.i = 3; a = up(a, 1); b = up(b, 0); return a.d*b.i; }""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_right_where_llvm_has_optimized(name: str) -> None:
    check(HEAD + PROGRAMS[name], "f", [1.5], levels=(1, 2, 3), single="float f;" in PROGRAMS[name])

"""Roundings by a great constant that is added and taken away again are steps; sums that look like them are none."""

from __future__ import annotations

import math

import pytest

import enzyme_magic as em

HEAD = "#include <math.h>\n"
# (body, the derivative at x)
STEPS = {
    "one_line": (
        "double k = (x + 6755399441055744.0) - 6755399441055744.0; return (x - k)*x;",
        lambda x: 2 * x - round(x),
    ),
    "fused": ("double k = x*3 + 0x1.8p52; k -= 0x1.8p52; return k*x;", lambda x: round(3 * x)),
    "by_fma": ("double k = fma(x, 3, 0x1.8p52) - 0x1.8p52; return k*x;", lambda x: round(3 * x)),
    "a_variable": ("double m = 0x1p52, k = x*x + m; return (k - m)*x;", lambda x: round(x * x)),
    "a_constant": ("static const double m = 0x1.8p52; return ((m + x) - m)*x;", round),
    "turned": ("double m = 0x1p52, k = m - (m - x); return k*x;", round),
    "negated": ("double m = 0x1.8p52, k = m - (x + m); return k*x;", lambda x: -round(x)),
    "parts": ("double k = (x + 0x1.8p45) - 0x1.8p45; return k*x;", lambda x: round(x * 128) / 128),
    "float": ("float y = x; float k = (y + 12582912.f) - 12582912.f; return k*x;", round),
    "by_sign": ("double m = x < 1 ? -0x1p52 : 0x1p52; double k = (x + m) - m; return k*x;", round),
    "by_sign_turned": ("double m = x < 1 ? -0x1.8p52 : 0x1.8p52; double k = m + (x - m); return k*x;", round),
    "reduced": (
        "double k = (x*20/6.283185307179586 + 0x1.8p52) - 0x1.8p52; return sin(x*20 - k*6.283185307179586);",
        lambda x: 20 * math.cos(20 * x),
    ),
    "an_array": (
        "double a[8], r = 0; for (int i = 0; i < 8; i++) a[i] = x*(i + 1);"
        " for (int i = 0; i < 8; i++) { double k = (a[i] + 0x1.8p52) - 0x1.8p52; a[i] -= k; }"
        " for (int i = 0; i < 8; i++) r += a[i]*a[i]; return r;",
        lambda x: sum(2 * (x * i - round(x * i)) * i for i in range(1, 9)),
    ),
}
SUMS = {
    "moved_and_back": ("double k = (x + 4096.0) - 4096.0; return k*x;", lambda x: 2 * x),
    "a_large_number": ("double k = (x + 1e18) - 1e18; return k + x;", lambda _: 2.0),
    "another_number": ("double k = (x + 0x1.8p52) - 0x1p52; return k;", lambda _: 1.0),
    "not_taken_away": ("double k = x + 0x1.8p52; return k*0x1p-52;", lambda _: 2.0**-52),
    "chosen_small": ("double m = x < 1 ? -4096.0 : 4096.0; double k = (x + m) - m; return k*x;", lambda x: 2 * x),
    "error_term": ("double t = 0x1.8p52 + x, e = x - (t - 0x1.8p52); return e*e;", lambda x: 2 * (x - round(x))),
    "taken_away_twice": ("double t = x + 0x1.8p52; return (t - x) - 0x1.8p52 + x;", lambda _: 1.0),
}


@pytest.mark.parametrize("opt", [0, 2])
@pytest.mark.parametrize("name", [*STEPS, *SUMS])
def test_a_step_has_slope_zero_and_a_sum_has_one(name: str, opt: int) -> None:
    body, slope = (STEPS | SUMS)[name]
    f = em.compile_c(HEAD + f"double f(double x) {{ {body} }}", opt=opt)["f"]
    for x in (0.83, 1.2):
        assert float(f.grad(x)) == pytest.approx(slope(x), rel=1e-6)
        assert float(em.jvp(f, (x,), (1.0,))[1]) == pytest.approx(slope(x), rel=1e-6)


def test_why_zero_names_the_rounding() -> None:
    f = em.compile_c("double f(double x) {\n  double k = x + 0x1.8p52;\n  return k - 0x1.8p52;\n}")["f"]
    assert float(f.grad(0.7)) == 0
    assert "rounding (line 3)" in str(em.why_zero(f, (0.7,), wrt="x"))

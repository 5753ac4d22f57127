"""Complex numbers: arithmetic by the compiler's runtime functions, and the functions of complex.h, in both modes."""

from __future__ import annotations

import numpy as np
import pytest

import enzyme_magic as em
from tests.autodiff.harness import check

SOURCE = """
#include <complex.h>
double product(const double *x, int n) {
    double _Complex z = 1.0 + 0.5*I;
    for (int i = 0; i < n; i++) z *= x[i] + I*x[0];
    return creal(z)*cimag(z) + creal(z);
}
double quotient(const double *x, int n) {
    double _Complex z = 1.0 + 0.5*I;
    for (int i = 0; i < n; i++) z = z/(x[i] - 2.0*I*x[0]) + x[n - 1];
    return creal(z)*cimag(z) - cimag(z);
}
double real_and_complex(double a, double b) {
    double _Complex z = a + I*b;
    return creal(a*z/b) + cimag(z*z*z);
}
float single(float a, float b) {
    float _Complex z = a + I*b;
    z = z*z/(z + 2.0f);
    return crealf(z) + cimagf(z);
}
"""


@pytest.mark.parametrize("function", ["product", "quotient"])
def test_in_loops(function: str) -> None:
    check(SOURCE, function, (np.array([0.7, -1.3, 0.4]), 3))


def test_scalars() -> None:
    check(SOURCE, "real_and_complex", (0.7, 1.9))


def test_single_precision_pairs_are_vectors_of_two() -> None:
    """float _Complex travels as <2 x float>."""
    a, b = 0.7, -0.4
    z = complex(a, b)
    slope = (2 * z * (z + 2) - z * z) / (z + 2) ** 2
    want = (slope.real + slope.imag, (slope * 1j).real + (slope * 1j).imag)
    got = check(SOURCE, "single", (np.float32(a), np.float32(b)), single=True)
    assert got == pytest.approx(want, rel=1e-5)


FUNCTIONS = [
    *("cexp", "clog", "csqrt", "csin", "ccos", "ctan", "csinh", "ccosh", "ctanh"),
    *("casin", "cacos", "catan", "casinh", "cacosh", "catanh"),
]


def source_for(real: str) -> str:
    """A function t_NAME(x, y) for each of FUNCTIONS, t_cpow(x, y, a, b), and t_polar(x, y) of cabs and carg."""
    f = "f" if real == "float" else ""
    both = f"return creal{f}(z)*creal{f}(z) + creal{f}(z)*cimag{f}(z) - cimag{f}(z);"
    made = [
        f"{real} t_{name}({real} x, {real} y) {{ {real} _Complex z = {name}{f}(x + I*y); {both} }}"
        for name in FUNCTIONS
    ]
    made.append(
        f"{real} t_cpow({real} x, {real} y, {real} a, {real} b) {{"
        f" {real} _Complex z = cpow{f}(x + I*y, a + I*b); {both} }}"
    )
    made.append(f"{real} t_polar({real} x, {real} y) {{ return cabs{f}(x + I*y)*carg{f}(y + I*x); }}")
    return "#include <complex.h>\n" + "\n".join(made)


DOUBLES, FLOATS = source_for("double"), source_for("float")


@pytest.mark.parametrize("at", [(0.75, -0.5), (-1.25, 0.375)])
@pytest.mark.parametrize("name", [*FUNCTIONS, "polar"])
def test_functions(name: str, at: tuple[float, float]) -> None:
    check(DOUBLES, f"t_{name}", at, levels=(0, 2))
    check(FLOATS, f"t_{name}", tuple(map(np.float32, at)), levels=(0, 2))


def test_powers() -> None:
    at = (0.75, -0.5, 1.25, 0.375)
    check(DOUBLES, "t_cpow", at)
    check(FLOATS, "t_cpow", tuple(map(np.float32, at)))


def test_far_from_one() -> None:
    """|z|² would overflow or underflow."""
    gradient = em.compile_c(DOUBLES)["t_clog"].grad
    for scale in (1e200, 1e-200):
        x, y = 3 * scale, 4 * scale
        real, imaginary = np.log(5 * scale), np.arctan2(4, 3)
        slope = 1 / complex(3, 4) / scale
        outer = (2 * real + imaginary, real - 1)
        want = (outer[0] * slope.real + outer[1] * slope.imag, -outer[0] * slope.imag + outer[1] * slope.real)
        assert gradient(x, y) == pytest.approx(want, rel=1e-12)


def test_second_derivatives() -> None:
    """Of an analytic function's parts: the real one is harmonic."""
    source = "#include <complex.h>\ndouble u(double x, double y) { return creal(csin(clog(x + I*y))*csqrt(x + I*y)); }"
    hessian = np.array(em.compile_c(source)["u"].hessian(0.75, -0.5)).reshape(2, 2)
    assert hessian[0, 0] == pytest.approx(-hessian[1, 1], rel=1e-12)
    assert hessian[0, 1] == pytest.approx(hessian[1, 0], rel=1e-12)


def test_absolute_value_at_zero() -> None:
    """As fabs: the subgradient 0."""
    source = "#include <complex.h>\ndouble f(double x, double y) { return cabs(x + I*y); }"
    assert em.compile_c(source)["f"].grad(0.0, 0.0) == (0.0, 0.0)

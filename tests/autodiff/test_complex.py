"""Complex numbers: arithmetic by the compiler's runtime functions, at every level and in both modes."""

from __future__ import annotations

import numpy as np
import pytest

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

"""Fourier transforms and complex numbers as structs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .calls import Call
from .checks import LEVELS, Case, check

N = 8


def power_spectrum(n: int, re: Any, im: Any, weight: Any) -> float:
    return float((weight * abs(np.fft.fft(re + 1j * im)) ** 2).sum())


def iteration(re: float, im: float, c_re: float, c_im: float, steps: int) -> float:
    z, c = complex(re, im), complex(c_re, c_im)
    for _ in range(steps):
        z = (z * z - c) / (z + c + 1.5 + 0.25j)
    return abs(z)


def newton(n: int, a: Any, re: float, im: float) -> float:
    z, p = complex(re, im), np.polynomial.Polynomial(a.view(complex).reshape(-1))
    for _ in range(60):
        z -= p(z) / p.deriv()(z)
    return float(z.real + 2 * z.imag)


def quadratic(random: np.random.Generator) -> list[Any]:
    """(z - 1 - i/2)(z + 1)(z - 2i), a little moved."""
    roots = np.array([1 + 0.5j, -1, 2j]) + 0.1 * random.normal(size=3)
    coefficients = np.polynomial.polynomial.polyfromroots(roots).astype(complex)
    return [4, coefficients.view(float).reshape(4, 2), 1.3, 0.2]


CASES = [
    Case("fft", "fft_loss", lambda r: [N, r.normal(size=N), r.normal(size=N), r.normal(size=N)], power_spectrum),
    Case(
        "fft",
        "recursive_fft",
        lambda r: [N, r.normal(size=(N, 2)), r.normal(size=N)],
        lambda n, x, w: (w * np.log1p(abs(np.fft.fft(x.view(complex).reshape(-1))))).sum(),
    ),
    Case("fft", "complex_iteration", lambda r: [*map(float, r.normal(0, 0.5, 4)), 4], iteration),
    Case("fft", "complex_newton", quadratic, newton),
]


@pytest.mark.parametrize("opt", LEVELS)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_gradient(case: Case, opt: int) -> None:
    check(case, opt)


@pytest.mark.parametrize("opt", LEVELS)
def test_parseval(opt: int) -> None:
    """With all weights 1 the loss is n times the sum of squares."""
    random = np.random.default_rng(1)
    re, im = random.normal(size=64), random.normal(size=64)
    parts = Call("fft", "fft_loss", opt).reverse([64, re, im, np.ones(64)]).parts
    assert np.allclose(parts[1], 2 * 64 * re, rtol=1e-12, atol=1e-11)
    assert np.allclose(parts[2], 2 * 64 * im, rtol=1e-12, atol=1e-11)

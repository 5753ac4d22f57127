"""Dense linear algebra: factorizations, pivoting, work space of every kind."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .calls import Call
from .checks import LEVELS, Case, check

N = 4


def positive(random: np.random.Generator) -> np.ndarray:
    a = random.normal(size=(N, N))
    return a @ a.T + np.eye(N)


def pivoted(random: np.random.Generator) -> np.ndarray:
    """Elimination has to exchange rows: the diagonal is small."""
    a = random.normal(size=(N, N))
    np.fill_diagonal(a, random.uniform(0.01, 0.02, N))
    return a


def tridiagonal(n: int, lower: Any, diagonal: Any, above: Any, b: Any) -> float:
    full = np.diag(diagonal) + np.diag(lower[1:], -1) + np.diag(above[:-1], 1)
    return float((np.linalg.solve(full, b) ** 2).sum())


CASES = [
    Case(
        "matrices",
        "cholesky_logdet",
        lambda r: [N, positive(r)],
        lambda n, a: np.linalg.slogdet(np.tril(a) + np.tril(a, -1).T)[1],
    ),
    Case(
        "matrices",
        "gauss",
        lambda r: [N, pivoted(r), r.normal(size=N), r.normal(size=N)],
        lambda n, a, b, c: c @ np.linalg.solve(a, b),
    ),
    Case("matrices", "determinant", lambda r: [N, pivoted(r)], lambda n, a: np.linalg.det(a)),
    Case(
        "matrices",
        "product_norm",
        lambda r: [3, 2, N, r.normal(size=(3, N)), r.normal(size=(N, 2))],
        lambda n, m, k, a, b: ((a @ b) ** 2).sum(),
    ),
    Case("matrices", "qr_logdet", lambda r: [N, r.normal(size=(N, N))], lambda n, a: np.linalg.slogdet(a)[1]),
    Case(
        "matrices",
        "power_method",
        lambda r: [N, np.diag([4.0, 1, 0.5, 0.1]) + 0.1 * r.normal(size=(N, N)), np.ones(N)],
        lambda n, a, start: abs(np.linalg.eigvals(a)).max(),
        tolerance=1e-6,
    ),
    Case(
        "matrices",
        "thomas",
        lambda r: [6, r.normal(size=6), 4 + r.normal(size=6), r.normal(size=6), r.normal(size=6)],
        tridiagonal,
    ),
]


@pytest.mark.parametrize("opt", LEVELS)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_gradient(case: Case, opt: int) -> None:
    check(case, opt)


@pytest.mark.parametrize("opt", LEVELS)
def test_inverses(opt: int) -> None:
    """Gradients known in closed form: d logdet = A^-T, d(c·A^-1 b) = -(A^-T c)(A^-1 b)^T."""
    random = np.random.default_rng(3)
    a, b, c = pivoted(random), random.normal(size=N), random.normal(size=N)
    adjoint, x = np.linalg.solve(a.T, c), np.linalg.solve(a, b)
    parts = Call("matrices", "gauss", opt).reverse([N, a, b, c]).parts
    assert np.allclose(parts[1], -np.outer(adjoint, x), rtol=1e-11)
    assert np.allclose(parts[2], adjoint, rtol=1e-11)
    assert np.allclose(parts[3], x, rtol=1e-11)
    assert np.allclose(Call("matrices", "qr_logdet", opt).reverse([N, a]).parts[1], np.linalg.inv(a).T, rtol=1e-9)
    symmetric = positive(random)
    lower = Call("matrices", "cholesky_logdet", opt).reverse([N, symmetric]).parts[1]
    inverse = np.linalg.inv(symmetric)
    assert np.allclose(lower, np.tril(inverse) + np.tril(inverse, -1), rtol=1e-11)

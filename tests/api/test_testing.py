"""check_grads finds wrong gradients and passes right ones."""

from __future__ import annotations

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.errors import ArgumentError, DifferentiationError
from enzyme_magic.testing import GradientMismatch

from . import fake


@pytest.fixture
def p():
    return fake.program()


def test_right_gradients_pass(p):
    assert em.check_grads(p.cube, 1.5).worst < 1e-9
    assert em.check_grads(p.cube, (-300.0,)).points == 1
    assert em.check_grads(p.product, (2.0, 3)).points == 2
    assert em.check_grads(p.product, (2.0,), named={"lambda": 3.0}, wrt="lambda").points == 1


def test_arrays_are_checked_at_coordinates_and_along_a_direction_and_left_alone(p):
    x, out = np.array([3.0, 4.0, 5.0]), np.zeros(1)
    assert em.check_grads(p.first, (x, out)).points == 4
    assert x.tolist() == [3.0, 4.0, 5.0]
    assert out.tolist() == [0.0]


def test_a_wrong_gradient_is_named(monkeypatch):
    text, entry = fake.DERIVATIVES["first", (0,), False]
    monkeypatch.setitem(fake.DERIVATIVES, ("first", (0,), False), (text.replace("2.0", "2.001"), entry))
    with pytest.raises(
        GradientMismatch, match=r"with respect to x\[0\] is 6\.003, finite differences give 6\.0"
    ) as caught:
        em.check_grads(fake.program().first, (np.array([3.0, 4.0]), np.zeros(1)))
    assert isinstance(caught.value, AssertionError)
    assert isinstance(caught.value, DifferentiationError)
    assert caught.value.code == "EM250"


def test_a_gradient_that_is_zero_by_mistake_is_found(monkeypatch):
    text, entry = fake.DERIVATIVES["cube", (0,), False]
    text, entry = fake.DERIVATIVES["cube", (0,), False]
    monkeypatch.setitem(fake.DERIVATIVES, ("cube", (0,), False), (text.replace("3.0", "0.0"), entry))
    with pytest.raises(GradientMismatch, match="finite differences give 12"):
        em.check_grads(fake.program().cube, 2.0)


def test_wrong_uses(p):
    with pytest.raises(ArgumentError, match="order=2"):
        em.check_grads(p.cube, 1.0, order=2)
    with pytest.raises(ArgumentError, match="takes a C function"):
        em.check_grads(lambda x: x, 1.0)
    with pytest.raises(ArgumentError, match="missing: x"):
        em.check_grads(p.cube, ())

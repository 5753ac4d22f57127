"""Python numbers, C names and mistakes at the door of each framework: converted exactly or refused, in the frame of the call."""

from __future__ import annotations

import importlib
import traceback
from pathlib import Path

import numpy as np
import pytest

import enzyme_magic as em
from tests.integrations.frameworks import framework

SOURCE = "float sq(float x) { return x*x; } double named(double self, double f) { return self*self*f; }"


@pytest.fixture(scope="module")
def p():
    return em.compile_c(SOURCE)


@pytest.fixture(params=["torch", "jax", "tensorflow"])
def op(request):
    framework(request.param)
    if request.param == "jax":
        importlib.import_module("jax").config.update("jax_enable_x64", True)
    return importlib.import_module(f"enzyme_magic.integrations.{request.param}").op


def test_numbers_are_those_of_the_c_type_or_refused(p, op):
    own = op(p.sq)
    assert float(own(0.5)) == float(own(np.float64(0.5).item())) == 0.25
    assert np.isnan(float(own(float("nan"))))
    for value, code in (
        (2**24 + 1, "EM302"),
        (1e300, "EM302"),
        (10**400, "EM302"),
        (np.float64(0.1), "EM602"),
        (None, "EM602"),
    ):
        with pytest.raises(em.ArgumentError) as caught:
            own(value)
        assert caught.value.code == code, value


def test_a_parameter_may_be_called_self(p, op):
    assert float(op(p.named)(f=2.0, self=3.0)) == 18.0
    assert float(op(p.named)(np.float64(3.0), f=2.0)) == 18.0  # its dtype is the parameter's


def test_mistakes_end_in_the_frame_of_the_call(p, op):
    for call in (lambda: op(3), lambda: op(p.sq, outputs="no"), lambda: op(p.sq)("1")):
        with pytest.raises(em.ArgumentError) as caught:
            call()
        inside = [
            f
            for f in traceback.extract_tb(caught.value.__traceback__)
            if Path(em.__file__).parent in Path(f.filename).parents
        ]
        assert len(inside) == 1, inside


def test_jax_without_64_bits_names_the_switch(p):
    jax = framework("jax")
    own = importlib.import_module("enzyme_magic.integrations.jax").op(p.named)
    jax.config.update("jax_enable_x64", False)
    try:
        for call in (own, jax.jit(own)):
            with pytest.raises(em.ArgumentError, match="self must be float64, got float32") as caught:
                call(1.0, 2.0)
            assert "jax_enable_x64" in caught.value.hint
    finally:
        jax.config.update("jax_enable_x64", True)


def test_what_frameworks_follow_is_no_number_for_a_call_of_c():
    """The framework would take the value for a constant: half a gradient, in silence."""
    jax, torch = framework("jax"), framework("torch")
    p = em.compile_c("double sq(double x) { return x*x; } double first(const double *x) { return x[0]; }")
    with pytest.raises(em.ArgumentError, match="a number that JAX differentiates"):
        jax.grad(lambda x: p.sq(x) * x)(2.0)
    x = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
    with pytest.raises(em.ArgumentError, match="a number that PyTorch differentiates"):
        p.sq(x)
    with torch.no_grad():
        assert p.sq(x) == p.sq(x.detach()) == 4.0


def test_a_negative_view_of_pytorch_keeps_its_sign():
    """`z.conj().imag` shares the memory of z with a bit that says minus, and DLPack does not tell it."""
    torch = framework("torch")
    p = em.compile_c("double first(const double *x) { return x[0]; }")
    negative = torch._neg_view(torch.ones(2, dtype=torch.float64))
    with pytest.raises(em.ArgumentError, match=r"resolve_neg\(\)"):
        p.first(negative)
    with pytest.raises(em.ArgumentError, match=r"resolve_neg\(\)"):
        em.vmap(p.first)(negative[:, None])
    assert p.first(negative.resolve_neg()) == -1.0

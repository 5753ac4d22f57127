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

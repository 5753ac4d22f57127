"""A gradient as a function gets code of its own only where somebody calls that function; its derivatives have code of theirs."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest

from enzyme_magic.backend.autodiff.calls.request import Request
from enzyme_magic.backend.frontend.sources import Source
from enzyme_magic.backend.pipeline import CompiledProgram, compile_program
from enzyme_magic.config import Options, Settings, read_settings

SOURCE = """static double factor = 3;
double f(double x) { return factor*x*x*x; }
"""
REQUEST = Request("f", wrt=(0,), value=False)
NUMBER = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return read_settings({"ENZYME_MAGIC_CACHE_DIR": str(tmp_path / "cache"), "HOME": str(tmp_path)})


def gradient(settings: Settings) -> CompiledProgram:
    program = compile_program([Source(SOURCE, "cell")], Options(), settings, "cell")
    return program.gradient_program(REQUEST)


def test_code_is_made_when_it_is_asked_for_and_kept_on_disk(settings: Settings) -> None:
    (name,) = gradient(settings).signatures
    again = gradient(settings)
    assert again.from_disk
    assert again.made is None
    assert NUMBER(again.library.address(name))(2.0) == 36.0
    third = gradient(settings)
    assert third.made == again.code


def test_a_second_derivative_needs_no_code_of_the_first(settings: Settings) -> None:
    first = compile_program([Source("double f(double x) { return x*x*x; }", "cell")], Options(), settings, "cell")
    above = first.gradient_program(REQUEST)
    (name,) = above.signatures
    second = above.derivative(Request(name, wrt=(0,)))
    assert NUMBER(second.address)(2.0) == 12.0
    assert above.made is None

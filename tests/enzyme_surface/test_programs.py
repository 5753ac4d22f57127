"""Each program of `sources` checks itself: `check()` gives 0, or the C line of the first expectation that does not hold."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

import enzyme_magic as em
from tests import sampling

SOURCES = Path(__file__).parent / "sources"
HEADER = (SOURCES / "check.h").read_text()
PROGRAMS = sorted(path.stem for path in SOURCES.glob("*.c"))


@pytest.mark.parametrize("opt", [0, 1, 2, 3])
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_program_finds_what_it_expects(name: str, opt: int) -> None:
    text = HEADER + (SOURCES / f"{name}.c").read_text()
    line = em.compile(text, opt=opt, post_opt=sampling.after_level(opt), name=name).check()
    assert line == 0, f"{name}.c: {text.splitlines()[line - 1].strip()}"


def test_a_wrong_expectation_is_found() -> None:
    program = em.compile(HEADER + "int check(void) {\n    EXPECT(1.0, 1.0);\n    EXPECT(1.0, 2.0);\n    return 0;\n}\n")
    assert program.check() == HEADER.count("\n") + 3


GRADIENT = """
static double power(double x, int n) { double r = 1; for (int i = 0; i < n; i++) r *= x; return r; }
double slope(double x, int n) { return __enzyme_autodiff((void *)power, x, n); }
static double cube(double x) { return x*x*x; }
double slope_of_cube(double x) { return __enzyme_autodiff((void *)cube, x); }
"""


def test_functions_with_requests_are_functions_like_others() -> None:
    program = em.compile(GRADIENT)
    assert program.slope(2.0, 5) == 80.0
    np.testing.assert_array_equal(program.slope.map(np.arange(4.0), 3), 3 * np.arange(4.0) ** 2)
    assert pickle.loads(pickle.dumps(program.slope))(2.0, 5) == 80.0
    assert em.grad(program.slope_of_cube)(2.0) == 12.0
    assert em.compile(GRADIENT).slope(3.0, 2) == 6.0


@pytest.mark.parametrize("opt", [0, 2])
def test_the_function_may_be_in_another_source(opt: int) -> None:
    here = "double f(double x);\ndouble slope(double x) { return __enzyme_autodiff((void *)f, enzyme_out, x); }\n"
    there = "static int enzyme_out;\ndouble f(double x) { return x*x*x; }\n"
    assert em.compile([here, there], opt=opt).slope(2.0) == 12.0

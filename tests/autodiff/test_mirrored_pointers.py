"""Pointers without derivatives beside active ones: shadow memory holds their shadows, wherever they were stored."""

from __future__ import annotations

import re

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.errors import ExecutionError

from .harness import check
from .runs import source

SOURCE = source("mirrored.c")
FUNCTIONS = re.findall(r"^double (\w+)\(const double \*x, int k\)", SOURCE, re.M)


@pytest.mark.parametrize("k", [0, 1])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_mirrored(function: str, k: int) -> None:
    check(SOURCE, function, [np.array([1.3, -0.4, 0.7]), k], levels=(0, 2))


OLD = """
static double numbers[2] = {3, 4}, *slot = numbers;
struct box { double *p; };
void aim(double *p) { slot = p; }
static __attribute__((noinline)) void grab(struct box *b) { b->p = slot; }
double handed_on(const double *x, int k) {
    struct box b[2];
    b[k].p = b[1 - k].p = slot;
    const double *p = k ? b[k].p : x;
    return *p * *p * x[0];
}
double handed_on_by_another(const double *x, int k) {
    struct box b;
    grab(&b);
    const double *p = k ? b.p : x;
    return *p * *p * x[0];
}
"""


@pytest.mark.parametrize("opt", [0, 2])
@pytest.mark.parametrize("function", ["handed_on", "handed_on_by_another"])
def test_a_pointer_that_was_there_before_is_found_out_where_it_is_used(function: str, opt: int) -> None:
    """Not where it is only copied; and never by a crash. A static variable has a shadow, other memory has none."""
    program = em.compile_c(OLD, opt=opt)
    gradient = program[function].grad
    x = np.array([1.3, -0.4, 0.7])
    np.testing.assert_allclose(gradient(x, 1), [9, 0, 0])
    program.aim(np.array([2.0]))
    if opt == 0:  # optimized code loads the pointer before it knows whether it needs it
        np.testing.assert_allclose(gradient(x, 0), [3 * 1.3**2, 0, 0])
    with pytest.raises(ExecutionError) as caught:
        gradient(x, 1)
    assert caught.value.code == "EM407"

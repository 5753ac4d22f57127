"""A vector divided by its length: differentiated after optimization, the gradient is as linear in n as the function.

With restrict the length is computed once, and both are; without, `out` may overwrite `in`, and both are quadratic: then it is
said that restrict would make the difference. Who calls from Python promises what restrict says. Work is counted in executed
instructions.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.backend.autodiff.calls.request import Request
from enzyme_magic.backend.runtime.calls.derivative import Given
from enzyme_magic.backend.runtime.values import buffers

from . import work

SOURCE = """
{attribute} double mag(const double *x, int n) {{
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i]*x[i];
    return sqrt(s);
}}
void norm(double *{restrict} out, const double *{restrict} in, int n) {{
    for (int i = 0; i < n; i++) out[i] = in[i] / mag(in, n);
}}
"""
INLINABLE, NOINLINE = "static", "__attribute__((noinline))"
OUT, IN = 0, 1
SIZES = (128, 256, 512)


def program(attribute: str, restrict: str, opt: int = 2) -> em.Program:
    return em.compile_c(SOURCE.format(attribute=attribute, restrict=restrict), opt=opt)


def growth(counted: work.Counted, seeded: bool) -> float:
    """How much more work twice the size is, at the larger sizes."""
    counts = []
    for n in SIZES:
        values = [buffers.buffer_of(a) for a in (np.zeros(n), np.linspace(0.5, 1.5, n))]
        shadows = [buffers.buffer_of(a) for a in (np.linspace(-1, 1, n), np.zeros(n))]
        counts.append(counted.run([*values, n], Given(memory=dict(enumerate(shadows)) if seeded else {})))
    return (counts[2] - counts[1]) / (counts[1] - counts[0])


@pytest.mark.parametrize("opt", [2, 3])
@pytest.mark.parametrize("attribute", [INLINABLE, NOINLINE])
def test_the_gradient_is_linear_where_the_function_is(attribute: str, opt: int) -> None:
    compiled = program(attribute, "restrict", opt).compiled
    assert growth(work.primal(compiled, "norm"), seeded=False) == pytest.approx(2, rel=0.1)
    gradient = work.gradient(compiled, Request("norm", wrt=(IN,), seed="argument", outputs=(OUT,)))
    assert growth(gradient, seeded=True) == pytest.approx(2, rel=0.1)


@pytest.mark.parametrize("attribute", [INLINABLE, NOINLINE])
def test_both_are_quadratic_without_restrict(attribute: str) -> None:
    compiled = program(attribute, "").compiled
    assert growth(work.primal(compiled, "norm"), seeded=False) == pytest.approx(4, rel=0.1)
    gradient = work.gradient(compiled, Request("norm", wrt=(IN,), seed="argument", outputs=(OUT,)))
    assert growth(gradient, seeded=True) == pytest.approx(4, rel=0.1)


@pytest.mark.parametrize("attribute", [INLINABLE, NOINLINE])
def test_the_one_without_restrict_says_what_would_help(attribute: str) -> None:
    function = program(attribute, "").norm
    request = replace(function.request(), separate=())
    assert any("restrict on out saves" in hint for hint in function.program.explain(request).cache.hints)
    assumed, stated = function.cache(assume={"out": "restrict"}), program(attribute, "restrict").norm.cache()
    found = [cache.total_bytes(n=100) for cache in (assumed, stated, function.cache())]
    assert found == [0, 0, 0]  # what it divides lies in out, where nothing overwrites it
    assert program(attribute, "restrict").norm.report.cache.hints == function.report.cache.hints == ()


@pytest.mark.parametrize("attribute", [INLINABLE, NOINLINE])
def test_called_from_python_it_is_linear_without_restrict(attribute: str) -> None:
    function = program(attribute, "").norm
    gradient = work.gradient(function.program.compiled, function.request(("in",)))
    assert growth(gradient, seeded=True) == pytest.approx(2, rel=0.1)


@pytest.mark.parametrize("restrict", ["restrict", ""])
@pytest.mark.parametrize("attribute", [INLINABLE, NOINLINE])
def test_the_gradient_is_right(attribute: str, restrict: str) -> None:
    function = program(attribute, restrict).norm
    em.check_grads(function, (np.zeros(5), np.linspace(0.5, 1.5, 5), 5), wrt="in")
    x, seed = np.linspace(0.5, 1.5, 5), np.linspace(-1, 1, 5)
    _, pullback = em.vjp(function, np.zeros(5), x, 5, wrt="in")
    length = np.sqrt(x @ x)
    np.testing.assert_allclose(pullback(seed), seed / length - x * (x @ seed) / length**3, rtol=1e-13, atol=1e-15)

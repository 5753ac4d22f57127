"""Arrays that are too short for what a call is certain to touch."""

from __future__ import annotations

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.backend.frontend.c_types import CParameter, Pointer, Scalar, Signature
from enzyme_magic.backend.native import MemoryNeed
from enzyme_magic.backend.runtime.values.needs import Needs
from enzyme_magic.errors import ArgumentError, InternalError

SOURCE = """double sum(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i]*x[i];
    return s;
}
void scale(const double *x, double *out, int n, double by) { for (int i = 0; i < n; i++) out[i] = by*x[i]; }
typedef struct { double w; int k; } P;
double weigh(P p, const float *lambda, int in) { double s = 0; for (int i = 0; i < in; i++) s += p.w*lambda[i]; return s; }
double declared(int n, const double x[n]) { double s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }
double raw(const void *p, int n) { double s = 0; for (int i = 0; i < n; i++) s += ((const double *)p)[i]; return s; }
"""
X = np.ones(5)


@pytest.fixture(scope="module", params=[0, 2])
def p(request):
    return em.compile_c(SOURCE, opt=request.param)


def test_too_short(p):
    with pytest.raises(ArgumentError, match="x needs at least n = 10 elements, got 5 ") as caught:
        p.sum(X, 10)
    assert "(line 3 reads x[i], i < n)" in str(caught.value)
    assert caught.value.code == "EM309"
    assert caught.value.hint == "pass a longer x, or a smaller n"
    assert p.sum(X, 5) == 5.0
    assert p.sum(X, 0) == 0.0
    assert p.sum(X, -3) == 0.0


def test_every_derivative_checks_first(p):
    for call in (p.sum.grad, p.sum.vjp, p.sum.jacobian, p.sum.value_and_grad):
        with pytest.raises(ArgumentError, match="needs at least n = 6"):
            call(X, 6)
    with pytest.raises(
        ArgumentError, match=r"out needs at least n = 6 elements, got 5 \(line 6 writes out\[i\], i < n\)"
    ):
        em.jvp(p.scale, (np.ones(6), X, 6, 2.0), (np.ones(6), None, None, None))


def test_null(p):
    with pytest.raises(ArgumentError, match=r"x is None \(NULL\), and its memory is used \(line 3") as caught:
        p.sum(None, 1)
    assert caught.value.code == "EM329"
    assert p.sum(None, 0) == 0.0


def test_names_python_forbids_and_structs(p):
    with pytest.raises(ArgumentError, match="lambda needs at least in = 3 elements, got 2"):
        p.weigh((1.0, 2), np.ones(2, np.float32), 3)
    assert p.weigh((2.0, 2), np.ones(2, np.float32), 2) == 4.0


def test_a_declared_extent_speaks_for_itself(p):
    with pytest.raises(ArgumentError, match=r"x needs at least n = 6 elements, got 5\s"):
        p.declared(6, X)


def test_untyped_memory_counts_in_bytes(p):
    with pytest.raises(ArgumentError, match=r"p needs at least 8\*n = 48 bytes, got 40"):
        p.raw(X, 6)
    assert p.raw(X, 5) == 5.0


def test_a_part_of_an_element_is_one(p):
    """Four bytes behind n numbers are in the next one."""
    tagged = em.compile_c(
        "double f(const double *x, int n) {"
        " double s = 0; for (int i = 0; i < n; i++) s += x[i]; return s + *(const int *)(x + n); }"
    ).f
    with pytest.raises(ArgumentError, match=r"x needs at least n \+ 1 = 6 elements, got 5"):
        tagged(X, 5)


def test_unchecked_removes_it():
    """The last element is only touched where it exists: nothing is read behind the array."""
    p = em.compile_c(
        "double f(const double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }"
    )
    memory = np.arange(8.0)
    view = memory[:4]
    with pytest.raises(ArgumentError):
        p.f.grad(view, 8)
    assert np.array_equal(em.grad(p.f, unchecked=True)(memory[:8], 8), np.ones(8))
    assert em.vjp(p.f, memory, 8, unchecked=True)[0] == 28.0


@pytest.mark.parametrize("text", ["__import__('os')", "n.real", "n if n else 0", "min(n, 3)", "[n]", "m"])
def test_foreign_formulas_are_refused(text):
    """What comes from the disk is arithmetic or nothing."""
    signature = Signature(
        "f",
        Scalar("double", "float", 8),
        (CParameter("x", Pointer(Scalar("double", "float", 8))), CParameter("n", Scalar("int", "int", 4))),
    )
    with pytest.raises(InternalError):
        Needs(signature, ("x", "n"), [MemoryNeed(0, text, (), ("n",), "n", "")])

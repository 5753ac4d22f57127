"""Second derivatives that LLVM's vectorizer of straight-line code (SLP) broke: it ended the process, or wrote a value in front of
what it is computed from."""

import numpy as np
import pytest

import enzyme_magic as em

# An assertion ("must be scheduled at this point") in the gradient of the gradient.
STENCIL = """
double f(double x, double y) {
    double a[10], b[10], s = 0;
    for (int i = 0; i < 10; i++) { a[i] = x + i*y*0.1; b[i] = 0; }
    for (int t = 0; t < 3; t++) {
        for (int i = 1; i < 9; i++) b[i] = a[i]*a[i-1] + a[i+1]*y;
        for (int i = 1; i < 9; i++) a[i] = b[i]*0.1 + 0.2*a[i]*b[i];
        s += a[4]*b[5];
    }
    return s;
}
"""

# "Instruction does not dominate all uses" in four sweeps at once over the gradient.
SWITCH = """
static __attribute__((noinline)) double g(double *a, int n, double y) {
    double s = 0;
    switch (n & 3) {
    case 3: s += a[2]*a[2]; a[1] = s*y;
    case 2: s += a[1]*a[1]*y; a[0] += s;
    case 1: s += a[0]*a[0]; break;
    default: s = a[3];
    }
    return s;
}
static double f(double x, double y) {
    double a[8], r = 0;
    for (int k = 0; k < 9; k++) {
        for (int i = 0; i < 8; i++) a[i] = x + i*y;
        r += g(a, k, y);
        for (int i = 0; i < 4; i++) r += a[i]*i;
    }
    return r;
}
double h(const double *p) { return f(p[0] + 0.1*p[2], p[1]*p[3]) + p[2]*f(p[2], p[3]); }
"""


@pytest.mark.parametrize("opt", [2, 3])
def test_a_gradient_of_a_gradient_is_not_scheduled_wrong(opt):
    f = em.compile_c(STENCIL, opt=opt).f
    x, y, step = 1.3, 0.7, 1e-5
    second = em.grad(em.grad(f, wrt="x"))(x, y)
    above, below = f.grad(x + step, y), f.grad(x - step, y)
    assert np.allclose(
        [second.x, second.y], [(a - b) / (2 * step) for a, b in zip(above, below, strict=True)], rtol=1e-6
    )


@pytest.mark.parametrize("opt", [2, 3])
def test_a_hessian_has_no_value_in_front_of_its_operands(opt):
    h = em.compile_c(SWITCH, opt=opt).h
    p, step = np.array([1.2, 0.8, 0.9, 0.95]), 1e-5
    rows = [(h.grad(p + e) - h.grad(p - e)) / (2 * step) for e in step * np.eye(4)]
    assert np.allclose(h.hessian(p), rows, rtol=1e-6, atol=1e-6)

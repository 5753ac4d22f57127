"""C functions that ask for derivatives, differentiated from Python: numbers against differences, at every kind of tape."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import enzyme_magic as em

ASKING = r"""
#include <math.h>
#include <stdlib.h>
extern int enzyme_dup, enzyme_const;
typedef struct { void *tape; double value; } Augmented;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
Augmented __enzyme_augmentfwd(void *, ...);
double __enzyme_reverse(void *, ...);

static double loop(double a, int n) { for (int i = 0; i < n; i++) a = sin(a) + 0.1*a*a; return a; }
double in_loop(double a, int n) { return __enzyme_autodiff((void *)loop, a, n); }
double forwards(double a, int n) { return __enzyme_fwddiff((void *)loop, a, 1.0, n); }
double held(double a, int n) {
    Augmented made = __enzyme_augmentfwd((void *)loop, a, n);
    return made.value * __enzyme_reverse((void *)loop, a, n, 1.0, made.tape);
}

static double recursion(double x, int n) { return n <= 0 ? x : sin(recursion(x*0.9, n - 1)); }
double in_recursion(double a, int n) { return a * __enzyme_autodiff((void *)recursion, a, n); }

static double gain = 1.5;
void set_gain(double g) { gain = g; }
static double amplified(double a, int n) { for (int i = 0; i < n; i++) a = gain*sin(a); return a; }
double in_state(double a, int n) { return __enzyme_autodiff((void *)amplified, a, n); }

static double heap(double a, int n) {
    double *p = malloc(n * sizeof *p);
    p[0] = a;
    for (int i = 1; i < n; i++) p[i] = sin(p[i-1]) * a;
    double last = p[n-1];
    free(p);
    return last;
}
double in_heap(double a, int n) { return __enzyme_autodiff((void *)heap, a, n); }

typedef double (*step)(double);
static double half(double x) { return x/2; }
static double square(double x) { return x*x; }
static step steps[2] = {half, square};
static double by_pointer(double a, int n) { for (int i = 0; i < n; i++) a = steps[i & 1](a) + sin(a); return a; }
double in_pointers(double a, int n) { return __enzyme_autodiff((void *)by_pointer, a, n); }

static __attribute__((noinline)) double newton_step(double a, int n) { return a - loop(a, n)/in_loop(a, n); }
double newton(double a, int n) { for (int k = 0; k < 2; k++) a = newton_step(a, n); return a; }

static double of_array(const double *x, int n) {
    double s = 0, t = 1;
    for (int i = 0; i < n; i++) { t = sin(t*x[i]); s += t; }
    return s;
}
double norm(const double *x, int n) {
    double g[8] = {0}, s = 0;
    __enzyme_autodiff((void *)of_array, enzyme_dup, x, g, enzyme_const, n);
    for (int i = 0; i < n; i++) s += g[i]*g[i];
    return s;
}
"""
NAMES = ["in_loop", "forwards", "held", "in_recursion", "in_state", "in_heap", "in_pointers", "newton"]


@pytest.fixture(scope="module", params=[pytest.param(0, marks=pytest.mark.nightly), 2])
def asking(request: pytest.FixtureRequest) -> em.Program:
    program = em.compile_c(ASKING, opt=request.param)
    program.set_gain(1.25)  # one state: of the functions that are called and of those that are differentiated
    return program


@pytest.mark.parametrize("name", NAMES)
def test_it_is_differentiated_from_python(asking: em.Program, name: str) -> None:
    f, a, n, h = asking[name], 0.7, 4, 1e-4
    slope = pytest.approx((f(a + h, n) - f(a - h, n)) / (2 * h), rel=1e-6)
    bend = pytest.approx((f(a + h, n) - 2 * f(a, n) + f(a - h, n)) / h**2, rel=1e-5, abs=1e-6)
    assert f.grad(a, n) == slope
    assert f.jvp((a, n), (1.0, None))[1] == slope
    assert em.grad(em.grad(f))(a, n) == bend


def test_what_stands_on_a_gradient_works(asking: em.Program) -> None:
    x, h = np.array([0.5, 0.6, 0.7]), 1e-5
    f = asking.norm
    wanted = [(f(x + h * e, 3) - f(x - h * e, 3)) / (2 * h) for e in np.eye(3)]
    assert f.grad(x, 3) == pytest.approx(np.array(wanted), rel=1e-7)
    slopes: Any = [(f.grad(x + h * e, 3) - f.grad(x - h * e, 3)) / (2 * h) for e in np.eye(3)]
    assert em.hessian(f)(x, 3) == pytest.approx(np.array(slopes), rel=1e-6)
    rows = em.vmap(em.grad(f), (0, None))(np.stack([x, 2 * x]), 3)
    assert rows[1] == pytest.approx(f.grad(2 * x, 3), rel=1e-12)
    assert pickle.loads(pickle.dumps(em.grad(f)))(x, 3) == pytest.approx(f.grad(x, 3), rel=1e-12)
    assert f.report.cache is not None


def test_a_changed_variable_counts_at_once(asking: em.Program) -> None:
    before = asking.in_state.grad(0.7, 4)
    asking.set_gain(0.75)
    after, h = asking.in_state.grad(0.7, 4), 1e-5
    assert after == pytest.approx((asking.in_state(0.7 + h, 4) - asking.in_state(0.7 - h, 4)) / (2 * h), rel=1e-8)
    asking.set_gain(1.25)
    assert asking.in_state.grad(0.7, 4) == before != after


def test_a_tape_is_no_memory_of_the_program(asking: em.Program) -> None:
    """So frameworks take these functions: they do not remember."""
    torch = pytest.importorskip("torch")
    from enzyme_magic.integrations.torch import op

    layer = op(asking.in_loop)
    a = torch.tensor(0.7, dtype=torch.float64, requires_grad=True)
    layer(a, n=4).backward()
    assert a.grad.item() == pytest.approx(asking.in_loop.grad(0.7, 4), rel=1e-12)
    if asking.options.opt == 0:
        return  # a third derivative of what C asks for: EM224 there
    twice = torch.func.grad(torch.func.grad(lambda t: layer(t, n=4)))(a)
    assert twice.item() == pytest.approx(em.grad(em.grad(asking.in_loop))(0.7, 4), rel=1e-12)


THROUGH_POINTERS = r"""
#include <math.h>
double __enzyme_autodiff(void *, ...);
extern int enzyme_const;
static double f(double x, double y) { return sin(x*y)*x; }
double slope(double x, double y) { return __enzyme_autodiff((void *)f, x, enzyme_const, y); }
double curvature(double x, double y) { return __enzyme_autodiff((void *)slope, x, enzyme_const, y); }
static double through(double x, double (*g)(double, double)) { return g(x, x)*x; }
double pointed(double x) { return __enzyme_autodiff((void *)through, x, enzyme_const, slope); }
"""


@pytest.mark.parametrize("opt", [0, 2])
def test_a_request_waits_for_those_that_a_pointer_leads_to(opt: int) -> None:
    """`slope` asks itself, and the call in `through` may reach it."""
    program = em.compile_c(THROUGH_POINTERS, opt=opt)
    at, s, c = 0.7, np.sin(0.49), np.cos(0.49)
    df = s + 0.49 * c  # of f(x, y) at y = x, with respect to x
    both = 2 * at * c + 2 * at * c - 2 * at**3 * s  # of slope(x, x)
    assert program.pointed(at) == pytest.approx(at * both + df)
    assert program.pointed.grad(at) == pytest.approx(
        (program.pointed(at + 1e-5) - program.pointed(at - 1e-5)) / 2e-5, rel=1e-6
    )


CIRCLE = r"""
double __enzyme_autodiff(void *, ...);
extern int enzyme_const;
static double f(double x, double y) { return x*y; }
static double through(double x, double (*g)(double, double)) { return g(x, x)*x; }
double asks(double x, double y) { return __enzyme_autodiff((void *)through, x, enzyme_const, y > 0 ? f : asks); }
"""


def test_a_circle_through_a_pointer_is_called_one() -> None:
    with pytest.raises(em.DifferentiationError, match="a call through a pointer may lead to this request") as caught:
        em.compile_c(CIRCLE, opt=0)
    assert caught.value.code == "EM148"

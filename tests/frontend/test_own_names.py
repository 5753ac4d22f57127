"""Functions of the program under names that mean something elsewhere: the C library's, and names that derivatives have."""

from __future__ import annotations

import pytest

import enzyme_magic as em
from enzyme_magic.errors import DifferentiationError

LEVELS = (0, 2)
# Each is x*x*x or what C makes of it; LLVM, clang and the tables of libm know all these names.
LIBRARY = r"""
double exp(double x) { return x*x*x; }
double of_exp(double x) { return exp(x); }
double of_constant(double x) { return exp(2.0)*x*x; }
double sqrt(double x) { return x*x*x; }
double of_sqrt(double x) { return sqrt(x); }
double pow(double x, double y) { return x*y*y; }
double of_pow(double x) { return pow(x, 2.0) + pow(2.0, x); }
__attribute__((noinline)) double floor(double x) { return x*x*x; }
double of_floor(double x) { return floor(x); }
float hypotf(float x, float y) { return x*x*y; }
double of_hypotf(double x) { return hypotf(x, 3); }
__attribute__((noinline)) double abort(double x) { return x*x*x; }
double of_abort(double x) { return abort(x); }
void *memcpy(void *to, const void *from, unsigned long n) {
    for (unsigned long i = 0; i < n/8; i++) ((double *)to)[i] = 2*((const double *)from)[i];
    return to; }
double of_memcpy(double x) { double a = x*x*x, b; memcpy(&b, &a, 8); return b/2; }
static double cbrt(double x) { return x*x*x; }
double of_cbrt(double x) { return cbrt(x); }
"""
SLOPES = {"of_constant": 32.0, "of_pow": 12.0}
# Names that derivatives, shadows, entries and the runtime had or have.
OURS = r"""
typedef struct { double a, b; } S;
double f__entry(double x) { return 7; }
double f(double x) { return x*x*x; }
double s__entry(double x) { return 5*x; }
double s(S p) { return p.a*p.b; }
double kept; double kept_shadow = 3;
double with_shadow(double x) { kept = x*x; return kept*kept_shadow; }
__attribute__((noinline)) double diffe_h(double x) { return x*x*x; }
__attribute__((noinline)) double fwddiffe_h(double x) { return diffe_h(x); }
__attribute__((noinline)) double grad_h(double x) { return fwddiffe_h(x); }
__attribute__((noinline)) double reverse_h(double *p) { p[0] *= p[0]; return p[0]; }
double augmented_h(double x) { double a[1]; a[0] = x; return reverse_h(a); }
double h(double x) { return grad_h(x)*augmented_h(1); }
double em_kept, em_too_deep, em_arena_current, em_handlers;
double runtime(double x) { double a[30]; a[0] = x; for (int i = 1; i < 30; i++) a[i] = a[i-1]*(1 + em_kept); return a[29]*a[28]*x; }
double em_entry_0(S p) { return p.a*p.b; }
"""


@pytest.mark.parametrize("opt", LEVELS)
def test_functions_of_the_library(opt: int) -> None:
    program = em.compile(LIBRARY, opt=opt)
    for name in (n for n in LIBRARY.replace("(", " ").split() if n.startswith("of_")):
        expected = SLOPES.get(name, 12.0)
        assert program[name].grad(2.0) == expected, name
        assert em.jvp(program[name], (2.0,), (1.0,))[1] == expected, name
    assert program.exp.grad(2.0) == 12.0


def test_a_rule_reaches_the_library_or_says_that_it_cannot() -> None:
    """The derivative of sin is libm's cos, which the program hides."""
    program = em.compile("#include <math.h>\ndouble cos(double x) { return x; } double f(double x) { return sin(x); }")
    for transformation in (em.grad, lambda f: lambda x: em.jvp(f, (x,), (1.0,))):
        with pytest.raises(DifferentiationError, match="its own cos") as raised:
            transformation(program.f)(1.0)
        assert raised.value.code == "EM261"


@pytest.mark.parametrize("opt", LEVELS)
def test_names_that_derivatives_have(opt: int) -> None:
    program = em.compile(OURS, opt=opt)
    for name in ("f", "with_shadow", "h", "runtime"):
        assert program[name](2.0) == (12.0 if name == "with_shadow" else 8.0), name
        assert program[name].grad(2.0) == 12.0, name
        assert em.jvp(program[name], (2.0,), (1.0,))[1] == 12.0, name
        assert em.grad(em.grad(program[name]))(2.0) == pytest.approx(6.0 if name == "with_shadow" else 12.0), name
    assert program.s__entry.grad(2.0) == 5.0
    for name in ("s", "em_entry_0"):
        assert program[name]((3.0, 4.0)) == 12.0
        assert tuple(program[name].grad((3.0, 4.0))) == (4.0, 3.0)

"""Bytes that no type tells, where a derivative is not asked for from Python: by the C program, again, beside registered rules.

The run says what they hold, or it is refused with the reason. What is certain is that no answer is a silent zero.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import enzyme_magic as em
from tests import sampling

from . import test_kinds, test_kinds_of_integers
from .test_kinds import OFTEN
from .test_kinds_of_integers import NUMBERS

ASKED = """
extern double __enzyme_autodiff(void *, ...), __enzyme_fwddiff(void *, ...), __enzyme_reverse(void *, ...);
typedef struct { void *tape; double value; } Augmented;
extern Augmented __enzyme_augmentfwd(void *, ...);
extern int enzyme_dup, enzyme_const, enzyme_width, enzyme_nofree;
static int near(double a, double b) { return fabs(a - b) <= 1e-12*fabs(a); }
"""
POINTERS = r"""
typedef struct { double d[2]; } Pair;
extern Pair __enzyme_fwddiff_two(void *, ...);
static double summed(const double *v, int n) { char *q = malloc(8*n + 8); *(int *)q = n; memcpy(q + 8, v, 8*n);
    double r = 0; for (int i = 0; i < *(int *)q; i++) { double d; memcpy(&d, q + 8 + 8*i, 8); r += d*d; } free(q); return r; }
void gradient(const double *v, double *dv, int n) { __enzyme_autodiff((void *)summed, enzyme_dup, v, dv, n); }
static double packed(const double *v, int n) { char q[64]; *(int *)q = n; memcpy(q + 8, v, 8*n);
    double r = 0; for (int i = 0; i < *(int *)q; i++) { double d; memcpy(&d, q + 8 + 8*i, 8); r += d*d; } return r; }
double repeated(const double *v, double *d, int n) {
    Augmented a = __enzyme_augmentfwd((void *)packed, enzyme_dup, v, d, n);
    __enzyme_reverse((void *)packed, enzyme_nofree, enzyme_dup, v, d, n, 1.0, a.tape);
    __enzyme_reverse((void *)packed, enzyme_dup, v, d, n, 10.0, a.tape); return a.value; }
Pair along(const double *v, double *d, int n) {
    return __enzyme_fwddiff_two((void *)summed, enzyme_width, 2, enzyme_dup, v, d, d + 3, n); }
"""
REGISTERED = r"""
static double twice(const double *p) { return 2*p[0]; }
static void twice_grad(const double *p, double *dp, double seed) { dp[0] += 2*seed; }
void *__enzyme_register_gradient_twice[] = { (void *)twice, (void *)twice, (void *)twice_grad };
double registered(double x, int n) { double y[1] = {x}; return twice(y)*wrongtag(x, n); }
"""


def requests(names: list[str]) -> str:
    return ASKED + "".join(
        f"double r_{name}(double x, int n) {{ return __enzyme_autodiff((void *){name}, x, n); }}\n"
        f"double s_{name}(double x, int n) {{ Augmented a = __enzyme_augmentfwd((void *){name}, x, n),\n"
        f"    b = __enzyme_augmentfwd((void *){name}, x + 1, n); double d = __enzyme_reverse((void *){name}, x, n, 1.0, a.tape),\n"
        f"    whole = r_{name}(x, n), e = __enzyme_reverse((void *){name}, x + 1, n, 1.0, b.tape);\n"
        f"    return near(whole, d) && near(a.value, {name}(x, n)) && near(e, r_{name}(x + 1, n)) ? d : 0; }}\n"
        f"double w_{name}(double x, int n) {{ return __enzyme_fwddiff((void *){name}, x, 1.0, n); }}\n"
        for name in names
    )


@OFTEN
def test_the_c_program_asks(opt: int) -> None:
    blocks, integers = (
        test_kinds.HEAD + test_kinds.BLOCKS,
        test_kinds_of_integers.HEAD + test_kinds_of_integers.INTEGERS,
    )
    for text, names in (
        (blocks, ["grown", "rows", "ring", "vectors", "exchanged", "mixed"]),
        (integers, ["stretchy", "freelist", "arena", "lox", "vector_of", "statics"]),
    ):
        program = em.compile_c(text + requests(names), opt=opt, post_opt=sampling.after_level(opt))
        for name in names:
            h = 1e-3 if name == "mixed" else 1e-6
            want = (program[name](1.5 + h, 3) - program[name](1.5 - h, 3)) / (2 * h)
            assert program[f"r_{name}"](1.5, 3) == pytest.approx(want, rel=1e-3), name
            assert program[f"w_{name}"](1.5, 3) == pytest.approx(want, rel=1e-3), name
            assert program[f"r_{name}"](1.5, 3) == program[f"r_{name}"](1.5, 3), name
            assert program[f"s_{name}"](1.5, 3) == pytest.approx(program[f"r_{name}"](1.5, 3), rel=1e-12), name


def _ends(derivative: Callable[[], object], *codes: str) -> None:
    with pytest.raises(em.EnzymeError) as caught:
        derivative()
    assert caught.value.code in codes, caught.value
    assert caught.value.span is not None or caught.value.code == "EM223"  # optimizers drop the line of a loop index


@OFTEN
def test_no_number_is_taken_for_an_integer(opt: int) -> None:
    names = ["wrongtag", "copied", "grown", "plus", "hashbad"]
    program = em.compile_c(
        test_kinds_of_integers.HEAD + NUMBERS + requests(names), opt=opt, post_opt=sampling.after_level(opt)
    )
    for name in names:
        _ends(lambda f=program[f"r_{name}"]: f(1.5, 3), "EM409")
        _ends(lambda f=program[f"w_{name}"]: f(1.5, 3), "EM409")
        _ends(lambda f=program[f"s_{name}"]: f(1.5, 3), "EM409")
        _ends(lambda f=program[f"r_{name}"]: f.grad(1.5, 3), "EM223", "EM224")
        _ends(lambda f=program[name]: em.hvp(f, (1.5, 3), (1.0, None)), "EM223", "EM224", "EM409")
        _ends(lambda f=program[name]: em.hessian(f)(1.5, 3), "EM223", "EM224", "EM409")
    pairs = em.compile_c(test_kinds.HEAD + ASKED + POINTERS, opt=opt, post_opt=sampling.after_level(opt))
    v, dv = np.array([1.0, 2.0, 3.0]), np.array([10.0, 0.0, 0.0])
    pairs.gradient(v, dv, 3)
    assert dv.tolist() == [12.0, 4.0, 6.0]
    seconds = np.zeros(3)
    assert pairs.repeated(v, seconds, 3) == 14.0
    assert seconds.tolist() == [22.0, 44.0, 66.0]
    assert list(pairs.along(v, np.array([1.0, 0, 0, 0, 1.0, 1.0]), 3)["d"]) == [2.0, 10.0]
    program = em.compile_c(
        test_kinds_of_integers.HEAD + NUMBERS + REGISTERED, opt=opt, post_opt=sampling.after_level(opt)
    )
    _ends(lambda: program.registered.grad(1.5, 3), "EM224")
    _ends(lambda: program.registered.jvp((1.5, 3), (1.0, None)), "EM224", "EM273")


def test_what_is_refused_once_is_refused_again() -> None:
    """A derivative that C code asks for would forget the marks of the one around it."""
    beside = """double beside(double x, int n) { E e[2] = {{x, n}, {x*x, 2}}, t[2]; double c = r_ring(2.0, n);
        memcpy(t, e, 8*n); return c*t[0].p; }"""
    program = em.compile_c(test_kinds.HEAD + test_kinds.BLOCKS + requests(["ring"]) + beside, opt=2)
    for _ in range(2):
        _ends(lambda: program.beside.grad(1.5, 3), "EM224")
        _ends(lambda: program.beside.jvp((1.5, 3), (1.0, None)), "EM224")


def test_what_c_asks_for_is_differentiated_or_refused() -> None:
    """Right where the optimizer leaves nothing to ask the run; elsewhere an error."""
    program = em.compile_c(test_kinds.HEAD + test_kinds.BYTES + requests(["cchain"]), opt=2)
    for name in ("r_cchain", "w_cchain", "s_cchain"):
        f, h = program[name], 1e-5
        want = pytest.approx((f(1.5 + h, 3) - f(1.5 - h, 3)) / (2 * h), rel=1e-6)
        assert f.grad(1.5, 3) == want
        assert f.jvp((1.5, 3), (1.0, None))[1] == want
    program = em.compile_c(test_kinds_of_integers.HEAD + test_kinds_of_integers.INTEGERS + requests(["lox"]), opt=2)
    f = program.r_lox
    want = pytest.approx((f(1.5 + h, 3) - f(1.5 - h, 3)) / (2 * h), rel=1e-6)
    _ends(lambda: f.grad(1.5, 3), "EM224")  # an integer is stored where bytes of numbers may have come
    _ends(lambda: program.s_lox.jvp((1.5, 3), (1.0, None)), "EM224")

"""What ends a gradient while it runs: pointers from before, and memory that is not to be had. The kernel goes on."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import numpy as np
import pytest

import enzyme_magic as em

LEVELS = pytest.mark.parametrize("opt", [0, 1, 2, 3])

KEPT = r"""
#include <stdlib.h>
static double *kept;
typedef struct { double *data; } holder;
static holder held;
static void keep(const double *x, long n) {
    kept = malloc(n*sizeof(double));
    for (long i = 0; i < n; i++) kept[i] = x[i];
}
double use(const double *x, long n) {
    if (!kept) keep(x, n);
    double s = 0;
    for (long i = 0; i < n; i++) s += kept[i]*x[i];
    return s;
}
void hold(double *x) { held.data = x; }
double use_held(double y) { held.data[0] *= y; return held.data[0]; }
void forget(void) { free(kept); kept = 0; }
"""


@LEVELS
def test_a_pointer_kept_from_before(opt: int) -> None:
    """A block of the program has a shadow, its numbers are constants; other memory has none."""
    p = em.compile_c(KEPT, opt=opt, name="In[3]")
    x = np.array([1.0, 2.0, 3.0])
    assert p.use(x, 3) == 14.0
    assert p.use.grad(x, 3).tolist() == [1.0, 2.0, 3.0]
    assert em.jvp(p.use, (x, 3), (np.ones(3), None), outputs="result")[1] == 6.0
    p.hold(x)
    with pytest.raises(
        em.ExecutionError, match=r"a pointer kept in held\S* was stored before the gradient began"
    ) as caught:
        p.use_held.grad(2.0)
    assert caught.value.code == "EM407"
    assert "assert" not in str(caught.value)
    if opt in (0, 2, 3):
        assert caught.value.span is not None
        assert caught.value.span.file == "In[3]"
        assert caught.value.span.line == 17
    p.forget()
    assert p.use.grad(x, 3).tolist() == [2.0, 4.0, 6.0]  # everything happens in this call


LIMITED = r"""
import enzyme_magic as em
p = em.compile_c('''
#include <stdlib.h>
double f(double x, long n) {
    double *p = malloc(n*sizeof(double));
    if (!p) return -1;
    p[n/2] = x;
    volatile long k = n/2;
    double r = p[k]*x;
    free(p);
    return r;
}''')
assert p.f.grad(3.0, 8) == 6.0
try:
    p.f.grad(3.0, 1 << 22)
except em.ExecutionError as error:
    print(error.code)
assert p.f.grad(3.0, 8) == 6.0
"""


def test_a_shadow_larger_than_the_limit() -> None:
    script = "import os; os.environ['ENZYME_MAGIC_TAPE_LIMIT'] = '1000000'\n" + textwrap.dedent(LIMITED)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "EM404"), done.stderr


RECURSIVE = r"""
static double depth(long n, double x) { return n ? depth(n - 1, x)*0.5*x + x : x; }
double f(long n, double x) { return depth(n, x); }
static double odd(long n, double x);
static double even(long n, double x) { return n ? odd(n - 1, x)*0.5 + x : 1; }
static double odd(long n, double x) { return n ? even(n - 1, x)*0.5 + x : x; }
double g(long n, double x) { return even(n, x); }
double plain(double x) { return x*x; }
"""


@LEVELS
def test_recursion_of_the_function_itself(opt: int) -> None:
    """Not only of its gradient: the C function is called with a stack that ends too."""
    p = em.compile_c(RECURSIVE, opt=opt)
    for name, value in (("f", 22.0), ("g", 3.9970703125)):
        assert p[name](10, 2.0) == value
        with pytest.raises(em.ExecutionError) as caught:
            p[name](100_000_000, 2.0)
        assert caught.value.code == "EM406"
        assert p[name](10, 2.0) == value
    assert not p.compiled.primal("plain").entry.may_exit
    assert "check" not in p.f.ir("optimized")

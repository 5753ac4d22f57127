"""Variables of which each thread has its own: values and derivatives in several threads, left as they were found."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.errors import EnzymeError

SOURCE = r"""
#include <math.h>
double __enzyme_autodiff(void *, double);
static _Thread_local int calls = 3;
static _Thread_local double last, lx, lv;
_Thread_local double table[4] = {1, 2, 3, 4};
double kept(double x) {
    calls++; last = x*x; table[1] = last*x;
    for (int i = 0; i < 3; i++) table[2] += table[1]*i;
    return last*table[1] + table[0]*x + table[2]; }
double known(double x) { if (x != lx) { lx = x; lv = sin(x)*x; } return 2*lv; }
static double *place(int i) { return &table[i]; }
double led(double x) { double *p = place(2); *p = x; p[1] = x*x; return table[2]*table[3]; }
static double inner(double x) { last = x*x; return last*last; }
double asked(double x) { return __enzyme_autodiff((void *)inner, x); }
int count(void) { return calls; }
"""


@pytest.mark.parametrize("opt", [0, 1, 2, 3])
def test_each_thread_has_its_own(opt: int) -> None:
    program = em.compile(SOURCE, opt=opt)
    x = 1.5
    for _ in range(2):  # the same question has the same answer
        slopes = [program[name].grad(x) for name in ("kept", "led", "known", "asked")]
        right = [5 * x**4 + 1 + 9 * x**2, 3 * x**2, 2 * (np.cos(x) * x + np.sin(x)), 12 * x**2]
        np.testing.assert_allclose(slopes, right, 1e-12)
        np.testing.assert_allclose(
            [em.jvp(program[n], (x,), (1.0,))[1] for n in ("kept", "led", "known")], right[:3], 1e-12
        )
    assert program.count() == 3
    found: dict[int, tuple[int, float, int, float]] = {}

    def work(k: int) -> None:
        before, value = program.count(), program.kept(1.0 + k)
        found[k] = before, value, program.count(), program.known.grad(x)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {k: (before, after) for k, (before, _, after, _) in found.items()} == dict.fromkeys(range(3), (3, 4))
    np.testing.assert_allclose([found[k][3] for k in range(3)], right[2], 1e-12)
    assert program.count() == 3


def test_many_points_at_once() -> None:
    program = em.compile(SOURCE)
    x = np.array([1.2, 1.2, 0.3])
    np.testing.assert_allclose(program.known.grad.map(x), 2 * (np.cos(x) * x + np.sin(x)), 1e-12)


def test_what_only_a_library_defines_is_refused() -> None:
    with pytest.raises(EnzymeError, match="EM121"):
        em.compile("extern _Thread_local double theirs; double f(double x) { return theirs*x; }")

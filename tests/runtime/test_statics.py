"""Derivatives leave the program's static variables as they found them."""

from __future__ import annotations

import numpy as np
import pytest

import enzyme_magic as em

LEVELS = pytest.mark.parametrize("opt", [0, 1, 2, 3])

SOURCE = r"""
#include <assert.h>
#include <math.h>
#include <stdlib.h>
double memo(double x) {
    static double last_x, last;
    if (x != last_x) { last_x = x; last = sin(x)*x; }
    return 2*last;
}
static double total; static int calls;
double add(double x) { total += x; calls++; return total*x; }
double state(void) { return total + 1000*calls; }
double fail(double x) { total += x; if (x > 1) { assert(x < 1); } return x*total; }
double fill(double x, double *out) { total += x; for (int i = 0; i < 4; i++) out[i] = total*x*i; return total; }

static double *buffer; static int capacity; static double last;
double grow(double x, int n) {
    if (n > capacity) { capacity = n; buffer = realloc(buffer, n*sizeof *buffer); }
    last = x;
    double s = 0;
    for (int i = 0; i < n; i++) { buffer[i] = x*i; s += buffer[i]*buffer[i]; }
    return s;
}
int room(void) { return capacity; }
double last_x(void) { return last; }

static struct { double *items; int count, capacity; double sum; } list;
double push(double x) {
    if (list.count == list.capacity) {
        list.capacity = 2*list.capacity + 2;
        list.items = realloc(list.items, list.capacity*sizeof(double));
    }
    list.items[list.count++] = x;
    list.sum += x;
    double s = 0;
    for (int i = 0; i < list.count; i++) s += list.items[i]*list.items[i]*x;
    return s;
}
static double *table; static double step; static int ready;
__attribute__((noinline)) static void prepare(int n) {
    table = malloc(n*sizeof(double));
    for (int i = 0; i < n; i++) table[i] = i;
    step = 0.5;
    ready = 1;
}
double tabled(double x, int n) { if (!ready) prepare(n); return x*table[n - 1]*step; }
double replaced(double x) {
    static double *one;
    double *old = one;
    one = malloc(sizeof *one);
    *one = x*x;
    double r = *one;
    if (old) { r += *old*x; free(old); }
    return r;
}
"""


@LEVELS
def test_the_same_call_gives_the_same_answer_twice(opt: int) -> None:
    p = em.compile_c(SOURCE, opt=opt)
    slope = 2 * (np.cos(1.2) * 1.2 + np.sin(1.2))
    for ask in (p.memo.grad, lambda x: p.memo.value_and_grad(x)[1], lambda x: em.jvp(p.memo, x, 1.0)[1]):
        assert [ask(1.2), ask(1.2)] == pytest.approx([slope, slope])
    assert p.memo.grad.map(np.full(3, 1.2)) == pytest.approx(np.full(3, slope))
    assert p.memo.jacobian(1.2) == pytest.approx(slope)
    assert em.hessian(p.memo)(1.2) == em.hessian(p.memo)(1.2)
    assert em.hessian(p.memo)(1.2) == pytest.approx(2 * (2 * np.cos(1.2) - np.sin(1.2) * 1.2))
    value, pullback = p.add.vjp(2.0)
    p.add(1.0)
    before = p.state()
    assert (value, pullback(1.0), pullback(1.0)) == (4.0, 5.0, 5.0)  # the program has one state, that of now
    assert p.add.value_and_grad(2.0) == (6.0, 5.0)
    with pytest.raises(em.ExecutionError):
        p.fail.grad(2.0)
    with pytest.raises(em.ExecutionError):
        p.fail.grad.map(np.array([0.5, 2.0]))
    np.testing.assert_allclose(p.fill.jacobian(2.0, np.zeros(4)).out, [0, 5, 10, 15])  # several sweeps at once
    em.check_grads(p.add, 2.0)
    assert p.state() == before


@LEVELS
def test_blocks_that_statics_hold(opt: int) -> None:
    """They and what goes with them stay as C left them; the rest is put back."""
    p = em.compile_c(SOURCE, opt=opt)
    assert [p.grow.grad(2.0, n) for n in (5, 9, 9)] == [120.0, 816.0, 816.0]
    assert (p.room(), p.last_x()) == (9, 0.0)
    assert p.grow(1.0, 20) == 2470.0
    assert p.push(1.0) == 1.0
    assert [p.push.grad(2.0), p.push.grad(2.0)] == [13.0, 13.0]
    assert em.jvp(p.push, 2.0, 1.0)[1] == 13.0
    assert p.push(2.0) == 10.0
    assert [p.push.grad(3.0), em.jvp(p.push, 3.0, 1.0)[1], p.push.grad(3.0)] == [32.0, 32.0, 32.0]  # the block grows
    assert [p.tabled.grad(1.0, 4), p.tabled.grad(1.0, 4), p.tabled(2.0, 4)] == [1.5, 1.5, 3.0]
    assert p.replaced(2.0) == 4.0
    for _ in range(3):
        assert p.replaced.grad(1.5) == 3.0 + 4.0 or p.replaced.grad(1.5) == 3.0 + 1.5**2


def test_what_an_earlier_call_left_is_a_constant() -> None:
    p = em.compile_c(SOURCE)
    p.memo(1.2)
    assert p.memo.grad(1.2) == 0.0
    answer = em.why_zero(p.memo, 1.2)
    assert answer.kind == "branch"
    assert "what an earlier call left in last, last_x is a constant" in answer.sentences


def test_nothing_is_put_back_where_nothing_is_written() -> None:
    p = em.compile_c("static double k = 2; void set(double x) { k = x; } double f(double x) { return k*x; }")
    record = p.compiled.record
    assert record.primals["f"].entry.statics == ()
    assert [s.size for s in record.primals["set"].entry.statics] == [8]
    assert not record.keeps_blocks

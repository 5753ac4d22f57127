"""Constants: nothing is ever put into them, and their addresses are those that the program's pointers hold."""

from __future__ import annotations

import pytest

import enzyme_magic as em

SOURCE = """
#include <stdint.h>
#include <string.h>

/* a constant has one address, also in the gradient's library */
static double h = 3, *inner = &h, **const middle = &inner, **const *outer = &middle;
static const double table[2] = {1, 2}, *into = table + 1;
double same(double x) { return outer == &middle && into == &table[1] ? x*x : x; }
double through(double x) { h = x; ***outer *= x; return h; }

/* what a pointer reads that may lead to a constant */
static const double fixed[3] = {1, 2, 3};
double either(double x, int i) {
    double own[3] = {1, 2, 3}, *p = own;
    p[i] = x*x;
    const double *q = i == 1 ? fixed : own;
    return q[i]*x + own[0];
}

/* the bits of a constant, which a pointer that is written through may lead to for all that is known */
static uint64_t rest(uint64_t held) { return held % 97; }
double bits(double x, int i) {
    double own[3] = {1, 2, 3}, *p = i > 5 ? (double *)fixed : own;
    uint64_t held;
    p[i % 3] = x*x;
    memcpy(&held, &fixed[i % 3], 8);
    return own[i % 3]*(double)rest(held);
}

/* a union of integers, passed in a register */
static double far, *tofar = &far, **totofar = &tofar;
union U { int64_t wide; int16_t narrow; int32_t word; };
static union U held = {7}, *to = &held, **toto = &to;
static int64_t put(union U u) { **toto = u; return u.wide; }
double integers(double x) {
    **totofar = x*x;
    union U other = **toto;
    other.word = 5;
    return **totofar*(double)put(other)*(double)put(**toto);
}

/* an inactive variable that changes between a call and its reverse */
__attribute__((annotate("enzyme_inactive"))) static double scale = 2;
__attribute__((noinline)) static double scaled(double *p) { return scale*p[0]*p[0]; }
double changed(double x) {
    double a = x;
    scale = 2;
    double r = scaled(&a);
    scale = 100;
    return r;
}
"""

CASES = {
    "same": (1.5,),
    "through": (1.5,),
    "either": (1.5, 1),
    "bits": (1.5, 1),
    "integers": (1.5,),
    "changed": (1.5,),
}


@pytest.mark.parametrize("opt", [0, 2])
def test_derivatives_beside_constants(opt: int) -> None:
    program = em.compile(SOURCE, opt=opt)
    for name, at in CASES.items():
        em.check_grads(program[name], at)
    assert em.grad(program["either"])(1.5, 2) == pytest.approx(3 * 1.5**2)

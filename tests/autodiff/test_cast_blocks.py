"""Numbers that one function copies into a block without type, and another one reads from there as integers, by a cast.

C's rules on types forbid it, and programs do it. Nothing is declared: the functions agree on the block alone.
"""

from __future__ import annotations

import pytest

import enzyme_magic as em

HEAD = """#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#define NI static __attribute__((noinline))
typedef struct { void *block; int bytes; } O;
NI O *twin(const O *p) {
    O *q = malloc(sizeof *q); memcpy(q, p, sizeof *q); q->block = malloc(p->bytes);
    memcpy(q->block, p->block, p->bytes); return q; }
NI O *numbers(double x) {
    O *o = calloc(1, sizeof *o); o->block = malloc(16); o->bytes = 16; double y = x*x;
    memcpy(o->block, &x, 8); memcpy((char *)o->block + 8, &y, 8); return o; }
NI O *counts(int a, int b) {
    O *o = calloc(1, sizeof *o); o->block = malloc(8); o->bytes = 8; ((int *)o->block)[0] = a; ((int *)o->block)[1] = b; return o; }
NI uint64_t word(const O *o, int k) { return ((uint64_t *)o->block)[k]; }
NI double number(uint64_t u) { double v; memcpy(&v, &u, 8); return v; }
"""
MOVED = {
    "moved": "O *a = numbers(x); return number(word(a, 0))*number(word(a, 1));",  # x^3
    "copied whole": "O *a = twin(numbers(x)); return number(word(a, 0))*number(word(a, 1));",
    "beside integers": """O *a = numbers(x), *b = counts(2, 3), *c = twin(a), *d = twin(b);
        ((double *)a->block)[0] = 7; int *n = d->block;
        return ((double *)c->block)[n[0] - 2]*((double *)c->block)[1]*(n[1] - 2);""",
}
COMPUTED = "O *a = {}; uint64_t u = word(a, 0), v = word(a, 1); return number(u > v ? u : v);"  # x^2


@pytest.mark.parametrize("opt", range(4))
@pytest.mark.parametrize("member", MOVED)
def test_words_that_are_moved(member: str, opt: int) -> None:
    function = em.compile_c(HEAD + "double f(double x) { " + MOVED[member] + " }", opt=opt).f
    assert function(1.5) == pytest.approx(1.5**3)
    assert function.grad(1.5) == pytest.approx(3 * 1.5**2)
    assert em.jvp(function, (1.5,), (1.0,)) == pytest.approx((1.5**3, 3 * 1.5**2))


@pytest.mark.parametrize("opt", range(4))
@pytest.mark.parametrize("made", ["numbers(x)", "twin(numbers(x))"])
def test_words_that_are_computed_with(made: str, opt: int) -> None:
    """The larger of two words is one of them, or refused; it is no constant."""
    function = em.compile_c(HEAD + "double f(double x) { " + COMPUTED.format(made) + " }", opt=opt).f
    codes: set[str | None] = set()
    for derivative in (function.grad, lambda x: em.jvp(function, (x,), (1.0,))[1]):
        try:
            found = derivative(1.5)
        except em.DifferentiationError as error:
            codes.add(error.code)
        else:
            assert found == pytest.approx(3.0)
    assert codes <= {"EM220", "EM223"}


TREE = """#include <stdlib.h>
typedef struct T { double k, v; struct T *c[2]; } T;
static T *put(T *r, double k, double v) {
    if (!r) { r = calloc(1, sizeof *r); r->k = k; r->v = v; return r; }
    int d = k > r->k; r->c[d] = put(r->c[d], k, v); return r; }
static T *turn(T *r, int d) { T *c = r->c[!d]; r->c[!d] = c->c[d]; c->c[d] = r; return c; }
static double walk(T *r, double *a) {
    if (!r) return 0;
    double s = walk(r->c[0], a); *a = *a*0.7 + r->v; s += *a*r->v; return s + walk(r->c[1], a); }
static void drop(T *r) { if (r) { drop(r->c[0]); drop(r->c[1]); free(r); } }
double f(double x) {
    T *r = 0; for (int i = 0; i < 5; i++) r = put(r, (i*3 + 2) % 5, x*i + i*x*x);
    r = turn(r, 0); double a = 0, s = walk(r, &a); drop(r); return s; }
"""


@pytest.mark.parametrize("opt", [0, 2])
def test_second_derivatives_of_a_tree(opt: int) -> None:
    """`c[d]` is one of two pointers, not any bytes of the node."""
    function = em.compile_c(TREE, opt=opt).f
    step = 1e-5
    wanted = (function.grad(1.5 + step) - function.grad(1.5 - step)) / (2 * step)
    assert function.hessian(1.5) == pytest.approx(wanted, rel=1e-6)

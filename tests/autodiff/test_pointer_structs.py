"""Small structs with pointers, passed and returned by value: matrices with their data, slices, list nodes, pairs of pointers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.backend.passes import results_in_memory

from .harness import check, refused

X = np.array([0.3, 0.5, 0.7, 0.9])
SOURCE = """
#include <math.h>
#include <stdlib.h>
#define NOINLINE __attribute__((noinline))
typedef struct { double *p, *q; } two;
NOINLINE two exchanged(two t) { two u = {t.q, t.p}; return u; }
double swapping(double *x, double *y, int n) {
    two t = {x, y};
    for (int i = 0; i < n; i++) { t = exchanged(t); *t.p *= sin(*t.q); }
    return *t.p + 2**t.q;
}
typedef struct { const double *at; long n; } slice;
NOINLINE static slice rest(slice s) { slice r = {s.at + 1, s.n - 1}; return r; }
double sum_of(slice s) { return s.n ? s.at[0]*s.at[0] + sin(s.at[0])*sum_of(rest(s)) : 0; }
double slices(const double *x, long n) { slice s = {x, n}; return sum_of(s); }
NOINLINE static slice longer(slice a, slice b) { if (a.n > b.n) return a; return b; }
double picked(const double *x, long n) {
    slice s = {x, n}, t = longer(s, rest(s));
    t = n > 2 ? rest(t) : t;
    return sum_of(t);
}
typedef struct node { double v; struct node *next; } node;
NOINLINE static node cons(double v, node *next) { node n = {v, next}; return n; }
double list(const double *x, int n) {
    node all[8], *head = 0;
    for (int i = 0; i < n; i++) { all[i] = cons(x[i]*x[i], head); head = &all[i]; }
    double s = 0;
    for (; head; head = head->next) s = s*0.5 + sin(head->v);
    return s;
}
typedef struct { float scale; int n; double *data; } scaled;
NOINLINE static scaled with(scaled s, float by) { s.scale *= by; s.n--; s.data++; return s; }
double mixed_registers(double *x, float by, int n) {
    scaled s = {1, n, x};
    while (s.n > 1) { s = with(s, by); *s.data *= s.scale; }
    return *s.data*x[0]*x[1];
}
"""
BY_POINTER = """
typedef struct { const double *at; long n; } slice;
typedef slice walk(slice);
static slice first(slice s) { slice r = {s.at + 1, s.n - 1}; return r; }
static slice second(slice s) { slice r = {s.at + 2, s.n - 2}; return r; }
double through_pointer(const double *x, int which) {
    walk *walks[2] = {first, second};
    slice s = {x, 4};
    s = walks[which](s);
    return s.at[0]*s.at[0];
}
"""
CASES: dict[str, list[list[Any]]] = {
    "swapping": [[X[:1], X[1:2], 3], [X[:1], X[1:2], 0]],
    "slices": [[X, 4], [X, 0]],
    "picked": [[X, 4], [X, 2]],
    "list": [[X, 4], [X, 0]],
    "mixed_registers": [[X, 0.8, 4]],
}


@pytest.mark.parametrize("function", CASES)
def test_pointer_struct(function: str) -> None:
    for arguments in CASES[function]:
        check(SOURCE, function, arguments, single=function == "mixed_registers")


def test_functions_whose_address_is_taken_keep_their_type() -> None:
    refused(BY_POINTER, "through_pointer", [0], levels=(0,))


def test_ir_without_such_results_is_not_touched() -> None:
    text = em.compile_c("typedef struct { double a, b; } s; s f(double x) { s r = {x, 2*x}; return r; }").f.ir("input")
    assert results_in_memory.lower(text) is text


def test_struct_results_still_reach_python() -> None:
    program = em.compile_c(SOURCE.replace("NOINLINE two exchanged", "two exchanged"))
    assert program.slices(X, 4) == pytest.approx(0.9**2 * np.prod(np.sin(X[:3])) + slow_sum(X), rel=1e-12)


def slow_sum(x: np.ndarray) -> float:
    """Of `slices` without its last term."""
    return float(sum(x[k] ** 2 * np.prod(np.sin(x[:k])) for k in range(len(x) - 1)))

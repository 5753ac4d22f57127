"""What derivatives of any order take, they give back: repeated calls do not make the C heap grow.

Counted is what malloc has handed out (glibc's mallinfo2), so that tapes, shadows and blocks of the program count alike; small
objects of the interpreter do not come from there. The first calls may make buffers that are kept, so only later ones count.
"""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import enzyme_magic as em

SOURCE = r"""
#include <math.h>
#include <stdlib.h>
double looped(const double *x, int n) {
    double s = 0, p = 1;
    for (int i = 0; i < n; i++) { p *= x[i]; for (int k = 0; k < i; k++) s += sin(p)*x[k]; }
    return s;
}
double unknown(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) { double y = x[i] + 2; while (y > 0.5) { y = y*y*0.2; s += sin(y); } }
    return s;
}
static double subtree(const double *x, int n, int k) {
    return k >= n ? 1 : x[k]*subtree(x, n, 2*k + 1)*subtree(x, n, 2*k + 2) + sin(x[k]);
}
double recursive(const double *x, int n) { return subtree(x, n, 0); }
double heap(const double *x, int n) {
    double *w = malloc(n*sizeof *w), s = 0;
    for (int i = 0; i < n; i++) w[i] = x[i]*x[i];
    for (int i = 0; i < n; i++) { double *v = calloc(2, sizeof *v); v[i & 1] = w[i]*x[0]; s += v[0]*v[0] + v[1]; free(v); }
    free(w);
    return s;
}
struct node { double v; struct node *next; };
double listed(const double *x, int n) {
    struct node *first = 0;
    for (int i = 0; i < n; i++) {
        struct node *made = malloc(sizeof *made);
        *made = (struct node){x[i]*x[i], first};
        first = made;
    }
    double s = 0, p = 1;
    while (first) { struct node *gone = first; s += p *= first->v; first = first->next; free(gone); }
    return s;
}
double grown(const double *x, int n) {
    double *w = 0, s = 0;
    for (int i = 0; i < n; i++) { w = realloc(w, (i + 1)*sizeof *w); w[i] = x[i]*(i ? w[i - 1] : x[0]); }
    for (int i = 0; i < n; i++) s += w[i];
    free(w);
    return s;
}
void each(const double *x, double *out, int n) {
    double *w = malloc(n*sizeof *w);
    for (int i = 0; i < n; i++) w[i] = x[i]*x[(i + 1) % n];
    for (int i = 0; i < n; i++) out[i] = w[i]*w[n - 1 - i];
    free(w);
}
"""
HELD = r"""
#include <stdlib.h>
static double heap(double x, int n) {
    double *w = malloc(n*sizeof *w), p = 1;
    for (int i = 0; i < n; i++) { w[i] = x*(i + 1); p *= w[i]; }
    free(w);
    return p;
}
typedef struct { void *tape; double value; } Augmented;
Augmented __enzyme_augmentfwd(void *, ...);
double __enzyme_reverse(void *, ...);
double held(double x, int n) {
    Augmented a = __enzyme_augmentfwd((void *)heap, x, n), b = __enzyme_augmentfwd((void *)heap, x + 1, n);
    return __enzyme_reverse((void *)heap, x, n, 1.0, a.tape) + __enzyme_reverse((void *)heap, x + 1, n, 2.0, b.tape);
}
double whole(double x, int n) { return __enzyme_autodiff((void *)heap, x, n); }
double second(double x, int n) { return __enzyme_fwddiff((void *)whole, x, 1.0, n); }
double third(double x, int n) { return __enzyme_autodiff((void *)second, x, n); }
"""
X = np.array([1.1, 0.7, -0.4, 0.9, 1.3, 0.2])


class Info(ctypes.Structure):
    _fields_ = [
        *((f"before{k}", ctypes.c_size_t) for k in range(4)),
        ("mapped", ctypes.c_size_t),
        *((f"between{k}", ctypes.c_size_t) for k in range(2)),
        ("in_use", ctypes.c_size_t),
        *((f"behind{k}", ctypes.c_size_t) for k in range(2)),
    ]


@pytest.fixture(scope="module", autouse=True)
def only_what_is_new() -> Iterator[None]:
    """What other tests of this process have left is not looked at again by each collection: that takes seconds."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def in_use() -> int:
    """The bytes that malloc has handed out."""
    mallinfo = ctypes.CDLL(None).mallinfo2
    mallinfo.restype = Info
    gc.collect()
    found = mallinfo()
    return int(found.in_use + found.mapped)


def growth(call: Callable[[], Any], times: int = 150) -> float:
    """Bytes that each call leaves behind. What is taken once, whenever that is, is no leak: the smaller of two counts."""
    for _ in range(times):
        call()
    found = []
    for _ in range(2):
        before = in_use()
        for _ in range(times):
            call()
        found.append((in_use() - before) / times)
    return min(found)


@pytest.fixture(scope="module", params=[2])
def program(request: pytest.FixtureRequest) -> em.Program:
    return em.compile_c(SOURCE, opt=request.param)


NAMES = ("looped", "unknown", "recursive", "heap", "listed", "grown")
V = np.linspace(-1, 1, 6)


@pytest.mark.parametrize("name", NAMES)
def test_repeated_derivatives(program: em.Program, name: str) -> None:
    f = program[name]
    _, pullback = em.vjp(f, X, 6)
    transforms: dict[str, Callable[[], Any]] = {
        "grad": lambda: f.grad(X, 6),
        "vjp": lambda: em.vjp(f, X, 6)[1](1.0),
        "one pullback": lambda: pullback(2.0),
        "no pullback": lambda: em.vjp(f, X, 6),
        "jvp": lambda: em.jvp(f, (X, 6), (V, None)),
        "hessian": lambda: em.hessian(f)(X, 6),
        "hvp": lambda: em.hvp(f, (X, 6), (V, None)),
    }
    transforms["reverse over reverse"] = lambda: em.vjp(em.grad(f), X, 6)[1](V)
    left = {transform: growth(call) for transform, call in transforms.items()}
    assert max(left.values()) < 16, left


def test_repeated_jacobians(program: em.Program) -> None:
    out = np.zeros(6)
    for transform in (em.jacfwd, em.jacrev):
        jacobian = transform(program.each, wrt="x", outputs="out")
        assert growth(lambda j=jacobian: j(X, out, 6)) < 16  # type: ignore[misc]


@pytest.mark.parametrize("opt", [0, 2])
@pytest.mark.parametrize("name", ["held", "whole", "second", "third"])
def test_requests_in_c(name: str, opt: int) -> None:
    function = em.compile_c(HELD, opt=opt)[name]
    assert growth(lambda: function(1.5, 5), 2000) < 1


def test_the_count_sees_what_is_left_behind() -> None:
    leaking = em.compile_c("#include <stdlib.h>\ndouble f(double x) { double *p = malloc(64); p[0] = x; return *p; }").f
    libc = ctypes.CDLL(None)
    libc.malloc.restype = ctypes.c_void_p
    assert growth(lambda: libc.malloc(64)) >= 64
    assert leaking(1.0) == 1.0

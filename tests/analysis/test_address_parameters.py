"""Which parameters are addresses or places and nothing else, whatever they are read from."""

from __future__ import annotations

import pytest

import enzyme_magic as em
from enzyme_magic.backend.analysis.calls.address_parameters import address_parameters
from enzyme_magic.backend.analysis.calls.effects import Effects
from enzyme_magic.backend.ir.text import parser

IR = """
declare void @free(ptr)
declare void @keep(ptr)
declare ptr @bsearch(ptr, ptr, i64, i64, ptr)
define double @reads(ptr %p, i64 %k) {
  %q = getelementptr double, ptr %p, i64 %k
  %v = load double, ptr %q
  ret double %v
}
define double @hands_on(ptr %p, i1 %c) {
entry:
  br i1 %c, label %yes, label %no
yes:
  %v = call double @reads(ptr %p, i64 1)
  ret double %v
no:
  call void @free(ptr %p)
  ret double 0.0
}
define double @goes_on(ptr %p, i1 %c) {
entry:
  br i1 %c, label %yes, label %no
yes:
  %v = call double @goes_on(ptr %p, i1 false)
  ret double %v
no:
  ret double 0.0
}
define void @stores(ptr %p, ptr %to) {
  store ptr %p, ptr %to
  ret void
}
define void @follows_and_stores(ptr %p, ptr %to) {
  store double 1.0, ptr %p
  store ptr %p, ptr %to
  ret void
}
define i64 @bits(ptr %p) {
  %u = ptrtoint ptr %p to i64
  ret i64 %u
}
define ptr @gives_back(ptr %p) {
  ret ptr %p
}
define void @unknown(ptr %p) {
  call void @keep(ptr %p)
  ret void
}
define ptr @calls_back(ptr %p, ptr %t, ptr %f) {
  %q = call ptr @bsearch(ptr %p, ptr %t, i64 2, i64 8, ptr %f)
  ret ptr %q
}
define double @in_a_variable(ptr %p) {
  %a = alloca ptr
  store ptr %p, ptr %a
  %q = load ptr, ptr %a
  %v = load double, ptr %q
  ret double %v
}
define double @as_a_number(ptr %p) {
  %a = alloca ptr
  store ptr %p, ptr %a
  %v = load double, ptr %a
  ret double %v
}
define double @places(ptr %v, i32 %row, i64 %step, i1 %c) {
entry:
  %wide = sext i32 %row to i64
  %k = mul i64 %wide, %step
  %more = icmp sgt i64 %k, 10
  br i1 %more, label %on, label %here
on:
  %next = call double @places(ptr %v, i32 1, i64 %k, i1 %c)
  ret double %next
here:
  br i1 %c, label %end, label %end
end:
  %p = getelementptr double, ptr %v, i64 %k
  %x = load double, ptr %p
  ret double %x
}
define double @converted(i32 %k) {
  %d = sitofp i32 %k to double
  ret double %d
}
define i64 @given_back(i64 %k) {
  %d = add i64 %k, 1
  ret i64 %d
}
define void @put(i64 %k, ptr %to) {
  store i64 %k, ptr %to
  ret void
}
define double @reinterpreted(i64 %k) {
  %d = bitcast i64 %k to double
  ret double %d
}
define ptr @as_an_address(i64 %k) {
  %d = inttoptr i64 %k to ptr
  ret ptr %d
}
define i32 @in_an_integer(i32 %k, ptr %v) {
  %a = alloca i32
  store i32 %k, ptr %a
  %q = load i32, ptr %a
  %p = getelementptr i32, ptr %v, i32 %q
  %x = load i32, ptr %p
  ret i32 %x
}
"""


def test_addresses_and_what_may_be_numbers() -> None:
    module = parser.parse(IR)
    found = address_parameters(module, Effects.of(module))
    assert {name: sorted(places) for name, places in found.items()} == {
        "reads": [0, 1],
        "hands_on": [0, 1],
        "goes_on": [0, 1],
        "stores": [1],
        "follows_and_stores": [0, 1],
        "bits": [],
        "gives_back": [],
        "unknown": [],
        "calls_back": [],
        "in_a_variable": [0],
        "as_a_number": [],
        "places": [0, 1, 2, 3],
        "converted": [],
        "given_back": [],
        "put": [1],
        "reinterpreted": [],
        "as_an_address": [],
        "in_an_integer": [0, 1],
    }


TAPE = """#include <stdlib.h>
typedef struct V V;
struct V { double data, grad; V *prev[2]; int n, seen; void (*back)(V *); };
static V *all[32]; static int made;
static V *new(double d) { V *v = calloc(1, sizeof *v); v->data = d; all[made++] = v; return v; }
static void sum(V *o) { o->prev[0]->grad += o->grad; o->prev[1]->grad += o->grad; }
static void product(V *o) { o->prev[0]->grad += o->prev[1]->data*o->grad; o->prev[1]->grad += o->prev[0]->data*o->grad; }
static V *of(double d, V *a, V *b, void (*back)(V *)) {
    V *o = new(d); o->prev[0] = a; o->prev[1] = b; o->n = 2; o->back = back; return o; }
static void order(V *v, V **out, int *n) {
    if (v->seen) return;
    v->seen = 1; for (int i = 0; i < v->n; i++) order(v->prev[i], out, n);
    out[(*n)++] = v; }
double f(double x, double y) {
    made = 0;
    V *a = new(x), *b = new(y), *c = of(a->data*b->data, a, b, product), *d = of(c->data + a->data, c, a, sum);
    V *e = of(d->data*d->data, d, d, product), *out[32]; int n = 0;
    order(e, out, &n); e->grad = 1;
    while (n-- > 0) if (out[n]->back) out[n]->back(out[n]);
    double r = a->grad; for (int i = 0; i < made; i++) free(all[i]);
    return r; }
"""


@pytest.mark.parametrize("opt", [0, 2])
def test_a_graph_whose_nodes_are_followed_as_soon_as_they_are_passed(opt: int) -> None:
    """Reverse mode written in C: the pointers to nodes lie beside their numbers (EM220 at opt 0 before)."""
    function = em.compile_c(TAPE, opt=opt).f  # the derivative of (x*y + x)^2: 2*x*(y + 1)^2
    assert function(1.5, 0.5) == pytest.approx(2 * 1.5 * 1.5**2)
    assert function.grad(1.5, 0.5) == pytest.approx((2 * 1.5**2, 4 * 1.5 * 1.5))

"""Calls through function pointers: every way a pointer can come by its function."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from enzyme_magic.backend.autodiff.calls.request import Request
from enzyme_magic.backend.ir.checks import verify
from enzyme_magic.backend.ir.instructions import Call
from enzyme_magic.backend.ir.text.parser import parse
from enzyme_magic.backend.prepare import devirtualize
from enzyme_magic.errors import ExecutionError

from .harness import LEVELS, check, refused
from .runs import Point, program, run_forward, run_reverse

SOURCE = """
#include <math.h>
#include <stdlib.h>
typedef double (*fn)(double);
__attribute__((noinline)) static double square(double a) { return a*a; }
__attribute__((noinline)) static double cube(double a) { return a*a*a + sin(a); }
__attribute__((noinline)) double apply(fn f, double x) { return f(x)*2; }
double passed(double x, long k) { return apply(k ? square : cube, x) + apply(sin, x*x); }

static const fn table[] = {square, cube, exp};
double from_table(double x, long k) { return table[k](x) * table[(k + 1) % 3](x); }
static fn changing[] = {square, cube, exp};
void change(long k) { changing[0] = k ? cos : tan; }
double from_changing_table(const double *x, long n) {
    double s = 0;
    for (long i = 0; i < n; i++) s += changing[i % 3](x[i])*s + 1;
    return s;
}
double from_local_table(const double *x, long n) {
    fn t[2] = {cube, square};
    double s = 0;
    for (long i = 0; i < n; i++) s = t[i & 1](x[i] + s);
    return s;
}
static fn pick(long k) { return k == 0 ? square : k == 1 ? cube : log; }
double returned(double x, long k) { fn f = pick(k); return f(x) + pick(k - 1)(x*x); }

typedef struct { double k, c; } spring;
typedef void (*rhs)(double t, const double *y, double *dy, void *p);
__attribute__((noinline)) static void oscillator(double t, const double *y, double *dy, void *p) {
    spring *q = p;
    dy[0] = y[1];
    dy[1] = -q->k*y[0] - q->c*y[1] + 0.1*sin(t);
}
__attribute__((noinline)) static void decay(double t, const double *y, double *dy, void *p) {
    spring *q = p;
    dy[0] = -q->k*y[0];
    dy[1] = -q->c*y[1]*y[0];
}
__attribute__((noinline)) static void rk4(rhs f, double *y, void *p, long steps, double h) {
    double a[2], b[2], c[2], d[2], z[2];
    for (long s = 0; s < steps; s++) {
        double t = s*h;
        f(t, y, a, p);
        for (int i = 0; i < 2; i++) z[i] = y[i] + h/2*a[i];
        f(t + h/2, z, b, p);
        for (int i = 0; i < 2; i++) z[i] = y[i] + h/2*b[i];
        f(t + h/2, z, c, p);
        for (int i = 0; i < 2; i++) z[i] = y[i] + h*c[i];
        f(t + h, z, d, p);
        for (int i = 0; i < 2; i++) y[i] += h/6*(a[i] + 2*b[i] + 2*c[i] + d[i]);
    }
}
double integrator(double k, double c, double y0, long which) {
    spring q = {k, c};
    double y[2] = {y0, 1};
    rk4(which ? oscillator : decay, y, &q, 3, 0.1);
    return y[0]*y[1];
}

typedef struct { fn f; double *data; double scale; } object;
__attribute__((noinline)) static double method(object *o, long i) { return o->f(o->data[i])*o->scale; }
double beside_active_pointer(double *x, double s, long n) {
    object o = {n > 3 ? square : cube, x, s};
    double r = 0;
    for (long i = 0; i < n; i++) r += method(&o, i);
    return r;
}
struct shape { double (*area)(const struct shape *); double a, b; };
static double rectangle(const struct shape *s) { return s->a*s->b; }
static double ellipse(const struct shape *s) { return 3.14*s->a*s->b*s->a; }
double methods_on_heap(double a, double b, long n) {
    struct shape *v = malloc(n*sizeof *v);
    for (long i = 0; i < n; i++) { v[i].area = i % 2 ? rectangle : ellipse; v[i].a = a + i; v[i].b = b*i; }
    double s = 0;
    for (long i = 0; i < n; i++) s += v[i].area(&v[i]);
    free(v);
    return s;
}
static double even(double x, long d);
static double odd(double x, long d) { double (*g)(double, long) = d > 2 ? even : odd; return d <= 0 ? x : sin(x)*g(x*0.9, d - 1); }
static double even(double x, long d) { double (*g)(double, long) = d > 2 ? odd : even; return d <= 0 ? x : cos(x)*g(x*1.1, d - 1); }
double recursion_through_pointers(double x, long d) { return (d & 1 ? odd : even)(x, d); }

static double last;
static void hook_square() { last *= last; }
static void hook_triple(void) { last *= 3; }
double without_prototype(double x, long k) {
    void (*hook)() = k ? hook_square : hook_triple;
    last = x;
    hook();
    return last*x;
}
static double scaled(double x, int n) { return x*n; }
static double raised(x, n) double x; int n; { return x*x + n; }
static double (*const operations[])() = {scaled, raised};
double table_without_prototypes(double x, long n) {
    for (long i = 0; i < n; i++) x = operations[i & 1](x, (int)i + 1);
    return x;
}

static fn hidden;
void hide(long address) { hidden = (fn)address; }
double from_outside(double x) { return hidden ? hidden(x)*x : x*x; }
"""
X = np.array([0.3, 0.7, 1.1, 0.5, 0.9])
CASES: list[tuple[str, list[Any]]] = [
    ("passed", [1.3, 0]),
    ("passed", [1.3, 1]),
    ("from_table", [1.3, 1]),
    ("from_changing_table", [X, 5]),
    ("from_local_table", [X, 5]),
    ("returned", [1.3, 1]),
    ("returned", [1.3, 2]),
    ("integrator", [1.2, 0.4, 0.9, 0]),
    ("integrator", [1.2, 0.4, 0.9, 1]),
    ("beside_active_pointer", [X, 1.7, 5]),
    ("methods_on_heap", [0.4, 0.6, 4]),
    ("recursion_through_pointers", [0.7, 6]),
    ("from_outside", [0.7]),
    ("without_prototype", [1.3, 0]),
    ("without_prototype", [1.3, 1]),
    ("table_without_prototypes", [0.7, 4]),
]


@pytest.mark.parametrize(("name", "arguments"), CASES, ids=[f"{n}-{k}" for k, (n, _) in enumerate(CASES)])
def test_gradient(name: str, arguments: list[Any]) -> None:
    check(SOURCE, name, arguments)


@pytest.mark.parametrize("level", LEVELS)
def test_a_function_from_outside_ends_the_call_and_not_in_a_wrong_number(level: int) -> None:
    import ctypes

    compiled = program(SOURCE, level)
    native = ctypes.CFUNCTYPE(None, ctypes.c_long)(compiled.library.address("hide"))
    other = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(lambda x: 3 * x)
    point = Point((0.7,), (0,), {})
    native(ctypes.cast(other, ctypes.c_void_p).value)
    try:
        with pytest.raises(ExecutionError) as caught:
            run_reverse(compiled, Request("from_outside", wrt=(0,), seed="argument"), point)
        assert caught.value.code == "EM402"
        with pytest.raises(ExecutionError):
            run_forward(compiled, "from_outside", point, [1.0])
    finally:
        native(0)
    assert run_reverse(compiled, Request("from_outside", wrt=(0,), seed="argument"), point).gradient == (1.4,)


def test_no_function_of_the_type_is_a_refusal_at_the_call() -> None:
    source = """
double f(double x, long address) {
    double (*g)(double) = (double (*)(double))address;
    return x +
        g(x);
}
"""
    error = refused(source, "f", [0], line=5)
    assert error.code == "EM240"


MODULE = """
@table = internal constant [2 x ptr] [ptr @f, ptr @g]
define double @f(double %x) {
  ret double %x
}
define double @g(double %x) {
  ret double 1.0
}
define double @other(double %x) {
  ret double 2.0
}
define float @narrow(float %x) {
  ret float %x
}
@taken = global [2 x ptr] [ptr @other, ptr @narrow]
"""


def calls_of(text: str, name: str) -> list[str]:
    """The functions called directly in function `name` after calls through pointers are resolved."""
    module = parse(MODULE + text)
    devirtualize.resolve(module)
    verify.verify(module)
    found = [i.called_function for i in module.functions[name].instructions() if isinstance(i, Call)]
    return [function.name if function is not None else "?" for function in found]


def test_a_constant_table_names_its_functions_and_no_other() -> None:
    text = """
define double @h(double %x, i64 %k) {
  %place = getelementptr ptr, ptr @table, i64 %k
  %p = load ptr, ptr %place
  %r = call double %p(double %x)
  ret double %r
}"""
    assert calls_of(text, "h") == ["f", "g"]


def test_a_parameter_is_followed_to_the_calls_of_its_function() -> None:
    text = """
define double @h(ptr %p, double %x) {
  %r = call double %p(double %x)
  ret double %r
}
define double @caller(double %x) {
  %r = call double @h(ptr @g, double %x)
  ret double %r
}"""
    assert calls_of(text, "h") == ["g", "abort"]


def test_a_pointer_from_memory_may_be_every_function_of_its_type() -> None:
    text = """
define double @h(ptr %q, double %x) {
  %p = load ptr, ptr %q
  %r = call double %p(double %x)
  %s = fadd double %r, 1.0
  ret double %s
}"""
    assert calls_of(text, "h") == ["f", "g", "other", "abort"]


def test_one_possible_function_is_called_directly() -> None:
    text = """
define double @h(i1 %c, double %x) {
  %p = select i1 %c, ptr @g, ptr null
  %r = call double %p(double %x)
  ret double %r
}"""
    assert calls_of(text, "h") == ["g"]


def test_a_type_nobody_has_leaves_the_call() -> None:
    text = """
define i32 @h(ptr %p) {
  %r = call i32 %p(i32 7)
  ret i32 %r
}"""
    assert calls_of(text, "h") == ["?"]


def test_a_call_without_prototype_reaches_what_takes_its_arguments() -> None:
    text = """
define double @h(ptr %q, double %x) {
  %p = load ptr, ptr %q
  %r = call double (double, ...) %p(double %x)
  ret double %r
}"""
    assert calls_of(text, "h") == ["f", "g", "other", "abort"]


def test_another_function_on_the_way_to_a_pointer_is_not_taken_for_one_that_fits() -> None:
    text = """
define double @h(i1 %c, double %x) {
  %p = select i1 %c, ptr @g, ptr @narrow
  %r = call double %p(double %x)
  ret double %r
}"""
    assert calls_of(text, "h") == ["g", "abort"]

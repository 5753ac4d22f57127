"""Recursion deeper than the C stack: an ExecutionError, and the kernel goes on."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

from enzyme_magic.backend.autodiff.calls.request import Request
from enzyme_magic.backend.runtime import arena
from enzyme_magic.errors import ExecutionError

from .harness import LEVELS, check
from .runs import Point, program, run_forward, run_reverse

SOURCE = """
#include <math.h>
double product(const double *x, long n) { if (n <= 0) return 1; double t = x[n % 5]; return t*product(x, n - 1)*0.5 + sin(t); }
double of_value(double x, long n) { if (n <= 0) return x; return sin(x*0.9 + of_value(x*0.5, n - 1)); }
double odd(double x, long n);
double even(double x, long n) { return n <= 0 ? x : cos(odd(x*0.5 + 0.1, n - 1))*x; }
double odd(double x, long n) { return n <= 0 ? 1 : sin(even(x*0.7, n - 1)) + x; }
void fill(double *x, long n) {
    if (n <= 0) return;
    x[n % 5] = x[n % 5]*0.5 + sin(x[(n + 1) % 5]);
    fill(x, n - 1);
    x[(n + 2) % 5] *= 1.0001;
}
double in_place(double *x, long n) { fill(x, n); return x[0] + x[1]*x[2]; }
double with_array(double x, long n) {
    double a[4096];
    a[n % 4096] = x;
    a[(n + 1) % 4096] = x*x;
    if (n <= 0) return x;
    double r = with_array(x*0.5, n - 1);
    return a[(n*3) % 4096 > 1000 ? n % 4096 : (n + 1) % 4096]*r;
}
__attribute__((noinline)) static double helper(double x, long n) { return of_value(x, n)*x; }
double through_helper(double x, long n) { return helper(x, n) + helper(x*x, n/2); }
"""
X = np.array([0.3, 0.7, 1.1, 0.5, 0.9])
FUNCTIONS: dict[str, Any] = {
    "product": X,
    "of_value": 0.3,
    "even": 0.3,
    "in_place": X,
    "with_array": 0.4,
    "through_helper": 0.3,
}
MILLION = 1_000_000
# Where each call takes 64 kB of tape and shadows, the stack of the main thread would have 4 GB of them filled first.
SMALL_STACK = {"with_array": 1 << 20}


def point(name: str, n: int) -> Point:
    return Point((FUNCTIONS[name], n), (0,), {})


@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradient_of_a_shallow_recursion(name: str) -> None:
    check(SOURCE, name, [FUNCTIONS[name], 6])


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_million_calls_raise(name: str, level: int) -> None:
    compiled = program(SOURCE, level)
    request = Request(name, wrt=(0,), seed="argument")
    before = run_reverse(compiled, request, point(name, 100)).gradient

    def attempt() -> ExecutionError:
        with pytest.raises(ExecutionError) as caught:
            run_reverse(compiled, request, point(name, MILLION))
        assert arena.statistics().in_use == 0
        with pytest.raises(ExecutionError):
            run_forward(compiled, name, point(name, MILLION), [1.0] * np.size(FUNCTIONS[name]))
        return caught.value

    error = in_thread(SMALL_STACK[name], attempt) if name in SMALL_STACK else attempt()
    assert error.code == "EM406"
    assert "threading.stack_size" in str(error.hint)
    assert run_reverse(compiled, request, point(name, 100)).gradient == before


def in_thread(stack: int, work: Any) -> Any:
    """What `work` gives in a thread with a stack of that many bytes."""
    found: list[Any] = []
    before = threading.stack_size(stack)
    try:
        thread = threading.Thread(target=lambda: found.append(work()))
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join()
    return found[0]


def test_the_limit_is_that_of_the_thread() -> None:
    """20,000 calls fit into 64 MB and not into 1 MB."""
    compiled = program(SOURCE, 2)
    request = Request("of_value", wrt=(0,), seed="argument")
    compiled.derivative(request)

    def attempt() -> float | str:
        try:
            return run_reverse(compiled, request, point("of_value", 20_000)).gradient[0]
        except ExecutionError as error:
            return error.code

    large = in_thread(1 << 26, attempt)
    assert isinstance(large, float)
    assert in_thread(1 << 20, attempt) == "EM406"
    assert in_thread(1 << 26, attempt) == large


def test_time_is_linear_in_the_depth() -> None:
    """No level computes the levels below it again: 10,000 levels would be 50 million calls."""
    import time

    compiled = program(SOURCE, 2)
    request = Request("through_helper", wrt=(0,), seed="argument")
    run_reverse(compiled, request, point("through_helper", 10_000))
    start = time.perf_counter()
    run_reverse(compiled, request, point("through_helper", 10_000))
    assert time.perf_counter() - start < 0.2


def test_functions_that_do_not_recurse_have_no_check() -> None:
    compiled = program("double f(double x, int n) { double s = x; for (int i = 0; i < n; i++) s = s*s; return s; }", 2)
    assert "check_stack" not in compiled.derivative(Request("f", wrt=(0,))).gradient_ir
    recursive = program(SOURCE, 2).derivative(Request("product", wrt=(0,))).gradient_ir
    assert recursive.count("call void @em.check_stack(") >= 2

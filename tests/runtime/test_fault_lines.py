"""A fault in C code names its line, in functions, their derivatives and helpers, here and in a worker."""

from __future__ import annotations

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.backend.llvm.objects import line_table

C = r"""#include <math.h>
#include <signal.h>
#include <stdlib.h>
static double term(const double *a, long i) {
  return a[i] * sin(a[i]);
}
double summed(double x, long at, int n) {
  double s = 0, *p = malloc(8 * n);
  for (int i = 0; i < n; i++) {
    p[i] = x * i;
    s += term(p, i);
  }
  s += x * *(volatile double *)at;
  free(p);
  return s;
}
double within(const double *x, long k) {
  double s = 1;
  for (int i = 0; i < 3; i++)
    s *= term(x, k + i);
  return s;
}
int quotient(int a, int b) {
  int c = a + 1;
  return c / b;
}
double frees(double x) {
  double a[3] = {x, x, x};
  double r = a[0] * a[1];
  free(a);
  return r;
}
double undefined(double x) {
  if (x > 1)
    __builtin_trap();
  return x;
}
double raises(double x) {
  double y = x * x;
  raise(SIGILL);
  return y;
}
"""


def line_of(text: str) -> int:
    (found,) = (number for number, line in enumerate(C.split("\n"), 1) if text in line)
    return found


@pytest.fixture(scope="module", params=[False, True], ids=["here", "isolated"])
def program(request: pytest.FixtureRequest) -> em.Program:
    return em.compile_c(C, name="cell", isolate=request.param)


@pytest.mark.parametrize(
    ("name", "args", "text"),
    [
        ("summed", (2.0, 8, 3), "s += x * *"),
        ("within", (np.ones(3), -(10**12)), "return a[i]"),
        ("frees", (2.0,), "free(a)"),
        ("undefined", (2.0,), "__builtin_trap"),
        ("raises", (2.0,), "raise("),
    ],
)
def test_the_line_is_named(program: em.Program, name: str, args: tuple[object, ...], text: str) -> None:
    line = line_of(text)
    for called in (program[name], program[name].grad):
        with pytest.raises(em.ExecutionError) as error:
            called(*args)
        assert error.value.span is not None
        assert error.value.span is not None
        assert (error.value.span.file, error.value.line) == ("cell", line)
        assert error.value.span.text == C.split("\n")[line - 1]


def test_of_integers(program: em.Program) -> None:
    with pytest.raises(em.ExecutionError) as error:
        program.quotient(3, 0)
    assert error.value.line == line_of("c / b")


@pytest.mark.parametrize("derived", [False, True])
def test_a_loop_names_the_function_it_calls_and_the_line(program: em.Program, derived: bool) -> None:
    """`f.map` and `em.vmap` inline the function: the code that faults is the loop's."""
    summed = program.summed.grad if derived else program.summed
    calls = [(summed.map, (np.full(3, 2.0), 8, 3), "s += x * *")]
    if not program.options.isolate:
        within = em.grad(program.within) if derived else program.within
        calls.append((em.vmap(within, (0, None)), (np.ones((2, 3)), -(10**12)), "return a[i]"))
    for called, args, text in calls:
        with pytest.raises(em.ExecutionError) as error:
            called(*args)
        function = "within" if "a[i]" in text else "summed"
        assert f"in {'the derivative of ' if derived else ''}{function}:" in error.value.message
        assert (error.value.span.file, error.value.line) == ("cell", line_of(text))


def test_code_that_is_not_the_same_has_no_lines() -> None:
    one, other = (em.compile_c(f"double f(double x) {{ return x {sign} 2; }}").compiled.code for sign in "*/")
    for told in (one, other, one[:-100], b"\x7fELF"):
        assert line_table.line_at(one, told, "f", 0) is None
    assert line_table.line_at(one, one, "g", 0) is None


TRAPS = """
static double third(double x, int k) {
    if (k == 7)
        __builtin_trap();
    return x * x;
}
double f(double x, int k) {
    switch (k) {
    case 1: __builtin_trap();
    case 2: x *= 2; break;
    case 3:
        __builtin_trap();
    case 4: __builtin_debugtrap(); break;
    default: break;
    }
    for (int i = 0; i < 3; i++) {
        if (k == 5 + i && i < 2)
            __builtin_trap();
        x = third(x, k);
    }
    return x;
}
"""


@pytest.mark.parametrize("opt", [0, 2, 3])
@pytest.mark.parametrize("post_opt", [0, 3])
def test_traps_that_look_alike_are_told_apart(opt: int, post_opt: int) -> None:
    """LLVM's code generator made one block of them, which belongs to no line."""
    p = em.compile_c(TRAPS, opt=opt, post_opt=post_opt)
    calls = (lambda k: p.f(0.5, k), lambda k: p.f.grad(0.5, k), lambda k: em.jvp(p.f, (0.5, k), (1.0, None)))
    for call in calls:
        for k, line in {1: 9, 3: 12, 4: 13, 5: 18, 6: 18, 7: 4}.items():
            with pytest.raises(em.ExecutionError, match=r"SIGILL|SIGTRAP") as caught:
                call(k)
            assert caught.value.span is not None, (k, caught.value.message)
            assert caught.value.span.line == line
        call(2)

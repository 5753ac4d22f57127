"""A program's module in the form the analyses want: invokes, and pointers that take a detour through integers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from enzyme_magic.backend import pipeline
from enzyme_magic.backend.autodiff.calls.request import Request
from enzyme_magic.backend.frontend.sources import Source
from enzyme_magic.backend.ir.checks import verify
from enzyme_magic.backend.ir.module import Module
from enzyme_magic.backend.ir.text import printer
from enzyme_magic.backend.ir.text.parser import parse
from enzyme_magic.backend.prepare import assembly, program_form
from enzyme_magic.backend.prepare.bits import pointer_integers
from enzyme_magic.backend.prepare.control_flow import invokes
from enzyme_magic.config import Options

from .harness import LEVELS, check
from .runs import Point, run_forward, run_reverse, settings

POINTERS = """
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
double aligned_block(const double *x, long n) {
    char *raw = malloc(n*8 + 64);
    double *p = (double *)(((uintptr_t)raw + 63) & ~(uintptr_t)63);
    for (long i = 0; i < n; i++) p[i] = x[i]*x[i];
    double s = (uintptr_t)p % 64;
    for (long i = 1; i < n; i++) s += p[i]*p[i - 1];
    free(raw);
    return s;
}
double tagged(double *x, long n) {
    uintptr_t u = (uintptr_t)x | 1;
    double s = 0;
    if (u & 1) {
        double *p = (double *)(u - 1);
        for (long i = 0; i < n; i++) s += p[i]*p[i];
    }
    return s;
}
double there_and_back(double *x, long n) {
    intptr_t k = (intptr_t)(x + 1);
    double *p = (double *)k;
    p[0] = p[0]*p[1];
    return x[1]*x[0];
}
double index_in_integer(double *x, long n, long k) {
    uintptr_t u = (uintptr_t)x;
    u += k*8;
    double *p = (double *)u;
    p[1] = p[0]*p[0]*p[1];
    return x[k + 1]*x[k];
}
double walking_integer(double *x, long n) {
    uintptr_t u = (uintptr_t)x;
    double s = 0;
    for (long i = 0; i < n; i++) { s += *(double *)u*s + *(double *)u; u += 8; }
    return s;
}
struct node { double v; struct node *next; };
double container_of(double a, double b) {
    struct node x = {a, 0}, y = {b, &x}, **q = &y.next;
    struct node *o = (struct node *)((char *)q - __builtin_offsetof(struct node, next));
    return o->v*o->next->v*o->v;
}
double difference_of_pointers(double *x, long n) {
    double *end = x + n, s = 0;
    for (double *p = x; p != end; p++) s += *p*(double)(end - p);
    return s*x[0];
}
"""
X = np.array([0.3, 0.7, 1.1, 0.5, 0.9])
CASES: list[tuple[str, list[Any]]] = [
    ("aligned_block", [X, 5]),
    ("tagged", [X, 5]),
    ("there_and_back", [X, 5]),
    ("index_in_integer", [X, 5, 2]),
    ("walking_integer", [X, 5]),
    ("container_of", [0.4, 0.7]),
    ("difference_of_pointers", [X, 5]),
]


@pytest.mark.parametrize(("name", "arguments"), CASES, ids=[name for name, _ in CASES])
def test_gradient_through_integers(name: str, arguments: list[Any]) -> None:
    check(POINTERS, name, arguments)


def casts_left(body: str) -> int:
    module = parse(f"define double @f(ptr %p, ptr %q, i64 %k) {{\n{body}\n}}")
    pointer_integers.to_addresses(module)
    verify.verify(module)
    return sum(i.opcode == "inttoptr" for i in module.functions["f"].instructions())


def test_the_pointer_of_another_iteration_is_not_taken_for_this_ones() -> None:
    """%u is the pointer loaded an iteration ago: as a distance from today's %at its shadow would be somewhere else."""
    body = """entry:
  %start = ptrtoint ptr %p to i64
  br label %loop
loop:
  %u = phi i64 [ %start, %entry ], [ %w, %loop ]
  %at = load ptr, ptr %q
  %w = ptrtoint ptr %at to i64
  %r = inttoptr i64 %u to ptr
  %v = load double, ptr %r
  %more = fcmp ogt double %v, 1.0
  br i1 %more, label %loop, label %end
end:
  ret double %v"""
    assert casts_left(body) == 1
    assert (
        casts_left(
            body.replace("[ %start, %entry ]", "[ 0, %entry ]").replace("  %start = ptrtoint ptr %p to i64\n", "")
        )
        == 1
    )


@pytest.mark.parametrize(
    ("sum_", "left"),
    [
        ("%u = add i64 %a, %k", 0),
        ("%u = sub i64 %a, %k", 0),
        ("%u = sub i64 %k, %a", 1),
        ("%u = add i64 %a, %b", 1),
        ("%t = sub i64 %b, %a\n  %u = add i64 %a, %t", 1),
        ("%t = load i64, ptr %p\n  %u = add i64 %a, %t", 1),
        ("%u = and i64 %a, -64", 0),
    ],
)
def test_one_pointer_as_a_summand(sum_: str, left: int) -> None:
    body = f"""  %a = ptrtoint ptr %p to i64
  %b = ptrtoint ptr %q to i64
  {sum_}
  %r = inttoptr i64 %u to ptr
  %v = load double, ptr %r
  ret double %v"""
    assert casts_left(body) == left


CLEANUP = """
#include <math.h>
static int left;
static void leave(double *p) { left++; *p = 0; }
__attribute__((noinline)) static double square(double x) { return x*x; }
__attribute__((noinline)) static double guarded(double x) {
    __attribute__((cleanup(leave))) double t = x*2;
    return square(t)*sin(x);
}
double f(double x) { __attribute__((cleanup(leave))) double t = x + 1; return guarded(t)*x; }
"""


@pytest.mark.parametrize("level", LEVELS)
def test_cleanups_of_calls_that_cannot_throw(level: int) -> None:
    options = Options(opt=level, compile_args=("-fexceptions",))
    compiled = pipeline.compile_program([Source(CLEANUP, "test.c")], options, settings(), "test.c")
    if level == 0:
        assert "invoke" in compiled.record.optimized_ir
    x, t = 0.7, 1.7
    expected = 4 * t * t * np.sin(t) + x * (8 * t * np.sin(t) + 4 * t * t * np.cos(t))
    point = Point((x,), (0,), {})
    assert run_reverse(compiled, Request("f", wrt=(0,), seed="argument"), point).gradient == pytest.approx(
        (expected,), rel=1e-12
    )
    assert run_forward(compiled, "f", point, [1.0]) == pytest.approx(expected, rel=1e-12)


def invokes_left(text: str) -> list[str]:
    """What is invoked after the pass."""
    module = parse(INVOKES + text)
    invokes.to_calls(module)
    verify.verify(module)
    found = [i for f in module.definitions() for i in f.instructions() if i.opcode == "invoke"]
    return [i.called_function.name for i in found]  # type: ignore[attr-defined]


INVOKES = """
declare i32 @__gcc_personality_v0(...)
declare double @unknown(double)
declare double @sin(double)
declare double @declared(double) nounwind
declare void @qsort(ptr, i64, i64, ptr)
define double @clean(double %x) {
  %r = call double @sin(double %x)
  ret double %r
}
define double @through(double %x) {
  %r = call double @unknown(double %x)
  ret double %r
}
define double @recursive(double %x) {
  %c = fcmp ogt double %x, 1.0
  br i1 %c, label %more, label %done
more:
  %r = call double @recursive(double %x)
  ret double %r
done:
  ret double %x
}
"""


def invoking(callee: str) -> str:
    return f"""define double @f(double %x) personality ptr @__gcc_personality_v0 {{
entry:
  %r = invoke double @{callee}(double %x) to label %normal unwind label %pad
normal:
  ret double %r
pad:
  %seen = phi double [ %x, %entry ]
  %l = landingpad {{ ptr, i32 }} cleanup
  resume {{ ptr, i32 }} %l
}}
"""


@pytest.mark.parametrize(
    ("callee", "left"),
    [("sin", 0), ("declared", 0), ("clean", 0), ("recursive", 0), ("unknown", 1), ("through", 1)],
)
def test_what_may_throw(callee: str, left: int) -> None:
    assert invokes_left(invoking(callee)) == [callee] * left


def test_pads_without_callers_go() -> None:
    module = parse(INVOKES + invoking("clean"))
    invokes.to_calls(module)
    assert [block.name for block in module.functions["f"].blocks] == ["entry", "normal"]


def module_of(line: str) -> Module:
    return parse(f"define double @f(double %x, ptr %p) {{\n  {line}\n  %r = fadd double %x, 1.0\n  ret double %r\n}}")


@pytest.mark.parametrize(
    ("line", "dropped"),
    [
        ('call void asm sideeffect "", "~{memory}"()', 1),
        ('call void asm sideeffect "", "x,~{dirflag}"(double %x)', 1),
        ('call void asm sideeffect " ", "=*m,*m"(ptr elementtype(double) %p, ptr elementtype(double) %p)', 1),
        ('%y = call double asm "", "=x,0"(double %x)', 1),
        ('%y = call double asm "", "=x"()', 0),
        ('%y = call double asm "", "=x,x"(double %x)', 0),
        ('call void asm sideeffect "nop", "~{memory}"()', 0),
        ('%y = call double asm "movsd $1, $0", "=x,x"(double %x)', 0),
    ],
)
def test_only_assembly_without_instructions_is_dropped(line: str, dropped: int) -> None:
    assert assembly.drop_empty(module_of(line)) == dropped


def test_an_ordinary_program_is_left_as_it_is() -> None:
    text = INVOKES + "define double @f(double %x) {\n  %r = call double @clean(double %x)\n  ret double %r\n}"
    module = parse(text)
    before = printer.print_module(module)
    program_form.normalise(module)
    assert printer.print_module(module) == before

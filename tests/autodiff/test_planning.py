"""Derivatives are planned before they are written: what a plan says, that it ends in a fixpoint, and that nothing starts over."""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import enzyme_magic
from enzyme_magic.backend import deriving, undisturbed
from enzyme_magic.backend.autodiff.calls.request import Request
from enzyme_magic.backend.autodiff.derivation import Derivation
from enzyme_magic.backend.autodiff.lanes import lane_plan
from enzyme_magic.backend.autodiff.planning.missing import MissingShadows
from enzyme_magic.backend.autodiff.planning.plan import DerivativePlan
from enzyme_magic.backend.autodiff.sweeps import forward, reverse
from enzyme_magic.backend.autodiff.sweeps.forward import ForwardDerivative
from enzyme_magic.backend.autodiff.sweeps.reverse import Derivative
from enzyme_magic.backend.explain.scene import Scene
from enzyme_magic.backend.frontend.c_types import Pointer, is_float
from enzyme_magic.backend.ir.text import parser, printer
from enzyme_magic.backend.program.program_module import ProgramModule
from enzyme_magic.errors import InternalError

from .harness import check
from .runs import program

PACKAGE = Path(enzyme_magic.__file__).parent
KERNELS = Path(__file__).parents[1] / "explain" / "ten_kernels.c"
TEN = ("relu3", "dot", "norm", "heat", "vdp", "fft", "gmm", "lstm", "bisect", "sorted")
GOLDEN = Path(__file__).with_name("golden") / "plans.txt"
RECURSIVE = """
#include <stddef.h>
double other(const double *a, const double *b, double x, int n);
__attribute__((noinline)) double one(const double *a, const double *b, double x, int n)
{
    double rest = n > 0 ? other(a, b, x, n - 1) : 0;
    const double *p = n % 2 ? a : b; // only here it is seen that b needs a shadow, when `other` has been looked at
    return rest*x + *p*x;
}
__attribute__((noinline)) double other(const double *a, const double *b, double x, int n) { return x*one(a, b, x, n); }
struct node { double value; struct node *next; };
double third(struct node *list, struct node *tail, double x, int n);
__attribute__((noinline)) double second(struct node *list, struct node *tail, double x, int n)
{
    return x*third(tail, list, x, n - 1);
}
__attribute__((noinline)) double third(struct node *list, struct node *tail, double x, int n)
{
    struct node *next = n % 3 ? list->next : tail->next;
    double rest = n > 0 ? second(list, tail, x, n) : 0;
    return rest + (next ? next->value*x : x*x);
}
double lists(double a, double x, int n)
{
    struct node fixed = {3, NULL}, active = {a, NULL}, first = {0, &fixed}, last = {x, &active};
    return second(&first, &last, x, n);
}
"""


Written = tuple[Derivation, Derivative | ForwardDerivative]


def derivation(source: str, name: str, mode: str, opt: int = 2, wrt: tuple[int, ...] | None = None) -> Derivation:
    return written(source, name, mode, opt, wrt)[0]


def written(source: str, name: str, mode: str, opt: int = 2, wrt: tuple[int, ...] | None = None) -> Written:
    compiled = program(source, opt)
    signature = compiled.record.signatures[name]
    if wrt is None:
        wrt = tuple(k for k, p in enumerate(signature.parameters) if is_float(p.type) or isinstance(p.type, Pointer))
    outputs = () if is_float(signature.result) else wrt
    return deriving.write(compiled.module, Request(name, mode, wrt, outputs=outputs), compiled.record)


@cache
def plan_of(name: str) -> DerivativePlan:
    (plan,) = derivation(KERNELS.read_text(encoding="utf-8"), name, "reverse").plans.values()
    return plan


def lanes_of(name: str) -> str:
    made, derivative = written(KERNELS.read_text(encoding="utf-8"), name, "reverse")
    return lane_plan.said(made.context, derivative)


def test_plans_of_ten_programs() -> None:
    """EM_UPDATE_GOLDEN=1 writes them anew: look at the difference then."""
    found = "\n".join(f"{plan_of(name)}\n{lanes_of(name)}" for name in TEN)
    if os.environ.get("EM_UPDATE_GOLDEN"):
        GOLDEN.write_text(found, encoding="utf-8")
    assert found == GOLDEN.read_text(encoding="utf-8")


@pytest.mark.parametrize("opt", [0, 2])
def test_each_function_is_tried_and_written_once(opt: int, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    write, differentiate = reverse.write, forward.differentiate
    monkeypatch.setattr(reverse, "write", lambda *given: written.append(given[3]) or write(*given))
    monkeypatch.setattr(forward, "differentiate", lambda *given: written.append(given[2]) or differentiate(*given))
    for name in TEN:
        for mode in ("reverse", "forward"):
            written.clear()
            program(KERNELS.read_text(encoding="utf-8"), opt).module.analyses.plans.clear()
            made = derivation(KERNELS.read_text(encoding="utf-8"), name, mode, opt)
            (plan,) = made.plans.values()
            assert made.trials == len(plan.functions)
            assert written == [function.name for function in plan.functions]


def test_who_asks_again_reads_the_plan() -> None:
    """The report, the pictures and the C text of a gradient are made from the plan of the gradient, which is kept."""
    source = KERNELS.read_text(encoding="utf-8")
    compiled = program(source, 2)
    compiled.module.analyses.plans.clear()
    made, again = (derivation(source, "fft", "reverse") for _ in range(2))
    assert (made.trials, again.trials) == (2, 0)
    assert made.plans == again.plans
    assert printer.print_module(made.module) == printer.print_module(again.module)
    Scene.of(compiled, Request("fft", "reverse", (1, 2, 3, 4)))
    assert list(compiled.module.analyses.plans.values()) == list(made.plans.values())


def test_a_programs_text_is_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []
    of = ProgramModule.of
    monkeypatch.setattr(ProgramModule, "of", lambda text, sources: parsed.append(text) or of(text, sources))
    function = enzyme_magic.compile_c("double parsed_once(double x) { return sin(x)*x; }", force=True)["parsed_once"]
    assert function.grad(0.5) == enzyme_magic.value_and_grad(function)(0.5)[1]
    assert function.why("x") is not None
    assert str(function.activity())
    assert str(function.cache())
    assert len(parsed) == 1


def test_no_text_is_parsed_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []
    parse = parser.parse
    monkeypatch.setattr(parser, "parse", lambda text: parsed.append(text) or parse(text))
    source = "#include <stdlib.h>\ndouble parsed(double x) { if (x < 0) exit(1); return sin(x)*x; }"
    function = enzyme_magic.compile_c(source, force=True)["parsed"]
    assert function.grad(0.5)
    assert len(parsed) > 1
    assert len(parsed) == len(set(parsed))


def test_callees_come_first_and_every_call_is_planned() -> None:
    plan = plan_of("fft")
    seen = set()
    for function in plan.functions:
        seen.add(function.asked)
        assert all(asked in seen or asked in function.by_name for asked in function.calls.values())
    assert plan.root.request.function.endswith("fft")


@pytest.mark.parametrize("opt", [0, 2])
def test_a_shadow_found_late_in_a_recursion_reaches_all_who_call(opt: int) -> None:
    made = derivation(RECURSIVE, "one", "reverse", opt, wrt=(0, 2))
    (plan,) = made.plans.values()
    assert "because the shadow of %b is used" in str(plan)
    functions = {f.name: f for f in made.module.definitions()}
    calls = [i for f in functions.values() for i in f.instructions() if getattr(i, "called_function", None) is not None]
    for call in calls:
        callee = functions.get(call.called_function.name)
        if callee is not None:
            assert [a.type for a in call.arguments] == [a.type for a in callee.arguments]


def test_gradients_through_recursions_that_need_more_than_was_asked_for() -> None:
    for n in (0, 1, 4, 5):
        check(RECURSIVE, "one", [np.array([2.0]), np.array([5.0]), 0.8, n], wrt=(0, 2), levels=(0, 2))
        check(RECURSIVE, "lists", [2.0, 0.7, n], levels=(0, 2))


def test_what_is_not_planned_is_an_error_of_ours() -> None:
    missing = MissingShadows(closed="f")
    for ask in (missing.parameter, missing.behind_parameter, missing.memory_of):
        with pytest.raises(InternalError, match="the plan of the derivative does not have it"):
            ask(0)


def texts(folder: str) -> dict[str, str]:
    return {p.name: p.read_text(encoding="utf-8") for p in sorted((PACKAGE / folder).rglob("*.py"))}


def test_no_exception_is_a_wish() -> None:
    """Nothing that writes asks to start over."""
    assert not [name for name, text in texts("backend").items() if re.search(r"class Needs\w*\(Exception\)", text)]


@pytest.mark.parametrize(("made", "by"), [("DerivativePlan", ["planner.py"]), ("FunctionPlan", ["planner.py"])])
def test_who_makes_plans(made: str, by: list[str]) -> None:
    assert [name for name, text in texts(".").items() if re.search(rf"(?<!class )\b{made}\(", text)] == by


STEPS = 1050
DEEP = (
    "double f0(double x) { return x*x; }\n"
    + "".join(f"static double f{k}(double x) {{ return f{k - 1}(x) + 1; }}\n" for k in range(1, STEPS))
    + f"double calls(double x) {{ return f{STEPS - 1}(x); }}\n"
    + "struct ring { double value; struct ring *next; };\n"
    + f"static double walk(struct ring *p) {{ {'p = p->next; ' * STEPS} return p->value*p->value; }}\n"
    + "double pointers(double x) { struct ring one; one.value = x; one.next = &one; return walk(&one); }\n"
)


@pytest.mark.parametrize("name", ["calls", "pointers"])
def test_chains_longer_than_python_recurses(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(undisturbed, "DEEPEST", 0)
    assert derivation(DEEP, name, "reverse", opt=0).module.functions


def test_people_read_the_plan() -> None:
    """`f.plan()` is the plan of the gradient that is called, and of the other modes."""
    compiled = enzyme_magic.compile_c(
        """
        void scaled(int n, const double x[n], double y[n]) { for (int i = 0; i < n; i++) y[i] *= x[i]; }
        __attribute__((noinline)) double inner(const double *a, int n) {
            double s = 1; for (int i = 0; i < n; i++) s *= s*a[i]; return s;
        }
        double outer(int n, const double a[n], double x) { return inner(a, n)*x; }
        """
    )
    found = compiled.outer
    said = found.plan()
    assert said.startswith("diffe_outer: outer, combined\n")
    assert "\n  call (line 6): inner, combined: diffe_inner\n" in said
    assert re.search(r"\n  store primal of %\S+( \(line 4\))?: each iteration of the loop changes it\n", said)
    assert (
        "parameter %y: with a shadow, varies, matters, noalias\n" in compiled.scaled.plan()
    )  # of its own in each call from Python
    assert "parameter %a: constant" in found.plan(wrt="x")
    assert found.plan(mode="forward").startswith("fwddiffe_outer: outer, forward\n")


def test_the_plan_says_all_of_a_request() -> None:
    """Why memory is separate, what the reverse function is given, how it is cached, and what several sweeps have each."""
    compiled = enzyme_magic.compile_c(
        """
        #include <stdlib.h>
        __attribute__((noinline)) void scaled(int n, const double *x, double *y) {
            for (int i = 0; i < n; i++) y[i] *= x[i]*y[i];
        }
        double summed(int n, const double x[n], double a) {
            double *t = malloc(n*8), s = 0;
            for (int i = 0; i < n; i++) t[i] = a;
            scaled(n, x, t);
            for (int i = 0; i < n; i++) s += t[i];
            free(t);
            return s;
        }
        typedef struct { double a, b; } pair;
        double product(pair p) { return p.a*p.b; }
        """
    )
    said = compiled.summed.plan()
    assert "\n  because no other way leads to the memory of %y in this call\n" in said
    assert "\n  the reverse function is given %n, %x\n" in said
    assert "%differet, results, part of augmented_scaled, part of reverse_scaled; the rest is there once\n" in said
    assert "\n  gives the primal result, too\n" not in compiled.summed.plan(mode="forward")  # of a void function
    assert compiled.summed.plan(caching="store-all").splitlines()[1] == "  caching: store-all"
    assert compiled.product.plan().endswith(
        "\nseveral sweeps at once: no, because its arguments are passed in memory\n"
    )

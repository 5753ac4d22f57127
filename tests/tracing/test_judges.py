"""The watched run as a judge: it finds every rule of activity that is broken on purpose, and none that is not."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.api.checks import watching
from enzyme_magic.backend.analysis.derivatives import activity
from enzyme_magic.backend.analysis.derivatives.flow import Flow, FlowEdge, Node
from enzyme_magic.backend.explain.scene import Scene
from enzyme_magic.backend.ir.instructions import Call, Instruction
from enzyme_magic.backend.ir.values import Value
from enzyme_magic.backend.tracing.record import WatchedRun
from tests.autodiff.random_programs import arguments, generate, translation_unit

SOURCE = """
#include <math.h>
#include <stdlib.h>
#include <string.h>
typedef struct { double a, b; } Two;
typedef double pair __attribute__((vector_size(16)));
static double kept;
__attribute__((noinline)) static double square(double x) { return x * x; }
__attribute__((noinline)) static void put(double *p, double x) { *p = x; }
__attribute__((noinline)) static Two both(double x) { Two t = {x, 2 * x}; return t; }
double arithmetic(double x, double y, int c) {
  double s = x + y; s = s - 3 * y; s = s / (x + 2); s = -s; s = c ? s : x; s = fmod(s, 7); float f = (float)s; return f *
  (double)f; }
double choice(double x, double y, int c) { return 2 * (c ? x : y); }
double libm(double x, double y, int c) {
  return sin(x) + pow(x, y) + atan2(y, x) + fma(x, y, y) + sqrt(x) + exp(y) + fmax(x, y) + fabs(y) + hypot(x, y) + copysign(x, y); }
double memory(double x, double y, int c) {
  double t[4] = {x, y, 0, 0}, u[4]; memcpy(u, t, sizeof u); double *p = malloc(16); p[0] = u[0]; p[1] = u[1] * y;
  p = realloc(p, 32); put(&p[2], p[1]); kept = p[2]; double s = kept * p[0]; free(p); return s; }
double calls(double x, double y, int c) {
  Two t = both(x); double s = square(t.a) + t.b; for (int i = 0; i < c; i++) s = s * y
+ x; return s; } double lanes(double x, double y, int c) {
  pair a = {x, x}, b = {y, 2.0}; a = a * b + a; pair m = {a[1],
a[0]}; return m[0] * m[1] + a[0]; }
"""
FUNCTIONS = ("arithmetic", "choice", "libm", "memory", "calls", "lanes")
CALLS = ((1.5, 0.75, 3), (1.5, 0.75, 0))  # both ways


@dataclass(frozen=True, eq=False)
class Watched:
    """A function, its call, and what the analysis says; `copies` leads from the program's instructions to the analysed ones."""

    run: WatchedRun
    judged: activity.Activity
    copies: dict[Value, Value]

    def contradictions(self, keep: Callable[[FlowEdge], bool]) -> int:
        """Instructions that carried a derivative, where the analysis without some edges says that none goes through them."""
        flow = self.judged.flow
        edges = tuple(edge for edge in flow.edges if keep(edge))
        leaving: dict[Node, list[FlowEdge]] = {}
        entering: dict[Node, list[FlowEdge]] = {}
        through: dict[Instruction, list[FlowEdge]] = {}
        for edge in edges:
            leaving.setdefault(edge.source, []).append(edge)
            entering.setdefault(edge.target, []).append(edge)
            if edge.instruction is not None:
                through.setdefault(edge.instruction, []).append(edge)
        broken = Flow(flow.function, edges, leaving, entering, through)
        found = activity.analyse(broken, self.judged.inputs, self.judged.outputs)
        carried = [copy for i in self.run.carried if isinstance(copy := self.copies.get(i), Instruction)]
        return sum(not found.propagates(copy) for copy in carried)


def _rule(edge: FlowEdge) -> str | None:
    """What decided that there is this edge: the operation and the operand."""
    i = edge.instruction
    if i is None:
        return None
    name = i.opcode
    if isinstance(i, Call) and i.called_function is not None:
        name = i.called_function.name.removeprefix("llvm.").partition(".f64")[0].removeprefix("em.static.")
    operand = next((str(k) for k, v in enumerate(i.operands) if v is edge.source), "memory")
    return f"{name} from {operand}"


@cache
def _corpus() -> tuple[Watched, ...]:
    found = []
    for opt in (0, 2):
        program = em.compile(SOURCE, opt=opt)
        for name in FUNCTIONS:
            function = program[name]
            for call, wrt in itertools.product(
                CALLS, ("x", "y")
            ):  # one at a time: no rule hides behind the other operand
                values = function.arguments().convert(call, {})
                run = watching.run_of(function, values, dict.fromkeys(function.choose(wrt).indices))
                scene = Scene.of(program.compiled, function.request(wrt))  # type: ignore[arg-type]
                found.append(Watched(run, scene.activity, scene.copies))
    return tuple(found)


def _rules() -> list[str]:
    """The rules that a derivative went by in the corpus."""
    return sorted(
        {
            rule
            for item in _corpus()
            for i in item.run.carried
            for edge in item.judged.flow.by_instruction.get(item.copies.get(i), ())  # type: ignore[call-overload]
            if edge.source in item.judged.varies and edge.target in item.judged.matters and (rule := _rule(edge))
        }
    )


def test_the_analysis_as_it_is_contradicts_no_call() -> None:
    assert [item.contradictions(lambda edge: True) for item in _corpus()] == [0] * len(_corpus())


def test_every_rule_that_is_taken_away_is_missed() -> None:
    rules = _rules()
    missed = [
        rule
        for rule in rules
        if not any(item.contradictions(lambda edge, r=rule: _rule(edge) != r) for item in _corpus())
    ]
    assert len(rules) >= 30
    assert missed == []


@pytest.mark.parametrize("seed", [1, 3])
def test_no_random_program_contradicts_the_analysis(seed: int) -> None:
    drawn = generate(seed)
    function = em.compile(translation_unit([drawn]))[drawn.name]
    given = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments(drawn)]
    table = function.activity(at=tuple(given))
    assert table.report.watched is not None
    assert table.report.watched.reason == ""
    assert any(row.carried for row in table.report.watched.rows)

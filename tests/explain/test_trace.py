"""A call of a gradient step by step: the numbers are those of the call, the tape is what the plan says, nothing else is changed."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.api.checks import following
from enzyme_magic.report import Report, Trace

from .programs import RELU3

SMOOTH = """double smooth(double *a, const double *w, int n) {
  double s = 0;
  for (int i = 1; i < n; i++) {
    a[i] = a[i] * a[i-1] + w[i];
    if (a[i] > 1.0)
      s += a[i] * a[i];
  }
  return s;
}"""
A, W = [1.0, 0.9, 0.5, 0.2], [0.1, 0.5, 0.2, 0.3]


def numbers(trace: Trace, sweep: str, place: str) -> list[str]:
    return [step.value for step in trace.steps if step.sweep == sweep and step.place == place]


def follow(function: Any, *arguments: Any, **options: Any) -> Trace:
    (trace,) = following.at(function, None, function.report, (arguments, {}), **options).traces
    return trace


@pytest.fixture(scope="module")
def relu3() -> Report:
    function = em.compile_c(RELU3).relu3
    return following.of_small_numbers(function, None, function.report)


def test_both_sides_of_a_kink_and_the_kink_itself(relu3: Report) -> None:
    assert [trace.call for trace in relu3.traces] == ["relu3(2)", "relu3(-2)", "relu3(0)"]
    assert [trace.value for trace in relu3.traces] == ["8", "0", "0"]
    assert [trace.gradient for trace in relu3.traces] == [(("x", "12"),), (("x", "0"),), (("x", "0"),)]
    compare = [next(step for step in trace.steps if step.kink) for trace in relu3.traces]
    assert [step.value for step in compare] == ["true", "false", "false"]
    assert [step.at_kink for step in compare] == [False, False, True]
    assert {step.kink for step in compare} == {"x = 0"}


def test_forward_then_reverse(relu3: Report) -> None:
    first = relu3.traces[0]
    order = [step.sweep for step in first.steps]
    assert order == sorted(order, key=["forward", "reverse", "end"].index)
    power = next(step for step in first.steps if step.sweep == "reverse" and step.text == "pow(x, 3)")
    assert (power.line, power.value) == (4, "1")
    assert [step[1:] for step in power.added] == [("x", "12")]
    assert first.tape == ()


@pytest.mark.parametrize("opt", [0, 1, 2, 3])
def test_memory_and_tape(opt: int) -> None:
    function = em.compile_c(SMOOTH, opt=opt).smooth
    a, w = np.array(A), np.array(W)
    trace = follow(function, a, w, 4)
    assert trace.reason == ""
    assert a.tolist() == A  # the user's own array
    gradient = function.grad(a, w, 4)
    assert dict(trace.gradient) == {"a": following._short(gradient.a), "w": following._short(gradient.w)}
    assert trace.value == following._short(function(a.copy(), w, 4))
    assert numbers(trace, "forward", "a[1]")[-1] == "1.4"
    assert numbers(trace, "forward", "a[3]")[-1] == "0.48"
    assert numbers(trace, "reverse", "w[1]") == ["2.8"]
    stored = function.report.cache.stored()
    inside = [row for row in stored if "n" in row.count]
    assert Counter(entry.slot for entry in trace.tape) == {row.identifier: 3 if row in inside else 1 for row in stored}
    for entry in trace.tape:
        assert entry.pushed < trace.steps.index(next(s for s in trace.steps if s.sweep == "reverse"))
        assert entry.read, entry
        assert trace.steps[entry.read[0]].sweep == "reverse"


def test_the_tape_is_read_backwards() -> None:
    source = "double f(double *a, int n) { double s = 1; for (int i = 0; i < n; i++) s = sin(s*a[i]); return s; }"
    trace = follow(em.compile_c(source).f, np.array([0.5, 0.25, 0.125]), 3)
    for slot in {entry.slot for entry in trace.tape}:
        read = [entry.read[-1] for entry in trace.tape if entry.slot == slot]
        assert read == sorted(read, reverse=True)
        assert len(read) == 3


def test_another_plan_another_tape() -> None:
    function = em.compile_c(SMOOTH).smooth
    usual, all_ = (follow(function, np.array(A), np.array(W), 4, caching=c) for c in (None, "store-all"))
    assert len(all_.tape) > len(usual.tape)
    assert all_.gradient == usual.gradient


def test_what_a_function_calls_is_not_followed() -> None:
    source = """__attribute__((noinline)) static double power(double x, int n) { return n > 0 ? x * power(x, n - 1) : 1; }
    double f(double x) { return power(x, 3) + x; }"""
    trace = follow(em.compile_c(source).f, 2.0)
    assert trace.value == "10"
    assert trace.gradient == (("x", "13"),)
    assert any("power" in step.text and step.value == "8" for step in trace.steps)


def test_recursion_tells_of_the_outermost_call() -> None:
    source = "double f(double x, int n) { return n > 0 ? x * f(x, n - 1) : 1.0; }"
    trace = follow(em.compile_c(source, opt=1).f, 2.0, 4)
    assert trace.value == "16"
    assert trace.gradient == (("x", "32"),)
    assert trace.reason == ""
    assert len([step for step in trace.steps if step.sweep == "end"]) == 1


def test_structs() -> None:
    source = "struct P { double x, y; };\ndouble f(struct P p, struct P *q) { q->x = p.x * q->y; return q->x * q->x; }"
    function = em.compile_c(source).f
    q = np.array((0.0, 3.0), function.dtypes["q"])
    trace = follow(function, (2.0, 1.0), q)
    assert trace.reason == ""
    assert trace.value == "36"
    assert any(step.value == "36" for step in trace.steps if step.sweep == "forward")


def test_floats() -> None:
    trace = follow(em.compile_c("float f(float x) { return x * x; }").f, 1.5)
    assert (trace.value, trace.gradient) == ("2.25", (("x", "3"),))


def test_a_constant_function() -> None:
    trace = follow(em.compile_c("double f(double x) { return 4; }").f, 1.5)
    assert trace.gradient == (("x", "0"),)
    assert trace.tape == ()


@pytest.mark.parametrize(
    ("source", "arguments", "reason"),
    [
        ("void f(double *a, int n) { for (int i = 0; i < n; i++) a[i] *= a[i]; }", 3, "returns no number"),
    ],
)
def test_what_is_not_followed_says_why(source: str, arguments: int, reason: str) -> None:
    function = em.compile_c(source).f
    trace = follow(function, np.ones(arguments), arguments)
    assert reason in trace.reason
    assert trace.steps == ()


def test_a_long_call_shows_its_beginning_and_how_long_it_is() -> None:
    source = "double f(double *a, int n) { double s = 0; for (int i = 0; i < n; i++) s += a[i] * a[i]; return s; }"
    function = em.compile_c(source).f
    short, long = follow(function, np.ones(150), 150), follow(function, np.ones(2000), 2000)
    assert short.reason == ""
    assert short.steps[-1].sweep == "reverse"
    assert "the first 4,000 of " in long.reason
    assert long.steps
    assert all(step.sweep == "forward" for step in long.steps)


def test_memory_needs_arguments() -> None:
    function = em.compile_c(SMOOTH).smooth
    (trace,) = following.of_small_numbers(function, None, function.report).traces
    assert trace.reason.endswith("needs example arguments, from --at or at=(…): it takes arrays or structs")
    endless = em.compile_c("double f(double x) { while (x > 1) x *= 0.5; return x; }").f
    (trace,) = following.of_small_numbers(endless, None, endless.report).traces
    assert trace.reason.endswith(": how often a loop runs is not proven")


def test_a_saved_record_has_the_calls(relu3: Report) -> None:
    assert Report.from_json(relu3.to_json()) == relu3


def test_a_wrong_call_raises_as_the_gradient_does() -> None:
    function = em.compile_c(SMOOTH).smooth
    with pytest.raises(em.ArgumentError):
        follow(function, "no array", np.array(W), 4)


SORTED = """double sorted(int n, double *a, const double *w) {
  for (int i = 1; i < n; i++) {
    double v = a[i];
    int j = i - 1, hits = 0;
    while (j >= 0 && a[j] > v) {
      a[j+1] = a[j];
      j--;
      hits++;
      if (hits > 5) break;
    }
    a[j+1] = v;
  }
  double s = 0;
  for (int i = 0; i < n; i++) s += w[i]*a[i]*a[i];
  return s;
}"""


def test_numbers_on_the_tape_say_what_they_count() -> None:
    function = em.compile_c(SORTED).sorted
    trace = follow(function, 5, np.array([0.2, -0.47, 0.24, 0.76, -1.65]), np.ones(5))
    counts = [entry.value for entry in trace.tape if entry.text.startswith("how often")]
    places = [entry.value for entry in trace.tape if entry.text.startswith("where")]
    ways = [entry.value for entry in trace.tape if entry.text.startswith("which branch")]
    assert counts
    assert all(value.startswith("left in iteration ") for value in counts)
    assert counts[-1] == "left in iteration 4"  # the smallest passes four
    assert all(value.endswith(" B from the start of a") for value in places)
    assert all(" is true" in value or " is false" in value or value.startswith("way ") for value in ways)
    bare = [
        entry for entry in trace.tape if entry.value.lstrip("-").isdigit() and entry.text.split()[0] in ("how", "where")
    ]
    assert not bare


def test_comparisons_are_those_that_the_lines_ask() -> None:
    """Not LLVM's: `hits < 5` of the number before `hits++`, `i + 1 == n`."""
    function = em.compile_c(SORTED).sorted
    trace = follow(function, 5, np.array([5.0, 4.0, 3.0, 2.0, 1.0]), np.ones(5))
    said = {step.text for step in trace.steps if step.value in ("true", "false")}
    assert said <= {"a[j] > v", "i < n", "j >= 0 && a[j] > v", "hits > 5"}


def test_texts_and_calls_that_return_whole_numbers() -> None:
    program = em.compile_c(
        """__attribute__((noinline)) int scale(double *a, double by) { a[0] = a[0]*a[0]*by; return by > 0; }
        double f(const char *text, double *a, double x) {
            int k = scale(a, x);
            while (*text) { x *= a[0]; text++; }
            return k ? x : 2*x;
        }"""
    )
    trace = follow(program.f, b"abc", np.array([2.0]), 1.5)
    assert trace.call == 'f("abc", [2], 1.5)'
    assert all(entry.value == "an address" for entry in trace.tape if entry.text.startswith("the tape of"))
    assert not any("…" in step.text for step in trace.steps)

"""Recipes on a few lines of IR: what can be had again in the reverse sweep, and why not."""

from __future__ import annotations

import pytest

from enzyme_magic.backend.analysis.derivatives.recompute import EXISTS_ONCE, PRIMAL, SHADOW, TAPE, Need, Recipes
from enzyme_magic.backend.autodiff.subject import why_overwritten
from enzyme_magic.backend.ir.instructions import Call, Load

from .small_ir import Analysed, analysed

LOOP = """define double @f(ptr %a, ptr %b, double %x, i64 %n) {
entry:
  %e = call double @sqrt(double %x)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ 0.0, %entry ], [ %sum, %loop ]
  %p = getelementptr double, ptr %a, i64 %i
  %kept = load double, ptr %p
  %q = getelementptr double, ptr %b, i64 %i
  %lost = load double, ptr %q
  store double 0.0, ptr %b
  %loud = load volatile double, ptr %p
  %m = fmul double %kept, %lost
  %r = call double @exp(double %m)
  %u = call double @unknown(ptr null, double %r)
  %sum = fadd double %s, %u
  %next = add i64 %i, 1
  %c = icmp slt i64 %next, %n
  br i1 %c, label %loop, label %end
end:
  ret double %sum
}"""


def _recipes(found: Analysed, outlives: bool = True) -> Recipes:
    subject = found.subject

    def overwritten(load: Load) -> str | None:
        return why_overwritten(subject, load)

    def repeatable(call: Call) -> bool:
        return False

    return Recipes(subject.prepared, overwritten, outlives, repeatable, subject.trip_count)


def _kind(found: Analysed, name: str, kind: str = PRIMAL, outlives: bool = True) -> str:
    return _recipes(found, outlives).recipe(Need(kind, found[name])).kind


def test_values_outside_loops_are_at_hand_where_one_function_holds_both_sweeps() -> None:
    found = analysed(LOOP, "a", "b")
    assert _kind(found, "e") == "available"
    assert _kind(found, "e", outlives=False) == "recompute"
    assert _kind(found, "x", outlives=False) == "available"


def test_inductions_are_computed_from_the_counter_and_other_loop_carried_values_are_not() -> None:
    found = analysed(LOOP, "a", "b")
    assert _kind(found, "i") == "induction"
    carried = _recipes(found).recipe(Need(PRIMAL, found["s"]))
    assert (carried.kind, carried.reason) == ("illegal", "each iteration of the loop changes it")


def test_an_induction_has_a_step_that_does_not_change_in_the_loop() -> None:
    """`t += i` is none, and neither is a pointer that moves by i."""
    text = LOOP.replace("  %p = ", "  %t = phi i64 [ 0, %entry ], [ %grown, %loop ]\n  %p = ", 1)
    text = text.replace("  %p = ", "  %w = phi ptr [ %a, %entry ], [ %moved, %loop ]\n  %p = ", 1)
    for step, kind in (("%i", "illegal"), ("%n", "induction")):
        more = f"  %grown = add i64 %t, {step}\n  %moved = getelementptr double, ptr %w, i64 {step}\n  %next ="
        found = analysed(text.replace("  %next =", more), "a", "b")
        assert (_kind(found, "t"), _kind(found, "w")) == (kind, kind)


def test_loads_need_memory_that_nobody_overwrites() -> None:
    found = analysed(LOOP.replace("ptr %a, ptr %b,", "ptr noalias %a, ptr noalias %b,"), "a", "b")
    assert _kind(found, "kept") == "recompute"
    lost = _recipes(found).recipe(Need(PRIMAL, found["lost"]))
    assert lost.kind == "illegal"
    assert lost.reason
    assert _kind(found, "loud") == "illegal"


def test_without_noalias_the_other_array_may_be_overwritten_too() -> None:
    assert _kind(analysed(LOOP, "a", "b"), "kept") == "illegal"


def test_calls_with_a_rule_can_be_repeated_and_others_cannot() -> None:
    found = analysed(LOOP, "a", "b")
    again = _recipes(found).recipe(Need(PRIMAL, found["r"]))
    assert again.kind == "recompute"
    assert again.operands == (Need(PRIMAL, found["m"]),)
    assert again.cost > _recipes(found).recipe(Need(PRIMAL, found["m"])).cost
    assert _kind(found, "u") == "illegal"


def test_the_tape_of_a_call_exists_once() -> None:
    found = analysed(LOOP, "a", "b")
    assert _recipes(found).recipe(Need(TAPE, found["u"])).reason == EXISTS_ONCE


def test_the_shadow_of_an_address_needs_the_shadow_of_its_base() -> None:
    found = analysed(LOOP, "b")
    assert _recipes(found).recipe(Need(SHADOW, found["p"])).operands == (
        Need(SHADOW, found["a"]),
        Need(PRIMAL, found["i"]),
    )


def test_the_shadow_of_an_address_that_was_an_integer_is_not_computed_from_the_integer() -> None:
    found = analysed(
        """define double @f(ptr %a, i64 %n) {
      %bits = ptrtoint ptr %a to i64
      %sum = add i64 %bits, %n
      %p = inttoptr i64 %sum to ptr
      %v = load double, ptr %p
      ret double %v
    }""",
        "a",
    )
    assert _kind(found, "p", SHADOW, outlives=False) == "illegal"
    assert _kind(found, "p", PRIMAL, outlives=False) == "recompute"


BRANCHES = """declare double @llvm.fmuladd.f64(double, double, double)
define double @f(ptr noalias %a, ptr noalias %b, i64 %n) {{
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %merge ]
  %s = phi double [ 0.0, %entry ], [ %sum, %merge ]
  %p = getelementptr double, ptr %a, i64 %i
  %q = getelementptr double, ptr %b, i64 %i
  %v = load double, ptr %p
  %w = load double, ptr %q
  store double 0.0, ptr %q
  {condition}
  br i1 %c, label %then, label %merge
then:
  %more = fmul double %v, %v
  br label %merge
merge:
  %term = phi double [ 0.0, %loop ], [ %more, %then ]
  %sum = fadd double %s, %term
  %next = add i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret double %sum
}}"""
CONDITIONS = {
    "%c = fcmp ogt double %v, 0.0": "branch",
    "%t = fmul double %v, %v\n  %c = fcmp ogt double %t, 1.0": "branch",
    "%c = fcmp ogt double %w, 0.0": "branch",  # a load that is stored comes out the same, too
    "%c = icmp ugt i64 %i, 3": "branch",
    "%t = fmul contract double %v, %v\n  %c = fcmp ogt double %t, 1.0": "illegal",
    "%t = call double @llvm.fmuladd.f64(double %v, double %v, double 1.0)\n  %c = fcmp ogt double %t, 2.0": "illegal",
    "%t = call double @exp(double %v)\n  %c = fcmp ogt double %t, 2.0": "illegal",
    "%t = call double @exp(double %v)\n  %k = fptosi double %t to i64\n  %c = icmp sgt i64 %k, 2": "illegal",
}


@pytest.mark.parametrize(("condition", "kind"), CONDITIONS.items())
def test_a_branch_is_told_by_a_condition_that_comes_out_the_same(condition: str, kind: str) -> None:
    found = analysed(BRANCHES.format(condition=condition))
    prepared = found.subject.prepared
    arrival = prepared.arrivals[found.instruction("term").parent or prepared.function.entry]
    recipe = _recipes(found).recipe(Need(PRIMAL, arrival))
    assert recipe.kind == kind
    assert kind != "branch" or recipe.operands == (Need(PRIMAL, found["c"]),)

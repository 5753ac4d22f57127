"""Demand on a few lines of IR: which active values may be computed although nobody asks for them."""

from __future__ import annotations

from .small_ir import analysed


def test_the_arms_of_a_select_are_conditional_and_what_leads_to_them_alone() -> None:
    found = analysed("""define double @f(double %x) {
      %y = fadd double %x, 1.0
      %r = call double @sqrt(double %y)
      %t = fmul double %x, 3.0
      %c = fcmp ogt double %x, 0.0
      %s = select i1 %c, double %r, double %t
      %z = fadd double %s, %t
      ret double %z
    }""")
    assert found.conditional() == {"y", "r"}  # %t is always asked for, by %z
    demand = found.subject.demand
    assert demand.follows(found["y"], found.instruction("r"))
    assert not demand.follows(found["r"], found.instruction("z"))


def test_a_select_of_one_value_twice_demands_it() -> None:
    found = analysed("""define double @f(double %x, i1 %c) {
      %r = call double @sqrt(double %x)
      %s = select i1 %c, double %r, double %r
      ret double %s
    }""")
    assert found.conditional() == set()


def test_a_use_in_a_branch_is_no_demand_before_it() -> None:
    text = """define double @f(double %x, i1 %c) {
    entry:
      %r = call double @sqrt(double %x)
      br i1 %c, label %use, label %end
    use:
      %u = fmul double %r, 2.0
      br label %end
    end:
      %s = phi double [ %u, %use ], [ OTHER, %entry ]
      ret double %s
    }"""
    assert analysed(text.replace("OTHER", "0.0")).conditional() == {"r"}
    assert analysed(text.replace("OTHER", "%r")).conditional() == {"r"}  # needed both ways, but seen edge by edge
    assert analysed(text.replace("%u, %use", "%r, %use").replace("OTHER", "%r")).conditional() == {"r"}


def test_a_store_demands_what_it_stores() -> None:
    found = analysed("""define double @f(double %x, ptr %a, i1 %c) {
      %r = call double @sqrt(double %x)
      store double %r, ptr %a
      %s = select i1 %c, double %r, double 0.0
      ret double %s
    }""")
    assert found.conditional() == set()

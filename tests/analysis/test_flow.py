"""Flow and activity on a few lines of IR: along which edges a derivative travels, what is active, and the reasons."""

from __future__ import annotations

import pytest

from enzyme_magic.backend.analysis.derivatives.flow import RESULT

from .small_ir import analysed, chain

PRODUCT = """define double @f(double %x, double %y, i32 %n) {
  %p = fmul double %x, %y
  %c = fcmp ogt double %p, 1.0
  %k = fptosi double %x to i32
  %m = sitofp i32 %k to double
  %q = fadd double %p, %m
  ret double %q
}"""


def test_values_between_an_active_parameter_and_the_result_are_active() -> None:
    assert analysed(PRODUCT).active() == {"x", "y", "p", "q", "the result"}
    assert analysed(PRODUCT, "y").active() == {"x", "p", "q", "the result"}
    assert analysed(PRODUCT, "x", "y").active() == set()


def test_what_varies_and_does_not_reach_the_result_is_not_active() -> None:
    unused = """define double @f(double %x, double %y) {
  %u = fmul double %x, %x
  %k = fptosi double %u to i32
  %q = fadd double %x, %y
  ret double %q
}"""
    found = analysed(unused)
    assert found["u"] in found.activity.varies
    assert found.active() == {"x", "y", "q", "the result"}


def test_comparisons_and_roundings_end_a_derivative() -> None:
    found = analysed(PRODUCT)
    assert not any(found.activity.propagates(found.instruction(name)) for name in "ckm")
    assert all(found.activity.propagates(found.instruction(name)) for name in "pq")


def test_reasons_are_the_shortest_chains_in_execution_order() -> None:
    found = analysed(PRODUCT, "y")
    q = found["q"]
    assert chain(found.activity.why_varies(q)) == ["x is multiplied p", "p is added q"]
    assert chain(found.activity.why_matters(found["x"])) == [
        "x is multiplied p",
        "p is added q",
        "q is returned the result",
    ]
    assert found.activity.why_varies(found["x"]) == []
    assert found.activity.why_matters(RESULT) == []


THROUGH_MEMORY = """define double @f(double %x, ptr %a) {
  %t = alloca [2 x double]
  %p = getelementptr double, ptr %t, i64 1
  store double %x, ptr %p
  %v = load double, ptr %t
  %w = load double, ptr %a
  %s = fadd double %v, %w
  ret double %s
}"""


def test_memory_is_one_node_for_each_object() -> None:
    """Elements are not told apart: what is stored in one may be loaded from another."""
    found = analysed(THROUGH_MEMORY)
    assert {"x", "local variable t", "*a", "v", "w", "s"} <= found.active()
    assert "w" not in analysed(THROUGH_MEMORY, "a").active()
    assert chain(found.activity.why_varies(found["v"])) == [
        "x is stored local variable t",
        "local variable t is loaded v",
    ]


@pytest.mark.parametrize("constant", [(), ("a",)])
def test_an_unknown_call_joins_all_that_it_may_read_with_all_that_it_may_write(constant: tuple[str, ...]) -> None:
    text = """define double @f(double %x, ptr %a) {
      %r = call double @unknown(ptr %a, double %x)
      %v = load double, ptr %a
      ret double %v
    }"""
    found = analysed(text, *constant)
    assert {"x", "*a", "v"} <= found.active()
    assert found.activity.propagates(found.instruction("r"))


def test_the_operand_of_a_rule_that_has_no_derivative_gets_no_edge() -> None:
    text = """declare double @ldexp(double, i32)
    define double @f(double %x, i32 %n) {
      %r = call double @ldexp(double %x, i32 %n)
      ret double %r
    }"""
    assert analysed(text).active() == {"x", "r", "the result"}


KINDS = """declare void @em.kinds.move(ptr, ptr, i64)
define double @f(double %x) {
  %a = alloca [2 x double]
  %b = alloca [2 x double]
  store double %x, ptr %a
  %u = bitcast double %x to i64
  %n = and i64 %u, 8
  call void @em.kinds.move(ptr %b, ptr %a, i64 %n)
  %y = load double, ptr %a
  ret double %y
}"""


def test_how_many_bytes_kinds_are_moved_for_carries_no_derivative() -> None:
    """Optimizers look at the bits of a number where another shape has a count."""
    found = analysed(KINDS)
    assert not any(edge.source is found["n"] for edge in found.activity.flow.edges)

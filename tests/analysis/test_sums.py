"""Which numbers a loop only adds to, and of which of them the order of the terms is free."""

from __future__ import annotations

import pytest

from enzyme_magic.backend.analysis.derivatives.sums import summed
from enzyme_magic.backend.analysis.derivatives.vector_math import VectorMath, vector_math
from enzyme_magic.backend.ir.instructions import Phi

from .small_ir import Analysed, analysed

LOOP = """declare double @llvm.fmuladd.f64(double, double, double) #0
define double @f(ptr noalias %a, ptr noalias %b, i64 %n) {{
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ 0.0, %entry ], [ %sum, %loop ]
  %p = getelementptr double, ptr %a, i64 %i
  %q = getelementptr double, ptr %b, i64 %i
  %v = load double, ptr %p
  {body}
  %next = add i64 %i, 1
  %c = icmp slt i64 %next, %n
  br i1 %c, label %loop, label %end
end:
  {end}
}}"""
SUMS = {
    "added": "%sum = fadd double %v, %s",
    "taken away": "%sum = fsub double %s, %v",
    "fused": "%sum = call double @llvm.fmuladd.f64(double %v, double %v, double %s)",
}
OTHERS = {
    "alternating": "%sum = fsub double %v, %s",
    "doubled": "%sum = fadd double %s, %s",
    "a recurrence": "%sum = call double @llvm.fmuladd.f64(double %v, double %s, double %v)",
    "looked at before": "%sum = fadd double %s, %v\n  store double %s, ptr %q",
    "a running sum": "%sum = fadd double %s, %v\n  store double %sum, ptr %q",
    "compensated": "%sum = fadd double %s, %v\n  %t = fsub double %sum, %s\n  store double %t, ptr %q",
}


def _found(body: str, end: str = "ret double %sum") -> Analysed:
    return analysed(LOOP.format(body=body, end=end))


def _addition(found: Analysed) -> str | None:
    phi = found["s"]
    assert isinstance(phi, Phi)
    addition = summed(phi, found.subject.prepared.loops.loops[0])
    return addition.name if addition is not None else None


def _choice(found: Analysed, observed: bool = False) -> VectorMath:
    """As in a derivative whose value, and what is left in arrays, somebody sees or not."""
    prepared = found.subject.prepared
    return vector_math(prepared.function, prepared.loops, found.subject.alias, observed)


@pytest.mark.parametrize("body", SUMS.values(), ids=SUMS)
def test_what_a_loop_only_adds_to_is_a_sum(body: str) -> None:
    found = _found(body)
    assert _addition(found) == "sum"
    assert _choice(found).in_any_order(found.instruction("sum"))
    seen = _choice(found, observed=True)
    assert not seen.in_any_order(found.instruction("sum"))
    assert seen.kept[found.instruction("sum")] == "its value is returned"


@pytest.mark.parametrize("body", OTHERS.values(), ids=OTHERS)
def test_what_something_else_sees_on_the_way_is_none(body: str) -> None:
    found = _found(body)
    assert _addition(found) is None
    assert not _choice(found).in_any_order(found.instruction("sum"))


def test_a_sum_that_decides_something_keeps_its_order() -> None:
    found = _found(
        SUMS["added"], "%d = fcmp ogt double %sum, 1.0\n  %r = select i1 %d, double %sum, double 2.0\n  ret double %r"
    )
    assert _choice(found).kept[found.instruction("sum")] == "its value decides a comparison"
    assert not _choice(found).in_any_order(found.instruction("sum"))

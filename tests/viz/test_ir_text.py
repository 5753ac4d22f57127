"""The short form of instructions in pictures: opcode, result and operands in their order, without types, flags and targets."""

from __future__ import annotations

import re

import pytest

import enzyme_magic as em
from enzyme_magic.viz.ir_text import short

CASES = {
    "%5 = call reassoc double @llvm.sin.f64(double %x)": "%5 = call sin(%x)",
    "%0 = call double @llvm.pow.f64(%x, 3.0)": "%0 = call pow(%x, 3.0)",
    "%r = call double @norm(ptr noundef %p, i32 3)": "%r = call norm(%p, 3)",
    "%a = call { double, double } @pair(double %x, ptr @table)": "%a = call pair(%x, @table)",
    "%m = call double @llvm.vector.reduce.fadd.v4f64(double %s, <4 x double> %5)": "%m = call vector.reduce.fadd(%s, %5)",
    "call void @llvm.memcpy.p0.p0.i64(ptr align 8 %a, ptr %b, i64 80, i1 false)": "call memcpy(%a, %b, 80, false)",
    "%i = phi i64 [ 0, %entry ], [ %next, %loop ]": "%i = phi [0], [%next]",
    "%p = getelementptr inbounds nuw double, ptr %a, i64 %i": "%p = gep double, %a, %i",
    "%q = getelementptr %struct.p, ptr %a, i64 %i, i32 1": "%q = gep %struct.p, %a, %i, 1",
    "br i1 %c, label %loop, label %exit": "br %c",
    "br label %exit": "br",
    "switch i32 %n, label %d [ i32 0, label %a ]": "switch %n",
    "%x = select i1 %c, double %a, double 0.000000e+00": "%x = select %c, %a, 0.0",
    "store double 0.000000e+00, ptr %4, align 8": "store double 0.0, ptr %4",
    "%y = fadd reassoc nsz double %x, 1.000000e+00": "%y = fadd double %x, 1.0",
    "%s = add nuw nsw i64 %i, 1": "%s = add i64 %i, 1",
    "%c = fcmp ogt double %x, 0.000000e+00": "%c = fcmp ogt double %x, 0.0",
    "%w = load <2 x double>, ptr %7": "%w = load <2 x double>, ptr %7",
    "ret void": "ret void",
    "unreachable": "unreachable",
    "": "",
    "not an instruction at all": "not an instruction at all",
}


@pytest.mark.parametrize("line", list(CASES))
def test_short_form(line: str) -> None:
    assert short(line) == CASES[line]
    assert short(CASES[line]) == CASES[line]


def test_nothing_that_is_computed_gets_lost() -> None:
    """Of a real gradient, every result and operand is still there, in its order; only labels go."""
    source = "double f(double *a, int n) { double s = 1; for (int i = 0; i < n; i++) { a[i] = a[i]*s; s += a[i]/3; } return s; }"
    stages = em.compile_c(source).f.report.stages
    for line in (line for stage in stages for block in stage.blocks for line in block.lines):
        operands = re.findall(r"[%@][\w.]+", re.sub(r", %[\w.-]+ \]|label %[\w.-]+", "", line))
        shown = [name.removeprefix("@llvm.") for name in re.findall(r"[%@]?[\w.]+", short(line))]
        assert all(name in shown or name.startswith("@") for name in operands), line

"""The primals a contribution reads, learnt by dry run."""

from __future__ import annotations

import pytest

from enzyme_magic.backend.ir.instructions import Instruction
from enzyme_magic.backend.ir.text import parser
from enzyme_magic.backend.rules.registry import RULES, lookup, needed, rule_for


def _instruction(line: str, declarations: str = "") -> Instruction:
    text = f"define void @f(double %x, double %y, i32 %n) {{\n  %r = {line}\n  ret void\n}}\n{declarations}"
    return next(iter(parser.parse(text).definitions())).entry.instructions[0]


_POW = "declare double @llvm.pow.f64(double, double)"
_MAX = "declare double @llvm.maxnum.f64(double, double)"


@pytest.mark.parametrize(
    ("line", "declaration", "operand", "expected"),
    [
        ("fadd double %x, %y", "", 0, set()),
        ("fmul double %x, %y", "", 0, {1}),
        ("fmul double %x, %y", "", 1, {0}),
        ("fmul double %x, 2.0", "", 0, set()),
        ("fdiv double %x, %y", "", 0, {1}),
        ("fdiv double %x, %y", "", 1, {1, "result"}),
        ("fdiv double 1.0, %y", "", 1, {"result"}),
        ("call double @llvm.pow.f64(double %x, double 3.0)", _POW, 0, {0}),
        ("call double @llvm.pow.f64(double %x, double 2.0)", _POW, 0, {0}),
        ("call double @llvm.pow.f64(double %x, double 1.0)", _POW, 0, set()),
        ("call double @llvm.pow.f64(double %x, double 0.5)", _POW, 0, {"result"}),
        ("call double @llvm.pow.f64(double %x, double -1.5)", _POW, 0, {0, "result"}),
        ("call double @llvm.pow.f64(double %x, double %y)", _POW, 0, {0, 1, "result"}),
        ("call double @llvm.pow.f64(double 2.0, double %y)", _POW, 1, {"result"}),
        ("call double @llvm.sqrt.f64(double %x)", "declare double @llvm.sqrt.f64(double)", 0, {"result"}),
        ("call double @tanh(double %x)", "declare double @tanh(double)", 0, {"result"}),
        ("call double @erf(double %x)", "declare double @erf(double)", 0, {0}),
        ("call double @ldexp(double %x, i32 %n)", "declare double @ldexp(double, i32)", 0, {1}),
        ("call double @llvm.maxnum.f64(double %x, double 0.0)", _MAX, 0, {0}),
        ("select i1 true, double %x, double %y", "", 2, set()),
    ],
)
def test_needed(line: str, declaration: str, operand: int, expected: set[int | str]) -> None:
    instruction = _instruction(line, declaration)
    rule = rule_for(instruction)
    assert rule is not None
    assert needed(rule, instruction, 0, operand) == expected
    assert rule.needed(instruction, 0, operand) == expected


def test_an_identically_zero_partial_needs_nothing() -> None:
    assert lookup("copysign").needed(None, 0, 1) == frozenset()
    assert lookup("floor").needed(None, 0, 0) == frozenset()


def test_linear_operands() -> None:
    linear = {name: set(rule.linear) for name, rule in RULES.items() if rule.linear}
    assert linear == {
        "fadd": {0, 1},
        "fsub": {0, 1},
        "fneg": {0},
        "fma": {2},
        "fmuladd": {2},
        "freeze": {0},
        "canonicalize": {0},
        "arithmetic.fence": {0},
        "fpext": {0},
        "fptrunc": {0},
        "fptrunc.round": {0},
        "modf": {0},
        "nextafter": {0},
        "nexttoward": {0},
    }


def test_every_rule_can_be_dry_run() -> None:
    for rule in RULES.values():
        for result, operand in rule.contributions:
            for read in rule.needed(None, result, operand):
                assert read == "result" or (isinstance(read, int) and read < rule.operands), rule.operation

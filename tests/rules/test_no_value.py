"""The policy for points outside a domain: where a function has no value, it has no derivative: both are NaN."""

from __future__ import annotations

import itertools
import math

import pytest

import enzyme_magic as em
from enzyme_magic.backend.rules.registry import OPCODES

from .native import TESTED, Natives, missing
from .points import is_integer

NUMBERS = (-2.5, -2.0, -1.0, -0.75, -0.0, 0.0, 0.5, 1.0, 1.5, 3.0)
WHOLE = (-2, 0, 1, 3)
# What computes with operands as they are: sums, products and quotients follow their formulas.
PLAIN = frozenset(["fma", "fmuladd"]) | OPCODES - {"frem"}
FUNCTIONS = [name for name, rule in TESTED.items() if rule.contributions and name not in PLAIN]


@pytest.mark.parametrize("kind", ["double", "float"])
def test_no_value_no_derivative(natives: Natives, kind: str) -> None:
    seen: set[str] = set()
    for name in FUNCTIONS:
        rule = TESTED[name]
        if missing(name, kind):
            continue
        for point in itertools.product(*(WHOLE if is_integer(rule, k) else NUMBERS for k in range(rule.operands))):
            for result, operand in rule.contributions:
                if not math.isnan(natives(f"value.{name}.{kind}.{result}", kind, name, point)):
                    continue
                seen.add(name)
                partial = natives(f"partial.{name}.{kind}.{result}.{operand}", kind, name, point, 1.0)
                assert math.isnan(partial), (name, point, operand, partial)
    assert {"log", "log2", "log10", "log1p", "atanh", "acosh", "sqrt", "asin", "pow", "fmod", "y0", "yn"} <= seen


SOURCE = """#include <math.h>
double l(double x) { return log(x); }
double b(double x) { return log1p(x - 2); }
double t(double x) { return atanh(x); }
double h(double x) { return acosh(x); }
float s(float x) { return logf(x); }
double y(double x) { return y1(x); }
double r(double x) { return pow(x, 1.5); }
double g(double x) { return x > 0 ? log(x) : 3*x; }
"""


@pytest.mark.parametrize("opt", [0, 2])
def test_in_programs(opt: int) -> None:
    program = em.compile(SOURCE, opt=opt)
    for name in "lbthsyr":
        f = program[name]
        assert all(map(math.isnan, (f(-2.0), f.grad(-2.0), em.jvp(f, (-2.0,), (1.0,))[1]))), name
        assert math.isnan(em.grad(em.grad(f))(-2.0)), name
        assert math.isnan(em.hessian(f)(-2.0)), name
    assert (program.g.grad(-2.0), em.jvp(program.g, (-2.0,), (1.0,))[1], em.hessian(program.g)(-2.0)) == (3, 3, 0)

"""The talk's function: the gradient is what one would write by hand, instruction for instruction."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from enzyme_magic.backend.autodiff.calls.request import Request

from .harness import LEVELS, check
from .runs import program

RELU3 = """double relu3(double x) {
    double result;
    if (x > 0)
        result = pow(x, 3);
    else
        result = 0;
    return result;
}
"""
VARIANTS = {
    "as_printed": RELU3,
    "at_least": RELU3.replace("x > 0", "x >= 0"),
    "by_products": RELU3.replace("pow(x, 3)", "x*x*x"),
    "arms_swapped": """double relu3(double x) {
    double result;
    if (x <= 0)
        result = 0;
    else
        result = pow(x, 3);
    return result;
}
""",
}
BY_HAND = """#include <math.h>
double by_hand(double x) { return x %s 0 ? 3*pow(x, 2) : 0; }
"""


def opcodes(text: str, function: str) -> Counter[str]:
    """The opcode multiset of one function in LLVM's print."""
    body = re.search(rf"^define [^\n]*@{re.escape(function)}\([^\n]*\{{\n(.*?)^\}}", text, re.S | re.M)
    assert body is not None, f"no {function} in\n{text}"
    found: Counter[str] = Counter()
    for line in body.group(1).splitlines():
        instruction = re.match(r"\s+(?:%\S+ = )?(?:tail |musttail |notail )?(\w+)", line)
        if instruction:
            found[instruction.group(1)] += 1
    return found


@pytest.mark.parametrize("variant", VARIANTS)
def test_gradient_has_the_opcodes_of_the_derivative_by_hand(variant: str) -> None:
    source = VARIANTS[variant]
    made = program(source, 2).derivative(Request("relu3", wrt=(0,)))
    relation = ">=" if ">=" in source else ">"
    by_hand = program(BY_HAND % relation, 2)
    from enzyme_magic.backend.llvm import optimize

    written = optimize.post_ad(by_hand.record.optimized_ir, 3)
    got = opcodes(made.gradient_optimized_ir, made.entry.symbol)
    assert got == opcodes(written, "by_hand")
    assert got == {"fcmp": 1, "fmul": 2, "select": 1, "ret": 1}


@pytest.mark.parametrize("variant", VARIANTS)
def test_values(variant: str) -> None:
    source = VARIANTS[variant]
    for x, gradient in ((2.0, 12.0), (-1.0, 0.0), (0.5, 0.75), (1e-200, 0.0), (-1e300, 0.0), (1e150, 3e300)):
        assert check(source, "relu3", [x], expected=[gradient], exact=x < 0) == pytest.approx((gradient,), rel=1e-15)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("x", [0.0, -0.0])
def test_guard_point(variant: str, x: float) -> None:
    assert check(VARIANTS[variant], "relu3", [x], expected=[0.0], exact=True) == (0.0,)


def test_smooth_points() -> None:
    for x in (-3.0, -0.1, 0.1, 0.7, 3.0):
        check(RELU3, "relu3", [x])


def test_nan_goes_through_neither_arm() -> None:
    """x > 0 is false for NaN, so the function is the constant 0 there."""
    assert check(RELU3, "relu3", [float("nan")], expected=[0.0], exact=True) == (0.0,)


def test_nothing_to_cache() -> None:
    for level in LEVELS:
        made = program(RELU3, level).derivative(Request("relu3", wrt=(0,)))
        assert all(slot.kind != "arena" for slot in made.entry.slots)

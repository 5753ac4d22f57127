"""Every rule as machine code, in float, double and long double: against its exact value, against differences of the compiled
operation itself, and at its pinned edge points."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from mpmath import mp, mpf

from enzyme_magic.backend.rules.rule import Real, Rule

from .mp_emitter import MpPrimals
from .native import EPSILON, TESTED, TYPES, Natives, missing, substituted
from .points import is_integer, points

# Error bound in units of the type's epsilon: libm's own few, and those of the formula.
_UNITS = 16
# Partials that grow like exp(-x²), or cross zero where no formula keeps relative accuracy.
_ILL_CONDITIONED = frozenset(
    ["erf", "erfc", "tgamma", "lgamma", "lgamma_r", "polygamma.0", "polygamma.1", "polygamma.2", "j0", "j1", "jn"]
)
_RULE_AND_TYPE = [pytest.param(name, kind, id=f"{name}-{kind.replace(' ', '_')}") for name in TESTED for kind in TYPES]
_SMOOTH = [p for p in _RULE_AND_TYPE if TESTED[str(p.values[0])].contributions]


def _skip_if_missing(operation: str, kind: str) -> None:
    if missing(operation, kind) and not substituted(kind):
        pytest.skip(f"this C library has no {operation} in {kind}, and ctypes carries no long double")


def _partials(rule: Rule) -> Iterator[tuple[int, int]]:
    yield from rule.contributions


def _exact(rule: Rule, point: tuple[Any, ...], result: int, operand: int) -> Any:
    contribution = rule.contribution(result, operand)
    assert contribution is not None
    primals = MpPrimals(rule.operation, point)
    return contribution(primals.emitter, mpf(1), primals)


def _numbers(point: tuple[float | int, ...]) -> tuple[Any, ...]:
    return tuple(x if isinstance(x, int) else mpf(x) for x in point)


def _conditioning(rule: Rule, point: tuple[Any, ...], result: int, operand: int, value: Any, epsilon: float) -> Any:
    """How far one rounding of each operand moves the partial: no formula can do better."""
    moved = mpf(0)
    for k, x in enumerate(point):
        if not is_integer(rule, k):
            shifted = (*point[:k], x * (1 + mpf(epsilon)), *point[k + 1 :])
            moved += abs(_exact(rule, shifted, result, operand) - value)
    return moved


@pytest.mark.parametrize(("operation", "kind"), _SMOOTH)
def test_partial_is_accurate(natives: Natives, operation: str, kind: str) -> None:
    _skip_if_missing(operation, kind)
    rule, epsilon = TESTED[operation], EPSILON[kind]
    with mp.workdps(40):
        for point in points(rule, 24):
            for result, operand in _partials(rule):
                expected = _exact(rule, _numbers(point), result, operand)
                got = natives(f"partial.{operation}.{kind}.{result}.{operand}", kind, operation, point, 0.75) / mpf(
                    "0.75"
                )
                bound = _UNITS * epsilon * max(abs(expected), rule.scale)
                if operation in _ILL_CONDITIONED:
                    bound += 2 * _conditioning(rule, _numbers(point), result, operand, expected, epsilon)
                assert abs(got - expected) <= bound, (point, result, operand, float((got - expected) / epsilon))


@pytest.mark.parametrize(("operation", "kind"), _RULE_AND_TYPE)
def test_partial_agrees_with_differences_of_the_operation(natives: Natives, operation: str, kind: str) -> None:
    """Ties the rule to the function that is really called: the order of its arguments, its name, its type."""
    _skip_if_missing(operation, kind)
    rule, epsilon = TESTED[operation], EPSILON[kind]
    with mp.workdps(40):
        for point in points(rule, 8, inset=0.05):
            for result in range(rule.results):
                for operand in range(rule.operands):
                    if not is_integer(rule, operand):
                        _check_difference(natives, rule, kind, epsilon, point, result, operand)


def _check_difference(
    natives: Natives, rule: Rule, kind: str, epsilon: float, point: tuple[float | int, ...], result: int, operand: int
) -> None:
    operation = rule.operation
    x = point[operand]
    domain = rule.domain[operand]
    length = abs(x) if isinstance(domain, Real) and domain.logarithmic else min(max(abs(x), 0.05), 1.0)
    step = 2.0 ** round(math.log2(epsilon ** (1 / 3) * length))

    def value(at: float) -> Any:
        return natives(
            f"value.{operation}.{kind}.{result}", kind, operation, (*point[:operand], at, *point[operand + 1 :])
        )

    difference = (value(x + step) - value(x - step)) / (2 * mpf(step))
    got: Any = mpf(0)
    if rule.contribution(result, operand) is not None:
        got = natives(f"partial.{operation}.{kind}.{result}.{operand}", kind, operation, point)
    size = max(abs(got), abs(value(x)) / length, 1)
    assert abs(got - difference) <= 300 * epsilon ** (2 / 3) * size, (point, result, operand, got, difference)


@pytest.mark.parametrize("operation", ["fmod", "frem", "remainder"])
def test_quotient_of_a_remainder_is_whole(natives: Natives, operation: str) -> None:
    """(x - r)/y is a whole number that rounding of x - r must not miss: 0.1 and its like are where it would."""
    source = random.Random(operation)
    for _ in range(300):
        x, y = source.uniform(-1e6, 1e6), source.choice((0.1, -0.3, 0.7, 1e-3))
        quotient = Fraction(x) / Fraction(y)
        expected = round(quotient) if operation == "remainder" else math.trunc(quotient)
        assert natives(f"partial.{operation}.double.0.1", "double", operation, (x, y)) == -expected, (x, y)


_EDGES = [
    pytest.param(name, kind, index, id=f"{name}-{kind.replace(' ', '_')}-{'_'.join(map(str, edge.at))}-{edge.result}")
    for name, rule in TESTED.items()
    for kind in TYPES
    for index, edge in enumerate(rule.edges)
]


@pytest.mark.parametrize(("operation", "kind", "index"), _EDGES)
def test_edge(natives: Natives, operation: str, kind: str, index: int) -> None:
    _skip_if_missing(operation, kind)
    rule = TESTED[operation]
    edge = rule.edges[index]
    assert edge.why
    for operand, expected in enumerate(edge.partials):
        if expected is None:
            continue
        assert rule.contribution(edge.result, operand) is not None, "an identically zero partial needs no edge"
        got = float(natives(f"partial.{operation}.{kind}.{edge.result}.{operand}", kind, operation, edge.at))
        if math.isnan(expected):
            assert math.isnan(got), (edge, got)
        else:
            tolerance = 8 * max(EPSILON[kind], 2.0**-52)
            assert got == expected or abs(got - expected) <= tolerance * abs(expected), (edge, got)

"""Every formula, evaluated with fifty digits, is the derivative of what the operation computes."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from mpmath import mp, mpf

from enzyme_magic.backend.rules.rule import OneOf, Rule

from .mp_emitter import MpPrimals
from .points import ALL_RULES, is_integer, points
from .reference import REFERENCE, WITHOUT_VALUE, outputs

_DIGITS = 50
_TOLERANCE = mpf(10) ** -22
_CHECKED = [name for name in ALL_RULES if name not in WITHOUT_VALUE]


@pytest.fixture(autouse=True)
def _many_digits() -> Any:
    with mp.workdps(_DIGITS):
        yield


def _slope(operation: str, point: tuple[Any, ...], result: int, operand: int) -> Any:
    """The reference: a numerical derivative with fifty digits. No derivative rule is involved."""

    def along(x: Any) -> Any:
        return outputs(operation, (*point[:operand], x, *point[operand + 1 :]))[result]

    h = mpf(10) ** -12 * max(abs(point[operand]), mpf(1) / 100)
    # Central differences of order 2, 4, 6 (Richardson): an error of h^6.
    first, second, third = (
        (along(point[operand] + s * h) - along(point[operand] - s * h)) / (2 * s * h) for s in (1, 2, 3)
    )
    return (15 * first - 6 * second + third) / 10


def _formula(rule: Rule, point: tuple[Any, ...], result: int, operand: int, constants: frozenset[int]) -> Any:
    contribution = rule.contribution(result, operand)
    if contribution is None:
        return mpf(0)
    primals = MpPrimals(rule.operation, point, constants)
    return contribution(primals.emitter, mpf(3), primals) / 3


def _exact(point: tuple[float | int, ...]) -> tuple[Any, ...]:
    return tuple(x if isinstance(x, int) else mpf(x) for x in point)


def test_every_rule_has_points_and_a_reference() -> None:
    for name, rule in ALL_RULES.items():
        assert len(rule.domain) == rule.operands, name
        assert name in REFERENCE or name in WITHOUT_VALUE, name
        assert name not in WITHOUT_VALUE or rule.is_inactive, name


@pytest.mark.parametrize("name", _CHECKED)
def test_formula_is_the_derivative(name: str) -> None:
    rule = ALL_RULES[name]
    for point in map(_exact, points(rule, 24)):
        for result in range(rule.results):
            for operand in range(rule.operands):
                if is_integer(rule, operand):
                    assert rule.contribution(result, operand) is None
                    continue
                if isinstance(rule.domain[operand], OneOf) and name.startswith("next"):
                    continue
                expected = _slope(name, point, result, operand)
                got = _formula(rule, point, result, operand, frozenset())
                assert abs(got - expected) <= _TOLERANCE * max(1, abs(expected)), (point, result, operand)


@pytest.mark.parametrize("name", [n for n in _CHECKED if ALL_RULES[n].operands > 1])
def test_formula_with_constant_operands_is_the_same(name: str) -> None:
    rule = ALL_RULES[name]
    for point in map(_exact, points(rule, 6)):
        for result, operand in rule.contributions:
            others = [k for k in range(rule.operands) if k != operand]
            general = _formula(rule, point, result, operand, frozenset())
            for size in range(1, len(others) + 1):
                for constants in combinations(others, size):
                    special = _formula(rule, point, result, operand, frozenset(constants))
                    assert abs(special - general) <= _TOLERANCE * max(1, abs(general)), (point, constants)


_EXPONENTS = [k / 2 for k in range(-9, 24)] + [-100.0, 100.0, 0.3, -1.7, 3.14159]


@pytest.mark.parametrize("exponent", _EXPONENTS)
def test_power_with_a_constant_exponent(exponent: float) -> None:
    bases = [0.25, 1.0, 1.75] + ([-0.75, -3.0] if exponent == int(exponent) else [])
    for base in bases:
        point = (mpf(base), mpf(exponent))
        expected = _slope("pow", point, 0, 0)
        for constants in (frozenset[int](), frozenset([1])):
            got = _formula(ALL_RULES["pow"], point, 0, 0, constants)
            assert abs(got - expected) <= _TOLERANCE * max(1, abs(expected)), (base, constants)


@pytest.mark.parametrize("exponent", [*range(-9, 12), -64, -65, 100])
def test_powi_with_a_constant_exponent(exponent: int) -> None:
    for base in (0.25, 1.75, -0.75, -3.0):
        point = (mpf(base), exponent)
        expected = _slope("powi", point, 0, 0)
        for constants in (frozenset[int](), frozenset([1])):
            got = _formula(ALL_RULES["powi"], point, 0, 0, constants)
            assert abs(got - expected) <= _TOLERANCE * max(1, abs(expected)), (base, constants)


def test_quotient_of_a_constant_one() -> None:
    point = (mpf(1), mpf(7) / 3)
    got = _formula(ALL_RULES["fdiv"], point, 0, 1, frozenset([0]))
    assert abs(got + 1 / point[1] ** 2) < _TOLERANCE


def test_a_wrong_formula_is_noticed() -> None:
    from enzyme_magic.backend.rules.rule import Real, rule

    wrong = rule("tanh", "", lambda e, d, p: d / (e.call("cosh", p[0])), domain=Real(-2.0, 2.0))
    point = (mpf(1),)
    assert abs(_formula(wrong, point, 0, 0, frozenset()) - _slope("tanh", point, 0, 0)) > 0.1

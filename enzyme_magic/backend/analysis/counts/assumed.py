"""Formulas made simpler by what is known of their names: sizes are 0 or more, and some formulas are 0 or more by condition.

Invariant: under the conditions (and for names of 0 or more) every result has the same integer value as what was given.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import gcd

from enzyme_magic.backend.analysis.counts.formula import (
    AtLeastZero,
    Atom,
    Floor,
    Formula,
    floor_divide,
    name,
    number,
    surely_counts,
)

MOST_POINTS = 64  # of the grid on which a polynomial is looked at

Conditions = tuple[Formula, ...]


def holds(formula: Formula, when: Conditions) -> bool:
    """Whether `formula` is certain to be 0 or more when all of `when` are."""
    if surely_counts(formula) or any(surely_counts(formula - condition) for condition in when):
        return True
    shifted = formula
    for called, value in lower_bounds(when).items():
        shifted = shifted.substitute(called, name(called) + number(value))
    return surely_counts(shifted)


def lower_bounds(when: Conditions) -> dict[str, int]:
    """The least values of names that conditions of the form n - 3 tell."""
    found: dict[str, int] = {}
    for condition in when:
        least = _least(condition)
        if least is not None:
            called, value = least
            found[called] = max(value, found.get(called, value))
    return found


def _least(condition: Formula) -> tuple[str, int] | None:
    """(n, 3) for n - 3."""
    if not condition.terms or len(condition.terms) > 2:
        return None
    (term, coefficient), *others = condition.terms
    rest, constant = others[0] if others else ((), Fraction(0))
    if coefficient != 1 or rest or len(term) != 1 or not isinstance(term[0], str) or constant.denominator != 1:
        return None
    return term[0], -int(constant)


def conditions(when: Conditions) -> Conditions | None:
    """The same conditions, without those that follow from others; None when one never holds."""
    simple: list[Formula] = []
    for condition in map(_condition, when):
        constant = condition.constant
        if constant is not None and constant < 0:
            return None
        if condition not in simple:
            simple.append(condition)
    kept: list[Formula] = []
    for k, condition in enumerate(simple):
        others = (*kept, *simple[k + 1 :])
        if not holds(condition, others):
            kept.append(condition)
    return tuple(kept)


def _condition(condition: Formula) -> Formula:
    """max(p, 0) - 3 is 0 or more when p - 3 is; 8*n - 1 when n - 1 is."""
    constant = next((c for term, c in condition.terms if not term), None)
    rest = condition - number(constant or 0)
    if constant is not None and constant < 0 and rest.terms:
        if len(rest.terms) == 1 and rest.terms[0][1] == 1 and len(rest.terms[0][0]) == 1:
            atom = rest.terms[0][0][0]
            if isinstance(atom, AtLeastZero):
                return _condition(atom.inner + number(constant))
            if isinstance(atom, Floor):  # p // d >= c says p >= c*d
                return _condition(atom.inner + number(constant).times(atom.divisor))
        if all(coefficient.denominator == 1 for _, coefficient in condition.terms):
            content = gcd(*(int(coefficient) for _, coefficient in rest.terms))
            return rest.times(Fraction(1, content)) + number(int(constant) // content)
    return condition


def simplified(formula: Formula, when: Conditions) -> Formula:
    """`formula` with max(p, 0) as p where p is 0 or more, and exact divisions done."""
    result = Formula()
    for term, coefficient in formula.terms:
        factor = number(coefficient)
        for atom in term:
            factor *= _atom(atom, when)
        result += factor
    return result


def _atom(atom: Atom, when: Conditions) -> Formula:
    if isinstance(atom, AtLeastZero):
        inner = simplified(atom.inner, when)
        return inner if _not_negative(inner, when) else name(AtLeastZero(inner))
    return divided(simplified(atom.inner, when), atom.divisor) if isinstance(atom, Floor) else name(atom)


def _not_negative(formula: Formula, when: Conditions) -> bool:
    if holds(formula, when):
        return True
    (term, coefficient), *others = formula.terms
    floor = term[0] if len(term) == 1 and not others and coefficient > 0 else None
    return isinstance(floor, Floor) and _not_negative(floor.inner, when)


def divided(formula: Formula, divisor: int) -> Formula:
    """floor(formula / divisor), without the floor where the quotient is an integer for all integers (n*(n+1) / 2).

    A polynomial that is an integer on a grid with one point more than its degree in each direction is one everywhere (Pólya, 1915).
    """
    exact = formula.times(Fraction(1, divisor))
    atoms = formula.atoms
    if any(not isinstance(atom, str) for atom in atoms):
        return floor_divide(formula, divisor)
    names = [atom for atom in atoms if isinstance(atom, str)]
    degrees = [max(term.count(called) for term, _ in formula.terms) for called in names]
    points = 1
    for degree in degrees:
        points *= degree + 1
    if points > MOST_POINTS:
        return floor_divide(formula, divisor)
    for point in product(*(range(degree + 1) for degree in degrees)):
        if not isinstance(exact.value(dict(zip(names, point, strict=True))), int):
            return floor_divide(formula, divisor)
    return exact

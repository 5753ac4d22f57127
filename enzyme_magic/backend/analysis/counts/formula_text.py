"""Formulas for people: `n*(n+1)/2`, `8*n`, `n*m + 3`, `max(n - 5, 0)`.

Invariant: the text is a Python expression of integers and names with `+ - * / //`, `max` and `min`, whose value is the formula's: a
division `/` stands last and is exact for all values of the names. Factors of one name are split off where roots are rational.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm

from enzyme_magic.backend.analysis.counts.formula import (
    AtLeastZero,
    AtMost,
    Atom,
    Formula,
    Term,
    name,
    number,
    without_limits,
)

_LARGEST = 10_000  # coefficients above it are not searched for roots


def text(formula: Formula, order: Sequence[str] = ()) -> str:
    """`order`: names in the order people expect them (a function's parameters); others follow alphabetically. Names are sizes: what
    is the same for all that are 0 or more is written the shorter way."""
    return _Writer(order).formula(without_limits(formula))


def subscript(formula: Formula) -> str:
    """The same as people write an index: a sum, nothing taken out of it."""
    whole = formula.terms and all(coefficient.denominator == 1 for _, coefficient in formula.terms)
    return _Writer(()).sum(formula, " ") if whole and len(formula.terms) > 1 else text(formula)


class _Writer:
    def __init__(self, order: Sequence[str]) -> None:
        self.order = {name_: k for k, name_ in enumerate(order)}

    def formula(self, formula: Formula) -> str:
        if not formula.terms:
            return "0"
        (term, coefficient), *others = formula.terms
        if not others and coefficient == 1 and len(term) == 1 and not isinstance(term[0], str):
            return self.atom(term[0], outermost=True)
        numerator, denominator, shared, rest = _content(formula)
        roots, rest = _linear_factors(rest)
        factors = [self.atom(atom) for atom in self.sorted(shared)] + [self.factor(root) for root in roots]
        constant = rest.constant
        if constant is None and not factors and denominator == 1:
            return self.sum(formula, " ")  # 40*n + 440: a number outside of brackets makes it no shorter
        if constant is None:
            factors.append(self.factor(rest))
        else:
            numerator *= int(constant)
        head = [str(abs(numerator))] if abs(numerator) != 1 or not factors else []
        sign = "-" if numerator < 0 else ""
        return f"{sign}{'*'.join([*head, *factors])}" + (f"/{denominator}" if denominator != 1 else "")

    def atom(self, atom: Atom, *, outermost: bool = False) -> str:
        if isinstance(atom, str):
            return atom
        inner = self.formula(atom.inner)
        if isinstance(atom, AtLeastZero):
            return f"max({inner}, 0)"
        if isinstance(atom, AtMost):
            return f"min({inner}, {atom.limit})"
        divided = f"{inner if inner.isidentifier() else f'({inner})'}//{atom.divisor}"
        return divided if outermost else f"({divided})"

    def sorted(self, atoms: Sequence[Atom]) -> list[Atom]:
        return sorted(atoms, key=self._rank)

    def _rank(self, atom: Atom) -> tuple[int, str]:
        known = self.order.get(atom) if isinstance(atom, str) else None
        return (known, "") if known is not None else (len(self.order), self.atom(atom))

    def factor(self, formula: Formula) -> str:
        body = self.sum(formula, "")
        return body if len(formula.terms) == 1 and formula.terms[0][1] == 1 else f"({body})"

    def sum(self, formula: Formula, space: str) -> str:
        written = ""
        for term, coefficient in self._in_order(formula):
            factors = [str(abs(coefficient))] if abs(coefficient) != 1 or not term else []
            body = "*".join([*factors, *map(self.atom, self.sorted(term))])
            sign = "-" if coefficient < 0 else "+"
            written += f"{space}{sign}{space}{body}" if written else f"{'-' if sign == '-' else ''}{body}"
        return written

    def _in_order(self, formula: Formula) -> list[tuple[Term, Fraction]]:
        """Longer products first, then as `order` has the names; a positive term leads where there is one."""
        ordered = sorted(formula.terms, key=lambda pair: (-len(pair[0]), [self._rank(a) for a in self.sorted(pair[0])]))
        positive = next((pair for pair in ordered if pair[1] > 0), ordered[0])
        return [positive, *(pair for pair in ordered if pair is not positive)]


def _content(formula: Formula) -> tuple[int, int, list[Atom], Formula]:
    """(numerator, denominator, atoms all terms share, what is left: integer coefficients without a common factor)."""
    denominator = lcm(*(coefficient.denominator for _, coefficient in formula.terms))
    whole = [int(coefficient * denominator) for _, coefficient in formula.terms]
    numerator = gcd(*whole) * (-1 if all(w < 0 for w in whole) else 1)
    shared = list(formula.terms[0][0])
    for term, _ in formula.terms[1:]:
        shared = _common(shared, list(term))
    scale = gcd(numerator, denominator)
    left = [
        (tuple(_common(list(term), shared, keep=False)), Fraction(w, numerator))
        for (term, _), w in zip(formula.terms, whole, strict=True)
    ]
    return numerator // scale, denominator // scale, shared, Formula.of(left)


def _common(atoms: list[Atom], others: list[Atom], *, keep: bool = True) -> list[Atom]:
    """What `atoms` has in common with `others`, with multiplicity; keep=False: what it has beyond them."""
    others, common, beyond = list(others), [], []
    for atom in atoms:
        if atom in others:
            others.remove(atom)
            common.append(atom)
        else:
            beyond.append(atom)
    return common if keep else beyond


def _linear_factors(formula: Formula) -> tuple[list[Formula], Formula]:
    """Factors q·x - p of a polynomial in one atom x, and what is left of it."""
    atoms = formula.atoms
    if len(atoms) != 1 or len(formula.terms) < 2:
        return [], formula
    (atom,) = atoms
    coefficients = [0] * (max(len(term) for term, _ in formula.terms) + 1)
    for term, coefficient in formula.terms:
        coefficients[len(term)] = int(coefficient)
    factors: list[Formula] = []
    while len(coefficients) > 2:
        root = _rational_root(coefficients)
        if root is None:
            break
        factors.append(name(atom).times(root.denominator) - number(root.numerator))
        coefficients = _divided(coefficients, root)
    terms: list[tuple[Term, Fraction]] = [((atom,) * k, Fraction(c)) for k, c in enumerate(coefficients)]
    return factors, Formula.of(terms)


def _rational_root(coefficients: list[int]) -> Fraction | None:
    """A root p/q: p divides the last coefficient, q the first. Larger ones first, so that n-1 stands before n+1."""
    low, high = coefficients[0], coefficients[-1]
    if abs(low) > _LARGEST or abs(high) > _LARGEST:
        return None
    candidates = {Fraction(sign * p, q) for p in _divisors(low) for q in _divisors(high) for sign in (1, -1)}
    zeros = [c for c in candidates if sum(a * c**k for k, a in enumerate(coefficients)) == 0]
    return max(zeros, default=None, key=lambda root: (-root.denominator, root))


def _divisors(value: int) -> list[int]:
    return [d for d in range(1, abs(value) + 1) if value % d == 0]


def _divided(coefficients: list[int], root: Fraction) -> list[int]:
    """The polynomial divided by q·x - p (Horner)."""
    quotient: list[Fraction] = []
    carry = Fraction(0)
    for coefficient in reversed(coefficients):
        carry = carry * root + coefficient
        quotient.append(carry)
    return [int(c / root.denominator) for c in reversed(quotient[:-1])]

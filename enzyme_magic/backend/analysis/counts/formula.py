"""Closed forms: how often something runs and how many bytes it takes, in the program's own names.

A `Formula` is a polynomial with rational coefficients over atoms; an atom is a name (`n`), max(p, 0), min(p, c), or
floor(p / d). Sums over a counter that runs from 0 to count - 1 stay polynomials (Faulhaber, 1631; Bernoulli's form of the
coefficients).

Invariant: arithmetic is exact; equal polynomials over the same atoms compare equal. `formula_text` writes them.

Names are sizes: they are taken to be 0 or more where it matters (`surely_counts`). What is not a polynomial of them has no formula.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, floor

Term = tuple["Atom", ...]  # sorted; a power repeats its atom
LONGEST = 64  # terms


@dataclass(frozen=True, slots=True)
class AtLeastZero:
    """max(inner, 0)."""

    inner: Formula


@dataclass(frozen=True, slots=True)
class Floor:
    """The whole part of inner / divisor; divisor above 0."""

    inner: Formula
    divisor: int


@dataclass(frozen=True, slots=True)
class AtMost:
    """min(inner, limit), where inner is 0 or more."""

    inner: Formula
    limit: int


Atom = str | AtLeastZero | AtMost | Floor


@dataclass(frozen=True, slots=True)
class Formula:
    """`terms`: (product of atoms, coefficient), sorted, without zeros; longer products first."""

    terms: tuple[tuple[Term, Fraction], ...] = ()

    @classmethod
    def of(cls, terms: Iterable[tuple[Term, Fraction]]) -> Formula:
        """The sum of the given terms."""
        total: dict[Term, Fraction] = {}
        for term, coefficient in terms:
            key = tuple(sorted(term, key=_key)) if len(term) > 1 else term
            known = total.get(key)
            total[key] = coefficient if known is None else known + coefficient
        kept = [(term, coefficient) for term, coefficient in total.items() if coefficient]
        return cls(tuple(sorted(kept, key=lambda pair: (-len(pair[0]), [_key(atom) for atom in pair[0]]))))

    def __add__(self, other: Formula) -> Formula:
        return Formula.of([*self.terms, *other.terms])

    def __sub__(self, other: Formula) -> Formula:
        return self + other.times(-1)

    def __mul__(self, other: Formula) -> Formula:
        return Formula.of([(a + b, c * d) for (a, c), (b, d) in product(self.terms, other.terms)])

    def times(self, factor: Fraction | int) -> Formula:
        return Formula.of([(term, coefficient * factor) for term, coefficient in self.terms])

    @property
    def constant(self) -> Fraction | None:
        """The number, where the formula is nothing else."""
        if not self.terms:
            return Fraction(0)
        return self.terms[0][1] if len(self.terms) == 1 and not self.terms[0][0] else None

    @property
    def atoms(self) -> tuple[Atom, ...]:
        """Each atom once, in textual order."""
        return tuple(sorted({atom for term, _ in self.terms for atom in term}, key=_key))

    @property
    def names(self) -> frozenset[str]:
        """The names it is made of, those inside max and floor included."""
        found: set[str] = set()
        for atom in self.atoms:
            found |= {atom} if isinstance(atom, str) else atom.inner.names
        return frozenset(found)

    def value(self, sizes: Mapping[str, int]) -> int | Fraction:
        """The number for these values of the names. KeyError names one that is missing."""
        total = Fraction(0)
        for term, coefficient in self.terms:
            for atom in term:
                coefficient *= _atom_value(atom, sizes)
            total += coefficient
        return int(total) if total.denominator == 1 else total

    def substitute(self, name: str, replacement: Formula) -> Formula:
        """Every `name` replaced, inside max and floor too."""
        result = Formula()
        for term, coefficient in self.terms:
            factor = number(coefficient)
            for atom in term:
                factor *= _substituted(atom, name, replacement)
            result += factor
        return result


def number(value: int | Fraction) -> Formula:
    return Formula.of([((), Fraction(value))])


def name(atom: Atom) -> Formula:
    """The formula that is one atom."""
    return Formula.of([((atom,), Fraction(1))])


def at_least_zero(inner: Formula) -> Formula:
    """max(inner, 0), or `inner` itself where that is certain to be 0 or more."""
    if surely_counts(inner):
        return inner
    constant = inner.constant
    return number(max(constant, Fraction(0))) if constant is not None else name(AtLeastZero(inner))


def at_most(inner: Formula, limit: int) -> Formula:
    """min(inner, limit). A number that is added to what is 0 or more stands outside: min(n + 1, 65) is min(n, 64) + 1."""
    constant = inner.constant
    if constant is not None:
        return number(min(constant, Fraction(limit)))
    added = sum((coefficient for term, coefficient in inner.terms if not term), Fraction(0))
    rest = inner - number(added)
    if added.denominator == 1 and 0 < added <= limit and surely_counts(rest):
        return name(AtMost(rest, limit - int(added))) + number(added)
    return name(AtMost(inner, limit))


def largest(formula: Formula) -> int | None:
    """A number that the formula does not exceed, for names that are 0 or more; None where none is seen."""
    total = Fraction(0)
    for term, coefficient in formula.terms:
        if coefficient < 0:
            if not all(map(_counts, term)):
                return None
            continue  # takes something away
        for atom in term:
            most = None if isinstance(atom, str) else _largest(atom)
            if most is None:
                return None
            coefficient *= most
        total += coefficient
    return floor(total)


def _largest(atom: AtLeastZero | AtMost | Floor) -> int | None:
    inner = largest(atom.inner)
    if isinstance(atom, AtMost):
        return max(atom.limit if inner is None else min(inner, atom.limit), 0)
    if inner is None:
        return None
    return max(inner, 0) if isinstance(atom, AtLeastZero) else max(inner // atom.divisor, 0)


def floor_divide(inner: Formula, divisor: int) -> Formula:
    """floor(inner / divisor)."""
    exact = inner.times(Fraction(1, divisor))
    if all(coefficient.denominator == 1 for _, coefficient in exact.terms):
        return exact
    constant = inner.constant
    return number(constant // divisor) if constant is not None else name(Floor(inner, divisor))


_HIGHEST_ROOT = 64  # roots of polynomials are looked for up to here


def surely_counts(formula: Formula) -> bool:
    """Whether it is 0 or more for all names that are 0 or more; names are whole numbers: n*(n-1)/2 is."""
    return all(coefficient > 0 and all(map(_counts, term)) for term, coefficient in formula.terms) or _dips_between(
        formula
    )


def _dips_between(formula: Formula) -> bool:
    """Whether a polynomial in one name is negative between whole numbers at most: no root lies above Cauchy's bound."""
    names = formula.atoms
    if len(names) != 1 or not all(isinstance(atom, str) for atom in names):
        return False
    coefficients = {len(term): coefficient for term, coefficient in formula.terms}
    leading = coefficients[max(coefficients)]
    bound = 1 + max(abs(c / leading) for c in coefficients.values())
    values = (sum(c * x**power for power, c in coefficients.items()) for x in range(int(bound) + 1))
    return leading > 0 and bound <= _HIGHEST_ROOT and all(value >= 0 for value in values)


def _counts(atom: Atom) -> bool:
    return surely_counts(atom.inner) if isinstance(atom, (AtMost, Floor)) else True


def without_floor(formula: Formula) -> Formula:
    """A formula that is 0 or more exactly when this one is: floor(p / d) + c with a whole c becomes p + c·d; min(p, m) + c, where
    m + c is 0 or more, becomes p + c."""
    whole = sum((coefficient for term, coefficient in formula.terms if not term), Fraction(0))
    rest = formula - number(whole)
    if len(rest.terms) != 1 or whole.denominator != 1:
        return formula
    ((term, coefficient),) = rest.terms
    atom = term[0] if len(term) == 1 and coefficient == 1 else None
    if isinstance(atom, AtMost) and atom.limit + whole >= 0:
        return without_floor(atom.inner + number(whole))
    return atom.inner + number(whole * atom.divisor) if isinstance(atom, Floor) else formula


def least_of(formula: Formula) -> Formula | None:
    """p, where the formula is max(p, 0)."""
    ((term, coefficient),) = formula.terms if len(formula.terms) == 1 else (((), Fraction(0)),)
    atom = term[0] if len(term) == 1 and coefficient == 1 else None
    return atom.inner if isinstance(atom, AtLeastZero) else None


def surplus_over(formula: Formula, known: Formula) -> Fraction | None:
    """How much more than `known` it is, where that is a number; 0 also where one is 0 or more exactly when the other is, because it
    is some times as much: 4*n - 1 is where n - 1 is, since n is a whole number. None where nothing is known."""
    plain = (formula - known).constant
    if plain is not None or not known.atoms:
        return plain
    term, one = next((term, coefficient) for term, coefficient in known.terms if term)
    ratio = dict(formula.terms).get(term, Fraction(0)) / one
    if ratio < 1 or any(number.denominator != 1 for number in (ratio, *dict(known.terms).values())):
        return None
    rest = (formula - known.times(ratio)).constant
    return Fraction(0) if rest is not None and 0 <= rest < ratio else None


_FEW = 8  # sizes below a limit that are tried


def without_limits(formula: Formula) -> Formula:
    """The same for all names that are 0 or more, without the max(n - c, 0) that make no difference: of n*(n - 1)/2 iterations none
    runs where n is 0. Below the limit n is one of 0 … c - 1; each is tried."""
    for atom in formula.atoms:
        if isinstance(atom, AtLeastZero) and (known := _behind(atom.inner)) is not None:
            size, below = known
            plain = _replaced(formula, atom)
            tried = (number(k) for k in range(below))
            if all(formula.substitute(size, k) == plain.substitute(size, k) for k in tried):
                formula = plain
    return formula


def _behind(inner: Formula) -> tuple[str, int] | None:
    """(n, c) of n - c with a small whole c above 0."""
    match inner.terms:
        case (((str(size),), Fraction(numerator=1, denominator=1)), ((), Fraction(denominator=1) as rest)) if (
            -_FEW <= rest < 0
        ):
            return size, int(-rest)
    return None


def _replaced(formula: Formula, limit: AtLeastZero) -> Formula:
    """Each factor max(p, 0) as p."""
    result = Formula()
    for term, coefficient in formula.terms:
        factor = number(coefficient)
        for atom in term:
            factor *= limit.inner if atom == limit else name(atom)
        result += factor
    return result


def sum_over(summand: Formula, counter: str, count: Formula) -> Formula | None:
    """summand at counter = 0 plus … plus summand at counter = count - 1; None where that is no polynomial (the counter stands
    inside max or floor) or too long. `count` is meant to be 0 or more and does not contain the counter."""
    powers: dict[int, list[tuple[Term, Fraction]]] = {}
    for term, coefficient in summand.terms:
        rest = tuple(atom for atom in term if atom != counter)
        if any(not isinstance(atom, str) and counter in atom.inner.names for atom in rest):
            return None
        powers.setdefault(len(term) - len(rest), []).append((rest, coefficient))
    result = Formula()
    for power, terms in powers.items():
        result += Formula.of(terms) * _power_sum(power, count)
        if len(result.terms) > LONGEST:
            return None
    return result


def stays_counting(summand: Formula, counter: str, count: Formula) -> bool:
    """Whether `summand` is 0 or more for every counter from 0 to count - 1: its own terms say so, or those of the sum run
    backwards (n - 1 - i, with i up to n - 1)."""
    backwards = summand.substitute(counter, count - number(1) - name(counter))
    return surely_counts(summand) or surely_counts(backwards)


def _power_sum(power: int, count: Formula) -> Formula:
    """0^power + 1^power + … + (count - 1)^power."""
    result, monomial = Formula(), number(1)
    for exponent in range(1, power + 2):
        monomial *= count
        k = power + 1 - exponent
        result += monomial.times(Fraction(comb(power + 1, k), power + 1) * _bernoulli(k))
    return result


@cache
def _bernoulli(index: int) -> Fraction:
    """B_index with B_1 = -1/2."""
    if index == 0:
        return Fraction(1)
    total = sum((comb(index + 1, k) * _bernoulli(k) for k in range(index)), Fraction(0))
    return -total / (index + 1)


def _substituted(atom: Atom, name_: str, replacement: Formula) -> Formula:
    if isinstance(atom, str):
        return replacement if atom == name_ else name(atom)
    inner = atom.inner.substitute(name_, replacement)
    if isinstance(atom, AtMost):
        return at_most(inner, atom.limit)
    return at_least_zero(inner) if isinstance(atom, AtLeastZero) else floor_divide(inner, atom.divisor)


def _atom_value(atom: Atom, sizes: Mapping[str, int]) -> Fraction:
    if isinstance(atom, str):
        return Fraction(sizes[atom])
    inner = Fraction(atom.inner.value(sizes))
    if isinstance(atom, AtMost):
        return min(inner, Fraction(atom.limit))
    return max(inner, Fraction(0)) if isinstance(atom, AtLeastZero) else Fraction(inner // atom.divisor)


def _key(atom: Atom) -> tuple[int, str]:
    return (0, atom) if isinstance(atom, str) else (1, repr(atom))

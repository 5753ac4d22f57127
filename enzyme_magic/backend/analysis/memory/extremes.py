"""Whether the distance of two executions is never negative, over all iteration numbers with which they can happen.

Each execution has iteration numbers of its own; those that both agree on are one symbol, and the loop in which the second is
ahead counts c in the first and c + d in the second, d >= 1.

Theorem: a polynomial that is linear in x with a coefficient that is never positive is least at the largest x, with one that is
never negative at the smallest. Iteration numbers are taken out this way, those of inner loops first, because the bound of an
inner loop may name numbers of outer ones: so the triangle `j < i` needs no case of its own.

"Yes" is a proof, "no" is not: a number that is not linear, or whose coefficient has no known sign, stays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from enzyme_magic.backend.analysis.counts.affine import UNSIGNED, Evolution, Polynomial, add, constant, multiply
from enzyme_magic.backend.analysis.counts.bounds import Bounds
from enzyme_magic.backend.ir.graphs.loops import Loop
from enzyme_magic.backend.ir.values import Block

BOTH, FIRST, SECOND = 0, 1, 2  # whose symbol it is; a symbol s is here the number 4 s + whose
AHEAD = 3  # the number of d
UNKNOWN = -(1 << 62)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class _Number:
    """An iteration number: what bounds it from above, and whether that is certain or may be exceeded by iteration 0."""

    number: int
    most: Callable[[], Polynomial | None]
    certain: bool


@dataclass(slots=True, eq=False, repr=False)
class ExecutionPair:
    """Two executions of two blocks. agreed: whether a symbol is the same in both; later: the loop in which the second is ahead."""

    evolution: Evolution
    bounds: Bounds
    first: Block | None
    second: Block | None
    agreed: Callable[[int], bool]
    later: Loop | None
    _least: dict[int, int] = field(default_factory=dict)
    _numbers: list[_Number] | None = None

    def distance(self, first: Polynomial, second: Polynomial) -> Polynomial | None:
        """second - first in the symbols of both; None where that grows beyond what is worth keeping."""
        here, there = self._seen(first, FIRST), self._seen(second, SECOND)
        return None if here is None or there is None else add(there, here, -1)

    def never_negative(self, polynomial: Polynomial) -> bool:
        """Whether it is at least 0 in every pair of executions."""
        if self._numbers is None:
            self._learn()
            self._numbers = self._ordered()
        return self._holds(polynomial, self._numbers)

    def _holds(self, polynomial: Polynomial, numbers: Sequence[_Number]) -> bool:
        for k, number in enumerate(numbers):
            factor, rest = _parted(polynomial, number.number)
            if factor is None or not factor:
                continue
            if self._is_natural(factor):
                extreme: Polynomial | None = constant(self._least_of(number.number))
            else:
                falls = self._is_natural({m: -c for m, c in factor.items()})
                extreme = number.most() if falls else None
                if falls and not number.certain and not self._holds(rest, numbers[k + 1 :]):
                    return False
            product = None if extreme is None else multiply(factor, extreme)
            polynomial = polynomial if product is None else add(rest, product)
        return self._is_natural(polynomial)

    # --- symbols of both executions

    def _seen(self, polynomial: Polynomial, whose: int) -> Polynomial | None:
        """A polynomial of the function, as one execution has it."""
        result: Polynomial = {}
        for monomial, coefficient in polynomial.items():
            product: Polynomial | None = {(): coefficient}
            for symbol in monomial:
                product = None if product is None else multiply(product, self._symbol(symbol, whose))
            if product is None:
                return None
            result = add(result, product)
        return result

    def _symbol(self, symbol: int, whose: int) -> Polynomial:
        if self.agreed(symbol):
            return {(4 * symbol + BOTH,): 1}
        if self.later is not None and self.evolution.symbols[symbol].of is self.later:
            counter: Polynomial = {(4 * symbol + FIRST,): 1}
            return counter if whose == FIRST else add(counter, {(AHEAD,): 1})
        return {(4 * symbol + whose,): 1}

    def _ordered(self) -> list[_Number]:
        """Iteration numbers, those of inner loops first; d comes after c."""
        found: dict[int, tuple[int, _Number]] = {}
        for whose in (SECOND, FIRST):
            for loop in self._around(whose):
                if loop is self.later:
                    number = _Number(4 * self.evolution.iteration(loop) + FIRST, self._most_behind, True)
                else:
                    ((name,),) = self._symbol(self.evolution.iteration(loop), whose)
                    number = _Number(name, partial(self._most_of, loop, whose), self._is_certain(loop, whose))
                found.setdefault(number.number, (-loop.depth, number))
        if self.later is not None:
            found[AHEAD] = (-self.later.depth, _Number(AHEAD, self._most_ahead, True))
        return [number for _, number in sorted(found.values(), key=lambda entry: entry[0])]

    def _around(self, whose: int) -> list[Loop]:
        found = []
        loop = self.evolution.loops.of(self._block(whose))
        while loop is not None:
            found.append(loop)
            loop = loop.parent
        return found

    def _block(self, whose: int) -> Block | None:
        return self.first if whose == FIRST else self.second

    # --- bounds

    def _most_of(self, loop: Loop, whose: int) -> Polynomial | None:
        block = self._block(whose)
        most = None if block is None or block not in loop.blocks else self.bounds.most(loop, block)
        return None if most is None else self._seen(most, whose)

    def _is_certain(self, loop: Loop, whose: int) -> bool:
        """Whether the bound covers iteration 0 as well."""
        return self._block(whose) is not loop.header or self.bounds.covers_first(loop)

    def _most_behind(self) -> Polynomial | None:
        """Of c: what bounds c + d, less d. The second execution is past iteration 0, so its bound is certain."""
        assert self.later is not None
        both = self._most_of(self.later, SECOND)
        return None if both is None else add(both, {(AHEAD,): 1}, -1)

    def _most_ahead(self) -> Polynomial | None:
        """Of d: what bounds c + d, less c."""
        assert self.later is not None
        both = self._most_of(self.later, SECOND)
        return None if both is None else add(both, {(4 * self.evolution.iteration(self.later) + FIRST,): 1}, -1)

    def _learn(self) -> None:
        """The number of a running loop lies between 0 and its bound; a bound of one symbol and a constant bounds that symbol."""
        for whose in (FIRST, SECOND):
            for loop in self._around(whose):
                most = (self._most_of(loop, whose) if self._is_certain(loop, whose) else None) or {}
                symbols = [m for m in most if m]
                if len(symbols) == 1 and len(symbols[0]) == 1 and most[symbols[0]] == 1:
                    number = symbols[0][0]
                    self._least[number] = max(self._least.get(number, UNKNOWN), -most.get((), 0))

    def _least_of(self, number: int) -> int:
        if number == AHEAD:
            return 1
        symbol = self.evolution.symbols[number // 4]
        known = self._least.get(number, UNKNOWN)
        return max(0, known) if isinstance(symbol.of, Loop) or symbol.widened == UNSIGNED else known

    def _is_natural(self, polynomial: Polynomial) -> bool:
        """At least 0 with every symbol at its smallest, and growing with each of them."""
        total = 0
        for monomial, coefficient in polynomial.items():
            product = coefficient
            for number in monomial:
                least = self._least_of(number)
                if least < 0 or coefficient < 0:
                    return False
                product *= least
            total += product
        return total >= 0


def _parted(polynomial: Polynomial, number: int) -> tuple[Polynomial | None, Polynomial]:
    """(factor, rest) with polynomial = factor · number + rest; None for a factor that has the number itself."""
    factor: Polynomial = {}
    rest: Polynomial = {}
    for monomial, coefficient in polynomial.items():
        if number not in monomial:
            rest[monomial] = coefficient
        elif monomial.count(number) > 1:
            return None, polynomial
        else:
            factor[tuple(n for n in monomial if n != number)] = coefficient
    return factor, rest

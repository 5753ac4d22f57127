"""May two accesses off one base touch, when one executes after the other?

Dependence testing by levels (Allen and Kennedy, 2001): execution B after A either happens in the same iteration of all
common loops, or first differs in loop k, where B is d >= 1 iterations later. At each level the distance D of the two
addresses is a polynomial in which symbols both executions agree on cancel; what remains is bounded by the loops' own
tests (which settles rows of a matrix: stride n, columns below n) and has a known residue. The accesses are apart when
no such D lies between them. "No" is a proof, "yes" is not.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import gcd

from enzyme_magic.backend.analysis.counts.affine import (
    UNSIGNED,
    Evolution,
    Monomial,
    Polynomial,
    add,
    constant,
    multiply,
)
from enzyme_magic.backend.analysis.counts.bounds import Bounds
from enzyme_magic.backend.ir.graphs.loops import Loop
from enzyme_magic.backend.ir.values import Block

DEEPEST = 4


@dataclass(frozen=True, slots=True)
class LoopLevel:
    """`later` is the loop in which the second execution is at least one iteration ahead; `common` the innermost loop that
    has both instructions. Both None with `any_time`: nothing is known about when."""

    later: Loop | None
    common: Loop | None
    any_time: bool = False


ANY_TIME = LoopLevel(None, None, any_time=True)


@dataclass(frozen=True, slots=True, eq=False)
class AccessPlace:
    """One access: offset from the base, bytes [low, high) around it (None: unbounded), and the block it is made in."""

    offset: Polynomial
    low: int | None
    high: int | None
    block: Block | None = None


@dataclass(slots=True)
class _Distance:
    """D = fixed + stride · d + (a value between `low` and `high`, a multiple of `step`).

    All polynomials are in symbols both executions agree on; None for low or high: unbounded.
    """

    fixed: Polynomial = field(default_factory=dict)
    stride: Polynomial = field(default_factory=dict)
    low: Polynomial | None = field(default_factory=dict)
    high: Polynomial | None = field(default_factory=dict)
    step: int = 0

    def spread(self, coefficient: int, most: Polynomial | None, *, counted: bool = True) -> None:
        """Add coefficient · x for an unknown x: between 0 and `most` if `counted`, anything otherwise."""
        least: Polynomial | None = {} if counted else None
        bounds = (least, most) if coefficient > 0 else (most, least)
        self.low = _sum(self.low, coefficient, bounds[0])
        self.high = _sum(self.high, coefficient, bounds[1])
        self.step = gcd(self.step, abs(coefficient))


def _sum(total: Polynomial | None, coefficient: int, bound: Polynomial | None) -> Polynomial | None:
    return None if total is None or bound is None else add(total, bound, coefficient)


@dataclass(slots=True, eq=False)
class Distances:
    """Answers for one function."""

    evolution: Evolution
    bounds: Bounds

    @classmethod
    def of(cls, evolution: Evolution) -> Distances:
        return cls(evolution, Bounds(evolution))

    def may_touch(self, first: AccessPlace, second: AccessPlace, level: LoopLevel) -> bool:
        """Whether the bytes of `second` may meet those of `first`, when it executes as `level` says."""
        above = None if second.low is None or first.high is None else first.high - second.low  # apart when D >= above
        below = None if second.high is None or first.low is None else first.low - second.high  # apart when D <= below
        least = self._least_values(first, second)
        distance = self._measure(first, second, level, least)
        if above is not None and below is not None and self._misses(distance, below, above, first, level):
            return False
        return not (_always_above(distance, above, least) or _always_below(distance, below, least))

    # --- what is known about symbols

    def _least_values(self, first: AccessPlace, second: AccessPlace) -> dict[int, int]:
        """Lower bounds of symbols: iteration numbers, unsigned values, and the bounds of loops that are running."""
        least: dict[int, int] = {}
        for place in (first, second):
            loop = self.evolution.loops.of(place.block)
            while loop is not None and place.block is not None:
                _learn(self.bounds.most(loop, place.block), least)
                loop = loop.parent
            for monomial in place.offset:
                for number in monomial:
                    symbol = self.evolution.symbols[number]
                    if isinstance(symbol.of, Loop) or symbol.widened == UNSIGNED:
                        least[number] = max(0, least.get(number, 0))
        return least

    def _most(self, number: int, place: AccessPlace, level: LoopLevel, depth: int = 0) -> Polynomial | None:
        """The largest value of an iteration number at `place`, in symbols both executions agree on."""
        loop = self.evolution.symbols[number].of
        if not isinstance(loop, Loop) or place.block is None or place.block not in loop.blocks or depth > DEEPEST:
            return None
        bound = self.bounds.most(loop, place.block)
        result: Polynomial | None = {}
        for monomial, coefficient in (bound or {}).items():
            strange = [s for s in monomial if not agreed(self.evolution, s, level)]
            term: Polynomial | None = {monomial: coefficient}
            if strange:
                counts = len(monomial) == 1 and isinstance(self.evolution.symbols[monomial[0]].of, Loop)
                inner = self._most(monomial[0], place, level, depth + 1) if counts else None
                term = {} if counts and coefficient < 0 else None if inner is None else _scaled(inner, coefficient)
            result = None if result is None or term is None else add(result, term)
        return result if bound is not None else None

    # --- the distance

    def _measure(self, first: AccessPlace, second: AccessPlace, level: LoopLevel, least: dict[int, int]) -> _Distance:
        """second - first."""
        result = _Distance()
        counter = self.evolution.iteration(level.later) if level.later is not None else -1
        for monomial in sorted({*first.offset, *second.offset}):
            a, b = first.offset.get(monomial, 0), second.offset.get(monomial, 0)
            strange = [s for s in monomial if not agreed(self.evolution, s, level)]
            if not strange:
                if a != b:
                    result.fixed = add(result.fixed, {monomial: b - a})
            elif strange == [counter] and (a == b or monomial == (counter,)):
                rest = tuple(s for s in monomial if s != counter)
                result.stride = add(result.stride, {rest: b} if b else {})
                if a != b:
                    result.spread(b - a, self._most(counter, first, level))
            else:
                for coefficient, place in ((b, second), (-a, first)):
                    if coefficient:
                        self._unknown(result, coefficient, monomial, strange, place, level, least)
        return result

    def _unknown(
        self,
        result: _Distance,
        coefficient: int,
        monomial: Monomial,
        strange: list[int],
        place: AccessPlace,
        level: LoopLevel,
        least: dict[int, int],
    ) -> None:
        """Add a term the executions do not share: an iteration number, perhaps times agreed factors that are not negative."""
        counts = len(strange) == 1 and isinstance(self.evolution.symbols[strange[0]].of, Loop)
        factors = tuple(s for s in monomial if s not in strange)
        if not counts or any(least.get(s, -1) < 0 for s in factors):
            result.spread(coefficient, None, counted=False)
            return
        most = self._most(strange[0], place, level)
        result.spread(coefficient, multiply({factors: 1}, most) if most is not None and factors else most)

    # --- proofs that no distance is in the way

    def _misses(self, distance: _Distance, below: int, above: int, first: AccessPlace, level: LoopLevel) -> bool:
        """By residue, or by solving for d when nothing else is unknown."""
        start = distance.fixed.get((), 0)
        stride = distance.stride.get((), 0)
        exact = distance.step == 0 and set(distance.fixed) <= {()} and set(distance.stride) <= {()}
        if exact and stride:
            most = self._most(self.evolution.iteration(level.later), first, level) if level.later is not None else None
            last = most.get((), 0) if most is not None and set(most) <= {()} else None
            return not _hits(start, stride, below, above, last)
        step = gcd(distance.step, *(c for m, c in distance.fixed.items() if m), *(c for c in distance.stride.values()))
        if step == 0:
            return not below < start < above
        return below + 1 + (start - below - 1) % step >= above


def _hits(start: int, stride: int, below: int, above: int, last: int | None) -> bool:
    """Whether some d from 1 to `last` gives below < start + stride · d < above."""
    if stride < 0:
        start, stride, below, above = -start, -stride, -above, -below
    d = max(1, (below - start) // stride + 1)
    return start + stride * d < above and (last is None or d <= last)


def _always_above(distance: _Distance, above: int | None, least: dict[int, int]) -> bool:
    if above is None or distance.low is None or not _never_negative(distance.stride, least):
        return False
    lowest = add(add(distance.fixed, distance.stride), distance.low)
    return _never_negative(add(lowest, constant(-above)), least)


def _always_below(distance: _Distance, below: int | None, least: dict[int, int]) -> bool:
    if below is None or distance.high is None or not _never_negative(_scaled(distance.stride, -1), least):
        return False
    highest = add(add(distance.fixed, distance.stride), distance.high)
    return _never_negative(add(constant(below), highest, -1), least)


def _never_negative(polynomial: Polynomial, least: dict[int, int]) -> bool:
    total = 0
    for monomial, coefficient in polynomial.items():
        product = coefficient
        for number in monomial:
            bound = least.get(number, -1)
            if bound < 0 or coefficient < 0:
                return False
            product *= bound
        total += product
    return total >= 0


def _scaled(polynomial: Polynomial, factor: int) -> Polynomial:
    return {m: c * factor for m, c in polynomial.items()}


def _learn(most: Polynomial | None, least: dict[int, int]) -> None:
    """An iteration number lies between 0 and `most`; if that is one symbol plus a constant, the symbol is bounded below."""
    if most is None:
        return
    symbols = [m for m in most if m]
    if len(symbols) == 1 and len(symbols[0]) == 1 and most[symbols[0]] == 1:
        number = symbols[0][0]
        least[number] = max(least.get(number, -(1 << 62)), -most.get((), 0))


def agreed(evolution: Evolution, symbol: int, level: LoopLevel) -> bool:
    """Whether the symbol has the same value in both executions."""
    home = evolution.homes[symbol]
    if home is None:
        return True
    if level.any_time:
        return False
    if level.later is not None:
        return not level.later.encloses(home) and home.encloses(level.later)
    return level.common is not None and home.encloses(level.common)


def difference(first: Polynomial, second: Polynomial) -> int | None:
    """second - first when it is a constant."""
    rest = add(second, first, -1)
    return rest.get((), 0) if set(rest) <= {()} else None

"""May two accesses off one base touch, when one executes after the other?

Dependence testing by levels (Allen and Kennedy, 2001): execution B after A either happens in the same iteration of
all common loops ("level SAME"), or first differs in loop k, where B is d >= 1 iterations later. At each level the
distance D of the two addresses is a polynomial in which symbols both executions agree on cancel; what remains is an
interval, a residue and a multiple of d. The accesses are apart when no D of that form lies between them. "No" is a
proof, "yes" is not.

Symbolic strides are understood in one shape: rows of a matrix, stride = c · T for the trip count T of the loop over a
row.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd

from enzyme_magic.backend.analysis.affine import Evolution, Monomial, Polynomial, add
from enzyme_magic.backend.analysis.loops import Loop


@dataclass(frozen=True, slots=True)
class Level:
    """`later` is the loop in which the second execution is at least one iteration ahead; `common` the innermost loop that has
    both instructions. Both None with `any_time`: nothing is known about when."""

    later: Loop | None
    common: Loop | None
    any_time: bool = False


ANY_TIME = Level(None, None, any_time=True)


@dataclass(slots=True)
class _Distance:
    """D = constant + stride · d + (a value in [low, high], multiple of `step`)."""

    constant: int = 0
    stride: int = 0
    low: int | None = 0
    high: int | None = 0
    step: int = 0

    def spread(self, coefficient: int, least: int | None, most: int | None) -> None:
        """Add coefficient · x for an unknown x between `least` and `most`."""
        bounds = (least, most) if coefficient > 0 else (most, least)
        self.low = _sum(self.low, coefficient, bounds[0])
        self.high = _sum(self.high, coefficient, bounds[1])
        self.step = gcd(self.step, abs(coefficient))


def _sum(total: int | None, coefficient: int, bound: int | None) -> int | None:
    return None if total is None or bound is None else total + coefficient * bound


def may_touch(
    evolution: Evolution,
    first: Polynomial,
    size: int | None,
    second: Polynomial,
    low: int | None,
    high: int | None,
    level: Level,
) -> bool:
    """Whether bytes [low, high) around `second` may meet bytes [0, size) at `first` at this level (None: no bound)."""
    distance = _measure(evolution, first, second, level)
    above = None if low is None or size is None else size - low  # apart when D >= above
    below = None if high is None else -high  # apart when D <= below
    if distance is None:
        return True
    if distance.stride:
        if distance.step == 0 and above is not None and below is not None:
            return _hits(distance.constant, distance.stride, below, above)
        distance.spread(distance.stride, 1, None)
    return not _apart(distance, below, above)


def _hits(constant: int, stride: int, below: int, above: int) -> bool:
    """Whether some d >= 1 gives below < constant + stride · d < above."""
    if stride < 0:
        constant, stride, below, above = -constant, -stride, -above, -below
    d = max(1, (below - constant) // stride + 1)
    return constant + stride * d < above


def _apart(distance: _Distance, below: int | None, above: int | None) -> bool:
    if above is not None and distance.low is not None and distance.constant + distance.low >= above:
        return True
    if below is not None and distance.high is not None and distance.constant + distance.high <= below:
        return True
    if above is None or below is None:
        return False
    if distance.step == 0:
        return not below < distance.constant < above
    candidate = below + 1 + (distance.constant - below - 1) % distance.step
    return candidate >= above


def _measure(evolution: Evolution, first: Polynomial, second: Polynomial, level: Level) -> _Distance | None:
    """The distance second - first; None when nothing can be said."""
    result = _Distance()
    counter = evolution.iteration(level.later) if level.later is not None else -1
    for monomial in sorted({*first, *second}):
        a, b = first.get(monomial, 0), second.get(monomial, 0)
        if not monomial:
            result.constant = b - a
        elif all(agreed(evolution, s, level) for s in monomial):
            if a != b:
                result.spread(b - a, None, None)
        elif monomial == (counter,):
            result.stride += b
            if a != b:
                result.spread(b - a, 0, None)
        else:
            least = 0 if _counts(evolution, monomial) else None
            for coefficient in (b, -a):
                if coefficient:
                    result.spread(coefficient, least, None)
    return result


def agreed(evolution: Evolution, symbol: int, level: Level) -> bool:
    """Whether the symbol has the same value in both executions."""
    home = evolution.homes[symbol]
    if home is None:
        return True
    if level.any_time:
        return False
    if level.later is not None:
        return not level.later.encloses(home) and home.encloses(level.later)
    return level.common is not None and home.encloses(level.common)


def _counts(evolution: Evolution, monomial: Monomial) -> bool:
    return len(monomial) == 1 and isinstance(evolution.symbols[monomial[0]].of, Loop)


def difference(first: Polynomial, second: Polynomial) -> int | None:
    """second - first when it is a constant."""
    rest = add(second, first, -1)
    return rest.get((), 0) if not rest or set(rest) == {()} else None

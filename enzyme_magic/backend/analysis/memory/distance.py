"""May two accesses off one base touch, when one executes after the other?

Dependence testing by levels (Allen and Kennedy, 2001): execution B after A either happens in the same iteration of all
common loops, or first differs in loop k, where B is d >= 1 iterations later. At each level the distance D of the two
addresses is a polynomial in which symbols both executions agree on cancel; what remains is bounded by the loops' own
tests (`extremes`; which settles rows of a matrix: stride n, columns below n, and triangles: j < i) and has a known residue.
The accesses are apart when no such D lies between them. "No" is a proof, "yes" is not.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd

from enzyme_magic.backend.analysis.counts.affine import Evolution, Polynomial, add, constant
from enzyme_magic.backend.analysis.counts.bounds import Bounds
from enzyme_magic.backend.analysis.memory.extremes import AHEAD, ExecutionPair
from enzyme_magic.backend.ir.graphs.loops import Loop
from enzyme_magic.backend.ir.values import Block


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
        pair = ExecutionPair(
            self.evolution,
            self.bounds,
            first.block,
            second.block,
            lambda symbol: agreed(self.evolution, symbol, level),
            level.later,
        )
        distance = pair.distance(first.offset, second.offset)
        if distance is None:
            return True
        above = None if second.low is None or first.high is None else first.high - second.low  # apart when D >= above
        below = None if second.high is None or first.low is None else first.low - second.high  # apart when D <= below
        if above is not None and below is not None and self._misses(distance, below, above, second, level):
            return False
        if above is not None and pair.never_negative(add(distance, constant(-above))):
            return False
        return below is None or not pair.never_negative(add(constant(below), distance, -1))

    def _misses(self, distance: Polynomial, below: int, above: int, second: AccessPlace, level: LoopLevel) -> bool:
        """By residue, or by solving for the number of iterations ahead when nothing else is unknown."""
        start = distance.get((), 0)
        unknown = {monomial for monomial in distance if monomial}
        if unknown == {(AHEAD,)}:
            return not _hits(start, distance[AHEAD,], below, above, self._last(second, level))
        step = gcd(*(distance[monomial] for monomial in unknown))
        if step == 0:
            return not below < start < above
        return below + 1 + (start - below - 1) % step >= above

    def _last(self, second: AccessPlace, level: LoopLevel) -> int | None:
        """The most iterations that the second execution can be ahead, where that is a number."""
        if level.later is None or second.block is None or second.block not in level.later.blocks:
            return None
        most = self.bounds.most(level.later, second.block)
        return most.get((), 0) if most is not None and set(most) <= {()} else None


def _hits(start: int, stride: int, below: int, above: int, last: int | None) -> bool:
    """Whether some d from 1 to `last` gives below < start + stride · d < above."""
    if stride < 0:
        start, stride, below, above = -start, -stride, -above, -below
    d = max(1, (below - start) // stride + 1)
    return start + stride * d < above and (last is None or d <= last)


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

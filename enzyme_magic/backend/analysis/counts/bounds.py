"""How far a loop's iteration number can go, as a polynomial.

Read off the loop's own test: while `start + k < bound` holds on the way from the header into the body, iteration k of
the body has k <= bound - start - 1. Where the test is `!=`, k reaches the bound from below or the loop runs for 2^64
iterations, which no machine finishes (narrow counters are recurrences only under no-wrap flags, see `affine`). That
argument, and reading 64-bit unsigned bounds as signed, needs the test to be the only way out of the loop.

Not understood: tests that are not linear in the iteration number, and loops that stop for another reason first (the
bound still holds).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from enzyme_magic.backend.analysis.counts.affine import SIGNED, UNSIGNED, Evolution, Polynomial, add, constant
from enzyme_magic.backend.ir.graphs.loops import Loop
from enzyme_magic.backend.ir.instructions import Branch, Compare
from enzyme_magic.backend.ir.predicates import INVERSE, SWAPPED
from enzyme_magic.backend.ir.types import IntType
from enzyme_magic.backend.ir.values import Block


@dataclass(slots=True, eq=False)
class Bounds:
    """Upper bounds of iteration numbers for the loops of one function."""

    evolution: Evolution
    _known: dict[tuple[Loop, bool], Polynomial | None] = field(default_factory=dict)

    def most(self, loop: Loop, block: Block) -> Polynomial | None:
        """The largest iteration number of `loop` with which `block` (inside it) is executed; the header runs in iteration 0
        whatever the bound is (`covers_first`)."""
        return self._bound(loop, block is loop.header)

    def covers_first(self, loop: Loop) -> bool:
        """Whether the bound of the header holds for iteration 0 too: its test `i < n` may fail at once, with n far below."""
        found = self._test(loop, loop.header)
        return loop.latches == [loop.header] or found is None or found[0] == "ne"

    def _bound(self, loop: Loop, in_header: bool) -> Polynomial | None:
        key = (loop, in_header)
        if key not in self._known:
            self._known[key] = self._find(loop, in_header)
        return self._known[key]

    def _find(self, loop: Loop, in_header: bool) -> Polynomial | None:
        at_top = self._last_at(loop, loop.header)
        if at_top is not None:
            return add(at_top, constant(1)) if in_header else at_top
        if len(loop.latches) == 1 and loop.latch is not loop.header:
            return self._from_latch(loop)
        return self._from_latch(loop) if loop.latches == [loop.header] else None

    def _from_latch(self, loop: Loop) -> Polynomial | None:
        """A test at the bottom: the last iteration is one more than the last that went on. Only `!=` proves that even the first
        iteration is within the bound."""
        found = self._test(loop, loop.latch)
        if found is None or found[0] != "ne":
            return None
        last = self._solve("ne", found[1], found[2], loop)
        return None if last is None else add(last, constant(1))

    def _last_at(self, loop: Loop, block: Block) -> Polynomial | None:
        """The largest k for which the test in `block` lets iteration k go on."""
        found = self._test(loop, block)
        return None if found is None or loop.latches == [block] else self._solve(*found, loop)

    def _test(self, loop: Loop, block: Block) -> tuple[str, Polynomial, Polynomial] | None:
        """(predicate, left, right) that holds when `block` stays in the loop."""
        last = block.instructions[-1]
        if not isinstance(last, Branch) or len(last.targets) != 2:
            return None
        test = last.operands[0]
        stays = [target in loop.blocks for target in last.targets]
        if not isinstance(test, Compare) or stays[0] == stays[1] or not isinstance(test.operands[0].type, IntType):
            return None
        predicate = test.predicate if stays[0] else INVERSE.get(test.predicate, "")
        wide = test.operands[0].type.bits >= 64
        if predicate not in INVERSE or (len(loop.exits) > 1 and (predicate == "ne" or (predicate[0] == "u" and wide))):
            return None
        counter = (self.evolution.iteration(loop),)
        ways = (UNSIGNED,) if predicate[0] == "u" else (SIGNED,) if predicate[0] == "s" else (SIGNED, UNSIGNED)
        for widened in ways:
            left, right = (self.evolution.integer(v, widened) for v in test.operands)
            if counter in right and counter not in left:
                left, right, predicate = right, left, SWAPPED.get(predicate, predicate)
            if counter in left and counter not in right:
                return predicate, left, right
        return None

    def _solve(self, predicate: str, left: Polynomial, right: Polynomial, loop: Loop) -> Polynomial | None:
        """The largest k with `left(k) predicate right`, for left = start ± k; counting towards the bound."""
        counter = (self.evolution.iteration(loop),)
        step = left[counter]
        start = {m: c for m, c in left.items() if m != counter}
        if (
            step not in (1, -1)
            or not self.evolution.invariant(start, loop)
            or not self.evolution.invariant(right, loop)
        ):
            return None
        gap = add(right, start, -1) if step == 1 else add(start, right, -1)
        towards = {"slt": 1, "ult": 1, "sle": 0, "ule": 0} if step == 1 else {"sgt": 1, "ugt": 1, "sge": 0, "uge": 0}
        if predicate == "ne":
            return add(gap, constant(-1))
        return add(gap, constant(-towards[predicate])) if predicate in towards else None

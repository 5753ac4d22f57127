"""Which iterations of which loops a block runs in, in formulas of the function's integer parameters.

Invariant: what is said holds for parameters of 0 or more, unless the call ends abnormally (abort, exit, a loop that never ends).
Numbers that wrap around are taken care of by conditions, never ignored. What depends on data, or has no formula, has no answer.

A formula may suppose more than it says (an unsigned reading that must not be negative): `supposed` collects that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from enzyme_magic.backend.analysis.counts.affine import SIGNED, UNSIGNED, Evolution, Polynomial, add, constant
from enzyme_magic.backend.analysis.counts.formula import (
    Formula,
    at_least_zero,
    floor_divide,
    name,
    number,
    surely_counts,
)
from enzyme_magic.backend.analysis.counts.tripcount import conditions, trip_count
from enzyme_magic.backend.ir import intrinsics
from enzyme_magic.backend.ir.graphs import loops
from enzyme_magic.backend.ir.graphs.dominators import DominatorTree, PostDominatorTree
from enzyme_magic.backend.ir.graphs.loops import Loop
from enzyme_magic.backend.ir.instructions import Binary, Branch, Call, Compare
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.predicates import INVERSE
from enzyme_magic.backend.ir.types import IntType
from enzyme_magic.backend.ir.values import Argument, Block, ConstantInt, Value

DEEPEST = 8


@dataclass(frozen=True, slots=True, eq=False)
class VisitCount:
    """One visit of a loop: its tests, in blocks `tests`, let it stay `steps` times, if `when` are 0 or more."""

    steps: Formula
    tests: frozenset[Block]
    when: tuple[Formula, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """What must be 0 or more for a block to run in given iterations of the loops around it, and the blocks with loop tests that
    come before it."""

    when: tuple[Polynomial, ...] = ()
    tested: frozenset[Block] = frozenset()


@dataclass(slots=True)
class Visits:
    """Answers for one function. names: what its integer arguments are called in formulas."""

    function: Function
    evolution: Evolution
    names: Mapping[Argument, str]
    supposed: list[Formula] = field(default_factory=list)
    _paths: dict[Block, Path | None] = field(default_factory=dict)
    _counts: dict[Block, VisitCount | None] = field(default_factory=dict)
    _post_dominators: PostDominatorTree | None = None
    _depth: int = 0

    @classmethod
    def of(cls, function: Function, layout: DataLayout, names: Mapping[Argument, str]) -> Visits | None:
        """None for irreducible control flow."""
        dominators = DominatorTree.of(function)
        evolution = Evolution(layout, loops.find(function, dominators), dominators)
        return None if evolution.loops.irreducible is not None else cls(function, evolution, names)

    def around(self, block: Block | None) -> Iterator[Loop]:
        """The loops around a block, innermost first."""
        loop = self.evolution.loops.of(block)
        while loop is not None:
            yield loop
            loop = loop.parent

    # --- loops

    def count(self, loop: Loop) -> VisitCount | None:
        if loop.header not in self._counts:
            supposed, self.supposed = self.supposed, []
            self._counts[loop.header] = self._find_count(loop)
            self.supposed = supposed
        return self._counts[loop.header]

    def _find_count(self, loop: Loop) -> VisitCount | None:
        """Only for loops whose every way out is counted."""
        count = trip_count(loop, self.evolution)
        if count is None or not count.complete:
            return None
        steps: Formula | None = None
        when: tuple[Formula, ...] = ()
        for way_out in count.exits:
            quotients = (count.steps(way_out, self.evolution, reading) for reading in way_out.readings)
            found = next(
                ((p, d) for q in quotients if q is not None for p, d in [(self.formula(q[0]), q[1])] if p is not None),
                None,
            )
            if found is None or found[0] is None:
                return None
            distance, size = found
            if way_out.kind == "ne":  # a bound already passed is met after wrapping around
                here = floor_divide(distance, size)
                if here.times(size) != distance:
                    return None
                when += (here,)
            else:
                here = at_least_zero(floor_divide(distance, size))
            steps = here if steps is None else steps - at_least_zero(steps - here)
        when += tuple(self.supposed)
        return None if steps is None else VisitCount(steps, frozenset(way.block for way in count.exits), when)

    # --- when a block runs

    def path(self, block: Block) -> Path | None:
        if block not in self._paths:
            chain: list[Block] = []
            current: Block | None = block
            while current is not None and current not in self._paths:
                chain.append(current)
                current = self.evolution.dominators.idom.get(current)
            path = Path() if current is None else self._paths[current]
            for step in reversed(chain):
                path = self._step(current, step, path) if current is not None else Path()
                self._paths[step] = path
                current = step
        return self._paths[block]

    def _step(self, block: Block, below: Block, path: Path | None) -> Path | None:
        """From a block to one it immediately dominates."""
        if path is None:
            return None
        loop = self.evolution.loops.of(block)
        alive = [b for b in dict.fromkeys(block.successors) if b.terminator.opcode != "unreachable"]
        if loop is not None and below not in loop.blocks:
            return self._left(block, below, loop, path)
        if alive == [below]:
            return path
        if loop is not None and any(block is exiting for exiting, _ in loop.exits):
            count = self.count(loop)
            if count is None or block not in count.tests:
                return None
            return Path(path.when, path.tested | {block})
        if self._post_dominators is None:
            self._post_dominators = PostDominatorTree.of(self.function)
        if self._post_dominators.dominates(below, block):
            return path
        if below not in alive or not isinstance(block.terminator, Branch) or len(alive) != 2:
            return None
        asked = self._asked(block.terminator, below)
        return None if asked is None else Path(path.when + asked, path.tested)

    def _left(self, block: Block, below: Block, loop: Loop, path: Path) -> Path | None:
        """Behind a loop with one way out: as sure as the loop's own start, whatever the last iteration was."""
        ways = {(exiting, target) for exiting, target in loop.exits if target.terminator.opcode != "unreachable"}
        if ways != {(block, below)} or loop.preheader is None:
            return None
        return self.path(loop.preheader)

    def _asked(self, branch: Branch, below: Block) -> tuple[Polynomial, ...] | None:
        """Polynomials so that `branch` goes to `below` if all of them are 0 or more."""
        asked: list[Polynomial] = []
        for test, holds in conditions(branch.operands[0], below is branch.targets[0]):
            found = self._of_test(test, holds)
            if found is None:
                return None
            asked += found
        return tuple(asked)

    def _of_test(self, test: Value, holds: bool) -> list[Polynomial] | None:
        if not isinstance(test, Compare) or test.opcode != "icmp" or not isinstance(test.operands[0].type, IntType):
            return None
        predicate = test.predicate if holds else INVERSE[test.predicate]
        reading = SIGNED if predicate[0] == "s" else UNSIGNED
        a, b = (self.evolution.integer(operand, reading) for operand in test.operands)
        if predicate == "eq":
            return [add(a, b, -1), add(b, a, -1)]
        if predicate == "ne":  # n != 0 asks for n > 0: sizes are not negative
            return [add(add(a, b, -1), constant(-1))]
        more = add(a, b, -1) if predicate[1] == "g" else add(b, a, -1)
        asked = [add(more, constant(-1)) if predicate[2] == "t" else more]
        return asked if reading == SIGNED else [*asked, a, b]  # below 0 it would have wrapped around

    # --- polynomials as formulas

    def formula(self, polynomial: Polynomial) -> Formula | None:
        """In integer parameters and iteration numbers; None where something else is in it."""
        result = Formula()
        for monomial, coefficient in polynomial.items():
            factor = number(coefficient)
            for symbol in monomial:
                found = self.evolution.symbols[symbol]
                of = found.of
                atom = name(counter(symbol)) if isinstance(of, Loop) else self._value(of, found.widened)
                if atom is None:
                    return None
                factor *= atom
            result += factor
        return result

    def _value(self, value: Value, widened: str) -> Formula | None:
        """A value that no polynomial describes: a parameter, or a maximum, a minimum or a quotient of formulas."""
        if isinstance(value, Argument):
            called = self.names.get(value)
            return name(called) if called is not None else None
        if self._depth > DEEPEST:
            return None
        self._depth += 1
        try:
            if isinstance(value, Binary) and value.opcode in ("add", "sub", "mul", "shl"):
                return self._read_as_signed(value, widened)
            if isinstance(value, Binary):
                return self._quotient(value)
            if isinstance(value, Call) and value.called_function is not None:
                return self._extremum(value, value.called_function.name)
            return None
        finally:
            self._depth -= 1

    def _read_as_signed(self, value: Binary, widened: str) -> Formula | None:
        """An unsigned reading is the signed one where that is 0 or more."""
        found = self.evolution.integer(value, SIGNED)
        if widened != UNSIGNED or any(self.evolution.symbols[s].of is value for monomial in found for s in monomial):
            return None
        formula = self.formula(found)
        if formula is not None:
            self.supposed.append(formula)
        return formula

    def _operand(self, value: Value) -> Formula | None:
        return self.formula(self.evolution.integer(value)) if isinstance(value.type, IntType) else None

    def _quotient(self, value: Binary) -> Formula | None:
        a, divisor = self._operand(value.operands[0]), value.operands[1]
        if a is None or not surely_counts(a) or not isinstance(divisor, ConstantInt):
            return None
        if value.opcode in ("lshr", "ashr") and 0 <= divisor.value < 63:
            return floor_divide(a, 1 << divisor.value)
        return floor_divide(a, divisor.value) if value.opcode in ("sdiv", "udiv") and divisor.value > 0 else None

    def _extremum(self, value: Call, called: str) -> Formula | None:
        kind = intrinsics.word(called)
        if kind not in ("smax", "smin", "umax", "umin"):
            return None
        a, b = (self._operand(operand) for operand in value.arguments[:2])
        if a is None or b is None or (kind[0] == "u" and not (surely_counts(a) and surely_counts(b))):
            return None
        above = at_least_zero(a - b)
        return b + above if kind.endswith("max") else a - above


def counter(symbol: int) -> str:
    """The name of an iteration number; no parameter is called so."""
    return f"#{symbol}"

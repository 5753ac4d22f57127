"""How often a block runs in one call of its function, as a formula in the function's integer parameters.

The header of a loop runs T times per visit (see `tripcount`). A block that every iteration passes before the test that ends the
loop runs T times too, one that every iteration but the last passes T - 1 times. Summed over the iterations of the loops around it,
that is a closed form whenever T is a polynomial of parameters and outer iteration numbers.

A loop whose test stands at its end is usually guarded: `if (n > 0) do … while (…)`. When the guard is the condition under which
T is 1 or more, both together run max(T, 0) times.

Invariant: an answer is an upper bound for parameters of 0 or more, and exact when it says so. Wrapping is not considered:
formulas are for people and for sizes, not for addressing memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from enzyme_magic.backend.analysis.counts.affine import SIGNED, UNSIGNED, Evolution, Polynomial, add, constant
from enzyme_magic.backend.analysis.counts.formula import (
    Formula,
    at_least_zero,
    at_most,
    floor_divide,
    least_of,
    name,
    number,
    stays_counting,
    sum_over,
    surely_counts,
    surplus_over,
    without_floor,
)
from enzyme_magic.backend.analysis.counts.tripcount import Exit, TripCount, conditions, trip_count
from enzyme_magic.backend.ir.graphs import cfg
from enzyme_magic.backend.ir.graphs.dominators import PostDominatorTree
from enzyme_magic.backend.ir.graphs.loops import Loop
from enzyme_magic.backend.ir.instructions import Binary, Branch, Call, Compare
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.predicates import INVERSE
from enzyme_magic.backend.ir.values import Argument, Block, ConstantInt, Value


@dataclass(frozen=True, slots=True)
class Runs:
    """`formula`: how often; an upper bound unless `exact`."""

    formula: Formula
    exact: bool


@dataclass(frozen=True, slots=True, eq=False)
class _Visit:
    """One visit of a loop. `header`: how often its header runs, `steps`: how often its test lets it stay. `test`: the block that
    ends it, None when there are several ways out. `entry`: the block that decides whether it is visited. `counted`: the block of
    the way out that says how often."""

    header: Formula
    steps: Formula
    test: Block | None
    entry: Block
    exact: bool
    counted: Block


@dataclass(slots=True)
class Executions:
    """Answers for one function. called(argument): its name in formulas."""

    function: Function
    evolution: Evolution
    called: Callable[[Argument], str]
    _visits: dict[Block, _Visit | None] = field(default_factory=dict)
    _predecessors: dict[Block, list[Block]] = field(default_factory=dict)
    _post_dominators: PostDominatorTree | None = None

    def of(self, block: Block) -> Runs | None:
        """How often `block` runs in one call; None where that is not known before the call."""
        loop = self.evolution.loops.of(block)
        here = self._per_visit(block, loop)
        return None if here is None else self._summed(here, loop)

    def of_header(self, loop_header: Block) -> Runs | None:
        """How often a loop's header runs in one call: its iterations in the sense of `tripcount`."""
        loop = self.evolution.loops.of(loop_header)
        visit = self._visit(loop) if loop is not None else None
        return None if visit is None else self._summed(Runs(visit.header, visit.exact), loop)

    def kept(self, block: Block, repeated: Sequence[Loop] = ()) -> Formula | None:
        """For how many values of `block` there is room on a tape: one per run where every iteration of its loop passes it, else one
        per iteration. None where that is not known before the call. repeated: loops of which all iterations share the room."""
        loop, once = self.evolution.loops.of(block), frozenset(found.header for found in repeated)
        here = self._per_visit(block, loop)
        runs = None if here is None else self._summed(here, loop, once)
        if (runs is None or not runs.exact) and loop is not None:
            visit = self._visit(loop)
            runs = None if visit is None else self._summed(Runs(visit.header, visit.exact), loop, once)
        return runs.formula if runs is not None and runs.exact else None

    def decided_by(self, loop_header: Block) -> Block | None:
        """The block whose branch decides whether the loop is visited; its preheader where nothing does, None where unknown."""
        loop = self.evolution.loops.of(loop_header)
        visit = self._visit(loop) if loop is not None else None
        return visit.entry if visit is not None else None

    def summed(self, block: Block, amount: Formula) -> Formula | None:
        """`amount`, which may speak of the iterations around `block`, added up over its runs in one call. None where that is not
        known before the call, or `block` is not certain to run in each iteration that is counted."""
        loop = self.evolution.loops.of(block)
        here = self._per_visit(block, loop)
        if here is None or not here.exact:
            return None
        each = here.formula
        inside = self._sum(amount, loop, each) if loop is not None else amount * each
        if inside is None:
            return None
        found = self._summed(Runs(inside, exact=True), loop)
        return found.formula if found is not None and found.exact else None

    # --- sums over outer loops

    def _summed(self, runs: Runs, loop: Loop | None, once: frozenset[Block] = frozenset()) -> Runs | None:
        """once: headers of loops whose iterations count as one."""
        formula, exact = runs.formula, runs.exact
        while loop is not None:
            visit = self._visit(loop)
            if visit is None:
                return None
            outer = self.evolution.loops.of(visit.entry)
            around = self._per_visit(visit.entry, outer)
            if around is None:
                return None
            exact = exact and around.exact
            if outer is not None:
                count = around.formula if outer.header not in once else _whether(formula, around.formula)
                summed = self._sum(formula, outer, count)
                if summed is None:
                    return None
                formula = summed
            loop = outer
        return Runs(at_least_zero(formula), exact)

    def _sum(self, summand: Formula, loop: Loop, count: Formula) -> Formula | None:
        counter = _counter(self.evolution.iteration(loop))
        if not stays_counting(summand, counter, count):
            summand = at_least_zero(summand)
        return sum_over(summand, counter, count if self._never_negative(count, loop) else at_least_zero(count))

    def _per_visit(self, block: Block, loop: Loop | None) -> Runs | None:
        """How often `block` runs in one visit of the innermost loop around it (in one call where there is none)."""
        dominates = self.evolution.dominators.dominates
        if loop is None:
            returning = [b for b in self.function.blocks if b.terminator.opcode == "ret"]
            return Runs(number(1), all(dominates(block, b) for b in returning))
        visit = self._visit(loop)
        if visit is None:
            return None
        if visit.test is None or not visit.exact:
            behind = block is not visit.counted and dominates(visit.counted, block)
            return Runs(visit.steps if behind else visit.header, exact=block is loop.header and visit.exact)
        if dominates(block, visit.test):
            return Runs(visit.header, exact=True)
        if dominates(visit.test, block):
            return Runs(visit.steps, exact=dominates(block, loop.latch))
        return Runs(visit.header, exact=False)

    # --- one loop

    def _visit(self, loop: Loop) -> _Visit | None:
        if loop.header not in self._visits:
            self._visits[loop.header] = None  # a loop does not count itself
            self._visits[loop.header] = self._find_visit(loop)
        return self._visits[loop.header]

    def _find_visit(self, loop: Loop) -> _Visit | None:
        count = trip_count(loop, self.evolution)
        if count is None or loop.preheader is None:
            return None
        limits = {way_out: limit for way_out in count.exits if (limit := self._limit(count, way_out)) is not None}
        ways = sorted(count.exits, key=lambda way_out: way_out in limits)  # a number says the least
        found = (
            self._left_by(loop, count, way_out, reading, limits) for way_out in ways for reading in way_out.readings
        )
        return next((visit for visit in found if visit is not None), None)

    def _limit(self, count: TripCount, way_out: Exit) -> int | None:
        """How often a way out lets the loop stay, where that is a number: `i < 64`."""
        quotient = count.steps(way_out, self.evolution, way_out.readings[0])
        distance = self.formula(quotient[0]) if quotient is not None else None
        if quotient is None or distance is None or distance.constant is None:
            return None
        return max(int(distance.constant // quotient[1]), 0)

    def _left_by(
        self, loop: Loop, count: TripCount, way_out: Exit, reading: str, limits: Mapping[Exit, int]
    ) -> _Visit | None:
        """By one way out. limits: those that are numbers; where they are all others of the same test, the least of them counts,
        too: `i < n && i < 64`."""
        quotient = count.steps(way_out, self.evolution, reading)
        polynomial = self.formula(quotient[0]) if quotient is not None else None
        if quotient is None or polynomial is None or loop.preheader is None:
            return None
        distance, size = polynomial, quotient[1]
        if (bare := least_of(polynomial)) is not None and (guard := self._guard(loop, bare)) is not None and guard[1]:
            distance = polynomial = bare  # where the loop is visited, it is no less
        others = [other for other in count.exits if other is not way_out]
        exact = count.complete and all(other in limits and other.block is way_out.block for other in others)
        steps, header = floor_divide(distance, size), floor_divide(distance + number(size), size)
        if others and (known := [limits[other] for other in others if other in limits]):
            steps, header = at_most(steps, min(known)), at_most(header, min(known) + 1)
        test = way_out.block if exact else None
        guard = self._guard(loop, polynomial)
        if guard is not None and guard[1]:
            return _Visit(header, steps, test, guard[0], exact, way_out.block)
        if self._never_negative(polynomial, loop):
            return _Visit(header, steps, test, loop.preheader, exact, way_out.block)
        if guard is not None:
            return _Visit(header, steps, test, guard[0], False, way_out.block)
        steps = at_least_zero(steps)
        return _Visit(steps + number(1), steps, test, loop.preheader, exact, way_out.block)

    def _never_negative(self, formula: Formula, loop: Loop) -> bool:
        """Whether the formula is 0 or more in every iteration of the loop around `loop`."""
        if surely_counts(formula):
            return True
        outer = loop.parent
        around = self._visit(outer) if outer is not None else None
        if outer is None or around is None:
            return False
        counter = _counter(self.evolution.iteration(outer))
        inside = around.test is not None and loop.preheader is not None
        passed = inside and self.evolution.dominators.dominates(around.test, loop.preheader)  # type: ignore[arg-type]
        return stays_counting(formula, counter, around.steps if passed else around.header)

    def _guard(self, loop: Loop, formula: Formula) -> tuple[Block, bool] | None:
        """The block whose branch lets the loop be visited only if `formula` is 0 or more; and whether always then."""
        assert loop.preheader is not None
        below = loop.preheader
        while True:
            block = self.evolution.dominators.idom.get(below)
            if block is None:
                return None
            around = self.evolution.loops.of(block)
            if around is None or around.encloses(loop):
                tests = self._known_below(block, loop.preheader)
                same = self._matching(tests, without_floor(formula))
                if same is not None:
                    leaves = around is not None and any(block is exiting for exiting, _ in around.exits)
                    if around is not loop.parent or leaves:
                        return loop.preheader, True  # the branch decides about the loops around it
                    return block, same and self._always_on(tests, block, loop.preheader)
            below = block

    def _known_below(self, block: Block, below: Block) -> list[tuple[Value, bool]]:
        """What the branch of `block` has decided wherever `below` is reached."""
        branch = block.terminator
        if not isinstance(branch, Branch) or len(set(branch.targets)) != 2:
            return []
        for target in branch.targets:
            if self._preceding(target) == [block] and self.evolution.dominators.dominates(target, below):
                return list(conditions(branch.operands[0], target is branch.targets[0]))
        return []

    def _always_on(self, tests: list[tuple[Value, bool]], block: Block, below: Block) -> bool:
        """Whether `below` is reached whenever the one test of `block` says so."""
        if self._post_dominators is None:
            self._post_dominators = PostDominatorTree.of(self.function)
        branch = block.terminator
        targets = [t for t in branch.successors if self.evolution.dominators.dominates(t, below)]
        return len(tests) == 1 and any(self._post_dominators.dominates(below, target) for target in targets)

    def _matching(self, tests: list[tuple[Value, bool]], formula: Formula) -> bool | None:
        """Whether some test says that the formula is 0 or more: True if it says just that, None if no test does."""
        for test, holds in tests:
            for polynomial in self._at_least_zero(test, holds):
                known = self.formula(polynomial)
                surplus = surplus_over(formula, without_floor(known)) if known is not None else None
                if surplus is not None and surplus >= 0:
                    return surplus == 0
        return None

    def _at_least_zero(self, test: Value, holds: bool) -> list[Polynomial]:
        """Polynomials that are 0 or more when `test` comes out as told."""
        if not isinstance(test, Compare) or test.opcode != "icmp":
            return []
        predicate = test.predicate if holds else INVERSE[test.predicate]
        reading = SIGNED if predicate[0] == "s" else UNSIGNED
        a, b = (self._read(operand, reading) for operand in test.operands)
        if a is None or b is None:
            return []
        above, below = add(a, b, -1), add(b, a, -1)
        if predicate == "ne":
            return [add(above, constant(-1)), add(below, constant(-1))]
        if predicate == "eq":
            return [above, below]
        more = above if predicate[1] == "g" else below
        return [add(more, constant(-1)) if predicate[2] == "t" else more]

    def _read(self, value: Value, reading: str) -> Polynomial | None:
        if hasattr(value.type, "bits"):
            return self.evolution.integer(value, reading)
        address = self.evolution.address(value)
        return add(self.evolution.symbol(address.base), address.offset)

    def _preceding(self, block: Block) -> list[Block]:
        if not self._predecessors:
            self._predecessors = cfg.predecessors(self.function)
        return list(dict.fromkeys(self._predecessors[block]))

    # --- polynomials as formulas

    def formula(self, polynomial: Polynomial) -> Formula | None:
        """In parameters and outer iteration numbers; None where something else is in it."""
        result = Formula()
        for monomial, coefficient in polynomial.items():
            factor = number(coefficient)
            for symbol in monomial:
                of = self.evolution.symbols[symbol].of
                atom = name(_counter(symbol)) if isinstance(of, Loop) else self._value(of)
                if atom is None:
                    return None
                factor *= atom
            result += factor
        return result

    def _value(self, value: Value, depth: int = 8) -> Formula | None:
        """An integer in parameters."""
        if isinstance(value, ConstantInt):
            return number(value.value)
        if isinstance(value, Argument):
            return name(self.called(value)) if hasattr(value.type, "bits") else None
        if isinstance(value, Binary) and depth:
            return self._binary(value, depth - 1)
        if isinstance(value, Call) and depth and value.called_function is not None:
            return self._extreme(value, value.called_function.name, depth - 1)
        return None

    def _binary(self, value: Binary, depth: int) -> Formula | None:
        a, b = (self._value(operand, depth) for operand in value.operands)
        if a is None or b is None:
            return None
        if value.opcode in ("add", "sub", "mul"):
            return a + b if value.opcode == "add" else a - b if value.opcode == "sub" else a * b
        divisor = b.constant
        if value.opcode == "shl":
            return a.times(1 << int(divisor)) if divisor is not None and 0 <= divisor < 63 else None
        if divisor is None or not surely_counts(a):
            return None
        if value.opcode in ("lshr", "ashr") and 0 <= divisor < 63:
            return floor_divide(a, 1 << int(divisor))
        return floor_divide(a, int(divisor)) if value.opcode in ("sdiv", "udiv") and divisor > 0 else None

    def _extreme(self, value: Call, called: str, depth: int) -> Formula | None:
        """max(a, c) or min(a, c) for a constant c."""
        kind = called.removeprefix("llvm.").partition(".")[0]
        if kind not in ("smax", "smin", "umin"):
            return None
        a, b = (self._value(operand, depth) for operand in value.arguments[:2])
        if a is None or b is None or b.constant is None:
            return None
        if kind == "smax":
            return at_least_zero(a - b) + b
        return at_most(a, int(b.constant)) if b.constant >= 0 and surely_counts(a) else None


def _whether(each: Formula, count: Formula) -> Formula:
    """1 where `count` is 1 or more, else 0; and 1 where `each` is then 0 anyway."""
    names = count.names
    alone = len(names) == 1 and len(count.terms) == 1 and all(isinstance(atom, str) for atom in count.atoms)
    if alone and not each.substitute(next(iter(names)), number(0)).terms:
        return number(1)
    return at_most(at_least_zero(count), 1)


def _counter(symbol: int) -> str:
    """The name of an iteration number; no parameter is called so."""
    return f"#{symbol}"

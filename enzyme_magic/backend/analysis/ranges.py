"""How much of a parameter's memory a call is certain to touch, as a formula in the function's integer parameters.

Method: a witness. An access counts when one particular execution of it (one iteration number per loop around it, each the first or
the last) happens in every call that meets stated conditions. Its address in that iteration is a formula; so is what the conditions
ask for. Whether more is touched does not matter: memory that ends before the witness is too short for certain.

Invariant: for integer parameters of 0 or more, below half their type's range, a `Need` whose `when` are all 0 or more is real: the
call touches byte `size` - 1 behind the pointer, unless it ends abnormally before (abort, exit, a loop that never ends). Nothing is
said of accesses that depend on data, in callees, or in loops with several ways out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product

from enzyme_magic.backend.analysis import assumed, loops
from enzyme_magic.backend.analysis.affine import SIGNED, UNSIGNED, Evolution, Polynomial, add, constant
from enzyme_magic.backend.analysis.formula import Formula, at_least_zero, floor_divide, name, number, surely_counts
from enzyme_magic.backend.analysis.loops import Loop
from enzyme_magic.backend.analysis.tripcount import INVERSE, conditions, trip_count
from enzyme_magic.backend.ir.dominators import DominatorTree, PostDominatorTree
from enzyme_magic.backend.ir.instructions import Binary, Branch, Call, Compare, Instruction, Load, Store
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import FloatType, IntType, Type
from enzyme_magic.backend.ir.values import Argument, Block, ConstantInt, Value

MOST_LOOPS = 3  # around one access; each doubles the witnesses
MOST_NEEDS = 8  # per parameter
MOST_ACCESSES = 2000  # per function
DEEPEST = 8


@dataclass(frozen=True, slots=True)
class Touch:
    """A need with the instruction that has it. size: bytes from the pointer; when: what must all be 0 or more."""

    argument: Argument
    size: Formula
    when: tuple[Formula, ...]
    instruction: Instruction
    writes: bool


@dataclass(frozen=True, slots=True, eq=False)
class _Count:
    """One visit of a loop: its tests, in blocks `tests`, let it stay `steps` times, if `when` are 0 or more."""

    steps: Formula
    tests: frozenset[Block]
    when: tuple[Formula, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Path:
    """What must be 0 or more for a block to run in given iterations of the loops around it, and the blocks with loop tests that
    come before it."""

    when: tuple[Polynomial, ...] = ()
    tested: frozenset[Block] = frozenset()


def touches(function: Function, layout: DataLayout, names: Mapping[Argument, str]) -> list[Touch]:
    """What calls of `function` touch for certain. names: what its integer arguments are called in formulas."""
    dominators = DominatorTree.of(function)
    evolution = Evolution(layout, loops.find(function, dominators), dominators)
    if evolution.loops.irreducible is not None:
        return []
    return _Witnesses(function, evolution, names).find()


@dataclass(slots=True)
class _Witnesses:
    function: Function
    evolution: Evolution
    names: Mapping[Argument, str]
    _paths: dict[Block, _Path | None] = field(default_factory=dict)
    _counts: dict[Block, _Count | None] = field(default_factory=dict)
    _post_dominators: PostDominatorTree | None = None
    _depth: int = 0
    _supposed: list[Formula] = field(default_factory=list)  # what formulas made so far suppose to be 0 or more

    def find(self) -> list[Touch]:
        found: dict[Argument, list[Touch]] = {}
        seen: set[tuple[Value, Block, frozenset[tuple[tuple[int, ...], int]]]] = set()
        for block in self.evolution.dominators.order:
            for instruction in block.instructions:
                for pointer, size, writes in self._accesses(instruction):
                    address = self.evolution.address(pointer)
                    end = add(address.offset, size)
                    key = (address.base, block, frozenset(end.items()))
                    if not isinstance(address.base, Argument) or key in seen or len(seen) > MOST_ACCESSES:
                        continue
                    seen.add(key)
                    known = found.setdefault(address.base, [])
                    for touch in self._witnesses(address.base, end, instruction, writes):
                        _keep(known, touch)
        return [touch for kept in found.values() for touch in kept[:MOST_NEEDS]]

    def _accesses(self, instruction: Instruction) -> Iterator[tuple[Value, Polynomial, bool]]:
        """(pointer, bytes, whether they are written)."""
        if isinstance(instruction, Load):
            yield instruction.pointer, constant(self._size(instruction.type)), False
        elif isinstance(instruction, Store):
            yield instruction.pointer, constant(self._size(instruction.value.type)), True
        elif isinstance(instruction, Call) and instruction.called_function is not None:
            called = instruction.called_function.name
            if called.startswith(("llvm.memset.", "llvm.memcpy.", "llvm.memmove.")):
                target, source, length = instruction.arguments[:3]
                size = self.evolution.integer(length, UNSIGNED)
                yield target, size, True
                if not called.startswith("llvm.memset."):
                    yield source, size, False

    def _size(self, type_: Type) -> int:
        """Bytes; of a long double those of an element, which no array ends within."""
        layout = self.evolution.layout
        return layout.size_of(type_) if isinstance(type_, FloatType) else layout.store_size(type_)

    # --- one access

    def _witnesses(
        self, argument: Argument, end: Polynomial, instruction: Instruction, writes: bool
    ) -> Iterator[Touch]:
        """Its needs: one per choice of first or last iteration that may matter."""
        block = instruction.parent
        path = self._path(block) if block is not None else None
        self._supposed = []
        size = self.formula(end)
        around = list(self._around(block))
        if path is None or size is None or len(around) > MOST_LOOPS:
            return
        when = [self.formula(polynomial) for polynomial in path.when]
        if any(condition is None for condition in when):
            return
        asked = tuple(condition for condition in when if condition is not None)
        if isinstance(instruction, Call):
            asked += (self._of_length(instruction),)
        asked += tuple(self._supposed)
        for last in product((True, False), repeat=len(around)):
            found = self._at(size, asked, around, last, path)
            if found is not None:
                yield Touch(argument, *found, instruction, writes)

    def _of_length(self, call: Call) -> Formula:
        """The length of a block operation, less one: it touches nothing where that is below 0."""
        found = self.formula(self.evolution.integer(call.arguments[2], UNSIGNED))
        return (found or number(0)) - number(1)

    def _around(self, block: Block | None) -> Iterator[Loop]:
        loop = self.evolution.loops.of(block)
        while loop is not None:
            yield loop
            loop = loop.parent

    def _at(
        self, size: Formula, when: tuple[Formula, ...], around: list[Loop], last: tuple[bool, ...], path: _Path
    ) -> tuple[Formula, tuple[Formula, ...]] | None:
        """`size` and `when` in the iterations chosen, innermost loop first; None where the choice cannot be the larger one."""
        for loop, at_end in zip(around, last, strict=True):
            count = self._count(loop)
            if count is None:
                return None
            counter = _counter(self.evolution.iteration(loop))
            direction = size.substitute(counter, name(counter) + number(1)) - size
            if at_end and (not direction.terms or surely_counts(direction.times(-1))):
                return None
            if not at_end and direction.terms and surely_counts(direction):
                return None
            passed = count.tests & path.tested
            if passed and passed != count.tests:
                return None
            final = count.steps - number(1) if passed else count.steps
            when += count.when
            if passed:
                when += (final,)
            chosen = final if at_end else number(0)
            size = size.substitute(counter, chosen)
            when = tuple(condition.substitute(counter, chosen) for condition in when)
        if any(found.startswith("#") for part in (size, *when) for found in part.names):
            return None
        needed = assumed.conditions(when)
        return None if needed is None else (assumed.simplified(size, needed), needed)

    # --- loops

    def _count(self, loop: Loop) -> _Count | None:
        if loop.header not in self._counts:
            supposed, self._supposed = self._supposed, []
            self._counts[loop.header] = self._find_count(loop)
            self._supposed = supposed
        return self._counts[loop.header]

    def _find_count(self, loop: Loop) -> _Count | None:
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
        when += tuple(self._supposed)
        return None if steps is None else _Count(steps, frozenset(way.block for way in count.exits), when)

    # --- when a block runs

    def _path(self, block: Block) -> _Path | None:
        if block not in self._paths:
            chain: list[Block] = []
            current: Block | None = block
            while current is not None and current not in self._paths:
                chain.append(current)
                current = self.evolution.dominators.idom.get(current)
            path = _Path() if current is None else self._paths[current]
            for step in reversed(chain):
                path = self._step(current, step, path) if current is not None else _Path()
                self._paths[step] = path
                current = step
        return self._paths[block]

    def _step(self, block: Block, below: Block, path: _Path | None) -> _Path | None:
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
            count = self._count(loop)
            if count is None or block not in count.tests:
                return None
            return _Path(path.when, path.tested | {block})
        if self._post_dominators is None:
            self._post_dominators = PostDominatorTree.of(self.function)
        if self._post_dominators.dominates(below, block):
            return path
        if below not in alive or not isinstance(block.terminator, Branch) or len(alive) != 2:
            return None
        asked = self._asked(block.terminator, below)
        return None if asked is None else _Path(path.when + asked, path.tested)

    def _left(self, block: Block, below: Block, loop: Loop, path: _Path) -> _Path | None:
        """Behind a loop with one way out: as sure as the loop's own start, whatever the last iteration was."""
        ways = {(exiting, target) for exiting, target in loop.exits if target.terminator.opcode != "unreachable"}
        if ways != {(block, below)} or loop.preheader is None:
            return None
        return self._path(loop.preheader)

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
                atom = name(_counter(symbol)) if isinstance(of, Loop) else self._value(of, found.widened)
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
            self._supposed.append(formula)
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
        kind = called.split(".")[1] if called.startswith("llvm.") else ""
        if kind not in ("smax", "smin", "umax", "umin"):
            return None
        a, b = (self._operand(operand) for operand in value.arguments[:2])
        if a is None or b is None or (kind[0] == "u" and not (surely_counts(a) and surely_counts(b))):
            return None
        above = at_least_zero(a - b)
        return b + above if kind.endswith("max") else a - above


def _keep(known: list[Touch], touch: Touch) -> None:
    """Add a touch, unless another one asks for as much under no other conditions; drop those it makes superfluous."""
    if any(_covers(other, touch) for other in known):
        return
    known[:] = [other for other in known if not _covers(touch, other)]
    known.append(touch)


def _covers(a: Touch, b: Touch) -> bool:
    return all(assumed.holds(condition, b.when) for condition in a.when) and assumed.holds(a.size - b.size, b.when)


def _counter(symbol: int) -> str:
    """The name of an iteration number; no parameter is called so."""
    return f"#{symbol}"

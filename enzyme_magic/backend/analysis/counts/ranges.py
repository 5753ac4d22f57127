"""How much of a parameter's memory a call is certain to touch, as a formula in the function's integer parameters.

Method: a witness. An access counts when one particular execution of it (one iteration number per loop around it, each the first or
the last) happens in every call that meets stated conditions. Its address in that iteration is a formula; so is what the conditions
ask for. Whether more is touched does not matter: memory that ends before the witness is too short for certain.

Invariant: for integer parameters of 0 or more, below half their type's range, a `MemoryNeed` whose `when` are all 0 or
more is real: the call touches byte `size` - 1 behind the pointer, unless it ends abnormally before (abort, exit, a loop
that never ends). Nothing is said of accesses that depend on data, in callees, or in loops with several ways out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from enzyme_magic.backend.analysis.counts import assumed
from enzyme_magic.backend.analysis.counts.affine import UNSIGNED, Evolution, Polynomial, add, constant
from enzyme_magic.backend.analysis.counts.formula import Formula, name, number, surely_counts
from enzyme_magic.backend.analysis.counts.visits import Path, Visits, counter
from enzyme_magic.backend.ir import intrinsics
from enzyme_magic.backend.ir.graphs.loops import Loop
from enzyme_magic.backend.ir.instructions import Call, Instruction, Load, Store
from enzyme_magic.backend.ir.types import FloatType, Type
from enzyme_magic.backend.ir.values import Argument, Block, Value

MOST_LOOPS = 3  # around one access; each doubles the witnesses
MOST_NEEDS = 8  # per parameter
MOST_ACCESSES = 300  # looked at per function


@dataclass(frozen=True, slots=True)
class Touch:
    """A need with the instruction that has it. size: bytes from the pointer; when: what must all be 0 or more."""

    argument: Argument
    size: Formula
    when: tuple[Formula, ...]
    instruction: Instruction
    writes: bool


def touches(visits: Visits) -> list[Touch]:
    """What every call touches."""
    return _Witnesses(visits).find()


@dataclass(slots=True)
class _Witnesses:
    visits: Visits

    @property
    def evolution(self) -> Evolution:
        return self.visits.evolution

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
        elif isinstance(instruction, Call) and (transfer := intrinsics.transfer(instruction)) is not None:
            target, source, length = instruction.arguments[:3]
            size = self.evolution.integer(length, UNSIGNED)
            yield target, size, True
            if transfer != "memset":
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
        path = self.visits.path(block) if block is not None else None
        self.visits.supposed = []
        size = self.visits.formula(end)
        around = list(self.visits.around(block))
        if path is None or size is None or len(around) > MOST_LOOPS:
            return
        when = [self.visits.formula(polynomial) for polynomial in path.when]
        if any(condition is None for condition in when):
            return
        asked = tuple(condition for condition in when if condition is not None)
        if isinstance(instruction, Call):
            asked += (self._of_length(instruction),)
        asked += tuple(self.visits.supposed)
        for last in product((True, False), repeat=len(around)):
            found = self._at(size, asked, around, last, path)
            if found is not None:
                yield Touch(argument, *found, instruction, writes)

    def _of_length(self, call: Call) -> Formula:
        """The length of a block operation, less one: it touches nothing where that is below 0."""
        found = self.visits.formula(self.evolution.integer(call.arguments[2], UNSIGNED))
        return (found or number(0)) - number(1)

    def _at(
        self, size: Formula, when: tuple[Formula, ...], around: list[Loop], last: tuple[bool, ...], path: Path
    ) -> tuple[Formula, tuple[Formula, ...]] | None:
        """`size` and `when` in the iterations chosen, innermost loop first; None where the choice cannot be the larger one."""
        for loop, at_end in zip(around, last, strict=True):
            count = self.visits.count(loop)
            if count is None:
                return None
            symbol = counter(self.evolution.iteration(loop))
            direction = size.substitute(symbol, name(symbol) + number(1)) - size
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
            size = size.substitute(symbol, chosen)
            when = tuple(condition.substitute(symbol, chosen) for condition in when)
        if any(found.startswith("#") for part in (size, *when) for found in part.names):
            return None
        needed = assumed.conditions(when)
        return None if needed is None else (assumed.simplified(size, needed), needed)


def _keep(known: list[Touch], touch: Touch) -> None:
    """Add a touch, unless another one asks for as much under no other conditions; drop those it makes superfluous."""
    if any(_covers(other, touch) for other in known):
        return
    known[:] = [other for other in known if not _covers(touch, other)]
    known.append(touch)


def _covers(a: Touch, b: Touch) -> bool:
    return all(assumed.holds(condition, b.when) for condition in a.when) and assumed.holds(a.size - b.size, b.when)

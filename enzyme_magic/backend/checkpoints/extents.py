"""Which bytes a loop may overwrite, as formulas that are known before it begins.

A write is covered by a `HeldRegion`: bytes around an address that does not change while the loop runs. Two proofs:

- the address is base + polynomial in the iteration numbers of inner loops, each of which runs from 0 to a bound that the loop does
  not change. A multilinear polynomial is extreme in the corners, so the run-time minimum and maximum over them bound the bytes. It
  counts only where the bytes are certain to be touched if the loop begins an iteration: a checkpoint must not read or write beside
  the array.
- the address points into local variables and allocated blocks of this function, of known sizes: each as a whole.

Everything else is refused, in words. Nothing is said here of what is read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from enzyme_magic.backend.analysis.counts.affine import SIGNED, UNSIGNED, Polynomial, constant, multiply
from enzyme_magic.backend.analysis.counts.bounds import Bounds
from enzyme_magic.backend.analysis.memory.alias import Alias
from enzyme_magic.backend.analysis.memory.memory_objects import MemoryObject
from enzyme_magic.backend.ir import intrinsics, locations
from enzyme_magic.backend.ir.graphs.dominators import DominatorTree
from enzyme_magic.backend.ir.graphs.loops import Loop
from enzyme_magic.backend.ir.instructions import Alloca, Branch, Call, Compare, Instruction, Load, Store
from enzyme_magic.backend.ir.types import IntType
from enzyme_magic.backend.ir.values import Block, Value
from enzyme_magic.backend.library.summary import ARGUMENT, ERRNO

MOST_COUNTERS = 3  # inner loops around one write; each doubles the corners
MOST_ACCESSES = 32  # for one base
SIZES = {"malloc": (0,), "calloc": (0, 1)}  # arguments whose product is the size of a block


class NotCheckpointed(Exception):
    """Why a loop is left as it is; the words follow "the loop at line 3 is not checkpointed: "."""


@dataclass(frozen=True, slots=True, eq=False)
class InnerCounter:
    """The iteration number of an inner loop (its symbol) goes from 0 to `most`; below 0, the loop does not run."""

    symbol: int
    most: Polynomial


@dataclass(frozen=True, slots=True)
class LoopGuard:
    """A condition that the loop does not change: `test` holds, or does not."""

    test: Compare
    holds: bool


@dataclass(frozen=True, slots=True, eq=False)
class WrittenSpan:
    """`size` bytes at `offset` from the base, for all values of the counters; nothing where a guard fails."""

    offset: Polynomial
    size: Polynomial
    counters: tuple[InnerCounter, ...] = ()
    guards: frozenset[LoopGuard] = frozenset()
    whole: bool = False  # of a local variable or block, which is there whatever the loop does


@dataclass(frozen=True, slots=True, eq=False)
class HeldRegion:
    """The bytes of one base that a checkpoint holds: from the lowest to the highest of all spans."""

    base: Value
    spans: tuple[WrittenSpan, ...]

    @property
    def is_affine(self) -> bool:
        """Whether its bytes are only there when the loop begins an iteration."""
        return any(not span.whole for span in self.spans)


@dataclass(slots=True, eq=False, repr=False)
class LoopExtents:
    """Of one loop in its function."""

    alias: Alias
    dominators: DominatorTree
    loop: Loop
    bounds: Bounds

    def regions(self) -> tuple[HeldRegion, ...]:
        """All that the loop may overwrite. NotCheckpointed where that is not known."""
        found: dict[Value, list[WrittenSpan]] = {}
        certain = list(self._certain())
        for instruction, pointer, size in self._writes():
            for base, span in self._spans(instruction, pointer, size, certain):
                known = found.setdefault(base, [])
                if not any(_same(span, other) for other in known):
                    known.append(span)
        if any(len(spans) > MOST_ACCESSES for spans in found.values()):
            raise NotCheckpointed("it writes one array at too many places")
        return tuple(HeldRegion(base, tuple(spans)) for base, spans in found.items())

    # --- writes

    def _writes(self) -> Iterator[tuple[Instruction, Value, Polynomial | None]]:
        """(instruction, pointer, bytes or None where they are unknown)."""
        for block in self._blocks():
            for instruction in block.instructions:
                if isinstance(instruction, Store):
                    size = self.alias.layout.store_size(instruction.value.type)
                    yield instruction, instruction.pointer, constant(size)
                elif isinstance(instruction, Call):
                    yield from self._written_by(instruction)

    def _written_by(self, call: Call) -> Iterator[tuple[Instruction, Value, Polynomial | None]]:
        if intrinsics.transfer(call) is not None:
            yield call, call.arguments[0], self.alias.evolution.integer(call.arguments[2], UNSIGNED)
            return
        function = call.called_function
        if function is None or intrinsics.is_marker(function.name):
            return
        for place in self.alias.effects.call_in(call, self.alias.points_to).writes:
            if place.kind == ARGUMENT and 0 <= place.index < len(call.arguments):
                yield call, call.arguments[place.index], None
            elif place.kind != ERRNO:
                raise NotCheckpointed(f"{_line(call)}{function.name} may write {place}")

    def _blocks(self) -> list[Block]:
        return [block for block in self.dominators.order if block in self.loop.blocks]

    # --- what one write covers

    def _spans(
        self,
        instruction: Instruction,
        pointer: Value,
        size: Polynomial | None,
        certain: list[tuple[Value, WrittenSpan]],
    ) -> list[tuple[Value, WrittenSpan]]:
        why = "where it writes depends on data"
        if size is not None:
            try:
                base, span = self._affine(instruction, pointer, size)
            except NotCheckpointed as refused:
                why = str(refused)
            else:
                assert instruction.parent is not None
                under = frozenset(self._guards_of(instruction.parent))
                for other, known in certain:
                    if base is other and _same(span, known) and known.guards <= under:
                        return [(base, known)]
                why = "it may end before it writes there, or writes there only sometimes"
        whole = [self._whole(item) for item in self.alias.base_objects(pointer)]
        if whole and all(item is not None for item in whole):
            return [item for item in whole if item is not None]
        what = self.alias.describe(pointer)
        raise NotCheckpointed(f"{_line(instruction)}{what} is overwritten, and its extent is not known: {why}")

    def _affine(self, instruction: Instruction, pointer: Value, size: Polynomial) -> tuple[Value, WrittenSpan]:
        evolution = self.alias.evolution
        address = evolution.address(pointer)
        if self._changes(address.base):
            raise NotCheckpointed("the address is computed in the loop")
        counters: dict[int, InnerCounter] = {}
        assert instruction.parent is not None
        for monomial in (*address.offset, *size):
            for symbol in monomial:
                self._count(symbol, instruction.parent, counters)
        if len(counters) > MOST_COUNTERS or any(
            monomial.count(symbol) > 1 for symbol in counters for monomial in address.offset
        ):
            raise NotCheckpointed("its index is too complicated")
        if any(symbol in counters for monomial in size for symbol in monomial):
            raise NotCheckpointed("the length changes in the loop")
        return address.base, WrittenSpan(address.offset, size, tuple(counters.values()))

    def _count(self, symbol: int, block: Block, counters: dict[int, InnerCounter]) -> None:
        """Note the counter that a symbol is; NotCheckpointed where the symbol is not known before the loop."""
        evolution = self.alias.evolution
        of = evolution.symbols[symbol].of
        if isinstance(of, Loop):
            if not self.loop.encloses(of) or of is self.loop:
                raise NotCheckpointed("each iteration writes another place")
            most = self.bounds.most(of, block)
            first = block is not of.header or self.bounds.covers_first(of)
            if len(of.exits) != 1 or most is None or not first or not self._is_known(most):
                raise NotCheckpointed("how far an inner loop runs is not known")
            counters[symbol] = InnerCounter(symbol, most)
        elif self._changes(of):
            raise NotCheckpointed("where it writes depends on data")

    def _changes(self, value: Value) -> bool:
        return isinstance(value, Instruction) and value.parent in self.loop.blocks

    def _whole(self, item: MemoryObject) -> tuple[Value, WrittenSpan] | None:
        """A local variable or block as a whole; None where its size is not known before the loop."""
        value = item.value
        if not isinstance(value, (Alloca, Call)) or value.parent is None or not item.local:
            return None
        if self._changes(value) or not self.dominators.dominates(value.parent, self.loop.header):
            return None
        if self.alias.loops.of(value.parent) is not None:
            return None  # one of many blocks
        if self._may_be_gone(item):
            return None
        evolution = self.alias.evolution
        if isinstance(value, Alloca):
            one = constant(self.alias.layout.size_of(value.allocated_type))
            size = multiply(one, evolution.integer(value.operands[0], UNSIGNED))
        else:
            function = value.called_function
            factors = SIZES.get(self.alias.effects.call_in(value, self.alias.points_to).allocates)
            if function is None or not function.is_declaration or factors is None:
                return None
            size = constant(1)
            for k in factors:
                size = multiply(size, evolution.integer(value.arguments[k], UNSIGNED)) if size is not None else None
        if size is None or any(isinstance(evolution.symbols[s].of, Loop) for m in size for s in m):
            return None
        return value, WrittenSpan({}, size, whole=True)

    def _may_be_gone(self, item: MemoryObject) -> bool:
        """Whether a block may be freed before the loop."""
        bit = 1 << self.alias.points_to.numbers[item]
        before = [b for b in self.dominators.order if self.alias.reach.after(b, self.loop.header)]
        accesses = (access for block in before for i in block.instructions for access in self.alias.writes(i))
        return item.kind == "allocation" and any(access.frees and access.mask & bit for access in accesses)

    # --- what is certain to be touched

    def _certain(self) -> Iterator[tuple[Value, WrittenSpan]]:
        """What every call touches that begins an iteration of the loop, where guards hold."""
        for block in self._blocks():
            guards = self._surely_runs(block)
            if guards is None:
                continue
            for instruction in block.instructions:
                for pointer, size in self._touched(instruction):
                    try:
                        base, span = self._affine(instruction, pointer, size)
                    except NotCheckpointed:
                        continue
                    yield base, replace(span, guards=guards)

    def _touched(self, instruction: Instruction) -> Iterator[tuple[Value, Polynomial]]:
        layout = self.alias.layout
        if isinstance(instruction, Load):
            yield instruction.pointer, constant(layout.store_size(instruction.type))
        elif isinstance(instruction, Store):
            yield instruction.pointer, constant(layout.store_size(instruction.value.type))
        elif isinstance(instruction, Call) and (transfer := intrinsics.transfer(instruction)) is not None:
            length = self.alias.evolution.integer(instruction.arguments[2], UNSIGNED)
            for pointer in instruction.arguments[: 1 if transfer == "memset" else 2]:
                yield pointer, length

    def _surely_runs(self, block: Block) -> frozenset[LoopGuard] | None:
        """The guards under which the block runs in each iteration of the loops around it up to this one; None where that is not
        known."""
        guards: set[LoopGuard] = set()
        level = self.alias.loops.of(block)
        while level is not None:
            start: Block | None = block
            while start is not None and not all(self.dominators.dominates(start, latch) for latch in level.latches):
                above = self.dominators.idom.get(start)
                guard = self._guard(above, start) if above is not None else None
                if guard is None and (above is None or above.successors != [start]):
                    return None
                guards.update([guard] if guard is not None else [])
                start = above
            if start is None or not all(self._is_before(start, source, level) for source, _ in level.exits):
                return None
            if level is self.loop:
                return frozenset(guards)
            outside = self.dominators.idom.get(level.header)
            if outside is None:
                return None
            block, level = outside, level.parent
        return None

    def _is_before(self, block: Block, source: Block, level: Loop) -> bool:
        """Whether an iteration that has begun runs `block` before it leaves the loop at `source`."""
        ends = source is level.header and block is not level.header
        return ends or self.dominators.dominates(block, source)

    def _guards_of(self, block: Block) -> Iterator[LoopGuard]:
        """The guards that hold wherever the block runs."""
        above = self.dominators.idom.get(block)
        while above is not None and above in self.loop.blocks:
            guard = self._guard(above, block)
            if guard is not None:
                yield guard
            block, above = above, self.dominators.idom.get(above)

    def _guard(self, block: Block, below: Block) -> LoopGuard | None:
        """The condition on which `block` goes to `below`, where the loop does not change it."""
        last = block.terminator
        if not isinstance(last, Branch) or len(last.targets) != 2 or below not in last.targets:
            return None
        test = last.operands[0]
        if last.targets[0] is last.targets[1] or not isinstance(test, Compare) or test.opcode != "icmp":
            return None
        if len([b for b in self.dominators.order if below in b.successors]) != 1:
            return None
        if not all(isinstance(o.type, IntType) and self._is_known(self.sides(test, o)) for o in test.operands):
            return None
        return LoopGuard(test, below is last.targets[0])

    def sides(self, test: Compare, operand: Value) -> Polynomial:
        """An operand of a test as an i64, read as the test reads it."""
        return self.alias.evolution.integer(operand, UNSIGNED if test.predicate[0] == "u" else SIGNED)

    def _is_known(self, polynomial: Polynomial) -> bool:
        """Whether its value is known before the loop."""
        symbols = [self.alias.evolution.symbols[s].of for monomial in polynomial for s in monomial]
        return not any(isinstance(of, Loop) or self._changes(of) for of in symbols)


def _same(a: WrittenSpan, b: WrittenSpan) -> bool:
    """Whether two spans are the same bytes, whatever the loops are whose counters they have."""
    if a.whole or b.whole:
        return a.whole and b.whole
    mosts = [{c.symbol: c.most for c in span.counters} for span in (a, b)]
    if len(a.counters) == len(b.counters) == 1 and a.counters[0].most == b.counters[0].most:
        renamed = {b.counters[0].symbol: a.counters[0].symbol}
        offset = {tuple(sorted(renamed.get(s, s) for s in monomial)): c for monomial, c in b.offset.items()}
        return a.offset == offset and a.size == b.size
    return a.offset == b.offset and a.size == b.size and mosts[0] == mosts[1]


def _line(instruction: Instruction) -> str:
    line = locations.line_of(instruction)
    return f"line {line}: " if line is not None else ""

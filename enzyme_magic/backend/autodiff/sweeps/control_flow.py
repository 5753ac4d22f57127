"""The mirrored control flow graph of the reverse sweep.

Invariants: every block from which the return is reached has one reversed block; reversed blocks run in exactly the
opposite order of the forward sweep. Where the way back is not fixed, the branch goes by the arrival number of the
block; at a loop header by the counter, which starts at the number of the iteration in which the loop was left and
runs down to 0. Nothing else of the loop's condition is needed, so counted, data-dependent and early-exit loops are
one case.

Where nothing is reversed between a block and one that dominates it, the way back leads there at once: what decided the way, and how
often loops ran on it, is not asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field

from enzyme_magic.backend.autodiff.cache.recompute import ReversePrimals
from enzyme_magic.backend.autodiff.cache.tape import Tape
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.graphs.loops import Loop
from enzyme_magic.backend.ir.instructions import Alloca, Phi
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import I1, I64, IntType
from enzyme_magic.backend.ir.values import Block, Value
from enzyme_magic.backend.prepare.prepared import Prepared
from enzyme_magic.backend.prepare.preprocess import arrival_number

ZERO, ONE = constants.int_constant(I64, 0), constants.int_constant(I64, 1)
EdgeWriter = Callable[[Builder, Block], None]


@dataclass(slots=True, repr=False)
class ReverseControl:
    """Blocks, counters and branches of the reverse sweep. `tape` is told when a loop is entered from its end."""

    prepared: Prepared
    function: Function
    prologue: Callable[[], Builder]
    primals: ReversePrimals
    tape: Tape
    blocks: dict[Block, Block] = field(default_factory=dict)
    _counters: dict[Loop, Alloca] = field(default_factory=dict)
    _by_exit: dict[Block, list[tuple[Loop, Phi]]] = field(default_factory=dict)

    def open(self) -> list[Block]:
        """Make the reversed blocks; gives the primal blocks in the order their adjoints are to be written."""
        returning = self._returning()
        order = [block for block in reversed(self.prepared.order) if block in returning]
        for block in order:
            self.blocks[block] = Block(f"{block.name}.reverse" if block.name else "reverse", parent=self.function)
        return order

    def _returning(self) -> set[Block]:
        reached: set[Block] = set()
        pending = [self.prepared.return_block] if self.prepared.return_block is not None else []
        while pending:
            block = pending.pop()
            if block not in reached:
                reached.add(block)
                pending.extend(self.prepared.predecessors[block])
        return reached

    def counter(self, builder: Builder, loop: Loop) -> Value:
        """The number of the iteration the reverse sweep is in."""
        return builder.load(I64, self._counter(loop))

    def _counter(self, loop: Loop) -> Alloca:
        slot = self._counters.get(loop)
        if slot is None:
            slot = self.prologue().alloca(I64, name=f"{loop.header.name}.counter")
            self._counters[loop] = slot
        return slot

    def skipped_to(self, block: Block, silent: Collection[Block]) -> Block | None:
        """The block to go on with after `block`, past blocks in which nothing is reversed: all on the way are among `silent`. None
        where the reversed block of the predecessor that was taken has to run."""
        loops = self.prepared.loops
        around = loops.of(block)
        target = self.prepared.dominators.idom.get(block)
        if target is None or (around is not None and around.header is block):
            return None
        left = loops.of(target)
        while left is not None and left is not around and left.parent is not around:
            left = left.parent
        if left is not None and left is not around:
            target = left.preheader
        if target is None or self.prepared.predecessors[block] == [target]:
            return None
        return target if all(between in silent for between in self._between(target, block)) else None

    def _between(self, start: Block, end: Block) -> Iterator[Block]:
        """The blocks on the ways from `start`, which dominates `end`, to `end`."""
        seen = {start, end}
        pending = [end]
        while pending:
            for predecessor in self.prepared.predecessors[pending.pop()]:
                if predecessor not in seen:
                    seen.add(predecessor)
                    pending.append(predecessor)
                    yield predecessor

    def go_back(self, builder: Builder, block: Block, write_edge: EdgeWriter, needs_edge: bool) -> None:
        """End the reversed block of `block`: go to the reversed block of the predecessor that was taken.

        write_edge(builder, predecessor) writes what happens on that edge only (adjoints of phis); needs_edge: it
        writes something.
        """
        self._enter_loops(builder, block)
        predecessors = self.prepared.predecessors[block]
        loop = self.prepared.loops.of(block)
        if loop is not None and loop.header is block:
            self._leave_or_repeat(builder, loop, write_edge)
        elif len(predecessors) == 1:
            write_edge(builder, predecessors[0])
            builder.br(self.blocks[predecessors[0]])
        else:
            targets = [self._edge(block, p, write_edge) if needs_edge else self.blocks[p] for p in predecessors]
            self._choose(builder, block, targets)

    def _enter_loops(self, builder: Builder, block: Block) -> None:
        for loop, phi in self._entered().get(block, ()):
            last = self.primals.primal(builder, phi)
            builder.store(last, self._counter(loop))
            self.tape.enter_reverse(builder, loop, last)

    def _entered(self) -> dict[Block, list[tuple[Loop, Phi]]]:
        """The loops that the reverse sweep enters from each exit block."""
        if not self._by_exit:
            for (loop, target), phi in self.prepared.exit_counts.items():
                self._by_exit.setdefault(target, []).append((loop, phi))
        return self._by_exit

    def _leave_or_repeat(self, builder: Builder, loop: Loop, write_edge: EdgeWriter) -> None:
        assert loop.preheader is not None
        counter = self.counter(builder, loop)
        first = builder.icmp("eq", counter, ZERO)
        leaving = self._edge(loop.header, loop.preheader, write_edge)
        again = Block(f"{loop.header.name}.previous", parent=self.function)
        self.function.blocks.append(again)
        inner = Builder(again)
        inner.store(inner.sub(counter, ONE, flags=("nuw", "nsw")), self._counter(loop))
        write_edge(inner, loop.latch)
        inner.br(self.blocks[loop.latch])
        builder.cond_br(first, leaving, again)

    def _edge(self, block: Block, predecessor: Block, write_edge: EdgeWriter) -> Block:
        edge = Block(f"{block.name}.from.{predecessor.name}", parent=self.function)
        self.function.blocks.append(edge)
        builder = Builder(edge)
        write_edge(builder, predecessor)
        builder.br(self.blocks[predecessor])
        return edge

    def _choose(self, builder: Builder, block: Block, targets: list[Block]) -> None:
        phi = self.prepared.arrivals[block]
        arrival = self.primals.primal(builder, phi)
        assert isinstance(phi.type, IntType)
        if phi.type == I1:
            builder.cond_br(arrival, targets[1], targets[0])
            return
        cases = [(arrival_number(phi.type, k), target) for k, target in enumerate(targets)]
        builder.switch(arrival, targets[0], cases[1:])

"""Memory that LLVM hands on to the next iteration in a register, read or written in this one: `u[i + 1]` of this one is `u[i]` of
the next, and the `a[i]` that is written now is `a[i - 1]` then.

Such a phi has no variable of the user's: LLVM put it in the place of a read. What it holds is what lay where the read or the
write of the next iteration lies one step back.

Invariant: where the phi stands, the place that is named holds what the phi holds. So the loop's first value was read there too, and
nothing may have written there since; otherwise there is no answer here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from enzyme_magic.backend.analysis.counts.affine import Evolution, Polynomial, add
from enzyme_magic.backend.ir.graphs.loops import Loop
from enzyme_magic.backend.ir.instructions import Instruction, Load, Phi, Store
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.values import Block, Value

Modifies = Callable[
    [Instruction, Value, int], object
]  # whether the instruction may write the bytes at the pointer, at any time


@dataclass(frozen=True, slots=True, eq=False)
class HandedOn:
    evolution: Evolution
    layout: DataLayout
    modifies: Modifies

    def place(self, phi: Phi) -> tuple[Value, Polynomial] | None:
        """The address that the next iteration reads or writes, and how many bytes beyond it the phi's own place lies."""
        loop = self.evolution.loops.of(phi.parent)
        values = {block: value for value, block in phi.incoming}
        if loop is None or loop.header is not phi.parent or len(values) != 2 or loop.latch not in values:
            return None
        following = values.pop(loop.latch)
        ((entry, first),) = values.items()
        if not isinstance(first, Load) or not self._stays_until(first, entry, loop):
            return None
        for access in self._accesses(following, loop):
            step = self._one_back(access, first, loop)
            if step is not None and not self._changed(access, self._after(access, loop)):
                return access.pointer, add({}, step, -1)
        return None

    def _accesses(self, value: Value, loop: Loop) -> Iterator[Load | Store]:
        """The read of a value, or where it is written; once in every iteration."""
        inside = (i for block in loop.blocks for i in block.instructions)
        found = [value] if isinstance(value, Load) else [i for i in inside if isinstance(i, Store) and i.value is value]
        for access in found:
            assert access.parent is not None
            always = self.evolution.dominators.dominates(access.parent, loop.latch)
            if always and self.evolution.loops.of(access.parent) is loop:
                yield access

    def _one_back(self, access: Load | Store, first: Load, loop: Loop) -> Polynomial | None:
        """By how many bytes the access goes on in an iteration, if the first value was read that far before its first place."""
        start, later = self.evolution.address(first.pointer), self.evolution.address(access.pointer)
        iteration = self.evolution.iteration(loop)
        step = _step(later.offset, iteration)
        rest = {m: c for m, c in later.offset.items() if iteration not in m}
        fits = step is not None and start.base is later.base and add(rest, step, -1) == start.offset
        return step if fits else None

    def _after(self, access: Instruction, loop: Loop) -> Iterator[Instruction]:
        """What runs between the access and the end of the iteration."""
        block = access.parent
        assert block is not None
        yield from _behind(access, block)
        for other in loop.blocks:
            if self.evolution.dominators.strictly_dominates(block, other):
                yield from other.instructions

    def _stays_until(self, first: Load, entry: Block, loop: Loop) -> bool:
        """Whether nothing writes what was read before the loop begins."""
        block, dominators = first.parent, self.evolution.dominators
        if (
            block is None
            or block.parent is None
            or self.evolution.loops.of(block) is not self.evolution.loops.of(entry)
        ):
            return False
        between = [
            b
            for b in block.parent.blocks
            if dominators.strictly_dominates(block, b) and not dominators.dominates(loop.header, b)
        ]
        return not self._changed(first, [*_behind(first, block), *(i for b in between for i in b.instructions)])

    def _changed(self, access: Load | Store, others: Iterator[Instruction] | list[Instruction]) -> bool:
        """Whether some of these, each as of the same iteration, may write what lies there."""
        size = self._size(access)
        return any(self.modifies(i, access.pointer, size) and not self._beside(i, access) for i in others)

    def _beside(self, other: Instruction, access: Load | Store) -> bool:
        """Whether two accesses of an iteration are a fixed number of bytes apart, and do not meet."""
        loops = self.evolution.loops
        if not isinstance(other, Store) or loops.of(other.parent) is not loops.of(access.parent):
            return False
        here, there = self.evolution.address(access.pointer), self.evolution.address(other.pointer)
        apart = add(there.offset, here.offset, -1)
        if here.base is not there.base or apart.keys() - {()}:
            return False
        distance = apart.get((), 0)
        return distance >= self._size(access) or -distance >= self._size(other)

    def _size(self, access: Load | Store) -> int:
        return self.layout.store_size((access.value if isinstance(access, Store) else access).type)


def _behind(instruction: Instruction, block: Block) -> list[Instruction]:
    return block.instructions[1 + next(k for k, i in enumerate(block.instructions) if i is instruction) :]


def _step(offset: Polynomial, iteration: int) -> Polynomial | None:
    """What an address that grows evenly grows by in an iteration."""
    step: Polynomial = {}
    for monomial, coefficient in offset.items():
        if iteration not in monomial:
            continue
        others = list(monomial)
        others.remove(iteration)
        if iteration in others:
            return None
        step = add(step, {tuple(others): coefficient})
    return step or None

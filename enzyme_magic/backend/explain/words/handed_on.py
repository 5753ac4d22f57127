"""Memory that LLVM reads once and hands on to the next iteration in a register: `u[i + 1]` of this one is `u[i]` of the next.

Such a phi has no variable of the user's: LLVM put it in the place of a read. What it holds is what lay where the read of the next
iteration lies one step back.

Invariant: the place is named only if the loop's first value was read there too, and nothing in the loop may write what was read;
otherwise there is no answer here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from enzyme_magic.backend.analysis.counts.affine import Evolution, Polynomial, add
from enzyme_magic.backend.ir.instructions import Instruction, Load, Phi
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.values import Value

Modifies = Callable[[Instruction, Value, int], object]  # whether the instruction may write the bytes at the pointer


@dataclass(frozen=True, slots=True, eq=False)
class HandedOn:
    evolution: Evolution
    layout: DataLayout
    modifies: Modifies

    def read(self, phi: Phi) -> tuple[Load, Polynomial] | None:
        """The read of the next iteration, and how many bytes beyond it the phi's own place lies."""
        loop = self.evolution.loops.of(phi.parent)
        values = {block: value for value, block in phi.incoming}
        if loop is None or loop.header is not phi.parent or len(values) != 2 or loop.latch not in values:
            return None
        following = values.pop(loop.latch)
        (first,) = values.values()
        if not isinstance(following, Load) or not isinstance(first, Load):
            return None
        start, later = self.evolution.address(first.pointer), self.evolution.address(following.pointer)
        step = _step(later.offset, self.evolution.iteration(loop))
        if step is None or start.base is not later.base:
            return None
        rest = {m: c for m, c in later.offset.items() if self.evolution.iteration(loop) not in m}
        size = self.layout.store_size(phi.type)
        inside = (instruction for block in loop.blocks for instruction in block.instructions)
        if add(rest, step, -1) != start.offset or any(self.modifies(i, following.pointer, size) for i in inside):
            return None
        return following, add({}, step, -1)


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

"""How often a loop runs in all visits of its nest, as far as it is known before the nest starts.

Theorem: let every way out of an outer loop be at its latch, and each of its iterations visit the inner loop, unless conditions that
exist before the outer loop keep it away. Then where the inner count is made of values that exist before the outer loop, the inner
loop is visited in each iteration or in none, and the counts multiply.

The number is an estimate for those who make room: 0 where it is beyond what is worth it, never more than what will run.

Not looked for: triangles (the inner count changes), inner loops behind a condition that changes, loops that test before they run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from enzyme_magic.backend.analysis.counts.tripcount import TripCount
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.graphs.dominators import DominatorTree
from enzyme_magic.backend.ir.graphs.loops import Loop
from enzyme_magic.backend.ir.instructions import Branch, Instruction
from enzyme_magic.backend.ir.types import I64
from enzyme_magic.backend.ir.values import Block, Value
from enzyme_magic.backend.prepare.prepared import Prepared

NONE = constants.int_constant(I64, 0)
WORD = constants.int_constant(I64, (1 << 31) - 1)  # what may be multiplied without wrapping


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Guard:
    """A condition that exists before a loop, and what it must be for an inner loop to be visited."""

    condition: Value
    wanted: bool


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Nest:
    """`counts`: of the loop itself, then of those around it as far as they are counted; `preheader`: of the outermost of these.
    guards: those met first come last."""

    counts: tuple[TripCount, ...]
    guards: tuple[Guard, ...]
    preheader: Block

    def emit(self, builder: Builder, value_of: Callable[[Value], Value]) -> Value:
        """The header's runs in all visits (an estimate: see above), as an i64 at the end of `preheader`."""
        first, *others = (count.emit(builder, value_of) for count in self.counts)
        total = first
        for count in others:
            total = _times(builder, total, count)
        for guard in self.guards:
            condition = value_of(guard.condition)
            total = builder.select(condition, *((total, NONE) if guard.wanted else (NONE, total)))
        return total


def nest(
    loop: Loop,
    prepared: Prepared,
    count_of: Callable[[Loop], TripCount | None],
    values_read: Callable[[TripCount], tuple[Value, ...]],
    repeated: Sequence[Loop] = (),
) -> Nest | None:
    """The largest nest around `loop` that is counted before it starts; None where that is not more than the loop itself. repeated:
    loops around it of which one iteration is counted."""
    count = count_of(loop)
    if count is None or loop.preheader is None:
        return None
    counts, guards, preheader, read = [count], list[Guard](), loop.preheader, list(values_read(count))
    outer = loop.parent
    while outer is not None and outer.preheader is not None:
        around = count_of(outer)
        met = _guards(preheader, outer, prepared) if _runs_whole(outer) else None
        if around is None or met is None:
            break
        read += [guard.condition for guard in met]
        if not all(_exists(value, outer.preheader, prepared.dominators) for value in read):
            break
        if outer not in repeated:
            counts.append(around)
        guards += met
        read += values_read(around)
        preheader, outer = outer.preheader, outer.parent
    return Nest(tuple(counts), tuple(guards), preheader) if len(counts) > 1 else None


def _runs_whole(loop: Loop) -> bool:
    """Whether an iteration that begins gets to the latch, where alone the loop is left."""
    return len(loop.latches) == 1 and all(block is loop.latch for block, _ in loop.exits)


def _guards(block: Block, outer: Loop, prepared: Prepared) -> list[Guard] | None:
    """What decides in an iteration of `outer` whether `block` is reached, the nearest first; None where that is not a chain of
    branches."""
    found: list[Guard] = []
    while not prepared.dominators.dominates(block, outer.latch):
        above = prepared.dominators.idom.get(block)
        if above is None or above not in outer.blocks:
            return None
        inside = _child(outer, prepared.loops.of(above))
        if inside is not None:
            if len(inside.exits) != 1 or inside.preheader is None:
                return None
            block = inside.preheader  # from there on there is one way
            continue
        if not prepared.post_dominators.dominates(block, above):
            guard = _guard(above, block, prepared)
            if guard is None:
                return None
            found.append(guard)
        block = above
    return found


def _child(outer: Loop, loop: Loop | None) -> Loop | None:
    """The loop directly in `outer` that `loop` is or lies in; None for `outer` itself."""
    while loop is not None and loop.parent is not outer:
        loop = loop.parent
    return loop


def _guard(above: Block, block: Block, prepared: Prepared) -> Guard | None:
    """What a branch asks on the one edge through which `block` is reached."""
    branch = above.terminator
    if not isinstance(branch, Branch) or len(set(branch.targets)) != 2 or prepared.predecessors[block] != [above]:
        return None
    return Guard(branch.operands[0], branch.targets[0] is block)


def _exists(value: Value, block: Block, dominators: DominatorTree) -> bool:
    """Whether the value is there at the end of `block`."""
    return not isinstance(value, Instruction) or (
        value.parent is not None and dominators.dominates(value.parent, block)
    )


def _times(builder: Builder, a: Value, b: Value) -> Value:
    """a · b, or 0 where it might not fit."""
    wide = builder.icmp("ugt", builder.or_(a, b), WORD)
    return builder.select(wide, NONE, builder.mul(a, b))

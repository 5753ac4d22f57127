"""From which side a block was reached, known without having written it down: by the condition of the one branch that decided.

Where the nearest dominator of a block ends in a branch on a condition, and each predecessor lies on one side of it, the arrival at
the block is that condition or its opposite. Dominator and block in one loop mean: in the same iteration.

Whether the condition may be had again is another question (recompute): one that is computed again must come out the same, because
the reverse sweep goes the same way back by it.
"""

from __future__ import annotations

from dataclasses import dataclass

from enzyme_magic.backend.ir.graphs.loops import Loop
from enzyme_magic.backend.ir.instructions import Branch, Compare, Phi
from enzyme_magic.backend.ir.types import I1
from enzyme_magic.backend.ir.values import Block, ConstantInt, Value
from enzyme_magic.backend.prepare.prepared import Prepared


@dataclass(frozen=True, slots=True, eq=False)
class BranchArrival:
    """The arrival is `condition`, or its opposite where `negated`."""

    condition: Value
    negated: bool


def deciding_condition(phi: Phi, prepared: Prepared) -> BranchArrival | None:
    """For the arrival at a block with two predecessors; None for other phis, and where no such condition decides."""
    block = phi.parent
    if phi.type != I1 or block is None or prepared.arrivals.get(block) is not phi or len(phi.incoming) != 2:
        return None
    decider = prepared.dominators.idom.get(block)
    branch = decider.terminator if decider is not None else None
    if decider is None or not isinstance(branch, Branch) or len(set(branch.targets)) != 2:
        return None
    condition = branch.operands[0]
    if prepared.loops.of(decider) is not prepared.loops.of(block):
        return None
    sides = [(_side(branch, decider, block, source, prepared), number) for number, source in phi.incoming]
    true = [number for side, number in sides if side is True]
    if len(true) != 1 or any(side is None for side, _ in sides) or not isinstance(true[0], ConstantInt):
        return None
    return BranchArrival(condition, negated=not true[0].value)


def changes(value: Value, loop: Loop | None, prepared: Prepared) -> bool:
    """Whether a value may differ between iterations of `loop`: it is computed there, from something that is computed there."""
    if loop is None or not _inside(value, loop, prepared):
        return False
    return not isinstance(value, Compare) or any(_inside(operand, loop, prepared) for operand in value.operands)


def _inside(value: Value, loop: Loop, prepared: Prepared) -> bool:
    home = prepared.loop_of(value)
    return home is not None and loop.encloses(home)


def _side(branch: Branch, decider: Block, block: Block, source: Block, prepared: Prepared) -> bool | None:
    """What the condition was where `block` is reached from `source`; None where that may be either."""
    for target, holds in zip(branch.targets, (True, False), strict=True):
        if source is decider:
            if target is block:
                return holds
        elif prepared.predecessors[target] == [decider] and prepared.dominators.dominates(target, source):
            return holds
    return None

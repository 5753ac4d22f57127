"""Which active values may be computed without anybody asking for them?

Optimizers speculate: `if (x > 0) r = sqrt(x)` becomes a select whose unused arm is computed all the same. A plain
adjoint then multiplies a zero adjoint with an infinite partial and gets NaN at the guard. The reverse sweep therefore
keeps a *demand flag* beside the adjoint of every value found here, set when a use that was really demanded
contributes, and drops what flows on from an undemanded value.

Definition: a value is *demanded* in one execution when a demanded use of it executes. A store, a call and a return
are demanded; a select demands one arm, and so does a maximum (a rule's `Gate`); any other operation is demanded when its
result is; a phi demands the value on the edge taken. A vector is demanded when all its lanes are: what takes some of them
demands these, and there is a flag for each.
Theorem: a value is demanded at every execution if some demanded use executes whenever it does. The
set below is the complement, computed as a greatest fixpoint: values start as demanded and are struck out until every
remaining one is covered.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from enzyme_magic.backend.analysis.derivatives.activity import Activity
from enzyme_magic.backend.analysis.derivatives.flow import FlowEdge, Node
from enzyme_magic.backend.ir.graphs.dominators import PostDominatorTree
from enzyme_magic.backend.ir.instructions import (
    ExtractElement,
    InsertElement,
    Instruction,
    Phi,
    Select,
    ShuffleVector,
)
from enzyme_magic.backend.ir.types import VectorType
from enzyme_magic.backend.ir.values import Block, ConstantInt, Value
from enzyme_magic.backend.prepare.prepared import Prepared
from enzyme_magic.backend.rules import registry


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Demand:
    """`conditional`: instructions that need a flag. `sole_use[v]`: the only instruction an active v flows through,
    where that executes at most once per execution of v (no deeper in loops)."""

    conditional: frozenset[Instruction]
    sole_use: dict[Node, Instruction]

    def follows(self, operand: Node, user: Instruction) -> bool:
        """Whether `operand` is demanded exactly when `user` asks for it: its adjoint may then stay unmasked."""
        return operand in self.conditional and self.sole_use.get(operand) is user


def analyse(prepared: Prepared, activity: Activity) -> Demand:
    """The demand of every active instruction."""
    post_dominators = prepared.post_dominators
    uses = {
        node: [edge for edge in activity.flow.leaving.get(node, ()) if activity.active(edge.target)]
        for node in activity.varies
        if activity.active(node) and isinstance(node, Instruction)
    }
    conditional: set[Instruction] = set()
    pending = deque(uses)
    while pending:
        value = pending.popleft()
        if value in conditional or _covered(value, uses[value], conditional, post_dominators):
            continue
        conditional.add(value)
        pending.extend(v for v in value.operands if isinstance(v, Instruction) and v in uses)
    sole: dict[Node, Instruction] = {
        node: found[0]
        for node in uses
        if len(found := _users(uses[node])) == 1 and _at_most_once(prepared, node, found[0])
    }
    return Demand(frozenset(conditional), sole)


def _at_most_once(prepared: Prepared, value: Instruction, user: Instruction) -> bool:
    """Whether `user` executes at most once for each execution of `value`."""
    around = prepared.loops.of(user.parent)
    return around is None or around.encloses(prepared.loops.of(value.parent))


def _users(edges: list[FlowEdge]) -> list[Instruction]:
    return [edge.instruction for edge in edges if edge.instruction is not None]


def _covered(
    value: Instruction, uses: list[FlowEdge], conditional: set[Instruction], post_dominators: PostDominatorTree
) -> bool:
    home = value.parent
    assert home is not None
    arriving: dict[Block, set[Block]] = {}
    for edge in uses:
        user = edge.instruction
        if user is None or user in conditional or user.parent is None:
            continue
        if isinstance(user, Phi):
            for operand, block in user.incoming:
                if operand is value and post_dominators.dominates(block, home):
                    arriving.setdefault(block, set()).add(user.parent)
        elif _always_demands(user, value) and post_dominators.dominates(user.parent, home):
            return True
    return any(targets.issuperset(block.successors) for block, targets in arriving.items())


def _always_demands(user: Instruction, value: Instruction) -> bool:
    """Whether `user`, where it is demanded, demands `value` with all its lanes."""
    if isinstance(user, Select):
        return user.operands[1] is value and user.operands[2] is value
    if _chooses(user, value):
        return False
    if not isinstance(value.type, VectorType):
        return not (isinstance(user, InsertElement) and not isinstance(user.operands[2], ConstantInt))
    return not isinstance(user, (ExtractElement, InsertElement, ShuffleVector))


def _chooses(user: Instruction, value: Value) -> bool:
    """Whether the rule of `user` may drop `value`."""
    rule = registry.rule_for(user)
    return rule is not None and any(v is value and rule.gate(k) is not None for k, v in enumerate(user.operands))

"""What the functions of a program do with its variables: asked for every function that can be called, and found once.

Invariant: an answer holds too much, never too little: an address that a phi, a choice or address arithmetic gives counts as the
variable's. Not here: what a call of a function means for a variable (statics.py, companions.py).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from enzyme_magic.backend.analysis.calls.effects import Effects
from enzyme_magic.backend.ir.graphs.callgraph import globals_in
from enzyme_magic.backend.ir.graphs.dominators import PostDominatorTree
from enzyme_magic.backend.ir.instructions import Call, Compare, GetElementPtr, Instruction, Load, Phi, Select, Store
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.values import Block, Value

Names = frozenset[Value]
T = TypeVar("T")


@dataclass(eq=False, repr=False)
class VariableUses:
    """Of one program. The effects know what pointers may lead to."""

    module: Module
    effects: Effects
    _changed: dict[Function, Names] = field(default_factory=dict)
    _given: dict[Function, Names] = field(default_factory=dict)
    _decisions: dict[Function, dict[Block, set[Block]]] = field(default_factory=dict)

    def changed(self, function: Function) -> Names:
        """The variables with which a function does more than load them by their names."""
        return _kept(self._changed, function, _changed)

    def given(self, function: Function) -> Names:
        """The variables whose address a function puts somewhere, or gives to another."""
        return _kept(self._given, function, self._given_by)

    def decisions(self, function: Function) -> dict[Block, set[Block]]:
        """For each block that ends in a branch: the blocks that run only if it goes one way (control dependence, closed)."""
        return _kept(self._decisions, function, _decisions)

    @cached_property
    def initial(self) -> Names:
        """What variables hold the address of from the start."""
        holders = [v.initializer for v in self.module.variables.values() if v.initializer is not None]
        return frozenset(name for initializer in holders for name in globals_in(initializer))

    @cached_property
    def handed_on(self) -> Names:
        """The variables whose address code may know that does not name them."""
        return self.initial.union(*map(_handed_on, self.module.definitions()))

    def _given_by(self, function: Function) -> Names:
        points_to = self.effects.points_to(function)
        given = [
            value
            for i in function.instructions()
            for value in (i.arguments if isinstance(i, Call) else [i.value] if isinstance(i, Store) else [])
        ]
        objects = {item for value in given for item in points_to.base_objects(value)}
        return frozenset(item.value for item in objects if item.value is not None)


def _kept(known: dict[Function, T], function: Function, find: Callable[[Function], T]) -> T:
    found = known.get(function)
    if found is None:
        found = known[function] = find(function)
    return found


def _changed(function: Function) -> Names:
    operands = (o for i in function.instructions() if not isinstance(i, Load) for o in i.operands)
    return frozenset(name for operand in operands for name in globals_in(operand))


def _handed_on(function: Function) -> Names:
    found: set[Value] = set()
    addresses: dict[Value, set[Value]] = {}
    for _ in range(2):  # a phi may come before what it is made of
        for i in function.instructions():
            named = {o: {*addresses.get(o, ()), *globals_in(o)} for o in i.operands}
            names = set[Value]().union(*named.values())
            if names and isinstance(i, (GetElementPtr, Phi, Select)):
                addresses.setdefault(i, set()).update(names)
            elif isinstance(i, Store):
                found |= named[i.value]
            elif names and not _is_access(i):
                found |= names
    return frozenset(found)


def _is_access(i: Instruction) -> bool:
    callee = i.called_function if isinstance(i, Call) else None
    return isinstance(i, (Load, Compare)) or (callee is not None and callee.name.startswith("llvm."))


def _decisions(function: Function) -> dict[Block, set[Block]]:
    """Ferrante, Ottenstein and Warren (1987): from a successor up the post-dominator tree to what runs whichever way it goes."""
    after = PostDominatorTree.of(function)
    direct: dict[Block, set[Block]] = {}
    for block in function.blocks:
        last = block.terminator
        if len(last.successors) < 2 or not last.operands:
            continue
        found = direct.setdefault(block, set())
        for successor in last.successors:
            other: Block | None = successor
            while other is not None and other not in found and not after.strictly_dominates(other, block):
                found.add(other)
                other = after.idom.get(other)
    return {block: _closed(block, direct) for block in direct}


def _closed(block: Block, direct: dict[Block, set[Block]]) -> set[Block]:
    seen = set(direct[block])
    pending = list(seen)
    while pending:
        fresh = direct.get(pending.pop(), set()) - seen
        seen |= fresh
        pending += fresh
    return seen

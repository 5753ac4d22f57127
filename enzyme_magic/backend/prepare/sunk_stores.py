"""Moves stores behind loops of which only the last store counts (decided in analysis/memory/last_stores.py).

Invariant: loop-simplify form and LCSSA stay; what is stored leaves each loop through a phi in its exit block. The
control flow does not change, and the store stays the same object, so what is known of it by name still holds.
"""

from __future__ import annotations

from collections.abc import Sequence

from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.graphs.loops import Loop
from enzyme_magic.backend.ir.instructions import Instruction, Phi, Store
from enzyme_magic.backend.ir.values import Block, Value
from enzyme_magic.errors import InternalError


def sink(store: Store, loops: Sequence[Loop]) -> None:
    """Let `store` stand behind the last of `loops`. They are left from their latches only; the first is the one around the store,
    each other one the one around the one before."""
    home, value = store.parent, store.value
    for loop in loops:
        behind = loop.exit_behind_latch
        if behind is None or home is None:
            raise InternalError(f"a store can not be moved behind loop %{loop.header.name}")
        value = _leaving(loop, behind, value)
        home.instructions.remove(store)
        home = behind
        home.instructions.insert(_phis(home), store)
    store.parent = home
    store.operands[0] = value


def _leaving(loop: Loop, behind: Block, value: Value) -> Value:
    """The value as it is known behind the loop."""
    if not isinstance(value, Instruction) or value.parent not in loop.blocks:
        return value
    for i in behind.instructions[: _phis(behind)]:
        if all(operand is value for operand in i.operands):
            return i
    phi = Builder(behind, before=behind.instructions[0]).phi(value.type, name=f"{value.name}.last")
    Builder(behind).add_incoming(phi, value, loop.latch)
    return phi


def _phis(block: Block) -> int:
    """How many phis the block begins with."""
    return next(k for k, i in enumerate(block.instructions) if not isinstance(i, Phi))

"""Of which stores in a loop can only the last one be seen?

A loop that sums into memory (`x[i] -= l[j]*x[j]`) stores to one address in every iteration. Where nothing else in the loop may
touch these bytes, nobody sees what the earlier iterations left: one store behind the loop does the same (LLVM's scalar
promotion, here with what `distance` knows of triangles and rows). In reverse, the adjoint of such a store is then a number, not
memory that is read and cleared once per iteration.

Invariant: a loop that is named ends in its latch only, and the store is made in every iteration of it, so the last one is
made whenever the loop is entered. What a loop may hold beside the store is a list: arithmetic, jumps, loads, stores, and calls
that only compute. Volatile and atomic accesses are none of them.

Not done: loops that also load from the address, stores in a part of the iterations, values that are no floating numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from enzyme_magic.backend.analysis.memory.alias import Alias
from enzyme_magic.backend.analysis.memory.distance import AccessPlace, LoopLevel
from enzyme_magic.backend.ir.graphs.dominators import DominatorTree
from enzyme_magic.backend.ir.graphs.loops import Loop
from enzyme_magic.backend.ir.instructions import (
    Binary,
    Branch,
    Call,
    Cast,
    Compare,
    ExtractElement,
    ExtractValue,
    Freeze,
    GetElementPtr,
    InsertElement,
    InsertValue,
    Instruction,
    Load,
    Phi,
    Select,
    ShuffleVector,
    Store,
    Switch,
    Unary,
)
from enzyme_magic.backend.ir.types import FloatType
from enzyme_magic.backend.ir.values import Value

_WITHOUT_MEMORY = (
    Binary,
    Branch,
    Cast,
    Compare,
    ExtractElement,
    ExtractValue,
    Freeze,
    GetElementPtr,
    InsertElement,
    InsertValue,
    Phi,
    Select,
    ShuffleVector,
    Switch,
    Unary,
)
_MOST = 200  # accesses of a loop: each store is compared with all of them


@dataclass(frozen=True, slots=True, eq=False)
class LastStore:
    """`store` may stand behind `loops` instead: the innermost one first, each the parent of the one before."""

    store: Store
    loops: tuple[Loop, ...]


def last_stores(alias: Alias, dominators: DominatorTree) -> tuple[LastStore, ...]:
    """The stores of which only the last one counts, in the order of the function."""
    if alias.loops.irreducible is not None:
        return ()
    search = _Search(alias, dominators)
    found = ((store, tuple(search.left(store))) for store in search.candidates())
    return tuple(LastStore(store, loops) for store, loops in found if loops)


@dataclass(slots=True, eq=False, repr=False)
class _Search:
    """accesses: what touches memory in a loop; None where that is more than is understood or worth the time."""

    alias: Alias
    dominators: DominatorTree
    accesses: dict[Loop, list[Instruction] | None] = field(default_factory=dict)

    def candidates(self) -> Iterator[Store]:
        for block in self.alias.function.blocks:
            if self.alias.loops.of(block) is not None:
                for i in block.instructions:
                    if isinstance(i, Store) and isinstance(i.value.type, FloatType) and _is_plain(i):
                        yield i

    def left(self, store: Store) -> Iterator[Loop]:
        """The loops that the store can leave, innermost first."""
        place, loops = store.parent, self.alias.loops
        loop = loops.of(place)
        while loop is not None and place is not None and _is_outside(loop, store.pointer):
            behind = loop.exit_behind_latch
            if behind is None or not self.dominators.dominates(place, loop.latch) or not self._is_alone(store, loop):
                return
            yield loop
            place, loop = behind, loops.of(behind)

    def _is_alone(self, store: Store, loop: Loop) -> bool:
        """Whether nothing else that executes while the loop runs may touch the bytes of the store."""
        if loop not in self.accesses:
            self.accesses[loop] = _accesses(self.alias, loop)
        others = self.accesses[loop]
        level = LoopLevel(None, loop.parent)
        return others is not None and all(i is store or _is_apart(self.alias, store, i, level) for i in others)


def _is_outside(loop: Loop, value: Value) -> bool:
    return not isinstance(value, Instruction) or value.parent not in loop.blocks


def _accesses(alias: Alias, loop: Loop) -> list[Instruction] | None:
    found: list[Instruction] = []
    for block in loop.blocks:
        for i in block.instructions:
            if isinstance(i, _WITHOUT_MEMORY):
                continue
            if not (isinstance(i, (Load, Store)) and _is_plain(i)) and not _only_computes(alias, i):
                return None
            found.append(i)
    return found if len(found) <= _MOST else None


def _only_computes(alias: Alias, i: Instruction) -> bool:
    return isinstance(i, Call) and i.opcode == "call" and alias.effects.call_in(i, alias.points_to).pure


def _is_apart(alias: Alias, store: Store, other: Instruction, level: LoopLevel) -> bool:
    """Whether no execution of `other` touches the bytes of the store, within one run of the loop."""
    mask = alias.points_to.widen(alias.points_to.mask(store.pointer))
    if not isinstance(other, (Load, Store)):
        return not any(access.mask & mask for access in alias.writes(other))  # errno
    return not mask & alias.points_to.mask(other.pointer) or not _may_touch(alias, store, other, level)


def _may_touch(alias: Alias, store: Store, other: Load | Store, level: LoopLevel) -> bool:
    if alias.scopes.apart(store, other, level):
        return False
    by_type = not alias.tags_meet(alias.tag_of(store), alias.tag_of(other))
    first, second = alias.evolution.address(store.pointer), alias.evolution.address(other.pointer)
    if first.base is not second.base or not alias.stable(first.base, level):
        return not by_type
    if by_type and first.offset != second.offset:
        return False
    here = AccessPlace(first.offset, 0, alias.layout.store_size(store.value.type), store.parent)
    type_ = other.value.type if isinstance(other, Store) else other.type
    there = AccessPlace(second.offset, 0, alias.layout.store_size(type_), other.parent)
    return alias.distances.may_touch(here, there, level)


def _is_plain(access: Load | Store) -> bool:
    return not access.volatile and not access.ordering

"""In which loops around it does a value come out the same in each iteration?

    for (i) for (j) y[i] += m[i*n + j]*x[j];

x[j] depends on j alone. Where the reverse sweep needs it and cannot read it again, it is kept once for each j, not for each (i, j).

Definition: a value repeats in a loop P around its own loop if, for any two iterations of one visit of P that compute it at the same
iteration numbers of the loops inside P, it has the same bits. Theorem: so it is with what is computed by a legal recipe (see
recompute) from values that repeat, with iteration numbers of loops inside P, and with loads from an address that repeats, if
nothing in P may write there.

A tape can be laid out by that only where the iterations are numbered alike, too: each visit of the loops between P and the value
runs through as many iterations as the one before. Their trip counts are known before they start and repeat in P, they are left to
the loop around them only, and each iteration of a loop inside P visits the next one at a place that its one way out tells.

Not looked for: values that a loop carries or branches choose, shadows, triangles (the inner count changes with P).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from enzyme_magic.backend.analysis.counts.tripcount import TripCount
from enzyme_magic.backend.analysis.derivatives.recompute import PRIMAL, Need, Recipes, values_read
from enzyme_magic.backend.analysis.memory.accesses import Access
from enzyme_magic.backend.analysis.memory.alias import Alias
from enzyme_magic.backend.ir.graphs.loops import Loop
from enzyme_magic.backend.ir.instructions import Instruction, Load
from enzyme_magic.backend.ir.values import Value
from enzyme_magic.backend.prepare.prepared import Prepared

MOST_WRITES = 64  # in one loop to memory that a load may read; more are taken for an overwrite


@dataclass(slots=True, eq=False, repr=False)
class Repeats:
    """Answers for one prepared function."""

    prepared: Prepared
    alias: Alias
    recipes: Recipes
    count_of: Callable[[Loop], TripCount | None]
    _known: dict[tuple[Value, Loop], bool] = field(default_factory=dict)
    _alike: dict[tuple[Loop, Loop], bool] = field(default_factory=dict)
    _writes: dict[Loop, list[tuple[Instruction, list[Access]]]] = field(default_factory=dict)

    def loops(self, need: Need) -> tuple[Loop, ...]:
        """The loops around a value's own in which it repeats and iterations are numbered alike, outermost first."""
        home = self.prepared.loop_of(need.value)
        if need.kind != PRIMAL or home is None:
            return ()
        found: list[Loop] = []
        around = home.parent
        while around is not None:
            if self.same(need.value, around) and self._numbered_alike(home, around):
                found.insert(0, around)
            around = around.parent
        return tuple(found)

    def same(self, value: Value, loop: Loop) -> bool:
        """Whether `value` repeats in `loop`."""
        if not isinstance(value, Instruction) or value.parent not in loop.blocks:
            return True
        key = value, loop
        if key not in self._known:
            self._known[key] = False  # a value that depends on itself
            self._known[key] = self._find(value, loop)
        return self._known[key]

    def _find(self, value: Instruction, loop: Loop) -> bool:
        counted = self.prepared.counter_of(value)
        if counted is not None:
            return counted is not loop
        recipe = self.recipes.by_operation(Need(PRIMAL, value))
        if recipe.kind in ("illegal", "available"):
            return isinstance(value, Load) and self.same(value.pointer, loop) and self._untouched(value, loop)
        return all(self.same(operand.value, loop) for operand in recipe.operands)

    def _untouched(self, load: Load, loop: Loop) -> bool:
        """Whether nothing in `loop` may write or free what `load` reads, in any iteration."""
        if load.volatile or load.ordering:
            return False
        mask = self.alias.changeable(load)
        meeting = [i for i, accesses in self._writes_in(loop) if any(access.mask & mask for access in accesses)]
        size = self.alias.layout.store_size(load.type)
        return len(meeting) <= MOST_WRITES and not any(self.alias.modifies(i, load.pointer, size) for i in meeting)

    def _writes_in(self, loop: Loop) -> list[tuple[Instruction, list[Access]]]:
        if loop not in self._writes:
            instructions = (i for block in self.prepared.order if block in loop.blocks for i in block.instructions)
            self._writes[loop] = [(i, accesses) for i in instructions if (accesses := self.alias.writes(i))]
        return self._writes[loop]

    def _numbered_alike(self, home: Loop, around: Loop) -> bool:
        """Whether every visit of the loops from the one directly in `around` down to `home` has the same iterations."""
        inner: Loop = home
        while inner is not around:
            key = inner, around
            if key not in self._alike:
                self._alike[key] = self._is_alike(inner, around)
            if not self._alike[key]:
                return False
            assert inner.parent is not None
            inner = inner.parent
        return True

    def _is_alike(self, inner: Loop, around: Loop) -> bool:
        count, outer = self.count_of(inner), inner.parent
        if count is None or outer is None or inner.preheader is None:
            return False
        if not all(target in outer.blocks for _, target in inner.exits):
            return False
        if not all(self.same(value, around) for value in values_read(count)):
            return False
        if outer is around:
            return True
        dominates = self.prepared.dominators.dominates
        if len(outer.exits) != 1 or not dominates(inner.preheader, outer.latch):
            return False
        ((leaving, _),) = outer.exits
        return dominates(inner.preheader, leaving) or dominates(leaving, inner.preheader)

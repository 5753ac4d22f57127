"""All writes of a function, indexed so that a load meets only those that may matter.

Writes are grouped by the objects they may touch, their base and the variable part of their address. Within a group
only the constant part differs: where the variable parts of load and group agree, bisection finds the few constants
that overlap.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from enzyme_magic.backend.analysis.counts.affine import Evolution, split
from enzyme_magic.backend.analysis.counts.reach import Reach
from enzyme_magic.backend.analysis.memory.accesses import Access
from enzyme_magic.backend.analysis.memory.distance import ANY_TIME, LoopLevel
from enzyme_magic.backend.ir.graphs import cfg
from enzyme_magic.backend.ir.instructions import Instruction, Load
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.values import Block, Value

if TYPE_CHECKING:
    from enzyme_magic.backend.analysis.memory.alias import Alias

Variable = frozenset[tuple[tuple[int, ...], int]]
_Placed = tuple[int, Access]  # position in the function, access


@dataclass(slots=True, eq=False, repr=False)
class _Group:
    """Accesses that differ only in the constant part of their address (`offsets`, sorted). `all`: every access by block."""

    sample: Access
    base: Value | None
    variable: Variable
    last: int = 0
    offsets: list[int] = field(default_factory=list)
    at: dict[int, dict[Block, list[_Placed]]] = field(default_factory=dict)
    all: dict[Block, list[_Placed]] = field(default_factory=dict)

    def add(self, offset: int, block: Block, placed: _Placed) -> None:
        self.at.setdefault(offset, {}).setdefault(block, []).append(placed)
        self.all.setdefault(block, []).append(placed)
        self.last = placed[0]

    def is_postponed(self, calls: frozenset[Instruction]) -> bool:
        """Whether the accesses only free, all of them by these calls."""
        placed = (access for accesses in self.all.values() for _, access in accesses)
        return self.sample.frees and all(access.instruction in calls for access in placed)


@dataclass(slots=True, eq=False, repr=False)
class Writers:
    """`groups` sorted by the position of their last access. Positions follow reverse postorder: what can execute after an
    instruction stands behind it, or, if it lies in a cycle, behind the first instruction of that cycle (`cycle_start`)."""

    groups: list[_Group]
    lasts: list[int]
    positions: dict[Instruction, int]
    cycle_start: dict[Block, int]

    @classmethod
    def of(
        cls, function: Function, writes: Callable[[Instruction], list[Access]], evolution: Evolution, reach: Reach
    ) -> Writers:
        groups: dict[object, _Group] = {}
        positions: dict[Instruction, int] = {}
        starts: dict[int, int] = {}
        cycle_start: dict[Block, int] = {}
        for block in cfg.reverse_postorder(function):
            if reach.in_cycle(block):
                cycle_start[block] = starts.setdefault(reach.component(block), len(positions))
            for instruction in block.instructions:
                positions[instruction] = len(positions)
                for access in writes(instruction):
                    _place(groups, access, positions[instruction], block, evolution)
        for group in groups.values():
            group.offsets = sorted(group.at)
        ordered = sorted(groups.values(), key=lambda g: g.last)
        return cls(ordered, [g.last for g in ordered], positions, cycle_start)

    def stand_at(self, load: Load, store: Instruction) -> None:
        """Let a load that stands in no block be asked about as if it stood behind `store`."""
        if store in self.positions:
            self.positions[load] = self.positions[store]

    def overwriting(self, alias: Alias, load: Load, mask: int, postponed: frozenset[Instruction]) -> Access | None:
        """An access that may overwrite what `load` read, after it, near to it; None: there is none (or the load never runs).
        postponed: calls that free later than the reverse sweep asks."""
        position = self.positions.get(load)
        if position is None or load.parent is None:
            return None
        address = alias.evolution.address(load.pointer)
        variable, constant = split(address.offset)
        size = alias.layout.store_size(load.type)
        earliest = self.cycle_start.get(load.parent, position)
        search = _Search(alias, load, size, position, address.base, frozenset(variable.items()), constant, earliest)
        for number in range(bisect_left(self.lasts, earliest), len(self.groups)):
            group = self.groups[number]
            if group.sample.mask & mask and not group.is_postponed(postponed):
                hit = search.in_group(group)
                if hit is not None:
                    return hit[1]
        return None


def _place(groups: dict[object, _Group], access: Access, position: int, block: Block, evolution: Evolution) -> None:
    base: Value | None = None
    variable: Variable = frozenset()
    constant = 0
    if access.pointer is not None:
        address = evolution.address(access.pointer)
        rest, constant = split(address.offset)
        base, variable = address.base, frozenset(rest.items())
    scopes = [access.instruction.metadata.get(kind) for kind in ("alias.scope", "noalias")]
    key = (access.mask, base, variable, access.low, access.high, access.tag, access.frees, *scopes)
    group = groups.get(key)
    if group is None:
        group = groups[key] = _Group(access, base, variable)
    group.add(constant, block, (position, access))


@dataclass(slots=True, eq=False, repr=False)
class _Search:
    """One load against the groups."""

    alias: Alias
    load: Load
    size: int
    position: int
    base: Value
    variable: Variable
    constant: int
    earliest: int

    def in_group(self, group: _Group) -> _Placed | None:
        """An access of the group that may overwrite the load."""
        if group.base is not self.base:
            return self._at_offset(group.all)  # the offsets say nothing
        near = self._window(group)
        for offset in group.offsets if near is None else near:
            hit = self._at_offset(group.at[offset])
            if hit is not None:
                return hit
        return None

    def _window(self, group: _Group) -> list[int] | None:
        """The constants that overlap the load's, when all else is equal whenever the two execute; None: no such shortcut."""
        sample = group.sample
        if group.variable != self.variable or sample.low is None or sample.high is None:
            return None
        if self.alias.loops.irreducible is not None or not self.alias.stable(self.base, ANY_TIME):
            return None
        if any(self.alias.evolution.homes[s] is not None for monomial, _ in self.variable for s in monomial):
            return None
        first = bisect_right(group.offsets, self.constant - sample.high)
        last = bisect_left(group.offsets, self.constant + self.size - sample.low)
        return group.offsets[first:last]

    def _at_offset(self, blocks: dict[Block, list[_Placed]]) -> _Placed | None:
        for block, placed in blocks.items():
            if placed[-1][0] >= self.earliest:
                hit = self._in_block(block, placed)
                if hit is not None:
                    return hit
        return None

    def _in_block(self, block: Block, placed: list[_Placed]) -> _Placed | None:
        home = self.load.parent
        assert home is not None
        alias = self.alias
        if alias.loops.irreducible is not None:
            return self._without_loops(block, placed)
        common = alias.common_loop(home, block)
        after = self._following(block, placed, common)
        if after is not None and self._touches(after[1], LoopLevel(None, common)):
            return after
        if common is not None:
            for level in alias.levels(home, block):
                if self._touches(placed[0][1], level):
                    return placed[0]
        return None

    def _without_loops(self, block: Block, placed: list[_Placed]) -> _Placed | None:
        assert self.load.parent is not None
        if self.alias.reach.after(self.load.parent, block):
            after: _Placed | None = placed[0]
        else:
            after = self._behind(placed) if block is self.load.parent else None
        if after is None:
            return None
        steady = not self.alias.reach.in_cycle(self.load.parent) and not self.alias.reach.in_cycle(block)
        level = LoopLevel(None, None, any_time=not steady)
        return after if self._touches(after[1], level) else None

    def _following(self, block: Block, placed: list[_Placed], common: object) -> _Placed | None:
        """An access of the list that may execute after the load in the same iteration of all common loops."""
        home = self.load.parent
        assert home is not None
        if block is home:
            return self._behind(placed)
        reach = self.alias.reach
        inside = self.alias.common_loop(home, block)
        return placed[0] if reach.same_iteration(home, block, inside) else None

    def _behind(self, placed: list[_Placed]) -> _Placed | None:
        low, high = 0, len(placed)
        while low < high:
            middle = (low + high) // 2
            if placed[middle][0] > self.position:
                high = middle
            else:
                low = middle + 1
        return placed[low] if low < len(placed) else None

    def _touches(self, access: Access, level: LoopLevel) -> bool:
        if access.pointer is None:
            return True
        return self.alias.may_touch_at(self.load, self.size, access, level)

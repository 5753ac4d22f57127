"""Makes a function's values reach their uses again after its control flow was changed.

Theorem: one value defined at several places needs phis exactly at the iterated dominance frontier of those places
(Cytron, Ferrante, Rosen, Wegman and Zadeck, 1991), here only where the value is still used (pruned form). A use then
sees the definition or phi nearest above it in the dominator tree. Where none is above it, the use cannot be reached
from a definition, and poison stands for the value.

Two ends are served: uses that their definition no longer dominates (`restore_dominance`), and values used outside the
loop they are defined in, which get a phi in each exit block (`close_loops`: LLVM's LCSSA form).

Not done: finding better places for phis, or removing those that were there before.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.graphs import cfg
from enzyme_magic.backend.ir.graphs.dominators import DominatorTree
from enzyme_magic.backend.ir.graphs.loops import Loops
from enzyme_magic.backend.ir.instructions import Instruction, Phi
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.values import Block, Value

Use = tuple[Instruction, int]  # an instruction and the place among its operands


def restore_dominance(function: Function) -> None:
    """Let every use be dominated by its definition again. The control flow graph does not change."""
    repair = _Repair.of(function)
    for block in list(repair.order):
        for instruction in list(block.instructions):
            broken = [use for use in repair.uses.get(instruction, ()) if not repair.is_dominated(instruction, use)]
            if broken:
                repair.rewrite(instruction, {block: instruction}, broken)


def close_loops(function: Function, loops: Loops) -> None:
    """Give every value that is used outside its loop a phi in each exit block of that loop through which it is used.

    Exit blocks must be entered from their loop only (loop-simplify form)."""
    repair = _Repair.of(function)
    for loop in reversed(loops.loops):  # inner loops first: their exit phis may lie in an outer one
        targets = list(dict.fromkeys(target for _, target in loop.exits))
        for block in repair.order:
            if block not in loop.blocks:
                continue
            for instruction in list(block.instructions):
                outside = [u for u in repair.uses.get(instruction, ()) if repair.place_of(u) not in loop.blocks]
                if outside:
                    repair.close(instruction, targets, outside)


@dataclass(slots=True, eq=False)
class _Repair:
    """The control flow graph and the uses of one function; the uses are kept up to date."""

    predecessors: dict[Block, list[Block]]
    dominators: DominatorTree
    order: list[Block]
    frontiers: dict[Block, list[Block]]
    uses: dict[Value, list[Use]]
    positions: dict[Instruction, int] = field(default_factory=dict)

    @classmethod
    def of(cls, function: Function) -> _Repair:
        dominators = DominatorTree.of(function)
        order = cfg.reverse_postorder(function)
        reachable = set(order)
        predecessors = {b: [p for p in found if p in reachable] for b, found in cfg.predecessors(function).items()}
        uses: dict[Value, list[Use]] = {}
        repair = cls(predecessors, dominators, order, _frontiers(order, predecessors, dominators), uses)
        for block in order:
            for position, instruction in enumerate(block.instructions):
                repair.positions[instruction] = position
                for k, operand in enumerate(instruction.operands):
                    if isinstance(operand, Instruction):
                        uses.setdefault(operand, []).append((instruction, k))
        return repair

    def place_of(self, use: Use) -> Block:
        """The block at whose end (phi) or in which (otherwise) the value must be there."""
        user, k = use
        block = user.blocks[k] if isinstance(user, Phi) else user.parent
        assert block is not None
        return block

    def is_dominated(self, value: Instruction, use: Use) -> bool:
        home, place, (user, _) = value.parent, self.place_of(use), use
        assert home is not None
        if home is not place:
            return self.dominators.dominates(home, place)
        return isinstance(user, Phi) or self.positions[value] < self.positions[user]

    def close(self, value: Instruction, targets: list[Block], outside: list[Use]) -> None:
        """Phis for `value` in those exit blocks `targets` of its loop from which one of the uses `outside` is
        reached."""
        definitions: dict[Block, Value] = {}
        for target in self._passed_on(outside, targets):
            phi = definitions[target] = self._phi(target, value)
            for predecessor in self.predecessors[target]:
                self._add_incoming(phi, value, predecessor)
        self.rewrite(value, definitions, outside)

    def _passed_on(self, uses: list[Use], targets: list[Block]) -> list[Block]:
        """The blocks among `targets` at whose end, or in which, one of the uses wants the value."""
        live = self._live_in([u for u in uses if self.place_of(u) not in targets], frozenset(targets))
        direct = {self.place_of(use) for use in uses}
        return [t for t in targets if t in direct or any(s in live for s in t.successors)]

    def rewrite(self, value: Instruction, definitions: dict[Block, Value], uses: Iterable[Use]) -> None:
        """Let `uses` of `value` see the nearest of its `definitions` (block → what holds at the block's end)."""
        uses = list(uses)
        phis = self._place_phis(value, definitions, uses)
        for block, phi in phis.items():
            for predecessor in self.predecessors[block]:
                self._add_incoming(phi, self._at_end(predecessor, value, definitions, phis), predecessor)
        for use in uses:
            self._rewrite_use(use, value, definitions, phis)

    def _rewrite_use(
        self, use: Use, value: Instruction, definitions: dict[Block, Value], phis: dict[Block, Phi]
    ) -> None:
        user, k = use
        place = self.place_of(use)
        if isinstance(user, Phi) or self._is_met(use, value, definitions):
            new = self._at_end(place, value, definitions, phis)
        else:
            new = self._at_start(place, value, definitions, phis)
        self.uses[value].remove(use)
        user.operands[k] = new
        if isinstance(new, Instruction):
            self.uses.setdefault(new, []).append(use)

    def _place_phis(self, value: Instruction, definitions: dict[Block, Value], uses: list[Use]) -> dict[Block, Phi]:
        live = self._live_in([u for u in uses if not self._is_met(u, value, definitions)], frozenset(definitions))
        phis: dict[Block, Phi] = {}
        pending = list(definitions)
        while pending:
            for block in self.frontiers.get(pending.pop(), ()):
                if block in live and block not in phis:
                    phis[block] = self._phi(block, value)
                    pending.append(block)
        return phis

    def _is_met(self, use: Use, value: Instruction, definitions: dict[Block, Value]) -> bool:
        """Whether a definition stands in the block of the use, before it."""
        place = self.place_of(use)
        defined = definitions.get(place)
        if defined is None:
            return False
        return defined is not value or isinstance(use[0], Phi)

    def _live_in(self, uses: list[Use], definitions: frozenset[Block]) -> set[Block]:
        """Blocks at whose top the variable must hold, so that it does at `uses`."""
        live: set[Block] = set()
        pending = [self.place_of(use) for use in uses]
        while pending:
            block = pending.pop()
            if block not in live:
                live.add(block)
                pending.extend(p for p in self.predecessors[block] if p not in definitions)
        return live

    def _at_end(self, block: Block, value: Value, definitions: dict[Block, Value], phis: dict[Block, Phi]) -> Value:
        found = definitions.get(block)
        return found if found is not None else self._at_start(block, value, definitions, phis)

    def _at_start(self, block: Block, value: Value, definitions: dict[Block, Value], phis: dict[Block, Phi]) -> Value:
        if block in phis:
            return phis[block]
        above = self.dominators.idom[block]
        while above is not None:
            found = definitions.get(above) or phis.get(above)
            if found is not None:
                return found
            above = self.dominators.idom[above]
        return constants.poison(value.type)

    def _phi(self, block: Block, value: Instruction) -> Phi:
        phi = Builder(block).phi(value.type, name=value.name)
        if "dbg" in value.metadata:
            phi.metadata["dbg"] = value.metadata["dbg"]
        self.positions[phi] = -1
        return phi

    def _add_incoming(self, phi: Phi, value: Value, block: Block) -> None:
        phi.operands.append(value)
        phi.blocks.append(block)
        if isinstance(value, Instruction):
            self.uses.setdefault(value, []).append((phi, len(phi.operands) - 1))


def _frontiers(
    order: list[Block], predecessors: dict[Block, list[Block]], dominators: DominatorTree
) -> dict[Block, list[Block]]:
    """Dominance frontiers, after Cooper, Harvey and Kennedy (2001): climb from the predecessors of each join."""
    found: dict[Block, dict[Block, None]] = {}
    for block in order:
        if len(predecessors[block]) < 2:
            continue
        for predecessor in dict.fromkeys(predecessors[block]):
            climbing: Block | None = predecessor
            while climbing is not None and climbing is not dominators.idom[block]:
                found.setdefault(climbing, {})[block] = None
                climbing = dominators.idom[climbing]
    return {block: list(joins) for block, joins in found.items()}

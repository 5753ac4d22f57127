"""Store or recompute? One weighted minimum cut decides for all values at once.

Each need v is split into v_in → v_out whose capacity is the cost of storing it; S → v_in costs what recomputing it
costs (infinite where that is illegal); u_out → v_in is infinite for every operand u of its recipe; v_out → T is
infinite where an adjoint reads v. What lies across the cut is stored. Theorem: a finite cut exists, because
everything can be stored, and the minimum one is the cheapest plan under these prices (a generalisation of Enzyme's
unit-capacity cut; Moses and Churavy, 2020).

Prices are weighted by how often a block runs: 2^8 per loop level. They only steer the choice; correctness never
depends on them. An element that is stored costs its bytes, and the two instructions whatever its size: in vectors,
narrow elements take more instructions than wide ones. What is kept once for all iterations of a loop takes its bytes once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from enzyme_magic.backend.analysis.derivatives.mincut import INFINITE, FlowNetwork
from enzyme_magic.backend.analysis.derivatives.recompute import PRIMAL, SHADOW, TAPE, Need, Recipe, Recipes
from enzyme_magic.backend.ir import locations
from enzyme_magic.backend.ir.graphs.loops import Loop
from enzyme_magic.backend.ir.instructions import Instruction
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.values import Value
from enzyme_magic.backend.prepare.prepared import Prepared
from enzyme_magic.errors import ArgumentError

# What storing an element and reading it costs: at all, and for each byte; what one unit of a recipe costs.
ACCESS, BYTE, OPERATION = 18, 2, 5
ITERATIONS = 8  # a loop of unknown length counts as 2^8 iterations
MINIMUM_CUT, STORE_ALL, RECOMPUTE_ALL = "minimum-cut", "store-all", "recompute-all"
PRESETS = (MINIMUM_CUT, STORE_ALL, RECOMPUTE_ALL)
CHECKPOINT = "checkpoint"  # the minimum cut of a program whose loops run again from checkpoints (backend/checkpoints)
CHECKPOINT_BYTES = 8 << 20
STORE, RECOMPUTE = "store", "recompute"
_DEAR = 1 << 60  # how much dearer storing is where everything is to be computed again that can be


@dataclass(frozen=True, slots=True)
class Caching:
    """How a plan is asked for; it changes prices, and so never what is legal.

    preset: MINIMUM_CUT, the cheapest; STORE_ALL, every value that is read and not at hand anyway; RECOMPUTE_ALL, as little as
    can be.
    forced: (number of an instruction in the program's function, STORE or RECOMPUTE); of the outermost function alone.
    bytes: what the checkpoints of one loop may take, with CHECKPOINT.
    """

    preset: str = MINIMUM_CUT
    forced: tuple[tuple[int, str], ...] = ()
    bytes: int = CHECKPOINT_BYTES

    def of_callee(self) -> Caching:
        """What it asks of the functions that are called."""
        return Caching(self.preset, bytes=self.bytes)


USUAL = Caching()


@dataclass(frozen=True, slots=True)
class Read:
    """An adjoint reads `need`; `reader` is the primal instruction whose adjoint it is."""

    need: Need
    reader: Instruction | None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CachePlan:
    """`stored` in deterministic order; `recipes` of every need met; `readers[need]`: whose adjoints read it. repeated: of what is
    stored, the loops around its own, outermost first, that are not counted where it is kept (see repeats)."""

    stored: tuple[Need, ...]
    recipes: dict[Need, Recipe]
    readers: dict[Need, tuple[Instruction, ...]]
    decisions: dict[Need, str] = field(default_factory=dict)  # "available", "recompute", "store"
    repeated: dict[Need, tuple[Loop, ...]] = field(default_factory=dict)

    def is_stored(self, need: Need) -> bool:
        return self.decisions.get(need) == "store"


def plan(
    reads: Iterable[Read],
    recipes: Recipes,
    layout: DataLayout,
    caching: Caching = USUAL,
    repeated: Callable[[Need], tuple[Loop, ...]] = lambda need: (),
) -> CachePlan:
    """Decide for every need in `reads`, and everything their recipes lead to. repeated(need): see CachePlan.

    ArgumentError EM336 where `caching` forces what is illegal.
    """
    readers: dict[Need, dict[Instruction, None]] = {}
    for read in reads:
        found = readers.setdefault(read.need, {})
        if read.reader is not None:
            found[read.reader] = None
    known = _close(list(readers), recipes)
    if caching.preset == STORE_ALL and not caching.forced:
        stored = _store_all(known, readers)
    else:
        stored = _cut(
            known,
            readers,
            layout,
            _Prices(caching, readers, recipes.prepared, _forced(caching, known, recipes), repeated),
        )
    decisions = {
        need: "store" if need in stored else "available" if recipe.kind == "available" else "recompute"
        for need, recipe in known.items()
    }
    kept = tuple(need for need in known if need in stored)
    return CachePlan(
        kept,
        known,
        {need: tuple(found) for need, found in readers.items()},
        decisions,
        {need: loops for need in kept if (loops := repeated(need))},
    )


def _close(needs: list[Need], recipes: Recipes) -> dict[Need, Recipe]:
    known: dict[Need, Recipe] = {}
    pending = list(reversed(needs))
    while pending:
        need = pending.pop()
        if need not in known:
            known[need] = recipes.recipe(need)
            pending.extend(reversed(known[need].operands))
    return known


def _store_all(known: dict[Need, Recipe], readers: dict[Need, dict[Instruction, None]]) -> set[Need]:
    return {need for need in known if need in readers and known[need].kind != "available"}


def _forced(caching: Caching, known: dict[Need, Recipe], recipes: Recipes) -> dict[Need, str]:
    """What `caching` demands of each need. ArgumentError EM336 where that cannot be, or is not there."""
    if not caching.forced:
        return {}
    needs = {
        origin: need for need in known if need.kind == PRIMAL and (origin := recipes.prepared.origin.get(need.value))
    }
    numbered: dict[int, Value] = dict(enumerate(recipes.prepared.source.instructions()))
    found: dict[Need, str] = {}
    for number, decision in caching.forced:
        need = needs.get(numbered[number]) if number in numbered else None
        recipe = known[need] if need is not None else None
        if need is None or recipe is None or recipe.kind == "available":
            raise _impossible(
                f"{_called(numbered.get(number))} is neither stored nor computed again: the reverse sweep does not need to"
            )
        if decision == RECOMPUTE and recipe.kind == "illegal":
            raise _impossible(f"{_called(numbered[number])} cannot be computed again: {recipe.reason}")
        found[need] = decision
    return found


def _called(value: Value | None) -> str:
    """A value by its C line."""
    if not isinstance(value, Instruction):
        return "that value"
    if (line := locations.line_of(value)) is not None:
        return f"the value computed at line {line}"
    beside = value.parent.instructions if value.parent is not None else []
    line = next((found for i in beside if (found := locations.line_of(i)) is not None), None)
    return f"the value that line {line} begins with" if line is not None else "that value"


def _impossible(message: str) -> ArgumentError:
    return ArgumentError(message, code="EM336", hint="f.cache() lists the values and the reasons for each decision")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class _Prices:
    """What storing costs, as multiples of the bytes."""

    caching: Caching
    readers: dict[Need, dict[Instruction, None]]
    prepared: Prepared
    forced: dict[Need, str]
    repeated: Callable[[Need], tuple[Loop, ...]]

    def of_storing(self, need: Need, size: int) -> int:
        decision = self.forced.get(need)
        if decision is not None:
            return 0 if decision == STORE else INFINITE
        depth = _depth(need, self.prepared)
        usual = ACCESS * weight(depth) + BYTE * size * weight(depth - len(self.repeated(need)))
        if self.caching.preset == STORE_ALL:
            return 0 if need in self.readers else usual
        return usual * _DEAR if self.caching.preset == RECOMPUTE_ALL else usual


def _cut(
    known: dict[Need, Recipe], readers: dict[Need, dict[Instruction, None]], layout: DataLayout, prices: _Prices
) -> set[Need]:
    nodes = [need for need, recipe in known.items() if recipe.kind != "available"]
    if not nodes:
        return set()
    number = {need: 2 + 2 * k for k, need in enumerate(nodes)}
    network = FlowNetwork(2 + 2 * len(nodes))
    source, sink = 0, 1
    for need in nodes:
        recipe, node = known[need], number[need]
        again = OPERATION * weight(_depth(need, prices.prepared)) * recipe.cost
        network.add_edge(node, node + 1, prices.of_storing(need, element_size(need, layout)))
        network.add_edge(source, node, INFINITE if recipe.kind == "illegal" else again)
        for operand in recipe.operands:
            if operand in number:
                network.add_edge(number[operand] + 1, node, INFINITE)
        if need in readers:
            network.add_edge(node + 1, sink, INFINITE)
    side = network.source_side(source, sink)
    return {need for need in nodes if number[need] in side and number[need] + 1 not in side}


def weight(depth: int) -> int:
    """How often a block in that many loops is taken to run."""
    return 1 << (ITERATIONS * depth)


def _depth(need: Need, prepared: Prepared) -> int:
    loop = prepared.loop_of(need.value)
    return loop.depth if loop else 0


def element_size(need: Need, layout: DataLayout) -> int:
    """Bytes one stored element takes; a boolean takes one."""
    if need.kind in (SHADOW, TAPE):
        return layout.pointer_bits // 8
    return layout.size_of(need.value.type)

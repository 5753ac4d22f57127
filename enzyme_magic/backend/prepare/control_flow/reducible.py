"""Irreducible control flow made reducible: jumps into loops, Duff's device, state machines threaded into loops with
several entries.

Theorem: a graph is reducible if and only if every strongly connected region has one entry, and so has, recursively,
every region of what is left without that entry (Hecht and Ullman, 1974). A region with several entries gets a
dispatch block: all edges to its entries, from outside and from inside, go there, with a number that says which entry
is meant, and a switch goes on to it. The dispatch block is then the header of a natural loop.

Invariant: the path taken is the old one with dispatch blocks in between, so every instruction executes as often and
with the same values as before; nothing is duplicated. Values that no longer dominate their uses, because paths meet
in the dispatch block that cannot in fact be taken, are carried through it by phis (ssa_repair).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.graphs import cfg
from enzyme_magic.backend.ir.graphs.def_use import replace_uses
from enzyme_magic.backend.ir.graphs.scc import components
from enzyme_magic.backend.ir.instructions import Branch, Phi
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import I32
from enzyme_magic.backend.ir.values import Block, Value
from enzyme_magic.backend.prepare.control_flow import ssa_repair


def make_reducible(function: Function, origin: dict[Value, Value]) -> bool:
    """Change a function without unreachable blocks in place; gives back whether it had to. `origin` is carried over to phis that
    move to a dispatch block."""
    graph = _Graph(function, cfg.predecessors(function), {block: k for k, block in enumerate(function.blocks)}, origin)
    pending = [list(function.blocks)]
    while pending:
        for component in graph.cycles(pending.pop()):
            entries = graph.entries(component)
            if len(entries) == 1:
                pending.append([block for block in component if block is not entries[0]])
            else:
                graph.dispatch(entries)
                pending.append(component)  # its entries are no longer entered from inside
    if not graph.changed:
        return False
    replace_uses(function, graph.moved)
    ssa_repair.restore_dominance(function)
    return True


@dataclass(slots=True, eq=False)
class _Graph:
    """The function while it changes. `position`: textual order of its first blocks, which alone can be entries. `moved`: phis that
    moved to a dispatch block; their uses are renamed at the end."""

    function: Function
    predecessors: dict[Block, list[Block]]
    position: dict[Block, int]
    origin: dict[Value, Value]
    changed: bool = False
    moved: dict[Value, Value] = field(default_factory=dict)

    def cycles(self, region: list[Block]) -> list[list[Block]]:
        """The strongly connected parts of `region` that hold a cycle, each in textual order."""
        numbers = {block: k for k, block in enumerate(region)}
        edges = [[numbers[s] for s in block.successors if s in numbers] for block in region]
        _, members = components(edges)
        cyclic = [found for found in members if len(found) > 1 or found[0] in edges[found[0]]]
        return [sorted((region[k] for k in found), key=self.position.__getitem__) for found in cyclic]

    def entries(self, component: list[Block]) -> list[Block]:
        """The blocks of `component` that are entered from outside."""
        inside = set(component)
        return [block for block in component if any(p not in inside for p in self.predecessors[block])]

    def dispatch(self, entries: list[Block]) -> None:
        """Send every edge to one of `entries` through a new block that goes on to the entry meant."""
        hub = Block(f"{entries[0].name}.dispatch", parent=self.function)
        self.function.blocks.insert(self.function.blocks.index(entries[0]), hub)
        selector = Builder(hub).phi(I32, name="entry")
        carriers = [(entry, phi, self._carrier(hub, phi)) for entry in entries for phi in cfg.phis(entry)]
        self.predecessors[hub] = []
        for number, entry in enumerate(entries):
            for source in dict.fromkeys(self.predecessors[entry]):
                edge = self._edge(source, entry)
                for home, phi, carrier in carriers:
                    value = phi.value_from(edge) if home is entry else constants.poison(phi.type)
                    Builder(hub).add_incoming(carrier, value, edge)
                Builder(hub).add_incoming(selector, constants.int_constant(I32, number), edge)
                cfg.redirect(edge.terminator, entry, hub)
                self.predecessors[hub].append(edge)
            self.predecessors[entry] = [hub]
        for entry, phi, _ in carriers:
            entry.instructions.remove(phi)
        Builder(hub).switch(selector, entries[0], list(enumerate(entries))[1:])
        self.changed = True

    def _carrier(self, hub: Block, phi: Phi) -> Phi:
        carrier = Builder(hub).phi(phi.type, name=phi.name)
        carrier.metadata = dict(phi.metadata)
        self.moved[phi] = carrier
        if phi in self.origin:
            self.origin[carrier] = self.origin.pop(phi)
        return carrier

    def _edge(self, source: Block, entry: Block) -> Block:
        """A block from which `entry` is the only way on."""
        source.terminator.metadata.pop("llvm.loop", None)  # the loop it speaks of is another one now
        if isinstance(source.terminator, Branch) and len(source.terminator.targets) == 1:
            return source
        edge = cfg.split_edge(source, entry, f"{source.name}.to.{entry.name}")
        self.predecessors[edge] = [source]
        return edge

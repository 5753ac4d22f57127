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

from enzyme_magic.backend.analysis.scc import components
from enzyme_magic.backend.autodiff import ssa_repair
from enzyme_magic.backend.ir import cfg, constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.def_use import replace_uses
from enzyme_magic.backend.ir.instructions import Branch, Phi
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import I32
from enzyme_magic.backend.ir.values import Block, Value


def make_reducible(function: Function, origin: dict[Value, Value]) -> bool:
    """Change a function without unreachable blocks in place; gives back whether it had to. `origin` is carried over
    to phis that move to a dispatch block."""
    changed = False
    pending = [set(function.blocks)]
    while pending:
        region = pending.pop()
        for component in _cycles(function, region):
            entries = _entries(function, component)
            if len(entries) == 1:
                pending.append(component - {entries[0]})
            else:
                _dispatch(function, entries, origin)
                pending.append(component)  # its entries are no longer entered from inside
                changed = True
    if changed:
        ssa_repair.restore_dominance(function)
    return changed


def _cycles(function: Function, region: set[Block]) -> list[set[Block]]:
    """The strongly connected parts of `region` that hold a cycle."""
    blocks = [block for block in function.blocks if block in region]
    numbers = {block: k for k, block in enumerate(blocks)}
    edges = [[numbers[s] for s in block.successors if s in numbers] for block in blocks]
    _, members = components(edges)
    return [{blocks[k] for k in found} for found in members if len(found) > 1 or found[0] in edges[found[0]]]


def _entries(function: Function, component: set[Block]) -> list[Block]:
    """The blocks of `component` that are entered from outside, in textual order."""
    entered = {s for block in function.blocks if block not in component for s in block.successors}
    return [block for block in function.blocks if block in component and block in entered]


def _dispatch(function: Function, entries: list[Block], origin: dict[Value, Value]) -> None:
    """Send every edge to one of `entries` through a new block that goes on to the entry meant."""
    hub = Block(f"{entries[0].name}.dispatch", parent=function)
    function.blocks.insert(function.blocks.index(entries[0]), hub)
    selector = Builder(hub).phi(I32, name="entry")
    moved = {entry: cfg.phis(entry) for entry in entries}
    replacements: dict[Value, Value] = {}
    carriers: list[tuple[Block, Phi, Phi]] = []
    for entry, phis in moved.items():
        for phi in phis:
            carrier = Builder(hub).phi(phi.type, name=phi.name)
            carrier.metadata = dict(phi.metadata)
            carriers.append((entry, phi, carrier))
            replacements[phi] = carrier
    predecessors = {
        entry: list(dict.fromkeys(p for p in function.blocks if entry in p.successors)) for entry in entries
    }
    for number, entry in enumerate(entries):
        for source in predecessors[entry]:
            edge = _edge(source, entry)
            for home, phi, carrier in carriers:
                value = phi.value_from(edge) if home is entry else constants.poison(phi.type)
                Builder(hub).add_incoming(carrier, value, edge)
            Builder(hub).add_incoming(selector, constants.int_constant(I32, number), edge)
            cfg.redirect(edge.terminator, entry, hub)
    for entry, phi, carrier in carriers:
        entry.instructions.remove(phi)
        if phi in origin:
            origin[carrier] = origin.pop(phi)
    Builder(hub).switch(selector, entries[0], list(enumerate(entries))[1:])
    replace_uses(function, replacements)


def _edge(source: Block, entry: Block) -> Block:
    """A block from which `entry` is the only way on."""
    source.terminator.metadata.pop("llvm.loop", None)  # the loop it speaks of is another one now
    if isinstance(source.terminator, Branch) and len(source.terminator.targets) == 1:
        return source
    return cfg.split_edge(source, entry, f"{source.name}.to.{entry.name}")

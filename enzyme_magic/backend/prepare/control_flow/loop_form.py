"""Loop-simplify form, where the optimizer did not leave it: one preheader, one latch, exit blocks of the loop's own.

Invariant: only blocks without instructions (phis and one branch) are added, on edges that exist; what the function
computes, and every dominance between old blocks, stays. Afterwards `loops.simplify_violation` finds nothing, and
values leave loops through phis (LCSSA).

Reducible functions only: see reducible.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.graphs import cfg
from enzyme_magic.backend.ir.graphs import loops as loop_analysis
from enzyme_magic.backend.ir.graphs.loops import Loop
from enzyme_magic.backend.ir.instructions import Phi
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.values import Block, Value
from enzyme_magic.backend.prepare.control_flow import ssa_repair


def simplify(function: Function) -> None:
    """Bring the loops of a reducible function without unreachable blocks into form, in place."""
    while _fix_one_kind(function):
        pass
    ssa_repair.close_loops(function, loop_analysis.find(function))


def _fix_one_kind(function: Function) -> bool:
    """Mend one kind of violation in all loops: later kinds are judged by what the earlier ones leave."""
    found = loop_analysis.find(function).loops
    predecessors = {block: list(dict.fromkeys(before)) for block, before in cfg.predecessors(function).items()}
    for mend in (_add_preheader, _join_latches, _separate_exits):
        mended = [mend(loop, predecessors) for loop in found]
        if any(mended):
            return True
    return False


def _add_preheader(loop: Loop, predecessors: dict[Block, list[Block]]) -> bool:
    if loop.preheader is not None:
        return False
    outside = [p for p in predecessors[loop.header] if p not in loop.blocks]
    split_predecessors(loop.header, outside, f"{loop.header.name}.preheader")
    return True


def _join_latches(loop: Loop, _: dict[Block, list[Block]]) -> bool:
    if len(loop.latches) == 1:
        return False
    split_predecessors(loop.header, loop.latches, f"{loop.header.name}.latch")
    return True


def _separate_exits(loop: Loop, predecessors: dict[Block, list[Block]]) -> bool:
    """Inner loops change the predecessors of exit blocks they share with outer ones: those are found in the next
    round."""
    changed = False
    for target in dict.fromkeys(target for _, target in loop.exits):
        inside = [p for p in predecessors[target] if p in loop.blocks]
        if len(inside) < len(predecessors[target]) and all(target in p.successors for p in inside):
            split_predecessors(target, inside, f"{target.name}.of.{loop.header.name}")
            changed = True
    return changed


def split_predecessors(block: Block, sources: Sequence[Block], name: str) -> Block:
    """A new block through which all edges from `sources` to `block` go; phis of `block` are divided."""
    function = block.parent
    assert function is not None
    middle = Block(name, parent=function)
    moved = set(sources)
    for phi in cfg.phis(block):
        _divide(phi, moved, middle)
    branch = Builder(middle).br(block)
    for source in sources:
        cfg.redirect(source.terminator, block, middle)
    location = sources[0].terminator.metadata.get("dbg") if sources else None
    if location is not None:
        branch.metadata["dbg"] = location
    function.blocks.insert(function.blocks.index(block), middle)
    return middle


def _divide(phi: Phi, moved: set[Block], middle: Block) -> None:
    """Let what came from the blocks `moved` come from `middle`."""
    ours = [(value, block) for value, block in phi.incoming if block in moved]
    others = [(value, block) for value, block in phi.incoming if block not in moved]
    merged: Value = ours[0][0]
    if any(value is not merged for value, _ in ours):
        builder = Builder(middle)
        made = builder.phi(phi.type, name=phi.name)
        made.metadata = dict(phi.metadata)
        for value, block in ours:
            builder.add_incoming(made, value, block)
        merged = made
    phi.operands[:] = [value for value, _ in others] + [merged]
    phi.blocks[:] = [block for _, block in others] + [middle]

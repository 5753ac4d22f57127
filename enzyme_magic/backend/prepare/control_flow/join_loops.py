"""Makes one loop of loops that run one after the other (decided in analysis/derivatives/joined_loops.py).

Invariant: loop-simplify form and LCSSA stay, and every instruction but the branches of the later loops stays the same object, so
what is known of it by name still holds. The first loop's test decides; tests of the others, and loads of what is known, are left
to the optimizer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from enzyme_magic.backend.ir.graphs.loops import Loop
from enzyme_magic.backend.ir.instructions import Branch, Instruction, Load, Phi
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.values import Block, Value


class Group(Protocol):
    """Loops of one block each that shall be one, and what loads in them give without being asked (JoinedLoops)."""

    @property
    def loops(self) -> tuple[Loop, ...]: ...

    @property
    def known(self) -> Mapping[Load, Value]: ...


def join(function: Function, group: Group) -> list[Block]:
    """Let the first loop do the work of all. Returns the blocks that are gone."""
    first, *others = group.loops
    assert first.preheader is not None
    gone: list[Block] = []
    for loop in others:
        assert loop.preheader is not None
        assert loop.exit_behind_latch is not None
        _before(loop.preheader, first.preheader)
        _behind(loop.preheader, loop.exit_behind_latch)
        _body(loop, first)
        last = first.header.terminator
        assert isinstance(last, Branch)
        last.targets = [loop.exit_behind_latch if block is loop.preheader else block for block in last.targets]
        _renamed(loop.exit_behind_latch, loop.header, first.header)
        gone += [loop.preheader, loop.header]
    function.blocks = [block for block in function.blocks if block not in gone]
    if group.known:
        for i in function.instructions():
            i.operands = [_without_memory(group.known, o) for o in i.operands]
    return gone


def _without_memory(known: Mapping[Load, Value], value: Value) -> Value:
    while isinstance(value, Load) and value in known:
        value = known[value]
    return value


def _before(between: Block, preheader: Block) -> None:
    """What stands between two loops goes before the first."""
    moved = [i for i in between.instructions[:-1] if not isinstance(i, Phi)]
    _put(preheader, len(preheader.instructions) - 1, moved)


def _behind(between: Block, behind: Block) -> None:
    """The values with which the first loop is left are known behind the second."""
    left = [i for i in between.instructions if isinstance(i, Phi)]
    values: dict[Value, Value] = {phi: phi.operands[0] for phi in left}
    for phi in behind.instructions[: _phis(behind)]:
        phi.operands = [values.get(o, o) for o in phi.operands]
    _put(behind, 0, list(left))


def _body(loop: Loop, first: Loop) -> None:
    *body, _ = loop.header.instructions
    phis = [i for i in body if isinstance(i, Phi)]
    for phi in phis:
        phi.blocks = [first.header if block is loop.header else first.preheader or block for block in phi.blocks]
    _put(first.header, _phis(first.header), list(phis))
    _put(first.header, len(first.header.instructions) - 1, [i for i in body if not isinstance(i, Phi)])


def _renamed(behind: Block, old: Block, new: Block) -> None:
    for phi in behind.instructions[: _phis(behind)]:
        if isinstance(phi, Phi):
            phi.blocks = [new if block is old else block for block in phi.blocks]


def _put(block: Block, position: int, instructions: Sequence[Instruction]) -> None:
    block.instructions[position:position] = instructions
    for i in instructions:
        i.parent = block


def _phis(block: Block) -> int:
    """How many phis the block begins with."""
    return next(k for k, i in enumerate(block.instructions) if not isinstance(i, Phi))

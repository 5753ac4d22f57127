"""What stands on the arrows between blocks: "x > 0", "otherwise", "next i", "done".

Invariant: an arrow has a label where its block has another one; a back edge always has one. Labels are C conditions, never T and F.
"""

from __future__ import annotations

from collections.abc import Set

from enzyme_magic.backend.analysis.counts.tripcount import trip_count
from enzyme_magic.backend.explain.words.c_text import UNNAMED, CText
from enzyme_magic.backend.ir import locations
from enzyme_magic.backend.ir.graphs.loops import Loop, Loops
from enzyme_magic.backend.ir.instructions import Branch, Instruction, Phi, Switch
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.values import Block, Value
from enzyme_magic.report import Edge

LONGEST = 48
MOST_CASES = 4


def edges(function: Function, loops: Loops, text: CText, name: dict[Block, str]) -> tuple[Edge, ...]:
    """All edges of `function`, in textual order; `name` gives the blocks' names, and no other blocks are shown."""
    found: list[Edge] = []
    following = dict(zip(function.blocks, function.blocks[1:], strict=False))
    for block in function.blocks:
        targets = list(dict.fromkeys(block.successors))
        for target in targets:
            if block not in name or target not in name:
                continue
            loop = loops.of(block)
            back = loop is not None and any(target is around.header for around in _around(loop))
            straight = not back and (len(targets) == 1 or following.get(block) is target)
            label = _label(block, target, loops, text, back=back)
            found.append(Edge(name[block], name[target], label, back, straight))
    return tuple(found)


def _around(loop: Loop) -> list[Loop]:
    """The loop and those around it."""
    found = [loop]
    while (parent := found[-1].parent) is not None:
        found.append(parent)
    return found


def _label(block: Block, target: Block, loops: Loops, text: CText, *, back: bool) -> str | None:
    if back:
        return _next(target, loops, text)
    terminator = block.terminator
    if len(set(block.successors)) < 2:
        return None
    left = loops.left_by(block, target)
    if left and (len(left[-1].exits) == 1 or _by_count(block, left[-1], text)):
        return "done"
    return _condition(terminator, target, text)


def _by_count(block: Block, loop: Loop, text: CText) -> bool:
    """Whether the loop is left there because it has run as often as it should: at its end, by the test of its counter."""
    evolution = text.places.evolution if text.places is not None and block is loop.latch else None
    own = evolution.loops.of(loop.header) if evolution is not None else None
    count = trip_count(own, evolution) if evolution is not None and own is not None else None
    return count is not None and block in {way_out.block for way_out in count.exits}


def _next(header: Block, loops: Loops, text: CText) -> str:
    """ "next i", by the variable the loop counts with."""
    loop = loops.of(header)
    counting = text.places.counting_at(header) if text.places is not None and loop is not None else None
    return f"next {counting}" if counting else "again"


def _condition(terminator: Instruction, target: Block, text: CText) -> str:
    if isinstance(terminator, Branch):
        if target is not terminator.targets[0]:
            return "otherwise"
        return _shortened(text.condition(terminator.operands[0]), text.value(terminator.operands[0]))
    if isinstance(terminator, Switch):
        if target is terminator.targets[0]:
            return "otherwise"
        cases = [c for c, t in zip(terminator.cases, terminator.targets[1:], strict=True) if t is target]
        chosen = text.value(terminator.operands[0])
        if UNNAMED in chosen:
            return _arriving(terminator.operands[0], set(cases))
        listed = ", ".join(text.value(case) for case in cases[:MOST_CASES]) + (", …" if len(cases) > MOST_CASES else "")
        return f"{chosen} == {listed}"
    return "otherwise" if terminator.successors[0] is not target else terminator.opcode


def _arriving(chosen: Value, cases: Set[Value]) -> str:
    """The way on that clang has noted in a number, where variables end: by the lines from which one goes there."""
    ways = chosen.incoming if isinstance(chosen, Phi) else []
    ends = (block.instructions[-1] for value, block in ways if value in cases)
    lines = sorted({line for i in ends if (line := locations.line_of(i)) is not None})
    return f"coming from line {', '.join(map(str, lines))}" if lines else "else"


def _shortened(condition: str, otherwise: str) -> str:
    return (
        condition
        if len(condition) <= LONGEST
        else otherwise
        if len(otherwise) <= LONGEST
        else condition[:LONGEST] + "…"
    )

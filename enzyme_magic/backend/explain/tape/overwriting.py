"""Who overwrites what the reverse sweep would read again, in words: "line 3 overwrites a[i]", "line 7 may overwrite b[j]".

Invariant: "overwrites" is said only where a write meets just the place of the read, and comes behind it: in the same iteration of
the loops around both, or in a later one where the place is still the same. All else "may".
"""

from __future__ import annotations

from collections.abc import Iterator

from enzyme_magic.backend.analysis.counts.affine import Polynomial
from enzyme_magic.backend.analysis.memory.alias import Overwrite
from enzyme_magic.backend.explain.scene import Scene
from enzyme_magic.backend.explain.words.c_text import UNNAMED
from enzyme_magic.backend.explain.words.variables import function_name
from enzyme_magic.backend.ir import intrinsics
from enzyme_magic.backend.ir.graphs.loops import Loop
from enzyme_magic.backend.ir.instructions import Call, Instruction, Load, Store
from enzyme_magic.backend.ir.values import Block, Value


def overwritten(scene: Scene, read: Value, overwrite: Overwrite, what: str) -> str:
    """read: what the reverse sweep needs; what: its words."""
    instruction = overwrite.instruction
    where = f"line {overwrite.line}" if overwrite.line is not None else "an instruction without a line"
    if isinstance(instruction, Store):
        meets = (
            isinstance(read, Load)
            and _is_same_place(scene, read, instruction)
            and _comes_behind(scene, read, instruction)
        )
        return f"{where} {'overwrites' if meets else 'may overwrite'} {what}"
    called = instruction.called_function if isinstance(instruction, Call) else None
    if called is None:
        return overwrite.sentence
    name = intrinsics.word(called.name) or function_name(called)
    return f"{where}: {name} {'frees it' if 'may free' in overwrite.sentence else 'may change it'}"


def _is_same_place(scene: Scene, load: Load, store: Store) -> bool:
    """Whether both go by one formula, or have the same words: the elements that one loop reads and another writes."""
    evolution = scene.subject.alias.evolution
    read, written = (evolution.address(pointer) for pointer in (load.pointer, store.pointer))
    if read.base is not written.base:
        return False
    texts = [scene.text.place_of(pointer, load.type) for pointer in (load.pointer, store.pointer)]
    return read.offset == written.offset or (texts[0] == texts[1] and UNNAMED not in texts[0])


def _comes_behind(scene: Scene, load: Load, store: Store) -> bool:
    """Whether the write that meets the place comes behind the read: where the place moves with a loop around both, within one
    iteration of that loop."""
    evolution = scene.subject.alias.evolution
    offset = evolution.address(load.pointer).offset
    loops = evolution.loops
    moving = [
        loop for loop in _around(loops.of(load.parent)) if store.parent in loop.blocks and _moves(scene, offset, loop)
    ]
    return not moving or _is_reached(load, store, moving[0])


def _around(loop: Loop | None) -> Iterator[Loop]:
    """Innermost first."""
    while loop is not None:
        yield loop
        loop = loop.parent


def _moves(scene: Scene, offset: Polynomial, loop: Loop) -> bool:
    """Whether the iterations of a loop change an offset."""
    symbols = scene.subject.alias.evolution.symbols
    of = [symbols[symbol].of for monomial in offset for symbol in monomial]
    return any(value is loop or (isinstance(value, Instruction) and value.parent in loop.blocks) for value in of)


def _is_reached(load: Load, store: Store, loop: Loop) -> bool:
    """Whether a way leads from the read to the write that does not begin another iteration."""
    if load.parent is store.parent:
        inside = load.parent.instructions if load.parent is not None else []
        return inside.index(load) < inside.index(store)
    pending, seen = [load.parent], set[Block | None]()
    while pending:
        block = pending.pop()
        if block is store.parent:
            return True
        if block is not None and block not in seen:
            seen.add(block)
            pending += [b for b in block.successors if b in loop.blocks and b is not loop.header]
    return False

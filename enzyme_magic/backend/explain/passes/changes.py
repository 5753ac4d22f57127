"""What a pass changed, counted in the two texts: each number is one that a reader can count again.

Instructions are the same where they have the same name in the same function; those without a name (stores, branches) are counted by
opcode. Nothing is said about why.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from enzyme_magic.backend.explain.passes.listing import LOCAL, Listed, ListedInstruction, ListedLoop

_COMING_FROM = re.compile(r', %(?:"[^"]*"|[-\w$.]+) \]')


@dataclass(frozen=True, slots=True)
class Moved:
    """`count` instructions of one opcode that left a loop of the function, or went into one."""

    function: str
    opcode: str
    count: int
    loop: ListedLoop
    inwards: bool


@dataclass(frozen=True, slots=True)
class Changes:
    """before, after: instructions of all functions, by opcode. gone, new: defined functions. inlined: (callee, how many calls of it
    are gone) for defined functions. loops, blocks: how many there are. rewritten: values that are computed in another way. vectors:
    instructions with vectors; widest: the most numbers of one."""

    before: Mapping[str, int]
    after: Mapping[str, int]
    gone: tuple[str, ...]
    new: tuple[str, ...]
    inlined: tuple[tuple[str, int], ...]
    moved: tuple[Moved, ...]
    loops: tuple[int, int]
    blocks: tuple[int, int]
    rewritten: int
    vectors: tuple[int, int]
    widest: int
    touched: tuple[str, ...]  # functions whose text is another

    @property
    def counts(self) -> tuple[int, int]:
        return sum(self.before.values()), sum(self.after.values())


def changes(before: Mapping[str, Listed], after: Mapping[str, Listed]) -> Changes:
    """From one text to the next."""
    touched = tuple(n for n in after if n in before and before[n].lines != after[n].lines)
    pairs = [(before[n], after[n]) for n in touched]
    rows = [row for f in after.values() for row in f.rows]
    return Changes(
        Counter(row.opcode for f in before.values() for row in f.rows),
        Counter(row.opcode for row in rows),
        tuple(n for n in before if n not in after),
        tuple(n for n in after if n not in before),
        tuple(_inlined(before, after)),
        tuple(moved for pair in pairs for moved in _moved(*pair)),
        (sum(len(f.loops) for f in before.values()), sum(len(f.loops) for f in after.values())),
        (sum(len(f.blocks) for f in before.values()), sum(len(f.blocks) for f in after.values())),
        sum(_rewritten(*pair) for pair in pairs),
        (sum(_vectors(f.rows) for f in before.values()), _vectors(rows)),
        max((row.lanes for row in rows), default=1),
        touched,
    )


def _vectors(rows: Sequence[ListedInstruction]) -> int:
    return sum(1 for row in rows if row.lanes > 1)


def _calls(functions: Mapping[str, Listed]) -> Counter[str]:
    return Counter(row.called for f in functions.values() for row in f.rows if row.called)


def _inlined(before: Mapping[str, Listed], after: Mapping[str, Listed]) -> Iterator[tuple[str, int]]:
    had, has = _calls(before), _calls(after)
    for name in before:
        if had[name] > has[name]:
            yield name, had[name] - has[name]


def _moved(before: Listed, after: Listed) -> Iterator[Moved]:
    """Instructions that changed their block, from or to a block of a loop, where both blocks and the loop are in both texts: then
    the instruction moved, and not the loop around it."""
    pairs = {
        loop.header: (loop, other) for loop in before.loops for other in after.loops if loop.header == other.header
    }
    now = {row.name: row for row in after.rows if row.name}
    found: dict[tuple[str, str, bool], tuple[int, ListedLoop]] = {}
    for row in before.rows:
        other = now.get(row.name) if row.name else None
        if other is None or other.block == row.block or other.opcode != row.opcode or row.opcode == "phi":
            continue
        if row.block not in after.blocks or other.block not in before.blocks:
            continue
        left = [
            a for a, b in pairs.values() if row.block in a.blocks & b.blocks and other.block not in a.blocks | b.blocks
        ]
        come = [
            b for a, b in pairs.values() if other.block in a.blocks & b.blocks and row.block not in a.blocks | b.blocks
        ]
        if bool(left) == bool(come):
            continue
        loop = max(left or come, key=lambda loop: len(loop.blocks))
        key = (row.opcode, loop.header, bool(come))
        found[key] = (found.get(key, (0, loop))[0] + 1, loop)
    for (opcode, _, inwards), (count, loop) in found.items():
        yield Moved(before.name, opcode, count, loop, inwards)


def _rewritten(before: Listed, after: Listed) -> int:
    """Instructions of the same value that do something else now: another opcode, or other operands. Of operands that have a number
    and no name that stays nothing is said: each text numbers anew."""
    had = {row.name: row for row in before.rows if row.name}
    own, other = _named(before), _named(after)
    return sum(1 for row in after.rows if row.name in had and _meaning(row, other) != _meaning(had[row.name], own))


def _named(function: Listed) -> dict[str, str]:
    """What a function's text calls its values -> the names that stay."""
    return {row.own: row.name for row in function.rows if row.own and row.name}


def _meaning(row: ListedInstruction, names: Mapping[str, str]) -> str:
    text = _COMING_FROM.sub(" ]", row.text) if row.opcode == "phi" else row.text  # blocks have names of their own
    return LOCAL.sub(lambda found: names.get(found[0], "%" if found[0][1:].isdigit() else found[0]), text)

"""Integers that may be a part of a floating number: how large that is, whether the rest lies beside it, and where copies take it.

And whether an integer is stored over a part of a number.

All are upper bounds: evidence of any rank counts, also where it is not certain, but that something is read as a part puts none
there. Numbers in `COMPUTED` bytes are none any more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import inf

from enzyme_magic.backend.analysis.types.layouts import MANGLED, Layout, LayoutLeaf, Part
from enzyme_magic.backend.analysis.types.type_facts import (
    BACKWARD,
    DECLARED,
    MOST_LEAVES,
    STRIDED,
    CopyLink,
    Node,
    TypeFact,
    declarations,
    is_number,
    is_redundant,
    is_small_member,
    is_stride,
    room_at,
)
from enzyme_magic.backend.analysis.types.type_tree import INTEGER, PADDING
from enzyme_magic.backend.analysis.types.windows import Arrival, Copy

WHOLE = 16  # bytes of the largest number
Place = tuple[Node, int, int]
UNKNOWN_SIZE = 8  # of a number that no fact tells of


def widest_number(node: Node) -> int:
    """The size of the largest number that some evidence about a value speaks of; 0 where there is none."""
    sizes = [_widest(fact.layout) for fact in node.facts.values() if fact.layout.floats]
    return max(sizes, default=UNKNOWN_SIZE if node.incomplete else 0)


def _widest(layout: Layout) -> int:
    found = 0
    for part in layout.parts:
        if isinstance(part.item, Layout):
            found = max(found, _widest(part.item))
        elif part.item.concrete.is_float:
            found = max(found, part.item.size)
    return found if layout.tail is None else max(found, _widest(layout.tail[1]))


def least_number(layout: Layout) -> int:
    """The size of the smallest floating number in a layout; 0 where numbers were computed with."""
    sizes = (leaf.size for leaf in all_leaves(layout) if leaf.concrete.is_float)
    return 0 if layout is MANGLED else min(sizes, default=0)


def least_part(declared: TypeFact, fact: TypeFact) -> float:
    """Where a declaration says that all bytes of which a fact tells are those of integers: the size of the smallest one that has a
    part of them, or WHOLE, if one has all, or one in each struct of an array. inf: it says something else. Steps that are no larger
    than what is put there may go through something else, if they begin behind a header. Characters are raw bytes."""
    low, high, every = fact.window.low, fact.window.high, fact.window.every
    if low is None or high is None or not declared.layout.size or high - low > WHOLE:
        return inf
    steps = declared.layout.strides(low - declared.shift) if every else ()
    least = high - low + (not 0 <= low - declared.shift < declared.layout.size)
    if every and not any(step >= least and every % step == 0 for step in steps):
        return inf
    parts = []
    while low < high:
        found = declared.leaf(low, every)
        if found is None or found[1].concrete != INTEGER or (found[1].weak and high > found[0] + found[1].size):
            return inf
        low = found[0] + found[1].size
        parts.append(found[1].size)
    return min(parts) if len(parts) > 1 else WHOLE


def only_numbers(layout: Layout) -> bool:
    """Whether every byte of objects of a layout is one of a number."""
    items = [part.item for part in layout.parts]
    numbers = all(only_numbers(item) if isinstance(item, Layout) else item.concrete.is_float for item in items)
    return numbers and bool(items) and (layout.tail is None or only_numbers(layout.tail[1]))


def has_others(layout: Layout) -> bool:
    """Whether there is something in objects of a layout that is no number, and no padding."""
    items = [part.item for part in layout.parts]
    items += [layout.tail[1]] if layout.tail is not None else []
    return any(
        has_others(item) if isinstance(item, Layout) else not item.concrete.is_float and item.concrete != PADDING
        for item in items
    )


def row_in(layout: Layout) -> int:
    """How many bytes of integers lie in a row somewhere in objects of a layout."""
    return max((layout.row_at(position) for position in range(0, min(layout.size, MOST_LEAVES), 2)), default=0)


def is_cut(fact: TypeFact, arrived: Arrival, copy: Copy) -> bool:
    """Whether a copy takes a number of which it leaves bytes behind."""
    low, high = arrived.window.low, arrived.window.high
    if low is None or high is None or fact.flow == BACKWARD:
        return False  # how bytes are read does not tell what is put there
    start = arrived.start + low - copy.there
    return any(_is_inside(fact, edge) for edge in (start, start + high - low))


def _is_inside(fact: TypeFact, edge: int) -> bool:
    """Whether a number reaches across an edge."""
    found = fact.layout.leaf_near(edge - fact.shift, fact.modulus)
    return found is not None and found[1].concrete.is_float and found[0] != edge - fact.shift


def may_overwrite(places: Iterable[Place], size: int | None, *, stored: bool) -> bool:
    """Whether an integer, or bytes of integers, may be put over some of a number (size None: known at run time only). stored: C
    calls it one at that place, and so no number lies there that C calls one: but some may have come there as mere bytes."""
    return any(
        (node.may_miss(at, modulus, size or 1) and not _has_no_room(node, at, modulus, size or 1))
        or any(_may_show_number(fact, at, modulus, size) for fact in _numbers(node, stored=stored))
        for node, at, modulus in places
    )


def _has_no_room(node: Node, at: int, modulus: int, size: int) -> bool:
    return is_small_member(node, at, modulus, size) and room_at(node, at, modulus) < UNKNOWN_SIZE


def _numbers(node: Node, *, stored: bool) -> Iterator[TypeFact]:
    declared = declarations(node)
    for fact in node.facts.values():
        told = fact.layout.floats and fact.flow != BACKWARD and (not stored or _is_put_as_bytes(fact))
        if told and not (is_stride(fact) and is_redundant(fact, declared)):
            yield fact


def _is_put_as_bytes(fact: TypeFact) -> bool:
    """Whether it tells of numbers that a copy put there, or a store that C does not call one of a number."""
    return fact.put or (fact.access and not fact.typed and fact.rank >= STRIDED)


def _may_show_number(fact: TypeFact, at: int, modulus: int, size: int | None) -> bool:
    if not fact.window.may_meet(at, size, modulus):
        return False
    found = (fact.leaf(at + k, modulus) for k in range(min(size or MOST_LEAVES, MOST_LEAVES)))
    return any(leaf is None or is_number(leaf[1]) for leaf in found)


def all_leaves(layout: Layout) -> Iterator[LayoutLeaf]:
    """What there is in an object, in any order, an item of an array once."""
    for part in (*layout.parts, *((Part(0, 1, layout.tail[1]),) if layout.tail is not None else ())):
        if isinstance(part.item, Layout):
            yield from all_leaves(part.item)
        else:
            yield part.item


def takes_lost(link: CopyLink, start: float) -> bool:
    """Whether a copy may take numbers that nobody tells of, if its source is lost from `start` on: not what lies before, and no
    integer of a struct that has no room for a number."""
    source, length = link.source, link.length
    if link.numbers or start == inf or (source.size is None and link.target.size is None and not link.moves):
        return False  # nodes of one memory are lost together
    if length is None or source.size is not None:
        return True
    before = not link.source_modulus and link.a + length <= start
    return not before and not is_small_member(source, link.a, link.source_modulus, length)


def arrival(link: CopyLink, start: float) -> float:
    """From where on the target of a copy is lost, if its source is from `start` on."""
    if link.target.size is not None or link.target_modulus or link.source_modulus:
        return -inf
    return max(start, link.a) - link.a + link.b


def is_declared_number(node: Node, position: int) -> bool:
    """Whether a byte is declared to be of a floating number: not said by whoever reads it later, nor because of what was copied."""
    said = (f for f in node.facts.values() if f.rank == DECLARED and f.flow != BACKWARD and not (f.access or f.put))
    return any((found := fact.leaf(position, 0)) is not None and found[1].concrete.is_float for fact in said)

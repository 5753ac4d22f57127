"""Integers that may be a part of a floating number: how large that is, and whether the rest lies beside it.

Both are upper bounds: evidence of any rank counts, also where it is not certain, but that something is read as a part puts none
there. Numbers in `COMPUTED` bytes are none any more.
"""

from __future__ import annotations

from math import gcd, inf

from enzyme_magic.backend.analysis.types.layouts import MANGLED, Layout, Part
from enzyme_magic.backend.analysis.types.type_facts import BACKWARD, DECLARED, Node, TypeFact
from enzyme_magic.backend.analysis.types.type_tree import INTEGER, PADDING, UNKNOWN
from enzyme_magic.backend.analysis.types.windows import Arrival, Copy

UNKNOWN_SIZE = 8  # of a number that no fact tells of
MOST_BYTES = 64  # of a read that are looked at one by one


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
    found = [0] if layout is MANGLED else []
    for part in (*layout.parts, *((Part(0, 1, layout.tail[1]),) if layout.tail is not None else ())):
        if isinstance(part.item, Layout):
            found += [least_number(part.item)] if part.item.floats else []
        elif part.item.concrete.is_float:
            found.append(part.item.size)
    return min(found, default=0)


def number_at(node: Node, position: int, length: int | None, modulus: int) -> float:
    """The size of the smallest number in memory some of whose bytes may lie in `length` ones from a place on (known modulo
    `modulus`), by what is said of it or put there; inf: there is none."""
    certain = (fact for fact in node.facts.values() if fact.layout.floats and fact.flow != BACKWARD)
    met = (fact for fact in certain if fact.window.may_meet(position, length, modulus))
    return min((_number_met(fact, position, length, modulus) for fact in met), default=inf)


def _number_met(fact: TypeFact, position: int, length: int | None, modulus: int) -> float:
    if fact.layout is MANGLED:
        return 1
    least = least_number(fact.layout)
    size = fact.layout.size
    if not size or fact.layout.tail is not None or length is None or length > MOST_BYTES:
        return least
    step = gcd(modulus, fact.modulus, fact.window.every)
    for k in range(position, position + length):
        met = fact.window.may_meet(k, 1, modulus)
        if met and any(leaf.concrete.is_float for _, leaf in fact.layout.candidates(k - fact.shift, gcd(step, size))):
            return least
    return inf


def is_declared(node: Node, position: int, modulus: int) -> bool:
    """Whether it is said of memory what lies at a place, other than by an access to it."""
    said = (f for f in node.facts.values() if f.rank == DECLARED and f.flow != BACKWARD and not (f.access or f.put))
    found = (fact.leaf(position, modulus) for fact in said)
    return any(leaf is not None and not leaf[1].weak and leaf[1].concrete != UNKNOWN for leaf in found)


def takes_words(node: Node, least: float) -> bool:
    """Whether memory is declared as integers that have room for a number of so many bytes, to which C lets bytes be copied."""
    said = (f for f in node.facts.values() if f.rank == DECLARED and f.flow != BACKWARD and not f.access)
    leaves = (fact.layout.only_leaf for fact in said if fact.window.high is None)
    return any(leaf is not None and leaf.concrete == INTEGER and leaf.size >= least for leaf in leaves)


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

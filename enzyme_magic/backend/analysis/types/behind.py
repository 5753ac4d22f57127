"""What lies behind the object that a pointer leads to: more such objects, or something else altogether?

A pointer to a struct tells the layout of one object. That others of its kind follow, as in an array, is presumed where nothing
speaks against it. A header with numbers behind it, rows with a table of pointers before them, an arena: there pointers of other
types lead into the same block, and accesses of other types are made. Then nothing is known of the block: a copy of bytes of it
must be refused, and not be taken for one of headers.

How many objects there are says a number of bytes that is a product with their size. Where it is none, and there are other things
than numbers in the object, a part of the block may be something else, though nobody here sees it: functions hear little of what
others do behind pointers that are kept in memory.

The evidence that counts against it is weaker than what decides a byte (`type_facts`): also where a pointer of a type is made from,
or read as a number later on. It is compared at the places where it is, and only where numbers are at stake.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd

from enzyme_magic.backend.analysis.types.layouts import MANGLED, Layout, LayoutLeaf, Part, same
from enzyme_magic.backend.analysis.types.type_facts import (
    BACKWARD,
    DECLARED,
    FORWARD,
    MOST_LEAVES,
    Node,
    TypeFact,
    is_explained,
    is_member,
    is_of_first,
    is_stride,
    speaks_from,
)
from enzyme_magic.backend.analysis.types.type_tree import INTEGER, PADDING, POINTER, UNKNOWN, Unknown
from enzyme_magic.backend.ir.instructions import Binary, Cast, Phi, Select
from enzyme_magic.backend.ir.values import ConstantInt, Value

MOST_MERGES = 2  # on the way to a factor


def known_bytes(node: Node, offset: int, modulus: int) -> int:
    """How many bytes from a place on are known by what is said of the one object there: others may follow, or something else. A
    member of a struct is where it is declared to be."""
    said = (f for f in node.facts.values() if f.rank == DECLARED and f.flow != BACKWARD and speaks_from(f, offset))
    objects = [f for f in said if f.shift == offset and not (modulus or f.modulus)]
    end = max((f.layout.size for f in objects), default=0)
    places = range(offset, offset + min(end, MOST_LEAVES))
    unknown = (p for p in places if isinstance(node.decide(p), Unknown) and not any(is_member(f, p) for f in objects))
    return next((p - offset for p in unknown), end)


def otherwise(node: Node, offset: int, modulus: int, size: int | None) -> Unknown | None:
    """Why it is not certain that the `size` bytes from `offset` on (None: no end known) hold what a pointer's type says."""
    if node.size is not None or node.declared:
        return None
    presumed = [f for f in node.facts.values() if _is_presumption(f)]
    if node.formal and size is not None and any(offset + size <= f.shift + f.layout.size for f in presumed):
        return None  # a parameter hears of the memory of all callers; copies of one object are of what it points to
    for fact in node.facts.values() if presumed else ():
        for said in presumed:
            if fact.layout is not said.layout and _contradicts(fact, said, offset, modulus, size):
                return Unknown(f"{said.reason}, but {fact.reason}: other things lie in the same block", conflict=True)
    return None


def is_presumed(node: Node) -> bool:
    """Whether nothing but the type of a pointer tells what follows the first object of a block."""
    return node.size is None and not node.declared and any(map(_is_presumption, node.facts.values()))


def counts_objects(length: Value, size: int) -> bool:
    """Whether a number of bytes is written as one of objects, `n*sizeof(T)`: then the bytes are such objects, as C says it."""
    return size > 0 and factor(length) % size == 0


def factor(length: Value, merges: int = 0) -> int:
    """A constant factor of a product, or of whatever comes to a merge (optimizers make one of two that are the same); a sum has
    none: `sizeof(H) + n*8` is a header with something behind it."""
    if isinstance(length, ConstantInt):
        return length.unsigned
    if isinstance(length, Cast) and length.opcode in ("zext", "sext", "trunc"):
        return factor(length.operands[0], merges)
    if isinstance(length, Binary) and length.opcode == "mul":
        return factor(length.operands[0], merges) * factor(length.operands[1], merges)
    if isinstance(length, Binary) and length.opcode == "shl" and isinstance(length.operands[1], ConstantInt):
        return factor(length.operands[0], merges) << length.operands[1].unsigned
    if isinstance(length, (Phi, Select)) and merges < MOST_MERGES:
        return gcd(*(factor(v, merges + 1) for v in length.operands[isinstance(length, Select) :]))
    return 1


def begins_more(node: Node, position: int, item: LayoutLeaf) -> bool:
    """Whether something begins at a place that is not made of such items alone, or of what is no matter beside them."""
    said = (f for f in node.facts.values() if f.rank == DECLARED and f.flow != BACKWARD and is_of_first(f, position, 0))
    things = (fact.layout.begun_at(position - fact.shift) for fact in said)
    return any(_is_else(place, leaf, item) for thing in things for place, leaf in _first_leaves(thing))


def _is_else(place: int, leaf: LayoutLeaf, item: LayoutLeaf) -> bool:
    """Whether copies of items lose what lies there."""
    harmless = leaf.concrete == PADDING or (leaf.concrete == INTEGER and leaf.weak <= item.weak)
    return not harmless and (leaf.concrete != item.concrete or place % item.size != 0)


def _first_leaves(thing: LayoutLeaf | Layout | Part, start: int = 0) -> Iterator[tuple[int, LayoutLeaf]]:
    """(place, leaf) of all leaves, of arrays those of the first two items."""
    if isinstance(thing, LayoutLeaf):
        yield start, thing
    elif isinstance(thing, Part):
        for k in range(min(thing.count, 2)):
            yield from _first_leaves(thing.item, start + k * thing.item.size)
    else:
        for part in thing.parts:
            yield from _first_leaves(part, start + part.offset)


def period(node: Node, offset: int, modulus: int) -> int | Unknown:
    """The number of bytes after which the layout at a place repeats."""
    first = node.decide(offset, modulus)
    if isinstance(first, Unknown):
        return first
    heard = [f for f in node.facts.values() if f.leaf(offset, modulus) is not None]
    sizes: list[int | None] = []
    for rank in sorted({f.rank for f in heard}, reverse=True):
        sizes = [_repeats(f, offset) for f in heard if f.rank == rank]
        if any(size != 0 for size in sizes):
            break
    known = {s for s in sizes if s}
    if not known:
        return Unknown(f"{first[2]}, but nothing tells what follows")
    if None in sizes:
        return Unknown(f"{first[2]}, whose end is not known")
    largest = max(known)
    return largest if all(largest % s == 0 for s in known) else Unknown(f"{first[2]}, but it is also seen otherwise")


def _repeats(fact: TypeFact, offset: int) -> int | None:
    """Period of what a fact says from `offset` on; 0 when it speaks of a few bytes only, None inside of an object that ends
    in an array of unknown length."""
    if fact.window.every:
        return fact.window.every
    if fact.window.high is not None:
        return 0
    tail = fact.layout.tail
    if tail is None:
        return fact.layout.unit
    return tail[1].unit if offset - fact.shift >= tail[0] else None


def _is_presumption(fact: TypeFact) -> bool:
    """What the type of a pointer says of the block it leads to. Characters may be storage of anything."""
    whole = fact.window.high is None and fact.rank == DECLARED and fact.layout.tail is None and fact.layout.size > 0
    return whole and not all(leaf.weak for _, leaf in _leaves(fact))


def _contradicts(fact: TypeFact, said: TypeFact, offset: int, modulus: int, size: int | None) -> bool:
    if fact.layout is MANGLED or fact.echo or not _may_meet(fact, offset, modulus, size):
        return False
    if fact.flow == said.flow == FORWARD and not fact.access and fact.window.high is None:
        return False  # what two callers pass to one function
    if is_stride(fact):
        return fact.layout.floats and not is_explained(fact, said) and not _is_open(fact.window.low or 0, said)
    if _is_behind(fact, said) and (fact.layout.floats or said.layout.floats) and fact.layout.unit != said.layout.unit:
        return True  # a pointer to the like of a member, but made as one to what follows: an array of those
    exact = size is not None and not (modulus or fact.modulus)
    return any(
        _differs(place, leaf, fact, said)
        for place, leaf in _leaves(fact)
        if not exact or (place < offset + (size or 0) and place + leaf.size > offset)
    )


def _is_open(place: int, said: TypeFact) -> bool:
    """Whether a layout has a union there, or raw storage."""
    found = said.layout.leaf_at((place - said.shift) % said.layout.size)
    return found is not None and (found[1].weak or found[1].concrete == UNKNOWN)


def _is_behind(fact: TypeFact, said: TypeFact) -> bool:
    """Whether a pointer of another type leads exactly to where the first object ends, or further."""
    known = (
        fact.several and fact.window.high is None and fact.window.low is not None and not (fact.modulus or said.modulus)
    )
    return known and said.window.low is None and (fact.window.low or 0) >= said.shift + said.layout.size


def _may_meet(fact: TypeFact, offset: int, modulus: int, size: int | None) -> bool:
    """Whether some of it may lie in the bytes that are asked for. What a pointer points to may go on from there."""
    if fact.window.high is None:
        start = fact.window.low if fact.window.low is not None else fact.shift
        return size is None or modulus > 0 or fact.modulus > 0 or start < offset + size
    return fact.window.may_meet(offset, size, modulus)


def _leaves(fact: TypeFact) -> Iterator[tuple[int, LayoutLeaf]]:
    """(place, leaf) of the one object that a fact is sure of."""
    start = fact.window.low if fact.window.low is not None else fact.shift
    if fact.flow == BACKWARD and not fact.access:
        start = fact.shift
    end = start + fact.layout.size
    if fact.window.high is not None:
        end = fact.window.high if fact.flow != BACKWARD or fact.access else min(end, fact.window.high)
    position, count = start, 0
    while position < end and count < MOST_LEAVES:
        found = fact.layout.leaf_at(position - fact.shift) if position >= fact.shift else None
        if found is None or found[0] + fact.shift != position or position + found[1].size > end:
            position += 1
        else:
            yield position, found[1]
            position += found[1].size
        count += 1


def _differs(place: int, leaf: LayoutLeaf, fact: TypeFact, said: TypeFact) -> bool:
    """Whether no place where the leaf may be has the like of it in the layout that is presumed."""
    if not (leaf.concrete.is_float or leaf.concrete == POINTER):
        return False
    step = gcd(fact.modulus, said.modulus, said.layout.size)
    there = [
        other
        for distance, other in said.layout.candidates((place - said.shift) % said.layout.size, step)
        if not distance
    ]
    if any(same(other, leaf) or other.weak or other.concrete == UNKNOWN for other in there):
        return False
    return leaf.concrete.is_float or any(other.concrete.is_float for other in there)

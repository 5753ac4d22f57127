"""Integers that are computed from the bits of floating numbers, and not merely moved.

Theorem: the operations of `bit_flow` that move bytes are links of the type graph, so a floating number is one wherever its bytes
go. Every other operation is noted here. Where an operand of it may hold a part of a number, its result is `COMPUTED`: such a fact
spreads along all copies as others do, and nothing is known of the bytes it speaks about, so that whoever needs to know refuses.
No operation is excused by its name; the one reason why a result is an integer after all is `only_exponent`.

Order does not count: more facts make more results computed, never fewer, so this is a least fixpoint.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import gcd

from enzyme_magic.backend.analysis.types.layouts import MANGLED, LayoutLeaf
from enzyme_magic.backend.analysis.types.partial_numbers import all_leaves, least_number, only_numbers
from enzyme_magic.backend.analysis.types.regions import POINTER_BYTES
from enzyme_magic.backend.analysis.types.spreading import Graph, is_other_struct
from enzyme_magic.backend.analysis.types.type_facts import (
    BACKWARD,
    DECLARED,
    FORWARD,
    MOST_LEAVES,
    OWN,
    WEAK,
    Node,
    TypeFact,
    is_integer_member,
    is_member,
    is_of_first,
    is_stride,
    speaks_from,
)
from enzyme_magic.backend.analysis.types.type_tree import INTEGER, POINTER, UNKNOWN, Unknown
from enzyme_magic.backend.analysis.types.windows import Window

HIGH_BITS = {"half": 6, "bfloat": 9, "float": 9, "double": 12, "fp128": 16}  # of sign and exponent


@dataclass(frozen=True, slots=True, eq=False)
class BitOperation:
    """`result`'s bytes in the window are computed from `operands`. `kept`: how many of the highest bits of the first operand
    can have a part in it at all; None: all."""

    operands: tuple[tuple[Node, int, int], ...]  # (node, offset, modulus)
    result: Node
    window: Window
    reason: str
    kept: int | None = None
    upwards: bool = False  # carries only go up: a byte depends on no higher one


@dataclass(slots=True)
class Heard:
    """The last answer about each operation, with the state of its operands then: few change with one more function. wary: the
    members of unions are not trusted to be read as what they were written; trusted: some were."""

    wary: bool = False
    trusted: bool = False
    answers: dict[BitOperation, tuple[list[tuple[object, ...]], int | None]] = field(default_factory=dict)

    def first_number(self, operation: BitOperation) -> int | None:
        state = [node.state for node, _, _ in operation.operands]
        known = self.answers.get(operation)
        if known is None or known[0] != state:
            known = self.answers[operation] = (state, _first_number(operation, self))
        return known[1]


def spread(graph: Graph, operations: list[BitOperation], heard: Heard) -> None:
    """Carry all facts along all links; and to where numbers are computed with."""
    graph.spread()
    seen: dict[BitOperation, int] = {}
    while True:
        met = [(o, at) for o in operations if (at := heard.first_number(o)) is not None and at < seen.get(o, at + 1)]
        if not met:
            return
        for operation, at in met:
            seen[operation] = at
            low = max(operation.window.low or 0, at)
            window = Window(low, operation.window.high) if low and not operation.window.every else operation.window
            graph.add(operation.result, TypeFact(MANGLED, 0, 0, window, DECLARED, OWN, operation.reason))
        graph.spread()


def _first_number(operation: BitOperation, heard: Heard) -> int | None:
    """The first byte of the result that depends on a number."""
    if operation.kept is not None and only_exponent(operation.operands[0][0], operation.kept):
        return None
    found: int | None = None
    for node, offset, modulus in operation.operands:
        if not _may_have_any(node):
            continue
        size = node.size or operation.result.size or 8
        for k in range(size if found is None else found):
            if _is_number_at(node, offset + k, modulus, heard):
                found = k if operation.upwards else 0
                break
    return found


def holds_number(node: Node, heard: Heard) -> bool:
    """Whether there is evidence that bits of a value are, or were computed from, those of a floating number."""
    return _may_have_any(node) and any(_is_number_at(node, position, 0, heard) for position in range(node.size or 8))


def may_be_pointer(facts: Iterable[TypeFact], offset: int, modulus: int, size: int) -> bool:
    """Whether a pointer may lie in the bytes of an access, wherever it may be."""
    return any(leaf.concrete == POINTER for leaf in _leaves(facts, offset, modulus, size))


def is_declared_integer(node: Node, offset: int, modulus: int) -> bool:
    """Whether memory is declared to be an integer there, and no character: an address in it is kept as an integer."""
    said = (fact for fact in node.facts.values() if fact.flow == OWN and fact.rank == DECLARED and not fact.access)
    leaves = [fact.leaf(offset, modulus) for fact in said]
    return any(leaf is not None and leaf[1].concrete == INTEGER and not leaf[1].weak for leaf in leaves)


def may_be_either(facts: Iterable[TypeFact], offset: int, modulus: int, size: int, *, members: bool = True) -> bool:
    """Whether bytes of an access may be of a pointer, and may be of a floating number. members: also as members of a union that
    nothing else is said of."""
    leaves = list(_leaves(facts, offset, modulus, size))
    found = {what for leaf in leaves for what in (leaf.concrete, *(leaf.among if members else ()))}
    return POINTER in found and any(what.is_float for what in found)


def is_either_of_union(node: Node, offset: int, modulus: int, size: int) -> bool:
    """Whether, in some byte of an access, a member of a union lies that is a number by some evidence, and a pointer by other, which
    may have been left out: what is read there at other times does not tell what was put there."""
    facts = node.facts.values()
    declared = [fact for fact in facts if fact.rank == DECLARED and not fact.access]
    shared = (
        k
        for k in range(offset, offset + size)
        if any(leaf.concrete == UNKNOWN for leaf in _leaves(declared, k, modulus, 1))
    )
    return any(node.full or may_be_either(facts, position, modulus, 1, members=False) for position in shared)


def _leaves(facts: Iterable[TypeFact], offset: int, modulus: int, size: int) -> Iterator[LayoutLeaf]:
    """What may lie in the bytes of an access by any evidence."""
    for fact in facts:
        step = gcd(modulus, fact.modulus) and gcd(modulus, fact.modulus, fact.layout.size)
        for position in range(offset, offset + size) if fact.window.may_meet(offset, size, modulus) else ():
            exact = fact.layout.leaf_at(position - fact.shift) if not step and fact.layout.size else None
            found = (
                [exact[1]]
                if exact
                else [leaf for _, leaf in fact.layout.candidates(position - fact.shift, step)]
                if step
                else []
            )
            yield from found


def is_pointer(node: Node, offset: int, modulus: int, size: int, *, integer: bool = False) -> bool:
    """Whether there is evidence that a pointer was put into bytes, whatever they are declared to be: by an access, a copy or a
    call, or in an object of known layout. Members of unions are trusted to be read as what they were written.

    integer: C calls the access one to an integer. With an index into an array of integers of an object it stays in that array. And
    where it is one to a narrow member of a struct, an integer lies there, or bytes that were copied there (C11 6.5p7): none of the
    pointers that other objects, to which a pointer without a type may lead, have at this place (`void *` user data, a struct that
    begins like another).
    """
    facts = node.facts.values()
    if any(_is_of_union(fact, k, modulus) for fact in facts for k in range(offset, offset + size)):
        return False
    put = (
        fact for fact in facts if not fact.echo
    )  # that a part of a pointer is made of an integer elsewhere puts none into it
    known = [f for f in put if f.access or f.flow == FORWARD or _is_of_object(node, f, offset, modulus)]
    elsewhere = [f for f in known if integer and _stays_in_integers(f, offset, modulus, size)]
    if is_integer_member(node, offset, modulus, size):  # what is put to some item of an array is not put there
        elsewhere += [f for f in known if f.window.every or (integer and size < POINTER_BYTES and is_other_struct(f))]
    return may_be_pointer([f for f in known if f not in elsewhere], offset, modulus, size)


def may_be_of_union(node: Node, offset: int, modulus: int, size: int) -> bool:
    """Whether a declaration leaves open what some byte of an access is: another member may have been put there. Of long ones, what
    some byte of the declared object is."""
    if size > MOST_LEAVES:
        declared = (fact.layout for fact in node.facts.values() if fact.rank == DECLARED and not fact.access)
        return any(leaf.concrete == UNKNOWN for layout in declared for leaf in all_leaves(layout))
    positions = range(offset, offset + size)
    return any(_is_of_union(fact, position, modulus) for fact in node.facts.values() for position in positions)


def is_narrow_integer(node: Node, offset: int, modulus: int) -> bool:
    """Whether an integer of fewer bytes than a pointer, and no character, is declared to lie somewhere. Behind a struct that ends
    in an array of one item lie more items."""
    declared = (f for f in node.facts.values() if f.rank == DECLARED and f.flow != BACKWARD and not f.access)
    said = (f for f in declared if not (f.layout.goes_on and offset - f.shift >= f.layout.size))
    found = (leaf[1] for leaf in (fact.leaf(offset, modulus) for fact in said) if leaf is not None)
    return any(leaf.concrete == INTEGER and 1 < leaf.size < POINTER_BYTES for leaf in found)


def _is_of_object(node: Node, fact: TypeFact, offset: int, modulus: int) -> bool:
    """Whether a fact says how the object there is laid out. Where a variable is read as something by whoever gets a pointer into
    it, its declaration knows better how long that goes on."""
    return (node.declared and fact.flow != BACKWARD) or is_of_first(fact, offset, modulus)


def _stays_in_integers(fact: TypeFact, offset: int, modulus: int, size: int) -> bool:
    """Whether, by the layout of an object, an access at a variable index is one to items of a member array of integers."""
    exact = modulus and not (fact.modulus or fact.access) and speaks_from(fact, offset)
    found = fact.leaf(offset, 0) if exact and fact.rank == DECLARED and fact.layout.size else None
    if found is None or (found[0], found[1].concrete, found[1].size) != (offset, INTEGER, size):
        return False
    return any(modulus % step == 0 for step in fact.layout.strides(offset - fact.shift)[1:])


def _may_have_any(node: Node) -> bool:
    return node.incomplete or any(fact.layout.floats for fact in node.facts.values())


def _is_number_at(node: Node, position: int, modulus: int, heard: Heard) -> bool:
    """Where it is only possible, it is believed of the items of arrays of integers, at whose places numbers may have been put; a
    member of a struct is where it is declared to be. Who computes with characters computes with integers, where it does not show
    that numbers are near."""
    found = node.decide(position, modulus)
    if not isinstance(found, Unknown) and (node.size is None or not found[1].concrete.is_float) and not node.address:
        return found[1].concrete.is_float
    facts = node.facts.values()
    shown = [
        fact
        for fact in facts
        if (fact.shows_number(position) and not _is_passed_over(node, fact, position))
        or _shows_nothing_else(node, fact, position, modulus)
    ]
    if not node.address and any(_is_of_union(fact, position, modulus) for fact in facts):
        accessed = [fact for fact in shown if fact.access and fact.layout.floats]
        heard.trusted |= bool(accessed)
        shown = shown if heard.wary else [fact for fact in shown if fact not in accessed]
    declared = [f for f in facts if _is_declared_integer(f, position, modulus)]
    if shown:
        return any(f.rank == DECLARED for f in shown) or not any(is_member(f, position) for f in declared)
    possible = (node.may_miss(position, modulus, 1) and (node.evident or node.size != 1)) or any(
        f.certain_of_floats and f.window.may_meet(position, 1, modulus) and f.leaf(position, modulus) is None
        for f in facts
        if is_stride(f) and not f.typed and not (node.whole and least_number(f.layout) > (node.size or 0))
    )
    return possible and not (declared and all(is_member(fact, position) for fact in declared))


def _shows_nothing_else(node: Node, fact: TypeFact, position: int, modulus: int) -> bool:
    """A character at an unknown place of memory that holds numbers and nothing beside them."""
    declared = node.size == 1 and fact.rank == DECLARED and fact.flow != BACKWARD and not fact.access
    return declared and only_numbers(fact.layout) and fact.window.covers(position, modulus)


def _is_of_union(fact: TypeFact, position: int, modulus: int) -> bool:
    """A member of a union in memory: what is there was stored as this member, as a tag beside it says. (A union whose number
    is looked at as an integer at once is no memory, but a reinterpretation.)"""
    found = fact.leaf(position, modulus) if fact.rank == DECLARED and not fact.access else None
    return found is not None and found[1].concrete == UNKNOWN


def _is_passed_over(node: Node, fact: TypeFact, position: int) -> bool:
    found = fact.leaf(position, 0)
    if found is None or not found[1].concrete.is_float:
        return False
    wider = node.size is not None and found[1].size > node.size
    address = node.address and fact.rank == WEAK and any(_is_pointer(other, position) for other in node.facts.values())
    elsewhere = (
        node.whole and fact.typed and fact.stride
    )  # numbers of the same block, and C keeps objects of two types apart
    return (wider and node.whole and not fact.cut) or elsewhere or address


def _is_pointer(fact: TypeFact, position: int) -> bool:
    found = fact.leaf(position, 0) if fact.rank == DECLARED and not fact.access else None
    return found is not None and found[1].concrete == POINTER


def _is_declared_integer(fact: TypeFact, position: int, modulus: int) -> bool:
    found = fact.leaf(position, modulus) if fact.rank == DECLARED and not fact.access else None
    return found is not None and found[1].concrete == INTEGER


def only_exponent(node: Node, kept: int) -> bool:
    """Whether the `kept` highest bits of a value are sign and exponent of a number: they are constant but for single points."""
    size = node.size
    found = node.decide(size - 1) if size else Unknown("")
    if isinstance(found, Unknown) or size is None:
        return False
    start, leaf, _ = found
    return start + leaf.size == size and kept <= HIGH_BITS.get(leaf.concrete.kind, 0)


def operands_of(nodes: Sequence[Node]) -> tuple[tuple[Node, int, int], ...]:
    return tuple((node, 0, 0) for node in nodes)

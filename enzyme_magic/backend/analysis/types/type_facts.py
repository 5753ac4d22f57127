"""Evidence about bytes, and what one byte is by all of it.

A node is a container of bytes: the memory behind a root pointer (an argument, an alloca, a global, a call's result, a
loaded pointer), or the bits of an integer, vector or aggregate value. A fact says that a window of a node's bytes is
laid out so and so. Links say that bytes of one node are copied to another: facts follow the copy as strong evidence
(a float that was copied is still a float), and go against it as weak evidence (what is read as a float was probably
written as one).

Ranks: DECLARED what a declaration, a typed access or a copy from there says; STRIDED a floating access at a variable
index, which names one element of an array but not where the array begins and ends; WEAK everything that goes against
the flow, and raw characters. An access that a declaration describes says nothing new; and what a strided one does say, that there
are more such elements somewhere, would be wrong beyond the array (C: an index stays inside of its array). So what accesses say
spreads only when all declarations have, and from where none explains it.

Deciding one byte: the highest rank speaks; two facts of that rank that differ contradict each other. That something is
read as an integer does not make it one. A float copied into integers stands against them, whatever the ranks (a double kept
in a uint64_t is still one); a pointer copied to where numbers are said to lie contradicts them: no derivative is lost by mistake.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import gcd, inf
from typing import Final, Literal

from enzyme_magic.backend.analysis.types.layouts import Layout, LayoutLeaf, same
from enzyme_magic.backend.analysis.types.type_tree import (
    ANYTHING,
    BYTES,
    COMPUTED,
    INTEGER,
    PADDING,
    POINTER,
    UNKNOWN,
    Unknown,
)
from enzyme_magic.backend.analysis.types.windows import Copy, Window

DECLARED, STRIDED, WEAK = 3, 2, 1
Flow = Literal["own", "forward", "backward"]
Cut = Literal["store", "copy"] | None
Reads = Literal["bytes", "integer"] | None
OWN: Final = "own"
FORWARD: Final = "forward"
BACKWARD: Final = "backward"
MOST_LEAVES = 64


@dataclass(frozen=True, slots=True)
class TypeFact:
    """Byte b of the node is byte b - shift of `layout` (known modulo `modulus`; 0: exactly), for b in the window. access: it
    comes from a load or store; stride: from one at a variable index; typed: from one that C declares as one to such an object,
    and not from a copy of bytes that became one."""

    layout: Layout
    shift: int
    modulus: int
    window: Window
    rank: int
    flow: Flow
    reason: str
    access: bool = False
    stride: bool = False
    typed: bool = False
    echo: bool = False  # went where there need be none of it: against the flow into an integer, or through a narrow one
    cut: Cut = (
        None  # parts of numbers were put somewhere without the rest: by a store of an integer, or a copy of memory
    )
    put: bool = False  # came by a copy, and not because both are the same memory
    renamed: bool = False  # an access that C calls one to something else
    several: bool = False  # said by the type of a pointer from which on items are stepped through

    def leaf(self, position: int, modulus: int) -> tuple[int, LayoutLeaf] | None:
        """(start in the node, leaf) at a position, if the fact speaks about it and is sure."""
        if not self.window.covers(position, modulus):
            return None
        within = self.window.normal(position)
        if self.window.every:
            modulus = 0
        found = self.layout.leaf_near(within - self.shift, gcd(modulus, self.modulus))
        return (found[0] + self.shift + position - within, found[1]) if found is not None else None

    @property
    def certain_of_floats(self) -> bool:
        """Whether it says, on good evidence, that there are floating values."""
        believed = self.layout.floats and (self.flow != BACKWARD or self.rank >= STRIDED)
        return believed and not self._sees_no_float()

    def _sees_no_float(self) -> bool:
        """Whether the window shows a part of the layout without floating values: its padding, its integers."""
        low, high = self.window.low, self.window.high
        if low is None or high is None or high - low > MOST_LEAVES:
            return False
        leaves = [self.layout.leaf_near(b - self.shift, self.modulus) for b in range(low, high)]
        return all(leaf is not None and not is_number(leaf[1]) for leaf in leaves)

    def shows_number(self, position: int) -> bool:
        """Whether it says for sure that a byte is part of a floating number, or was computed from the bits of one."""
        found = self.leaf(position, 0) if self.flow != BACKWARD else None
        return found is not None and is_number(found[1])

    @property
    def key(self) -> tuple[object, ...]:
        window = self.window
        if window.every and window.low is not None and window.high is not None:  # the same from whichever repetition on
            place = self._normal(self.shift - window.low)
            return (
                id(self.layout),
                place,
                self.modulus,
                window.low % window.every,
                window.high - window.low,
                self.flow,
                self.cut,
            )
        return id(self.layout), self.place, self.modulus, window, self.flow, self.several, self.cut

    @property
    def place(self) -> int:
        """`shift`, where a layout that repeats is the same at several places."""
        return self._normal(self.shift)

    def _normal(self, shift: int) -> int:
        period = gcd(self.modulus, self.layout.unit) if self.layout.tail is None else 0
        return shift % period if period else shift

    def says_all_of(self, other: TypeFact) -> bool:
        """Whether `other` adds nothing to this one. (What is a node's own and what was copied to it are different evidence.)"""
        if other.flow not in (BACKWARD, self.flow) or self.rank < other.rank or self.layout is not other.layout:
            return False
        if self.echo and not other.echo:
            return False
        if (other.several and not self.several) or (other.cut and self.cut != other.cut):
            return False
        same_place = (self.place, self.modulus) == (other.place, other.modulus)
        return same_place and self.window.contains(other.window)


@dataclass(frozen=True, slots=True, eq=False)
class CopyLink:
    """`length` bytes at `source`'s offset `a` (known modulo `source_modulus`) are copied to `target`'s offset `b`.
    length None: unknown, from there on. `calls`: a formal parameter and its actual; what came in by one call goes out by none.
    `same`: target is a copy of source in the program text, so what is source's own is the target's own.
    `numbers`: source or target is a pointer, which should hold an address: only bits of floating numbers are of interest.
    `moves`: from memory to memory, when the program runs; other links between memory say that both are the same. `narrow`: C
    says that they are those of integers smaller than a pointer, which are no parts of one. `reads`: by a load of which C does
    not say what it reads (what a copy of bytes became, characters), or of what it calls an integer."""

    source: Node
    a: int
    source_modulus: int
    target: Node
    b: int
    target_modulus: int
    length: int | None
    calls: bool = False
    same: bool = False
    numbers: bool = False
    moves: bool = False
    narrow: bool = False
    reads: Reads = None

    @property
    def is_alias(self) -> bool:
        """Whether both ends are the same memory, or the same value."""
        return self.calls or self.same or (self.source.size is None and self.target.size is None and not self.moves)

    @property
    def copy(self) -> Copy:
        return Copy(self.a, self.b, self.source_modulus, self.target_modulus, self.length)

    @property
    def reversed(self) -> Copy:
        return Copy(self.b, self.a, self.target_modulus, self.source_modulus, self.length)


@dataclass(slots=True, eq=False)
class Node:
    """`label` names it for people. `size`: bytes of a value's bits; None for memory. `incomplete`: floating values may have got
    here that no fact tells of."""

    label: str
    size: int | None = None
    facts: dict[tuple[object, ...], TypeFact] = field(default_factory=dict)
    out: list[CopyLink] = field(default_factory=list)
    into: list[CopyLink] = field(default_factory=list)
    fields: list[tuple[int, int, Node]] = field(
        default_factory=list
    )  # (offset, modulus, what the pointer there points to)
    incomplete: bool = False
    lost: float = inf  # the byte from which on that is so
    evident: bool = False  # that numbers may have got here shows in the function itself
    least: float = inf  # bytes of the smallest number that may have got here
    whole: bool = False  # loaded as a C object of an integer type: no part of something larger
    address: bool = False  # the bits of a pointer
    stepped: bool = False  # memory with accesses at a variable index
    formal: bool = False  # memory behind a parameter
    declared: bool = False  # memory of a variable, whose declaration speaks of all of it
    allocated: bool = False  # memory that begins its life in the function
    full: bool = False  # more is said than is kept, here or where bytes come from: uses later on are not believed
    changes: int = 0  # of `facts`

    @property
    def state(self) -> tuple[object, ...]:
        """What `decide` depends on: equal while its answers are."""
        flags = (
            self.lost,
            self.evident,
            self.least,
            self.whole,
            self.address,
            self.stepped,
            self.formal,
            self.declared,
        )
        return (self.changes, self.size, self.full, *flags)

    def decide(self, position: int, modulus: int = 0) -> tuple[int, LayoutLeaf, str] | Unknown:
        """(start, leaf, reason) of what lies at a byte."""
        return _decide(self, position, modulus)

    def miss(self, start: float, least: float) -> bool:
        """Numbers of at least `least` bytes may have got there, from `start` on, of which no fact tells; whether that is new."""
        new = start < self.lost or (start < inf and least < self.least)
        if new:
            self.incomplete, self.lost, self.least = True, min(start, self.lost), min(least, self.least)
        return new

    def may_miss(self, position: int, modulus: int, size: int) -> bool:
        """Whether floating values may lie in `size` bytes from there on that no fact tells of."""
        return self.incomplete and (modulus > 0 or position + size > self.lost)

    def shows_integer(self, position: int) -> bool:
        """Whether some evidence, other than how a byte is used later on, says that it is one of an integer."""
        shown = (leaf for _, leaf, fact in _evidence(self, position, 0) if fact.flow != BACKWARD)
        return any(leaf.concrete == INTEGER for leaf in shown)


def _decide(node: Node, position: int, modulus: int) -> tuple[int, LayoutLeaf, str] | Unknown:
    spoken = list(_evidence(node, position, modulus))
    if not spoken:
        return Unknown(f"nothing tells what {node.label} holds at byte {position}")
    definite = [s for s in spoken if s[1].concrete not in (UNKNOWN, PADDING, ANYTHING)]
    if not definite:
        start, leaf, fact = next((s for s in spoken if s[1].concrete == ANYTHING), spoken[0])
        if leaf.concrete == ANYTHING:
            return start, leaf, fact.reason
        if leaf.concrete == PADDING and all(s[1].concrete == PADDING for s in spoken):
            return start, leaf, fact.reason
        return Unknown(f"{fact.reason}, where byte {position} may be of several types")
    unused = next((s for s in spoken if s[1].concrete in (PADDING, ANYTHING) and s[2].rank == DECLARED), None)
    if unused is not None and all(_is_hint(s) for s in definite):
        return unused[0], unused[1], unused[2].reason
    floats = [s for s in definite if s[1].concrete.is_float and _rank(s[1], s[2]) >= STRIDED]
    lost = next((fact for _, leaf, fact in definite if leaf.concrete == COMPUTED), None)
    if lost is not None and not floats:
        return Unknown(lost.reason, conflict=True)
    definite = [s for s in definite if s[1].concrete != COMPUTED]
    top = max(_rank(s[1], s[2]) for s in definite)
    best = sorted((s for s in definite if _rank(s[1], s[2]) == top), key=lambda s: s[2].flow == BACKWARD)
    against = [*best, *filter(_is_put, definite)]
    chosen = _float_among(floats, against, node, position) if floats else _agree(best, node, position)
    if isinstance(chosen, Unknown):
        return chosen
    start, leaf, fact = chosen
    unsure = _disbelieved(node, leaf, fact)
    if unsure is not None:
        return unsure
    missed = node.may_miss(start, modulus, leaf.size) and not is_small_member(node, position, modulus, leaf.size)
    if not leaf.concrete.is_float and (missed or _doubtful(node, position, modulus)):
        return Unknown(f"{fact.reason}, but floating values may lie in {node.label} at places that cannot be told")
    return start, leaf, fact.reason


def _disbelieved(node: Node, leaf: LayoutLeaf, fact: TypeFact) -> Unknown | None:
    """Why the best evidence is not enough."""
    if leaf.concrete == INTEGER and fact.flow == BACKWARD:
        return Unknown(f"{fact.reason}, but nothing tells what {node.label} was written as")
    if node.full and fact.flow == BACKWARD:
        return Unknown(f"{fact.reason}, and more is said of {node.label} than is kept", conflict=True)
    return None


def _doubtful(node: Node, position: int, modulus: int) -> bool:
    """Whether some fact may say there is a floating value at a position, without being sure."""
    declared = declarations(node)
    for fact in node.facts.values():
        if not fact.certain_of_floats or (is_stride(fact) and is_redundant(fact, declared)):
            continue
        if fact.window.may_meet(position, 1, modulus) and fact.leaf(position, modulus) is None:
            return True
    return False


def speaks_from(fact: TypeFact, start: float) -> bool:
    """Whether a fact is about all bytes from one on."""
    low, high = fact.window.low, fact.window.high
    return high is None and (low is None or low <= start)


def is_small_member(node: Node, position: int, modulus: int, size: int) -> bool:
    """Whether an integer of a struct or a variable lies there, and no number that may have got into the memory is as small, or has
    room in it and the integers beside it: it is what it is declared to be."""
    room = max(size, room_at(node, position, modulus))
    return room < node.least and is_integer_member(node, position, modulus, size)


def room_at(node: Node, position: int, modulus: int) -> int:
    """How many bytes of integers are declared to lie in a row in one object, of which a place is in one."""
    said = _said_of_first(node, position, modulus)
    return max((fact.layout.row_at(position - fact.shift) for fact in said), default=0)


def is_integer_member(node: Node, position: int, modulus: int, size: int) -> bool:
    """Whether a single integer of a struct, or a variable, is declared to lie there."""
    if node.size is not None:
        return False
    said = _said_of_first(node, position, modulus)
    return any(_is_single_integer(node, fact, position, modulus, size) for fact in said)


def _said_of_first(node: Node, position: int, modulus: int) -> Iterator[TypeFact]:
    said = (f for f in node.facts.values() if f.rank == DECLARED and not f.access)
    return (fact for fact in said if is_of_first(fact, position, modulus))


def _is_single_integer(node: Node, fact: TypeFact, position: int, modulus: int, size: int) -> bool:
    found = fact.leaf(position, modulus)
    alone = fact.layout.size == size and (node.declared or fact.layout.only_leaf is None)
    single = alone or is_member(fact, position)
    return found is not None and (found[1].concrete, found[1].size) == (INTEGER, size) and single


def is_of_first(fact: TypeFact, position: int, modulus: int) -> bool:
    """Whether a place is in the object that the type of a pointer to it speaks of."""
    sure = fact.flow != BACKWARD and not modulus and not fact.modulus
    return sure and 0 <= position - fact.shift < fact.layout.size


def is_member(fact: TypeFact, position: int) -> bool:
    """Whether a layout has something single there: no item of an array."""
    found = fact.leaf(position, 0) or fact.layout.leaf_at(position - fact.shift)
    return found is not None and fact.layout.strides(position - fact.shift)[-1] != found[1].size


def item_at(
    node: Node, position: int, modulus: int, size: int, flows: Iterable[Flow] = (OWN, FORWARD)
) -> LayoutLeaf | None:
    """The item of `size` bytes of an array that is a part of a declared struct, at a place. flows: the evidence that counts."""
    for fact in (f for f in _said_of_first(node, position, modulus) if f.flow in flows):
        found, strides = fact.leaf(position, 0), fact.layout.strides(position - fact.shift)
        if found is not None and found[0] == position and len(strides) > 1 and strides[-1] == size == found[1].size:
            return found[1]
    return None


def is_number(leaf: LayoutLeaf) -> bool:
    """Whether a derivative may sit in it, or was lost on the way there."""
    return leaf.concrete.is_float or leaf.concrete == COMPUTED


_Spoken = tuple[int, LayoutLeaf, TypeFact]


def _is_hint(spoken: _Spoken) -> bool:
    """Not more than how bytes are read later on, or that LLVM calls them an integer."""
    _, leaf, fact = spoken
    return _rank(leaf, fact) == WEAK and (fact.flow == BACKWARD or leaf.concrete == INTEGER)


def _evidence(node: Node, position: int, modulus: int) -> Iterator[_Spoken]:
    declared = declarations(node)
    for fact in node.facts.values():
        if is_stride(fact) and is_redundant(fact, declared):
            continue
        found = fact.leaf(position, modulus)
        if found is not None:
            yield found[0], found[1], fact


def other_formats(node: Node, position: int, modulus: int, kind: str) -> Iterator[str]:
    """The formats of other numbers to which bytes of one at a place belong, too, by some evidence: the same, where one begins
    elsewhere."""
    for k in range(BYTES[kind]):
        for start, leaf, fact in _evidence(node, position + k, modulus):
            if leaf.concrete.is_float and fact.flow != BACKWARD and (start, leaf.concrete.kind) != (position, kind):
                yield leaf.concrete.kind


def declarations(node: Node) -> list[TypeFact]:
    return [fact for fact in node.facts.values() if not is_stride(fact)]


def said_everywhere(node: Node) -> list[TypeFact]:
    return [fact for fact in declarations(node) if fact.window.low is None]


def is_stride(fact: TypeFact) -> bool:
    return fact.stride or fact.window.every > 0


def is_redundant(stride: TypeFact, others: list[TypeFact]) -> bool:
    """Whether what a strided access saw is an element of an array that a declaration already describes. (An access to one element
    describes none.)"""
    low = stride.window.low
    if low is None or stride.cut:
        return False
    seen = [leaf for leaf in _leaves(stride, low) if leaf[1].concrete != PADDING]
    every = (stride.window.every or stride.layout.size) if is_stride(stride) else 0
    return bool(seen) and any(
        fact.rank == DECLARED and not fact.access and _describes(fact, seen) and _in_array(fact, low, every)
        for fact in others
    )


def is_explained(stride: TypeFact, said: TypeFact) -> bool:
    """Whether objects of one layout in a row have the array in them of which a strided access saw an element."""
    low, size = stride.window.low, said.layout.size
    if low is None or not size:
        return False
    seen = [leaf for leaf in _leaves(stride, low) if leaf[1].concrete != PADDING]
    every = stride.window.every or stride.layout.size
    return _describes(said, seen) and every % gcd(*said.layout.strides(low - said.shift)) == 0


def _in_array(fact: TypeFact, low: int, every: int) -> bool:
    """Whether steps of `every` bytes from `low` on go through arrays the layout knows. Behind one object comes another, or
    something else altogether (numbers behind a header): only steps by whole objects speak for the former."""
    layout, position = fact.layout, low - fact.shift
    if layout.tail is not None and position >= layout.tail[0]:
        return every % layout.tail[1].unit == 0
    if not layout.size or not 0 <= position < layout.size:
        return bool(layout.size) and layout.tail is None and every % layout.unit == 0
    return every % gcd(*layout.strides(position)) == 0


def _leaves(fact: TypeFact, low: int) -> list[tuple[int, LayoutLeaf]]:
    """What a strided fact says of its first element; nothing when that is not to be had."""
    found: list[tuple[int, LayoutLeaf]] = []
    position, high = low, fact.window.high
    end = low + fact.layout.size if high is None else min(high, low + fact.layout.size)
    while position < end and len(found) < MOST_LEAVES:
        leaf = fact.leaf(position, 0)
        if leaf is None or leaf[0] != position:
            return []
        found.append(leaf)
        position += leaf[1].size
    return found if position >= end else []


def _describes(fact: TypeFact, seen: list[tuple[int, LayoutLeaf]]) -> bool:
    return all(
        there is not None and there[0] == start and same(there[1], leaf)
        for start, leaf in seen
        for there in [fact.leaf(start, 0)]
    )


def _is_put(spoken: _Spoken) -> bool:
    """A pointer that a copy put there, at a place that only the run knows: it counts as much as what is certain of the object."""
    return spoken[1].concrete == POINTER and spoken[2].put and spoken[2].flow == FORWARD and spoken[2].rank >= STRIDED


def _rank(leaf: LayoutLeaf, fact: TypeFact) -> int:
    return WEAK if leaf.weak else fact.rank


def _float_among(floats: list[_Spoken], best: list[_Spoken], node: Node, position: int) -> _Spoken | Unknown:
    """A floating value was certainly put there or taken from there. Copied into integers that hold its bytes it stands; accesses or
    declarations of both kinds for one memory break C's aliasing rules, and nothing is known about the outcome."""
    chosen = _agree(floats, node, position)
    if isinstance(chosen, Unknown):
        return chosen
    start, leaf, fact = chosen
    for other_start, other, against in best:
        if other.concrete.is_float:
            continue
        holds = other_start <= start and start + leaf.size <= other_start + other.size
        copied_in = fact.flow == OWN and against.flow == FORWARD
        kept = holds and FORWARD in (fact.flow, against.flow)
        if other.concrete != INTEGER or not (kept or copied_in or other.weak):
            return _contradiction(node, position, fact, against)
    return chosen


def _agree(best: list[_Spoken], node: Node, position: int) -> _Spoken | Unknown:
    first = best[0]
    for other in best[1:]:
        if other[0] == first[0] and same(other[1], first[1]):
            continue
        if other[1].concrete != first[1].concrete or other[1].concrete not in (INTEGER, POINTER):
            return _contradiction(node, position, first[2], other[2])
        first = min(first, other, key=lambda s: s[1].size)
    return first


def _contradiction(node: Node, position: int, a: TypeFact, b: TypeFact) -> Unknown:
    said = f"{a.reason}, but {b.reason}" if a.reason != b.reason else f"{a.reason} in two ways"
    return Unknown(f"byte {position} of {node.label}: {said}", conflict=True)

"""Evidence about bytes, and how it spreads.

A node is a container of bytes: the memory behind a root pointer (an argument, an alloca, a global, a call's result, a
loaded pointer), or the bits of an integer, vector or aggregate value. A fact says that a window of a node's bytes is
laid out so and so. Links say that bytes of one node are copied to another: facts follow the copy as strong evidence
(a float that was copied is still a float), and go against it as weak evidence (what is read as a float was probably
written as one).

Ranks: DECLARED what a declaration, a typed access or a copy from there says; STRIDED a floating access at a variable
index, which names one element of an array but not where the array begins and ends; WEAK everything that goes against
the flow, raw characters, integers that are used as numbers.

Deciding one byte: the highest rank speaks; two facts of that rank that differ contradict each other. That something
is read as an integer does not make it one, and integers never win against a floating access or copy, whatever the
ranks: the mistake that loses a derivative is excluded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from math import gcd

from enzyme_magic.backend.analysis.layouts import Layout, Leaf, same
from enzyme_magic.backend.analysis.type_tree import INTEGER, PADDING, POINTER, UNKNOWN, Unknown

DECLARED, STRIDED, WEAK = 3, 2, 1
OWN, FORWARD, BACKWARD = "own", "forward", "backward"
MOST_FACTS = 24


@dataclass(frozen=True, slots=True)
class Window:
    """Bytes [low, high); low None: all bytes, high None: all from low on. `every` > 0: also all windows shifted by multiples of
    it."""

    low: int | None = None
    high: int | None = None
    every: int = 0

    def covers(self, position: int, modulus: int) -> bool:
        """Whether `position` (known modulo `modulus`, upwards) certainly lies inside."""
        if self.low is None:
            return True
        if self.high is None:
            return position >= self.low
        if self.every:
            steady = modulus == 0 or modulus % self.every == 0
            return steady and (position - self.low) % self.every < self.high - self.low
        return modulus == 0 and self.low <= position < self.high


EVERYWHERE = Window()


@dataclass(frozen=True, slots=True)
class Fact:
    """Byte b of the node is byte b - shift of `layout` (known modulo `modulus`; 0: exactly), for b in the window."""

    layout: Layout
    shift: int
    modulus: int
    window: Window
    rank: int
    flow: str
    reason: str

    def leaf(self, position: int, modulus: int) -> tuple[int, Leaf] | None:
        """(start in the node, leaf) at a position, if the fact speaks about it."""
        if not self.window.covers(position, modulus):
            return None
        found = self.layout.leaf_near(position - self.shift, gcd(modulus, self.modulus))
        return (found[0] + self.shift, found[1]) if found is not None else None

    @property
    def key(self) -> tuple[object, ...]:
        period = self.layout.size if self.window.low is None and self.layout.tail is None else 0
        shift = self.shift % period if period else self.shift
        return id(self.layout), shift, self.modulus, self.window, self.flow


@dataclass(frozen=True, slots=True, eq=False)
class Link:
    """`length` bytes at `source`'s offset `a` (known modulo `source_modulus`) are copied to `target`'s offset `b`.
    length None: unknown, from there on. `calls`: a formal parameter and its actual; what came in by one call goes out by none."""

    source: Node
    a: int
    source_modulus: int
    target: Node
    b: int
    target_modulus: int
    length: int | None
    calls: bool = False


@dataclass(slots=True, eq=False)
class Node:
    """`label` names it for people. `size`: bytes of a value's bits; None for memory."""

    label: str
    size: int | None = None
    facts: dict[tuple[object, ...], Fact] = field(default_factory=dict)
    out: list[Link] = field(default_factory=list)
    into: list[Link] = field(default_factory=list)
    fields: list[tuple[int, int, Node]] = field(
        default_factory=list
    )  # (offset, modulus, what the pointer there points to)
    crowded: bool = False

    def decide(self, position: int, modulus: int = 0) -> tuple[int, Leaf, str] | Unknown:
        """(start, leaf, reason) of what lies at a byte."""
        return _decide(self, position, modulus)


def _decide(node: Node, position: int, modulus: int) -> tuple[int, Leaf, str] | Unknown:
    spoken = list(_evidence(node, position, modulus))
    if not spoken:
        return Unknown(f"nothing tells what {node.label} holds at byte {position}")
    definite = [s for s in spoken if s[1].concrete not in (UNKNOWN, PADDING)]
    if not definite:
        start, leaf, fact = spoken[0]
        if leaf.concrete == PADDING and all(s[1].concrete == PADDING for s in spoken):
            return start, leaf, fact.reason
        return Unknown(f"{fact.reason}, where byte {position} may be of several types")
    top = max(_rank(s[1], s[2]) for s in definite)
    best = [s for s in definite if _rank(s[1], s[2]) == top]
    chosen = _agree(best, node, position)
    if isinstance(chosen, Unknown):
        return chosen
    start, leaf, fact = chosen
    if not leaf.concrete.is_float:
        for _, other, against in definite:
            if other.concrete.is_float and (against.flow != BACKWARD or against.rank >= STRIDED):
                return _contradiction(node, position, fact, against)
    if leaf.concrete == INTEGER and fact.flow == BACKWARD:
        return Unknown(f"{fact.reason}, but nothing tells what {node.label} was written as")
    if node.crowded and fact.flow != OWN:
        return Unknown(f"too many different types meet in {node.label}")
    return start, leaf, fact.reason


_Spoken = tuple[int, Leaf, Fact]


def _evidence(node: Node, position: int, modulus: int) -> Iterator[_Spoken]:
    declared = [f for f in node.facts.values() if not _is_stride(f)]
    for fact in node.facts.values():
        if _is_stride(fact) and _redundant(fact, declared):
            continue
        found = fact.leaf(position, modulus)
        if found is not None:
            yield found[0], found[1], fact


def _is_stride(fact: Fact) -> bool:
    return fact.rank == STRIDED and fact.window.every > 0


def _redundant(stride: Fact, others: list[Fact]) -> bool:
    """Whether what a strided access saw is an element of an array that a declaration already describes."""
    low = stride.window.low
    assert low is not None
    seen = stride.leaf(low, 0)
    for fact in others:
        if fact.rank == DECLARED and seen is not None:
            there = fact.leaf(low, 0)
            if there is not None and same(there[1], seen[1]):
                return True
    return False


def _rank(leaf: Leaf, fact: Fact) -> int:
    return WEAK if leaf.weak else fact.rank


def _agree(best: list[_Spoken], node: Node, position: int) -> _Spoken | Unknown:
    first = best[0]
    for other in best[1:]:
        if other[0] == first[0] and same(other[1], first[1]):
            continue
        winner = _stronger(first, other)
        if winner is None:
            return _contradiction(node, position, first[2], other[2])
        first = winner
    return first


def _stronger(a: _Spoken, b: _Spoken) -> _Spoken | None:
    """A floating declaration stays what it is when integers are copied into it. Nothing else outweighs its own rank."""
    for mine, theirs in ((a, b), (b, a)):
        if (
            mine[1].concrete.is_float
            and mine[2].flow == OWN
            and theirs[1].concrete == INTEGER
            and theirs[2].flow == FORWARD
        ):
            return mine
    if a[1].concrete == b[1].concrete and a[1].concrete in (INTEGER, POINTER):
        return a if a[1].size <= b[1].size else b
    return None


def _contradiction(node: Node, position: int, a: Fact, b: Fact) -> Unknown:
    return Unknown(f"byte {position} of {node.label}: {a.reason}, but {b.reason}", conflict=True)


@dataclass(slots=True, eq=False)
class Graph:
    """All nodes of a module."""

    pointee: Callable[[object], Layout | None]
    pending: list[tuple[Node, Fact]] = field(default_factory=list)

    def add(self, node: Node, fact: Fact) -> None:
        known = node.facts.get(fact.key)
        if known is not None and known.rank >= fact.rank:
            return
        if known is None and len(node.facts) >= MOST_FACTS:
            node.crowded = True
            return
        node.facts[fact.key] = fact
        self.pending.append((node, fact))

    def link(self, link: Link) -> None:
        """Copies of nothing (a node onto itself at the same place) are left out."""
        if link.source is link.target and link.a == link.b:
            return
        link.source.out.append(link)
        link.target.into.append(link)

    def spread(self) -> None:
        """Carry every fact along all links, to the fixpoint. Facts per node are bounded, so this is linear in the links."""
        while self.pending:
            node, fact = self.pending.pop()
            for offset, modulus, inner in node.fields:
                self._enter(inner, fact, offset, modulus)
            for link in node.out:
                moved = _move(fact, link, forward=True)
                if moved is not None:
                    self.add(link.target, moved)
            for link in node.into:
                moved = _move(fact, link, forward=False)
                if moved is not None:
                    self.add(link.source, moved)

    def _enter(self, inner: Node, fact: Fact, offset: int, modulus: int) -> None:
        """A declared pointer at `offset` tells what its pointee is."""
        found = fact.leaf(offset, modulus)
        if found is not None and found[0] == offset and found[1].concrete == POINTER:
            layout = self.pointee(found[1].target)
            if layout is not None:
                self.add(inner, Fact(layout, 0, 0, EVERYWHERE, fact.rank, fact.flow, fact.reason))


def _move(fact: Fact, link: Link, *, forward: bool) -> Fact | None:
    """The fact as it arrives at the other end; None when it has nothing to do with the bytes copied."""
    if link.calls and not forward and fact.flow == FORWARD:
        return None
    here, there = (link.a, link.b) if forward else (link.b, link.a)
    mine, other = link.source_modulus, link.target_modulus
    if not forward:
        mine, other = other, mine
    window = _moved_window(fact.window, here, there, mine, other, link.length)
    if window is None:
        return None
    strong = forward and fact.flow != BACKWARD
    most = STRIDED if window.every else DECLARED  # a copy to a variable place, like an access to one
    return replace(
        fact,
        shift=fact.shift + there - here,
        modulus=gcd(fact.modulus, gcd(mine, other)),
        window=window,
        rank=min(fact.rank, most) if strong else WEAK,
        flow=FORWARD if strong else BACKWARD,
    )


def _moved_window(window: Window, here: int, there: int, mine: int, other: int, length: int | None) -> Window | None:
    """`window` cut to the bytes copied, as seen from the other end. `mine`, `other`: how exactly the ends are known."""
    if window.low is None:
        if length is not None:
            return Window(there, there + length, other)
        return Window(there, None) if other == 0 else EVERYWHERE
    if mine:
        inside = window.every and mine % window.every == 0 and length is not None and length <= window.every
        if not inside or length is None or not window.covers(here, mine):
            return None
        return Window(there, there + length, other)
    return _cut(window, here, there, other, length)


def _cut(window: Window, here: int, there: int, other: int, length: int | None) -> Window | None:
    assert window.low is not None
    if window.every:
        whole = length is None and other == 0 and window.high is not None
        return (
            Window(window.low + there - here, window.high + there - here, window.every)
            if whole and window.high
            else None
        )
    low = max(here, window.low)
    ends = [e for e in (window.high, None if length is None else here + length) if e is not None]
    high = min(ends) if ends else None
    if high is None:
        return Window(low + there - here, None) if other == 0 else EVERYWHERE
    return Window(low + there - here, high + there - here, other) if low < high else None

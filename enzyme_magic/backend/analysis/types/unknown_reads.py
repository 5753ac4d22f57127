"""Who reads bytes of which nothing tells what they are, where another function put numbers?

C lets `memcpy` take bytes from anywhere, and gives them the type of what they are copied to: a word that one function takes from a
block may be a number that another one put there. Nothing has to be declared for that; both agree on the block alone. Where blocks
may be the same, and where in them something lies, is what regions.py says.

Invariant: when all facts have spread, every such read is marked as one of numbers of which no fact tells. So is memory to which
such numbers are copied, where integers or pointers are declared that have room for them. Reads of what is declared are believed,
and so are those that C calls reads of an integer or a pointer, unless it is certain that a number lies at the very place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from math import gcd, inf, lcm

from enzyme_magic.backend.analysis.memory import tbaa
from enzyme_magic.backend.analysis.types.layouts import MANGLED, Layout, LayoutLeaf
from enzyme_magic.backend.analysis.types.partial_numbers import all_leaves, row_in
from enzyme_magic.backend.analysis.types.regions import AliasClass, AliasClasses
from enzyme_magic.backend.analysis.types.type_facts import BACKWARD, DECLARED, CopyLink, Node, Reads, TypeFact
from enzyme_magic.backend.analysis.types.type_tree import COMPUTED, INTEGER, POINTER, UNKNOWN
from enzyme_magic.backend.ir.instructions import Load, Store

MOST_BYTES = 64  # of a read that are looked at one by one
MOST_TOLD_APART = 512  # bytes of a copy

Place = tuple[Node, int, int]  # of memory, an offset, known modulo something


@dataclass(frozen=True, slots=True)
class Seen:
    """What is said of a region. at: where the region begins in what the fact speaks of, known modulo `modulus`. by: who says
    it."""

    fact: TypeFact
    at: int
    modulus: int
    by: list[Node]

    def is_known_to(self, node: Node) -> bool:
        """Whether a node says the same, of the same bytes for certain."""
        return node in self.by and (self.modulus == 0 or self.by == [node] or self.fact.window.low is None)


@dataclass(slots=True, eq=False)
class UnknownReads:
    """The reads of a program. links: those that may turn out to be ones of numbers. fresh: memory of which something new is said
    about numbers."""

    regions: AliasClasses
    links: list[CopyLink] = field(default_factory=list)
    new: list[CopyLink] = field(default_factory=list)
    fresh: set[Node] = field(default_factory=set)

    def add(self, link: CopyLink) -> None:
        """Note a read: a load of what may be an integer or a pointer, or a copy of memory."""
        if link.reads or link.moves:
            self.new.append(link)

    def hear(self, node: Node, fact: TypeFact) -> None:
        """Note that something is said of memory."""
        if node.size is None and fact.layout.floats and fact.flow != BACKWARD:
            self.fresh.add(node)

    def settle(self, take: Callable[[CopyLink, float], None], doubt: Callable[[CopyLink, int, float], None]) -> None:
        """Call `take` for what reads numbers, with the size of the smallest one, and `doubt` for copies of characters that may be
        some, with the place in the source from which on they may."""
        fresh = {self.regions.of(node)[0] for node in (*self.fresh, *self.regions.take_joined())}
        self.fresh.clear()
        pending = self.new + [link for link in self.links if self.regions.of(link.source)[0] in fresh]
        self.links, self.new = self.links + self.new, []
        said: dict[AliasClass, list[Seen]] = {}
        taken: set[CopyLink] = set()
        while pending:
            reached: set[AliasClass] = set()
            for link in pending:
                start, least = self._least(link, said)
                if link.moves and least < inf:
                    if _are_characters(link):
                        doubt(link, start, least)
                    least = self._put(link, least, reached)
                if least < inf:
                    take(link, least)
                    taken.add(link)
            pending = [link for link in self.links if link not in taken and self.regions.of(link.source)[0] in reached]
        self.links = [link for link in self.links if link not in taken]

    def _put(self, link: CopyLink, least: float, reached: set[AliasClass]) -> float:
        """The bytes of the smallest integer or pointer declared where a copy may put numbers. reached: where some are copied that
        were not known to be there."""
        region, _ = self.regions.of(link.target)
        if least < region.foreign and region is not self.regions.of(link.source)[0]:
            region.foreign = least
            reached.add(region)
        sources = self.regions.seen_by(link.source, link.a, link.source_modulus)
        targets = self.regions.seen_by(link.target, link.b, link.target_modulus)
        word = _least_word(sources, targets, link.length, least)
        return min(least, word) if word < inf else inf

    def _least(self, link: CopyLink, said: dict[AliasClass, list[Seen]]) -> tuple[int, float]:
        """From where on in the source numbers may be read of which the function does not know, and the bytes of the smallest one;
        inf: there is none."""
        region, place = self.regions.of(link.source)
        if region not in said:
            said[region] = _numbers_in(region)
        seen = [one for one in said[region] if not one.is_known_to(link.source)]
        if not seen and region.foreign == inf:
            return link.a, inf
        modulus = link.source_modulus if place is not None else 1
        if link.reads == "integer":
            seen = [one for one in seen if one.modulus != 1] if modulus != 1 else []
        least, start, foreign = inf, link.a, region.foreign if link.reads != "integer" else inf
        for at, length in _undeclared(link.source, link.a, link.length, link.source_modulus):
            met = min(_least_met(seen, at + (place or 0), length, modulus), foreign)
            least, start = min(least, met), at if met < inf == least else start
        if link.reads == "integer":
            return start, least if link.length is not None and least <= link.length else inf
        return start, least if least == inf or link.length is None else min(least, link.length)  # or a part of one


def kind_of_read(access: Load | Store) -> Reads:
    """What a load says of what it reads, if that may be an integer or a pointer."""
    name = tbaa.scalar_name(access)
    if isinstance(access, Store) or (name is not None and name not in tbaa.INTEGERS):
        return None
    return "integer" if name is not None else "bytes"


def _numbers_in(region: AliasClass) -> list[Seen]:
    places = ((node, 0, 1) if place is None else (node, -place, 0) for node, place in region.nodes)
    return _distinct(places, lambda fact: fact.layout.floats and fact.flow != BACKWARD)


def _distinct(places: Iterable[Place], which: Callable[[TypeFact], bool]) -> list[Seen]:
    """Facts about memory, once where several nodes say the same of the same bytes."""
    found: dict[object, Seen] = {}
    for node, at, modulus in places:
        for fact in filter(which, node.facts.values()):
            low, high = fact.window.low, fact.window.high
            ends = None if low is None else low - at, None if high is None else high - at
            key = fact.layout, fact.shift - at, fact.modulus, *ends, fact.window.every, modulus
            found.setdefault(key, Seen(fact, at, modulus, [])).by.append(node)
    return list(found.values())


def _least_met(seen: Iterable[Seen], offset: int, length: int | None, modulus: int) -> float:
    """The size of the smallest number some of whose bytes may lie in `length` ones from a place on; inf: there is none."""
    least = inf
    for one in seen:
        at, step = one.at + offset, gcd(one.modulus, modulus)
        if one.fact.layout is MANGLED and one.fact.window.may_meet(at, length, step):
            return 1
        sizes = (leaf.size for leaf in _met(one.fact, at, length, step) if leaf.concrete.is_float)
        least = min(least, min(sizes, default=inf))
    return least


def _undeclared(node: Node, position: int, length: int | None, modulus: int) -> Iterator[tuple[int, int | None]]:
    """Where in so many bytes (None: unknown, from there on) it is not said what lies there, other than by accesses: (place,
    length). Characters may be anything."""
    said = _said(node)
    if not said:
        yield position, length
        return
    known = MOST_BYTES if length is None else min(length, MOST_BYTES)
    bare = [not any(_declares(fact, position + k, modulus) for fact in said) for k in range(known)]
    for is_bare, run in groupby(range(known), key=bare.__getitem__):
        if is_bare:
            first, *others = run
            whole = first == 0 and len(others) + 1 == known  # and so is what follows
            yield position + first, length if whole else len(others) + 1
    if known != length and any(_holds_characters(fact.layout) for fact in said) and not all(bare):
        yield position + known, None if length is None else length - known


def _are_characters(link: CopyLink) -> bool:
    """Whether characters are declared among what a copy reads or writes: they would be believed to be ones."""
    ends = (link.source, link.a, link.source_modulus), (link.target, link.b, link.target_modulus)
    met = (leaf for end in ends for fact in _said(end[0]) for leaf in _met(fact, end[1], link.length, end[2]))
    return any(leaf.weak and leaf.concrete == INTEGER for leaf in met)


def _said(node: Node) -> list[TypeFact]:
    """What is said of memory other than by accesses to it."""
    said = (f for f in node.facts.values() if f.rank == DECLARED and f.flow != BACKWARD)
    return [fact for fact in said if not (fact.access or fact.put)]


def _declares(fact: TypeFact, position: int, modulus: int) -> bool:
    found = fact.leaf(position, modulus)
    return found is not None and not _is_open(found[1])


def _holds_characters(layout: Layout) -> bool:
    return any(_is_open(leaf) for leaf in all_leaves(layout))


def _is_open(leaf: LayoutLeaf) -> bool:
    return leaf.weak or leaf.concrete == UNKNOWN


def _least_word(sources: Iterable[Place], targets: Iterable[Place], length: int | None, least: float) -> float:
    """The bytes of the smallest integer or pointer that is declared where a copy of so many bytes may put numbers (the smallest has
    `least`), or parts of some; inf: there is none. Both ends as all see them that may see the same memory. Where it is not known
    what lies where, those are believed that are smaller than a number, and have no room for one with others beside them."""

    def words(leaves: Iterable[LayoutLeaf], smallest: float) -> Iterator[int]:
        return (
            leaf.size
            for leaf in leaves
            if leaf.concrete in (INTEGER, POINTER) and leaf.size >= smallest and not leaf.weak
        )

    declared = _distinct(targets, lambda f: f.rank == DECLARED and f.flow != BACKWARD and not f.access)
    whole = length is not None and length >= least
    roomy = (one for one in declared if whole or one.fact.layout.size >= least)
    fits = [one for one in roomy if any(words(all_leaves(one.fact.layout), 0))]
    if not fits:
        return inf
    numbers = _distinct(sources, lambda f: f.layout.floats and f.flow != BACKWARD)
    some = _told_apart(numbers + fits)
    if some is None:
        rows = ((one, least if row_in(one.fact.layout) < least else 0) for one in fits)
        return min(
            (size for one, smallest in rows for size in words(_met(one.fact, one.at, length, one.modulus), smallest)),
            default=inf,
        )
    some = some if length is None else min(some, length)
    put = (k for k in range(some) if any(_is_number(leaf) for leaf in _at(numbers, k)))
    return min((size for k in put for size in words(_at(fits, k), 0)), default=inf)


def _is_number(leaf: LayoutLeaf) -> bool:
    return leaf.concrete.is_float or leaf.concrete == COMPUTED


def _told_apart(seen: Iterable[Seen]) -> int | None:
    """After how many bytes a copy finds only what it found before; None: too many, or places are not certain."""
    end, period = 0, 1
    for one in seen:
        fact = one.fact
        if one.modulus or fact.modulus or fact.window.every or fact.layout.tail is not None:
            return None
        ends = [k for k in (fact.window.low, fact.window.high) if k is not None]
        end, period = max(end, *(abs(k - one.at) for k in (*ends, fact.shift))), lcm(period, fact.layout.size or 1)
    return end + period if end + period <= MOST_TOLD_APART else None


def _at(seen: Iterable[Seen], k: int) -> Iterator[LayoutLeaf]:
    return (leaf for one in seen for leaf in _met(one.fact, one.at + k, 1, one.modulus))


def _met(fact: TypeFact, position: int, length: int | None, modulus: int) -> Iterator[LayoutLeaf]:
    """What a fact says of bytes of a node of which `length` ones, from a place on, may be some."""
    if not fact.window.may_meet(position, length, modulus):
        return
    layout, step = fact.layout, gcd(modulus, fact.modulus, fact.window.every)
    if not layout.size or layout.tail is not None or length is None or length > MOST_BYTES:
        yield from all_leaves(layout)
        return
    for k in range(position, position + length):
        if fact.window.may_meet(k, 1, modulus):
            yield from (leaf for _, leaf in layout.candidates(k - fact.shift, gcd(step, layout.size)))

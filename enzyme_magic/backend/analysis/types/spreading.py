"""How evidence about bytes spreads: along copies, against them, and into what declared pointers lead to.

Invariant: declarations spread first, as far as they do; then one access at a time, and only where no declaration explains it. Facts
per node are bounded, so the fixpoint is linear in the links. What a fact is, and what one byte is by all of them: type_facts.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import gcd, inf

from enzyme_magic.backend.analysis.types.layouts import BLANK, MANGLED, Layout
from enzyme_magic.backend.analysis.types.partial_numbers import (
    WHOLE,
    arrival,
    has_others,
    is_cut,
    least_number,
    least_part,
    only_numbers,
    takes_lost,
)
from enzyme_magic.backend.analysis.types.regions import AliasClasses
from enzyme_magic.backend.analysis.types.type_facts import (
    BACKWARD,
    DECLARED,
    FORWARD,
    OWN,
    STRIDED,
    WEAK,
    CopyLink,
    Cut,
    Node,
    TypeFact,
    declarations,
    is_integer_member,
    is_number,
    is_redundant,
    is_stride,
    said_everywhere,
    speaks_from,
)
from enzyme_magic.backend.analysis.types.type_tree import INTEGER, POINTER
from enzyme_magic.backend.analysis.types.unknown_reads import UnknownReads
from enzyme_magic.backend.analysis.types.windows import EVERYWHERE, LOST, Arrival, Lost, Window, moved

MOST_FACTS = 24
MOST_OWN_FACTS = 96  # what a node's own accesses say: there are as many as a frame has members


@dataclass(slots=True, eq=False)
class Graph:
    """All nodes of a module."""

    pointee: Callable[[object], Layout | None]
    pending: list[tuple[Node, TypeFact]] = field(default_factory=list)
    accesses: list[tuple[Node, TypeFact]] = field(default_factory=list)
    strides: list[tuple[Node, TypeFact]] = field(default_factory=list)
    doubts: list[tuple[Node, TypeFact, Node]] = field(default_factory=list)  # (source, fact that got lost, target)
    puts: dict[tuple[Node, object], TypeFact] = field(
        default_factory=dict
    )  # numbers that were put into memory as mere bytes
    heard: set[tuple[Node, object]] = field(default_factory=set)  # of these, what was settled
    regions: AliasClasses = field(default_factory=AliasClasses)
    reads: UnknownReads = field(init=False)
    sure: bool = False  # whether it is known that no number is moved as something else

    def __post_init__(self) -> None:
        self.reads = UnknownReads(self.regions)

    def add(self, node: Node, fact: TypeFact) -> None:
        """Note a fact, to be spread: at once, or, if it comes from an access, when all declarations are known."""
        if is_stride(fact):
            self.strides.append((node, fact))
        elif fact.access:
            self.accesses.append((node, fact))
        else:
            self._note(node, fact)

    def _note(self, node: Node, fact: TypeFact) -> None:
        key, layout = fact.key, fact.layout
        known = node.facts.get(key)
        if known is not None and known.rank >= fact.rank and (fact.echo or not known.echo):
            return
        if any(other.layout is layout and other.says_all_of(fact) for other in node.facts.values()):
            return
        full = len(node.facts) >= (MOST_OWN_FACTS if fact.flow == OWN else MOST_FACTS)
        if known is None and full:
            self._fill(node)
            if not ((fact.rank > WEAK or fact.certain_of_floats) and _forget_weak(node)):
                if fact.certain_of_floats:
                    self._lose_evidently(node)
                return
        node.facts[key] = fact
        node.changes += 1
        self.pending.append((node, fact))
        self.reads.hear(node, fact)

    def link(self, link: CopyLink) -> None:
        """Copies of nothing (a node onto itself at the same place) are left out."""
        if link.source is link.target and link.a == link.b:
            return
        link.source.out.append(link)
        link.target.into.append(link)
        self._unify(link)
        if not self.sure:
            self.reads.add(link)
        if link.source.incomplete and not link.numbers:
            self._lose_along([link], link.source.lost, link.source.least)
            if link.same and link.a == link.b:
                link.target.miss(link.source.lost, link.source.least)
        if link.source.evident and not link.numbers:
            self._lose_evidently(link.target, link.source)
        if link.source.full and not (link.numbers or link.narrow):
            self._fill(link.target)

    def _unify(self, link: CopyLink) -> None:
        """What a link says of which memory is the same."""
        if link.numbers or link.narrow:
            return
        if link.moves or link.source.size is not None or link.target.size is not None:
            self.regions.copy(link)
        else:
            exact = not (link.source_modulus or link.target_modulus)
            self.regions.join(link.source, link.target, link.a - link.b if exact else None)

    def spread(self) -> None:
        """Carry every fact along all links, to the fixpoint. Facts per node are bounded, so this is linear in the links."""
        self.regions.measure()
        while self.pending or self.accesses or self.strides or self.doubts or self.puts or self.regions.spoiled:
            if not self.pending:
                self._settle_one()
                continue
            node, fact = self.pending.pop()
            for offset, modulus, inner in node.fields:
                self._enter(inner, fact, offset, modulus)
            for link in node.out:
                self._carry(node, fact, link)
            for link in node.into:
                arrived = _move(fact, link, forward=False)
                if isinstance(arrived, TypeFact):
                    self.add(link.source, _of_member(arrived, link.source) if link.is_alias else arrived)
        self.reads.settle(self._take_read, self._doubt_copy)

    def _carry(self, node: Node, fact: TypeFact, link: CopyLink) -> None:
        arrived = _move(fact, link, forward=True)
        if isinstance(arrived, TypeFact):
            self.add(link.target, arrived)
            if not link.is_alias:
                self._note_put(link.target, arrived)
        elif arrived is not None and not link.numbers and (fact.certain_of_floats or is_of_pointer(fact)):
            self.doubts.append((node, fact, link.target))

    def _settle_one(self) -> None:
        """All declarations have spread as far as they do now: one thing that only counts where none of them explains it."""
        if self.accesses:
            node, fact = self.accesses.pop()
            if not is_redundant(fact, said_everywhere(node)):
                self._note(node, fact)
                self._note_access(node, fact)
        elif self.strides:
            node, fact = self.strides.pop()
            if not is_redundant(fact, declarations(node)):
                self._note(node, fact)
                self._note_access(node, fact)
        elif self.doubts:
            source, fact, target = self.doubts.pop()
            if is_redundant(fact, said_everywhere(source)):
                return
            self._lose_evidently(target, source) if fact.certain_of_floats else self._fill(target)
        elif self.puts:
            (node, key), fact = self.puts.popitem()
            self.heard.add((node, key))
            self._settle_put(node, fact)
        else:
            for node in self.regions.take_spoiled():
                self.lose(node, inf)

    def _note_put(self, node: Node, fact: TypeFact) -> None:
        """Numbers come into memory by a copy, or as an integer or a pointer."""
        if not self.sure and node.size is None and (fact.certain_of_floats or fact.layout is MANGLED):
            key = (node, fact.key)
            if key not in self.heard:
                self.puts[key] = fact

    def _note_access(self, node: Node, fact: TypeFact) -> None:
        """Optimizers store a number where C copies it into integers. (Where C accesses a number, no integer lies.)"""
        if not fact.typed or _is_put(node, fact):
            self._note_put(node, fact)

    def _settle_put(self, node: Node, fact: TypeFact) -> None:
        """Who may read there in another function must know of it, or know that it does not know all."""
        start = fact.window.low if fact.window.low is not None and not fact.window.every else -inf
        region, place = self.regions.of(node)
        self._mix(node, fact)
        if region.lost <= (start + place if place is not None else -inf):
            return
        told = not fact.access and _is_told(node, fact, 0, start, by_copies=False)
        typed, is_put = told or (node.allocated and not _says_other(node)), _is_put(node, fact)
        for other, k in region.nodes:
            distance = place - k if place is not None and k is not None else None
            low = -inf if distance is None else start + distance
            may_miss = distance is not None and _is_array_of_integers(other) if typed else is_put and _says_other(other)
            may_miss |= not told and _reads_integers(other, least_number(fact.layout))
            if other is node or other.lost <= low or not may_miss:
                continue
            if not _is_told(other, fact, distance, low, by_copies=True):
                self.lose(node, start)
                return  # all of the region

    def _take_read(self, link: CopyLink, least: float) -> None:
        """Numbers may be among the bytes of a read, and no fact tells of them."""
        if link.numbers:  # a pointer
            self._lose_along([], -inf if link.source_modulus else link.a, least, link.source)
        else:
            self._lose_along([link], -inf, least)

    def _doubt_copy(self, link: CopyLink, start: int, least: float) -> None:
        """A copy is judged by what its source is said to be, in the function itself: it may hold numbers, of all that."""
        link.source.miss(-inf if link.source_modulus else start, least)

    def _mix(self, node: Node, fact: TypeFact) -> None:
        """Numbers that lie where integers are declared: others may, too."""
        region, _ = self.regions.of(node)
        least = min((least_part(said, fact) for said in _declarations(node)), default=inf)
        least = min(least, WHOLE) if _is_array_of_integers(node) else least
        if least < region.mixed:
            region.mixed = least
            self.lose(node, inf)

    def sees_numbers(self, node: Node) -> bool:
        """Whether there is any evidence of numbers in memory, in whatever function."""
        region, _ = self.regions.of(node)
        if not region.numbers:
            region.numbers = any(fact.layout.floats for one in self._same(node) for fact in one.facts.values())
        return region.numbers

    def lose(self, node: Node, start: float = -inf, source: Node | None = None) -> None:
        """Mark a node from a byte on, whatever may be the same memory, and all that is copied from there, as incompletely known.
        source: where the numbers come from that may lie there."""
        self._lose_along([], start, self._least_number(source or node), node)

    def _fill(self, first: Node) -> None:
        """More is said of a node than it keeps, so that what it does not keep goes nowhere either."""
        pending = [first]
        while pending:
            node = pending.pop()
            if not node.full:
                node.full = True
                node.changes += 1
                pending += [link.target for link in node.out if not (link.numbers or link.narrow)]

    def _lose_evidently(self, first: Node, source: Node | None = None) -> None:
        """Numbers were copied there that it is known of, but not where exactly."""
        pending = [first]
        while pending:
            node = pending.pop()
            if not node.evident:
                node.evident = True
                self.lose(node, source=source)
                pending += [link.target for link in node.out if not link.numbers]

    def _lose_along(self, links: list[CopyLink], start: float, least: float, first: Node | None = None) -> None:
        """links: ways by which bytes come from a node that is lost from `start` on. first: a node that is."""
        pending = [(link.target, arrival(link, start), least) for link in links if takes_lost(link, start)]
        pending += [(first, start, least)] if first is not None else []
        while pending:
            node, start, least = pending.pop()
            for one, low in self._lost_with(node, start, least):
                if one.miss(low, least):
                    pending += [(x.target, arrival(x, low), least) for x in one.out if takes_lost(x, low)]

    def _lost_with(self, node: Node, start: float, least: float) -> list[tuple[Node, float]]:
        """What else is lost, and from where on, if a node is."""
        if node.size is not None:
            return [(node, start)]
        region, place = self.regions.of(node)
        region.lost = min(region.lost, start + place if place is not None else start if start == inf else -inf)
        region.least = min(region.least, least)
        return [(other, region.lost_for(k)) for other, k in region.nodes]

    def _same(self, node: Node) -> list[Node]:
        """What may be the same memory."""
        return [other for other, _ in self.regions.of(node)[0].nodes] if node.size is None else [node]

    def _least_number(self, node: Node) -> float:
        """The bytes of the smallest floating number for which there is evidence in some memory: what is smaller, and a member of a
        struct, is an integer as declared. Where no number was put into declared integers, all members are."""
        region = self.regions.of(node)[0]
        mixed = region.mixed if node.size is None else WHOLE
        if mixed == inf:
            return region.least
        layouts = (fact.layout for one in self._same(node) for fact in one.facts.values() if fact.layout.floats)
        return min(
            mixed, region.least, min((least_number(layout) for layout in layouts if layout is not MANGLED), default=1)
        )

    def _enter(self, inner: Node, fact: TypeFact, offset: int, modulus: int) -> None:
        """A declared pointer at `offset` tells what its pointee is."""
        found = fact.leaf(offset, modulus)
        if found is not None and found[0] == offset and found[1].concrete == POINTER:
            layout = self.pointee(found[1].target)
            if layout is not None:
                self.add(inner, TypeFact(layout, 0, 0, EVERYWHERE, fact.rank, fact.flow, fact.reason))


def _is_told(node: Node, fact: TypeFact, distance: int | None, start: float, *, by_copies: bool) -> bool:
    """Whether what is said of memory has the numbers in it of which a fact tells, from a byte on. distance: how much farther its
    bytes are in this memory. by_copies: whether what copies bring counts."""
    said = [known for known in node.facts.values() if known.flow != BACKWARD and (by_copies or not known.put)]
    if any((only_numbers(k.layout) or k.layout is fact.layout) and speaks_from(k, start) for k in said):
        return True
    if distance is None or fact.window.low is None:
        return False
    if distance == 0 and any(k.layout is fact.layout and k.window.contains(fact.window) for k in said):
        return True
    high = None if fact.window.high is None else fact.window.high + distance
    window = replace(fact.window, low=fact.window.low + distance, high=high)
    here = replace(fact, shift=fact.shift + distance, window=window)
    return is_redundant(here, [known for known in said if speaks_from(known, 0) and not is_stride(known)])


def _says_other(node: Node) -> bool:
    """Whether something is said of memory, or put there, that is no number."""
    return any(fact.rank > WEAK and has_others(fact.layout) for fact in node.facts.values())


def _is_put(node: Node, fact: TypeFact) -> bool:
    """Whether numbers come to memory as mere bytes: by a copy, or by an access that C calls one of something else, or where it says
    that integers lie."""
    if not fact.access or fact.renamed or fact.put:
        return True
    return _is_array_of_integers(node) or any(least_part(said, fact) < inf for said in _declarations(node))


def _reads_integers(node: Node, size: float) -> bool:
    """Whether memory is accessed as integers that have room for a number of so many bytes: by a cast, where nothing is declared."""
    facts = node.facts.values()
    said = [f.window for f in facts if f.rank == DECLARED and f.flow != BACKWARD and not (f.access or f.put)]
    for fact in (f for f in facts if f.access and f.flow == OWN):
        leaf = fact.layout.leaf_at(0)
        wide = leaf is not None and leaf[1].concrete == INTEGER and leaf[1].size >= size
        if wide and not any(window.contains(fact.window) for window in said):
            return True
    return False


def _is_array_of_integers(node: Node) -> bool:
    """Whether memory is said to hold integers of one type, or pointers, and nothing else: C lets bytes of numbers be copied there.
    (A member of a struct is not where a number is accessed as one.)"""
    said = [f.layout for f in node.facts.values() if f.rank == DECLARED and f.window.high is None and not f.access]
    leaves = [layout.only_leaf for layout in said]
    return bool(said) and all(leaf is not None and leaf.concrete in (INTEGER, POINTER) for leaf in leaves)


def _forget_weak(node: Node) -> bool:
    """Make room for a stronger fact."""
    weak = next((key for key, fact in node.facts.items() if fact.rank == WEAK and fact.flow == BACKWARD), None)
    return weak is not None and node.facts.pop(weak) is not None


def _move(fact: TypeFact, link: CopyLink, *, forward: bool) -> TypeFact | Lost | None:
    """The fact as it arrives at the other end; None when it has nothing to do with the bytes copied."""
    if link.calls and not forward and fact.flow == FORWARD and not _is_put_into_integers(fact, link):
        return None
    if link.same:
        return fact if forward else None
    if link.numbers and not forward:
        return None
    if not forward and fact.layout is MANGLED and not link.calls:
        return None  # what was made of a number does not say where the number came from
    if fact.layout is BLANK:
        return None  # constant bits of one instruction: where they meet others, those may be floating
    if link.source is link.target and fact.flow != OWN:
        return LOST  # a memmove inside of one object would move facts on and on
    copy = link.copy if forward else link.reversed
    arrived = moved(fact.window, copy)
    if isinstance(arrived, Lost) and link.numbers and fact.certain_of_floats:
        arrived = moved(fact.window.repeated(copy.mine), copy)  # a pointer is a number where it may be one
    if not isinstance(arrived, Arrival):
        return arrived
    strong = (forward and fact.flow != BACKWARD) or (link.calls and _is_put_into_integers(fact, link))
    if not strong and fact.layout.plain:
        return None  # that something is read as an integer proves nothing
    most = STRIDED if arrived.window.every else DECLARED  # a copy to a variable place, like an access to one
    moved_fact = TypeFact(  # in full: `replace` takes three times as long
        fact.layout,
        shift=fact.shift + copy.there - arrived.start,
        modulus=gcd(
            fact.modulus,
            arrived.period,
            0 if fact.window.every else copy.mine,
            0 if arrived.window.every else copy.other,
        ),
        window=arrived.window,
        rank=min(fact.rank, most) if strong else WEAK,
        flow=FORWARD if strong else BACKWARD,
        reason=fact.reason,
        access=fact.access,
        stride=fact.stride,
        typed=fact.typed,
        echo=fact.echo or _is_echo(fact, link, forward=forward, strong=strong),
        put=fact.put or not link.is_alias,
        cut=fact.cut or _cut(fact, link, arrived, forward=forward),
        several=fact.several or (not forward and link.target.stepped and fact.window.high is None),
    )
    return _of_pointer(fact, moved_fact, link) if link.numbers else moved_fact


def is_of_pointer(fact: TypeFact) -> bool:
    """Whether a fact says of its bytes, by an access or a copy, that a pointer lies there."""
    only = fact.layout.only_leaf
    return (fact.access or fact.put) and only is not None and only.concrete == POINTER


def is_other_struct(fact: TypeFact) -> bool:
    """Whether a fact says which struct some object at the same address is declared to be, and not what was put or read there."""
    return not (fact.access or fact.put or fact.shift) and fact.layout.only_leaf is None


def _is_echo(fact: TypeFact, link: CopyLink, *, forward: bool, strong: bool) -> bool:
    """A narrow integer of a struct is none of the pointers that some object at this address is merely declared to have there."""
    narrow = forward and link.narrow and is_other_struct(fact) and not fact.layout.floats
    if narrow and is_integer_member(link.source, link.a, link.source_modulus, link.length or 0):
        return True
    return not strong and (link.source if forward else link.target).size is not None


def _cut(fact: TypeFact, link: CopyLink, arrived: Arrival, *, forward: bool) -> Cut:
    """How parts of numbers come into memory without the rest."""
    if not forward or link.target.size is not None or not fact.layout.floats or not is_cut(fact, arrived, link.copy):
        return None
    return "copy" if link.source.size is None else "store"


def _is_put_into_integers(fact: TypeFact, link: CopyLink) -> bool:
    """Whether a called function writes bits of numbers, or what it computed from some, to where its parameter says integers are.
    Other callers get to hear of it, too: integers of theirs may then be unknown."""
    if link.target.size is not None or fact.window.high is None or fact.flow == BACKWARD:
        return False
    if fact.layout is MANGLED:
        return True
    if not fact.layout.floats:
        return False
    if any(least_part(f, fact) < inf for f in _own_declarations(link.target)):
        return True
    return fact.flow == FORWARD and any(f.layout.plain for f in _own_declarations(link.target))


def _declarations(node: Node) -> list[TypeFact]:
    """What is said of the memory, and was not copied there."""
    found = (fact for fact in node.facts.values() if fact.flow != BACKWARD and fact.rank == DECLARED)
    return [fact for fact in found if fact.window.high is None and not fact.access and not fact.put]


def _of_member(fact: TypeFact, node: Node) -> TypeFact:
    """What others say of the memory behind a pointer to a member of a struct (a called function, a table of pointers): it tells of
    that member, and not of what follows. (What lies in the last member may go on behind it.)"""
    if fact.window.high is not None or fact.access or fact.modulus:
        return fact
    for said in _own_declarations(node):
        place = fact.shift - said.shift
        member = said.layout.member(place, fact.layout) if not said.modulus and said.layout.tail is None else None
        if member is not None and place < said.layout.last:
            return replace(
                fact, window=Window(max(fact.window.low or 0, said.shift + member[0]), said.shift + member[1])
            )
    return fact


def _own_declarations(node: Node) -> list[TypeFact]:
    found = (fact for fact in node.facts.values() if fact.flow == OWN and fact.rank == DECLARED)
    return [fact for fact in found if fact.window.low is None and not fact.access]


def _of_pointer(fact: TypeFact, arrived: TypeFact, link: CopyLink) -> TypeFact | None:
    """What arrives by way of a pointer, if it shows in its bytes a floating number, or that they are a pointer indeed. What is
    said of a whole block of memory counts less: that pointers to numbers lead there does not tell where in it numbers lie."""
    low = link.b if link.target_modulus == 0 else arrived.window.low
    if low is None or _is_kept_apart(fact, link):
        return None
    shown = [leaf for k in range(link.length or 0) if (leaf := arrived.leaf(low + k, 0)) is not None]
    if not any(is_number(leaf) or leaf.concrete == POINTER for _, leaf in shown):
        return None
    vague = fact.window.high is None or (is_stride(fact) and fact.flow == OWN)
    of_block = vague and link.source.size is None and not link.source.declared
    return replace(arrived, rank=WEAK) if of_block and arrived.layout.floats else arrived


def _is_kept_apart(fact: TypeFact, link: CopyLink) -> bool:
    """Items of an array of numbers lie somewhere in the block, and C loads what it calls a pointer: objects of two types (C11
    6.5p7)."""
    loaded = link.reads is None and link.source.size is None and link.target.size is not None
    return loaded and fact.typed and fact.stride and not fact.put

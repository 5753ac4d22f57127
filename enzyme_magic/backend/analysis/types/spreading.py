"""How evidence about bytes spreads: along copies, against them, and into what declared pointers lead to.

Invariant: declarations spread first, as far as they do; then one access at a time, and only where no declaration explains it. Facts
per node are bounded, so the fixpoint is linear in the links. What a fact is, and what one byte is by all of them: type_facts.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import gcd

from enzyme_magic.backend.analysis.types.layouts import BLANK, MANGLED, Layout
from enzyme_magic.backend.analysis.types.partial_numbers import is_cut, only_numbers
from enzyme_magic.backend.analysis.types.regions import Regions
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
    is_number,
    is_redundant,
    is_stride,
    said_everywhere,
)
from enzyme_magic.backend.analysis.types.type_tree import POINTER
from enzyme_magic.backend.analysis.types.windows import EVERYWHERE, LOST, Arrival, Lost, moved

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
    regions: Regions = field(default_factory=Regions)

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
        if known is None and full and not (fact.rank > WEAK and _forget_weak(node)):
            if fact.certain_of_floats:
                self.lose(node)
            return
        node.facts[key] = fact
        node.changes += 1
        self.pending.append((node, fact))

    def link(self, link: CopyLink) -> None:
        """Copies of nothing (a node onto itself at the same place) are left out."""
        if link.source is link.target and link.a == link.b:
            return
        link.source.out.append(link)
        link.target.into.append(link)
        self._unify(link)
        if link.source.incomplete and not link.numbers:
            self.lose(link.target)

    def _unify(self, link: CopyLink) -> None:
        """What a link says of which memory is the same."""
        if link.numbers:
            return
        if link.moves or link.source.size is not None or link.target.size is not None:
            self.regions.copy(link.source, link.target)
        else:
            self.regions.join(link.source, link.target)

    def spread(self) -> None:
        """Carry every fact along all links, to the fixpoint. Facts per node are bounded, so this is linear in the links."""
        while self.pending or self.accesses or self.strides or self.doubts or self.puts or self.regions.spoiled:
            if not self.pending:
                self._settle_one()
                continue
            node, fact = self.pending.pop()
            for offset, modulus, inner in node.fields:
                self._enter(inner, fact, offset, modulus)
            for link in node.out:
                arrived = _move(fact, link, forward=True)
                if isinstance(arrived, Lost):
                    if not link.numbers and fact.certain_of_floats:
                        self.doubts.append((node, fact, link.target))
                elif arrived is not None:
                    self.add(link.target, arrived)
                    if not (link.calls or link.same or (link.source.size is None and not link.moves)):
                        self._note_put(link.target, arrived)
            for link in node.into:
                arrived = _move(fact, link, forward=False)
                if isinstance(arrived, TypeFact):
                    self.add(link.source, arrived)

    def _settle_one(self) -> None:
        """All declarations have spread as far as they do now: one thing that only counts where none of them explains it."""
        if self.accesses:
            node, fact = self.accesses.pop()
            if not is_redundant(fact, said_everywhere(node)):
                self._note(node, fact)
                self._note_put(node, fact)
        elif self.strides:
            node, fact = self.strides.pop()
            if not is_redundant(fact, declarations(node)):
                self._note(node, fact)
                if fact.access:
                    self._note_put(node, fact)
        elif self.doubts:
            source, fact, target = self.doubts.pop()
            if not is_redundant(fact, said_everywhere(source)):
                self.lose(target)
        elif self.puts:
            (node, key), fact = self.puts.popitem()
            self.heard.add((node, key))
            self._settle_put(node, fact)
        else:
            self.lose(self.regions.spoiled.pop())

    def _note_put(self, node: Node, fact: TypeFact) -> None:
        """Numbers come into memory by a copy, as an integer or a pointer, or where no declaration says that there are some."""
        if node.size is None and (fact.certain_of_floats or fact.layout is MANGLED):
            key = (node, fact.key)
            if key not in self.heard:
                self.puts[key] = fact

    def _settle_put(self, node: Node, fact: TypeFact) -> None:
        """Who may read there in another function must know of it, or know that it does not know all."""
        own = _is_told(node, fact)
        for other in list(self.regions.of(node).nodes):
            if (
                other is not node
                and not other.incomplete
                and not (own and _is_told_of_numbers(other))
                and not _is_told(other, fact)
            ):
                self.lose(other)
                return  # all of the region

    def sees_numbers(self, node: Node) -> bool:
        """Whether there is any evidence of numbers in memory, in whatever function."""
        return any(fact.layout.floats for one in self.regions.of(node).nodes for fact in one.facts.values())

    def lose(self, node: Node) -> None:
        """Mark a node, whatever may be the same memory, and all that is copied from there, as incompletely known."""
        pending = [node]
        while pending:
            node = pending.pop()
            region = self.regions.of(node)
            region.lost |= node.size is None
            for one in region.nodes if node.size is None else [node]:
                if not one.incomplete:
                    one.incomplete = True
                    pending += [link.target for link in one.out if not link.numbers]

    def _enter(self, inner: Node, fact: TypeFact, offset: int, modulus: int) -> None:
        """A declared pointer at `offset` tells what its pointee is."""
        found = fact.leaf(offset, modulus)
        if found is not None and found[0] == offset and found[1].concrete == POINTER:
            layout = self.pointee(found[1].target)
            if layout is not None:
                self.add(inner, TypeFact(layout, 0, 0, EVERYWHERE, fact.rank, fact.flow, fact.reason))


def _is_told(node: Node, fact: TypeFact) -> bool:
    """Whether what is said of memory has the numbers in it of which a fact tells."""
    return any(
        only_numbers(known.layout) or known.layout is fact.layout
        for known in node.facts.values()
        if known.flow != BACKWARD and known.window.low is None and known.window.high is None
    )


def _is_told_of_numbers(node: Node) -> bool:
    """Whether nothing is said of memory as a whole, or some of it has numbers in it."""
    said = [fact for fact in said_everywhere(node) if fact.rank == DECLARED]
    return not said or any(fact.layout.floats for fact in said)


def _forget_weak(node: Node) -> bool:
    """Make room for a stronger fact."""
    weak = next((key for key, fact in node.facts.items() if fact.rank == WEAK and fact.flow == BACKWARD), None)
    if weak is not None:
        del node.facts[weak]
        node.changes += 1
    return weak is not None


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
        echo=fact.echo or (not strong and (link.source if forward else link.target).size is not None),
        cut=fact.cut or _cut(fact, link, arrived, forward=forward),
        several=fact.several or (not forward and link.target.stepped and fact.window.high is None),
    )
    return _of_pointer(fact, moved_fact, link) if link.numbers else moved_fact


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
    declared = (f for f in link.target.facts.values() if f.flow == OWN and f.window.low is None and f.rank == DECLARED)
    return fact.layout.floats and fact.flow == FORWARD and any(f.layout.plain for f in declared)


def _of_pointer(fact: TypeFact, arrived: TypeFact, link: CopyLink) -> TypeFact | None:
    """What arrives by way of a pointer, if it shows in its bytes a floating number, or that they are a pointer indeed. What is
    said of a whole block of memory counts less: that pointers to numbers lead there does not tell where in it numbers lie."""
    low = link.b if link.target_modulus == 0 else arrived.window.low
    if low is None:
        return None
    shown = [leaf for k in range(link.length or 0) if (leaf := arrived.leaf(low + k, 0)) is not None]
    if not any(is_number(leaf) or leaf.concrete == POINTER for _, leaf in shown):
        return None
    vague = fact.window.high is None or (is_stride(fact) and fact.flow == OWN)
    of_block = vague and link.source.size is None and not link.source.declared
    return replace(arrived, rank=WEAK) if of_block and arrived.layout.floats else arrived

"""Which memory may be the same memory, over all functions of a program.

Steensgaard's analysis (Points-to analysis in almost linear time, POPL 1996): nodes of the type graph that may be the same memory
lie in one alias class, here a *region*. So it is said where else bytes may be read that one function puts somewhere. Calls of one
function share its parameters.

A node has a place in its region where that is certain: the distances between nodes are kept as the union is made (a weighted union
and find), and where two ways to a node disagree, no place in the region is certain any more. Pointers in a region lead to one
region for each place where they lie (structs told apart by members: Steensgaard, Points-to analysis by type inference of programs
with structures and unions, CC 1996): places that overlap are one, items of arrays are one, and so is all that lies where places
are not certain.

Invariant: a region that is lost from some place on is lost for all of its nodes: see `Graph.lose`. What integers are computed to,
and what the program does not show, leads to one region, `outside`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import gcd, inf

from enzyme_magic.backend.analysis.calls import runtime_calls
from enzyme_magic.backend.analysis.types.type_facts import CopyLink, Node
from enzyme_magic.backend.ir.instructions import Call, Instruction
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.types import (
    ArrayType,
    FloatType,
    IntType,
    NamedType,
    PointerType,
    StructType,
    VectorType,
    VoidType,
)
from enzyme_magic.backend.ir.values import Argument, Value
from enzyme_magic.backend.library import libc
from enzyme_magic.backend.library.summary import NEW, Summary

POINTER_BYTES = 8  # at most; of smaller ones, two beside each other are taken for one
LONGEST_COPY = 1024  # bytes of a copy that are told apart


@dataclass(slots=True, eq=False, repr=False)
class PointerFields:
    """Where the pointers in a region lead to: disjoint runs of bytes (start, end, region), by place. period: the runs come again
    every so many bytes (0: they do not; 1: all pointers are one)."""

    period: int = 0
    runs: list[tuple[int, int, AliasClass]] = field(default_factory=list)

    def at(self, start: int, end: int) -> AliasClass | None:
        """Where some pointer leads to that has a part in these bytes."""
        for low, high in self._pieces(start, end):
            first, last = self._meeting(low, high)
            if first < last:
                return self.runs[first][2]
        return None

    def put(self, start: int, end: int, target: AliasClass) -> Iterator[tuple[AliasClass, AliasClass]]:
        """Pointers in these bytes lead to `target`; which regions are one because of it."""
        for low, high in self._pieces(start, end):
            first, last = self._meeting(low, high)
            met = self.runs[first:last]
            run = (min(low, met[0][0]), max(high, met[-1][1]), target) if met else (low, high, target)
            self.runs[first:last] = [run]
            yield from ((target, other) for _, _, other in met if other is not target)

    def narrow(self, period: int) -> Iterator[tuple[AliasClass, AliasClass]]:
        """Places are only told apart by their rest from now on; which regions are one because of it."""
        common = gcd(self.period, period)
        if common != self.period:
            runs, self.period, self.runs = self.runs, common, []
            for start, end, target in runs:
                yield from self.put(start, end, target)

    def _pieces(self, start: int, end: int) -> list[tuple[int, int]]:
        if not self.period:
            return [(start, end)]
        if end - start >= self.period:
            return [(0, self.period)]
        low = start % self.period
        high = low + end - start
        return [(low, high)] if high <= self.period else [(low, self.period), (0, high - self.period)]

    def _meeting(self, low: int, high: int) -> tuple[int, int]:
        """Which runs share bytes with these."""
        return bisect_right(self.runs, low, key=lambda run: run[1]), bisect_left(
            self.runs, high, key=lambda run: run[0]
        )


@dataclass(slots=True, eq=False, repr=False)
class AliasClass:
    """nodes: of memory, each with the place of its beginning (None: unknown). fields: where pointers in it lead to. lost: the place
    from which on numbers may lie that nobody tells of. parent, shift: what it is a part of, and where. certain: whether places are.
    numbers: whether some lie there. mixed: the bytes of the smallest parts of some where integers are declared. foreign: those of
    the smallest numbers that are moved there and of which no fact tells; least: of the smallest that may lie there, once it is
    lost."""

    nodes: list[tuple[Node, int | None]] = field(default_factory=list)
    lost: float = inf
    parent: AliasClass | None = None
    shift: int | None = 0
    fields: PointerFields = field(default_factory=PointerFields)
    certain: bool = True
    numbers: bool = False
    mixed: float = inf
    foreign: float = inf
    least: float = inf

    def lost_for(self, place: int | None) -> float:
        """The same place as a node sees it that begins at `place`."""
        return -inf if place is None and self.lost < inf else self.lost - (place or 0)


@dataclass(slots=True, eq=False, repr=False)
class AliasClasses:
    """Union and find over the nodes of a graph. `spoiled`: a node of each region that lost more by being joined. `joined`: one
    of each that was made of two. `unmeasured`: copies of unknown length from and to certain places, until it is known what else
    is the same memory."""

    spoiled: list[Node] = field(default_factory=list)
    unmeasured: list[CopyLink] = field(default_factory=list)
    joined: list[Node] = field(default_factory=list)
    _outside: AliasClass = field(default_factory=AliasClass)
    _of: dict[Node, AliasClass] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._outside.fields = PointerFields(1, [(0, 1, self._outside)])

    def of(self, node: Node) -> tuple[AliasClass, int | None]:
        """The region of a node and its place there; bits of values have a region of their own, for what they lead to."""
        region = self._of.get(node)
        if region is None:
            region = self._of[node] = (
                AliasClass([(node, 0)]) if node.size is None else AliasClass(fields=PointerFields(1))
            )
        return _find(region)

    def join(self, a: Node, b: Node, distance: int | None = 0) -> None:
        """Both may be the same memory; `b` begins `distance` bytes behind the beginning of `a` (None: unknown)."""
        self._join(self.of(a), self.of(b), distance)

    def copy(self, link: CopyLink) -> None:
        """Bytes go from the one to the other: the pointers among them lead to the same."""
        length = link.length
        whole = link.source.size is not None or link.target.size is not None
        if length is None or length > LONGEST_COPY:
            if whole or link.source_modulus or link.target_modulus:
                self._copy_all(link)
            else:
                self.unmeasured.append(link)
            return
        step = length if whole else POINTER_BYTES
        for k in range(0, length, step or 1):
            size = min(step, length - k)
            source = self._led_to(link.source, link.a + k, size, link.source_modulus)
            self._join(source, self._led_to(link.target, link.b + k, size, link.target_modulus), 0)

    def measure(self) -> None:
        """Copies of unknown length that are left: where both ends are one place of a region, they move no pointer elsewhere (the
        members of one struct, from one object to another)."""
        links, self.unmeasured = self.unmeasured, []
        for link in links:
            if not self.is_same_place((link.source, link.a, 0), (link.target, link.b, 0)):
                self._copy_all(link)

    def is_same_place(self, a: tuple[Node, int, int], b: tuple[Node, int, int]) -> bool:
        """Whether two places (node, offset, modulus) are the same one of a region, whatever the objects are."""
        (first, at), (second, to) = self.of(a[0]), self.of(b[0])
        return first is second and at is not None and to is not None and not (a[2] or b[2]) and at + a[1] == to + b[1]

    def seen_by(self, node: Node, offset: int, modulus: int) -> Iterator[tuple[Node, int, int]]:
        """The same place as (node, offset, modulus) of all nodes of its region."""
        region, place = self.of(node)
        for other, k in region.nodes:
            yield (other, offset + place - k, modulus) if place is not None and k is not None else (other, 0, 1)

    def _copy_all(self, link: CopyLink) -> None:
        self._join(self._led_to(link.source, None), self._led_to(link.target, None), 0)

    def point(
        self, holder: Node, memory: Node, distance: int | None = 0, *, at: int | None = None, modulus: int = 0
    ) -> None:
        """A pointer in `holder` at a byte (None: any) leads to `memory`, `distance` bytes behind its beginning."""
        self._join(self.of(memory), self._led_to(holder, at, POINTER_BYTES, modulus), distance)

    def escape(self, node: Node) -> None:
        """Where a pointer to it goes, or where it comes from, is not seen."""
        self._join(self.of(node), _find(self._outside), None)

    def release(self, holder: Node) -> None:
        """Where pointers in `holder` go, or where they come from, is not seen."""
        self._join(self._led_to(holder, None), _find(self._outside), None)

    def take_spoiled(self) -> list[Node]:
        """One node of each spoiled region, which stands for all of it; joined ones are one by now."""
        found = {self.of(node)[0]: node for node in self.spoiled}
        self.spoiled.clear()
        return list(found.values())

    def take_joined(self) -> list[Node]:
        """A node of each region that was made of two since this was asked."""
        found, self.joined = self.joined, []
        return found

    def _led_to(
        self, holder: Node, at: int | None, size: int = POINTER_BYTES, modulus: int = 0
    ) -> tuple[AliasClass, int | None]:
        """Where pointers lead to that have a part in `size` bytes from one on (None: in any), known modulo something."""
        region, place = self.of(holder)
        fields = region.fields
        pending: list[tuple[AliasClass, AliasClass]] = []
        start = at + place if at is not None and place is not None else 0
        if at is None or place is None or modulus:
            pending += fields.narrow(modulus if at is not None and place is not None else 1)
        target = fields.at(start, start + size) or AliasClass()
        pending += fields.put(start, start + size, target)
        self._settle(pending)
        return _find(target)

    def _join(self, a: tuple[AliasClass, int | None], b: tuple[AliasClass, int | None], distance: int | None) -> None:
        pending: list[tuple[AliasClass, AliasClass]] = []
        self._unite(_moved(*a), _moved(*b), distance, pending)
        self._settle(pending)

    def _settle(self, pending: list[tuple[AliasClass, AliasClass]]) -> None:
        while pending:
            first, second = pending.pop()
            self._unite(_find(first), _find(second), 0, pending)

    def _unite(
        self,
        a: tuple[AliasClass, int | None],
        b: tuple[AliasClass, int | None],
        distance: int | None,
        pending: list[tuple[AliasClass, AliasClass]],
    ) -> None:
        (first, at), (second, place) = a, b
        apart = None if at is None or place is None or distance is None else at + distance - place
        if first is second:
            if apart != 0 and first.certain:
                self._misplace(first, pending)
            return
        if len(first.nodes) < len(second.nodes):
            first, second, apart = second, first, None if apart is None else -apart
        before = first.lost, second.lost
        first.lost = min(first.lost, second.lost_for(None if apart is None else -apart))
        if before != (first.lost, first.lost):
            self.spoiled += [node for node, _ in (first.nodes or second.nodes)[:1]]
        known = apart is not None and first.certain
        first.nodes += [(node, k + (apart or 0) if known and k is not None else None) for node, k in second.nodes]
        first.numbers, first.mixed = first.numbers or second.numbers, min(first.mixed, second.mixed)
        first.foreign, first.least = min(first.foreign, second.foreign), min(first.least, second.least)
        pending += first.fields.narrow(second.fields.period if known else 1)
        for start, end, target in second.fields.runs:
            pending += first.fields.put(start + (apart or 0), end + (apart or 0), target)
        self.joined += [node for node, _ in first.nodes[:1]]
        second.parent, second.shift, second.nodes, second.fields = first, apart, [], PointerFields()

    def _misplace(self, region: AliasClass, pending: list[tuple[AliasClass, AliasClass]]) -> None:
        """Two ways to a node disagree: it is not known any more what lies where."""
        pending += region.fields.narrow(1)
        region.certain = False
        region.nodes = [(node, None) for node, _ in region.nodes]
        if region.lost < inf:
            region.lost = -inf
            self.spoiled += [node for node, _ in region.nodes[:1]]


def gives_new(call: Call) -> bool:
    """Whether a call gives memory that nothing else leads to."""
    callee = call.called_function
    if callee is None or not callee.is_declaration:
        return False
    known = libc.find(callee.name)
    summary = known.summary if known is not None else runtime_calls.summary_of(callee.name)
    return summary is not None and summary.returns == {NEW} and summary.allocates != "realloc"


def _find(region: AliasClass) -> tuple[AliasClass, int | None]:
    """The whole that a region is a part of, and where in it; ways get shorter as they are gone."""
    path: list[AliasClass] = []
    while region.parent is not None:
        path.append(region)
        region = region.parent
    place: int | None = 0
    for part in reversed(path):
        place = None if place is None or part.shift is None else place + part.shift
        part.parent, part.shift = region, place
    return region, place if region.certain else None


def _moved(region: AliasClass, place: int | None) -> tuple[AliasClass, int | None]:
    """The same place in what the region is a part of by now: asking for one end of a join may have made others."""
    whole, shift = _find(region)
    return whole, None if place is None or shift is None else place + shift


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PointerFlow:
    """Where pointers go in one function, but by loads, stores and calls of what the program defines."""

    regions: AliasClasses
    sizes: DataLayout
    bits: Callable[[Value], Node]
    places: Callable[[Value], list[tuple[Node, int, int]]]

    def call(self, call: Call, summary: Summary | None) -> None:
        """A function that the program does not define. summary: what it does; None: unknown."""
        pointers = [p for p in (*call.arguments, call) if isinstance(p.type, PointerType)]
        if summary is None or summary.opaque or summary.callbacks or summary.captures:
            self.escape([*call.arguments, call])
            return
        nodes = [node for pointer in pointers for node, _, _ in self.places(pointer)]
        if summary.allocates == "realloc":
            for node, offset, modulus in self.places(call.arguments[0]):
                self.regions.join(node, self.places(call)[0][0], None if modulus else offset)
        elif call in pointers and summary.returns - {NEW}:
            for node in nodes[1:]:
                self.regions.join(nodes[0], node, None)
        elif summary.stores:
            for holder in nodes:
                for node in nodes:
                    self.regions.point(holder, node, None)

    def escape(self, values: Sequence[Value]) -> None:
        """Where pointers, or integers made of some, go or come from is not seen."""
        for value in values:
            if isinstance(value.type, PointerType):
                for node, _, _ in self.places(value):
                    self.regions.escape(node)
            elif isinstance(value, (Instruction, Argument)) and not isinstance(
                value.type.scalar, (FloatType, VoidType)
            ):
                self.regions.release(self.bits(value))

    def made(self, i: Instruction) -> None:
        """An integer or an aggregate that has room for a pointer: pointers in what it is made of are in it."""
        has_bits = isinstance(i.type.scalar, (IntType, StructType, ArrayType, NamedType)) or isinstance(
            i.type, VectorType
        )
        if not has_bits or self.sizes.store_size(i.type) < self.sizes.pointer_bits // 8:
            return
        for operand in i.operands:
            if isinstance(operand.type, PointerType):
                for node, _, _ in self.places(operand):
                    self.regions.point(self.bits(i), node, None)
            elif isinstance(operand, (Instruction, Argument)) and not isinstance(operand.type.scalar, FloatType):
                self.regions.copy(CopyLink(self.bits(operand), 0, 0, self.bits(i), 0, 0, None))

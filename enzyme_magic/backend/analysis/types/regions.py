"""Which memory may be the same memory, over all functions of a program.

Steensgaard's analysis (Points-to analysis in almost linear time, POPL 1996): nodes of the type graph that may be the same memory
lie in one alias class, here a *region*; all pointers that lie in a region lead to one. So it is said where else bytes may be read
that one function puts somewhere. Calls of one function share its parameters, and the members of a struct share where they lead to.

A node has a place in its region where that is certain: the distances between nodes are kept as the union is made (a weighted union
and find), and where two ways to a node disagree, no place in the region is certain any more.

Invariant: a region that is lost from some place on is lost for all of its nodes: see `Graph.lose`. What integers are computed to,
and what the program does not show, leads to one region, `outside`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf

from enzyme_magic.backend.analysis.calls import runtime_calls
from enzyme_magic.backend.analysis.types.type_facts import Node
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


@dataclass(slots=True, eq=False, repr=False)
class AliasClass:
    """nodes: of memory, each with the place of its beginning (None: unknown). target: where pointers in it lead to, once somebody
    asked. lost: the place from which on numbers may lie that nobody tells of. parent, shift: what it is a part of, and where.
    certain: whether places are. numbers: whether some lie there. mixed: whether some were put
    where integers are declared."""

    nodes: list[tuple[Node, int | None]] = field(default_factory=list)
    lost: float = inf
    parent: AliasClass | None = None
    shift: int | None = 0
    target: AliasClass | None = None
    certain: bool = True
    numbers: bool = False
    mixed: bool = False

    def lost_for(self, place: int | None) -> float:
        """The same place as a node sees it that begins at `place`."""
        return -inf if place is None and self.lost < inf else self.lost - (place or 0)


@dataclass(slots=True, eq=False, repr=False)
class AliasClasses:
    """Union and find over the nodes of a graph. `spoiled`: a node of each region that lost more by being joined."""

    spoiled: list[Node] = field(default_factory=list)
    _outside: AliasClass = field(default_factory=AliasClass)
    _of: dict[Node, AliasClass] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._outside.target = self._outside

    def of(self, node: Node) -> tuple[AliasClass, int | None]:
        """The region of a node and its place there; bits of values have a region of their own, for what they lead to."""
        region = self._of.get(node)
        if region is None:
            region = self._of[node] = AliasClass([(node, 0)] if node.size is None else [])
        return _find(region)

    def join(self, a: Node, b: Node, distance: int | None = 0) -> None:
        """Both may be the same memory; `b` begins `distance` bytes behind the beginning of `a` (None: unknown)."""
        self._join(self.of(a), self.of(b), distance)

    def copy(self, a: Node, b: Node) -> None:
        """Bytes go from the one to the other: the pointers among them lead to the same."""
        self._join(self._target(self.of(a)[0]), self._target(self.of(b)[0]), 0)

    def point(self, holder: Node, memory: Node, distance: int | None = 0) -> None:
        """A pointer in `holder` leads to `memory`, `distance` bytes behind its beginning."""
        self._join(self.of(memory), self._target(self.of(holder)[0]), distance)

    def escape(self, node: Node) -> None:
        """Where a pointer to it goes, or where it comes from, is not seen."""
        self._join(self.of(node), _find(self._outside), None)

    def release(self, holder: Node) -> None:
        """Where pointers in `holder` go, or where they come from, is not seen."""
        self._join(self._target(self.of(holder)[0]), _find(self._outside), None)

    def take_spoiled(self) -> list[Node]:
        """One node of each spoiled region, which stands for all of it; joined ones are one by now."""
        found = {self.of(node)[0]: node for node in self.spoiled}
        self.spoiled.clear()
        return list(found.values())

    def _target(self, region: AliasClass) -> tuple[AliasClass, int | None]:
        if region.target is None:
            region.target = AliasClass()
        return _find(region.target)

    def _join(self, a: tuple[AliasClass, int | None], b: tuple[AliasClass, int | None], distance: int | None) -> None:
        pending: list[tuple[AliasClass, AliasClass, int | None]] = []
        self._unite(a, b, distance, pending)
        while pending:
            first, second, apart = pending.pop()
            self._unite(_find(first), _find(second), apart, pending)

    def _unite(
        self,
        a: tuple[AliasClass, int | None],
        b: tuple[AliasClass, int | None],
        distance: int | None,
        pending: list[tuple[AliasClass, AliasClass, int | None]],
    ) -> None:
        (first, at), (second, place) = a, b
        apart = None if at is None or place is None or distance is None else at + distance - place
        if first is second:
            if apart != 0 and first.certain:
                self._misplace(first)
            return
        if len(first.nodes) < len(second.nodes):
            first, second, apart = second, first, None if apart is None else -apart
        before = first.lost, second.lost
        first.lost = min(first.lost, second.lost_for(None if apart is None else -apart))
        if before != (first.lost, first.lost):
            self.spoiled += [node for node, _ in (first.nodes or second.nodes)[:1]]
        known = apart is not None and first.certain
        first.nodes += [(node, k + (apart or 0) if known and k is not None else None) for node, k in second.nodes]
        first.numbers, first.mixed = first.numbers or second.numbers, first.mixed or second.mixed
        second.parent, second.shift, second.nodes = first, apart, []
        if first.target is not None and second.target is not None:
            pending.append((first.target, second.target, 0))
        first.target = first.target or second.target
        second.target = None

    def _misplace(self, region: AliasClass) -> None:
        """Two ways to a node disagree: it is not known any more what lies where."""
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
                self.regions.copy(self.bits(operand), self.bits(i))

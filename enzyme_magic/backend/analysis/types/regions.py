"""Which memory may be the same memory, over all functions of a program.

Steensgaard's analysis (Points-to analysis in almost linear time, POPL 1996): nodes of the type graph that may be the same memory lie
in one region, and all pointers that lie in a region lead to one region. So it is said where else bytes may be read that one function
puts somewhere. It does not tell members or items apart, and calls of one function share its parameters.

Invariant: a region is lost as a whole: see `Graph.lose`. What integers are computed to, and what the program does not show, leads
to one region, `outside`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from enzyme_magic.backend.analysis.types.type_facts import Node
from enzyme_magic.backend.ir.instructions import Call, Instruction
from enzyme_magic.backend.ir.types import FloatType, PointerType, VoidType
from enzyme_magic.backend.ir.values import Argument, Value
from enzyme_magic.backend.library.summary import NEW, Summary


@dataclass(slots=True, eq=False, repr=False)
class Region:
    """`nodes`: of memory; `target`: where pointers in it lead to, once somebody asked."""

    nodes: list[Node] = field(default_factory=list)
    lost: bool = False
    parent: Region | None = None
    target: Region | None = None


@dataclass(slots=True, eq=False, repr=False)
class Regions:
    """Union and find over the nodes of a graph. `spoiled`: nodes that were joined to a region that was lost before."""

    spoiled: list[Node] = field(default_factory=list)
    _outside: Region = field(default_factory=Region)
    _of: dict[Node, Region] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._outside.target = self._outside

    def of(self, node: Node) -> Region:
        """The region of a node; bits of values have one of their own, for what they lead to."""
        region = self._of.get(node)
        if region is None:
            region = self._of[node] = Region([node] if node.size is None else [])
        return _find(region)

    def join(self, a: Node, b: Node) -> None:
        """Both may be the same memory."""
        self._join(self.of(a), self.of(b))

    def copy(self, a: Node, b: Node) -> None:
        """Bytes go from the one to the other: the pointers among them lead to the same."""
        self._join(self._target(self.of(a)), self._target(self.of(b)))

    def point(self, holder: Node, memory: Node) -> None:
        """A pointer in `holder` leads to `memory`."""
        self._join(self._target(self.of(holder)), self.of(memory))

    def escape(self, node: Node) -> None:
        """Where a pointer to it goes, or where it comes from, is not seen."""
        self._join(self.of(node), _find(self._outside))

    def release(self, holder: Node) -> None:
        """Where pointers in `holder` go, or where they come from, is not seen."""
        self._join(self._target(self.of(holder)), _find(self._outside))

    def _target(self, region: Region) -> Region:
        if region.target is None:
            region.target = Region()
        return _find(region.target)

    def _join(self, a: Region, b: Region) -> None:
        pending = [(a, b)]
        while pending:
            first, second = (_find(region) for region in pending.pop())
            if first is second:
                continue
            if len(first.nodes) < len(second.nodes):
                first, second = second, first
            if first.lost != second.lost:
                self.spoiled += (second if first.lost else first).nodes
                first.lost = True
            first.nodes += second.nodes
            second.parent, second.nodes = first, []
            if first.target is not None and second.target is not None:
                pending.append((first.target, second.target))
            first.target = first.target or second.target
            second.target = None


def _find(region: Region) -> Region:
    while region.parent is not None:
        if region.parent.parent is not None:
            region.parent = region.parent.parent
        region = region.parent
    return region


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PointerFlow:
    """Where pointers go in one function, but by loads, stores and calls of what the program defines."""

    regions: Regions
    bits: Callable[[Value], Node]
    places: Callable[[Value], list[tuple[Node, int, int]]]

    def call(self, call: Call, summary: Summary | None) -> None:
        """A function that the program does not define. summary: what it does; None: unknown."""
        pointers = [p for p in (*call.arguments, call) if isinstance(p.type, PointerType)]
        if summary is None or summary.opaque or summary.callbacks or summary.captures:
            self.escape([*call.arguments, call])
            return
        nodes = [node for pointer in pointers for node, _, _ in self.places(pointer)]
        if call in pointers and (summary.returns - {NEW} or summary.allocates == "realloc"):
            for node in nodes[1:]:
                self.regions.join(nodes[0], node)
        elif summary.stores:
            for holder in nodes:
                for node in nodes:
                    self.regions.point(holder, node)

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
        """An integer or an aggregate: pointers in what it is made of are in it."""
        for operand in i.operands:
            if isinstance(operand.type, PointerType):
                for node, _, _ in self.places(operand):
                    self.regions.point(self.bits(i), node)
            elif isinstance(operand, (Instruction, Argument)) and not isinstance(operand.type.scalar, FloatType):
                self.regions.copy(self.bits(operand), self.bits(i))

"""The graph of differentiable data flow of one function: along which edges can a derivative travel?

Nodes are SSA values, memory objects and one node for the result. An edge source → target says: a change of `source`
can change `target` in a differentiable way, through `instruction`. The graph does not depend on which parameters are
active; activity is reachability in it, forward from the inputs and backward from the outputs. It over-approximates:
an edge too many costs time, an edge too few would be a wrong gradient, so unknown operations get edges from all they
read to all they write.

Memory is flow-insensitive: one node per object of the points-to analysis; objects that may be the same memory have edges to each
other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass, field
from typing import Protocol

from enzyme_magic.backend.analysis.calls import runtime_calls
from enzyme_magic.backend.analysis.memory.memory_objects import MemoryObject
from enzyme_magic.backend.ir import intrinsics
from enzyme_magic.backend.ir.graphs import shifted
from enzyme_magic.backend.ir.instructions import (
    AtomicRMW,
    Call,
    Compare,
    CompareExchange,
    Instruction,
    Load,
    Return,
    Select,
    Store,
)
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import FloatType, IntType, PointerType, VoidType
from enzyme_magic.backend.ir.values import Argument, Value
from enzyme_magic.backend.rules import inactive, registry


class ResultNode:
    """The node of a function's returned value."""

    def __repr__(self) -> str:
        return "the result"


RESULT = ResultNode()
Node = Value | MemoryObject | ResultNode


class Memory(Protocol):
    """What the flow graph asks of the points-to analysis."""

    def base_objects(self, pointer: Value) -> frozenset[MemoryObject]: ...

    def objects_read(self, call: Call) -> frozenset[MemoryObject]: ...

    def objects_written(self, call: Call) -> frozenset[MemoryObject]: ...

    def overlapping(self, item: MemoryObject) -> list[MemoryObject]: ...


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class FlowEdge:
    source: Node
    target: Node
    instruction: Instruction | None
    how: str  # "is multiplied", "is stored", …


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Flow:
    """All edges, indexed both ways."""

    function: Function
    edges: tuple[FlowEdge, ...]
    leaving: dict[Node, list[FlowEdge]]
    entering: dict[Node, list[FlowEdge]]
    by_instruction: dict[Instruction, list[FlowEdge]]


@dataclass(slots=True, repr=False)
class _Collector:
    memory: Memory
    carries_float: Callable[[Value], bool]
    holds_number: Callable[[Value], bool]
    converted: Set[Value]
    addresses: Callable[[Call], frozenset[int]]
    edges: list[FlowEdge] = field(default_factory=list)

    def add(self, sources: Iterable[Node], targets: Iterable[Node], instruction: Instruction, how: str) -> None:
        targets = list(targets)
        for source in sources:
            for target in targets:
                self.edges.append(FlowEdge(source, target, instruction, how))

    def visit(self, i: Instruction) -> None:
        if isinstance(i, Load):
            if self.carries_float(i):
                self.add(self.memory.base_objects(i.pointer), [i], i, "is loaded")
        elif isinstance(i, Store):
            if self.carries(i.value):
                self.add([i.value], self.memory.base_objects(i.pointer), i, "is stored")
        elif isinstance(i, Return):
            self.add([v for v in i.operands if self.carries(v)], [RESULT], i, "is returned")
        elif isinstance(i, Call):
            self._visit_call(i)
        elif isinstance(i, (AtomicRMW, CompareExchange)):
            objects = self.memory.base_objects(i.operands[0])
            sources: list[Node] = [v for v in i.operands[1:] if self.carries(v)]
            self.add([*sources, *objects], [i, *objects], i, "is updated atomically")
        elif not isinstance(i.type, VoidType):
            self._visit_value(i)

    def add_overlaps(self) -> None:
        """What is stored through a pointer from outside is loaded by the name of the variable, and the other way round."""
        accessed = dict.fromkeys(n for e in self.edges for n in (e.source, e.target) if isinstance(n, MemoryObject))
        for item in accessed:
            for other in self.memory.overlapping(item):
                self.edges.append(FlowEdge(item, other, None, "may be the same memory"))
                self.edges.append(FlowEdge(other, item, None, "may be the same memory"))

    def _visit_value(self, i: Instruction) -> None:
        if isinstance(i, Compare) or not self.carries(i) or shifted.rounds(i):
            return
        rule = registry.rule_for(i)
        if rule is not None and not isinstance(i, Select):
            active = sorted(rule.active_operands)
            self.add([i.operands[k] for k in active if self.carries(i.operands[k])], [i], i, _how(i))
            self._bits_passed(i, i.operands)
            return
        operands = i.operands[1:] if isinstance(i, Select) else i.operands
        self.add([v for v in operands if self.carries(v)], [i], i, _how(i))

    def _visit_call(self, i: Call) -> None:
        if registry.is_inactive(i):
            self._bits_passed(i, i.arguments)
            self._through_text(i)
            return
        rule = registry.rule_for(i)
        if rule is not None:
            active = sorted(rule.active_operands)
            self.add([i.operands[k] for k in active if self.carries(i.operands[k])], [i], i, _how(i))
            return
        addresses = _addresses(i) | self.addresses(i)
        sources: list[Node] = [v for k, v in enumerate(i.arguments) if self.carries(v) and k not in addresses]
        sources += self.memory.objects_read(i)
        targets: list[Node] = list(self.memory.objects_written(i))
        if not isinstance(i.type, VoidType) and self.carries(i):
            targets.append(i)
        self.add(sources, targets, i, "is passed to a call")

    def _bits_passed(self, i: Instruction, operands: Iterable[Value]) -> None:
        """An operation on integers is without a derivative only as long as they are no bits of a number, nor its result digits."""
        if not isinstance(i.type, VoidType):
            self.add([v for v in operands if self.is_bits(v)], [i], i, "has its bits used")
        if i in self.converted:
            self.add(
                [v for v in operands if self.carries(v)], [i], i, "is made an integer, and that digits of a number"
            )

    def _through_text(self, i: Call) -> None:
        """Numbers that are written as text and read again: without a derivative only as long as nobody reads them. What reads one
        and carries it to a result is refused (autodiff/lost_in_text.py)."""
        name = getattr(i.called_function, "name", "")
        if inactive.writes_text(name):
            numbers = [v for v in i.arguments if isinstance(v.type, FloatType)]
            self.add([*numbers, *self.memory.objects_read(i)], self.memory.objects_written(i), i, "is written as text")
        elif inactive.reads_number(name):
            self.add(self.memory.objects_read(i), [i], i, "is read from text")

    def is_bits(self, value: Value) -> bool:
        """Whether an integer or a pointer holds parts of a floating number, for all that is known."""
        known = isinstance(value, (Argument, Instruction)) and not isinstance(value.type, VoidType)
        return known and not isinstance(value.type.scalar, FloatType) and self.holds_number(value)

    def carries(self, value: Value) -> bool:
        """Whether a derivative can sit in `value`: instructions and arguments that may hold floating data."""
        if isinstance(value, Argument | Instruction):
            return value in self.converted or self.carries_float(value)
        return False


def _addresses(call: Call) -> frozenset[int]:
    """The arguments that are addresses or lengths and nothing else: neither they nor their bits are put anywhere."""
    called = call.called_function
    if called is None or not called.is_declaration:
        return frozenset()
    pointers = frozenset(k for k, v in enumerate(call.arguments) if isinstance(v.type, PointerType))
    if intrinsics.transfer(call) is not None:
        return pointers | {intrinsics.LENGTH}
    if called.name == "free":
        return pointers
    return frozenset(runtime_calls.addresses_on_kinds(called.name) + runtime_calls.sizes_on_kinds(called.name))


_WORDS = {
    "fadd": "is added",
    "fsub": "is subtracted",
    "fmul": "is multiplied",
    "fdiv": "is divided",
    "fneg": "is negated",
    "phi": "arrives here",
    "select": "is selected",
    "fpext": "is widened",
    "fptrunc": "is narrowed",
    "bitcast": "is reinterpreted",
    "insertvalue": "is put into the aggregate",
    "extractvalue": "is taken out of the aggregate",
}


def _how(instruction: Instruction) -> str:
    if isinstance(instruction, Call) and instruction.called_function is not None:
        rule = registry.rule_for(instruction)
        return f"goes through {rule.operation if rule else instruction.called_function.name}"
    return _WORDS.get(instruction.opcode, f"goes through {instruction.opcode}")


def may_carry_float(value: Value) -> bool:
    """The judgement from the type alone: everything but pointers, labels and small integers may hold floating bits."""
    type_ = value.type
    if isinstance(type_, IntType):
        return type_.bits in (16, 32, 64, 80, 128)
    return not isinstance(type_, (PointerType, VoidType))


def build(
    function: Function,
    memory: Memory,
    carries_float: Callable[[Value], bool] = may_carry_float,
    holds_number: Callable[[Value], bool] = lambda _: False,
    converted: Set[Value] = frozenset(),
    addresses: Callable[[Call], frozenset[int]] = lambda _: frozenset(),
) -> Flow:
    """The flow graph of `function`. Linear in its size (times the objects a pointer may point to). `holds_number`: whether an
    integer is known to hold parts of floating numbers. converted: integers made of numbers that become digits of numbers.
    addresses: arguments that the called function uses as addresses and nothing else."""
    collector = _Collector(memory, carries_float, holds_number, converted, addresses)
    for block in function.blocks:
        for instruction in block.instructions:
            collector.visit(instruction)
    collector.add_overlaps()
    leaving: dict[Node, list[FlowEdge]] = {}
    entering: dict[Node, list[FlowEdge]] = {}
    by_instruction: dict[Instruction, list[FlowEdge]] = {}
    for edge in collector.edges:
        leaving.setdefault(edge.source, []).append(edge)
        entering.setdefault(edge.target, []).append(edge)
        if edge.instruction is not None:
            by_instruction.setdefault(edge.instruction, []).append(edge)
    return Flow(function, tuple(collector.edges), leaving, entering, by_instruction)

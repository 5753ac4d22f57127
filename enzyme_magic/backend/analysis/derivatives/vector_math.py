"""Which calls of libm may be computed in vectors, and which sums in any order, with results that differ in the last digits?

Reachability, backwards from what must be libm's to the last bit: comparisons, integers, everything that is not known here, and
what is seen from outside (a value that is given back, memory of others, memory that others get to know). Along operations that
only compute, and through memory objects (flow-insensitive). A call or sum (`sums`) that is not reached may, if it stands in an
innermost loop, where vectorization may come to it.

Over-approximates: what is reached without need costs time only. Says nothing about whether LLVM vectorizes the loop.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from enzyme_magic.backend.analysis.derivatives.sums import summed
from enzyme_magic.backend.analysis.memory.alias import Alias
from enzyme_magic.backend.analysis.memory.memory_objects import MemoryObject, returned_pointers
from enzyme_magic.backend.ir import intrinsics, locations
from enzyme_magic.backend.ir.graphs import shifted
from enzyme_magic.backend.ir.graphs.loops import Loops
from enzyme_magic.backend.ir.instructions import Call, Compare, Instruction, Load, Phi, Return, Select, Store
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import IntType, PointerType, VoidType, is_floating
from enzyme_magic.backend.ir.values import Value
from enzyme_magic.backend.rules import vector_functions

_COMPUTING = "fadd fsub fmul fdiv fneg fpext fptrunc phi select freeze"
COMPUTING = frozenset(_COMPUTING.split())
Node = Value | MemoryObject


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class VectorMath:
    """The calls in innermost loops that have a form for vectors, in order: `chosen` ones; `kept` as libm's, with reasons.
    sums: the same of the additions by which an innermost loop makes a sum; those that are not `kept` may be in any order."""

    calls: tuple[Call, ...] = ()
    chosen: frozenset[Call] = frozenset()
    kept: Mapping[Instruction, str] = field(default_factory=dict)
    sums: tuple[Instruction, ...] = ()
    loops: Loops | None = None

    def in_any_order(self, instruction: Instruction) -> bool:
        """Whether an instruction adds to a sum whose last digits decide nothing and are not seen."""
        return instruction in self.sums and instruction not in self.kept

    def pays(self, instruction: Instruction) -> bool:
        """Whether vectorization may come to where an instruction stands: an innermost loop."""
        loop = self.loops.of(instruction.parent) if self.loops is not None else None
        return loop is not None and not loop.children


def vector_math(function: Function, loops: Loops, alias: Alias, observed: bool) -> VectorMath:
    """The choice for one function. observed: whether somebody sees the value that it returns, and what it leaves in memory of its
    arguments. Linear in the size of the function (times the objects a pointer may point to)."""
    found = VectorMath(loops=loops)
    calls = [i for i in function.instructions() if isinstance(i, Call) and vector_functions.has_vector_form(i)]
    calls = [call for call in calls if found.pays(call)]
    sums = _sums(loops)
    if not calls and not sums:
        return found
    graph = _Graph(alias, observed, _known(function, alias, observed))
    for instruction in function.instructions():
        graph.visit(instruction)
    exact = graph.exact()
    kept = {i: exact[i] for i in (*calls, *sums) if i in exact}
    return VectorMath(tuple(calls), frozenset(calls) - kept.keys(), kept, tuple(sums), loops)


def _sums(loops: Loops) -> list[Instruction]:
    """The additions that make the sums of innermost loops."""
    if loops.irreducible is not None:
        return []
    inner = [loop for loop in loops.loops if not loop.children and len(loop.latches) == 1]
    pairs = [(i, loop) for loop in inner for i in loop.header.instructions if isinstance(i, Phi)]
    return [added for phi, loop in pairs if (added := summed(phi, loop)) is not None]


@dataclass(slots=True, repr=False)
class _Graph:
    """`known`: the memory objects that others get to know. `sources`: what a node is computed from. `sinks`: what must be exact,
    and why."""

    alias: Alias
    observed: bool
    known: int
    sources: dict[Node, list[Node]] = field(default_factory=dict)
    sinks: dict[Node, str] = field(default_factory=dict)

    def exact(self) -> dict[Node, str]:
        """Every node from which a sink is reached, with the reason of one of them."""
        found = dict(self.sinks)
        pending = list(found)
        while pending:
            node = pending.pop()
            for source in self.sources.get(node, ()):
                if source not in found:
                    found[source] = found[node]
                    pending.append(source)
        return found

    def visit(self, i: Instruction) -> None:
        if isinstance(i, Load):
            if is_floating(i.type):
                self._flow(self._objects(i.pointer), [i])
            elif not isinstance(i.type, PointerType):
                self._keep(self._objects(i.pointer), "is read as an integer", i)
        elif isinstance(i, Store):
            self._store(i)
        elif isinstance(i, Return):
            if self.observed:
                self._keep(_numbers(i.operands), "is returned", i)
        elif isinstance(i, Call):
            self._call(i)
        elif shifted.rounds(i):
            self._keep(_numbers(i.operands), "is rounded", i)
        elif i.opcode in COMPUTING and is_floating(i.type):
            self._flow(_numbers(i.operands[1:] if isinstance(i, Select) else i.operands), [i])
        else:
            self._keep(_numbers(i.operands), _use(i), i)

    def _store(self, i: Store) -> None:
        if is_floating(i.value.type):
            self._write(_numbers([i.value]), self._objects(i.pointer), i)

    def _call(self, i: Call) -> None:
        called = i.called_function
        if vector_functions.is_smooth(i) and is_floating(i.type) and not self.alias.writes(i):
            self._flow(_numbers(i.arguments), [i])
        elif called is not None and intrinsics.is_copy(called.name):
            self._write(self._widened(i, writes=False), self._widened(i, writes=True), i)
        elif called is None or not intrinsics.is_marker(called.name):
            self._keep(_numbers(i.arguments), _use(i), i)
            self._keep(self._widened(i, writes=False), _use(i), i)

    def _write(self, values: Iterable[Node], objects: Iterable[MemoryObject], i: Instruction) -> None:
        values = list(values)
        for item in objects:
            if self._is_own(item) or (not self.observed and item.kind in ("argument", "reachable")):
                self._flow(values, [item])
            else:
                self._keep(values, f"is left in memory that others see ({item})", i)

    def _is_own(self, item: MemoryObject) -> bool:
        return item.local and not self.known >> self.alias.points_to.numbers[item] & 1

    def _objects(self, pointer: Value) -> list[MemoryObject]:
        return self._overlapping(self.alias.base_objects(pointer))

    def _widened(self, call: Call, *, writes: bool) -> list[MemoryObject]:
        return self._overlapping(self.alias.objects_written(call) if writes else self.alias.objects_read(call))

    def _overlapping(self, objects: frozenset[MemoryObject]) -> list[MemoryObject]:
        """These and all that may be the same memory, in a fixed order, these first."""
        points_to = self.alias.points_to
        mask = 0
        for item in objects:
            mask |= 1 << points_to.numbers[item]
        widened = points_to.members(points_to.widen(mask))
        return sorted(widened, key=lambda item: (item not in objects, points_to.numbers[item]))

    def _flow(self, sources: Iterable[Node], targets: Iterable[Node]) -> None:
        found = list(sources)
        for target in targets:
            self.sources.setdefault(target, []).extend(found)

    def _keep(self, nodes: Iterable[Node], use: str, i: Instruction) -> None:
        line = locations.line_of(i)
        where = f" in line {line}" if line is not None else ""
        for node in nodes:
            self.sinks.setdefault(node, f"its value {use}{where}")


def _known(function: Function, alias: Alias, observed: bool) -> int:
    """The function's own memory that others get to know: its address goes where they may look, or is returned to who looks."""
    points_to = alias.points_to
    found = points_to.escaped
    for value in returned_pointers(function) if observed else ():
        found |= points_to.mask(value)
    return points_to.closure(found)


def _numbers(values: Iterable[Value]) -> list[Node]:
    """The values among these that may come from a call of libm."""
    return [
        v for v in values if isinstance(v, Instruction) and not isinstance(v.type, (VoidType, PointerType, IntType))
    ]


def _use(i: Instruction) -> str:
    if isinstance(i, Compare):
        return "decides a comparison"
    if isinstance(i, Call):
        name = i.called_function.name if i.called_function is not None else "a function called through a pointer"
        return f"is passed to {name}"
    return f"goes through {i.opcode}"

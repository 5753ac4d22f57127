"""What every function and every call of a module does to memory.

Bottom-up over the strongly connected components of the call graph: a function's summary follows from its body
(through its points-to sets), from LLVM's attributes, from the table of the C library, and for everything else it is
"anything". In a component the summaries start at "nothing" and grow to the least fixpoint; places are finitely many,
so this ends.

Not proved: that a function returns at all. A loop without end is not an effect.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from enzyme_magic.backend.analysis.calls import allocators, declared
from enzyme_magic.backend.analysis.memory.memory_objects import MemoryObject, PointsTo, returned_pointers
from enzyme_magic.backend.analysis.memory.points_to import is_punned, may_be_address, solve
from enzyme_magic.backend.ir.graphs import callgraph
from enzyme_magic.backend.ir.graphs.callgraph import CallGraph
from enzyme_magic.backend.ir.instructions import AtomicRMW, Call, CompareExchange, Instruction, Load, Store, VAArg
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.types import PointerType
from enzyme_magic.backend.ir.values import InlineAsm, Value
from enzyme_magic.backend.library import libc
from enzyme_magic.backend.library.summary import (
    ANYWHERE,
    ARGUMENT,
    ERRNO_PLACE,
    FRESH,
    GLOBAL,
    NEW,
    NOTHING,
    REACHABLE,
    Place,
    Summary,
    anything,
    argument,
    join,
    reachable,
)

__all__ = ["NOTHING", "Effects", "Place", "Summary"]
# What `__attribute__((malloc))` promises of a function's result. Where the body is seen, it tells more: a pool gives memory again
# that the program needs no more, and the reverse sweep does.
_PROMISED = ("noalias",)


@dataclass(slots=True, eq=False, repr=False)
class Effects:
    """Answers for one module; they are computed once and never change."""

    callgraph: CallGraph
    _summaries: dict[Function, Summary] = field(default_factory=dict)
    _points_to: dict[Function, PointsTo] = field(default_factory=dict)
    _calls: dict[Call, Summary] = field(default_factory=dict)

    @classmethod
    def of(cls, module: Module, callgraph: CallGraph | None = None) -> Effects:
        effects = cls(callgraph or CallGraph.of(module))
        for component in effects.callgraph.sccs:
            effects._settle(component)
        return effects

    def summary(self, function: Function) -> Summary:
        """What a call of `function` may do. A function that is not part of the module is judged by its own body."""
        found = self._summaries.get(function)
        if found is None:
            self._settle((function,))
            found = self._summaries[function]
        return found

    def points_to(self, function: Function) -> PointsTo:
        """The memory objects of a function with a body."""
        found = self._points_to.get(function)
        if found is None:
            found = self._points_to[function] = self._solve(function)
        return found

    def call(self, call: Call) -> Summary:
        """What this call may do: places refer to its own arguments, variadic ones included."""
        found = self._calls.get(call)
        if found is None:
            found = self._calls[call] = self._call(call, None)
        return found

    def call_in(self, call: Call, points_to: PointsTo) -> Summary:
        """Like `call`; an indirect call is resolved when its target can only be functions of this module."""
        if call.called_function is not None:
            return self.call(call)
        return self._call(call, points_to)

    def written_arguments(self, function: Function) -> frozenset[int]:
        """Parameters whose memory a call of `function` may change or free: directly, through another pointer that may lead
        there, or in code nobody has seen. Memory only reachable by following further pointers is not meant."""
        summary = self.summary(function)
        return _parameters(function, summary.writes | summary.frees)

    def read_arguments(self, function: Function) -> frozenset[int]:
        """Parameters whose memory a call of `function` may read."""
        return _parameters(function, self.summary(function).reads)

    # --- one function

    def _settle(self, component: tuple[Function, ...]) -> None:
        with_bodies = [f for f in component if f.blocks]
        for function in component:
            self._summaries[function] = NOTHING if function.blocks else external(function)
        changed = bool(with_bodies)
        while changed:
            changed = False
            for function in with_bodies:
                self._forget_calls(function)
                points_to = self._points_to[function] = self._solve(function)
                found = self._derive(function, points_to)
                changed |= found != self._summaries[function]
                self._summaries[function] = found
            changed &= len(with_bodies) > 1 or any(f in self.callgraph.recursive for f in with_bodies)
        for function in with_bodies:
            self._forget_calls(function)

    def _forget_calls(self, function: Function) -> None:
        for instruction in function.instructions():
            if isinstance(instruction, Call):
                self._calls.pop(instruction, None)

    def _solve(self, function: Function) -> PointsTo:
        first = solve(function, self.call, self.callgraph.module.variables)
        indirect = [
            i for i in function.instructions() if isinstance(i, Call) and self._known_targets(i, first) is not None
        ]
        if not indirect:
            return first
        variables = self.callgraph.module.variables
        return solve(function, lambda call: self.call_in(call, first), variables)

    def _derive(self, function: Function, points_to: PointsTo) -> Summary:
        collector = _Collector(self, points_to)
        for instruction in function.instructions():
            collector.visit(instruction)
        found = collector.finish(function)
        parameters = [a.attributes for a in function.arguments]
        pointers = declared.pointer_arguments(function.arguments)
        results = function.result_attributes.without(_PROMISED)
        return declared.restrict(found, function.attributes, results, parameters, pointers)

    # --- one call

    def _known_targets(self, call: Call, points_to: PointsTo) -> list[Function] | None:
        """The functions an indirect call may reach, when the points-to sets name them all."""
        if call.called_function is not None or isinstance(call.callee, InlineAsm):
            return None
        objects = points_to.base_objects(call.callee)
        functions = [o.value for o in objects if isinstance(o.value, Function)]
        if not functions or len(functions) < len(objects):
            return None
        return [f for f in functions if callgraph.fits(f, call)] or None

    def _call(self, call: Call, points_to: PointsTo | None) -> Summary:
        callee = call.called_function
        if callee is not None:
            base = self._summaries.get(callee) or self.summary(callee)
        else:
            targets = self._known_targets(call, points_to) if points_to is not None else None
            if targets is None:
                base = anything(_unknown_callee(call))
            else:
                names = ", ".join(sorted(f.name for f in targets))
                base = join([self.summary(f) for f in targets], f"it calls one of {names}")
        base = self._with_callbacks(call, base)
        base = _variadic(call, base, len(callee.arguments) if callee is not None else len(call.arguments))
        pointers = declared.pointer_arguments(call.arguments)
        seen = callee is not None and callee.blocks
        results = call.result_attributes.without(_PROMISED) if seen else call.result_attributes
        told = declared.restrict(base, call.attributes, results, call.argument_attributes, pointers)
        copied = [argument(k) for k, attributes in enumerate(call.argument_attributes) if "byval" in attributes]
        return replace(told, reads=told.reads | frozenset(copied)) if copied else told  # the call makes the copy

    def _with_callbacks(self, call: Call, base: Summary) -> Summary:
        """What the functions handed to qsort, bsearch … do, seen through the pointers they get."""
        for index in base.callbacks:
            target = call.arguments[index]
            if not isinstance(target, Function):
                return anything("it calls back a function that is not known here")
            base = join([base, _seen_through(self.summary(target))], base.reason)
        return base


def external(function: Function) -> Summary:
    """The summary of a function without body."""
    found = allocators.summary_of(function) or declared.intrinsic(function.name)
    if found is None:
        found = libc.summary_of(function.name)
        if found is not None:
            return found
        return declared.declaration(function)
    return found


def _parameters(function: Function, places: frozenset[Place]) -> frozenset[int]:
    pointers = [a for a in function.arguments if isinstance(a.type, PointerType) and "byval" not in a.attributes]
    anywhere = ANYWHERE in places
    return frozenset(
        a.index for a in pointers if argument(a.index) in places or (anywhere and "noalias" not in a.attributes)
    )


def _unknown_callee(call: Call) -> str:
    if isinstance(call.callee, InlineAsm):
        return "nothing is known about inline assembly"
    return "the function called through this pointer is not known"


def _seen_through(summary: Summary) -> Summary:
    """A callback's summary from the side of the library call that calls it: its arguments point somewhere into the call's."""

    def widen(places: Iterable[Place]) -> frozenset[Place]:
        every = argument(-1), reachable(-1)
        kinds = (ARGUMENT, REACHABLE)
        return frozenset(q for p in places for q in (every if p.kind in kinds else (p,)))

    pairs = ((widen([a]), widen([b])) for a, b in summary.stores)
    return replace(
        summary,
        reads=widen(summary.reads),
        writes=widen(summary.writes),
        frees=widen(summary.frees),
        captures=frozenset([-1]) if summary.captures else frozenset(),
        returns=frozenset(),
        stores=frozenset((a, b) for targets, pointees in pairs for a in targets for b in pointees),
        read_extents=(),
        write_extents=(),
    )


def _variadic(call: Call, base: Summary, fixed: int) -> Summary:
    """`argument -1` spelled out for a call: its variadic arguments (all of them, for a callback's)."""
    first = fixed if call.function_type.variadic else 0
    rest = [k for k in declared.pointer_arguments(call.arguments) if k >= first]

    def spell(places: frozenset[Place]) -> frozenset[Place]:
        if all(p.index >= 0 for p in places):
            return places
        return frozenset(q for p in places for q in ([p] if p.index >= 0 else [replace(p, index=k) for k in rest]))

    captures = base.captures
    if -1 in captures:
        captures = frozenset(declared.pointer_arguments(call.arguments))
    return replace(base, reads=spell(base.reads), writes=spell(base.writes), frees=spell(base.frees), captures=captures)


class _Collector:
    """Gathers the effects of the instructions of one function."""

    def __init__(self, effects: Effects, points_to: PointsTo) -> None:
        self.effects = effects
        self.points_to = points_to
        self.reads = self.writes = self.frees = 0
        self.calls: list[Summary] = []
        self.reasons: list[str] = []

    def visit(self, instruction: Instruction) -> None:
        if isinstance(instruction, Load):
            self.reads |= self.points_to.mask(instruction.pointer)
        elif isinstance(instruction, Store):
            self.writes |= self.points_to.mask(instruction.pointer)
        elif isinstance(instruction, (AtomicRMW, CompareExchange, VAArg)):
            self.reads |= self.points_to.mask(instruction.operands[0])
            self.writes |= self.points_to.mask(instruction.operands[0])
        elif isinstance(instruction, Call):
            self._visit_call(instruction)

    def _visit_call(self, call: Call) -> None:
        summary = self.effects.call_in(call, self.points_to)
        self.calls.append(summary)
        arguments = call.arguments
        self.reads |= self._mask(summary.reads, arguments, call)
        self.writes |= self._mask(summary.writes, arguments, call)
        self.frees |= self._mask(summary.frees, arguments, call)

    def _mask(self, places: frozenset[Place], arguments: list[Value], call: Call) -> int:
        result = 0
        for place in places:
            result |= self.points_to.place_mask(place, arguments, call)
        return result

    def finish(self, function: Function) -> Summary:
        returned = 0
        for value in returned_pointers(function):
            returned |= self.points_to.mask(value) if may_be_address(value.type) or is_punned(value) else 0
        together = join(self.calls, "")
        opaque = next((s for s in self.calls if s.opaque), None)
        anywhere = frozenset([ANYWHERE]) if together.opaque else frozenset()
        return Summary(
            reads=self._places(self.reads) | (together.reads & anywhere) | (together.reads & {ERRNO_PLACE}),
            writes=self._places(self.writes) | (together.writes & anywhere) | (together.writes & {ERRNO_PLACE}),
            frees=self._places(self.frees) | (together.frees & anywhere),
            captures=self._captures(),
            returns=self._places(returned, fresh=True),
            stores=self._stores(),
            allocates=together.allocates,
            prints=together.prints,
            may_exit=together.may_exit,
            opaque=together.opaque,
            repeatable=together.repeatable,
            refused=together.refused,
            reason=opaque.reason if opaque else "its body shows all it does",
        )

    def _captures(self) -> frozenset[int]:
        return frozenset(o.index for o in self.points_to.members(self.points_to.leaked) if o.kind == "argument")

    def _places(self, mask: int, *, fresh: bool = False) -> frozenset[Place]:
        found = (_place(o) for o in self.points_to.members(mask))
        return frozenset(p for p in found if p is not None and (fresh or p.kind != FRESH))

    def _stores(self) -> frozenset[tuple[Place, Place]]:
        """Which pointers were put where a caller can find them."""
        result: set[tuple[Place, Place]] = set()
        for number, item in enumerate(self.points_to.objects):
            into = _place(item)
            if into is None or item.kind == "errno" or item.constant:
                continue
            for pointee in self.points_to.members(self.points_to.stored[number]):
                place = _place(pointee)
                if place is not None and not _always_there(item, pointee):
                    result.add((into, place))
        return frozenset(result)


def _always_there(into: MemoryObject, pointee: MemoryObject) -> bool:
    """Whether some memory had pointers to another before: argument k's to what its pointers lead to, though not to what can be
    reached from there; and what everybody knows to what nobody does."""
    if into.kind == "argument" and pointee.kind == "reachable":
        return into.index == pointee.index and not pointee.deep
    return into.kind in ("global", "outside") and pointee.kind == "outside"


def _place(item: MemoryObject) -> Place | None:
    """How a caller names the object; None for memory it cannot see."""
    if item.kind == "argument":
        return argument(item.index)
    if item.kind == "reachable":
        return reachable(item.index)
    if item.kind == "global":
        return None if isinstance(item.value, Function) else Place(GLOBAL, name=item.name)
    if item.kind == "errno":
        return ERRNO_PLACE
    if item.kind == "allocation":
        return NEW
    return ANYWHERE if item.kind == "outside" else None

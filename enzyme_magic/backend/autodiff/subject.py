"""All that the analyses know about one function under one request: what the writers are given.

Invariant: nothing here writes IR; nothing in the writers decides activity, demand or what may be repeated.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from enzyme_magic.backend.analysis.calls.effects import Effects
from enzyme_magic.backend.analysis.counts.tripcount import Exit, TripCount, trip_count
from enzyme_magic.backend.analysis.derivatives import activity as activity_analysis
from enzyme_magic.backend.analysis.derivatives import converted_digits, float_bits, presence
from enzyme_magic.backend.analysis.derivatives import demand as demand_analysis
from enzyme_magic.backend.analysis.derivatives import flow as flow_analysis
from enzyme_magic.backend.analysis.derivatives.activity import Activity
from enzyme_magic.backend.analysis.derivatives.demand import Demand
from enzyme_magic.backend.analysis.derivatives.flow import Node
from enzyme_magic.backend.analysis.derivatives.vector_math import VectorMath, vector_math
from enzyme_magic.backend.analysis.memory import kept_addresses, tbaa
from enzyme_magic.backend.analysis.memory.alias import Alias
from enzyme_magic.backend.analysis.memory.memory_objects import OUTSIDE, MemoryObject
from enzyme_magic.backend.analysis.types import moved_bytes
from enzyme_magic.backend.analysis.types.inference import Types
from enzyme_magic.backend.analysis.types.type_tree import INTEGER, Contents, Unknown
from enzyme_magic.backend.autodiff import preparation
from enzyme_magic.backend.autodiff.calls.request import DUPLICATED, SPLIT, FunctionRequest
from enzyme_magic.backend.autodiff.ends import inputs, is_inactive, outputs
from enzyme_magic.backend.autodiff.planning.missing import MissingShadows
from enzyme_magic.backend.autodiff.sweeps.leaves import Leaf, leaves
from enzyme_magic.backend.autodiff.sweeps.value_leaves import (
    LEAST_BITS,
    boundary_leaves,
    holds_integers,
    value_leaves,
)
from enzyme_magic.backend.ir.graphs.loops import Loop
from enzyme_magic.backend.ir.instructions import Alloca, Call, Instruction, Load, Store
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.types import IntType, PointerType
from enzyme_magic.backend.ir.values import Block, ConstantInt, Value
from enzyme_magic.backend.library.summary import NEW
from enzyme_magic.backend.prepare.bits import moved_pointers
from enzyme_magic.backend.prepare.prepared import Prepared
from enzyme_magic.backend.rules.custom import Registrations

if TYPE_CHECKING:
    from enzyme_magic.backend.autodiff.planning.plan import DerivativePlan

PLANS_KEPT = 16


@dataclass(slots=True, eq=False, repr=False)
class Facts:
    """What does not depend on the request. moved: integers from storage of characters that are only moved; kept:
    variables whose address memory may hold; converted: integers made of numbers that become digits of others."""

    prepared: Prepared
    alias: Alias
    types: Types
    flow: flow_analysis.Flow
    moved: frozenset[Value] = frozenset()
    kept: frozenset[str] = frozenset()
    converted: frozenset[Value] = frozenset()


@dataclass(frozen=True, slots=True, repr=False)
class CallMemory:
    """Memory as the flow of derivatives sees it: a called function also fills what it allocates for its caller, and memory outside
    may be any variable of which the program keeps the address (`kept`)."""

    alias: Alias
    kept: frozenset[str]

    def base_objects(self, pointer: Value) -> frozenset[MemoryObject]:
        return _carrying(self.alias.base_objects(pointer))

    def overlapping(self, item: MemoryObject) -> list[MemoryObject]:
        """Other objects that may be the same memory as one outside."""
        if item != OUTSIDE or not self.kept:
            return []
        known = self.alias.points_to.objects
        found = [o for o in known if o.kind == "global" and o.name in self.kept and not o.constant]
        return [o for o in found if not is_inactive(o)]

    def objects_read(self, call: Call) -> frozenset[MemoryObject]:
        return _carrying(_objects_read(self.alias, call))

    def objects_written(self, call: Call) -> frozenset[MemoryObject]:
        written = _carrying(self.alias.objects_written(call))
        function = call.called_function
        points_to = self.alias.points_to
        summary = self.alias.effects.call_in(call, points_to)
        if function is None or (function.is_declaration and not summary.reads):
            return written  # fresh memory without content; realloc fills it with what it read
        if NEW in summary.returns or any(NEW in pair for pair in summary.stores):
            written |= frozenset(points_to.members(points_to.place_mask(NEW, call.arguments, call)))
        return written


def _objects_read(alias: Alias, call: Call) -> frozenset[MemoryObject]:
    read = alias.objects_read(call)
    for argument, attributes in zip(call.arguments, call.argument_attributes, strict=True):
        if "byval" in attributes:  # the call itself copies what the pointer leads to
            read |= alias.base_objects(argument)
    return read


def _carrying(objects: frozenset[MemoryObject]) -> frozenset[MemoryObject]:
    """Without the globals that never carry a derivative."""
    if any(is_inactive(item) for item in objects):
        return frozenset(item for item in objects if not is_inactive(item))
    return objects


@dataclass(slots=True, eq=False, repr=False)
class Subject:
    """One function under one request."""

    request: FunctionRequest
    facts: Facts
    activity: Activity
    demand: Demand
    asked: frozenset[Value] = frozenset()  # integers that are computed with, and the run says whether they are numbers
    elsewhere: bool = False  # whether other functions do singular operations on what they share with this one
    missing: MissingShadows = field(default_factory=MissingShadows)  # what a trial asks for beyond the request
    _shadowed: frozenset[Value] | None = None
    _told_apart: frozenset[Node] | None = None
    _vector_math: VectorMath | None = None
    _handed: frozenset[MemoryObject] | None = None

    @property
    def prepared(self) -> Prepared:
        return self.facts.prepared

    @property
    def alias(self) -> Alias:
        return self.facts.alias

    def objects_read(self, call: Call) -> frozenset[MemoryObject]:
        """What a call may read, by-value copies of memory included: also what never carries a derivative, since a call that is
        repeated must find it as it was."""
        return _objects_read(self.facts.alias, call)

    def objects_written(self, call: Call) -> frozenset[MemoryObject]:
        """What a call may write of what may carry derivatives, memory it makes for its caller included."""
        return CallMemory(self.facts.alias, self.facts.kept).objects_written(call)

    @property
    def told_apart(self) -> frozenset[Node]:
        """The nodes of which forward mode must know whether they have a tangent."""
        if self._told_apart is None:
            self._told_apart = presence.told_apart(self.prepared.function, self.activity, self.elsewhere)
        return self._told_apart

    @property
    def vector_math(self) -> VectorMath:
        """Which calls of libm may be computed in vectors."""
        if self._vector_math is None:
            request = self.request
            outputs = bool(request.mattering or request.mattering_globals) or request.result == DUPLICATED
            observed = request.value or request.mode == SPLIT or outputs or request.errors
            self._vector_math = vector_math(self.prepared.function, self.prepared.loops, self.alias, observed)
        return self._vector_math

    @property
    def shadowed(self) -> frozenset[Value]:
        """Calls and stack variables whose memory gets a shadow although it carries no derivative."""
        if self._shadowed is None:
            wanted = self.request.shadowed
            numbered = enumerate(self.prepared.function.instructions()) if wanted else ()
            self._shadowed = frozenset(i for k, i in numbered if k in wanted)
        return self._shadowed

    def number_of(self, source: Value) -> int:
        """The number of a call or stack variable in the prepared function."""
        return next(k for k, i in enumerate(self.prepared.function.instructions()) if i is source)

    def pointees(self, item: MemoryObject) -> frozenset[MemoryObject]:
        """Memory found by following the pointers stored in an object."""
        points_to = self.facts.alias.points_to
        return frozenset(points_to.members(points_to.closure(points_to.contents[points_to.numbers[item]])))

    def leads_to_active(self, pointer: Value) -> bool:
        """Whether memory reached through what is stored behind `pointer` carries derivatives, or it is memory that got a
        shadow all the same: whoever walks along its pointers walks along those of its shadow."""
        behind = self.alias.base_objects(pointer)
        return any(map(self.has_shadow, self.reachable(pointer))) or any(map(self.is_shadowed, behind))

    def has_shadow(self, item: MemoryObject) -> bool:
        """Whether shadow memory stands beside an object: it carries derivatives, or is used where one that does may stand."""
        return self.activity.active(item) or self.is_shadowed(item)

    def may_bring(self, pointer: Value) -> bool:
        """Whether calls may take bytes from there to shadow memory: it has a shadow, or is a variable that is handed on."""
        objects = self.alias.base_objects(pointer)
        if self._handed is None:
            calls = (i for i in self.prepared.function.instructions() if isinstance(i, Call))
            pointers = (v for call in calls for v in call.arguments if isinstance(v.type, PointerType))
            self._handed = frozenset(item for v in pointers for item in self.alias.base_objects(v))
        variables = all(isinstance(item.value, Alloca) for item in objects)
        return any(map(self.has_shadow, objects)) or (variables and not objects.isdisjoint(self._handed))

    def is_shadowed(self, item: MemoryObject) -> bool:
        """Whether the request asks for shadow memory beside an object, with the shadows of the pointers in it."""
        if item.kind in ("argument", "reachable", "byval"):
            return item.index in self.request.followed
        return item.local and item.value in self.shadowed

    def trip_count(self, loop: Loop) -> TripCount | None:
        """The exact number of iterations of `loop`, where no bound can wrap around."""
        alias = self.facts.alias
        same = alias.loops.of(loop.header)
        count = trip_count(same, alias.evolution) if same is not None and same.header is loop.header else None
        certain = count is not None and count.exact and all(_is_certain(way_out) for way_out in count.exits)
        return count if certain else None

    def memory_at(self, pointer: Value, size: int | None) -> Contents | Unknown:
        """What the bytes at `pointer` hold."""
        return self.facts.types.memory_at(pointer, size)

    def copied(self, call: Call) -> Contents | Unknown:
        """What a memcpy or memmove moves."""
        return self._believed(self.facts.types.copied(call), call.arguments[1], call.arguments[2])

    def leaves(self, value: Value) -> tuple[Leaf, ...] | Unknown:
        """The floating leaves of a value, or why they are not known."""
        return value_leaves(self.facts.types, self.facts.alias.layout, value)

    def is_integer(self, value: Value) -> bool:
        """Whether a value is known to be an integer, and no bits of a number or of a pointer."""
        if not isinstance(value.type, IntType) or value.type.bits < LEAST_BITS or value in self.asked:
            return False
        found = self.facts.types.of_bits(value, 0, self.facts.alias.layout.store_size(value.type))
        return isinstance(found, Contents) and found.only() == INTEGER

    def boundary_leaves(self, value: Value) -> tuple[Leaf, ...]:
        """The floating leaves of a parameter or returned value, whoever calls: active or not."""
        return boundary_leaves(self.facts.types, self.facts.alias.layout, value)

    def set_contents(self, call: Call) -> Contents | Unknown:
        """What the bytes are that a memset overwrites."""
        pointer, length = call.arguments[0], call.arguments[2]
        return self._believed(self.facts.types.memory_of(pointer, length), pointer, length)

    def reallocated(self, call: Call) -> Contents | Unknown:
        """What a realloc takes along."""
        old, length = call.arguments
        return self._believed(self.facts.types.memory_of(call, length), old, length)

    def _believed(self, found: Contents | Unknown, pointer: Value, length: Value) -> Contents | Unknown:
        """That there are no numbers is not believed of a block of this function in which some with derivatives lie: types tell of
        single bytes of it, and for others they presume. Bytes whose place in the block is known are told of."""
        if isinstance(found, Unknown) or found.floats:
            return found
        told = isinstance(length, ConstantInt) and self.facts.types.is_exact(pointer)
        if told or not any(o.local and self.activity.active(o) for o in self.alias.base_objects(pointer)):
            return found
        return Unknown(f"{found.reason}, but numbers with derivatives lie in the same block", conflict=True)

    def unchanged_after(self, call: Call) -> bool:
        """Whether nothing that may execute after `call` writes what it read, until the reverse sweep calls it again."""
        points_to = self.facts.alias.points_to
        read = 0
        for item in self.objects_read(call):
            read |= 0 if item.constant else 1 << points_to.numbers[item]
        return self.memory_unchanged_after(call, read)

    def memory_unchanged_after(self, call: Call, read: int) -> bool:
        """The same for the memory objects of the mask `read`."""
        alias = self.facts.alias
        points_to, home = alias.points_to, call.parent
        assert home is not None
        if self.request.mode == SPLIT:
            left = sum(1 << points_to.numbers[o] for o in points_to.members(read) if not self.is_steady(o))
            if any(not o.local for o in points_to.members(points_to.widen(left))):
                return False
        read = points_to.widen(read)
        return not any(access.mask & read for i in self._may_follow(call, home) for access in alias.writes(i))

    def is_steady(self, item: MemoryObject) -> bool:
        """Whether an object is memory of a parameter that whoever calls leaves as it is until the reverse sweep."""
        return item.kind == "argument" and item.index in self.request.steady

    def _may_follow(self, call: Call, home: Block) -> Iterator[Instruction]:
        """Instructions that may execute after `call`, in this or a later iteration."""
        alias = self.facts.alias
        position = home.instructions.index(call)
        for block in self.prepared.order:
            if alias.reach.after(home, block):
                yield from block.instructions
            elif block is home:
                yield from block.instructions[position + 1 :]

    def reachable(self, pointer: Value) -> frozenset[MemoryObject]:
        """Memory found by following the pointers stored behind `pointer`."""
        points_to = self.facts.alias.points_to
        content = 0
        for number, _ in enumerate(points_to.objects):
            if points_to.mask(pointer) >> number & 1:
                content |= points_to.contents[number]
        return frozenset(points_to.members(points_to.closure(content)))


@dataclass(slots=True, eq=False, repr=False)
class Analyses:
    """The analyses of one program, made when first needed and kept; `plans`: of the latest derivatives."""

    module: Module
    layout: DataLayout
    effects: Effects
    custom: Registrations = field(default_factory=Registrations)
    is_wary: bool = False
    _types: Types | None = None
    _facts: dict[tuple[str, frozenset[int]], Facts] = field(default_factory=dict)
    _singular: frozenset[str] | None = None
    _kept: frozenset[str] | None = None
    _crossing: converted_digits.Crossing | None = None
    _called: frozenset[str] = frozenset()
    plans: dict[object, DerivativePlan] = field(default_factory=dict)
    _wary: Analyses | None = None

    @classmethod
    def of(cls, module: Module, custom: Registrations | None = None, *, wary: bool = False) -> Analyses:
        """`custom`: what the module registers about its derivatives."""
        return cls(module, DataLayout.of(module), Effects.of(module), custom or Registrations(), wary)

    @property
    def types(self) -> Types:
        """What bytes hold. A program that nobody differentiates is not asked."""
        if self._types is None:
            self._types = Types.of(self.module, self.layout, wary=self.is_wary)
        return self._types

    def wary(self) -> Analyses:
        """The same, without trust in unions to be read as what they were written: for derivatives that ask the run."""
        if self._wary is None:
            self._wary = Analyses.of(self.module, self.custom, wary=True)
        return self._wary

    def keep_plan(self, key: object, plan: DerivativePlan) -> None:
        """Keep a plan for who asks for it again."""
        if key not in self.plans and len(self.plans) >= PLANS_KEPT:
            self.plans.clear()
        self.plans[key] = plan

    def facts(self, function: Function, separate: frozenset[int] = frozenset()) -> Facts:
        """separate: parameters to whose memory no other way leads."""
        known = self._facts.get((function.name, separate))
        if known is None:
            prepared = preparation.prepared(function, self.effects, self.layout, separate)
            self._move_pointers_as_bits(prepared)
            self.types.include(prepared.function, prepared.origin)
            _without_wrong_tags(prepared.function, self.types, self.layout)
            alias = preparation.with_last_stores(prepared, self.effects, self.layout)
            bits = float_bits.tainted(prepared.function, self.types.loaded_from, self.layout)
            moved = moved_bytes.moved(
                prepared.function,
                lambda load: (
                    (tbaa.scalar_name(load) not in tbaa.INTEGERS or self.types.may_miss(load))
                    and self.types.is_storage(load.pointer, self.layout.store_size(load.type))
                ),
            )
            bits |= moved
            kept = self.kept_variables()
            converted = converted_digits.found(prepared.function, self.crossing(), self.types.seeds.places, self.layout)
            flow = flow_analysis.build(
                prepared.function,
                CallMemory(alias, kept),
                lambda v: v in bits or may_carry_float(self.types, v),
                self.types.holds_number,
                converted,
            )
            known = self._facts[function.name, separate] = Facts(
                prepared, alias, self.types, flow, moved, kept, converted
            )
        return known

    def _move_pointers_as_bits(self, prepared: Prepared) -> None:
        """Those that may be numbers, and that nobody follows."""

        def is_suspect(load: Load) -> bool:
            original = prepared.origin.get(load)
            return isinstance(original, Load) and self.types.may_be_number(original)

        moved_pointers.to_integers(
            prepared.function, moved_bytes.moved_pointers(prepared.function, is_suspect), self.layout
        )

    def crossing(self) -> converted_digits.Crossing:
        """Where integers made of numbers become digits of numbers in another function."""
        if self._crossing is None:
            self._crossing = converted_digits.crossing(self.module, self.types.seeds.places, self.layout)
        return self._crossing

    def kept_variables(self) -> frozenset[str]:
        """The variables whose addresses memory may hold when a function begins."""
        if self._kept is None:
            self._kept = kept_addresses.variables(self.module, self.effects)
        return self._kept

    def parameter_leaves(self, function: Function, index: int) -> tuple[Leaf, ...]:
        """The floating leaves of a function's parameter, as its derivatives take them."""
        type_ = function.function_type.parameters[index]
        if not holds_integers(self.layout, type_) or self._is_closed(function):
            return leaves(type_, self.layout.resolve)
        return boundary_leaves(self.types, self.layout, self.facts(function).prepared.function.arguments[index])

    def result_leaves(self, function: Function) -> tuple[Leaf, ...]:
        """The floating leaves of a function's result."""
        type_ = function.function_type.result
        known = not holds_integers(self.layout, type_) or self._is_closed(function)
        returned = None if known else self._returned(function)
        if returned is None:
            return leaves(type_, self.layout.resolve)
        return boundary_leaves(self.types, self.layout, returned)

    def _is_closed(self, function: Function) -> bool:
        """Whether its body is not differentiated."""
        return function.is_declaration or function.name in self.custom.rules

    def _returned(self, function: Function) -> Value | None:
        block = self.facts(function).prepared.return_block
        operands = block.terminator.operands if block is not None else []
        return operands[0] if operands else None

    def unknown_bits(self, function: Function, index: int | None) -> Unknown | None:
        """Why it is not known which floating numbers a parameter (None: the result) holds in its integers."""
        value = self._returned(function) if index is None else self.facts(function).prepared.function.arguments[index]
        found = value_leaves(self.types, self.layout, value) if value is not None else ()
        return found if isinstance(found, Unknown) else None

    def subject(self, request: FunctionRequest) -> Subject:
        """Analyse the function of `request` for it."""
        facts = self.facts(self.module.functions[request.function], request.separate)
        activity = self.activity(request)
        demand = demand_analysis.analyse(facts.prepared, activity)
        return Subject(request, facts, activity, demand, elsewhere=self._singular_elsewhere(request.function))

    def _singular_elsewhere(self, function: str) -> bool:
        """Whether code that may share numbers with a function does singular operations."""
        if self._singular is None:
            self._singular = presence.singular_functions(self.module)
            self._called = presence.called_functions(self.module)
        return bool(self._singular - {function}) or (function in self._singular and function in self._called)

    def activity(self, request: FunctionRequest) -> Activity:
        """What carries derivatives under `request`."""
        facts = self.facts(self.module.functions[request.function], request.separate)
        return activity_analysis.analyse(
            facts.flow, inputs(facts.prepared, facts.alias, request), outputs(facts.prepared, facts.alias, request)
        )


def _without_wrong_tags(function: Function, types: Types, layout: DataLayout) -> None:
    """An access that C calls one to an integer, where a number lies (copies by words), breaks C's aliasing rules: neither our
    analyses nor LLVM may conclude from it that it is apart from accesses to numbers."""
    for i in function.instructions():
        if not isinstance(i, (Load, Store)) or tbaa.scalar_name(i) not in tbaa.INTEGERS:
            continue
        type_ = i.type if isinstance(i, Load) else i.value.type
        found = types.loaded_from(i.pointer, layout.store_size(type_))
        if isinstance(found, Contents) and found.floats:
            i.metadata = {kind: node for kind, node in i.metadata.items() if kind != "tbaa"}


def _is_certain(way_out: Exit) -> bool:
    return way_out.margin == 0 and (way_out.kind != "ne" or way_out.size == 1)


def may_carry_float(types: Types, value: Value) -> bool:
    """Whether bits of floating numbers may sit in a value. Integers of a number's width count unless the type analysis knows
    better, characters if there is a number in the bytes they come from; all integers and pointers if they are known to hold some,
    whatever they are declared to be."""
    if isinstance(value.type, PointerType):
        return types.holds_number(value)
    integer = isinstance(value.type.scalar, IntType)
    if flow_analysis.may_carry_float(value) and (not integer or types.carries_float(value).answer != "no"):
        return True
    return isinstance(value.type, IntType) and (types.holds_number(value) or types.is_part_of_number(value))


def why_overwritten(subject: Subject, load: Load, postponed: frozenset[Instruction] = frozenset()) -> str | None:
    """A sentence when the memory `load` read may have changed before the reverse sweep wants it again. postponed: calls that free
    when the reverse sweep is past them."""
    split = subject.request.mode == SPLIT
    steady = split and all(map(subject.is_steady, subject.alias.base_objects(load.pointer)))
    overwrite = subject.alias.overwritten_after(load, caller_may_write=split and not steady, postponed=postponed)
    return None if overwrite is None else overwrite.sentence

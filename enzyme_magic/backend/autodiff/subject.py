"""All that the analyses know about one function under one request: what the writers are given.

Invariant: nothing here writes IR; nothing in the writers decides activity, demand or what may be repeated.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from enzyme_magic.backend.analysis.calls.runtime_calls import CURRENT
from enzyme_magic.backend.analysis.counts.tripcount import Exit, TripCount, trip_count
from enzyme_magic.backend.analysis.derivatives import presence
from enzyme_magic.backend.analysis.derivatives.activity import Activity
from enzyme_magic.backend.analysis.derivatives.demand import Demand
from enzyme_magic.backend.analysis.derivatives.flow import Node
from enzyme_magic.backend.analysis.derivatives.vector_math import VectorMath, vector_math
from enzyme_magic.backend.analysis.memory.alias import Alias
from enzyme_magic.backend.analysis.memory.memory_objects import MemoryObject
from enzyme_magic.backend.analysis.types.partial_numbers import may_overwrite
from enzyme_magic.backend.analysis.types.type_tree import INTEGER, Contents, Unknown
from enzyme_magic.backend.autodiff.calls.request import DUPLICATED, SPLIT, FunctionRequest
from enzyme_magic.backend.autodiff.ends import behind_result
from enzyme_magic.backend.autodiff.facts import CallMemory, Facts, objects_read_by
from enzyme_magic.backend.autodiff.planning.missing import MissingShadows
from enzyme_magic.backend.autodiff.sweeps.leaves import Leaf
from enzyme_magic.backend.autodiff.sweeps.value_leaves import (
    LEAST_BITS,
    boundary_leaves,
    value_leaves,
)
from enzyme_magic.backend.ir.graphs.loops import Loop
from enzyme_magic.backend.ir.instructions import Alloca, Call, Instruction, Load
from enzyme_magic.backend.ir.types import IntType, PointerType
from enzyme_magic.backend.ir.values import Block, ConstantInt, Value
from enzyme_magic.backend.prepare.prepared import Prepared


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
    _given_on: frozenset[MemoryObject] | None = None
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
        return objects_read_by(self.facts.alias, call)

    def objects_written(self, call: Call) -> frozenset[MemoryObject]:
        """What a call may write of what may carry derivatives, memory it makes for its caller included."""
        return CallMemory(self.facts.alias, self.facts.kept).objects_written(call)

    @property
    def told_apart(self) -> frozenset[Node]:
        """The nodes of which forward mode must know whether they have a tangent."""
        if self._told_apart is None:
            self._told_apart = presence.told_apart(self.prepared.function, self.activity, self.alias, self.elsewhere)
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
            made = (item.value for item in self.given_on if item.local and item.value is not None)
            self._shadowed = frozenset(i for k, i in numbered if k in wanted) | frozenset(made)
        return self._shadowed

    @property
    def given_on(self) -> frozenset[MemoryObject]:
        """Memory to which pointers in returned memory lead: whoever gets them may put numbers there."""
        if self._given_on is None:
            found = behind_result(self.prepared, self.facts.alias) if self.request.result == DUPLICATED else []
            self._given_on = frozenset(found)
        return self._given_on

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
        """Whether shadow memory stands beside an object: it carries derivatives, or is used where one that does may stand. The
        arena of an inner derivative is the runtime's, and holds none itself, whatever an unknown pointer may point to."""
        return not is_arena(item) and (self.activity.active(item) or self.is_shadowed(item))

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
        return item.value in self.shadowed if item.local else item.kind == "global" and item in self.given_on

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

    def overwritten(self, call: Call) -> Contents | Unknown | None:
        """What lies where a memcpy or memmove puts integers; None where there are no numbers."""
        target, length = call.arguments[0], call.arguments[2]
        types, size = self.facts.types, length.unsigned if isinstance(length, ConstantInt) else None
        found = types.memory_of(target, length)
        if isinstance(found, Contents):
            return found if found.floats else None
        return found if may_overwrite(types.seeds.places(target), size, stored=False) else None

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
            if alias.any_visible(points_to.widen(left)):
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


def is_arena(item: MemoryObject) -> bool:
    """Whether it is this thread's arena itself, and not memory that was taken from it."""
    return isinstance(item.value, Call) and getattr(item.value.callee, "name", "") == CURRENT


def _is_certain(way_out: Exit) -> bool:
    return way_out.margin == 0 and (way_out.kind != "ne" or way_out.size == 1)


def why_overwritten(subject: Subject, load: Load, postponed: frozenset[Instruction] = frozenset()) -> str | None:
    """A sentence when the memory `load` read may have changed before the reverse sweep wants it again. postponed: calls that free
    when the reverse sweep is past them."""
    split = subject.request.mode == SPLIT
    steady = split and all(map(subject.is_steady, subject.alias.base_objects(load.pointer)))
    overwrite = subject.alias.overwritten_after(load, caller_may_write=split and not steady, postponed=postponed)
    return None if overwrite is None else overwrite.sentence

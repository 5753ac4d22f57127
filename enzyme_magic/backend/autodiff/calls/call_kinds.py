"""What a call is to differentiation.

Invariant: the answer comes from analyses (rules, effects, activity), never from the name of a function, except for
LLVM's own intrinsics, whose names are their definition.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from typing import Final, Literal

from enzyme_magic.backend.analysis.calls import runtime_calls
from enzyme_magic.backend.analysis.memory.memory_objects import MemoryObject
from enzyme_magic.backend.analysis.memory.separate_arguments import separate_arguments
from enzyme_magic.backend.analysis.types.type_tree import BYTES, INTEGER, Contents, Unknown
from enzyme_magic.backend.autodiff.analyses import Analyses
from enzyme_magic.backend.autodiff.calls.request import (
    ACTIVE,
    ANY_GLOBAL,
    CONSTANT,
    DUPLICATED,
    SPLIT,
    ActivityKind,
    FunctionRequest,
    Mode,
)
from enzyme_magic.backend.autodiff.context import SweepContext
from enzyme_magic.backend.autodiff.memory import nested_kinds
from enzyme_magic.backend.autodiff.subject import Subject, is_arena
from enzyme_magic.backend.autodiff.sweeps.value_leaves import holds_integers
from enzyme_magic.backend.ir import constants, intrinsics
from enzyme_magic.backend.ir.instructions import Call
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import PointerType
from enzyme_magic.backend.ir.values import ConstantKeyword, Value
from enzyme_magic.backend.library.summary import ARGUMENT, Place
from enzyme_magic.backend.rules import inactive, registry

CallKind = Literal["plain", "memory", "allocation", "free", "defined", "indirect", "unknown", "erases", "kinds"]
PLAIN: Final = "plain"
MEMORY: Final = "memory"
ALLOCATION: Final = "allocation"
FREE: Final = "free"
DEFINED: Final = "defined"
INDIRECT: Final = "indirect"
UNKNOWN: Final = "unknown"
ERASES: Final = "erases"
KINDS: Final = "kinds"  # an inner derivative keeps track of what the bytes of its shadow memory hold
# Whatever lies on them: the reverse sweep may read it until the tape is made.
_HELD_TAPES: dict[str, CallKind] = {runtime_calls.TAPE_NEW: ALLOCATION, runtime_calls.TAPE_CLOSE: FREE}


def holds_tape(call: Call) -> bool:
    """Whether the call opens or closes a tape that C code holds."""
    return getattr(call.callee, "name", "") in _HELD_TAPES


@dataclass(frozen=True, slots=True, repr=False)
class CallKinds:
    """Answers for the calls of one function. PLAIN: nothing flows through it, it stays as it is."""

    analyses: Analyses
    subject: Subject

    def kind(self, call: Call) -> CallKind:
        function = call.called_function
        name = function.name if function is not None else ""
        if intrinsics.marks_stack(name):
            return PLAIN
        if name in _HELD_TAPES:
            return _HELD_TAPES[name]
        if intrinsics.transfer_of(name) is not None:
            return MEMORY if self._moves(call) else PLAIN
        if registry.is_inactive(call):
            return ERASES if self._erases(call) else PLAIN
        if name in self.analyses.custom.rules:
            return DEFINED if self.is_active(call) else PLAIN
        if runtime_calls.keeps_state(name):
            return self._of_kinds(call)
        return self._of_function(call, function)

    def _of_function(self, call: Call, function: Function | None) -> CallKind:
        summary = self.analyses.effects.call(call)
        external = function is not None and function.is_declaration
        if external and summary.allocates and summary.allocates != "other":
            return ALLOCATION if self._objects_matter(self.subject.alias.base_objects(call)) else PLAIN
        if external and summary.frees and not summary.opaque:
            freed = [call.arguments[place.index] for place in summary.frees if place.kind == ARGUMENT]
            return FREE if any(self._objects_matter(self.subject.alias.base_objects(p)) for p in freed) else PLAIN
        if not self.is_active(call) or self._writes_text(call):
            return PLAIN
        if function is None:
            return INDIRECT
        unknown = function.is_declaration or function.function_type.variadic
        return UNKNOWN if unknown else DEFINED

    def _of_kinds(self, call: Call) -> CallKind:
        if not nested_kinds.is_known(call):
            return UNKNOWN
        return KINDS if any(map(self.matters, nested_kinds.memory_of(call))) else PLAIN

    def matters(self, pointer: Value) -> bool:
        """Whether memory behind a pointer carries derivatives itself, or leads to memory that does."""
        return self._objects_matter(self.subject.alias.base_objects(pointer))

    def carries(self, pointer: Value) -> bool:
        """Whether memory behind a pointer carries derivatives itself."""
        return self._any_active(self.subject.alias.base_objects(pointer))

    def _writes_text(self, call: Call) -> bool:
        """Whether a library function writes text or whole numbers beside numbers with derivatives, in the same object, or where no
        number with one lies."""
        function = call.called_function
        if function is None or not function.is_declaration or not inactive.writes_characters(function.name):
            return False
        summary = self.analyses.effects.summary(function)
        written, read = (
            [pointer for pointer in _used(call, places) if self._is_active(pointer)]
            for places in (summary.writes, summary.reads)
        )
        if inactive.scans_text(function.name):
            return all(map(self._holds_integers, (*written, *read)))
        # Nobody reads a number where text was written last: it is enough that none is known to lie there.
        return not any(map(self._holds_active_numbers, written)) and all(map(self._holds_integers, read))

    def _is_active(self, pointer: Value) -> bool:
        return any(map(self.subject.activity.active, self.subject.alias.base_objects(pointer)))

    def _holds_integers(self, pointer: Value) -> bool:
        """Whether an integer or a character lies there."""
        found = self.subject.memory_at(pointer, 1)
        return isinstance(found, Contents) and found.only() == INTEGER

    def _erases(self, call: Call) -> bool:
        """Whether a function without derivative overwrites memory that carries derivatives: one that the program calls inactive,
        for all its body tells; one of the C library, where numbers are."""
        function = call.called_function
        if function is None:
            return False
        if function.is_declaration:
            written = _used(call, self.analyses.effects.summary(function).writes)
            return any(self._holds_active_numbers(pointer) for pointer in written)
        if registry.INACTIVE not in function.attributes:
            return False
        return self._any_active(self.subject.objects_written(call))

    def _holds_active_numbers(self, pointer: Value) -> bool:
        """Whether a number begins there that may have a derivative, whatever its format."""
        if not self._any_active(self.subject.alias.base_objects(pointer)):
            return False
        found = (self.subject.memory_at(pointer, size) for size in sorted({*BYTES.values()}))
        return any(isinstance(one, Contents) and one.segments[:1] == one.floats[:1] != () for one in found)

    def has_rule(self, call: Call) -> bool:
        """Whether the call is an operation of the rule tables."""
        return registry.rule_for(call) is not None

    def _moves(self, call: Call) -> bool:
        """Whether derivatives, or pointers to memory with them, are moved or taken away."""
        return not _from_nowhere(call) and (self.touches_active(call) or self.moves_pointers(call))

    def touches_active(self, call: Call) -> bool:
        """Whether a memory intrinsic writes memory that carries derivatives."""
        return self._any_active(self.subject.alias.base_objects(call.arguments[0]))

    def moves_pointers(self, call: Call) -> bool:
        """Whether memory it writes holds pointers to memory that carries derivatives."""
        return self.subject.leads_to_active(call.arguments[0])

    def is_active(self, call: Call) -> bool:
        """Whether derivatives flow through the call, or it overwrites or makes memory that carries them."""
        if self.subject.activity.propagates(call):
            return True
        written = self.subject.objects_written(call)
        if self._any_active(written) or self._pointers_inside(written):
            return True
        return isinstance(call.type, PointerType) and self._objects_matter(self.subject.alias.base_objects(call))

    def request(self, call: Call, mode: Mode) -> FunctionRequest:
        """The request for the derivative of the called function."""
        target = call.called_function
        assert isinstance(target, Function)
        activity = self.subject.activity
        kinds: list[ActivityKind] = []
        varying, mattering, followed, shallow = set(), set(), set(), set()
        for k, argument in enumerate(call.arguments):
            kinds.append(self._argument_kind(argument, target, k))
            if kinds[-1] == DUPLICATED:
                objects = self.all_objects(argument)
                varying |= {k} if any(o in activity.varies for o in objects) else set()
                mattering |= {k} if any(o in activity.matters for o in objects) else set()
                followed |= {k} if any(map(self.subject.is_shadowed, objects)) else set()
                behind = self.subject.reachable(argument)
                shallow |= {k} if not self._any_active(behind) else set()
        return FunctionRequest(
            target.name,
            mode,
            tuple(kinds),
            self.result_kind(call),
            frozenset(varying),
            frozenset(mattering),
            self._globals(activity.varies, call),
            self._globals(activity.matters, call),
            followed=frozenset(followed),
            caching=self.subject.request.caching.of_callee(),
            absent=self._absent(call),
            errors=self.subject.request.errors,
            separate=separate_arguments(call, target, self.subject.alias),
            steady=self._steady(call, target) if mode == SPLIT else frozenset(),
            shallow=frozenset(shallow),
        )

    def _steady(self, call: Call, target: Function) -> frozenset[int]:
        """Arguments that are only read, and whose memory this function leaves as it is until the reverse sweep is there again."""
        summary, points_to = self.analyses.effects.summary(target), self.subject.alias.points_to
        read = [k for k in range(len(call.arguments)) if summary.reads_argument(k) and not summary.writes_argument(k)]
        masks = {k: points_to.mask(call.arguments[k]) for k in read}
        return frozenset(k for k, mask in masks.items() if mask and self.subject.memory_unchanged_after(call, mask))

    def _absent(self, call: Call) -> frozenset[int]:
        """Arguments that point into memory that is not there (see absent.py)."""
        if not self.subject.request.absent:
            return frozenset()
        arguments = self.subject.prepared.function.arguments
        missing = {o for k in self.subject.request.absent for o in self.subject.alias.base_objects(arguments[k])}
        found = [self.subject.alias.base_objects(a) if isinstance(a.type, PointerType) else () for a in call.arguments]
        return frozenset(k for k, objects in enumerate(found) if objects and missing.issuperset(objects))

    def result_kind(self, call: Call) -> ActivityKind:
        if isinstance(call.type, PointerType):
            return DUPLICATED if self._objects_matter(self.subject.alias.base_objects(call)) else CONSTANT
        if not self.subject.activity.active(call):
            return CONSTANT
        target = call.called_function
        if holds_integers(self.analyses.layout, call.type) and target is not None and target.blocks:
            return ACTIVE if self.analyses.result_leaves(target) else CONSTANT
        return ACTIVE

    def unknown_bits(self, call: Call) -> Unknown | None:
        """Why it is not known whether an integer that carries a derivative into or out of the called function holds floats
        there."""
        target = call.called_function
        if target is None or not target.blocks:
            return None
        places = [k for k, a in enumerate(call.arguments) if self._is_active_integer(a)]
        found = [self.analyses.unknown_bits(target, k) for k in places]
        if self._is_active_integer(call):
            found.append(self.analyses.unknown_bits(target, None))
        if places and target.name in self.analyses.custom.rules:
            return Unknown("functions with a derivative of their own take floating numbers as such")
        return next((why for why in found if why is not None), None)

    def _is_active_integer(self, value: Value) -> bool:
        return holds_integers(self.analyses.layout, value.type) and self.subject.activity.active(value)

    def all_objects(self, pointer: Value) -> frozenset[MemoryObject]:
        """The memory behind a pointer and what can be reached from there."""
        return self.subject.alias.base_objects(pointer) | self.subject.reachable(pointer)

    def _argument_kind(self, argument: Value, target: Function, index: int) -> ActivityKind:
        if isinstance(argument.type, PointerType):
            copied = target.function_type.variadic or "byval" in target.arguments[index].attributes
            if not copied and self.analyses.effects.summary(target).ignores_argument(index):
                return CONSTANT
            return DUPLICATED if self._objects_matter(self.all_objects(argument)) else CONSTANT
        if not self.subject.activity.active(argument):
            return CONSTANT
        return ACTIVE if self.analyses.parameter_leaves(target, index) else CONSTANT

    def _globals(self, reached: Container[object], call: Call) -> frozenset[str]:
        """What the called function can reach without being given a pointer, and what carries derivatives or leads to some: what
        varies without mattering, or the other way round, is for this call neither. Also what pointers lead to that it may move:
        their shadows move along."""
        written = self.subject.objects_written(call)
        moved = [o for item in written if self._is_outside(item) for o in self.subject.pointees(item)]
        touched = self.subject.objects_read(call) | written | frozenset(moved)
        hidden = self._behind_integers(call)
        return frozenset(
            o.name if o.kind == "global" else ANY_GLOBAL
            for o in touched
            if o in reached and (o in hidden or self._is_outside(o)) and self._objects_matter(frozenset([o]))
        )

    def _is_outside(self, item: MemoryObject) -> bool:
        """Memory that a called function may know without being told: a variable or a block, if it was put where others find it."""
        if item.local:
            points_to = self.subject.alias.points_to
            known = points_to.escaped | points_to.closure(points_to.outside_class)
            return bool(known >> points_to.numbers[item] & 1)
        return item.kind in ("global", "outside", "errno")

    def _behind_integers(self, call: Call) -> frozenset[MemoryObject]:
        """Memory whose address is passed as an integer, and used as an address there."""
        summary = self.analyses.effects.call(call)
        found: frozenset[MemoryObject] = frozenset()
        for k, argument in enumerate(call.arguments):
            if not isinstance(argument.type, PointerType) and not summary.ignores_argument(k):
                found |= self.all_objects(argument)
        return found

    def _any_active(self, objects: frozenset[MemoryObject]) -> bool:
        return any(map(self.subject.has_shadow, objects))

    def _pointers_inside(self, objects: frozenset[MemoryObject]) -> bool:
        return any(self._any_active(self.subject.pointees(o)) for o in objects)

    def _objects_matter(self, objects: frozenset[MemoryObject]) -> bool:
        """Whether memory carries derivatives itself, or holds pointers to memory that does."""
        return self._any_active(objects) or self._pointers_inside(objects)

    def without_shadow(self, context: SweepContext, call: Call) -> Value:
        """What stands, in a trial, for the shadow of an inactive call's memory, which is noted as missing; the error where the
        request has it already. A pointer that leads nowhere is null, and so is its shadow; and that of an arena, of which only
        the runtime reads and writes."""
        objects = self.subject.alias.base_objects(call)
        if not objects or all(map(is_arena, objects)):
            return constants.zero(call.type)
        if call in self.subject.shadowed or not self._gives_memory(call):
            what = "a pointer from a call that carries no derivative is used like one that does"
            raise context.fail(call, what, "return a pointer to memory made in the same function", "EM242")
        self.subject.missing.memory_of(self.subject.number_of(call))
        return constants.poison(call.type)

    def _gives_memory(self, call: Call) -> bool:
        function = call.called_function
        if function is None:
            return False
        return not function.is_declaration or bool(self.analyses.effects.call(call).allocates)


def _from_nowhere(call: Call) -> bool:
    """Whether it copies from a null pointer: no bytes, then."""
    source = call.arguments[1]
    return isinstance(source, ConstantKeyword) and source.keyword == "null"


def _used(call: Call, places: frozenset[Place]) -> list[Value]:
    """The pointer arguments through which a call uses `places`."""
    function = call.called_function
    assert function is not None
    pointers = [k for k, a in enumerate(call.arguments) if isinstance(a.type, PointerType)]
    named = {place.index for place in places if place.kind == ARGUMENT}
    free = {k for k in pointers if k >= len(function.function_type.parameters)} if -1 in named else set()
    return [call.arguments[k] for k in sorted((named | free) & set(pointers))]

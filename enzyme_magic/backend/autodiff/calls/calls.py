"""Calls in reverse mode.

A call of a function of the program through which derivatives flow becomes a pair: the augmented primal in the forward
sweep, the reverse function in the reverse sweep, with a frame between them. Where the called function only computes a
value, and what it reads is still there at the end, one combined function in the reverse sweep is enough and nothing
is kept. Library calls that move or make memory act on shadow memory (heap_calls). Calls through which nothing flows
stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from enzyme_magic.backend.analysis.derivatives.recompute import TAPE, Need
from enzyme_magic.backend.autodiff import refusals
from enzyme_magic.backend.autodiff.cache import arena_calls
from enzyme_magic.backend.autodiff.cache.recompute import ReversePrimals
from enzyme_magic.backend.autodiff.calls import call_kinds, into_arguments
from enzyme_magic.backend.autodiff.calls.call_kinds import CallKinds
from enzyme_magic.backend.autodiff.calls.request import ACTIVE, DUPLICATED, FunctionRequest
from enzyme_magic.backend.autodiff.calls.signature import unpacked
from enzyme_magic.backend.autodiff.context import SweepContext
from enzyme_magic.backend.autodiff.custom import custom_reads
from enzyme_magic.backend.autodiff.custom.custom_subjects import plain_name
from enzyme_magic.backend.autodiff.memory import followed, nested_kinds
from enzyme_magic.backend.autodiff.memory.heap_calls import HeapCalls
from enzyme_magic.backend.autodiff.subject import Subject
from enzyme_magic.backend.autodiff.sweeps import moves
from enzyme_magic.backend.autodiff.sweeps.adjoint_writer import mask
from enzyme_magic.backend.autodiff.sweeps.adjoints import Adjoints, Flags, Parts
from enzyme_magic.backend.autodiff.sweeps.leaves import Leaf
from enzyme_magic.backend.autodiff.sweeps.primal_copy import PrimalCopy
from enzyme_magic.backend.autodiff.sweeps.value_leaves import lost
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.instructions import Call
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import PointerType, VoidType
from enzyme_magic.backend.ir.values import Value


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CalledDerivative:
    """What the writer of a call must know of a generated derivative.

    forward: the augmented primal (None for a combined one); it returns {frame, primal result, shadow of the result},
    without what does not exist. reverse: the reverse or combined function; `results`: how many values it gives back.
    reads_primal[k]: whether it uses primal argument k.
    """

    request: FunctionRequest
    forward: Function | None
    reverse: Function
    results: int
    reads_primal: tuple[bool, ...]


@dataclass(slots=True, repr=False)
class Calls:
    """Collaborator of AdjointWriter and of the forward sweep. reverse_arena: the arena parameter on the reverse
    side."""

    context: SweepContext
    subject: Subject
    copy: PrimalCopy
    adjoints: Adjoints
    primals: ReversePrimals
    reverse_arena: Value
    called: Callable[[Call], CalledDerivative]
    kinds: CallKinds = field(init=False)
    heap: HeapCalls = field(init=False)
    frames: dict[Value, Value] = field(default_factory=dict)
    made: dict[Call, CalledDerivative] = field(default_factory=dict)  # what the calls of defined functions became
    _shadow_results: dict[Call, Value] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.kinds = CallKinds(self.context.analyses, self.subject)
        self.heap = HeapCalls(self.context, self.subject, self.copy, self.primals, self.reverse_arena)
        self.copy.shadow_of_call = self.shadow_of_result

    def handles(self, call: Call) -> bool:
        """Everything without a rule."""
        return not self.kinds.has_rule(call)

    # The forward sweep

    def prepare(self, call: Call) -> None:
        """The call's part of the forward sweep."""
        kind = self.kinds.kind(call)
        if arena_calls.is_release(call):
            self.heap.keep_alive(call)
        elif kind in (call_kinds.MEMORY, call_kinds.ALLOCATION, call_kinds.FREE):
            self.heap.prepare(call, kind)
        elif kind == call_kinds.DEFINED:
            self._augment(call)
        elif nested_kinds.is_known(call):
            if nested_kinds.copies_pointers(self.subject, call):
                followed.require(self.subject, call.arguments[1])
            nested_kinds.prepare(self, call, kind)
            if self.context.asks_again and self.context.forgets:
                raise refusals.of_call(self.context, call)
        elif kind != call_kinds.PLAIN:
            raise refusals.of_call(self.context, call)

    def _augment(self, call: Call) -> None:
        made = self.made[call] = self.called(call)
        followed.require_behind(self.subject, call, made.request)
        if made.forward is None or call in self.frames:
            return
        builder = self.copy.after(call)
        arguments: list[Value] = [self.copy.parameters.arena]
        for argument, kind in zip(call.arguments, made.request.activities, strict=True):
            arguments.append(self.copy.value(argument))
            if kind == DUPLICATED:
                arguments.append(self.copy.shadows.of(argument))
        if call in self.frames:
            return  # a loop: the shadow of an argument asked for that of the result
        result = builder.call(made.forward, arguments)
        self.frames[call] = builder.extract_value(result, 0, name=f"{made.request.function}.frame")
        primal: Value | None = None
        if not isinstance(call.type, VoidType):
            primal = builder.extract_value(result, 1, name=call.name)
        if made.request.result == DUPLICATED:
            self._shadow_results[call] = builder.extract_value(result, 2, name=f"{call.name}_shadow")
        self.copy.replace(call, primal)

    def shadow_of_result(self, call: Call) -> Value:
        """The shadow of a pointer that a call returned."""
        kind = self.kinds.kind(call)
        if kind == call_kinds.ALLOCATION:
            return self.heap.shadow_of_allocation(call)
        if kind == call_kinds.DEFINED:
            self._augment(call)
        known = self._shadow_results.get(call) or into_arguments.shadow_of_result(self.context, self.copy, call)
        return known if known is not None else self.kinds.without_shadow(self.context, call)

    # The reverse sweep

    def reverse(self, builder: Builder, call: Call) -> None:
        """The call's part of the reverse sweep."""
        kind = self.kinds.kind(call)
        if kind in (call_kinds.MEMORY, call_kinds.ALLOCATION, call_kinds.FREE):
            self.heap.reverse(builder, call, kind)
        elif kind == call_kinds.DEFINED:
            self._call_reverse(builder, call)
        elif nested_kinds.is_known(call):
            nested_kinds.Transposed(self, builder, call).write()
        elif kind != call_kinds.PLAIN:
            raise refusals.of_call(self.context, call)

    def _call_reverse(self, builder: Builder, call: Call) -> None:
        made = self.made[call] = self.called(call)
        self._check_custom(call)
        seeds = self._seeds(builder, call)
        arguments: list[Value] = [self.reverse_arena]
        for k, (argument, kind) in enumerate(zip(call.arguments, made.request.activities, strict=True)):
            reads = made.reads_primal[k]
            arguments.append(self.primals.primal(builder, argument) if reads else constants.poison(argument.type))
            if kind == DUPLICATED:
                arguments.append(self.primals.shadow(builder, argument))
        arguments += seeds
        if made.forward is not None:
            arguments.append(self.primals.get(builder, Need(TAPE, call)))
        result = builder.call(made.reverse, arguments)
        self._collect(builder, call, made.request, iter(unpacked(builder, result, made.results)))

    def _check_custom(self, call: Call) -> None:
        """A gradient that the program brings along reads memory as it is in the reverse sweep."""
        rule = self.context.analyses.custom.rules.get(getattr(call.callee, "name", ""))
        gradient = rule.gradient if rule is not None else None
        effects = self.context.analyses.effects
        if gradient is not None and custom_reads.overwritten(self.subject, effects, call, gradient):
            what = (
                f"{plain_name(gradient.name)} reads memory that may have been overwritten since the call it belongs to"
            )
            hint = (
                "keep what it reads in the tape of the augmented primal; restrict may tell that nothing overwrites it"
            )
            raise self.context.fail(call, what, hint, "EM274")

    def _collect(self, builder: Builder, call: Call, request: FunctionRequest, given: Iterator[Value]) -> None:
        for argument_index, (argument, kind) in enumerate(zip(call.arguments, request.activities, strict=True)):
            if kind != ACTIVE:
                continue
            target = self.context.analyses.module.functions[request.function]
            own = self.copy.leaves_of(argument)
            theirs = self.context.analyses.parameter_leaves(target, argument_index)
            if self.subject.activity.active(argument) and lost(own, theirs) is not None:
                raise self.context.fail(call, *moves.DROPPED, "EM223")
            for leaf in theirs:
                part = next(given)
                if self.subject.activity.active(argument) and leaf in own:
                    self.adjoints.add(builder, argument, leaf.path, part, None)

    def _seeds(self, builder: Builder, call: Call) -> list[Value]:
        if isinstance(call.type, (VoidType, PointerType)) or not self.subject.activity.active(call):
            return []
        parts = self.adjoints.take(builder, call)
        flags = self.adjoints.flags(builder, call, parts)
        target = call.called_function
        assert target is not None
        return [self._seed(builder, parts, flags, leaf) for leaf in self.context.analyses.result_leaves(target)]

    def _seed(self, builder: Builder, parts: Parts, flags: Flags, leaf: Leaf) -> Value:
        part, flag = parts.get(leaf.path, constants.zero(leaf.type)), flags.get(leaf.path)
        return part if flag is None else mask(builder, flag, part)

    def uses_arena(self) -> bool:
        """Whether called derivatives may have left something in the arena."""
        return bool(self.frames) or self.heap.uses_arena

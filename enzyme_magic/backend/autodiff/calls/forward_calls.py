"""Calls in forward mode: the called function's own forward derivative, and library functions on shadow memory.

Invariant: shadow memory is moved, made and freed as primal memory is, whatever its bytes are. Calls with a rule are not
here (sweeps/tangent_rules.py); any other call that carries a derivative is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from enzyme_magic.backend.autodiff import refusals
from enzyme_magic.backend.autodiff.calls import call_kinds, into_arguments
from enzyme_magic.backend.autodiff.calls.call_kinds import CallKinds
from enzyme_magic.backend.autodiff.calls.request import ACTIVE, DUPLICATED, FunctionRequest
from enzyme_magic.backend.autodiff.calls.signature import unpacked
from enzyme_magic.backend.autodiff.context import SweepContext
from enzyme_magic.backend.autodiff.memory import followed, kinds, nested_heap, nested_kinds, released, shadow_heap
from enzyme_magic.backend.autodiff.memory.heap_calls import (
    allocation_kind,
    as_i64,
    freed,
    fresh_shadow,
    is_set,
)
from enzyme_magic.backend.autodiff.subject import Subject
from enzyme_magic.backend.autodiff.sweeps import moves
from enzyme_magic.backend.autodiff.sweeps.leaves import Path
from enzyme_magic.backend.autodiff.sweeps.primal_copy import PrimalCopy
from enzyme_magic.backend.autodiff.sweeps.value_leaves import lost
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.instructions import Call
from enzyme_magic.backend.ir.types import VoidType
from enzyme_magic.backend.ir.values import Value

if TYPE_CHECKING:
    from enzyme_magic.backend.autodiff.custom.custom_calls import CalledTangents
    from enzyme_magic.backend.autodiff.sweeps.forward import ForwardDerivative


@dataclass(slots=True, repr=False)
class ForwardCalls:
    """Collaborator of TangentWriter: tangents of calls without a rule."""

    context: SweepContext
    subject: Subject
    copy: PrimalCopy
    called: Callable[[Call], ForwardDerivative | CalledTangents]
    tangent: Callable[[Value, Path], Value | None]
    set_tangent: Callable[[Value, Path, Value], None]
    kinds: CallKinds = field(init=False)
    _shadows: dict[Call, Value] = field(default_factory=dict)
    _written: set[Call] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.kinds = CallKinds(self.context.analyses, self.subject)
        self.copy.shadow_of_call = self._shadow_of_call

    def write(self, call: Call) -> None:
        """What the call does to tangents."""
        kind = self.kinds.kind(call)
        if kind == call_kinds.MEMORY:
            self._move(call)
        elif kind == call_kinds.ALLOCATION:
            if allocation_kind(self.context, call) == "realloc":
                self._reallocate(call)
        elif kind == call_kinds.FREE:
            self._free(call)
        elif kind == call_kinds.DEFINED:
            self._call(call)
        elif kind == call_kinds.KINDS:
            self.context.asks_again = True
            if nested_kinds.copies_pointers(self.subject, call):
                followed.require(self.subject, call.arguments[1])
            nested_kinds.write(self, call)
        elif kind != call_kinds.PLAIN:
            raise refusals.of_call(self.context, call)

    def _move(self, call: Call) -> None:
        """Shadow memory is moved like primal memory, pointers and tangents alike; a set block has zero tangents."""
        builder = self.copy.after(call)
        target = self.copy.shadows.of(call.arguments[0])
        length = as_i64(builder, self.copy.value(call.arguments[2]))
        if is_set(call):
            self.context.zero_memory(builder, target, length)
            kinds.piece(self.context, builder, target, length)
            return
        if self.kinds.moves_pointers(call):
            followed.require(self.subject, call.arguments[1])
        source = self.copy.shadows.of(call.arguments[1])
        arguments = [target, source, self.copy.value(call.arguments[2]), *call.arguments[3:]]
        assert call.called_function is not None
        function = self.context.declared(call.called_function.name, call.function_type)
        builder.call(function, arguments)
        kinds.copy_pieces(self.context, builder, target, source, length)

    def _shadow_of_call(self, call: Call) -> Value:
        if call not in self._shadows and self.kinds.kind(call) == call_kinds.DEFINED:
            self._call(call)
        made = self._shadows.get(call)
        if made is not None:
            return made
        if self.kinds.kind(call) != call_kinds.ALLOCATION:
            found = into_arguments.shadow_of_result(self.context, self.copy, call)
            return found if found is not None else self.kinds.without_shadow(self.context, call)
        if allocation_kind(self.context, call) == "realloc":
            self._reallocate(call)
            return self._shadows[call]
        made = self._shadows[call] = fresh_shadow(self.context, self.copy, call)
        return made

    def _reallocate(self, call: Call) -> None:
        """A new block and a copy, for primal and shadow alike, because the old size is needed for both."""
        shadow = self.copy.shadows.of(call.arguments[0])
        self.context.uses_heap = True
        builder = self.copy.after(call)
        old = self.copy.value(call.arguments[0])
        size = as_i64(builder, self.copy.value(call.arguments[1]))
        released.check(self.context, builder, call, old, shadow)
        new = builder.call(shadow_heap.REALLOCATE, [old, shadow, size], name=call.name)
        self._shadows[call] = builder.call(
            shadow_heap.REALLOCATE_SHADOW, [new, old, shadow, size], name=f"{call.name}_shadow"
        )
        kinds.copy_pieces(self.context, builder, self._shadows[call], shadow, size)
        builder.call(shadow_heap.RELEASE_OLD, [new, old, shadow])
        self.copy.replace(call, new)

    def _free(self, call: Call) -> None:
        if nested_heap.name_of(call):
            nested_heap.free_forward(self.context, self.copy, call)
            return
        self.context.uses_heap = True
        pointer = freed(self.context, call)
        block, shadow = self.copy.value(pointer), self.copy.shadows.of(pointer)
        released.check(self.context, self.copy.before(call), call, block, shadow)
        self.copy.after(call).call(shadow_heap.FREE_SHADOW, [block, shadow])

    def _call(self, call: Call) -> None:
        if call in self._written:
            return
        made = self.called(call)
        followed.require_behind(self.subject, call, made.request)
        builder = self.copy.after(call)
        arguments = self._arguments(call, made.request)
        self._written.add(call)
        result = builder.call(made.function, arguments)
        values = unpacked(builder, result, len(made.returned))
        primal: Value | None = None
        if not isinstance(call.type, VoidType):
            primal, values = values[0], values[1:]
        if made.request.result == DUPLICATED:
            self._shadows[call] = values[0]
        elif made.request.result == ACTIVE:
            for leaf, tangent in zip(made.result_leaves, values, strict=True):
                self.set_tangent(call, leaf.path, tangent)
        self.copy.replace(call, primal)

    def _arguments(self, call: Call, request: FunctionRequest) -> list[Value]:
        """The arena, then each argument followed by its shadow or its tangents."""
        arguments: list[Value] = [self.copy.parameters.arena]
        target = self.context.analyses.module.functions[request.function]
        for k, (argument, kind) in enumerate(zip(call.arguments, request.activities, strict=True)):
            arguments.append(self.copy.value(argument))
            if kind == DUPLICATED:
                arguments.append(self.copy.shadows.of(argument))
            if kind == ACTIVE:
                theirs = self.context.analyses.parameter_leaves(target, k)
                if lost(self.copy.leaves_of(argument), theirs) is not None:
                    raise self.context.fail(call, *moves.DROPPED, "EM223")
                for leaf in theirs:
                    arguments.append(self.tangent(argument, leaf.path) or constants.zero(leaf.type))
        return arguments

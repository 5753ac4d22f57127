"""Calls that stay calls.

A call of a function of the program through which derivatives flow becomes a pair: the augmented primal in the forward sweep, the reverse
function in the reverse sweep, with a frame between them. A function that touches no memory needs no augmented version: its combined
derivative in the reverse sweep is enough. Calls through which nothing flows stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from enzyme_magic.backend.autodiff.adjoint_writer import mask
from enzyme_magic.backend.autodiff.adjoints import Adjoints
from enzyme_magic.backend.autodiff.context import SweepContext
from enzyme_magic.backend.autodiff.leaves import Leaf
from enzyme_magic.backend.autodiff.recompute import ReversePrimals
from enzyme_magic.backend.autodiff.request import ACTIVE, COMBINED, CONSTANT, DUPLICATED, FunctionRequest
from enzyme_magic.backend.autodiff.shadows import Shadows
from enzyme_magic.backend.autodiff.signature import unpacked
from enzyme_magic.backend.autodiff.subject import Subject
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.instructions import Call
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import VoidType, is_floating
from enzyme_magic.backend.ir.values import Value
from enzyme_magic.backend.rules import registry


@dataclass(slots=True, eq=False)
class CalledDerivative:
    """What the writer of a call needs to know of a generated function: its native function and how many values it returns."""

    request: FunctionRequest
    function: Function
    results: int


@dataclass(slots=True)
class Calls:
    """Collaborator of AdjointWriter and of the forward sweep."""

    context: SweepContext
    subject: Subject
    forward: dict[Value, Value]
    shadows: Shadows
    adjoints: Adjoints
    primals: ReversePrimals
    arena: Callable[[], Value]
    leaves_of: Callable[[Value], tuple[Leaf, ...]]
    derivative: Callable[[FunctionRequest], CalledDerivative]
    _requests: dict[Call, FunctionRequest] = field(default_factory=dict)

    def handles(self, call: Call) -> bool:
        """Everything without a rule."""
        return registry.rule_for(call) is None

    def is_active(self, call: Call) -> bool:
        """Whether derivatives flow through the call, or it overwrites memory that carries them."""
        if registry.is_inactive(call):
            return False
        activity = self.subject.activity
        if activity.propagates(call):
            return True
        return any(activity.active(o) for o in self.subject.alias.objects_written(call))

    def prepare(self, call: Call) -> None:
        """The call's part of the forward sweep. A call without effects on memory stays as it is."""

    def reverse(self, builder: Builder, call: Call) -> None:
        """The call's part of the reverse sweep."""
        if not self.is_active(call):
            return
        target = self._target(call)
        request = self._request(call, target)
        made = self.derivative(request)
        seeds = self._seeds(builder, call)
        arguments: list[Value] = [self.arena()]
        for argument, kind in zip(call.arguments, request.activities, strict=True):
            arguments.append(self.primals.primal(builder, argument))
            if kind == DUPLICATED:
                arguments.append(self.primals.shadow(builder, argument))
        result = builder.call(made.function, [*arguments, *seeds])
        given = iter(unpacked(builder, result, made.results))
        for argument, kind in zip(call.arguments, request.activities, strict=True):
            if kind == ACTIVE:
                for leaf in self.leaves_of(argument):
                    part = next(given)
                    if self.subject.activity.active(argument):
                        self.adjoints.add(builder, argument, leaf.path, part, None)

    def _seeds(self, builder: Builder, call: Call) -> list[Value]:
        if isinstance(call.type, VoidType) or not self.subject.activity.active(call):
            return []
        parts = self.adjoints.take(builder, call)
        flag = self.adjoints.flag(builder, call)
        seeds = [parts.get(leaf.path, constants.zero(leaf.type)) for leaf in self.leaves_of(call)]
        return seeds if flag is None else [mask(builder, flag, seed) for seed in seeds]

    def _target(self, call: Call) -> Function:
        function = call.called_function
        if function is None:
            raise self.context.fail(call, "a call through a function pointer", "call the function directly", "EM240")
        if function.is_declaration:
            raise self.context.fail(
                call,
                f"the derivative of {function.name} is not known: it is an external function",
                f'define {function.name} in C, or declare em.inactive("{function.name}") if it carries no derivative',
                "EM221",
            )
        return self.context.analyses.module.functions[function.name]

    def _request(self, call: Call, target: Function) -> FunctionRequest:
        known = self._requests.get(call)
        if known is None:
            summary = self.context.analyses.effects.call(call)
            if summary.touches_memory:
                raise self.context.fail(
                    call, f"{target.name} reads or writes memory and is not inlined", "make it static inline", "EM241"
                )
            activity = self.subject.activity
            kinds = tuple(
                ACTIVE if is_floating(a.type) and activity.active(a) else CONSTANT for a in call.arguments
            )
            result = ACTIVE if activity.active(call) else CONSTANT
            known = self._requests[call] = FunctionRequest(target.name, COMBINED, kinds, result)
        return known

    def shadow_of_result(self, call: Call) -> Value:
        """The shadow of a pointer that a call returned."""
        raise self.context.fail(call, "memory from this call carries derivatives", "use an array parameter", "EM242")

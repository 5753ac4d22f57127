"""What a call asks of the derivative of the function it calls: its request, and with it whether a pair or one function answers it.

Where the called function only computes a value, and what it reads is still there at the end, one combined function in the reverse
sweep is enough and nothing is kept; otherwise it becomes a split pair.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from enzyme_magic.backend.autodiff.calls import call_kinds, stack_check
from enzyme_magic.backend.autodiff.calls.call_kinds import CallKinds
from enzyme_magic.backend.autodiff.calls.request import COMBINED, FORWARD, SPLIT, FunctionRequest
from enzyme_magic.backend.autodiff.context import SweepContext
from enzyme_magic.backend.autodiff.subject import Subject
from enzyme_magic.backend.autodiff.sweeps.primal_copy import unknown_bits
from enzyme_magic.backend.ir.instructions import Call
from enzyme_magic.backend.ir.types import PointerType


@dataclass(frozen=True, slots=True, repr=False)
class CallRequests:
    """Answers for the calls of one function under one request."""

    context: SweepContext
    subject: Subject
    kinds: CallKinds = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "kinds", CallKinds(self.context.analyses, self.subject))

    def defined(self) -> Iterator[Call]:
        """The calls through which derivatives flow into functions of the program, in order."""
        for call in self.subject.prepared.function.instructions():
            if not isinstance(call, Call) or self.kinds.has_rule(call):
                continue
            if self.kinds.kind(call) == call_kinds.DEFINED:
                yield call

    def of(self, call: Call) -> FunctionRequest:
        """The request of a call. DifferentiationError where it is not known which numbers its integers hold."""
        why = self.kinds.unknown_bits(call)
        if why is not None:
            raise unknown_bits(self.context, call, why)
        if self.subject.request.mode == FORWARD:
            return replace(self.kinds.request(call, FORWARD), value=True)
        return self.kinds.request(call, COMBINED if self._is_repeatable(call) else SPLIT)

    def _is_repeatable(self, call: Call) -> bool:
        """Whether the call only computes a value from arguments and memory that is unchanged at the end."""
        if getattr(call.callee, "name", "") in self.context.analyses.custom.rules:
            return self._is_repeatable_rule(call)
        summary = self.context.analyses.effects.call(call)
        if isinstance(call.type, PointerType) or not summary.repeatable:
            return False
        if summary.writes or summary.frees or summary.allocates or summary.prints or summary.opaque:
            return False
        if stack_check.recurses(self.context, call):
            return False
        return self.subject.unchanged_after(call)

    def _is_repeatable_rule(self, call: Call) -> bool:
        """The same for a function with a derivative of its own: all its handlers are repeated, and only numbers go in."""
        rule = self.context.analyses.custom.rules[call.callee.name]  # type: ignore[attr-defined]
        if any(isinstance(argument.type, PointerType) for argument in call.arguments):
            return False
        effects = self.context.analyses.effects
        handlers = (rule.function, rule.augmented, rule.gradient, rule.derivative)
        return all(effects.summary(h).pure for h in handlers if h is not None) and rule.split is None

"""Reverse mode with allocators of the program's own (`__enzyme_allocation_like`): when their memory goes back, and who may look.

Invariant: a release is postponed to where the reverse sweep needs the memory no more, as `free` is. So nothing of the function that
releases may ask what the release did: neither its result nor the globals that it writes.
"""

from __future__ import annotations

from collections.abc import Callable

from enzyme_magic.backend.analysis.calls import allocators
from enzyme_magic.backend.autodiff.context import SweepContext
from enzyme_magic.backend.autodiff.memory import shadow_heap
from enzyme_magic.backend.autodiff.subject import Subject
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.graphs.def_use import users
from enzyme_magic.backend.ir.instructions import Call, Instruction, Load
from enzyme_magic.backend.ir.values import Value
from enzyme_magic.backend.library.summary import GLOBAL
from enzyme_magic.backend.rules.allocators import MEMORY


def release(
    context: SweepContext, builder: Builder, call: Call, memory: Value, shadow: Value, primal: Callable[[Value], Value]
) -> None:
    """Give the memory that `call` took back, with its shadow. primal: the value of an operand in the reverse sweep."""
    assert call.called_function is not None
    allocator = context.analyses.custom.allocators[call.called_function.name]
    function = context.declared(allocator.release.name, allocator.release.function_type)
    passed = [memory if k == MEMORY else primal(call.arguments[k]) for k in allocator.passed]
    builder.call(shadow_heap.release_by(function.function_type), [memory, shadow, function, *passed])


def check_postponed(context: SweepContext, subject: Subject, call: Call) -> None:
    """DifferentiationError EM276 where the function that makes the releasing `call` asks what it did."""
    function = call.called_function
    if function is None or not allocators.is_closed(function):
        return
    effects = context.analyses.effects
    written = {place.name for place in effects.call(call).writes if place.kind == GLOBAL}
    inside = subject.prepared.function
    looks = next((i for i in inside.instructions() if written and _reads(subject, context, i) & written), None)
    if looks is None and not users(inside).get(call):
        return
    what = f"{function.name} is called later in reverse mode, and the function asks what it did"
    raise context.fail(looks or call, what, "let it return nothing, and look at its counters elsewhere", "EM276")


def _reads(subject: Subject, context: SweepContext, i: Instruction) -> set[str]:
    """The globals an instruction looks at, those of allocators apart."""
    if isinstance(i, Load):
        return {o.name for o in subject.alias.base_objects(i.pointer) if o.kind == "global"}
    if isinstance(i, Call) and (i.called_function is None or not allocators.is_closed(i.called_function)):
        return {place.name for place in context.analyses.effects.call(i).reads if place.kind == GLOBAL}
    return set()

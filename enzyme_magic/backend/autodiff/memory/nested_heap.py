"""Shadows of the heap inside a function that is differentiated: an inner derivative made them, and they have shadows themselves.

What the inner derivative frees has a shadow to be freed with it (forward mode), or is kept until its allocation is reversed
(reverse mode), as `free` of the program is. What is freed, and when, says the header of the inner shadow at run time.
"""

from __future__ import annotations

from enzyme_magic.backend.analysis.calls import runtime_calls
from enzyme_magic.backend.autodiff.context import SweepContext
from enzyme_magic.backend.autodiff.memory import shadow_heap
from enzyme_magic.backend.autodiff.sweeps.primal_copy import PrimalCopy
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.instructions import Call
from enzyme_magic.backend.ir.types import POINTER, VOID, FunctionType
from enzyme_magic.backend.ir.values import Value


def name_of(call: Call) -> str:
    """The runtime's function that an inner derivative calls to free; "" for any other call."""
    name = getattr(call.callee, "name", "")
    known = name in (runtime_calls.SHADOW_FREE, runtime_calls.HEAP_RELEASE)
    return name if known or name.startswith(runtime_calls.HEAP_RELEASE_BY) else ""


def free_forward(context: SweepContext, copy: PrimalCopy, call: Call) -> None:
    """Forward mode: the shadows go with what they belong to."""
    context.uses_heap = True
    first, second = call.arguments[:2]
    if name_of(call) == runtime_calls.SHADOW_FREE:
        copy.after(call).call(shadow_heap.FREE_SHADOW, [copy.value(second), copy.shadows.of(second)])
        return
    shadows = [copy.shadows.of(first), copy.shadows.of(second)]
    builder = copy.after(call)
    builder.call(shadow_heap.RELEASE_SHADOWS, [copy.value(first), copy.value(second), *shadows])
    assert call.called_function is not None
    release = context.declared(call.called_function.name, call.function_type)
    builder.call(release, [copy.value(argument) for argument in call.arguments])
    copy.replace(call, None)


def note_freed(context: SweepContext, copy: PrimalCopy, call: Call) -> None:
    """Reverse mode: nothing goes now; the headers of the shadows say what is to go when the allocations are reversed."""
    context.uses_heap = True
    first, second = call.arguments[:2]
    builder = copy.after(call)
    if name_of(call) == runtime_calls.SHADOW_FREE:
        builder.call(shadow_heap.FREED, [copy.value(second), copy.shadows.of(second)])
    else:
        shadows = [copy.shadows.of(first), copy.shadows.of(second)]
        builder.call(shadow_heap.RELEASED, [copy.value(first), copy.value(second), *shadows])
    copy.replace(call, None)


def release(builder: Builder, kind: str, memory: Value, shadow: Value) -> None:
    """Reverse mode, where an allocation of `kind` is reversed."""
    inner = kind == runtime_calls.SHADOW
    builder.call(shadow_heap.RELEASE_SHADOW if inner else shadow_heap.RELEASE_BOTH, [memory, shadow])


def release_tape(context: SweepContext, builder: Builder, tape: Value, shadow: Value) -> None:
    """Reverse mode, where a tape that C code held was made: all that lies on it was needed until here."""
    context.uses_heap = True
    close = context.declared(runtime_calls.TAPE_CLOSE, FunctionType(VOID, (POINTER,)))
    builder.call(shadow_heap.release_by(close.function_type), [tape, shadow, close, tape])

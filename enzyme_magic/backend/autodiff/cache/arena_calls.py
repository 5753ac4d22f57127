"""Memory of the arena inside a function that is differentiated: the tape of a derivative that is an inner one.

A block's shadow is the next block of the same arena, zeroed. In forward mode both go when the inner derivative gives its tape back.
In reverse mode nothing may go before the reverse sweep has read it, so the inner release is left out; the outermost combined
function gives everything back at once, as it does with its own tape.
"""

from __future__ import annotations

from enzyme_magic.backend.analysis.calls import runtime_calls
from enzyme_magic.backend.autodiff.cache.tape import ALLOCATE
from enzyme_magic.backend.autodiff.context import SweepContext
from enzyme_magic.backend.autodiff.memory import kinds
from enzyme_magic.backend.autodiff.sweeps.primal_copy import PrimalCopy
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.instructions import Call
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.values import Value

# Not tape.ALLOCATE itself, by which a function knows what it took for its own time and gives back at its end: a shadow lives as
# long as the block.
_BLOCK = Function(ALLOCATE.name, function_type=ALLOCATE.function_type)


def is_release(call: Call) -> bool:
    """Whether the call ends the life of arena memory."""
    function = call.called_function
    return function is not None and function.name == runtime_calls.RELEASE


def shadow_block(context: SweepContext, copy: PrimalCopy, builder: Builder, call: Call) -> Value:
    """The shadow of the block that `call` takes from the arena."""
    context.uses_arena = True
    arena, size = (copy.value(argument) for argument in call.arguments)
    room = kinds.in_words(context, builder, size)
    shadow = builder.call(_BLOCK, [arena, room], name=f"{call.name}_shadow")
    context.zero_memory(builder, shadow, room)
    kinds.fresh(context, builder, shadow, size)
    return shadow

"""What C gives to `free` and `realloc`, asked before the derivative acts on it.

A derivative finds the header of a block through the shadow of its address. Where no block begins at the address (a variable, the
middle of a block, memory of the caller) there is no header, and what lies in its place is no answer. So the runtime looks for
the mark of a header first (runtime/native/c/releases.c), and ends the call with EM414 where there is none, or where the block was
given back before.

Not here: allocators of the program's own, which may take what they like (own_allocators.py); blocks that carry no derivative: those
are given to the C library as in the program.
"""

from __future__ import annotations

from enzyme_magic.backend.analysis.calls import allocators
from enzyme_magic.backend.autodiff.context import SweepContext
from enzyme_magic.backend.autodiff.memory import shadow_heap
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.instructions import Call
from enzyme_magic.backend.ir.types import I32
from enzyme_magic.backend.ir.values import Value


def check(context: SweepContext, builder: Builder, call: Call, block: Value, shadow: Value) -> None:
    """Write the check of what the library's `call` is given."""
    function = call.called_function
    if function is None or not function.is_declaration or allocators.is_closed(function):
        return
    context.uses_guard = True
    span = context.span_of(call)
    inside = call.parent.parent if call.parent is not None else None
    what = context.text(f"{function.name} in {inside.name}" if inside is not None else function.name)
    file = context.text(span.file if span is not None else context.module.source_filename)
    line = constants.int_constant(I32, span.line if span else 0)
    builder.call(shadow_heap.CHECK_BLOCK, [block, shadow, what, file, line])

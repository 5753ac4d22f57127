"""Around one call of a derivative that asks the run what bytes hold: the table of kinds begins empty, and what is left in it at the
end speaks.

Invariant: whoever calls such a derivative calls `begin` before it and `end` behind it, so that nothing is known of an earlier call,
and no number that was computed with as an integer is passed over. Where the two sweeps are two calls, the first ends with
`interrupt` and the second begins with `resume`: the table lies on the tape in between, where no other derivative comes to it.
What a derivative asks in between is not here (memory/kinds.py).
"""

from __future__ import annotations

from collections.abc import Iterable

from enzyme_magic.backend.autodiff.cache.tape import ALLOCATE
from enzyme_magic.backend.autodiff.context import SweepContext
from enzyme_magic.backend.autodiff.memory import kept_blocks, kinds
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.types import I64, POINTER, FloatType
from enzyme_magic.backend.ir.values import Value

ONE_BY_ONE = "what bytes hold is only known when it runs"  # why several sweeps are not one


def asks(context: SweepContext) -> bool:
    """Whether a derivative of this module asks the run at all."""
    return context.kinds or context.suspects or context.asks_again or context.pieces or context.formats


def begin_again(context: SweepContext, builder: Builder) -> None:
    """The same as `begin` in a derivative that is differentiated again: what the outer one suspects is no concern of the inner."""
    if context.kinds:
        builder.call(kinds.FORGET_MARKS, [])


def end_again(context: SweepContext, builder: Builder) -> None:
    """The same as `end`, in reverse mode."""
    if context.asks:
        _none_stained(context, builder)
    begin_again(context, builder)


def begin(context: SweepContext, builder: Builder) -> None:
    """Nothing is known of shadow memory but what the shadows of statics begin with: they are set already."""
    if asks(context):
        builder.call(kinds.FORGET, [])
    if context.kinds:
        kept_blocks.note_pointers(context, builder)


def interrupt(context: SweepContext, builder: Builder, arena: Value, place: Value) -> None:
    """The forward sweep is done: what is known of shadow memory goes to a block of the arena, its address to `place`."""
    if asks(context):
        block = builder.call(ALLOCATE, [arena, builder.call(kinds.HELD_BYTES, [])])
        builder.call(kinds.HOLD, [block])
        builder.store(block, place)


def resume(context: SweepContext, builder: Builder, place: Value) -> None:
    """The reverse sweep begins; it may do so several times."""
    if asks(context):
        builder.call(kinds.RESUME, [builder.load(POINTER, place)])


def end(context: SweepContext, builder: Builder, tangents: Iterable[Value], *, forward: bool) -> None:
    """The derivative is done. tangents: those it returned, in forward mode."""
    if context.suspects:
        for value in tangents:
            if isinstance(value.type, FloatType):
                kinds.no_suspect(builder, value)
    if context.asks and not forward:
        _none_stained(context, builder)
    if asks(context):
        builder.call(kinds.FORGET, [])


def _none_stained(context: SweepContext, builder: Builder) -> None:
    for shadow in context.shadow_globals.values():
        kinds.wash(context, builder, shadow, constants.int_constant(I64, context.layout.size_of(shadow.value_type)))
    kinds.none_stained(builder)

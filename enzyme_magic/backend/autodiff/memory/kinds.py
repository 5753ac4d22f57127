"""Bytes of which no type tells what they hold: the run says.

A derivative is planned without this first. Where a trial of reverse mode meets a copy whose bytes are doubtful (`doubt`), all of
the derivative is planned again so that whoever writes shadow memory says what is put there: the reverse sweep's loads the
kind of an adjoint, the forward sweep's stores that it is a pointer. Copies of doubtful bytes then move what is marked
(runtime/native/c/kinds.c). Forward mode needs none of it: there a copy of the shadow is right whatever the bytes are.

Invariant: in such a derivative every access to shadow memory goes through here, so that marks are never wrong. Where others write
shadows (registered derivatives that take pointers), `SweepContext.may_doubt` is false and doubt is an error, as it is for numbers
of kinds that have no marks. A derivative that asks the run is differentiated again elsewhere (memory/nested_kinds.py).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from enzyme_magic.backend.analysis.calls.runtime_calls import KINDS
from enzyme_magic.backend.analysis.types.type_tree import Contents, Unknown
from enzyme_magic.backend.autodiff.memory.nested_kinds import CLEAR
from enzyme_magic.backend.autodiff.memory.transfer import elements, smallest_period
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.instructions import Instruction
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import DOUBLE, I1, I32, I64, POINTER, VOID, FloatType, FunctionType, Type
from enzyme_magic.backend.ir.values import Value

if TYPE_CHECKING:
    from enzyme_magic.backend.autodiff.context import SweepContext

PREFIX = KINDS
NUMBERS = {"double": 0x10, "float": 0x20, "x86_fp80": 0x30}
_POINTER = 0x40
WORD = 16  # bytes: no number that has marks is longer (pieces.h looks at the aligned word around an integer)
UNASKED = (
    "only the run could say whether the integer that is computed with here is a number, and it is not asked beside registered"
    " derivatives that take pointers"
)
UNFOLLOWED = (
    "only the run says what these bytes hold, and a derivative that asks it is not differentiated again in reverse mode where C"
    " code asks for it, nor in two calls, nor a third time"
)
UNFOLLOWED_HINT = "differentiate it again in forward mode (em.hvp, em.hessian)"
UNASKED_HINT = "keep numbers and integers in members of their own, and not in a union or one block without a type"


def _function(name: str, result: Type, *parameters: Type) -> Function:
    return Function(PREFIX + name, function_type=FunctionType(result, parameters))


FORGET, FORGET_MARKS = _function("forget", VOID), _function("forget_marks", VOID)
HELD_BYTES, HOLD, RESUME = (
    _function("held_bytes", I64),
    _function("hold", VOID, POINTER),
    _function("resume", VOID, POINTER),
)
_FRESH = _function("fresh", VOID, POINTER, I64)
_NOTE = _function("note", VOID, POINTER, I64, I64, I64, I32)
_MOVE = _function("move", VOID, POINTER, POINTER, I64, POINTER, I32)
_POINTED = _function("pointed", VOID, POINTER, POINTER, I32)
_POINT = _function("point", VOID, POINTER, POINTER, POINTER, I32)
_COPY_POINTERS = _function("copy_pointers", VOID, POINTER, POINTER, I64, POINTER, I32)
_NO_POINTERS = _function("no_pointers", VOID, POINTER, I64, POINTER, I32)
_COPIED = _function("copied", VOID, POINTER, POINTER, I64)
_STAIN = _function("stain", VOID, POINTER, I64, DOUBLE, I1, POINTER, I32)
_PASS_STAIN = _function("pass_stain", VOID, POINTER, I64, POINTER, I64, POINTER, I32)
_WASH = _function("wash", VOID, POINTER, I64)
_WASH_BLOCK = _function("wash_block", VOID, POINTER)
_NONE_STAINED = _function("none_stained", VOID)
_ARE_NUMBERS = _function("are_numbers", VOID, I1, POINTER, I32)
_IN_WORD = _function("in_word", I1, POINTER, I64, I64)
_PIECE = _function("piece", VOID, POINTER, I64, I1)
_INTEGER = _function("integer", VOID, POINTER, I64)
_COPY_PIECES = _function("copy_pieces", VOID, POINTER, POINTER, I64)
_WRITTEN = _function("written", VOID, POINTER, I32)
_READ_AS = _function("read_as", VOID, POINTER, I32, POINTER, I32)
_SUSPECT = _function("suspect", VOID, I1, POINTER, I32)
_NO_SUSPECT = _function("no_suspect", VOID, DOUBLE)


def doubt(context: SweepContext, error: Exception) -> Exception:
    """What to raise where it is not known what bytes hold. Where the run may be asked, that is noted: the derivative is planned
    again, with kinds."""
    context.doubted |= context.may_doubt and not context.kinds
    return error


def question(context: SweepContext, first: Instruction, error: Exception) -> Exception:
    """The same where integers are computed with that may hold numbers; `first` is such an operation."""
    context.questioned |= context.may_doubt and not context.asks
    return error if context.may_doubt else context.fail(first, UNASKED, UNASKED_HINT, "EM224")


def fresh(context: SweepContext, builder: Builder, shadow: Value, size: Value) -> None:
    """Shadow memory begins its life."""
    if context.kinds:
        builder.call(_FRESH, [shadow, size])


def in_words(context: SweepContext, builder: Builder, size: Value) -> Value:
    """Bytes for shadow memory of `size` bytes: where the run looks at the word around an integer, nothing else lies in that."""
    if not context.asks:
        return size
    return builder.and_(builder.add(size, constants.int_constant(I64, WORD - 1)), constants.int_constant(I64, -WORD))


def copied(context: SweepContext, builder: Builder, target: Value, source: Value, size: Value) -> None:
    """All bytes of shadow memory were copied, in the forward sweep."""
    if context.kinds:
        builder.call(_COPIED, [target, source, size])


@dataclass(frozen=True, slots=True, repr=False)
class Marked:
    """Adjoints of loads and stores, with their kinds."""

    context: SweepContext

    @property
    def asks(self) -> bool:
        """Whether it must be known of integers that are computed with whether they are numbers."""
        return self.context.asks

    def add(self, builder: Builder, user: Instruction, place: Value, part: Value) -> None:
        """*place += part."""
        name = _name(self.context, user, part.type)
        function = _function(f"add.{name}", VOID, POINTER, part.type, POINTER, I32)
        builder.call(function, [place, part, *_where(self.context, user)])

    def take(self, builder: Builder, user: Instruction, place: Value, type_: Type) -> Value:
        """The adjoint at a place, which is zero from now on."""
        name = _name(self.context, user, type_)
        function = _function(f"take.{name}", type_, POINTER, POINTER, I32)
        return builder.call(function, [place, *_where(self.context, user)])

    def clear(self, builder: Builder, user: Instruction, place: Value, count: int) -> None:
        """`count` bytes were overwritten by something without a derivative."""
        clear(self.context, builder, user, place, constants.int_constant(I64, count))

    def erase(self, builder: Builder, user: Instruction, place: Value, type_: Type, count: int) -> None:
        """A number was overwritten by an integer without a derivative: this one, where nothing else is known of its bytes."""
        _name(self.context, user, type_)
        size, start = constants.int_constant(I64, count), constants.int_constant(I64, 0)
        builder.call(_NOTE, [place, size, size, start, constants.int_constant(I32, NUMBERS[str(type_)])])
        clear(self.context, builder, user, place, size)

    def pointed(self, builder: Builder, user: Instruction, place: Value) -> None:
        """A pointer was stored, and may have been the bits of a number."""
        builder.call(_POINTED, [place, *_where(self.context, user)])

    def wash(self, builder: Builder, place: Value, count: int) -> None:
        """`count` bytes were written that are no active number."""
        wash(self.context, builder, place, constants.int_constant(I64, count))


def note(context: SweepContext, builder: Builder, memory: Value, length: Value, contents: Contents | Unknown) -> None:
    """What declarations say of memory, for bytes that came from outside of the derivative."""
    if isinstance(contents, Unknown):
        return
    for floats in (True, False):
        chosen = elements(contents.segments, floats=floats)
        if not chosen:
            continue
        whole = max(s.offset + s.size for s in contents.segments)
        chosen, period = smallest_period(chosen, whole if contents.period is None else contents.period)
        for element in chosen:
            kind = NUMBERS.get(str(element.type), 0) if floats else _POINTER
            if kind:
                numbers = [constants.int_constant(I64, period), constants.int_constant(I64, element.offset)]
                builder.call(_NOTE, [memory, length, *numbers, constants.int_constant(I32, kind)])


def note_pointers(builder: Builder, memory: Value, length: Value, period: int) -> None:
    """Every `period` bytes there is a shadow pointer, from the first on, or nothing."""
    numbers = [constants.int_constant(I64, k) for k in (period, 0)]
    builder.call(_NOTE, [memory, length, *numbers, constants.int_constant(I32, _POINTER)])


def move(
    context: SweepContext, builder: Builder, user: Instruction, target: Value, source: Value, length: Value
) -> None:
    """The adjoint of a copy from `source` to `target`."""
    builder.call(_MOVE, [target, source, length, *_where(context, user)])


def clear(context: SweepContext, builder: Builder, user: Instruction, memory: Value, length: Value) -> None:
    """The adjoint of bytes that were overwritten by something without a derivative."""
    builder.call(CLEAR, [memory, length, *_where(context, user)])


def point(context: SweepContext, builder: Builder, user: Instruction, place: Value, shadow: Value) -> None:
    """A shadow pointer is stored in the forward sweep."""
    builder.call(_POINT, [place, shadow, *_where(context, user)])


def no_pointers(context: SweepContext, builder: Builder, user: Instruction, memory: Value, count: Value) -> None:
    """`count` bytes are moved through an integer, where shadow pointers would not come along."""
    builder.call(_NO_POINTERS, [memory, count, *_where(context, user)])


def copy_pointers(
    context: SweepContext, builder: Builder, user: Instruction, target: Value, source: Value, length: Value
) -> None:
    """The shadow pointers among the bytes of a copy go along, in the forward sweep."""
    builder.call(_COPY_POINTERS, [target, source, length, *_where(context, user)])


def stain(
    context: SweepContext,
    builder: Builder,
    user: Instruction,
    slot: Value,
    length: Value,
    part: Value,
    flag: Value | None,
) -> None:
    """An adjoint arrived (unless it is zero, or `flag` is false) where `user` computed with these bytes as with an integer."""
    arrived = constants.TRUE if flag is None else flag
    builder.call(_STAIN, [slot, length, _as_double(builder, part), arrived, *_where(context, user)])


def pass_stain(
    context: SweepContext,
    builder: Builder,
    user: Instruction,
    result: tuple[Value, Value],
    operand: tuple[Value, Value],
) -> None:
    """The same where the result is an integer, too: (memory, length) of its adjoint and of the operand's."""
    builder.call(_PASS_STAIN, [*result, *operand, *_where(context, user)])


def wash(context: SweepContext, builder: Builder, memory: Value, length: Value) -> None:
    """The adjoint of bytes that were overwritten by something that is no active number: whoever computed with them computed with no
    derivative."""
    if context.asks:
        builder.call(_WASH, [memory, length])


def wash_block(context: SweepContext, builder: Builder, shadow: Value) -> None:
    """The same for all of a heap block, where its allocation is reversed."""
    if context.asks:
        builder.call(_WASH_BLOCK, [shadow])


def none_stained(builder: Builder) -> None:
    """The derivative is done: what was computed with and never written came from outside."""
    builder.call(_NONE_STAINED, [])


def are_numbers(context: SweepContext, builder: Builder, user: Instruction, condition: Value) -> None:
    """Forward mode: end the call where `user` computes with the bits of a number."""
    builder.call(_ARE_NUMBERS, [condition, *_where(context, user)])


def in_word(builder: Builder, place: Value, count: int, width: int) -> Value:
    """Forward mode: whether `count` bytes of shadow memory are of a number with a tangent: one in the aligned word of `width` bytes
    around them, or in the rest that was left behind (`piece`)."""
    return builder.call(_IN_WORD, [place, *(constants.int_constant(I64, n) for n in (count, width))])


def piece(context: SweepContext, builder: Builder, place: Value, length: Value, hidden: Value | None = None) -> None:
    """Forward mode: bytes are put somewhere alone. hidden: they are of a number with a tangent, and theirs are zero."""
    if context.asks or context.formats:
        context.pieces |= hidden is not None
        builder.call(_PIECE, [place, length, hidden or constants.int_constant(I1, 0)])


def integer(context: SweepContext, builder: Builder, place: Value, length: Value) -> None:
    """Forward mode: an integer without a tangent is stored."""
    if context.asks:
        builder.call(_INTEGER, [place, length])
    else:
        piece(context, builder, place, length)


def copy_pieces(context: SweepContext, builder: Builder, target: Value, source: Value, length: Value) -> None:
    """Forward mode: the same of bytes that are copied."""
    if context.asks or context.formats:
        builder.call(_COPY_PIECES, [target, source, length])


def written(context: SweepContext, builder: Builder, place: Value, type_: Type) -> None:
    """Forward mode: the tangent of a number is stored."""
    if context.formats and are_marked([type_]):
        builder.call(_WRITTEN, [place, constants.int_constant(I32, NUMBERS[str(type_)])])


def read_as(context: SweepContext, builder: Builder, user: Instruction, place: Value, type_: Type) -> None:
    """Forward mode: end the call where a tangent is read that is one of a number of another format."""
    if context.formats and are_marked([type_]):
        kind = constants.int_constant(I32, NUMBERS[str(type_)])
        builder.call(_READ_AS, [place, kind, *_where(context, user)])


def suspect(context: SweepContext, builder: Builder, user: Instruction, condition: Value) -> None:
    """Forward mode: the same where it is not known whether anybody wants the result, whose tangent is NaN then."""
    context.suspects = True
    builder.call(_SUSPECT, [condition, *_where(context, user)])


def no_suspect(builder: Builder, tangent: Value) -> None:
    """Forward mode: end the call where a tangent of the result is NaN for that."""
    builder.call(_NO_SUSPECT, [_as_double(builder, tangent)])


def _as_double(builder: Builder, value: Value) -> Value:
    narrow = str(value.type) in ("half", "bfloat", "float")
    return value if value.type == DOUBLE else builder.cast("fpext" if narrow else "fptrunc", value, DOUBLE)


def are_marked(types: Iterable[Type]) -> bool:
    """Whether there are marks for all of these numbers."""
    return all(isinstance(type_, FloatType) and type_.kind in NUMBERS for type_ in types)


def _name(context: SweepContext, user: Instruction, type_: Type) -> str:
    if not are_marked([type_]):
        what = f"bytes of the program are of unknown kind, and there are no marks for a {type_}"
        raise context.fail(user, what, "copy through pointers of the element type", "EM224")
    return str(type_)


def _where(context: SweepContext, user: Instruction) -> list[Value]:
    span = context.span_of(user)
    context.uses_guard = True
    file = context.text(span.file if span is not None else context.module.source_filename)
    return [file, constants.int_constant(I32, span.line if span else 0)]

"""Adjoints of memory that is moved as a block: memcpy, memmove, memset, realloc.

For a move dst ← src of floating data:  t = dst'; dst' = 0; src' += t.  What the bytes are comes from the type
analysis; pointers among them were mirrored in the forward sweep and have no adjoint, integers have none either.
Blocks of a constant size are written out element by element, others as one loop per floating kind, in a function of
the derivative module that LLVM can inline and vectorize.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from enzyme_magic.backend.analysis.types.type_tree import BYTES, Contents, Segment
from enzyme_magic.backend.autodiff.context import SweepContext
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.attributes import EMPTY
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import I8, I64, POINTER, VOID, FloatType, FunctionType, Type
from enzyme_magic.backend.ir.values import Argument, Block, Value

ADD, ZERO, COPY = "add", "zero", "copy"
STEP = {"x86_fp80": 16, "fp128": 16}


@dataclass(frozen=True, slots=True)
class Element:
    """One scalar of a period."""

    offset: int
    type: Type


def elements(segments: Sequence[Segment], *, floats: bool) -> tuple[Element, ...]:
    """The floating elements of segments, or the pointers."""
    found: list[Element] = []
    for segment in segments:
        if floats and segment.kind.is_float:
            size = STEP.get(segment.kind.kind, BYTES[segment.kind.kind])
            type_: Type = FloatType(segment.kind.kind)
        elif not floats and segment.kind.word == "Pointer":
            size, type_ = 8, POINTER
        else:
            continue
        found += [Element(segment.offset + at, type_) for at in range(0, segment.size, size)]
    return tuple(found)


def write(
    context: SweepContext,
    builder: Builder,
    operation: str,
    target: Value,
    source: Value | None,
    length: Value,
    contents: Contents,
) -> None:
    """ADD: source += target, then target = 0 (adjoint of a move from source to target). ZERO: target = 0. COPY:
    target = source, for pointers. `length` in bytes."""
    chosen = elements(contents.segments, floats=operation != COPY)
    if not chosen:
        return
    whole = max(s.offset + s.size for s in contents.segments)
    chosen, period = smallest_period(chosen, whole if contents.period is None else contents.period)
    function = _loop(context, operation, chosen, period)
    builder.call(function, [target, source if source is not None else target, length])


def smallest_period(chosen: tuple[Element, ...], period: int) -> tuple[tuple[Element, ...], int]:
    """The same elements with the shortest pattern: eight doubles in a row are one double, eight times."""
    for count in range(len(chosen), 1, -1):
        if len(chosen) % count or period % count:
            continue
        short, first = period // count, chosen[: len(chosen) // count]
        repeated = [Element(e.offset + k * short, e.type) for k in range(count) for e in first]
        if repeated == list(chosen):
            return first, short
    return chosen, period


def _loop(context: SweepContext, operation: str, chosen: tuple[Element, ...], period: int) -> Function:
    shape = ".".join(f"{e.offset}{_short(e.type)}" for e in chosen)
    name = f"em.transfer.{operation}.{period}.{shape}"
    known = context.module.functions.get(name)
    return known if known is not None else _write_loop(context, name, operation, chosen, period)


def _short(type_: Type) -> str:
    return "p" if type_ == POINTER else str(type_)[0] + str(type_)[-1]


def _write_loop(context: SweepContext, name: str, operation: str, chosen: tuple[Element, ...], period: int) -> Function:
    """for (at = 0; at + period <= length; at += period) …, then those elements of the last period that lie inside."""
    arguments = [
        Argument(POINTER, "target", EMPTY, 0),
        Argument(POINTER, "source", EMPTY, 1),
        Argument(I64, "length", EMPTY, 2),
    ]
    function = Function(
        name, linkage="internal", function_type=FunctionType(VOID, (POINTER, POINTER, I64)), arguments=arguments
    )
    context.module.add(function)
    entry, body, rest = (Block(label, parent=function) for label in ("entry", "body", "rest"))
    function.blocks += [entry, body, rest]
    target, source, length = arguments
    builder = Builder(entry)
    step = constants.int_constant(I64, period)
    builder.cond_br(builder.icmp("uge", length, step), body, rest)
    builder = Builder(body)
    at = builder.phi(I64, name="at")
    for element in chosen:
        _element(builder, operation, target, source, at, element)
    following = builder.add(at, step)
    more = builder.icmp("ule", builder.add(following, step), length)
    builder.cond_br(more, body, rest)
    zero = constants.int_constant(I64, 0)
    builder.add_incoming(at, zero, entry)
    builder.add_incoming(at, following, body)
    tail = Builder(rest)
    left = tail.phi(I64, name="left")
    tail.add_incoming(left, zero, entry)
    tail.add_incoming(left, following, body)
    for element in chosen if len(chosen) > 1 else ():
        _tail(function, tail, operation, (target, source, length), left, element)
    tail.ret()
    return function


def _tail(
    function: Function,
    builder: Builder,
    operation: str,
    memory: tuple[Value, Value, Value],
    at: Value,
    element: Element,
) -> None:
    """One element of an incomplete period, if it lies inside. The builder goes on behind it."""
    target, source, length = memory
    inside, behind = Block(f"element.{element.offset}", parent=function), Block("behind", parent=function)
    function.blocks += [inside, behind]
    size = 8 if element.type == POINTER else BYTES[str(element.type)]
    end = builder.add(at, constants.int_constant(I64, element.offset + size))
    builder.cond_br(builder.icmp("ule", end, length), inside, behind)
    within = Builder(inside)
    _element(within, operation, target, source, at, element)
    within.br(behind)
    builder.position(behind)


def _element(builder: Builder, operation: str, target: Value, source: Value, at: Value, element: Element) -> None:
    here = builder.add(at, constants.int_constant(I64, element.offset)) if element.offset else at
    to = builder.gep(I8, target, [here])
    if operation == COPY:
        builder.store(builder.load(element.type, builder.gep(I8, source, [here]), align=1), to, align=1)
        return
    align = BYTES[str(element.type)] if str(element.type) in ("float", "double") else 1
    part = builder.load(element.type, to, align=align) if operation == ADD else None
    builder.store(constants.zero(element.type), to, align=align)
    if part is not None:
        origin = builder.gep(I8, source, [here])
        sum_ = builder.fadd(builder.load(element.type, origin, align=align), part, flags=("nsz",))
        builder.store(sum_, origin, align=align)

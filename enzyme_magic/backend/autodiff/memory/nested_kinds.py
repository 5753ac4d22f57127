"""Kinds of bytes inside a function that is differentiated: an inner derivative asks the run what its shadow memory holds.

What is done with shadow memory is linear in the adjoints that lie there, so the tangent of a call is the same call on tangents.
They lie in memory of their own, which has marks of its own: a tangent says itself what it is, as an adjoint does. Stains too: what
arrives as a tangent where the program computed with an integer is as lost as an adjoint would be.

In reverse mode the forward sweep does with shadow pointers and blocks what the call does (`prepare`); the reverse sweep what is
transposed to it (`Transposed`, runtime/native/c/again.h): adjoints of adjoints go where the program's numbers went. Which bytes
the inner derivative moved then need not be known: what was moved is zero where the program's bytes were no number.

Invariant: the marks of both live in one table, so an inner derivative's `forget_marks` is left out where it is differentiated in
reverse mode. A request of C code that is differentiated so would need a table for each; `SweepContext.forgets` tells of it, and it
is refused. Not here: what `Transposed` calls, differentiated once more.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from enzyme_magic.backend.analysis.calls.runtime_calls import (
    KINDS,
    addresses_on_kinds,
    knows_kinds,
    operation_on_kinds,
)
from enzyme_magic.backend.autodiff.sweeps.adjoint_writer import mask
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.instructions import Call, Instruction
from enzyme_magic.backend.ir.module import Function, GlobalVariable
from enzyme_magic.backend.ir.types import I32, I64, POINTER, VOID, FloatType, FunctionType, Type
from enzyme_magic.backend.ir.values import ConstantInt, ConstantString, Value
from enzyme_magic.errors import Span

if TYPE_CHECKING:
    from enzyme_magic.backend.autodiff.calls.calls import Calls
    from enzyme_magic.backend.autodiff.calls.forward_calls import ForwardCalls
    from enzyme_magic.backend.autodiff.subject import Subject

CLEAR = Function(f"{KINDS}clear", function_type=FunctionType(VOID, (POINTER, I64, POINTER, I32)))
_POINTERS = ("copy_pointers", "point")  # what is done with pointers
_OF_BLOCKS = ("fresh", "note", "copied")  # with whatever lies there


def operation(call: Call) -> str:
    """What the call does; "" where it asks for no kinds."""
    name = getattr(call.callee, "name", "")
    return operation_on_kinds(name) if name.startswith(KINDS) else ""


def is_known(call: Call) -> bool:
    """Whether it is known what the call does. A table that lies on a tape between two calls is not followed."""
    return knows_kinds(getattr(call.callee, "name", ""))


def memory_of(call: Call) -> list[Value]:
    """The pointers to the memory whose kinds it knows."""
    return [call.arguments[k] for k in _places(call)]


def _places(call: Call) -> tuple[int, ...]:
    return addresses_on_kinds(getattr(call.callee, "name", ""))


def near(span_of: Callable[[Instruction], Span | None]) -> Callable[[Instruction], Span | None]:
    """The same for generated code, too: what has no place in the C text takes the place that an inner derivative gave to a call
    of these, the last one before it if there is one."""

    def place(instruction: Instruction) -> Span | None:
        return span_of(instruction) or next(_places_near(instruction), None)

    return place


def _places_near(instruction: Instruction) -> Iterator[Span]:
    block = instruction.parent
    if block is None or block.parent is None:
        return
    at = block.instructions.index(instruction)
    before = reversed(block.instructions[: at + 1])
    for other in itertools.chain(before, block.parent.instructions()):
        span = _span_told(other)
        if span is not None:
            yield span


def _span_told(instruction: Instruction) -> Span | None:
    if not isinstance(instruction, Call) or not operation(instruction) or len(instruction.arguments) < 2:
        return None
    file, line = instruction.arguments[-2:]
    text = file.initializer if isinstance(file, GlobalVariable) else None
    if not isinstance(text, ConstantString) or not isinstance(line, ConstantInt) or not line.unsigned:
        return None
    return Span(text.data.rstrip(b"\0").decode(), line.unsigned)


def asks_of_pointer(call: Instruction) -> bool:
    """Whether it ends the call where a number was stored as a pointer. It sees that by the adjoint, which may be zero where its
    derivative is not; nothing says where the number came from."""
    return isinstance(call, Call) and operation(call) == "pointed"


def copies_pointers(subject: Subject, call: Call) -> bool:
    """Whether it copies shadows of pointers that are needed, so that where they come from must hold them."""
    return operation(call) == "copy_pointers" and subject.leads_to_active(call.arguments[0])


def write(forward: ForwardCalls, call: Call) -> None:
    """What the call does to tangents."""
    done, places = operation(call), _places(call)
    if done in _POINTERS:
        if forward.subject.leads_to_active(call.arguments[0]):
            _repeat(forward, call, (0, 1))
        return
    there = forward.kinds.matters if done in _OF_BLOCKS else forward.kinds.carries
    if all(there(call.arguments[k]) for k in places):
        _repeat(forward, call, places)
    elif done == "move" and there(call.arguments[0]):
        _clear(forward, call)


def prepare(calls: Calls, call: Call, kind: str) -> None:
    """Reverse mode, the forward sweep: pointers and blocks. kind: what the call is to differentiation (calls/call_kinds.py)."""
    done, places, context = operation(call), _places(call), calls.context
    context.forgets |= done == "forget"
    context.asks_again |= done == "forget_marks" or kind != "plain"
    if done == "forget_marks":
        calls.copy.replace(call, None)
    elif done in _POINTERS and calls.subject.leads_to_active(call.arguments[0]):
        _on_shadows(calls, call, (0, 1))
    elif done in (*_OF_BLOCKS, "no_pointers") and all(map(calls.kinds.matters, memory_of(call))):
        _on_shadows(calls, call, places)


def _on_shadows(calls: Calls, call: Call, places: tuple[int, ...]) -> None:
    values = [
        calls.copy.shadows.of(argument) if k in places else calls.copy.value(argument)
        for k, argument in enumerate(call.arguments)
    ]
    assert call.called_function is not None
    calls.copy.after(call).call(calls.context.declared(call.called_function.name, call.function_type), values)


@dataclass(frozen=True, slots=True, repr=False)
class Transposed:
    """Reverse mode, the reverse sweep: one call."""

    calls: Calls
    builder: Builder
    made: Call

    def write(self) -> None:
        """What is transposed to the call."""
        there = [self.calls.kinds.carries(pointer) for pointer in memory_of(self.made)]
        if there and there[0]:
            getattr(self, f"_{operation(self.made)}", lambda _: None)(all(there))

    def _add(self, _: bool) -> None:
        part = self.made.arguments[1]
        if self.calls.subject.activity.active(part):
            read = self._call(f"read.{part.type}", part.type, [self._shadow(0)])
            self.calls.adjoints.add(self.builder, part, (), read, None)

    def _take(self, _: bool) -> None:
        seed: Value = constants.zero(self.made.type)
        if self.calls.subject.activity.active(self.made):
            parts = self.calls.adjoints.take(self.builder, self.made)
            flags = self.calls.adjoints.flags(self.builder, self.made, parts)
            seed = parts.get((), seed)
            seed = mask(self.builder, flags[()], seed) if () in flags else seed
        self._call(f"set.{seed.type}", VOID, [self._shadow(0), seed])

    def _move(self, whole: bool) -> None:
        target, length = self._shadow(0), self._primal(2)
        if whole:
            self._call("forth", VOID, [target, self._shadow(1), length])
        else:
            self._nothing(target, length)

    def _clear(self, _: bool) -> None:
        self._nothing(self._shadow(0), self._primal(1))

    _fresh = _clear

    def _stain(self, _: bool) -> None:
        self._call("no_number", VOID, [self._shadow(0), self._primal(1), self._primal(3)])

    def _pass_stain(self, whole: bool) -> None:
        result, length = self._shadow(0), self._primal(1)
        if whole:
            self._call("pass_on", VOID, [result, length, self._shadow(2), self._primal(3)])

    def _wash(self, _: bool) -> None:
        self._raw("wash", VOID, [self._shadow(0), self._primal(1)])

    def _nothing(self, memory: Value, length: Value) -> None:
        self._raw("nothing", VOID, [memory, length])

    def _shadow(self, k: int) -> Value:
        return self.calls.primals.shadow(self.builder, self.made.arguments[k])

    def _primal(self, k: int) -> Value:
        return self.calls.primals.primal(self.builder, self.made.arguments[k])

    def _call(self, name: str, result: Type, values: list[Value]) -> Value:
        return self._raw(name, result, [*values, *map(self.calls.copy.value, self.made.arguments[-2:])])

    def _raw(self, name: str, result: Type, values: list[Value]) -> Value:
        function = self.calls.context.declared(KINDS + name, FunctionType(result, tuple(v.type for v in values)))
        return self.builder.call(function, values)


def _repeat(forward: ForwardCalls, call: Call, places: tuple[int, ...]) -> None:
    """The same call on tangents; none where it would be given a number that is zero."""
    arguments = [forward.copy.value(argument) for argument in call.arguments]
    for k, argument in enumerate(call.arguments):
        if isinstance(argument.type, FloatType):
            tangent = forward.tangent(argument, ())
            if tangent is None:
                return
            arguments[k] = tangent
        elif k in places:
            arguments[k] = forward.copy.shadows.of(argument)
    assert call.called_function is not None
    function = forward.context.declared(call.called_function.name, call.function_type)
    result = forward.copy.after(call).call(function, arguments)
    if isinstance(call.type, FloatType):
        forward.set_tangent(call, (), result)


def _clear(forward: ForwardCalls, call: Call) -> None:
    """Tangents are moved to where none are kept."""
    target, _, *rest = call.arguments
    arguments = [forward.copy.shadows.of(target), *map(forward.copy.value, rest)]
    forward.copy.after(call).call(CLEAR, arguments)

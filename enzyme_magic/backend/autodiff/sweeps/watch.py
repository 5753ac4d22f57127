"""A derivative that tells what it does: values of the forward sweep, adjoints, what is put on the tape and read from it.

Invariant: watching adds calls of a recorder and nothing else: arithmetic and cache plan are those of the same derivative without.
Events go to a room of fixed size outside the module; what no longer fits is counted and not kept. Only the function that was asked
for is watched, not what it calls; where it calls itself, `ENTER` and `LEAVE` say how deep one is.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass

from enzyme_magic.backend.analysis.derivatives.recompute import Need
from enzyme_magic.backend.autodiff.calls.request import COMBINED, FunctionRequest
from enzyme_magic.backend.autodiff.sweeps.leaves import Path
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.instructions import Instruction, Load, Store
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import DOUBLE, I1, I64, VOID, FloatType, FunctionType, IntType, PointerType, Type
from enzyme_magic.backend.ir.values import Argument, Value

ENTER, VALUE, PUSH, READ, STEP, TAKE, ADD, LEAVE = range(8)
KINDS = 8
ROOM = 4000  # events
RECORD = FunctionType(VOID, (I64, I64, I64))
NAME = "em.watch"
_ZERO = constants.int_constant(I64, 0)
_WIDTHS = {"half": 16, "bfloat": 16, "float": 32, "double": 64}


@dataclass(frozen=True, slots=True)
class WatchEvent:
    """`subject`: a prepared value or a need. `place`: the address that is read or written, the frame on the tape, or the lane of an
    adjoint. `number`: a float for floating values, an int for others."""

    kind: int
    subject: Value | Need | None
    place: int
    number: float | int


class Watch:
    """The recorder of one derivative: asked by the writers to emit its calls, and afterwards for the events of a call."""

    def __init__(self, function: str) -> None:
        self.function = function
        self._subjects: list[tuple[Value | Need | None, Type]] = []
        self._known: dict[tuple[Value | Need | None, str], int] = {}
        self._record = Function(NAME, function_type=RECORD)
        self._memory = (ctypes.c_int64 * (1 + 3 * ROOM))()

    def wants(self, request: FunctionRequest) -> bool:
        return request.mode == COMBINED and request.function == self.function

    # Emitting

    def entered(self, builder: Builder, arguments: list[tuple[Argument, Value]]) -> None:
        """At the start of the function, with what the prepared arguments are there."""
        self._emit(builder, ENTER, None, _ZERO, _ZERO)
        for argument, value in arguments:
            self._emit(builder, VALUE, argument, _ZERO, value)

    def left(self, builder: Builder) -> None:
        self._emit(builder, LEAVE, None, _ZERO, _ZERO)

    def computed(self, builder: Builder, instruction: Instruction, copy: Value, value_of: dict[Value, Value]) -> None:
        """`copy` of a prepared instruction has run. Addresses are not told."""
        if isinstance(copy.type, PointerType):
            return
        place: Value = _ZERO
        if isinstance(instruction, (Load, Store)):
            place = builder.ptrtoint(value_of.get(instruction.pointer, instruction.pointer), I64)
        value = value_of.get(instruction.value, instruction.value) if isinstance(instruction, Store) else copy
        self._emit(builder, VALUE, instruction, place, value)

    def pushed(self, builder: Builder, need: Need, frame: Value, value: Value) -> None:
        self._emit(builder, PUSH, need, frame, value)

    def read(self, builder: Builder, need: Need, frame: Value, value: Value) -> None:
        self._emit(builder, READ, need, frame, value)

    def step(self, builder: Builder, instruction: Instruction | None) -> None:
        """The reverse sweep arrives at an instruction; None: at its end, where adjoints become gradients."""
        self._emit(builder, STEP, instruction, _ZERO, _ZERO)

    def taken(self, builder: Builder, value: Value, path: Path, part: Value, flag: Value | None) -> None:
        """The adjoint that was collected for `value`."""
        self._emit(builder, TAKE, value, _lane(path), _masked(builder, part, flag))

    def added(self, builder: Builder, value: Value, path: Path, part: Value, flag: Value | None) -> None:
        """A contribution to the adjoint of `value`."""
        self._emit(builder, ADD, value, _lane(path), _masked(builder, part, flag))

    def _emit(self, builder: Builder, kind: int, subject: Value | Need | None, place: Value, value: Value) -> None:
        bits = _bits(builder, value)
        if bits is None:
            if kind == VALUE:
                return
            bits = _ZERO
        key = (subject, str(value.type))
        number = self._known.get(key)
        if number is None:
            number = self._known[key] = len(self._subjects)
            self._subjects.append((subject, value.type))
        what = constants.int_constant(I64, number * KINDS + kind)
        builder.call(self._record, [what, place, bits])

    # What the module needs, and what a call told

    def support(self) -> str:
        """The recorder as LLVM text. It holds an address of this process: code with it is not to be kept."""
        address = ctypes.addressof(self._memory)
        return f"""
define void @{NAME}(i64 %what, i64 %place, i64 %bits) noinline nounwind {{
  %count = load i64, ptr inttoptr (i64 {address} to ptr)
  %next = add i64 %count, 1
  store i64 %next, ptr inttoptr (i64 {address} to ptr)
  %fits = icmp ult i64 %count, {ROOM}
  br i1 %fits, label %keep, label %done
keep:
  %record = getelementptr [3 x i64], ptr inttoptr (i64 {address + 8} to ptr), i64 %count
  store i64 %what, ptr %record
  %second = getelementptr i64, ptr %record, i64 1
  store i64 %place, ptr %second
  %third = getelementptr i64, ptr %record, i64 2
  store i64 %bits, ptr %third
  br label %done
done:
  ret void
}}
"""

    def clear(self) -> None:
        self._memory[0] = 0

    @property
    def count(self) -> int:
        """Events of the last call; more than ROOM are not kept."""
        return int(self._memory[0])

    def events(self) -> Iterator[WatchEvent]:
        for k in range(min(self.count, ROOM)):
            what, place, bits = self._memory[1 + 3 * k : 4 + 3 * k]
            number, kind = divmod(what, KINDS)
            subject, type_ = self._subjects[number]
            yield WatchEvent(kind, subject, place, _number(bits, type_))


def _lane(path: Path) -> Value:
    return constants.int_constant(I64, path[-1] if path else 0)


def _masked(builder: Builder, part: Value, flag: Value | None) -> Value:
    return part if flag is None else builder.select(flag, part, constants.zero(part.type))


def _bits(builder: Builder, value: Value) -> Value | None:
    """The value as 64 bits: floats as a double; None for what has no number."""
    type_ = value.type
    if isinstance(type_, PointerType):
        return builder.ptrtoint(value, I64)
    if isinstance(type_, IntType):
        if type_ == I64:
            return value
        if type_.bits > I64.bits:
            return builder.trunc(value, I64)
        return builder.zext(value, I64) if type_ == I1 else builder.sext(value, I64)
    if isinstance(type_, FloatType):
        if type_ != DOUBLE:
            value = builder.fpext(value, DOUBLE) if str(type_) in _WIDTHS else builder.fptrunc(value, DOUBLE)
        return builder.bitcast(value, I64)
    return None


def _number(bits: int, type_: Type) -> float | int:
    return ctypes.c_double.from_buffer_copy(ctypes.c_int64(bits)).value if isinstance(type_, FloatType) else bits

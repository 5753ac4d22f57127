"""A derivative that counts what it keeps: bytes put on the tape, by function and value, and the most at once.

Invariant: counting adds calls of a counter and nothing else: arithmetic, cache plan and layout of the tape are those of the same
derivative without. What is counted are the values and frames themselves; the arena rounds blocks up and lets arrays of unknown
length grow by doubling, which its own statistics tell.

A combined function gives back what it took when it ends, and so does the count: what called functions keep in the reverse sweep
adds up to the most of them, not to their sum.

The order of all this is written down, with a mark for each block that the reverse sweep runs through, in a room of fixed size
outside the module; what no longer fits is counted and not kept.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from enzyme_magic.backend.analysis.derivatives.recompute import Need
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import I64, VOID, FunctionType
from enzyme_magic.backend.ir.values import Value

KEEP = FunctionType(VOID, (I64, I64))
LIVE = FunctionType(I64, ())
BACK = FunctionType(VOID, (I64,))
STEP = FunctionType(VOID, ())
NAME = "em.meter"
ROOM = 1 << 20  # events
KEPT: Final = "kept"
RETURNED: Final = "returned"
STEPPED: Final = "stepped"
_SHIFT = 44  # of an event's kind and number; its bytes are below
_RETURNED, _STEPPED = (1 << 19) - 1, (1 << 19) - 2
_HEAD = 2  # words before the counters: bytes kept now, the most there were


@dataclass(frozen=True, slots=True)
class Reading:
    """Bytes that a call put on the tape for one value of one function; `need` None: the frame of the function."""

    function: str
    need: Need | None
    bytes: int


@dataclass(frozen=True, slots=True)
class MeterEvent:
    """One moment of a call. kind: KEPT bytes for a value of a function, RETURNED to so many bytes kept, STEPPED into a block of the
    reverse sweep."""

    kind: Literal["kept", "returned", "stepped"]
    function: str
    bytes: int


class Meter:
    """The counter of one derivative: asked by the writers to emit its calls, and afterwards for what a call kept."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, Need | None], int] = {}
        self._memory: ctypes.Array[ctypes.c_int64] = (ctypes.c_int64 * _HEAD)()
        self._keep = Function(NAME, function_type=KEEP)
        self._live = Function(f"{NAME}.live", function_type=LIVE)
        self._back = Function(f"{NAME}.back", function_type=BACK)
        self._step = Function(f"{NAME}.step", function_type=STEP)
        self._log: ctypes.Array[ctypes.c_int64] = (ctypes.c_int64 * 1)()

    def keeps(self, builder: Builder, function: str, need: Need | None, size: Value) -> None:
        """`size` bytes are kept from here on."""
        number = self._numbers.setdefault((function, need), len(self._numbers))
        builder.call(self._keep, [constants.int_constant(I64, number), size])

    def live(self, builder: Builder) -> Value:
        """Bytes kept now."""
        return builder.call(self._live, [])

    def back(self, builder: Builder, live: Value) -> None:
        """What was kept since `live` is given back."""
        builder.call(self._back, [live])

    def steps(self, builder: Builder) -> None:
        """A block of the reverse sweep runs."""
        builder.call(self._step, [])

    def support(self) -> str:
        """The counter as LLVM text. It holds an address of this process: code with it is not to be kept."""
        self._memory = (ctypes.c_int64 * (_HEAD + len(self._numbers)))()
        self._log = (ctypes.c_int64 * (1 + ROOM))()
        address = ctypes.addressof(self._memory)
        now, most = f"inttoptr (i64 {address} to ptr)", f"inttoptr (i64 {address + 8} to ptr)"
        log = f"inttoptr (i64 {ctypes.addressof(self._log)} to ptr)"
        return f"""
define void @{NAME}(i64 %number, i64 %bytes) noinline nounwind {{
  %place = getelementptr i64, ptr inttoptr (i64 {address + 8 * _HEAD} to ptr), i64 %number
  %had = load i64, ptr %place
  %has = add i64 %had, %bytes
  store i64 %has, ptr %place
  %before = load i64, ptr {now}
  %after = add i64 %before, %bytes
  store i64 %after, ptr {now}
  %most = load i64, ptr {most}
  %more = icmp ugt i64 %after, %most
  %highest = select i1 %more, i64 %after, i64 %most
  store i64 %highest, ptr {most}
  %kind = shl i64 %number, {_SHIFT}
  %event = or i64 %kind, %bytes
  call void @{NAME}.log(i64 %event)
  ret void
}}
define internal void @{NAME}.log(i64 %event) noinline nounwind {{
  %count = load i64, ptr {log}
  %next = add i64 %count, 1
  store i64 %next, ptr {log}
  %fits = icmp ule i64 %next, {ROOM}
  br i1 %fits, label %keep, label %done
keep:
  %place = getelementptr i64, ptr {log}, i64 %next
  store i64 %event, ptr %place
  br label %done
done:
  ret void
}}
define void @{NAME}.step() noinline nounwind {{
  call void @{NAME}.log(i64 {_STEPPED << _SHIFT})
  ret void
}}
define i64 @{NAME}.live() noinline nounwind {{
  %live = load volatile i64, ptr {now}
  ret i64 %live
}}
define void @{NAME}.back(i64 %live) noinline nounwind {{
  store volatile i64 %live, ptr {now}
  %event = or i64 %live, {_RETURNED << _SHIFT}
  call void @{NAME}.log(i64 %event)
  ret void
}}
"""

    def clear(self) -> None:
        ctypes.memset(ctypes.addressof(self._memory), 0, ctypes.sizeof(self._memory))
        self._log[0] = 0

    @property
    def most(self) -> int:
        """The most bytes that were kept at once in the last call."""
        return int(self._memory[1])

    @property
    def happened(self) -> int:
        """Events of the last call; more than ROOM are not kept."""
        return int(self._log[0])

    def events(self) -> Iterator[MeterEvent]:
        """In order, as far as they were kept."""
        functions = [function for function, _ in self._numbers]
        below = (1 << _SHIFT) - 1
        for event in self._log[1 : 1 + min(self.happened, ROOM)]:
            number, size = event >> _SHIFT, event & below
            if number == _RETURNED:
                yield MeterEvent(RETURNED, "", size)
            elif number == _STEPPED:
                yield MeterEvent(STEPPED, "", 0)
            else:
                yield MeterEvent(KEPT, functions[number], size)

    def readings(self) -> tuple[Reading, ...]:
        """By function and value, in the order in which they were written; what kept nothing is left out."""
        return tuple(
            Reading(function, need, int(self._memory[_HEAD + number]))
            for (function, need), number in self._numbers.items()
            if self._memory[_HEAD + number]
        )

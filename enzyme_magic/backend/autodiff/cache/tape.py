"""Where the forward sweep keeps what the reverse sweep cannot recompute.

Layout: each stored value of a loop has an array of its own, indexed by *frame*: the number of iterations that loop
has run in this call, `base + counter`, where `base` counts the iterations of earlier visits of the loop. The forward
sweep runs the frames up, the reverse sweep runs them down, so nests of any shape (triangular, data-dependent, zero
trips) need no pointers to arrays. Arrays lie in the thread's arena, grow by doubling, and are released together when
the function returns. Capacity is reserved before an outermost loop whose trip count is known there, otherwise checked
in each iteration. Where a whole nest of loops is counted before it starts, room for all of it is made there, so that nothing grows
later; that is an estimate, and each visit of a loop checks.

What comes out the same in each iteration of a loop around (`analysis/derivatives/repeats.py`) is kept once for all of them: there
the frames start again, so each iteration writes where the one before wrote, the same values, and reads there (restarts.py). Values
of one loop that repeat in different loops have frames of their own.

Values outside loops need no tape where one function holds both sweeps: they keep a stack slot, which LLVM promotes.
Booleans take a byte. This file writes what `analysis/derivatives/cache_plan.py` decided.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from enzyme_magic.backend.analysis.calls import runtime_calls
from enzyme_magic.backend.analysis.derivatives.cache_plan import CachePlan, element_size
from enzyme_magic.backend.analysis.derivatives.recompute import PRIMAL, Need
from enzyme_magic.backend.analysis.memory import tbaa
from enzyme_magic.backend.autodiff.cache.kept_apart import KeptApart
from enzyme_magic.backend.autodiff.cache.meter import Meter
from enzyme_magic.backend.autodiff.cache.restarts import Restarts, new_slot
from enzyme_magic.backend.autodiff.sweeps.insertions import Insertions
from enzyme_magic.backend.autodiff.sweeps.watch import Watch
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.attributes import EMPTY, Attribute, AttributeSet
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.graphs.loops import Loop
from enzyme_magic.backend.ir.instructions import Alloca, Instruction, Load, Store
from enzyme_magic.backend.ir.layout import DataLayout, scalars
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import I1, I8, I64, POINTER, VOID, ArrayType, FloatType, FunctionType, Type
from enzyme_magic.backend.ir.values import Block, Value
from enzyme_magic.backend.prepare.prepared import Prepared

# Written in C: runtime/native/c/tape.c and arena.c.
ALLOCATE = Function("em.allocate", function_type=FunctionType(POINTER, (POINTER, I64)))
MARK = Function("em.mark", function_type=FunctionType(POINTER, (POINTER,)))
RELEASE = Function("em.release", function_type=FunctionType(VOID, (POINTER, POINTER)))
RESERVE = Function(runtime_calls.RESERVE, function_type=FunctionType(VOID, (POINTER, POINTER, POINTER, I64, I64, I64)))
ZERO, ONE = constants.int_constant(I64, 0), constants.int_constant(I64, 1)
SMALLEST = 16  # elements of the first array of a loop of unknown length


def of_variable(alloca: Alloca, layout: DataLayout) -> AttributeSet:
    """What is noted at a call of ALLOCATE that takes the place of a stack variable with floating numbers: that it is no tape, and
    what it holds (runtime_calls.described)."""
    type_ = alloca.allocated_type
    while isinstance(type_, ArrayType):
        type_ = type_.element
    parts = scalars(layout, type_)
    if not any(isinstance(part, FloatType) for _, part in parts):
        return EMPTY
    told = runtime_calls.described(layout.size_of(type_), parts)
    return AttributeSet((Attribute(runtime_calls.DATA, told, quoted=True),))


class Hands(Protocol):
    """What `hand_over` needs of a frame (bridge.Frame)."""

    def field(self, type_: Type) -> int: ...

    def save(self, builder: Builder, value: Value, offset: int, integer: bool) -> None: ...

    def load(self, builder: Builder, type_: Type, offset: int, integer: bool) -> Value: ...


@dataclass(slots=True, eq=False, repr=False)
class TapeSlot:
    """One stored value of a loop."""

    need: Need
    type: Type
    size: int
    data: Alloca
    capacity: Alloca
    reverse_data: Alloca


@dataclass(slots=True, eq=False, repr=False)
class LoopTape:
    """The stored values of one loop that repeat in the same loops around it. `cursor` is the next frame; `base` the first frame of
    the current visit. What the reverse sweep uses are the same stack slots in a combined function, and its own in a reverse
    function."""

    loop: Loop
    restarts: Restarts
    cursor: Alloca
    base: Alloca
    reverse_cursor: Alloca
    reverse_base: Alloca
    slots: list[TapeSlot] = field(default_factory=list)


def stored_type(need: Need) -> Type:
    """The type in memory: booleans as bytes."""
    if need.kind != PRIMAL:
        return POINTER
    return I8 if need.value.type == I1 else need.value.type


def to_memory(builder: Builder, value: Value) -> Value:
    return builder.zext(value, I8) if value.type == I1 else value


def from_memory(builder: Builder, type_: Type, stored: Value) -> Value:
    return builder.trunc(stored, I1) if type_ == I1 else stored


def holds_integer(access: Load | Store) -> None:
    """Say of an access to what a derivative keeps that it is an integer: a derivative of this one would have to find out."""
    access.metadata["tbaa"] = tbaa.integer_tag()


@dataclass(slots=True, repr=False)
class Tape:
    """The loop tapes of one function under construction.

    forward: prepared value → value of the forward sweep; arena: yields the arena parameter; trip_count: an i64
    available in the loop's preheader, or None; runs: the preheader of a nest around the loop, and an i64 there that estimates how
    often the loop runs in all of the nest (in one iteration each of the loops told), or None; is_integer: whether what is kept is
    known to be one and nothing else. meter: who counts what `function` keeps.
    """

    prepared: Prepared
    plan: CachePlan
    layout: DataLayout
    forward: dict[Value, Value]
    insertions: Insertions
    prologue: Callable[[], Builder]
    reverse_prologue: Callable[[], Builder]
    arena: Callable[[], Value]
    forward_value: Callable[[Need], Value]
    trip_count: Callable[[Loop], Value | None]
    runs: Callable[[Loop, tuple[Loop, ...]], tuple[Block, Value] | None]
    apart: KeptApart
    is_integer: Callable[[Need], bool]
    watch: Watch | None = None
    meter: Meter | None = None
    function: str = ""
    loops: dict[tuple[Loop, tuple[Loop, ...]], LoopTape] = field(default_factory=dict)
    _slots: dict[Need, tuple[LoopTape, TapeSlot]] = field(default_factory=dict)
    _entered: dict[Loop, list[LoopTape]] = field(default_factory=dict)  # the tapes that are told when a loop is entered

    def open(self) -> None:
        """Make the arrays of all stored values that live in loops."""
        for need in self.plan.stored:
            loop = self.prepared.loop_of(need.value)
            if loop is None:
                continue
            repeated = self.plan.repeated.get(need, ())
            tape = self.loops.get((loop, repeated)) or self._new_loop(loop, repeated)
            self._new_slot(tape, need)

    def _new_loop(self, loop: Loop, repeated: tuple[Loop, ...]) -> LoopTape:
        name = loop.header.name
        cursor = new_slot(self.prologue(), I64, f"{name}.cursor")
        base = new_slot(self.prologue(), I64, f"{name}.base")
        restarts = Restarts.of(loop, repeated, self.prologue(), self.reverse_prologue())
        tape = LoopTape(loop, restarts, cursor, base, cursor, base)
        if self._is_split():
            tape.reverse_cursor = new_slot(self.reverse_prologue(), I64, f"{name}.cursor")
            tape.reverse_base = new_slot(self.reverse_prologue(), I64, f"{name}.base")
        self.loops[loop, repeated] = tape
        for entered in restarts.entered(loop):
            self._entered.setdefault(entered, []).append(tape)
        return tape

    def _is_split(self) -> bool:
        return self.reverse_prologue() is not self.prologue()

    def hand_over(self, builder: Builder, frame: Hands) -> None:
        """At the end of an augmented primal: what the reverse function needs to find its way back."""
        for tape in self.loops.values():
            pairs = [(tape.cursor, tape.reverse_cursor), *((s.data, s.reverse_data) for s in tape.slots)]
            for forward, backward in pairs:
                type_ = forward.allocated_type
                integer = type_ == I64
                offset = frame.field(type_)
                frame.save(builder, builder.load(type_, forward), offset, integer)
                receiver = self.reverse_prologue()
                receiver.store(frame.load(receiver, type_, offset, integer), backward)

    def _new_slot(self, tape: LoopTape, need: Need) -> None:
        name = getattr(need.value, "name", "") or "value"
        name += "" if need.kind == PRIMAL else f".{need.kind}"
        data = new_slot(self.prologue(), POINTER, f"{name}_tape")
        capacity = new_slot(self.prologue(), I64, f"{name}_capacity")
        slot = TapeSlot(need, stored_type(need), element_size(need, self.layout), data, capacity, data)
        if self._is_split():
            slot.reverse_data = new_slot(self.reverse_prologue(), POINTER, f"{name}_tape")
        tape.slots.append(slot)
        self._slots[need] = (tape, slot)

    def write_forward(self) -> None:
        """Add to the forward sweep: cursors, capacity, and the stores behind the definitions."""
        for tape in self.loops.values():
            tape.restarts.write_forward(
                lambda preheader: self.insertions.last(self._block(preheader)), tape.cursor, self.meter is not None
            )
            self._make_room(tape)
            self._enter(tape)
            self._leave(tape)
            for slot in tape.slots:
                self._push(tape, slot)

    def _make_room(self, tape: LoopTape) -> None:
        """Before a nest of loops, for all of its runs."""
        runs = self.runs(tape.loop, tape.restarts.loops)
        if runs is not None:
            preheader, count = runs
            builder = self.insertions.last(self._block(preheader))
            used = builder.load(I64, tape.cursor)
            wanted = builder.add(used, count)
            for slot in tape.slots:
                self._reserve(builder, slot, used, wanted)

    def _enter(self, tape: LoopTape) -> None:
        loop = tape.loop
        assert loop.preheader is not None
        builder = self.insertions.last(self._block(loop.preheader))
        base = builder.load(I64, tape.cursor)
        builder.store(base, tape.base)
        count = self.trip_count(loop)
        if count is not None:
            wanted = builder.add(base, count)
            for slot in tape.slots:
                self._reserve(builder, slot, base, wanted)
            return
        header = self._block(loop.header)
        builder = self.insertions.first(header)
        frame = builder.add(builder.load(I64, tape.base), self.forward[self.prepared.counters[loop]])
        wanted = builder.add(frame, ONE)
        for slot in tape.slots:
            self._reserve(builder, slot, frame, wanted)

    def _reserve(self, builder: Builder, slot: TapeSlot, used: Value, wanted: Value) -> None:
        size = constants.int_constant(I64, slot.size)
        builder.call(RESERVE, [self.arena(), slot.data, slot.capacity, used, wanted, size])

    def _leave(self, tape: LoopTape) -> None:
        for target in dict.fromkeys(target for _, target in tape.loop.exits):
            block = self._block(target)
            builder = self.insertions.first(block)
            last = self.forward[self.prepared.exit_counts[tape.loop, target]]
            frame = builder.add(builder.load(I64, tape.base), last)
            builder.store(builder.add(frame, ONE), tape.cursor)
            self._count(builder, tape, last)

    def _count(self, builder: Builder, tape: LoopTape, last: Value) -> None:
        """Tell of the room for values that not every iteration has."""
        if self.meter is not None:
            frames = builder.add(last, ONE)
            for slot in tape.slots:
                if not self._in_each_iteration(tape, slot):
                    size = builder.mul(frames, constants.int_constant(I64, slot.size))
                    self.meter.keeps(builder, self.function, slot.need, tape.restarts.counted(builder, size))

    def _in_each_iteration(self, tape: LoopTape, slot: TapeSlot) -> bool:
        assert isinstance(slot.need.value, Instruction)
        assert slot.need.value.parent is not None
        return self.prepared.dominators.dominates(slot.need.value.parent, tape.loop.latch)

    def _push(self, tape: LoopTape, slot: TapeSlot) -> None:
        value = self.forward_value(slot.need)
        builder = self.insertions.after(value, self._block_of(slot.need.value))
        frame = builder.add(builder.load(I64, tape.base), self.forward[self.prepared.counters[tape.loop]])
        place = builder.gep(slot.type, builder.load(POINTER, slot.data), [frame])
        kept = builder.store(to_memory(builder, value), place)
        self.apart.note(kept, slot.need)
        if self.is_integer(slot.need):
            holds_integer(kept)
        if self.watch is not None:
            self.watch.pushed(builder, slot.need, frame, value)
        if self.meter is not None and self._in_each_iteration(tape, slot):
            size = tape.restarts.counted(builder, constants.int_constant(I64, slot.size))
            self.meter.keeps(builder, self.function, slot.need, size)

    def enter_reverse(self, builder: Builder, loop: Loop, last: Value) -> None:
        """The reverse sweep enters `loop`, whose last iteration had number `last`."""
        for tape in self._entered.get(loop, ()):
            tape.restarts.enter_reverse(builder, loop, tape.reverse_cursor)
            if tape.loop is not loop:
                continue
            frames = builder.add(last, ONE)
            base = builder.sub(builder.load(I64, tape.reverse_cursor), frames)
            builder.store(base, tape.reverse_cursor)
            builder.store(base, tape.reverse_base)

    def read(self, builder: Builder, need: Need, counter: Value) -> Value:
        """The stored value of the iteration `counter` of the current visit of its loop."""
        tape, slot = self._slots[need]
        frame = builder.add(builder.load(I64, tape.reverse_base), counter)
        place = builder.gep(slot.type, builder.load(POINTER, slot.reverse_data), [frame])
        stored = builder.load(slot.type, place)
        self.apart.note(stored, need)
        if self.is_integer(need):
            holds_integer(stored)
        value = from_memory(builder, need.value.type if need.kind == PRIMAL else POINTER, stored)
        if self.watch is not None:
            self.watch.read(builder, need, frame, value)
        return value

    def _block(self, block: Block) -> Block:
        found = self.forward[block]
        assert isinstance(found, Block)
        return found

    def _block_of(self, value: Value) -> Block:
        assert isinstance(value, Instruction)
        assert value.parent is not None
        return self._block(value.parent)

"""How values outside loops get from the forward sweep to the reverse sweep.

In one function (COMBINED) by stack slots, which LLVM promotes: `Registers`. Between two functions (SPLIT) by a frame
in the arena that the augmented primal allocates and the reverse function is given: `Frame`. Stack memory of the
primal, and its shadows, lie in the frame too, because the augmented primal returns in between.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from enzyme_magic.backend.analysis.derivatives.recompute import Need
from enzyme_magic.backend.autodiff.cache.kept_apart import KeptApart
from enzyme_magic.backend.autodiff.cache.tape import ALLOCATE, from_memory, holds_integer, of_variable, to_memory
from enzyme_magic.backend.autodiff.memory.memory_adjoints import advance
from enzyme_magic.backend.autodiff.sweeps.insertions import Insertions
from enzyme_magic.backend.autodiff.sweeps.primal_copy import PrimalCopy
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.graphs.dominators import DominatorTree
from enzyme_magic.backend.ir.instructions import Alloca, Call, Load, Store
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.types import I1, I8, I64, POINTER, Type
from enzyme_magic.backend.ir.values import Block, ConstantInt, Value


class Bridge(Protocol):
    """carry(builder, need, value, home): in the reverse sweep at `builder`, the value that `value` had in the forward
    sweep; `home` is the prepared block in which it is defined."""

    def carry(self, builder: Builder, need: Need, value: Value, home: Block) -> Value: ...


@dataclass(slots=True, repr=False)
class Registers:
    """Stack slots of the combined function. Values that dominate the end of the forward sweep are used as they are."""

    insertions: Insertions
    prologue: Callable[[], Builder]
    dominators: DominatorTree
    last: Block  # the forward block from which the reverse sweep starts
    block_of: Callable[[Block], Block]
    _slots: dict[Need, Alloca] = field(default_factory=dict)

    def carry(self, builder: Builder, need: Need, value: Value, home: Block) -> Value:
        if self.dominators.dominates(home, self.last):
            return value
        slot = self._slots.get(need)
        if slot is None:
            slot = self._slots[need] = self.prologue().alloca(value.type, name="kept")
            self.insertions.after(value, self.block_of(home)).store(value, slot)
        return builder.load(value.type, slot)


@dataclass(slots=True, repr=False)
class Frame:
    """Fields of the arena block that the augmented primal leaves to its reverse function.

    The block's size is known only when all fields are: `close` puts it into the allocation. Nobody releases a frame:
    the combined function at the outside gives back everything at once, because arrays of its own may lie above the
    frame.
    """

    insertions: Insertions
    layout: DataLayout
    copy: PrimalCopy
    pointer: Value  # the frame in the reverse function
    block_of: Callable[[Block], Block]
    apart: KeptApart
    is_integer: Callable[[Need], bool]  # whether what is kept is known to be one and nothing else
    size: int = 0
    _allocation: Call = field(init=False)
    _offsets: dict[object, int] = field(default_factory=dict)

    def open(self) -> None:
        """Take the block, with a size to be filled in."""
        builder = Builder(Block("", parent=self.copy.function))
        arena = self.copy.parameters.arena
        self._allocation = builder.call(ALLOCATE, [arena, constants.int_constant(I64, 0)], name="frame")

    def carry(self, builder: Builder, need: Need, value: Value, home: Block) -> Value:
        offset = self._offsets.get(need)
        if offset is None:
            offset = self._offsets[need] = self.field(_memory_type(value.type))
            self.save(self.insertions.after(value, self.block_of(home)), value, offset, self.is_integer(need))
        return self.load(builder, value.type, offset, self.is_integer(need))

    def save(self, builder: Builder, value: Value, offset: int, integer: bool = False) -> None:
        """Put a value, known to be an integer or not, into a field, in the augmented primal."""
        place = advance(builder, self._allocation, offset)
        self._note(builder.store(to_memory(builder, value), place), integer)

    def load(self, builder: Builder, type_: Type, offset: int, integer: bool = False) -> Value:
        """Read a field, in the reverse function."""
        place = advance(builder, self.pointer, offset)
        kept = builder.load(_memory_type(type_), place)
        self._note(kept, integer)
        return from_memory(builder, type_, kept)

    def _note(self, access: Load | Store, integer: bool) -> None:
        self.apart.note(access, "frame")
        if integer:
            holds_integer(access)

    def field(self, type_: Type, align: int = 1, count: int = 1) -> int:
        """Room for `count` values of `type_`; gives its offset."""
        align = max(align, self.layout.align_of(type_))
        offset = -(-self.size // align) * align
        self.size = offset + count * self.layout.size_of(type_)
        return offset

    def memory(self, builder: Builder, key: object, alloca: Alloca) -> Value:
        """Room like a stack variable's, in the augmented primal; `address` finds it again."""
        count = alloca.operands[0]
        assert isinstance(count, ConstantInt)
        if self.copy.context.apart:
            offset = self._offsets[key] = self.field(POINTER)
            size = self.layout.size_of(alloca.allocated_type) * count.unsigned
            block = builder.call(ALLOCATE, [self.copy.arena(), constants.int_constant(I64, size)], name=alloca.name)
            block.attributes = of_variable(alloca, self.layout)
            self.save(builder, block, offset)
            return block
        offset = self._offsets[key] = self.field(alloca.allocated_type, alloca.align or 1, count.unsigned)
        return advance(builder, self._allocation, offset) if offset else self._allocation

    def address(self, builder: Builder, key: object) -> Value:
        """The same memory in the reverse function."""
        if self.copy.context.apart:
            return self.load(builder, POINTER, self._offsets[key])
        return advance(builder, self.pointer, self._offsets[key])

    def close(self) -> Value:
        """The frame to return; null where nothing has to be handed over."""
        if not self.size:
            return constants.zero(POINTER)
        self._allocation.operands[0] = self.copy.arena()
        self._allocation.operands[1] = constants.int_constant(I64, self.size)
        self.copy.before_everything([self._allocation])
        if (meter := self.copy.context.meter) is not None:
            function = self.copy.subject.request.function
            meter.keeps(self.copy.prologue(), function, None, constants.int_constant(I64, self.size))
        return self._allocation


def _memory_type(type_: Type) -> Type:
    return I8 if type_ == I1 else type_

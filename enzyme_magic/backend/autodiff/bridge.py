"""How values outside loops get from the forward sweep to the reverse sweep.

In one function (COMBINED) by stack slots, which LLVM promotes: `Registers`. Between two functions (SPLIT) by a frame in the arena that the
augmented primal allocates and the reverse function is given: `Frame`. Stack memory of the primal that the reverse sweep still needs lies
in the frame too, because the augmented primal returns in between.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from enzyme_magic.backend.autodiff.insertions import Insertions
from enzyme_magic.backend.autodiff.memory_adjoints import advance
from enzyme_magic.backend.autodiff.tape import from_memory, to_memory
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.dominators import DominatorTree
from enzyme_magic.backend.ir.instructions import Alloca, Call
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.types import I1, I8, I64, Type
from enzyme_magic.backend.ir.values import Block, Value


class Bridge(Protocol):
    """carry(builder, key, value, home): in the reverse sweep at `builder`, the value that `value` had in the forward sweep."""

    def carry(self, builder: Builder, key: object, value: Value, home: Block) -> Value: ...


@dataclass(slots=True)
class Registers:
    """Stack slots of the combined function. Values that dominate the end of the forward sweep are used as they are."""

    insertions: Insertions
    prologue: Callable[[], Builder]
    dominators: DominatorTree
    last: Block  # the forward block from which the reverse sweep starts
    block_of: Callable[[Block], Block]
    _slots: dict[object, Alloca] = field(default_factory=dict)

    def carry(self, builder: Builder, key: object, value: Value, home: Block) -> Value:
        """`home`: the prepared block in which the value is defined."""
        if self.dominators.dominates(home, self.last):
            return value
        slot = self._slots.get(key)
        if slot is None:
            slot = self._slots[key] = self.prologue().alloca(value.type, name="kept")
            self.insertions.after(value, self.block_of(home)).store(value, slot)
        return builder.load(value.type, slot)


@dataclass(slots=True)
class Frame:
    """Fields of the arena block that the augmented primal leaves to its reverse function.

    pointer_forward, pointer_reverse: the block's address in either function. The size is known only when all fields are; `close`
    puts it into the allocation.
    """

    insertions: Insertions
    layout: DataLayout
    pointer_forward: Value
    allocation: Call
    pointer_reverse: Value
    block_of: Callable[[Block], Block]
    size: int = 0
    _offsets: dict[object, int] = field(default_factory=dict)

    def carry(self, builder: Builder, key: object, value: Value, home: Block) -> Value:
        offset = self._offsets.get(key)
        if offset is None:
            offset = self._offsets[key] = self.field(_memory_type(value.type))
            writer = self.insertions.after(value, self.block_of(home))
            writer.store(to_memory(writer, value), advance(writer, self.pointer_forward, offset))
        return self.load(builder, value.type, offset)

    def load(self, builder: Builder, type_: Type, offset: int) -> Value:
        place = advance(builder, self.pointer_reverse, offset)
        return from_memory(builder, type_, builder.load(_memory_type(type_), place))

    def field(self, type_: Type, align: int = 1, count: int = 1) -> int:
        """Room for `count` values of `type_`; gives its offset."""
        align = max(align, self.layout.align_of(type_))
        offset = -(-self.size // align) * align
        self.size = offset + count * self.layout.size_of(type_)
        return offset

    def close(self) -> None:
        self.allocation.operands[1] = constants.int_constant(I64, self.size)


def _memory_type(type_: Type) -> Type:
    return I8 if type_ == I1 else type_

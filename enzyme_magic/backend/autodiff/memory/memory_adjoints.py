"""Adjoints of loads, stores and memory intrinsics: accumulation in shadow memory.

For a load v = *p:  *p' += dv.  For a store *p = v:  dv += *p'; *p' = 0. The second half holds even when v is
inactive: what the memory held before has no influence any more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from enzyme_magic.backend.analysis.derivatives.activity import Activity
from enzyme_magic.backend.analysis.memory.memory_objects import MemoryObject
from enzyme_magic.backend.autodiff.cache.recompute import ReversePrimals
from enzyme_magic.backend.autodiff.held_adjoints import AdjointPlace, HeldAdjoints
from enzyme_magic.backend.autodiff.memory.transfer import Element
from enzyme_magic.backend.autodiff.sweeps.adjoint_writer import Failure, mask
from enzyme_magic.backend.autodiff.sweeps.adjoints import Adjoints, Flags, Parts
from enzyme_magic.backend.autodiff.sweeps.leaves import Leaf
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.instructions import AtomicRMW, Instruction, Load, Store
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.types import I8, I64, IntType, PointerType, Type
from enzyme_magic.backend.ir.values import Value


class MarkedAdjoints(Protocol):
    """How adjoints in memory are reached where their kinds are kept (kinds.py)."""

    @property
    def asks(self) -> bool: ...

    def add(self, builder: Builder, user: Instruction, place: Value, part: Value) -> None: ...

    def take(self, builder: Builder, user: Instruction, place: Value, type_: Type) -> Value: ...

    def clear(self, builder: Builder, user: Instruction, place: Value, count: int) -> None: ...

    def erase(self, builder: Builder, user: Instruction, place: Value, type_: Type, count: int) -> None: ...

    def pointed(self, builder: Builder, user: Instruction, place: Value) -> None: ...

    def wash(self, builder: Builder, place: Value, count: int) -> None: ...


@dataclass(slots=True, repr=False)
class ShadowMemory:
    """Collaborator of AdjointWriter for plain memory access. `leaves_of(value)` gives the floating leaves of a loaded
    or stored value, `offset_of(type, leaf)` their byte offsets in memory."""

    activity: Activity
    adjoints: Adjoints
    primals: ReversePrimals
    layout: DataLayout
    base_objects: Callable[[Value], frozenset[MemoryObject]]
    leaves_of: Callable[[Value], tuple[Leaf, ...]]
    offset_of: Callable[[Type, Leaf], int]
    erased_by: Callable[[Store | AtomicRMW], tuple[Element, ...]]
    fail: Failure
    may_bring: Callable[[Value], bool]
    marked: MarkedAdjoints | None = None
    held: HeldAdjoints | None = None

    def settle(self, builder: Builder) -> None:
        """Leave all adjoints in memory where others look for them."""
        if self.held is not None:
            self.held.settle(builder)

    def is_active(self, pointer: Value) -> bool:
        """Whether `pointer` may point to memory that carries derivatives."""
        return any(self.activity.active(found) for found in self.base_objects(pointer))

    def load(self, builder: Builder, load: Load, parts: Parts, flags: Flags) -> None:
        self._refuse_special(load, load.volatile, load.ordering)
        shadow = self.primals.shadow(builder, load.pointer)
        for leaf in self.leaves_of(load):
            part = parts.get(leaf.path)
            if part is not None:
                flag = flags.get(leaf.path)
                part = part if flag is None else mask(builder, flag, part)
                offset = self.offset_of(load.type, leaf)
                if self.marked is not None:
                    self.marked.add(builder, load, self._place(builder, shadow, offset), part)
                elif self.held is not None:
                    self.held.add(builder, self._held_place(builder, load, shadow, offset, leaf.type), part)
                else:
                    self.accumulate(builder, shadow, offset, part, load.align)

    def store(self, builder: Builder, store: Store) -> None:
        if not self.is_active(store.pointer):
            self._wash(builder, store)
            return
        if self.marked is not None and isinstance(store.value.type, PointerType):
            self._store_pointer(builder, store, self.marked)
        leaves = self.leaves_of(store.value)
        erased = self.erased_by(store)
        if not leaves and not erased:
            return
        self._refuse_special(store, store.volatile, store.ordering)
        shadow = self.primals.shadow(builder, store.pointer)
        if self.marked is not None:
            self._store_marked(builder, store, shadow, leaves, erased, self.marked)
            return
        if erased and self.held is not None:
            self.held.settle(builder, store)
        for element in erased:
            place = self._place(builder, shadow, element.offset)
            builder.store(constants.zero(element.type), place, align=alignment(store.align, element.offset))
        for leaf in leaves:
            offset = self.offset_of(store.value.type, leaf)
            if self.held is not None:
                self._take_held(builder, store, leaf, self._held_place(builder, store, shadow, offset, leaf.type))
                continue
            place = self._place(builder, shadow, offset)
            align = alignment(store.align, offset)
            if self.activity.active(store.value):
                adjoint = builder.load(leaf.type, place, align=align)
                self.adjoints.add(builder, store.value, leaf.path, adjoint, None)
            builder.store(constants.zero(leaf.type), place, align=align)

    def _wash(self, builder: Builder, store: Store) -> None:
        """What is stored is no active number, whoever computes with it: copies may bring the stains of others here."""
        marked = self.marked
        if marked is not None and marked.asks and self.may_bring(store.pointer):
            marked.wash(builder, self.primals.shadow(builder, store.pointer), self.layout.store_size(store.value.type))

    def _store_pointer(self, builder: Builder, store: Store, marked: MarkedAdjoints) -> None:
        if self.activity.active(store.value):
            marked.pointed(builder, store, self.primals.shadow(builder, store.pointer))
        if marked.asks:
            count = self.layout.store_size(store.value.type)
            marked.wash(builder, self.primals.shadow(builder, store.pointer), count)

    def _held_place(
        self, builder: Builder, access: Load | Store, shadow: Value, offset: int, type_: Type
    ) -> AdjointPlace:
        place = self._place(builder, shadow, offset)
        return AdjointPlace(
            access, offset, self.layout.store_size(type_), type_, place, alignment(access.align, offset)
        )

    def _take_held(self, builder: Builder, store: Store, leaf: Leaf, place: AdjointPlace) -> None:
        assert self.held is not None
        adjoint = self.held.take(builder, place, read=self.activity.active(store.value))
        if adjoint is not None and self.activity.active(store.value):
            self.adjoints.add(builder, store.value, leaf.path, adjoint, None)

    def _store_marked(
        self,
        builder: Builder,
        store: Store,
        shadow: Value,
        leaves: Sequence[Leaf],
        erased: Sequence[Element],
        marked: MarkedAdjoints,
    ) -> None:
        for element in erased:
            place = self._place(builder, shadow, element.offset)
            if isinstance(element.type, IntType):
                marked.clear(builder, store, place, element.type.bits // 8)
            else:
                marked.erase(builder, store, place, element.type, self.layout.store_size(element.type))
        for leaf in leaves:
            place = self._place(builder, shadow, self.offset_of(store.value.type, leaf))
            if not self.activity.active(store.value):
                marked.wash(builder, place, self.layout.store_size(leaf.type))
            adjoint = marked.take(builder, store, place, leaf.type)
            if self.activity.active(store.value):
                self.adjoints.add(builder, store.value, leaf.path, adjoint, None)

    def update(self, builder: Builder, instruction: AtomicRMW) -> None:
        """atomicrmw fadd: the old value goes out, the operand is added in."""
        if self.marked is not None and self.is_active(instruction.operands[0]):
            raise self.fail(instruction, "an atomic operation beside memory of unknown kind", "use an ordinary store")
        pointer, value = instruction.operands
        if not self.is_active(pointer) or not (self.leaves_of(value) or self.erased_by(instruction)):
            return
        if instruction.operation not in ("fadd", "fsub"):
            raise self.fail(
                instruction, f"atomic {instruction.operation} of an active value", "use an ordinary load and store"
            )
        shadow = self.primals.shadow(builder, pointer)
        adjoint = builder.load(value.type, shadow, align=instruction.align)
        if self.activity.active(value):
            signed = builder.fneg(adjoint) if instruction.operation == "fsub" else adjoint
            self.adjoints.add(builder, value, (), signed, None)
        if self.activity.active(instruction):
            parts = self.adjoints.take(builder, instruction)
            flags = self.adjoints.flags(builder, instruction, parts)
            for path, part in parts.items():
                flag = flags.get(path)
                self.accumulate(
                    builder, shadow, 0, part if flag is None else mask(builder, flag, part), instruction.align
                )

    def accumulate(self, builder: Builder, shadow: Value, offset: int, part: Value, align: int | None) -> None:
        """*(shadow + offset) += part."""
        place = self._place(builder, shadow, offset)
        fitting = alignment(align, offset)
        before = builder.load(part.type, place, align=fitting)
        builder.store(builder.fadd(before, part, flags=self.adjoints.sum_flags), place, align=fitting)

    def _place(self, builder: Builder, shadow: Value, offset: int) -> Value:
        return advance(builder, shadow, offset)

    def _refuse_special(self, instruction: Instruction, volatile: bool, ordering: str) -> None:
        if volatile or ordering:
            kind = "volatile" if volatile else "atomic"
            raise self.fail(instruction, f"{kind} access to active data", f"copy the data to memory that is not {kind}")


def advance(builder: Builder, pointer: Value, offset: int) -> Value:
    """pointer + offset bytes."""
    return pointer if not offset else builder.gep(I8, pointer, [constants.int_constant(I64, offset)])


def alignment(align: int | None, offset: int) -> int | None:
    """The alignment known for address + offset, when the address is known to have `align`."""
    if align is None or not offset:
        return align
    return min(align, offset & -offset)

"""What is passed in memory and only moved is copied there, and never held in an integer on its way.

    store (load i64 from %slot) to %q         copies eight bytes from %slot to %q
    inttoptr (load i64 from %slot)            loads a pointer, where it is needed
    phi i64 of such, and of ptrtoint %p       is eight bytes of memory, written where the phi's values come from

A copy moves addresses with their shadows, and what a pointer is read for is known where it is read; of an integer neither is known.

Invariant: exact. A slot (prepare/bits/in_memory.py) is written right before the call that it is for, or by that call right before
what it gave is loaded: whoever reads the loaded value finds the same bytes there. Of other memory only what is stored in the same
block before anything else is written.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.graphs.def_use import replace_uses
from enzyme_magic.backend.ir.graphs.quiet import writes_nothing
from enzyme_magic.backend.ir.instructions import Cast, GetElementPtr, Instruction, Load, Select, Store
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.types import I1, I8, I64, POINTER, VOID, FunctionType, IntType, VectorType
from enzyme_magic.backend.ir.values import ConstantInt, Value
from enzyme_magic.backend.prepare.bits import passed_merges

_COPY = "llvm.memcpy.p0.p0.i64"
_COPY_TYPE = FunctionType(VOID, (POINTER, POINTER, I64, I1))


@dataclass(frozen=True, slots=True)
class SlotPlace:
    """Bytes of a slot."""

    slot: Value
    at: int


def copy(module: Module, function: Function, slots: AbstractSet[Value], layout: DataLayout) -> None:
    """In place. slots: memory in which something is passed, allocated in `function` or given to it."""
    word = IntType(layout.pointer_bits)
    slots = slots | passed_merges.to_memory(function, lambda pointer: _place(pointer, slots) is not None, word)
    size = constants.int_constant(I64, layout.store_size(word))
    for block in function.blocks:
        for store in [i for i in block.instructions if isinstance(i, Store) and i.value.type == word and _is_plain(i)]:
            builder = _at(store)
            source = _source(builder, store.value, store, slots)
            if source is not None:
                builder.call(module.declared(_COPY, _COPY_TYPE), [store.pointer, source, size, constants.FALSE])
                block.instructions.remove(store)
    _load_pointers(function, slots)


def _is_plain(i: Store | Load) -> bool:
    return not (i.volatile or i.ordering)


def _at(i: Instruction) -> Builder:
    assert i.parent is not None
    builder = Builder(i.parent, i)
    builder.debug_location = i.metadata.get("dbg")
    return builder


def _place(pointer: Value, slots: AbstractSet[Value]) -> SlotPlace | None:
    """Where in a slot an address of it leads, at a place that is known."""
    at = 0
    while isinstance(pointer, GetElementPtr):
        (index,) = pointer.operands[1:] if len(pointer.operands) == 2 else (None,)
        if pointer.source_type != I8 or not isinstance(index, ConstantInt):
            return None
        at, pointer = at + index.value, pointer.operands[0]
    return SlotPlace(pointer, at) if pointer in slots else None


# --- copies


def _source(builder: Builder, value: Value, store: Store, slots: AbstractSet[Value]) -> Value | None:
    """The address from which `value` can be copied where it is stored."""
    if isinstance(value, Load) and _is_plain(value):
        kept = _place(value.pointer, slots) is not None or _stays_until(value, store, slots)
        return value.pointer if kept else None
    if not isinstance(value, Select) or isinstance(value.operands[0].type, VectorType):
        return None
    condition, *arms = value.operands
    found = [_source(builder, arm, store, slots) for arm in arms]
    if found[0] is None or found[1] is None:
        return None
    return builder.select(condition, found[0], found[1])


def _stays_until(load: Load, store: Store, slots: AbstractSet[Value]) -> bool:
    """Whether nothing but slots is written between them, in one block. (What is no slot is not written with them: nobody else knows
    their addresses before the call.)"""
    if load.parent is not store.parent or load.parent is None:
        return False
    instructions = load.parent.instructions
    between = instructions[instructions.index(load) : instructions.index(store)]
    return all(writes_nothing(i) or (isinstance(i, Store) and _place(i.pointer, slots) is not None) for i in between)


def _load_pointers(function: Function, slots: AbstractSet[Value]) -> None:
    replaced: dict[Value, Value] = {}
    for i in list(function.instructions()):
        load = i.operands[0] if isinstance(i, Cast) and i.opcode == "inttoptr" else None
        if isinstance(load, Load) and _is_plain(load) and _place(load.pointer, slots) is not None:
            replaced[i] = _at(i).load(POINTER, load.pointer, align=1)
    replace_uses(function, replaced)
    for block in function.blocks:
        block.instructions[:] = [i for i in block.instructions if i not in replaced]

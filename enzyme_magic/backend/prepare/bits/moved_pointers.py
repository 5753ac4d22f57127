"""Pointers that are only moved, and may be the bits of numbers, as the integers they are moved as.

    void *t = slots[i]; slots[i] = slots[j]; slots[j] = t;

Where a program keeps numbers in the slots, too (decided in analysis/derivatives/moved_bytes.py), the bits go on to be what they
are: nobody follows such a pointer on its way.

Invariant: values stay the same objects with the same names, so that what is known of them still holds.
"""

from __future__ import annotations

from collections.abc import Collection

from enzyme_magic.backend.ir.instructions import Store
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import IntType, PointerType
from enzyme_magic.backend.ir.values import ConstantInt, ConstantKeyword, Value
from enzyme_magic.backend.prepare.bits.pointer_integers import OF_ANY_TYPE


def to_integers(function: Function, members: Collection[Value], layout: DataLayout) -> None:
    """`members`: loads and merges that go into stores and members only, and are made of loads, members and null."""
    integer = IntType(layout.pointer_bits)
    zero = ConstantInt(integer, 0)
    for i in function.instructions():
        if i in members:
            i.type = integer
            i.metadata = {kind: node for kind, node in i.metadata.items() if kind in OF_ANY_TYPE and kind != "tbaa"}
            i.operands[:] = [zero if _is_null(v) else v for v in i.operands]
        elif isinstance(i, Store) and i.value in members:
            i.metadata = {kind: node for kind, node in i.metadata.items() if kind != "tbaa"}


def _is_null(value: Value) -> bool:
    return isinstance(value, ConstantKeyword) and isinstance(value.type, PointerType)

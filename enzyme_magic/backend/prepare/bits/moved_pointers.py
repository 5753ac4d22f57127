"""Pointers that are only moved, and may be the bits of numbers, as the integers they are moved as; and numbers that may be others.

    void *t = slots[i]; slots[i] = slots[j]; slots[j] = t;

Where a program keeps numbers in the slots, too (decided in analysis/derivatives/moved_bytes.py), the bits go on to be what they
are: nobody follows such a pointer on its way.

Invariant: values stay the same objects with the same names, so that what is known of them still holds.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from enzyme_magic.backend.ir.graphs.def_use import replace_uses
from enzyme_magic.backend.ir.instructions import Cast, Store
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import FloatType, IntType, PointerType, Type, VectorType
from enzyme_magic.backend.ir.values import ConstantInt, ConstantKeyword, Value
from enzyme_magic.backend.prepare.bits.pointer_integers import OF_ANY_TYPE


def to_integers(function: Function, members: Collection[Value], layout: DataLayout) -> None:
    """`members`: loads and merges that go into stores, casts to integers and members only, and are made of loads, members and
    null."""
    integer = IntType(layout.pointer_bits)
    casts: dict[Value, Value] = {}
    for i in function.instructions():
        if i in members:
            i.type = _like(i.type, integer)
            i.metadata = {kind: node for kind, node in i.metadata.items() if kind in OF_ANY_TYPE and kind != "tbaa"}
            i.operands[:] = [_constant(v, integer) for v in i.operands]
        elif isinstance(i, Cast) and i.operands[0] in members:
            casts[i] = i.operands[0]
        elif isinstance(i, Store) and i.value in members:
            i.metadata = {kind: node for kind, node in i.metadata.items() if kind != "tbaa"}
    if casts:
        replace_uses(function, casts)
        for block in function.blocks:
            block.instructions[:] = [i for i in block.instructions if i not in casts]


def numbers_to_integers(function: Function, members: Collection[Value], layout: DataLayout) -> None:
    """The same of numbers: loads and merges that go into stores and members only, and are made of loads and members."""
    for i in function.instructions() if members else ():
        if i in members:
            i.type = integer = IntType(8 * layout.store_size(i.type))
            i.flags = ()
            i.operands[:] = [
                ConstantKeyword(integer, v.keyword) if _is_keyword(v) else v  # type: ignore[attr-defined]
                for v in i.operands
            ]
        if i in members or (isinstance(i, Store) and i.value in members):
            i.metadata = {kind: node for kind, node in i.metadata.items() if kind in OF_ANY_TYPE and kind != "tbaa"}


def _is_keyword(value: Value) -> bool:
    return isinstance(value, ConstantKeyword) and isinstance(value.type, FloatType)


def _like(type_: Type, integer: IntType) -> Type:
    return replace(type_, element=integer) if isinstance(type_, VectorType) else integer


def _constant(value: Value, integer: IntType) -> Value:
    """Null, and what may be any, as an integer; anything else as it is."""
    if not isinstance(value, ConstantKeyword) or not isinstance(value.type.scalar, PointerType):
        return value
    keyword = "zeroinitializer" if value.keyword == "null" else value.keyword
    made = _like(value.type, integer)
    return ConstantInt(made, 0) if made == integer and keyword == "zeroinitializer" else ConstantKeyword(made, keyword)

"""The floating parts of a value: where its adjoint lives.

A scalar has one leaf with the empty path, a struct or array one per floating element (paths as for extractvalue), a
fixed vector one per lane. Integers that are known to hold floating bits have the floating leaves the type analysis
found for them; a path of one number is the byte offset inside the integer, the empty path a number that fills it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from enzyme_magic.backend.analysis.types.type_tree import BYTES
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.types import ArrayType, FloatType, IntType, NamedType, StructType, Type, VectorType
from enzyme_magic.backend.ir.values import Value

Path = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Leaf:
    """A floating element: its path and its type."""

    path: Path
    type: Type


def leaves(type_: Type, resolve: Callable[[Type], Type]) -> tuple[Leaf, ...]:
    """The floating leaves of `type_` in order; empty for integers, pointers, labels and void."""
    if isinstance(type_, FloatType):
        return (Leaf((), type_),)
    if isinstance(type_, NamedType):
        return leaves(resolve(type_), resolve)
    if isinstance(type_, StructType):
        parts = list(enumerate(type_.elements))
    elif isinstance(type_, (ArrayType, VectorType)):
        parts = [(k, type_.element) for k in range(type_.count)]
    else:
        return ()
    return tuple(Leaf((k, *inner.path), inner.type) for k, part in parts for inner in leaves(part, resolve))


def integer_leaves(parts: Sequence[tuple[int, FloatType]], size: int) -> tuple[Leaf, ...]:
    """The leaves of an integer of `size` bytes with floating numbers at byte offsets."""
    if len(parts) == 1 and parts[0][0] == 0 and BYTES[parts[0][1].kind] == size:
        return (Leaf((), parts[0][1]),)
    return tuple(Leaf((offset,), type_) for offset, type_ in parts)


def extract(builder: Builder, value: Value, path: Path) -> Value:
    """The leaf of `value` at `path`."""
    for depth, index in enumerate(path):
        if isinstance(value.type, VectorType):
            return builder.extract_element(value, path[depth])
        value = builder.extract_value(value, index)
    return value


def insert(builder: Builder, aggregate: Value, leaf: Value, path: Path) -> Value:
    """`aggregate` with `leaf` put at `path`."""
    if not path:
        return leaf
    if isinstance(aggregate.type, VectorType):
        return builder.insert_element(aggregate, leaf, path[0])
    if len(path) == 1:
        return builder.insert_value(aggregate, leaf, path[0])
    inner = builder.extract_value(aggregate, path[0])
    return builder.insert_value(aggregate, insert(builder, inner, leaf, path[1:]), path[0])


def offset_of(layout: DataLayout, type_: Type, path: Path) -> int:
    """Byte offset of the leaf at `path` in memory that holds a value of `type_`."""
    offset = 0
    for index in path:
        type_ = layout.resolve(type_)
        if isinstance(type_, IntType):
            offset += index
        elif isinstance(type_, StructType):
            offset += layout.field_offset(type_, index)
            type_ = type_.elements[index]
        else:
            assert isinstance(type_, (ArrayType, VectorType))
            type_ = type_.element
            offset += index * layout.size_of(type_)
    return offset

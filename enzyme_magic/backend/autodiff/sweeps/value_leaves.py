"""The floating leaves of values, those inside integers included.

A union passed by value, a struct of an int and a float in one register, a vector of bytes: there the LLVM type says integer and
only the type analysis knows. Invariant: the leaves of a value do not depend on who asks, so that a value and what it is copied to
have the same ones; `lost` names what a copy would not keep.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from enzyme_magic.backend.analysis.types.inference import Types
from enzyme_magic.backend.analysis.types.type_tree import ANYTHING, BYTES, INTEGER, Contents, Unknown
from enzyme_magic.backend.autodiff.sweeps.leaves import Leaf, Path, integer_leaves, leaves
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.types import (
    ArrayType,
    FloatType,
    IntType,
    PointerType,
    StructType,
    Type,
    VectorType,
    VoidType,
)
from enzyme_magic.backend.ir.values import Value

LEAST_BITS = 8  # narrower integers are truth values


def value_leaves(types: Types, layout: DataLayout, value: Value) -> tuple[Leaf, ...] | Unknown:
    """The leaves of `value`, or why they are not known."""
    if not holds_integers(layout, value.type):
        return leaves(value.type, layout.resolve)
    found: list[Leaf] = []
    for path, offset, type_ in _scalars(layout, value.type, (), 0):
        if isinstance(type_, FloatType):
            found.append(Leaf(path, type_))
        elif isinstance(type_, IntType) and type_.bits >= LEAST_BITS:
            inside = _inside(types.of_bits(value, offset, layout.store_size(type_)))
            if isinstance(inside, Unknown):
                return inside
            parts = integer_leaves(inside, layout.store_size(type_))
            found += [Leaf((*path, *leaf.path), leaf.type) for leaf in parts]
    return tuple(found)


def boundary_leaves(types: Types, layout: DataLayout, value: Value) -> tuple[Leaf, ...]:
    """The leaves of a value that crosses a call. None in an integer of which nothing is known: whoever passes a
    derivative there has looked (`Analyses.unknown_bits`)."""
    found = value_leaves(types, layout, value)
    return leaves(value.type, layout.resolve) if isinstance(found, Unknown) else found


def holds_integers(layout: DataLayout, type_: Type) -> bool:
    """Whether a value of the type has integers in it, so that its type does not tell its leaves."""
    type_ = layout.resolve(type_) if not isinstance(type_, VoidType) else type_
    if isinstance(type_, StructType):
        return any(holds_integers(layout, element) for element in type_.elements)
    if isinstance(type_, (ArrayType, VectorType)):
        return holds_integers(layout, type_.element)
    return isinstance(type_, IntType) and type_.bits >= LEAST_BITS


def lost(source: Sequence[Leaf], target: Sequence[Leaf]) -> Leaf | None:
    """A floating number of `source` that is none in `target`, which is to be a copy."""
    return next((leaf for leaf in source if leaf not in target), None)


def _inside(contents: Contents | Unknown) -> tuple[tuple[int, FloatType], ...] | Unknown:
    """(byte offset, type) of the floating numbers in an integer. Between them may lie integers and constant bits."""
    if isinstance(contents, Unknown):
        return contents
    parts: list[tuple[int, FloatType]] = []
    for segment in contents.segments:
        if segment.kind.is_float:
            size = BYTES[segment.kind.kind]
            kind = FloatType(segment.kind.kind)
            parts += [(start, kind) for start in range(segment.offset, segment.offset + segment.size, size)]
        elif segment.kind not in (INTEGER, ANYTHING):
            return Unknown(f"it mixes floating numbers with {segment.kind.word.lower()} bytes: {contents.reason}")
    return tuple(parts)


def _scalars(layout: DataLayout, type_: Type, path: Path, offset: int) -> Iterator[tuple[Path, int, Type]]:
    """(path, byte offset, type) of what a value consists of."""
    type_ = layout.resolve(type_)
    if isinstance(type_, StructType):
        for k, element in enumerate(type_.elements):
            yield from _scalars(layout, element, (*path, k), offset + layout.field_offset(type_, k))
    elif isinstance(type_, (ArrayType, VectorType)):
        size = layout.size_of(type_.element) if isinstance(type_, ArrayType) else layout.store_size(type_.element)
        for k in range(type_.count):
            yield from _scalars(layout, type_.element, (*path, k), offset + k * size)
    elif not isinstance(type_, PointerType):
        yield path, offset, type_

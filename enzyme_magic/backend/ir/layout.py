"""Sizes, alignments and offsets, as the module's data layout string says.

Invariant: all sizes are bytes. `size_of` is LLVM's alloc size (distance of two array elements), `store_size` what a store
writes. Rules: LLVM Language Reference, "Data Layout"; defaults are those LLVM assumes for specifications left out.

Scalable vectors and target types have no size here: InternalError.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from enzyme_magic.backend.ir.instructions import GetElementPtr
from enzyme_magic.backend.ir.module import Module
from enzyme_magic.backend.ir.types import (
    ArrayType,
    FloatType,
    IntType,
    NamedType,
    PointerType,
    StructType,
    Type,
    VectorType,
    VoidType,
)
from enzyme_magic.backend.ir.values import ConstantExpression, ConstantInt, Value
from enzyme_magic.errors import InternalError

FLOAT_BITS = {"half": 16, "bfloat": 16, "float": 32, "double": 64, "x86_fp80": 80, "fp128": 128, "ppc_fp128": 128}
_INTEGERS = {1: 8, 8: 8, 16: 16, 32: 32, 64: 32}
_FLOATS = {16: 16, 32: 32, 64: 64, 128: 128}
_VECTORS = {64: 64, 128: 128}


@dataclass(frozen=True, slots=True)
class PointerSpec:
    bits: int
    abi: int
    index_bits: int


@dataclass(frozen=True, slots=True)
class DataLayout:
    """Answers for one module. Tables map bits to ABI alignment in bits."""

    named_types: dict[str, Type | None]
    integers: dict[int, int]
    floats: dict[int, int]
    vectors: dict[int, int]
    pointers: dict[int, PointerSpec]
    aggregate: int
    big_endian: bool
    _sizes: dict[Type, int] = field(default_factory=dict)
    _offsets: dict[Type, tuple[int, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, module: Module) -> DataLayout:
        return cls.parse(module.datalayout, module.named_types)

    @classmethod
    def parse(cls, text: str, named_types: dict[str, Type | None] | None = None) -> DataLayout:
        """Reads a `target datalayout` string; the empty string gives LLVM's defaults."""
        tables = {"i": dict(_INTEGERS), "f": dict(_FLOATS), "v": dict(_VECTORS)}
        pointers = {0: PointerSpec(64, 64, 64)}
        aggregate = 8
        for item in filter(None, text.split("-")):
            fields = item[1:].split(":")
            if item[0] == "p" and len(fields) >= 3:
                pointers[int(fields[0] or 0)] = _pointer(fields)
            elif item[0] in tables and len(fields) >= 2:
                tables[item[0]][int(fields[0])] = int(fields[1])
            elif item[0] == "a" and len(fields) >= 2:
                aggregate = max(8, int(fields[1]))
        big = "E" in text.split("-")
        return cls(named_types or {}, tables["i"], tables["f"], tables["v"], pointers, aggregate, big)

    @property
    def pointer_bits(self) -> int:
        return self.pointers[0].bits

    def pointer(self, address_space: int = 0) -> PointerSpec:
        return self.pointers.get(address_space, self.pointers[0])

    def resolve(self, type_: Type) -> Type:
        """The body of a named struct, any other type itself. Opaque structs raise InternalError."""
        while isinstance(type_, NamedType):
            body = self.named_types.get(type_.spelling)
            if body is None:
                raise InternalError(f"struct {type_} is opaque: it has no size")
            type_ = body
        return type_

    def is_sized(self, type_: Type) -> bool:
        """Whether a type has a size: an opaque struct has none."""
        while isinstance(type_, NamedType):
            body = self.named_types.get(type_.spelling)
            if body is None:
                return False
            type_ = body
        return True

    def bits(self, type_: Type) -> int:
        """Size of a scalar or a vector in bits, padding not counted (an x86_fp80 has 80)."""
        if isinstance(type_, IntType):
            return type_.bits
        if isinstance(type_, FloatType):
            return FLOAT_BITS[type_.kind]
        if isinstance(type_, PointerType):
            return self.pointer(type_.address_space).bits
        if isinstance(type_, VectorType) and not type_.scalable:
            return type_.count * self.bits(type_.element)
        return 8 * self.size_of(type_)

    def store_size(self, type_: Type) -> int:
        """Bytes a store of `type_` writes: 10 for x86_fp80."""
        return (self.bits(type_) + 7) // 8

    def size_of(self, type_: Type) -> int:
        """Bytes from one array element to the next: 16 for x86_fp80."""
        size = self._sizes.get(type_)
        if size is None:
            size = self._sizes[type_] = self._size(type_)
        return size

    def _size(self, type_: Type) -> int:
        resolved = self.resolve(type_)
        if isinstance(resolved, ArrayType):
            return resolved.count * self.size_of(resolved.element)
        if isinstance(resolved, StructType):
            return self._fields(resolved)[-1]
        if isinstance(resolved, (IntType, FloatType, PointerType)) or (
            isinstance(resolved, VectorType) and not resolved.scalable
        ):
            return _round_up(self.store_size(resolved), self.align_of(resolved))
        raise InternalError(f"type {type_} has no fixed size")

    def align_of(self, type_: Type) -> int:
        """ABI alignment in bytes."""
        type_ = self.resolve(type_)
        if isinstance(type_, IntType):
            return self._integer_align(type_.bits)
        if isinstance(type_, FloatType):
            return self._table_align(self.floats, type_)
        if isinstance(type_, VectorType):
            return self._table_align(self.vectors, type_)
        if isinstance(type_, PointerType):
            return self.pointer(type_.address_space).abi // 8
        if isinstance(type_, ArrayType):
            return self.align_of(type_.element)
        if isinstance(type_, StructType):
            return 1 if type_.packed else max([self.aggregate // 8, *map(self.align_of, type_.elements)])
        raise InternalError(f"type {type_} has no alignment")

    def _integer_align(self, bits: int) -> int:
        wide_enough = [known for known in self.integers if known >= bits]
        return self.integers[min(wide_enough) if wide_enough else max(self.integers)] // 8

    def _table_align(self, table: dict[int, int], type_: Type) -> int:
        known = table.get(self.bits(type_))
        return known // 8 if known else 1 << (self.store_size(type_) - 1).bit_length()

    def field_offset(self, struct: Type, field_index: int) -> int:
        """Byte offset of a field."""
        resolved = self.resolve(struct)
        if not isinstance(resolved, StructType) or not 0 <= field_index < len(resolved.elements):
            raise InternalError(f"type {struct} has no field {field_index}")
        return self._fields(resolved)[field_index]

    def _fields(self, struct: StructType) -> tuple[int, ...]:
        """Offsets of all fields, and the size behind them."""
        known = self._offsets.get(struct)
        if known is None:
            offsets = []
            end = 0
            for element in struct.elements:
                start = end if struct.packed else _round_up(end, self.align_of(element))
                offsets.append(start)
                end = start + self.size_of(element)
            known = self._offsets[struct] = (*offsets, _round_up(end, self.align_of(struct)))
        return known

    def step(self, type_: Type, index: Value) -> tuple[Type, int] | None:
        """(element type, byte offset) of one constant getelementptr index into `type_`; None for a variable index."""
        value = constant_index(index)
        if value is None:
            return None
        resolved = self.resolve(type_)
        if isinstance(resolved, StructType):
            return resolved.elements[value], self.field_offset(resolved, value)
        if isinstance(resolved, (ArrayType, VectorType)):
            return resolved.element, value * self.size_of(resolved.element)
        raise InternalError(f"type {type_} cannot be indexed")

    def constant_offset(self, gep: Value) -> int | None:
        """Byte offset a getelementptr (instruction or constant expression) adds to its base; None when an index is not
        constant. Not wrapped to the index width."""
        if isinstance(gep, GetElementPtr):
            source, indices = gep.source_type, gep.indices
        elif isinstance(gep, ConstantExpression) and gep.opcode == "getelementptr" and gep.source_type is not None:
            source, indices = gep.source_type, list(gep.operands[1:])
        else:
            return None
        first = constant_index(indices[0]) if indices else 0
        if first is None:
            return None
        offset = first * self.size_of(source) if first else 0
        for index in indices[1:]:
            stepped = self.step(source, index)
            if stepped is None:
                return None
            source, offset = stepped[0], offset + stepped[1]
        return offset


def constant_index(index: Value) -> int | None:
    """A scalar constant index; None for anything that varies (by lane or at run time)."""
    return index.value if isinstance(index, ConstantInt) else None


def _pointer(fields: list[str]) -> PointerSpec:
    bits = int(fields[1])
    return PointerSpec(bits, int(fields[2]), int(fields[4]) if len(fields) > 4 else bits)


def _round_up(size: int, align: int) -> int:
    return -(-size // align) * align


def scalars(layout: DataLayout, type_: Type, at: int = 0) -> list[tuple[int, Type]]:
    """The scalar parts of a type with their offsets in memory."""
    type_ = layout.resolve(type_)
    if isinstance(type_, StructType):
        return [
            part
            for k, element in enumerate(type_.elements)
            for part in scalars(layout, element, at + layout.field_offset(type_, k))
        ]
    if isinstance(type_, (ArrayType, VectorType)):
        step = layout.size_of(type_.element)
        return [part for k in range(type_.count) for part in scalars(layout, type_.element, at + k * step)]
    return [] if isinstance(type_, VoidType) else [(at, type_)]

"""Where pointers point: for a pointer of a function, the object it is based on and how far into it it points, computed while it
runs.

A region is (offset, size, element): bytes from the start of the object, its bytes, and the bytes of one of its elements. It follows
pointers through address arithmetic, choices, and variables that hold a pointer and whose address is not taken.

Invariant: a size is the object's or UNKNOWN, never a guess. UNKNOWN is so large that every access fits. Pointers that are kept in
memory, made from integers, or given by other functions are unknown. Objects: arrays with a known extent, local variables,
globals that the program defines, blocks from the C library.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from enzyme_magic.backend.ir import intrinsics
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.constants import int_constant
from enzyme_magic.backend.ir.graphs.def_use import users
from enzyme_magic.backend.ir.instructions import (
    Alloca,
    Call,
    Cast,
    Freeze,
    GetElementPtr,
    Instruction,
    Load,
    Phi,
    Select,
    Store,
)
from enzyme_magic.backend.ir.layout import DataLayout, constant_index
from enzyme_magic.backend.ir.module import Function, GlobalVariable
from enzyme_magic.backend.ir.types import I64, ArrayType, IntType, PointerType, StructType, Type, VectorType
from enzyme_magic.backend.ir.values import Argument, ConstantExpression, ConstantInt, Value
from enzyme_magic.backend.library import libc
from enzyme_magic.backend.passes.instrumentation import Instrumentation

_INTERPOSABLE = frozenset(["extern_weak", "weak", "common", "linkonce", "available_externally"])


@dataclass(frozen=True, slots=True)
class PointerRegion:
    """Three i64. element is 0 where the object has no elements of its own (a block from malloc)."""

    offset: Value
    size: Value
    element: Value

    @property
    def parts(self) -> tuple[Value, Value, Value]:
        return self.offset, self.size, self.element


def number(value: int) -> Value:
    return int_constant(I64, value)


UNKNOWN = PointerRegion(number(1 << 61), number(1 << 62), number(0))


class Regions:
    """The regions of one function's pointers. given: those of its parameters."""

    def __init__(
        self, insertions: Instrumentation, layout: DataLayout, given: Mapping[Argument, PointerRegion]
    ) -> None:
        self.insertions, self.layout, self.given = insertions, layout, given
        self._slots: dict[Alloca, tuple[Alloca, ...]] = {}
        self._known: dict[Value, PointerRegion] = {}
        self._follow_variables()

    def of(self, pointer: Value) -> PointerRegion:
        found = self._known.get(pointer)
        if found is None:
            found = self._known[pointer] = self._new(pointer)
        return found

    # Variables that hold a pointer

    def _follow_variables(self) -> None:
        uses = users(self.insertions.function)
        candidates = [v for v in uses if isinstance(v, Alloca) and _holds_a_pointer(v, uses[v])]
        stores = {v: [u for u in uses[v] if isinstance(u, Store)] for v in candidates}
        leading = self._leading_to_objects(stores)
        for variable in leading:
            self._slots[variable] = self._shadows(variable)
        for variable in leading:
            for store in stores[variable]:
                region = self.of(store.value)
                builder = self.insertions.behind(store)
                for part, shadow in zip(region.parts, self._slots[variable], strict=True):
                    builder.store(part, shadow)

    def _leading_to_objects(self, stores: Mapping[Alloca, list[Store]]) -> list[Alloca]:
        """The variables that may hold a pointer to a known object: the others need no regions."""
        found: set[Alloca] = set()
        changed = True
        while changed:
            changed = False
            for variable, writes in stores.items():
                if variable not in found and any(self._may_be_known(w.value, found, set()) for w in writes):
                    found.add(variable)
                    changed = True
        return [variable for variable in stores if variable in found]

    def _may_be_known(self, value: Value, variables: set[Alloca], seen: set[Value]) -> bool:
        if value in seen:
            return False
        seen.add(value)
        if isinstance(value, Load):
            return value.pointer in variables
        bases = _bases(value)
        if bases is not None:
            return any(self._may_be_known(base, variables, seen) for base in bases)
        return self._object(value) is not None

    def _shadows(self, variable: Alloca) -> tuple[Alloca, ...]:
        builder = self.insertions.behind(variable)
        shadows = tuple(builder.alloca(I64) for _ in UNKNOWN.parts)
        for part, shadow in zip(UNKNOWN.parts, shadows, strict=True):
            builder.store(part, shadow)
        return shadows

    # Pointers

    def _new(self, value: Value) -> PointerRegion:
        if isinstance(value, GetElementPtr):
            return self._moved(value)
        if isinstance(value, Phi):
            return self._merged(value)
        if isinstance(value, Select) and isinstance(value.type, PointerType):
            return self._chosen(value)
        if isinstance(value, Load):
            return self._loaded(value)
        bases = _bases(value)
        if bases is not None:
            base = self.of(bases[0])
            if base is UNKNOWN:
                return UNKNOWN
            constant = self.layout.constant_offset(value) if isinstance(value, ConstantExpression) else 0
            if constant is None or not isinstance(base.offset, ConstantInt):
                return UNKNOWN
            return PointerRegion(number(base.offset.value + constant), base.size, base.element) if constant else base
        made = self._object(value)
        return made() if made is not None else UNKNOWN

    def _moved(self, gep: GetElementPtr) -> PointerRegion:
        base = self.of(gep.pointer)
        if base is UNKNOWN or not isinstance(gep.type, PointerType):
            return UNKNOWN
        builder = self.insertions.behind(gep)
        offset = self._distance(builder, gep)
        if offset is None:
            return UNKNOWN
        return PointerRegion(_sum(builder, base.offset, offset), base.size, base.element)

    def _distance(self, builder: Builder, gep: GetElementPtr) -> Value | None:
        """The bytes that a getelementptr adds."""
        type_: Type = gep.source_type
        total: Value = number(0)
        for position, index in enumerate(gep.indices):
            resolved = self.layout.resolve(type_)
            if position and isinstance(resolved, StructType):
                field = constant_index(index)
                if field is None:
                    return None
                total = _sum(builder, total, number(self.layout.field_offset(resolved, field)))
                type_ = resolved.elements[field]
                continue
            if position:
                if not isinstance(resolved, (ArrayType, VectorType)):
                    return None
                type_ = resolved.element
            if not isinstance(index.type, IntType) or not self.layout.is_sized(type_):
                return None
            total = _sum(builder, total, _product(builder, wide(builder, index), number(self.layout.size_of(type_))))
        return total

    def _merged(self, phi: Phi) -> PointerRegion:
        if not isinstance(phi.type, PointerType) or not self._may_be_known(phi, set(self._slots), set()):
            return UNKNOWN
        builder = self.insertions.behind(phi)
        parts = [builder.phi(I64) for _ in UNKNOWN.parts]
        self._known[phi] = PointerRegion(parts[0], parts[1], parts[2])  # before its operands, which may lead back to it
        for value, block in phi.incoming:
            for part, merged in zip(self.of(value).parts, parts, strict=True):
                merged.operands.append(part)
                merged.blocks.append(block)
        return self._known[phi]

    def _chosen(self, select: Select) -> PointerRegion:
        condition, a, b = select.operands
        first, second = self.of(a), self.of(b)
        if first is UNKNOWN and second is UNKNOWN:
            return UNKNOWN
        builder = self.insertions.behind(select)
        parts = [builder.select(condition, x, y) for x, y in zip(first.parts, second.parts, strict=True)]
        return PointerRegion(parts[0], parts[1], parts[2])

    def _loaded(self, load: Load) -> PointerRegion:
        shadows = self._slots.get(load.pointer) if isinstance(load.pointer, Alloca) else None
        if shadows is None:
            return UNKNOWN
        builder = self.insertions.behind(load)
        parts = [builder.load(I64, shadow) for shadow in shadows]
        return PointerRegion(parts[0], parts[1], parts[2])

    # Objects

    def _object(self, value: Value) -> Callable[[], PointerRegion] | None:
        """What writes the region of an object's address; None for what is no object that is known."""
        if isinstance(value, Argument) and value in self.given:
            return lambda: self.given[value]
        if isinstance(value, Alloca):
            return lambda: self._variable(value)
        if isinstance(value, GlobalVariable) and _is_defined(value) and self.layout.is_sized(value.value_type):
            size = self.layout.size_of(value.value_type)
            return lambda: PointerRegion(number(0), number(size), number(self._element(value.value_type)))
        if isinstance(value, Call) and not value.is_terminator and _allocated(value):
            return lambda: self._block(value)
        return None

    def _variable(self, variable: Alloca) -> PointerRegion:
        count = variable.operands[0]
        builder = self.insertions.behind(variable)
        size = _product(builder, wide(builder, count), number(self.layout.size_of(variable.allocated_type)))
        return PointerRegion(number(0), size, number(self._element(variable.allocated_type)))

    def _block(self, call: Call) -> PointerRegion:
        builder = self.insertions.behind(call)
        size: Value = number(1)
        for index in _allocated(call):
            size = _product(builder, size, wide(builder, call.arguments[index]))
        return PointerRegion(number(0), size, number(0))

    def _element(self, type_: Type) -> int:
        resolved = self.layout.resolve(type_)
        while isinstance(resolved, ArrayType):
            resolved = self.layout.resolve(resolved.element)
        return self.layout.size_of(resolved)


def wide(builder: Builder, value: Value, *, unsigned: bool = False) -> Value:
    """An integer as an i64."""
    if value.type == I64:
        return value
    if isinstance(value, ConstantInt):
        return number(value.unsigned if unsigned else value.value)
    assert isinstance(value.type, IntType)
    if value.type.bits > 64:
        return builder.trunc(value, I64)
    return builder.zext(value, I64) if unsigned else builder.sext(value, I64)


def _holds_a_pointer(variable: Alloca, uses: list[Instruction]) -> bool:
    """Whether it is a variable that is only loaded and stored, as a pointer."""
    one = isinstance(variable.operands[0], ConstantInt) and variable.operands[0].value == 1
    return (
        one
        and isinstance(variable.allocated_type, PointerType)
        and all(
            (isinstance(use, Load) and isinstance(use.type, PointerType) and not use.volatile)
            or (isinstance(use, Store) and use.value is not variable and isinstance(use.value.type, PointerType))
            or (isinstance(use, Call) and intrinsics.is_marker(getattr(use.callee, "name", "")))
            for use in uses
        )
    )


def _bases(value: Value) -> tuple[Value, ...] | None:
    """The pointers that `value` is computed from; None for one that is not computed."""
    if isinstance(value, GetElementPtr):
        return (value.pointer,)
    if isinstance(value, Select):
        return tuple(value.operands[1:])
    if isinstance(value, Phi):
        return tuple(value.operands)
    if isinstance(value, Freeze) or (isinstance(value, Cast) and value.opcode in ("bitcast", "addrspacecast")):
        return (value.operands[0],)
    if isinstance(value, ConstantExpression) and value.opcode in ("getelementptr", "bitcast", "addrspacecast"):
        return (value.operands[0],)
    return None


def _is_defined(variable: GlobalVariable) -> bool:
    """Whether the program's own definition is the one that is used."""
    return variable.initializer is not None and not variable.linkage.startswith(tuple(_INTERPOSABLE))


def _allocated(call: Call) -> tuple[int, ...]:
    """The arguments whose product is how many bytes the call gives; none for another call."""
    function = call.called_function
    if not isinstance(function, Function) or not function.is_declaration:
        return ()
    found = libc.find(function.name)
    return found.allocated if found is not None else ()


def _sum(builder: Builder, a: Value, b: Value) -> Value:
    if isinstance(a, ConstantInt) and isinstance(b, ConstantInt):
        return number(a.value + b.value)
    return b if a == number(0) else a if b == number(0) else builder.add(a, b)


def _product(builder: Builder, a: Value, b: Value) -> Value:
    if isinstance(a, ConstantInt) and isinstance(b, ConstantInt):
        return number(a.value * b.value)
    return b if a == number(1) else a if b == number(1) else builder.mul(a, b)

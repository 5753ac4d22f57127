"""Values in a watched run: constants, variables of the program, and how values of any type lie in memory."""

from __future__ import annotations

from typing import Any

from enzyme_magic.backend.ir.constants import float_value
from enzyme_magic.backend.ir.instructions import Instruction
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Function, GlobalVariable, Module
from enzyme_magic.backend.ir.types import ArrayType, FloatType, StructType, Type, VectorType
from enzyme_magic.backend.ir.values import (
    ConstantAggregate,
    ConstantExpression,
    ConstantFloat,
    ConstantInt,
    ConstantKeyword,
    ConstantSplat,
    ConstantString,
    Value,
)
from enzyme_magic.backend.tracing import numbers
from enzyme_magic.backend.tracing.memory import MemoryRegion, TracedMemory
from enzyme_magic.backend.tracing.record import DependenceRecorder, NotDecided

Scalar = tuple[Any, int, float | None]  # value, node, tangent
Held = Any  # a Scalar, or a list of Held
Frame = dict[Value, Held]


def marks(held: Held) -> list[int]:
    """The nodes in a value."""
    return [node for part in held for node in marks(part)] if isinstance(held, list) else [held[1]]


class Values:
    """The memory of a run and the values that are there before it. `steps` bounds what is recorded."""

    def __init__(self, module: Module, layout: DataLayout, steps: int) -> None:
        self.module, self.layout = module, layout
        self.memory = TracedMemory()
        self.recorder = DependenceRecorder(steps)
        self.globals: dict[str, MemoryRegion] = {}
        self.functions: dict[int, Function] = {}
        self._addresses: dict[str, int] = {}

    def value(self, frame: Frame, value: Value) -> Held:
        found = frame.get(value)
        return self.constant(value) if found is None else found

    def number(self, frame: Frame, value: Value) -> Any:
        """The value alone, of a scalar."""
        held = self.value(frame, value)
        if isinstance(held, list) or held[0] is None:
            raise NotDecided("a value that is not known decides")
        return held[0]

    def constant(self, value: Value) -> Held:
        if isinstance(value, ConstantInt):
            return value.unsigned, 0, 0.0
        if isinstance(value, ConstantFloat):
            return numbers.rounded(float_value(value), value.type), 0, 0.0
        if isinstance(value, ConstantKeyword):
            return self.zero(value.type)
        if isinstance(value, ConstantAggregate):
            return [self.constant(element) for element in value.elements]
        if isinstance(value, ConstantSplat):
            assert isinstance(value.type, VectorType)
            return [self.constant(value.element)] * value.type.count
        if isinstance(value, ConstantString):
            return [(byte, 0, 0.0) for byte in value.data]
        if isinstance(value, (GlobalVariable, Function)):
            return self.address_of(value), 0, 0.0
        if isinstance(value, ConstantExpression):
            return self._expression(value), 0, 0.0
        raise NotDecided(f"a constant of the kind {type(value).__name__} is not followed")

    def _expression(self, value: ConstantExpression) -> int:
        if value.opcode == "getelementptr":
            offset = self.layout.constant_offset(value)
            if offset is not None:
                return int(self.constant(value.operands[0])[0]) + offset
        elif value.opcode in ("inttoptr", "ptrtoint", "bitcast", "addrspacecast"):
            return int(self.constant(value.operands[0])[0])
        raise NotDecided(f"the constant expression {value.opcode} is not followed")

    def zero(self, type_: Type) -> Held:
        """The zero of a type; also what undef and poison are taken for."""
        type_ = self.layout.resolve(type_)
        if isinstance(type_, StructType):
            return [self.zero(element) for element in type_.elements]
        if isinstance(type_, (ArrayType, VectorType)):
            return [self.zero(type_.element)] * type_.count
        return (0.0 if isinstance(type_, FloatType) else 0), 0, 0.0

    def address_of(self, value: GlobalVariable | Function) -> int:
        """Where a variable of the program lies in this run; a number of its own for a function."""
        known = self._addresses.get(value.name)
        if known is not None:
            return known
        if isinstance(value, Function):
            region = self.memory.allocate(1, value.name)
            self.functions[region.base] = value
        elif value.is_thread_local or value.initializer is None:
            raise NotDecided(f"the variable {value.name} is not defined in the program")
        else:
            region = self.globals[value.name] = self.memory.allocate(self.layout.size_of(value.value_type), value.name)
        self._addresses[value.name] = region.base
        if isinstance(value, GlobalVariable) and value.initializer is not None:
            self.put(region.base, value.value_type, self.constant(value.initializer))
        return region.base

    # --- memory

    def put(self, address: int, type_: Type, held: Held, instruction: Instruction | None = None) -> None:
        """Store a value of any type."""
        type_ = self.layout.resolve(type_)
        if isinstance(held, list):
            for (offset, element), part in zip(self._parts(type_), held, strict=True):
                self.put(address + offset, element, part, instruction)
            return
        number, node, tangent = held
        if number is None:
            raise NotDecided("a value that is not known is stored")
        node = self.recorder.node(instruction, (node,)) if instruction is not None else node
        self.memory.write(address, numbers.encoded(number, type_), node, tangent)

    def get(self, address: int, type_: Type, instruction: Instruction) -> Held:
        """Load a value of any type."""
        type_ = self.layout.resolve(type_)
        if isinstance(type_, (StructType, ArrayType, VectorType)):
            return [self.get(address + offset, element, instruction) for offset, element in self._parts(type_)]
        size = self.layout.store_size(type_)
        number = numbers.decoded(self.memory.read(address, size), type_)
        cell = self.memory.whole(address, size)
        if cell is not None:
            return number, self.recorder.node(instruction, (cell.node,)), cell.tangent
        found = self.memory.cells(address, size)
        return (number, self.recorder.node(instruction, (c.node for c in found)), None) if found else (number, 0, 0.0)

    def _parts(self, type_: Type) -> list[tuple[int, Type]]:
        """Offsets and types of the members of an aggregate or vector."""
        if isinstance(type_, StructType):
            return [(self.layout.field_offset(type_, k), element) for k, element in enumerate(type_.elements)]
        if isinstance(type_, (ArrayType, VectorType)):
            if isinstance(type_, VectorType) and self.layout.bits(type_.element) % 8:
                raise NotDecided(f"{type_} in memory is not followed")
            size = self.layout.size_of(type_.element)
            return [(k * size, type_.element) for k in range(type_.count)]
        raise NotDecided(f"a value of type {type_} is not followed")

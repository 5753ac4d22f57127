"""How integer, vector and aggregate operations move bytes: links and facts between the bits of SSA values.

Bitwise operations and shifts pass on what their operands hold (a float whose sign bit was flipped is still made of a
float), with byte offsets where a shift is by whole bytes. Arithmetic makes an integer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from enzyme_magic.backend.analysis.types.blank_bits import blank, zero, zero_below
from enzyme_magic.backend.analysis.types.layouts import BLANK, Layout, scalar
from enzyme_magic.backend.analysis.types.type_facts import DECLARED, OWN, Fact, Graph, Link, Node
from enzyme_magic.backend.analysis.types.type_tree import INTEGER, POINTER
from enzyme_magic.backend.analysis.types.windows import EVERYWHERE, Window
from enzyme_magic.backend.ir.instructions import (
    AtomicRMW,
    Binary,
    Cast,
    ExtractElement,
    ExtractValue,
    Freeze,
    InsertElement,
    InsertValue,
    Instruction,
    Phi,
    Select,
    ShuffleVector,
)
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
from enzyme_magic.backend.ir.values import Argument, ConstantAggregate, ConstantInt, ConstantSplat, Value

ARITHMETIC = frozenset(["mul", "udiv", "sdiv", "urem", "srem"])
BYTE = scalar(INTEGER, 1, name="an integer")


@dataclass(frozen=True, slots=True, eq=False)
class BitFlow:
    """Visits instructions; `node` gives the bits of a value."""

    graph: Graph
    node: Callable[[Value], Node]
    sizes: DataLayout

    def visit(self, i: Instruction) -> None:
        action = _ACTIONS.get(type(i))
        if action is not None and self.concerns(i):
            action(self, i)
        self.constant_bytes(i)

    def constant_bytes(self, i: Instruction) -> None:
        """What of an integer is the same whatever the program computes."""
        for start, end in _runs(blank(i)):
            fact = Fact(BLANK, start, 0, Window(start, end), DECLARED, OWN, "its bits are constant there")
            self.graph.add(self.node(i), fact)

    def concerns(self, i: Instruction) -> bool:
        """Floating and pointer results need no bits, unless they are another reading of integer bits."""
        if i.opcode == "bitcast":
            return True
        return not isinstance(i.type.scalar, (FloatType, PointerType, VoidType)) and not _bit(i.type)

    # --- parts

    def copy(self, source: Value, target: Instruction, a: int = 0, b: int = 0, length: int | None = None) -> None:
        """`length` bytes of `source` from `a` on become bytes of `target` from `b` on."""
        if isinstance(source, (Instruction, Argument)) and not _bit(source.type):
            origin, arrival = self.node(source), self.node(target)
            if length is None:
                assert origin.size is not None
                assert arrival.size is not None
                length = min(origin.size - a, arrival.size - b)
            if length > 0:
                self.graph.link(Link(origin, a, 0, arrival, b, 0, length))

    def integer(self, i: Instruction) -> None:
        self.graph.add(self.node(i), Fact(BYTE, 0, 0, EVERYWHERE, DECLARED, OWN, f"{i.opcode} makes an integer"))

    # --- instructions

    def merge(self, i: Instruction) -> None:
        for operand in i.operands[1:] if isinstance(i, Select) else i.operands:
            self.copy(operand, i)

    def cast(self, i: Instruction) -> None:
        source = i.operands[0]
        if i.opcode in ("trunc", "zext", "bitcast") and not isinstance(i.type.scalar, PointerType):
            self.copy(source, i)
        narrow = isinstance(source.type, IntType) and source.type.bits <= 16
        if i.opcode in ("fptosi", "fptoui", "sext") or (i.opcode == "zext" and narrow):
            self.integer(i)
        elif i.opcode in ("ptrtoint", "ptrtoaddr"):
            layout: Layout = scalar(POINTER, self.sizes.store_size(i.type), name="an address")
            self.graph.add(self.node(i), Fact(layout, 0, 0, EVERYWHERE, DECLARED, OWN, "it is an address"))

    def binary(self, i: Instruction) -> None:
        left, right = i.operands
        if i.opcode in ("add", "sub"):
            self.sum(i)
        elif i.opcode in ARITHMETIC:
            self.integer(i)
        elif i.opcode in ("shl", "lshr") and isinstance(right, ConstantInt) and right.value % 8 == 0:
            distance = right.value // 8
            if i.opcode == "shl":
                self.copy(left, i, 0, distance)
            else:
                self.copy(left, i, distance, 0)
        elif i.opcode in ("shl", "lshr", "ashr"):
            self.copy(left, i)
        else:
            self._passed(left, right, i)
            self._passed(right, left, i)

    def sum(self, i: Instruction) -> None:
        """Below the lowest byte of one operand, a sum is the other one: so optimizers count in the upper half of a register."""
        left, right = i.operands
        below = max(zero_below(right), zero_below(left) if i.opcode == "add" else 0)
        self.copy(left if zero_below(right) == below else right, i, 0, 0, below)
        reason = f"{i.opcode} makes an integer"
        window = Window(below, None) if below else EVERYWHERE
        self.graph.add(self.node(i), Fact(BYTE, 0, 0, window, DECLARED, OWN, reason))

    def _passed(self, source: Value, other: Value, i: Instruction) -> None:
        """Bitwise: the bytes of `source`, but for those that an `and` clears."""
        cleared = zero(other) if i.opcode == "and" else frozenset()
        if not cleared:
            self.copy(source, i)
            return
        for start, end in _runs(frozenset(range(self.sizes.store_size(i.type))) - cleared):
            self.copy(source, i, start, start, end - start)

    def extract_value(self, i: Instruction) -> None:
        assert isinstance(i, ExtractValue)
        offset, _ = self.field(i.operands[0].type, i.indices)
        self.copy(i.operands[0], i, offset, 0)

    def insert_value(self, i: Instruction) -> None:
        assert isinstance(i, InsertValue)
        offset, type_ = self.field(i.type, i.indices)
        size = self.sizes.store_size(type_)
        self.around(i.operands[0], i, offset, size)
        if not isinstance(type_.scalar, PointerType):
            self.copy(i.operands[1], i, 0, offset, size)

    def around(self, whole: Value, target: Instruction, offset: int, size: int) -> None:
        """Everything of `whole` but the bytes [offset, offset + size)."""
        end = self.sizes.store_size(target.type)
        self.copy(whole, target, 0, 0, offset)
        self.copy(whole, target, offset + size, offset + size, end - offset - size)

    def field(self, type_: Type, indices: tuple[int, ...]) -> tuple[int, Type]:
        """(byte offset, type) of a member of an aggregate."""
        offset = 0
        for index in indices:
            type_ = self.sizes.resolve(type_)
            if isinstance(type_, StructType):
                offset += self.sizes.field_offset(type_, index)
                type_ = type_.elements[index]
            elif isinstance(type_, ArrayType):
                type_ = type_.element
                offset += index * self.sizes.size_of(type_)
        return offset, type_

    def extract_element(self, i: Instruction) -> None:
        size = self.sizes.store_size(i.type)
        index = i.operands[1]
        if isinstance(index, ConstantInt):
            self.copy(i.operands[0], i, index.value * size, 0, size)
        else:
            for lane in range(_lanes(i.operands[0].type)):
                self.copy(i.operands[0], i, lane * size, 0, size)

    def insert_element(self, i: Instruction) -> None:
        size = self.sizes.store_size(i.type.scalar)
        index = i.operands[2]
        if isinstance(index, ConstantInt):
            self.around(i.operands[0], i, index.value * size, size)
            self.copy(i.operands[1], i, 0, index.value * size, size)
        else:
            self.copy(i.operands[0], i)
            for lane in range(_lanes(i.type)):
                self.copy(i.operands[1], i, 0, lane * size, size)

    def shuffle(self, i: Instruction) -> None:
        size = self.sizes.store_size(i.type.scalar)
        width = _lanes(i.operands[0].type)
        mask = i.operands[2]
        lanes = list(mask.elements) if isinstance(mask, ConstantAggregate) else []
        if not lanes:
            zero = mask.element if isinstance(mask, ConstantSplat) else None
            index = zero.value if isinstance(zero, ConstantInt) else 0
            lanes = [ConstantInt(mask.type.scalar, index)] * _lanes(i.type)
        for position, lane in enumerate(lanes):
            if isinstance(lane, ConstantInt):
                source = i.operands[0 if lane.value < width else 1]
                self.copy(source, i, lane.value % width * size, position * size, size)

    def atomic(self, i: Instruction) -> None:
        assert isinstance(i, AtomicRMW)
        if i.operation != "xchg":
            self.integer(i)


def _runs(found: frozenset[int]) -> list[tuple[int, int]]:
    """Contiguous ranges [start, end)."""
    runs: list[tuple[int, int]] = []
    for byte in sorted(found):
        if runs and runs[-1][1] == byte:
            runs[-1] = (runs[-1][0], byte + 1)
        else:
            runs.append((byte, byte + 1))
    return runs


def _lanes(type_: Type) -> int:
    return type_.count if isinstance(type_, VectorType) else 1


def _bit(type_: Type) -> bool:
    return isinstance(type_.scalar, IntType) and type_.scalar.bits < 8


_ACTIONS: dict[type, Callable[[BitFlow, Instruction], None]] = {
    Phi: BitFlow.merge,
    Select: BitFlow.merge,
    Freeze: BitFlow.merge,
    Cast: BitFlow.cast,
    Binary: BitFlow.binary,
    ExtractValue: BitFlow.extract_value,
    InsertValue: BitFlow.insert_value,
    ExtractElement: BitFlow.extract_element,
    InsertElement: BitFlow.insert_element,
    ShuffleVector: BitFlow.shuffle,
    AtomicRMW: BitFlow.atomic,
}

"""How integer, vector and aggregate operations move bytes: links and facts between the bits of SSA values.

Bitwise operations pass on what their operands hold (a float whose sign bit was flipped is still made of a float), and shifts
by whole bytes do, with byte offsets. Every other operation makes an integer, and is noted: where what it computes with turns out
to hold parts of a floating number, `computed_bits` takes that back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from enzyme_magic.backend.analysis.calls.scalar_functions import ScalarFunction
from enzyme_magic.backend.analysis.counts.blank_bits import blank, zero, zero_below
from enzyme_magic.backend.analysis.types.computed_bits import BitOperation, operands_of
from enzyme_magic.backend.analysis.types.layouts import BLANK, MANGLED, Layout, scalar
from enzyme_magic.backend.analysis.types.spreading import Graph
from enzyme_magic.backend.analysis.types.type_facts import DECLARED, OWN, CopyLink, Node, TypeFact
from enzyme_magic.backend.analysis.types.type_tree import INTEGER, POINTER
from enzyme_magic.backend.analysis.types.windows import EVERYWHERE, Window
from enzyme_magic.backend.ir import locations
from enzyme_magic.backend.ir.instructions import (
    AtomicRMW,
    Binary,
    Call,
    Cast,
    CompareExchange,
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
from enzyme_magic.backend.rules import x86_bits

ARITHMETIC = frozenset(["mul", "udiv", "sdiv", "urem", "srem"])
UPWARDS = frozenset(["add", "sub", "mul", "shl", "zext"])
BYTE = scalar(INTEGER, 1, name="an integer")


@dataclass(frozen=True, slots=True, eq=False)
class BitFlow:
    """Visits instructions; `node` gives the bits of a value."""

    graph: Graph
    node: Callable[[Value], Node]
    sizes: DataLayout
    pointer_node: Callable[[Value], Node]
    places: Callable[[Value], list[tuple[Node, int, int]]]
    operations: list[BitOperation]

    def visit(self, i: Instruction) -> None:
        action = _ACTIONS.get(type(i))
        if action is not None and self.concerns(i):
            action(self, i)
        self.constant_bytes(i)

    def constant_bytes(self, i: Instruction) -> None:
        """What of an integer is the same whatever the program computes."""
        for start, end in _runs(blank(i)):
            fact = TypeFact(BLANK, start, 0, Window(start, end), DECLARED, OWN, "its bits are constant there")
            self.graph.add(self.node(i), fact)

    def concerns(self, i: Instruction) -> bool:
        """Floating and pointer results need no bits, unless they are another reading of integer bits."""
        if i.opcode == "bitcast" or (isinstance(i.type, PointerType) and isinstance(i, (Phi, Select, Freeze, Cast))):
            return True
        return not isinstance(i.type.scalar, (FloatType, PointerType, VoidType)) and not is_bit(i.type)

    # --- parts

    def copy(self, source: Value, target: Instruction, a: int = 0, b: int = 0, length: int | None = None) -> None:
        """`length` bytes of `source` from `a` on become bytes of `target` from `b` on."""
        if isinstance(source, (Instruction, Argument)) and not is_bit(source.type):
            origin, arrival = self.node(source), self.node(target)
            if length is None:
                assert origin.size is not None
                assert arrival.size is not None
                length = min(origin.size - a, arrival.size - b)
            if length > 0:
                self.graph.link(CopyLink(origin, a, 0, arrival, b, 0, length))

    def integer(self, i: Instruction, window: Window = EVERYWHERE, kept: int | None = None) -> None:
        """`kept`: how many of the highest bits of the first operand have a part in it."""
        reason = f"{i.opcode} makes an integer"
        self.graph.add(self.node(i), TypeFact(BYTE, 0, 0, window, DECLARED, OWN, reason))
        self.computed(i, i.operands, window, kept)

    def computed(
        self, i: Instruction, operands: Sequence[Value], window: Window = EVERYWHERE, kept: int | None = None
    ) -> None:
        """Whatever parts of floating numbers the operands hold are lost in the result."""
        nodes = [self.node(v) for v in operands if isinstance(v, (Instruction, Argument)) and self._has_bits(v.type)]
        if nodes:
            self.operations.append(
                BitOperation(operands_of(nodes), self.node(i), window, _how(i), kept, i.opcode in UPWARDS)
            )

    def _has_bits(self, type_: Type) -> bool:
        return not isinstance(type_.scalar, (FloatType, PointerType, VoidType)) and not is_bit(type_)

    # --- instructions

    def pointer(self, i: Instruction, operands: Sequence[Value]) -> None:
        """A pointer made of others, or of an integer: should one be the bits of a number, so is this."""
        for operand in operands:
            if isinstance(operand, (Instruction, Argument)):
                source = self.pointer_node(operand) if isinstance(operand.type, PointerType) else self.node(operand)
                self.graph.link(CopyLink(source, 0, 0, self.pointer_node(i), 0, 0, 8, numbers=True))

    def merge(self, i: Instruction) -> None:
        if isinstance(i.type, PointerType):
            self.pointer(i, i.operands[1:] if isinstance(i, Select) else i.operands)
            return
        for operand in i.operands[1:] if isinstance(i, Select) else i.operands:
            self.copy(operand, i)

    def cast(self, i: Instruction) -> None:
        source = i.operands[0]
        if isinstance(i.type, PointerType):
            self.pointer(i, i.operands)
            return
        if i.opcode in ("trunc", "zext", "bitcast") and not isinstance(i.type.scalar, PointerType):
            self.copy(source, i)
        narrow = isinstance(source.type, IntType) and source.type.bits <= 16
        if i.opcode in ("sext", "zext", "fptosi", "fptoui") and (narrow or i.opcode != "zext"):
            self.integer(i)  # whole numbers carry no derivative: `computed` passes over floating operands
        elif i.opcode in ("ptrtoint", "ptrtoaddr"):
            layout: Layout = scalar(POINTER, self.sizes.store_size(i.type), name="an address")
            self.graph.add(self.node(i), TypeFact(layout, 0, 0, EVERYWHERE, DECLARED, OWN, "it is an address"))
            if isinstance(source, (Instruction, Argument)):
                self.graph.link(CopyLink(self.pointer_node(source), 0, 0, self.node(i), 0, 0, 8, numbers=True))

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
            down = right.unsigned if i.opcode != "shl" and isinstance(right, ConstantInt) else None
            self.integer(i, kept=None if down is None else 8 * self.sizes.store_size(i.type) - down)
        elif i.opcode == "and" and isinstance(right, ConstantInt) and (kept := _highest(right)):
            self.integer(i, kept=kept)
        else:
            self._passed(left, right, i)
            self._passed(right, left, i)

    def sum(self, i: Instruction) -> None:
        """Below the lowest byte of one operand, a sum is the other one: so optimizers count in the upper half of a register."""
        left, right = i.operands
        below = max(zero_below(right), zero_below(left) if i.opcode == "add" else 0)
        self.copy(left if zero_below(right) == below else right, i, 0, 0, below)
        self.integer(i, Window(below, None) if below else EVERYWHERE)

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
        """The old value is what was in memory; the new one the operand, or computed from both."""
        assert isinstance(i, (AtomicRMW, CompareExchange))
        place, *operands = i.operands
        size = self.sizes.store_size(operands[-1].type)
        held = [v for v in operands if isinstance(v, (Instruction, Argument)) and self._has_bits(v.type)]
        exchanges = isinstance(i, CompareExchange) or i.operation == "xchg"
        for node, offset, modulus in self.places(place):
            self.graph.link(CopyLink(node, offset, modulus, self.node(i), 0, 0, size))
            window = Window(offset, offset + size, modulus)
            if exchanges:
                for value in held[-1:]:
                    self.graph.link(CopyLink(self.node(value), 0, 0, node, offset, modulus, size))
            elif not str(operands[0].type).startswith("ptr"):
                both = ((node, offset, modulus), *operands_of([self.node(v) for v in held]))
                self.operations.append(BitOperation(both, node, window, _how(i)))

    def call(self, i: Call) -> None:
        """A function without a body that gives back an integer."""
        if not self._has_bits(i.type):
            return
        self.computed(i, i.arguments)
        name = i.called_function.name if i.called_function is not None else ""
        if not x86_bits.gives_integers(name) and any(isinstance(v.type.scalar, FloatType) for v in i.arguments):
            self.graph.add(self.node(i), TypeFact(MANGLED, 0, 0, EVERYWHERE, DECLARED, OWN, _how(i)))

    def scalar_call(self, i: Call, function: ScalarFunction) -> None:
        """A function with a body of which it is known how it makes an integer of integers."""
        if is_bit(i.type):
            return  # what is true or false decides, and holds no bytes
        for k in function.moved:
            self.copy(i.arguments[k], i)
        if function.computes:
            self.graph.add(self.node(i), TypeFact(BYTE, 0, 0, EVERYWHERE, DECLARED, OWN, "a function computes it"))
            self.computed(i, i.arguments)


def _how(i: Instruction) -> str:
    """What is said of a result that is computed from the bits of a number."""
    line = locations.line_of(i)
    name = i.called_function.name if isinstance(i, Call) and i.called_function is not None else i.opcode
    return f"{f'line {line}' if line is not None else name} computes with the bits of a floating number"


def _highest(mask: ConstantInt) -> int:
    """How many of the highest bits a mask keeps; 0 where it keeps most of them, as one that clears a sign does."""
    bits = mask.type.bits if isinstance(mask.type, IntType) else 0
    lowest = (mask.unsigned & -mask.unsigned).bit_length() - 1
    return bits - lowest if mask.unsigned and bits - lowest <= 12 else 0


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


def is_bit(type_: Type) -> bool:
    """Whether it is a truth value, or a vector of them, and no bytes."""
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
    CompareExchange: BitFlow.atomic,
}

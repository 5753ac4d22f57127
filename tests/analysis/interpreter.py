"""Runs small functions of our IR and watches memory: the truth that `overwritten_after` and `base_objects` are measured by.

Memory is a map from address to (value, size); objects lie far apart. Only what the generated programs need.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass, field

from enzyme_magic.backend.ir.constants import float_value
from enzyme_magic.backend.ir.instructions import (
    Alloca,
    Branch,
    Call,
    Cast,
    Compare,
    GetElementPtr,
    Instruction,
    Load,
    Phi,
    Return,
    Select,
    Store,
    Switch,
)
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Function, GlobalVariable
from enzyme_magic.backend.ir.types import ArrayType, FloatType, IntType, StructType
from enzyme_magic.backend.ir.values import (
    Block,
    ConstantExpression,
    ConstantFloat,
    ConstantInt,
    ConstantKeyword,
    Value,
)

SPACE = 1 << 24
Number = int | float


@dataclass(eq=False)
class Watch:
    """What one activation of a function saw. `readers[address]`: its loads that read this byte."""

    function: Function
    readers: dict[int, set[Load]] = field(default_factory=dict)
    overwritten: dict[Load, Instruction] = field(default_factory=dict)
    touched: dict[Instruction, set[int]] = field(default_factory=dict)  # object numbers, by access


class Machine:
    """Executes functions; `watches` has one entry per activation of a watched function."""

    def __init__(self, layout: DataLayout, limit: int = 200_000) -> None:
        self.layout = layout
        self.memory: dict[int, tuple[Number, int]] = {}
        self.objects: list[object] = ["null"]
        self.globals: dict[Value, int] = {}
        self.stack: list[tuple[Watch, Instruction | None]] = []
        self.watches: list[Watch] = []
        self.left = limit

    def allocate(self, label: object) -> int:
        self.objects.append(label)
        return (len(self.objects) - 1) * SPACE + SPACE // 2

    # --- memory, with its watchers

    def read(self, address: int, size: int) -> Number:
        found = self.memory.get(address)
        if found is not None and found[1] == size:
            return found[0]
        return 0

    def write(self, address: int, value: Number, size: int) -> None:
        self.destroy(address, size)
        for at in range(address - 16, address + size):
            if at in self.memory and at + self.memory[at][1] > address:
                del self.memory[at]
        self.memory[address] = (value, size)

    def destroy(self, address: int, size: int) -> None:
        """The bytes change: every load that read one of them, in any live activation, is overwritten."""
        for watch, instruction in self.stack:
            for at in range(address, address + size):
                for load in watch.readers.get(at, ()):
                    assert instruction is not None
                    watch.overwritten.setdefault(load, instruction)

    # --- values

    def constant(self, value: Value) -> Number:
        if isinstance(value, ConstantInt):
            return value.value
        if isinstance(value, ConstantFloat):
            return float_value(value)
        if isinstance(value, ConstantKeyword):
            return 0
        if isinstance(value, GlobalVariable):
            if value not in self.globals:
                self.globals[value] = self.allocate(value.name)
            return self.globals[value]
        if isinstance(value, ConstantExpression) and value.opcode == "getelementptr":
            offset = self.layout.constant_offset(value)
            assert offset is not None
            return int(self.constant(value.operands[0])) + offset
        if isinstance(value, ConstantExpression) and value.opcode == "inttoptr":
            return self.constant(value.operands[0])
        raise NotImplementedError(str(value))

    def run(self, function: Function, arguments: list[Number]) -> Number:
        watch = Watch(function)
        self.watches.append(watch)
        self.stack.append((watch, None))
        frame: dict[Value, Number] = dict(zip(function.arguments, arguments, strict=True))
        block, came_from = function.entry, None
        while True:
            phis = [i for i in block.instructions if isinstance(i, Phi)]
            values = [self.value(frame, phi.value_from(came_from)) for phi in phis] if came_from else []
            frame.update(zip(phis, values, strict=True))
            for instruction in block.instructions[len(phis) :]:
                self.left -= 1
                if self.left < 0:
                    raise TimeoutError
                self.stack[-1] = (watch, instruction)
                if isinstance(instruction, Return):
                    self.stack.pop()
                    return self.value(frame, instruction.operands[0]) if instruction.operands else 0
                if instruction.is_terminator:
                    came_from, block = block, self.target(frame, instruction)
                    break
                frame[instruction] = self.execute(frame, instruction, watch)

    def value(self, frame: dict[Value, Number], value: Value) -> Number:
        return frame[value] if value in frame else self.constant(value)

    def target(self, frame: dict[Value, Number], instruction: Instruction) -> Block:
        if isinstance(instruction, Branch):
            if not instruction.operands:
                return instruction.targets[0]
            return instruction.targets[0 if self.value(frame, instruction.operands[0]) else 1]
        assert isinstance(instruction, Switch)
        chosen = self.value(frame, instruction.operands[0])
        for case, block in zip(instruction.cases, instruction.targets[1:], strict=True):
            if self.constant(case) == chosen:
                return block
        return instruction.targets[0]

    def execute(self, frame: dict[Value, Number], i: Instruction, watch: Watch) -> Number:
        v = [self.value(frame, o) for o in i.operands] if not isinstance(i, Call) else []
        if isinstance(i, Load):
            address, size = int(v[0]), self.layout.store_size(i.type)
            watch.touched.setdefault(i, set()).add(address // SPACE)
            for at in range(address, address + size):
                watch.readers.setdefault(at, set()).add(i)
            return self.read(address, size)
        if isinstance(i, Store):
            watch.touched.setdefault(i, set()).add(int(v[1]) // SPACE)
            self.write(int(v[1]), v[0], self.layout.store_size(i.value.type))
            return 0
        if isinstance(i, Alloca):
            return self.allocate(i)
        if isinstance(i, GetElementPtr):
            return self.address(i, v)
        if isinstance(i, Call):
            return self.call(frame, i)
        if isinstance(i, Select):
            return v[1] if v[0] else v[2]
        if isinstance(i, Compare):
            return -int(_COMPARE[i.predicate](*self.compared(i, v)))
        if isinstance(i, Cast):
            return self.cast(i, v[0])
        return self.arithmetic(i, v)

    def compared(self, i: Compare, v: list[Number]) -> tuple[Number, Number]:
        if i.opcode == "icmp" and i.predicate[0] == "u":
            bits = _bits(i.operands[0].type)
            return int(v[0]) % (1 << bits), int(v[1]) % (1 << bits)
        return v[0], v[1]

    def address(self, i: GetElementPtr, v: list[Number]) -> int:
        type_, result = i.source_type, int(v[0]) + int(v[1]) * self.layout.size_of(i.source_type)
        for index in v[2:]:
            type_ = self.layout.resolve(type_)
            if isinstance(type_, StructType):
                result += self.layout.field_offset(type_, int(index))
                type_ = type_.elements[int(index)]
            else:
                assert isinstance(type_, ArrayType)
                type_ = type_.element
                result += int(index) * self.layout.size_of(type_)
        return result

    def cast(self, i: Cast, value: Number) -> Number:
        if i.opcode in ("sext", "bitcast", "freeze", "fpext", "ptrtoint", "inttoptr"):
            return value
        if i.opcode == "zext":
            return int(value) % (1 << _bits(i.operands[0].type))
        if i.opcode == "trunc":
            return _signed(int(value), _bits(i.type))
        if i.opcode in ("sitofp", "uitofp"):
            return float(value)
        if i.opcode == "fptosi":
            return int(value)
        if i.opcode == "fptrunc":
            return float(struct.unpack("f", struct.pack("f", value))[0])
        raise NotImplementedError(i.opcode)

    def arithmetic(self, i: Instruction, v: list[Number]) -> Number:
        result = _ARITHMETIC[i.opcode](*v)
        if isinstance(i.type, FloatType):
            return result if abs(result) < 1e100 else 1.0
        return _signed(int(result), _bits(i.type))

    def call(self, frame: dict[Value, Number], i: Call) -> Number:
        callee = i.called_function
        assert callee is not None
        arguments = [self.value(frame, a) for a in i.arguments if str(a.type) != "metadata"]
        if callee.blocks:
            return self.run(callee, arguments)
        name = callee.name
        if name.startswith(("llvm.memcpy", "llvm.memmove")):
            return self.copy(int(arguments[0]), int(arguments[1]), int(arguments[2]))
        if name.startswith("llvm.memset"):
            for at in [a for a in self.memory if 0 <= a - int(arguments[0]) < arguments[2]]:
                del self.memory[at]
            self.destroy(int(arguments[0]), int(arguments[2]))
            return 0
        if name.startswith("llvm.fmuladd"):
            result = arguments[0] * arguments[1] + arguments[2]
            return result if abs(result) < 1e100 else 1.0
        if name in ("malloc", "calloc"):
            return self.allocate(i)
        if name == "free":
            base = int(arguments[0]) // SPACE * SPACE
            self.destroy(base + SPACE // 2, 4096)
            return 0
        if name.startswith("llvm.") and name.split(".")[1] in _INTRINSICS:
            return _signed(int(_INTRINSICS[name.split(".")[1]](*arguments)), _bits(i.type))
        if name.startswith(("llvm.lifetime", "llvm.assume", "llvm.experimental")):
            return 0
        raise NotImplementedError(name)

    def copy(self, target: int, source: int, size: int) -> int:
        moved = [(a - source, c) for a, c in self.memory.items() if 0 <= a - source < size]
        self.destroy(target, size)
        for at in [a for a in self.memory if 0 <= a - target < size]:
            del self.memory[at]
        for offset, cell in moved:
            self.memory[target + offset] = cell
        return 0


def _bits(type_: object) -> int:
    return type_.bits if isinstance(type_, IntType) else 64


def _signed(value: int, bits: int) -> int:
    value %= 1 << bits
    return value - (1 << bits) if value >> (bits - 1) else value


def _whole(a: Number, b: Number) -> int:
    quotient = abs(int(a)) // abs(int(b))
    return quotient if (a < 0) == (b < 0) else -quotient


_ARITHMETIC: dict[str, Callable[..., Number]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "fadd": lambda a, b: a + b,
    "fsub": lambda a, b: a - b,
    "fmul": lambda a, b: a * b,
    "fneg": lambda a: -a,
    "fdiv": lambda a, b: a / b if b else 0.0,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "shl": lambda a, b: a << b if 0 <= b < 64 else 0,
    "lshr": lambda a, b: (a % (1 << 64)) >> (b % 64),
    "ashr": lambda a, b: a >> (b % 64),
    "sdiv": _whole,
    "srem": lambda a, b: a - b * _whole(a, b),
    "udiv": lambda a, b: a // b,
    "urem": lambda a, b: a % b,
    "freeze": lambda a: a,
}
_INTRINSICS: dict[str, Callable[..., Number]] = {
    "smax": max,
    "smin": min,
    "umax": max,
    "umin": min,
    "abs": lambda a, _: abs(a),
}
_COMPARE: dict[str, Callable[[Number, Number], bool]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    **dict.fromkeys(("slt", "ult", "olt"), lambda a, b: a < b),
    **dict.fromkeys(("sle", "ule", "ole"), lambda a, b: a <= b),
    **dict.fromkeys(("sgt", "ugt", "ogt"), lambda a, b: a > b),
    **dict.fromkeys(("sge", "uge", "oge"), lambda a, b: a >= b),
    "oeq": lambda a, b: a == b,
    "une": lambda a, b: a != b,
}

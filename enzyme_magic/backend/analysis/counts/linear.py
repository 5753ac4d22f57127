"""Machine integers that step evenly while a loop runs: X in iteration k (0, 1, 2, …) is X_0 + step · k, modulo 2^width.

Theorem: values built from the phis of a loop's header that grow by a constant, from constants and from values the loop does not
change, by addition, subtraction, multiplication by constants and truncation, are linear modulo 2^width whatever wraps. Widening
keeps that only where the narrow value does not wrap, which `nsw` and `nuw` prove.

`Linear.signed` (`unsigned`) says: read as signed (unsigned) integers the equation holds exactly, without the modulus, in every
iteration whose value is not poison.

X_0 is kept as a small tree over values that exist before the loop, to be computed there, or to be written as a polynomial.
Pointers are linear as 64-bit addresses.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from enzyme_magic.backend.analysis.counts.affine import (
    SIGNED,
    UNSIGNED,
    Evolution,
    Polynomial,
    add,
    constant,
    multiply,
)
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.graphs.loops import Loop
from enzyme_magic.backend.ir.instructions import Binary, Cast, Freeze, GetElementPtr, Instruction, Phi
from enzyme_magic.backend.ir.types import I64, IntType, PointerType, Type
from enzyme_magic.backend.ir.values import ConstantInt, Value

DEEPEST = 24
LONGEST_CHAIN = 16
FOLLOWED = ("add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "udiv", "sdiv", "urem", "srem")
BY_CONSTANT = ("shl", "lshr", "ashr", "udiv", "sdiv", "urem", "srem")  # undefined for some right operands


@dataclass(frozen=True, slots=True, eq=False)
class LinearLeaf:
    """A constant, or a value that exists before the loop."""

    value: Value

    @property
    def type(self) -> Type:
        return self.value.type


@dataclass(frozen=True, slots=True, eq=False)
class LinearOperation:
    """A binary operation, or a conversion (one operand). `unchanged`: the value of the loop that it is in every iteration."""

    opcode: str
    operands: tuple[Start, ...]
    type: Type
    unchanged: Value | None = None


Start = LinearLeaf | LinearOperation


@dataclass(frozen=True, slots=True, eq=False)
class Linear:
    """`step` is the signed reading of the change per iteration."""

    start: Start
    step: int
    signed: bool
    unsigned: bool

    @property
    def bits(self) -> int:
        return _bits(self.start.type)


@dataclass(slots=True)
class LinearValues:
    """Linear forms for one loop. `evolution` tells the loops of the function and the sizes of types."""

    evolution: Evolution
    loop: Loop

    def of(self, value: Value, depth: int = DEEPEST) -> Linear | None:
        """The linear form of an integer or pointer; None where it is not known to have one."""
        if not isinstance(value.type, (IntType, PointerType)) or not depth or _bits(value.type) > 64:
            return None
        if not isinstance(value, Instruction) or value.parent not in self.loop.blocks:
            return Linear(LinearLeaf(value), 0, True, True)
        if isinstance(value, Phi):
            return self._phi(value, depth - 1)
        if isinstance(value, Binary):
            return self._binary(value, depth - 1)
        if isinstance(value, Cast):
            return self._cast(value, depth - 1)
        if isinstance(value, GetElementPtr):
            return self._address(value, depth - 1)
        return self.of(value.operands[0], depth - 1) if isinstance(value, Freeze) else None

    # --- recurrences

    def _phi(self, phi: Phi, depth: int) -> Linear | None:
        if phi.parent is not self.loop.header:
            distinct = set(phi.operands)
            return self.of(phi.operands[0], depth) if len(distinct) == 1 else None
        starts = {v for v, block in phi.incoming if block not in self.loop.blocks}
        followers = {v for v, block in phi.incoming if block in self.loop.blocks}
        if len(starts) != 1 or len(followers) != 1:
            return None
        found = self._growth(phi, followers.pop())
        if found is None:
            return None
        return _linear(LinearLeaf(starts.pop()), *found)

    def _growth(self, phi: Phi, value: Value) -> tuple[int, bool, bool] | None:
        """(value - phi, no signed wrap, no unsigned wrap) along a chain of additions of constants."""
        total, signed, unsigned = 0, True, True
        for _ in range(LONGEST_CHAIN):
            if value is phi:
                return total, signed, unsigned
            if isinstance(value, GetElementPtr):
                offset = self.evolution.layout.constant_offset(value)
                if offset is None:
                    return None
                total, signed, unsigned, value = total + offset, False, False, value.pointer
                continue
            if not isinstance(value, Binary) or value.opcode not in ("add", "sub"):
                return None
            left, right = value.operands
            if value.opcode == "add" and isinstance(left, ConstantInt):
                left, right = right, left
            if not isinstance(right, ConstantInt):
                return None
            total += right.value if value.opcode == "add" else -right.value
            signed, unsigned = signed and "nsw" in value.flags, unsigned and _keeps_unsigned(value, right)
            value = left
        return None

    # --- operations

    def _binary(self, value: Binary, depth: int) -> Linear | None:
        a, b = (self.of(operand, depth) for operand in value.operands)
        if a is None or b is None:
            return None
        start = LinearOperation(value.opcode, (a.start, b.start), value.type)
        if not a.step and not b.step:
            safe = value.opcode in FOLLOWED and (value.opcode not in BY_CONSTANT or _is_safe_divisor(value))
            return Linear(replace(start, unchanged=value), 0, True, True) if safe else None
        step = _step(value, a, b)
        if step is None:
            return None
        signed = "nsw" in value.flags and a.signed and b.signed
        unsigned = "nuw" in value.flags and a.unsigned and b.unsigned
        return _linear(start, step, signed, unsigned)

    def _cast(self, value: Cast, depth: int) -> Linear | None:
        inner = self.of(value.operands[0], depth)
        if inner is None or value.opcode not in ("sext", "zext", "trunc", "ptrtoint", "bitcast"):
            return None
        start = LinearOperation(value.opcode, (inner.start,), value.type)
        if not inner.step:
            return Linear(start, 0, True, True)
        if value.opcode == "sext" or (value.opcode == "zext" and "nneg" in value.flags):
            return Linear(start, inner.step, True, value.opcode == "zext") if inner.signed else None
        if value.opcode == "zext":
            return Linear(start, inner.step, True, True) if inner.unsigned else None
        same = _bits(value.type) == inner.bits
        signed = inner.signed and (same or "nsw" in value.flags)
        unsigned = inner.unsigned and (same or "nuw" in value.flags)
        return _linear(start, inner.step, signed, unsigned)

    def _address(self, value: GetElementPtr, depth: int) -> Linear | None:
        base = self.of(value.pointer, depth)
        offset = self.evolution.layout.constant_offset(value)
        if base is None:
            return None
        if offset is not None:
            return Linear(_moved(base.start, LinearLeaf(constants.int_constant(I64, offset))), base.step, False, False)
        if len(value.indices) != 1:
            return None
        index = self.of(value.indices[0], depth)
        if index is None or (index.bits < 64 and index.step and not index.signed):
            return None
        size = self.evolution.layout.size_of(value.source_type)
        wide = index.start if index.bits == 64 else LinearOperation("sext", (index.start,), I64)
        scaled = LinearOperation("mul", (wide, LinearLeaf(constants.int_constant(I64, size))), I64)
        return _linear(_moved(base.start, scaled), base.step + size * index.step, False, False)


def _linear(start: Start, step: int, signed: bool, unsigned: bool) -> Linear:
    """`step` is reduced modulo 2^width; the equation is exact only where that changes nothing."""
    half = 1 << (_bits(start.type) - 1)
    reduced = (step + half) % (2 * half) - half
    return Linear(start, reduced, signed and reduced == step, unsigned and reduced == step)


def _step(value: Binary, a: Linear, b: Linear) -> int | None:
    """The step of a binary operation of linear values."""
    if value.opcode == "add":
        return a.step + b.step
    if value.opcode == "sub":
        return a.step - b.step
    left, right = value.operands
    if value.opcode == "mul" and isinstance(right, ConstantInt):
        return a.step * right.value
    if value.opcode == "mul" and isinstance(left, ConstantInt):
        return b.step * left.value
    if value.opcode == "shl" and isinstance(right, ConstantInt) and 0 <= right.value < _bits(value.type):
        return a.step << right.value
    return None


def _keeps_unsigned(value: Binary, right: ConstantInt) -> bool:
    """Whether `nuw` makes the unsigned readings differ by the signed constant."""
    return "nuw" in value.flags and right.value >= 0


def _is_safe_divisor(value: Binary) -> bool:
    right = value.operands[1]
    if not isinstance(right, ConstantInt):
        return False
    if value.opcode in ("shl", "lshr", "ashr"):
        return 0 <= right.value < _bits(value.type)
    return right.value not in (0, -1)


def _moved(base: Start, offset: Start) -> Start:
    address = base if isinstance(base.type, IntType) else LinearOperation("ptrtoint", (base,), I64)
    return LinearOperation("add", (address, offset), I64)


def _bits(type_: Type) -> int:
    return type_.bits if isinstance(type_, IntType) else 64


# --- X_0 written and read


def emit(start: Start, builder: Builder, value_of: Callable[[Value], Value]) -> Value:
    """X_0 before the loop. value_of: what a leaf is called there. Values that may be poison are frozen: the loop might be left
    before it looks at them."""
    if isinstance(start, LinearLeaf):
        found = value_of(start.value)
        return found if not isinstance(start.value, Instruction) else builder.freeze(found)
    first, *others = [emit(operand, builder, value_of) for operand in start.operands]
    return builder.binary(start.opcode, first, others[0]) if others else builder.cast(start.opcode, first, start.type)


def polynomial(start: Start, evolution: Evolution, widened: str) -> Polynomial | None:
    """X_0 as a polynomial, read as signed or unsigned; a symbol where an operation on unchanged values has none, None where one on
    others has none."""
    if isinstance(start, LinearLeaf):
        if isinstance(start.type, PointerType):
            address = evolution.address(start.value)
            return add(evolution.symbol(address.base), address.offset)
        return evolution.integer(start.value, widened)
    parts = [polynomial(operand, evolution, _reading(start, widened)) for operand in start.operands]
    if any(part is None for part in parts):
        return None
    known = [part for part in parts if part is not None]
    if len(known) == 1:
        return known[0]
    a, b = known
    if start.opcode in ("add", "sub"):
        return add(a, b, 1 if start.opcode == "add" else -1)
    if start.opcode == "mul":
        return multiply(a, b)
    right = start.operands[1]
    if start.opcode == "shl" and isinstance(right, LinearLeaf) and isinstance(right.value, ConstantInt):
        return multiply(a, constant(1 << right.value.value))
    return evolution.integer(start.unchanged, widened) if start.unchanged is not None else None


def _reading(start: LinearOperation, widened: str) -> str:
    """How the operands are to be read."""
    return {"sext": SIGNED, "zext": UNSIGNED}.get(start.opcode, widened)

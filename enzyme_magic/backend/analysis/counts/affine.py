"""Integers and addresses as polynomials in loop iteration numbers.

`Polynomial` maps a monomial (sorted symbol numbers) to its coefficient. A symbol is an SSA value the analysis does
not look into, or the iteration number of a loop (0, 1, 2, … since the loop was entered). A header phi that grows by a
loop-invariant step each iteration becomes start + step · iteration (the additive recurrences of Bachmann, Wang and
Zima, 1994).

Arithmetic of 64-bit values is modulo 2^64, as addresses are, so wrapping needs no proof. A narrower value is looked
into only when no-wrap flags (or the loop's own bound) prove that widening it commutes with the operation; otherwise
it stays a symbol, named together with the way it was widened. Distances are then compared as integers: a loop would
have to run 2^64 / stride times to tell the difference.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from enzyme_magic.backend.ir.graphs.dominators import DominatorTree
from enzyme_magic.backend.ir.graphs.loops import Loop, Loops
from enzyme_magic.backend.ir.instructions import (
    Binary,
    Branch,
    Cast,
    Compare,
    Freeze,
    GetElementPtr,
    Instruction,
    Phi,
)
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.types import ArrayType, IntType, StructType
from enzyme_magic.backend.ir.values import ConstantExpression, ConstantInt, Value
from enzyme_magic.errors import InternalError

Monomial = tuple[int, ...]
Polynomial = dict[Monomial, int]  # never changed once made; no zero coefficients

SIGNED, UNSIGNED = "signed", "unsigned"
MOST_TERMS = 8
MOST_FACTORS = 3
DEEPEST = 32
LONGEST_STEP = 16


@dataclass(frozen=True, slots=True)
class Symbol:
    """`of`: a value, or a loop (its iteration number). `widened`: how a value narrower than 64 bits is read."""

    of: Value | Loop
    widened: str = SIGNED


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Address:
    """base + offset bytes."""

    base: Value
    offset: Polynomial


def constant(value: int) -> Polynomial:
    return {(): value} if value else {}


def add(a: Polynomial, b: Polynomial, scale: int = 1) -> Polynomial:
    """a + scale · b."""
    if not b:
        return a
    result = dict(a)
    for monomial, coefficient in b.items():
        total = result.get(monomial, 0) + scale * coefficient
        if total:
            result[monomial] = total
        else:
            result.pop(monomial, None)
    return result


def multiply(a: Polynomial, b: Polynomial) -> Polynomial | None:
    """a · b; None when that grows beyond what is worth keeping."""
    if len(a) * len(b) > MOST_TERMS:
        return None
    result: Polynomial = {}
    for m, c in a.items():
        for n, d in b.items():
            if len(m) + len(n) > MOST_FACTORS:
                return None
            result = add(result, {tuple(sorted(m + n)): c * d})
    return result


def split(polynomial: Polynomial) -> tuple[Polynomial, int]:
    """(everything but the constant, the constant)."""
    if () not in polynomial:
        return polynomial, 0
    rest = dict(polynomial)
    return rest, rest.pop(())


@dataclass(slots=True, eq=False, repr=False)
class Evolution:
    """Polynomials of the values of one function."""

    layout: DataLayout
    loops: Loops
    dominators: DominatorTree
    symbols: list[Symbol] = field(default_factory=list)
    homes: list[Loop | None] = field(default_factory=list)  # the innermost loop in which a symbol changes
    _numbers: dict[Symbol, int] = field(default_factory=dict)
    _integers: dict[tuple[Value, str], Polynomial] = field(default_factory=dict)
    _addresses: dict[Value, Address] = field(default_factory=dict)
    _depth: int = 0

    def symbol(self, of: Value | Loop, widened: str = SIGNED) -> Polynomial:
        """The polynomial that is one symbol."""
        key = Symbol(of, widened)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.symbols)
            self.symbols.append(key)
            self.homes.append(of if isinstance(of, Loop) else self.home(of))
        return {(number,): 1}

    def iteration(self, loop: Loop) -> int:
        """The number of the symbol that counts the iterations of `loop`."""
        ((number,),) = self.symbol(loop)
        return number

    def home(self, value: Value) -> Loop | None:
        """The innermost loop in which `value` is computed; None outside loops, and for arguments and constants."""
        return self.loops.of(value.parent) if isinstance(value, Instruction) else None

    def invariant(self, polynomial: Polynomial, loop: Loop) -> bool:
        """Whether every symbol keeps its value while `loop` runs."""
        return not any(loop.encloses(self.homes[s]) for monomial in polynomial for s in monomial)

    # --- integers

    def integer(self, value: Value, widened: str = SIGNED) -> Polynomial:
        """`value` as an i64, widened as told if it is narrower."""
        if isinstance(value, ConstantInt):
            return constant(value.value if widened == SIGNED or _bits(value) >= 64 else value.unsigned)
        if _bits(value) >= 64:
            widened = SIGNED
        key = (value, widened)
        found = self._integers.get(key)
        if found is None:
            self._depth += 1
            looked = self._look_into(value, widened) if self._depth < DEEPEST else None
            self._depth -= 1
            found = self.symbol(value, widened) if looked is None else looked
            self._integers[key] = found
        return found

    def _look_into(self, value: Value, widened: str) -> Polynomial | None:
        if isinstance(value, Binary):
            return self._binary(value, widened)
        if isinstance(value, Cast):
            return self._cast(value, widened)
        if isinstance(value, Phi):
            return self._recurrence(value, widened)
        return None

    def _exact(self, instruction: Instruction, widened: str) -> bool:
        """Whether widening the result is the same as computing with widened operands."""
        if _bits(instruction) >= 64:
            return True
        return ("nsw" if widened == SIGNED else "nuw") in instruction.flags

    def _binary(self, value: Binary, widened: str) -> Polynomial | None:
        left, right = value.operands
        opcode = value.opcode
        if opcode == "or" and "disjoint" in value.flags:
            return add(self.integer(left, widened), self.integer(right, widened))
        if opcode == "xor" and isinstance(right, ConstantInt) and right.value == -1 and widened == SIGNED:
            return add(constant(-1), self.integer(left, widened), -1)
        if opcode not in ("add", "sub", "mul", "shl") or not self._exact(value, widened):
            return None
        if opcode == "shl":
            if not isinstance(right, ConstantInt) or not 0 <= right.value < 63:
                return None
            return multiply(self.integer(left, widened), constant(1 << right.value))
        a, b = self.integer(left, widened), self.integer(right, widened)
        if opcode == "mul":
            return multiply(a, b)
        result = add(a, b, 1 if opcode == "add" else -1)
        return result if len(result) <= MOST_TERMS else None

    def _cast(self, value: Cast, widened: str) -> Polynomial | None:
        inner = value.operands[0]
        if not isinstance(inner.type, IntType):
            return None
        if value.opcode == "sext" and (widened == SIGNED or _bits(value) >= 64):
            return self.integer(inner, SIGNED)
        if value.opcode == "zext":
            return self.integer(inner, SIGNED if "nneg" in value.flags else UNSIGNED)
        if value.opcode == "trunc" and ("nsw" if widened == SIGNED else "nuw") in value.flags:
            return self.integer(inner, widened)
        return None

    # --- recurrences

    def _recurrence(self, phi: Phi, widened: str) -> Polynomial | None:
        loop = self.loops.of(phi.parent)
        if loop is None or loop.header is not phi.parent or self.loops.irreducible is not None:
            return None
        start = self._single([v for v, b in phi.incoming if b not in loop.blocks])
        following = self._single([v for v, b in phi.incoming if b in loop.blocks])
        if start is None or following is None:
            return None
        step = self._step(phi, following, loop, widened)
        if step is None:
            return None
        times = multiply(step, self.symbol(loop))
        return None if times is None else add(self.integer(start, widened), times)

    @staticmethod
    def _single(values: list[Value]) -> Value | None:
        return values[0] if values and all(v == values[0] for v in values) else None

    def _step(self, phi: Phi, value: Value, loop: Loop, widened: str) -> Polynomial | None:
        """value - phi, when that is the same in every iteration of `loop`."""
        total: Polynomial = {}
        for _ in range(LONGEST_STEP):
            if value is phi:
                return total
            if not isinstance(value, Binary) or value.opcode not in ("add", "sub"):
                return None
            if not self._exact(value, widened) and not self._bounded(phi, value, loop, widened):
                return None
            left, right = value.operands
            if value.opcode == "add" and (right is phi or isinstance(left, ConstantInt)):
                left, right = right, left
            step = self.integer(right, widened)
            if not self.invariant(step, loop):
                return None
            total = add(total, step, 1 if value.opcode == "add" else -1)
            value = left
        return None

    def _bounded(self, phi: Phi, increment: Binary, loop: Loop, widened: str) -> bool:
        """phi + 1 does not wrap, because it is computed only where `phi < bound` was found true."""
        one = increment.operands[1]
        if increment.operands[0] is not phi or not isinstance(one, ConstantInt) or one.value != 1:
            return False
        last = loop.header.terminator
        if increment.opcode != "add" or not isinstance(last, Branch) or len(last.targets) != 2:
            return False
        test = last.operands[0]
        less = "slt" if widened == SIGNED else "ult"
        return (
            isinstance(test, Compare)
            and test.predicate == less
            and test.operands[0] is phi
            and last.targets[0] in loop.blocks
            and last.targets[1] not in loop.blocks
        )

    # --- addresses

    def address(self, pointer: Value) -> Address:
        """`pointer` as base + offset; the base is itself no address arithmetic."""
        found = self._addresses.get(pointer)
        if found is None:
            found = self._addresses[pointer] = self._walk(pointer)
        return found

    def _walk(self, pointer: Value) -> Address:
        offset: Polynomial = {}
        while True:
            known = self._addresses.get(pointer)
            if known is not None:
                return Address(known.base, add(known.offset, offset))
            stepped = self._stepped(pointer)
            if stepped is None:
                return Address(pointer, offset)
            pointer, distance = stepped
            offset = add(offset, distance)
            if len(offset) > MOST_TERMS:
                return Address(pointer, add({}, offset))

    def _stepped(self, pointer: Value) -> tuple[Value, Polynomial] | None:
        if isinstance(pointer, GetElementPtr) or (
            isinstance(pointer, ConstantExpression) and pointer.opcode == "getelementptr"
        ):
            distance = self._distance(pointer)
            return None if distance is None else (pointer.operands[0], distance)
        if isinstance(pointer, Cast) and pointer.opcode in ("bitcast", "addrspacecast"):
            return pointer.operands[0], {}
        if isinstance(pointer, Freeze):
            return pointer.operands[0], {}
        if isinstance(pointer, Phi):
            return self._pointer_recurrence(pointer)
        return None

    def _distance(self, gep: Value) -> Polynomial | None:
        source = gep.source_type  # type: ignore[attr-defined]
        indices = gep.operands[1:]  # type: ignore[attr-defined]
        total: Polynomial = {}
        for position, index in enumerate(indices):
            if not isinstance(index.type, IntType):
                return None
            if position == 0:
                size = self.layout.size_of(source)
            else:
                source = self.layout.resolve(source)
                if isinstance(source, StructType):
                    assert isinstance(index, ConstantInt)
                    total = add(total, constant(self.layout.field_offset(source, index.value)))
                    source = source.elements[index.value]
                    continue
                if not isinstance(source, ArrayType):
                    return None
                source = source.element
                size = self.layout.size_of(source)
            scaled = multiply(self.integer(index), constant(size))
            if scaled is None:
                return None
            total = add(total, scaled)
        return total

    def _pointer_recurrence(self, phi: Phi) -> tuple[Value, Polynomial] | None:
        loop = self.loops.of(phi.parent)
        if loop is None or loop.header is not phi.parent or self.loops.irreducible is not None:
            return None
        start = self._single([v for v, b in phi.incoming if b not in loop.blocks])
        following = self._single([v for v, b in phi.incoming if b in loop.blocks])
        if start is None or following is None:
            return None
        total: Polynomial = {}
        for _ in range(LONGEST_STEP):
            if following is phi:
                times = multiply(total, self.symbol(loop))
                return None if times is None else (start, times)
            if not isinstance(following, GetElementPtr):
                return None
            step = self._distance(following)
            if step is None or not self.invariant(step, loop):
                return None
            total, following = add(total, step), following.pointer
        return None


def _bits(value: Value) -> int:
    if not isinstance(value.type, IntType):
        raise InternalError(f"an integer was expected, not {value.type}")
    return value.type.bits

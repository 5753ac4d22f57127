"""Integers that numbers were converted to, and that become the digits of other numbers.

    union { uint32_t i; float f; } v; v.i = (uint32_t)(8388608*(x + 126.94f));   v.f is nearly 2^x      (Schraudolph, 1999)

A conversion to an integer has no derivative: its result is constant but for single points. Here the points are as near to each
other as numbers are, so that 0 is no derivative. What is found carries one, to where it is refused (autodiff/bit_operations.py).

Lattice: of each integer (of each lane of a vector), how many of its lowest bits may reach the digits of a number, from
reinterpretations backwards; then, which of these are computed from a conversion. `(uint64_t)(n + 1023) << 52` reaches no digits: a
power of two has steps, like n. A greatest and a least fixpoint, through arguments and results, too.

Not done: integers that are kept in memory, but for those that the same block reads as a number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.instructions import (
    Binary,
    Call,
    Cast,
    ExtractElement,
    Freeze,
    InsertElement,
    Instruction,
    Load,
    Phi,
    Return,
    Select,
    ShuffleVector,
    Store,
)
from enzyme_magic.backend.ir.intrinsics import word
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.types import FloatType, IntType
from enzyme_magic.backend.ir.values import Argument, ConstantInt, ConstantSplat, Value

Places = Callable[[Value], Sequence[tuple[object, int, int]]]  # (memory, offset, modulus) of a pointer
_CONVERSIONS = ("fptosi", "fptoui")
_SUMS = ("add", "sub", "or", "xor")
_ANY = 1 << 12  # more bits than an integer has
_CHOICES = ("smin", "smax", "umin", "umax")


@dataclass(slots=True, repr=False)
class Crossing:
    """What goes from function to function: bits of parameters and results that reach digits, and which are from conversions."""

    concerned: bool  # whether there are such conversions, and such numbers, at all
    digits: dict[tuple[str, int], int] = field(default_factory=dict)  # (function, parameter; -1: the result)
    converted: set[tuple[str, int]] = field(default_factory=set)

    def need(self, key: tuple[str, int], count: int) -> None:
        self.digits[key] = max(count, self.digits.get(key, 0))

    @property
    def size(self) -> int:
        return sum(self.digits.values()) + len(self.converted)


def crossing(module: Module, places: Places, layout: DataLayout) -> Crossing:
    """The fixpoint over all functions of a program."""
    functions = list(module.definitions())
    converts = any(map(_is_conversion, (i for f in functions for i in f.instructions())))
    known = Crossing(converts and any(map(_makes_numbers, functions)))
    before = -1
    while known.concerned and known.size != before:
        before = known.size
        for function in functions:
            found(function, known, places, layout)
    return known


def found(function: Function, known: Crossing, places: Places, layout: DataLayout) -> frozenset[Value]:
    """The values of a function that become digits and are computed from conversions. Adds to `known`."""
    return _Search(function, known, places, layout).found() if known.concerned else frozenset()


def _makes_numbers(function: Function) -> bool:
    """Whether integers may become numbers: by a reinterpretation, or where one is stored and a number read."""
    for block in function.blocks:
        stored = False
        for i in block.instructions:
            stored |= isinstance(i, Store) and isinstance(i.value.type, IntType)
            if _digits_of(i) or (stored and isinstance(i, Load) and isinstance(i.type, FloatType)):
                return True
    return False


def _is_conversion(i: Instruction) -> bool:
    if isinstance(i, Cast):
        return i.opcode in _CONVERSIONS
    called = i.called_function if isinstance(i, Call) else None
    floating = called is not None and any(isinstance(v.type.scalar, FloatType) for v in i.operands[:-1])
    return floating and called is not None and called.is_declaration and isinstance(i.type.scalar, IntType)


def _digits_of(i: Instruction) -> int:
    """How many digits a reinterpretation of an integer as a number has."""
    if not isinstance(i, Cast) or i.opcode != "bitcast" or not isinstance(i.operands[0].type.scalar, IntType):
        return 0
    return constants.format_of(i.type.scalar).stored if isinstance(i.type.scalar, FloatType) else 0


@dataclass(slots=True, repr=False)
class _Search:
    function: Function
    known: Crossing
    places: Places
    layout: DataLayout
    digits: dict[Value, int] = field(default_factory=dict)
    pending: list[Value] = field(default_factory=list)

    def found(self) -> frozenset[Value]:
        self._begin()
        while self.pending:
            value = self.pending.pop()
            for operand, count in self._before(value, self.digits[value]):
                self._reach(operand, count)
        marked = self._converted()
        for i in self.function.instructions():
            self._cross(i, marked)
        return frozenset(marked)

    def _begin(self) -> None:
        for block in self.function.blocks:
            for k, i in enumerate(block.instructions):
                if (count := _digits_of(i)) and not self._is_read_back(i):
                    source = _unwrapped(i)
                    self._reach(source, count if _width(source) == _width(i) else _width(source))
                elif isinstance(i, Load) and isinstance(i.type, FloatType):
                    self._read(i, block.instructions[:k])
                elif isinstance(i, Return) and i.operands:
                    self._reach(i.operands[0], self.known.digits.get((self.function.name, -1), 0))
                elif isinstance(i, Call) and i.called_function is not None:
                    for k, argument in enumerate(i.arguments):
                        self._reach(argument, self.known.digits.get((i.called_function.name, k), 0))

    def _is_read_back(self, number: Instruction) -> bool:
        """Whether a number is only looked at as an integer again."""
        users = [i for i in self.function.instructions() if number in i.operands]
        return all(isinstance(i, Cast) and i.opcode == "bitcast" and isinstance(i.type.scalar, IntType) for i in users)

    def _read(self, load: Load, before: list[Instruction]) -> None:
        """Integers that were just stored where a number is read."""
        stores = [s for s in before if isinstance(s, Store)]
        if not any(isinstance(s.value.type, IntType) for s in stores):
            return
        size = self.layout.store_size(load.type)
        for node, offset, modulus in self.places(load.pointer):
            for store in reversed(stores):
                within = [
                    at - offset
                    for other, at, step in self.places(store.pointer)
                    if other is node and not step | modulus
                ]
                if within and 0 <= within[0] < size:
                    if not isinstance(store.value.type, IntType):
                        break  # a number was put there since
                    self._reach(store.value, constants.format_of(load.type).stored - 8 * within[0])

    def _reach(self, value: Value, count: int) -> None:
        if not isinstance(value, (Instruction, Argument)) or not isinstance(value.type.scalar, IntType):
            return
        count = min(count, _width(value))
        if count > self.digits.get(value, 0):
            self.digits[value] = count
            self.pending.append(value)

    def _before(self, value: Value, count: int) -> Iterator[tuple[Value, int]]:
        """Which bits of its operands the `count` lowest bits of a value depend on."""
        if isinstance(value, Binary):
            yield from _of_binary(value, count)
        elif isinstance(value, Cast):
            source = _unwrapped(value) if value.opcode == "bitcast" else value.operands[0]
            same = value.opcode != "bitcast" or _width(source) == _width(value)
            yield source, count if same else _width(source)
        elif isinstance(value, (Phi, Freeze, ExtractElement, InsertElement, ShuffleVector)):
            yield from ((v, count) for v in value.operands)
        elif isinstance(value, Select):
            yield from ((v, count) for v in value.operands[1:])
        elif isinstance(value, Call) and value.called_function is not None and value.called_function.is_declaration:
            moved = word(value.called_function.name) in _CHOICES
            yield from ((v, count if moved else _width(v)) for v in value.arguments)

    def _converted(self) -> set[Value]:
        """What is computed from conversions, of the values with digits."""
        marked = {v for v in self.digits if self._is_origin(v)}
        size = -1
        while len(marked) != size:
            size = len(marked)
            marked |= {v for v in self.digits if any(o in marked for o, _ in self._before(v, _ANY))}
        return marked | {i for i in self.function.instructions() if isinstance(i, Cast) and _unwrapped(i) in marked}

    def _is_origin(self, value: Value) -> bool:
        if isinstance(value, Argument):
            return (self.function.name, value.index) in self.known.converted
        called = value.called_function if isinstance(value, Call) else None
        if called is not None and not called.is_declaration:
            return (called.name, -1) in self.known.converted
        return isinstance(value, Instruction) and _is_conversion(value)

    def _cross(self, i: Instruction, marked: set[Value]) -> None:
        if isinstance(i, Return) and i.operands and i.operands[0] in marked:
            self.known.converted.add((self.function.name, -1))
        if isinstance(i, Call) and i.called_function is not None and not i.called_function.is_declaration:
            self.known.converted |= {(i.called_function.name, k) for k, v in enumerate(i.arguments) if v in marked}
            self.known.need((i.called_function.name, -1), self.digits.get(i, 0))
        for argument in self.function.arguments if isinstance(i, Return) else ():
            self.known.need((self.function.name, argument.index), self.digits.get(argument, 0))


def _of_binary(i: Binary, count: int) -> Iterator[tuple[Value, int]]:
    left, right = i.operands
    known, width = _constant(right), _width(i)
    if i.opcode in _SUMS:
        yield from ((left, count), (right, count))
    elif i.opcode == "and" and known is not None:
        yield left, (known & (1 << count) - 1).bit_length()
    elif i.opcode == "mul":
        yield from ((left, count - _zeros(known)), (right, count))
    elif i.opcode == "shl" and known is not None:
        yield left, count - known
    elif i.opcode in ("lshr", "ashr") and known is not None:
        yield left, count + known
    else:
        yield from ((left, count if i.opcode in ("and", "shl") else width), (right, count if i.opcode == "and" else 0))


def _unwrapped(value: Value) -> Value:
    """What was reinterpreted, however often."""
    while isinstance(value, Cast) and value.opcode == "bitcast":
        value = value.operands[0]
    return value


def _constant(value: Value) -> int | None:
    if isinstance(value, ConstantSplat):
        value = value.element
    return value.unsigned if isinstance(value, ConstantInt) else None


def _zeros(known: int | None) -> int:
    return (known & -known).bit_length() - 1 if known else 0


def _width(value: Value) -> int:
    scalar = value.type.scalar
    if isinstance(scalar, IntType):
        return scalar.bits
    return constants.format_of(scalar).width if isinstance(scalar, FloatType) else 0

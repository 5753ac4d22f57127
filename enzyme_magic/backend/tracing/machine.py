"""Executes a function of our IR with marks and tangents beside every value.

A scalar is (value, node, tangent): node 0 depends on nothing active, and a tangent of None was not followed. Vectors and
aggregates are lists of them. Bits of numbers keep their mark while they are moved, in integers, pointers and memory; whatever
computes with them (COMPARISON, ROUNDING, ADDRESS, INTEGER arithmetic) is where a dependence is recorded as lost.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from enzyme_magic.backend.ir import intrinsics
from enzyme_magic.backend.ir.attributes import Attribute
from enzyme_magic.backend.ir.graphs import shifted
from enzyme_magic.backend.ir.instructions import (
    Alloca,
    Binary,
    Branch,
    Call,
    Cast,
    Compare,
    ExtractElement,
    ExtractValue,
    Freeze,
    GetElementPtr,
    InsertElement,
    InsertValue,
    Instruction,
    Load,
    Phi,
    Return,
    Select,
    ShuffleVector,
    Store,
    Switch,
    Unary,
)
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.types import (
    ArrayType,
    FloatType,
    IntType,
    StructType,
    Type,
    VectorType,
    VoidType,
)
from enzyme_magic.backend.ir.values import (
    Block,
)
from enzyme_magic.backend.tracing import library, mathematics, numbers
from enzyme_magic.backend.tracing.record import ADDRESS, COMPARISON, INTEGER, ROUNDING, NotDecided
from enzyme_magic.backend.tracing.values import Frame, Held, Scalar, Values

DEEPEST = 200  # calls inside one another
_MOVING = frozenset(["and", "or", "shl", "lshr"])  # bits that stay where they are, or move


class Machine(Values):
    """Runs functions of one module. `steps`: instructions it may execute."""

    def __init__(self, module: Module, layout: DataLayout, steps: int) -> None:
        super().__init__(module, layout, steps)
        self.left, self.steps = steps, steps
        self._depth = 0
        self._actions: dict[type, Callable[[Any, Frame], Held]] = {
            Load: self._load,
            Store: self._store,
            Alloca: self._alloca,
            GetElementPtr: self._address,
            Call: self._call,
            Select: self._select,
            Compare: self._compare,
            Cast: self._cast,
            Binary: self._binary,
            Unary: self._unary,
            Freeze: lambda i, frame: self._passed(i, self.value(frame, i.operands[0])),
            ExtractValue: self._extract_value,
            InsertValue: self._insert_value,
            ExtractElement: self._extract_element,
            InsertElement: self._insert_element,
            ShuffleVector: self._shuffle,
        }

    # --- execution

    def run(self, function: Function, arguments: list[Held]) -> Held:
        """The returned value."""
        self._depth += 1
        if self._depth > DEEPEST:
            raise NotDecided(f"calls are nested more than {DEEPEST} deep")
        frame: Frame = dict(zip(function.arguments, arguments, strict=True))
        block: Block = function.entry
        came_from: Block | None = None
        while True:
            came_from, block_or_result = block, self._block(block, came_from, frame)
            if not isinstance(block_or_result, Block):
                self._depth -= 1
                return block_or_result
            block = block_or_result

    def _block(self, block: Block, came_from: Block | None, frame: Frame) -> Any:
        """The next block, or what is returned."""
        executed = self.recorder.executed
        start = 0
        if came_from is not None:
            phis = []
            for instruction in block.instructions:
                if not isinstance(instruction, Phi):
                    break
                phis.append((instruction, self.value(frame, instruction.value_from(came_from))))
            for phi, held in phis:
                executed[phi] += 1
                frame[phi] = self._passed(phi, held)
            start = len(phis)
        for instruction in block.instructions[start:]:
            self.left -= 1
            if self.left < 0:
                raise NotDecided(f"the call executes more than {self.steps:,} instructions")
            executed[instruction] += 1
            if instruction.is_terminator:
                return self._terminator(instruction, frame)
            action = self._actions.get(type(instruction))
            if action is None:
                raise NotDecided(f"{instruction.opcode} is not followed")
            frame[instruction] = action(instruction, frame)
        raise NotDecided("a block without an end")

    def _terminator(self, i: Instruction, frame: Frame) -> Any:
        if isinstance(i, Return):
            return self._passed(i, self.value(frame, i.operands[0])) if i.operands else (0, 0, 0.0)
        if isinstance(i, Branch):
            if not i.operands:
                return i.targets[0]
            side = 0 if self.number(frame, i.operands[0]) else 1
            self.recorder.decisions.append((i, side))
            return i.targets[side]
        if isinstance(i, Switch):
            chosen = self.number(frame, i.operands[0])
            found = [k for k, case in enumerate(i.cases) if self.constant(case)[0] == chosen]
            side = found[0] + 1 if found else 0
            self.recorder.decisions.append((i, side))
            return i.targets[side]
        raise NotDecided(f"the call reaches {i.opcode}")

    def _passed(self, i: Instruction, held: Held) -> Held:
        """A value that goes through `i` unchanged."""
        if isinstance(held, list):
            return [self._passed(i, part) for part in held]
        return (held[0], self.recorder.node(i, (held[1],)), held[2]) if held[1] else held

    # --- memory

    def _load(self, i: Load, frame: Frame) -> Held:
        return self.get(self.number(frame, i.pointer), i.type, i)

    def _store(self, i: Store, frame: Frame) -> Held:
        self.put(self.number(frame, i.pointer), i.value.type, self.value(frame, i.value), i)
        return 0, 0, 0.0

    def _alloca(self, i: Alloca, frame: Frame) -> Held:
        count = self.number(frame, i.operands[0])
        return self.memory.allocate(count * self.layout.size_of(i.allocated_type), i.name or "a local").base, 0, 0.0

    def _address(self, i: GetElementPtr, frame: Frame) -> Held:
        base = self.value(frame, i.pointer)
        if isinstance(base, list) or isinstance(i.type, VectorType):
            raise NotDecided("vectors of addresses are not followed")
        type_, result = i.source_type, base[0]
        for k, index in enumerate(i.indices):
            held = self.value(frame, index)
            self.recorder.lose(i, ADDRESS, held[1])
            step = numbers.signed(held[0], numbers.bits_of(index.type))
            type_ = self.layout.resolve(type_)
            if k == 0:
                result += step * self.layout.size_of(type_)
            elif isinstance(type_, StructType):
                result += self.layout.field_offset(type_, step)
                type_ = type_.elements[step]
            elif isinstance(type_, (ArrayType, VectorType)):
                type_ = type_.element
                result += step * self.layout.size_of(type_)
        self.recorder.lose(i, ADDRESS, base[1])
        return result & ((1 << 64) - 1), 0, 0.0

    # --- operations

    def _each(self, i: Instruction, held: list[Held], operation: Callable[..., Scalar]) -> Held:
        """An operation on scalars, or on vectors element by element."""
        if isinstance(held[0], list):
            return [operation(*parts) for parts in zip(*held, strict=True)]
        return operation(*held)

    def _known(self, *scalars: Scalar) -> None:
        if any(scalar[0] is None for scalar in scalars):
            raise NotDecided("a value that is not known is computed with")

    def _binary(self, i: Binary, frame: Frame) -> Held:
        held = [self.value(frame, v) for v in i.operands]
        type_ = i.type.scalar
        if isinstance(type_, FloatType):
            return self._each(i, held, lambda a, b: self._floating(i, type_, a, b))
        bits = numbers.bits_of(type_)
        return self._each(i, held, lambda a, b: self._integer(i, bits, a, b))

    def _floating(self, i: Binary, type_: FloatType, a: Scalar, b: Scalar) -> Scalar:
        self._known(a, b)
        value = numbers.rounded(numbers.floating(i.opcode, a[0], b[0]), type_)
        if not (a[1] or b[1]):
            return value, 0, 0.0
        if shifted.rounds(i):
            self.recorder.lose(i, ROUNDING, a[1], b[1])
            return value, 0, 0.0
        node = self.recorder.node(i, (a[1], b[1]))
        if a[2] is None or b[2] is None:
            return value, node, None
        return value, node, numbers.tangent(i.opcode, a[0], b[0], a[2], b[2])

    def _integer(self, i: Binary, bits: int, a: Scalar, b: Scalar) -> Scalar:
        self._known(a, b)
        value = numbers.integer(i.opcode, a[0], b[0], bits)
        if not (a[1] or b[1]):
            return value, 0, 0.0
        if i.opcode not in _MOVING:
            self.recorder.lose(i, INTEGER, a[1], b[1])
        return value, self.recorder.node(i, (a[1], b[1])), None

    def _unary(self, i: Unary, frame: Frame) -> Held:
        def negated(a: Scalar) -> Scalar:
            self._known(a)
            return -a[0], self.recorder.node(i, (a[1],)), None if a[2] is None else -a[2]

        return self._each(i, [self.value(frame, i.operands[0])], negated)

    def _select(self, i: Select, frame: Frame) -> Held:
        condition, a, b = (self.value(frame, v) for v in i.operands)
        if isinstance(condition, list):
            return [self._passed(i, x if c[0] else y) for c, x, y in zip(condition, a, b, strict=True)]
        if condition[0] is None:
            raise NotDecided("a value that is not known decides")
        self.recorder.decisions.append((i, 0 if condition[0] else 1))
        return self._passed(i, a if condition[0] else b)

    def _compare(self, i: Compare, frame: Frame) -> Held:
        bits = 0 if i.opcode == "fcmp" else numbers.bits_of(i.operands[0].type.scalar)

        def compared(a: Scalar, b: Scalar) -> Scalar:
            self._known(a, b)
            self.recorder.lose(i, COMPARISON, a[1], b[1])
            if i.opcode == "fcmp":
                return int(numbers.compared(i.predicate, a[0], b[0])), 0, 0.0
            return int(numbers.compared_integers(i.predicate, a[0], b[0], bits)), 0, 0.0

        return self._each(i, [self.value(frame, v) for v in i.operands], compared)

    def _cast(self, i: Cast, frame: Frame) -> Held:
        held = self.value(frame, i.operands[0])
        source, target = i.operands[0].type, i.type
        if i.opcode == "bitcast" and (isinstance(source, VectorType) or isinstance(target, VectorType)):
            return self._reinterpreted(i, source, target, held)
        return self._each(i, [held], lambda a: self._converted(i, source.scalar, target.scalar, a))

    def _converted(self, i: Cast, source: Type, target: Type, a: Scalar) -> Scalar:
        self._known(a)
        number, mark, tangent = a
        opcode = i.opcode
        if opcode in ("fpext", "fptrunc"):
            return numbers.rounded(number, target), self.recorder.node(i, (mark,)), tangent
        if opcode in ("fptosi", "fptoui"):
            self.recorder.lose(i, ROUNDING, mark)
            return numbers.to_integer(number, numbers.bits_of(target), opcode == "fptosi"), 0, 0.0
        if opcode in ("sitofp", "uitofp"):
            self.recorder.lose(i, INTEGER, mark)
            whole = numbers.signed(number, numbers.bits_of(source)) if opcode == "sitofp" else number
            return numbers.rounded(float(whole), target), 0, 0.0
        if opcode in ("trunc", "zext", "sext"):
            whole = numbers.signed(number, numbers.bits_of(source)) if opcode == "sext" else number
            return whole & ((1 << numbers.bits_of(target)) - 1), self.recorder.node(i, (mark,)), None if mark else 0.0
        if opcode in ("bitcast", "ptrtoint", "inttoptr", "addrspacecast"):
            size = self.layout.store_size(target)
            data = numbers.encoded(number, source)[:size].ljust(size, b"\0")
            return numbers.decoded(data, target), self.recorder.node(i, (mark,)), tangent
        raise NotDecided(f"{opcode} is not followed")

    def _reinterpreted(self, i: Cast, source: Type, target: Type, held: Held) -> Held:
        """A bitcast of vectors, by way of memory."""
        region = self.memory.allocate(self.layout.size_of(source), "a bitcast")
        self.put(region.base, source, held)
        return self.get(region.base, target, i)

    # --- parts of values

    def _extract_value(self, i: ExtractValue, frame: Frame) -> Held:
        held = self.value(frame, i.operands[0])
        for index in i.indices:
            held = held[index]
        return self._passed(i, held)

    def _insert_value(self, i: InsertValue, frame: Frame) -> Held:
        return self._with(self.value(frame, i.operands[0]), i.indices, self.value(frame, i.operands[1]))

    def _with(self, held: Held, indices: Iterable[int], part: Held) -> Held:
        first, *rest = indices
        changed = list(held)
        changed[first] = self._with(held[first], rest, part) if rest else part
        return changed

    def _extract_element(self, i: ExtractElement, frame: Frame) -> Held:
        return self._passed(i, self.value(frame, i.operands[0])[self.number(frame, i.operands[1])])

    def _insert_element(self, i: InsertElement, frame: Frame) -> Held:
        changed = list(self.value(frame, i.operands[0]))
        changed[self.number(frame, i.operands[2])] = self.value(frame, i.operands[1])
        return changed

    def _shuffle(self, i: ShuffleVector, frame: Frame) -> Held:
        a, b, mask = (self.value(frame, v) for v in i.operands)
        both = [*a, *b]
        return [self._passed(i, both[index]) for index, _, _ in mask]

    # --- calls

    def _call(self, i: Call, frame: Frame) -> Held:
        callee = i.called_function
        if callee is None:
            callee = self.functions.get(self.number(frame, i.callee))
            if callee is None:
                raise NotDecided("the call follows a pointer to a function that is not in the program")
        if library.does_nothing(callee.name):
            return 0, 0, 0.0
        arguments = [self.value(frame, a) for a in i.arguments]
        if callee.blocks:
            return self._passed(i, self._inside(i, callee, arguments))
        if callee.name in library.PRINTS:
            return None, 0, 0.0  # nothing is printed in a watched run, so how much is not known
        return self._outside(i, callee.name, arguments)

    def _inside(self, i: Call, callee: Function, arguments: list[Held]) -> Held:
        if callee.function_type.variadic:
            raise NotDecided(f"{callee.name} takes a variable number of arguments")
        for k, parameter in enumerate(callee.arguments):
            found = parameter.attributes.get("byval")
            if found is not None:
                arguments[k] = self._copied(found, arguments[k])
        return self.run(callee, arguments)

    def _copied(self, attribute: Attribute, held: Held) -> Held:
        """The callee's own copy of a struct that is passed by value."""
        if not isinstance(attribute.type, Type):
            raise NotDecided("a struct by value without its type is not followed")
        size = self.layout.size_of(attribute.type)
        region = self.memory.allocate(size, "a parameter")
        self.memory.copy(region.base, held[0], size)
        return region.base, 0, 0.0

    def _outside(self, i: Call, name: str, arguments: list[Held]) -> Held:
        plain = mathematics.plain_name(name)
        if plain is not None:
            return self._each(i, arguments, lambda *held: self._mathematics(i, plain, list(held)))
        if name.startswith(("llvm.fma.", "llvm.fmuladd.")) or name in ("fma", "fmaf"):
            return self._each(i, arguments, lambda a, b, c: self._fused(i, a, b, c))
        if name.startswith(("llvm.powi.", "llvm.ldexp.")) or name in ("ldexp", "ldexpf", "scalbn", "scalbnf"):
            return self._scaled(i, name, arguments[0], arguments[1])
        if name.startswith("llvm.is.fpclass."):
            return self._each(i, [arguments[0]], lambda a: self._classified(i, a, arguments[1][0]))
        if name in ("frexp", "frexpf"):
            fraction, exponent = self._split(i, arguments[0])
            self.put(arguments[1][0], IntType(32), exponent)
            return fraction
        if name.startswith("llvm.frexp.") and not isinstance(arguments[0], list):
            return self._split(i, arguments[0])
        if intrinsics.is_copy(name) or not any(isinstance(a, list) for a in arguments):
            done = self._on_memory(i, name, arguments)
            if done is not None:
                return done
        operation = library.integer_intrinsic(name)
        if operation is not None and not isinstance(arguments[0], list):
            return self._on_integers(i, operation, arguments)
        raise NotDecided(f"{name} is not followed")

    def _on_memory(self, i: Call, name: str, arguments: list[Scalar]) -> Held | None:
        self._known(*arguments)
        result = library.memory_call(self.memory, name, [int(a[0]) for a in arguments])
        if result is None:
            return None
        return result if not isinstance(i.type, VoidType) else 0, 0, 0.0

    def _on_integers(self, i: Call, operation: Callable[[list[int], int], int], arguments: list[Scalar]) -> Scalar:
        self._known(*arguments)
        bits = numbers.bits_of(i.type)
        self.recorder.lose(i, INTEGER, *(a[1] for a in arguments))
        node = self.recorder.node(i, (a[1] for a in arguments))
        return operation([a[0] for a in arguments], bits) & ((1 << bits) - 1), node, None if node else 0.0

    def _mathematics(self, i: Call, name: str, arguments: list[Scalar]) -> Scalar:
        self._known(*arguments)
        given = [float(a[0]) for a in arguments]
        type_ = i.type.scalar
        if name in mathematics.ROUNDING:
            self.recorder.lose(i, ROUNDING, arguments[0][1])
            if isinstance(type_, FloatType):
                return numbers.rounded(mathematics.call(name, *given), type_), 0, 0.0
            whole = mathematics.rounded_to_integer(name, *given)
            return numbers.to_integer(whole, numbers.bits_of(type_), True), 0, 0.0
        if name in mathematics.CHOOSING:
            side = mathematics.CHOOSING[name](*given)
            self.recorder.decisions.append((i, side))
            return self._passed(i, arguments[side])  # type: ignore[no-any-return]
        value = numbers.rounded(mathematics.call(name, *given), type_)
        if name == "copysign":  # nothing but the sign of the second operand counts
            self.recorder.lose(i, COMPARISON, arguments[1][1])
            arguments = [arguments[0], (arguments[1][0], 0, 0.0)]
        node = self.recorder.node(i, (a[1] for a in arguments))
        if not node:
            return value, 0, 0.0
        if any(a[2] is None for a in arguments):
            return value, node, None
        slopes = mathematics.partials(name, given)
        return value, node, sum((s * a[2] for s, a in zip(slopes, arguments, strict=True) if a[2]), 0.0)

    def _fused(self, i: Call, a: Scalar, b: Scalar, c: Scalar) -> Scalar:
        self._known(a, b, c)
        type_ = i.type.scalar
        exact = i.called_function is not None and "fmuladd" not in i.called_function.name
        value = mathematics.call("fma", a[0], b[0], c[0]) if exact else a[0] * b[0] + c[0]
        node = self.recorder.node(i, (a[1], b[1], c[1]))
        if a[2] is None or b[2] is None or c[2] is None:
            return numbers.rounded(value, type_), node, None
        tangent = numbers.tangent("fmul", a[0], b[0], a[2], b[2]) + c[2]
        return numbers.rounded(value, type_), node, tangent

    def _classified(self, i: Call, a: Scalar, classes: int) -> Scalar:
        """isnan, isfinite, …"""
        self._known(a)
        self.recorder.lose(i, COMPARISON, a[1])
        type_ = i.arguments[0].type.scalar
        smallest = 2.0**-126 if isinstance(type_, FloatType) and type_.kind == "float" else 2.0**-1022
        return int(bool(mathematics.classes(a[0], smallest) & classes)), 0, 0.0

    def _split(self, i: Call, a: Scalar) -> list[Scalar]:
        """frexp: the fraction and the exponent."""
        self._known(a)
        fraction, exponent = math.frexp(a[0])
        self.recorder.lose(i, ROUNDING, a[1])
        slope = None if a[2] is None else mathematics.scaled(a[2], -exponent) if a[2] else 0.0
        whole = self._whole(i, exponent & 0xFFFFFFFF, a[1])
        return [(fraction, self.recorder.node(i, (a[1],)), slope), whole]

    def _whole(self, i: Call, value: int, mark: int) -> Scalar:
        """An integer beside a number, in which a dependence ends."""
        return value, 0, 0.0

    def _scaled(self, i: Call, name: str, a: Scalar, b: Scalar) -> Scalar:
        """powi and ldexp."""
        self._known(a, b)
        if isinstance(a, list):
            raise NotDecided(f"{name} of a vector is not followed")
        power = numbers.signed(b[0], 32)
        is_power = name.startswith("llvm.powi.")
        value = mathematics.call("pow", a[0], power) if is_power else mathematics.scaled(a[0], power)
        slope = _power_slope(a[0], power) if is_power else mathematics.scaled(1.0, power)
        node = self.recorder.node(i, (a[1],))
        return numbers.rounded(value, i.type.scalar), node, None if a[2] is None else slope * a[2] if a[2] else 0.0


def _power_slope(base: float, power: int) -> float:
    return power * mathematics.call("pow", base, power - 1) if power else 0.0

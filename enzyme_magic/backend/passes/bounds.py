"""The sanitizer's checks of what clang's does not see: accesses through pointers, to arrays with an extent, local and global
variables and blocks from the C library. One that is outside leaves the call with line, index and extent.

Invariant: a check only compares; a program that stays inside computes what it computed. What a pointer points to is answered
by regions.py: where that is unknown, nothing is checked. Extents are those of the declarators and of option `shape`, in the
function that has the parameter, with the values that its integers have at entry; negative ones are 0. Rows of arrays with several
extents are clang's to check.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from enzyme_magic.backend.frontend import extent
from enzyme_magic.backend.frontend.c_types import Enum, Pointer, Scalar, Signature, innermost, size_of
from enzyme_magic.backend.ir import intrinsics
from enzyme_magic.backend.ir.attributes import Attribute
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.constants import int_constant
from enzyme_magic.backend.ir.instructions import (
    Alloca,
    AtomicRMW,
    Call,
    CompareExchange,
    GetElementPtr,
    Instruction,
    Load,
    Store,
)
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.locations import span
from enzyme_magic.backend.ir.module import Function, GlobalVariable, Module
from enzyme_magic.backend.ir.text import parser, printer
from enzyme_magic.backend.ir.types import I8, I32, I64, POINTER, VOID, ArrayType, FunctionType, IntType
from enzyme_magic.backend.ir.values import Argument, ConstantInt, ConstantString, Value
from enzyme_magic.backend.library import libc
from enzyme_magic.backend.passes import unwritten, unwritten_memory
from enzyme_magic.backend.passes.instrumentation import InstructionCheck, Instrumentation
from enzyme_magic.backend.passes.regions import UNKNOWN, PointerRegion, Regions, number, wide

OUTSIDE = "__em_outside"  # (what, file, line, index, extent or -1); library/functions.txt
_TYPE = FunctionType(VOID, (POINTER, POINTER, I32, I64, I64))


def guard(text: str, signatures: Mapping[str, Signature], shapes: Sequence[tuple[str, str]]) -> str:
    """LLVM text with checks. signatures: of its functions, by symbol; shapes: extents by the names of parameters."""
    module = parser.parse(text)
    given = {name: extent.split(said) for name, said in shapes}
    words = _Words(module)
    empty = unwritten_memory.memory(module)
    for function in list(module.definitions()):
        _Guard(function, signatures.get(function.name), given, words).write(empty)
    return printer.print_module(module)


class _Words:
    """The strings of a module's messages."""

    def __init__(self, module: Module) -> None:
        self.module, self.layout = module, DataLayout.of(module)
        self._strings: dict[str, GlobalVariable] = {}

    def string(self, text: str) -> Value:
        found = self._strings.get(text)
        if found is None:
            data = text.encode() + b"\0"
            type_ = ArrayType(len(data), I8)
            found = self._strings[text] = GlobalVariable(
                f".em.outside.{len(self._strings)}",
                linkage="private",
                prefix=("unnamed_addr",),
                value_type=type_,
                initializer=ConstantString(type_, data),
                constant=True,
            )
            self.module.add(found)
        return found

    def leave(
        self,
        builder: Builder,
        said: str,
        place: Instruction,
        index: Value = int_constant(I64, 0),  # noqa: B008
        extent_: Value = int_constant(I64, -1),  # noqa: B008
    ) -> None:
        """The call that ends the program's. said: the object's name, or without an extent what is wrong."""
        at = span(place)
        function = self.module.declared(OUTSIDE, _TYPE)
        function.attributes = function.attributes.with_(Attribute("noreturn"), Attribute("nounwind"))
        file = self.string(at.file if at is not None else "")
        line = int_constant(I32, at.line if at is not None else 0)
        builder.call(function, [self.string(said), file, line, index, extent_])


class _Guard:
    """The checks of one function."""

    def __init__(
        self,
        function: Function,
        signature: Signature | None,
        shapes: Mapping[str, tuple[str, ...]],
        words: _Words,
    ) -> None:
        self.function, self.words, self.layout = function, words, words.layout
        self.insertions = Instrumentation(function)
        sized = _Extents(function, signature, shapes, self.insertions.at_entry()).regions() if signature else {}
        self.regions = Regions(self.insertions, words.layout, sized)

    def write(self, empty: unwritten_memory.EmptyMemory) -> None:
        for instruction in self.function.instructions():
            for pointer, bytes_ in self._accesses(instruction):
                self._check(instruction, pointer, bytes_)
            for pointer in _released(instruction):
                self._check_release(instruction, pointer)
        unwritten.check(self.function, self.insertions, self.words.leave)
        unwritten_memory.check(empty, self.insertions, _name, self.words.leave)
        unwritten_memory.fill(self.words.module, empty, self.insertions)
        self.insertions.apply()

    def _accesses(self, instruction: Instruction) -> list[tuple[Value, Value]]:
        """What an instruction touches: pointers with numbers of bytes."""
        if isinstance(instruction, Load):
            return [(instruction.pointer, number(self.layout.store_size(instruction.type)))]
        if isinstance(instruction, Store):
            return [(instruction.pointer, number(self.layout.store_size(instruction.value.type)))]
        if isinstance(instruction, (AtomicRMW, CompareExchange)):
            return [(instruction.operands[0], number(self.layout.store_size(instruction.operands[1].type)))]
        if isinstance(instruction, Call):
            return self._blocks(instruction)
        return []

    def _blocks(self, call: Call) -> list[tuple[Value, Value]]:
        """Of a call that copies or sets a block."""
        name = getattr(call.callee, "name", "")
        if intrinsics.transfer_of(name) is not None:
            touched = call.arguments[:2] if intrinsics.is_copy(name) else call.arguments[:1]
            return [(pointer, call.arguments[2]) for pointer in touched]
        function = call.called_function
        found = libc.find(name) if function is not None and function.is_declaration else None
        copied = found.block_copy if found is not None else None
        if copied is None:
            return []
        into, from_, size = (call.arguments[k] for k in copied)
        return [(into, size), (from_, size)]

    def _check(self, instruction: Instruction, pointer: Value, bytes_: Value) -> None:
        region = self.regions.of(pointer)
        if region is UNKNOWN or _surely_inside(region, bytes_):
            return
        builder = self.insertions.before(instruction)
        builder.debug_location = instruction.metadata.get("dbg")
        size = wide(builder, bytes_, unsigned=True)
        end = builder.add(region.offset, size)
        inside = builder.and_(
            builder.icmp("sge", region.offset, number(0)), builder.icmp("sle", end, region.size), "inside"
        )
        if not isinstance(size, ConstantInt):
            inside = builder.or_(inside, builder.icmp("eq", size, number(0)))
        name = _name(pointer)

        def fail(there: Builder) -> None:
            element = there.select(
                there.icmp("eq", region.element, number(0)), _at_least_one(there, size), region.element
            )
            last = there.sub(end, number(1))
            before = there.icmp("slt", region.offset, number(0))
            lowest = there.sub(region.offset, there.sub(element, number(1)))  # rounded down
            index = there.sdiv(there.select(before, lowest, last), element)
            self.words.leave(there, name, instruction, index, there.sdiv(region.size, element))

        self.insertions.check(instruction, InstructionCheck(inside, fail))

    def _check_release(self, instruction: Instruction, pointer: Value) -> None:
        """A block begins where it was given; an object with elements is a variable or a parameter."""
        region = self.regions.of(pointer)
        if region is UNKNOWN:
            return
        builder = self.insertions.before(instruction)
        builder.debug_location = instruction.metadata.get("dbg")
        begins = builder.icmp("eq", region.offset, number(0))
        unknown = builder.icmp("sgt", region.size, number(1 << 61))
        block = builder.and_(begins, builder.icmp("eq", region.element, number(0)))
        words = f"a release of {_name(pointer) or 'an address'}, which is no block as malloc gave it"

        def fail(there: Builder) -> None:
            self.words.leave(there, words, instruction)

        self.insertions.check(instruction, InstructionCheck(builder.or_(unknown, block), fail))


def _released(instruction: Instruction) -> list[Value]:
    """What a call of the C library gives back to the heap."""
    function = instruction.called_function if isinstance(instruction, Call) else None
    if function is None or not function.is_declaration or not isinstance(instruction, Call):
        return []
    found = libc.find(function.name)
    if found is None or found.summary is None or found.header != "stdlib.h":
        return []
    return [given for k, given in enumerate(instruction.arguments) if found.summary.frees_argument(k)]


def _at_least_one(builder: Builder, size: Value) -> Value:
    if isinstance(size, ConstantInt):
        return size if size.value > 0 else number(1)
    return number(1)  # a block of so many bytes


def _surely_inside(region: PointerRegion, bytes_: Value) -> bool:
    numbers = (region.offset, region.size, bytes_)
    if not all(isinstance(n, ConstantInt) for n in numbers):
        return False
    offset, size, count = (n.value for n in numbers if isinstance(n, ConstantInt))
    return offset >= 0 and count >= 0 and offset + count <= size


def _name(pointer: Value) -> str:
    """C's name of what a pointer is based on, where it is written down."""
    while isinstance(pointer, (GetElementPtr, Load)):
        pointer = pointer.pointer
    if isinstance(pointer, (Alloca, Argument, GlobalVariable)):
        return pointer.name.removesuffix(".addr")
    return ""


class _Extents:
    """The regions of a function's array parameters, computed at its entry."""

    def __init__(
        self, function: Function, signature: Signature, shapes: Mapping[str, tuple[str, ...]], builder: Builder
    ) -> None:
        self.arguments = {argument.name: argument for argument in function.arguments}
        self.signature, self.shapes, self.builder = signature, shapes, builder

    def regions(self) -> dict[Argument, PointerRegion]:
        found = {}
        for parameter in self.signature.parameters:
            argument = self.arguments.get(parameter.name)
            texts = self.shapes.get(parameter.name, parameter.extents)
            if argument is None or argument.type != POINTER or not isinstance(parameter.type, Pointer) or not texts:
                continue
            extents = [extent.parse(text) for text in texts]
            element = size_of(innermost(parameter.type.to))
            if not element or not all(e is not None and e.names <= self._integers() for e in extents):
                continue
            size: Value = number(element)
            for one in extents:
                assert one is not None
                size = self._times(size, self._not_negative(self._value(one.tree)))
            found[argument] = PointerRegion(number(0), size, number(element))
        return found

    def _integers(self) -> frozenset[str]:
        """The integer parameters that are passed as such."""
        return frozenset(
            parameter.name
            for parameter in self.signature.parameters
            if _is_integer(parameter.type)
            and parameter.name in self.arguments
            and isinstance(self.arguments[parameter.name].type, IntType)
        )

    def _value(self, node: ast.expr) -> Value:
        if isinstance(node, ast.BinOp):
            return self._applied(node.op, self._value(node.left), self._value(node.right))
        if isinstance(node, ast.UnaryOp):
            value = self._value(node.operand)
            return self.builder.sub(number(0), value) if isinstance(node.op, ast.USub) else value
        if isinstance(node, ast.Name):
            parameter = self.signature.parameter(node.id)
            assert parameter is not None
            return wide(self.builder, self.arguments[node.id], unsigned=_is_unsigned(parameter.type))
        assert isinstance(node, ast.Constant)
        return number(int(node.value))  # type: ignore[arg-type]

    def _applied(self, operator: ast.operator, a: Value, b: Value) -> Value:
        """As frontend/extent.py computes it; a division by zero and a shift out of range give 0 there."""
        builder = self.builder
        if isinstance(operator, ast.Mult):
            return self._times(a, b)
        if isinstance(operator, (ast.Add, ast.Sub)):
            return builder.add(a, b) if isinstance(operator, ast.Add) else builder.sub(a, b)
        if isinstance(operator, (ast.Div, ast.Mod)):
            none = builder.icmp("eq", b, number(0))
            divisor = builder.select(none, number(1), b)
            opcode = "sdiv" if isinstance(operator, ast.Div) else "srem"
            other = number(0) if isinstance(operator, ast.Div) else a
            return builder.select(none, other, builder.binary(opcode, a, divisor))
        fits = builder.icmp("ult", b, number(64))
        by = builder.select(fits, b, number(0))
        shifted = builder.shl(a, by) if isinstance(operator, ast.LShift) else builder.ashr(a, by)
        return builder.select(fits, shifted, number(0))

    def _times(self, a: Value, b: Value) -> Value:
        if isinstance(a, ConstantInt) and isinstance(b, ConstantInt):
            return number(a.value * b.value)
        return self.builder.mul(a, b)

    def _not_negative(self, value: Value) -> Value:
        if isinstance(value, ConstantInt):
            return number(max(value.value, 0))
        return self.builder.select(self.builder.icmp("slt", value, number(0)), number(0), value)


def _is_integer(type_: object) -> bool:
    return isinstance(type_, Enum) or (isinstance(type_, Scalar) and type_.kind in ("int", "uint", "bool", "char"))


def _is_unsigned(type_: object) -> bool:
    scalar = type_.underlying if isinstance(type_, Enum) else type_
    return isinstance(scalar, Scalar) and scalar.kind in ("uint", "bool")

"""Text of constants, globals and attributes.

Invariant: what is written reads back as the same value, bit for bit. Floats are decimal where six digits say it exactly, else
hexadecimal in the form LLVM has for the type.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping

from enzyme_magic.backend.ir.attributes import Attribute, AttributeSet
from enzyme_magic.backend.ir.constants import widen
from enzyme_magic.backend.ir.module import Function, GlobalValue
from enzyme_magic.backend.ir.names import Names
from enzyme_magic.backend.ir.text.lexer import escape, quoted
from enzyme_magic.backend.ir.types import ArrayType, FloatType, IntType, NamedType, StructType, Type
from enzyme_magic.backend.ir.values import (
    BlockAddress,
    ConstantAggregate,
    ConstantExpression,
    ConstantFloat,
    ConstantInt,
    ConstantKeyword,
    ConstantSplat,
    ConstantString,
    InlineAsm,
    Value,
    WrappedGlobal,
)
from enzyme_magic.errors import InternalError


class ValueWriter:
    """Writes constants. `named_types` tells packed structs from others."""

    def __init__(self, named_types: Mapping[str, Type | None] | None = None) -> None:
        self.named_types = named_types or {}
        self._names: dict[Function, Names] = {}

    def names(self, function: Function) -> Names:
        """The names of `function`, computed once."""
        known = self._names.get(function)
        if known is None:
            known = self._names[function] = Names(function)
        return known

    def typed(self, value: Value) -> str:
        return f"{value.type} {self.text(value)}"

    def text(self, value: Value) -> str:
        """A constant or a global without its type."""
        if isinstance(value, ConstantInt):
            return integer_text(value)
        if isinstance(value, GlobalValue):
            return global_text(value)
        if isinstance(value, ConstantFloat):
            return float_text(value)
        if isinstance(value, ConstantKeyword):
            return value.keyword
        return self._composite(value)

    def _composite(self, value: Value) -> str:
        if isinstance(value, ConstantAggregate):
            return self._aggregate(value)
        if isinstance(value, ConstantString):
            return f'c"{escape(value.data)}"'
        if isinstance(value, ConstantExpression):
            return self._expression(value)
        if isinstance(value, ConstantSplat):
            return f"splat ({self.typed(value.element)})"
        if isinstance(value, InlineAsm):
            return f"asm {value.spelling}"
        if isinstance(value, BlockAddress) and isinstance(value.function, Function):
            return f"blockaddress({global_text(value.function)}, {self.names(value.function).of(value.block)})"
        if isinstance(value, WrappedGlobal):
            return f"{value.keyword} {self.text(value.value)}"
        raise InternalError(
            f"a value of class {type(value).__name__} is used where it is not defined: {_describe(value)}"
        )

    def _aggregate(self, value: ConstantAggregate) -> str:
        type_: Type | None = value.type
        while isinstance(type_, NamedType):
            type_ = self.named_types.get(type_.spelling)
        inner = ", ".join([self.typed(element) for element in value.elements])
        if isinstance(type_, ArrayType):
            return f"[{inner}]"
        if isinstance(type_, StructType) or type_ is None:
            body = f"{{ {inner} }}" if inner else "{}"
            return f"<{body}>" if type_ is not None and type_.packed else body
        return f"<{inner}>"

    def _expression(self, value: ConstantExpression) -> str:
        head = " ".join((value.opcode, *value.flags))
        operands = ", ".join([self.typed(operand) for operand in value.operands])
        if value.source_type is not None:
            return f"{head} ({value.source_type}, {operands})"
        if len(value.operands) == 1:
            return f"{head} ({operands} to {value.type})"
        return f"{head} ({operands})"


def _describe(value: Value) -> str:
    return f"{value.type} {getattr(value, 'name', '')}".strip()


def integer_text(value: ConstantInt) -> str:
    if isinstance(value.type, IntType) and value.type.bits == 1:
        return "true" if value.value else "false"
    return str(value.value)


def global_text(value: GlobalValue) -> str:
    return "@" + (value.name if value.name.isdigit() else quoted(value.name))


def float_text(value: ConstantFloat) -> str:
    kind = value.type.kind if isinstance(value.type, FloatType) else ""
    if kind == "double" or kind == "float":
        return _double_text(value.bits if kind == "double" else widen(value.bits))
    if kind == "half" or kind == "bfloat":
        return f"{'0xH' if kind == 'half' else '0xR'}{value.bits:04X}"
    if kind == "x86_fp80":
        return f"0xK{value.bits:020X}"
    low, high = value.bits & ((1 << 64) - 1), value.bits >> 64
    return f"{'0xL' if kind == 'fp128' else '0xM'}{low:016X}{high:016X}"


def _double_text(bits: int) -> str:
    if (bits >> 52) & 0x7FF != 0x7FF:
        data = bits.to_bytes(8, "big")
        decimal = f"{struct.unpack('>d', data)[0]:e}"
        if struct.pack(">d", float(decimal)) == data:
            return decimal
    return f"0x{bits:016X}"


def attribute_text(attribute: Attribute, in_group: bool = False) -> str:
    name, value = attribute.name, attribute.value
    if attribute.quoted:
        key = f'"{_escaped(name)}"'
        return key if value is None else f'{key}="{_escaped(value)}"'
    if attribute.type is not None:
        return f"{name}({attribute.type})"
    if value is None:
        return name
    if in_group and name in ("align", "alignstack"):
        return f"{name}={value}"
    return f"align {value}" if name == "align" else f"{name}({value})"


def _escaped(text: str) -> str:
    return escape(text.encode("utf-8", "surrogateescape"))


def attributes_text(attributes: AttributeSet, in_group: bool = False) -> str:
    return " ".join([attribute_text(attribute, in_group) for attribute in attributes])

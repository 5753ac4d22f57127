"""LLVM types as frozen values.

Invariant: two types are the same type exactly when they compare equal; `str(type)` is LLVM's spelling.
Named structs are compared by name; their bodies belong to the module (`Module.named_types`), because LLVM allows
a struct to refer to itself.

This module does not know sizes: see `layout.DataLayout`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Type:
    """Base of every type."""

    @property
    def scalar(self) -> Type:
        """The element type of a vector, the type itself otherwise."""
        return self


@dataclass(frozen=True, slots=True)
class VoidType(Type):
    def __str__(self) -> str:
        return "void"


@dataclass(frozen=True, slots=True)
class LabelType(Type):
    def __str__(self) -> str:
        return "label"


@dataclass(frozen=True, slots=True)
class MetadataType(Type):
    def __str__(self) -> str:
        return "metadata"


@dataclass(frozen=True, slots=True)
class TokenType(Type):
    def __str__(self) -> str:
        return "token"


@dataclass(frozen=True, slots=True)
class IntType(Type):
    bits: int

    def __str__(self) -> str:
        return f"i{self.bits}"


@dataclass(frozen=True, slots=True)
class FloatType(Type):
    """`kind` is LLVM's word: half, bfloat, float, double, x86_fp80, fp128, ppc_fp128."""

    kind: str

    def __str__(self) -> str:
        return self.kind


@dataclass(frozen=True, slots=True)
class PointerType(Type):
    address_space: int = 0

    def __str__(self) -> str:
        return "ptr" if not self.address_space else f"ptr addrspace({self.address_space})"


@dataclass(frozen=True, slots=True)
class VectorType(Type):
    count: int
    element: Type
    scalable: bool = False

    @property
    def scalar(self) -> Type:
        return self.element

    def __str__(self) -> str:
        return f"<{'vscale x ' if self.scalable else ''}{self.count} x {self.element}>"


@dataclass(frozen=True, slots=True)
class ArrayType(Type):
    count: int
    element: Type

    def __str__(self) -> str:
        return f"[{self.count} x {self.element}]"


@dataclass(frozen=True, slots=True)
class StructType(Type):
    elements: tuple[Type, ...]
    packed: bool = False

    def __str__(self) -> str:
        inner = ", ".join(map(str, self.elements))
        body = f"{{ {inner} }}" if inner else "{}"
        return f"<{body}>" if self.packed else body


@dataclass(frozen=True, slots=True)
class NamedType(Type):
    """A struct known by name: `%struct.point`. `spelling` is the name as LLVM prints it, without the percent sign
    and with quotes where LLVM needs them."""

    spelling: str

    def __str__(self) -> str:
        return f"%{self.spelling}"


@dataclass(frozen=True, slots=True)
class TargetType(Type):
    """`target("…")`: carried, never looked into."""

    spelling: str

    def __str__(self) -> str:
        return self.spelling


@dataclass(frozen=True, slots=True)
class FunctionType(Type):
    result: Type
    parameters: tuple[Type, ...]
    variadic: bool = False

    def __str__(self) -> str:
        inner = [str(p) for p in self.parameters] + (["..."] if self.variadic else [])
        return f"{self.result} ({', '.join(inner)})"


VOID = VoidType()
LABEL = LabelType()
METADATA = MetadataType()
TOKEN = TokenType()
POINTER = PointerType()
I1, I8, I16, I32, I64 = (IntType(bits) for bits in (1, 8, 16, 32, 64))
HALF, BFLOAT, FLOAT, DOUBLE = (FloatType(kind) for kind in ("half", "bfloat", "float", "double"))
X86_FP80, FP128 = FloatType("x86_fp80"), FloatType("fp128")


def is_floating(type_: Type) -> bool:
    """Whether `type_` is a floating scalar or a vector of them."""
    return isinstance(type_.scalar, FloatType)


def is_integer(type_: Type) -> bool:
    return isinstance(type_.scalar, IntType)


def is_pointer(type_: Type) -> bool:
    return isinstance(type_.scalar, PointerType)

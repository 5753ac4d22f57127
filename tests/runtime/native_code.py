"""Hand-written native functions and their signatures: what the compiler will make, without the compiler."""

from __future__ import annotations

from enzyme_magic.backend.frontend.c_types import (
    CParameter,
    CType,
    Enum,
    Field,
    FunctionPointer,
    Pointer,
    Scalar,
    Signature,
    Struct,
    Void,
)
from enzyme_magic.backend.llvm.objects import jit
from enzyme_magic.backend.native import Entry, ResultField, Slot
from enzyme_magic.backend.runtime import exits
from enzyme_magic.backend.runtime.calls.invoke import Code
from enzyme_magic.backend.runtime.native import support

DOUBLE = Scalar("double", "float", 8)
FLOAT = Scalar("float", "float", 4)
LONG_DOUBLE = Scalar("long double", "float", 16)
INT = Scalar("int", "int", 4)
UNSIGNED = Scalar("unsigned int", "uint", 4)
SIZE = Scalar("size_t", "uint", 8, base="unsigned long")
CHAR = Scalar("char", "char", 1)
SHORT = Scalar("short", "int", 2)
BOOL = Scalar("_Bool", "bool", 1)
COMPLEX = Scalar("double _Complex", "complex", 16)
COLOR = Enum("enum color", UNSIGNED, (("RED", 0), ("GREEN", 1)))
VOID = Void()
POINT = Struct("struct point", (Field("x", 0, DOUBLE), Field("id", 8, INT), Field("y", 16, DOUBLE)), 24)
IN = Pointer(DOUBLE, const=True)
OUT = Pointer(DOUBLE)
CALLBACK = FunctionPointer(DOUBLE, (DOUBLE,))


def signature(
    name: str, result: CType, *parameters: tuple[str, CType] | tuple[str, CType, tuple[str, ...]]
) -> Signature:
    """A Signature; each parameter is (name, type) or (name, type, extents)."""
    return Signature(name, result, tuple(CParameter(*parameter) for parameter in parameters), line=1, file="In[1]")


def library(text: str, *names: str) -> jit.Library:
    return jit.Library.load([jit.compile_object(text)], names, symbols={**exits.symbols(), **support.arena_symbols()})


def primal_code(text: str, sig: Signature, **flags: bool) -> Code:
    """A C function whose native parameters are its C parameters."""
    loaded = library(text, sig.name)
    slots = tuple(Slot("primal", index) for index in range(len(sig.parameters)))
    result = None if sig.result == VOID else ResultField("value", "double")
    return Code(Entry(sig.name, slots, result, **flags), loaded.address(sig.name), sig, loaded)

"""C's names of LLVM's scalar types (of the data model where long has 64 bits); NotInC for others."""

from __future__ import annotations

from enzyme_magic.backend.explain.gradient_c.refusal import refuse
from enzyme_magic.backend.ir.types import DOUBLE, FLOAT, I1, I8, I16, I32, I64, IntType, Type


def c_type(type_: Type) -> str:
    """C's name of a scalar type."""
    if type_ == DOUBLE:
        return "double"
    if type_ == FLOAT:
        return "float"
    if isinstance(type_, IntType):
        return c_integer(type_)
    raise refuse(f"it has values of type {type_}")


def c_integer(type_: Type) -> str:
    """C's name of an integer type."""
    if type_ == I64:
        return "long"
    if type_ in (I32, I1):
        return "int"
    if type_ in (I8, I16):
        return "signed char" if type_ == I8 else "short"
    raise refuse(f"it computes with integers of type {type_}")

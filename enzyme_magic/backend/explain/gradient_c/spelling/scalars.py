"""C's names of LLVM's scalar types (of the data model where long has 64 bits); NotInC for others."""

from __future__ import annotations

import re

from enzyme_magic.backend.autodiff.calls.request import STATIC_PREFIX
from enzyme_magic.backend.explain.gradient_c.refusal import NotInC, refuse
from enzyme_magic.backend.explain.passes.words import WORDS
from enzyme_magic.backend.frontend.c_types import Array, CType, Scalar, size_of
from enzyme_magic.backend.ir.module import GlobalValue, GlobalVariable
from enzyme_magic.backend.ir.types import DOUBLE, FLOAT, I1, I8, I16, I32, I64, IntType, Type
from enzyme_magic.backend.ir.values import ConstantString


def c_type(type_: Type) -> str:
    """C's name of a scalar type."""
    if type_ == DOUBLE:
        return "double"
    if type_ == FLOAT:
        return "float"
    if isinstance(type_, IntType):
        return c_integer(type_)
    raise refuse(f"it has {_in_words(type_)}")


_NAMED = re.compile(r"%(struct|union)\.(\w+)")


def in_c(type_: Type) -> str:
    """Values of any type, as C's programmers call them."""
    if isinstance(type_, IntType) and type_ not in (I1, I8, I16, I32, I64):
        return f"integers of {type_.bits} bits"
    scalars = {
        "double": "double",
        "float": "float",
        "i64": "long",
        "i32": "int",
        "i16": "short",
        "i8": "char",
        "i1": "int",
    }
    return scalars.get(str(type_)) or _in_words(type_).removeprefix("values of type ")


def unsaid(opcode: str) -> NotInC:
    """An operation that the text has no words for."""
    return refuse(f"it needs an operation that is not written as C here ({WORDS.get(opcode, opcode)})")


def _in_words(type_: Type) -> str:
    """Values of a type that the text has no words for, as C calls them."""
    text = str(type_)
    if (named := _NAMED.search(text)) is not None:
        return (
            f"values of type {named[1]} {named[2]}" if named[2] != "anon" else f"values of a {named[1]} without a name"
        )
    if text == "x86_fp80":
        return "values of type long double"
    return (
        "vectors"
        if text.startswith("<")
        else "structs"
        if text.startswith("{")
        else "arrays"
        if text.startswith("[")
        else "pointers"
    )


def of_known_size(pointed: CType) -> CType:
    """Of `double A[n][n]` the numbers: A[i*n + j]."""
    while isinstance(pointed, Array) and size_of(pointed) is None:
        pointed = pointed.element
    return pointed


def scalar(name: str) -> Scalar:
    """The C type of one of these names."""
    sizes = {"double": 8, "float": 4, "long": 8, "int": 4, "short": 2, "signed char": 1}
    return Scalar(name, "float" if name in ("double", "float") else "int", sizes[name])


def c_integer(type_: Type) -> str:
    """C's name of an integer type."""
    if type_ == I64:
        return "long"
    if type_ in (I32, I1):
        return "int"
    if type_ in (I8, I16):
        return "signed char" if type_ == I8 else "short"
    raise refuse(f"it computes with {in_c(type_)}" if isinstance(type_, IntType) else f"it has {_in_words(type_)}")


def literal(variable: GlobalVariable) -> str:
    """A string of C; NotInC for other variables that several functions may use."""
    data = variable.initializer.data if isinstance(variable.initializer, ConstantString) else b""
    if variable.constant and data.endswith(b"\0") and variable.name.startswith(_OWN):
        return f'"{"".join(map(_character, data[:-1]))}"'
    raise unknown(variable)


def unknown(variable: GlobalValue) -> NotInC:
    """The text is one function: it has nothing that keeps its value between calls."""
    name = variable.name.removesuffix(".shadow").rpartition(".")[2]
    return refuse(f"it uses the variable {name}, which is static or global")


_OWN = f"{STATIC_PREFIX}."  # clang's name for a string has no name of C's in it: `.str.1`
_ESCAPED = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "?": "\\?"}


def _character(code: int) -> str:
    """Of a string: octal where it is not printed, three digits so that what follows is no part of it."""
    text = chr(code)
    return _ESCAPED.get(text) or (text if 32 <= code < 127 else f"\\{code:03o}")

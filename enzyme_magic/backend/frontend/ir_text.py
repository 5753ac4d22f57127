"""LLVM IR text as a source: what `compile_sources` gives for C, read off the IR itself.

Invariant: a function is offered only when its native parameters are what its signature says (then no uniform entry is needed); any
other gets a note. Signatures come from debug info where the text has it (then extents and names are C's), otherwise from the
IR's own types: double, float, x86_fp80, integers, and pointers as `void *`, which no gradient is taken of.

The texts have been through LLVM once (auto-upgraded, verified); no compiler runs here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from enzyme_magic.backend.frontend.c_types import VOID, CParameter, CType, Pointer, Scalar, Signature, Void, is_plain
from enzyme_magic.backend.frontend.compile import Unit
from enzyme_magic.backend.frontend.entry import SUFFIX
from enzyme_magic.backend.frontend.signature import signatures, skeleton
from enzyme_magic.backend.frontend.sources import Source
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.text import parser
from enzyme_magic.backend.ir.types import FloatType, IntType, PointerType, VoidType
from enzyme_magic.backend.ir.types import Type as IRType
from enzyme_magic.errors import CompileError

_FLOATS = {"float": ("float", 4), "double": ("double", 8), "x86_fp80": ("long double", 16)}
_INTEGERS = {1: "_Bool", 8: "signed char", 16: "short", 32: "int", 64: "long"}


def unit(texts: Sequence[str], sources: Sequence[Source]) -> Unit:
    """The Unit of already canonical IR texts, one per source."""
    found: dict[str, Signature] = {}
    notes: list[str] = []
    for text in texts:
        _refuse_circles(text)
        module = parser.parse(skeleton(text))
        told = signatures(module, sources)
        for function in module.definitions():
            if function.name.endswith(SUFFIX):
                continue
            signature = told.get(function.name) or _from_types(function)
            if signature is not None and _fits(signature, function):
                found[function.name] = signature
            elif function.linkage not in ("internal", "private"):
                notes.append(f"{function.name} cannot be called from Python: {function.function_type}")
    return Unit(tuple(texts), (), tuple(notes), (), (), found, "")


_LEADING = re.compile(r"\b(baseType|scope|inlinedAt): !(\d+)\b")
_STRING = re.compile(r'"[^"]*"')
_NODE = re.compile(r"^!(\d+) = (?:distinct )?!DI[^\n]*$", re.MULTILINE)


def _refuse_circles(text: str) -> None:
    """Raises CompileError EM120 for debug info in which a type, or a place in the text, is made of itself. LLVM lets it pass, and
    no reader of a chain of them would come to an end. (Types that contain each other lead through the members of a struct.)"""
    leads: dict[str, dict[str, str]] = {}
    for node in _NODE.finditer(text):
        for field, to in _LEADING.findall(_STRING.sub("", node[0])):
            leads.setdefault(field, {})[node[1]] = to
    for field, next_of in leads.items():
        if (at := _in_a_circle(next_of)) is not None:
            raise CompileError(
                f"debug info is circular: !{at} is its own {field}",
                code="EM120",
                hint="pass the text of a module as a compiler gives it",
            )


def _in_a_circle(next_of: Mapping[str, str]) -> str | None:
    """A node from which the steps lead back to it."""
    ended: set[str] = set()
    for start in next_of:
        way: dict[str, None] = {}
        at: str | None = start
        while at is not None and at not in ended and at not in way:
            way[at] = None
            at = next_of.get(at)
        if at in way:
            return at
        ended.update(way)
    return None


def _from_types(function: Function) -> Signature | None:
    """A signature made of IR types; None where one has no C word."""
    result = _c_type(function.function_type.result)
    types = [_c_type(argument.type) for argument in function.arguments]
    if result is None or any(type_ is None for type_ in types):
        return None
    parameters = tuple(
        CParameter(argument.name, type_)
        for argument, type_ in zip(function.arguments, types, strict=True)
        if type_ is not None
    )
    static = function.linkage in ("internal", "private")
    return Signature(function.name, result, parameters, function.function_type.variadic, static=static)


def _c_type(type_: IRType) -> CType | None:
    if isinstance(type_, FloatType) and type_.kind in _FLOATS:
        name, size = _FLOATS[type_.kind]
        return Scalar(name, "float", size)
    if isinstance(type_, IntType) and type_.bits in _INTEGERS:
        kind = "bool" if type_.bits == 1 else "int"
        return Scalar(_INTEGERS[type_.bits], kind, max(type_.bits // 8, 1))
    if isinstance(type_, PointerType) and not type_.address_space:
        return Pointer(VOID)
    return VOID if isinstance(type_, VoidType) else None


def _fits(signature: Signature, function: Function) -> bool:
    """Whether the IR's parameters are the C parameters, one for one."""
    expected = [parameter.type for parameter in signature.parameters]
    given = [argument.type for argument in function.arguments]
    return (
        len(expected) == len(given)
        and all(_same(c_type, ir_type) for c_type, ir_type in zip(expected, given, strict=True))
        and _same(signature.result, function.function_type.result)
    )


def _same(c_type: CType, ir_type: IRType) -> bool:
    if isinstance(c_type, Void):
        return isinstance(ir_type, VoidType)
    if not is_plain(c_type):
        return False
    if isinstance(c_type, Scalar) and c_type.kind == "float":
        return isinstance(ir_type, FloatType) and _FLOATS.get(ir_type.kind, ("",))[0] == c_type.base
    if isinstance(ir_type, PointerType):
        return not isinstance(c_type, Scalar)
    size = getattr(c_type, "size", 0)
    is_bool = isinstance(c_type, Scalar) and c_type.kind == "bool"
    return isinstance(ir_type, IntType) and ir_type.bits == (1 if is_bool else 8 * size)

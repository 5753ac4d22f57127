"""What the pointers of LLVM IR text point to, where its author says nothing: debug info is optional, and IR's own pointers have
no type.

Invariant: a `void *` parameter becomes a pointer to the one scalar type through which its memory is accessed; where accesses
differ, or there are none, it stays as it is. The type decides which arrays Python may pass and what has a gradient; derivatives
themselves rest on the type analysis.
"""

from __future__ import annotations

from dataclasses import replace

from enzyme_magic.backend.analysis.counts.affine import Evolution
from enzyme_magic.backend.frontend.c_types import VOID, Pointer, Scalar, Signature
from enzyme_magic.backend.ir.graphs import loops
from enzyme_magic.backend.ir.graphs.dominators import DominatorTree
from enzyme_magic.backend.ir.instructions import Load, Store
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import FloatType, IntType, Type
from enzyme_magic.backend.ir.values import Argument
from enzyme_magic.backend.program.program_module import ProgramModule

_FLOATS = {"float": ("float", 4), "double": ("double", 8), "x86_fp80": ("long double", 16)}
_INTEGERS = {8: "signed char", 16: "short", 32: "int", 64: "long"}


def typed(program: ProgramModule, signature: Signature) -> Signature:
    """The signature with `void *` parameters told more precisely."""
    function = program.module.functions.get(signature.name)
    untyped = [k for k, parameter in enumerate(signature.parameters) if parameter.type == Pointer(VOID)]
    if (
        function is None
        or function.is_declaration
        or not untyped
        or len(function.arguments) != len(signature.parameters)
    ):
        return signature
    accessed = _accessed(program, function)
    parameters = list(signature.parameters)
    for k in untyped:
        found = {_scalar(type_) for type_ in accessed.get(function.arguments[k], ())}
        scalar = found.pop() if len(found) == 1 else None
        if scalar is not None:
            parameters[k] = replace(parameters[k], type=Pointer(scalar))
    return replace(signature, parameters=tuple(parameters))


def _accessed(program: ProgramModule, function: Function) -> dict[Argument, set[Type]]:
    """The types loaded and stored through each pointer argument."""
    dominators = DominatorTree.of(function)
    evolution = Evolution(program.analyses.layout, loops.find(function, dominators), dominators)
    found: dict[Argument, set[Type]] = {}
    for instruction in function.instructions():
        if isinstance(instruction, (Load, Store)):
            base = evolution.address(instruction.pointer).base
            type_ = instruction.type if isinstance(instruction, Load) else instruction.value.type
            if isinstance(base, Argument):
                found.setdefault(base, set()).add(type_.scalar)
    return found


def _scalar(type_: Type) -> Scalar | None:
    if isinstance(type_, FloatType) and type_.kind in _FLOATS:
        name, size = _FLOATS[type_.kind]
        return Scalar(name, "float", size)
    if isinstance(type_, IntType) and type_.bits in _INTEGERS:
        return Scalar(_INTEGERS[type_.bits], "int", type_.bits // 8)
    return None

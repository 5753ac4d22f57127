"""Registrations that Python adds to a program: what C would say with `__enzyme_register_…` and `__enzyme_inactivefn`.

They become the same globals in the IR that C's are, so there is one way from there on. A rule that is a Python function gets a
native function in front of it, with the types of a C handler; it hands numbers over and takes numbers back
(runtime/calls/handlers.py). Invariant: what names no function of the program is an error. Python handlers take numbers only:
pointers stay in C.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence

from enzyme_magic.backend.autodiff.sweeps.leaves import leaves
from enzyme_magic.backend.frontend.c_types import Scalar, Signature
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.attributes import EMPTY
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.module import Function, GlobalVariable, Module
from enzyme_magic.backend.ir.text import parser, printer
from enzyme_magic.backend.ir.types import (
    I8,
    I64,
    POINTER,
    VOID,
    ArrayType,
    FloatType,
    FunctionType,
    IntType,
    StructType,
    Type,
)
from enzyme_magic.backend.ir.values import Argument, Block, ConstantAggregate, ConstantString, Value
from enzyme_magic.config import Registration
from enzyme_magic.errors import CompileError

DOUBLE = FloatType("double")
PYTHON = FunctionType(VOID, (POINTER, POINTER, I64, POINTER))
INACTIVE, GRADIENT, DERIVATIVE = "inactive", "gradient", "derivative"


def add(text: str, registrations: Sequence[Registration], signatures: Mapping[str, Signature]) -> str:
    """The IR with the registrations. Raises CompileError EM126 for a function that is not there or a type Python cannot take."""
    module = parser.parse(text)
    for number, registration in enumerate(registrations):
        _add(module, registration, number, signatures)
    return printer.print_module(module)


def _add(module: Module, wanted: Registration, number: int, signatures: Mapping[str, Signature]) -> None:
    function = _function(module, wanted.function)
    if wanted.kind == INACTIVE:
        module.add(GlobalVariable(f"__enzyme_inactivefn.{number}", value_type=POINTER, initializer=function))
        return
    handlers: list[Value] = [function]
    if wanted.kind == GRADIENT:
        handlers.append(_function(module, wanted.augmented) if wanted.augmented else function)
    if wanted.python:
        shim = _Shim(module, function, signatures.get(wanted.function))
        handlers.append(shim.write(wanted.kind, f"em.handler.{number}", wanted.handler))
    else:
        handlers.append(_function(module, wanted.handler))
    type_ = ArrayType(len(handlers), POINTER)
    name = f"__enzyme_register_{wanted.kind}.{number}"
    module.add(GlobalVariable(name, value_type=type_, initializer=ConstantAggregate(type_, tuple(handlers))))


def _function(module: Module, name: str) -> Function:
    found = module.functions.get(name)
    if found is not None:
        if found.linkage == "internal" and any(_is_namesake(other, name) for other in module.functions):
            raise CompileError(
                f"a derivative is registered with {name}, and several sources have a static function of that name",
                code="EM126",
                hint="give them different names, or register it in the source where it is",
            )
        return found
    known = [f for f in module.functions if not f.startswith("llvm.")]
    close = difflib.get_close_matches(name, known, 1)
    raise CompileError(
        f"a derivative is registered with {name}, and the program has no such function",
        code="EM126",
        hint=f"did you mean {close[0]}?" if close else f"it has {', '.join(known)}",
    )


def _is_namesake(other: str, name: str) -> bool:
    """Whether LLVM gave a function its name because there was one with this name: names of C have no dots."""
    stem, dot, number = other.rpartition(".")
    return bool(dot) and stem == name and number.isdigit()


class _Shim:
    """The native function in front of a Python handler."""

    def __init__(self, module: Module, function: Function, signature: Signature | None) -> None:
        self.module, self.function, self.signature = module, function, signature

    def write(self, kind: str, name: str, symbol: str) -> Function:
        source = self.function.function_type
        result = [leaf.type for leaf in leaves(source.result, lambda t: t)]
        types: list[Type] = []
        letters = ""
        for k, type_ in enumerate(source.parameters):
            twice = kind == DERIVATIVE and isinstance(type_, FloatType)
            types += [type_, type_] if twice else [type_]
            letters += self._letter(type_, k) * (2 if twice else 1)
        if kind == GRADIENT:
            types += result
            letters += "d" * len(result)
        given: list[Type] = [t for t in source.parameters if isinstance(t, FloatType)] if kind == GRADIENT else result
        for type_ in (*types, *given):
            self._check(type_)
        return self._written(name, symbol, types, letters, given)

    def _letter(self, type_: Type, index: int) -> str:
        if isinstance(type_, FloatType):
            return "d"
        told = self.signature.parameters[index].type if self.signature is not None else None
        unsigned = isinstance(told, Scalar) and told.kind in ("uint", "bool")
        return "Q" if unsigned else "q"

    def _check(self, type_: Type) -> None:
        plain = str(type_) in ("double", "float") or (isinstance(type_, IntType) and type_.bits <= 64)
        if not plain:
            what = "a pointer" if type_ == POINTER else str(type_)
            raise CompileError(
                f"{self.function.name} takes or returns {what}, and a Python function takes numbers only",
                code="EM126",
                hint="write the handler in C",
            )

    def _written(self, name: str, symbol: str, types: list[Type], letters: str, given: list[Type]) -> Function:
        result: Type = VOID if not given else given[0] if len(given) == 1 else StructType(tuple(given))
        function = Function(name, function_type=FunctionType(result, tuple(types)), parent=self.module)
        function.arguments = [Argument(t, "", EMPTY, k) for k, t in enumerate(types)]
        block = Block("entry", parent=function)
        function.blocks.append(block)
        builder = Builder(block)
        arguments = builder.alloca(ArrayType(max(1, len(types)), I64))
        results = builder.alloca(ArrayType(max(1, len(given)), DOUBLE))
        for k, (argument, letter) in enumerate(zip(function.arguments, letters, strict=True)):
            builder.store(_wide(builder, argument, letter), builder.gep(I64, arguments, [_index(k)]))
        python = self.module.functions.get(symbol) or self._declared(symbol)
        builder.call(python, [self._format(name, letters), arguments, _index(len(given)), results])
        values = [
            _narrow(builder, builder.load(DOUBLE, builder.gep(DOUBLE, results, [_index(k)])), type_)
            for k, type_ in enumerate(given)
        ]
        whole: Value | None = values[0] if len(values) == 1 else None
        if len(values) > 1:
            whole = constants.poison(result)
            for k, value in enumerate(values):
                whole = builder.insert_value(whole, value, k)
        builder.ret(whole)
        self.module.add(function)
        return function

    def _declared(self, symbol: str) -> Function:
        arguments = [Argument(t, "", EMPTY, k) for k, t in enumerate(PYTHON.parameters)]
        python = Function(symbol, function_type=PYTHON, arguments=arguments)
        self.module.add(python)
        return python

    def _format(self, name: str, letters: str) -> Value:
        data = f"={letters}\0".encode()
        type_ = ArrayType(len(data), I8)
        variable = GlobalVariable(
            f"{name}.format",
            linkage="private",
            value_type=type_,
            initializer=ConstantString(type_, data),
            constant=True,
        )
        self.module.add(variable)
        return variable


def _index(number: int) -> Value:
    return constants.int_constant(I64, number)


def _wide(builder: Builder, value: Value, letter: str) -> Value:
    """A number in eight bytes."""
    if value.type in (I64, DOUBLE):
        return value
    if isinstance(value.type, FloatType):
        return builder.fpext(value, DOUBLE)
    return builder.zext(value, I64) if letter == "Q" else builder.sext(value, I64)


def _narrow(builder: Builder, value: Value, type_: Type) -> Value:
    return value if type_ == DOUBLE else builder.fptrunc(value, type_)

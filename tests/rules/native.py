"""Rules compiled: for each operation and floating type one native function with the results of the operation and one with each
contribution, d included, through memory (ctypes would round long double to double).

Names: `value.<operation>.<type>.<result>` and `partial.<operation>.<type>.<result>.<operand>`. Arguments: (in, out), slots of
16 bytes: the operands, then d; one answer.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache

from mpmath import mp, mpf

from enzyme_magic.backend.ir.attributes import EMPTY
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.constants import FORMATS, encode, exact_value, float_value
from enzyme_magic.backend.ir.instructions import ExtractValue, Instruction
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.text.printer import print_module
from enzyme_magic.backend.ir.types import (
    DOUBLE,
    FLOAT,
    I1,
    I8,
    I32,
    POINTER,
    VOID,
    X86_FP80,
    FloatType,
    FunctionType,
    IntType,
    Type,
)
from enzyme_magic.backend.ir.values import Argument, Block, ConstantFloat, Value
from enzyme_magic.backend.llvm.objects.jit import Library, compile_object
from enzyme_magic.backend.rules.formulas import helpers
from enzyme_magic.backend.rules.ir_basic import PURE, declared
from enzyme_magic.backend.rules.ir_emitter import InstructionPrimals, IREmitter
from enzyme_magic.backend.rules.lowering import MEMORY_RESULTS, pure_results
from enzyme_magic.backend.rules.registry import OPCODES, rule_for
from enzyme_magic.backend.rules.rule import Rule
from enzyme_magic.backend.rules.spelling import (
    PROTOTYPES,
    HelperSignature,
    intrinsic_name,
    libm_name,
    prototype,
)

from .points import ALL_RULES
from .reference import REFERENCE, WITHOUT_VALUE

TYPES: dict[str, FloatType] = {"float": FLOAT, "double": DOUBLE, "long double": X86_FP80}
EPSILON = {"float": 2.0**-23, "double": 2.0**-52, "long double": 2.0**-63}
CASTS = frozenset(["fpext", "fptrunc", "fptrunc.round"])  # two types: tested on their own
TESTED = {n: r for n, r in ALL_RULES.items() if n not in WITHOUT_VALUE | CASTS and n in REFERENCE}
_SLOT = 16
_IN_C_ONLY_INTRINSIC = frozenset(["powi", "fmuladd", "canonicalize", "arithmetic.fence"])
_CALLBACK = {"float": ctypes.c_float, "double": ctypes.c_double}


def operand_types(operation: str, type_: FloatType) -> list[Type]:
    if operation == "select":
        return [I1, type_, type_]
    if operation == "powi":
        return [type_, I32]
    if operation in PROTOTYPES:
        shape = prototype(operation, type_).parameters
        return [shape[k] for k in MEMORY_RESULTS[operation].inputs] if operation in MEMORY_RESULTS else list(shape)
    return [type_] * ALL_RULES[operation].operands


def missing(operation: str, kind: str) -> bool:
    """Whether this C library lacks the function (sinpi and its family came with glibc 2.41)."""
    name = libm_name(operation, TYPES[kind])
    return (
        name is not None
        and operation in PROTOTYPES
        and not hasattr(_process(), name)
        and operation not in MEMORY_RESULTS
    )


def substituted(kind: str) -> bool:
    return kind in _CALLBACK


@cache
def _process() -> ctypes.CDLL:
    return ctypes.CDLL(None)


def _libm_substitutes() -> dict[str, int]:
    """Functions the C library lacks, computed by mpmath (float and double only)."""
    found = {}
    for operation in PROTOTYPES:
        for kind, c_type in _CALLBACK.items():
            name = libm_name(operation, TYPES[kind])
            if name is not None and missing(operation, kind):
                found[name] = ctypes.cast(_callback(operation, c_type), ctypes.c_void_p).value or 0
    return found


@cache
def _callback(operation: str, c_type: type[ctypes.c_float] | type[ctypes.c_double]) -> Callable[[float], float]:
    function = REFERENCE[operation]
    return ctypes.CFUNCTYPE(c_type, c_type)(lambda x: float(function(mpf(x))))  # kept alive by the cache


class Natives:
    """All test functions, compiled once."""

    def __init__(self) -> None:
        self.module = Module(source_filename="rules")
        self.names: list[str] = []
        for operation, rule in TESTED.items():
            for kind, type_ in TYPES.items():
                if not missing(operation, kind) or substituted(kind):
                    self._add(operation, rule, kind, type_)
        self.text = print_module(self.module)
        substitutes = _libm_substitutes()
        self.library = Library.load([compile_object(self.text, 1)], self.names, symbols=substitutes)

    def _add(self, operation: str, rule: Rule, kind: str, type_: FloatType) -> None:
        for result in range(rule.results):
            self._function(f"value.{operation}.{kind}.{result}", operation, type_, result, None)
            for operand in range(rule.operands):
                if rule.contribution(result, operand) is not None:
                    name = f"partial.{operation}.{kind}.{result}.{operand}"
                    self._function(name, operation, type_, result, operand)

    def _function(self, name: str, operation: str, type_: FloatType, result: int, operand: int | None) -> None:
        arguments = [Argument(POINTER, n, EMPTY, k) for k, n in enumerate(("in", "out"))]
        function = Function(name=name, function_type=FunctionType(VOID, (POINTER, POINTER)), arguments=arguments)
        self.module.add(function)
        block = Block("entry", parent=function)
        function.blocks.append(block)
        builder = Builder(block)
        types = operand_types(operation, type_)
        operands = [_load(builder, arguments[0], k, t) for k, t in enumerate(types)]
        d = _load(builder, arguments[0], len(types), type_)
        primal = emit(builder, self.module, operation, type_, operands)
        if operand is None:
            answer: Value = primal
            if ALL_RULES[operation].results > 1:
                answer = builder.extract_value(primal, result)
            if isinstance(answer.type, IntType):
                answer = builder.sitofp(answer, type_)
        else:
            answer = differentiated(builder, self.module, primal, type_, operands, d, result, operand)
        builder.store(answer, arguments[1], align=1)
        builder.ret()
        self.names.append(name)

    def __call__(self, name: str, kind: str, operation: str, point: Sequence[object], d: float = 1.0) -> mpf | int:
        """The answer of a test function, exactly."""
        types = [*operand_types(operation, TYPES[kind]), TYPES[kind]]
        slots = b"".join(_bytes(t, v) for t, v in zip(types, [*point, d], strict=True))
        out = ctypes.create_string_buffer(_SLOT)
        call = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_char_p)(self.library.address(name))
        call(slots, ctypes.cast(out, ctypes.c_char_p))
        return decoded(TYPES[kind], out.raw)


def emit(builder: Builder, module: Module, operation: str, type_: FloatType, operands: list[Value]) -> Instruction:
    """The operation itself, as the program would have it after lowering."""
    if operation == "fneg":
        return builder.fneg(operands[0])
    if operation == "select":
        return builder.select(*operands)
    if operation == "freeze":
        return builder.freeze(operands[0])
    if operation in OPCODES:
        return builder.binary(operation, *operands)
    if operation in MEMORY_RESULTS:
        member = pure_results(builder, module, HelperSignature(operation, type_), operands)[0]
        assert isinstance(member, ExtractValue)
        aggregate = member.operands[0]
        assert isinstance(aggregate, Instruction)
        return aggregate
    if operation.startswith("polygamma"):
        return builder.call(helpers.function(module, operation, type_), operands)
    types = tuple(v.type for v in operands)
    if operation in _IN_C_ONLY_INTRINSIC:
        integers = [t for t in types if isinstance(t, IntType)]
        function = declared(module, intrinsic_name(operation, type_, *integers), FunctionType(type_, types))
    else:
        name = libm_name(operation, type_)
        assert name is not None
        function = declared(module, name, prototype(operation, type_))
    return builder.call(function, operands, attributes=PURE)


def differentiated(
    builder: Builder,
    module: Module,
    primal: Instruction,
    type_: FloatType,
    operands: list[Value],
    d: Value,
    result: int,
    operand: int,
) -> Value:
    rule = rule_for(primal)
    assert rule is not None, f"no rule for {primal.opcode}"
    emitter = IREmitter.for_instruction(builder, module, primal, type_)
    primals = InstructionPrimals(emitter, primal, operands.__getitem__, lambda: primal, rule.results)
    contribution = rule.contribution(result, operand)
    assert contribution is not None
    value = contribution(emitter, d, primals)
    assert isinstance(value, Value)
    return value


def _load(builder: Builder, base: Value, index: int, type_: Type) -> Value:
    pointer = builder.gep(I8, base, [_SLOT * index])
    if type_ == I1:
        return builder.trunc(builder.load(I8, pointer, align=1), I1)
    return builder.load(type_, pointer, align=1)


def _bytes(type_: Type, value: object) -> bytes:
    if isinstance(type_, IntType):
        return int(value).to_bytes(_SLOT, "little", signed=True)  # type: ignore[call-overload, no-any-return]
    assert isinstance(type_, FloatType)
    assert isinstance(value, (int, float, Fraction))
    number = value if isinstance(value, (float, Fraction)) else Fraction(value)
    return encode(FORMATS[type_.kind], number).to_bytes(_SLOT, "little")


def decoded(type_: FloatType, raw: bytes) -> mpf:
    width = FORMATS[type_.kind].width
    constant = ConstantFloat(type_, int.from_bytes(raw, "little") & ((1 << width) - 1))
    try:
        exact = exact_value(constant)
    except ValueError:
        return mpf(float_value(constant))
    with mp.workdps(60):
        return mpf(exact.numerator) / exact.denominator

"""Terms written as LLVM IR: arithmetic, comparisons, calls into libm.

Invariants: multiplying by 1 and by -1, dividing by 1 and negating twice leave nothing behind, and nothing else is folded, so
the IEEE result is the one the formula says; constants stand on the right as LLVM likes them. Calls are free of side effects
(`memory(none)`): the front end compiles without math-errno. Knows libm and the intrinsics, not our helper functions, which are
themselves written with it.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from enzyme_magic.backend.ir.attributes import Attribute, AttributeSet
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.constants import FORMATS, exact_value, float_constant, float_value, int_constant
from enzyme_magic.backend.ir.instructions import Instruction
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.types import BFLOAT, FLOAT, HALF, FloatType, FunctionType, IntType, Type, is_integer
from enzyme_magic.backend.ir.values import Constant, ConstantFloat, ConstantInt, ConstantSplat, Value
from enzyme_magic.backend.rules.emitter import Emitter, Operand, Term
from enzyme_magic.backend.rules.formulas.numbers import Number
from enzyme_magic.backend.rules.spelling import (
    INTRINSIC_OF,
    PROTOTYPES,
    intrinsic_name,
    libm_name,
    prototype,
)
from enzyme_magic.errors import DifferentiationError, InternalError

_INTEGER_OPCODE = {"fadd": "add", "fsub": "sub", "fmul": "mul"}
_SIGNED_PREDICATE = {"oeq": "eq", "one": "ne", "olt": "slt", "ole": "sle", "ogt": "sgt", "oge": "sge"}
_IDENTITY_ON_THE_RIGHT = {"fmul": 1, "fdiv": 1}
OWN = "nobuiltin"  # of a function with a name of the C library that the program wrote itself
IN_PLACE = frozenset(["sqrt", "fabs", "copysign", "fmin", "fmax", "fmuladd"])  # instructions, never calls
PURE = AttributeSet(
    (*map(Attribute, ("nofree", "nosync", "nounwind", "willreturn")), Attribute("memory", "none")),
)


class BasicEmitter(Emitter):
    """Writes at `builder`'s place, for contributions of `type_` (the type of what is emitted: in reverse mode the operand's,
    in forward mode the result's; they differ for conversions only). `module` receives the declarations that become needed."""

    def __init__(self, builder: Builder, module: Module, type_: Type, flags: tuple[str, ...] = ()) -> None:
        self.builder = builder
        self.module = module
        self.type = type_
        self.flags = flags

    def term(self, value: Any) -> Term:
        return Term(self, value)

    def number(self, value: Number) -> Term:
        return self.term(constant(self.type, value))

    def binary(self, opcode: str, a: Operand, b: Operand) -> Term:
        x, y = self._pair(a, b)
        if is_integer(x.type):
            return self.term(self.builder.binary(_INTEGER_OPCODE[opcode], x, y))
        if opcode in ("fmul", "fadd") and isinstance(x, Constant) and not isinstance(y, Constant):
            x, y = y, x
        if opcode in _IDENTITY_ON_THE_RIGHT and number_of(y) == 1:
            return self.term(x)
        if opcode in _IDENTITY_ON_THE_RIGHT and number_of(y) == -1:
            return self.negate(self.term(x))
        if opcode == "fmul" and number_of(x) == 1:  # both are constants
            return self.term(y)
        return self.term(self.builder.binary(opcode, x, y, flags=self.flags))

    def negate(self, a: Operand) -> Term:
        x = self.value(a)
        if is_integer(x.type):
            return self.term(self.builder.sub(int_constant(x.type, 0), x))
        if isinstance(x, (ConstantFloat, ConstantSplat)):
            return self.term(_negated(x))
        if isinstance(x, Instruction) and x.opcode == "fneg":
            return self.term(x.operands[0])
        return self.term(self.builder.fneg(x, flags=self.flags))

    def compare(self, predicate: str, a: Operand, b: Operand) -> Term:
        x, y = self._pair(a, b)
        if is_integer(x.type):
            return self.term(self.builder.icmp(_SIGNED_PREDICATE[predicate], x, y))
        # No flags: with nnan a comparison that guards against a NaN would be poison.
        return self.term(self.builder.fcmp(predicate, x, y))

    def logic(self, opcode: str, a: Term, b: Term) -> Term:
        return self.term(self.builder.binary(opcode, a.value, b.value))

    def select(self, condition: Term, a: Operand, b: Operand) -> Term:
        x, y = self._pair(a, b)
        return self.term(x if x is y else self.builder.select(condition.value, x, y))

    def convert(self, a: Term) -> Term:
        return self.term(_converted(self.builder, a.value, self.type))

    def call(self, operation: str, *arguments: Operand) -> Term:
        values = self._arguments(operation, arguments)
        if operation in INTRINSIC_OF:
            integers = [v.type for v in values if is_integer(v.type)]
            self._require_library(operation)
            name = intrinsic_name(operation, self.type, *integers)
            type_ = FunctionType(self.type, tuple(v.type for v in values))
            return self.emit(declared(self.module, name, type_), values)
        return self._library_call(operation, values)

    def _require_library(self, operation: str) -> None:
        """An intrinsic that becomes a call of libm reaches the function of that name, whoever wrote it."""
        if operation not in IN_PLACE and isinstance(self.type, FloatType):
            name = libm_name(operation, FLOAT if self.type in (HALF, BFLOAT) else self.type)
            found = self.module.functions.get(name) if name is not None else None
            if found is not None and OWN in found.attributes:
                raise _own(found.name)

    def _library_call(self, operation: str, values: list[Value]) -> Term:
        """A libm function; half and bfloat go through float, for which libm has one."""
        own = self.scalar_type(operation)
        type_ = FLOAT if own in (HALF, BFLOAT) else own
        name = libm_name(operation, type_)
        if name is None:
            raise InternalError(f"no function of libm computes {operation} in {type_}")
        function = declared(self.module, name, prototype(operation, type_))
        wide = [_converted(self.builder, v, type_) if v.type == own else v for v in values]
        return self.convert(self.emit(function, wide))

    def emit(self, function: Function, values: list[Value]) -> Term:
        return self.term(self.builder.call(function, values, flags=self.flags, attributes=PURE))

    def scalar_type(self, operation: str) -> FloatType:
        if not isinstance(self.type, FloatType):
            raise DifferentiationError(
                f"the derivative needs {operation} of the vector type {self.type}, which libm does not have",
                code="EM262",
                hint="compile the cell without vector types around this call",
            )
        return self.type

    def _arguments(self, operation: str, arguments: tuple[Operand, ...]) -> list[Value]:
        """Numbers become constants of the type the prototype asks for: jn(2, x) has an int there."""
        known = PROTOTYPES.get(operation)
        types = known.parameters if known is not None else ("",) * len(arguments)
        return [
            int_constant(IntType(32), int(a)) if not isinstance(a, Term) and type_ == "int" else self.value(a)
            for a, type_ in zip(arguments, types, strict=False)
        ]

    def value(self, a: Operand) -> Value:
        return a.value if isinstance(a, Term) else constant(self.type, a)

    def _pair(self, a: Operand, b: Operand) -> tuple[Value, Value]:
        """Both as values; a plain number takes the other's type, which may be an integer one."""
        if isinstance(a, Term):
            x: Value = a.value
            return x, b.value if isinstance(b, Term) else constant(x.type, b)
        if isinstance(b, Term):
            y: Value = b.value
            return constant(y.type, a), y
        return constant(self.type, a), constant(self.type, b)


def is_constant_operand(instruction: Instruction, index: int) -> bool:
    return isinstance(instruction.operands[index], (ConstantFloat, ConstantInt, ConstantSplat))


def constant_operand(instruction: Instruction, index: int) -> float | None:
    """The operand as a Python number if it is a constant one holds exactly (splats count as their element)."""
    return number_of(instruction.operands[index])


def constant(type_: Type, value: Number) -> Constant:
    """A number as a constant of `type_`, rounded once."""
    if is_integer(type_):
        return int_constant(type_, int(value))
    return float_constant(type_, value if isinstance(value, (float, Fraction)) else Fraction(value))


def declared(module: Module, name: str, type_: FunctionType) -> Function:
    """The function `name` in `module`, declared if it is not there yet. Raises DifferentiationError EM261 when the program
    gives that name to something of its own."""
    found = module.global_named(name)
    if found is None:
        return module.declared(name, type_)
    mine = isinstance(found, Function) and found.is_declaration and OWN not in found.attributes
    if isinstance(found, Function) and mine and found.function_type == type_:
        return found
    raise _own(name)


def _own(name: str) -> DifferentiationError:
    return DifferentiationError(
        f"the derivative needs {name} of the C library, but the program has its own {name}",
        code="EM261",
        hint=f"give your {name} another name",
    )


def _converted(builder: Builder, value: Value, type_: Type) -> Value:
    if value.type == type_:
        return value
    if is_integer(value.type):
        return builder.sitofp(value, type_)
    source, target = value.type.scalar, type_.scalar
    assert isinstance(source, FloatType)
    assert isinstance(target, FloatType)
    if {source, target} == {HALF, BFLOAT}:
        raise InternalError("half and bfloat do not convert into each other directly")
    wider = FORMATS[target.kind].width > FORMATS[source.kind].width
    return builder.cast("fpext" if wider else "fptrunc", value, type_)


def number_of(value: Value) -> float | None:
    if isinstance(value, ConstantSplat):
        return number_of(value.element)
    if isinstance(value, ConstantInt):
        return value.value
    if not isinstance(value, ConstantFloat):
        return None
    number = float_value(value)
    try:
        return number if exact_value(value) == number else None
    except ValueError:  # an infinity or a NaN
        return number


def _negated(value: Value) -> Constant:
    if isinstance(value, ConstantSplat):
        return ConstantSplat(value.type, _negated(value.element))
    assert isinstance(value, ConstantFloat)
    assert isinstance(value.type, FloatType)
    return ConstantFloat(value.type, value.bits ^ (1 << (FORMATS[value.type.kind].width - 1)))

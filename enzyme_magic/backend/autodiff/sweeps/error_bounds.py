"""Forward mode with bounds of errors in place of tangents (first order; Higham, Accuracy and Stability of Numerical Algorithms).

The error of a result is at most the sum over the operands of |partial derivative| times the operand's error, plus one rounding of
the result itself. Bounds are never negative, so what a tangent's sum is for derivatives is the same sum of magnitudes here.

Where the program defines `enzymeLogError(double result, double error, const char *operation, const char *callee, const char
*module, const char *function, const char *block)`, it is called for every operation that carries an error.
"""

from __future__ import annotations

from fractions import Fraction

from enzyme_magic.backend.autodiff.context import SweepContext
from enzyme_magic.backend.autodiff.custom.custom_subjects import plain_name
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.instructions import Call, Instruction
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import POINTER, FloatType, FunctionType, Type, VoidType
from enzyme_magic.backend.ir.values import Value
from enzyme_magic.backend.rules import registry

DOUBLE = FloatType("double")
LOG = "enzymeLogError"
ROUNDING = {"half": 10, "bfloat": 7, "float": 23, "double": 52, "x86_fp80": 63, "fp128": 112}
_EXACT = """
fneg fpext freeze select fabs copysign fmax fmin fmaximum fminimum fmaximum_num fminimum_num
"""
EXACT = frozenset(_EXACT.split())  # operations whose result is an operand, but for its sign


def magnitude(builder: Builder, context: SweepContext, value: Value) -> Value:
    """|value|."""
    type_ = value.type
    name = {"float": "f32", "double": "f64", "x86_fp80": "f80", "fp128": "f128", "half": "f16", "bfloat": "bf16"}
    assert isinstance(type_, FloatType)
    function = context.declared(f"llvm.fabs.{name[type_.kind]}", FunctionType(type_, (type_,)))
    return builder.call(function, [value])


def rounded(builder: Builder, context: SweepContext, i: Instruction, primal: Value, error: Value) -> Value:
    """`error`, passed on by the operands of `i`, with the rounding of its result `primal`."""
    if not _is_exact(i):
        assert isinstance(primal.type, FloatType)
        unit = constants.float_constant(primal.type, Fraction(1, 2 ** ROUNDING[primal.type.kind]))
        error = builder.fadd(error, builder.fmul(magnitude(builder, context, primal), unit))
    _log(builder, context, i, primal, error)
    return error


def _is_exact(i: Instruction) -> bool:
    return (registry.operation_of(i) or i.opcode) in EXACT


def _log(builder: Builder, context: SweepContext, i: Instruction, primal: Value, error: Value) -> None:
    function = context.analyses.module.functions.get(LOG)
    if function is None or not _fits(function.function_type):
        return
    home = i.parent.parent if i.parent is not None else None
    called = i.called_function if isinstance(i, Call) else None
    words = (
        i.opcode,
        plain_name(called.name) if called is not None else "",
        context.module.source_filename,
        plain_name(home.name) if isinstance(home, Function) else "",
        i.parent.name if i.parent is not None else "",
    )
    texts = [context.text(word) for word in words]
    builder.call(function, [_as_double(builder, primal), _as_double(builder, error), *texts])


def _fits(type_: FunctionType) -> bool:
    wanted: tuple[Type, ...] = (DOUBLE, DOUBLE, POINTER, POINTER, POINTER, POINTER, POINTER)
    return type_.parameters == wanted and isinstance(type_.result, VoidType)


def _as_double(builder: Builder, value: Value) -> Value:
    if value.type == DOUBLE:
        return value
    assert isinstance(value.type, FloatType)
    narrow = value.type.kind in ("half", "bfloat", "float")
    return builder.fpext(value, DOUBLE) if narrow else builder.fptrunc(value, DOUBLE)

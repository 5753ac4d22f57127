"""From an instruction to its rule.

Invariant: a rule is found only where the operation is certainly the known one: an opcode, an intrinsic, one of our helpers,
or a call of a *declared* function with a name and type of math.h. A function the program defines itself is never taken for
libm's, unless the program says that it is like one. No rule and not inactive: whoever asks must differentiate the body or refuse.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import chain
from types import MappingProxyType

from enzyme_magic.backend.ir.instructions import Call, Instruction
from enzyme_magic.backend.ir.types import FunctionType, is_floating
from enzyme_magic.backend.rules import inactive
from enzyme_magic.backend.rules.formulas import (
    arithmetic,
    casts,
    complex_arithmetic,
    complex_functions,
    exponential,
    extrema,
    hyperbolic,
    powers,
    rounding,
    special,
    trigonometric,
)
from enzyme_magic.backend.rules.rule import Rule
from enzyme_magic.backend.rules.spelling import (
    fits,
    helper_signature,
    intrinsic_signature,
    libm_signature,
    outputs,
)
from enzyme_magic.errors import InternalError

_FAMILIES = (arithmetic, casts, powers, exponential, trigonometric, hyperbolic, special, rounding, extrema)
RULES: Mapping[str, Rule] = MappingProxyType(
    {r.operation: r for r in chain.from_iterable(family.RULES for family in _FAMILIES)}
)
_COMPLEX: Mapping[str, Rule] = MappingProxyType({**complex_arithmetic.BY_OPERATION, **complex_functions.BY_OPERATION})
_OWN: Mapping[str, Rule] = MappingProxyType({r.operation: r for r in arithmetic.TANGENTS})
_OPCODES = "fadd fsub fmul fdiv frem fneg fpext fptrunc sitofp uitofp fptosi fptoui freeze select"
OPCODES = frozenset(_OPCODES.split())
LIKE, INACTIVE = "enzyme_math", "enzyme_inactive"  # what a program says of its own functions (custom.mark)


def lookup(operation: str) -> Rule:
    """The rule of an operation by name (`sin`, `fmul`, `polygamma.2`). Raises InternalError for an unknown one."""
    if operation.startswith("polygamma."):
        return special.polygamma(int(operation.removeprefix("polygamma.")))
    found = RULES.get(operation) or _COMPLEX.get(operation) or _OWN.get(operation)
    if found is None:
        raise InternalError(f"there is no derivative rule for the operation {operation}")
    return found


def rule_for(instruction: Instruction) -> Rule | None:
    """The rule of an instruction, None if there is none: not an operation on floats, a function with a body, an unknown one,
    or one with results behind pointers that `lowering` has not seen yet."""
    operation = operation_of(instruction)
    return lookup(operation) if operation is not None else None


def needed(rule: Rule, instruction: Instruction | None, result: int, operand: int) -> frozenset[int | str]:
    """`Rule.needed` as a function."""
    return rule.needed(instruction, result, operand)


def operation_of(instruction: Instruction) -> str | None:
    """The operation name of an instruction that has a rule."""
    if isinstance(instruction, Call):
        called = instruction.called_function
        if called is None:
            return None
        like = called.attributes.get(LIKE)
        if like is not None:
            return like.value
        return _called_operation(called.name, instruction.function_type, bool(called.blocks))
    if instruction.opcode in ("select", "freeze"):
        return instruction.opcode if is_floating(instruction.type) else None
    return instruction.opcode if instruction.opcode in OPCODES else None


def is_inactive(instruction: Instruction) -> bool:
    """Whether result and effects of the instruction carry no derivative, whatever its operands are: comparisons,
    floor, lround, printf, … (`inactive_reason` says why). Integer arithmetic is not judged here: a float may hide in it."""
    return inactive_reason(instruction) is not None


def inactive_reason(instruction: Instruction) -> str | None:
    """One sentence for people; None where a derivative may pass."""
    known = rule_for(instruction)
    if known is not None:
        return known.formula if known.is_inactive else None
    if instruction.opcode in ("icmp", "fcmp"):
        return "a truth value carries no derivative"
    if instruction.opcode == "fence":
        return "a fence computes nothing"
    if isinstance(instruction, Call):
        called = instruction.called_function
        if called is not None and INACTIVE in called.attributes:
            return f"{called.name} is declared to carry no derivative"
        if called is not None and called.is_declaration:
            return inactive.reason(called.name)
    return None


@cache
def _called_operation(name: str, type_: FunctionType, defined: bool) -> str | None:
    helper = helper_signature(name)
    if helper is not None:
        known = any(helper.operation in table for table in (RULES, _OWN, complex_functions.BY_OPERATION))
        return helper.operation if known or helper.operation.startswith("polygamma.") else None
    intrinsic = intrinsic_signature(name)
    if intrinsic is not None:
        return intrinsic.operation if intrinsic.operation in RULES else None
    pair = None if defined else complex_arithmetic.rule_of(name, type_) or complex_functions.rule_of(name, type_)
    if pair is not None:
        return pair.operation
    libm = None if defined else libm_signature(name)
    if libm is None or outputs(libm.operation) or not fits(libm, type_):  # with results behind pointers: see `lowering`
        return None
    return libm.operation if libm.operation in RULES else None

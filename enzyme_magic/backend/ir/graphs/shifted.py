"""Numbers that are rounded by a great constant that is added and taken away again: `k = (a + 0x1.8p52) - 0x1.8p52`.

Definition: an addition or a subtraction rounds if the constants of it and of the operation before it (fused or not) cancel exactly,
the constant is 2^n or 1.5·2^n, and such numbers are at least 1/256 apart in double (in narrower types: 1/2).

Theorem: as an exact number the result is what was added to; but no program adds such a constant to leave a number as it is, and
what comes out is a multiple of that distance. So it is a step function, as `rint` is, and its derivative is zero. (Error terms,
`t = a + b; t - a`, have no constant; a constant of the program's data, of any other form or size, is meant as a number.)

One that is chosen from such constants (by the sign of the number) is one, too. Not done: constants that are read from variables
or tables.
"""

from __future__ import annotations

from fractions import Fraction

from enzyme_magic.backend.ir.constants import exact_value, format_of, is_finite
from enzyme_magic.backend.ir.instructions import Binary, Call, Instruction, Phi, Select
from enzyme_magic.backend.ir.types import FloatType
from enzyme_magic.backend.ir.values import ConstantAggregate, ConstantFloat, ConstantSplat, Value

_FUSED = ("llvm.fmuladd.", "llvm.fma.")
_LIBRARY, _SUFFIXES = "fma", ("", "f", "l")  # of the C library, for each type
_LEAST, _LEAST_NARROW = Fraction(1, 256), Fraction(1, 2)  # the distance of numbers as great as the constant
_Shift = tuple[Value | None, int, Fraction]  # what is added to (None: a product), its sign, the constant


def rounds(i: Instruction) -> bool:
    """Whether the result is rounded by a constant that was added before and is taken away here."""
    if _is_by_choice(i):
        return True
    after = _shift(i)
    if after is None or not isinstance(after[0], Instruction):
        return False
    before = _shift(after[0])
    if before is None or after[2] + after[1] * before[2] != 0:
        return False
    return _is_great(before[2], i.type.scalar)


def _is_by_choice(i: Instruction) -> bool:
    """(x + c) - c, or (x - c) + c, with one and the same c that is chosen."""
    if not isinstance(i, Binary) or i.opcode not in ("fadd", "fsub"):
        return False
    left, right = i.operands
    return _is_undone(i, left, right) or (i.opcode == "fadd" and _is_undone(i, right, left))


def _is_undone(i: Binary, before: Value, chosen: Value) -> bool:
    if not isinstance(before, Binary) or {before.opcode, i.opcode} != {"fadd", "fsub"}:
        return False
    return chosen in before.operands[before.opcode == "fsub" :] and _is_chosen(chosen)


def _is_chosen(value: Value) -> bool:
    if not isinstance(value, (Phi, Select)):
        return False
    constants = [_constant(v) for v in value.operands[isinstance(value, Select) :]]
    return all(c is not None and _is_great(c, value.type.scalar) for c in constants)


def _shift(i: Instruction) -> _Shift | None:
    """An operation that adds a constant, or takes something from it."""
    if isinstance(i, Binary) and i.opcode in ("fadd", "fsub"):
        left, right = i.operands
        sign = -1 if i.opcode == "fsub" else 1
        constant = _constant(right)
        if constant is not None:
            return left, 1, sign * constant
        constant = _constant(left)
        return (right, sign, constant) if constant is not None else None
    constant = _constant(i.arguments[2]) if isinstance(i, Call) and _is_fused(i) else None
    return (None, 1, constant) if constant is not None else None


def _is_fused(i: Call) -> bool:
    called = i.called_function
    if called is None:
        return False
    declared = called.is_declaration and called.name.startswith(_LIBRARY)
    return called.name.startswith(_FUSED) or (declared and called.name.removeprefix(_LIBRARY) in _SUFFIXES)


def _constant(value: Value) -> Fraction | None:
    """A finite constant; of a vector, where it is the same in every lane."""
    if isinstance(value, ConstantSplat):
        return _constant(value.element)
    if isinstance(value, ConstantAggregate):
        lanes = {_constant(v) for v in value.elements[:64]}
        return lanes.pop() if len(lanes) == 1 and len(value.elements) <= 64 else None
    return exact_value(value) if isinstance(value, ConstantFloat) and is_finite(value) else None


def _is_great(constant: Fraction, type_: object) -> bool:
    if not isinstance(type_, FloatType) or type_.kind == "ppc_fp128" or not constant:
        return False
    size, form = abs(constant), format_of(type_)
    power = Fraction(1 << (int(size).bit_length() - 1)) if size >= 1 else size
    distance = power / 2**form.fraction
    return size / power in (1, Fraction(3, 2)) and distance >= (_LEAST if form.fraction >= 52 else _LEAST_NARROW)

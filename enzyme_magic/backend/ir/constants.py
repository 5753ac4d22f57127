"""Making and reading constants.

Invariant: a ConstantInt holds the signed reading of its bits, a ConstantFloat the exact bit pattern of its format, so
equal constants compare equal whatever they were made from. Rounding is to nearest, ties to even (IEEE 754, 4.3.1), done in
integers: nothing passes through a narrower format on the way.

ppc_fp128 is carried as bits only: it cannot be made from, or read as, a number.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from fractions import Fraction

from enzyme_magic.backend.ir.types import (
    DOUBLE,
    FLOAT,
    I1,
    FloatType,
    IntType,
    PointerType,
    TokenType,
    Type,
    VectorType,
)
from enzyme_magic.backend.ir.values import (
    Constant,
    ConstantAggregate,
    ConstantFloat,
    ConstantInt,
    ConstantKeyword,
    ConstantSplat,
    ConstantString,
    Value,
)
from enzyme_magic.errors import InternalError


@dataclass(frozen=True, slots=True)
class FloatFormat:
    """A binary interchange format. `fraction` counts the stored fraction bits without the integer bit; `explicit` says
    whether the integer bit is stored too (x86_fp80)."""

    exponent: int
    fraction: int
    explicit: bool = False

    @property
    def bias(self) -> int:
        return (1 << (self.exponent - 1)) - 1

    @property
    def width(self) -> int:
        return 1 + self.exponent + self.stored

    @property
    def stored(self) -> int:
        """Bits of the significand as stored."""
        return self.fraction + self.explicit


FORMATS = {
    "half": FloatFormat(5, 10),
    "bfloat": FloatFormat(8, 7),
    "float": FloatFormat(8, 23),
    "double": FloatFormat(11, 52),
    "x86_fp80": FloatFormat(15, 63, explicit=True),
    "fp128": FloatFormat(15, 112),
}


def int_constant(type_: Type, value: int) -> Constant:
    """The integer `value` modulo 2^bits; a splat when `type_` is a vector."""
    if isinstance(type_, VectorType):
        return ConstantSplat(type_, int_constant(type_.element, value))
    if not isinstance(type_, IntType):
        raise InternalError(f"an integer constant cannot have type {type_}")
    half = 1 << (type_.bits - 1)
    return ConstantInt(type_, ((value + half) & ((1 << type_.bits) - 1)) - half)


def float_constant(type_: Type, value: float | Fraction) -> Constant:
    """`value` rounded to the format of `type_` (to infinity above the largest); a splat when `type_` is a vector."""
    if isinstance(type_, VectorType):
        return ConstantSplat(type_, float_constant(type_.element, value))
    if isinstance(type_, FloatType) and type_.kind == "double" and isinstance(value, float):
        return ConstantFloat(type_, int.from_bytes(struct.pack(">d", value), "big"))
    return ConstantFloat(type_, encode(format_of(type_), value))


def format_of(type_: Type) -> FloatFormat:
    form = FORMATS.get(type_.kind) if isinstance(type_, FloatType) else None
    if form is None:
        raise InternalError(f"no number can be read from, or written as, type {type_}")
    return form


def encode(form: FloatFormat, value: float | Fraction) -> int:
    """Bits of `value` in `form`, rounded to nearest, ties to even."""
    special = (1 << form.exponent) - 1
    if isinstance(value, float):
        sign = int(math.copysign(1.0, value) < 0)
        if math.isnan(value):
            return _assemble(form, sign, special, 1 << (form.fraction - 1))
        if math.isinf(value):
            return _assemble(form, sign, special, 0)
        if form is FORMATS["double"]:
            return int.from_bytes(struct.pack("<d", value), "little")
    else:
        sign = int(value < 0)
    magnitude = abs(Fraction(value))
    if not magnitude:
        return sign << (form.width - 1)
    exponent = max(_floor_log2(magnitude), 1 - form.bias)
    significand = _round_even(magnitude, exponent - form.fraction)
    if significand >> (form.fraction + 1):  # rounding up reached the next power of two
        significand >>= 1
        exponent += 1
    if exponent > form.bias:
        return _assemble(form, sign, special, 0)
    integer_bit = significand >> form.fraction
    biased = exponent + form.bias if integer_bit else 0
    return _assemble(form, sign, biased, significand & ((1 << form.fraction) - 1))


def _floor_log2(value: Fraction) -> int:
    guess = value.numerator.bit_length() - value.denominator.bit_length()
    return guess if value >= Fraction(2) ** guess else guess - 1


def _round_even(value: Fraction, exponent: int) -> int:
    """value / 2^exponent, rounded (Fraction.__round__ rounds half to even)."""
    return round(value / Fraction(2) ** exponent)


def _assemble(form: FloatFormat, sign: int, biased: int, fraction: int) -> int:
    if form.explicit and biased:
        fraction |= 1 << form.fraction
    return (((sign << form.exponent) | biased) << form.stored) | fraction


def _split(constant: ConstantFloat) -> tuple[FloatFormat, int, int, int]:
    """(format, sign, biased exponent, significand with its integer bit)."""
    form = format_of(constant.type)
    significand = constant.bits & ((1 << form.stored) - 1)
    biased = (constant.bits >> form.stored) & ((1 << form.exponent) - 1)
    if biased and not form.explicit:
        significand |= 1 << form.fraction
    return form, constant.bits >> (form.width - 1), biased, significand


def is_finite(constant: ConstantFloat) -> bool:
    form, _, biased, _ = _split(constant)
    return biased != (1 << form.exponent) - 1


def exact_value(constant: Value) -> Fraction:
    """The number a finite ConstantFloat stands for, without rounding (the sign of zero is lost). ValueError if it is an
    infinity or a NaN."""
    if not isinstance(constant, ConstantFloat):
        raise InternalError(f"{type(constant).__name__} is no floating constant")
    if not is_finite(constant):
        raise ValueError("an infinity or NaN has no exact value")
    form, sign, biased, significand = _split(constant)
    magnitude = significand * Fraction(2) ** (max(biased, 1) - form.bias - form.fraction)
    return -magnitude if sign else magnitude


def float_value(constant: Value) -> float:
    """A ConstantFloat as a Python float, rounded to double where its format is wider."""
    if not isinstance(constant, ConstantFloat):
        raise InternalError(f"{type(constant).__name__} is no floating constant")
    form, sign, biased, significand = _split(constant)
    if biased == (1 << form.exponent) - 1:
        payload = significand & ((1 << form.fraction) - 1)
        return math.copysign(math.nan if payload else math.inf, -1.0 if sign else 1.0)
    exponent = max(biased, 1) - form.bias - form.fraction
    if form.fraction <= 52:
        return math.ldexp(-significand if sign else significand, exponent) if significand else (-0.0 if sign else 0.0)
    bits = encode(FORMATS["double"], exact_value(constant))
    number: float = struct.unpack(">d", (bits | (sign << 63)).to_bytes(8, "big"))[0]
    return number


def narrow(bits: int) -> int:
    """The float whose value, written as a double, has `bits`; the payload of a NaN is kept."""
    if (bits >> 52) & 0x7FF == 0x7FF:
        return (bits >> 63) << 31 | 0xFF << 23 | (bits >> 29) & 0x7FFFFF
    return encode(FORMATS["float"], float_value(ConstantFloat(DOUBLE, bits)))


def widen(bits: int) -> int:
    """The inverse of `narrow`."""
    if (bits >> 23) & 0xFF == 0xFF:
        return (bits >> 31) << 63 | 0x7FF << 52 | (bits & 0x7FFFFF) << 29
    return encode(FORMATS["double"], float_value(ConstantFloat(FLOAT, bits)))


def zero(type_: Type) -> Constant:
    """The all-zero value of any first-class type: 0, 0.0, null, zeroinitializer, none."""
    if isinstance(type_, IntType):
        return ConstantInt(type_, 0)
    if isinstance(type_, FloatType):
        return ConstantFloat(type_, 0)
    if isinstance(type_, PointerType):
        return ConstantKeyword(type_, "null")
    return ConstantKeyword(type_, "none" if isinstance(type_, TokenType) else "zeroinitializer")


def undef(type_: Type) -> Constant:
    return ConstantKeyword(type_, "undef")


def poison(type_: Type) -> Constant:
    return ConstantKeyword(type_, "poison")


TRUE = ConstantInt(I1, -1)
FALSE = ConstantInt(I1, 0)


def is_zero(value: Value) -> bool:
    """Whether `value` is a constant whose bits are all zero (so -0.0 is not)."""
    if isinstance(value, ConstantInt):
        return value.value == 0
    if isinstance(value, ConstantFloat):
        return value.bits == 0
    if isinstance(value, ConstantKeyword):
        return value.keyword in ("null", "zeroinitializer")
    if isinstance(value, ConstantSplat):
        return is_zero(value.element)
    if isinstance(value, ConstantAggregate):
        return all(is_zero(element) for element in value.elements)
    return isinstance(value, ConstantString) and not any(value.data)

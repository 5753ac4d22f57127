"""Bit patterns against the standard library, llvm's own reading and exact arithmetic."""

from __future__ import annotations

import math
import struct
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from enzyme_magic.backend.ir import constants as c
from enzyme_magic.backend.ir.text.parser import parse
from enzyme_magic.backend.ir.text.print_values import float_text
from enzyme_magic.backend.ir.types import (
    BFLOAT,
    DOUBLE,
    FLOAT,
    FP128,
    HALF,
    I1,
    I8,
    I32,
    POINTER,
    X86_FP80,
    ArrayType,
    FloatType,
    IntType,
    StructType,
    Type,
    VectorType,
)
from enzyme_magic.backend.ir.values import ConstantAggregate, ConstantFloat, ConstantInt, ConstantSplat, ConstantString
from enzyme_magic.errors import InternalError

from .conftest import read_by_llvm

ALL = [HALF, BFLOAT, FLOAT, DOUBLE, X86_FP80, FP128]
WIDTHS = {"half": 16, "bfloat": 16, "float": 32, "double": 64, "x86_fp80": 80, "fp128": 128}


def constant(type_: Type, value: float | Fraction) -> ConstantFloat:
    made = c.float_constant(type_, value)
    assert isinstance(made, ConstantFloat)
    return made


@given(st.floats())
def test_double_and_float_bits_are_those_of_struct(x: float) -> None:
    assert constant(DOUBLE, x).bits == int.from_bytes(struct.pack(">d", x), "big")
    if not math.isnan(x):
        try:
            expected = int.from_bytes(struct.pack(">f", x), "big")
        except OverflowError:
            expected = 0x7F800000 | (0x80000000 if x < 0 else 0)
        assert constant(FLOAT, x).bits == expected


@given(st.floats(allow_nan=False, width=16))
def test_half_bits_are_those_of_struct(x: float) -> None:
    assert constant(HALF, x).bits == int.from_bytes(struct.pack(">e", x), "big")
    assert c.float_value(constant(HALF, x)) == x


@given(st.floats(allow_nan=False, allow_infinity=False), st.sampled_from([X86_FP80, FP128, DOUBLE]))
def test_wide_formats_keep_a_double_exactly(x: float, type_: Type) -> None:
    made = constant(type_, x)
    assert c.exact_value(made) == Fraction(x)
    assert struct.pack(">d", c.float_value(made)) == struct.pack(">d", x)


@given(st.fractions(), st.sampled_from(ALL))
def test_rounding_is_to_nearest(x: Fraction, type_: FloatType) -> None:
    made = constant(type_, x)
    form = c.format_of(type_)
    if not c.is_finite(made):
        assert abs(x) >= Fraction(2) ** (form.bias + 1) * (1 - Fraction(1, 2 ** (form.fraction + 2)))
        return
    error = abs(c.exact_value(made) - x)
    for step in (-1, 1):  # no neighbour is nearer, and a tie went to the even one
        if made.bits + step < 0 or type_ == X86_FP80:
            continue
        neighbour = ConstantFloat(type_, made.bits + step)
        if c.is_finite(neighbour) and made.bits >> (form.width - 1) == neighbour.bits >> (form.width - 1):
            other = abs(c.exact_value(neighbour) - x)
            assert error < other or (error == other and made.bits % 2 == 0)


def test_bfloat_rounds_once() -> None:
    """Through float, 1 + 2^-8 + 2^-40 would first become 1 + 2^-8 and then go to even; the nearest bfloat is above."""
    x = Fraction(1) + Fraction(1, 2**8) + Fraction(1, 2**40)
    assert c.exact_value(constant(BFLOAT, x)) == 1 + Fraction(1, 2**7)


@pytest.mark.parametrize(
    ("type_", "value", "bits"),
    [
        (X86_FP80, 1.0, 0x3FFF8000000000000000),
        (X86_FP80, -0.0, 0x80000000000000000000),
        (X86_FP80, math.inf, 0x7FFF8000000000000000),
        (X86_FP80, Fraction(1, 10), 0x3FFBCCCCCCCCCCCCCCCD),
        (FP128, 1.0, 0x3FFF << 112),
        (HALF, 65520.0, 0x7C00),
        (HALF, 5.960464477539063e-08, 0x0001),
        (HALF, 2.98e-08, 0x0000),
        (FLOAT, 3.4028235677973366e38, 0x7F800000),
        (FLOAT, 1e-46, 0),
    ],
)
def test_known_patterns(type_: Type, value: float, bits: int) -> None:
    assert constant(type_, value).bits == bits


@pytest.mark.parametrize("type_", ALL)
def test_specials(type_: FloatType) -> None:
    for value in (math.inf, -math.inf, 0.0, -0.0):
        back = c.float_value(constant(type_, value))
        assert (back, math.copysign(1, back)) == (value, math.copysign(1, value))
    nan = constant(type_, math.nan)
    assert math.isnan(c.float_value(nan))
    assert nan == constant(type_, math.nan)
    with pytest.raises(ValueError, match="exact"):
        c.exact_value(nan)


@given(st.data(), st.sampled_from(ALL))
def test_text_of_any_bit_pattern_reads_back(data: st.DataObject, type_: FloatType) -> None:
    bits = data.draw(st.integers(0, 2 ** WIDTHS[type_.kind] - 1))
    value = ConstantFloat(type_, bits)
    module = parse(f"@x = global {type_} {float_text(value)}")
    assert module.variables["x"].initializer == value


@pytest.mark.parametrize("type_", ALL)
def test_llvm_reads_the_same_bits(type_: FloatType) -> None:
    """A bitcast folded by LLVM tells which bits it saw in our text."""
    width = WIDTHS[type_.kind]
    values = [constant(type_, x) for x in (0.1, -1.5, 1e-5, math.inf, -0.0, Fraction(1, 3), 123456789.0)]
    values.append(ConstantFloat(type_, constant(type_, math.nan).bits | 5))
    text = "\n".join(
        f"@x{k} = global i{width} bitcast ({type_} {float_text(value)} to i{width})" for k, value in enumerate(values)
    )
    seen = parse(read_by_llvm(text))
    for k, value in enumerate(values):
        initializer = seen.variables[f"x{k}"].initializer
        assert isinstance(initializer, ConstantInt)
        assert initializer.unsigned == value.bits


def test_integers_wrap_and_are_signed() -> None:
    assert c.int_constant(I8, 255) == ConstantInt(I8, -1)
    assert c.int_constant(I8, -129) == ConstantInt(I8, 127)
    assert c.int_constant(I1, 1) == c.TRUE
    assert c.int_constant(I1, 0) == c.FALSE
    assert ConstantInt(I8, -1).unsigned == 255
    with pytest.raises(InternalError):
        c.int_constant(DOUBLE, 1)
    with pytest.raises(InternalError):
        c.float_constant(FloatType("ppc_fp128"), 1.0)


def test_vectors_become_splats() -> None:
    lanes = VectorType(4, FLOAT)
    assert c.float_constant(lanes, 1.5) == ConstantSplat(lanes, constant(FLOAT, 1.5))
    assert c.int_constant(VectorType(2, I32), 7) == ConstantSplat(VectorType(2, I32), ConstantInt(I32, 7))


def test_zero() -> None:
    struct_type = StructType((I8, DOUBLE))
    for type_ in (I32, DOUBLE, POINTER, struct_type, ArrayType(3, FLOAT), VectorType(2, I8), X86_FP80):
        assert c.is_zero(c.zero(type_))
    assert str(c.zero(POINTER)).count("null")
    assert not c.is_zero(constant(DOUBLE, -0.0))
    assert not c.is_zero(c.undef(I32))
    assert not c.is_zero(c.poison(DOUBLE))
    assert c.is_zero(ConstantAggregate(struct_type, (c.zero(I8), c.zero(DOUBLE))))
    assert not c.is_zero(ConstantAggregate(struct_type, (c.zero(I8), constant(DOUBLE, 1.0))))
    assert c.is_zero(ConstantString(ArrayType(2, IntType(8)), b"\0\0"))

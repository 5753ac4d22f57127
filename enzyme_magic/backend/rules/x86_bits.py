"""Vector intrinsics of x86 that move bits, or make numbers of half precision: those that LLVM itself has operations for.

    pslli, psrli, psrai     shifts by a constant; by the width and more, all bits go (or are the sign)
    pshuf.b                 bytes of a row at constant places, or zero: a shufflevector
    vcvtps2ph               fptrunc to half, to the nearest, with zeros above

Here is also which intrinsics give whole numbers or answers: `gives_integers`. The bits of any other integer that is made of
floating numbers may be a number again.

Invariant: exact for every operand, as in rules/x86_vectors.py, which says where such calls are.
Not done: shifts and bytes by what only the run knows, conversions that round in a way of their own.
"""

from __future__ import annotations

import re
from functools import cache

from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.elements import element
from enzyme_magic.backend.ir.instructions import Call
from enzyme_magic.backend.ir.types import HALF, I16, IntType, VectorType
from enzyme_magic.backend.ir.values import ConstantInt, Value

_NAME = re.compile(
    r"""llvm\.x86\.(?:
        (?:sse2|avx2|avx512)\.(ps[lr]l|psra)i\.[wdq](?:\.256|\.512)?
        |(?:ssse3|avx2|avx512)\.(pshuf\.b)(?:\.128|\.512)?
        |(vcvtps2ph)\.(?:128|256))\Z""",
    re.VERBOSE,
)
_SHIFTS = {"psll": "shl", "psrl": "lshr", "psra": "ashr"}
_TO_NEAREST = (0, 4)  # named by the immediate, or the current way, which is that
_ROW = 16  # bytes: no byte leaves its row
# Conversions to integers, comparisons, signs and tests; the size and the mask of AVX-512 may follow.
_INTEGERS = re.compile(
    r"""llvm\.x86\.\w+\.(?:mask\.)?(?:
        v?cvtt?[ps][sd]2(?:dq|udq|qq|uqq|pi|u?si(?:32|64)?)
        |u?comi\w+|vcomi|cmp|movmsk|ptest\w*|vtest\w*|fpclass)\b""",
    re.VERBOSE,
)


@cache
def gives_integers(name: str) -> bool:
    """Whether what an intrinsic makes of floating numbers are whole numbers, or answers, and never bits of a number."""
    return not name.startswith("llvm.x86.") or _INTEGERS.match(name) is not None


def is_known(name: str) -> bool:
    return _NAME.match(name) is not None


def written(builder: Builder, call: Call, name: str) -> Value | None:
    """What takes the place of a call of `name`; None where its immediate is not known."""
    match = _NAME.match(name)
    assert match is not None
    if match[1]:
        return _shifted(builder, call, _SHIFTS[match[1]])
    return _picked(builder, call) if match[2] else _narrowed(builder, call)


def _shifted(builder: Builder, call: Call, opcode: str) -> Value | None:
    value, by = call.arguments
    scalar = value.type.scalar
    if not isinstance(by, ConstantInt) or not isinstance(scalar, IntType):
        return None
    distance = by.unsigned
    if distance >= scalar.bits:
        if opcode != "ashr":
            return constants.zero(value.type)
        distance = scalar.bits - 1
    return builder.binary(opcode, value, constants.int_constant(value.type, distance), call.name)


def _picked(builder: Builder, call: Call) -> Value | None:
    value, chosen = call.arguments
    type_ = value.type
    assert isinstance(type_, VectorType)
    places = [element(builder, chosen, lane) for lane in range(type_.count)]
    lanes: list[int | None] = []
    for lane, place in enumerate(places):
        if not isinstance(place, ConstantInt):
            return None
        lanes.append(type_.count if place.value < 0 else lane - lane % _ROW + place.unsigned % _ROW)
    return builder.shuffle_vector(value, constants.zero(type_), lanes, call.name)


def _narrowed(builder: Builder, call: Call) -> Value | None:
    wide, how = call.arguments
    type_, result = wide.type, call.type
    assert isinstance(type_, VectorType)
    assert isinstance(result, VectorType)
    if not isinstance(how, ConstantInt) or how.unsigned not in _TO_NEAREST:
        return None
    bits = builder.bitcast(builder.fptrunc(wide, VectorType(type_.count, HALF)), VectorType(type_.count, I16))
    return builder.shuffle_vector(bits, constants.zero(bits.type), range(result.count), call.name)

"""Scalar forms of x86's vector intrinsics: an operation on element 0, the other elements are the first operand's.

    min_sd, max_ss      a < b ? a : b
    cmp_sd              all bits set where the comparison holds: the mask of element 0
    round_sd            floor, ceil, trunc, roundeven or rint of the second operand
    cvtsd_ss            fptrunc

Invariant: exact for every operand, as in rules/x86_vectors.py, which says where such calls are.
"""

from __future__ import annotations

import re

from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.instructions import Call
from enzyme_magic.backend.ir.module import Module
from enzyme_magic.backend.ir.types import FLOAT, FunctionType, IntType
from enzyme_magic.backend.ir.values import ConstantInt, Value
from enzyme_magic.backend.rules.spelling import intrinsic_name

_NAME = re.compile(r"llvm\.x86\.(?:sse|sse2|sse41)\.(?:(min|max|cmp|round)\.s[sd]|(cvt)sd2ss)\Z")
_ROUNDED = ("roundeven", "floor", "ceil", "trunc", "rint")  # by the low three bits of the immediate
_PREDICATES = "oeq olt ole uno une uge ugt ord ueq ult ule false one oge ogt true"  # by the low four bits


def is_known(name: str) -> bool:
    return _NAME.match(name) is not None


def written(module: Module, builder: Builder, call: Call, name: str) -> Value | None:
    """What takes the place of a call of `name`; None where its immediate is not known."""
    match = _NAME.match(name)
    assert match is not None
    first, second, *how = call.arguments
    a, b = builder.extract_element(first, 0), builder.extract_element(second, 0)
    kind = match[1] or match[2]
    result: Value | None
    if kind in ("min", "max"):
        result = builder.select(builder.fcmp("olt" if kind == "min" else "ogt", a, b), a, b)
    elif kind == "cmp":
        result = _compared(builder, a, b, how[0])
    elif kind == "round":
        result = rounded(module, builder, b, how[0])
    else:
        result = builder.fptrunc(b, FLOAT)
    return None if result is None else builder.insert_element(first, result, 0, call.name)


def _compared(builder: Builder, a: Value, b: Value, how: Value) -> Value | None:
    if not isinstance(how, ConstantInt):
        return None
    truth = builder.fcmp(_PREDICATES.split()[how.unsigned & 15], a, b)
    mask = builder.sext(truth, IntType(constants.format_of(a.type).width))
    return builder.bitcast(mask, a.type)


def rounded(module: Module, builder: Builder, value: Value, how: Value, name: str = "") -> Value | None:
    """`value`, a number or a vector, rounded as the immediate says."""
    way = how.unsigned & 7 if isinstance(how, ConstantInt) else len(_ROUNDED)
    if way >= len(_ROUNDED):
        return None
    function = module.declared(intrinsic_name(_ROUNDED[way], value.type), FunctionType(value.type, (value.type,)))
    return builder.call(function, [value], name)

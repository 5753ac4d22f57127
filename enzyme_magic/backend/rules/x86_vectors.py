"""Vector intrinsics of x86 that are compositions of LLVM's own operations become these.

    min, max            a < b ? a : b, lane by lane: the second operand for ties and NaN, as the processor has it
    addsub, fmaddsub    a difference and a sum, and a shuffle of both
    hadd, hsub          two shuffles and a sum or difference
    dp                  products, summed in the processor's order
    blendv              a select by the sign bit of each element of the mask
    permutevar          elements at indices that are taken modulo the row
    cvtpd2ps            fptrunc, with zeros above
    round               floor, ceil, trunc, roundeven or rint, as the immediate says

The scalar forms (`min_sd`, `cmp_ss`) do the same to element 0 and keep the others: rules/x86_scalars.py. Those that move bits:
rules/x86_bits.py.

Invariant: exact for every operand. The list says what is known: any other intrinsic stays a call, and is refused where it would
carry a derivative (approximations such as rcp and rsqrt).
"""

from __future__ import annotations

import re
from collections.abc import Callable

from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.elements import element, vector_of
from enzyme_magic.backend.ir.graphs.def_use import replace_uses
from enzyme_magic.backend.ir.instructions import Call
from enzyme_magic.backend.ir.module import Module
from enzyme_magic.backend.ir.types import FLOAT, FunctionType, IntType, VectorType, is_floating
from enzyme_magic.backend.ir.values import ConstantInt, Value
from enzyme_magic.backend.rules import x86_bits, x86_scalars
from enzyme_magic.backend.rules.spelling import intrinsic_name

_NAME = re.compile(
    r"""llvm\.x86\.(?:sse|sse2|sse3|sse41|avx|avx2|fma|avx512)\.(?:
        (min|max|hadd|hsub|addsub|round|vfmaddsub)\.p[sd](?:\.256|\.512)?
        |(dp)(?:p[sd]|\.ps\.256)
        |(blendv)(?:p[sd]|\.p[sd]\.256)
        |(pblendvb)
        |(vpermilvar)\.p[sd](?:\.256)?
        |(perm)(?:ps|d|var\.[ds]f\.(?:256|512))
        |(cvt)(?:pd2ps|\.pd2\.ps\.256))\Z""",
    re.VERBOSE,
)
_CURRENT_ROUNDING = 4  # the last argument of AVX-512's forms
_ROW = 128  # bits: AVX's operations across elements work in rows of this size

Writer = Callable[[Module, Builder, Call, str], Value | None]


def to_operations(module: Module) -> int:
    """Rewrite every such call in the definitions of `module`, in place; gives back how many."""
    count = 0
    if not any(map(_is_known, module.functions)):
        return 0
    for function in list(module.definitions()):
        replaced: dict[Value, Value] = {}
        for block in function.blocks:
            for call in [i for i in block.instructions if type(i) is Call]:
                made = _operation(module, call, replaced)
                if made is not None:
                    replaced[call] = made
                    block.instructions.remove(call)
        replace_uses(function, replaced)
        count += len(replaced)
    return count


def _is_known(name: str) -> bool:
    return bool(_NAME.match(name)) or x86_scalars.is_known(name) or x86_bits.is_known(name)


def _operation(module: Module, call: Call, replaced: dict[Value, Value]) -> Value | None:
    called = call.called_function
    if called is None or not called.is_declaration or call.parent is None or not _is_known(called.name):
        return None
    call.operands[:] = [replaced.get(v, v) for v in call.operands]  # elements are looked for in what was just written
    builder = Builder(call.parent, call)
    builder.debug_location = call.metadata.get("dbg")
    if x86_scalars.is_known(called.name):
        return x86_scalars.written(module, builder, call, called.name)
    if x86_bits.is_known(called.name):
        return x86_bits.written(builder, call, called.name)
    match = _NAME.match(called.name)
    assert match is not None
    kind = next(group for group in match.groups() if group)
    return _WRITERS[kind](module, builder, call, kind)


def _operands(call: Call, count: int) -> list[Value] | None:
    """The first `count` arguments, None where one behind them asks for a rounding of its own."""
    rest = call.arguments[count:]
    if any(not isinstance(v, ConstantInt) or v.value != _CURRENT_ROUNDING for v in rest):
        return None
    return call.arguments[:count]


def _extremum(module: Module, builder: Builder, call: Call, kind: str) -> Value | None:
    operands = _operands(call, 2)
    if operands is None:
        return None
    a, b = operands
    return builder.select(builder.fcmp("olt" if kind == "min" else "ogt", a, b), a, b, call.name)


def _horizontal(module: Module, builder: Builder, call: Call, kind: str) -> Value:
    a, b = call.arguments
    type_, row = _vector(a), _in_row(a)
    first: list[int | None] = []
    for start in range(0, type_.count, row):
        for operand in (0, type_.count):
            first += range(operand + start, operand + start + row, 2)
    second = [lane + 1 for lane in first if lane is not None]
    left, right = builder.shuffle_vector(a, b, first), builder.shuffle_vector(a, b, second)
    return builder.fadd(left, right, call.name) if kind == "hadd" else builder.fsub(left, right, call.name)


def _add_subtract(module: Module, builder: Builder, call: Call, kind: str) -> Value:
    a, b = call.arguments
    return _alternating(builder, builder.fsub(a, b), builder.fadd(a, b), call.name)


def _multiply_add_subtract(module: Module, builder: Builder, call: Call, kind: str) -> Value | None:
    operands = _operands(call, 3)
    if operands is None:
        return None
    a, b, c = operands
    fma = module.declared(intrinsic_name("fma", a.type), FunctionType(a.type, (a.type,) * 3))
    minus = builder.call(fma, [a, b, builder.fneg(c)])
    return _alternating(builder, minus, builder.call(fma, [a, b, c]), call.name)


def _alternating(builder: Builder, even: Value, odd: Value, name: str) -> Value:
    count = _vector(even).count
    return builder.shuffle_vector(even, odd, [lane + count * (lane & 1) for lane in range(count)], name)


def _dot(module: Module, builder: Builder, call: Call, kind: str) -> Value | None:
    a, b, how = call.arguments
    if not isinstance(how, ConstantInt):
        return None
    type_, row, immediate = _vector(a), _in_row(a), how.unsigned
    products = builder.fmul(a, b)
    zero = constants.zero(type_.element)
    parts: list[Value] = []
    for start in range(0, type_.count, row):
        terms = [_term(builder, products, start + k, immediate >> (4 + k) & 1) for k in range(row)]
        while len(terms) > 1:  # pairs first, as the processor does
            terms = [_sum(builder, terms[k], terms[k + 1]) for k in range(0, len(terms), 2)]
        parts += [terms[0] if immediate >> k & 1 else zero for k in range(row)]
    return vector_of(builder, type_, parts)


def _term(builder: Builder, products: Value, lane: int, asked: int) -> Value:
    return builder.extract_element(products, lane) if asked else constants.zero(products.type.scalar)


def _sum(builder: Builder, a: Value, b: Value) -> Value:
    return builder.fadd(a, b)


def _blended(module: Module, builder: Builder, call: Call, kind: str) -> Value:
    a, b, mask = call.arguments
    bits: Value = mask
    if is_floating(mask.type):
        type_ = _vector(mask)
        bits = builder.bitcast(mask, VectorType(type_.count, IntType(_width(mask))))
    return builder.select(builder.icmp("slt", bits, constants.zero(bits.type)), b, a, call.name)


def _permuted(module: Module, builder: Builder, call: Call, kind: str) -> Value:
    """Elements at the given indices: within the row (vpermilvar, where those of doubles are in bit 1), or of the whole."""
    vector, chosen = call.arguments
    type_ = _vector(vector)
    row = _in_row(vector) if kind == "vpermilvar" else type_.count
    shift = 1 if kind == "vpermilvar" and row == 2 else 0
    return vector_of(
        builder,
        type_,
        [
            _element_at(builder, vector, element(builder, chosen, lane), lane - lane % row, row, shift)
            for lane in range(type_.count)
        ],
    )


def _element_at(builder: Builder, vector: Value, index: Value, start: int, row: int, shift: int) -> Value:
    if isinstance(index, ConstantInt):
        return builder.extract_element(vector, start + (index.unsigned >> shift) % row)
    for opcode, number in (("lshr", shift), ("and", row - 1), ("add", start)):
        index = builder.binary(opcode, index, constants.int_constant(index.type, number))
    return builder.extract_element(vector, index)


def _converted(module: Module, builder: Builder, call: Call, kind: str) -> Value:
    (wide,) = call.arguments
    type_, result = _vector(wide), _vector(call)
    narrow = builder.fptrunc(wide, VectorType(type_.count, FLOAT))
    if result.count == type_.count:
        return narrow
    return builder.shuffle_vector(narrow, constants.zero(narrow.type), range(result.count), call.name)


def _rounded(module: Module, builder: Builder, call: Call, kind: str) -> Value | None:
    value, how = call.arguments
    return x86_scalars.rounded(module, builder, value, how, call.name)


def _vector(value: Value) -> VectorType:
    assert isinstance(value.type, VectorType)
    return value.type


def _width(value: Value) -> int:
    scalar = value.type.scalar
    return scalar.bits if isinstance(scalar, IntType) else constants.format_of(scalar).width


def _in_row(value: Value) -> int:
    return _ROW // _width(value)


_WRITERS: dict[str, Writer] = {
    "min": _extremum,
    "max": _extremum,
    "hadd": _horizontal,
    "hsub": _horizontal,
    "addsub": _add_subtract,
    "vfmaddsub": _multiply_add_subtract,
    "dp": _dot,
    "blendv": _blended,
    "pblendvb": _blended,
    "vpermilvar": _permuted,
    "perm": _permuted,
    "cvt": _converted,
    "round": _rounded,
}

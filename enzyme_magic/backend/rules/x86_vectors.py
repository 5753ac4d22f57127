"""Vector intrinsics of x86 that are compositions of LLVM's own operations become these.

    min, max          a < b ? a : b, lane by lane: the second operand for ties and NaN, as the processor has it
    hadd, hsub        two shuffles and a sum or difference
    cvtpd2ps          fptrunc, with zeros above
    round             floor, ceil, trunc, roundeven or rint, as the immediate says

Invariant: exact for every operand. The list says what is known: any other intrinsic stays a call, and is refused where it would
carry a derivative (the scalar forms, approximations such as rcp and rsqrt, masked stores, gathers).
"""

from __future__ import annotations

import re
from collections.abc import Callable

from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.graphs.def_use import replace_uses
from enzyme_magic.backend.ir.instructions import Call
from enzyme_magic.backend.ir.module import Module
from enzyme_magic.backend.ir.types import FLOAT, FunctionType, VectorType
from enzyme_magic.backend.ir.values import ConstantInt, Value
from enzyme_magic.backend.rules.spelling import intrinsic_name

_NAME = re.compile(
    r"llvm\.x86\.(?:sse|sse2|sse3|sse41|avx)\.(?:(min|max|hadd|hsub|round)\.p[sd](?:\.256)?|(cvtpd2ps|cvt\.pd2\.ps\.256))\Z"
)
_ROUNDED = ("roundeven", "floor", "ceil", "trunc", "rint")  # by the low three bits of the immediate
_ROW = 16  # bytes: AVX's horizontal operations work in halves of this size

Writer = Callable[[Module, Builder, Call, str], Value | None]


def to_operations(module: Module) -> int:
    """Rewrite every such call in the definitions of `module`, in place; gives back how many."""
    count = 0
    if not any(_NAME.match(name) for name in module.functions):
        return 0
    for function in list(module.definitions()):
        replaced: dict[Value, Value] = {}
        for block in function.blocks:
            for call in [i for i in block.instructions if type(i) is Call]:
                made = _operation(module, call)
                if made is not None:
                    replaced[call] = made
                    block.instructions.remove(call)
        replace_uses(function, replaced)
        count += len(replaced)
    return count


def _operation(module: Module, call: Call) -> Value | None:
    called = call.called_function
    match = _NAME.match(called.name) if called is not None and called.is_declaration else None
    if match is None or call.parent is None or not isinstance(call.arguments[0].type, VectorType):
        return None
    builder = Builder(call.parent, call)
    builder.debug_location = call.metadata.get("dbg")
    kind = match[1] or "convert"
    return _WRITERS[kind](module, builder, call, kind)


def _extremum(module: Module, builder: Builder, call: Call, kind: str) -> Value:
    a, b = call.arguments
    return builder.select(builder.fcmp("olt" if kind == "min" else "ogt", a, b), a, b, call.name)


def _horizontal(module: Module, builder: Builder, call: Call, kind: str) -> Value:
    a, b = call.arguments
    assert isinstance(a.type, VectorType)
    row = _ROW // (4 if a.type.element == FLOAT else 8)
    first: list[int | None] = []
    for start in range(0, a.type.count, row):
        for operand in (0, a.type.count):
            first += range(operand + start, operand + start + row, 2)
    second = [lane + 1 for lane in first if lane is not None]
    left, right = builder.shuffle_vector(a, b, first), builder.shuffle_vector(a, b, second)
    return builder.fadd(left, right, call.name) if kind == "hadd" else builder.fsub(left, right, call.name)


def _converted(module: Module, builder: Builder, call: Call, kind: str) -> Value:
    (wide,) = call.arguments
    assert isinstance(wide.type, VectorType)
    assert isinstance(call.type, VectorType)
    narrow = builder.fptrunc(wide, VectorType(wide.type.count, FLOAT))
    if call.type.count == wide.type.count:
        return narrow
    return builder.shuffle_vector(narrow, constants.zero(narrow.type), range(call.type.count), call.name)


def _rounded(module: Module, builder: Builder, call: Call, kind: str) -> Value | None:
    value, how = call.arguments
    way = how.unsigned & 7 if isinstance(how, ConstantInt) else len(_ROUNDED)
    if way >= len(_ROUNDED):
        return None
    function = module.declared(intrinsic_name(_ROUNDED[way], value.type), FunctionType(value.type, (value.type,)))
    return builder.call(function, [value], call.name)


_WRITERS: dict[str, Writer] = {
    "min": _extremum,
    "max": _extremum,
    "hadd": _horizontal,
    "hsub": _horizontal,
    "convert": _converted,
    "round": _rounded,
}

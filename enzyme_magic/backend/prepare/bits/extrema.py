"""The smaller or larger of two integers that are bits of numbers is a choice between them.

    llvm.umin.i64(bits of x, bits of y)   becomes   bits of x < bits of y ? bits of x : bits of y

Optimizers write such a choice as an intrinsic, and only of a choice it is known that it moves bytes. Invariant: exact.

Bits that come from memory are asked about only where it is said that they may be some.
"""

from __future__ import annotations

from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.graphs.def_use import replace_uses
from enzyme_magic.backend.ir.instructions import Call, Cast
from enzyme_magic.backend.ir.intrinsics import word
from enzyme_magic.backend.ir.module import Module
from enzyme_magic.backend.ir.types import FloatType
from enzyme_magic.backend.ir.values import Value

_PREDICATES = {"smin": "slt", "smax": "sgt", "umin": "ult", "umax": "ugt"}


def to_choices(module: Module, *, of_memory: bool = False) -> int:
    """Rewrite every such call in the definitions of `module`, in place; gives back how many. of_memory: also of bits that come from
    anywhere."""
    count = 0
    for function in module.definitions():
        replaced: dict[Value, Value] = {}
        for block in function.blocks:
            for call in [i for i in block.instructions if isinstance(i, Call)]:
                predicate = _PREDICATES.get(word(call.called_function.name)) if call.called_function else None
                if predicate is None or not (of_memory or any(map(_is_bits, call.arguments))):
                    continue
                builder = Builder(block, call)
                builder.debug_location = call.metadata.get("dbg")
                a, b = (replaced.get(v, v) for v in call.arguments)
                replaced[call] = builder.select(builder.icmp(predicate, a, b), a, b, call.name)
                block.instructions.remove(call)
        replace_uses(function, replaced)
        count += len(replaced)
    return count


def _is_bits(value: Value) -> bool:
    return (
        isinstance(value, Cast) and value.opcode == "bitcast" and isinstance(value.operands[0].type.scalar, FloatType)
    )

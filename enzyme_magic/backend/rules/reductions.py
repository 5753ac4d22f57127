"""Reductions of floating vectors become the operations between elements that they are.

    vector.reduce.fadd(s, v)    ((s + v[0]) + v[1]) + ...     in order; in halves, as the code generator does, where the call is
                                                              `reassoc`
    vector.reduce.fmul          the same
    vector.reduce.fmax, fmin, fmaximum, fminimum              their intrinsics of two numbers

Invariant: exact, but for the order where the program leaves it open.
"""

from __future__ import annotations

import re

from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.elements import element
from enzyme_magic.backend.ir.graphs.def_use import replace_uses
from enzyme_magic.backend.ir.instructions import Call
from enzyme_magic.backend.ir.module import Module
from enzyme_magic.backend.ir.types import FunctionType, VectorType
from enzyme_magic.backend.ir.values import Value
from enzyme_magic.backend.rules.spelling import intrinsic_name

_NAME = re.compile(r"llvm\.vector\.reduce\.(fadd|fmul|fmax|fmin|fmaximum|fminimum)\.v")


def to_operations(module: Module) -> int:
    """Rewrite every such call in the definitions of `module`, in place; gives back how many."""
    count = 0
    if not any(_NAME.match(name) for name in module.functions):
        return 0
    for function in list(module.definitions()):
        replaced: dict[Value, Value] = {}
        for block in function.blocks:
            for call in [i for i in block.instructions if type(i) is Call]:
                match = _NAME.match(call.called_function.name) if call.called_function is not None else None
                if match is not None:
                    call.operands[:] = [replaced.get(v, v) for v in call.operands]
                    builder = Builder(block, call)
                    builder.debug_location = call.metadata.get("dbg")
                    replaced[call] = _reduced(module, builder, call, match[1])
                    block.instructions.remove(call)
        replace_uses(function, replaced)
        count += len(replaced)
    return count


def _reduced(module: Module, builder: Builder, call: Call, operation: str) -> Value:
    *start, vector = call.arguments
    assert isinstance(vector.type, VectorType)
    parts = [element(builder, vector, k) for k in range(vector.type.count)]

    def both(a: Value, b: Value) -> Value:
        if start:
            return builder.binary(operation, a, b, flags=call.flags)
        function = module.declared(intrinsic_name(operation, a.type), FunctionType(a.type, (a.type, a.type)))
        return builder.call(function, [a, b], flags=call.flags)

    if "reassoc" in call.flags or "fast" in call.flags:
        while len(parts) > 1 and len(parts) % 2 == 0:
            half = len(parts) // 2
            parts = [both(a, b) for a, b in zip(parts[:half], parts[half:], strict=True)]
    result, *rest = [*start, *parts]
    for part in rest:
        result = both(result, part)
    return result

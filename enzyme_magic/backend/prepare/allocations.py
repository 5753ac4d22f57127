"""Allocation functions of uncommon shape, in terms of the common ones.

    e = posix_memalign(&p, a, n);   becomes   m = aligned_alloc(a, n); p = m; e = m ? 0 : ENOMEM
    q = reallocarray(p, n, s);      becomes   q = realloc(p, n*s), or realloc(p, SIZE_MAX), which fails, where n*s overflows

Invariant: the program sees what it saw, with one liberty: a posix_memalign that fails leaves null in p, where C leaves it undefined
(and for a bad alignment, which gives EINVAL here too, a block of no bytes).
"""

from __future__ import annotations

from collections.abc import Callable

from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.graphs.def_use import replace_uses
from enzyme_magic.backend.ir.instructions import Call, Instruction
from enzyme_magic.backend.ir.module import Module
from enzyme_magic.backend.ir.types import I1, I32, I64, POINTER, FunctionType, StructType
from enzyme_magic.backend.ir.values import Argument, Value

ENOMEM, EINVAL = 12, 22
SMALLEST = 8  # posix_memalign takes powers of two from the size of a pointer on


def lower(module: Module) -> int:
    """Rewrite every such call in the definitions of `module`, in place; gives back how many."""
    count = 0
    for function in list(module.definitions()):
        replaced: dict[Value, Value] = {}
        for block in function.blocks:
            for call in [i for i in block.instructions if type(i) is Call]:
                how = _how(call)
                if how is not None:
                    builder = Builder(block, call)
                    builder.debug_location = call.metadata.get("dbg")
                    replaced[call] = how(module, builder, call)
                    block.instructions.remove(call)
        if replaced:
            replace_uses(function, replaced)
            count += len(replaced)
    return count


def _how(call: Call) -> Callable[[Module, Builder, Call], Value] | None:
    function = call.called_function
    if function is None or not function.is_declaration:
        return None
    found = _LOWERINGS.get(function.name)
    if found is None or call.function_type != found[0]:
        return None
    return found[1]


def _posix_memalign(module: Module, builder: Builder, call: Call) -> Value:
    place, alignment, size = call.arguments
    valid = _is_alignment(builder, alignment)
    if valid is not None:
        alignment = builder.select(valid, alignment, constants.int_constant(I64, SMALLEST))
        size = builder.select(valid, size, constants.zero(I64))
    name = f"{place.name}.memory" if isinstance(place, (Instruction, Argument)) and place.name else "memory"
    memory = builder.call(module.declared("aligned_alloc", FunctionType(POINTER, (I64, I64))), [alignment, size], name)
    builder.store(memory, place)
    full = builder.icmp("eq", memory, constants.zero(POINTER))
    failed = constants.int_constant(I32, ENOMEM)
    result = builder.select(full, failed, constants.zero(I32), name=call.name if valid is None else "")
    if valid is None:
        return result
    return builder.select(valid, result, constants.int_constant(I32, EINVAL), name=call.name)


def _is_alignment(builder: Builder, alignment: Value) -> Value | None:
    """Whether posix_memalign takes it, as an i1; None where it is a constant that it takes."""
    number = getattr(alignment, "value", None)
    if isinstance(number, int) and number >= SMALLEST and number & (number - 1) == 0:
        return None
    one_less = builder.sub(alignment, constants.int_constant(I64, 1))
    power = builder.icmp("eq", builder.and_(alignment, one_less), constants.zero(I64))
    large = builder.icmp("uge", alignment, constants.int_constant(I64, SMALLEST))
    return builder.and_(power, large)


def _reallocarray(module: Module, builder: Builder, call: Call) -> Value:
    old, count, each = call.arguments
    pair = StructType((I64, I1))
    multiply = module.declared("llvm.umul.with.overflow.i64", FunctionType(pair, (I64, I64)))
    product = builder.call(multiply, [count, each])
    bytes_ = builder.extract_value(product, 0)
    overflow = builder.extract_value(product, 1)
    size = builder.select(overflow, constants.int_constant(I64, -1), bytes_)
    return builder.call(module.declared("realloc", FunctionType(POINTER, (POINTER, I64))), [old, size], call.name)


_LOWERINGS: dict[str, tuple[FunctionType, Callable[[Module, Builder, Call], Value]]] = {
    "posix_memalign": (FunctionType(I32, (POINTER, I64, I64)), _posix_memalign),
    "reallocarray": (FunctionType(POINTER, (POINTER, I64, I64)), _reallocarray),
}

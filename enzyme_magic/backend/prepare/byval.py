"""byval parameters made visible: the callee's own copy becomes a stack variable filled by memcpy.

Invariant: afterwards no parameter is byval, and the copy is an ordinary move of memory, with an ordinary adjoint. The
memory behind the parameter is the caller's again, and only read.
"""

from __future__ import annotations

from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.attributes import EMPTY
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.graphs.def_use import replace_uses
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import I1, I64, POINTER, VOID, FunctionType
from enzyme_magic.backend.ir.values import Argument, Block, Value

_MEMCPY_TYPE = FunctionType(VOID, (POINTER, POINTER, I64, I1))


def copy_byval(function: Function, layout: DataLayout) -> None:
    """Rewrite the byval parameters of `function`, in place."""
    copies: dict[Value, Value] = {}
    builder = Builder(Block("", parent=function))
    moves = Builder(Block("", parent=function))
    memcpy = _memcpy()
    for argument in function.arguments:
        byval = argument.attributes.get("byval")
        if byval is None or byval.type is None:
            continue
        align = argument.attributes.get("align")
        known = int(align.value) if align is not None and align.value else None
        copy = builder.alloca(byval.type, align=known, name=f"{argument.name}.copy")
        size = constants.int_constant(I64, layout.size_of(byval.type))
        moves.call(memcpy, [copy, argument, size, constants.FALSE])
        argument.attributes = argument.attributes.without(["byval"])
        copies[argument] = copy
    if not copies:
        return
    replace_uses(function, copies)
    entry = function.entry
    new = [*builder.block.instructions, *moves.block.instructions]
    for instruction in new:
        instruction.parent = entry
    entry.instructions[:0] = new


def _memcpy() -> Function:
    arguments = [Argument(type_, "", EMPTY, k) for k, type_ in enumerate((POINTER, POINTER, I64, I1))]
    return Function("llvm.memcpy.p0.p0.i64", function_type=_MEMCPY_TYPE, arguments=arguments)

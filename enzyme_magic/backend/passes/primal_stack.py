"""The C stack of recursive programs: their own calls end with an error where the stack would overflow.

Every function of the program on a cycle of the call graph compares, at its start, its place on the stack with the thread's
limit, as generated derivatives do (autodiff/calls/stack_check.py). Invariant: only the code that is compiled gets the checks;
what is shown, analysed and differentiated is the program as it was written. Functions that do not recurse are untouched.
"""

from __future__ import annotations

from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.attributes import EMPTY
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.graphs.callgraph import CallGraph
from enzyme_magic.backend.ir.instructions import Alloca
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.text import parser, printer
from enzyme_magic.backend.ir.types import I64, VOID, FunctionType
from enzyme_magic.backend.ir.values import Argument, ConstantInt

CHECK = "em.check_primal_stack"  # runtime/native/c/arena.c


def recursive(graph: CallGraph) -> list[str]:
    """The functions of the program that may call themselves; generated ones have checks of their own."""
    return sorted(f.name for f in graph.recursive if f.blocks and not _is_checked(f))


def guarded(text: str) -> str:
    """The program's IR with checks in its recursive functions; the same text where there are none."""
    module = parser.parse(text)
    names = recursive(CallGraph.of(module))
    if not names:
        return text
    check = Function(CHECK, function_type=FunctionType(VOID, (I64,)), parent=module)
    check.arguments = [Argument(I64, "", EMPTY, 0)]
    module.add(check)
    layout = DataLayout.of(module)
    for name in names:
        _insert(module.functions[name], check, layout)
    return printer.print_module(module)


def _insert(function: Function, check: Function, layout: DataLayout) -> None:
    entry = function.entry
    variables = [i for i in entry.instructions if isinstance(i, Alloca)]
    position = entry.instructions.index(variables[-1]) + 1 if variables else 0
    size = sum(_bytes(variable, layout) for variable in variables)
    Builder(entry, before=entry.instructions[position]).call(check, [constants.int_constant(I64, size)])


def _bytes(variable: Alloca, layout: DataLayout) -> int:
    count = variable.operands[0]
    return layout.size_of(variable.allocated_type) * (count.unsigned if isinstance(count, ConstantInt) else 1)


def _is_checked(function: Function) -> bool:
    return any(getattr(i.operands[-1], "name", "") == "em.check_stack" for i in function.instructions() if i.operands)

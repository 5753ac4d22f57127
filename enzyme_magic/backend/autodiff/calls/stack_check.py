"""Recursion that would not fit into the C stack ends the call before it gets there.

Every generated function whose primal is recursive compares, at its start, its place on the stack with the limit that the thread's
arena holds (runtime/native/c/arena.h); beyond it the runtime raises an ExecutionError. The derivative needs more stack than
the primal: a recursion that is shallow enough to be computed may still be too deep to be differentiated.

The program's own functions have the same check (backend/passes/primal_stack.py).
"""

from __future__ import annotations

from enzyme_magic.backend.autodiff.context import SweepContext
from enzyme_magic.backend.autodiff.subject import Subject
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.instructions import Alloca, Call
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import I64, POINTER, VOID, FunctionType
from enzyme_magic.backend.ir.values import Argument, ConstantInt

CHECK = Function("em.check_stack", function_type=FunctionType(VOID, (POINTER, I64)))


def guard(context: SweepContext, subject: Subject, function: Function, arena: Argument) -> None:
    """Give the generated `function`, complete with its entry block, the check; nothing where the primal is not recursive."""
    if subject.prepared.source not in context.analyses.effects.callgraph.recursive:
        return
    context.uses_arena = True
    entry = function.entry
    variables = [i for i in entry.instructions if isinstance(i, Alloca)]
    # Behind the stack variables: they must stay in the entry block when the check is inlined.
    position = entry.instructions.index(variables[-1]) + 1 if variables else 0
    size = constants.int_constant(I64, sum(_bytes(context, variable) for variable in variables))
    Builder(entry, before=entry.instructions[position]).call(CHECK, [arena, size])


def recurses(context: SweepContext, call: Call) -> bool:
    """Whether the call may end up in a recursive function. Such a call is made once: if every level repeated the levels below it,
    time would be quadratic in the depth, and the repeated primal would not be guarded."""
    function = call.called_function
    return function is not None and context.analyses.effects.callgraph.may_recurse(function)


def _bytes(context: SweepContext, variable: Alloca) -> int:
    count = variable.operands[0]
    return context.layout.size_of(variable.allocated_type) * (count.unsigned if isinstance(count, ConstantInt) else 1)

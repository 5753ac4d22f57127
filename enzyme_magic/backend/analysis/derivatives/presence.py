"""Of which tangents must it be known, while the code runs, whether they are there at all?

The dual of demand. A maximum, a select or a merge passes one tangent on and not the other; where nothing arrives, the
tangent is *absent*: not a number that happens to be zero, but a zero that no slope can change. `sqrt(fmax(x, 0))` at
x < 0 has an infinite slope and no tangent to multiply with it. Reverse mode drops such a product by its select; forward
mode must know absence when it comes to the product (autodiff/sweeps/tangent_rules.py says how it is carried).

Definition: an operation is *singular* when a partial derivative may be infinite while its operands are finite. A node is
*told apart* when a tangent of it may travel to an operand of a singular operation, in this function or through the
memory, arguments and results that it shares with others. Backward reachability in the flow graph; too many nodes cost
time; where too few are, functions that share memory take a tangent of zero for an absent one, or the other way round.

Not seen: a factor that is itself infinite. The product is then infinite too.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from enzyme_magic.backend.analysis.derivatives.activity import Activity
from enzyme_magic.backend.analysis.derivatives.flow import RESULT, Node
from enzyme_magic.backend.analysis.memory.alias import Alias
from enzyme_magic.backend.analysis.memory.memory_objects import MemoryObject
from enzyme_magic.backend.ir.instructions import Call, Instruction
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.values import ConstantFloat, ConstantSplat
from enzyme_magic.backend.rules import registry

# Partial derivatives that are finite wherever operands and result are; what is not named here is singular.
_SMOOTH = """
fadd fsub fneg fmul fma fmuladd freeze canonicalize arithmetic.fence select fpext fptrunc fptrunc.round
fmax fmin fmaximum fminimum fmaximum_num fminimum_num fabs copysign fdim ldexp scalbn scalbln frexp modf
sin cos sincos sinpi cospi sincospi atan atanpi sinh cosh tanh asinh exp exp2 exp10 expm1 erf erfc
tangent tangent_sum
"""
SMOOTH = frozenset(_SMOOTH.split())


def is_singular(i: Instruction) -> bool:
    """Whether a partial derivative of `i` may be infinite or NaN at finite operands."""
    operation = registry.operation_of(i)
    if operation is None or operation in SMOOTH:
        return False
    if operation == "fdiv" and isinstance(i.operands[1], (ConstantFloat, ConstantSplat)):
        return False
    return not registry.lookup(operation).is_inactive


def singular_functions(module: Module) -> frozenset[str]:
    """The functions of a program that have singular operations."""
    return frozenset(f.name for f in module.definitions() if any(map(is_singular, f.instructions())))


def called_functions(module: Module) -> frozenset[str]:
    """The functions that may be called from within the program."""
    return frozenset(
        operand.name
        for f in module.definitions()
        for i in f.instructions()
        for operand in i.operands
        if isinstance(operand, Function)
    )


def told_apart(function: Function, activity: Activity, alias: Alias, elsewhere: bool) -> frozenset[Node]:
    """The nodes of which absence must be known. elsewhere: other code may do singular operations on what it shares with
    this function."""
    seeds = [v for i in function.instructions() if is_singular(i) for v in i.operands]
    reached: set[Node] = {node for node in seeds if activity.active(node)}
    if elsewhere:
        reached.update(_shared(function, activity, alias))
    pending = deque(reached)
    while pending:
        for edge in activity.flow.entering.get(pending.popleft(), ()):
            if edge.source not in reached:
                reached.add(edge.source)
                pending.append(edge.source)
    return frozenset(reached)


def _shared(function: Function, activity: Activity, alias: Alias) -> Iterator[Node]:
    """The result, what is passed to calls, and memory that others see."""
    calls = {i for i in function.instructions() if isinstance(i, Call) and registry.rule_for(i) is None}
    yield RESULT
    for node in activity.varies:
        if isinstance(node, MemoryObject) and alias.any_visible(1 << alias.points_to.numbers[node]):
            yield node
        if any(edge.instruction in calls for edge in activity.flow.leaving.get(node, ())):
            yield node

"""Whether a function may be called with small numbers though nobody asked for it: to check it, to show an example.

The answer is yes only for functions of numbers that touch no memory, whose every loop has a proven count that is small for small
numbers, that divide no whole numbers by a variable and call nothing but pure mathematics. Such a call returns, soon, and nothing
else happens. Everything else needs the user's own arguments.
"""

from __future__ import annotations

from enzyme_magic.backend.explain.scene import Scene
from enzyme_magic.backend.explain.words.counts import Counts
from enzyme_magic.backend.frontend.c_types import is_float
from enzyme_magic.backend.ir.instructions import (
    Binary,
    Branch,
    Call,
    Cast,
    Compare,
    Instruction,
    Load,
    Phi,
    Return,
    Select,
    Store,
    Switch,
    Unary,
)
from enzyme_magic.backend.ir.types import FloatType, IntType
from enzyme_magic.backend.ir.values import ConstantInt

SMALL, MOST_RUNS = 3, 10_000
_HARMLESS = (Binary, Branch, Cast, Compare, Phi, Return, Select, Switch, Unary)
_DIVISIONS = ("sdiv", "udiv", "srem", "urem")


def why_not(scene: Scene, counts: Counts) -> str:
    """Why the function is not called without being asked; "" where it may be called with whole numbers up to SMALL."""
    if scene.uniform or not is_float(scene.signature.result):
        return "it is no function of numbers that returns a floating one"
    if not all(isinstance(argument.type, (FloatType, IntType)) for argument in scene.function.arguments):
        return "it takes arrays or structs"
    reasons = (_of_instruction(scene, instruction) for instruction in scene.prepared.function.instructions())
    return next((reason for reason in reasons if reason), "") or _of_loops(scene, counts)


def _of_instruction(scene: Scene, instruction: Instruction) -> str:
    if isinstance(instruction, Call):
        pure = scene.program.module.analyses.effects.call(instruction).pure
        called = instruction.called_function
        return "" if pure and called is not None and called.is_declaration else "it calls other code"
    if isinstance(instruction, (Load, Store)):
        return "it touches memory"
    if not isinstance(instruction, _HARMLESS) or instruction.opcode in ("fptosi", "fptoui"):
        whole = instruction.opcode in ("fptosi", "fptoui")
        return "it makes whole numbers of floating ones" if whole else "it does more than compute with numbers"
    if isinstance(instruction, Binary) and instruction.opcode in _DIVISIONS:
        divisor = instruction.operands[1]
        if not isinstance(divisor, ConstantInt) or divisor.value in (0, -1):
            return "it divides whole numbers by a variable"
    return ""


def _of_loops(scene: Scene, counts: Counts) -> str:
    parameters = zip(scene.signature.parameters, scene.function.arguments, strict=True)
    whole = [parameter.name for parameter, argument in parameters if isinstance(argument.type, IntType)]
    for loop in scene.loops.loops:
        runs = counts.executions.of_header(loop.header)
        if scene.subject.trip_count(loop) is None or runs is None or not runs.formula.names <= set(whole):
            return "how often a loop runs is not proven"
        if any(runs.formula.value(dict.fromkeys(whole, k)) > MOST_RUNS for k in range(SMALL + 1)):
            return "a loop runs long"
    return ""

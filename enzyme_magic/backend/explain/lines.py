"""The C line of each instruction, also where the optimizer moved one and gave it the line of a branch.

When LLVM speculates `if (x > 0) r = pow(x, 3);` it merges the place of the call with that of the branch. What clang wrote tells
where it came from: an operation that reads the same in C on exactly one line of the input belongs to that line.

Invariant: a line differs from the debug location's only if the input has the same expression, and has it on one other line only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from enzyme_magic.backend.analysis.affine import Evolution
from enzyme_magic.backend.analysis.loops import find
from enzyme_magic.backend.explain.c_text import CText, text_of
from enzyme_magic.backend.explain.variables import Variables
from enzyme_magic.backend.ir import locations
from enzyme_magic.backend.ir.dominators import DominatorTree
from enzyme_magic.backend.ir.instructions import Binary, Call, Instruction, Unary
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import FloatType
from enzyme_magic.backend.ir.values import Value

MOST = 2000  # instructions; larger functions keep the lines they have


def moved_lines(
    instructions: Iterable[Instruction], expression: Callable[[Value], str], source: Function, layout: DataLayout
) -> dict[Instruction, int]:
    """Better lines for floating operations. expression: of the optimized function; source: the same function as clang wrote it."""
    wanted = [i for i in instructions if _is_operation(i)]
    written = [i for i in source.instructions() if _is_operation(i)]
    if not wanted or len(written) > MOST or len(wanted) > MOST:
        return {}
    text = input_text(source, layout)
    places: dict[str, set[int]] = {}
    for instruction in written:
        line = locations.line_of(instruction)
        if line is not None:
            places.setdefault(text.expression(instruction), set()).add(line)
    found: dict[Instruction, int] = {}
    for instruction in wanted:
        lines = places.get(expression(instruction), set())
        if len(lines) == 1 and locations.line_of(instruction) not in lines:
            (found[instruction],) = lines
    return found


def input_text(function: Function, layout: DataLayout) -> CText:
    """C texts of a function that has not been analysed."""
    dominators = DominatorTree.of(function)
    evolution = Evolution(layout, find(function, dominators), dominators)
    return text_of(function, Variables.of(function), layout, evolution)


def _is_operation(instruction: Instruction) -> bool:
    return isinstance(instruction, (Binary, Unary, Call)) and isinstance(instruction.type.scalar, FloatType)

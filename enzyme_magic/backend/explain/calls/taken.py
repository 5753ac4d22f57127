"""Which way a call went: the program with a mark at every branch, and the program of one call only.

    text = marked(ir)             # `em.branch_taken(k)` says after a call whether side k was ever taken
    text = only_taken(ir, taken)  # branches of which one side was taken always go there

Both are IR texts of the whole program. Sides are numbered in textual order, two for each branch with two targets: 2·b where its
condition was false, 2·b + 1 where it was true. Switches keep all their cases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.graphs import cfg
from enzyme_magic.backend.ir.instructions import Branch, Instruction
from enzyme_magic.backend.ir.module import Function, GlobalVariable, Module
from enzyme_magic.backend.ir.text import parser, printer
from enzyme_magic.backend.ir.types import I8, I64, ArrayType
from enzyme_magic.backend.ir.values import ConstantKeyword

ASK = "em.branch_taken"
_MARKS = "em.taken"
_READER = """
define i64 @em.branch_taken(i64 %side) {
  %place = getelementptr i8, ptr @em.taken, i64 %side
  %mark = load i8, ptr %place
  %taken = zext i8 %mark to i64
  ret i64 %taken
}
"""


@dataclass(frozen=True, slots=True)
class Decided:
    """A branch of which a call took one side only. `line`: of its condition, None where that is not known."""

    function: str
    line: int | None
    holds: bool


def branches(module: Module) -> Iterator[tuple[Function, Branch]]:
    """All branches with two different targets, in textual order."""
    for function in module.definitions():
        for block in function.blocks:
            end = block.terminator
            if isinstance(end, Branch) and len(end.targets) == 2 and end.targets[0] is not end.targets[1]:
                yield function, end


def marked(text: str) -> tuple[str, int]:
    """The program that remembers which sides it took, and how many sides there are."""
    module = parser.parse(text)
    found = list(branches(module))
    type_ = ArrayType(max(2 * len(found), 1), I8)
    marks = GlobalVariable(_MARKS, value_type=type_, initializer=ConstantKeyword(type_, "zeroinitializer"))
    module.add(marks)
    for number, (_, branch) in enumerate(found):
        assert branch.parent is not None
        builder = Builder(branch.parent, branch)
        side = builder.add(builder.zext(branch.operands[0], I64), constants.int_constant(I64, 2 * number))
        builder.store(constants.int_constant(I8, 1), builder.gep(I8, marks, [side]))
    return printer.print_module(module) + _READER, 2 * len(found)


def only_taken(text: str, taken: Callable[[int], bool]) -> tuple[str, tuple[Decided, ...]]:
    """The program in which what was not taken is gone, and the branches that this decides."""
    module = parser.parse(text)
    decided: list[Decided] = []
    for number, (function, branch) in enumerate(list(branches(module))):
        sides = [holds for holds in (False, True) if taken(2 * number + holds)]
        if len(sides) != 1:
            continue
        holds = sides[0]
        condition = branch.operands[0]
        line = branch.line or (condition.line if isinstance(condition, Instruction) else None)
        decided.append(Decided(function.name, line, holds))
        branch.operands.clear()
        branch.targets[:] = [branch.targets[0 if holds else 1]]
    for function in module.definitions():
        _drop_unreachable(function)
    return printer.print_module(module), tuple(decided)


def _drop_unreachable(function: Function) -> None:
    reached = cfg.reachable(function)
    function.blocks[:] = [block for block in function.blocks if block in reached]
    before = cfg.predecessors(function)
    for block in function.blocks:
        for phi in cfg.phis(block):
            kept = [(value, source) for value, source in phi.incoming if source in before[block]]
            phi.operands[:] = [value for value, _ in kept]
            phi.blocks[:] = [source for _, source in kept]

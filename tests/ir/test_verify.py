"""The verifier: silent on the corpus (test_corpus), loud on each broken rule."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from enzyme_magic.backend.ir.attributes import EMPTY
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.checks.verify import verify
from enzyme_magic.backend.ir.constants import float_constant, int_constant
from enzyme_magic.backend.ir.instructions import Binary, Branch, Call, Cast, Compare, Invoke, Phi, Return, Store
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.text.parser import parse
from enzyme_magic.backend.ir.types import DOUBLE, FLOAT, I1, I32, VOID
from enzyme_magic.backend.ir.values import Argument, Block
from enzyme_magic.errors import InternalError

TEXT = """
define double @f(double %x, i1 %c) {
entry:
  %a = fadd double %x, 1.0
  br i1 %c, label %left, label %right
left:
  %b = fmul double %a, %a
  br label %end
right:
  %d = call double @g(double %a)
  br label %end
end:
  %r = phi double [ %b, %left ], [ %d, %right ]
  %s = fsub double %r, %a
  ret double %s
}
declare double @g(double)
"""


class Broken:
    """A fresh copy of TEXT with its parts at hand."""

    def __init__(self) -> None:
        self.module = parse(TEXT)
        self.f: Function = self.module.functions["f"]
        self.x, self.c = self.f.arguments
        self.entry, self.left, self.right, self.end = self.f.blocks
        self.phi = self.end.instructions[0]
        assert isinstance(self.phi, Phi)
        self.by_name = {i.name: i for i in self.f.instructions()}


def missing_terminator(m: Broken) -> None:
    m.left.instructions.pop()


def empty_block(m: Broken) -> None:
    m.f.blocks.append(Block("lonely", parent=m.f))


def two_terminators(m: Broken) -> None:
    Builder(m.end, m.end.instructions[1]).ret(m.x)


def foreign_parent(m: Broken) -> None:
    m.by_name["b"].parent = m.end


def foreign_block(m: Broken) -> None:
    m.left.parent = None


def instruction_twice(m: Broken) -> None:
    m.left.instructions.insert(0, m.by_name["b"])


def branch_outside(m: Broken) -> None:
    m.left.terminator.successors[0] = Block("elsewhere")


def phi_without_a_predecessor(m: Broken) -> None:
    m.phi.operands.pop()
    m.phi.blocks.pop()


def phi_of_another_block(m: Broken) -> None:
    m.phi.blocks[0] = m.entry


def phi_uneven(m: Broken) -> None:
    m.phi.operands.pop()


def late_phi(m: Broken) -> None:
    m.end.instructions[0], m.end.instructions[1] = m.end.instructions[1], m.end.instructions[0]


def two_values_for_one_block(m: Broken) -> None:
    m.entry.terminator.successors[:] = [m.left, m.left]
    m.phi.operands.pop()
    m.phi.blocks.pop()
    m.f.blocks.remove(m.right)
    m.left.instructions.insert(
        0, Phi("phi", I32, [int_constant(I32, k) for k in (1, 2)], "p", parent=m.left, blocks=[m.entry] * 2)
    )


def use_before_definition(m: Broken) -> None:
    m.end.instructions[1], m.end.instructions[2:2] = (
        Binary("fadd", DOUBLE, [m.x, m.x], parent=m.end),
        [m.end.instructions[1]],
    )
    m.end.instructions[1].operands[0] = m.end.instructions[2]


def use_not_dominated(m: Broken) -> None:
    m.by_name["s"].operands[1] = m.by_name["b"]


def phi_not_dominated(m: Broken) -> None:
    m.phi.operands[1] = m.by_name["b"]


def deleted_operand(m: Broken) -> None:
    m.left.instructions.remove(m.by_name["b"])


def foreign_argument(m: Broken) -> None:
    m.by_name["a"].operands[0] = Argument(DOUBLE, "y", EMPTY, 0)


def block_as_operand(m: Broken) -> None:
    m.by_name["a"].operands[0] = m.left


def void_operand(m: Broken) -> None:
    store = Builder(m.entry, m.entry.instructions[0]).store(m.x, parse("@g = global double 0.0").variables["g"])
    m.by_name["a"].operands[0] = store


def entry_with_predecessors(m: Broken) -> None:
    m.end.instructions[-1] = Branch("br", targets=[m.entry], parent=m.end)


def argument_numbers(m: Broken) -> None:
    m.c.index = 0


def argument_types(m: Broken) -> None:
    m.f.arguments.pop()


def wrong_name(m: Broken) -> None:
    m.f.name = "other"


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (missing_terminator, "block left: a block has one terminator, at its end"),
        (empty_block, "block lonely: the block is empty"),
        (two_terminators, "block end: a block has one terminator"),
        (foreign_parent, "the instruction's parent is another block"),
        (foreign_block, "the block belongs to another function"),
        (instruction_twice, "stands in the function twice"),
        (branch_outside, "a branch to block 'elsewhere' outside the function"),
        (phi_without_a_predecessor, "the phi's blocks are not the predecessors (left, right)"),
        (phi_of_another_block, "the phi's blocks are not the predecessors"),
        (phi_uneven, "another number of values than of blocks"),
        (late_phi, "a phi behind another instruction"),
        (two_values_for_one_block, "two values for block entry"),
        (use_before_definition, "is used before it is made"),
        (use_not_dominated, "%b does not dominate this use"),
        (phi_not_dominated, "%b does not dominate the end of block right"),
        (deleted_operand, "(%b) is not in this function"),
        (foreign_argument, "argument %y belongs to another function"),
        (block_as_operand, "operand 0 is a Block"),
        (void_operand, "operand 0 has no result to use"),
        (entry_with_predecessors, "the entry has predecessors"),
        (argument_numbers, "argument %c says it is number 0"),
        (argument_types, "the arguments do not fit the type"),
        (wrong_name, "kept under the name 'f'"),
    ],
)
def test_broken_rules(damage: Callable[[Broken], None], why: str) -> None:
    broken = Broken()
    verify(broken.module)
    damage(broken)
    with pytest.raises(InternalError) as caught:
        verify(broken.module)
    assert why in caught.value.message
    assert "@f" in caught.value.message or "@other" in caught.value.message


ONE = int_constant(I32, 1)
HALF = float_constant(DOUBLE, 0.5)


@pytest.mark.parametrize(
    ("instruction", "why"),
    [
        (Binary("fadd", DOUBLE, [HALF, ONE]), "operands of type double, i32 for a result of type double"),
        (Binary("add", DOUBLE, [HALF, HALF]), "add of type double"),
        (Binary("fadd", I32, [ONE, ONE]), "fadd of type i32"),
        (Binary("fadd", DOUBLE, [HALF]), "1 operands instead of 2"),
        (Compare("icmp", I1, [HALF, HALF], predicate="eq"), "icmp of type double"),
        (Compare("fcmp", I1, [HALF, ONE], predicate="oeq"), "a comparison of double with i32"),
        (Compare("fcmp", I32, [HALF, HALF], predicate="oeq"), "a comparison with result i32"),
        (Cast("sitofp", DOUBLE, [HALF]), "sitofp from double to double"),
        (Store("store", VOID, [HALF, ONE]), "a store to an address of type i32"),
        (Phi("phi", FLOAT), "the phi's blocks"),
    ],
)
def test_operand_types(instruction: Binary, why: str) -> None:
    broken = Broken()
    instruction.parent = broken.end
    broken.end.instructions.insert(0 if isinstance(instruction, Phi) else 1, instruction)
    with pytest.raises(InternalError, match="block end") as caught:
        verify(broken.module)
    assert why in caught.value.message


def test_calls_and_returns() -> None:
    broken = Broken()
    broken.by_name["d"].operands[0] = ONE
    with pytest.raises(InternalError, match="argument 0 has type i32 instead of double"):
        verify(broken.module)
    broken = Broken()
    call = broken.by_name["d"]
    assert isinstance(call, Call)
    call.operands.insert(0, HALF)
    call.argument_attributes.append(EMPTY)
    with pytest.raises(InternalError, match=r"a call of double \(double\) with 2 arguments"):
        verify(broken.module)
    broken = Broken()
    broken.end.instructions[-1] = Return("ret", parent=broken.end)
    with pytest.raises(InternalError, match="ret void in a function that returns double"):
        verify(broken.module)
    broken = Broken()
    broken.entry.terminator.operands[0] = ONE
    with pytest.raises(InternalError, match="a branch by i32"):
        verify(broken.module)


INVOKE = """
define double @f() personality ptr @p {
entry:
  %v = invoke double @g() to label %fine unwind label %pad
fine:
  ret double %v
pad:
  %l = landingpad { ptr, i32 } cleanup
  ret double 0.0
}
declare double @g()
declare i32 @p(...)
"""


def test_the_result_of_an_invoke_is_there_on_its_normal_edge_only() -> None:
    module: Module = parse(INVOKE)
    verify(module)
    entry, _, pad = module.functions["f"].blocks
    invoke = entry.terminator
    assert isinstance(invoke, Invoke)
    pad.terminator.operands[0] = invoke
    with pytest.raises(InternalError, match="%v does not dominate this use"):
        verify(module)


def test_invoke_results_reach_phis_of_the_normal_block() -> None:
    text = INVOKE.replace("fine:\n", "fine:\n  %w = phi double [ %v, %entry ]\n")
    verify(parse(text))


def test_uses_in_dead_code_are_free() -> None:
    verify(parse("define i32 @f() {\nentry:\n  ret i32 0\ndead:\n  %x = add i32 %x, 1\n  br label %dead\n}"))


def test_a_switch_with_equal_cases() -> None:
    text = (
        "define void @f(i32 %n) {\n  switch i32 %n, label %a [ i32 1, label %a\n i32 1, label %a ]\na:\n  ret void\n}"
    )
    with pytest.raises(InternalError, match="two equal cases"):
        verify(parse(text))


def test_pointers_are_no_numbers() -> None:
    module = parse("define void @f(ptr %p) {\n  %x = load i32, ptr %p\n  ret void\n}")
    load = module.functions["f"].entry.instructions[0]
    load.operands[0] = ONE
    with pytest.raises(InternalError, match=r"the address is no pointer, in `%x = load i32, i32 1`"):
        verify(module)

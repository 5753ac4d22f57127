"""Control flow of any shape, brought into prepared form: random graphs, executed before and after.

The graphs come from allocas promoted by LLVM, so their phis are LLVM's; what they compute is a number that depends on every block
passed. Poison must never be looked at: executing it gives a number of its own.
"""

from __future__ import annotations

import operator
import random
from collections.abc import Iterator

import pytest

from enzyme_magic.backend.ir.checks.verify import verify_function
from enzyme_magic.backend.ir.graphs import def_use
from enzyme_magic.backend.ir.graphs import loops as loop_analysis
from enzyme_magic.backend.ir.instructions import Compare, Instruction, Phi, Select, Switch
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.text.parser import parse
from enzyme_magic.backend.ir.values import Block, ConstantInt, ConstantKeyword, Value
from enzyme_magic.backend.llvm import optimize
from enzyme_magic.backend.prepare.prepared import Prepared
from enzyme_magic.backend.prepare.preprocess import prepare

VARIABLES = "abc"
POISON = 1_234_567_890_123


OPERATIONS = {"add": operator.add, "sub": operator.sub, "mul": operator.mul, "xor": operator.xor, "and": operator.and_}
COMPARISONS = {
    "eq": operator.eq,
    "ne": operator.ne,
    "sle": operator.le,
    "slt": operator.lt,
    "sgt": operator.gt,
    "sge": operator.ge,
}


def run(function: Function, arguments: list[int], limit: int = 20_000) -> int:
    """Execute a function of integers without memory."""
    frame: dict[Value, int] = dict(zip(function.arguments, arguments, strict=True))
    block, before = function.entry, function.entry
    for _ in range(limit):
        phis = [i for i in block.instructions if isinstance(i, Phi)]
        frame.update([(phi, value_of(frame, phi.value_from(before))) for phi in phis])
        for i in block.instructions[len(phis) : -1]:
            frame[i] = computed(i, [value_of(frame, operand) for operand in i.operands])
        last = block.terminator
        operands = [value_of(frame, operand) for operand in last.operands]
        if last.opcode == "ret":
            return operands[0]
        before, block = block, following(last, operands)
    raise TimeoutError


def value_of(frame: dict[Value, int], value: Value) -> int:
    if isinstance(value, ConstantInt):
        return value.value
    return POISON if isinstance(value, ConstantKeyword) else frame[value]


def computed(i: Instruction, operands: list[int]) -> int:
    if isinstance(i, Compare):
        return -int(COMPARISONS[i.predicate](*operands))
    if isinstance(i, Select):
        return operands[1] if operands[0] else operands[2]
    return (int(OPERATIONS[i.opcode](*operands)) + 2**63) % 2**64 - 2**63


def following(last: Instruction, operands: list[int]) -> Block:
    if isinstance(last, Switch):
        cases = zip(last.cases, last.targets[1:], strict=True)
        return next((target for case, target in cases if value_of({}, case) == operands[0]), last.targets[0])
    return last.successors[0 if not operands or operands[0] else 1]


def graph(seed: int) -> str:
    """A function of random blocks with random jumps; `fuel` ends every path."""
    rng = random.Random(seed)
    count = rng.randint(3, 12)
    lines = ["define i64 @f(i64 %x, i64 %fuel) {", "entry:"]
    lines += [f"  %{v} = alloca i64\n  store i64 {rng.randint(1, 9)}, ptr %{v}" for v in VARIABLES]
    lines += ["  %left = alloca i64", "  store i64 %fuel, ptr %left", f"  br label %b{rng.randrange(count)}"]
    for number in range(count):
        lines += _block(rng, number, count)
    return "\n".join([*lines, "}"])


def _block(rng: random.Random, number: int, count: int) -> Iterator[str]:
    def name(what: str) -> str:
        return f"%{what}.{number}"

    def target() -> str:
        return f"label %b{rng.randrange(count)}"

    yield f"b{number}:"
    yield f"  {name('left')} = load i64, ptr %left\n  {name('less')} = sub i64 {name('left')}, 1"
    yield f"  store i64 {name('less')}, ptr %left"
    for step in range(rng.randint(0, 3)):
        into, one, other = (rng.choice(VARIABLES) for _ in range(3))
        operation = rng.choice(["add", "xor", "mul", "sub"])
        yield f"  {name(f'p{step}')} = load i64, ptr %{one}\n  {name(f'q{step}')} = load i64, ptr %{other}"
        yield f"  {name(f'r{step}')} = {operation} i64 {name(f'p{step}')}, {name(f'q{step}')}"
        yield f"  {name(f's{step}')} = add i64 {name(f'r{step}')}, {number + 1}"
        yield f"  {name(f't{step}')} = and i64 {name(f's{step}')}, 1048575"
        yield f"  store i64 {name(f't{step}')}, ptr %{into}"
    chosen = rng.choice(VARIABLES)
    yield f"  {name('v')} = load i64, ptr %{chosen}\n  {name('low')} = and i64 {name('v')}, {rng.choice([1, 3, 7])}"
    yield f"  {name('done')} = icmp sle i64 {name('less')}, 0"
    yield f"  br i1 {name('done')}, label %end{number}, label %go{number}"
    yield f"end{number}:\n  {name('e')} = load i64, ptr %{rng.choice(VARIABLES)}"
    yield f"  {name('m')} = mul i64 {name('e')}, %x\n  ret i64 {name('m')}"
    yield f"go{number}:"
    if rng.random() < 0.3:
        cases = " ".join(f"i64 {k}, {target()}" for k in range(rng.randint(1, 4)))
        yield f"  switch i64 {name('low')}, {target()} [ {cases} ]"
    elif rng.random() < 0.2:
        yield f"  br {target()}"
    else:
        yield f"  {name('c')} = icmp eq i64 {name('low')}, {rng.randint(0, 3)}\n  br i1 {name('c')}, {target()}, {target()}"


def prepared_of(text: str) -> tuple[Function, Prepared]:
    module = parse(optimize.passes(text, ("sroa", "lcssa")))
    source = module.functions["f"]
    return source, prepare(source, DataLayout.of(module))


def outside_uses(prepared: Prepared) -> list[tuple[Instruction, Instruction]]:
    """Uses of a loop's values outside the loop that no phi in an exit block carries out."""
    found = []
    for value, users in def_use.users(prepared.function).items():
        loop = prepared.loops.of(value.parent) if isinstance(value, Instruction) else None
        if loop is None or not isinstance(value, Instruction):
            continue
        for user in users:
            places = [b for v, b in user.incoming if v is value] if isinstance(user, Phi) else [user.parent]
            found += [(value, user) for place in places if place not in loop.blocks]
    return found


@pytest.mark.parametrize("seed", range(150))
def test_random_graphs_compute_the_same_in_prepared_form(seed: int) -> None:
    source, prepared = prepared_of(graph(seed))
    function = prepared.function
    verify_function(function)
    assert prepared.loops.irreducible is None
    assert loop_analysis.simplify_violation(prepared.loops, function) is None
    assert outside_uses(prepared) == []
    for fuel in (1, 2, 7, 40):
        assert run(function, [3, fuel]) == run(source, [3, fuel]), fuel


def test_the_random_graphs_are_irregular() -> None:
    """Else the test above would prove nothing."""
    irreducible = violating = 0
    for seed in range(150):
        source = parse(optimize.passes(graph(seed), ("sroa", "lcssa"))).functions["f"]
        loops = loop_analysis.find(source)
        irreducible += loops.irreducible is not None
        violating += loop_analysis.simplify_violation(loops, source) is not None
    assert irreducible > 60
    assert violating > 120


def test_phis_that_move_to_a_dispatch_block_keep_their_origin() -> None:
    source, prepared = prepared_of(
        """
define i64 @f(i64 %x, i64 %n) {
entry:
  %into = icmp sgt i64 %x, 0
  br i1 %into, label %middle, label %top
top:
  %i = phi i64 [ 0, %entry ], [ %next, %middle ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %middle, label %end
middle:
  %j = phi i64 [ 1, %entry ], [ %i, %top ]
  %next = add i64 %j, 1
  br label %top
end:
  ret i64 %i
}"""
    )
    names = {old.name for old in prepared.origin.values() if isinstance(old, Phi)}
    assert names == {"i", "j"}
    for new, old in prepared.origin.items():
        if isinstance(old, Instruction):
            assert isinstance(new, Instruction)
            assert new.opcode == old.opcode
            assert old.parent in source.blocks
    dispatch = [block for block in prepared.function.blocks if block.terminator.opcode == "switch"]
    assert [block.name for block in dispatch] == ["top.dispatch"]
    assert prepared.loops.loops[0].header is dispatch[0]


def test_regular_loops_are_left_alone() -> None:
    text = """
define i64 @f(i64 %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  %last = phi i64 [ %next, %loop ]
  ret i64 %last
}"""
    _, prepared = prepared_of(text)
    assert [block.name for block in prepared.function.blocks] == ["entry", "loop", "end"]

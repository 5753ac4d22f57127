"""The prepared function: a copy of the primal in the form the derivative is written from.

Loops that may be one are (`joined` names them). Invariants: one return block; loop-simplify form; every loop has a canonical
i64 counter phi that starts at 0 and grows by 1; every exit block has, per loop left, a phi with the counter's value in the
iteration that was left ("exit count"); every other block with several predecessors has an "arrival" phi that tells the
predecessor taken. What is not used later is removed by LLVM. Debug records, lifetimes, assumptions and hints are gone.

`origin` leads from prepared instructions and blocks back to those of the program, so that reasons can name them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from enzyme_magic.backend.ir import clone, constants, intrinsics, locations
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.graphs import cfg
from enzyme_magic.backend.ir.graphs import loops as loop_analysis
from enzyme_magic.backend.ir.graphs.dominators import DominatorTree, PostDominatorTree
from enzyme_magic.backend.ir.graphs.loops import Loops
from enzyme_magic.backend.ir.instructions import Call, Instruction, Phi
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import I1, I8, I32, I64, IntType, VoidType
from enzyme_magic.backend.ir.values import Block, ConstantInt, Value
from enzyme_magic.backend.prepare.byval import copy_byval
from enzyme_magic.backend.prepare.control_flow import join_loops, loop_form, reducible
from enzyme_magic.backend.prepare.control_flow.invokes import remove_unreachable
from enzyme_magic.backend.prepare.control_flow.join_loops import Group
from enzyme_magic.backend.prepare.prepared import Prepared
from enzyme_magic.errors import InternalError

Joined = Callable[[Function, Loops], Sequence[Group]]


def prepare(source: Function, layout: DataLayout, joined: Joined | None = None) -> Prepared:
    """Copy `source` and bring the copy into prepared form. joined: names groups of loops of the copy that shall be one each."""
    values: dict[Value, Value] = {}
    function = clone.clone_function(source, source.name, values)
    origin = {new: old for old, new in values.items()}
    remove_unreachable(function)
    function.personality = None  # what could throw was refused
    _drop_hints(function)
    copy_byval(function, layout)
    return_block = _unify_returns(function)
    dominators, loops = _in_loop_form(function, origin)
    groups = joined(function, loops) if joined is not None else ()
    lines = tuple(tuple(locations.line_of(loop.header.terminator) for loop in group.loops) for group in groups)
    if groups:
        for block in [gone for group in groups for gone in join_loops.join(function, group)]:
            origin.pop(block, None)
        dominators = DominatorTree.of(function)
        loops = loop_analysis.find(function, dominators)
    unique = {block: list(dict.fromkeys(found)) for block, found in cfg.predecessors(function).items()}
    prepared = Prepared(
        function,
        source,
        origin,
        loops,
        dominators,
        PostDominatorTree.of(function),
        unique,
        cfg.reverse_postorder(function),
        return_block,
        joined=lines,
    )
    _add_counters(prepared)
    _add_exit_counts(prepared)
    _add_arrivals(prepared)
    return prepared


def _in_loop_form(function: Function, origin: dict[Value, Value]) -> tuple[DominatorTree, Loops]:
    """Make the function reducible and its loops simple, where the optimizer could not."""
    dominators = DominatorTree.of(function)
    loops = loop_analysis.find(function, dominators)
    if loop_analysis.simplify_violation(loops, function) is None:
        return dominators, loops
    reducible.make_reducible(function, origin)
    loop_form.simplify(function)
    dominators = DominatorTree.of(function)
    loops = loop_analysis.find(function, dominators)
    violation = loop_analysis.simplify_violation(loops, function)
    if violation:
        raise InternalError(f"{function.name}: {violation}, after its loops were simplified")
    return dominators, loops


def _drop_hints(function: Function) -> None:
    replaced: dict[Value, Value] = {}
    for block in function.blocks:
        kept: list[Instruction] = []
        for instruction in block.instructions:
            instruction.debug_records = []
            name = _callee_name(instruction)
            if intrinsics.is_marker(name):
                continue
            if intrinsics.passes_on(name):
                replaced[instruction] = instruction.operands[0]
                continue
            kept.append(instruction)
        block.instructions = kept
    if replaced:
        for instruction in function.instructions():
            instruction.operands = [_follow(replaced, v) for v in instruction.operands]


def _follow(replaced: dict[Value, Value], value: Value) -> Value:
    while value in replaced:
        value = replaced[value]
    return value


def _callee_name(instruction: Instruction) -> str:
    if isinstance(instruction, Call) and instruction.called_function is not None:
        return instruction.called_function.name
    return ""


def _unify_returns(function: Function) -> Block | None:
    """Make all returns jump to one block; None when the function never returns."""
    returning = [block for block in function.blocks if block.terminator.opcode == "ret"]
    if len(returning) <= 1:
        return returning[0] if returning else None
    unified = Block("return", parent=function)
    function.blocks.append(unified)
    builder = Builder(unified)
    result_type = function.function_type.result
    phi = None if isinstance(result_type, VoidType) else builder.phi(result_type, name="result")
    builder.ret(phi)
    for block in returning:
        old = block.instructions.pop()
        if phi is not None:
            builder.add_incoming(phi, old.operands[0], block)
        jump = Builder(block).br(unified)
        jump.metadata = {k: v for k, v in old.metadata.items() if k == "dbg"}
    return unified


def _add_counters(prepared: Prepared) -> None:
    for loop in prepared.loops.loops:
        assert loop.preheader is not None
        builder = Builder(loop.header, before=loop.header.instructions[0])
        counter = builder.phi(I64, name=f"{loop.header.name}.count")
        one = constants.int_constant(I64, 1)
        following = Builder(loop.latch, before=loop.latch.terminator).add(
            counter, one, name=f"{loop.header.name}.count.next", flags=("nuw", "nsw")
        )
        zero = constants.int_constant(I64, 0)
        _add_per_edge(prepared, loop.header, counter, {loop.preheader: zero, loop.latch: following})
        prepared.counters[loop] = counter


def _add_exit_counts(prepared: Prepared) -> None:
    for loop in prepared.loops.loops:
        for target in dict.fromkeys(target for _, target in loop.exits):
            phi = _phi_on_top(target, I64, f"{loop.header.name}.last")
            incoming: dict[Block, Value] = {p: prepared.counters[loop] for p in prepared.predecessors[target]}
            _add_per_edge(prepared, target, phi, incoming)
            prepared.exit_counts[loop, target] = phi


def _add_arrivals(prepared: Prepared) -> None:
    headers = {loop.header for loop in prepared.loops.loops}
    for block in prepared.order:
        predecessors = prepared.predecessors[block]
        if len(predecessors) < 2 or block in headers:
            continue
        type_ = I1 if len(predecessors) == 2 else I8 if len(predecessors) <= 127 else I32
        phi = _phi_on_top(block, type_, f"{block.name}.arrival")
        incoming: dict[Block, Value] = {p: arrival_number(type_, number) for number, p in enumerate(predecessors)}
        _add_per_edge(prepared, block, phi, incoming)
        prepared.arrivals[block] = phi


def _add_per_edge(prepared: Prepared, block: Block, phi: Phi, incoming: dict[Block, Value]) -> None:
    """Fill a phi. LLVM wants an entry per edge, and a switch may have several edges to one block."""
    for predecessor in prepared.predecessors[block]:
        for successor in predecessor.successors:
            if successor is block:
                Builder(block).add_incoming(phi, incoming[predecessor], predecessor)


def arrival_number(type_: IntType, number: int) -> ConstantInt:
    return ConstantInt(type_, -number if type_.bits == 1 else number)


def _phi_on_top(block: Block, type_: IntType, name: str) -> Phi:
    return Builder(block, before=block.instructions[0]).phi(type_, name=name)

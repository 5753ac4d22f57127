"""Which values are variables of the C text, and which of them share one.

A value is written where it is used (*inlined*) if that cannot change what it is: pure operations used once in the same loop,
cheap ones anywhere, loads with no write to memory in between. What is left are variables. Out of SSA after Boissinot et al.,
"Revisiting out-of-SSA translation" (2009): a phi and what flows into it share one variable unless two of them live at the same
time; liveness counts an inlined value as the variables it is made of, at the place where it is written.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from enzyme_magic.backend.ir import intrinsics
from enzyme_magic.backend.ir.graphs import cfg
from enzyme_magic.backend.ir.graphs.def_use import users
from enzyme_magic.backend.ir.graphs.loops import Loops
from enzyme_magic.backend.ir.instructions import (
    Alloca,
    Binary,
    Call,
    Cast,
    Compare,
    Freeze,
    GetElementPtr,
    Instruction,
    Load,
    Phi,
    Select,
    Store,
    Unary,
)
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import IntType, VoidType
from enzyme_magic.backend.ir.values import Argument, Block, ConstantInt, Value

WIDEST = 8  # operations in one expression
PURE_CALLS = "llvm."


@dataclass(slots=True, eq=False)
class CPlan:
    """`inlined` values are written where they are used; `shared` leads every variable to the one it shares."""

    function: Function
    loops: Loops
    inlined: set[Value] = field(default_factory=set)
    shared: dict[Value, Value] = field(default_factory=dict)
    members: dict[Value, list[Value]] = field(default_factory=dict)
    live_in: dict[Block, set[Value]] = field(default_factory=dict)

    def variable(self, value: Value) -> Value:
        return self.shared.get(value, value)

    def leaves(self, value: Value) -> set[Value]:
        """The variables a value is made of where it is written."""
        found: set[Value] = set()
        pending = [value]
        while pending:
            current = pending.pop()
            if current in self.inlined:
                assert isinstance(current, Instruction)
                pending.extend(current.operands)
            elif isinstance(current, (Instruction, Argument)):
                found.add(current)
        return found


def written(instruction: Instruction) -> bool:
    """Whether the instruction is a statement even if nobody reads its value."""
    if isinstance(instruction, Call):
        name = str(getattr(instruction.callee, "name", ""))
        return not intrinsics.is_marker(name) and not is_pure_call(instruction)
    return isinstance(instruction, Store) or instruction.is_terminator


def is_pure_call(call: Call) -> bool:
    name = str(getattr(call.callee, "name", ""))
    moves = intrinsics.transfer_of(name) is not None
    return name.startswith(PURE_CALLS) and not moves and not intrinsics.is_marker(name)


def plan(function: Function, loops: Loops) -> CPlan:
    made = CPlan(function, loops)
    uses = users(function)
    _inline(made, uses)
    _share(made, uses)
    return made


# What is written where it is used ---------------------------------------------------------------------------------------------


def _inline(plan: CPlan, uses: dict[Value, list[Instruction]]) -> None:
    sizes: dict[Value, int] = {}
    for block in cfg.reverse_postorder(plan.function):
        for position, i in enumerate(block.instructions):
            own = (
                0
                if isinstance(i, (GetElementPtr, Load, Freeze)) or (isinstance(i, Cast) and isinstance(i.type, IntType))
                else 1
            )
            size = own + sum(sizes.get(o, 0) for o in i.operands)
            if _inlinable(plan, i, uses.get(i, []), position, size):
                plan.inlined.add(i)
                sizes[i] = size


def _inlinable(plan: CPlan, i: Instruction, uses: list[Instruction], position: int, size: int) -> bool:
    if isinstance(i, (Phi, Store, Alloca)) or i.is_terminator or isinstance(i.type, VoidType) or i.parent is None:
        return False
    if _anywhere(i):
        return True
    if size > WIDEST or len(uses) != 1:
        return False
    reader = uses[0]
    if _anywhere(reader) and (isinstance(i, Load) or _reads_memory(plan, i)):
        return False  # its reader may be written several times, and later
    block = _place_of_use(i, reader)
    if isinstance(i, Load):
        return block is i.parent and not _memory_changes(plan, i, reader, position)
    if not isinstance(i, (Binary, Unary, Cast, Compare, Select)) and not (isinstance(i, Call) and is_pure_call(i)):
        return False
    same = block is i.parent or plan.loops.of(block) is plan.loops.of(i.parent)
    if _reads_memory(plan, i):
        return block is i.parent and not _memory_changes(plan, i, reader, position)
    return same


def _place_of_use(i: Instruction, reader: Instruction) -> Block | None:
    if isinstance(reader, Phi):
        return next(block for value, block in reader.incoming if value is i)
    return reader.parent


def _anywhere(i: Instruction) -> bool:
    return isinstance(i, (GetElementPtr, Freeze)) or _is_cheap(i)


def _is_cheap(i: Instruction) -> bool:
    """No more work than naming it, and no floating operation."""
    if isinstance(i, Cast) and isinstance(i.type, IntType):
        return i.opcode in ("zext", "sext", "trunc")
    return (
        isinstance(i, Binary)
        and isinstance(i.type, IntType)
        and i.opcode in ("add", "sub", "shl", "mul")
        and isinstance(i.operands[1], ConstantInt)
    )


def _reads_memory(plan: CPlan, value: Value) -> bool:
    pending = list(value.operands) if isinstance(value, Instruction) else []
    while pending:
        current = pending.pop()
        if isinstance(current, Instruction) and current in plan.inlined:
            if isinstance(current, Load):
                return True
            pending.extend(current.operands)
    return False


def _memory_changes(plan: CPlan, i: Instruction, reader: Instruction, position: int) -> bool:
    """Whether something between `i` and the statement that holds its reader may write to memory. The reader may be inlined itself:
    then its own place is checked when it is asked for, and the end of the block stands for it."""
    assert i.parent is not None
    following = i.parent.instructions[position + 1 :]
    if not isinstance(reader, Phi) and reader.parent is i.parent:
        following = following[: following.index(reader)]
    return any(isinstance(j, Store) or (isinstance(j, Call) and not is_pure_call(j)) for j in following)


# Who shares a variable --------------------------------------------------------------------------------------------------------


def is_variable(plan: CPlan, value: Value, uses: dict[Value, list[Instruction]]) -> bool:
    return (
        isinstance(value, Instruction)
        and value not in plan.inlined
        and not isinstance(value.type, VoidType)
        and not isinstance(value, Alloca)
        and bool(uses.get(value))
    )


def _share(plan: CPlan, uses: dict[Value, list[Instruction]]) -> None:
    conflicts = _conflicts(plan, uses)
    groups: dict[Value, list[Value]] = {v: [v] for v in conflicts}
    of = {v: v for v in conflicts}
    depth = plan.loops.depth
    merges = [i for b in cfg.reverse_postorder(plan.function) for i in b.instructions if isinstance(i, Phi) and i in of]
    for phi in sorted(merges, key=lambda p: -depth(p.parent)):
        for operand in phi.operands:
            if operand not in of or of[operand] is of[phi] or operand.type != phi.type:
                continue
            a, b = of[phi], of[operand]
            if any(y in conflicts[x] for x in groups[a] for y in groups[b]):
                continue
            for moved in groups[b]:
                of[moved] = a
            groups[a] += groups.pop(b)
    plan.shared.update(of)
    plan.members.update(groups)


def _conflicts(plan: CPlan, uses: dict[Value, list[Instruction]]) -> dict[Value, set[Value]]:
    blocks = cfg.reverse_postorder(plan.function)
    wanted = {i for b in blocks for i in b.instructions if is_variable(plan, i, uses)}
    out = _live_out(plan, blocks, wanted)
    conflicts: dict[Value, set[Value]] = {i: set() for b in blocks for i in b.instructions if i in wanted}

    def defines(value: Value, live: Iterable[Value]) -> None:
        for other in live:
            if other is not value:
                conflicts[value].add(other)
                conflicts[other].add(value)

    for block in blocks:
        live = set(out[block])
        for i in reversed(block.instructions):
            if isinstance(i, Phi):
                continue
            if i in wanted:
                defines(i, live)
                live.discard(i)
            live |= _read_by(plan, i) & wanted
        merges = [i for i in cfg.phis(block) if i in wanted]
        for phi in merges:
            defines(phi, live | set(merges))
    return conflicts


def _read_by(plan: CPlan, i: Instruction) -> set[Value]:
    """What the statement of `i` reads. An inlined value is read where it is written, not here."""
    if i in plan.inlined or isinstance(i, Phi):
        return set()
    found: set[Value] = set()
    for operand in i.operands:
        found |= plan.leaves(operand)
    return found


def _live_out(plan: CPlan, blocks: list[Block], wanted: set[Instruction]) -> dict[Block, set[Value]]:
    reads: dict[Block, set[Value]] = {}
    makes: dict[Block, set[Value]] = {}
    for block in blocks:
        read: set[Value] = set()
        made: set[Value] = set()
        for i in block.instructions:
            read |= (_read_by(plan, i) & wanted) - made
            if i in wanted:
                made.add(i)
        reads[block], makes[block] = read, made
    live_in: dict[Block, set[Value]] = {b: set() for b in blocks}
    live_out: dict[Block, set[Value]] = {b: set() for b in blocks}
    changed = True
    while changed:
        changed = False
        for block in reversed(blocks):
            out: set[Value] = set()
            for target in block.successors:
                merges = set(cfg.phis(target))
                out |= live_in[target] - merges
                for phi in merges:
                    if phi in wanted:
                        out |= plan.leaves(phi.value_from(block)) & wanted
            new = reads[block] | (out - makes[block])
            if out != live_out[block] or new != live_in[block]:
                live_out[block], live_in[block] = out, new
                changed = True
    plan.live_in = live_in
    return live_out

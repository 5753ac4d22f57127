"""Loops that count: `for (i = start; i < end; i++)` and `for (i = start; i >= end; i--)`.

LLVM's loops test at their end (`do … while`). A `for` tests before its first iteration too, which is the same only where that
test holds; it is proven here from the conditions that dominate the loop, or there is no `for`. The counter must not be read behind
the loop: such reads are first replaced by what it is there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeGuard

from enzyme_magic.backend.ir.graphs import cfg
from enzyme_magic.backend.ir.graphs.def_use import users
from enzyme_magic.backend.ir.graphs.dominators import DominatorTree
from enzyme_magic.backend.ir.graphs.loops import Loop, Loops
from enzyme_magic.backend.ir.instructions import Binary, Branch, Cast, Compare, Freeze, Instruction, Phi
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import I1, I64, IntType
from enzyme_magic.backend.ir.values import Block, ConstantInt, Value

DEEPEST = 8


@dataclass(frozen=True, slots=True, eq=False)
class CountedLoop:
    """`counter` runs from `start` by `step` (1 or -1): while below `end`, or while at least `end`. `guard`: the condition that
    proves the first test, where it is one of the program."""

    loop: Loop
    counter: Phi
    next: Instruction
    start: Value
    end: Value
    step: int
    guard: Value | None = None


@dataclass(slots=True, eq=False)
class CountedLoops:
    """All counted loops of a function."""

    function: Function
    loops: Loops
    dominators: DominatorTree
    found: dict[Loop, CountedLoop]
    unsigned: frozenset[Value] = frozenset()  # parameters that C reads as unsigned

    @classmethod
    def of(cls, function: Function, loops: Loops, unsigned: frozenset[Value] = frozenset()) -> CountedLoops:
        """Changes the function's IR into an equal one: counters are not read behind their loops where that can be avoided."""
        counts = cls(function, loops, DominatorTree.of(function), {}, unsigned)
        for loop in loops.loops:
            count = counts._count(loop)
            if count is not None:
                counts.found[loop] = count
                counts._join(count)
                counts._leave(count)
        return counts

    def _count(self, loop: Loop) -> CountedLoop | None:
        if len(loop.latches) != 1:
            return None
        entering = [b for b in cfg.predecessors(self.function)[loop.header] if b not in loop.blocks]
        branch = _deciding(loop)
        if branch is None or len(entering) != 1:
            return None
        test = branch.operands[0]
        stays = branch.targets[0] in loop.blocks
        wanted = "ne" if stays else "eq"
        if not isinstance(test, Compare) or test.predicate != wanted or not isinstance(test.operands[0].type, IntType):
            return None
        for phi in cfg.phis(loop.header):
            made = self._of_phi(loop, phi, test, entering[0])
            if made is not None:
                return made
        return None

    def _of_phi(self, loop: Loop, phi: Phi, test: Compare, entering: Block) -> CountedLoop | None:
        step, start = phi.value_from(loop.latch), phi.value_from(entering)
        if not isinstance(step, Binary) or step.opcode != "add" or step.operands[0] is not phi:
            return None
        amount = step.operands[1]
        if not isinstance(amount, ConstantInt) or amount.value not in (1, -1) or "nsw" not in step.flags:
            return None
        watched, end = test.operands
        if not self._outside(end, loop):
            return None
        if amount.value == 1 and watched is step:
            guard = self._below(start, end, entering, loop.header)
        elif amount.value == -1 and watched is phi:
            guard = self._at_least(start, end, entering, loop.header)
        else:
            return None
        if guard is None:
            return None
        return CountedLoop(
            loop, phi, step, start, end, amount.value, guard if _signed(start) and _signed(end) else None
        )

    @staticmethod
    def _outside(value: Value, loop: Loop) -> bool:
        return not isinstance(value, Instruction) or value.parent not in loop.blocks

    # Proofs: the condition that says so, or the value itself where none is needed; None: not proven

    def _below(self, start: Value, end: Value, at: Block, to: Block) -> Value | None:
        """start < end, for a constant start."""
        if isinstance(start, ConstantInt) and isinstance(end, ConstantInt):
            return start if start.value < end.value else None
        if not isinstance(start, ConstantInt) or start.value < 0:
            return None
        return self._above(end, start.value, at, to)

    def _at_least(self, start: Value, end: Value, at: Block, to: Block) -> Value | None:
        if not isinstance(end, ConstantInt) or end.value != 0:
            return None
        if isinstance(start, ConstantInt):
            return start if start.value >= 0 else None
        if isinstance(start, Binary) and start.opcode == "add" and "nsw" in start.flags:
            less = start.operands[1]
            if isinstance(less, ConstantInt) and less.value == -1:
                return self._above(start.operands[0], 0, at, to)
            if isinstance(less, ConstantInt) and less.value < 0:
                return self._above(start.operands[0], -1 - less.value, at, to)
        return start if self.nonnegative(start) else None

    def _above(self, value: Value, floor: int, at: Block, to: Block | None = None) -> Value | None:
        """value > floor, where floor is 0 or more; on the way from `at` to the block `to`, where that is given."""
        if isinstance(value, ConstantInt):
            return value if value.value > floor else None
        if isinstance(value, (Freeze, Cast)) and value.opcode in ("freeze", "zext", "sext"):
            return self._above(value.operands[0], floor, at, to)
        if isinstance(value, Binary) and value.opcode == "add" and "nsw" in value.flags:
            more = value.operands[1]
            if isinstance(more, ConstantInt) and more.value > floor and self.nonnegative(value.operands[0]):
                return value
        for condition, holds in self._known(at, to):
            if _says_above(condition, holds, value, floor) or (floor == 0 and self._not_zero(condition, holds, value)):
                return condition
        return None

    def _not_zero(self, condition: Value, holds: bool, value: Value) -> bool:
        """Of an unsigned parameter that says that it is 1 or more."""
        if value not in self.unsigned or not isinstance(condition, Compare) or condition.operands[0] is not value:
            return False
        against = condition.operands[1]
        said = isinstance(against, ConstantInt) and against.value == 0
        return said and condition.predicate in (("ne", "ugt") if holds else ("eq", "ule"))

    def _known(self, block: Block, to: Block | None = None) -> list[tuple[Value, bool]]:
        """Conditions that hold at `block`, with what they are; and those that its own branch adds on the way to the block `to`."""
        known: list[tuple[Value, bool]] = []
        last = block.terminator
        if to is not None and isinstance(last, Branch) and len(last.targets) == 2 and last.targets.count(to) == 1:
            known.append((last.operands[0], last.targets[0] is to))
        before = cfg.predecessors(self.function)
        current: Block | None = block
        while current is not None:
            above = self.dominators.idom.get(current)
            if above is not None and before[current] == [above]:
                branch = above.terminator
                if (
                    isinstance(branch, Branch)
                    and len(branch.targets) == 2
                    and branch.targets[0] is not branch.targets[1]
                ):
                    known.append((branch.operands[0], branch.targets[0] is current))
            current = above
        return known

    def nonnegative(self, value: Value, depth: int = DEEPEST) -> bool:
        """Whether the value, read as signed, is at least 0."""
        if isinstance(value, ConstantInt):
            return value.value >= 0
        if depth == 0 or not isinstance(value, Instruction):
            return False
        if isinstance(value, Cast):
            if value.opcode == "zext":
                return True
            return value.opcode == "sext" and self.nonnegative(value.operands[0], depth - 1)
        if isinstance(value, Freeze):
            return self.nonnegative(value.operands[0], depth - 1)
        if isinstance(value, Phi):
            return self._counts_above(value)
        return isinstance(value, Binary) and self._result_nonnegative(value, depth)

    def _counts_above(self, phi: Phi) -> bool:
        count = next((c for c in self.found.values() if c.counter is phi), None)
        if count is None:
            return False
        first = count.start if count.step == 1 else count.end
        return isinstance(first, ConstantInt) and first.value >= 0

    def _result_nonnegative(self, value: Binary, depth: int) -> bool:
        both = all(self.nonnegative(o, depth - 1) for o in value.operands)
        if value.opcode in ("add", "mul", "shl"):
            return "nsw" in value.flags and both
        if value.opcode == "lshr":
            by = value.operands[1]
            return isinstance(by, ConstantInt) and (by.value > 0 or self.nonnegative(value.operands[0], depth - 1))
        return value.opcode in ("udiv", "sdiv", "srem", "urem", "and") and both

    def _join(self, count: CountedLoop) -> None:
        """Other counters of the loop are written with this one: `k` that starts at 0 where `i` starts at 1 is `i - 1`."""
        if not isinstance(count.start, ConstantInt) or count.step != 1:
            return
        for phi in cfg.phis(count.loop.header):
            if phi is count.counter or phi.type != count.counter.type:
                continue
            step = phi.value_from(count.loop.latch)
            start = next(value for value, block in phi.incoming if block is not count.loop.latch)
            if (
                not isinstance(step, Binary)
                or step.opcode != "add"
                or step.operands[0] is not phi
                or "nsw" not in step.flags
            ):
                continue
            if not isinstance(start, ConstantInt) or step.operands[1] != count.next.operands[1] or step.parent is None:
                continue
            if len(count.loop.exits) != 1:
                continue
            by, leaving = start.value - count.start.value, count.loop.exits[0][0]
            self._write_as(phi, step, count, by, leaving)
            self._write_as(step, phi, count, by + 1, leaving)
            count.loop.header.instructions.remove(phi)
            step.parent.instructions.remove(step)

    def _write_as(self, value: Instruction, partner: Instruction, count: CountedLoop, by: int, leaving: Block) -> None:
        """Readers of `value` read counter + by; behind the loop end - 1 + by."""
        inside = _plus(count.counter, by, count.counter.name)
        outside = _plus(count.end, by - 1, count.counter.name)
        header = count.loop.header
        for reader in users(self.function).get(value, []):
            if reader is partner:
                continue
            made = inside if reader.parent in count.loop.blocks else outside
            reader.operands[:] = [made if o is value else o for o in reader.operands]
            if isinstance(made, Binary) and made.parent is None:
                made.parent = header if made is inside else leaving
                here = made.parent.instructions
                here.insert(len(cfg.phis(header)) if made is inside else len(here) - 1, made)

    def _leave(self, count: CountedLoop) -> None:
        """Behind its loop, a counter that ran up is its end less one, and its next value is the end."""
        if count.step != 1 or len(count.loop.exits) != 1:
            return
        leaving = count.loop.exits[0][0]
        behind = users(self.function)
        last = Binary("add", count.end.type, [count.end, ConstantInt(count.end.type, -1)], count.counter.name, ("nsw",))
        for old, new in ((count.next, count.end), (count.counter, last)):
            for reader in behind.get(old, []):
                if reader.parent in count.loop.blocks:
                    continue
                reader.operands[:] = [new if o is old else o for o in reader.operands]
                if new is last and last.parent is None:
                    last.parent = leaving
                    leaving.instructions.insert(len(leaving.instructions) - 1, last)


def _plus(value: Value, by: int, name: str) -> Value:
    if by == 0:
        return value
    return Binary("add", value.type, [value, ConstantInt(value.type, by)], name, ("nsw",))


def _signed(value: Value) -> bool:
    """Whether C's text for the value is what the value is even where the condition that proves the loop does not hold."""
    pending = [value]
    while pending:
        current = pending.pop()
        if isinstance(current, Cast) and current.opcode != "sext" and "nneg" not in current.flags:
            return False
        if isinstance(current, (Cast, Freeze, Binary)):
            pending.extend(current.operands)
    return True


def _deciding(loop: Loop) -> Branch | None:
    """The branch that leaves the loop: of the latch, or, where that only goes back, of the block before it."""
    last = loop.latch.terminator
    if isinstance(last, Branch) and len(last.targets) == 2:
        return last
    if len(loop.exits) != 1:
        return None
    leaving = loop.exits[0][0].terminator
    if not isinstance(leaving, Branch) or len(leaving.targets) != 2 or loop.latch not in leaving.targets:
        return None
    return leaving


def _says_above(condition: Value, holds: bool, value: Value, floor: int) -> bool:
    if not isinstance(condition, Compare) or _bare(condition.operands[0]) is not _bare(value):
        return False
    against = condition.operands[1]
    if not isinstance(against, ConstantInt):
        return False
    least = (
        {"sgt": against.value, "sge": against.value - 1} if holds else {"slt": against.value - 1, "sle": against.value}
    )
    return least.get(condition.predicate, -1) >= floor


def _bare(value: Value) -> Value:
    while isinstance(value, Freeze):
        value = value.operands[0]
    return value


def mark_nonnegative(function: Function, loops: Loops) -> None:
    """Widenings without sign of numbers that are 1 or more wherever they are used: C widens those by itself."""
    counts = CountedLoops(function, loops, DominatorTree.of(function), {})
    readers = users(function)
    for i in list(function.instructions()):
        if not isinstance(i, Cast) or i.opcode != "zext" or "nneg" in i.flags or i.operands[0].type == I1:
            continue
        used = [block for reader in readers.get(i, []) for block in _places(reader, i)]
        if used and all(counts._above(i.operands[0], 0, block) is not None for block in used):
            i.flags = (*i.flags, "nneg")


def _places(reader: Instruction, value: Value) -> list[Block]:
    """Where `reader` reads `value`."""
    if isinstance(reader, Phi):
        return [block for operand, block in reader.incoming if operand is value]
    return [reader.parent] if reader.parent is not None else []


def mark_down_counters(loops: Loops) -> None:
    """Steps of 64-bit counters that a loop takes down to 0 by one do not wrap: such a loop runs as often as its counter says
    where it begins, and numbers of iterations are below 2^62, since no computer counts further. It must have no other way out."""
    for loop in loops.loops:
        branch = _deciding(loop)
        if len(loop.latches) != 1 or len(loop.exits) != 1 or branch is None or branch.parent is not loop.exits[0][0]:
            continue
        test = branch.operands[0]
        stays = branch.targets[0] in loop.blocks
        if not isinstance(test, Compare) or test.predicate != ("ne" if stays else "eq"):
            continue
        watched, against = test.operands
        if not isinstance(against, ConstantInt) or against.value != 0:
            continue
        for phi in cfg.phis(loop.header):
            step = phi.value_from(loop.latch)
            if phi.type == I64 and watched in (phi, step) and _takes_one_off(step, phi) and "nsw" not in step.flags:
                step.flags = (*step.flags, "nsw")


def _takes_one_off(step: Value, phi: Phi) -> TypeGuard[Binary]:
    if not isinstance(step, Binary) or step.opcode != "add" or step.operands[0] is not phi:
        return False
    amount = step.operands[1]
    return isinstance(amount, ConstantInt) and amount.value == -1


def shift_counters(function: Function, loops: Loops) -> None:
    """A counter of which only the next value is read starts there: `for (k = n; …; k--) x[k - 1]` becomes
    `for (i = n - 1; …; i--) x[i]`."""
    for loop in loops.loops:
        entering = [b for b in cfg.predecessors(function)[loop.header] if b not in loop.blocks]
        if len(loop.latches) != 1 or len(entering) != 1:
            continue
        for phi in cfg.phis(loop.header):
            _shift(function, loop, phi, entering[0])


def _shift(function: Function, loop: Loop, phi: Phi, entering: Block) -> None:
    step = phi.value_from(loop.latch)
    readers = users(function).get(phi, [])
    if not isinstance(step, Binary) or step.opcode != "add" or step.operands[0] is not phi or readers != [step]:
        return
    amount = step.operands[1]
    if not isinstance(amount, ConstantInt) or amount.value != -1 or "nsw" not in step.flags or step.parent is None:
        return
    if step.parent is not loop.header:
        return
    start = phi.value_from(entering)
    first = Binary("add", step.type, [start, amount], step.name, ("nsw",))
    first.parent = entering
    entering.instructions.insert(len(entering.instructions) - 1, first)
    moved = Phi("phi", step.type, [first, step], step.name, blocks=[entering, loop.latch])
    moved.parent = loop.header
    for reader in users(function).get(step, []):
        if reader is not phi:
            reader.operands[:] = [moved if o is step else o for o in reader.operands]
    step.parent.instructions.remove(step)
    step.operands[0] = moved
    step.parent = loop.latch
    loop.latch.instructions.insert(len(loop.latch.instructions) - 1, step)
    loop.header.instructions[loop.header.instructions.index(phi)] = moved
    moved.operands[1] = step

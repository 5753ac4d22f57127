"""Whether what an array holds before a call matters: a buffer that is written before it is read is no input.

Theorem: a byte that is read was written before in the same call if a write covers it that comes before every execution of the
read. Two kinds of writes are known to: one whose address is the same polynomial and that dominates the read (in the current
iteration of every loop around both, it came first); and one that fills a contiguous region, a block operation or a loop of stores
that follow each other, that is over before the read and that runs whenever the read does.

Invariant: False is a proof. Integer parameters whose sign matters are not taken to be 0 or more unless the read itself is reached
only then. Aliases do not disturb: they can write bytes, not take writes back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from enzyme_magic.backend.analysis.calls.effects import Effects
from enzyme_magic.backend.analysis.counts import assumed
from enzyme_magic.backend.analysis.counts.affine import UNSIGNED, Polynomial, add, constant
from enzyme_magic.backend.analysis.counts.formula import Formula, name, number, surely_counts
from enzyme_magic.backend.analysis.counts.reach import Reach
from enzyme_magic.backend.analysis.counts.visits import Visits, counter
from enzyme_magic.backend.ir import intrinsics
from enzyme_magic.backend.ir.graphs import def_use
from enzyme_magic.backend.ir.graphs.callgraph import globals_in
from enzyme_magic.backend.ir.graphs.loops import Loop
from enzyme_magic.backend.ir.instructions import (
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
)
from enzyme_magic.backend.ir.module import GlobalVariable
from enzyme_magic.backend.ir.types import FloatType, Type
from enzyme_magic.backend.ir.values import Argument, Block, Value

MOST_ACCESSES = 400


@dataclass(frozen=True, slots=True, eq=False)
class ArgumentAccess:
    """`size` bytes from `start` behind the argument, through one of `pointers`."""

    instruction: Instruction
    start: Polynomial
    size: Polynomial
    pointers: tuple[Value, ...] = ()

    @property
    def block(self) -> Block:
        assert self.instruction.parent is not None
        return self.instruction.parent


@dataclass(frozen=True, slots=True, eq=False)
class _Region:
    """Bytes `start` to `end`, all written when `home` has been left (or passed, where it is no loop), if `when` are 0 or more."""

    start: Formula
    end: Formula
    home: Block
    loop: Loop | None = None
    when: tuple[Formula, ...] = ()


def matters(visits: Visits, effects: Effects, root: Argument | GlobalVariable) -> bool:
    """Whether the memory of a pointer argument, or of a variable, may be read before it is written. Of a variable only what the
    function does by its name is seen, not what functions do that it calls."""
    return Content(visits, effects, root).matters()


class Content:
    """One argument or variable of one function."""

    def __init__(self, visits: Visits, effects: Effects, root: Argument | GlobalVariable) -> None:
        self.visits = visits
        self.evolution = visits.evolution
        self.effects = effects
        self.root = root
        self.reads: list[ArgumentAccess] = []
        self.writes: list[ArgumentAccess] = []
        self.handed: list[ArgumentAccess] = []  # calls of functions that write it
        self.scattered = False  # something is written at an address that is no polynomial
        self._reach: Reach | None = None

    def matters(self) -> bool:
        if not self.collect() or len(self.reads) + len(self.writes) > MOST_ACCESSES:
            return True
        return not all(self.written_before(read) for read in self.reads)

    # --- accesses

    def collect(self) -> bool:
        """Every access through the argument; False where one may be hidden."""
        users = def_use.users(self.visits.function)
        pending: list[Value] = [self.root, *self._named(users)]
        seen: set[Value] = set(pending)
        while pending:
            value = pending.pop()
            for user in users.get(value, ()):
                if isinstance(user, (GetElementPtr, Phi, Select, Freeze)) or _keeps_pointer(user):
                    if user not in seen:
                        seen.add(user)
                        pending.append(user)
                elif not self._access(user, value):
                    return False
        return True

    def _named(self, users: dict[Value, list[Instruction]]) -> list[Value]:
        """Constants that are made of a variable's address; their users become known to `users`."""
        found: dict[Value, None] = {}
        if isinstance(self.root, GlobalVariable):
            for instruction in self.visits.function.instructions():
                for operand in dict.fromkeys(instruction.operands):
                    if not isinstance(operand, (Argument, Instruction)) and self.root in globals_in(operand):
                        users.setdefault(operand, []).append(instruction)
                        found[operand] = None
        found.pop(self.root, None)
        return list(found)

    def _access(self, user: Instruction, pointer: Value) -> bool:
        if isinstance(user, Compare):
            return True
        if isinstance(user, Load):
            return self._add(self.reads, user, pointer, constant(self._size(user.type)))
        if isinstance(user, Store):
            return user.value is not pointer and self._add(
                self.writes, user, pointer, constant(self._size(user.value.type)), needed=False
            )
        return isinstance(user, Call) and self._called(user, pointer)

    def _called(self, call: Call, pointer: Value) -> bool:
        callee = call.called_function
        if callee is not None and intrinsics.is_marker(callee.name):
            return True
        transfer = intrinsics.transfer(call)
        if transfer is not None:
            length = self.evolution.integer(call.arguments[2], UNSIGNED)
            if call.arguments[0] is pointer:
                self._add(self.writes, call, pointer, length, needed=False)
            copies = transfer != "memset"
            return not (copies and call.arguments[1] is pointer) or self._add(self.reads, call, pointer, length)
        summary = self.effects.call(call)
        places = [k for k, given in enumerate(call.arguments) if given is pointer]
        if any(summary.writes_argument(k) for k in places):
            self._add(self.handed, call, pointer, constant(0), needed=False)
        return bool(places) and not any(summary.reads_argument(k) or summary.captures_argument(k) for k in places)

    def _add(
        self, to: list[ArgumentAccess], user: Instruction, pointer: Value, size: Polynomial, *, needed: bool = True
    ) -> bool:
        address = self.evolution.address(pointer)
        if address.base is not self.root:
            self.scattered = True
            return not needed
        to.append(ArgumentAccess(user, address.offset, size, (pointer,)))
        return True

    def _size(self, type_: Type) -> int:
        layout = self.evolution.layout
        return layout.size_of(type_) if isinstance(type_, FloatType) else layout.store_size(type_)

    # --- one read

    def written_before(self, read: ArgumentAccess) -> bool:
        if any(self._same_place(write, read) for write in self.writes):
            return True
        return any(self._covers(region, read) for region in self._regions())

    def _same_place(self, write: ArgumentAccess, read: ArgumentAccess) -> bool:
        short = add(write.size, read.size, -1)
        enough = not short or (set(short) == {()} and short[()] >= 0)
        return write.start == read.start and enough and self._dominates(write.instruction, read.instruction)

    def _dominates(self, first: Instruction, second: Instruction) -> bool:
        a, b = first.parent, second.parent
        assert a is not None
        assert b is not None
        if a is b:
            return a.instructions.index(first) < a.instructions.index(second)
        return self.evolution.dominators.dominates(a, b)

    # --- regions

    def _regions(self) -> Iterator[_Region]:
        for write in self.writes:
            region = self._block_operation(write) if isinstance(write.instruction, Call) else self._filling(write)
            if region is not None:
                yield region

    def _block_operation(self, write: ArgumentAccess) -> _Region | None:
        self.visits.supposed = []
        start, size = self.visits.formula(write.start), self.visits.formula(write.size)
        if start is None or size is None or self.visits.supposed:
            return None
        return _Region(start, start + size, write.block)

    def _filling(self, write: ArgumentAccess) -> _Region | None:
        """A loop whose every iteration stores right behind the one before."""
        loop = self.evolution.loops.of(write.block)
        count = self.visits.count(loop) if loop is not None else None
        path = self.visits.path(write.block)
        if loop is None or count is None or path is None or loop.preheader is None:
            return None
        if not self.evolution.dominators.dominates(write.block, loop.latch):
            return None
        number_ = self.evolution.iteration(loop)
        step = write.start.get((number_,), 0)
        if {(): step} != write.size or any(number_ in m and m != (number_,) for m in write.start):
            return None
        self.visits.supposed = []
        first = self.visits.formula({m: c for m, c in write.start.items() if number_ not in m})
        passed = count.tests & path.tested
        if first is None or self.visits.supposed or (passed and passed != count.tests):
            return None
        times = count.steps if passed else count.steps + number(1)
        return _Region(first, first + times.times(step), loop.header, loop, count.when)

    def _covers(self, region: _Region, read: ArgumentAccess) -> bool:
        """Whether the region is written before every execution of the read, and contains what that reads."""
        if region.loop is not None and read.block in region.loop.blocks:
            return False
        shared = self._shared(region, read.block)
        bounds = self._bounds(read, shared)
        if bounds is None:
            return False
        low, high, known = bounds
        return (
            self._before(region, read, shared, known)
            and all(_certain(condition, known) for condition in region.when)
            and _certain(low - region.start, known)
            and _certain(assumed.simplified(region.end, known) - high, known)
        )

    def _shared(self, region: _Region, block: Block) -> Loop | None:
        """The innermost loop around both."""
        loop = self.evolution.loops.of(block)
        while loop is not None and region.home not in loop.blocks:
            loop = loop.parent
        return loop

    def _before(self, region: _Region, read: ArgumentAccess, shared: Loop | None, known: tuple[Formula, ...]) -> bool:
        """Whether the region's writes run whenever the read does, and are over by then."""
        home = region.home
        if home is read.block:
            return False
        if self.evolution.dominators.dominates(home, read.block):
            return True
        around = self.evolution.loops.of(home)
        if (around.parent if around is region.loop and around is not None else around) is not shared:
            return False  # another loop may not run at all
        if self._reach is None:
            self._reach = Reach.of(self.visits.function)
        if self._reach.same_iteration(read.block, home, shared):
            return False
        path = self.visits.path(home)
        self.visits.supposed = []
        asked = [self.visits.formula(polynomial) for polynomial in path.when] if path is not None else [None]
        if self.visits.supposed:
            return False
        return all(condition is not None and _certain(condition, known) for condition in asked)

    def _bounds(self, read: ArgumentAccess, shared: Loop | None) -> tuple[Formula, Formula, tuple[Formula, ...]] | None:
        """The least start and the largest end of the read in all iterations of the loops that are not shared, and what is known
        whenever it runs."""
        self.visits.supposed = []
        low, size = self.visits.formula(read.start), self.visits.formula(read.size)
        path = self.visits.path(read.block)
        if low is None or size is None or path is None:
            return None
        when = [self.visits.formula(polynomial) for polynomial in path.when]
        known = [condition for condition in when if condition is not None]
        if self.visits.supposed:
            return None
        high = low + size
        for loop in self.visits.around(read.block):
            if loop is shared:
                break
            count = self.visits.count(loop)
            if count is None:
                return None
            passed = count.tests & path.tested
            final = count.steps - number(1) if passed and passed == count.tests else count.steps
            if passed:
                known.append(final)
            symbol = counter(self.evolution.iteration(loop))
            largest, least = _at_most(high, symbol, final), _at_most(low.times(-1), symbol, final)
            if largest is None or least is None:
                return None
            high, low = largest, least.times(-1)
        needed = assumed.conditions(tuple(c for c in known if not any(n.startswith("#") for n in c.names)))
        if needed is None:
            return None
        return assumed.simplified(low, needed), assumed.simplified(high, needed), needed


def _keeps_pointer(user: Instruction) -> bool:
    return isinstance(user, Cast) and user.opcode in ("bitcast", "addrspacecast")


def _at_most(formula: Formula, symbol: str, final: Formula) -> Formula | None:
    """The largest value of `formula` for a counter from 0 to `final`; None where it is neither rising nor falling."""
    change = formula.substitute(symbol, name(symbol) + number(1)) - formula
    if not change.terms or surely_counts(change.times(-1)):
        return formula.substitute(symbol, number(0))
    return formula.substitute(symbol, final) if surely_counts(change) else None


def _certain(formula: Formula, known: tuple[Formula, ...]) -> bool:
    """Whether `formula` is 0 or more, without taking a parameter to be 0 or more that need not be."""
    if formula.constant is not None:
        return formula.constant >= 0
    if any(formula == condition for condition in known):
        return True
    bounded = {called for called, value in assumed.lower_bounds(known).items() if value >= 0}
    free = {called for called in formula.names if not called.startswith("#")} - bounded
    return not free and assumed.holds(formula, known)

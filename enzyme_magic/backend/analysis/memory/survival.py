"""Whether what an array holds before a call may still be there after it, as the data decide: `if (x[i] > 0) o[i] = …` leaves the
other elements as they were, so the array is an input of the call as well as an output.

Theorem: an element that the call may write keeps its content only where control avoids every write to its place. A write of the
place (the same polynomial, iteration numbers told apart by the depth of their loops) is skipped at a branch if one side leads to it
and the other can end, the function or the iteration of the innermost loop around both, without it. A loop with such a write counts
as one, because how often it runs says how long the array is.

What counts is a branch that depends on data: not on integer parameters alone, which say sizes and kinds of call; and at the end of
a loop on floating numbers, because integers in memory may be sizes too. Elements beyond all writes are not spoken of.

Invariant: what cannot be followed (a hidden access, an address that is no polynomial) counts as surviving.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace

from enzyme_magic.backend.analysis.calls.effects import Effects
from enzyme_magic.backend.analysis.counts.visits import Visits
from enzyme_magic.backend.analysis.memory.entry_content import ArgumentAccess, Content
from enzyme_magic.backend.ir.graphs import cfg
from enzyme_magic.backend.ir.graphs.loops import Loop
from enzyme_magic.backend.ir.instructions import Binary, Call, Cast, Compare, Freeze, Instruction, Phi, Return, Select
from enzyme_magic.backend.ir.types import FloatType
from enzyme_magic.backend.ir.values import Argument, Block, Constant, Value

Place = frozenset[tuple[tuple[tuple[str, int], ...], int]]


def survives(visits: Visits, effects: Effects, argument: Argument) -> bool:
    """Whether an element of a pointer argument that the function may write may also keep what it held, as the data decide."""
    return _Survival(effects).of(visits, argument)


@dataclass(slots=True, eq=False, repr=False)
class _Survival:
    """Answers for a function and for those it calls. asked: what is being answered; recursion adds nothing."""

    effects: Effects
    asked: set[Argument] = field(default_factory=set)

    def of(self, visits: Visits, argument: Argument) -> bool:
        self.asked.add(argument)
        content = Content(visits, self.effects, argument)
        if not content.collect() or content.scattered:
            return True
        paths = _Paths(visits)
        if any(self._in_callee(visits, access) for access in content.handed):
            return True
        if any(paths.is_scattered(access) for access in (*content.writes, *content.handed)):
            return True
        places: dict[Place, list[ArgumentAccess]] = {}
        for access in (*content.writes, *content.handed):
            places.setdefault(paths.place(access), []).append(access)
        for accesses in places.values():
            skipped = paths.skipped({access.block for access in accesses})
            if any(a.block in skipped and not content.written_before(paths.unconditional(a)) for a in accesses):
                return True
        return False

    def _in_callee(self, visits: Visits, access: ArgumentAccess) -> bool:
        """Whether a function that is called with the memory may leave it as it was."""
        call = access.instruction
        callee = call.called_function if isinstance(call, Call) else None
        if callee is None or callee.is_declaration:
            return False  # a function of the library that writes, writes
        assert isinstance(call, Call)
        inner = Visits.of(callee, visits.evolution.layout, {})
        summary = self.effects.summary(callee)
        for parameter in callee.arguments[: len(call.arguments)]:
            if call.arguments[parameter.index] not in access.pointers or parameter in self.asked:
                continue
            if summary.writes_argument(parameter.index) and (inner is None or self.of(inner, parameter)):
                return True
        return False


@dataclass(slots=True, eq=False, repr=False)
class _Paths:
    """The branches of one function that depend on data."""

    visits: Visits
    _deciding: list[Block] | None = None
    _alive: set[Block] | None = None

    def place(self, access: ArgumentAccess) -> Place:
        """Where an access lies, with iteration numbers told apart by the depth of their loops."""
        return frozenset(
            (tuple(sorted(self._name(number) for number in monomial)), coefficient)
            for monomial, coefficient in access.start.items()
        )

    def is_scattered(self, access: ArgumentAccess) -> bool:
        """Whether data say in each iteration where the access lies."""
        symbols = [self.visits.evolution.symbols[number].of for monomial in access.start for number in monomial]
        values = [of for of in symbols if not isinstance(of, Loop)]
        return any(self.visits.evolution.home(v) is not None and _is_data(v, floating=False) for v in values)

    def unconditional(self, access: ArgumentAccess) -> ArgumentAccess:
        """The access as if made in the nearest block before it that is reached whatever the data are: more often than it is."""
        idom, loops, block = self.visits.evolution.dominators.idom, self.visits.evolution.loops, access.block
        while self.visits.path(block) is None:
            above = idom.get(block)
            if above is None or loops.of(above) is not loops.of(access.block):
                return access
            block = above
        return replace(access, instruction=block.instructions[0])

    def _name(self, number: int) -> tuple[str, int]:
        of = self.visits.evolution.symbols[number].of
        return ("loop", of.depth) if isinstance(of, Loop) else ("value", number)

    def skipped(self, writes: Collection[Block]) -> set[Block]:
        """Those of `writes` that a branch leads to which depends on data, and whose other side leads past all of them."""
        return {write for branch in self._branches() for write in self._skipped_at(branch, writes)}

    def _branches(self) -> list[Block]:
        if self._deciding is None:
            self._deciding = [b for b in self.visits.function.blocks if self._depends_on_data(b)]
        return self._deciding

    def _depends_on_data(self, block: Block) -> bool:
        end = block.terminator
        if len(set(end.successors)) < 2 or not end.operands:
            return False
        loop = self.visits.evolution.loops.of(block)
        leaves = loop is not None and any(successor not in loop.blocks for successor in end.successors)
        return _is_data(end.operands[0], floating=leaves)

    def _skipped_at(self, branch: Block, writes: Collection[Block]) -> Iterable[Block]:
        homes = {write: self._home(write, branch) for write in writes}
        goals = set(homes.values())
        sides = list(dict.fromkeys(branch.terminator.successors))
        for common in dict.fromkeys(self._shared(branch, write) for write in writes):
            if any(self._avoids(side, goals, common) for side in sides):
                reached = {block for side in sides for block in self._reached(side, frozenset(), common)}
                yield from (write for write, home in homes.items() if home in reached)

    def _shared(self, branch: Block, write: Block) -> Loop | None:
        """The innermost loop around both."""
        for loop in self.visits.around(branch):
            if write in loop.blocks:
                return loop
        return None

    def _home(self, write: Block, branch: Block) -> Block:
        """The block of a write, or the header of the outermost loop around it that is not around the branch."""
        home = write
        for loop in self.visits.around(write):
            if branch in loop.blocks:
                break
            home = loop.header
        return home

    def _avoids(self, start: Block, goals: Collection[Block], common: Loop | None) -> bool:
        """Whether the function, or the iteration of `common`, can end without a block of `goals`."""
        if start in goals or start not in self._returning():
            return False
        if common is not None and (start is common.header or start not in common.blocks):
            return True
        for block in self._reached(start, goals, common):
            if block in goals:
                continue
            if isinstance(block.terminator, Return):
                return True
            if common is not None and any(
                n is common.header or (n not in common.blocks and n in self._returning())
                for n in block.terminator.successors
            ):
                return True
        return False

    def _returning(self) -> set[Block]:
        """The blocks from which the function can return: after an exit or a failed check nobody looks at the array."""
        if self._alive is None:
            function = self.visits.function
            before = cfg.predecessors(function)
            ends = [block for block in function.blocks if isinstance(block.terminator, Return)]
            self._alive = set(cfg.postorder(ends, lambda block: before[block]))
        return self._alive

    def _reached(self, start: Block, stops: Collection[Block], common: Loop | None) -> Iterable[Block]:
        """Blocks from `start` on in one iteration of `common`; not beyond `stops`."""
        if common is not None and (start is common.header or start not in common.blocks):
            return []
        found, pending = [start], [start]
        while pending:
            block = pending.pop()
            if block in stops:
                continue
            for after in block.terminator.successors:
                inside = common is None or (after in common.blocks and after is not common.header)
                if inside and after not in found:
                    found.append(after)
                    pending.append(after)
        return found


def _is_data(value: Value, *, floating: bool) -> bool:
    """Whether more than integer and pointer parameters decide a condition. floating: what is read as an integer does not count."""
    pending, seen = [value], set[Value]()
    while pending:
        found = pending.pop()
        if found in seen or (isinstance(found, (Constant, Argument)) and not isinstance(found.type, FloatType)):
            continue
        seen.add(found)
        if isinstance(found.type, FloatType):
            return True
        if not isinstance(found, Instruction):
            continue
        if isinstance(found, Phi):
            pending += [
                block.terminator.operands[0] for block in found.blocks if len(set(block.terminator.successors)) > 1
            ]
        if isinstance(found, (Binary, Cast, Compare, Freeze, Phi, Select)):
            pending += found.operands
        elif not floating:
            return True
    return False

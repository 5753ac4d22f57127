"""Which loops may run as one, because what one writes or reads the next one uses again?

    for (i …) y[i] = x[i]*x[i];
    for (i …) sum += x[i]*y[i];

One after the other, their reverse loops pass through the adjoints of `x` and `y` twice; as one loop they do it once, and an adjoint
that one statement adds and the other takes stays in a register. It is loop fusion (Kennedy and McKinley, 1993), with a narrower
condition than correctness asks for.

Invariant: joining changes the order of nothing that touches the same byte, the same number or the same shadow, strict or not: the
primal keeps every bit, and adjoints are added in the order in which they were. Two loops are joined when
- each is one block, and the second begins where the first ends; what stands between them can stand before, and neither that nor the
  second loop uses a number that the first computes (memory is looked at below);
- both leave after the same number of iterations, by the same test;
- an access of the one and an access of the other touch different memory always, or the same place in the same iteration and never
  again (the address moves by at least its size); this holds for pairs of reads too, because their adjoints are written;
- no floating number from outside is used by both, for the same reason;
- what carries a value to the next iteration is a counter or a sum: then loops that could be vectors are vectors together;
- at least one pair of accesses to numbers does meet. Otherwise nothing is gained.
What a loop may hold is a list: arithmetic, plain loads and stores, calls that only compute.

What one loop stores and a later one loads in the same iteration is then known without memory (`known`). Where nobody else reads
the memory, it carries no derivative any more.

Not done: loops of several blocks, loops that reach to their neighbours (`y[i - 1]`), tests of narrow integers that may wrap.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

from enzyme_magic.backend.analysis.counts.affine import Polynomial, add
from enzyme_magic.backend.analysis.derivatives.sums import summed
from enzyme_magic.backend.analysis.memory.alias import Alias
from enzyme_magic.backend.ir.graphs.loops import Loop
from enzyme_magic.backend.ir.instructions import (
    Binary,
    Branch,
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
from enzyme_magic.backend.ir.types import FloatType, IntType, Type
from enzyme_magic.backend.ir.values import Argument, Block, Value

_WITHOUT_MEMORY = (Binary, Cast, Compare, Freeze, GetElementPtr, Phi, Select, Unary)
_MAY_COME_FIRST = (Binary, Cast, Compare, GetElementPtr, Select)
_DIVIDES = ("udiv", "sdiv", "urem", "srem")
_MOST = 32  # accesses of a group: each is compared with all of the others, and each wants its place in the processor
APART, MEETS, UNKNOWN = "apart", "meets", "unknown"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class JoinedLoops:
    """Loops that may be one, in the order in which they run. known: loads of what an earlier one of them has just stored."""

    loops: tuple[Loop, ...]
    known: Mapping[Load, Value]


def joined_loops(alias: Alias) -> tuple[JoinedLoops, ...]:
    """The groups of loops that may be one."""
    if alias.loops.irreducible is not None:
        return ()
    groups: list[JoinedLoops] = []
    following = {loop.preheader: loop for loop in alias.loops.loops if loop.preheader is not None and is_alone(loop)}
    taken: set[Loop] = set()
    for loop in following.values():
        if loop in taken:
            continue
        group = [loop]
        while (after := _next(alias, group, following)) is not None:
            group.append(after)
        if len(group) > 1:
            taken.update(group)
            groups.append(JoinedLoops(tuple(group), _known(alias, group)))
    return tuple(groups)


def may_have_any(loops: tuple[Loop, ...]) -> bool:
    """Whether some loop of one block ends where another one begins: asked before anything that takes time."""
    begins = {loop.preheader for loop in loops if is_alone(loop)}
    return any(loop.exit_behind_latch in begins for loop in loops if is_alone(loop))


def is_alone(loop: Loop) -> bool:
    """Whether a loop is one block that is left in one way."""
    return len(loop.blocks) == 1 and loop.preheader is not None and loop.exit_behind_latch is not None


def _next(alias: Alias, group: list[Loop], following: dict[Block, Loop]) -> Loop | None:
    behind = group[-1].exit_behind_latch
    loop = following.get(behind) if behind is not None else None
    if loop is None or loop in group or sum(len(_accesses(each)) for each in (*group, loop)) > _MOST:
        return None
    between = {each.preheader for each in (*group[1:], loop) if each.preheader is not None}
    if not all(_is_understood(alias, each) for each in (*group, loop)) or not _may_come_first(group, loop, between):
        return None
    numbers = _numbers_from_outside(loop, between)
    if any(not numbers.isdisjoint(_numbers_from_outside(first, between)) for first in group):
        return None
    pairs = [_Pair(alias, first, loop) for first in group]
    return loop if all(pair.is_independent() for pair in pairs) and any(pair.meets() for pair in pairs) else None


def _may_come_first(group: list[Loop], loop: Loop, between: set[Block]) -> bool:
    """Whether what stands before `loop` needs nothing of the group, and the loop nothing of it either."""
    headers = {first.header for first in group}
    assert loop.preheader is not None
    moved = [i for i in loop.preheader.instructions[:-1] if not isinstance(i, Phi)]
    if not all(isinstance(i, _MAY_COME_FIRST) and i.opcode not in _DIVIDES for i in moved):
        return False
    used = (o for i in (*moved, *loop.header.instructions) for o in i.operands)
    return not any(_home(o) in headers or (isinstance(o, Phi) and o.parent in between) for o in used)


def _known(alias: Alias, group: list[Loop]) -> dict[Load, Value]:
    found: dict[Load, Value] = {}
    for number, loop in enumerate(group):
        pairs = [_Pair(alias, first, loop) for first in reversed(group[:number])]
        for load in _accesses(loop):
            if isinstance(load, Load) and _is_number(load.type):
                value = _stored_before(alias, load, pairs)
                if value is not None and value.type == load.type:
                    found[load] = value
    return found


def _stored_before(alias: Alias, load: Load, pairs: list[_Pair]) -> Value | None:
    """What the last store to the place of `load` in earlier loops stores; None where the loop of `load` may store there itself."""
    mask = alias.points_to.widen(alias.points_to.mask(load.pointer))
    for pair in pairs:
        own = _accesses(pair.second)
        if any(isinstance(i, Store) and alias.points_to.mask(i.pointer) & mask for i in own[: own.index(load)]):
            return None
        for store in reversed(_accesses(pair.first)):
            if isinstance(store, Store) and pair.relation(store, load) == MEETS:
                return store.value
    return None


@dataclass(slots=True, eq=False, repr=False)
class _Pair:
    """Two loops of one block each; `second` runs later."""

    alias: Alias
    first: Loop
    second: Loop

    def is_independent(self) -> bool:
        pairs = product(_accesses(self.first), _accesses(self.second))
        return self._leave_together() and all(self.relation(a, b) != UNKNOWN for a, b in pairs)

    def meets(self) -> bool:
        """Whether both touch the same number in the same iteration."""
        pairs = product(_accesses(self.first), _accesses(self.second))
        return any(_is_number(_accessed(a)) and self.relation(a, b) == MEETS for a, b in pairs)

    def _leave_together(self) -> bool:
        tests = [_test(loop) for loop in (self.first, self.second)]
        if tests[0] is None or tests[1] is None:
            return False
        (first, first_stays), (second, second_stays) = tests[0], tests[1]
        if first.predicate != second.predicate or first_stays != second_stays:
            return False
        return all(self._same(a, b) for a, b in zip(first.operands, second.operands, strict=True))

    def _same(self, first: Value, second: Value) -> bool:
        """Whether two integers are equal in equal iterations."""
        if first.type != second.type or not isinstance(first.type, IntType):
            return False
        integer = self.alias.evolution.integer
        return self._of_second(integer(first)) == integer(second)

    def _of_second(self, polynomial: Polynomial) -> Polynomial:
        """With the iteration of the second loop for that of the first."""
        iteration = self.alias.evolution.iteration
        there, here = iteration(self.first), iteration(self.second)
        return {tuple(sorted(here if s == there else s for s in m)): c for m, c in polynomial.items()}

    def relation(self, a: Load | Store, b: Load | Store) -> str:
        """How an access of the first loop stands to one of the second."""
        if isinstance(a, Load) and isinstance(b, Load) and not (_is_number(a.type) and _is_number(b.type)):
            return APART  # integers that are only read
        points_to = self.alias.points_to
        if not points_to.widen(points_to.mask(a.pointer)) & points_to.mask(b.pointer):
            return APART
        first, second = self.alias.evolution.address(a.pointer), self.alias.evolution.address(b.pointer)
        if first.base is not second.base or _home(first.base) in (self.first.header, self.second.header):
            return UNKNOWN
        stride = self._stride(second.offset)
        distance = add(second.offset, self._of_second(first.offset), -1)
        if stride == 0 or not set(distance) <= {()}:
            return UNKNOWN
        size_of = self.alias.layout.store_size
        return _meeting(stride, distance.get((), 0), size_of(_accessed(a)), size_of(_accessed(b)))

    def _stride(self, offset: Polynomial) -> int:
        """Bytes from one iteration of the second loop to the next; 0 where that is not known."""
        iteration = self.alias.evolution.iteration(self.second)
        moving = {monomial for monomial in offset if iteration in monomial}
        return abs(offset[iteration,]) if moving == {(iteration,)} else 0


def _meeting(stride: int, distance: int, first: int, second: int) -> str:
    """Of bytes [0, first) and [distance, distance + second), both moving by `stride` in each iteration."""
    if distance == 0 and first == second and stride >= first:
        return MEETS
    ahead = distance % stride
    return APART if first <= ahead and ahead + second <= stride else UNKNOWN


def _is_understood(alias: Alias, loop: Loop) -> bool:
    *body, last = loop.header.instructions
    if not isinstance(last, Branch):
        return False
    return all(_may_be_there(alias, i) for i in body) and all(
        _is_counter(alias, phi, loop) or summed(phi, loop) is not None for phi in body if isinstance(phi, Phi)
    )


def _may_be_there(alias: Alias, i: Instruction) -> bool:
    if isinstance(i, (Load, Store)):
        return not i.volatile and not i.ordering
    if isinstance(i, Call):
        pure = i.opcode == "call" and alias.effects.call_in(i, alias.points_to).pure
        return pure and not alias.writes(i)
    return isinstance(i, _WITHOUT_MEMORY)


def _is_counter(alias: Alias, phi: Phi, loop: Loop) -> bool:
    """Whether an integer or pointer is an affine function of the iteration."""
    evolution = alias.evolution
    if isinstance(phi.type, IntType):
        grown = evolution.integer(phi)
    else:
        found = evolution.address(phi)
        if found.base is phi:
            return False
        grown = found.offset
    return not any(_is_of_loop(evolution.symbols[s].of, loop) for monomial in grown for s in monomial)


def _is_of_loop(of: Value | Loop, loop: Loop) -> bool:
    return not isinstance(of, Loop) and _home(of) is loop.header


def _test(loop: Loop) -> tuple[Compare, bool] | None:
    """What decides whether the loop goes on, and the answer with which it does."""
    last = loop.header.terminator
    if not isinstance(last, Branch) or len(last.operands) != 1:
        return None
    condition = last.operands[0]
    return (condition, last.targets[0] is loop.header) if isinstance(condition, Compare) else None


def _numbers_from_outside(loop: Loop, between: set[Block]) -> set[Value]:
    """The floating numbers that the loop and what stands before it use; what blocks of `between` compute is looked through."""
    assert loop.preheader is not None
    own = loop.preheader.instructions[:-1] if loop.preheader in between else []
    pending = [o for i in (*own, *loop.header.instructions) for o in i.operands]
    found: set[Value] = set()
    seen: set[Value] = set()
    while pending:
        value = pending.pop()
        if value in seen or not isinstance(value, (Argument, Instruction)) or _home(value) is loop.header:
            continue
        seen.add(value)
        if isinstance(value, Instruction) and value.parent in between and not isinstance(value, Phi):
            pending += value.operands
        elif _is_number(value.type):
            found.add(value)
    return found


def _accesses(loop: Loop) -> list[Load | Store]:
    return [i for i in loop.header.instructions if isinstance(i, (Load, Store))]


def _accessed(access: Load | Store) -> Type:
    return access.type if isinstance(access, Load) else access.value.type


def _is_number(type_: Type) -> bool:
    return isinstance(type_.scalar, FloatType)


def _home(value: Value) -> Block | None:
    return value.parent if isinstance(value, Instruction) else None

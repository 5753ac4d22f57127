"""How often a loop runs, as far as it is known before the loop starts.

The number of iterations here is the number of times the *header* runs in one visit of the loop: the canonical counter when the loop
is left, plus one. It is 1 or more.

Theorem: let a branch that every iteration passes stay in the loop while X_k < B, where X_k = X_0 + s·k, s > 0, B does not change.
Then it leaves in iteration max(0, ⌈(B - X_0)/s⌉), provided X does not wrap before: certain for s = 1, else by `nsw`/`nuw`, or
because B + s is representable. Likewise for <=, where X must be able to pass B, and downwards. X_k ≠ B is left in iteration
(B - X_0)/s taken modulo 2^width, if s divides it.

Invariant: a count is an upper bound, whatever else happens in the loop; it is exact when there is no other way out and X cannot
wrap and come back. Where X may wrap (which depends on B alone), or steps over a B that it should meet, the emitted count is
LONGEST. No machine runs that many iterations, and adding a few counts to it does not overflow.

Not looked for: steps that are not constants (`i += k`, `i *= 2`), bounds that the loop may change, switches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from enzyme_magic.backend.analysis.counts.affine import SIGNED, UNSIGNED, Evolution, Polynomial, add, constant
from enzyme_magic.backend.analysis.counts.linear import (
    Linear,
    LinearLeaf,
    LinearOperation,
    LinearValues,
    Start,
    emit,
    polynomial,
)
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.graphs.dominators import DominatorTree
from enzyme_magic.backend.ir.graphs.loops import Loop
from enzyme_magic.backend.ir.instructions import Binary, Branch, Compare, Freeze, Phi, Select
from enzyme_magic.backend.ir.predicates import INVERSE, SWAPPED
from enzyme_magic.backend.ir.types import I1, I64, IntType, PointerType
from enzyme_magic.backend.ir.values import Block, ConstantInt, Value

ExitKind = Literal["ne", "lt", "le"]
LONGEST = constants.int_constant(I64, 1 << 62)


@dataclass(frozen=True, slots=True, eq=False)
class Exit:
    """One counted way out: stay while `start` + step·k is on the inner side of `bound`.

    kind: "ne", "lt" (strictly before the bound), "le" (up to the bound itself); `signed`: how the two are compared.
    `size`: the step without its sign; `upwards`: its sign. `margin`: X may wrap when fewer numbers than these are left beyond the
    bound; 0 where it cannot.
    """

    block: Block
    kind: ExitKind
    start: Start
    bound: Start
    size: int
    upwards: bool
    signed: bool
    margin: int = 0

    @property
    def readings(self) -> tuple[str, ...]:
        """How the numbers are to be read: as they are compared; either way where that does not tell."""
        return (SIGNED, UNSIGNED) if self.kind == "ne" else (SIGNED,) if self.signed else (UNSIGNED,)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TripCount:
    """The header runs at most as often as the smallest of `exits` says. `complete`: there is no other way out, so that it runs
    exactly so often unless X wraps."""

    loop: Loop
    exits: tuple[Exit, ...]
    complete: bool

    @property
    def exact(self) -> bool:
        """Whether the emitted count is the number of iterations whenever the loop ends at all."""
        return self.complete and all(
            found.size == 1 or (found.kind != "ne" and not found.margin) for found in self.exits
        )

    @property
    def reason(self) -> str:
        """For people."""
        if not self.complete:
            return "there are other ways out of the loop"
        return "every way out is counted" if self.exact else "the counter may wrap around"

    def emit(self, builder: Builder, value_of: Callable[[Value], Value]) -> Value:
        """The count as an i64 (unsigned), at the end of the loop's preheader. value_of: what a value that exists before the loop is
        called where the builder writes."""
        counts = [_emit(found, builder, value_of) for found in self.exits]
        total = counts[0]
        for count in counts[1:]:
            total = builder.select(builder.icmp("ult", count, total), count, total)
        return total

    def steps(self, found: Exit, evolution: Evolution, reading: str) -> tuple[Polynomial, int] | None:
        """(p, d): the header runs max(0, ⌊p/d⌋) + 1 times when the loop is left by `found`; None where p is no polynomial.
        reading: one of `found.readings`."""
        start, bound = polynomial(found.start, evolution, reading), polynomial(found.bound, evolution, reading)
        if start is None or bound is None:
            return None
        distance = add(bound, start, -1) if found.upwards else add(start, bound, -1)
        extra = {"ne": 0, "lt": found.size - 1, "le": found.size}[found.kind]
        return add(distance, constant(extra)), found.size


def trip_count(loop: Loop, evolution: Evolution) -> TripCount | None:
    """The trip count of `loop`, one of `evolution.loops`."""
    if loop.preheader is None or len(loop.latches) != 1 or evolution.loops.irreducible is not None:
        return None
    values = LinearValues(evolution, loop)
    exits: list[Exit] = []
    whole = True  # every way out is counted, and nothing else keeps it from being taken
    for block, target in loop.exits:
        if target.terminator.opcode == "unreachable":
            continue
        found, alone = _exits_at(block, values) if _every_time(block, loop, evolution) else ([], False)
        exits += found
        whole = whole and alone
    if not exits:
        return None
    return TripCount(loop, tuple(exits), whole)


def _every_time(block: Block, loop: Loop, evolution: Evolution) -> bool:
    """Whether each iteration passes the end of `block` exactly once."""
    return evolution.loops.of(block) is loop and evolution.dominators.dominates(block, loop.latch)


def _exits_at(block: Block, values: LinearValues) -> tuple[list[Exit], bool]:
    """The counted conditions of an exiting branch; and whether there is no other condition in it."""
    branch = block.terminator
    if not isinstance(branch, Branch) or len(branch.targets) != 2:
        return [], False
    inside = [target in values.loop.blocks for target in branch.targets]
    if all(inside) or not any(inside):
        return [], False
    tests = list(conditions(branch.operands[0], inside[0], values.evolution.dominators))
    found = [_exit(block, test, holds, values) for test, holds in tests]
    counted = [e for e in found if e is not None]
    return counted, len(tests) == len(counted)


def conditions(condition: Value, holds: bool, dominators: DominatorTree | None = None) -> Iterator[tuple[Value, bool]]:
    """What must all be true (or false) for `condition` to be true (or false). dominators: of a function in which `a && b` may be
    two branches that meet in a merge, as clang writes it; what is asked holds where that merge has just been passed."""
    pending = [(condition, holds)]
    while pending:
        value, wanted = pending.pop()
        parts = _parts(value, wanted)
        if parts is None and isinstance(value, Phi) and value.type == I1 and dominators is not None:
            parts = _short_circuit(value, wanted, dominators)
        if parts is None:
            yield value, wanted
        else:
            pending.extend(parts)


def _parts(value: Value, wanted: bool) -> list[tuple[Value, bool]] | None:
    if isinstance(value, Freeze):
        return [(value.operands[0], wanted)]
    if value.type != I1:
        return None
    if isinstance(value, Binary):
        if value.opcode == "xor" and value.operands[1] == constants.TRUE:
            return [(value.operands[0], not wanted)]
        if value.opcode == ("and" if wanted else "or"):
            return [(operand, wanted) for operand in value.operands]
    if isinstance(value, Select):
        condition, a, b = value.operands
        if wanted and b == constants.FALSE:
            return [(condition, True), (a, True)]
        if not wanted and a == constants.TRUE:
            return [(condition, False), (b, False)]
    return None


def _short_circuit(phi: Phi, wanted: bool, dominators: DominatorTree) -> list[tuple[Value, bool]] | None:
    """The conditions of `a && b` (or `a || b`) that meet in a merge: from each block but one comes at once what is not wanted, by
    one side of its branch; who arrives from the last block took the other side of each of them."""
    late = [(value, block) for value, block in phi.incoming if not isinstance(value, ConstantInt)]
    early = [(value, block) for value, block in phi.incoming if isinstance(value, ConstantInt)]
    if len(late) != 1 or any(isinstance(v, ConstantInt) and bool(v.value) == wanted for v, _ in early):
        return None
    parts: list[tuple[Value, bool]] = [(late[0][0], wanted)]
    for _, block in early:
        branch = block.terminator
        sides = [target is phi.parent for target in branch.successors]
        if (
            not isinstance(branch, Branch)
            or sorted(sides) != [False, True]
            or not dominators.dominates(block, late[0][1])
        ):
            return None
        parts.append((branch.operands[0], not sides[0]))
    return parts


def _exit(block: Block, test: Value, holds: bool, values: LinearValues) -> Exit | None:
    """The way out through one comparison that must hold (or not) to stay."""
    if not isinstance(test, Compare) or test.opcode != "icmp":
        return None
    predicate = test.predicate if holds else INVERSE[test.predicate]
    left, right = (values.of(operand) for operand in test.operands)
    if left is None or right is None:
        return None
    if left.step == 0 and right.step != 0:
        left, right, predicate = right, left, SWAPPED.get(predicate, predicate)
    if right.step != 0 or left.step == 0:
        return None
    if isinstance(test.operands[0].type, PointerType) and predicate != "ne":
        return None
    return _classified(block, left, right.start, predicate)


def _classified(block: Block, x: Linear, bound: Start, predicate: str) -> Exit | None:
    upwards, size = x.step > 0, abs(x.step)
    start, bound = _integer(x.start), _integer(bound)
    if predicate == "ne":
        return Exit(block, "ne", start, bound, size, upwards, signed=True)
    if predicate == "eq" or (predicate[1] == "l") != upwards:
        return None  # stays on one number, or walks away from the bound
    signed = predicate[0] == "s"
    kind: ExitKind = "lt" if predicate[2] == "t" else "le"
    exact = x.signed if signed else x.unsigned
    # How far beyond the bound X must be able to go.
    beyond = size - 1 if kind == "lt" else size
    if exact or _has_room(bound, beyond, upwards, signed):
        return Exit(block, kind, start, bound, size, upwards, signed)
    return Exit(block, kind, start, bound, size, upwards, signed, beyond)


def _has_room(bound: Start, beyond: int, upwards: bool, signed: bool) -> bool:
    """Whether the bound is a constant with `beyond` more numbers behind it."""
    if beyond == 0:
        return True
    if not isinstance(bound, LinearLeaf) or not isinstance(bound.value, ConstantInt):
        return False
    low, high = _range(bound, signed)
    value = bound.value.value if signed else bound.value.unsigned
    return value + beyond <= high if upwards else value - beyond >= low


def _range(of: Start, signed: bool) -> tuple[int, int]:
    assert isinstance(of.type, IntType)
    bits = of.type.bits
    return (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)


def _integer(start: Start) -> Start:
    return LinearOperation("ptrtoint", (start,), I64) if isinstance(start.type, PointerType) else start


# --- writing


def _emit(found: Exit, builder: Builder, value_of: Callable[[Value], Value]) -> Value:
    """The number of header iterations until `found` is taken."""
    start, bound = emit(found.start, builder, value_of), emit(found.bound, builder, value_of)
    first, last = (start, bound) if found.upwards else (bound, start)
    distance = _widened(builder, builder.sub(last, first))
    if found.kind == "ne":
        count = _steps(builder, distance, found.size, 1)
        if found.size == 1:
            return count
        rest = builder.urem(distance, constants.int_constant(I64, found.size))
        return builder.select(builder.icmp("eq", rest, constants.int_constant(I64, 0)), count, LONGEST)
    if found.kind == "lt":
        # ⌈distance / size⌉ = ⌊(distance - 1) / size⌋ + 1 for a distance of 1 or more
        distance = builder.sub(distance, constants.int_constant(I64, 1))
    staying = builder.icmp(f"{'s' if found.signed else 'u'}l{found.kind[1]}", first, last)
    count = builder.select(staying, _steps(builder, distance, found.size, 2), constants.int_constant(I64, 1))
    return builder.select(_near_the_end(found, builder, bound), LONGEST, count) if found.margin else count


def _near_the_end(found: Exit, builder: Builder, bound: Value) -> Value:
    """Whether fewer than `margin` numbers lie beyond the bound."""
    low, high = _range(found.bound, found.signed)
    limit = high - found.margin if found.upwards else low + found.margin
    beyond = "gt" if found.upwards else "lt"
    return builder.icmp(f"{'s' if found.signed else 'u'}{beyond}", bound, constants.int_constant(bound.type, limit))


def _widened(builder: Builder, value: Value) -> Value:
    return value if value.type == I64 else builder.zext(value, I64)


def _steps(builder: Builder, distance: Value, size: int, more: int) -> Value:
    """⌊distance / size⌋, at most LONGEST, plus `more`."""
    steps = distance if size == 1 else builder.udiv(distance, constants.int_constant(I64, size))
    bounded = builder.select(builder.icmp("ugt", steps, LONGEST), LONGEST, steps)
    return builder.add(bounded, constants.int_constant(I64, more))

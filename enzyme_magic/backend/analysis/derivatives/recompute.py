"""How a value of the forward sweep can be had again in the reverse sweep without storing it, and at what price.

Invariant: a recipe is legal only where evaluating it in the mirrored block gives the bits the forward sweep had: pure
operations of values that can be had themselves; loads from memory that nothing overwrites before; induction phis as
start + counter · step, exact in the integers modulo 2^n. Never: other loop-carried phis, merges, freeze, impure
calls.

The price counts arithmetic operations; storing a double costs its 8 bytes (see cache_plan).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from enzyme_magic.backend.analysis.counts.tripcount import TripCount
from enzyme_magic.backend.analysis.derivatives.branch_taken import changes, deciding_condition
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.graphs.loops import Loop
from enzyme_magic.backend.ir.instructions import (
    Alloca,
    Binary,
    Call,
    Cast,
    Compare,
    ExtractElement,
    ExtractValue,
    GetElementPtr,
    InsertElement,
    InsertValue,
    Instruction,
    Load,
    Phi,
    Select,
    ShuffleVector,
    Unary,
)
from enzyme_magic.backend.ir.types import IntType, PointerType, Type, is_pointer
from enzyme_magic.backend.ir.values import Block, ConstantInt, Value
from enzyme_magic.backend.prepare.prepared import Prepared
from enzyme_magic.backend.rules import registry
from enzyme_magic.backend.rules.custom import RECOMPUTE

PRIMAL: Final = "primal"
SHADOW: Final = "shadow"
TAPE: Final = "tape"
EXISTS_ONCE = "the called function reads it in its own reverse sweep"
PURE = (
    Binary,
    Unary,
    Compare,
    Cast,
    Select,
    GetElementPtr,
    ExtractValue,
    InsertValue,
    ExtractElement,
    InsertElement,
    ShuffleVector,
)
WITHIN = ("getelementptr", "sext", "zext", "trunc")  # part of another instruction, or of none
COST = {**dict.fromkeys(WITHIN, 0), "fdiv": 8, "frem": 16, "sdiv": 8, "udiv": 8, "srem": 8, "urem": 8, "load": 2}
DEAR = 64
FREE_TO_ROUND = frozenset(["fast", "nnan", "ninf", "arcp", "contract", "afn", "reassoc"])
MOST_EXACT = 64  # values that a condition may be computed from to be had again; it is looked at value by value
WORTH_A_LOAD = 8  # what costs as much is rather read from where the program has stored it


NeedKind = Literal["primal", "shadow", "tape"]
RecipeKind = Literal["available", "recompute", "reread", "induction", "count", "branch", "illegal"]


@dataclass(frozen=True, slots=True)
class Need:
    """Something of the forward sweep that the reverse sweep wants: the value itself, its shadow pointer, or the tape
    of a call."""

    kind: NeedKind
    value: Value


@dataclass(frozen=True, slots=True)
class Recipe:
    """kind: "available" (no work, no storage), "recompute", "induction", "count" (the number of the last iteration of a
    loop, by its trip count), "branch" (the condition that decided, `negated` or not), "reread" (`load` reads it from memory that
    the program has put it into), or "illegal" (`reason` says why)."""

    kind: RecipeKind
    operands: tuple[Need, ...] = ()
    cost: int = 0
    reason: str = ""
    count: TripCount | None = None
    negated: bool = False
    load: Load | None = None


AVAILABLE = Recipe("available")


@dataclass(frozen=True, slots=True)
class Induction:
    """phi = start + counter · step; `step_type` is the element type of a pointer induction."""

    opcode: str  # add, sub, getelementptr
    start: Value
    step: Value
    step_type: Type | None = None


def induction_of(phi: Phi, prepared: Prepared) -> Induction | None:
    """The induction a header phi follows, if its step does not change in the loop."""
    loop = prepared.loops.of(phi.parent)
    if loop is None or phi.parent is not loop.header or loop.preheader is None:
        return None
    following = phi.value_from(loop.latch)
    start = phi.value_from(loop.preheader)
    if isinstance(following, Binary) and following.opcode in ("add", "sub"):
        left, right = following.operands
        if right is phi and following.opcode == "add":
            left, right = right, left
        if left is phi and _invariant(right, loop, prepared):
            return Induction(following.opcode, start, right)
    if isinstance(following, GetElementPtr) and following.pointer is phi and len(following.indices) == 1:
        (step,) = following.indices
        single = isinstance(phi.type, PointerType) and isinstance(step.type, IntType)  # no vector of either
        if single and _invariant(step, loop, prepared):
            return Induction("getelementptr", start, step, following.source_type)
    return None


def _invariant(value: Value, loop: Loop, prepared: Prepared) -> bool:
    return not isinstance(value, Instruction) or value.parent not in loop.blocks


@dataclass(frozen=True, slots=True, repr=False)
class Recipes:
    """Recipes for one prepared function.

    why_overwritten(load): a sentence when the loaded memory may have changed by the time the reverse sweep reads it.
    count_of(loop): its exact trip count, if it is known before the loop. repeatable(call): whether a call without a
    rule depends on its arguments alone and does nothing else.
    outlives: whether forward values outside loops are still at hand (one function holds both sweeps).
    memory_with(value): a load that finds the value where the program has just stored it, or None.
    """

    prepared: Prepared
    why_overwritten: Callable[[Load], str | None]
    outlives: bool
    repeatable: Callable[[Call], bool]
    count_of: Callable[[Loop], TripCount | None]
    memory_with: Callable[[Instruction], Load | None] = lambda value: None

    def recipe(self, need: Need) -> Recipe:
        found = self.by_operation(need)
        dear = found.kind == "illegal" or (found.kind == "recompute" and found.cost >= WORTH_A_LOAD)
        if not dear or need.kind != PRIMAL or not isinstance(need.value, Instruction):
            return found
        return self._reread(need.value) or found

    def _reread(self, value: Instruction) -> Recipe | None:
        load = self.memory_with(value)
        if load is None or self.recipe(Need(PRIMAL, load.pointer)).kind == "illegal" or self.why_overwritten(load):
            return None
        return Recipe("reread", (Need(PRIMAL, load.pointer),), COST["load"], load=load)

    def by_operation(self, need: Need) -> Recipe:
        """The recipe that repeats the operation itself."""
        value = need.value
        if not isinstance(value, Instruction):
            return AVAILABLE
        if need.kind == TAPE:
            return Recipe("illegal", reason=EXISTS_ONCE)
        if self.prepared.loop_of(value) is None and self.outlives:
            return AVAILABLE
        if isinstance(value, Phi):
            return self._phi(need, value)
        if isinstance(value, Alloca):
            return (
                AVAILABLE if self._is_static(value) else Recipe("illegal", reason="its address is decided at run time")
            )
        if isinstance(value, Load):
            return self._load(need, value)
        if isinstance(value, Call):
            return self._call(need, value)
        if isinstance(value, PURE) and (need.kind == PRIMAL or _is_mirrored(value)):
            return Recipe("recompute", self._operands(need, value), self._cost(value))
        return Recipe("illegal", reason=f"{value.opcode} cannot be repeated")

    def _cost(self, value: Instruction) -> int:
        """Arithmetic operations; none for a comparison that stays the same while its loop runs: it leaves the reversed loop."""
        stays = isinstance(value, Compare) and not changes(value, self.prepared.loop_of(value), self.prepared)
        return 0 if stays else COST.get(value.opcode, 1)

    def _is_static(self, value: Alloca) -> bool:
        return value.parent is self.prepared.function.entry and isinstance(value.operands[0], ConstantInt)

    def _operands(self, need: Need, value: Instruction) -> tuple[Need, ...]:
        if need.kind == PRIMAL:
            return tuple(Need(PRIMAL, v) for v in value.operands)
        return tuple(Need(SHADOW if is_pointer(v.type) else PRIMAL, v) for v in value.operands)

    def _load(self, need: Need, load: Load) -> Recipe:
        if load.volatile or load.ordering:
            return Recipe("illegal", reason="it is read from volatile or atomic memory")
        overwritten = self.why_overwritten(load)
        if overwritten:
            return Recipe("illegal", reason=overwritten)
        return Recipe("recompute", self._operands(need, load), COST["load"])

    def _call(self, need: Need, call: Call) -> Recipe:
        rule = registry.rule_for(call) if need.kind == PRIMAL else None
        if rule is None and not (need.kind == PRIMAL and self.repeatable(call)):
            return Recipe("illegal", reason="the call may give another result when repeated")
        function = call.called_function
        asked = function is not None and RECOMPUTE in function.attributes
        cost = DEAR if not asked and (rule is None or rule.cost == "dear") else 1
        return Recipe("recompute", tuple(Need(PRIMAL, v) for v in call.arguments), cost)

    def _phi(self, need: Need, phi: Phi) -> Recipe:
        loop = self.prepared.loops.of(phi.parent)
        if loop is not None and self.prepared.counters.get(loop) is phi:
            return AVAILABLE
        induction = induction_of(phi, self.prepared)
        if induction is not None and not (need.kind == SHADOW and induction.opcode != "getelementptr"):
            assert loop is not None
            counter = Need(PRIMAL, self.prepared.counters[loop])
            return Recipe("induction", (Need(need.kind, induction.start), Need(PRIMAL, induction.step), counter), 2)
        counted = self._exit_count(phi)
        if counted is not None:
            return counted
        distinct = set(phi.operands)
        if len(distinct) == 1 and self.prepared.loop_of(phi.operands[0]) is loop:
            return Recipe("recompute", (Need(need.kind, phi.operands[0]),), 0)
        taken = deciding_condition(phi, self.prepared)
        if taken is not None and self._same_again(taken.condition):
            return Recipe("branch", (Need(PRIMAL, taken.condition),), negated=taken.negated)
        if loop is not None and phi.parent is loop.header:
            return Recipe("illegal", reason="each iteration of the loop changes it")
        inner = self.prepared.loop_of(phi.operands[0]) if len(distinct) == 1 else None
        if inner is not None and inner is not loop:
            return Recipe("illegal", reason="the loop that computes it does not run again")
        return Recipe("illegal", reason="it depends on the branch taken")

    def _same_again(self, condition: Value) -> bool:
        """Whether a condition comes out the same when it is had again: both sweeps must go one way. So it is with what is at hand,
        was stored or is read again, and with integers and correctly rounded operations of these. A product that LLVM may or may
        not fuse with a sum may round in another way, and so may a function of the C library in a vector."""
        pending, seen = [condition], {condition}
        while pending:
            value = pending.pop()
            recipe = self.recipe(Need(PRIMAL, value))
            if recipe.kind in ("recompute", "branch") and not (isinstance(value, (Phi, Load)) or _is_exact(value)):
                return False
            operands = {operand.value for operand in recipe.operands} - seen
            seen |= operands
            pending += operands
            if len(seen) > MOST_EXACT:
                return False
        return True

    def _exit_count(self, phi: Phi) -> Recipe | None:
        """The counter's value in the iteration a loop was left from, where the trip count tells it."""
        loop = self._counted_loops().get(phi)
        count = self.count_of(loop) if loop is not None else None
        if count is None:
            return None
        read = values_read(count)
        return Recipe("count", tuple(Need(PRIMAL, v) for v in read), 1, count=count)

    def _counted_loops(self) -> dict[Value, Loop]:
        return {phi: loop for (loop, _), phi in self.prepared.exit_counts.items()}


def _is_exact(value: Value) -> bool:
    """Whether an operation gives the same bits for the same operands, however it is compiled."""
    return isinstance(value, PURE) and FREE_TO_ROUND.isdisjoint(value.flags)


def _is_mirrored(value: Instruction) -> bool:
    """Whether the shadow of an address is the same operation on shadows: not where it was an integer, or part of something."""
    same = isinstance(value, Cast) and value.opcode in ("bitcast", "addrspacecast")
    return same or isinstance(value, (GetElementPtr, Select))


def values_read(count: TripCount) -> tuple[Value, ...]:
    """The values a trip count is computed from, learnt by writing it into thin air."""
    read: dict[Value, None] = {}

    def note(value: Value) -> Value:
        read[value] = None
        return value

    count.emit(Builder(Block("")), note)
    return tuple(read)

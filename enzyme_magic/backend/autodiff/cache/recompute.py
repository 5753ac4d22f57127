"""Values of the forward sweep in the reverse sweep: at hand, read from the tape, or computed again, as the plan
decided.

Invariant: `get` returns a value that is valid at the builder's place in the reversed block and has the bits the
forward sweep had in the mirrored iteration. Copies of instructions lose what only holds where the original executes:
alias scopes, ranges, nonnull, noundef, nuw/nsw/inbounds. Within one reversed block each need is evaluated once.
Iterative: chains may be as long as the function.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from enzyme_magic.backend.analysis.derivatives.cache_plan import CachePlan, Read
from enzyme_magic.backend.analysis.derivatives.recompute import PRIMAL, SHADOW, Need, Recipe, induction_of
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.attributes import EMPTY
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.clone import clone_instruction
from enzyme_magic.backend.ir.instructions import Call, Instruction, Phi
from enzyme_magic.backend.ir.types import I64, POINTER, IntType, PointerType, Type, VectorType
from enzyme_magic.backend.ir.values import Value
from enzyme_magic.backend.prepare.prepared import Prepared
from enzyme_magic.backend.rules import vector_functions
from enzyme_magic.errors import InternalError

KEPT_METADATA = frozenset(["tbaa"])
FAST_MATH = frozenset(["fast", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc"])


def fast_math_flags(instruction: Instruction) -> tuple[str, ...]:
    """The fast-math words of an instruction: what derivative code inherits, and all it inherits."""
    return tuple(flag for flag in instruction.flags if flag in FAST_MATH)


class ReversePrimals:
    """What the reverse sweep may ask for. Two implementations: the recorder of the dry run and the real one."""

    reader: Instruction | None = None

    def begin_block(self) -> None:
        """A new reversed block starts: nothing evaluated before is valid any more."""

    def pause(self) -> Callable[[], None]:
        """What goes on with the block that is being written, after others were."""
        raise NotImplementedError

    def get(self, builder: Builder, need: Need) -> Value:
        raise NotImplementedError

    def primal(self, builder: Builder, value: Value) -> Value:
        return self.get(builder, Need(PRIMAL, value))

    def shadow(self, builder: Builder, value: Value) -> Value:
        return self.get(builder, Need(SHADOW, value))


@dataclass(slots=True, repr=False)
class Recorder(ReversePrimals):
    """Dry run: notes what is asked for and by whom, and answers with poison of the right type."""

    outside: Callable[[Need], Value | None]
    reader: Instruction | None = None
    _blocks: list[list[Read]] = field(default_factory=list)  # what each reversed block reads, in their order
    _block: list[Read] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._blocks.append(self._block)

    @property
    def reads(self) -> list[Read]:
        """Everything that was asked for, in the order of the reversed blocks."""
        return [read for block in self._blocks for read in block]

    def begin_block(self) -> None:
        self._block = []
        self._blocks.append(self._block)

    def pause(self) -> Callable[[], None]:
        block, reader = self._block, self.reader

        def go_on() -> None:
            self._block, self.reader = block, reader

        return go_on

    def get(self, builder: Builder, need: Need) -> Value:
        outside = self.outside(need)
        if outside is not None:
            return outside
        self._block.append(Read(need, self.reader))
        return constants.poison(need.value.type if need.kind == PRIMAL else POINTER)


@dataclass(slots=True, repr=False)
class Evaluator(ReversePrimals):
    """The real one.

    outside(need): arguments, constants, globals and their shadows; available(builder, need): what the forward sweep
    left at hand (counters, registers, static allocas); stored(builder, need): from the tape. in_vectors(call): whether a call of
    libm may be computed in vectors when it is repeated.
    """

    prepared: Prepared
    plan: CachePlan
    outside: Callable[[Need], Value | None]
    available: Callable[[Builder, Need], Value]
    stored: Callable[[Builder, Need], Value]
    in_vectors: Callable[[Instruction], bool]
    reader: Instruction | None = None
    _memo: dict[Need, Value] = field(default_factory=dict)

    def begin_block(self) -> None:
        self._memo = {}

    def pause(self) -> Callable[[], None]:
        memo, reader = self._memo, self.reader

        def go_on() -> None:
            self._memo, self.reader = memo, reader

        return go_on

    def get(self, builder: Builder, need: Need) -> Value:
        pending = [need]
        while pending:
            current = pending[-1]
            if current in self._memo:
                pending.pop()
                continue
            direct = self._direct(builder, current)
            if direct is not None:
                self._memo[current] = direct
                pending.pop()
                continue
            recipe = self.plan.recipes[current]
            missing = [operand for operand in recipe.operands if operand not in self._memo]
            if missing:
                pending.extend(reversed(missing))
                continue
            self._memo[current] = self._evaluate(builder, current, recipe)
            pending.pop()
        return self._memo[need]

    def _direct(self, builder: Builder, need: Need) -> Value | None:
        outside = self.outside(need)
        if outside is not None:
            return outside
        decision = self.plan.decisions.get(need)
        if decision == "store":
            return self.stored(builder, need)
        if decision == "available":
            return self.available(builder, need)
        if decision is None or self.plan.recipes[need].kind == "illegal":
            raise InternalError(f"the reverse sweep asks for {need.kind} of {need.value!r:.200}, which was not planned")
        return None

    def _evaluate(self, builder: Builder, need: Need, recipe: Recipe) -> Value:
        value = need.value
        assert isinstance(value, Instruction)
        operands = [self._memo[operand] for operand in recipe.operands]
        if recipe.kind == "count":
            assert recipe.count is not None
            known = {operand.value: again for operand, again in zip(recipe.operands, operands, strict=True)}
            trips = recipe.count.emit(builder, lambda v: known.get(v, v))
            return builder.sub(trips, constants.int_constant(I64, 1))
        if recipe.kind == "induction":
            assert isinstance(value, Phi)
            return self._induction(builder, value, *operands)
        if recipe.kind == "branch":
            return builder.xor(operands[0], constants.TRUE) if recipe.negated else operands[0]
        if recipe.load is not None:
            return builder.insert(_copy(recipe.load, operands, "_again"))
        if isinstance(value, Phi):
            return operands[0]
        suffix = "_again" if need.kind == PRIMAL else "_shadow"
        copied = _copy(value, operands, suffix)
        if isinstance(copied, Call):
            copied.attributes = vector_functions.marked(copied.attributes, self.in_vectors(value))
        return builder.insert(copied)

    def _induction(self, builder: Builder, phi: Phi, start: Value, step: Value, counter: Value) -> Value:
        induction = induction_of(phi, self.prepared)
        assert induction is not None
        if induction.opcode == "getelementptr":
            assert induction.step_type is not None
            wide = _as_integer(builder, step, I64, signed=True)
            return builder.gep(induction.step_type, start, [_times(builder, counter, wide)])
        travelled = _times(builder, _in_each_lane(builder, counter, phi.type), step)
        return builder.binary(induction.opcode, start, travelled)


def _in_each_lane(builder: Builder, counter: Value, type_: Type) -> Value:
    """The counter as an integer, or a vector of integers, of this type."""
    scalar = type_.element if isinstance(type_, VectorType) else type_
    assert isinstance(scalar, IntType)
    counter = _as_integer(builder, counter, scalar, signed=False)
    if not isinstance(type_, VectorType):
        return counter
    nothing = constants.poison(type_)
    return builder.shuffle_vector(builder.insert_element(nothing, counter, 0), nothing, [0] * type_.count)


def _times(builder: Builder, count: Value, step: Value) -> Value:
    single = isinstance(step.type, IntType) and step == constants.int_constant(step.type, 1)
    return count if single else builder.mul(count, step)


def _as_integer(builder: Builder, value: Value, type_: IntType, *, signed: bool) -> Value:
    assert isinstance(value.type, IntType)
    if value.type.bits == type_.bits:
        return value
    if value.type.bits > type_.bits:
        return builder.trunc(value, type_)
    return builder.sext(value, type_) if signed else builder.zext(value, type_)


def _copy(instruction: Instruction, operands: list[Value], suffix: str) -> Instruction:
    copied = clone_instruction(instruction, {})
    callee = copied.operands[-1:] if isinstance(copied, Call) else []
    copied.operands = [*operands, *callee]
    if isinstance(copied.type, PointerType) and operands and isinstance(operands[0].type, PointerType):
        copied.type = operands[0].type if instruction.opcode in ("getelementptr", "select") else copied.type
    copied.name = f"{instruction.name}{suffix}" if instruction.name else ""
    copied.flags = fast_math_flags(instruction)
    copied.metadata = {kind: node for kind, node in instruction.metadata.items() if kind in KEPT_METADATA}
    if isinstance(copied, Call):
        copied.tail = ""
        copied.attributes = copied.result_attributes = EMPTY
        copied.argument_attributes = [EMPTY] * len(copied.argument_attributes)
    return copied

"""The adjoint of one instruction.

For an instruction y = f(x_1 … x_n) the reverse sweep takes the adjoint d of y and adds d·∂f/∂x_k to the adjoint of
every active operand; what a partial is comes from the rules. Where y was computed without being demanded
(analysis/derivatives/demand.py), what leaves the undemanded expression is masked: the product is dropped, not multiplied by zero,
so that no infinity or NaN escapes.

Not here: control flow, where primals come from, what a call does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from enzyme_magic.backend.analysis.derivatives.activity import Activity
from enzyme_magic.backend.analysis.derivatives.demand import Demand
from enzyme_magic.backend.autodiff.cache.recompute import ReversePrimals
from enzyme_magic.backend.autodiff.sweeps import moves
from enzyme_magic.backend.autodiff.sweeps.adjoints import Adjoints, Flags, Parts
from enzyme_magic.backend.autodiff.sweeps.leaves import Leaf, Path, extract
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.instructions import (
    AtomicRMW,
    Binary,
    Call,
    Cast,
    ExtractElement,
    Instruction,
    Load,
    Phi,
    Return,
    Select,
    ShuffleVector,
    Store,
)
from enzyme_magic.backend.ir.module import Module
from enzyme_magic.backend.ir.types import VectorType
from enzyme_magic.backend.ir.values import Block, Value
from enzyme_magic.backend.rules import registry
from enzyme_magic.backend.rules.ir_emitter import InstructionPrimals, IREmitter
from enzyme_magic.backend.rules.rule import Rule
from enzyme_magic.errors import DifferentiationError

Failure = Callable[[Instruction, str, str], DifferentiationError]


class MemoryAdjoints(Protocol):
    def load(self, builder: Builder, load: Load, parts: Parts, flags: Flags) -> None: ...

    def store(self, builder: Builder, store: Store) -> None: ...

    def update(self, builder: Builder, instruction: AtomicRMW) -> None: ...

    def settle(self, builder: Builder) -> None: ...


class CarriedAdjoints(Protocol):
    """Integers that are moved whatever they hold (carriers.py)."""

    values: frozenset[Value]

    def write(self, builder: Builder, i: Instruction) -> bool: ...

    def take(self, builder: Builder, phi: Phi) -> None: ...

    def pass_on(self, builder: Builder, phi: Phi, predecessor: Block) -> None: ...


class CallAdjoints(Protocol):
    def handles(self, call: Call) -> bool: ...

    def reverse(self, builder: Builder, call: Call) -> None: ...


@dataclass(slots=True, repr=False)
class AdjointWriter:
    """Writes adjoints with the collaborators it is given. `fail(instruction, what, hint)` makes the error to raise.
    in_vectors(i): whether calls of libm in the derivative of `i` may be computed in vectors."""

    module: Module
    activity: Activity
    demand: Demand
    adjoints: Adjoints
    primals: ReversePrimals
    memory: MemoryAdjoints
    calls: CallAdjoints
    leaves_of: Callable[[Value], tuple[Leaf, ...]]
    seed: Callable[[Builder, Return], None]
    fail: Failure
    in_vectors: Callable[[Instruction], bool]
    carried: CarriedAdjoints | None = None

    def write(self, builder: Builder, i: Instruction) -> None:
        """Add the adjoint of `i` (anything but a phi) to the reversed block."""
        self.primals.reader = i
        if self.carried is not None and self.carried.write(builder, i):
            return
        if isinstance(i, Store):
            self.memory.store(builder, i)
        elif isinstance(i, Return):
            self.seed(builder, i)
        elif isinstance(i, AtomicRMW):
            self.memory.settle(builder)
            self.memory.update(builder, i)
        elif isinstance(i, Call) and self.calls.handles(i):
            self.memory.settle(builder)
            self.calls.reverse(builder, i)
        elif self.activity.active(i):
            parts = self.adjoints.take(builder, i)
            flags = self.adjoints.flags(builder, i, parts)
            if parts:
                self._spread(builder, i, parts, flags)

    def _spread(self, builder: Builder, i: Instruction, parts: Parts, flags: Flags) -> None:
        if isinstance(i, Load):
            self.memory.load(builder, i, parts, flags)
        elif isinstance(i, Select):
            self._select(builder, i, parts, flags)
        elif moves.is_dynamic(i):
            self._dynamic(builder, i, parts, flags)
        elif moves.is_move(i):
            self._move(builder, i, parts, flags)
        else:
            rule = registry.rule_for(i)
            if rule is None:
                hint = "rewrite the operation in floating arithmetic"
                raise self.fail(i, f"no derivative is known for {i.opcode}", hint)
            self._by_rule(builder, i, rule, parts, flags)

    def give(
        self, builder: Builder, user: Instruction, operand: Value, path: Path, part: Value, flag: Value | None
    ) -> None:
        """Add `part` to the adjoint of `operand`, on behalf of `user`; `flag`: whether the leaf of it that `part` comes from was
        demanded."""
        if not self.activity.active(operand):
            return
        if self.carried is not None and operand in self.carried.values:
            raise self.fail(user, *moves.DROPPED)
        if flag is not None and (_mixes_leaves(user) or not self.demand.follows(operand, user)):
            part = mask(builder, flag, part)
        self.adjoints.add(builder, operand, path, part, flag)

    # Operations with a rule

    def _by_rule(self, builder: Builder, i: Instruction, rule: Rule, parts: Parts, flags: Flags) -> None:
        for k in sorted(rule.active_operands):
            operand = i.operands[k]
            if not self.activity.active(operand):
                continue
            for path, d in parts.items():
                result, lane = (path[0], path[1:]) if rule.results > 1 else (0, path)
                contribution = rule.contribution(result, k)
                if contribution is None:
                    continue
                free = self.in_vectors(i)
                type_, more = operand.type.scalar, self.adjoints.product_flags
                emitter = IREmitter.for_instruction(builder, self.module, i, type_, free, more)
                primals = self._primals_of(emitter, i, rule, lane)
                gate = rule.gate(k) if operand in self.demand.conditional else None
                if gate is None:
                    value = contribution(emitter, d, primals)
                    self.give(builder, i, operand, lane, value, flags.get(path))
                    continue
                passed = gate.passed(emitter, emitter.term(d), primals).value
                here = gate.condition(emitter, primals).value
                here = here if gate.when else builder.xor(here, constants.TRUE)
                self.give(builder, i, operand, lane, passed, _both(builder, flags.get(path), here))

    def _primals_of(self, emitter: IREmitter, i: Instruction, rule: Rule, lane: Path) -> InstructionPrimals:
        builder = emitter.builder

        def operand(k: int) -> Value:
            value = self.primals.primal(builder, i.operands[k])
            return extract(builder, value, lane) if isinstance(value.type, VectorType) else value

        def result() -> Value:
            value = self.primals.primal(builder, i)
            return extract(builder, value, lane) if isinstance(value.type, VectorType) else value

        return InstructionPrimals(emitter, i, operand, result, rule.results)

    # Operations that only move values

    def _select(self, builder: Builder, i: Instruction, parts: Parts, flags: Flags) -> None:
        condition, *arms = i.operands
        self._check_merge(i)
        if arms[0] is arms[1]:
            self._give_all(builder, i, arms[0], parts, flags)
            return
        active = [(k, arm) for k, arm in enumerate(arms) if self.activity.active(arm)]
        if not active:
            return
        chosen = self.primals.primal(builder, condition)
        for k, arm in active:
            for path, part in parts.items():
                truth = extract(builder, chosen, path[:1]) if isinstance(chosen.type, VectorType) else chosen
                here = truth if k == 0 else builder.xor(truth, constants.TRUE)
                flag = flags.get(path)
                self.give(builder, i, arm, path, part, here if flag is None else builder.and_(flag, here))

    def _check_merge(self, i: Instruction) -> None:
        if self.activity.active(i) and moves.dropped(i, self.leaves_of) is not None:
            raise self.fail(i, *moves.DROPPED)

    def _give_all(self, builder: Builder, i: Instruction, operand: Value, parts: Parts, flags: Flags) -> None:
        for path, part in parts.items():
            self.give(builder, i, operand, path, part, flags.get(path))

    def _move(self, builder: Builder, i: Instruction, parts: Parts, flags: Flags) -> None:
        if isinstance(i, (Cast, Binary)) and not moves.keeps_leaves(i, self.leaves_of):
            raise self.fail(i, *moves.broken(i))
        for path, part in parts.items():
            source = moves.source_of(i, path, self.leaves_of)
            if source is not None:
                self.give(builder, i, source[0], source[1], part, flags.get(path))

    def _dynamic(self, builder: Builder, i: Instruction, parts: Parts, flags: Flags) -> None:
        """extractelement and insertelement with a variable index: every lane asks whether it is meant."""
        vector, index = i.operands[0], i.operands[-1]
        at = self.primals.primal(builder, index)
        for lane in self.leaves_of(vector):
            here = builder.icmp("eq", at, constants.int_constant(at.type, lane.path[0]))
            if isinstance(i, ExtractElement):
                self.give(builder, i, vector, lane.path, parts[()], _both(builder, flags.get(()), here))
            elif lane.path in parts:
                part, flag = parts[lane.path], flags.get(lane.path)
                self.give(builder, i, i.operands[1], (), mask(builder, here, part), _both(builder, flag, here))
                elsewhere = builder.xor(here, constants.TRUE)
                self.give(builder, i, vector, lane.path, part, _both(builder, flag, elsewhere))

    # Phis: their adjoint goes along the edge that was taken

    def take_phis(self, builder: Builder, phis: list[Phi]) -> list[tuple[Phi, Parts, Flags]]:
        """Read all adjoints before any is given on, because phis may exchange values."""
        taken: list[tuple[Phi, Parts, Flags]] = []
        for phi in phis:
            if self.carried is not None and phi in self.carried.values:
                self.carried.take(builder, phi)
                taken.append((phi, {}, {}))
                continue
            self._check_merge(phi)
            parts = self.adjoints.take(builder, phi)
            taken.append((phi, parts, self.adjoints.flags(builder, phi, parts)))
        return taken


def _mixes_leaves(user: Instruction) -> bool:
    """Whether several leaves of the result may come from one leaf of an operand: then one that is not demanded must not be summed
    with one that is."""
    rule = None if isinstance(user, Select) else registry.rule_for(user)
    return isinstance(user, ShuffleVector) or moves.is_dynamic(user) or (rule is not None and rule.results > 1)


def _both(builder: Builder, flag: Value | None, here: Value) -> Value:
    return here if flag is None else builder.and_(flag, here)


def mask(builder: Builder, flag: Value, part: Value) -> Value:
    """`part` where `flag` holds, else zero."""
    if flag == constants.TRUE:
        return part
    return builder.select(flag, part, constants.zero(part.type))

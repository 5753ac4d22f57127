"""Forward mode: a tangent beside every active value.

The written function is the primal with, behind each active instruction, the instructions that compute its tangent:
the sum over the operands of what the rule gives for the operand's tangent (Griewank and Walther, Evaluating
Derivatives, chapter 3). Tangents of memory lie in shadow memory. Nothing is kept and nothing runs backwards, so this
is also what reverse mode is checked against.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from enzyme_magic.backend.analysis.derivatives import presence
from enzyme_magic.backend.autodiff import asked_integers
from enzyme_magic.backend.autodiff.calls import stack_check
from enzyme_magic.backend.autodiff.calls.forward_calls import ForwardCalls
from enzyme_magic.backend.autodiff.calls.request import ACTIVE, DUPLICATED, FunctionRequest
from enzyme_magic.backend.autodiff.calls.signature import (
    Parameters,
    function_type,
    give_back,
    parameters,
    result_type,
)
from enzyme_magic.backend.autodiff.context import SweepContext
from enzyme_magic.backend.autodiff.custom.custom_calls import CalledTangents
from enzyme_magic.backend.autodiff.memory import kinds
from enzyme_magic.backend.autodiff.memory.memory_adjoints import advance, alignment
from enzyme_magic.backend.autodiff.subject import Subject
from enzyme_magic.backend.autodiff.sweeps import asked_tangents, error_bounds, moves
from enzyme_magic.backend.autodiff.sweeps.leaves import Leaf, Path, extract
from enzyme_magic.backend.autodiff.sweeps.primal_copy import PrimalCopy
from enzyme_magic.backend.autodiff.sweeps.tangent_rules import TangentEmitter
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
    Select,
    Store,
)
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import POINTER, PointerType, Type, VectorType, VoidType
from enzyme_magic.backend.ir.values import Argument, Value
from enzyme_magic.backend.rules import registry
from enzyme_magic.backend.rules.ir_emitter import InstructionPrimals, IREmitter
from enzyme_magic.backend.rules.rule import Rule


@dataclass(slots=True, eq=False, repr=False)
class ForwardDerivative:
    """A written forward-mode function. `returned`: the types of its results: the primal result if asked for, the
    shadow of a pointer result, the tangents of the result's leaves."""

    subject: Subject
    parameters: Parameters
    function: Function
    returned: list[Type]
    result_leaves: tuple[Leaf, ...]
    copies: Mapping[Value, Value] = field(default_factory=dict)  # what each value of the prepared function became
    tangents: tuple[tuple[Value, Value], ...] = ()  # its values with their tangents

    def retype(self) -> None:
        """Set the function's type after its parameters changed."""
        self.function.arguments = self.parameters.in_order()
        self.function.function_type = function_type(self.function.arguments, result_type(self.returned))

    @property
    def request(self) -> FunctionRequest:
        return self.subject.request


def differentiate(
    context: SweepContext,
    subject: Subject,
    name: str,
    called: Callable[[Call], ForwardDerivative | CalledTangents],
) -> ForwardDerivative:
    """Write the forward-mode derivative of `subject`, which is not yet in the context's module."""
    source = subject.prepared.function
    made = parameters(source, subject.request, (), tangents_of=subject.boundary_leaves)
    copy = PrimalCopy(context, subject, made, name)
    copy.shadows.later = True
    writer = TangentWriter(context, subject, copy)
    writer.calls = ForwardCalls(context, subject, copy, called, writer.tangent, writer.set_tangent)
    writer.write()
    return _finish(context, subject, copy, writer)


def _finish(context: SweepContext, subject: Subject, copy: PrimalCopy, writer: TangentWriter) -> ForwardDerivative:
    values: list[Value] = []
    returning = subject.prepared.return_block
    operands = returning.terminator.operands if returning is not None else _never(subject.prepared.function)
    result_leaves = subject.boundary_leaves(operands[0]) if operands and subject.request.result == ACTIVE else ()
    if returning is not None:
        block = copy.block(returning)
        builder = copy.insertions.last(block)
        if operands and subject.request.value:
            values.append(copy.value(operands[0]))
        if subject.request.result == DUPLICATED:
            values.append(copy.shadows.of(operands[0]))
        values += [writer.tangent_or_zero(operands[0], leaf) for leaf in result_leaves]
        copy.shadows.close()
        if copy.uses_local_arena():
            copy.release(builder)
        end = Builder(builder.block)
        give_back(end, values)
        ret = end.block.instructions.pop()
        ret.parent = block
        block.instructions[-1] = ret
    else:
        copy.shadows.close()
    copy.finish()
    stack_check.guard(context, subject, copy.function, copy.parameters.arena)
    tangents = tuple((value, tangent) for (value, _), tangent in writer._tangents.items())
    types = [v.type for v in values] if returning is not None else _types(subject.request, operands, result_leaves)
    made = ForwardDerivative(subject, copy.parameters, copy.function, types, result_leaves, copy.values, tangents)
    made.retype()
    return made


def _never(function: Function) -> list[Value]:
    """What stands for the result of a function that does not return."""
    result = function.function_type.result
    return [] if isinstance(result, VoidType) else [constants.poison(result)]


def _types(request: FunctionRequest, operands: list[Value], leaves: tuple[Leaf, ...]) -> list[Type]:
    """The types of the results of such a function: whoever calls it reads them from what it is declared to give."""
    types = [operands[0].type] if operands and request.value else []
    types += [POINTER] if request.result == DUPLICATED else []
    return types + [leaf.type for leaf in leaves]


@dataclass(slots=True, repr=False)
class TangentWriter:
    """Tangents of SSA values, leaf by leaf. A missing leaf is zero."""

    context: SweepContext
    subject: Subject
    copy: PrimalCopy
    calls: ForwardCalls = field(init=False)
    rest: asked_tangents.Rest = field(init=False)
    _tangents: dict[tuple[Value, Path], Value] = field(default_factory=dict)
    _phis: list[tuple[Phi, Leaf, Phi]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rest = asked_tangents.Rest(self.context, self.subject, self.copy.carried, self.tangent)

    def write(self) -> None:
        activity = self.subject.activity
        for k, argument in enumerate(self.subject.prepared.function.arguments):
            for leaf in self.copy.leaves_of(argument) if activity.active(argument) else ():
                self._tangents[argument, leaf.path] = self.copy.parameters.tangents[k, leaf.path]
        self.copy.check_carried()
        instructions = [i for block in self.subject.prepared.order for i in block.instructions]
        for i in instructions:
            if isinstance(i, Phi):
                self._open_phi(i)
        for i in instructions:  # operands first: what a merge brings from below is asked for later (`Shadows.later`)
            if not isinstance(i, Phi):
                self._visit(i)
        self._close_phis()

    # Looking up

    def tangent(self, value: Value, path: Path = ()) -> Value | None:
        """The tangent of a leaf; None when it is zero."""
        return self._tangents.get((value, path))

    def tangent_or_zero(self, value: Value, leaf: Leaf) -> Value:
        return self._tangents.get((value, leaf.path)) or constants.zero(leaf.type)

    def set_tangent(self, value: Value, path: Path, tangent: Value) -> None:
        self._tangents[value, path] = tangent

    # Phis: their tangents are phis

    def _open_phi(self, phi: Phi) -> None:
        if not self._has_tangent(phi):
            return
        primal = self.copy.value(phi)
        assert isinstance(primal, Phi)
        assert primal.parent is not None
        self._check_merge(phi)
        for leaf in self.copy.leaves_of(phi):
            made = Builder(primal.parent).phi(leaf.type, name=_name(phi))
            self._tangents[phi, leaf.path] = made
            self._phis.append((phi, leaf, made))
        self.rest.open_phi(phi, primal)

    def _close_phis(self) -> None:
        for phi, leaf, made in self._phis:
            for value, block in phi.incoming:
                Builder(self.copy.block(block)).add_incoming(
                    made, self.tangent_or_zero(value, leaf), self.copy.block(block)
                )
        self.rest.close_phis(self.copy.block)

    # Instructions

    def _visit(self, i: Instruction) -> None:
        if isinstance(i, Store):
            self.copy.mirror.store(i)
            self._store(i)
        elif isinstance(i, AtomicRMW):
            self._update(i)
        elif asked_integers.computes(self.subject, i):
            asked_tangents.write(self, self.copy.after(i), i)
        elif isinstance(i, Call) and registry.rule_for(i) is None:
            self.calls.write(i)
        elif self._has_tangent(i):
            self._compute(i)

    def _has_tangent(self, i: Instruction) -> bool:
        return self.subject.activity.active(i) or i in self.copy.carried

    def _compute(self, i: Instruction) -> None:
        builder = self.copy.after(i)
        if isinstance(i, Load):
            self._load(builder, i)
        elif isinstance(i, Select):
            self._select(builder, i)
        elif moves.is_dynamic(i):
            self._dynamic(builder, i)
        elif moves.is_move(i):
            self._move(i)
        else:
            rule = registry.rule_for(i)
            if rule is None:
                hint = "rewrite the operation in floating arithmetic"
                raise self.context.fail(i, f"no derivative is known for {i.opcode}", hint)
            self._by_rule(builder, i, rule)

    def _by_rule(self, builder: Builder, i: Instruction, rule: Rule) -> None:
        for leaf in self.copy.leaves_of(i):
            result, lane = (leaf.path[0], leaf.path[1:]) if rule.results > 1 else (0, leaf.path)
            total: Value | None = None
            for k in sorted(rule.active_operands):
                tangent = self.tangent(i.operands[k], lane)
                contribution = rule.contribution(result, k)
                if tangent is None or contribution is None:
                    continue
                free = self.copy.pays(i)
                emitter = self._emitter(i).for_instruction(builder, self.context.module, i, leaf.type, free)
                if isinstance(emitter, TangentEmitter):
                    emitter.begin(tangent)
                term = contribution(emitter, tangent, self._primals(emitter, i, rule, lane))
                total = self._added(emitter, i, total, term)
            if total is not None and self.subject.request.errors:
                primal = extract(builder, self.copy.value(i), leaf.path)
                total = error_bounds.rounded(builder, self.context, i, primal, total)
            if total is not None:
                self._tangents[i, leaf.path] = total

    def _emitter(self, i: Instruction) -> type[IREmitter]:
        """What writes a term: where a tangent may be absent and that matters, it is asked."""
        asked = i in self.subject.told_apart or presence.is_singular(i)
        return TangentEmitter if asked and not self.subject.request.errors else IREmitter

    def _added(self, emitter: IREmitter, i: Instruction, total: Value | None, term: Value) -> Value:
        builder = emitter.builder
        if self.subject.request.errors:
            term = error_bounds.magnitude(builder, self.context, term)
        if isinstance(emitter, TangentEmitter):
            term = emitter.finish(term)
            if total is not None and i in self.subject.told_apart:
                return emitter.sum(total, term)
        return term if total is None else builder.fadd(total, term)

    def _primals(self, emitter: IREmitter, i: Instruction, rule: Rule, lane: Path) -> InstructionPrimals:
        def at_lane(value: Value) -> Value:
            return extract(emitter.builder, value, lane) if isinstance(value.type, VectorType) else value

        return InstructionPrimals(
            emitter,
            i,
            lambda k: at_lane(self.copy.value(i.operands[k])),
            lambda: at_lane(self.copy.value(i)),
            rule.results,
        )

    def _move(self, i: Instruction) -> None:
        if i.operands[0] in self.copy.carried and asked_integers.is_read(i):
            tangent = self.tangent(i.operands[0])
            if tangent is not None:
                self._tangents[i, ()] = self.copy.after(i).cast("bitcast", tangent, i.type)
            return
        if isinstance(i, (Cast, Binary)) and not moves.keeps_leaves(i, self.copy.leaves_of):
            raise self.context.fail(i, *moves.broken(i))
        for leaf in self.copy.leaves_of(i):
            source = moves.source_of(i, leaf.path, self.copy.leaves_of)
            tangent = self.tangent(*source) if source is not None else None
            if tangent is not None:
                self._tangents[i, leaf.path] = tangent
        self.rest.move(i)

    def _select(self, builder: Builder, i: Instruction) -> None:
        condition = self.copy.value(i.operands[0])
        self._check_merge(i)
        for leaf in self.copy.leaves_of(i):
            chosen = extract(builder, condition, leaf.path[:1]) if isinstance(condition.type, VectorType) else condition
            arms = [self.tangent_or_zero(v, leaf) for v in i.operands[1:]]
            if any(self.tangent(v, leaf.path) is not None for v in i.operands[1:]):
                self._tangents[i, leaf.path] = builder.select(chosen, arms[0], arms[1])
        self.rest.select(builder, i, condition)

    def _check_merge(self, i: Instruction) -> None:
        gone = moves.dropped(i, self.copy.leaves_of)
        if gone is not None:
            raise self.context.fail(i, *moves.DROPPED, "EM223")

    def _dynamic(self, builder: Builder, i: Instruction) -> None:
        vector, index = i.operands[0], self.copy.value(i.operands[-1])
        chosen: Value | None = None
        for lane in self.copy.leaves_of(vector if isinstance(i, ExtractElement) else i):
            here = builder.icmp("eq", index, constants.int_constant(index.type, lane.path[0]))
            of_vector = self.tangent_or_zero(vector, lane)
            if isinstance(i, ExtractElement):
                chosen = builder.select(here, of_vector, chosen or constants.zero(lane.type))
            else:
                element = self.tangent_or_zero(i.operands[1], Leaf((), lane.type))
                self._tangents[i, lane.path] = builder.select(here, element, of_vector)
        if chosen is not None:
            self._tangents[i, ()] = chosen

    # Memory

    def _load(self, builder: Builder, i: Load) -> None:
        shadow = self.copy.shadows.of(i.pointer)
        for leaf in self.copy.leaves_of(i):
            offset = self.copy.offset_of(i.type, leaf)
            place = advance(builder, shadow, offset)
            kinds.read_as(self.context, builder, i, place, leaf.type)
            self._tangents[i, leaf.path] = builder.load(
                leaf.type, place, align=alignment(i.align, offset), name=_name(i), volatile=i.volatile
            )
        self.rest.load(builder, i, shadow)

    def _store(self, i: Store) -> None:
        moves = i.value in self.copy.carried and self.subject.leads_to_active(i.pointer)
        if not moves and not self.is_active_memory(i.pointer):
            self._tell(i)
            return
        builder = self.copy.after(i)
        leaves = self.copy.leaves_of(i.value)
        erased = self.copy.erased_by(i)
        is_bits = isinstance(i.value.type, PointerType) and self.subject.activity.active(i.value)
        if not leaves and not erased and not is_bits:
            return
        shadow = self.copy.shadows.of(i.pointer)
        self.rest.store(builder, i, shadow)
        for element in erased:
            place = advance(builder, shadow, element.offset)
            builder.store(constants.zero(element.type), place, align=alignment(i.align, element.offset))
        for leaf in leaves:
            offset = self.copy.offset_of(i.value.type, leaf)
            place = advance(builder, shadow, offset)
            builder.store(self.tangent_or_zero(i.value, leaf), place, align=alignment(i.align, offset))
            kinds.written(self.context, builder, place, leaf.type)

    def _tell(self, i: Store) -> None:
        """That no number with a tangent is stored, where copies may bring the bytes to who asks what they are."""
        if self.context.asks and self.subject.may_bring(i.pointer):
            self.rest.store(self.copy.after(i), i, self.copy.shadows.of(i.pointer))

    def is_active_memory(self, pointer: Value) -> bool:
        return any(self.subject.activity.active(o) for o in self.subject.alias.base_objects(pointer))

    def _update(self, i: AtomicRMW) -> None:
        pointer, value = i.operands
        if self.subject.request.errors:
            raise self.context.fail(i, "errors of atomic operations", "use an ordinary load and store")
        leaves = self.copy.leaves_of(value)
        if not self.is_active_memory(pointer) or not (leaves or self.copy.erased_by(i)):
            return
        if i.operation not in ("fadd", "fsub"):
            raise self.context.fail(i, f"atomic {i.operation} of an active value", "use an ordinary load and store")
        builder = self.copy.after(i)
        shadow = self.copy.shadows.of(pointer)
        self.rest.overwrite(builder, value, shadow)
        before = builder.load(value.type, shadow, align=i.align)
        change = self.tangent_or_zero(value, leaves[0])
        builder.store(builder.binary(i.operation, before, change), shadow, align=i.align)
        self._tangents[i, ()] = before


def _name(value: Instruction | Argument) -> str:
    return f"{value.name}_tangent" if value.name else ""

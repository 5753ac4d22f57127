"""Reverse mode: the forward sweep, then the mirrored one.

A combined function runs the primal, keeps what the cache plan says, and then accumulates adjoints along the mirrored
control flow graph (Griewank and Walther, Evaluating Derivatives, chapter 6; for LLVM Moses and Churavy, 2020). A
split pair does the same in two functions with a frame between them (see bridge.py).

It is written twice: first as a dry run against a Recorder, to learn which values the reverse sweep reads and which shadows it
uses, then, after all of the derivative is planned (planning/), for real. So there is no table of needs that could disagree with
what is emitted.

This file puts the collaborators together. What they do is in adjoints, adjoint_writer, shadows, tape, bridge,
recompute, control_flow, memory_adjoints and calls.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from enzyme_magic.backend.analysis.derivatives import cache_plan
from enzyme_magic.backend.analysis.derivatives.cache_plan import RECOMPUTE, CachePlan
from enzyme_magic.backend.analysis.derivatives.recompute import PRIMAL, SHADOW, Recipes
from enzyme_magic.backend.analysis.derivatives.repeats import Repeats
from enzyme_magic.backend.analysis.derivatives.stored_results import stored_results
from enzyme_magic.backend.autodiff.cache.recompute import Evaluator, Recorder, ReversePrimals
from enzyme_magic.backend.autodiff.calls import stack_check
from enzyme_magic.backend.autodiff.calls.call_kinds import CallKinds
from enzyme_magic.backend.autodiff.calls.calls import CalledDerivative
from enzyme_magic.backend.autodiff.calls.request import COMBINED
from enzyme_magic.backend.autodiff.calls.signature import Parameters
from enzyme_magic.backend.autodiff.context import SweepContext
from enzyme_magic.backend.autodiff.memory import heap_calls
from enzyme_magic.backend.autodiff.subject import Subject, why_overwritten
from enzyme_magic.backend.autodiff.sweeps.adjoints import Flags, Parts
from enzyme_magic.backend.autodiff.sweeps.sweep import Sweep
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.instructions import Call, Instruction, Load, Phi
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import Type
from enzyme_magic.backend.ir.values import Argument, Block
from enzyme_magic.errors import InternalError

CalledLookup = Callable[[Call], CalledDerivative]


@dataclass(slots=True, eq=False, repr=False)
class Derivative:
    """A written function (or pair) and the decisions behind it. postponed: calls that free when the reverse sweep is past them."""

    sweep: Sweep
    subject: Subject
    plan: CachePlan
    postponed: frozenset[Instruction]

    @property
    def function(self) -> Function:
        """The function that gives the gradient."""
        return self.sweep.reverse_function

    @property
    def parameters(self) -> Parameters:
        return self.sweep.parameters

    @property
    def returned(self) -> list[Type]:
        return self.sweep.returned

    def retype(self) -> None:
        """Set the function's type after its parameters changed."""
        self.sweep.retype()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Trial:
    """What a dry run tells: the cache plan, the calls that free when the reverse sweep is past them, and which primal arguments the
    function with the reverse sweep reads."""

    cache: CachePlan
    postponed: frozenset[Instruction]
    reads_primal: tuple[bool, ...]


def dry_run(context: SweepContext, subject: Subject, name: str, called: CalledLookup) -> Trial | None:
    """Write into thin air and note what the reverse sweep reads. None where answers about the function change with what it is found
    to miss, so that it must be tried again."""
    sweep = Sweep(context, subject, CachePlan((), {}, {}), name, called)
    recorder = Recorder(sweep.outside)
    _write(sweep, recorder)
    if subject.missing.changes_answers():
        return None
    postponed = heap_calls.postponed(CallKinds(context.analyses, subject))
    recipes = Recipes(
        subject.prepared,
        lambda load: why_overwritten(subject, load, postponed),
        outlives=subject.request.mode == COMBINED,
        repeatable=lambda call: (
            context.analyses.effects.call(call).pure
            and all(item.constant for item in subject.objects_read(call))
            and not stack_check.recurses(context, call)
        ),
        count_of=subject.trip_count,
        memory_with=stored_results(subject.prepared, subject.alias),
    )
    repeats = Repeats(subject.prepared, subject.alias, recipes, subject.trip_count)
    plan = cache_plan.plan(recorder.reads, recipes, context.layout, subject.request.caching, repeats.loops)
    _ask_for_shadows(sweep, plan)
    if subject.missing.changes_answers():
        return None
    again = _read_again(plan)
    reads = tuple(used or k in again for k, used in enumerate(sweep.primals_read()))
    return Trial(plan, postponed, reads)


def _ask_for_shadows(sweep: Sweep, plan: CachePlan) -> None:
    """Miss what the plan itself takes from the forward sweep: shadows that are at hand, stored, or loaded again."""
    for need, decision in plan.decisions.items():
        if need.kind == SHADOW and (decision != RECOMPUTE or isinstance(need.value, Load)):
            sweep.copy.shadows.of(need.value)


def _read_again(plan: CachePlan) -> set[int]:
    """The primal arguments from which the reverse sweep computes values again."""
    operands = [
        o for need, decision in plan.decisions.items() if decision == RECOMPUTE for o in plan.recipes[need].operands
    ]
    return {o.value.index for o in operands if o.kind == PRIMAL and isinstance(o.value, Argument)}


def write(context: SweepContext, subject: Subject, trial: Trial, name: str, called: CalledLookup) -> Derivative:
    """Write the derivative of `subject` into the context's module, as its trial says."""
    sweep = Sweep(context, subject, trial.cache, name, called)
    evaluator = Evaluator(
        subject.prepared, trial.cache, sweep.outside, sweep.available, sweep.stored, sweep.copy.in_vectors
    )
    _write(sweep, evaluator)
    if any(reads and not told for reads, told in zip(sweep.primals_read(), trial.reads_primal, strict=True)):
        raise InternalError(f"the derivative of {name} reads an argument that its plan does not have")
    context.module.add(sweep.forward_function)
    context.module.add(sweep.reverse_function)
    return Derivative(sweep, subject, trial.cache, trial.postponed)


def _write(sweep: Sweep, primals: ReversePrimals) -> None:
    sweep.connect(primals)
    sweep.write_forward()
    order = sweep.control.open()
    sweep.start_reverse()
    silent: set[Block] = set()
    ways = {block: way for block in order if (way := _write_block(sweep, primals, block, silent)) is not None}
    _write_ways(sweep, ways, silent)
    sweep.finish()


def _write_block(sweep: Sweep, primals: ReversePrimals, block: Block, silent: set[Block]) -> Callable[[], None] | None:
    """The reversed block of `block`, and the way back from it where adjoints take one side; else what writes the way back. Adds to
    `silent` the blocks in which nothing is reversed."""
    reversed_block = sweep.control.blocks[block]
    sweep.reverse_function.blocks.append(reversed_block)
    builder = Builder(reversed_block)
    primals.begin_block()
    phis = _write_instructions(sweep, builder, block)
    is_entry = block is sweep.subject.prepared.function.entry
    if not reversed_block.instructions and not is_entry:
        silent.add(block)
    if sweep.context.meter is not None:
        sweep.context.meter.steps(builder)
    if is_entry:
        sweep.end_reverse(builder)
        return None
    taken = sweep.writer.take_phis(builder, phis)
    edge = _edge_writer(sweep, primals, taken)
    if taken:
        silent.discard(block)
        sweep.control.go_back(builder, block, edge, needs_edge=True)
        return None
    go_on = primals.pause()

    def write_way() -> None:
        target = sweep.control.skipped_to(block, silent)
        if target is not None:
            builder.br(sweep.control.blocks[target])
            return
        go_on()
        sweep.control.go_back(builder, block, edge, needs_edge=False)

    return write_way


def _write_instructions(sweep: Sweep, builder: Builder, block: Block) -> list[Phi]:
    """The adjoints of a block's instructions but for its active phis, which are returned."""
    reversed_block = sweep.control.blocks[block]
    phis: list[Phi] = []
    for instruction in reversed(block.instructions):
        if isinstance(instruction, Phi):
            if sweep.subject.activity.active(instruction):
                phis.append(instruction)
        else:
            before = len(reversed_block.instructions)
            if sweep.watch is not None and sweep.subject.activity.propagates(instruction):
                sweep.watch.step(builder, instruction)
            sweep.writer.write(builder, instruction)
            sweep.tell_of(reversed_block.instructions[before:], instruction)
    sweep.writer.memory.settle(builder)
    return phis


def _write_ways(sweep: Sweep, ways: dict[Block, Callable[[], None]], silent: set[Block]) -> None:
    """The ways back that adjoints do not depend on, of the blocks that are still reached."""
    function = sweep.reverse_function
    mirrored = {reversed_block: block for block, reversed_block in sweep.control.blocks.items()}
    written = function.blocks
    function.blocks = []
    made: dict[Block, list[Block]] = {}
    returning = sweep.subject.prepared.return_block
    pending = [sweep.control.blocks[returning]] if returning is not None else []
    reached: set[Block] = set(pending)
    while pending:
        reversed_block = pending.pop()
        block = mirrored.get(reversed_block)
        if block in ways:
            ways[block]()
            made[reversed_block] = function.blocks
            function.blocks = []
        new = [b for b in reversed_block.successors if b not in reached]
        reached.update(new)
        pending += new
    for block in written:
        if block in reached or mirrored.get(block) not in silent:
            function.blocks += [block, *made.get(block, ())]


def _edge_writer(
    sweep: Sweep, primals: ReversePrimals, taken: list[tuple[Phi, Parts, Flags]]
) -> Callable[[Builder, Block], None]:
    def write(builder: Builder, predecessor: Block) -> None:
        for phi, parts, flags in taken:
            primals.reader = phi
            if sweep.watch is not None:
                sweep.watch.step(builder, phi)
            if sweep.writer.carried is not None and phi in sweep.writer.carried.values:
                sweep.writer.carried.pass_on(builder, phi, predecessor)
            for path, part in parts.items():
                sweep.writer.give(builder, phi, phi.value_from(predecessor), path, part, flags.get(path))

    return write

"""The function or pair under construction in reverse mode, and the collaborators that write it.

COMBINED: one function holds both sweeps; values cross by stack slots (bridge.Registers). SPLIT: the augmented primal
runs the forward sweep and returns a frame; the reverse function starts from it (bridge.Frame). Everything else is the
same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from enzyme_magic.backend.analysis.counts.nests import nest
from enzyme_magic.backend.analysis.derivatives.cache_plan import CachePlan
from enzyme_magic.backend.analysis.derivatives.recompute import PRIMAL, SHADOW, TAPE, Need, values_read
from enzyme_magic.backend.autodiff.cache.bridge import Bridge, Frame, Registers
from enzyme_magic.backend.autodiff.cache.kept_apart import KeptApart
from enzyme_magic.backend.autodiff.cache.recompute import ReversePrimals
from enzyme_magic.backend.autodiff.cache.tape import ZERO, Tape
from enzyme_magic.backend.autodiff.calls import stack_check
from enzyme_magic.backend.autodiff.calls.calls import CalledDerivative, Calls
from enzyme_magic.backend.autodiff.calls.request import ACTIVE, DUPLICATED, SPLIT
from enzyme_magic.backend.autodiff.calls.signature import (
    function_type,
    give_back,
    packed,
    parameters,
    result_type,
    returned_types,
)
from enzyme_magic.backend.autodiff.context import SweepContext
from enzyme_magic.backend.autodiff.held_adjoints import HeldAdjoints
from enzyme_magic.backend.autodiff.memory.kinds import Marked
from enzyme_magic.backend.autodiff.memory.memory_adjoints import ShadowMemory
from enzyme_magic.backend.autodiff.memory.shadow_source import is_static
from enzyme_magic.backend.autodiff.subject import Subject
from enzyme_magic.backend.autodiff.sweeps.adjoint_writer import AdjointWriter
from enzyme_magic.backend.autodiff.sweeps.adjoints import FREE_ORDER, WRITTEN_ORDER, Adjoints
from enzyme_magic.backend.autodiff.sweeps.carriers import CarriedAdjoints
from enzyme_magic.backend.autodiff.sweeps.control_flow import ReverseControl
from enzyme_magic.backend.autodiff.sweeps.leaves import extract, leaves
from enzyme_magic.backend.autodiff.sweeps.primal_copy import PrimalCopy
from enzyme_magic.backend.autodiff.sweeps.watch import Watch
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.graphs.loops import Loop
from enzyme_magic.backend.ir.instructions import Alloca, Call, Instruction, Load, Return, Store
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import I1, POINTER, StructType, Type, VoidType
from enzyme_magic.backend.ir.values import Argument, Block, Value

AUGMENTED, REVERSE = "augmented_", "reverse_"


class Sweep:
    """One derivative being written. `plan` is empty in the dry run."""

    def __init__(
        self,
        context: SweepContext,
        subject: Subject,
        plan: CachePlan,
        name: str,
        called: Callable[[Call], CalledDerivative],
    ) -> None:
        self.context, self.subject, self.plan, self.name, self.called = context, subject, plan, name, called
        self.split = subject.request.mode == SPLIT
        self.watch = context.watch if context.watch is not None and context.watch.wants(subject.request) else None
        source = subject.prepared.function
        resolve = context.layout.resolve
        returning = subject.prepared.return_block
        operands = returning.terminator.operands if returning is not None else []
        self.returned_value: Value | None = operands[0] if operands else None
        self.result_leaves = leaves(source.function_type.result, resolve)
        if self.returned_value is not None and subject.request.result == ACTIVE:
            self.result_leaves = subject.boundary_leaves(self.returned_value)
        forward = parameters(source, subject.request, self.result_leaves, seeds=not self.split)
        self.copy = PrimalCopy(context, subject, forward, (AUGMENTED if self.split else "") + name)
        self.parameters = forward
        self._reverse_prologue = self.copy.prologue()
        self.reverse_function = self.copy.function
        if self.split:
            self.parameters = parameters(source, subject.request, self.result_leaves, seeds=True, frame=True)
            self.reverse_function = Function(REVERSE + name, linkage="internal", parent=context.module)
            self._reverse_prologue = Builder(Block("entry", parent=self.reverse_function))
            self.reverse_function.blocks.append(self._reverse_prologue.block)
        self.apart = KeptApart(name)
        self.frame = self._new_frame() if self.split else None
        self._kept_before = None if context.meter is None or self.split else context.meter.live(self.copy.prologue())
        self.returned: list[Type] = []
        self.written_for: dict[Instruction, Instruction] = {}  # of the reverse sweep: whose adjoint it is part of

    def tell_of(self, written: Iterable[Instruction], instruction: Instruction) -> None:
        """These instructions of the reverse sweep are part of the adjoint of a primal one, where nothing else is told of them."""
        for i in written:
            self.written_for.setdefault(i, instruction)

    @property
    def forward_function(self) -> Function:
        return self.copy.function

    # The frame of a split pair

    def _new_frame(self) -> Frame:
        assert self.parameters.frame is not None
        copy = self.copy
        pointer, layout = self.parameters.frame, self.context.layout
        frame = Frame(copy.insertions, layout, copy, pointer, copy.block, self.apart, self.keeps_integer)
        frame.open()
        for alloca in self.subject.prepared.function.entry.instructions:
            if isinstance(alloca, Alloca) and is_static(alloca):
                self.copy.replace(alloca, frame.memory(self.copy.prologue(), alloca, alloca))
        self.copy.place = lambda alloca: frame.memory(self.copy.prologue(), ("shadow", alloca), alloca)
        return frame

    def connect(self, primals: ReversePrimals) -> None:
        """Make the collaborators, with `primals` answering what the reverse sweep asks for."""
        subject, context, copy = self.subject, self.context, self.copy
        prepared = subject.prepared
        self.adjoints = Adjoints(
            subject.activity,
            subject.demand,
            copy.leaves_of,
            self.reverse_prologue,
            lambda _: prepared.function.entry,
            WRITTEN_ORDER if context.strict else FREE_ORDER,
            self.watch,
        )
        self.tape = Tape(
            prepared,
            self.plan,
            context.layout,
            copy.values,
            copy.insertions,
            copy.prologue,
            self.reverse_prologue,
            copy.arena,
            self.forward_value,
            self.trip_count,
            self.runs,
            self.apart,
            self.keeps_integer,
            self.watch,
            context.meter,
            subject.request.function,
        )
        self.control = ReverseControl(prepared, self.reverse_function, self.reverse_prologue, primals, self.tape)
        self.calls = Calls(context, subject, copy, self.adjoints, primals, self.parameters.arena, self.called)
        memory = ShadowMemory(
            subject.activity,
            self.adjoints,
            primals,
            context.layout,
            subject.alias.base_objects,
            copy.leaves_of,
            copy.offset_of,
            copy.erased_by,
            context.fail,
            subject.may_bring,
            Marked(context) if context.kinds else None,
            self._held(),
        )
        self.carried = self._carried(primals) if context.kinds else None
        self.writer = AdjointWriter(
            context.module,
            subject.activity,
            subject.demand,
            self.adjoints,
            primals,
            memory,
            self.calls,
            copy.leaves_of,
            self._seed,
            context.fail,
            copy.pays,
            self.carried,
        )
        last = prepared.return_block or prepared.function.entry
        self.bridge: Bridge = self.frame or Registers(
            copy.insertions, copy.prologue, prepared.dominators, last, copy.block
        )

    def _held(self) -> HeldAdjoints | None:
        if self.context.strict or self.context.kinds:
            return None
        return HeldAdjoints(self.subject.alias.apart_now, FREE_ORDER, self.tell_of)

    def _carried(self, primals: ReversePrimals) -> CarriedAdjoints | None:
        values = self.copy.carried
        if not values:
            return None
        return CarriedAdjoints(
            self.context, self.subject, primals, self.reverse_prologue(), values, self.copy, self.adjoints
        )

    # What collaborators ask for

    def keeps_integer(self, need: Need) -> bool:
        """Whether what is kept is an integer and nothing else: a derivative of this one would have to find that out."""
        return need.kind == PRIMAL and (need.value.type == I1 or self.subject.is_integer(need.value))

    def reverse_prologue(self) -> Builder:
        """The first instructions of the function that holds the reverse sweep."""
        return self._reverse_prologue

    def trip_count(self, loop: Loop) -> Value | None:
        """How often the header of `loop` runs in one visit, in its preheader; None where that is not known for certain."""
        count = self.subject.trip_count(loop)
        if count is None:
            return None
        assert loop.preheader is not None
        return count.emit(self.copy.insertions.last(self.copy.block(loop.preheader)), self.copy.value)

    def runs(self, loop: Loop, repeated: tuple[Loop, ...]) -> tuple[Block, Value] | None:
        """The preheader of the largest nest around `loop` that is counted there, and an estimate of how often the header of `loop`
        runs in all of it, in one iteration each of those `repeated`."""
        found = nest(loop, self.subject.prepared, self.subject.trip_count, values_read, repeated)
        if found is None:
            return None
        builder = self.copy.insertions.last(self.copy.block(found.preheader))
        return found.preheader, found.emit(builder, self.copy.value)

    def outside(self, need: Need) -> Value | None:
        """Arguments and constants, and their shadows, on the reverse side; None for instructions."""
        value = need.value
        if isinstance(value, Instruction):
            return None
        if isinstance(value, Argument):
            if need.kind == PRIMAL:
                return self.parameters.primal[value.index]
            forward = self.copy.shadows.of(value)  # in a trial, a parameter that is not there yet
            return self.parameters.shadow.get(value.index, forward)
        return value if need.kind == PRIMAL else self.copy.shadows.outside(value)

    def forward_value(self, need: Need) -> Value:
        """What the forward sweep has of a need."""
        if need.kind == TAPE:
            return self.calls.frames[need.value]
        return self.copy.value(need.value) if need.kind == PRIMAL else self.copy.shadows.of(need.value)

    def available(self, builder: Builder, need: Need) -> Value:
        """What the forward sweep left at hand."""
        value = need.value
        assert isinstance(value, Instruction)
        loop = self.subject.prepared.loops.of(value.parent)
        if loop is not None and self.subject.prepared.counters[loop] is value:
            return self.control.counter(builder, loop)
        if self.frame is not None and isinstance(value, Alloca):
            forward = self.forward_value(need)  # makes the shadow where it is not there yet
            key = value if need.kind == PRIMAL else ("shadow", value)
            return self.frame.address(builder, key) if forward is not None else forward
        return self._carry(builder, need)

    def _carry(self, builder: Builder, need: Need) -> Value:
        assert isinstance(need.value, Instruction)
        assert need.value.parent is not None
        return self.bridge.carry(builder, need, self.forward_value(need), need.value.parent)

    def stored(self, builder: Builder, need: Need) -> Value:
        """What the plan keeps: on the loop's tape, or, outside loops, in the frame."""
        loop = self.subject.prepared.loop_of(need.value)
        if loop is None:
            value = self._carry(builder, need)
            if self.watch is not None:
                self.watch.read(builder, need, ZERO, value)
            return value
        return self.tape.read(builder, need, self.control.counter(builder, loop))

    # The two sweeps

    def write_forward(self) -> None:
        """Complete the forward sweep: mirrored stores, calls, what the plan keeps, and a look at pointers whose shadows the
        reverse sweep loads again: there it would be too late to find that there is none."""
        for need in self.plan.decisions:
            if need.kind == SHADOW and isinstance(need.value, Load):
                self.copy.shadows.of(need.value)
        for instruction in list(self.subject.prepared.function.instructions()):
            if isinstance(instruction, Store):
                self.copy.mirror.store(instruction)
            elif isinstance(instruction, Call) and self.calls.handles(instruction):
                self.calls.prepare(instruction)
        self.copy.check_carried()
        if self.carried is not None:
            self.carried.copy_pointers()
        if self.watch is not None:
            self._watch_forward(self.watch)
        self.tape.open()
        self.tape.write_forward()

    def _watch_forward(self, watch: Watch) -> None:
        """Let the forward sweep tell its values, and what it keeps outside of loops."""
        copy, prepared = self.copy, self.subject.prepared
        builder = copy.insertions.first(copy.block(prepared.function.entry))
        arguments = zip(prepared.function.arguments, self.parameters.primal, strict=True)
        watch.entered(builder, list(arguments))
        for instruction in prepared.function.instructions():
            value = copy.values.get(instruction)
            if instruction.parent is not None and value is not None and not instruction.is_terminator:
                place = copy.insertions.after(value, copy.block(instruction.parent))
                watch.computed(place, instruction, value, copy.values)
        for need in self.plan.stored:
            if prepared.loop_of(need.value) is None:
                assert isinstance(need.value, Instruction)
                assert need.value.parent is not None
                kept = self.forward_value(need)
                watch.pushed(copy.insertions.after(kept, copy.block(need.value.parent)), need, ZERO, kept)

    def start_reverse(self) -> None:
        """Let the forward sweep go on into the reverse sweep."""
        returning = self.subject.prepared.return_block
        if returning is not None and not self.split:
            block = self.copy.block(returning)
            block.instructions.pop()
            Builder(block).br(self.control.blocks[returning])

    def _seed(self, builder: Builder, i: Return) -> None:
        for path, seed in self.parameters.seeds.items():
            if i.operands and self.subject.activity.active(i.operands[0]):
                self.adjoints.add(builder, i.operands[0], path, seed, None)

    def end_reverse(self, builder: Builder) -> None:
        """Return what the request asks for, from the reversed entry block."""
        values: list[Value] = []
        if self.subject.request.value and self.returned_value is not None:
            primal = self.copy.value(self.returned_value)
            values += [extract(builder, primal, leaf.path) for leaf in self.result_leaves]
        if self.watch is not None:
            self.watch.step(builder, None)
        arguments = self.subject.prepared.function.arguments
        for argument, kind in zip(arguments, self.subject.request.activities, strict=True):
            if kind == ACTIVE:
                values += self._adjoint_of(builder, argument)
        if self.watch is not None:
            self.watch.left(builder)
        self._release(builder)
        give_back(builder, values)

    def _adjoint_of(self, builder: Builder, argument: Argument) -> list[Value]:
        parts = self.adjoints.take(builder, argument) if self.subject.activity.active(argument) else {}
        return [parts.get(leaf.path, constants.zero(leaf.type)) for leaf in self.subject.boundary_leaves(argument)]

    def _release(self, builder: Builder) -> None:
        """Give the arena back what this derivative took from it (a split pair leaves that to its caller)."""
        if self.context.meter is not None and self._kept_before is not None:
            self.context.meter.back(builder, self._kept_before)
        if not self.split and (self.tape.loops or self.copy.uses_local_arena() or self.calls.uses_arena()):
            self.copy.release(builder)

    def finish(self) -> None:
        """Merge everything collected, and give the functions their types."""
        if self.split:
            self._finish_split()
        self.copy.finish()
        self.apart.tell(dict.fromkeys([self.forward_function, self.reverse_function]))
        self.retype()
        stack_check.guard(self.context, self.subject, self.forward_function, self.copy.parameters.arena)
        if self.split:
            stack_check.guard(self.context, self.subject, self.reverse_function, self.parameters.arena)

    def _finish_split(self) -> None:
        assert self.frame is not None
        returning = self.subject.prepared.return_block
        returns = [POINTER, *self._augmented_results()]
        frame = self.frame
        if returning is not None:
            block = self.copy.block(returning)
            builder = self.copy.insertions.last(block)
            self.tape.hand_over(builder, frame)
            pointer = frame.close()
            values: list[Value] = [pointer]
            if self.returned_value is not None:
                values.append(self.copy.value(self.returned_value))
            if self.subject.request.result == DUPLICATED and self.returned_value is not None:
                values.append(self.copy.shadows.of(self.returned_value))
            end = Builder(Block("", parent=self.copy.function))
            whole = packed(builder, values)
            block.instructions[-1] = end.ret(whole)
            block.instructions[-1].parent = block
        arguments = self.copy.parameters.in_order()
        self.copy.function.arguments = arguments
        self.copy.function.function_type = function_type(arguments, StructType(tuple(returns)))
        entry = self.subject.prepared.function.entry
        if entry in self.control.blocks and returning is not None:
            self._reverse_prologue.br(self.control.blocks[returning])
        else:
            self._reverse_prologue.unreachable()

    def _augmented_results(self) -> list[Type]:
        result = self.subject.prepared.function.function_type.result
        types: list[Type] = [] if isinstance(result, VoidType) else [result]
        return types + ([POINTER] if self.subject.request.result == DUPLICATED else [])

    def primals_read(self) -> tuple[bool, ...]:
        """Which primal arguments the function with the reverse sweep uses."""
        used = {v for i in self.reverse_function.instructions() for v in i.operands if isinstance(v, Argument)}
        return tuple(argument in used for argument in self.parameters.primal)

    def retype(self) -> None:
        """Set parameters and result type of the function that holds the reverse sweep, as they stand."""
        source = self.subject.prepared.function
        types = returned_types(source, self.subject.request, self.subject.boundary_leaves, self.result_leaves)
        arguments = self.parameters.in_order()
        self.reverse_function.arguments = arguments
        self.reverse_function.function_type = function_type(arguments, result_type(types))
        self.returned = types

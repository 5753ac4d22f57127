"""The function under construction: its parameters, its forward sweep, and the collaborators that write the reverse sweep.

Generated functions inherit no attributes from the primal: a kept `memory(none)` would let LLVM delete the shadow stores. LLVM infers them
afresh; only `mustprogress` stays, which is a promise of the C program.
"""

from __future__ import annotations

from collections.abc import Callable

from enzyme_magic.backend.analysis.cache_plan import CachePlan
from enzyme_magic.backend.analysis.loops import Loop
from enzyme_magic.backend.analysis.recompute import PRIMAL, Need
from enzyme_magic.backend.autodiff.adjoint_writer import AdjointWriter
from enzyme_magic.backend.autodiff.adjoints import Adjoints
from enzyme_magic.backend.autodiff.bridge import Registers
from enzyme_magic.backend.autodiff.calls import CalledDerivative, Calls
from enzyme_magic.backend.autodiff.context import SweepContext
from enzyme_magic.backend.autodiff.control_flow import ReverseControl
from enzyme_magic.backend.autodiff.insertions import Insertions
from enzyme_magic.backend.autodiff.leaves import Leaf, extract, leaves, offset_of
from enzyme_magic.backend.autodiff.memory_adjoints import ShadowMemory
from enzyme_magic.backend.autodiff.mirror import Mirror
from enzyme_magic.backend.autodiff.recompute import ReversePrimals
from enzyme_magic.backend.autodiff.request import ACTIVE, FunctionRequest
from enzyme_magic.backend.autodiff.shadow_source import LocalShadows, alloca_bytes, is_static
from enzyme_magic.backend.autodiff.shadows import Shadows
from enzyme_magic.backend.autodiff.signature import (
    Parameters,
    function_type,
    give_back,
    parameters,
    result_type,
    returned_types,
)
from enzyme_magic.backend.autodiff.subject import Subject
from enzyme_magic.backend.autodiff.tape import ALLOCATE, MARK, RELEASE, Tape
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.attributes import EMPTY, AttributeSet
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.clone import clone_function
from enzyme_magic.backend.ir.def_use import replace_uses
from enzyme_magic.backend.ir.instructions import Alloca, Call, Instruction, Return, Store
from enzyme_magic.backend.ir.types import IntType, Type
from enzyme_magic.backend.ir.values import Argument, Block, Value

KEPT_FUNCTION_ATTRIBUTES = ("mustprogress",)
KEPT_METADATA = frozenset(["tbaa", "alias.scope", "noalias", "llvm.loop", "prof", "range", "nonnull", "noundef"])


class Sweep:
    """A combined function being written. `plan` is empty in the dry run."""

    def __init__(
        self,
        context: SweepContext,
        subject: Subject,
        plan: CachePlan,
        name: str,
        derivative: Callable[[FunctionRequest], CalledDerivative],
    ) -> None:
        self.context, self.subject, self.plan, self.name = context, subject, plan, name
        self.derivative = derivative
        source = subject.prepared.function
        self.result_leaves = self._result_leaves()
        self.parameters: Parameters = parameters(source, subject.request, self.result_leaves, seeds=True, frame=False)
        self.forward: dict[Value, Value] = dict(zip(source.arguments, self.parameters.primal, strict=True))
        self.forward_function = clone_function(source, name, self.forward)
        self.reverse_function = self.forward_function
        self._strip()
        self.insertions = Insertions(self.forward_function)
        self._prologue = Builder(Block("", parent=self.forward_function))

    # Setting up

    def _result_leaves(self) -> tuple[Leaf, ...]:
        block = self.subject.prepared.return_block
        returned = block.terminator.operands if block is not None else []
        return self.leaves_of(returned[0]) if returned else ()

    def _strip(self) -> None:
        function = self.forward_function
        kept = tuple(a for a in function.attributes if a.name in KEPT_FUNCTION_ATTRIBUTES)
        function.attributes, function.result_attributes = AttributeSet(kept), EMPTY
        function.linkage, function.prefix, function.suffix, function.metadata = "internal", (), (), {}
        function.calling_convention = ""
        function.parent = self.context.module
        for instruction in function.instructions():
            instruction.metadata = {k: node for k, node in instruction.metadata.items() if k in KEPT_METADATA}

    def connect(self, primals: ReversePrimals) -> None:
        """Make the collaborators, with `primals` answering what the reverse sweep asks for."""
        subject, context = self.subject, self.context
        self.primals = primals
        shadow_source = LocalShadows(
            context, self.forward, self.insertions, self.parameters.shadow, self._zeroed, self._dynamic, lambda c: self.calls.shadow_of_result(c)
        )
        self.shadows = Shadows(self.forward, self.insertions, shadow_source, context.fail)
        self.adjoints = Adjoints(
            subject.activity, subject.demand, self.leaves_of, self.prologue, lambda _: subject.prepared.function.entry
        )
        self.tape = Tape(
            subject.prepared,
            self.plan,
            context.layout,
            self.forward,
            self.insertions,
            self.prologue,
            self.arena,
            self.forward_value,
            lambda loop: self.trip_count(loop),
        )
        self.control = ReverseControl(subject.prepared, self.reverse_function, self.prologue, primals, self.tape)
        self.calls = Calls(
            context,
            subject,
            self.forward,
            self.shadows,
            self.adjoints,
            primals,
            self.arena,
            self.leaves_of,
            self.derivative,
        )
        memory = ShadowMemory(
            subject.activity,
            self.adjoints,
            primals,
            context.layout,
            subject.alias.base_objects,
            self.leaves_of,
            self.offset_of,
            context.fail,
        )
        self.writer = AdjointWriter(
            context.module,
            subject.activity,
            subject.demand,
            self.adjoints,
            primals,
            memory,
            self.calls,
            self.leaves_of,
            self._seed,
            context.fail,
        )
        last = subject.prepared.return_block or subject.prepared.function.entry
        self.bridge = Registers(self.insertions, self.prologue, subject.prepared.dominators, last, self._forward_block)
        self.mirror = Mirror(subject.activity, self.forward, self.insertions, self.shadows, subject.reachable)

    # What collaborators ask for

    def prologue(self) -> Builder:
        """Where stack slots are made."""
        return self._prologue

    def arena(self) -> Value:
        self.context.uses_arena = True
        return self.parameters.arena

    def leaves_of(self, value: Value) -> tuple[Leaf, ...]:
        if isinstance(value.type, IntType):
            return self._leaves_of_integer(value)
        return leaves(value.type, self._resolve)

    def _leaves_of_integer(self, value: Value) -> tuple[Leaf, ...]:
        if not self.subject.activity.active(value):
            return ()
        kinds = self.subject.facts.floating_parts(value)
        if kinds is None:
            assert isinstance(value, Instruction)
            raise self.context.fail(
                value,
                f"an {value.type} that may hold the bits of a floating number",
                "copy floating data as floating data, or with memcpy",
                "EM223",
            )
        return tuple(Leaf((k,) if len(kinds) > 1 else (), kind) for k, kind in enumerate(kinds))

    def _resolve(self, type_: Type) -> Type:
        return self.context.layout.resolve(type_)

    def offset_of(self, type_: Type, leaf: Leaf) -> int:
        if isinstance(type_, IntType):
            return leaf.path[0] * self.context.layout.size_of(leaf.type) if leaf.path else 0
        return offset_of(self.context.layout, type_, leaf.path)

    def trip_count(self, loop: Loop) -> Value | None:
        return None

    def outside(self, need: Need) -> Value | None:
        """Arguments and constants, and their shadows; None for instructions."""
        if isinstance(need.value, Instruction):
            return None
        if need.kind == PRIMAL:
            return self.forward.get(need.value, need.value)
        return self.shadows.outside(need.value)

    def forward_value(self, need: Need) -> Value:
        return self.forward[need.value] if need.kind == PRIMAL else self.shadows.of(need.value)

    def available(self, builder: Builder, need: Need) -> Value:
        """What the forward sweep left at hand."""
        value = need.value
        assert isinstance(value, Instruction)
        loop = self.subject.prepared.loops.of(value.parent)
        if loop is not None and self.subject.prepared.counters[loop] is value:
            return self.control.counter(builder, loop)
        assert value.parent is not None
        return self.bridge.carry(builder, need, self.forward_value(need), value.parent)

    def stored(self, builder: Builder, need: Need) -> Value:
        loop = self.subject.prepared.loop_of(need.value)
        assert loop is not None
        return self.tape.read(builder, need, self.control.counter(builder, loop))

    def _forward_block(self, block: Block) -> Block:
        found = self.forward[block]
        assert isinstance(found, Block)
        return found

    # Memory

    def _zeroed(self, alloca: Alloca) -> Value:
        """Zeroed stack memory like `alloca`."""
        builder = self.prologue()
        name = f"{alloca.name}_shadow" if alloca.name else ""
        shadow = builder.alloca(alloca.allocated_type, alloca.operands[0], align=alloca.align, name=name)
        self.context.zero_memory(builder, shadow, alloca_bytes(builder, self.context, alloca, {}))
        return shadow

    def _dynamic(self, builder: Builder, size: Value) -> Value:
        return builder.call(ALLOCATE, [self.arena(), size])

    def _move_dynamic_allocas(self) -> None:
        """Variable-length arrays go to the arena: the reverse sweep may read them after their block is left."""
        replaced: dict[Value, Value] = {}
        for alloca, new in list(self.forward.items()):
            if isinstance(alloca, Alloca) and not is_static(alloca):
                assert isinstance(new, Instruction)
                assert new.parent is not None
                builder = Builder(new.parent, before=new)
                memory = self._dynamic(builder, alloca_bytes(builder, self.context, alloca, self.forward))
                replaced[new] = self.forward[alloca] = memory
                new.parent.instructions.remove(new)
        if replaced:
            replace_uses(self.forward_function, replaced)

    # The two sweeps

    def write_forward(self) -> None:
        """Complete the forward sweep: mirrored stores, and what the plan keeps."""
        self._move_dynamic_allocas()
        for instruction in list(self.subject.prepared.function.instructions()):
            if isinstance(instruction, Store):
                self.mirror.store(instruction)
            elif isinstance(instruction, Call):
                self.calls.prepare(instruction)
        self.tape.open()
        self.tape.write_forward()

    def start_reverse(self) -> None:
        """Let the forward sweep go on into the reverse sweep."""
        returning = self.subject.prepared.return_block
        if returning is not None:
            block = self._forward_block(returning)
            block.instructions.pop()
            Builder(block).br(self.control.blocks[returning])

    def _seed(self, builder: Builder, i: Return) -> None:
        for path, seed in self.parameters.seeds.items():
            if i.operands and self.subject.activity.active(i.operands[0]):
                self.adjoints.add(builder, i.operands[0], path, seed, None)

    def end_reverse(self, builder: Builder) -> None:
        """Return what the request asks for, from the reversed entry block."""
        values: list[Value] = []
        if self.subject.request.value:
            assert self.subject.prepared.return_block is not None
            (returned,) = self.subject.prepared.return_block.terminator.operands
            primal = self.forward.get(returned, returned)
            values += [extract(builder, primal, leaf.path) for leaf in self.result_leaves]
        arguments = self.subject.prepared.function.arguments
        for argument, kind in zip(arguments, self.subject.request.activities, strict=True):
            if kind == ACTIVE:
                values += self._adjoint_of(builder, argument)
        self._release(builder)
        give_back(builder, values)

    def _adjoint_of(self, builder: Builder, argument: Argument) -> list[Value]:
        parts = self.adjoints.take(builder, argument) if self.subject.activity.active(argument) else {}
        return [parts.get(leaf.path, constants.zero(leaf.type)) for leaf in leaves(argument.type, self._resolve)]

    def _release(self, builder: Builder) -> None:
        """Give the arena back what this call took from it."""
        allocates = any(
            isinstance(i, Call) and i.callee is ALLOCATE for i in self.forward_function.instructions()
        )
        if self.tape.loops or allocates:
            mark = Builder(Block("", parent=self.forward_function)).call(MARK, [self.arena()], name="mark")
            self._prologue.block.instructions.insert(0, mark)
            builder.call(RELEASE, [self.arena(), mark])

    def finish(self) -> None:
        """Merge what was collected, and give the function its type."""
        self.insertions.flush()
        entry = self.forward_function.entry
        entry.instructions[:0] = self._prologue.block.instructions
        for instruction in self._prologue.block.instructions:
            instruction.parent = entry
        self.retype()

    def retype(self) -> None:
        """Set parameters and result type as they stand."""
        source = self.subject.prepared.function
        types = returned_types(source, self.subject.request, self.leaves_of, self.result_leaves)
        arguments = self.parameters.in_order()
        self.forward_function.arguments = arguments
        self.forward_function.function_type = function_type(arguments, result_type(types))
        self.returned = types

"""The primal inside a derivative function: a copy of its instructions, and shadows beside its pointers.

Both modes start from it. Generated functions inherit no attributes from the primal: a kept `memory(none)` would let
LLVM delete the shadow stores. LLVM infers them afresh; only `mustprogress` stays, which is a promise of the C
program. Metadata stays where it is as true of the copy as of the original (TBAA, alias scopes between primal
accesses, loop hints); places in the C text stay where they are asked for (`debug_lines`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial

from enzyme_magic.backend.analysis.memory import tbaa
from enzyme_magic.backend.analysis.types.partial_numbers import may_overwrite
from enzyme_magic.backend.analysis.types.type_tree import Contents, Unknown
from enzyme_magic.backend.autodiff.cache.tape import ALLOCATE, MARK, RELEASE, of_variable
from enzyme_magic.backend.autodiff.calls.call_kinds import CallKinds
from enzyme_magic.backend.autodiff.calls.request import FORWARD
from enzyme_magic.backend.autodiff.calls.signature import Parameters
from enzyme_magic.backend.autodiff.context import SweepContext
from enzyme_magic.backend.autodiff.custom.custom_subjects import plain_name
from enzyme_magic.backend.autodiff.memory import absent, followed, integer_addresses, kept_blocks, kinds, shadow_heap
from enzyme_magic.backend.autodiff.memory.shadow_source import LocalShadows, alloca_bytes, is_static
from enzyme_magic.backend.autodiff.memory.shadows import Shadows
from enzyme_magic.backend.autodiff.memory.transfer import Element, elements
from enzyme_magic.backend.autodiff.subject import Subject
from enzyme_magic.backend.autodiff.sweeps import carriers
from enzyme_magic.backend.autodiff.sweeps.insertions import Insertions
from enzyme_magic.backend.autodiff.sweeps.leaves import Leaf, leaves, offset_of
from enzyme_magic.backend.autodiff.sweeps.mirror import Mirror
from enzyme_magic.backend.autodiff.sweeps.value_leaves import holds_integers
from enzyme_magic.backend.ir import constants, intrinsics
from enzyme_magic.backend.ir.attributes import EMPTY, AttributeSet
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.clone import clone_function
from enzyme_magic.backend.ir.instructions import Alloca, AtomicRMW, Call, Cast, Instruction, Load, Store
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import I8, I32, I64, IntType, PointerType, Type, is_integer
from enzyme_magic.backend.ir.values import Block, Constant, ConstantInt, Value
from enzyme_magic.backend.rules import vector_functions
from enzyme_magic.errors import DifferentiationError

ANY_ORDER = "reassoc"
KEPT_FUNCTION_ATTRIBUTES = ("mustprogress",)
KEPT_METADATA = frozenset(["tbaa", "alias.scope", "noalias", "llvm.loop", "prof", "range", "nonnull", "noundef"])


class PrimalCopy:
    """`values` maps prepared values, blocks and arguments to those of the copy; `function` is the derivative function.

    place(alloca): memory for the shadow of a static stack variable, not yet zeroed. shadow_of_call(call): the shadow
    of a pointer a call returned. Both may be replaced before shadows are asked for.
    """

    def __init__(self, context: SweepContext, subject: Subject, parameters: Parameters, name: str) -> None:
        self.context, self.subject, self.parameters = context, subject, parameters
        source = subject.prepared.function
        self._doubts = followed.Doubts(subject, CallKinds(context.analyses, subject), lambda load: load in self.carried)
        self.values: dict[Value, Value] = dict(zip(source.arguments, parameters.primal, strict=True))
        self.function = clone_function(source, name, self.values)
        self.insertions = Insertions(self.function)
        self._prologue = Builder(Block("", parent=self.function))
        self.place: Callable[[Alloca], Value] = self._on_stack
        self.shadow_of_call: Callable[[Call], Value] = self._no_shadow
        source_of_shadows = LocalShadows(
            context,
            self.values,
            self.insertions,
            parameters.shadow,
            subject.missing,
            lambda alloca: self._zeroed(alloca),
            self.dynamic_memory,
            lambda call: self.shadow_of_call(call),
            self._leads_nowhere,
        )
        self.shadows = Shadows(
            self.values, self.insertions, source_of_shadows, context.fail, self._guard_shadow, self._follow
        )
        put = partial(kinds.point, context) if context.kinds else None
        self.mirror = Mirror(self.values, self.insertions, self.shadows, self._is_mirrored, put)
        self._strip()
        self._move_dynamic_allocas()
        self._keep_the_stack()
        absent.leave_out(self)

    def _leads_nowhere(self, cast: Cast) -> bool:
        integer = cast.operands[0]
        return integer_addresses.is_none(integer) and not self.subject.activity.active(integer)

    def _is_mirrored(self, store: Store) -> bool:
        """Whether what a pointer leads to carries derivatives, or the pointer may itself be the bits of a number with a tangent."""
        moves = self.subject.request.mode == FORWARD and self.subject.activity.active(store.value)
        return moves or self.subject.leads_to_active(store.pointer)

    def _strip(self) -> None:
        function = self.function
        kept = tuple(a for a in function.attributes if a.name in KEPT_FUNCTION_ATTRIBUTES)
        function.attributes, function.result_attributes = AttributeSet(kept), EMPTY
        function.linkage, function.prefix, function.suffix, function.metadata = "internal", (), (), {}
        function.calling_convention = ""
        function.parent = self.context.module
        told = KEPT_METADATA | {"dbg"} if self.context.lines else KEPT_METADATA
        for instruction in function.instructions():
            instruction.metadata = {k: node for k, node in instruction.metadata.items() if k in told}
        for call in self.subject.prepared.function.instructions():
            copied = self.values[call]
            if isinstance(copied, Call):
                copied.attributes = vector_functions.marked(copied.attributes, self.in_vectors(call))
            if self.context.vectors and isinstance(copied, Instruction) and self.subject.vector_math.in_any_order(call):
                copied.flags = (*copied.flags, ANY_ORDER)

    def in_vectors(self, instruction: Instruction) -> bool:
        """Whether a copy of a prepared call of libm may be computed in vectors."""
        return self.context.vectors and instruction in self.subject.vector_math.chosen

    def pays(self, instruction: Instruction) -> bool:
        """Whether calls of libm in the derivative of an instruction (only derivatives come from them) may be in vectors."""
        return self.context.vectors and self.subject.vector_math.pays(instruction)

    # What the writers ask for

    def prologue(self) -> Builder:
        """The function's first instructions: stack slots, and what must be there from the start."""
        return self._prologue

    def before_everything(self, instructions: list[Instruction]) -> None:
        """Put instructions before the rest of the prologue."""
        self._prologue.block.instructions[:0] = instructions

    def value(self, value: Value) -> Value:
        return self.values.get(value, value)

    def block(self, block: Block) -> Block:
        found = self.values[block]
        assert isinstance(found, Block)
        return found

    def after(self, instruction: Instruction) -> Builder:
        """A builder behind the copy of a prepared instruction."""
        assert instruction.parent is not None
        return self.insertions.after(self.values[instruction], self.block(instruction.parent))

    def before(self, instruction: Instruction) -> Builder:
        """A builder before the copy of a prepared instruction."""
        copied = self.values[instruction]
        assert isinstance(copied, Instruction)
        return self.insertions.before(copied)

    def arena(self) -> Value:
        self.context.uses_arena = True
        return self.parameters.arena

    def leaves_of(self, value: Value) -> tuple[Leaf, ...]:
        """The floating leaves of a value, those inside integers included."""
        if not holds_integers(self.context.layout, value.type):
            return leaves(value.type, self.context.layout.resolve)
        if not self.subject.activity.active(value):
            moves = self.subject.request.mode == FORWARD and isinstance(value, Instruction) and value in self.carried
            return (Leaf((), value.type),) if moves else ()
        found = self.subject.leaves(value)
        if isinstance(value, Instruction) and isinstance(value.type, IntType) and value in self.carried:
            return self._carried_leaves(value, found if isinstance(found, Unknown) else Unknown("it may be a pointer"))
        if isinstance(found, Unknown):
            return self._carried_leaves(value, found)
        return found

    def _carried_leaves(self, value: Value, why: Unknown) -> tuple[Leaf, ...]:
        """Of an integer of which it is not known what it holds: in forward mode its bits, in reverse mode memory of its own."""
        if value in self.carried:
            if self.subject.request.mode == FORWARD:
                return (Leaf((), value.type),)
            if self.context.kinds:
                return ()
            raise kinds.doubt(self.context, unknown_bits(self.context, value, why))
        raise unknown_bits(self.context, value, why)

    def check_carried(self) -> None:
        """Raise where bytes of pointers to memory with derivatives are moved, and their shadows cannot come along."""
        lost = carriers.lost_pointers(self.subject, self.carried)
        moved = [v for v in self.carried if isinstance(v, Instruction) and not self.subject.activity.active(v)]
        kept = self.context.kinds or self.subject.request.mode == FORWARD
        dropped = [v for v in self.subject.facts.moved - self.carried if self._is_dropped(v)]
        if dropped:
            raise unknown_bits(self.context, dropped[0], Unknown("it is moved from storage of characters"))
        found = lost or (None if kept else next(iter(moved), None))
        if found is not None:
            what = "a pointer to memory with derivatives may be copied here, as an integer or by characters"
            error = self.context.fail(found, what, "copy pointers as pointers, or with memcpy", "EM223")
            raise error if lost is not None or kept else kinds.doubt(self.context, error)

    def _is_dropped(self, value: Value) -> bool:
        return self.subject.activity.active(value) and self.subject.leaves(value) == ()

    @cached_property
    def carried(self) -> frozenset[Value]:
        """Integers that are moved whatever they hold."""
        found = carriers.carried(self.subject)
        asks = self.context.asks and self.subject.request.mode != FORWARD
        return found | carriers.mixed(self.subject) if asks else found

    def erased_by(self, store: Store | AtomicRMW) -> tuple[Element, ...]:
        """The floating numbers in memory that a store of an integer without derivative overwrites: optimizers write
        `store i64 0` where C sets two floats to zero."""
        value, pointer = store.operands if isinstance(store, Store) else reversed(store.operands)
        if not is_integer(value.type) or self.subject.activity.active(value) or value in self.carried:
            return ()
        size = self.context.layout.store_size(value.type)
        contents = self._met_by(store, pointer, size)
        if contents is None:
            return ()
        whole = (Element(0, IntType(8 * size)),)
        if isinstance(contents, Unknown):
            forward = self.subject.request.mode == FORWARD
            if (self.context.kinds or forward) and self._is_integer(value):
                return whole
            what = f"it is not known what these bytes hold: {contents.reason}"
            error = self.context.fail(store, what, "write through pointers of the element type", "EM224")
            raise error if forward else kinds.doubt(self.context, error)
        erased = elements(contents.segments, floats=True)
        plain = not erased and not contents.pointers and isinstance(store, Store)
        return whole if plain and self.context.asks else erased  # who asks elsewhere what these bytes are must be told

    def _met_by(self, store: Instruction, pointer: Value, size: int) -> Contents | Unknown | None:
        """What a store of an integer overwrites; None where C says that it is one, and no bytes of numbers came there."""
        contents = self.subject.memory_at(pointer, size)
        plain = isinstance(contents, Contents) and not contents.floats
        told = tbaa.scalar_name(store) in tbaa.INTEGERS
        if self.context.asks or not (plain or told):
            return contents
        if not may_overwrite(self.subject.facts.types.seeds.places(pointer), size, stored=True):
            return None if told else contents
        return Unknown(f"{contents.reason}, but bytes of numbers may have come there") if plain else contents

    def _is_integer(self, value: Value) -> bool:
        """Whether it is certain that a value is no pointer to memory with derivatives that is carried along in an integer."""
        return all(map(self._is_no_pointer, carriers.chosen(value)))

    def _is_no_pointer(self, value: Value) -> bool:
        if isinstance(value, Load) and not self.subject.leads_to_active(value.pointer):
            return True
        if isinstance(value, Call) and value.called_function is not None:
            made = self.subject.facts.types.seeds.scalar_function(value.called_function)
            if made is not None:
                return all(map(self._is_no_pointer, value.arguments))  # nothing else goes into it
        return isinstance(value, Constant) or self.subject.facts.types.is_no_pointer(value)

    def offset_of(self, type_: Type, leaf: Leaf) -> int:
        """Byte offset of a leaf in memory that holds a value of `type_`."""
        return offset_of(self.context.layout, type_, leaf.path)

    # Memory

    def _on_stack(self, alloca: Alloca) -> Value:
        name = f"{alloca.name}_shadow" if alloca.name else ""
        if self._looks_around():
            return self.prologue().alloca(I8, self._room(alloca), align=max(alloca.align or 0, kinds.WORD), name=name)
        return self.prologue().alloca(alloca.allocated_type, alloca.operands[0], align=alloca.align, name=name)

    def _zeroed(self, alloca: Alloca) -> Value:
        shadow = self.place(alloca)
        builder = self.prologue()
        size = alloca_bytes(builder, self.context, alloca, {})
        self.context.zero_memory(builder, shadow, self._room(alloca) if self._looks_around() else size)
        kinds.fresh(self.context, builder, shadow, size)
        return shadow

    def _looks_around(self) -> bool:
        """Whether the run looks at all of the word around an integer: nothing else may lie in that of a small variable."""
        return self.context.asks and self.subject.request.mode == FORWARD

    def _room(self, alloca: Alloca) -> Constant:
        size = alloca_bytes(self.prologue(), self.context, alloca, {})
        assert isinstance(size, ConstantInt)
        return constants.int_constant(I64, -(-size.unsigned // kinds.WORD) * kinds.WORD)

    def _no_shadow(self, call: Call) -> Value:
        raise self.context.fail(call, "memory from this call carries derivatives", "use an array parameter", "EM242")

    def _follow(self, load: Load, place: Value) -> None:
        """The shadow of a pointer that is loaded is about to be loaded from `place`."""
        if self.context.follows and self._doubts.may_lack_shadow(load):
            primal = self.values[load]
            assert isinstance(primal, Load)
            kept_blocks.follow(self.context, self.after(load), primal.pointer, place, primal)

    def _guard_shadow(self, load: Load, shadow: Instruction) -> None:
        """A pointer that was put into memory before this derivative began has no shadow there: end with an error, not
        in a crash."""
        followed.require(self.subject, load.pointer)
        if not self._doubts.may_lack_shadow(load):
            return
        objects = self.subject.alias.base_objects(load.pointer)
        self.context.uses_guard = True
        span = self.context.span_of(load)
        places = sorted(plain_name(o.name) for o in objects if o.kind == "global" and not o.local)
        where = self.context.text(" or ".join(places) or "memory that was there before")
        file = self.context.text(span.file if span is not None else self.context.module.source_filename)
        line = constants.int_constant(I32, span.line if span else 0)
        self.after(load).call(shadow_heap.REQUIRE, [self.values[load], shadow, where, file, line])

    def dynamic_memory(self, builder: Builder, size: Value) -> Value:
        """Arena memory that is there until the function is done."""
        return builder.call(ALLOCATE, [self.arena(), size])

    def _move_dynamic_allocas(self) -> None:
        """Variable-length arrays go to the arena: the reverse sweep may read them after their block is left."""
        for alloca in self.subject.prepared.function.instructions():
            if isinstance(alloca, Alloca) and not is_static(alloca):
                builder = self.after(alloca)
                size = alloca_bytes(builder, self.context, alloca, self.values)
                block = builder.call(ALLOCATE, [self.arena(), size])
                block.attributes = of_variable(alloca, self.context.layout)
                self.replace(alloca, block)

    def _keep_the_stack(self) -> None:
        """No block gives its variables back: a fixed one is released there too when it stands behind the `stacksave`, and the
        reverse sweep may read it. Nothing grows, because those of variable length are in the arena."""
        for call in self.subject.prepared.function.instructions():
            if (
                isinstance(call, Call)
                and call.called_function is not None
                and intrinsics.marks_stack(call.called_function.name)
            ):
                self.replace(call, constants.zero(call.type) if isinstance(call.type, PointerType) else None)

    def replace(self, prepared: Instruction, new: Value | None) -> None:
        """Let `new` stand for the copy of `prepared`, which is removed."""
        old = self.values[prepared]
        assert isinstance(old, Instruction)
        self.insertions.drop(old, new)
        if new is not None:
            self.values[prepared] = new

    def uses_local_arena(self) -> bool:
        """Whether this function itself takes memory from the arena."""
        return self.context.uses_arena and any(
            isinstance(i, Call) and i.callee is ALLOCATE for i in self.insertions.collected()
        )

    def mark(self) -> Value:
        """The arena's state at the function's start."""
        mark = Builder(Block("", parent=self.function)).call(MARK, [self.arena()], name="mark")
        self.before_everything([mark])
        return mark

    def release(self, builder: Builder) -> None:
        """Give back what the function took from the arena, at its end."""
        builder.call(RELEASE, [self.arena(), self.mark()])

    def finish(self) -> Function:
        """Merge everything collected. Once, after the last instruction was asked for."""
        self.insertions.flush()
        entry = self.function.entry
        entry.instructions[:0] = self._prologue.block.instructions
        for instruction in self._prologue.block.instructions:
            instruction.parent = entry
        return self.function


def unknown_bits(context: SweepContext, value: Value, why: Unknown) -> Exception:
    """The error for an integer of which it is not known whether it holds floating numbers. A call: one that it passes on."""
    passed = isinstance(value, Call) and not isinstance(value.type, IntType)
    what = "an integer that is passed on" if passed else f"an {value.type}"
    what += f" may hold the bits of a floating number: {why.reason}"
    hint = "copy floating data as floating data, or with memcpy"
    if isinstance(value, Instruction):
        return context.fail(value, what, hint, "EM223")
    return DifferentiationError(what, code="EM223", hint=hint)

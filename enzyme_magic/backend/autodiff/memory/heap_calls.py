"""Library calls that move, make or free memory, in reverse mode: what they do to shadows in both sweeps.

Invariant: `free` is left out of the forward sweep, because the reverse sweep may read the block; the reversed allocation
frees it. What is emitted: shadow_heap and transfer. Not here: arena memory of inner derivatives (arena_calls).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

from enzyme_magic.backend.analysis.calls import allocators
from enzyme_magic.backend.analysis.calls.allocators import LIKE
from enzyme_magic.backend.analysis.calls.runtime_calls import ARENA, SHADOW, TAPE, TAPE_BYTES
from enzyme_magic.backend.analysis.types.type_tree import Contents, Unknown
from enzyme_magic.backend.autodiff.cache import arena_calls
from enzyme_magic.backend.autodiff.cache.recompute import ReversePrimals
from enzyme_magic.backend.autodiff.cache.tape import ALLOCATE
from enzyme_magic.backend.autodiff.calls import call_kinds
from enzyme_magic.backend.autodiff.calls.call_kinds import CallKinds
from enzyme_magic.backend.autodiff.context import SweepContext
from enzyme_magic.backend.autodiff.memory import (
    followed,
    kinds,
    nested_heap,
    own_allocators,
    released,
    shadow_heap,
    transfer,
)
from enzyme_magic.backend.autodiff.subject import Subject
from enzyme_magic.backend.autodiff.sweeps.primal_copy import PrimalCopy
from enzyme_magic.backend.ir import constants, intrinsics
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.instructions import Call, Instruction
from enzyme_magic.backend.ir.types import I64, POINTER, FunctionType
from enzyme_magic.backend.ir.values import Value
from enzyme_magic.backend.library import libc
from enzyme_magic.backend.library.summary import ARGUMENT


@dataclass(slots=True, repr=False)
class HeapCalls:
    """The forward and reverse parts of MEMORY, ALLOCATION and FREE calls."""

    context: SweepContext
    subject: Subject
    copy: PrimalCopy
    primals: ReversePrimals
    reverse_arena: Value
    uses_arena: bool = False
    _shadows: dict[Call, Value] = field(default_factory=dict)

    # The forward sweep

    def keep_alive(self, call: Call) -> None:
        """Leave out a release of arena memory: the reverse sweep may still read it."""
        self.uses_arena = self.context.uses_arena = True
        self.copy.replace(call, None)

    def prepare(self, call: Call, kind: str) -> None:
        """What the call does to shadows in the forward sweep."""
        if kind == call_kinds.MEMORY:
            self._mirror_pointers(call)
        elif kind == call_kinds.ALLOCATION:
            if allocation_kind(self.context, call) == "realloc":
                self._reallocate(call)
        elif nested_heap.name_of(call):
            nested_heap.note_freed(self.context, self.copy, call)
        else:
            self.context.uses_heap = True
            builder = self.copy.after(call)
            pointer = freed(self.context, call)
            own_allocators.check_postponed(self.context, self.subject, call)
            block, shadow = self.copy.value(pointer), self.copy.shadows.of(pointer)
            released.check(self.context, builder, call, block, shadow)
            builder.call(shadow_heap.FREED, [block, shadow])
            self.copy.replace(call, None)

    def _mirror_pointers(self, call: Call) -> None:
        """Pointers among the moved bytes are moved in shadow memory too."""
        if not self.subject.leads_to_active(call.arguments[0]):
            return
        builder = self.copy.after(call)
        target = self.copy.shadows.of(call.arguments[0])
        length = as_i64(builder, self.copy.value(call.arguments[2]))
        if is_set(call):
            return  # memory is set to bytes that are no pointers
        followed.require(self.subject, call.arguments[1])
        source = self.copy.shadows.of(call.arguments[1])
        contents = self.contents(call)
        if self.context.kinds:
            self._copy_pointers(builder, call, target, source, length, contents)
        elif isinstance(contents, Contents):
            transfer.write(self.context, builder, transfer.COPY, target, source, length, contents)

    def _copy_pointers(
        self, builder: Builder, call: Call, target: Value, source: Value, length: Value, contents: Contents | Unknown
    ) -> None:
        if isinstance(contents, Unknown) or transfer.elements(contents.segments, floats=False):
            kinds.note(self.context, builder, source, length, contents)
            kinds.copy_pointers(self.context, builder, call, target, source, length)

    def shadow_of_allocation(self, call: Call) -> Value:
        """The shadow of freshly allocated memory."""
        made = self._shadows.get(call)
        if made is None and allocation_kind(self.context, call) == "realloc":
            self._reallocate(call)
            made = self._shadows[call]
        if made is None:
            self.uses_arena |= allocation_kind(self.context, call) == ARENA
            made = self._shadows[call] = fresh_shadow(self.context, self.copy, call)
        return made

    def _reallocate(self, call: Call) -> None:
        shadow = self.copy.shadows.of(call.arguments[0])
        if call in self._shadows:
            return  # a loop: the old block's shadow asked for the new one's
        self.context.uses_heap = True
        builder = self.copy.after(call)
        old, size = (self.copy.value(v) for v in call.arguments)
        size = as_i64(builder, size)
        released.check(self.context, builder, call, old, shadow)
        new = builder.call(shadow_heap.REALLOCATE, [old, shadow, size], name=call.name)
        self._shadows[call] = builder.call(
            shadow_heap.REALLOCATE_SHADOW, [new, old, shadow, size], name=f"{call.name}_shadow"
        )
        if self.context.kinds:
            common = builder.call(shadow_heap.COMMON, [new, old, shadow, size])
            kinds.fresh(self.context, builder, self._shadows[call], size)
            kinds.copied(self.context, builder, self._shadows[call], shadow, common)
        self.copy.replace(call, new)

    # The reverse sweep

    def reverse(self, builder: Builder, call: Call, kind: str) -> None:
        """What the call does to adjoints in the reverse sweep."""
        if kind == call_kinds.MEMORY:
            self._reverse_move(builder, call)
        elif kind == call_kinds.ALLOCATION and allocation_kind(self.context, call) != ARENA:
            self.context.uses_heap = True
            if allocation_kind(self.context, call) == "realloc":
                self._reverse_reallocation(builder, call)
            memory = self.primals.primal(builder, call)
            shadow = self.primals.shadow(builder, call)
            if allocation_kind(self.context, call) in shadow_heap.ALLOCATORS:
                kinds.wash_block(self.context, builder, shadow)
            if allocation_kind(self.context, call) == LIKE:
                primal = partial(self.primals.primal, builder)
                own_allocators.release(self.context, builder, call, memory, shadow, primal)
            elif allocation_kind(self.context, call) == TAPE:
                nested_heap.release_tape(self.context, builder, memory, shadow)
            else:
                nested_heap.release(builder, allocation_kind(self.context, call), memory, shadow)

    def _reverse_move(self, builder: Builder, call: Call) -> None:
        if not any(self.subject.activity.active(o) for o in self.subject.alias.base_objects(call.arguments[0])):
            return
        contents = self.contents(call)
        integers = _is_plain(contents) and not self.context.asks
        if integers:
            overwritten = self._overwritten(call)
            if overwritten is None:
                return
            contents = overwritten
        target = self.primals.shadow(builder, call.arguments[0])
        length = as_i64(builder, self.primals.primal(builder, call.arguments[2]))
        moves = not (integers or is_set(call)) and any(
            self.subject.activity.active(o) for o in self.subject.alias.base_objects(call.arguments[1])
        )
        if self.context.kinds:
            source = self.primals.shadow(builder, call.arguments[1]) if moves else None
            self._by_kinds(builder, call, target, source, length, contents)
            return
        assert isinstance(contents, Contents)
        if not moves:
            transfer.write(self.context, builder, transfer.ZERO, target, None, length, contents)
            return
        source = self.primals.shadow(builder, call.arguments[1])
        if _may_overlap(call):
            self.context.uses_arena = self.uses_arena = True
            held = builder.call(ALLOCATE, [self.reverse_arena, length])
            self.context.copy_memory(builder, held, target, length)
            transfer.write(self.context, builder, transfer.ZERO, target, None, length, contents)
            target = held
        transfer.write(self.context, builder, transfer.ADD, target, source, length, contents)

    def _overwritten(self, call: Call) -> Contents | Unknown | None:
        """What lies where a copy puts integers, if there are numbers: the integers may be the bits of others."""
        found = None if is_set(call) else self.subject.overwritten(call)
        if isinstance(found, Unknown) and not self.context.kinds:
            raise self._unknown(call, found)
        return found

    def _reverse_reallocation(self, builder: Builder, call: Call) -> None:
        """The old block gets the adjoints of what was copied out of it."""
        contents = self.subject.reallocated(call)
        if isinstance(contents, Unknown) and not self.context.kinds:
            raise self._unknown(call, contents)
        if _is_plain(contents) and not self.context.asks:
            return
        old, size = (self.primals.primal(builder, v) for v in call.arguments)
        new = self.primals.primal(builder, call)
        new_shadow = self.primals.shadow(builder, call)
        old_shadow = self.primals.shadow(builder, call.arguments[0])
        common = builder.call(shadow_heap.COMMON, [new, old, old_shadow, as_i64(builder, size)])
        if self.context.kinds:
            self._by_kinds(builder, call, new_shadow, old_shadow, common, contents)
        elif isinstance(contents, Contents):
            transfer.write(self.context, builder, transfer.ADD, new_shadow, old_shadow, common, contents)

    def _by_kinds(
        self,
        builder: Builder,
        call: Call,
        target: Value,
        source: Value | None,
        length: Value,
        contents: Contents | Unknown,
    ) -> None:
        """The adjoint of a copy to `target`, or of bytes that are set, by what lies there when it runs."""
        kinds.note(self.context, builder, target, length, contents)
        if source is None:
            kinds.clear(self.context, builder, call, target, length)
        else:
            kinds.move(self.context, builder, call, target, source, length)

    def contents(self, call: Call) -> Contents | Unknown:
        """What a memory intrinsic writes, as the type analysis knows it; unknown only where the run says."""
        found = self.subject.set_contents(call) if is_set(call) else self.subject.copied(call)
        if isinstance(found, Unknown) and not self.context.kinds:
            raise self._unknown(call, found)
        return found

    def _unknown(self, call: Call, found: Unknown) -> Exception:
        what = f"it is not known what these bytes hold: {found.reason}"
        error = self.context.fail(call, what, "copy through pointers of the element type", "EM224")
        return kinds.doubt(self.context, error)


def postponed(kinds: CallKinds) -> frozenset[Instruction]:
    """The calls whose release waits until the allocation is reversed: the reverse sweep before finds the memory as it was."""
    calls = [i for i in kinds.subject.prepared.function.instructions() if isinstance(i, Call)]
    return frozenset(call for call in calls if _is_library_free(call) and kinds.kind(call) == call_kinds.FREE)


def _is_library_free(call: Call) -> bool:
    """Not an allocator of the program's own, which may do more than release, and nothing that an inner derivative calls."""
    function = call.called_function
    own = function is None or not function.is_declaration or allocators.is_closed(function)
    return not own and not nested_heap.name_of(call) and not call_kinds.holds_tape(call)


def freed(context: SweepContext, call: Call) -> Value:
    """The pointer whose memory a call of kind FREE ends."""
    return next(call.arguments[p.index] for p in context.analyses.effects.call(call).frees if p.kind == ARGUMENT)


def allocation_kind(context: SweepContext, call: Call) -> str:
    """The kind of allocation: malloc, calloc, realloc, aligned_alloc."""
    return context.analyses.effects.call(call).allocates


def fresh_shadow(context: SweepContext, copy: PrimalCopy, call: Call) -> Value:
    """Zeroed shadow memory beside a block that `call` gave: in the arena where the block is, otherwise on the heap."""
    builder = copy.after(call)
    if allocation_kind(context, call) == ARENA:
        return arena_calls.shadow_block(context, copy, builder, call)
    context.uses_heap = True
    size = allocation_bytes(context, copy, builder, call)
    shadow = builder.call(shadow_heap.ALLOCATE_SHADOW, [copy.value(call), size], name=f"{call.name}_shadow")
    kinds.fresh(context, builder, shadow, size)
    return shadow


def allocation_bytes(context: SweepContext, copy: PrimalCopy, builder: Builder, call: Call) -> Value:
    """The size of an allocation, in the forward sweep."""
    kind = allocation_kind(context, call)
    if kind == LIKE:
        assert call.called_function is not None
        size = allocators.size_argument(call.called_function)
        return as_i64(builder, copy.value(call.arguments[size]))
    if kind == TAPE:
        return constants.int_constant(I64, TAPE_BYTES)
    function = libc.find(kind)
    places = (1,) if kind == SHADOW else function.allocated if function is not None else ()
    if places:
        sizes = [as_i64(builder, copy.value(call.arguments[k])) for k in places]
        return sizes[0] if len(sizes) == 1 else builder.mul(sizes[0], sizes[1])
    usable = context.declared("malloc_usable_size", FunctionType(I64, (POINTER,)))
    return builder.call(usable, [copy.value(call)])  # strdup and the like: as much as the block has


def _is_plain(contents: Contents | Unknown) -> bool:
    """Whether it is known that there are no numbers."""
    return isinstance(contents, Contents) and not transfer.elements(contents.segments, floats=True)


def is_set(call: Call) -> bool:
    return intrinsics.transfer(call) == "memset"


def _may_overlap(call: Call) -> bool:
    return intrinsics.transfer(call) == "memmove"


def as_i64(builder: Builder, value: Value) -> Value:
    return value if value.type == I64 else builder.zext(value, I64)

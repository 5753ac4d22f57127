"""May two accesses touch the same bytes, and is what a load read still there later?

Four independent proofs of "no": different memory objects (points-to, escape, noalias); distance of the addresses from
one base (`distance`); the types of the accesses (`tbaa`, unless the addresses are provably equal); noalias scopes.
Everything else is "maybe".

`overwritten_after(load)` asks for an instruction that may execute after the load, in this or a later iteration of any
loop, and may write or free the bytes it read. Code that runs after the function has returned does not count, unless
`caller_may_write` is set.

Not modelled: other threads (volatile and atomic loads count as overwritten).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from enzyme_magic.backend.analysis.calls.effects import Effects
from enzyme_magic.backend.analysis.counts.affine import Evolution, Polynomial
from enzyme_magic.backend.analysis.counts.reach import Reach
from enzyme_magic.backend.analysis.memory import distance, tbaa
from enzyme_magic.backend.analysis.memory.accesses import Access, writes_of
from enzyme_magic.backend.analysis.memory.describe import Describer
from enzyme_magic.backend.analysis.memory.distance import ANY_TIME, AccessPlace, Distances, LoopLevel
from enzyme_magic.backend.analysis.memory.memory_objects import MemoryObject, PointsTo, returned_pointers
from enzyme_magic.backend.analysis.memory.scoped import Scopes
from enzyme_magic.backend.analysis.memory.writers import Writers
from enzyme_magic.backend.ir import locations
from enzyme_magic.backend.ir.graphs.dominators import DominatorTree
from enzyme_magic.backend.ir.graphs.loops import Loop, Loops
from enzyme_magic.backend.ir.graphs.loops import find as find_loops
from enzyme_magic.backend.ir.instructions import Call, Instruction, Load, Store
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import FloatType, Type
from enzyme_magic.backend.ir.values import Block, Value


@dataclass(frozen=True, slots=True, eq=False)
class Overwrite:
    """`instruction` may change or free the memory; None when it is the caller or another thread. `line` is its C line."""

    instruction: Instruction | None
    line: int | None
    sentence: str

    def __str__(self) -> str:
        return self.sentence


@dataclass(frozen=True, slots=True, eq=False)
class Reason:
    """Why an instruction may write some memory."""

    instruction: Instruction
    line: int | None
    sentence: str

    def __str__(self) -> str:
        return self.sentence


@dataclass(slots=True, eq=False, repr=False)
class Alias:
    """Answers for one function. They hold for any pair of executions unless the method says otherwise.

    retyped: accesses to memory that is used again under another type (`retyped`): theirs says nothing
    about overlaps.
    """

    function: Function
    effects: Effects
    layout: DataLayout
    points_to: PointsTo
    loops: Loops
    reach: Reach
    evolution: Evolution
    distances: Distances
    scopes: Scopes
    strict_aliasing: bool = True
    retyped: frozenset[Instruction] = frozenset()
    _writers: Writers | None = None
    _describer: Describer | None = None
    _let_out: int | None = None
    _writes: dict[Instruction, list[Access]] = field(default_factory=dict)
    _tags: dict[tuple[tbaa.Tag, tbaa.Tag], bool] = field(default_factory=dict)
    _overwrites: dict[tuple[Load, bool, frozenset[Instruction]], Overwrite | None] = field(default_factory=dict)
    _read_behind: dict[Store, Load] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        function: Function,
        effects: Effects,
        layout: DataLayout,
        *,
        strict_aliasing: bool = True,
        retyped: frozenset[Instruction] = frozenset(),
    ) -> Alias:
        """strict_aliasing=False ignores TBAA."""
        dominators = DominatorTree.of(function)
        loops = find_loops(function, dominators)
        evolution = Evolution(layout, loops, dominators)
        return cls(
            function,
            effects,
            layout,
            effects.points_to(function),
            loops,
            Reach.of(function),
            evolution,
            Distances.of(evolution),
            Scopes.of(function, loops),
            strict_aliasing,
            retyped,
        )

    # --- objects

    def base_objects(self, pointer: Value) -> frozenset[MemoryObject]:
        """What `pointer` may point into; empty for null."""
        return self.points_to.base_objects(pointer)

    def overlapping_objects(self, pointer: Value) -> frozenset[MemoryObject]:
        """`base_objects` and every object whose memory may be the same (two arguments of one caller, for example)."""
        return frozenset(self.points_to.members(self.points_to.widen(self.points_to.mask(pointer))))

    def objects_read(self, call: Call) -> frozenset[MemoryObject]:
        """The objects a call may read."""
        return self._objects(call, writes=False)

    def objects_written(self, call: Call) -> frozenset[MemoryObject]:
        """The objects a call may write or free."""
        return self._objects(call, writes=True)

    def _objects(self, call: Call, *, writes: bool) -> frozenset[MemoryObject]:
        summary = self.effects.call_in(call, self.points_to)
        mask = 0
        for place in summary.writes | summary.frees if writes else summary.reads:
            mask |= self.points_to.place_mask(place, call.arguments, call)
        return frozenset(self.points_to.members(mask))

    def visible_outside(self, pointer: Value) -> bool:
        """Whether code outside this function may know the memory once the function has returned."""
        return self.any_visible(self.points_to.mask(pointer))

    def any_visible(self, mask: int) -> bool:
        """The same for objects: one of them is not local, or its address has escaped, or is returned, or can be read in what is."""
        if self._let_out is None:
            returned = 0
            for value in returned_pointers(self.function):
                returned |= self.points_to.mask(value)
            self._let_out = self.points_to.escaped | self.points_to.closure(returned)
        return bool(mask & self._let_out) or any(not o.local for o in self.points_to.members(mask))

    # --- pairs

    def may_alias(
        self, a: Value, size_a: int | None, b: Value, size_b: int | None, *, same_iteration: bool = False
    ) -> bool:
        """Whether size_a bytes at `a` and size_b bytes at `b` may overlap (None: unknown size).

        Both pointers may belong to different iterations of loops around them, unless `same_iteration`: then every SSA value
        stands for one number.
        """
        masks = self.points_to.mask(a), self.points_to.mask(b)
        if not self.points_to.widen(masks[0]) & masks[1]:
            return False
        first, second = self.evolution.address(a), self.evolution.address(b)
        if first.base is not second.base:
            return True
        if same_iteration:
            apart = distance.difference(first.offset, second.offset)
            return apart is None or _overlap(apart, size_a, size_b)
        if not self.stable(first.base, ANY_TIME):
            return True
        return self.distances.may_touch(
            AccessPlace(first.offset, 0, size_a), AccessPlace(second.offset, 0, size_b), ANY_TIME
        )

    def apart_now(self, a: Load | Store, b: Load | Store) -> bool:
        """Whether two accesses of one block never touch the same byte in the same iteration of all loops around it."""
        if not self.points_to.widen(self.points_to.mask(a.pointer)) & self.points_to.mask(b.pointer):
            return True
        level = LoopLevel(None, self.loops.of(a.parent))
        if self.scopes.apart(a, b, level):
            return True
        first, second = self.evolution.address(a.pointer), self.evolution.address(b.pointer)
        if first.base is not second.base or not self.stable(first.base, level):
            return False
        here = AccessPlace(first.offset, 0, self.layout.store_size(_accessed(a)), a.parent)
        there = AccessPlace(second.offset, 0, self.layout.store_size(_accessed(b)), b.parent)
        return not self.distances.may_touch(here, there, level)

    def modifies(
        self, instruction: Instruction, pointer: Value, size: int | None, tag: tbaa.Tag | None = None
    ) -> Reason | None:
        """Whether some execution of `instruction` may write or free some of the `size` bytes at `pointer` (as of any execution);
        `tag` is the TBAA tag of the other access."""
        mask = self.points_to.widen(self.points_to.mask(pointer))
        for access in self.writes(instruction):
            if access.mask & mask and self.tags_meet(access.tag, tag) and self._meets(access, pointer, size):
                line = locations.line_of(instruction)
                return Reason(instruction, line, _sentence(access, line, self.describe(pointer)))
        return None

    def _meets(self, access: Access, pointer: Value, size: int | None) -> bool:
        if access.pointer is None:
            return True
        first, second = self.evolution.address(pointer), self.evolution.address(access.pointer)
        if first.base is not second.base or not self.stable(first.base, ANY_TIME):
            return True
        here, there = AccessPlace(first.offset, 0, size), AccessPlace(second.offset, access.low, access.high)
        return self.distances.may_touch(here, there, ANY_TIME)

    def writes(self, instruction: Instruction) -> list[Access]:
        """Everything the instruction may write or free."""
        found = self._writes.get(instruction)
        if found is None:
            summary = self.effects.call_in(instruction, self.points_to) if isinstance(instruction, Call) else None
            found = writes_of(instruction, self.points_to, summary, self.layout)
            if instruction in self.retyped:
                found = [replace(access, tag=None) for access in found]
            self._writes[instruction] = found
        return found

    def tag_of(self, access: Instruction) -> tbaa.Tag | None:
        """The TBAA tag of an access, where it says something about overlaps."""
        return None if access in self.retyped else tbaa.tag_of(access)

    def tags_meet(self, a: tbaa.Tag | None, b: tbaa.Tag | None) -> bool:
        """Whether the TBAA tags of two accesses allow them to touch."""
        if a is None or b is None or not self.strict_aliasing:
            return True
        found = self._tags.get((a, b))
        if found is None:
            found = self._tags[a, b] = tbaa.may_alias(a, b)
        return found

    def stable(self, base: Value, level: LoopLevel) -> bool:
        """Whether `base` is the same address in both executions."""
        if not isinstance(base, Instruction):
            return True
        if self.loops.irreducible is not None:
            return base.parent is not None and not self.reach.in_cycle(base.parent)
        home = self.loops.of(base.parent)
        if home is None:
            return True
        if level.later is not None:
            return home is not level.later and home.encloses(level.later)
        return level.common is not None and home.encloses(level.common)

    # --- later writes

    def overwritten_after(
        self, load: Load, *, caller_may_write: bool = False, postponed: frozenset[Instruction] = frozenset()
    ) -> Overwrite | None:
        """An instruction that may change or free what `load` read, after it; None: there is none.

        caller_may_write: the caller may change memory it can see once the function has returned. postponed: calls that release
        nothing before the reverse sweep needs the memory no more.
        """
        key = (load, caller_may_write, postponed)
        if key not in self._overwrites:
            self._overwrites[key] = self._find_overwrite(load, caller_may_write, postponed)
        return self._overwrites[key]

    def _find_overwrite(
        self, load: Load, caller_may_write: bool, postponed: frozenset[Instruction]
    ) -> Overwrite | None:
        element = self.layout.size_of(load.type) if isinstance(load.type, FloatType) else None
        what = self.describe(load.pointer, element)
        if load.volatile or load.ordering not in ("", "unordered"):
            line = locations.line_of(load)
            return Overwrite(None, line, f"{what} is volatile or atomic: it may change at any time")
        mask = self.changeable(load)
        tag = tbaa.tag_of(load)
        if not mask or "invariant.load" in load.metadata or (tag is not None and tag.constant):
            return None
        access = self._all_writers().overwriting(self, load, mask, postponed)
        if access is not None:
            line = locations.line_of(access.instruction)
            return Overwrite(access.instruction, line, _sentence(access, line, what))
        if caller_may_write and self.visible_outside(load.pointer):
            return Overwrite(None, None, f"the caller may change {what} before the reverse sweep")
        return None

    def read_behind(self, store: Store) -> Load:
        """A load of what `store` has just written: for questions, in no block. The C rules on types do not help it."""
        found = self._read_behind.get(store)
        if found is None:
            metadata = {k: v for k, v in store.metadata.items() if k != "tbaa"}
            found = Load("load", store.value.type, [store.pointer], align=store.align, metadata=metadata)
            found.parent, found.name = store.parent, getattr(store.value, "name", "")
            self._all_writers().stand_at(found, store)
            self._read_behind[store] = found
        return found

    def _all_writers(self) -> Writers:
        if self._writers is None:
            self._writers = Writers.of(self.function, self.writes, self.evolution, self.reach)
        return self._writers

    def changeable(self, load: Load) -> int:
        """What `load` may read and somebody may write, as a mask of objects."""
        mask = 0
        for item in self.points_to.members(self.points_to.mask(load.pointer)):
            if not item.constant:
                mask |= 1 << self.points_to.numbers[item]
        return self.points_to.widen(mask)

    def levels(self, first: Block, second: Block) -> list[LoopLevel]:
        """The ways an execution of a block can follow one of another block: later iterations of each common loop; the same
        iteration of all of them is left to `Writers`, which knows the order inside a block."""
        loop = self.loops.of(first)
        found: list[LoopLevel] = []
        while loop is not None:
            if second in loop.blocks:
                found.append(LoopLevel(loop, None))
            loop = loop.parent
        return found

    def common_loop(self, first: Block, second: Block) -> Loop | None:
        loop = self.loops.of(first)
        while loop is not None and second not in loop.blocks:
            loop = loop.parent
        return loop

    def may_touch_at(self, load: Load, size: int, access: Access, level: LoopLevel) -> bool:
        """Whether the access may write what `load` read, when it comes after it as `level` says."""
        assert access.pointer is not None
        first, second = self.evolution.address(load.pointer), self.evolution.address(access.pointer)
        if self.scopes.apart(load, access.instruction, level):
            return False
        if first.base is not second.base or not self.stable(first.base, level):
            return self.tags_meet(access.tag, self.tag_of(load))
        if self._surely_equal(first.offset, second.offset, level):
            return True
        if not self.tags_meet(access.tag, self.tag_of(load)):
            return False
        here = AccessPlace(first.offset, 0, size, load.parent)
        there = AccessPlace(second.offset, access.low, access.high, access.instruction.parent)
        return self.distances.may_touch(here, there, level)

    def _surely_equal(self, first: Polynomial, second: Polynomial, level: LoopLevel) -> bool:
        """Equal addresses: the C rules on types do not help against reuse of memory, and LLVM does not trust them there."""
        return first == second and all(distance.agreed(self.evolution, s, level) for m in first for s in m)

    # --- words

    def describe(self, pointer: Value, size: int | None = None) -> str:
        """The memory in C's words as far as names tell: `a[i]`, `*p`, `q`."""
        if self._describer is None:
            self._describer = Describer.of(self.function, self.evolution, self.layout)
        return self._describer.memory(pointer, size)


def _accessed(access: Load | Store) -> Type:
    return access.type if isinstance(access, Load) else access.value.type


def _overlap(apart: int, size_a: int | None, size_b: int | None) -> bool:
    below = size_b is not None and apart <= -size_b
    above = size_a is not None and apart >= size_a
    return not (below or above)


def _sentence(access: Access, line: int | None, what: str) -> str:
    where = f"line {line}" if line is not None else "an instruction without a line"
    instruction = access.instruction
    if isinstance(instruction, Call):
        callee = instruction.called_function
        name = callee.name if callee is not None else "a function called through a pointer"
        verb = "free" if access.frees else "change"
        if name.startswith("llvm."):
            name = name.split(".")[1]
        return f"{where}: {name} may {verb} {what}"
    return f"{where} overwrites {what}"

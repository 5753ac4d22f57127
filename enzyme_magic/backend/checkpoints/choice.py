"""Which loops of a function are checkpointed, what is carried from one of their iterations to the next, and why others are not.

A loop qualifies where running its iterations again from a checkpoint does what they did before: it computes and changes memory of
known extent, and nothing else (no input or output, allocation, atomic or global state). What it only reads must still be there when
the reverse sweep comes: nothing after the loop may change it.

Invariant: frozen answers; a loop that is not understood is left to the tape, with the reason. Deciding only: outline.py writes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from enzyme_magic.backend.analysis.counts.bounds import Bounds
from enzyme_magic.backend.analysis.memory.alias import Alias
from enzyme_magic.backend.autodiff.calls.request import STATIC_PREFIX
from enzyme_magic.backend.checkpoints.extents import HeldRegion, LoopExtents, NotCheckpointed
from enzyme_magic.backend.ir import instructions as ir
from enzyme_magic.backend.ir import intrinsics, locations
from enzyme_magic.backend.ir.graphs.dominators import DominatorTree
from enzyme_magic.backend.ir.graphs.loops import Loop
from enzyme_magic.backend.ir.instructions import Call, Instruction, Phi
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import FloatType, IntType, PointerType, Type
from enzyme_magic.backend.ir.values import Argument, Block, Value
from enzyme_magic.backend.library.summary import ERRNO

CHUNK_BYTES = 1 << 20  # what the tape of one piece may take, about
MOST_ITERATIONS = 1 << 16  # of one piece
_ALLOWED = (
    *(ir.Unary, ir.Binary, ir.Compare, ir.Cast, ir.Select, ir.Freeze, ir.Phi, ir.Load, ir.Store, ir.GetElementPtr),
    *(ir.ExtractValue, ir.InsertValue, ir.ExtractElement, ir.InsertElement, ir.ShuffleVector, ir.Branch, ir.Switch),
)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class FirstTest:
    """The test with which the loop's header begins an iteration: `condition` is as `holds` says; `chain` computes it from the
    header's phis."""

    condition: Value
    holds: bool
    chain: tuple[Instruction, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Checkpointed:
    """A loop that is checkpointed. carried: values that go from one iteration to the next; given: values from before the loop that
    it reads; left: values that are read after it. iterations: how many of them are run again at once. first_test: whether an
    iteration begins; None where one surely does, or it does not matter."""

    loop: Loop
    line: int | None
    carried: tuple[Phi, ...]
    given: tuple[Value, ...]
    left: tuple[Instruction, ...]
    regions: tuple[HeldRegion, ...]
    iterations: int
    extents: LoopExtents
    first_test: FirstTest | None


@dataclass(frozen=True, slots=True)
class LoopVerdict:
    """What is decided of one loop that keeps values. why: where it is not checkpointed."""

    line: int | None
    why: str = ""

    def __str__(self) -> str:
        where = f"the loop at line {self.line}" if self.line is not None else "a loop"
        return f"{where} is not checkpointed: {self.why}" if self.why else f"{where} is checkpointed"


def choose(
    function: Function, alias: Alias, dominators: DominatorTree, kept: Mapping[str, int], bits: Set[str]
) -> tuple[list[Checkpointed], list[LoopVerdict]]:
    """The loops to checkpoint, and what is said of each outermost loop that keeps values. kept: bytes that an iteration keeps
    without checkpoints, by the name of the loop's header. bits: the names of integers that may be numbers with derivatives."""
    chosen: list[Checkpointed] = []
    verdicts: list[LoopVerdict] = []
    for loop in alias.loops.loops:
        if loop.parent is not None or not any(inner.header.name in kept for inner in _nest(loop)):
            continue
        line = _line(loop)
        try:
            found = _Judge(function, alias, dominators, loop, line, bits).judge(kept)
        except NotCheckpointed as refused:
            verdicts.append(LoopVerdict(line, str(refused)))
        else:
            chosen.append(found)
            verdicts.append(LoopVerdict(line))
    return chosen, verdicts


def _nest(loop: Loop) -> list[Loop]:
    return [loop, *(inner for child in loop.children for inner in _nest(child))]


def _line(loop: Loop) -> int | None:
    """The first line of the loop."""
    lines = [n for block in loop.blocks for i in block.instructions if (n := locations.line_of(i)) is not None]
    return min(lines, default=None)


@dataclass(slots=True, eq=False, repr=False)
class _Judge:
    function: Function
    alias: Alias
    dominators: DominatorTree
    loop: Loop
    line: int | None
    bits: Set[str]

    def judge(self, kept: Mapping[str, int]) -> Checkpointed:
        """NotCheckpointed with the reason where it is not."""
        if self.alias.loops.irreducible is not None:
            raise NotCheckpointed("the function jumps into the middle of a loop")
        if not self.loop.exits:
            raise NotCheckpointed("it never ends")
        for block in self.blocks:
            for instruction in block.instructions:
                self._refuse_unknown(instruction)
        extents = LoopExtents(self.alias, self.dominators, self.loop, Bounds(self.alias.evolution))
        regions = extents.regions()
        self._refuse_changed_later()
        carried = tuple(i for i in self.loop.header.instructions if isinstance(i, Phi))
        given, left = self._given(), self._left()
        self._refuse_values(carried, given, left)
        iterations = 1
        if not self.loop.children:
            iterations = max(1, min(MOST_ITERATIONS, CHUNK_BYTES // max(16, 2 * kept[self.loop.header.name])))
        return Checkpointed(
            self.loop,
            self.line,
            carried,
            given,
            left,
            regions,
            iterations,
            extents,
            self._first_test() if any(r.is_affine for r in regions) else None,
        )

    def _refuse_values(self, carried: Sequence[Phi], given: Sequence[Value], left: Sequence[Instruction]) -> None:
        """What goes in and out must be single numbers, or pointers that stay as they are."""
        for changing in (*carried, *left):
            if isinstance(changing.type, PointerType) or not _is_plain(changing.type):
                what = f"{self._called(changing)} changes from iteration to iteration, and is {_kind(changing.type)}"
                raise NotCheckpointed(what)
        for value in (*carried, *given, *left):
            if not _is_plain(value.type):
                raise NotCheckpointed(f"it reads {self._called(value)}, which is {_kind(value.type)}")
            if isinstance(value.type, IntType) and getattr(value, "name", "") in self.bits:
                raise NotCheckpointed(f"{self._called(value)} may hold the bits of a number with a derivative")

    @property
    def blocks(self) -> list[Block]:
        return [block for block in self.dominators.order if block in self.loop.blocks]

    # --- what it does

    def _refuse_unknown(self, instruction: Instruction) -> None:
        if isinstance(instruction, Call):
            self._refuse_call(instruction)
        elif not isinstance(instruction, _ALLOWED):
            words = {"alloca": "makes local variables", "atomicrmw": "is atomic", "cmpxchg": "is atomic"}
            raise NotCheckpointed(f"{self._at(instruction)}it {words.get(instruction.opcode, instruction.opcode)}")
        if isinstance(instruction, (ir.Load, ir.Store)):
            if instruction.volatile or instruction.ordering:
                raise NotCheckpointed(f"{self._at(instruction)}it reads or writes volatile or atomic memory")
            for item in self.alias.base_objects(instruction.pointer):
                if item.kind == "global" and not item.constant:
                    name = item.name.removeprefix(STATIC_PREFIX).rpartition(".")[2]  # of a static in f: f.name
                    raise NotCheckpointed(f"{self._at(instruction)}it uses the variable {name}: pass a pointer to it")

    def _refuse_call(self, call: Call) -> None:
        function = call.called_function
        if function is None:
            raise NotCheckpointed(f"{self._at(call)}it calls a function through a pointer")
        if intrinsics.is_marker(function.name):
            return
        if intrinsics.marks_stack(function.name):
            raise NotCheckpointed(f"{self._at(call)}it makes arrays of variable length")
        summary = self.alias.effects.call_in(call, self.alias.points_to)
        what = [
            word
            for word, found in (
                ("prints or reads", summary.prints),
                ("allocates", bool(summary.allocates)),
                ("frees", bool(summary.frees)),
                ("is not known", summary.opaque or bool(summary.refused)),
                ("has hidden state", not summary.repeatable),
            )
            if found
        ]
        if what:
            raise NotCheckpointed(f"{self._at(call)}{function.name} {what[0]}")
        variables = self.function.parent.variables if self.function.parent is not None else {}
        for names in (summary.global_reads, summary.global_writes):
            if names is None or not all(name in variables and variables[name].constant for name in names):
                raise NotCheckpointed(f"{self._at(call)}{function.name} uses global variables")
        if any(place.kind not in ("argument", "global", ERRNO) for place in summary.reads | summary.writes):
            raise NotCheckpointed(f"{self._at(call)}{function.name} follows pointers in memory")

    def _refuse_changed_later(self) -> None:
        """What the loop reads is read again in the reverse sweep. (Blocks of this function are freed when that is past them.)"""
        points_to = self.alias.points_to
        read = points_to.widen(self._read())
        own = sum(1 << n for n, item in enumerate(points_to.objects) if item.kind == "allocation")
        for block in self.dominators.order:
            if block in self.loop.blocks or not self.alias.reach.after(self.loop.header, block):
                continue
            for instruction in block.instructions:
                changed = 0 if self._is_marker(instruction) else read & self._changed_by(instruction, own)
                if changed:
                    names = ", ".join(map(str, points_to.members(changed)))
                    raise NotCheckpointed(f"{self._at(instruction)}{names}, which it reads, is changed or freed later")

    def _read(self) -> int:
        """The objects the loop may read and that may change."""
        points_to = self.alias.points_to
        mask = 0
        for block in self.blocks:
            for instruction in block.instructions:
                if isinstance(instruction, ir.Load):
                    mask |= points_to.mask(instruction.pointer)
                elif isinstance(instruction, Call) and not self._is_marker(instruction):
                    for place in self.alias.effects.call_in(instruction, points_to).reads:
                        mask |= points_to.place_mask(place, instruction.arguments, instruction)
        return mask & ~sum(1 << n for n, item in enumerate(points_to.objects) if item.constant)

    def _changed_by(self, instruction: Instruction, own: int) -> int:
        mask = 0
        for access in self.alias.writes(instruction):
            mask |= access.mask & ~own if access.frees else access.mask
        return mask

    @staticmethod
    def _is_marker(instruction: Instruction) -> bool:
        function = instruction.called_function if isinstance(instruction, Call) else None
        return function is not None and (intrinsics.is_marker(function.name) or intrinsics.marks_stack(function.name))

    # --- what goes in and out

    def _first_test(self) -> FirstTest | None:
        header = self.loop.header
        last = header.terminator
        if header in self.loop.latches or all(target in self.loop.blocks for target in last.successors):
            return None
        if not isinstance(last, ir.Branch) or len(last.targets) != 2:
            raise NotCheckpointed("whether it begins is not known before it does")
        needed: set[Value] = set()
        pending: list[Value] = [last.operands[0]]
        changes = any(isinstance(i, (ir.Store, Call)) for i in header.instructions)
        while pending:
            value = pending.pop()
            if not isinstance(value, Instruction) or value.parent not in self.loop.blocks or value in needed:
                continue
            if value.parent is not header or isinstance(value, Call) or (isinstance(value, ir.Load) and changes):
                raise NotCheckpointed("whether it begins is not known before it does")
            needed.add(value)
            pending += [] if isinstance(value, Phi) else value.operands
        chain = tuple(i for i in header.instructions if i in needed and not isinstance(i, Phi))
        return FirstTest(last.operands[0], last.targets[0] in self.loop.blocks, chain)

    def _given(self) -> tuple[Value, ...]:
        found: dict[Value, None] = {}
        for block in self.blocks:
            for instruction in block.instructions:
                values = instruction.operands
                if isinstance(instruction, Phi) and block is self.loop.header:
                    values = [value for value, source in instruction.incoming if source in self.loop.blocks]
                if self._is_marker(instruction):
                    continue
                for value in values:
                    outside = isinstance(value, Instruction) and value.parent not in self.loop.blocks
                    if outside or isinstance(value, Argument):
                        found[value] = None
        return tuple(found)

    def _left(self) -> tuple[Instruction, ...]:
        found: dict[Instruction, None] = {}
        for block in self.function.blocks:
            for instruction in block.instructions if block not in self.loop.blocks else ():
                for value in instruction.operands:
                    if isinstance(value, Instruction) and value.parent in self.loop.blocks:
                        found[value] = None
        return tuple(found)

    # --- words

    def _at(self, instruction: Instruction) -> str:
        line = locations.line_of(instruction)
        return f"line {line}: " if line is not None else ""

    @staticmethod
    def _called(value: Value) -> str:
        """A variable by its name in C, which clang gives to the merges of its values: "t.0" for t."""
        name, dot, _ = getattr(value, "name", "").partition(".")
        return name if dot or isinstance(value, Argument) else "a value"


def _is_plain(type_: Type) -> bool:
    if isinstance(type_, IntType):
        return type_.bits <= 64
    return isinstance(type_, (FloatType, PointerType))


def _kind(type_: Type) -> str:
    return "a pointer" if isinstance(type_, PointerType) else f"no single number ({type_})"

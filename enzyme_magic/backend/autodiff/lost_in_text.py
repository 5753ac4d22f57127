"""Numbers that come back from their own text, from a table, or from a file: no derivative is known for digits.

The flow of derivatives (`analysis/derivatives/flow.py`) follows text where it lies in memory and is copied as memory. Here
characters are followed too, which are integers there: through conversions, arithmetic, tables of characters, calls and files.

Places are those of the flow, and for each memory object and width of integers one more: characters that `sprintf` put into a struct
are not the whole numbers beside them. All files and the environment are one place; what goes to stdout and stderr is gone.

Theorem: a number is lost where a path leads from one that varies to one that matters, through such places. It is an error at the
first instruction of a path that reads a number there. What is looked up in a table by the bits of a number (digits of a hexadecimal
text, a cipher, a checksum) is lost where it becomes the bits of a number again, and only there: a bin of a histogram is none.

A function is asked about what it writes and reads itself, or by its calls: who is given text that has a number in it is called by
one that is asked. Bits that decide bits are `decided_by_bits.py`'s. Not done: bits that are looked up as other members of unions
than characters; pipes and files between calls of the function.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from enzyme_magic.backend.analysis.memory.memory_objects import MemoryObject
from enzyme_magic.backend.autodiff.decided_by_bits import Deciders, Decisions
from enzyme_magic.backend.autodiff.facts import CallMemory
from enzyme_magic.backend.autodiff.subject import Subject
from enzyme_magic.backend.autodiff.texts import (
    TO_NUMBER,
    WIDTHS,
    Characters,
    Texts,
    declared_name,
    integers,
    is_printed,
    is_reinterpreted,
    joined,
    looked_up_by,
    makes_bits,
    may_be_bits,
    origins,
    reach,
)
from enzyme_magic.backend.ir.instructions import (
    Alloca,
    Binary,
    Call,
    Cast,
    ExtractElement,
    Freeze,
    GetElementPtr,
    InsertElement,
    Instruction,
    Load,
    Phi,
    Return,
    Select,
    ShuffleVector,
    Store,
)
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import FloatType, IntType, PointerType, VoidType
from enzyme_magic.backend.ir.values import Argument, Value
from enzyme_magic.backend.rules import inactive, registry

CHARACTER = 8
OUTSIDE = "files and the environment"
FROM_TEXT = "a number is read from text into which one with a derivative may have been written: no derivative is known for digits"
FROM_BITS = "a number is put together from what its own bits, or those of another, were made into: no derivative is known for that"
FROM_FILE = "a number is read from a file into which one with a derivative may have been written: no derivative is known for that"
HINT = "keep the number itself, and not its text or its bytes"
_MOVES = (Binary, Phi, Freeze, ExtractElement, InsertElement, ShuffleVector)


def first(subject: Subject, texts: Texts, deciders: Deciders) -> tuple[Instruction, str] | None:
    """The first instruction that reads a number that was lost, and what is to be said of it."""
    if not texts.concerned and not (texts.digits and deciders.concerned):
        return None
    return _Search(subject, texts, deciders).first()


@dataclass(slots=True, repr=False)
class _Search:
    subject: Subject
    texts: Texts
    deciders: Deciders
    memory: CallMemory = field(init=False)
    leaving: dict[object, list[object]] = field(default_factory=dict)
    entering: dict[object, list[object]] = field(default_factory=dict)
    moves: dict[object, list[object]] = field(
        default_factory=dict
    )  # of integers, calls of functions of the program apart
    written: list[object] = field(default_factory=list)  # what numbers that vary are written to
    indexed: list[tuple[Load, list[object]]] = field(default_factory=list)  # integers that are looked up, and by what
    looked_up: list[object] = field(default_factory=list)  # what is looked up by the bits of numbers that vary
    readers: list[tuple[Instruction, list[object], list[object]]] = field(default_factory=list)
    assembled: list[tuple[Instruction, list[object], list[object]]] = field(default_factory=list)  # bits of numbers

    def __post_init__(self) -> None:
        self.memory = CallMemory(self.subject.facts.alias, self.subject.facts.kept)

    def first(self) -> tuple[Instruction, str] | None:
        activity = self.subject.activity
        for edge in activity.flow.edges:
            self._edge(edge.source, edge.target)
        for i in self.subject.prepared.function.instructions():
            self._visit(i)
        known, wanted = reach(self.written, self.leaving), reach(activity.matters, self.entering)
        for i, sources, targets in self.readers:
            if not known.isdisjoint(sources) and not wanted.isdisjoint(targets):
                return i, FROM_FILE if _reads_file(i, self.texts) else FROM_TEXT
        for load, indices in self.indexed:
            for index in indices:
                self.leaving.setdefault(index, []).append(load)
        known = reach([*known, *self.looked_up], self.leaving)
        for i, sources, targets in self.assembled:
            if not known.isdisjoint(sources) and not wanted.isdisjoint(targets):
                return i, FROM_BITS
        return self._decided(wanted)

    def _decided(self, wanted: set[object]) -> tuple[Instruction, str] | None:
        if not self.texts.digits or not self.deciders.concerned:
            return None
        puts = [
            (i, sources, targets)
            for i, sources, targets in self.assembled
            if not isinstance(i, Store) and not _is_defined(i)
        ]
        found = Decisions(self.subject, self.deciders, self.texts.digits, self.moves, puts).first(wanted)
        return (found, FROM_BITS) if found is not None else None

    # Edges

    def _edge(self, source: object, target: object) -> None:
        self.leaving.setdefault(source, []).append(target)
        self.entering.setdefault(target, []).append(source)

    def _edges(self, sources: Iterable[object], targets: Iterable[object]) -> None:
        for source, target in joined(list(sources), list(targets)):
            self._edge(source, target)

    def _moves(self, sources: Iterable[object], targets: Iterable[object]) -> None:
        """Integers are moved or computed with here."""
        for source, target in joined(list(sources), list(targets)):
            self._edge(source, target)
            self.moves.setdefault(source, []).append(target)

    def _writes(self, sources: Iterable[object], targets: Iterable[object]) -> None:
        """Numbers and text become text here."""
        sources, targets = list(sources), list(targets)
        self._edges(sources, targets)
        if self._varies(sources) or self._made_of_bits(sources):
            self.written += targets

    def _reads(self, i: Instruction, sources: Iterable[object], targets: Iterable[object]) -> None:
        """A number is read here."""
        sources, targets = list(sources), list(targets)
        self._edges(sources, targets)
        self.readers.append((i, sources, targets))

    def _assembles(self, i: Instruction, sources: Iterable[object], targets: Iterable[object]) -> None:
        """Integers become the bits of a number here."""
        sources, targets = list(sources), list(targets)
        self._edges(sources, targets)
        self.assembled.append((i, sources, targets))

    def _look_up(self, load: Load, indices: list[Value]) -> None:
        self.indexed.append((load, integers(indices)))
        if self._made_of_bits(indices):
            self.looked_up.append(load)

    def _made_of_bits(self, values: Iterable[object]) -> bool:
        """Whether integers are computed from the bits of numbers that vary."""
        types, varies = self.subject.facts.types, self.subject.activity.varies
        integers = (v for v in values if isinstance(v, (Argument, Instruction)) and isinstance(v.type.scalar, IntType))
        return any(v in varies and may_be_bits(v, types) for i in integers for v in origins(i))

    def _visit(self, i: Instruction) -> None:
        if isinstance(i, Load):
            self._visit_load(i)
        elif isinstance(i, Store):
            self._visit_store(i)
        elif isinstance(i, Call):
            self._visit_call(i)
        elif isinstance(i, Cast):
            self._visit_cast(i)
        elif isinstance(i, Select):
            self._moves(integers(i.operands[1:]), integers([i]))
        elif isinstance(i, _MOVES):
            self._moves(integers(i.operands), integers([i]))
        elif isinstance(i, Return):
            self._edges(integers(i.operands), self._result())

    def _result(self) -> list[object]:
        return [o for o in self.subject.activity.outputs if not isinstance(o, MemoryObject)]

    def _visit_load(self, i: Load) -> None:
        if isinstance(i.type, IntType):
            self._look_up(i, looked_up_by(i))
            self._moves((Characters(o, i.type.bits) for o in self.memory.base_objects(i.pointer)), [i])
            self._edges(_index(i) if i.type.bits == CHARACTER else (), [i])

    def _visit_store(self, i: Store) -> None:
        if isinstance(i.value.type, IntType):
            bits, objects = i.value.type.bits, self.memory.base_objects(i.pointer)
            self._moves(integers([i.value]), (Characters(o, bits) for o in objects))
            if makes_bits(i, self.subject.facts.types):
                self._assembles(i, integers([i.value]), objects)

    def _visit_cast(self, i: Cast) -> None:
        if i.opcode in TO_NUMBER:
            self._reads(i, integers(i.operands), [i])
        elif is_reinterpreted(i):
            self._assembles(i, integers(i.operands), [i])
        else:
            self._moves(integers(i.operands), integers([i]))

    # Calls

    def _visit_call(self, i: Call) -> None:
        function = i.called_function
        if function is None or not function.is_declaration:
            self._visit_defined(i, function)
            return
        name, read, written = function.name, self.memory.objects_read(i), self.memory.objects_written(i)
        text = [*read, *_characters(read)]
        numbers = [v for v in i.arguments if isinstance(v.type, FloatType)]
        if inactive.writes_text(name):
            self._writes([*numbers, *integers(i.arguments), *text], _characters(written))
        elif inactive.reads_number(name):
            self._reads(i, text, [i])
            self._moves(_characters(read), integers([i]))
        elif inactive.scans_text(name):
            self._reads(i, text, self._everywhere(written))
        elif inactive.reads_digits(name):
            self._moves(text, integers([i]))
        elif inactive.files(name):
            self._visit_file(i, [*numbers, *integers(i.arguments), *text], written)
        elif name.startswith("llvm.") or inactive.makes_characters(name):
            self._visit_copy(i, read, written)
            self._moves(integers(i.arguments), integers([i]))
        elif not registry.is_inactive(i):
            self._visit_copy(i, read, written)

    def _visit_file(self, i: Call, given: list[object], written: frozenset[MemoryObject]) -> None:
        what = inactive.files(declared_name(i))
        if what == "memory":
            objects = self.memory.base_objects(i.arguments[0])
            self._writes([*objects, *_characters(objects)], [OUTSIDE])
            self._edges([OUTSIDE], _characters(objects))
        elif what != "saves":
            self._from_file(i, written)
        elif not is_printed(i):
            self._writes(given, [OUTSIDE])

    def _visit_copy(self, i: Call, read: Iterable[MemoryObject], written: Iterable[MemoryObject]) -> None:
        for bits in WIDTHS:
            self._moves((Characters(o, bits) for o in read), (Characters(o, bits) for o in written))
        self._edges(integers(i.arguments), _characters(written))
        if makes_bits(i, self.subject.facts.types):
            self._assembles(i, (Characters(o, bits) for o in read for bits in WIDTHS), written)

    def _from_file(self, i: Call, written: frozenset[MemoryObject]) -> None:
        """Characters come from a file, or from the environment; or bytes of which it is not said what they are."""
        if isinstance(i.type, PointerType):
            written |= self.memory.base_objects(i)
        self._edges([OUTSIDE], [*_characters(written), *integers([i])])
        if not registry.is_inactive(i) and inactive.files(declared_name(i)) != "lines":
            self._reads(i, [OUTSIDE], self._everywhere(written))

    def _visit_defined(self, i: Call, function: Function | None) -> None:
        read, written = self.memory.objects_read(i), self.memory.objects_written(i)
        given = [*integers(i.arguments), *(Characters(o, bits) for o in read for bits in WIDTHS)]
        wholes: list[object] = [*integers([i]), *(Characters(o, bits) for o in written for bits in WIDTHS)]
        numbers: list[object] = [*written, *([i] if not isinstance(i.type, (VoidType, PointerType)) else [])]
        self._edges(given, wholes)
        by_bits = self._does(function, self.texts.indexes) and self._varies([*integers(i.arguments), *read])
        if by_bits or (self._does(function, self.texts.indexes_by_arguments) and self._made_of_bits(i.arguments)):
            self.looked_up += wholes
        if self._does(function, self.texts.digits):
            self._assembles(i, given, numbers)
        values = [v for v in i.arguments if isinstance(v, (Argument, Instruction))]
        if self._does(function, self.texts.writes):
            self._writes([*values, *read], _characters(written))
        if self._does(function, self.texts.saves):
            self._writes([*values, *read, *given], [OUTSIDE])
        if self._does(function, self.texts.loads):
            self._edges([OUTSIDE], wholes)
            self._reads(i, [OUTSIDE], numbers)
        if self._does(function, self.texts.reads):
            self._reads(i, given, numbers)
        elif self._does(function, self.texts.converts):
            by_digits = _characters(read) if self._does(function, self.texts.looks) else []
            self._reads(i, [*integers(i.arguments), *by_digits], numbers)

    def _varies(self, places: Iterable[object]) -> bool:
        return not self.subject.activity.varies.keys().isdisjoint(places)

    @staticmethod
    def _does(function: Function | None, those: frozenset[str]) -> bool:
        return bool(those) if function is None else function.name in those

    @staticmethod
    def _everywhere(written: Iterable[MemoryObject]) -> list[object]:
        return [place for o in written for place in (o, *(Characters(o, bits) for bits in WIDTHS))]


def _characters(objects: Iterable[MemoryObject]) -> list[object]:
    return [Characters(o, CHARACTER) for o in objects if not _is_other(o)]


def _is_other(item: MemoryObject) -> bool:
    """A variable that is a pointer or a number: no characters lie there."""
    return isinstance(item.value, Alloca) and isinstance(item.value.allocated_type, (PointerType, FloatType))


def _is_defined(i: Instruction) -> bool:
    return isinstance(i, Call) and i.called_function is not None and not i.called_function.is_declaration


def _index(load: Load) -> list[object]:
    """The integers by which a character is looked up."""
    pointer = load.pointer
    return integers(pointer.operands[1:]) if isinstance(pointer, GetElementPtr) else []


def _reads_file(i: Instruction, texts: Texts) -> bool:
    return isinstance(i, Call) and (
        inactive.reads_file(declared_name(i)) or getattr(i.called_function, "name", "") in texts.loads
    )

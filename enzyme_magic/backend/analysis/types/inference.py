"""What the bytes of values and of memory hold: floating numbers of which kind, integers, pointers, or nobody knows.

Type analysis in the sense of Enzyme (Moses and Churavy, 2020), rebuilt around C: debug information gives the layout
of every declared object, so evidence is layouts at offsets rather than one tree per value; it follows copies forwards
and, more weakly, backwards, through memory and calls (see `type_facts`). Trees are made for answers only.

Used where the LLVM type does not tell: memcpy and memset, integers and vectors that carry floats, aggregates. Never a
guess: where evidence is missing or contradicts itself, the answer is unknown, with the reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import inf

from enzyme_magic.backend.analysis.types import behind, moved_bytes
from enzyme_magic.backend.analysis.types.computed_bits import (
    Heard,
    holds_number,
    is_declared_integer,
    is_either_of_union,
    is_pointer,
    may_be_either,
    may_be_of_union,
    may_be_pointer,
)
from enzyme_magic.backend.analysis.types.layouts import LayoutLeaf, float_layout
from enzyme_magic.backend.analysis.types.partial_numbers import is_declared_number, widest_number
from enzyme_magic.backend.analysis.types.type_facts import (
    DECLARED,
    FORWARD,
    OWN,
    Node,
    TypeFact,
    item_at,
)
from enzyme_magic.backend.analysis.types.type_seeds import Seeds
from enzyme_magic.backend.analysis.types.type_tree import (
    ANYTHING,
    EVERY,
    INTEGER,
    PADDING,
    POINTER,
    Concrete,
    Contents,
    Path,
    Segment,
    TypeTree,
    TypeVerdict,
    Unknown,
    append_segment,
    floating,
)
from enzyme_magic.backend.analysis.types.windows import Window
from enzyme_magic.backend.ir import intrinsics
from enzyme_magic.backend.ir.instructions import Call, Instruction, Load
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Function, GlobalVariable, Module
from enzyme_magic.backend.ir.types import FloatType, IntType, PointerType, VoidType
from enzyme_magic.backend.ir.values import Constant, ConstantInt, Value

MOST_BYTES = 1 << 12  # longer ranges are described by a period
DEEPEST = 3
MOST_ENTRIES = 32
NUMBER_AS_POINTER = TypeFact(
    float_layout("double"), 0, 0, Window(0, 8), DECLARED, FORWARD, "numbers may lie where a pointer is loaded"
)


@dataclass(slots=True, eq=False, repr=False)
class Types:
    """Answers for one module (and functions added with `include`)."""

    seeds: Seeds
    sizes: DataLayout
    _contents: dict[tuple[Value, int | None, bool], Contents | Unknown] = field(default_factory=dict)
    _returns: moved_bytes.Callers | None = None

    @classmethod
    def of(cls, module: Module, layout: DataLayout, *, wary: bool = False) -> Types:
        """wary: members of unions are not trusted to be read as what they were written."""
        types = cls(Seeds.of(module, layout, wary=wary), layout)
        for function in module.definitions():
            types._doubt(function)
        types._doubt_pointers(module.definitions())
        return types

    @property
    def trusted(self) -> bool:
        """Whether members of unions were asked about, and those of others are numbers."""
        return self.seeds.heard.trusted

    def include(self, function: Function, origin: Mapping[Value, Value] | None = None) -> None:
        """Makes values of a function known that was copied after the analysis. It inherits what is known about the parameters of
        the module's function of that name, and about every value of `origin` (copy to original)."""
        if function not in self.seeds.roots:
            self.seeds.include(function, origin)
            self._doubt(function)
            self._doubt_pointers([function])

    def _doubt(self, function: Function) -> None:
        """Where bytes are moved of which it is not known whether they are numbers, they are not known to be none where they go."""
        if self.seeds.graph.sure:
            return
        moved = moved_bytes.moved(function, lambda i: self.is_storage(i.pointer, self.sizes.store_size(i.type)))
        for i in function.instructions():
            called = i.called_function if isinstance(i, Call) else None
            if isinstance(i, Call) and called is not None and intrinsics.is_copy(called.name):
                if isinstance(self.copied(i), Unknown):
                    self._lose(i, i.arguments[1], self._elsewhere(i))
            elif isinstance(i, Load) and i in moved:
                self._lose(i, i.pointer, [(self.seeds.bit_node(i), 0, 0)])
        self._contents.clear()

    def _elsewhere(self, copy: Call) -> list[tuple[Node, int, int]]:
        """Where a copy puts bytes that do not lie at the same place of the same region already. (What lies there was put there, so
        whoever reads it knows: from one object to another of its kind, nothing new comes.)"""
        sources = self.seeds.places(copy.arguments[1], copy)
        alone, same = len(sources) == 1, self.seeds.graph.regions.is_same_place
        return [to for to in self.seeds.places(copy.arguments[0], copy) if not (alone and same(sources[0], to))]

    def _doubt_pointers(self, functions: Iterable[Function]) -> None:
        """Pointers that may be numbers, and go where numbers are read from their bits."""
        graph, bits = self.seeds.graph, self.seeds.pointer_bits
        pending = [] if graph.sure else moved_bytes.pointers_as_bits(functions, self._callers)
        while found := [i for i in pending if self.may_be_number(i)]:
            pending = [i for i in pending if i not in found]
            for i in found:
                graph.add(bits(i), NUMBER_AS_POINTER)
            self.seeds.settle()
            self._contents.clear()

    def _callers(self) -> moved_bytes.Callers:
        if self._returns is None:
            self._returns = moved_bytes.Callers(self.seeds.module)
        return self._returns

    def _lose(self, user: Instruction, source: Value, targets: list[tuple[Node, int, int]]) -> None:
        """Numbers may come from `source`, and nobody tells of them."""
        places, graph = self.seeds.places(source, user), self.seeds.graph
        if isinstance(source, GlobalVariable) and source.constant:
            return  # none of them has a derivative
        if any(graph.sees_numbers(node) for node, _, _ in places):
            certain = min(behind.known_bytes(*place) for place in places)
            for node, offset, modulus in targets:
                start = -inf if modulus or node.size is not None else offset + certain
                if start < node.lost:
                    graph.lose(node, start, places[0][0])

    # --- memory

    def memory_at(self, pointer: Value, size: int | None) -> Contents | Unknown:
        """What the `size` bytes at `pointer` hold (None: some number of bytes known at run time only)."""
        return self._memory(pointer, size, block=True)

    def memory_of(self, pointer: Value, length: Value) -> Contents | Unknown:
        """What `length` bytes at `pointer` hold, a constant or not."""
        if isinstance(length, ConstantInt):
            return self.memory_at(pointer, length.unsigned)
        items = self._items(pointer, behind.factor(length))
        if items is not None:
            return items
        found = self.memory_at(pointer, None)
        if isinstance(found, Unknown) or len(found.floats) == len(found.segments):
            return found
        if found.only() == POINTER and not self.is_exact(pointer) and self._may_hold_numbers(pointer):
            return Unknown(f"{found.reason}, and numbers may lie among the bytes that are copied", conflict=True)
        known = behind.counts_objects(length, found.period or 0)
        if known or not any(behind.is_presumed(node) for node, _, _ in self.seeds.places(pointer)):
            return found
        return Unknown(
            f"{found.reason}, but the bytes are not counted in such objects: others may follow", conflict=True
        )

    def _items(self, pointer: Value, size: int) -> Contents | None:
        """What a number of bytes holds that is counted in items of the array in a struct to which `pointer` leads: C says that it
        does not leave the array. Where a struct begins with the array, the pointer may lead to the struct."""
        for place in self.seeds.places(pointer):
            item = item_at(*place, size)
            if item is None or behind.begins_more(place[0], place[1], item):
                return None
        held = self.memory_at(pointer, size)
        return replace(held, period=size) if isinstance(held, Contents) else None

    def _may_hold_numbers(self, pointer: Value) -> bool:
        """Whether there is evidence of numbers in the memory behind a pointer: also what does not decide a byte, because it is not
        certain where it applies."""
        return any(fact.layout.floats for node, _, _ in self.seeds.places(pointer) for fact in node.facts.values())

    def declares_numbers(self, pointer: Value, size: int) -> bool:
        """Whether it is declared of all bytes of an access that they are of floating numbers: not said by whoever reads them later,
        nor because of what was copied there."""
        found = [not m and all(is_declared_number(n, at + k) for k in range(size)) for n, at, m in self.places(pointer)]
        return bool(found) and all(found)

    def is_exact(self, pointer: Value) -> bool:
        """Whether it is known where in its block a pointer leads to, and not only modulo something."""
        return all(modulus == 0 for _, _, modulus in self.places(pointer))

    def loaded_from(self, pointer: Value, size: int) -> Contents | Unknown:
        """What the bytes of one access hold: what else lies in the same block does not count."""
        return self._memory(pointer, size, block=False)

    def is_storage(self, pointer: Value, size: int) -> bool:
        """Whether some byte of an access is declared as a character, or not known: it may be a raw byte of anything. Pointers at a
        place that only the run knows are not known where there is evidence of numbers, too."""
        found = [node.decide(at + k, modulus) for node, at, modulus in self.places(pointer) for k in range(size)]
        pointers = all(not isinstance(one, Unknown) and one[1].concrete == POINTER for one in found)
        if pointers and not self.is_exact(pointer) and self._may_hold_numbers(pointer):
            return True
        return any(isinstance(one, Unknown) or one[1].weak for one in found)

    def places(self, pointer: Value) -> list[tuple[Node, int, int]]:
        """(node, offset, modulus) of the memory that a pointer leads to."""
        self._know(pointer)
        return self.seeds.places(pointer)

    def may_hold_either(self, pointer: Value, size: int, *, declared: bool = True) -> bool:
        """Whether bytes at an address may be of a number, and may be of a pointer; declared: or C says that it is an integer."""
        places = [p for p in self.places(pointer) if declared or not is_declared_integer(*p)]
        return any(node.full or may_be_either(node.facts.values(), at, m, size) for node, at, m in places)

    def may_be_either(self, value: Value, at: int, size: int) -> bool:
        """The same of the bits of a value, from a byte on."""
        self._know(value)
        return may_be_either(self.seeds.bit_node(value).facts.values(), at, 0, size, members=False)

    def may_be_pointer(self, value: Value, at: int, size: int) -> bool:
        """Whether some of the bits of a value, from a byte on, may be of a pointer."""
        self._know(value)
        return may_be_pointer(self.seeds.bit_node(value).facts.values(), at, 0, size)

    def may_hold_pointer(self, pointer: Value, size: int) -> bool:
        """Whether some of the bytes of one access may be of a pointer, for all that is said of the memory: also by what does not
        decide a byte, because it is not certain where it applies."""
        places = self.places(pointer)
        return any(node.full or may_be_pointer(node.facts.values(), at, modulus, size) for node, at, modulus in places)

    def holds_pointer(self, pointer: Value, size: int, *, integer: bool, behind: int = 0) -> bool:
        """Like `may_hold_pointer`, but not of members of unions that C reads as integers (`integer`). behind: so many bytes on."""
        return any(is_pointer(node, at + behind, m, size, integer=integer) for node, at, m in self.places(pointer))

    def steps_through_integers(self, pointer: Value, size: int) -> bool:
        """Whether an access goes to an item of an array of integers that the function itself declares: an index stays inside."""
        places = self.places(pointer)
        items = [item_at(node, at, 0, size, (OWN,)) if m and m % size == 0 else None for node, at, m in places]
        return bool(items) and all(item is not None and item.concrete == INTEGER for item in items)

    def _memory(self, pointer: Value, size: int | None, *, block: bool) -> Contents | Unknown:
        self._know(pointer)
        key = (pointer, size, block)
        if key not in self._contents:
            self._contents[key] = self._memory_at(pointer, size, block)
        return self._contents[key]

    def _memory_at(self, pointer: Value, size: int | None, block: bool) -> Contents | Unknown:
        places = self.seeds.places(pointer)
        if not places:
            return Unknown("the pointer is null")
        against = (behind.otherwise(*place, size) for place in places) if block else ()
        found = next((one for one in against if one is not None), None)
        if found is not None:
            return found
        return _merged([self._at_place(*place, size) for place in places])

    def _at_place(self, node: Node, offset: int, modulus: int, size: int | None) -> Contents | Unknown:
        if size is not None and size <= MOST_BYTES:
            return _walk(node, offset, modulus, size, None)
        period = behind.period(node, offset, modulus)
        if isinstance(period, Unknown):
            return period
        if size is not None and size % period:
            return Unknown(f"{size} bytes end inside of one object of {period} bytes")
        return _walk(node, offset, modulus, period, period)

    def copied(self, call: Call) -> Contents | Unknown:
        """What a memcpy or memmove moves: judged by where the bytes come from, and by where they go if that does not tell."""
        target, source, length = call.arguments[:3]
        size = length.unsigned if isinstance(length, ConstantInt) else None
        there = self.memory_of(source, length)
        if isinstance(there, Contents):
            places = [(*place, there.period or size or 1) for place in self.seeds.places(source)]
            against = any(is_either_of_union(*place) for place in places)
            return Unknown(f"{there.reason}, but others lie in the same union", conflict=True) if against else there
        missed = any(node.incomplete for node, _, _ in self.seeds.places(source))
        return self._by_target(there, target, size, missed=missed)

    def _by_target(self, there: Unknown, target: Value, size: int | None, *, missed: bool) -> Contents | Unknown:
        """Integers at the target prove nothing: they may be the bits of whatever the source holds; nor do members of unions, which
        may be written after the copy. missed: there may be numbers of which nobody tells; characters may be theirs."""
        here = self.memory_at(target, size)
        if isinstance(here, Unknown) or here.only() == INTEGER or there.conflict:
            return there
        if any(may_be_of_union(*place, size or here.period or 1) for place in self.seeds.places(target)):
            return there
        return there if missed and self.is_storage(target, here.period or size or 1) else here

    # --- values

    def of_bits(self, value: Value, offset: int = 0, size: int | None = None) -> Contents | Unknown:
        """What the bytes of an integer, vector or aggregate hold, in memory order; or `size` of them from `offset` on."""
        self._know(value)
        node = self.seeds.bit_node(value)
        against = self._contradiction(value, node)
        return against if against is not None else _walk(node, offset, 0, size or node.size or 0, None)

    def carries_float(self, value: Value) -> TypeVerdict:
        """Whether bits of floating numbers sit in a value. Meant for integers, vectors and aggregates; pointers never do."""
        if isinstance(value, Constant):
            return TypeVerdict("no", "it is a constant")
        type_ = value.type
        if isinstance(type_.scalar, FloatType):
            return TypeVerdict("yes", f"it is a {type_.scalar}")
        if isinstance(type_.scalar, (PointerType, VoidType)):
            return TypeVerdict("no", "it is a pointer" if isinstance(type_.scalar, PointerType) else "it is no value")
        if isinstance(type_.scalar, IntType) and type_.scalar.bits < 8:
            return TypeVerdict("no", "it is a truth value")
        self._know(value)
        node = self.seeds.bit_node(value)
        against = self._contradiction(value, node)
        return TypeVerdict("unknown", against.reason) if against is not None else _carried(node)

    def is_no_pointer(self, value: Value) -> bool:
        """Whether it is certain that an integer is not the bits of a pointer; it may be those of a number."""
        found = self.of_bits(value)
        if isinstance(found, Contents):
            return all(s.kind in (INTEGER, ANYTHING) for s in found.segments)
        node = self.seeds.bit_node(value)
        missed = node.incomplete and all(node.shows_integer(k) for k in range(node.size or 0))
        return missed and not node.full and not may_be_pointer(node.facts.values(), 0, 0, node.size or 0)

    def holds_number(self, value: Value) -> bool:
        """Whether there is evidence that an integer or a pointer holds bits of floating numbers, or is computed from some."""
        self._know(value)
        node = self.seeds.bits.get(value)
        return node is not None and holds_number(node, self.seeds.heard)

    def may_hold_number(self, value: Value) -> bool:
        """The same, asked without consequences: that members of unions were asked about is not noted (`trusted`)."""
        self._know(value)
        node = self.seeds.bits.get(value)
        return node is not None and holds_number(node, Heard(self.seeds.heard.wary))

    def may_miss(self, load: Load) -> bool:
        """Whether numbers may lie where is loaded from that the function knows nothing of."""
        size = self.sizes.store_size(load.type)
        return any(node.may_miss(at, modulus, size) for node, at, modulus in self.seeds.places(load.pointer))

    def may_be_number(self, load: Load) -> bool:
        """Whether it is not known of a pointer that is loaded that it is one, and numbers lie in the memory it comes from."""
        unknown = isinstance(self.loaded_from(load.pointer, self.sizes.store_size(load.type)), Unknown)
        return unknown and any(map(self.seeds.graph.sees_numbers, (n for n, _, _ in self.seeds.places(load.pointer))))

    def is_part_of_number(self, value: Value) -> bool:
        """Whether there is evidence that a character is a byte of a floating number: none says that it is more than that."""
        if not isinstance(value.type, IntType) or value.type.bits != 8:
            return False
        self._know(value)
        node = self.seeds.bits.get(value)
        return node is not None and any(fact.layout.floats for fact in node.facts.values())

    def widest_number(self, value: Value) -> int:
        """The size of the largest floating number of which an integer may be a part, by any evidence; 0 where there is none."""
        self._know(value)
        node = self.seeds.bits.get(value)
        return widest_number(node) if node is not None else 0

    def is_cut(self, load: Load) -> bool:
        """Whether what is loaded may be a part of a floating number that a copy of memory put there without the rest."""
        self._know(load)
        node = self.seeds.bits.get(load)
        return node is not None and any(fact.cut == "copy" for fact in node.facts.values())

    def _contradiction(self, value: Value, node: Node) -> Unknown | None:
        """Of what is said about the memory a value is loaded from."""
        there = self.loaded_from(value.pointer, node.size or 0) if isinstance(value, Load) else None
        return there if isinstance(there, Unknown) and there.conflict else None

    def of_value(self, value: Value) -> TypeTree:
        """The type tree of a value, for people: `{[0]:Pointer, [0,-1]:Float@double}`."""
        if isinstance(value.type, FloatType):
            return TypeTree((((0,), floating(value.type.kind)),))
        if isinstance(value, Constant):
            return TypeTree()
        self._know(value)
        entries: dict[Path, Concrete] = {}
        if isinstance(value.type, PointerType):
            entries[0,] = POINTER
            for node, offset, modulus in self.seeds.places(value)[:1]:
                _describe(node, offset, modulus, (0,), entries)
        elif not isinstance(value.type, VoidType):
            node = self.seeds.bit_node(value)
            _describe_bytes(node, 0, 0, (), entries, node.size or 0)
        return TypeTree(tuple(sorted(entries.items())))

    def _know(self, value: Value) -> None:
        if isinstance(value, Instruction) and value not in self.seeds.owner and value.parent is not None:
            function = value.parent.parent
            if function is not None:
                self.include(function)


def _merged(found: list[Contents | Unknown]) -> Contents | Unknown:
    """What is true of all the places a pointer may lead to."""
    for one in found:
        if isinstance(one, Unknown):
            return one
    answers = [one for one in found if isinstance(one, Contents)]
    for other in answers[1:]:
        if other.segments != answers[0].segments or other.period != answers[0].period:
            return Unknown(f"the pointer may lead to different types: {answers[0].reason}; {other.reason}")
    return answers[0]


def _walk(node: Node, offset: int, modulus: int, size: int, period: int | None) -> Contents | Unknown:
    """The leaves of a range, one after the other; neighbours of one type become one segment."""
    segments: list[Segment] = []
    reasons: dict[str, None] = {}
    position, end = offset, offset + size
    while position < end:
        found = node.decide(position, modulus)
        if isinstance(found, Unknown):
            return found
        start, leaf, reason = found
        if not _fits(start, leaf, position, end):
            return Unknown(f"the bytes begin or end inside of one {leaf.concrete}: {reason}")
        stop = min(start + leaf.size, end)
        if leaf.concrete != PADDING:
            reasons[reason] = None
            append_segment(segments, Segment(position - offset, stop - position, leaf.concrete))
        position = stop
    return Contents(tuple(segments), period, "; ".join(list(reasons)[:3]))


def _fits(start: int, leaf: LayoutLeaf, position: int, end: int) -> bool:
    """Integers and padding may be cut, floats and pointers not."""
    whole = start == position and start + leaf.size <= end
    return whole or leaf.concrete in (PADDING, INTEGER)


def _carried(node: Node) -> TypeVerdict:
    position, size = 0, node.size or 0
    doubt: str | None = None
    reason = ""
    while position < size:
        found = node.decide(position)
        if isinstance(found, Unknown):
            doubt = doubt or found.reason
            position += 1
            continue
        start, leaf, reason = found
        if leaf.concrete.is_float:
            return TypeVerdict("yes", reason)
        position = start + leaf.size
    if doubt is not None:
        return TypeVerdict("unknown", doubt)
    return TypeVerdict("no", reason)


def _describe(node: Node, offset: int, modulus: int, path: Path, entries: dict[Path, Concrete]) -> None:
    period = behind.period(node, offset, modulus)
    if not isinstance(period, Unknown):
        whole = _walk(node, offset, modulus, period, period) if period <= MOST_BYTES else None
        if isinstance(whole, Contents) and len(whole.segments) == 1 and whole.segments[0].size == period:
            entries[(*path, EVERY)] = whole.segments[0].kind
            _deeper(node, offset, modulus, (*path, EVERY), entries)
            return
        _describe_bytes(node, offset, modulus, path, entries, min(period, MOST_BYTES))
        return
    _describe_bytes(node, offset, modulus, path, entries, 64)


def _describe_bytes(
    node: Node, offset: int, modulus: int, path: Path, entries: dict[Path, Concrete], size: int
) -> None:
    position = offset
    before: LayoutLeaf | None = None
    while position < offset + size and len(entries) < MOST_ENTRIES:
        found = node.decide(position, modulus)
        if isinstance(found, Unknown):
            position, before = position + 1, None
            continue
        start, leaf, _ = found
        if leaf.concrete != PADDING and start == position:
            here = (*path, position - offset)
            if before is None or leaf.size > 1 or before.concrete != leaf.concrete:
                entries[here] = leaf.concrete
                _deeper(node, position, modulus, here, entries)
        before = leaf
        position = start + leaf.size


def _deeper(node: Node, offset: int, modulus: int, path: Path, entries: dict[Path, Concrete]) -> None:
    if len(path) > DEEPEST:
        return
    for at, step, inner in node.fields:
        if at == offset and step == modulus:
            _describe(inner, 0, 0, path, entries)
            return

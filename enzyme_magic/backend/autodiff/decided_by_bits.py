"""Numbers that are put together of bits that the bits of other numbers decided: `if (u >> i & 1) v |= 1ull << i;`.

No operation takes the bits of such a number from those of another: comparisons and branches stand between, and the derivative
would be zero without a word. So integers are followed over data and control dependence (Ferrante, Ottenstein and Warren, 1987):
*parts* are computed from some bits of a number that varies; what is compared with one, or depends on a branch by one, is *decided*.

Theorem: a number is lost where what is decided becomes the bits of one that matters after decisions were gathered: by arithmetic in
a cycle of a loop, by characters that a loop or a called function stores, or LEAST parts in a row. What fewer decide is a choice
among some constants, and its derivative is zero (`copysign` by bits, a power of two). Where one of the values to choose from has a
derivative, nothing is lost either: sorts by bits move numbers. How often a loop runs decides nothing here.

Not done: numbers that floating arithmetic puts together (`if (bit) m += ldexp(1, i)`), tables looked up by what is decided, lengths
of runs of bits, memory into which numbers with derivatives are put, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from enzyme_magic.backend.analysis.memory import tbaa
from enzyme_magic.backend.analysis.memory.memory_objects import MemoryObject
from enzyme_magic.backend.analysis.types.inference import Types
from enzyme_magic.backend.analysis.types.type_tree import INTEGER, Contents, Unknown
from enzyme_magic.backend.autodiff.facts import CallMemory
from enzyme_magic.backend.autodiff.subject import Subject
from enzyme_magic.backend.autodiff.texts import WIDTHS, Characters, integers, makes_bits, may_be_bits, origins, reach
from enzyme_magic.backend.ir import intrinsics
from enzyme_magic.backend.ir.graphs import cfg, def_use, loops
from enzyme_magic.backend.ir.instructions import (
    Alloca,
    Binary,
    Branch,
    Call,
    Cast,
    Compare,
    Freeze,
    GetElementPtr,
    Instruction,
    Load,
    Phi,
    Select,
    Store,
    Switch,
)
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.types import I8, FloatType, IntType, PointerType, Type
from enzyme_magic.backend.ir.values import Argument, Block, ConstantInt, Value

LEAST = 7  # the shortest floating type in use, bfloat16, has so many bits behind the first
_PART_OF_NUMBER = 16  # no floating type of C is as short as this
_PARTS = ("and", "lshr", "ashr", "shl", "udiv", "urem", "sdiv", "srem")
_MOVES = (Binary, Cast, Freeze, Phi, Select)
_INSIDE = (*_MOVES, Compare, Branch, Switch, GetElementPtr, Load)
_INSIDE_OF = "inside of it"  # beside a call: the number that it puts together

Edges = dict[object, list[object]]
Assembled = tuple[Instruction, list[object], list[object]]


@dataclass(frozen=True, slots=True)
class Deciders:
    """What the functions of a program do, what they call included: take parts of numbers that they read, or of integers that they
    are given; decide by parts of what they read, by integers that they are given or read; loop; move numbers that they read.
    kept: which of their parameters they store, return or hand on."""

    takes: frozenset[str]
    takes_given: frozenset[str]
    by_bits: frozenset[str]
    by_given: frozenset[str]
    loops: frozenset[str]
    moves: frozenset[str]
    makes: frozenset[str]
    kept: dict[str, frozenset[int]]

    @property
    def concerned(self) -> bool:
        return bool(self.by_bits or ((self.takes or self.takes_given) and self.by_given))

    @classmethod
    def of(cls, module: Module, types: Types) -> Deciders:
        own = {f.name: set(_words(f, types)) for f in module.definitions()}
        for caller, callee in _calls(module, own):
            own[caller].add(f"calls {callee}")
        before = -1
        while before != (before := sum(map(len, own.values()))):
            for caller, callee in _calls(module, own):
                own[caller] |= own[callee]
        recursive = frozenset(name for name, words in own.items() if f"calls {name}" in words)

        def those(word: str) -> frozenset[str]:
            return frozenset(name for name, words in own.items() if word in words)

        kept = {f.name: frozenset(_kept(f)) for f in module.definitions()}
        return cls(those("T"), those("A"), those("B"), those("G"), those("L") | recursive, those("M"), those("N"), kept)


def _calls(module: Module, known: dict[str, set[str]]) -> list[tuple[str, str]]:
    found = ((f.name, i.called_function) for f in module.definitions() for i in f.instructions() if isinstance(i, Call))
    return [(name, callee.name) for name, callee in found if callee is not None and callee.name in known]


def _words(function: Function, types: Types) -> Iterator[str]:
    around = loops.find(function)
    if around.loops or around.irreducible:
        yield "L"
    for i in function.instructions():
        if _takes_part(i):
            yield from "T" * _of_numbers(origins(i), types)
            yield from "A" * any(isinstance(v, Argument) for v in origins(i))
        if _moves_number(i):
            yield "M"
        if _makes_number(i, types):
            yield "N"
        condition = _condition(i, around)
        if condition is not None:
            sources = [v for tested in _tested(condition) for v in origins(tested)]
            yield from "B" * _of_numbers(sources, types)
            yield from "G" * any(isinstance(v, (Argument, Load, Call)) for v in sources)


def _moves_number(i: Instruction) -> bool:
    """Whether numbers of others are read as such, or as bytes of which C does not say what they are."""
    if isinstance(i, Call):
        return i.called_function is not None and intrinsics.is_copy(i.called_function.name)
    if not isinstance(i, Load) or isinstance(i.pointer, Alloca):
        return False
    return isinstance(i.type.scalar, FloatType) or (isinstance(i.type, IntType) and tbaa.tag_of(i) is None)


def _makes_number(i: Instruction, types: Types) -> bool:
    """Whether integers certainly become numbers, or characters at places that are computed parts of some: where nobody knows what
    lies in memory, others say nothing."""
    if isinstance(i, Store) and isinstance(i.value.type, IntType):
        if i.value.type == I8 and _is_computed(i.pointer):
            return makes_bits(i, types)
        found = types.loaded_from(i.pointer, -(-i.value.type.bits // 8))
        return isinstance(found, Contents) and bool(found.floats)
    if isinstance(i, Call):
        return makes_bits(i, types) and isinstance(types.copied(i), Contents)
    return makes_bits(i, types)


def _is_computed(place: Value) -> bool:
    return isinstance(place, GetElementPtr) and not all(isinstance(index, ConstantInt) for index in place.indices)


def _of_numbers(values: Iterable[Value], types: Types) -> bool:
    return any(_may_be_bits(v, types) for v in values)


def _may_be_bits(value: Value, types: Types) -> bool:
    """The same as for tables, and of bytes that are loaded as a word where nothing says that they are an integer's (memcpy)."""
    if isinstance(value, Load) and isinstance(value.type, IntType) and tbaa.tag_of(value) is None:
        found = types.loaded_from(value.pointer, -(-value.type.bits // 8))
        if isinstance(found, Unknown) or found.only() != INTEGER:
            return True
    return may_be_bits(value, types)


def _takes_part(i: Instruction) -> bool:
    """Whether an integer is made of some bits of another."""
    return isinstance(i.type.scalar, IntType) and (i.opcode in _PARTS or i.opcode == "trunc")


def _condition(i: Instruction, around: loops.Loops) -> Value | None:
    """What decides at an instruction which integer there is, or where to go on; not what decides how often a loop runs."""
    if isinstance(i, Select) and isinstance(i.type.scalar, IntType):
        return i.operands[0]
    if isinstance(i, Cast) and isinstance(i.operands[0].type.scalar, IntType) and i.operands[0].type.scalar.bits == 1:
        return i.operands[0]
    return i.operands[0] if _chooses(i, around) else None


def _chooses(i: Instruction, around: loops.Loops) -> bool:
    loop = around.of(i.parent)
    inside = loop is None or all(b in loop.blocks for b in i.successors)
    return isinstance(i, (Branch, Switch)) and len(i.successors) > 1 and inside


def _tested(condition: Value) -> Iterator[Value]:
    """The integers by which a truth value is decided, or the integer that decides itself."""
    pending, seen = [condition], {condition}
    while pending:
        value = pending.pop()
        if isinstance(value, (Phi, Select)) or (isinstance(value, Binary) and value.type.scalar == IntType(1)):
            pending += [v for v in value.operands if v not in seen]
            seen.update(value.operands)
        elif isinstance(value, Compare):
            yield from (v for v in value.operands if isinstance(v.type.scalar, IntType))
        else:
            yield value


def _kept(function: Function) -> Iterator[int]:
    """The parameters whose values leave the function, beside what they decide and where they lead."""
    users = def_use.users(function)
    for argument in function.arguments:
        reached: set[Value] = {argument}
        pending: list[Value] = [argument] * isinstance(argument.type.scalar, IntType)
        while pending:
            new = [i for i in users[pending.pop()] if isinstance(i, _MOVES) and i not in reached]
            reached.update(new)
            pending += new
        if any(_lets_out(i, v) for v in reached for i in users[v]):
            yield argument.index


def _lets_out(i: Instruction, value: Value) -> bool:
    return i.value is value if isinstance(i, Store) else not isinstance(i, _INSIDE)


@dataclass(slots=True, repr=False)
class Decisions:
    """The integers of one function: how they depend on each other, and on decisions. data: where integers move, calls of functions
    of the program apart; assembled: where they become the bits of numbers; digits: the functions that do so."""

    subject: Subject
    deciders: Deciders
    digits: frozenset[str]
    data: Edges
    assembled: list[Assembled]
    memory: CallMemory = field(init=False)
    control: list[tuple[object, object]] = field(default_factory=list)  # a part, what it decides
    parts: list[object] = field(default_factory=list)
    decided: list[object] = field(default_factory=list)  # by calls
    gathering: list[tuple[object, object]] = field(default_factory=list)  # what is stored bit by bit, where

    def __post_init__(self) -> None:
        self.memory = CallMemory(self.subject.facts.alias, self.subject.facts.kept)

    def first(self, wanted: set[object]) -> Instruction | None:
        """The first number of those that matter that is put together by decisions."""
        for i in self.subject.prepared.function.instructions():
            self._visit(i)
        parts = reach(self.parts, self.data)
        crossed = [(part, target) for part, target in self.control if part in parts]
        edges = self._kept_apart(_joined(self.data, self.control))
        decided = reach([*self.decided, *(target for _, target in crossed)], edges)
        places = [a for a in self.assembled if not decided.isdisjoint(a[1]) and not wanted.isdisjoint(a[2])]
        if not places:
            return None
        gathered = set(self._gathered(decided, edges))
        inside = {v: [t for t in targets if not isinstance(t, Characters)] for v, targets in edges.items()}
        ends = [v for v in decided if isinstance(v, Store)] + [v for a in places for v in a[1] if v in decided]
        gathered.update(v for v in ends if _decisions_before(v, crossed, inside) >= LEAST)
        gathered = reach(gathered, edges)
        return next((i for i, sources, _ in places if not gathered.isdisjoint(sources)), None)

    def _gathered(self, decided: set[object], edges: Edges) -> Iterator[object]:
        """Where loops and calls bring many decisions together."""
        yield from (target for source, target in self.gathering if source in decided)
        for loop in self.subject.prepared.loops.loops:
            for phi in cfg.phis(loop.header):
                if phi in decided:
                    cycle = (i for i in reach([phi], edges) if isinstance(i, Binary) and i.parent in loop.blocks)
                    yield from [phi] * any(phi in reach([i], edges) for i in cycle)

    def _varies(self, places: Iterable[object]) -> bool:
        return not self.subject.activity.varies.keys().isdisjoint(places)

    def _kept_apart(self, edges: Edges) -> Edges:
        """Without what comes into memory where numbers with derivatives lie, too."""
        return {v: [t for t in targets if not self._varies([getattr(t, "item", None)])] for v, targets in edges.items()}

    def _visit(self, i: Instruction) -> None:
        self._visit_pattern(i)
        varies, types = self.subject.activity.varies, self.subject.facts.types
        if _takes_part(i) and any(v in varies and _may_be_bits(v, types) for v in origins(i)):
            self.parts.append(i)
        if isinstance(i, Load) and i.type == I8 and i in varies and _may_be_bits(i, types):
            self.parts.append(i)
        if isinstance(i, Compare):
            self._decides(integers(i.operands), [i])
        elif isinstance(i, Select) and not self._varies(i.operands[1:]):
            self._decides(integers(i.operands[:1]), [i])
        elif isinstance(i, Store) and isinstance(i.value.type, IntType):
            self._visit_store(i)
        elif isinstance(i, Call) and (function := i.called_function) is not None and not function.is_declaration:
            self._visit_call(i, function.name)
        elif _chooses(i, self.subject.prepared.loops):
            self._visit_choice(i)

    def _visit_pattern(self, i: Instruction) -> None:
        """Bits of numbers that are moved, and not computed with."""
        if isinstance(i, Store) and isinstance(i.value.type, FloatType):
            self._moves([i.value], self._patterns(i, i.value.type))
        elif isinstance(i, Load) and isinstance(i.type, FloatType):
            self._moves(self._patterns(i, i.type), [i])
        elif i.opcode == "bitcast":
            self._moves(i.operands, [i])
        elif isinstance(i, (Phi, Select)) and isinstance(i.type.scalar, FloatType):
            self._moves(i.operands[isinstance(i, Select) :], [i])

    def _patterns(self, i: Load | Store, type_: Type) -> list[object]:
        bits = 8 * self.subject.alias.layout.store_size(type_)
        return [Characters(o, bits) for o in self.memory.base_objects(i.pointer)]

    def _moves(self, sources: Iterable[object], targets: list[object]) -> None:
        for source in sources:
            self.data.setdefault(source, []).extend(targets)

    def _in_loop(self, i: Instruction) -> bool:
        return self.subject.prepared.loops.of(i.parent) is not None

    def _stored(self, i: Store) -> list[object]:
        """The integers in memory that a store changes, where no numbers with derivatives are put, too."""
        assert isinstance(i.value.type, IntType)
        objects = self.memory.base_objects(i.pointer)
        return [Characters(o, i.value.type.bits) for o in objects if not self._varies([o])]

    def _visit_store(self, i: Store) -> None:
        """A store is a node of its own: of what is stored, and of what decides whether it is."""
        assert isinstance(i.value.type, IntType)
        self._moves([i.value], [i])
        if makes_bits(i, self.subject.facts.types) and not self._varies([i.value]):
            self.assembled.append((i, [i], [*self.memory.base_objects(i.pointer)]))
        if i.value.type.bits < _PART_OF_NUMBER and self._in_loop(i):
            self.gathering += [(i, place) for place in (i, *self._stored(i))]

    # Control dependence

    def _visit_choice(self, i: Instruction) -> None:
        inside, joins = self._region(i)
        targets: list[object] = []
        for phi in (v for b in joins for v in cfg.phis(b)):
            if not isinstance(phi.type.scalar, PointerType) and not self._varies(phi.operands):
                targets += [phi] * (len(set(phi.operands)) > 1)
        for other in (v for b in inside for v in b.instructions):
            if isinstance(other, Store) and isinstance(other.value.type, IntType) and not self._varies([other.value]):
                targets += [other, *self._stored(other)]
            elif isinstance(other, Call):
                targets += self._left_by(other)
        self._decides(integers(i.operands), targets)

    def _decides(self, sources: Iterable[object], targets: list[object]) -> None:
        self.control += [(source, target) for source in sources for target in targets]

    def _region(self, i: Instruction) -> tuple[set[Block], list[Block]]:
        """The blocks that run only if a branch goes one way, up to the end of its loop; and those where its ways meet."""
        assert i.parent is not None
        prepared = self.subject.prepared
        end, loop = prepared.post_dominators.idom[i.parent], prepared.loops.of(i.parent)
        ways: list[set[Block]] = []
        for successor in dict.fromkeys(i.successors):
            way, pending = {successor}, [successor] * (successor is not end)
            while pending:
                for b in pending.pop().successors:
                    if b not in way and (loop is None or (b in loop.blocks and b is not loop.header)):
                        way.add(b)
                        pending += [b] * (b is not end)
            ways.append(way)
        met = [b for b in set().union(*ways) if sum(b in way for way in ways) > 1]
        return {b for b in set().union(*ways) if b is not end}, met

    # Calls

    def _left_by(self, i: Call) -> list[object]:
        """What a function of the program leaves in integers where it is called, and that it puts some together to a number."""
        function = i.called_function
        if function is None or function.is_declaration or self._varies([*self.memory.objects_read(i), *i.arguments]):
            return []
        return [(i, _INSIDE_OF)] * self._makes_numbers(function.name) + self._wholes_written(i)

    def _wholes_written(self, i: Call) -> list[object]:
        return _wholes(o for o in self.memory.objects_written(i) if not self._varies([o]))

    def _visit_call(self, i: Call, name: str) -> None:
        does, read, inside = self.deciders, _wholes(self.memory.objects_read(i)), (i, _INSIDE_OF)
        kept = does.kept.get(name, frozenset())
        given = [*integers(v for k, v in enumerate(i.arguments) if k in kept), *read]
        wholes = [*([] if self._varies([i]) else integers([i])), *self._wholes_written(i)]
        self._moves(given, [*integers([i]), *self._wholes_written(i)])
        if name in does.by_given:
            self._decides([*integers(i.arguments), *read], wholes)
            self._decides([*integers(i.arguments), *([] if name in does.moves else read)], [inside])
        if self._takes_parts(i, name):
            self.parts += [*integers([i]), *_wholes(self.memory.objects_written(i))]
            self.decided += wholes if name in does.by_bits or name in does.by_given else []
        if self._makes_numbers(name):
            numbers = [*self.memory.objects_written(i), *([i] if not isinstance(i.type, IntType) else [])]
            self.assembled += [(i, [inside, *given], [*numbers])]
        if self._in_loop(i) or name in does.loops:
            self.gathering += [(place, place) for place in (*wholes, inside)]

    def _makes_numbers(self, name: str) -> bool:
        return name in self.digits and name in self.deciders.makes

    def _takes_parts(self, i: Call, name: str) -> bool:
        """Whether a function takes parts of the bits of numbers that vary: of those it is given, or of those it reads."""
        types = self.subject.facts.types
        if name in self.deciders.takes_given and any(_may_be_bits(v, types) and self._varies([v]) for v in i.arguments):
            return True
        return name in self.deciders.takes and self._varies([*self.memory.objects_read(i), *i.arguments])


def _wholes(objects: Iterable[MemoryObject]) -> list[object]:
    return [Characters(o, bits) for o in objects for bits in WIDTHS]


def _joined(data: Edges, control: list[tuple[object, object]]) -> Edges:
    found = {source: list(targets) for source, targets in data.items()}
    for source, target in control:
        found.setdefault(source, []).append(target)
    return found


def _decisions_before(place: object, crossed: list[tuple[object, object]], edges: Edges) -> int:
    """How many parts have decided what comes to a place."""
    entering: Edges = {}
    for source, targets in edges.items():
        for target in targets:
            entering.setdefault(target, []).append(source)
    before = reach([place], entering)
    return len({part for part, target in crossed if target in before})

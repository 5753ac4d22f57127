"""What the functions of a program do with text, files and tables: whether numbers may become characters in them, and come back.

A word for each thing a function does, its callees included: a fixpoint over calls by name. Declared functions are known by what the
table of the C library says. Not here: whether any of it concerns numbers with derivatives (`lost_in_text.py`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from enzyme_magic.backend.analysis.memory import tbaa
from enzyme_magic.backend.analysis.memory.memory_objects import MemoryObject
from enzyme_magic.backend.analysis.types.inference import MOST_BYTES, Types
from enzyme_magic.backend.analysis.types.type_tree import Contents, Unknown
from enzyme_magic.backend.ir import intrinsics
from enzyme_magic.backend.ir.graphs import def_use
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
from enzyme_magic.backend.ir.module import GlobalVariable, Module
from enzyme_magic.backend.ir.types import I8, FloatType, IntType, PointerType, VoidType
from enzyme_magic.backend.ir.values import Argument, ConstantInt, Value
from enzyme_magic.backend.library import libc
from enzyme_magic.backend.library.summary import ARGUMENT
from enzyme_magic.backend.rules import inactive

TO_NUMBER = ("sitofp", "uitofp")
_PRINTED = ("stdout", "stderr")
_DESCRIPTORS = ("write", "dprintf")
_HANDED_ON = (Load, Phi, Select, Freeze, Binary, Cast)
_DECIDES = (Branch, Switch, Compare)
WIDTHS = (8, 16, 32, 64)
_MANY = 3


@dataclass(frozen=True, slots=True)
class Characters:
    """What integers of one width hold in one memory object."""

    item: MemoryObject
    bits: int


@dataclass(frozen=True, slots=True)
class Texts:
    """What the functions of a program do with text, what they call included: write numbers into it, read numbers from it, make
    numbers of integers, look at characters, write to files, read from files, look up integers by bits of numbers or by
    integers they are given, put integers where numbers lie."""

    writes: frozenset[str]
    reads: frozenset[str]
    converts: frozenset[str]
    looks: frozenset[str]
    saves: frozenset[str]
    loads: frozenset[str]
    indexes: frozenset[str]
    indexes_by_arguments: frozenset[str]
    digits: frozenset[str]

    @property
    def concerned(self) -> bool:
        text = self.writes and (self.reads or self.converts or self.digits)
        return bool(
            text or (self.saves and self.loads) or ((self.indexes or self.indexes_by_arguments) and self.digits)
        )

    @classmethod
    def of(cls, module: Module, types: Types) -> Texts:
        own: dict[str, set[str]] = {}
        for function in module.definitions():
            own[function.name] = {word for i in function.instructions() for word in _words(i, types)}
        before = -1
        while before != (before := sum(map(len, own.values()))):
            for function in module.definitions():
                for i in function.instructions():
                    if isinstance(i, Call) and (callee := i.called_function) is not None and callee.name in own:
                        own[function.name] |= own[callee.name]
        return cls(*(frozenset(n for n, w in own.items() if word in w) for word in "WRCBSLUAD"))


def _words(i: Instruction, types: Types) -> Iterator[str]:
    if isinstance(i, Cast) and i.opcode in TO_NUMBER:
        yield "C"
    elif isinstance(i, Load) and i.type == I8:
        yield "B"
    if isinstance(i, Load):
        by = [v for index in looked_up_by(i) for v in origins(index)]
        yield from "U" if any(may_be_bits(v, types) for v in by) else "A" * any(isinstance(v, Argument) for v in by)
    elif makes_bits(i, types):
        yield "D"
    if isinstance(i, Call):
        yield from _words_of_call(i, declared_name(i))


def _words_of_call(i: Call, name: str) -> Iterator[str]:
    if inactive.reads_digits(name):
        yield "B"
    if inactive.writes_text(name):
        yield "W"
    if inactive.reads_number(name) or inactive.scans_text(name):
        yield "R"
    if inactive.files(name) == "saves" and not is_printed(i):
        yield "S"
    if (inactive.reads_file(name) or inactive.files(name) == "memory") and not _decides_only(i):
        yield "L"


def _decides_only(read: Call) -> bool:
    """Whether what is read from a file goes to integers of the function's own, and on from there to nothing but functions that
    return nothing and write no memory: the seed of a generator. Decisions ask how much was read, not what."""
    summary = libc.summary_of(declared_name(read))
    function = read.parent.parent if read.parent is not None else None
    if inactive.files(declared_name(read)) != "loads" or summary is None or function is None:
        return False
    targets = [_root(read.arguments[p.index]) for p in summary.writes if p.kind == ARGUMENT]
    if not targets or not all(isinstance(t, Alloca) and isinstance(t.allocated_type, IntType) for t in targets):
        return False
    users = def_use.users(function)
    return _ends(users, [read], read, decides=True) and _ends(users, targets, read, decides=False)


def _ends(users: Mapping[Value, Sequence[Instruction]], begins: Sequence[Value], read: Call, *, decides: bool) -> bool:
    """Whether nothing comes of values but what they are handed to. decides: decisions are nothing, either."""
    pending = list(begins)
    seen = set(pending)
    while pending:
        value = pending.pop()
        taken = [
            i for i in users[value] if i is read or _takes(i, value, begins) or (decides and isinstance(i, _DECIDES))
        ]
        onward = [i for i in users[value] if i not in taken]
        if not all(isinstance(i, _HANDED_ON) for i in onward):
            return False
        new = [i for i in dict.fromkeys(onward) if i not in seen]
        seen.update(new)
        pending += new
    return True


def _takes(user: Instruction, value: Value, targets: Sequence[Value]) -> bool:
    """Whether nothing comes of a value by this use of it."""
    if isinstance(user, Store):
        return user.value is not value and value in targets
    if not isinstance(user, Call):
        return False
    name, given = declared_name(user), (isinstance(a.type, PointerType) for a in user.arguments)
    silent = isinstance(user.type, VoidType) and inactive.reason(name) is not None
    return intrinsics.is_marker(name) or (silent and not any(given))


def looked_up_by(load: Load) -> list[Value]:
    """What an integer is looked up by that is no constant."""
    pointer = load.pointer
    if not isinstance(load.type, IntType) or not isinstance(pointer, GetElementPtr):
        return []
    return [v for v in pointer.operands[1:] if not isinstance(v, ConstantInt) and not isinstance(v, Phi)]


def origins(value: Value) -> Iterator[Value]:
    """A value, and those from which it is computed without memory and choices."""
    pending, seen = [value], {value}
    while pending:
        yield (found := pending.pop())
        if isinstance(found, (Binary, Cast, Freeze)):
            new = [v for v in found.operands if v not in seen and isinstance(v.type.scalar, IntType)]
            seen.update(new)
            pending += new


def may_be_bits(value: Value, types: Types) -> bool:
    """Whether an integer may hold bits of a number. C reads numbers as other integers than characters only in variables to which
    they were copied (C17 6.5, paragraphs 6 and 7); elsewhere the type analysis must be certain of it."""
    if not isinstance(value, (Argument, Instruction)):
        return False
    if isinstance(value, Load) and not _is_integer_object(value) and types.may_hold_number(value):
        return value.type == I8 or _is_copied_to(value)
    return types.carries_float(value).answer == "yes"


def _is_integer_object(access: Load | Store) -> bool:
    """Whether what is accessed must be an integer of its own: no character, and a member of a struct or in no variable."""
    type_, tag = access.type if isinstance(access, Load) else access.value.type, tbaa.tag_of(access)
    in_variable = isinstance(_root(access.pointer), (Alloca, GlobalVariable))
    if type_ == I8 or not in_variable or (tag is not None and tag.base != tag.access):
        return tbaa.scalar_name(access) in tbaa.INTEGERS
    return tag is None


def _is_copied_to(load: Load) -> bool:
    """Whether it is a variable that is loaded from, into which the function copies anything else than such integers. Members of
    unions are trusted to be read as what they were stored as."""
    place, function = _root(load.pointer), load.parent.parent if load.parent is not None else None
    if not isinstance(place, (Alloca, GlobalVariable)):
        return False
    for i in function.instructions() if function is not None else ():
        if isinstance(i, Call) and intrinsics.is_copy(declared_name(i)) and _root(i.arguments[0]) is place:
            return True
        copied = isinstance(i, Store) and tbaa.tag_of(i) is None and i.value.type != load.type
        if copied and isinstance(i, Store) and _root(i.pointer) is place:
            return True
    return False


def _root(place: Value) -> Value:
    while isinstance(place, GetElementPtr):
        place = place.operands[0]
    return place


def makes_bits(i: Instruction, types: Types) -> bool:
    """Whether integers may become bytes of numbers: by a store or a copy to where numbers lie, or nobody knows what, or at once."""
    if isinstance(i, Store) and isinstance(i.value.type, IntType) and not isinstance(i.value, ConstantInt):
        found = types.loaded_from(i.pointer, i.value.type.bits // 8)
        return not _is_integer_object(i) if isinstance(found, Unknown) else bool(found.floats)
    if isinstance(i, Call) and intrinsics.is_copy(declared_name(i)):
        found = types.copied(i)
        return isinstance(found, Unknown) or (
            len(found.floats) == len(found.segments) and not _copies_numbers(i, found, types)
        )
    return is_reinterpreted(i)


def _copies_numbers(i: Call, found: Contents, types: Types) -> bool:
    """Whether what is copied is declared to be numbers where it comes from: who put integers there was seen doing it."""
    length = i.arguments[2]
    size = length.unsigned if isinstance(length, ConstantInt) else found.period
    return size is not None and size <= MOST_BYTES and types.declares_numbers(i.arguments[1], size)


def is_reinterpreted(i: Instruction) -> bool:
    """Whether an integer becomes the bits of a number."""
    if not isinstance(i, Cast) or i.opcode != "bitcast" or not isinstance(i.type.scalar, FloatType):
        return False
    return isinstance(i.operands[0].type.scalar, IntType)


def declared_name(i: Call) -> str:
    function = i.called_function
    return function.name if function is not None and function.is_declaration else ""


def is_printed(i: Call) -> bool:
    """Whether what is written leaves the program: by the streams that nobody reads."""
    for v in i.arguments:
        if isinstance(v, Load) and isinstance(v.pointer, GlobalVariable) and v.pointer.name in _PRINTED:
            return True
    first = i.arguments[0] if i.arguments else None
    return declared_name(i) in _DESCRIPTORS and str(getattr(first, "unsigned", "")) in ("1", "2")


def integers(values: Iterable[Value]) -> list[object]:
    """Those of some values that are integers and not known."""
    return [v for v in values if isinstance(v, (Argument, Instruction)) and isinstance(v.type.scalar, IntType)]


def joined(sources: list[object], targets: list[object]) -> Iterator[tuple[object, object]]:
    """Edges from all of the one to all of the other: where there are many, through a place of its own, so that they stay few."""
    if min(len(sources), len(targets)) < _MANY:
        yield from ((source, target) for source in sources for target in targets)
        return
    between = object()
    yield from ((source, between) for source in sources)
    yield from ((between, target) for target in targets)


def reach(seeds: Iterable[object], edges: dict[object, list[object]]) -> set[object]:
    """What is reached along edges, the seeds included."""
    reached = set(seeds)
    pending = deque(reached)
    while pending:
        for node in edges.get(pending.popleft(), ()):
            if node not in reached:
                reached.add(node)
                pending.append(node)
    return reached

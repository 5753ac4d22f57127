"""What the functions of a program do with text, files and tables: whether numbers may become characters in them, and come back.

A word for each thing a function does, its callees included: a fixpoint over calls by name. Declared functions are known by what the
table of the C library says. Not here: whether any of it concerns numbers with derivatives (`lost_in_text.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from enzyme_magic.backend.analysis.types.inference import Types
from enzyme_magic.backend.analysis.types.type_tree import Unknown
from enzyme_magic.backend.ir import intrinsics
from enzyme_magic.backend.ir.instructions import (
    Binary,
    Call,
    Cast,
    Freeze,
    GetElementPtr,
    Instruction,
    Load,
    Phi,
    Store,
)
from enzyme_magic.backend.ir.module import GlobalVariable, Module
from enzyme_magic.backend.ir.types import I8, FloatType, IntType
from enzyme_magic.backend.ir.values import Argument, ConstantInt, Value
from enzyme_magic.backend.rules import inactive

TO_NUMBER = ("sitofp", "uitofp")
_PRINTED = ("stdout", "stderr")
_DESCRIPTORS = ("write", "dprintf")


@dataclass(frozen=True, slots=True)
class Texts:
    """What the functions of a program do with text, what they call included: write numbers into it, read numbers from it, make
    numbers of integers, look at characters, write to files, read from files, look up integers by bits of numbers, put integers
    where numbers lie."""

    writes: frozenset[str]
    reads: frozenset[str]
    converts: frozenset[str]
    looks: frozenset[str]
    saves: frozenset[str]
    loads: frozenset[str]
    indexes: frozenset[str]
    digits: frozenset[str]

    @property
    def concerned(self) -> bool:
        text = self.writes and (self.reads or self.converts or self.digits)
        return bool(text or (self.saves and self.loads) or (self.indexes and self.digits))

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
        return cls(*(frozenset(n for n, w in own.items() if word in w) for word in "WRCBSLUD"))


def _words(i: Instruction, types: Types) -> Iterator[str]:
    if isinstance(i, Cast) and i.opcode in TO_NUMBER:
        yield "C"
    elif isinstance(i, Load) and i.type == I8:
        yield "B"
    if isinstance(i, Load) and any(_may_be_bits(v, types) for index in looked_up_by(i) for v in origins(index)):
        yield "U"
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
    if inactive.reads_file(name) or inactive.files(name) == "memory":
        yield "L"


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


def _may_be_bits(value: Value, types: Types) -> bool:
    known = isinstance(value, (Argument, Instruction))
    return known and (types.holds_number(value) or types.is_part_of_number(value))


def makes_bits(i: Instruction, types: Types) -> bool:
    """Whether integers may become bytes of numbers: by a store or a copy to where numbers lie, or nobody knows what, or at once."""
    if isinstance(i, Store) and isinstance(i.value.type, IntType) and not isinstance(i.value, ConstantInt):
        found = types.loaded_from(i.pointer, i.value.type.bits // 8)
        return isinstance(found, Unknown) or bool(found.floats)
    if isinstance(i, Call) and intrinsics.is_copy(declared_name(i)):
        found = types.copied(i)
        return isinstance(found, Unknown) or len(found.floats) == len(found.segments)
    return is_reinterpreted(i)


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

"""Does a program make pointers of integers? One that does not may keep what it computes from bytes of pointers: a hash of a key.

Theorem: where the answer is no, an integer that is computed and stored as one of C's integer types is never read as a pointer.
It would have to become one by `inttoptr`, by a load of a pointer from where C does not say that one lies (a union, a copied word),
by a store of integers where a pointer lies, or by a copy to there from where none lies. A load that C calls one of a pointer does
not read what was stored as an integer (C17 6.5, paragraph 7).

One answer for a whole program, with doubt on the side of yes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from enzyme_magic.backend.analysis.calls.effects import Effects
from enzyme_magic.backend.analysis.memory import tbaa
from enzyme_magic.backend.analysis.types.inference import Types
from enzyme_magic.backend.ir import intrinsics
from enzyme_magic.backend.ir.instructions import (
    AtomicRMW,
    Binary,
    Call,
    Cast,
    CompareExchange,
    Freeze,
    Instruction,
    Load,
    Phi,
    Select,
    Store,
)
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Module
from enzyme_magic.backend.ir.types import FloatType, IntType, PointerType
from enzyme_magic.backend.ir.values import Argument, Constant, ConstantInt, Value
from enzyme_magic.backend.library.summary import ARGUMENT

WORD = 8
MOST = 1 << 16  # bytes of a copy that are looked at; one of more may be anything
NEAR = 64  # bytes that are looked at where nothing is known of what is written
LOOKED_AT = 4096  # where it is not known how many are copied
_POINTER = re.compile(r"any pointer|p\d+ .+|vtable pointer")
_MOVES = (Phi, Select, Freeze)
_COMPUTES = (*_MOVES, Binary, Cast)


def are_made(module: Module, types: Types, effects: Effects, layout: DataLayout) -> bool:
    """Whether some function may make a pointer of integers."""
    program = _Program(types, effects, layout)
    return any(map(program.makes, (i for function in module.definitions() for i in function.instructions())))


class _Program:
    def __init__(self, types: Types, effects: Effects, layout: DataLayout) -> None:
        self.types, self.effects, self.layout = types, effects, layout

    def makes(self, i: Instruction) -> bool:
        if isinstance(i, Cast):
            return i.opcode == "inttoptr" and _comes_from_elsewhere(i.operands[0])
        if isinstance(i, Load):
            return isinstance(i.type.scalar, PointerType) and not _POINTER.fullmatch(tbaa.scalar_name(i) or "")
        if isinstance(i, Store):
            return self._overwrites(i)
        if isinstance(i, AtomicRMW | CompareExchange):
            return self.types.holds_pointer(i.operands[0], WORD, integer=False)
        return isinstance(i, Call) and self._is_made_by(i)

    def _overwrites(self, store: Store) -> bool:
        """Whether an integer or a number is put where a pointer lies that is not the bytes of one."""
        value = store.value
        if isinstance(value, Constant) or not isinstance(value.type.scalar, IntType | FloatType):
            return False
        named = tbaa.scalar_name(store) in tbaa.INTEGERS
        if not self.types.holds_pointer(store.pointer, self.layout.store_size(value.type), integer=named):
            return False
        return not all(isinstance(v, Constant) or self._is_of_pointer(v) for v in _moved(value))

    def _is_of_pointer(self, value: Value) -> bool:
        if not isinstance(value, Load):
            return False
        return self.types.holds_pointer(value.pointer, self.layout.store_size(value.type), integer=False)

    def _is_made_by(self, call: Call) -> bool:
        function = call.called_function
        if function is None:
            return any(map(self._has_pointer, call.arguments))  # it may be one of a library that copies
        if intrinsics.is_copy(function.name):
            return self._differ(*call.arguments[:3])
        if not function.is_declaration or intrinsics.transfer_of(function.name):
            return False
        written = (call.arguments[p.index] for p in self.effects.call(call).writes if p.kind == ARGUMENT)
        return any(map(self._has_pointer, written))

    def _differ(self, target: Value, source: Value, length: Value) -> bool:
        """Whether a pointer lies somewhere in a target, and none in what is copied to there."""
        size = length.unsigned if isinstance(length, ConstantInt) else LOOKED_AT
        return size > MOST or bool(self._words(target, size) - self._words(source, size))

    def _words(self, pointer: Value, size: int) -> set[int]:
        return {at for at in range(0, size, WORD) if self.types.holds_pointer(pointer, WORD, integer=False, behind=at)}

    def _has_pointer(self, pointer: Value) -> bool:
        return isinstance(pointer.type, PointerType) and bool(self._words(pointer, NEAR))


def _moved(value: Value) -> Iterator[Value]:
    """What a value merely is."""
    pending, seen = [value], {value}
    while pending:
        found = pending.pop()
        if not isinstance(found, _MOVES):
            yield found
            continue
        new = [v for v in found.operands[isinstance(found, Select) :] if v not in seen]
        seen.update(new)
        pending += new


def _comes_from_elsewhere(integer: Value) -> bool:
    """Whether an integer is computed from any that is no address of a pointer at hand, and no constant."""
    pending, seen = [integer], {integer}
    while pending:
        value = pending.pop()
        if isinstance(value, Argument) or (isinstance(value, Instruction) and not isinstance(value, _COMPUTES)):
            return True
        if isinstance(value, Cast) and isinstance(value.operands[0].type.scalar, PointerType):
            continue
        new = [v for v in value.operands if v not in seen] if isinstance(value, Instruction) else []
        seen.update(new)
        pending += new
    return False

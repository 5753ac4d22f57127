"""Frames of split pairs as structs of C, with a member for each value that is kept.

Invariant: a frame is a struct only if each use of it, in every function, reads or writes whole members, or hands it on; then
members need not lie where they do in the IR. Other frames are plain bytes.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field

from enzyme_magic.backend.analysis.calls.runtime_calls import FRAME
from enzyme_magic.backend.explain.gradient_c.own_memory import FREE, MALLOC
from enzyme_magic.backend.explain.gradient_c.spelling.names import CNames
from enzyme_magic.backend.explain.gradient_c.spelling.scalars import c_type, scalar
from enzyme_magic.backend.explain.words.variables import plain
from enzyme_magic.backend.frontend.c_types import VOID, Field, Pointer, Struct
from enzyme_magic.backend.ir.graphs.def_use import users
from enzyme_magic.backend.ir.instructions import Call, GetElementPtr, Instruction, Load, Store
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.types import I1, I8, PointerType, Type
from enzyme_magic.backend.ir.values import Argument, ConstantInt, Value


@dataclass(slots=True)
class _Frame:
    size: int = 0
    types: dict[int, Type] = field(default_factory=dict)
    names: dict[int, list[str]] = field(default_factory=dict)
    whole: bool = True  # every use reads or writes a member

    def note(self, offset: int, type_: Type, name: str) -> None:
        self.whole &= self.types.setdefault(offset, type_) == type_ and type_ != I1
        self.names.setdefault(offset, []).append(name)


def frame_structs(module: Module) -> dict[Value, Struct]:
    """The struct that a pointer leads to: parameters, what is passed for them, and blocks."""
    owners = _owners(module)
    frames: dict[str, _Frame] = {key: _Frame() for key in owners.values()}
    for function in module.definitions():
        uses = users(function)
        for pointer in [v for v in (*function.arguments, *function.instructions()) if v in owners]:
            frame = frames[owners[pointer]]
            if isinstance(pointer, Call) and pointer.callee.name == MALLOC.name:  # type: ignore[attr-defined]
                size = pointer.arguments[0]
                frame.size = max(frame.size, size.value) if isinstance(size, ConstantInt) else 0
            for use in uses.get(pointer, ()):
                _note(frame, pointer, use, uses, owners)
    layout = DataLayout.of(module)
    made = {key: _struct(key, frame, layout) for key, frame in frames.items()}
    return {pointer: struct for pointer, key in owners.items() if (struct := made[key]) is not None}


def _owners(module: Module) -> dict[Value, str]:
    """Pointers to frames, with whose they are."""
    found: dict[Value, str] = {}
    for function in module.definitions():
        for argument in function.arguments:
            mark = argument.attributes.get(FRAME)
            if mark is not None and mark.value:
                found[argument] = mark.value
    for function in module.definitions():
        for call in (i for i in function.instructions() if isinstance(i, Call)):
            for given, key in _given(call, found):
                if isinstance(given, (Instruction, Argument)):
                    found[given] = key
    return found


def _given(call: Call, owners: dict[Value, str]) -> Iterator[tuple[Value, str]]:
    called = call.called_function
    if isinstance(called, Function) and called.blocks:
        pairs = zip(call.arguments, called.arguments, strict=False)
        yield from [(given, owners[own]) for given, own in pairs if own in owners]


def _note(
    frame: _Frame, pointer: Value, use: Instruction, uses: dict[Value, list[Instruction]], owners: dict[Value, str]
) -> None:
    """A member that is read or written; of a use that does something else, that there is one."""
    if isinstance(use, GetElementPtr) and use.pointer is pointer and use.source_type == I8:
        (index,) = use.indices
        for access in uses.get(use, ()):
            _access(frame, use, access, index.value if isinstance(index, ConstantInt) else None)
    elif isinstance(use, (Load, Store)) and use.pointer is pointer:
        _access(frame, pointer, use, 0)
    elif isinstance(use, Call):
        handed = {given for given, _ in _given(use, owners)}
        frame.whole &= pointer in handed or str(getattr(use.callee, "name", "")) == FREE.name
    else:
        frame.whole &= isinstance(use, Store) and use.value is pointer


def _access(frame: _Frame, place: Value, access: Instruction, offset: int | None) -> None:
    if offset is not None and isinstance(access, Load):
        frame.note(offset, access.type, access.name)
    elif offset is not None and isinstance(access, Store) and access.value is not place:
        frame.note(offset, access.value.type, getattr(access.value, "name", ""))
    else:
        frame.whole = False


def _struct(key: str, frame: _Frame, layout: DataLayout) -> Struct | None:
    ends = [(offset, offset + layout.store_size(type_)) for offset, type_ in sorted(frame.types.items())]
    apart = all(end <= start for (_, end), (start, _) in itertools.pairwise(ends))
    if not (frame.whole and apart and ends and frame.size >= ends[-1][1]):
        return None
    naming = CNames(())
    fields = [
        Field(
            naming.variable(type_, frame.names[offset]),
            offset,
            Pointer(VOID) if _is_pointer(type_) else scalar(c_type(type_)),
        )
        for offset, type_ in sorted(frame.types.items())
    ]
    return Struct(f"struct {plain(key)}_frame", tuple(fields), frame.size)


def _is_pointer(type_: Type) -> bool:
    return isinstance(type_, PointerType)
